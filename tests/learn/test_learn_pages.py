"""The lessons and drills: every page answers, every number in them is the engine's."""

import re
from html.parser import HTMLParser
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from django.test import Client

from calculator.learn.lesson import facts, ladder
from calculator.learn.lessons import BY_ID, LESSONS
from calculator.learn.present import ABOUT, KINDS, LEVELS, TOPICS
from calculator.learn.views import MIXED
from scoring import drills as generate
from scoring import rules as engine
from scoring.addresses.hand import hand_request
from scoring.contract import score
from scoring.rules import load

SYSTEMS = engine.ids()


class Elements(HTMLParser):
    """Every start tag of a page with its attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def having(self, name: str) -> list[dict[str, str | None]]:
        return [attrs for _, attrs in self.found if name in attrs]


def page(address: str, **query: Any) -> str:
    answer = Client().get(f"{address}?{urlencode(query, doseq=True)}" if query else address)
    assert answer.status_code == 200, address
    return answer.content.decode()


def words(text: str) -> str:
    """The text of a page without its tags."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", text))


def drill(**query: Any) -> str:
    given = {"rules": "chengdu", "kind": "fan", "level": 1, "seed": "abc", "n": 0}
    return page("/learn/drill/", **{**given, **query})


def asked(**query: Any) -> generate.Question:
    given = {"rules": "chengdu", "kind": "fan", "level": 1, "seed": "abc", "n": 0, **query}
    return generate.question(
        load(given["rules"]), given["kind"], given["level"], given["seed"], given["n"]
    )


def test_the_path_leads_through_the_lessons_in_order() -> None:
    text = page("/learn/", rules="laok")
    links = [a["href"] or "" for a in Elements(text).having("data-lesson-link")]
    assert [urlsplit(link).path for link in links] == [f"/learn/{one.id}/" for one in LESSONS]
    assert all(parse_qs(urlsplit(link).query)["rules"] == ["laok"] for link in links)


def test_every_kind_can_be_practised_at_every_level() -> None:
    text = page("/learn/", rules="sbr")
    for kind in generate.KINDS:
        for level in generate.LEVELS:
            assert f"kind={kind}&amp;level={level}" in text
    assert set(KINDS) == set(ABOUT) == set(generate.KINDS)
    assert set(LEVELS) == set(generate.LEVELS)
    assert set(TOPICS) == set(generate.TOPICS)


@pytest.mark.parametrize("ruleset", SYSTEMS)
@pytest.mark.parametrize("lesson", [one.id for one in LESSONS])
def test_a_lesson_speaks_in_the_numbers_of_the_rules(lesson: str, ruleset: str) -> None:
    rules, found = load(ruleset), BY_ID[lesson]
    text = page(f"/learn/{lesson}/", rules=ruleset)
    assert "%(" not in words(text)
    assert "None" not in words(text)
    numbers = facts(rules)
    for paragraph in found.paragraphs(rules):
        assert paragraph % numbers in text
    assert 2 <= len(found.paragraphs(rules)) <= 12
    assert len(Elements(text).having("data-question")) == 1


@pytest.mark.parametrize("ruleset", SYSTEMS)
@pytest.mark.parametrize("lesson", [one.id for one in LESSONS])
def test_each_hand_of_a_lesson_opens_in_the_calculator_with_its_value(
    lesson: str, ruleset: str
) -> None:
    text = page(f"/learn/{lesson}/", rules=ruleset)
    figures = re.findall(r'<figure class="figure" data-example>.*?</figure>', text, re.S)
    for figure in figures:
        link = next(
            a["href"] or ""
            for _, a in Elements(figure).found
            if "figure-open" in (a.get("class") or "")
        )
        given = {k: v[0] for k, v in parse_qs(urlsplit(link).query).items()}
        assert given["rules"] == ruleset
        assert Client().get(link).status_code == 200
        if urlsplit(link).path != "/":
            continue
        answer = score(hand_request(given))
        assert answer["status"] != "error"
        if answer["status"] == "win" and "data-system" not in figure:
            assert f"{answer['fan']}番 · {answer['multiple']}倍" in figure


def test_every_question_of_a_lesson_is_of_its_own_and_about_what_was_taught() -> None:
    for ruleset in SYSTEMS:
        rules = load(ruleset)
        for lesson in LESSONS:
            asked = [lesson.asked(rules, at) for at in range(len(lesson.asks))]
            assert len({question.key for question in asked}) == len(lesson.asks)
            for question, ask in zip(asked, lesson.asks, strict=True):
                played = {
                    one.name for one in generate.strata_of(rules, ask.kind, ask.level, ask.topic)
                }
                wanted = next((name for name in ask.show if name in played), question.stratum)
                assert question.stratum == wanted, (ruleset, lesson.id, ask)
                assert not ask.flat or "[" not in question.request["hand"]


def test_the_lessons_of_earlier_links_still_answer() -> None:
    for step in ("tiles", "sets", "fan", "patterns", "roots", "luck", "money", "waits", "end"):
        assert Client().get(f"/learn/{step}/?rules=laok&n=3").status_code == 200
    assert "data-question" in page("/learn/tables/", n=9)


def test_the_ladder_ends_at_the_cap() -> None:
    rows = ladder(load("jipin"))
    assert [row["fan"] for row in rows] == [1, 2, 3, 4]
    assert [row["points"] for row in rows] == [2, 4, 8, 16]
    assert rows[-1]["cap"]
    assert [row["multiple"] for row in ladder(load("xueliu"))] == [1, 2, 3, 4, 5, 6]


def test_house_rules_of_the_address_change_a_lesson() -> None:
    plain = page("/learn/money/", rules="chengdu")
    capped = page("/learn/money/", rules="chengdu", opt="cap:3")
    assert "不封顶" in words(plain)
    assert "番数最多算到3番" in capped
    assert "只付8倍" in capped


def test_a_drill_without_a_seed_goes_to_the_first_question_of_a_new_one() -> None:
    first, second = (Client().get("/learn/drill/?rules=laok&kind=waits&level=2") for _ in "ab")
    assert first.status_code == 302
    given = parse_qs(urlsplit(first["Location"]).query)
    assert given["rules"] == ["laok"]
    assert given["kind"] == ["waits"]
    assert given["n"] == ["0"]
    assert first["Location"] != second["Location"]
    assert "no-store" in first["Cache-Control"]


@pytest.mark.parametrize("kind", generate.KINDS)
def test_a_question_can_be_answered_and_is_explained(kind: str) -> None:
    question = asked(kind=kind, level=2)
    before = Elements(drill(kind=kind, level=2))
    offered = {a["data-answer"] for a in before.having("data-answer")}
    assert offered == {choice.key for choice in question.choices}
    assert not before.having("data-correct")
    assert not before.having("data-explained")
    assert not [a for _, a in before.found if "is-right" in (a.get("class") or "")]

    right = Elements(drill(kind=kind, level=2, a=list(question.answer), done=1))
    assert [a["data-correct"] for a in right.having("data-correct")] == ["true"]
    assert right.having("data-explained")
    assert right.having("data-next")

    wrong_key = next(choice.key for choice in question.choices if choice.mistake)
    wrong_text = drill(kind=kind, level=2, a=wrong_key, done=1)
    assert [a["data-correct"] for a in Elements(wrong_text).having("data-correct")] == ["false"]
    assert "正确的是" in wrong_text


def test_the_explanation_is_the_calculators_own_breakdown() -> None:
    question = asked(level=3, n=5)
    answer = score(question.request)
    text = drill(level=3, n=5, a=question.answer[0])
    terms = Elements(text).having("data-term")
    assert [(a["data-term"], a["data-term-fan"]) for a in terms] == [
        (term["id"], str(term["fan"])) for term in answer["terms"]
    ]


def test_no_tile_at_all_is_an_answer_too() -> None:
    question = asked(kind="waits")
    text = drill(kind="waits", done=1)
    assert 'data-correct="false"' in text
    assert "漏了" in text
    assert question.answer


def test_choices_read_differently_from_each_other() -> None:
    for ruleset in ("laok", "sbr", "yaoji"):
        for kind in ("fan", "patterns", "change", "payment", "pig", "settle", "win"):
            for n in range(8):
                text = drill(rules=ruleset, kind=kind, level=3, n=n)
                labels = [
                    words(label).strip()
                    for label in re.findall(r"<button class=\"option.*?>(.*?)</button>", text)
                ]
                assert labels
                assert len(set(labels)) == len(labels), labels


def test_a_mixed_drill_asks_each_kind() -> None:
    kinds = []
    for n in range(len(generate.KINDS)):
        kinds += [
            a["data-question"] for a in Elements(drill(kind=MIXED, n=n)).having("data-question")
        ]
    assert sorted(filter(None, kinds)) == sorted(generate.KINDS)


def test_what_an_address_cannot_mean_falls_back() -> None:
    for query in (
        {"rules": "magic"}, {"kind": "magic"}, {"level": 9}, {"level": "x"}, {"n": -1},
        {"n": "9" * 30}, {"topic": "magic"}, {"opt": "cap:x"}, {"a": "no such answer"},
    ):  # fmt: skip
        assert "data-question" in drill(**query)
    assert Client().get("/learn/magic/").status_code == 404


def test_a_topic_narrows_the_drill_and_survives_to_the_next_question() -> None:
    question = generate.question(load("chengdu"), "fan", 2, "abc", 0, "pairs")
    text = drill(level=2, topic="pairs", a=question.answer[0])
    following = next(a["href"] or "" for a in Elements(text).having("data-next"))
    assert parse_qs(urlsplit(following).query)["topic"] == ["pairs"]
    assert parse_qs(urlsplit(following).query)["n"] == ["1"]


def test_assumed_values_are_told_without_giving_the_answer_away() -> None:
    question = asked(rules="xueliu")
    before = drill(rules="xueliu")
    after = drill(rules="xueliu", a=question.answer[0])
    assert "按推定算" in before
    assert "按推定：" not in before
    assert "按推定：" in after
    assert "按推定" not in drill(rules="chengdu")


@pytest.mark.parametrize("prefix", ["/zh-hant", "/en"])
def test_every_language_has_the_lessons(prefix: str) -> None:
    assert f'href="{prefix}/learn/tiles/' in page(f"{prefix}/learn/")
    assert "data-question" in page(f"{prefix}/learn/tiles/")
    assert "data-question" in page(f"{prefix}/learn/drill/", seed="abc", n=1)


def test_the_tables_own_rules_stand_beside_the_systems(client: Client) -> None:
    page = client.get("/learn/tables/", {"rules": "chengdu", "opt": "cap:1"}).content.decode()
    rows = re.findall(r'<tr( class="here")? data-system="(\w+)".*?</tr>', page, re.DOTALL)
    assert [name for here, name in rows if here] == ["chengdu"]
    assert [name for _, name in rows].count("chengdu") == 2


def test_a_lesson_says_that_a_smaller_table_differs_and_leads_to_its_drills() -> None:
    opt = "players:2,suits:2,sets:2"
    told = page("/learn/tiles/", rules="chengdu", opt=opt)
    assert "你们桌是 二人·两房·七张" in told
    assert "data-smaller" not in page("/learn/tiles/", rules="chengdu", opt="cap:4")
    index = page("/learn/", rules="chengdu", opt=opt)
    onward = [a["href"] or "" for a in Elements(index).having("href")]
    drills = [href for href in onward if "/learn/drill/" in href]
    assert drills
    assert all(parse_qs(urlsplit(href).query)["opt"] == [opt] for href in drills)


def test_two_players_are_asked_who_pays_with_one_to_pay() -> None:
    told = drill(opt="players:2,suits:2,sets:2", kind="payment", level=2)
    assert "一家" in told or "点炮者付" in told
    assert "其余 3 家" not in told


def test_a_question_about_the_last_copy_says_that_it_is_one() -> None:
    rules = load("chengdu").override({"fans": {"jue_zhang": 3}})
    numbers = range(len(generate.strata_of(rules, "fan", 3)))
    found = [generate.question(rules, "fan", 3, "abc", n) for n in numbers]
    number, question = next((n, q) for n, q in enumerate(found) if q.request.get("last_copy"))
    told = drill(opt="fans.jue_zhang:3", level=3, n=number, a=question.answer[0])
    text = told.partition("data-question")[2].partition("<form")[0]
    assert "绝张" in text
    assert "jue=1" in told
