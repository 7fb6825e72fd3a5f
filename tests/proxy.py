"""An nginx that starts, and openssl for its certificate: found, or installed as
`python -m tests.proxy`.
"""

import os
import shutil

from tests.packages import apt

#: Where Debian puts it, which is not in everybody's path.
FOLDERS = ("/usr/sbin", "/usr/local/sbin")
MISSING = "no nginx or no openssl here: `apt install nginx openssl`"


def find() -> str | None:
    """The path of nginx, or None where one of the two is missing."""
    nginx = shutil.which("nginx", path=os.pathsep.join([os.environ.get("PATH", ""), *FOLDERS]))
    return nginx if shutil.which("openssl") else None


if __name__ == "__main__":
    if not find():
        apt("nginx", "openssl")
    print(f"nginx: {find() or 'none here; the tests of the deployment will be skipped'}")
