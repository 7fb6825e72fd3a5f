"""The lessons: from somebody's first tile to why tables differ, as data.

What was shown, in which order and why: `docs/learning.md`.
"""

from __future__ import annotations

from typing import Any

from calculator.learn.conditions import (
    all_of,
    alone,
    base_bonus,
    birds,
    blessings_add,
    blood_war,
    bloom,
    by_waits,
    call_check,
    capped,
    doubling,
    fan_bonus,
    flows,
    greatest,
    has,
    has_fan,
    jokers,
    kong_money,
    lacks,
    no_bonus,
    none_of,
    one_win_ends,
    payer_kongs,
    pig,
    times_best,
    winners_pay,
)
from calculator.learn.lesson import (
    Ask,
    Claim,
    Figure,
    Json,
    Lesson,
    Text,
    counts,
    example,
    of_term,
    steps_before_cap,
)
from scoring.hand import ADDED_KONG, BLESSINGS, CONCEALED_KONG, EXPOSED_KONG, KONGS
from scoring.patterns import GEN, PING_HU
from scoring.words import N_


def _win(seat: int, fan: int, by: str, **more: Any) -> Json:
    return {"type": "win", "by": by, "winners": [{"seat": seat, "fan": fan}], **more}


def _draw(**states: Json) -> Json:
    return {"type": "draw", "hands": {name[1:]: state for name, state in states.items()}}


def _ready(fan: int) -> Json:
    return {"state": "ready", "fan": fan}


_NOT_READY: Json = {"state": "not_ready"}
_PIG: Json = {"state": "flower_pig"}
_KONG_WON: tuple[Json, ...] = (
    {"type": "kong", "seat": 0, "kind": "concealed_kong"},
    {"type": "kong", "seat": 2, "kind": "exposed_kong", "from": 3},
)
_DRAWN = (("by", "self_draw"),)

#: A plain hand; one of pungs; the same tiles with a third suit.
_PLAIN = "234567m3456789p!9p"
_PUNGS = "222999m8p[444m][777p]!8p"
_THREE_SUITS = "234567m345p4567s!4s"
_PAIRS = "2255m336678899p!7p"
#: 清对: pungs in one suit.
_PURE_PUNGS = example("qing_dui")[0]
#: The patterns that come first; those that have four alike in them.
BASIC = ("dui_dui_hu", "qing_yi_se", "qi_dui")
_DRAGONS = ("long_qi_dui", "qing_long_qi_dui")
#: The circumstances of a win that may add fan.
_LUCK = ("gang_shang_hua", "gang_shang_pao", "qiang_gang", "hai_di")
#: Seven pairs with two times four alike.
_TWO_QUADS = "1133557777m222p!2p"
#: Ever greater hands, to exceed a cap: 清七对, 清龙七对, the same with a root, and four kongs.
_GREAT = (
    "1122445566778m!8m",
    "1122333344668m!8m",
    "1111222255668m!8m",
    "5m(1111m)(3333m)(7777m)(9999m)!5m",
)

_raised: Claim = lambda answer: len(answer["terms"]) > 1  # noqa: E731
_not_raised: Claim = lambda answer: len(answer["terms"]) == 1  # noqa: E731
_above_cap: Claim = lambda answer: answer["uncapped_fan"] > answer["fan"]  # noqa: E731


def _south_pays_more(answer: Json) -> bool:
    paid = {row["from"]: row["amount"] for row in answer["transfers"] if row["reason"] == "win"}
    south = paid.pop(1)
    return all(south > amount for amount in paid.values())


#: What a self-draw brings besides being paid by several.
_SELF_DRAW = (
    Text(
        N_("自摸不多算番，好处是其余还在打的各家都要付。"),
        all_of(no_bonus, none_of(has_fan("men_qing_zi_mo"))),
    ),
    Text(N_("自摸由其余还在打的各家都付。"), all_of(no_bonus, has_fan("men_qing_zi_mo"))),
    Text(
        N_("自摸由其余还在打的各家都付，而且每家多付一个底，这个底不受封顶限制。"),
        base_bonus,
    ),
    Text(N_("自摸由其余还在打的各家都付，而且加%(zi_mo)s番。"), fan_bonus),
    Text(
        N_("没有碰、直杠和补杠而自摸，叫门清自摸，再加%(men_qing_zi_mo)s番。"),
        has_fan("men_qing_zi_mo"),
        ("men_qing_zi_mo",),
    ),
)

#: Where the fan end.
_CAP = (
    Text(
        N_("番数最多算到%(cap)s番，这叫封顶：再多的番，也只付%(cap_multiple)s倍。"),
        all_of(capped, none_of(base_bonus)),
        ("cap",),
    ),
    Text(
        N_(
            "番数最多算到%(cap)s番，这叫封顶：再多的番，也只付%(cap_multiple)s倍；"
            "自摸多付的那个底另外加。"
        ),
        all_of(capped, base_bonus),
        ("cap",),
    ),
    Text(
        N_("有的牌桌只算到几番为止，叫封顶；这套规则不封顶，有多少番算多少番。"),
        none_of(capped),
        ("cap",),
    ),
)

#: 点杠花: who pays where it is not everybody.
_BLOOM = (
    Text(
        N_("直杠之后补进来的牌自摸，叫点杠花：各家该付的，都由点杠的人一个人包付。"),
        bloom("giver_pays_all"),
        ("bloom",),
    ),
    Text(
        N_("直杠之后补进来的牌自摸，叫点杠花：当作点杠的人点了炮，只由他付一份。"),
        bloom("discard"),
        ("bloom",),
    ),
    Text(
        N_("直杠之后补进来的牌自摸，叫点杠花：只由点杠的人付一份，按自摸算。"),
        bloom("giver_self_draw"),
        ("bloom",),
    ),
)

#: What a flower pig pays: one sentence, or whom and how much.
_PIG_PAYS = (
    Text(
        N_("这套规则里，花猪不另外赔钱。"),
        lambda rules: not rules.pig_points and not times_best(rules),
    ),
    Text(N_("花猪先罚%(pig)s，这笔钱不给任何人。"), pig("nobody", fixed=True)),
    Text(N_("花猪先赔每个不是花猪的人，每人%(pig)s。"), pig("non_pigs", fixed=True)),
    Text(N_("花猪先赔每个没有胡、也不是花猪的人，每人%(pig)s。"), pig("unwon", fixed=True)),
    Text(N_("花猪先赔每个有叫的人，每人%(pig)s。"), pig("ready", fixed=True)),
    Text(N_("花猪先赔每个不是花猪的人。"), pig("non_pigs", fixed=False)),
    Text(N_("花猪先赔每个没有胡、也不是花猪的人。"), pig("unwon", fixed=False)),
    Text(N_("花猪先赔每个有叫的人。"), pig("ready", fixed=False)),
    Text(N_("花猪先赔每个有叫而没有胡的人。"), pig("ready_unwon", fixed=False)),
    Text(
        N_("花猪赔的数目就是对方的大叫。"),
        by_waits(least=False, times=False, or_fixed=False),
    ),
    Text(
        N_("花猪赔的数目是对方大叫的%(times)s倍。"),
        by_waits(least=False, times=True, or_fixed=False),
    ),
    Text(
        N_("花猪赔的数目就是对方最小的叫。"),
        by_waits(least=True, times=False, or_fixed=False),
    ),
    Text(
        N_("花猪赔的数目是对方最小的叫的%(times)s倍。"),
        by_waits(least=True, times=True, or_fixed=False),
    ),
    Text(
        N_("花猪赔每人%(pig)s；对方的大叫更大，就按大叫赔。"),
        by_waits(least=False, times=False, or_fixed=True),
    ),
    Text(
        N_("花猪赔每人%(pig)s；对方大叫的%(times)s倍更多，就按那个数目赔。"),
        by_waits(least=False, times=True, or_fixed=True),
    ),
    Text(
        N_("花猪赔每人%(pig)s；对方最小的叫更大，就按它赔。"),
        by_waits(least=True, times=False, or_fixed=True),
    ),
    Text(
        N_("花猪赔每人%(pig)s；对方最小的叫的%(times)s倍更多，就按那个数目赔。"),
        by_waits(least=True, times=True, or_fixed=True),
    ),
)

LESSONS: tuple[Lesson, ...] = (
    Lesson(
        "tiles",
        N_("牌，和缺一门"),
        N_("从第一张牌到一手胡的牌"),
        (
            Text(
                N_(
                    "一副牌一百零八张：万、筒、条三门花色，每门从一到九，每样四张。"
                    "没有东南西北，也没有中发白。"
                )
            ),
            Figure(
                "tiles",
                rows=(
                    (N_("万"), "123456789m"),
                    (N_("筒"), "123456789p"),
                    (N_("条"), "123456789s"),
                ),
            ),
            Text(
                N_(
                    "同一门花色里，三个数连着的叫顺子，三张一样的叫刻子，都算一副。"
                    "两张一样的是对子；一手牌里单独的那一对，叫将。"
                ),
                defines=("groups",),
            ),
            Figure(
                "tiles",
                N_("一副顺子，一副刻子，一对将："),
                rows=((N_("顺子"), "456m"), (N_("刻子"), "888p"), (N_("将"), "22m")),
            ),
            Text(
                N_(
                    "四副加一对将，一共十四张，就是胡，也就是赢。别的凑法都不行，只有一种例外，后面再讲。"
                ),
                defines=("win",),
            ),
            Figure("shape", N_("四副和一对将：胡了。"), _PLAIN),
            Text(
                N_("胡牌的时候最多只能有两门花色，这叫缺一门。三门都有，牌再整齐也不能胡。"),
                defines=("void",),
            ),
            Figure("shape", N_("一样整齐，可是三门都有：没有胡。"), _THREE_SUITS),
            Text(
                N_("这套规则里，四张一条（幺鸡）可以当任何一张牌用，自己不算一门花色。"),
                birds,
                ("joker",),
            ),
            Text(
                N_("这一桌另加四张红中，可以当任何一张牌用，自己不算一门花色。"),
                all_of(jokers, none_of(birds)),
                ("joker",),
            ),
        ),
        (
            Ask("win", 1, ("wins",), flat=True),
            Ask("win", 1, ("broken",), flat=True),
            Ask("win", 1, ("third_suit",), flat=True),
            Ask("win", 1, ("wins",), flat=True),
        ),
    ),
    Lesson(
        "play",
        N_("一局怎么打"),
        N_("摸、打、碰、杠、胡"),
        (
            Text(
                N_("四个人坐在东、南、西、北。牌扣着码成一圈，叫牌墙，大家轮流从这里摸牌。"),
                defines=("wall",),
            ),
            Text(
                N_("开局每人摸十三张。庄家多摸一张，由他先打；其余三个人叫闲家。"),
                defines=("banker",),
            ),
            Text(
                N_(
                    "很多牌桌先说定不要哪一门，叫定缺。定缺的那一门要先打光："
                    "只要还剩一张，就不能胡。"
                ),
                defines=("void",),
            ),
            Text(
                N_(
                    "轮到谁，谁从牌墙摸一张，看看能不能胡；不能，就从手里打出一张，"
                    "手里总是留十三张。"
                )
            ),
            Text(
                N_(
                    "别人打出一张，你手里正好有两张一样的，可以碰：三张亮在自己面前，算一副刻子，"
                    "再打出一张。别人打出的牌不能拿来凑顺子。"
                ),
                defines=("pung",),
            ),
            Figure(
                "shape",
                N_("碰了五筒和八万，亮在一边；手里的凑成另外两副和将。"),
                "23467m22p[555p][888m]!5m",
            ),
            Text(
                N_(
                    "四张一样的可以开杠：四张亮在一起，仍然只算一副，再从牌墙补一张。"
                    "四张怎么来的，叫法就不同："
                ),
                defines=("kong",),
            ),
            *(of_term(kong, lambda _rules: True, "shape") for kong in KONGS),
            Text(
                N_(
                    "差一张就胡，叫听牌，也叫下叫、有叫。那一张自己摸到，叫自摸；别人打出来，叫点炮。"
                ),
                defines=("ready", "self_draw", "discard"),
            ),
            Text(N_("点炮由打出那张牌的人一个人付钱，自摸由其余还没胡的各家付。")),
            Text(
                N_(
                    "有人胡了，这一局还没完：他把牌摊开，不再打；其余的人接着打，"
                    "直到三家都胡了，或者牌墙摸完。这就是血战。"
                ),
                blood_war,
                ("round_ends",),
            ),
            Text(
                N_(
                    "有人胡了，这一局还没完：他手里的牌不再动，接着摸、接着胡，"
                    "直到牌墙摸完。这就是血流。"
                ),
                flows("wall"),
                ("blood_flow",),
            ),
            Text(
                N_(
                    "有人胡了，这一局还没完：他手里的牌不再动，接着摸、接着胡，"
                    "直到三家都胡过，或者牌墙摸完。"
                ),
                flows("three_wins"),
            ),
            Text(N_("有一家胡了，这一局就结束；牌墙摸完没有人胡，也结束。"), one_win_ends),
            Text(N_("四张幺鸡都到了一个人手里，不看别的牌，当场就胡。"), birds, ("joker",)),
        ),
        (
            Ask("win", 1, ("wins",)),
            Ask("win", 2, ("void",)),
            Ask("win", 1, ("third_suit",)),
            Ask("win", 1, ("broken",)),
        ),
    ),
    Lesson(
        "sets",
        N_("四副一将，七对"),
        N_("怎样才算胡"),
        (
            Text(N_("胡牌是四副加一对将。碰和杠亮出去的每一副都算，手里剩下的凑齐其余的。")),
            Figure("shape", N_("四副顺子或刻子，加一对将。"), "234m678m222p4567p!4p"),
            Figure("shape", N_("碰出去的一副也算一副。"), "23467m22p[555p][888m]!5m"),
            Text(
                N_("例外是七对：没有碰杠，手里十四张正好是七个对子，也胡。四张一样的算两个对子。"),
                defines=("qi_dui",),
            ),
            Figure("shape", N_("七个对子。"), _PAIRS),
            Text(
                N_(
                    "看一手牌的顺序：先数花色，再找将和刻子，最后把剩下的排成顺子。"
                    "剩一张配不上，就没有胡。"
                )
            ),
        ),
        (
            Ask("win", 1, ("wins+qi_dui",)),
            Ask("win", 1, ("broken",)),
            Ask("win", 2, ("wins+long_qi_dui+gen",)),
            Ask("win", 2, ("broken+qi_dui",)),
        ),
    ),
    Lesson(
        "fan",
        N_("番、倍、底"),
        N_("从平胡数起"),
        (
            Text(
                N_(
                    "番是规则数的数：牌越难凑，番越多。什么特别的样子都没有的一手叫平胡，"
                    "这套规则里是%(plain)s番。"
                ),
                defines=("fan", PING_HU),
            ),
            Text(
                N_("手里一张%(joker)s也没有的，叫无鸡，加%(wu_ji)s番。"),
                all_of(jokers, has("wu_ji")),
                ("wu_ji",),
            ),
            Figure("hand", N_("一手平胡。"), _PLAIN, claim=_not_raised),
            Figure("hand", N_("一手平胡，另外还有加番。"), _PLAIN, claim=_raised),
            Text(
                N_(
                    "每多一番，付的钱翻一倍：%(plain)s番是%(m0)s倍，%(f1)s番是%(m1)s倍，%(f2)s番是%(m2)s倍。"
                ),
                all_of(doubling, steps_before_cap(2)),
            ),
            Text(
                N_(
                    "每多一番，付的钱翻一倍：%(plain)s番是%(m0)s倍，%(f1)s番是%(m1)s倍，"
                    "到这里就封顶了。"
                ),
                all_of(doubling, steps_before_cap(1, only=True)),
                ("cap",),
            ),
            Text(
                N_("这套规则里番数就是倍数：%(f1)s番付%(m1)s倍，%(f2)s番付%(m2)s倍。"),
                all_of(none_of(doubling), steps_before_cap(2)),
            ),
            Text(
                N_(
                    "这套规则里番数就是倍数：%(plain)s番付%(m0)s倍，%(f1)s番付%(m1)s倍，"
                    "到这里就封顶了。"
                ),
                all_of(none_of(doubling), steps_before_cap(1, only=True)),
                ("cap",),
            ),
            Text(
                N_("这套规则里平胡就已经封顶，付%(m0)s倍：胡的人番再多，也不多付。"),
                steps_before_cap(0, only=True),
                ("cap",),
            ),
            Text(
                N_(
                    "倍再乘以底，就是要付的数。这套规则的底是%(base)s，"
                    "所以什么都不加的平胡付%(points)s。"
                )
            ),
            *_CAP,
            Figure("ladder"),
            *_SELF_DRAW,
            Figure("hand", N_("点炮胡的一手。"), _PLAIN),
            Figure("hand", N_("同一手牌自摸。"), _PLAIN, _DRAWN),
        ),
        (
            Ask("fan", 1, (PING_HU,)),
            Ask("payment", 1, (PING_HU,)),
            Ask("change", 1, ("self_draw",)),
        ),
    ),
    Lesson(
        "patterns",
        N_("对对胡、清一色、七对"),
        N_("三个最常见的牌型"),
        (
            Text(N_("一手牌凑成特别的样子，叫牌型，番就比平胡多。这三个最常见：")),
            Figure("patterns"),
            Text(N_("满足好几个牌型时，只算最大的一个，不相加。平胡的番也不另外加。"), greatest),
            Text(
                N_("满足几个牌型就算几个，番数加起来：清一色的七对，两样都算。"),
                all_of(none_of(greatest), has("qing_yi_se", "qi_dui")),
            ),
            Text(
                N_("满足几个牌型就算几个，番数加起来。"),
                all_of(none_of(greatest), none_of(has("qing_yi_se", "qi_dui"))),
            ),
            Text(
                N_(
                    "数番先问三句：是不是只有一门花色？是不是没有顺子？是不是七个对子？都不是，先当平胡；更少见的牌型在第7课。"
                ),
            ),
        ),
        (
            Ask("patterns", 1, ("dui_dui_hu",)),
            Ask("patterns", 1, ("qing_yi_se",)),
            Ask("fan", 1, ("qi_dui",)),
            Ask("fan", 1, ("dui_dui_hu",)),
        ),
        patterns=lambda term: term in BASIC,
    ),
    Lesson(
        "roots",
        N_("根和杠"),
        N_("四张一样的牌值多少"),
        (
            Text(
                N_(
                    "四张一样的牌全在自己这里而没有开杠，叫一根，这套规则加%(gen)s番。"
                    "碰了三张，手里还有第四张，也是根。"
                ),
                has(GEN),
                (GEN,),
            ),
            Text(
                N_(
                    "四张一样而没有开杠，别处叫根，要加番；这套规则没有根，"
                    "四张一样的牌，开了杠才加番（牌型另算）。"
                ),
                all_of(lacks(GEN), none_of(lacks(*KONGS))),
                (GEN,),
            ),
            Text(
                N_("四张一样而没有开杠，别处叫根，要加番；这套规则没有根，开杠也不加番。"),
                lacks(GEN, *KONGS),
                (GEN,),
            ),
            Figure("hand", N_("碰了三张三万，手里还有一张：一根。"), *example(GEN), when=has(GEN)),
            Text(
                N_(
                    "这套规则里，直杠加%(exposed)s番，补杠加%(added)s番，暗杠加%(concealed)s番。开了杠就不再算根。"
                ),
                has(GEN, *KONGS),
            ),
            Text(
                N_("这套规则里，直杠加%(exposed)s番，补杠加%(added)s番，暗杠加%(concealed)s番。"),
                all_of(lacks(GEN), has(*KONGS)),
            ),
            Text(N_("这套规则里，直杠加%(exposed)s番。"), alone(EXPOSED_KONG)),
            Text(N_("这套规则里，补杠加%(added)s番。"), alone(ADDED_KONG)),
            Text(N_("这套规则里，暗杠加%(concealed)s番。"), alone(CONCEALED_KONG)),
            Text(
                N_("别的杠不加番，开了杠也不再算根。"),
                all_of(has(GEN), none_of(has(*KONGS)), none_of(lacks(*KONGS))),
            ),
            Text(
                N_("别的杠不加番。"),
                all_of(lacks(GEN), none_of(has(*KONGS)), none_of(lacks(*KONGS))),
            ),
            Text(N_("这套规则里开杠不加番，也不再算根。"), all_of(has(GEN), lacks(*KONGS))),
            *(
                Figure("hand", caption, *example(kong), when=has(kong))
                for kong, caption in zip(
                    KONGS, (N_("直杠。"), N_("补杠。"), N_("暗杠。")), strict=True
                )
            ),
            Text(
                N_("数番的时候，先定牌型，再找四张一样的：开了杠的看是哪种杠，没有开的看算不算根。")
            ),
        ),
        (
            Ask("fan", 2, ("ping_hu+gen", "ping_hu+kong"), "roots"),
            Ask("fan", 2, ("ping_hu+kong",), "roots"),
            Ask("fan", 2, ("qing_yi_se+gen", "qing_yi_se+kong"), "roots"),
            Ask("fan", 2, ("qing_yi_se+kong",), "roots"),
        ),
    ),
    Lesson(
        "greater",
        N_("更大的牌型"),
        N_("两样合在一起，和难得一见的"),
        (
            Text(
                N_("几样合在一起的，常常有自己的名字和番数：又是清一色又是对对胡，叫清对。"),
                all_of(greatest, counts("qing_dui", _PURE_PUNGS)),
                ("qing_dui",),
            ),
            Text(
                N_(
                    "这里是这套规则里其余的牌型，从小到大。每一手都可以在计算器里打开，换一张牌看看会怎样。"
                )
            ),
            Figure("patterns"),
            Text(
                N_("龙七对里的第一组四张已经算进牌型，不再另算根；第二组才算。"),
                all_of(has(GEN), counts("long_qi_dui", _TWO_QUADS)),
                ("long_qi_dui",),
            ),
            Text(
                N_("这套规则不把龙七对当一个牌型：七对里有一组四张一样的，就是七对加一根。"),
                all_of(has(GEN), lacks(*_DRAGONS), counts("qi_dui", _TWO_QUADS)),
                ("long_qi_dui",),
            ),
            Figure("hand", N_("七对里有两组四张。"), _TWO_QUADS, when=has("qi_dui", GEN)),
            Text(
                N_("一时认不出，就先数花色、再看有没有顺子：多半只剩一两个牌型可选。"),
            ),
        ),
        (
            Ask("patterns", 2, ("qing_dui", "jin_gou_diao", "dui_dui_hu")),
            Ask("patterns", 2, ("dai_yao_jiu", "qing_yi_se")),
            Ask("fan", 2, ("jiang_dui", "qing_dui", "dui_dui_hu+kong")),
            Ask("fan", 2, ("long_qi_dui+gen", "dui_dui_hu+kong")),
        ),
        patterns=lambda term: term not in (*BASIC, PING_HU, *BLESSINGS),
    ),
    Lesson(
        "luck",
        N_("怎么胡的也算番"),
        N_("杠上花、抢杠这些"),
        (
            Text(N_("同一手牌，怎么胡的也可能算番，加在牌型之外。")),
            of_term("gang_shang_hua"),
            of_term("gang_shang_pao"),
            *_BLOOM,
            of_term("qiang_gang"),
            Text(
                N_(
                    "别处还给杠上花（开杠补来的牌自摸）、杠上炮（胡别人刚开完杠打出的牌）和"
                    "抢杠（胡别人补杠的那张）加番；这套规则不加：胡还是胡，番不多算。"
                ),
                lacks("gang_shang_hua", "gang_shang_pao", "qiang_gang"),
                ("gang_shang_hua", "gang_shang_pao", "qiang_gang"),
            ),
            of_term("hai_di"),
            Figure("patterns"),
            Text(N_("天胡、地胡是例外：算的话，加在牌型之上。"), blessings_add),
            Text(N_("几样可以同时算，一样一样加起来。"), none_of(lacks(*_LUCK))),
            Text(
                N_(
                    "有的牌桌还给门清（没有碰、直杠和补杠）和中张（没有一，也没有九）加番；"
                    "这套规则都不算。"
                ),
                lacks("men_qing", "zhong_zhang"),
                ("men_qing", "zhong_zhang"),
            ),
        ),
        (
            Ask("change", 3, ("gang_shang_pao", "gang_shang_pao+dui_dui_hu", "kong")),
            Ask("fan", 3, ("ping_hu+kong+gang_shang_hua", "ping_hu+men_qing_zi_mo"), "luck"),
            Ask("fan", 3, ("ping_hu+qiang_gang", "qi_dui+men_qing_zi_mo"), "luck"),
        ),
        patterns=lambda term: term in BLESSINGS,
    ),
    Lesson(
        "money",
        N_("封顶和付钱"),
        N_("谁付，付多少"),
        (
            *_CAP,
            *(
                Figure("hand", N_("番数超过封顶的一手。"), hand, claim=_above_cap)
                for hand in _GREAT
            ),
            Text(
                N_(
                    "点炮由打出那张牌的人一个人付；自摸由其余没胡的各家都付；"
                    "抢杠由补杠的人付，他那个杠也不算数。"
                ),
                none_of(winners_pay),
                ("rob_kong",),
            ),
            Text(
                N_(
                    "点炮由打出那张牌的人一个人付；自摸由其余各家都付，胡过的人也付；"
                    "抢杠由补杠的人付，他那个杠也不算数。"
                ),
                winners_pay,
                ("rob_kong",),
            ),
            Figure("hand", N_("点炮：一个人付。"), _PUNGS),
            Figure("hand", N_("自摸：各家都付。"), _PUNGS, _DRAWN),
            *_BLOOM,
            Text(
                N_(
                    "开杠当场就收钱：直杠由点杠的人付%(exposed_points)s，补杠由各家付%(added_points)s，"
                    "暗杠由各家付%(concealed_points)s。杠钱不封顶。"
                ),
                kong_money,
                ("kong_points",),
            ),
            Text(
                N_("直杠的时候，没有点杠的各家也要付%(others_points)s，这叫擦挂。"),
                lambda rules: bool(rules.kong_points.exposed_others),
                ("kong_points",),
            ),
            Text(
                N_("碰过的牌，第四张不是当轮刚摸到的，这时补杠不收钱。"),
                lambda rules: rules.late_added_kong_free and bool(rules.kong_points.added),
            ),
            Text(N_("这套规则开杠当场不收钱。"), none_of(kong_money)),
            Figure(
                "round",
                N_("一局里的杠钱：东开暗杠，西开直杠。"),
                events=_KONG_WON,
                reason="concealed_kong",
            ),
            Text(
                N_("这套规则杠进杠出：自己的杠在胡牌时加几番，别人胡牌时自己也照加几番来付。"),
                payer_kongs,
                ("kong_in_out",),
            ),
            Text(
                N_("封顶只管胡的人的番，付钱的人自己的杠在封顶之外再加。"),
                all_of(payer_kongs, capped),
            ),
            Figure(
                "round",
                N_("杠进杠出：南开过暗杠，西自摸时他多付。"),
                events=(
                    {"type": "kong", "seat": 1, "kind": "concealed_kong"},
                    _win(2, 5, "self_draw"),
                ),
                reason="win",
                claim=_south_pays_more,
            ),
        ),
        (
            Ask("payment", 1, ("qing_yi_se",)),
            Ask("payment", 2, ("dui_dui_hu",)),
            Ask("payment", 2, ("qi_dui",)),
        ),
    ),
    Lesson(
        "waits",
        N_("听牌"),
        N_("再来哪一张就胡"),
        (
            Text(
                N_(
                    "再来一张就胡，叫听牌，也叫下叫。能胡的每一种牌都是叫：有时只有一种，清一色常常有好几种。"
                ),
                defines=("ready",),
            ),
            Text(N_("%(joker)s来了总能胡，所以不列在叫里。"), jokers),
            Figure("hand", N_("两头都能胡。"), "23499m234567p78p"),
            Figure("hand", N_("两对各等一张。"), "234567m555p88p99m"),
            Figure("hand", N_("清一色，听得很宽。"), "2333344555678m"),
            Text(
                N_("自己已经有四张的牌，再没有第五张，不算叫。"),
                lambda rules: rules.dead_waits == "exclude",
            ),
            Text(
                N_("这套规则里，碰杠用完的牌仍然算叫，虽然摸不到；手里握着四张的不算。"),
                lambda rules: rules.dead_waits != "exclude",
            ),
            Text(
                N_(
                    "同一手牌，胡不同的牌大小可能不同，最大的那一张叫大叫。打牌时先求下叫，再求听得大、听得宽。"
                )
            ),
        ),
        (
            Ask("waits", 1),
            Ask("waits", 1),
            Ask("waits", 2, ("held_quad",)),
            Ask("discard", 1),
        ),
    ),
    Lesson(
        "end",
        N_("牌墙摸完之后"),
        N_("花猪、查叫、退税"),
        (
            Text(N_("牌墙摸完时还没有打完，叫流局，要查账。"), defines=("wall",)),
            Text(
                N_(
                    "有三家胡了就不查。没有胡的人里，三门花色都有，或者还留着定缺的那一门，是花猪。"
                ),
                blood_war,
                ("pig",),
            ),
            Text(
                N_(
                    "一家胡牌，这一局就结束，不用查。没有人胡的时候，"
                    "三门花色都有，或者还留着定缺的那一门，是花猪。"
                ),
                one_win_ends,
                ("pig",),
            ),
            Text(
                N_(
                    "胡过的人算有叫。没有胡过的人里，三门花色都有，或者还留着定缺的那一门，是花猪。"
                ),
                flows("wall"),
                ("pig",),
            ),
            Text(
                N_(
                    "三家胡过就不查，胡过的人算有叫。没有胡过的人里，"
                    "三门花色都有，或者还留着定缺的那一门，是花猪。"
                ),
                flows("three_wins"),
                ("pig",),
            ),
            *_PIG_PAYS,
            Text(
                N_("没有叫的人，要按对方最大的叫，赔给每个有叫的人，这叫查叫。"),
                call_check("max"),
                ("call_check",),
            ),
            Text(
                N_("没有叫的人，要按对方最小的叫，赔给每个有叫的人，这叫查叫。"),
                call_check("min"),
                ("call_check",),
            ),
            Text(
                N_("别处没有叫的人要赔给有叫的人，叫查叫；这套规则不查叫。"),
                call_check("none"),
                ("call_check",),
            ),
            Text(
                N_("已经胡的人查叫时也来收，按自己胡的番数。"),
                lambda rules: (
                    rules.call_check_winners and rules.call_check != "none" and blood_war(rules)
                ),
            ),
            Text(
                N_("按叫赔钱的人，自己开过的杠也照样加番来付。"),
                lambda rules: (
                    payer_kongs(rules) and (rules.call_check != "none" or times_best(rules))
                ),
            ),
            Text(
                N_("都有叫的人之间，听得小的还要把差额补给听得大的，这叫补差价。"),
                lambda rules: rules.difference,
                ("difference",),
            ),
            Text(
                N_("别处都有叫的人之间，听得小的还要把差额补给听得大的，叫补差价；这套规则不补。"),
                lambda rules: not rules.difference,
                ("difference",),
            ),
            Figure(
                "round",
                N_("北是花猪，先赔，再看查不查叫。"),
                events=(_draw(s0=_ready(3), s1=_ready(1), s2=_NOT_READY, s3=_PIG),),
                reason="flower_pig",
            ),
            Figure(
                "round",
                N_("东有叫，西、北没叫：查叫。"),
                events=(
                    _win(1, 3, "discard", **{"from": 2}),
                    _draw(s0=_ready(2), s2=_NOT_READY, s3=_NOT_READY),
                ),
                reason="not_ready",
            ),
            Figure(
                "round",
                N_("东有叫，西、北没叫：查叫。"),
                events=(_draw(s0=_ready(2), s1=_ready(1), s2=_NOT_READY, s3=_NOT_READY),),
                reason="not_ready",
                when=one_win_ends,
            ),
            Text(
                N_("没有叫的人和花猪还要把收到的杠钱退回去，这叫退税。"),
                lambda rules: rules.refund and kong_money(rules),
                ("refund",),
            ),
            Text(
                N_("别处没有叫的人还要把开杠收到的钱退回去，叫退税；这套规则不退。"),
                lambda rules: not (rules.refund and kong_money(rules)),
                ("refund",),
            ),
            Figure(
                "round",
                N_("西开过杠，最后却没叫：退税。"),
                events=(
                    {"type": "kong", "seat": 2, "kind": "concealed_kong"},
                    _draw(s0=_ready(1), s1=_ready(1), s2=_NOT_READY, s3=_NOT_READY),
                ),
                reason="refund",
            ),
        ),
        (
            Ask("pig", 1, ("three_suits",)),
            Ask("pig", 1, ("not_ready",)),
            Ask("settle", 1, ("check",)),
            Ask("settle", 1, ("discard_win",)),
        ),
    ),
    Lesson(
        "tables",
        N_("为什么各桌不一样"),
        N_("坐下来先问的四件事"),
        (
            Text(
                N_(
                    "坐下来先问四件事：几番封顶，自摸加什么，暗杠和杠上花几番，"
                    "流局查不查叫、退不退税（没有叫的人退回开杠收到的钱）。"
                ),
                defines=("refund",),
            ),
            Text(
                N_("别处给合起来的牌型另起名字：一门花色的对对胡叫清对，一门花色的七对叫清七对。"),
                lacks("qing_dui"),
                ("qing_dui", "qing_qi_dui"),
            ),
            Text(
                N_(
                    "规则的名字里带“血战”的，胡了就离开，其余的人接着打；带“血流”的，"
                    "胡了还接着打、接着胡；带“幺鸡”的，一条可以当任何一张牌用，"
                    "手里一张也没有的叫无鸡，番更多。"
                ),
                defines=("round_ends", "blood_flow", "joker", "wu_ji"),
            ),
            Text(N_("同一手牌，各套规则给的番和倍不一样。下面是同一手牌在每一套规则里的结果。")),
            Figure("systems", hand="3334445557799m!7m"),
            Text(
                N_(
                    "说不清的时候，把这手牌的链接发给对方：规则写在链接里，两个人看到的是同一个结果。"
                )
            ),
        ),
        (
            Ask("change", 3, ("ruleset+qing_yi_se",)),
            Ask("change", 3, ("ruleset+qing_qi_dui",)),
            Ask("change", 3, ("cap+qing_dui",)),
        ),
    ),
)
BY_ID: dict[str, Lesson] = {lesson.id: lesson for lesson in LESSONS}
