"""What a language is called in a page; the languages themselves are the settings'."""


def tag(code: str) -> str:
    """The tag of a language (BCP 47).

    >>> tag("zh-hant"), tag("en"), tag("pt-br")
    ('zh-Hant', 'en', 'pt-BR')
    """
    first, *rest = code.split("-")
    return "-".join([first, *(part.title() if len(part) == 4 else part.upper() for part in rest)])


def short_name(code: str, name: str) -> str:
    """A language in a letter or two: the first character of its name, or its code.

    >>> short_name("zh-hant", "繁體中文"), short_name("en", "English")
    ('繁', 'EN')
    """
    return code.partition("-")[0].upper() if name[0].isascii() else name[0]
