"""What the winning hands of a drill show, by level, and which of it a rule system has."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..hand import EXPOSED_KONG, KONGS
from ..patterns import GEN, PING_HU, SI_JI
from ..rules import NEVER, Rules
from ..tiles import SUITS, USUAL
from .model import LEVELS, TOPICS, Stratum

PURE = frozenset(("qing_yi_se", "qing_dui", "qing_qi_dui", "qing_long_qi_dui", "qing_yao_jiu")) | {
    "qing_jin_gou_diao",
    "qing_shi_ba_luo_han",
    "lian_qi_dui",
    "jiu_lian",
}
OUTSIDE = frozenset(("dai_yao_jiu", "qing_yao_jiu"))
DRAGONS = frozenset(("long_qi_dui", "qing_long_qi_dui", "shuang_long_qi_dui", "san_long_qi_dui"))
PAIRED = DRAGONS | {"qi_dui", "qing_qi_dui", "jiang_qi_dui", "lian_qi_dui"}
LAID = frozenset(("jin_gou_diao", "qing_jin_gou_diao", "shi_ba_luo_han", "qing_shi_ba_luo_han")) | {
    "jiang_jin_gou_diao",
}
#: Of 2, 5 and 8 alone.
OF_258 = frozenset(("jiang_dui", "jiang_qi_dui", "jiang_jin_gou_diao"))
ALL_KONGS = frozenset(("shi_ba_luo_han", "qing_shi_ba_luo_han"))
PUNGED = frozenset(("dui_dui_hu", "qing_dui", "jiang_dui")) | LAID
#: Shapes that some systems put together from patterns and roots instead of naming them.
PARTS: dict[str, tuple[str, ...]] = {
    "qing_dui": ("dui_dui_hu", "qing_yi_se"),
    "qing_qi_dui": ("qi_dui", "qing_yi_se"),
    "long_qi_dui": ("qi_dui", GEN),
    "qing_long_qi_dui": ("qing_qi_dui", GEN),
    "qing_yao_jiu": ("dai_yao_jiu", "qing_yi_se"),
    "qing_jin_gou_diao": ("jin_gou_diao", "qing_yi_se"),
    "qing_shi_ba_luo_han": ("shi_ba_luo_han", "qing_yi_se"),
}
#: In a system that takes one pattern, those that a root can still complete.
_PLUS_ROOT = DRAGONS
_WINS: dict[int, tuple[Stratum, ...]] = {
    1: tuple(Stratum(s) for s in (PING_HU, "dui_dui_hu", "qing_yi_se", "qi_dui")),
    2: (
        *(Stratum(s) for s in (PING_HU, "dui_dui_hu", "qing_yi_se", "qi_dui")),
        *(Stratum(s) for s in ("dai_yao_jiu", "qing_dui", "jiang_dui")),
        Stratum("long_qi_dui", roots=1),
        Stratum(PING_HU, roots=1),
        Stratum("qing_yi_se", roots=1),
        Stratum(PING_HU, kongs=1),
        Stratum("dui_dui_hu", kongs=1),
        Stratum("qing_yi_se", kongs=1),
    ),
    3: (
        *(Stratum(s) for s in ("qing_dui", "jiang_dui", "qing_qi_dui", "qing_yao_jiu")),
        *(Stratum(s) for s in ("jin_gou_diao", "qing_jin_gou_diao")),
        Stratum("shi_ba_luo_han", kongs=4),
        Stratum("qing_shi_ba_luo_han", kongs=4),
        Stratum("long_qi_dui", roots=2),
        Stratum("qing_long_qi_dui", roots=1),
        Stratum("qing_long_qi_dui", roots=2),
        Stratum(PING_HU, roots=2),
        Stratum("qing_yi_se", roots=2),
        Stratum("dai_yao_jiu", roots=1),
        Stratum("qing_yi_se", roots=1, kongs=1),
        Stratum("dui_dui_hu", kongs=2),
        Stratum("qing_dui", kongs=1),
        Stratum("dai_yao_jiu", kongs=1),
    ),
}
_LUCK: tuple[Stratum, ...] = (
    Stratum(PING_HU, kongs=1, luck="gang_shang_hua"),
    Stratum("qing_yi_se", kongs=1, luck="gang_shang_hua"),
    Stratum(PING_HU, luck="gang_shang_pao"),
    Stratum("dui_dui_hu", luck="gang_shang_pao"),
    Stratum(PING_HU, luck="qiang_gang"),
    Stratum("qing_yi_se", luck="qiang_gang"),
    Stratum("dui_dui_hu", luck="hai_di"),
    Stratum("qi_dui", luck="hai_di"),
    Stratum(PING_HU, luck="tian_hu"),
    Stratum("qing_yi_se", luck="di_hu"),
    Stratum(PING_HU, luck="men_qing_zi_mo"),
    Stratum("qi_dui", luck="men_qing_zi_mo"),
)
#: What no system has, where a table has switched it on.
_HOUSE: tuple[Stratum, ...] = (
    Stratum("jiang_qi_dui", roots=1),
    Stratum("jiang_jin_gou_diao"),
    Stratum("shuang_long_qi_dui", roots=2),
    Stratum("san_long_qi_dui", roots=3),
    Stratum("lian_qi_dui"),
    Stratum("jiu_lian"),
    *(
        Stratum(PING_HU, luck=bonus)
        for bonus in ("men_qing", "zhong_zhang", "ban_ban_gao", "dan_diao", "ka_zhang")
    ),
    *(Stratum(PING_HU, luck=bonus) for bonus in ("bian_zhang", "jia_xin_wu", "jue_zhang")),
    Stratum("qing_yi_se", luck="yi_tiao_long"),
)
_WILD: dict[int, tuple[Stratum, ...]] = {
    1: (),
    2: (
        Stratum(PING_HU, jokers=1),
        Stratum("qing_yi_se", jokers=1),
        Stratum("dui_dui_hu", jokers=1),
        Stratum("qi_dui", jokers=1),
    ),
    3: (
        Stratum("qing_yi_se", jokers=2),
        Stratum("dui_dui_hu", jokers=2),
        Stratum("long_qi_dui", roots=1, jokers=2),
        Stratum("qing_qi_dui", jokers=1),
        Stratum(SI_JI, jokers=4),
    ),
}


def _has_shape(rules: Rules, shape: str) -> bool:
    """Whether a shape is worth something of its own under these rules."""
    if rules.fan_of(shape) is not None:
        return True
    parts = PARTS.get(shape, ())
    if not parts or (rules.combine != "sum" and shape not in _PLUS_ROOT):
        return False
    return all(_has_shape(rules, part) for part in parts)


def fits(rules: Rules, stratum: Stratum) -> bool:
    """Whether a hand of the table's size, of the suits that it plays with, can show a stratum.

    >>> from ..rules import load
    >>> fits(load("chengdu").override({"sets": 3}), Stratum("qi_dui"))
    False
    """
    if rules.suits < len(SUITS) and stratum.twist in THREE_SUITS:
        return False
    if stratum.shape == SI_JI:
        return rules.jokers_that_win < NEVER
    if stratum.shape in PAIRED:
        # Four alike are two of the pairs.
        return bool(rules.size.pairs) and 2 * stratum.roots <= rules.size.full // 2
    if stratum.shape == "jiu_lian":
        return rules.size == USUAL
    # A root takes a pung and a run through it; where nothing else is there, only that.
    return stratum.kongs + 2 * stratum.roots <= rules.sets


#: What only a table with three suits has.
THREE_SUITS = frozenset(("third_suit", "three_suits", "void", "void_left", "stray", "pig", "pigs"))


def _plays(rules: Rules, stratum: Stratum) -> bool:
    if not fits(rules, stratum) or not _has_shape(rules, stratum.shape):
        return False
    if stratum.roots and rules.fan_of(GEN) is None and stratum.shape not in rules.fans:
        return False
    if stratum.roots and stratum.shape not in DRAGONS and rules.fan_of(GEN) is None:
        return False
    if stratum.kongs and all(rules.fan_of(kind) is None for kind in KONGS):
        return stratum.shape in ALL_KONGS
    return not stratum.luck or rules.fan_of(stratum.luck, EXPOSED_KONG) is not None


def _about(stratum: Stratum, topic: str) -> bool:
    """Whether a stratum belongs to a topic."""
    shape = stratum.shape
    return {
        "": True,
        "pungs": shape in PUNGED,
        "pairs": shape in PAIRED,
        "pure": shape in PURE,
        "outside": shape in OUTSIDE,
        "roots": bool(stratum.roots or stratum.kongs),
        "luck": bool(stratum.luck or stratum.jokers),
    }[topic]


def _shown_at(rules: Rules, level: int) -> Iterator[Stratum]:
    """What a level shows, 十八罗汉 with as many kongs as a hand of the table has sets."""
    wild = _WILD[level] if rules.joker else ()
    last = (*_LUCK, *_HOUSE) if level == LEVELS[-1] else ()
    for stratum in (*_WINS[level], *last, *wild):
        yield replace(stratum, kongs=rules.sets) if stratum.shape in ALL_KONGS else stratum


def winning_strata(rules: Rules, level: int, topic: str = "") -> tuple[Stratum, ...]:
    """What the winning hands of a level show under these rules; never empty.

    A topic that a level does not have yet is taken from the nearest level that has it.
    """
    every = {at: [s for s in _shown_at(rules, at) if _plays(rules, s)] for at in LEVELS}
    for at in sorted(LEVELS, key=lambda at: abs(at - level)):
        found = tuple(s for s in every[at] if _about(s, topic))
        if found:
            return found
    return tuple(every[level])


def topics(rules: Rules) -> tuple[str, ...]:
    """The topics that these rules have anything on.

    >>> from ..rules import load
    >>> "outside" in topics(load("sbr"))
    False
    """
    every = [s for level in LEVELS for s in winning_strata(rules, level)]
    return tuple(t for t in TOPICS if any(_about(s, t) for s in every))
