"""What was wrong with an answer, in sentences: which tiles, how much, what has changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext

from calculator.words import options, texts
from calculator.words.answers import points, void_tiles
from scoring.contract import explain, score
from scoring.drills import Choice, Question, payers
from scoring.hand import SELF_DRAW
from scoring.notation import parse
from scoring.patterns import GEN, PING_HU
from scoring.rules import Rules
from scoring.tiles import TILE_NAMES
from scoring.words import N_

Json = dict[str, Any]

#: What a wrong answer comes from, one sentence each.
MISTAKES: dict[str, str] = {
    "ignored_cap": N_("超过封顶的番不再多算。"),
    "dragon_twice": N_("%(term)s里的第一组四张已经算在牌型里，不再另算一根。"),
    "forgot_root": N_("少算了一根：没有开杠的四张一样有%(quads)s，每一组算一根。"),
    "forgot_roots": N_("根没有算进去：没有开杠的四张一样有%(quads)s，每一组算一根。"),
    "extra_root": N_("没有这么多根：四张一样、没有开杠的才算，这里有%(quads)s。"),
    "no_root": N_("这里没有根：四张一样、没有开杠的一组也没有。"),
    "pung_as_root": N_("三张一样的不是根，四张才是。"),
    "foreign_term": N_("这套规则没有%(term)s。"),
    "kongs_twice": N_("四个杠已经算在%(term)s里，不再另外加番。"),
    "forgot_kong": N_("%(term)s的番没有算进去。"),
    "kong_as_root": N_("开了杠的四张算%(term)s，不再算根。"),
    "kongs_alike": N_("几种杠的番数不一样，%(term)s有自己的番。"),
    "forgot_bonus": N_("漏了%(term)s。"),
    "forgot_pattern": N_("漏了%(term)s。"),
    "lesser_pattern": N_("只当%(term)s算，小了：这手牌是%(best)s。"),
    "lesser_reading": N_("这手牌还有更大的拆法。"),
    "added_patterns": N_("牌型不相加：%(term)s有自己的番。"),
    "not_this_pattern": N_("这手牌不是%(term)s。"),
    "tiles_not_of_it": N_("这手牌不是%(term)s：换掉%(tiles)s才成。"),
    "in_the_way": N_("这手牌不是%(term)s：%(why)s"),
    "self_draw_fan": N_("这套规则自摸不多算番。"),
    "self_draw_open": N_("有碰、直杠或补杠，不算%(term)s。"),
    "self_draw_base": N_("这套规则自摸加的是底，不是番。"),
    "plain_is_one": N_("这套规则从0番数起：平胡不加番。"),
    "plain_is_nothing": N_("这套规则从1番数起：平胡就有1番。"),
    "miscounted": N_("再数一遍，看下面怎样一行行加起来。"),
    "nothing_changes": N_("结果会变。"),
    "forgot_payer_kongs": N_("杠进杠出：付钱的人自己开过杠，要按他的杠多付。"),
    "giver_pays_all": N_("点杠花由点杠的人包赔：各家的份他一个人付。"),
    "giver_pays_once": N_("点杠花当点炮算：点杠的人付一份。"),
    "one_pays": N_("自摸是还在打的每一家都付。"),
    "all_pay": N_("胡的是别人的牌：只有那一个人付。"),
    "forgot_self_draw_base": N_("自摸要另加一个底，每家都多付。"),
    "forgot_base": N_("倍数还要乘以底。"),
    "fan_not_multiple": N_("番不是倍：每多一番翻一倍。"),
    "doubled_once_more": N_("1番就是一倍，从第二番起才翻倍。"),
    "third_suit": N_("万、筒、条都有：最多两门才能胡。"),
    "broken": N_("凑不成几副加一对将：%(tiles)s配不上。"),
    "unpaired": N_("差一点是七对：%(tiles)s不成对。"),
    "void": N_("定缺%(void)s，手里还有%(held)s，不能胡。"),
    "looks_broken": N_("能胡：每一副和将都齐了。"),
    "all_pairs": N_("能胡：正好七个对子。"),
    "held_quad": N_("%(tile)s自己已经有四张，再没有第五张，不算听。"),
    "none": N_("%(tile)s来了也胡不了。"),
    "lesser_wait": N_(
        "打%(tile)s也听牌，最大%(multiple)s倍，剩%(left)s张；"
        "打%(best)s最大%(best_multiple)s倍，剩%(best_left)s张。"
    ),
    "not_ready": N_("打%(tile)s就听不了牌。"),
    "missed_wait": N_("有叫：来了%(waits)s就胡。"),
    "no_wait": N_("哪一张牌来了都胡不了，没有叫。"),
    "own_quad": N_("只等%(single)s，四张都在自己这里，不算有叫。"),
    "no_pig": N_("没有三门花色，不是花猪。"),
    "no_void_left": N_("没有三门花色，定缺的%(void)s也打光了，不是花猪。"),
    "pig_first": N_("三门花色都有：是花猪，不再看有没有叫。"),
    "void_first": N_("定缺%(void)s，还留着%(held)s：是花猪，不再看有没有叫。"),
    "forgot_check": N_("漏了查叫：没叫的人，还有要查叫的花猪，赔给有叫的。"),
    "forgot_pig": N_("漏了查花猪。"),
    "pig_not_checked": N_("这套规则里，花猪赔过就不再付查叫。"),
    "pig_checked_too": N_("这套规则里，花猪还要付查叫。"),
    "forgot_refund": N_("漏了退税：没叫的人和花猪要退回收到的杠钱。"),
    "refunded": N_("这套规则不退税。"),
    "forgot_difference": N_("漏了补差价：都有叫的，听得小的补给听得大的。"),
    "paid_difference": N_("这套规则没有补差价。"),
    "forgot_kongs": N_("漏了杠钱。"),
    "forgot_transfer": N_("开杠之后点炮，刚收的杠钱留不住。"),
    "each_pays_bloom": N_("这套规则里点杠花和别的自摸一样，各家都付。"),
    "giver_pays_self_draw": N_("这套规则里点杠花只由点杠的人付一份。"),
    "pig_to_others": N_("这套规则里花猪的钱给谁：%(whom)s。"),
    "wrong_way": N_("收和付弄反了。"),
}

#: The kinds whose wrong answer is best explained by the tile itself.
BY_TILE = ("waits", "discard")
#: The kinds that ask for one fact about a hand: why it is so is told whatever was answered.
BY_FACT = ("win", "pig")
#: The kinds that ask for a number, and by how much an answer was off.
OFF: dict[str, tuple[str, str]] = {
    "fan": (N_("你的答案多了%(n)s番。"), N_("你的答案少了%(n)s番。")),
    "change": (N_("你的答案多了%(n)s倍。"), N_("你的答案少了%(n)s倍。")),
    "settle": (N_("你的答案多了%(n)s。"), N_("你的答案少了%(n)s。")),
    "payment": (N_("你的答案多了%(n)s。"), N_("你的答案少了%(n)s。")),
}


@dataclass(frozen=True)
class Answered:
    """What the reader answered: the keys, and whether it was right."""

    given: tuple[str, ...]
    right: bool


def _tiles(names: list[str]) -> str:
    return texts.joined([texts.tile(name) for name in dict.fromkeys(names)])


def _missing(question: Question) -> dict[str, Json]:
    """The patterns that the hand does not have, each with the tiles that are in the way."""
    asked = question.changed or question.request
    return {row["id"]: row for row in explain(asked)["patterns"]}


def _broken(question: Question) -> tuple[str, Json]:
    """Which tiles stand outside of the nearest winning shape."""
    missing = _missing(question)
    near = min(
        (missing[one] for one in (PING_HU, "qi_dui") if missing.get(one, {}).get("give")),
        key=lambda row: (row["distance"], row["id"] == PING_HU),
    )
    code = "unpaired" if near["id"] == "qi_dui" else "broken"
    return code, {"tiles": _tiles(near["give"])}


def _not_this_pattern(question: Question, choice: Choice) -> tuple[str, Json]:
    missing = _missing(question).get(choice.term or "", {})
    if give := missing.get("give"):
        return "tiles_not_of_it", {"tiles": _tiles(give)}
    why = [texts.message(one) for one in missing.get("obstacles", ())]
    return ("in_the_way", {"why": why[0]}) if why else ("not_this_pattern", {})


def _roots(question: Question, code: str) -> tuple[str, Json]:
    """The tiles that are there four times without a kong."""
    rows = explain(question.changed or question.request)["lines"]
    tiles = [tile for row in rows if row["id"] == GEN for tile in row["tiles"]]
    return (code, {"quads": _tiles(tiles)}) if tiles else ("no_root", {})


def _void(question: Question, rules: Rules) -> tuple[str, list[str]]:
    """The declared missing suit, and what the hand still holds of it."""
    void = question.request.get("void", "")
    held = void_tiles(parse(question.request["hand"]), void, rules) if void else []
    return (texts.word(texts.SUITS, void) if void else ""), held


def _no_pig(question: Question, rules: Rules) -> tuple[str, Json]:
    void, _ = _void(question, rules)
    return ("no_void_left", {"void": void}) if void else ("no_pig", {})


def _pig_first(question: Question, rules: Rules) -> tuple[str, Json]:
    void, held = _void(question, rules)
    suits = {TILE_NAMES[tile][1] for tile in _held(question) if tile != rules.joker_tile}
    if len(suits) == 3:
        return "pig_first", {}
    return "void_first", {"void": void, "held": _tiles(held)}


def _held(question: Question) -> list[int]:
    hand = parse(question.request["hand"])
    return [*hand.concealed, *(meld.tile for meld in hand.melds)]


def _discards(question: Question) -> Mapping[str, Json]:
    return {
        row["tile"]: {
            "multiple": max(wait["multiple"] for wait in row["waits"]),
            "left": sum(wait["left"] for wait in row["waits"]),
        }
        for row in score(question.request)["discards"]
    }


def _lesser_wait(question: Question, choice: Choice) -> tuple[str, Json]:
    worth, best = _discards(question), question.answer[0]
    return "lesser_wait", {
        **worth[choice.key],
        "best": texts.tile(best),
        "best_multiple": worth[best]["multiple"],
        "best_left": worth[best]["left"],
    }


_BLOOM = {
    "self_draw": "each_pays_bloom",
    "giver_pays_all": "giver_pays_all",
    "discard": "giver_pays_once",
    "giver_self_draw": "giver_pays_self_draw",
}


def _told(question: Question, choice: Choice, rules: Rules) -> tuple[str, Json]:
    """The sentence of a mistake and what it says of this very question."""
    code, answer = choice.mistake, question.changed or question.request
    if code in ("bloom_each", "bloom_once", "bloom_otherwise"):
        return _BLOOM[rules.bloom], {}
    if code == "pig_checked":
        return ("pig_checked_too" if rules.pig.also_not_ready else "pig_not_checked"), {}
    if code == "pig_to_others":
        return code, {"whom": options.value_said("pig.to", rules.pig.to)}
    if code in ("forgot_root", "forgot_roots", "extra_root"):
        return _roots(question, code)
    if code == "lesser_pattern":
        best = [texts.term(term) for term in score(answer)["patterns"]]
        return code, {"best": texts.joined(best)}
    return _of_hand(question, choice, rules)


def _of_hand(question: Question, choice: Choice, rules: Rules) -> tuple[str, Json]:
    """The same where the tiles of the hand have to be looked at."""
    code = choice.mistake
    if code == "not_this_pattern":
        return _not_this_pattern(question, choice)
    if code == "broken":
        return _broken(question)
    if code == "looks_broken":
        pairs = "pairs" in (score(question.request)["shape"] or {})
        return ("all_pairs" if pairs else code), {}
    if code == "void":
        void, held = _void(question, rules)
        return code, {"void": void, "held": _tiles(held)}
    if code == "no_pig":
        return _no_pig(question, rules)
    if code == "pig_first":
        return _pig_first(question, rules)
    if code == "missed_wait":
        waits = [wait["tile"] for wait in score(question.request)["waits"]]
        return code, {"waits": _tiles(sorted(waits, key=TILE_NAMES.index))}
    if code == "own_quad":
        return code, {"single": _tiles([TILE_NAMES[t] for t in _held(question)[:1]])}
    if code == "lesser_wait":
        return _lesser_wait(question, choice)
    return code, {}


def mistake(question: Question, choice: Choice, rules: Rules) -> str:
    """What was wrong with a choice, in one sentence; empty for the right one."""
    if not choice.mistake:
        return ""
    code, words = _told(question, choice, rules)
    tile = texts.tile(choice.key) if question.kind in BY_TILE else ""
    term = texts.term(choice.term) if choice.term else ""
    return gettext(MISTAKES[code]) % {"term": term, "tile": tile, **words}


def _of_waits(question: Question, answered: Answered, rules: Rules) -> list[str]:
    """One sentence for each fault in a choice of several tiles."""
    found = []
    missed = [key for key in question.answer if key not in answered.given]
    if missed:
        found.append(gettext("漏了%(tiles)s。") % {"tiles": _tiles(missed)})
    extra = [c for c in question.choices if c.mistake and c.key in answered.given]
    held = [c for c in extra if c.mistake == "held_quad"]
    found += [mistake(question, choice, rules) for choice in held]
    wrong = [c.key for c in extra if c not in held]
    if wrong:
        found.append(gettext("多点了%(tiles)s，来了也胡不了。") % {"tiles": _tiles(wrong)})
    return found


def _off(question: Question, taken: Choice) -> list[str]:
    """By how much a number was off."""
    right = question.chosen(question.answer[0])
    if question.kind not in OFF or right is None:
        return []
    more, less = OFF[question.kind]
    given, wanted = taken.value, right.value
    if question.kind == "payment":
        if given[0]["who"] != wanted[0]["who"]:
            return []
        given, wanted = given[0]["amount"], wanted[0]["amount"]
    by = given - wanted
    return [gettext(more if by > 0 else less) % {"n": points(abs(by))}]


def comments(question: Question, answered: Answered, rules: Rules) -> list[str]:
    """What to say to an answer: one sentence for each fault in it, and why it is as it is."""
    if question.kind == "waits":
        return _of_waits(question, answered, rules)
    taken = question.chosen(answered.given[0]) if answered.given else None
    if taken is None:
        return []
    if answered.right:
        wrong = [choice for choice in question.choices if choice.mistake]
        return [mistake(question, wrong[-1], rules)] if question.kind in BY_FACT else []
    return [mistake(question, taken, rules), *_off(question, taken)]


def _counted(answer: Json) -> dict[tuple[str, int], str]:
    return {
        (row["id"], row["fan"]): gettext("%(term)s%(n)s番")
        % {"term": texts.term(row["id"]), "n": row["fan"]}
        for row in answer["terms"]
    }


def changes(question: Question) -> list[str]:
    """What a change has changed, and by how much."""
    if question.changed is None:
        return []
    before, after = score(question.request), score(question.changed)
    found = []
    if question.change.startswith("ruleset"):
        terms = {"terms": texts.joined(list(_counted(after).values()))}
        found.append(gettext("那张桌上是%(terms)s。") % terms)
    else:
        was, now = _counted(before), _counted(after)
        gone = [words for key, words in was.items() if key not in now and key[1]]
        come = [words for key, words in now.items() if key not in was and key[1]]
        if gone:
            found.append(gettext("少了%(terms)s。") % {"terms": texts.joined(gone)})
        if come:
            found.append(gettext("多了%(terms)s。") % {"terms": texts.joined(come)})
    if after["uncapped_fan"] > after["fan"]:
        words = {"fan": after["uncapped_fan"], "cap": after["fan"]}
        found.append(gettext("这手牌%(fan)s番，%(cap)s番封顶。") % words)
    old, new = before["multiple"], after["multiple"]
    if question.change == SELF_DRAW:
        many = payers(question.change, after)
        words = {"each": new, "many": many, "total": many * new}
        return [*found, gettext("自摸：%(many)s家各付%(each)s倍，一共%(total)s倍。") % words]
    if old == new:
        return [*found, gettext("所以还是%(now)s倍。") % {"now": new}]
    return [*found, gettext("所以从%(was)s倍变成%(now)s倍。") % {"was": old, "now": new}]
