"""What the lessons say is what the engine does, under the presets and under a table's own rules."""

from itertools import product
from random import Random
from typing import Any

import pytest
from django.test import Client

from calculator.learn.lesson import Figure, facts, ladder, pattern_figures
from calculator.learn.lessons import BY_ID, LESSONS
from calculator.words.glossary import RULES
from scoring import rules as engine
from scoring.addresses.hand import hand_request, read_options
from scoring.contract import score, settle
from scoring.hand import KONGS
from scoring.rules import Rules, load
from tests import house_rules

SYSTEMS = engine.ids()
PLAIN = "234567m3456789p!9p"
CAPPED = "番数超过封顶的一手。"
PAYS_MORE = "杠进杠出：南开过暗杠，西自摸时他多付。"
CHECK = "这叫查叫。"
KONG_MONEY = "开杠当场就收钱"
REFUND = "这叫退税。"


def table(ruleset: str, opt: str = "") -> Rules:
    return load(ruleset).override(read_options(opt))


def far(number: int, **more: Any) -> Rules:
    """A table far from any preset, where money is worth something."""
    chance = Random(f"lesson text {number}")
    ruleset = chance.choice(SYSTEMS)
    made = load(ruleset).override(house_rules.options(chance, ruleset)).override(more)
    return made if made.base else made.override({"base": 1})


FAR = [*map(load, SYSTEMS), *map(far, range(150))]


def said(lesson: str, rules: Rules) -> list[str]:
    return [text % facts(rules) for text in BY_ID[lesson].paragraphs(rules)]


def says(lesson: str, rules: Rules, words: str) -> bool:
    return any(words in text for text in said(lesson, rules))


def captions(lesson: str, rules: Rules) -> list[str]:
    return [figure.caption for figure in BY_ID[lesson].shown(rules)]


def scored(rules: Rules, hand: str = PLAIN, **more: Any) -> dict[str, Any]:
    asked = {"ruleset": rules.id, "options": rules.changes(), "hand": hand, "by": "discard"}
    answer = score(asked | more)
    assert answer["status"] == "win"
    return answer


def settled(rules: Rules, *events: dict[str, Any]) -> list[dict[str, Any]]:
    answer = settle({
        "ruleset": rules.id, "options": rules.changes(), "dealer": 0, "events": list(events),
    })  # fmt: skip
    assert answer["status"] == "settled", answer
    return answer["transfers"]


def kong(seat: int, kind: str, **more: Any) -> dict[str, Any]:
    return {"type": "kong", "seat": seat, "kind": kind, **more}


def won(seat: int, fan: int, **more: Any) -> dict[str, Any]:
    win = {"type": "win", "by": "self_draw", "winners": [{"seat": seat, "fan": fan}]}
    return win | more


def paid(rows: list[dict[str, Any]], reason: str) -> dict[tuple[int, int | None], Any]:
    return {(row["from"], row["to"]): row["amount"] for row in rows if row["reason"] == reason}


@pytest.mark.parametrize("lesson", [lesson.id for lesson in LESSONS])
def test_a_lesson_says_something_under_any_rules(lesson: str) -> None:
    for rules in FAR:
        texts = said(lesson, rules)
        assert 2 <= len(texts) <= 10, texts
        assert len(set(texts)) == len(texts)
        assert not any("None" in text for text in texts), texts


@pytest.mark.parametrize("ruleset", ["yaoji", "jipin", "sbr", "majsoul"])
def test_a_capped_preset_shows_a_hand_above_its_cap(ruleset: str) -> None:
    assert CAPPED in captions("money", load(ruleset))


@pytest.mark.parametrize("opt", ["cap:3", "cap:5", "cap:8"])
def test_a_table_with_a_high_cap_shows_a_greater_hand(opt: str) -> None:
    assert CAPPED in captions("money", table("chengdu", opt))


def test_a_hand_above_the_cap_is_above_the_cap() -> None:
    assert CAPPED not in captions("money", table("chengdu", "cap:24"))
    for rules in FAR:
        for figure in BY_ID["money"].shown(rules):
            if figure.caption == CAPPED:
                answer = score(hand_request(figure.parameters(rules)))
                assert answer["uncapped_fan"] > answer["fan"] == rules.cap


@pytest.mark.parametrize(
    ("ruleset", "opt"),
    [
        ("jipin", "fans.ping_hu:4,cap:2"), ("chengdu", "cap:0"), ("chengdu", "cap:1"),
        ("laok", "cap:1"), ("xueliu", "cap:0"), ("xueliu", "cap:2"), ("jipin", "fans.ping_hu:4"),
    ],
)  # fmt: skip
def test_the_ladder_and_its_text_stop_at_the_cap(ruleset: str, opt: str) -> None:
    rules = table(ruleset, opt)
    steps = [row["fan"] for row in ladder(rules)]
    assert steps
    assert rules.cap is not None
    assert max(steps) == rules.cap
    text = next(text for text in said("fan", rules) if "付" in text)
    assert f"{rules.cap + 1}番" not in text
    assert f"{rules.multiple(rules.cap)}倍" in text
    assert ("封顶" in text) == (len(steps) < 3)


def test_what_a_plain_hand_pays_in_the_text_is_what_the_hand_pays() -> None:
    for rules in FAR:
        answer = scored(rules)
        shown = captions("fan", rules)
        assert shown.count("一手平胡。") == (len(answer["terms"]) == 1)
        if len(answer["terms"]) == 1:
            assert says("fan", rules, f"什么都不加的平胡付{rules.points(answer['multiple'])}。")


def test_every_step_in_the_text_is_what_the_engine_makes_of_it() -> None:
    for rules in FAR:
        assert ladder(rules)
        numbers = facts(rules)
        for step in range(3):
            fan = rules.capped(numbers[f"f{step}"])
            assert numbers[f"m{step}"] == rules.multiple(fan)


@pytest.mark.parametrize("flow", [False, True])
@pytest.mark.parametrize("ruleset", SYSTEMS)
def test_who_pays_a_self_draw_after_a_win(ruleset: str, flow: bool) -> None:
    rules = load(ruleset).override({"blood_flow": flow})
    rows = settled(rules, won(1, 2, by="discard", **{"from": 2}), won(0, 2))
    drawn = {row["from"] for row in rows if row["to"] == 0}
    assert (1 in drawn) == says("money", rules, "胡过的人也付")
    assert (1 not in drawn) == says("money", rules, "其余没胡的各家")
    assert says("fan", rules, "其余还在打的各家")


def test_the_glossary_leaves_open_whether_winners_pay() -> None:
    for rule in ("self_draw", "kong_points"):
        assert "其余还在打的各家" in RULES[rule].text
        assert "没" not in RULES[rule].text


@pytest.mark.parametrize("bloom", ["self_draw", "giver_pays_all", "discard"])
@pytest.mark.parametrize("ruleset", SYSTEMS)
def test_who_pays_a_bloom_on_a_given_kong(ruleset: str, bloom: str) -> None:
    rules = load(ruleset).override({"bloom": bloom})
    answer = scored(rules, "234567m3459p[6666p]!9p", by="self_draw", after_kong="exposed_kong")
    who, shares = answer["payments"][0]["who"], answer["payments"][0].get("shares", 1)
    for lesson in ("luck", "money"):
        assert says(lesson, rules, "点杠花") == (who == "giver")
        assert says(lesson, rules, "包付") == (shares == 3)
        assert says(lesson, rules, "只由他付一份") == (who == "giver" and shares == 1)


@pytest.mark.parametrize("men_qing_zi_mo", [None, 0, 2])
@pytest.mark.parametrize("zi_mo", [None, 0, 2])
@pytest.mark.parametrize("bonus", ["none", "base", "fan"])
@pytest.mark.parametrize("ruleset", ["chengdu", "xueliu"])
def test_what_a_self_draw_brings(
    ruleset: str, bonus: str, zi_mo: int | None, men_qing_zi_mo: int | None
) -> None:
    fans = {"zi_mo": zi_mo, "men_qing_zi_mo": men_qing_zi_mo}
    rules = load(ruleset).override({"self_draw_bonus": bonus, "fans": fans})
    more = scored(rules, by="self_draw")["fan"] - scored(rules)["fan"]
    # A hand with a pung on the table is never 门清.
    melded = "234567m3459p[666p]!9p"
    drawn, open_more = scored(rules, melded, by="self_draw"), scored(rules, melded)
    by_itself = drawn["fan"] - open_more["fan"]
    assert says("fan", rules, "自摸不多算番") == (more == 0 and bonus != "base")
    assert says("fan", rules, f"而且加{by_itself}番") == (by_itself > 0)
    assert says("fan", rules, f"再加{more - by_itself}番") == (more > by_itself)
    assert says("fan", rules, "门清自摸") == (more > by_itself)
    own = drawn["multiple"] - rules.multiple(drawn["fan"])
    assert says("fan", rules, "多付一个底") == (own == 1)
    assert len([text for text in said("fan", rules) if "其余还在打的各家" in text]) == 1


def test_kong_money_is_told_where_it_flows() -> None:
    others = "没有点杠的各家也要付"
    for rules in [*FAR, table("chengdu", "kong_in_out:on"), table("xueliu", "kong_points.added:1"),
                  table("chengdu", "kong_points.exposed_others:1")]:  # fmt: skip
        played = [
            kong(0, "exposed_kong", **{"from": 1}), kong(2, "added_kong"),
            kong(3, "concealed_kong"),
        ]  # fmt: skip
        rows = settled(rules, *played)
        assert says("money", rules, KONG_MONEY) == bool(rows)
        assert says("money", rules, "开杠当场不收钱") == (not rows)
        given = paid(rows, "exposed_kong")
        assert says("money", rules, others) == ((2, 0) in given)
        if (2, 0) in given:
            assert says("money", rules, f"{others}{given[2, 0]}，")
        if rows:
            numbers = (
                given.get((1, 0), 0),
                paid(rows, "added_kong").get((0, 2), 0),
                paid(rows, "concealed_kong").get((0, 3), 0),
            )
            words = "直杠由点杠的人付{}，补杠由各家付{}，暗杠由各家付{}。"
            assert says("money", rules, words.format(*numbers))
        waiting = {str(seat): {"state": "not_ready"} for seat in range(4)}
        ended = settled(rules, *played, {"type": "draw", "hands": waiting})
        assert says("end", rules, REFUND) == bool(paid(ended, "refund"))


def test_kongs_of_the_payer_are_told_where_they_count() -> None:
    for rules in [*FAR, table("xueliu", "fans.concealed_kong:off")]:
        fan = max(2, rules.fan_of("ping_hu") or 0)
        differ = False
        for kind in KONGS:
            giver = {"from": 3} if kind == "exposed_kong" else {}
            wins = paid(settled(rules, kong(1, kind, **giver), won(2, fan)), "win")
            more = wins.get((1, 2), 0) > wins.get((0, 2), 0)
            differ |= more
            if kind == "concealed_kong":
                assert (PAYS_MORE in captions("money", rules)) == more
        assert says("money", rules, "这套规则杠进杠出") == differ


#: What a flower pig (seat 3) pays: to whom and how much each, as the sentences have it.
WHOM = {
    "每个不是花猪的人": {0, 1, 2},
    "每个没有胡、也不是花猪的人": {0, 2},
    "每个有叫的人": {0},
    "每个有叫而没有胡的人": {0},
}


@pytest.mark.parametrize("flow", [False, True])
def test_whom_and_how_much_a_flower_pig_pays(flow: bool) -> None:
    """South has won, East is ready, West is not."""
    checks = ("max", "min", "none")
    to_whom = engine.OPTIONS["pig.to"].takes.also
    every = product(SYSTEMS, (0, 1, 5, "cap"), (0, 1, 2), to_whom, checks)
    for ruleset, points, times, to, check in every:
        options = {"pig": {"points": points, "times_best": times, "to": to}, "call_check": check}
        rules = load(ruleset).override({"blood_flow": flow, **options})
        texts = said("end", rules)
        rows = settled(
            rules,
            won(1, 2, by="discard", **{"from": 2}),
            {"type": "draw", "hands": {
                "0": {"state": "ready", "fan": 3}, "2": {"state": "not_ready"},
                "3": {"state": "flower_pig"},
            }},
        )  # fmt: skip
        expected: dict[tuple[int, int | None], Any] = {}
        fixed = facts(rules)["pig"]
        if any("这笔钱不给任何人" in text for text in texts):
            assert f"花猪先罚{fixed}，这笔钱不给任何人。" in texts
            expected[3, None] = fixed
        elif "这套规则里，花猪不另外赔钱。" not in texts:
            whom = next(text for text in texts if "花猪先赔" in text)
            takers = next(who for name, who in WHOM.items() if name in whom)
            if flow and "每个有叫的人" in whom:
                takers = {0, 1}
            how = next((text for text in texts if "赔的数目" in text or "赔每人" in text), whom)
            # 大叫 and 最小的叫 are the same here: the fan is given.
            assert not (times and to != "nobody") or ("最小的叫" in how) == (check == "min")
            for taker in takers:
                amount = fixed if f"每人{fixed}" in how else 0
                best = {0: 3, 1: 2 if flow else None}.get(taker)
                if best is not None and how != whom:
                    factor = times if f"{times}倍" in how else 1
                    value = rules.points(factor * rules.multiple(rules.capped(best)))
                    amount = max(amount, value)
                expected[3, taker] = amount
        assert paid(rows, "flower_pig") == {who: sum_ for who, sum_ in expected.items() if sum_}, (
            options, texts,
        )  # fmt: skip


@pytest.mark.parametrize("check", ["max", "min", "none"])
def test_a_flower_pig_pays_by_the_wait_that_the_text_names(check: str) -> None:
    rules = table("chengdu", f"pig.points:0,pig.times_best:2,call_check:{check}")
    hand = "2333344555678m"
    waits = score({
        "ruleset": rules.id, "options": rules.changes(), "hand": hand,
    })["waits"]  # fmt: skip
    values = [rules.multiple(wait["fan"]) for wait in waits]
    assert min(values) < max(values)
    hands = {"0": {"hand": hand}, "1": {"state": "flower_pig"},
             "2": {"state": "not_ready"}, "3": {"state": "not_ready"}}  # fmt: skip
    rows = paid(settled(rules, {"type": "draw", "hands": hands}), "flower_pig")
    least = says("end", rules, "花猪赔的数目是对方最小的叫的2倍。")
    assert rows == {(1, 0): 2 * (min if least else max)(values)}
    assert least == (not says("end", rules, "花猪赔的数目是对方大叫的2倍。"))


def test_the_check_is_told_where_it_is_paid() -> None:
    for rules in FAR:
        if rules.round_ends == "first_win":
            continue
        fan = max(2, rules.fan_of("ping_hu") or 0)
        played = [won(1, fan, by="discard", **{"from": 2})]
        hands = {"0": {"state": "ready", "fan": fan}, "2": {"state": "not_ready"},
                 "3": {"state": "not_ready"}}  # fmt: skip
        checked = paid(settled(rules, *played, {"type": "draw", "hands": hands}), "not_ready")
        if not rules.multiple(rules.capped(fan)):
            continue
        assert says("end", rules, CHECK) == ((2, 0) in checked)
        told = ("已经胡的人查叫时也来收", "胡过的人算有叫")
        winners = any(says("end", rules, words) for words in told)
        assert ((2, 1) in checked) == (winners and bool(checked))
        played.insert(0, kong(2, "concealed_kong"))
        konged = paid(settled(rules, *played, {"type": "draw", "hands": hands}), "not_ready")
        if konged.get((2, 0), 0) > checked.get((2, 0), 0):
            assert says("end", rules, "按叫赔钱的人，自己开过的杠")


@pytest.mark.parametrize("gen", [None, 1])
@pytest.mark.parametrize("kongs", list(product((None, 1, 2), repeat=3)))
def test_what_a_kong_adds(kongs: tuple[int | None, ...], gen: int | None) -> None:
    fans = {"gen": gen, **dict(zip(KONGS, kongs, strict=True))}
    rules = load("chengdu").override({"fans": fans})
    text = "".join(said("roots", rules))
    for name, meld, fan in zip(
        ("直杠", "补杠", "暗杠"), ("[6666p]", "[666-6p]", "(6666p)"), kongs, strict=True
    ):
        assert scored(rules, f"234567m3459p{meld}!9p")["fan"] == (fan or 0)
        assert (f"{name}加{fan}番" in text) == (fan is not None)
    assert ("开杠不加番" in text or "开杠也不加番" in text) == (not any(kongs))
    assert ("开了杠才加番（" in text) == (gen is None and any(kongs))
    assert ("别的杠不加番" in text) == (any(kongs) and not all(kongs))


def test_four_alike_in_seven_pairs_count_as_the_text_says() -> None:
    for rules in FAR:
        terms = {t["id"]: t["count"] for t in scored(rules, "1133557777m222p!2p")["terms"]}
        if says("greater", rules, "龙七对里的第一组四张已经算进牌型"):
            assert terms["long_qi_dui"] == terms["gen"] == 1
        if says("greater", rules, "这套规则不把龙七对当一个牌型"):
            assert (terms["qi_dui"], terms["gen"]) == (1, 2)
            one = scored(rules, "11335577m22224p!4p")
            assert {"qi_dui", "gen"} <= {t["id"] for t in one["terms"]}
        if says("roots", rules, "开了杠才加番（牌型另算）。"):
            assert "gen" not in terms


@pytest.mark.parametrize("opt", ["", "fans.qi_dui:off", "fans.qing_yi_se:off"])
def test_both_patterns_of_a_hand_count_where_the_text_says_so(opt: str) -> None:
    rules = table("sbr", opt)
    patterns = {t["id"] for t in scored(rules, "1122445566778m!8m")["terms"]}
    assert says("patterns", rules, "清一色的七对，两样都算") == (
        {"qi_dui", "qing_yi_se"} <= patterns
    )


def test_a_pattern_is_shown_with_a_hand_that_counts_it() -> None:
    for rules in [*FAR, table("chengdu", "fans.si_ji:6")]:
        for figure in pattern_figures(rules):
            answer = score(hand_request(figure.parameters(rules)))
            assert answer["status"] == "win"
            assert figure.term in {t["id"] for t in answer["terms"]}
    for ruleset in SYSTEMS:
        rules = load(ruleset)
        known = [t for t in rules.fans if engine.TERMS[t].kind == "pattern"]
        assert len(list(pattern_figures(rules))) == len(known)


def test_no_figure_is_shown_twice_or_untrue() -> None:
    for rules in FAR:
        for lesson in LESSONS:
            shown = lesson.shown(rules)
            names = [figure.name for figure in shown]
            assert len(set(names)) == len(names)
            assert all(figure.holds(rules) for figure in shown)


def test_a_round_that_a_table_does_not_know_is_not_shown() -> None:
    figure = next(f for f in BY_ID["end"].parts if isinstance(f, Figure) and f.reason == "refund")
    assert isinstance(figure, Figure)
    assert figure.holds(load("laok"))
    assert figure.holds(table("laok", "kong_in_out:on"))
    assert not figure.holds(table("laok", "refund:off"))
    assert not figure.holds(load("xueliu"))


@pytest.mark.parametrize(("joker", "other"), [("1s", "红中"), ("zhong", "四张一条")])
def test_a_lesson_speaks_of_the_jokers_of_the_table(client: Client, joker: str, other: str) -> None:
    opt = {"rules": "xueliu", "opt": f"joker:{joker},fans.wu_ji:1"}
    told = "".join(
        text.content.decode().partition('class="lesson-columns"')[2]
        for lesson in ("tiles", "play", "fan", "waits")
        for text in [client.get(f"/learn/{lesson}/", opt)]
    )
    assert ("四张一条（幺鸡）可以当任何一张牌用" in told) == (joker == "1s")
    assert ("另加四张红中，可以当任何一张牌用" in told) == (joker == "zhong")
    assert ("四张幺鸡都到了一个人手里" in told) == (joker == "1s")
    assert other not in told
