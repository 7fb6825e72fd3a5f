"""No lesson shows or asks a word that it or an earlier one has not defined."""

import re
from html import unescape

import pytest
from django.test import Client

from calculator.learn.feedback import mistake
from calculator.learn.lesson import Figure, Lesson, Text
from calculator.learn.lessons import LESSONS
from calculator.learn.present import _label
from calculator.words import glossary
from scoring import rules as engine
from scoring.addresses.hand import hand_request
from scoring.contract import score
from scoring.drills import question
from scoring.patterns import TERMS
from scoring.rules import Rules, load

SYSTEMS = engine.ids()
#: How the lessons write a word besides its name and its other names in the glossary.
SPELT = {
    "win": ("胡牌", "能胡", "胡了"),
    "groups": ("一副", "四副", "一将", "一对将"),
    "fan": ("番数", "倍数", "加番", "番与倍"),
    "pung": ("碰了", "碰出", "可以碰"),
    "kong": ("开了杠", "碰杠", "点杠"),
    "ready": ("大叫", "没叫", "没有叫", "叫里", "是叫", "算叫"),
    "cap": ("封顶",),
    "bloom": ("点杠花",),
    "kong_points": ("杠钱", "擦挂"),
    "kong_in_out": ("杠进杠出",),
    "pig": ("花猪",),
    "call_check": ("查叫",),
    "difference": ("补差价",),
    "refund": ("退税",),
    "rob_kong": ("抢杠",),
    "round_ends": ("血战",),
    "blood_flow": ("血流",),
    "joker": ("幺鸡",),
    "kong_transfer": ("呼叫转移",),
    "qiang_gang": ("抢杠",),
    "shared_discard": ("一炮多响",),
}
#: The parts of a page that lead elsewhere: an element and its class.
ELSEWHERE = (
    ("nav", ""), ("details", "rules-fold"), ("div", "try-head"), ("div", "onward"),
    ("p", "more-drill"), ("p", "explained-open"), ("p", "defined"),
)  # fmt: skip
#: Names too short or too common to be looked for as they stand.
COMMON = {"和牌", "割", "糊", "归", "底分", "底钱", "上限", "马", "万", "筒", "条"}
#: Where a word's letters stand and mean something else.
NOT_MEANT = ("到底", "底下", "一副牌")


def spellings() -> dict[str, set[str]]:
    """Every way to write a word, and which entries of the glossary it may be."""
    found: dict[str, set[str]] = {}
    for key in glossary.ids():
        for name in (*glossary.names(key), *SPELT.get(key, ())):
            for word in name.split("、"):
                if word not in COMMON:
                    found.setdefault(word, set()).add(key)
    for word in NOT_MEANT:
        found.setdefault(word, {""})
    return found


WORDS = spellings()
LOOK = re.compile("|".join(sorted(map(re.escape, WORDS), key=len, reverse=True)))


def unknown(text: str, known: set[str]) -> set[str]:
    """The words of a text that are not among those that were defined."""
    return {word for word in LOOK.findall(text) if WORDS[word] != {""} and not WORDS[word] & known}


def plain(html: str) -> str:
    """A piece of a page without what only leads elsewhere, and without its tags; labels stay."""
    for tag, name in ELSEWHERE:
        mark = f'[^>]*class="{name}"' if name else ""
        html = re.sub(rf"<{tag}\b{mark}.*?</{tag}>", " ", html, flags=re.DOTALL)
    labels = " ".join(re.findall(r'aria-label="([^"]*)"', html))
    return unescape(re.sub(r"<[^>]*>", " ", html) + labels)


def content(lesson: Lesson, rules: Rules, **query: str) -> str:
    """What a reader of the lesson reads, from its title to the end of the question."""
    answer = Client().get(f"/learn/{lesson.id}/", {"rules": rules.id, **query})
    assert answer.status_code == 200
    page = answer.content.decode()
    return page[page.index("<h1>") : page.index('class="lesson-nav"')]


def known_before(lesson: Lesson, rules: Rules) -> set[str]:
    """What the lessons up to this one have defined, this one left out."""
    earlier = LESSONS[: LESSONS.index(lesson)]
    return {key for one in earlier for part in one.read(rules) for key in part.defines}


@pytest.mark.parametrize("ruleset", SYSTEMS)
@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.id)
def test_a_lesson_explains_a_word_before_it_uses_it(lesson: Lesson, ruleset: str) -> None:
    """Part after part, as they are read: no word stands before the part that defines it."""
    rules = load(ruleset)
    known = known_before(lesson, rules)
    page = content(lesson, rules).partition('<div class="try')[0]
    pieces = re.split(r'(?=<div class="prose">)', page)
    shown = [piece for piece in pieces if "<p>" in piece]
    told = [part for part in lesson.read(rules) if isinstance(part, Text) or part.term]
    assert len(shown) == len(told)
    for part, piece in zip(told, shown, strict=True):
        known |= {*part.defines}
        assert not unknown(plain(piece), known), (lesson.id, plain(piece))


@pytest.mark.parametrize("ruleset", SYSTEMS)
@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.id)
def test_a_lesson_asks_only_in_words_that_were_explained(lesson: Lesson, ruleset: str) -> None:
    """The questions, every choice, what is said to every answer, and the explanation."""
    rules = load(ruleset)
    known = known_before(lesson, rules)
    known |= {key for part in lesson.read(rules) for key in part.defines}
    for at in range(len(lesson.asks)):
        asked = lesson.asked(rules, at)
        page = content(lesson, rules, n=str(at), a=asked.answer[0], done="1")
        said = [page.partition('<div class="lesson-columns"')[0]]
        said.append(page.partition('<div class="try')[2])
        said += [mistake(asked, choice, rules) for choice in asked.choices]
        said += [_label(asked.kind, choice) for choice in asked.choices]
        for text in said:
            assert not unknown(plain(text), known), (lesson.id, at, asked.key, plain(text))


@pytest.mark.parametrize("ruleset", SYSTEMS)
def test_what_is_said_to_define_a_word_names_it_and_leads_to_its_page(ruleset: str) -> None:
    rules = load(ruleset)
    for lesson in LESSONS:
        page = content(lesson, rules)
        for part in lesson.read(rules):
            for key in part.defines:
                assert f'href="/rules/terms/{key}/"' in page, (lesson.id, key)
                text = part.text if isinstance(part, Text) else glossary.name_id(key)
                assert any(key in WORDS[word] for word in LOOK.findall(text)), (text, key)


@pytest.mark.parametrize("ruleset", SYSTEMS)
def test_seven_lessons_teach_all_that_a_middle_hand_counts(ruleset: str) -> None:
    """Whoever has read as far as the patterns can count every hand of the second level."""
    rules = load(ruleset)
    last = next(at for at, lesson in enumerate(LESSONS) if lesson.id == "greater")
    known = known_before(LESSONS[last + 1], rules)
    known |= {"exposed_kong", "added_kong", "concealed_kong"} if "kong" in known else set()
    for number in range(60):
        asked = question(rules, "fan", 2, "middle", number)
        counted = {row["id"] for row in score(asked.request)["terms"]}
        assert counted <= known, (asked.key, counted - known)


@pytest.mark.parametrize("ruleset", SYSTEMS)
def test_every_pattern_of_a_system_is_shown_with_its_sentence_and_a_hand(ruleset: str) -> None:
    rules = load(ruleset)
    shown: dict[str, Figure] = {}
    for lesson in LESSONS:
        shown |= {figure.term: figure for figure in lesson.shown(rules) if figure.term}
    patterns = {term for term in rules.fans if TERMS[term].kind == "pattern"} - {"ping_hu"}
    assert patterns <= set(shown)
    for term in patterns:
        answer = score(hand_request(shown[term].parameters(rules)))
        assert term in {row["id"] for row in answer["terms"]}


def test_words_are_found_where_they_stand() -> None:
    assert unknown("这手牌是清一色，点炮", {"win"}) == {"清一色", "点炮"}
    assert unknown("牌墙的最后一张：海底", {"wall", "fan"}) == {"海底"}
    assert not unknown("七对加一根", {"qi_dui", "gen"})
