"""The words of a page, each with the language it is marked as; and addresses of every page."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser

from calculator.learn.lessons import LESSONS
from calculator.words import glossary
from scoring import rules
from scoring.drills import KINDS, LEVELS

#: Characters and punctuation that only Chinese has.
CHINESE = re.compile("[\u3000-\u303f\u3400-\u9fff\uff00-\uffef]")
#: Elements without an end tag.
VOID = frozenset({"base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"})
#: Attributes that are addresses.
UNSPOKEN = frozenset({"href", "src", "action", "formaction"})

HAND = "123m456p77p(5555m)[888p]"
ROUND = "k2e0.k1c5m.wd0k,23.ws,13.n,0p,3r2"
#: What the pages are looked at with; the names of players are Latin, so they are no finding.
STATES: tuple[str, ...] = (
    "/",
    "/join/",
    "/house/card/",
    "/house/card/?rules=yaoji&opt=cap:4&size=a4",
    "/?rules=chengdu&hand=1233455567899p!5p&by=self_draw",
    "/?rules=majsoul&hand=1122334455668p!8p&by=self_draw&last=1",
    "/?rules=chengdu&hand=2m(1111m)(3333m)(5555m)(7777m)!2m&by=self_draw&after=concealed_kong"
    "&opt=cap:4,self_draw_bonus:base,fans.jin_gou_diao:2,kong_points.exposed:1,pig.points:cap",
    "/?rules=chengdu&hand=123456789m1122p&by=discard",
    "/?rules=chengdu&hand=1234567p&seen=1m",
    "/?rules=chengdu&hand=147m258p369s11223m&void=s",
    "/?rules=chengdu&hand=147m258p1122m35p1m",
    "/?rules=yaoji&hand=1123345567899p!9p&by=self_draw",
    "/?rules=yaoji&hand=1s123456789m[55p1s]!9m",
    "/?rules=yaoji&hand=1111s23m456p&opt=cap:off",
    "/?rules=xueliu&hand=11223344556677m&bless=tian_hu",
    "/?rules=chengdu&hand=12x&opt=cap:99,nothing:1",
    "/?rules=none&hand=11111m",
    "/?rules=chengdu&hand=1m&do=meld:pung",
    "/?rules=chengdu&hand=123m&arm=pung&say=x",
    "/compare/?rules=chengdu&hand=1233455567899p!5p&by=self_draw",
    "/compare/?rules=chengdu&hand=1233455567899p!5p&by=self_draw&with=sbr",
    "/compare/?rules=xueliu&hand=123m",
    "/house/?rules=laok&hand=1233455567899p!5p",
    "/house/?rules=yaoji&opt=cap:4,fans.gen:off,base:2",
    f"/settle/?rules=chengdu&n=Ann,Bob,Cid,Dee&e={ROUND}",
    "/settle/?rules=laok",
    "/settle/?rules=chengdu&e=ws,13&a=ws,22",
    "/settle/?rules=chengdu&e=ws,13.ws,11.k0c",
    "/settle/?rules=chengdu&a=k",
    "/settle/?rules=chengdu&a=k2e",
    "/settle/?rules=chengdu&a=wd",
    "/settle/?rules=chengdu&a=wd0,1",
    "/settle/?rules=chengdu&a=wk",
    "/settle/?rules=laok&a=x",
    "/settle/?rules=laok&a=x2",
    "/settle/?rules=chengdu&e=ws,13&a=n,0p",
    "/settle/?rules=xueliu&e=ws,13&a=n,0p,2r3",
    "/settle/?rules=chengdu&e=ws,13&at=0",
    "/settle/?rules=xueliu&e=ws,13.ws,23.n,0p,3r1",
    "/settle/evening/",
    f"/settle/evening/?r=rules=chengdu%26e={ROUND}",
    "/rules/",
    "/rules/?q=gang",
    "/rules/?q=cap",
    "/rules/?q=zzzz",
    "/learn/",
    "/offline/",
    "/nothing-here/",
    f"/fragment/result?rules=chengdu&hand={HAND}!7p",
    f"/fragment/state?rules=chengdu&hand={HAND}!7p",
    f"/fragment/round?rules=chengdu&e={ROUND}",
    "/fragment/evening",
    "/fragment/house?rules=laok&hand=1233455567899p!5p",
    "/fragment/compare?rules=chengdu&hand=1233455567899p!5p",
    "/fragment/missing?rules=chengdu&hand=1233455567899p!5p",
)


def addresses() -> list[str]:
    """Every page in its states, without the language: all systems, terms, lessons and drills."""
    found = list(STATES)
    found += [f"/rules/{one}/" for one in rules.ids()]
    found += [f"/rules/terms/{key}/" for key in glossary.ids()]
    found += [
        f"/learn/{lesson.id}/?rules={one}"
        for lesson in LESSONS
        for one in ("chengdu", "sbr", "xueliu")
    ]
    found += [
        f"/learn/drill/?rules={one}&kind={kind}&level={level}&seed=words&n=3&a={answer}&done=1"
        for one in ("laok", "yaoji")
        for kind in KINDS
        for level in LEVELS
        for answer in ("0", "1")
    ]
    return found


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[tuple[str, str]] = []
        self.found: list[tuple[str, str]] = []

    @property
    def language(self) -> str:
        return self.open[-1][1] if self.open else ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        language = given.get("lang") or self.language
        for name, value in attrs:
            if value and name not in UNSPOKEN:
                self.found.append((language, value))
        if tag not in VOID:
            self.open.append((tag, language))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        for at in range(len(self.open) - 1, -1, -1):
            if self.open[at][0] == tag:
                del self.open[at:]
                return

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.found.append((self.language, data.strip()))


def spoken(html: str) -> Iterator[tuple[str, str]]:
    """Each text and each spoken attribute of a page with its language; no mark is "".

    >>> list(spoken('<p lang="en">a<b lang="zh">一<br></b><img alt="c"></p>'))
    [('en', 'en'), ('en', 'a'), ('zh', 'zh'), ('zh', '一'), ('en', 'c')]
    """
    reader = _Reader()
    reader.feed(html)
    yield from reader.found
