"""Memos that are bounded by what they hold (记忆), whatever is asked.

Answers differ in size by a factor of a thousand, so that a limit on their number is no limit on
memory.  A memo that is full is emptied and begins anew: what is asked often is soon there again.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import wraps
from typing import Any, TypeVar, cast

_Function = TypeVar("_Function", bound=Callable[..., Any])

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
