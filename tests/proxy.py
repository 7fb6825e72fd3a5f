"""An nginx that starts, and openssl for its certificate: found, or installed as
`python -m tests.proxy`.
"""

import os
import shutil

from tests.browser.chromium import run

#: Where Debian puts it, which is not in everybody's path.
FOLDERS = ("/usr/sbin", "/usr/local/sbin")
MISSING = "no nginx or no openssl here: `apt install nginx openssl`"


def find() -> str | None:
    """The path of nginx, or None where one of the two is missing."""
    nginx = shutil.which("nginx", path=os.pathsep.join([os.environ.get("PATH", ""), *FOLDERS]))
    return nginx if shutil.which("openssl") else None


def install() -> None:
    """Both from the system, as root."""
    if os.geteuid() == 0 and shutil.which("apt-get"):
        print("Installing nginx with apt …", flush=True)
        run("apt-get", "update")
        run("apt-get", "install", "--yes", "--no-install-recommends", "nginx", "openssl")


if __name__ == "__main__":
    if not find():
        install()
    print(f"nginx: {find() or 'none here; the tests of the deployment will be skipped'}")
