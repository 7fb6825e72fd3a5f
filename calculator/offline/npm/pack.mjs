// node compile.mjs compile FOLDER   Python sources become byte code of the Python in the browser
// node compile.mjs compress FILE    FILE.br and FILE.gz beside it
import { readFileSync, writeFileSync } from "node:fs";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { loadPyodide } from "pyodide";

// Docstrings are for readers, assertions for type checkers: neither goes along. Nobody looks
// whether a source is newer: there is none.
const COMPILE = `
import compileall, pathlib, py_compile
compileall.compile_dir("/code", legacy=True, optimize=2, quiet=1, workers=1,
    invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
for source in pathlib.Path("/code").rglob("*.py"):
    assert source.with_suffix(".pyc").exists(), source
    source.unlink()
`;

const [what, path] = process.argv.slice(2);
if (what === "compile") {
  const python = await loadPyodide();
  python.FS.mkdir("/code");
  python.FS.mount(python.FS.filesystems.NODEFS, { root: path }, "/code");
  python.runPython(COMPILE);
} else {
  const whole = readFileSync(path);
  const params = { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: whole.length };
  writeFileSync(`${path}.br`, brotliCompressSync(whole, { params }));
  writeFileSync(`${path}.gz`, gzipSync(whole, { level: 9 }));
}
