"""Links and codes: what opens a table, and what is kept of it.

A token has 192 random bits and stands in a path alone. The link that only watches is made from the
one that records, never the other way round, so that whoever records can show both.
"""

import hmac
import secrets
from hashlib import sha256

from django.conf import settings

#: Without look-alikes: no 0 O, 1 I L, 2 Z, 5 S, 8 B.
LETTERS = "34679ACDEFGHJKMNPQRTUVWXY"
CODE_LENGTH = 6


def new_token() -> str:
    """A token for a link that records: 32 characters, 192 random bits."""
    return secrets.token_urlsafe(24)


def watching(token: str) -> str:
    """The token of the link that only watches, beside one that records.

    >>> watching("a") == watching("a") != watching("b")
    True
    """
    made = hmac.new(token.encode(), b"watch", sha256).hexdigest()
    return made[:48]


def digest(token: str) -> str:
    """What is kept of a token; nobody can go back from it.

    >>> len(digest("a"))
    64
    """
    return sha256(token.encode()).hexdigest()


def new_code() -> str:
    """Six characters to be said aloud."""
    return "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))


def code_digest(code: str) -> str:
    """What is kept of a code: keyed, as six characters alone could be tried one by one."""
    spoken = "".join(c for c in code.upper() if c in LETTERS)
    return keyed(f"code {spoken}")


def keyed(text: str) -> str:
    """A digest that nobody without the site's key can make."""
    return hmac.new(settings.SECRET_KEY.encode(), text.encode(), sha256).hexdigest()
