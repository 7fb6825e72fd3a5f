"""The table of terms (番种): every pattern and every bonus, one row each.

A row holds the id of the rules, the Chinese names, and one predicate over a :class:`Reading`, the
summary of one way to read a winning hand.  A pattern says whether it holds, a bonus how often.
What a term is worth is no business of this module: that is in the rule files.  A row's
:class:`Target` says which shapes have the pattern, for the distance that ``explain`` gives.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from .decompose import CHAINS, NINE_GATES
from .hand import (
    ADDED_KONG,
    CONCEALED_KONG,
    EARTHLY,
    EXPOSED_KONG,
    HEAVENLY,
    ROB_KONG,
    SELF_DRAW,
    Win,
)
from .signature import (
    CHAIN,
    EDGE,
    GATES,
    IN_PAIR,
    MIDDLE,
    MIDDLE_FIVE,
    MIDDLE_TWO,
    STRAIGHT,
    TWINS,
)
from .tiles import NO_TERMINALS, ONLY_258, Ranks
from .words import N_


class Reading(NamedTuple):
    """One way to read a winning hand: what the predicates may ask, melds included."""

    seven_pairs: bool
    all_pungs: bool  #: every set is a pung or kong
    outside: bool  #: every set and the pair holds a 1 or a 9
    quads: int  #: four alike that are not declared as a kong (根)
    suits: int
    ranks: tuple[Ranks, ...]  #: the limits on ranks that all tiles keep to
    sets: int  #: how many a hand of this size has
    melds: int
    exposed: int
    added: int
    concealed: int
    open: bool
    jokers: bool  #: the system has jokers and this hand holds some
    joker_system: bool
    win: Win
    straight: bool = False  #: 123, 456 and 789 of one suit are among its sets
    twins: int = 0  #: how many times two of its runs are the same
    chain: bool = False  #: pairs of ranks in a row in every suit
    gates: bool = False  #: 1112345678999 of one suit and one more
    place: int = 0  #: where the winning tile stands (``signature.STANDS``)

    @property
    def kongs(self) -> int:
        """How many declared kongs (杠) of any kind."""
        return self.exposed + self.added + self.concealed

    @property
    def pure(self) -> bool:
        """清: one suit."""
        return self.suits == 1


@dataclass(frozen=True, slots=True)
class Target:
    """The winning shapes that have a pattern, in terms of tiles to exchange; melds stay.

    ``form`` is ``"standard"``, ``"seven_pairs"`` or None for both; ``melded`` asks for melds alone
    and ``konged`` for kongs alone beside the pair; ``outside`` and ``ranks`` limit the
    tiles; ``quads`` is a least number of four-alikes among the pairs.
    """

    form: str | None = None
    chows: bool = True
    pure: bool = False
    outside: bool = False
    ranks: Ranks | None = None
    quads: int = 0
    melded: bool = False
    konged: bool = False
    runs: tuple[tuple[int, ...], ...] = ()  #: the lowest ranks of runs in one suit, one such row
    whole: frozenset[int] = frozenset()  #: the suits, if any, that the whole hand is one of
    closed: bool = False  #: no pung, exposed or added kong
    jokers: int | None = None


@dataclass(frozen=True, slots=True)
class Term:
    """番种: one row of the table.

    ``kind`` is ``"pattern"`` or ``"bonus"``.  ``holds`` counts: 0 = not there; a pattern is there
    once.  ``house`` marks the terms that no preset uses.  ``asks`` is what a term needs to know of
    the sets of the reading, as a bit of a signature.  ``absorbs_quads`` and ``absorbs_kongs`` say
    how many 根 and whether the kongs are part of the pattern.  ``target`` is None where no exchange
    of tiles helps.
    """

    id: str
    name: str
    kind: str
    holds: Callable[[Reading], int]
    aliases: tuple[str, ...] = ()
    house: bool = False
    asks: int = 0
    absorbs_quads: int = 0
    absorbs_kongs: bool = False
    target: Target | None = None


def _pattern(
    id: str,
    name: str,
    holds: Callable[[Reading], int],
    *aliases: str,
    target: Target | None = None,
    house: bool = False,
    asks: int = 0,
    absorbs_quads: int = 0,
    absorbs_kongs: bool = False,
) -> Term:
    return Term(
        id,
        name,
        "pattern",
        holds,
        aliases,
        house=house,
        asks=asks,
        absorbs_quads=absorbs_quads,
        absorbs_kongs=absorbs_kongs,
        target=target,
    )


def _bonus(
    id: str,
    name: str,
    holds: Callable[[Reading], int],
    *aliases: str,
    house: bool = False,
    asks: int = 0,
    target: Target | None = None,
) -> Term:
    return Term(
        id,
        name,
        "bonus",
        holds,
        aliases,
        house=house,
        asks=asks,
        target=target,
    )


def _pungs(r: Reading) -> bool:
    return r.all_pungs and not r.seven_pairs


def _outside(r: Reading) -> bool:
    return r.outside and not r.seven_pairs


def _eighteen(r: Reading) -> bool:
    return r.kongs == r.sets


def _hook(r: Reading) -> bool:
    return r.melds == r.sets


PING_HU = "ping_hu"
SEVEN_PAIRS = "qi_dui"
SI_JI = "si_ji"
GEN = "gen"
GANG_SHANG_HUA = "gang_shang_hua"
HAI_DI = "hai_di"
ZI_MO = "zi_mo"
MA = "ma"

_SETS = "standard"
_PAIRS = "seven_pairs"

#: The patterns in the order of the rules: on a tie the one listed first is taken.
PATTERNS: tuple[Term, ...] = (
    _pattern(
        PING_HU, N_("平胡"), lambda r: True, N_("基本胡"), N_("素番"), N_("素芬"), target=Target()
    ),
    _pattern(
        "dui_dui_hu",
        N_("对对胡"),
        _pungs,
        N_("碰碰胡"),
        N_("大对子"),
        N_("对对糊"),
        target=Target(_SETS, chows=False),
    ),
    _pattern("qing_yi_se", N_("清一色"), lambda r: r.pure, target=Target(pure=True)),
    _pattern("dai_yao_jiu", N_("带幺九"), _outside, N_("代幺"), target=Target(_SETS, outside=True)),
    _pattern(SEVEN_PAIRS, N_("七对"), lambda r: r.seven_pairs, N_("暗七对"), target=Target(_PAIRS)),
    _pattern(
        "long_qi_dui",
        N_("龙七对"),
        lambda r: r.seven_pairs and r.quads > 0,
        N_("龙对"),
        absorbs_quads=1,
        target=Target(_PAIRS, quads=1),
    ),
    _pattern(
        "qing_dui",
        N_("清对"),
        lambda r: _pungs(r) and r.pure,
        N_("清碰"),
        target=Target(_SETS, chows=False, pure=True),
    ),
    _pattern(
        "jiang_dui",
        N_("将对"),
        lambda r: _pungs(r) and ONLY_258 in r.ranks,
        target=Target(_SETS, chows=False, ranks=ONLY_258),
    ),
    _pattern(
        "qing_qi_dui",
        N_("清七对"),
        lambda r: r.seven_pairs and r.pure,
        target=Target(_PAIRS, pure=True),
    ),
    _pattern(
        "qing_long_qi_dui",
        N_("清龙七对"),
        lambda r: r.seven_pairs and r.pure and r.quads > 0,
        N_("青龙七对"),
        absorbs_quads=1,
        target=Target(_PAIRS, pure=True, quads=1),
    ),
    _pattern(
        "qing_yao_jiu",
        N_("清幺九"),
        lambda r: _outside(r) and r.pure,
        target=Target(_SETS, outside=True, pure=True),
    ),
    _pattern(
        "jin_gou_diao",
        N_("金钩钓"),
        _hook,
        N_("裸奔"),
        target=Target(_SETS, melded=True),
    ),
    _pattern(
        "qing_jin_gou_diao",
        N_("清金钩钓"),
        lambda r: _hook(r) and r.pure,
        target=Target(_SETS, melded=True, pure=True),
    ),
    _pattern(
        "qing_shi_ba_luo_han",
        N_("清十八罗汉"),
        lambda r: _eighteen(r) and r.pure,
        absorbs_kongs=True,
        target=Target(_SETS, melded=True, konged=True, pure=True),
    ),
    _pattern(
        "shi_ba_luo_han",
        N_("十八罗汉"),
        _eighteen,
        absorbs_kongs=True,
        target=Target(_SETS, melded=True, konged=True),
    ),
    _pattern(HEAVENLY, N_("天胡"), lambda r: r.win.blessing == HEAVENLY),
    _pattern(EARTHLY, N_("地胡"), lambda r: r.win.blessing == EARTHLY),
    # Four jokers win before any reading is made; the row holds the name and the target.
    _pattern(SI_JI, N_("四幺鸡"), lambda r: False, target=Target(jokers=4)),
    _pattern(
        "jiang_qi_dui",
        N_("将七对"),
        lambda r: r.seven_pairs and ONLY_258 in r.ranks,
        house=True,
        target=Target(_PAIRS, ranks=ONLY_258),
    ),
    _pattern(
        "jiang_jin_gou_diao",
        N_("将金钩钓"),
        lambda r: _hook(r) and ONLY_258 in r.ranks,
        house=True,
        target=Target(_SETS, melded=True, ranks=ONLY_258),
    ),
    _pattern(
        "shuang_long_qi_dui",
        N_("双龙七对"),
        lambda r: r.seven_pairs and r.quads > 1,
        house=True,
        absorbs_quads=2,
        target=Target(_PAIRS, quads=2),
    ),
    _pattern(
        "san_long_qi_dui",
        N_("三龙七对"),
        lambda r: r.seven_pairs and r.quads > 2,
        house=True,
        absorbs_quads=3,
        target=Target(_PAIRS, quads=3),
    ),
    _pattern(
        "lian_qi_dui",
        N_("连七对"),
        lambda r: r.chain and r.pure,
        house=True,
        asks=CHAIN,
        target=Target(_PAIRS, pure=True, whole=CHAINS),
    ),
    _pattern(
        "jiu_lian",
        N_("九莲宝灯"),
        lambda r: r.gates and r.pure,
        house=True,
        asks=GATES,
        target=Target(_SETS, pure=True, whole=NINE_GATES),
    ),
)

#: The bonus terms in the order in which they are counted.
BONUSES: tuple[Term, ...] = (
    _bonus(GEN, N_("根"), lambda r: r.quads, N_("归"), N_("带根")),
    _bonus(
        EXPOSED_KONG,
        N_("直杠"),
        lambda r: r.exposed,
        N_("直扑"),
        N_("明杠"),
        N_("点杠"),
        N_("引杠"),
    ),
    _bonus(ADDED_KONG, N_("补杠"), lambda r: r.added, N_("巴杠"), N_("面下杠"), N_("续杠")),
    _bonus(CONCEALED_KONG, N_("暗杠"), lambda r: r.concealed, N_("下雨")),
    _bonus(
        GANG_SHANG_HUA,
        N_("杠上花"),
        lambda r: r.win.by == SELF_DRAW and r.win.after_kong is not None,
    ),
    _bonus("gang_shang_pao", N_("杠上炮"), lambda r: not r.win.self_drawn and r.win.kong_discard),
    _bonus("qiang_gang", N_("抢杠"), lambda r: r.win.by == ROB_KONG),
    _bonus(HAI_DI, N_("海底"), lambda r: r.win.last_tile),
    _bonus("wu_ji", N_("无鸡"), lambda r: r.joker_system and not r.jokers),
    _bonus("men_qing_zi_mo", N_("门清自摸"), lambda r: r.win.self_drawn and not r.open),
    _bonus(MA, N_("买马"), lambda r: r.win.horses),
    _bonus("men_qing", N_("门清"), lambda r: not r.open, house=True, target=Target(closed=True)),
    _bonus(
        "zhong_zhang",
        N_("中张"),
        lambda r: NO_TERMINALS in r.ranks,
        N_("断幺"),
        house=True,
        target=Target(ranks=NO_TERMINALS),
    ),
    _bonus(
        "yi_tiao_long",
        N_("一条龙"),
        lambda r: r.straight,
        house=True,
        asks=STRAIGHT,
        target=Target(_SETS, runs=((0, 3, 6),)),
    ),
    _bonus(
        "jia_xin_wu",
        N_("夹心五"),
        lambda r: r.place & MIDDLE_FIVE > 0,
        house=True,
        asks=MIDDLE_FIVE,
    ),
    _bonus(
        "ka_er_tiao",
        N_("卡二条"),
        lambda r: r.place & MIDDLE_TWO > 0,
        house=True,
        asks=MIDDLE_TWO,
    ),
    _bonus(
        "ban_ban_gao",
        N_("板板高"),
        lambda r: r.twins,
        house=True,
        asks=TWINS,
        target=Target(_SETS, runs=tuple((r, r) for r in range(7))),
    ),
    _bonus("dan_diao", N_("单钓"), lambda r: r.place & IN_PAIR > 0, house=True, asks=IN_PAIR),
    _bonus("ka_zhang", N_("卡张"), lambda r: r.place & MIDDLE > 0, house=True, asks=MIDDLE),
    _bonus("bian_zhang", N_("边张"), lambda r: r.place & EDGE > 0, house=True, asks=EDGE),
    _bonus("jue_zhang", N_("绝张"), lambda r: r.win.last_copy, house=True),
    _bonus(ZI_MO, N_("自摸加番"), lambda r: r.win.self_drawn, house=True),
)

#: Every term by its id.
TERMS: dict[str, Term] = {term.id: term for term in (*PATTERNS, *BONUSES)}
#: The order in which they are listed, patterns first.
TERM_ORDER: dict[str, int] = {key: order for order, key in enumerate(TERMS)}
PATTERN_ORDER: dict[str, int] = {term.id: order for order, term in enumerate(PATTERNS)}
READING_DEPENDENT: tuple[str, ...] = tuple(t.id for t in TERMS.values() if t.asks)
#: 带幺九, 清幺九: the patterns of a hand that is outside.
OUTSIDE_HANDS: tuple[str, ...] = tuple(t.id for t in PATTERNS if t.target and t.target.outside)
