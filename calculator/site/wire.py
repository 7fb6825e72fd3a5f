"""JSON in and out, the same for the command line and the interface over HTTP.

Numbers stay exact: what is written with a decimal point is read as `Decimal`, and written whole
where it is whole.
"""

import json
import re
import secrets
from decimal import Decimal
from typing import Any

from scoring.words import shortened

# Stands in for the digits of a decimal inside a JSON text; nobody can send it.
_MARK = f"decimal-{secrets.token_hex(8)}:"
_MARKED = re.compile(f'"{_MARK}([^"]*)"')


class BadJson(ValueError):
    """What came is no JSON object; ``error`` is the contract's error for it."""

    def __init__(self, said: str, **parameters: str) -> None:
        super().__init__(said)
        self.error: dict[str, Any] = {"code": "bad_json", **parameters}


def _each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        names = [name for name, _ in pairs]
        twice = shortened(next(name for name in names if names.count(name) > 1))
        raise BadJson(twice, why="repeated_key", key=twice)
    return made


def _no_constant(name: str) -> Any:
    raise BadJson(name)


_READER = json.JSONDecoder(
    parse_float=Decimal, parse_constant=_no_constant, object_pairs_hook=_each_key_once
)


#: Nothing in a request lies deeper, and Pythons differ in how deep they read.
MOST_DEPTH = 64


def _is_deeper(value: Any, than: int) -> bool:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return not than or any(_is_deeper(each, than - 1) for each in inner)


def loads(text: str | bytes) -> dict[str, Any]:
    """Read one request; raises `BadJson` for whatever is no JSON object, or says a key twice.

    >>> loads('{"options": {"base": 0.5}}')
    {'options': {'base': Decimal('0.5')}}
    """
    try:
        if isinstance(text, bytes):
            text = text.decode(json.detect_encoding(text), "surrogatepass")
        value = _READER.decode(text)
    except BadJson:
        raise
    except (ValueError, ArithmeticError, RecursionError) as error:
        raise BadJson(str(error)) from error
    if not isinstance(value, dict):
        raise BadJson("not an object")
    if text.count("{") + text.count("[") > MOST_DEPTH and _is_deeper(value, MOST_DEPTH):
        raise BadJson("nested too deeply")
    return value


def _exact(value: Any) -> Any:
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral() else f"{_MARK}{value:f}"
    raise TypeError(f"{type(value).__name__} is no JSON")


_WRITER = json.JSONEncoder(ensure_ascii=False, default=_exact)


def dumps(value: object, *, indent: int | None = None) -> str:
    """Write one answer.

    >>> dumps({"points": Decimal("2.50"), "base": Decimal("3.0")})
    '{"points": 2.50, "base": 3}'
    """
    if indent is None:
        text = _WRITER.encode(value)
    else:
        text = json.dumps(value, ensure_ascii=False, default=_exact, indent=indent)
    return _MARKED.sub(r"\1", text) if _MARK in text else text


def encoded(value: object, *, indent: int | None = None) -> bytes:
    """The same as UTF-8; half a surrogate pair, which has no UTF-8, becomes its JSON escape."""
    return dumps(value, indent=indent).encode("utf-8", "backslashreplace")


def is_error(answer: Any) -> bool:
    """Whether an answer says that the request was wrong."""
    return isinstance(answer, dict) and answer.get("status") == "error"
