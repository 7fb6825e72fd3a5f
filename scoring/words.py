"""The mark for words that people read, and how much an answer repeats of what was sent.

The engine answers in ids, codes and numbers.  The few names it does hold (of terms and of rule
systems) are simplified Chinese message ids; whoever shows them looks them up in a catalogue.
"""

#: The most characters of a name that an answer repeats.
ECHO = 40


def N_(message: str) -> str:
    """Mark ``message`` for extraction into the catalogues and return it unchanged.

    >>> N_("清一色")
    '清一色'
    """
    return message


def shortened(text: str) -> str:
    """A name that was sent and is none of ours, as an answer repeats it.

    >>> shortened("chengdou"), len(shortened("chengdu" * 9000))
    ('chengdou', 40)
    """
    return text if len(text) <= ECHO else f"{text[: ECHO - 1]}…"


def plain(text: str) -> str:
    r"""A name as a sentence can hold it: without control characters and marks of direction.

    >>> plain("小\u202e王\n")
    '小王'
    """
    return "".join(c for c in text if c.isprintable())
