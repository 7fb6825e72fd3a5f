"""Memos that are bounded by what they hold (记忆), whatever is asked.

Answers differ in size by a factor of a thousand, so that a limit on their number is no limit on
memory.  A memo that is full is emptied and begins anew: what is asked often is soon there again.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import wraps
from typing import Any, Generic, TypeVar, cast

_Function = TypeVar("_Function", bound=Callable[..., Any])
_Part = TypeVar("_Part")

#: What an answer weighs besides its parts: its key and its place.
_EACH = 4


def kept(most: int, weight: Callable[[Any], int] = len) -> Callable[[_Function], _Function]:
    """Keep the answers of a function up to ``most`` parts in all; ``weight`` counts those of one.

    No answer may be None.

    >>> @kept(most=100)
    ... def digits(number: int) -> str:
    ...     return str(number)
    >>> digits(2024) is digits(2024)
    True
    """

    def decorate(make: _Function) -> _Function:
        memo: dict[Hashable, Any] = {}
        held = 0

        @wraps(make)
        def found(*asked: Hashable) -> Any:
            nonlocal held
            answer = memo.get(asked)
            if answer is None:
                answer = make(*asked)
                held += weight(answer) + _EACH
                if held > most:
                    memo.clear()
                    held = weight(answer) + _EACH
                memo[asked] = answer
            return answer

        return cast(_Function, found)

    return decorate


class once(Generic[_Part]):
    """A part of a frozen object that is worked out when it is first asked for, and then kept.

    What ``functools.cached_property`` does, without the lock that it takes up to Python 3.11 and
    that costs more than most of these parts.

    >>> class Tile:
    ...     name = once(lambda self: "5m")
    >>> Tile().name
    '5m'
    """

    def __init__(self, make: Callable[[Any], _Part]) -> None:
        self._make = make
        self.__doc__ = make.__doc__

    def __set_name__(self, _owner: type, name: str) -> None:
        self._name = name

    def __get__(self, whole: Any, _owner: type | None = None) -> _Part:
        if whole is None:
            return cast(_Part, self)
        # From now on the object's own, so that this is asked no more.
        made = whole.__dict__[self._name] = self._make(whole)
        return made
