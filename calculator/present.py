"""An answer of the engine made ready for a template: words beside ids, tiles one by one.

Nothing is computed here: every number is the engine's.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Any

from django.utils.translation import gettext, ngettext

from calculator import texts
from scoring.hand import CONCEALED_KONG, Hand
from scoring.notation import parse
from scoring.rules import Rules
from scoring.tiles import TILE_NAMES, TILE_OF_NAME

Json = dict[str, Any]


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


def meld_faces(kind: str, tile: str, jokers: int = 0) -> list[str]:
    """The faces that a meld shows: a concealed kong turns its outer tiles over."""
    size = 3 if kind == "pung" else 4
    faces = [tile] * (size - jokers) + ["1s"] * jokers
    return ["back", *faces[1:-1], "back"] if kind == CONCEALED_KONG else faces


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
    return meld.kind, tuple((face, tile) for face in meld_faces(meld.kind, tile, meld.jokers))


def _sets(shape: Mapping[str, Any]) -> list[Json]:
    """The groups of a reading, each with its tiles; melds are marked."""
    written = [*shape.get("sets", ()), *shape.get("pairs", ())]
    if "pair" in shape:
        written.append(shape["pair"])
    # Every key of a tile is there: a template takes long over one that is missing.
    return [
        {
            "meld": texts.word(texts.MELDS, kind) if kind else "",
            "tiles": [
                {"face": face, "as": tile, "joker": False, "hit": False} for face, tile in faces
            ],
        }
        for kind, faces in map(_set, written)
    ]


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
                tile["label"] = gettext("幺鸡代%(tile)s") % {"tile": tile["name"]}
            if win and not group["meld"] and tile["face"] == win:
                tile["hit"], win = True, None
    return groups


def _lines(answer: Json, rules: Rules, assumed: Sequence[str]) -> list[Json]:
    return [
        {
            "id": term["id"],
            "name": term_name(term),
            "fan": term["fan"],
            "worth": gettext("%(n)s番") % {"n": term["fan"]},
            "assumed": term["id"] in assumed,
        }
        for term in answer["terms"]
    ]


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
    multiple = answer["multiple"]
    added = multiple != rules.multiple(fan)
    if rules.scale == "linear":
        how = gettext("番数就是倍数，自摸另加一个底") if added else gettext("番数就是倍数")
    elif rules.fan0:
        how = (
            gettext("2 的（%(fan)s−%(less)s）次方，自摸另加一个底")
            if added
            else gettext("2 的（%(fan)s−%(less)s）次方")
        )
    else:
        how = (
            gettext("2 的 %(fan)s 次方，自摸另加一个底")
            if added
            else gettext("2 的 %(fan)s 次方")
        )
    how %= {"fan": fan, "less": rules.fan0}
    steps.append({"name": how, "worth": gettext("%(n)s倍") % {"n": multiple}})
    steps.append(
        {
            "name": gettext("× 底 %(base)s") % {"base": f"{rules.base:f}"},
            "worth": points(answer["points"]),
        }
    )
    return steps


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
    }


def note_text(note: Mapping[str, Any]) -> str:
    """One sentence for something that was asked for and counts nothing."""
    return texts.message(note)


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
) -> Json:
    """What the result template shows.

    ``jokers`` is how many the concealed tiles hold, ``void_held`` the tiles of the missing suit.
    """
    status = answer["status"]
    shown: Json = {"status": status, "answer": answer, "empty": empty}
    shown["bad_tiles"] = list(void_held) if answer.get("flower_pig") else []
    value = ""
    if status == "win":
        value = value_words(answer)
        shown["headline"] = sentence(answer["terms"])
        shown["value"] = value
        capped = {"raw": answer["uncapped_fan"], "fan": answer["fan"]}
        shown["capped"] = (
            gettext("原%(raw)s番，封顶%(fan)s番") % capped if capped["raw"] != capped["fan"] else ""
        )
        shown["payments"] = [
            texts.payment(
                p["who"],
                players=p["players"],
                amount=points(p["amount"]),
                shares=p.get("shares", 1),
            )
            for p in answer["payments"]
        ]
        shown["sub"] = gettext("；").join(shown["payments"])
        shown["lines"] = _lines(answer, rules, answer["assumed"])
        shown["steps"] = _steps(answer, rules)
        shown["sum"] = gettext("%(n)s番") % {"n": answer["uncapped_fan"]}
        shown["sets"] = _arranged(
            answer["shape"], answer["jokers"], jokers, answer["win_tile"], rules.joker
        )
        shown["joker_text"] = gettext("、").join(map(texts.tile, answer["jokers"]))
        shown["others"] = [
            {
                "sets": _arranged(
                    other["shape"], other["jokers"], jokers, answer["win_tile"], rules.joker
                ),
                "headline": sentence(other["terms"]),
                "value": value_words(other),
            }
            for other in answer["alternatives"]
        ]
        shown["notes"] = [note_text(n) for n in answer["notes"]]
        shown["assumed"] = [
            texts.assumed(key)
            for key in answer["assumed"]
            if key not in {t["id"] for t in answer["terms"]}
        ]
    elif status == "ready":
        waits = [_wait(w) for w in answer["waits"]]
        total = sum(w["left"] for w in waits)
        shown["waits"] = waits
        shown["in_order"] = sorted(waits, key=_rank)
        shown["headline"] = gettext("听牌")
        shown["value"] = ngettext(
            "听%(kinds)s种 · 剩%(n)s张", "听%(kinds)s种 · 剩%(n)s张", len(waits)
        ) % {"kinds": len(waits), "n": total}
        shown["sub"] = (
            gettext("最大：%(terms)s = %(value)s")
            % {"terms": waits[0]["terms_text"], "value": waits[0]["value"]}
            if waits
            else ""
        )
        shown["joker_wins"] = answer.get("joker_wins", False)
    elif status == "not_won":
        pig = answer["flower_pig"]
        shown["discards"] = [
            {
                "tile": d["tile"],
                "name": texts.tile(d["tile"]),
                "waits": sorted((_wait(w) for w in d["waits"]), key=_rank),
                "left": sum(w["left"] for w in d["waits"]),
                "best": value_words(d["waits"][0]) if d["waits"] else "",
            }
            for d in answer["discards"]
        ]
        shown["headline"] = pig_words(void_held) if pig else gettext("没有胡")
        if shown["discards"]:
            best = shown["discards"][0]
            shown["sub"] = gettext("打%(tile)s就听牌，剩%(n)s张可胡") % {
                "tile": best["name"],
                "n": best["left"],
            }
        else:
            shown["sub"] = _exchange(answer["shanten"])
    elif status == "not_ready":
        shown["useful"] = [
            {"tile": u["tile"], "name": texts.tile(u["tile"]), "left": u["left"]}
            for u in answer["useful"]
        ]
        pig = answer["flower_pig"]
        shown["headline"] = pig_words(void_held) if pig else gettext("还没有听")
        shown["sub"] = _exchange(answer["shanten"])
    elif status == "incomplete":
        missing = answer["missing"]
        if empty:
            shown["headline"] = gettext("点牌，马上算")
            shown["sub"] = gettext("先碰杠，再手牌，最后一张是胡的")
        else:
            shown["headline"] = ngettext(
                "还差%(n)s张就能看听牌", "还差%(n)s张就能看听牌", missing
            ) % {"n": missing}
            shown["sub"] = gettext("到流局还是这个张数，就是相公")
    else:
        shown["problems"] = [{**e, "message": texts.message(e)} for e in answer["errors"]]
        shown["headline"] = shown["problems"][0]["message"]
        more = len(shown["problems"]) - 1
        rest = ngettext("还有%(n)s处问题", "还有%(n)s处问题", more) % {"n": more}
        shown["sub"] = rest if more else gettext("改好就算")
    name = gettext("算番")
    parts = [value, shown["headline"], name] if value else [shown["headline"], name]
    shown["title"] = " · ".join(parts)
    said = filter(None, [shown["headline"], value, shown.get("sub")])
    shown["description"] = gettext("，").join(said)
    return shown


def _exchange(shanten: int | None) -> str:
    if shanten is None:
        return gettext("碰杠的牌改不了，手牌怎么换都听不了")
    return ngettext("至少换%(n)s张才听牌", "至少换%(n)s张才听牌", shanten) % {"n": shanten}
