"""The work that one request may ask for (计算量): hands valued, each once, up to a limit.

Whoever answers requests opens a :class:`Work` around each (``with bounded(): …``).  What is worked
out within it is kept until it ends, so that a hand written ten times is analysed once, and all of
it together stays below a limit.  A program that calls the engine on its own opens none and has no
limit.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from contextvars import ContextVar, Token
from typing import TypeVar, cast

#: How many hands one request may have valued.  A hand that waits counts once for every tile that
#: is tried, one that is read in full counts several times, the more so with jokers.  A round in
#: which every hand is laid open takes a few hundred.
MOST_HANDS = 2000

_Asked = TypeVar("_Asked", bound=Hashable)
_Answer = TypeVar("_Answer")


class TooMuchWork(Exception):
    """A request has asked for more than :data:`MOST_HANDS`; ``most`` is its limit."""

    def __init__(self, most: int) -> None:
        super().__init__(f"more than {most} hands")
        self.most = most


class Work:
    """What has been worked out for one request, and how many hands were valued for it.

    >>> work = Work(most=2)
    >>> work.spend(2)
    >>> work.hands
    2
    """

    __slots__ = ("_kept", "hands", "most")

    def __init__(self, most: int = MOST_HANDS) -> None:
        self.most = most
        self.hands = 0
        self._kept: dict[Hashable, object] = {}

    def spend(self, hands: int) -> None:
        """Count hands that are about to be valued; raises :class:`TooMuchWork` past the limit."""
        self.hands += hands
        if self.hands > self.most:
            raise TooMuchWork(self.most)

    def once(self, make: Callable[[_Asked], _Answer], asked: _Asked) -> _Answer:
        """What ``make`` makes of what is asked (not None); the second time it is not made again."""
        key = make, asked
        answer = self._kept.get(key)
        if answer is None:
            answer = self._kept[key] = make(asked)
        return cast(_Answer, answer)


_current: ContextVar[Work | None] = ContextVar("work", default=None)

#: The work of the request that is being answered, None where nobody counts.
current = _current.get


class bounded:
    """Count what is worked out within, as one request.  Inside another it is part of that one."""

    def __init__(self, most: int = MOST_HANDS) -> None:
        self._most = most
        self._before: Token[Work | None] | None = None

    def __enter__(self) -> Work:
        if (outer := current()) is not None:
            return outer
        work = Work(self._most)
        self._before = _current.set(work)
        return work

    def __exit__(self, *_raised: object) -> None:
        if self._before is not None:
            _current.reset(self._before)


class apart(bounded):
    """Count what is worked out within on its own: what is asked once, whoever asks.

    >>> with bounded() as outer, apart() as inner:
    ...     spend(3)
    >>> outer.hands, inner.hands
    (0, 3)
    """

    def __enter__(self) -> Work:
        work = Work(self._most)
        self._before = _current.set(work)
        return work


def spend(hands: int) -> None:
    """Count hands of the request that is being answered, if one is."""
    work = current()
    if work is not None:
        work.spend(hands)
