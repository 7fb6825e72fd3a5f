"""An answer of the engine made ready for a template: words beside ids, tiles one by one.

Nothing is computed here: every number is the engine's.
"""

from bisect import bisect
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Any, NamedTuple

from django.utils.translation import gettext, ngettext

from calculator.words import texts
from scoring.addresses.hand import HandPage
from scoring.hand import CONCEALED_KONG, Hand, Meld
from scoring.notation import parse
from scoring.rules import Rules
from scoring.tiles import SUITS, TILE_NAMES, TILE_OF_NAME

Json = dict[str, Any]

#: The ranks as players write them.
RANKS = "一二三四五六七八九"

#: So many discards are shown, the best first.
MOST_DISCARDS = 8


def points(value: int | float | Decimal) -> str:
    """An amount as people write it, to its last digit.

    >>> points(8), points(2.5), points(-12), points(1234567.5)
    ('8', '2.5', '−12', '1234567.5')
    """
    return f"{Decimal(str(value)):f}".replace("-", "−")


def balance(value: int | float | Decimal) -> str:
    """A balance with its sign.

    >>> balance(24), balance(0)
    ('+24', '0')
    """
    return f"+{points(value)}" if value > 0 else points(value)


def term_name(term: Mapping[str, Any]) -> str:
    """A line of the breakdown in short: 清一色, 根×2."""
    name = texts.term(term["id"])
    return f"{name}×{term['count']}" if term["count"] > 1 or term["id"] == "gen" else name


def sentence(terms: Sequence[Mapping[str, Any]]) -> str:
    """The terms that count, joined: 清一色 + 根×1. A hand worth nothing more keeps its pattern."""
    counted = [t for t in terms if t["fan"]] or list(terms[:1])
    return " + ".join(term_name(t) for t in counted)


def value_words(answer: Mapping[str, Any]) -> str:
    """番 and 倍 of a win or a wait."""
    return gettext("%(fan)s番 · %(multiple)s倍") % {
        "fan": answer["fan"],
        "multiple": answer["multiple"],
    }


def payment_words(payment: Mapping[str, Any]) -> str:
    """Who pays for a win and how much, in one sentence."""
    return texts.payment(
        payment["who"],
        players=payment["players"],
        amount=points(payment["amount"]),
        shares=payment.get("shares", 1),
    )


def meld_faces(meld: Meld) -> list[str]:
    """The faces that a meld shows: a concealed kong turns its outer tiles over."""
    natural, joker = TILE_NAMES[meld.tile], TILE_NAMES[meld.joker]
    faces = [natural] * (meld.size - meld.jokers) + [joker] * meld.jokers
    return ["back", *faces[1:-1], "back"] if meld.kind == CONCEALED_KONG else faces


@lru_cache(maxsize=4096)
def _set(text: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """One set of a reading: the kind of meld if it is one, and each face with what it stands for.

    >>> _set("55m")
    ('', (('5m', '5m'), ('5m', '5m')))
    """
    hand = parse(text)
    if not hand.melds:
        return "", tuple((TILE_NAMES[t], TILE_NAMES[t]) for t in hand.concealed)
    meld = hand.melds[0]
    tile = TILE_NAMES[meld.tile]
    return meld.kind, tuple((face, tile) for face in meld_faces(meld))


def _sets(shape: Mapping[str, Any]) -> list[Json]:
    """The groups of a reading, each with its tiles; melds are marked."""
    written = [*shape.get("sets", ()), *shape.get("pairs", ())]
    if "pair" in shape:
        written.append(shape["pair"])
    # Every key of a tile is there: a template takes long over one that is missing.
    return [
        {
            "meld": (meld := texts.word(texts.MELDS, kind) if kind else ""),
            "label": meld or _group_name(faces),
            "tiles": [
                {"face": face, "as": tile, "joker": False, "hit": False} for face, tile in faces
            ],
        }
        for kind, faces in map(_set, written)
    ]


def _group_name(faces: Sequence[tuple[str, str]]) -> str:
    """What a group of concealed tiles is called."""
    if len(faces) == 2:
        return gettext("对子")
    return gettext("刻子") if len({tile for _, tile in faces}) == 1 else gettext("顺子")


def _arranged(
    shape: Mapping[str, Any],
    jokers: Sequence[str],
    concealed_jokers: int,
    win: str | None,
    joker: str | None,
) -> list[Json]:
    """The hand as read: sets apart, jokers on the places they stand for, the winning tile ringed.

    A joker's place shows the joker with the name of the tile it stands for.
    """
    groups = _sets(shape)
    places = list(jokers[:concealed_jokers])
    for group in groups:
        for tile in group["tiles"]:
            if group["meld"]:
                tile["joker"] = joker is not None and tile["face"] == joker != tile["as"]
            elif tile["as"] in places:
                places.remove(tile["as"])
                tile["face"], tile["joker"] = joker, True
            tile["name"] = texts.tile(tile["as"])
            tile["label"] = tile["name"]
            if tile["joker"]:
                tile["label"] = texts.stands_for(tile["face"], tile["as"])
            if win and not group["meld"] and tile["face"] == win:
                tile["hit"], win = True, None
    return groups


class _Seen(NamedTuple):
    """What an answer does not hold: the rules, and what the table in front of the reader shows."""

    rules: Rules
    empty: bool
    jokers: int
    void_held: Sequence[str]
    rulings: Sequence[Json]


def _lines(answer: Json, seen: _Seen) -> list[Json]:
    """The breakdown; under the first line that rests on a reading of the rules stands that one."""
    told = [list(ruling["terms"][:1]) for ruling in seen.rulings]
    return [
        {
            "id": term["id"],
            "name": term_name(term),
            "fan": term["fan"],
            "worth": gettext("%(n)s番") % {"n": term["fan"]},
            "assumed": term["id"] in answer["assumed"],
            "rulings": [r for r, at in zip(seen.rulings, told, strict=True) if term["id"] in at],
        }
        for term in answer["terms"]
    ]


def _unsaid(assumed: Iterable[str], seen: _Seen) -> str:
    """What is used and not stated, where neither its own line nor a reading says so."""
    said = {path.removeprefix("fans.") for ruling in seen.rulings for path in ruling["on"]}
    return used({"assumed": [key for key in assumed if key not in said]})


def _steps(answer: Json, rules: Rules) -> list[Json]:
    """From the sum of the lines to points, one line a step."""
    steps: list[Json] = []
    raw, fan = answer["uncapped_fan"], answer["fan"]
    if raw != fan:
        steps.append(
            {
                "name": gettext("封顶"),
                "worth": gettext("原%(raw)s番，按%(fan)s番算") % {"raw": raw, "fan": fan},
            }
        )
    if rules.scale == "linear":
        how = gettext("番数就是倍数")
    elif rules.fan0:
        how = gettext("从 %(less)s 番起，翻 %(more)s 番")
    else:
        how = gettext("翻 %(more)s 番")
    how %= {"more": fan - rules.fan0, "less": rules.fan0}
    plain, multiple = rules.multiple(fan), answer["multiple"]
    for name, number in ((how, plain), (_bonus_step(rules), multiple)):
        if name is how or number != plain:
            steps.append({"name": name, "worth": gettext("%(n)s倍") % {"n": number}})
    steps.append(
        {
            "name": gettext("× 底 %(base)s") % {"base": f"{rules.base:f}"},
            "worth": points(answer["points"]),
        }
    )
    return steps


def _bonus_step(rules: Rules) -> str:
    """What a self-draw brings on top."""
    if rules.self_draw_bonus == "double":
        return gettext("自摸付两倍")
    return gettext("自摸另加一个底")


def used(answer: Mapping[str, Any]) -> str:
    """What an answer uses that no source states (推定), joined; nothing where all is stated.

    The names of a round's options have commas of their own.
    """
    between = gettext("；") if "transfers" in answer else gettext("、")
    return between.join(map(texts.assumed, answer["assumed"]))


def used_in_words(answer: Mapping[str, Any]) -> list[str]:
    """The same as a sentence, if there is one to say."""
    return not_stated(used(answer))


def not_stated(names: str) -> list[str]:
    """A sentence about values that no source states, if there are any."""
    return [gettext("规则原文没有写明，按推定：%(names)s。") % {"names": names}] if names else []


def _rank(wait: Json) -> int:
    return TILE_OF_NAME[wait["tile"]]


def _wait(wait: Json) -> Json:
    return {
        **wait,
        "name": texts.tile(wait["tile"]),
        "name_left": texts.tile_left(wait["tile"], wait["left"]),
        "value": value_words(wait),
        "terms_text": sentence(wait["terms"]),
        "points": points(wait["points"]),
        "left_text": gettext("剩%(n)s张") % {"n": wait["left"]},
        "guess": bool(wait["assumed"]),
    }


def hand_in_words(hand: Hand, *, won: bool) -> str:
    """A hand as players write it in Chinese: tiles by suit, melds, and the tile it was won on.

    >>> hand_in_words(parse("1123m55p[888s]!5p"), won=True)
    '一一二三万 五五筒 碰八条 胡五筒'
    """
    tiles = hand.tiles if won else hand.concealed
    written = [
        "".join(RANKS[tile % 9] for tile in group) + texts.word(texts.SUITS, letter)
        for number, letter in enumerate(SUITS)
        if (group := [tile for tile in tiles if tile // 9 == number])
    ]
    written += [texts.tile(TILE_NAMES[tile]) for tile in tiles if tile // 9 >= len(SUITS)]
    written += [
        texts.word(texts.MELDS, meld.kind) + texts.tile(TILE_NAMES[meld.tile])
        for meld in hand.melds
    ]
    if won and hand.win_tile is not None:
        written.append(gettext("胡%(tile)s") % {"tile": texts.tile(TILE_NAMES[hand.win_tile])})
    return " ".join(written)


def held(hand: Hand, *, won: bool = False) -> list[Json]:
    """A hand as groups of tiles: the melds, then what is concealed; if won, with what marked."""

    def tile(name: str, face: str | None = None) -> Json:
        return {"face": face or name, "label": texts.tile(name), "hit": False}

    groups = [
        {
            "meld": texts.word(texts.MELDS, meld.kind),
            "label": texts.word(texts.MELDS, meld.kind),
            "tiles": [tile(TILE_NAMES[meld.tile], face) for face in meld_faces(meld)],
        }
        for meld in hand.melds
    ]
    concealed = [tile(TILE_NAMES[t]) for t in hand.concealed]
    if won and hand.win_tile is not None:
        hit = concealed[bisect(hand.concealed, hand.win_tile) - 1]
        hit |= {"hit": True, "label": gettext("%(tile)s，胡的牌") % {"tile": hit["label"]}}
    return [*groups, {"meld": "", "label": gettext("手牌"), "tiles": concealed}]


def conditions(page: HandPage) -> str:
    """Every condition that a hand was valued under, in the order of the page."""
    found = [texts.word(texts.WAYS, page.by)]
    if page.after:
        said = {"term": texts.term("gang_shang_hua"), "kong": texts.word(texts.MELDS, page.after)}
        found.append(gettext("%(term)s（%(kong)s之后）") % said)
    found += [
        texts.term(term)
        for on, term in (
            (page.pao, "gang_shang_pao"),
            (page.last, "hai_di"),
            (page.jue, "jue_zhang"),
            (page.bless, page.bless),
        )
        if on
    ]
    if page.void:
        found.append(gettext("定缺%(suit)s") % {"suit": texts.word(texts.SUITS, page.void)})
    if page.seen:
        tiles = texts.joined(texts.tile(TILE_NAMES[tile]) for tile in page.seen)
        found.append(gettext("桌上已见 %(tiles)s") % {"tiles": tiles})
    return " · ".join(found)


def void_tiles(hand: Hand, void: str, rules: Rules) -> list[str]:
    """The tiles of the declared missing suit (定缺) that a hand still holds; jokers have none.

    >>> from scoring.rules import load
    >>> void_tiles(parse("22m789p"), "p", load("chengdu"))
    ['7p', '8p', '9p']
    """
    held = {*hand.concealed, *(meld.tile for meld in hand.melds)} - {rules.joker_tile}
    return [TILE_NAMES[t] for t in sorted(held) if TILE_NAMES[t][1] == void]


def pig_words(void_held: Sequence[str]) -> str:
    """Why a hand is a flower pig (花猪)."""
    if not void_held:
        return gettext("花猪：三门都有")
    return gettext("花猪：还有定缺的%(suit)s") % {"suit": texts.word(texts.SUITS, void_held[0][1])}


def present(
    answer: Json,
    rules: Rules,
    *,
    empty: bool = False,
    jokers: int = 0,
    void_held: Sequence[str] = (),
    rulings: Sequence[Json] = (),
) -> Json:
    """What the result template shows.

    ``jokers`` is how many the concealed tiles hold, ``void_held`` the tiles of the missing suit,
    ``rulings`` the readings of the rules that the hand rests on, in words.
    """
    shown: Json = {"status": answer["status"], "answer": answer, "empty": empty, "value": ""}
    shown["bad_tiles"] = list(void_held) if answer.get("flower_pig") else []
    shown["guess"] = bool(answer.get("assumed"))
    seen = _Seen(rules, empty, jokers, void_held, rulings)
    shown["told"], shown["unsaid"] = rulings, _unsaid(answer.get("assumed", ()), seen)
    shown |= _PRESENT[answer["status"]](answer, seen)
    # A hand that waits says how many tiles; only a win is named by its value.
    value = shown["value"] if answer["status"] == "win" else ""
    shown["title"] = " · ".join(filter(None, [value, shown["headline"], gettext("算番")]))
    guess = gettext("有推定值") if value and shown["guess"] else ""
    said = filter(None, [shown["headline"], value, shown["sub"], guess])
    shown["description"] = gettext("，").join(said)
    return shown


def _win(answer: Json, seen: _Seen) -> Json:
    rules = seen.rules
    terms = {term["id"] for term in answer["terms"]}
    capped = {"raw": answer["uncapped_fan"], "fan": answer["fan"]}
    payments = list(map(payment_words, answer["payments"]))

    def arranged(reading: Json) -> list[Json]:
        win, jokers = answer["win_tile"], reading["jokers"]
        return _arranged(reading["shape"], jokers, seen.jokers, win, rules.joker_name)

    return {
        "headline": sentence(answer["terms"]),
        "value": value_words(answer),
        "capped": gettext("原%(raw)s番，封顶%(fan)s番") % capped
        if capped["raw"] != capped["fan"]
        else "",
        "payments": payments,
        "sub": gettext("；").join(payments),
        "lines": _lines(answer, seen),
        "rulings": [ruling for ruling in seen.rulings if not ruling["terms"]],
        "steps": _steps(answer, rules),
        "sum": gettext("%(n)s番") % {"n": answer["uncapped_fan"]},
        "sets": arranged(answer),
        "joker_text": jokers_stand_for(answer["jokers"], rules.joker_name),
        "others": [
            {
                "sets": arranged(other),
                "headline": sentence(other["terms"]),
                "value": value_words(other),
            }
            for other in answer["alternatives"]
        ],
        "notes": [texts.message(note) for note in answer["notes"]],
        "assumed": _unsaid((key for key in answer["assumed"] if key not in terms), seen),
    }


def jokers_stand_for(tiles: Sequence[str], joker: str | None) -> str:
    """What the jokers of a hand stand for, in one sentence; "" where there are none."""
    if not tiles:
        return ""
    named = {"joker": texts.joker(joker), "tiles": texts.joined(map(texts.tile, tiles))}
    return gettext("%(joker)s代：%(tiles)s。") % named


def _ready(answer: Json, seen: _Seen) -> Json:
    waits = [_wait(w) for w in answer["waits"]]
    best = {"terms": waits[0]["terms_text"], "value": waits[0]["value"]}
    total = {"kinds": len(waits), "n": sum(w["left"] for w in waits)}
    return {
        "headline": gettext("听牌"),
        "value": ngettext("听%(kinds)s种 · 剩%(n)s张", "听%(kinds)s种 · 剩%(n)s张", len(waits))
        % total,
        "sub": gettext("最大：%(terms)s = %(value)s") % best,
        "waits": waits,
        "in_order": sorted(waits, key=_rank),
        "rulings": seen.rulings,
        "assumed": _unsaid(answer["assumed"], seen),
        "joker_wins": answer.get("joker_wins") and texts.joker_wins(seen.rules.joker_name),
    }


def _not_won(answer: Json, seen: _Seen) -> Json:
    discards = [
        {
            "tile": d["tile"],
            "name": texts.tile(d["tile"]),
            "waits": sorted((_wait(w) for w in d["waits"]), key=_rank),
            "left": sum(w["left"] for w in d["waits"]),
            "best": value_words(d["waits"][0]),
            "assumed": d["waits"][0]["assumed"],
        }
        for d in answer["discards"][:MOST_DISCARDS]
    ]
    if answer.get("below_minimum"):
        sub = gettext("牌型成了，番数不够起胡")
    elif discards:
        first = {"tile": discards[0]["name"], "n": discards[0]["left"]}
        sub = gettext("打%(tile)s就听牌，剩%(n)s张可胡") % first
    else:
        sub = _exchange(answer["shanten"])
    pig = answer["flower_pig"]
    headline = pig_words(seen.void_held) if pig else gettext("没有胡")
    # Of each discard the best wait is told.
    told = dict.fromkeys(key for discard in discards for key in discard["assumed"])
    return {
        "headline": headline,
        "sub": sub,
        "discards": discards,
        "assumed": used({"assumed": told}),
    }


def _not_ready(answer: Json, seen: _Seen) -> Json:
    pig = answer["flower_pig"]
    return {
        "headline": pig_words(seen.void_held) if pig else gettext("还没有听"),
        "sub": _exchange(answer["shanten"]),
        "useful": [
            {"tile": u["tile"], "name": texts.tile(u["tile"]), "left": u["left"]}
            for u in answer["useful"]
        ],
    }


def _incomplete(answer: Json, seen: _Seen) -> Json:
    if seen.empty:
        return {
            "headline": gettext("点牌，马上算"),
            "sub": gettext("先碰杠，再手牌，最后一张是胡的"),
        }
    missing = answer["missing"]
    return {
        "headline": ngettext("还差%(n)s张就能看听牌", "还差%(n)s张就能看听牌", missing)
        % {"n": missing},
        "sub": gettext("接着点牌，或者先点碰杠"),
    }


def _error(answer: Json, _: _Seen) -> Json:
    problems = [{**error, "message": texts.message(error)} for error in answer["errors"]]
    # A sentence in a title goes on without its full stop.
    first = problems[0]["message"].rstrip("。.")
    more = len(problems) - 1
    rest = ngettext("还有%(n)s处问题", "还有%(n)s处问题", more) % {"n": more}
    return {
        "headline": first,
        "sub": rest if more else gettext("改好就算"),
        "problems": problems,
    }


_PRESENT: dict[str, Callable[[Json, _Seen], Json]] = {
    "win": _win,
    "ready": _ready,
    "not_won": _not_won,
    "not_ready": _not_ready,
    "incomplete": _incomplete,
    "error": _error,
}


def _exchange(shanten: int | None) -> str:
    if shanten is None:
        return gettext("碰杠的牌改不了，手牌怎么换都听不了")
    return ngettext("至少换%(n)s张才听牌", "至少换%(n)s张才听牌", shanten) % {"n": shanten}
