"""What each rule means, in words: the terms, the options, the payments, the end of the wall.

The table of terms and the rule files hold names and numbers; the words that explain them are here,
once. `/rules/terms/<id>/`, the house-rule sheet, the search and `manage.py rules` read them.
Everything is a simplified Chinese message id.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace

from django.utils.translation import gettext

from calculator.words import texts
from calculator.words.options import WORDS
from scoring import rules as engine
from scoring.analyse import Query, impossible
from scoring.hand import BLESSINGS, DISCARD, KONGS, ROB_KONG, SELF_DRAW, Hand, Win
from scoring.patterns import GEN, PATTERNS, PING_HU, TERMS, Target, Term
from scoring.words import N_

#: What a hand must show for a term to count, one or two sentences each.
DEFINITIONS: dict[str, str] = {
    "ping_hu": N_("能胡的牌都至少是平胡：四副加一对将，或者七个对子，最多两门花色。"),
    "dui_dui_hu": N_("四副都是碰、杠或手里的三张相同，没有顺子，再加一对将。"),
    "qing_yi_se": N_("手牌和碰杠全是同一门花色。"),
    "dai_yao_jiu": N_("每一副和那对将里都有一或九：123、789、111、999。七对不算。"),
    "qi_dui": N_("没有碰杠，手里是七个对子。四张相同算两个对子。"),
    "long_qi_dui": N_("七对里至少有一组四张相同的牌，这一组就是龙。"),
    "qing_dui": N_("对对胡，而且只有一门花色。"),
    "jiang_dui": N_("对对胡，而且全部是二、五、八。"),
    "qing_qi_dui": N_("七对，而且只有一门花色。"),
    "qing_long_qi_dui": N_("龙七对，而且只有一门花色。"),
    "qing_yao_jiu": N_("带幺九，而且只有一门花色。"),
    "jin_gou_diao": N_("四副全都碰出去或杠出去了，手里只剩一张，等着成将。"),
    "qing_jin_gou_diao": N_("金钩钓，而且只有一门花色。"),
    "qing_shi_ba_luo_han": N_("十八罗汉，而且只有一门花色。"),
    "shi_ba_luo_han": N_("开了四个杠，再加一对将，一共十八张。"),
    "tian_hu": N_("庄家起手的十四张就胡了：算自摸，没有碰杠。"),
    "di_hu": N_("闲家第一次摸牌就自摸胡了，没有碰杠；有的牌桌是胡庄家打出的第一张。"),
    "si_ji": N_("四张幺鸡都到了一个人手里（碰杠里的也算）：不看其他的牌，当场就胡。"),
    "jiang_qi_dui": N_("七对，而且全部是二、五、八。"),
    "jiang_jin_gou_diao": N_("金钩钓，而且全部是二、五、八。"),
    "shuang_long_qi_dui": N_("七对里至少有两组四张相同的牌。"),
    "san_long_qi_dui": N_("七对里有三组四张相同的牌。"),
    "lian_qi_dui": N_("七对只有一门花色，七个数连着，比如 11223344556677。"),
    "jiu_lian": N_("没有碰杠，只有一门花色：1112345678999 再加这一门的任何一张。"),
    "gen": N_("四张相同的牌都在自己这里而没有开杠，每一组算一根。碰了三张、手里还有第四张也算。"),
    "exposed_kong": N_("手里有三张相同的牌，别人打出第四张，拿来开杠。"),
    "added_kong": N_("已经碰了一副，自己又摸到第四张，补在上面。"),
    "concealed_kong": N_("四张相同的牌都是自己摸到的，扣着开杠。"),
    "gang_shang_hua": N_("开杠之后补进来的那张牌正好自摸胡了。"),
    "gang_shang_pao": N_("别人开杠、补牌之后打出来的那张，被你胡了。"),
    "qiang_gang": N_("别人要补杠的那张牌，正好是你胡的牌：杠不成立，由他付钱。"),
    "hai_di": N_("胡的是牌墙的最后一张，或者最后一张摸走之后打出来的那张。"),
    "wu_ji": N_("打幺鸡任用时，手牌和碰杠里一张幺鸡也没有。"),
    "men_qing_zi_mo": N_("没有碰、直杠、补杠而自摸胡牌。暗杠不影响。"),
    "ma": N_("胡牌之后翻开的马，每有一张指到胡家就加一次。"),
    "men_qing": N_("没有碰、直杠、补杠。有暗杠也算，七对也算。"),
    "zhong_zhang": N_("手牌和碰杠里没有一，也没有九。"),
    "yi_tiao_long": N_("同一门花色的 123、456、789 三副都在手里。"),
    "jia_xin_wu": N_("胡的那张是五，夹在四和六中间成顺子。"),
    "ka_er_tiao": N_("胡的那张是二条，夹在一条和三条中间成顺子。"),
    "ban_ban_gao": N_("两副一模一样的顺子。同样的顺子每两副算一次。"),
    "dan_diao": N_("胡的那张配成了将。七对不算。"),
    "ka_zhang": N_("胡的那张夹在一副顺子的中间。夹心五、卡二条开着时另外再算。"),
    "bian_zhang": N_("胡的那张是 123 里的三，或者 789 里的七。"),
    "jue_zhang": N_("胡的是最后一张：另外三张都已经亮在桌上。"),
    "zi_mo": N_("自摸时多算的番。打“自摸加番”的牌桌才有，默认一番。"),
}


if lacking := TERMS.keys() - DEFINITIONS.keys():
    raise LookupError(f"calculator/words/glossary.py lacks definitions of: {', '.join(lacking)}")


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule that is no term: an option, a payment, or a word that players need.

    `option` is the option of the rule files that it explains, if any; `group` as in the sheet, or
    `pay` for who pays a win and `word` for words.
    """

    id: str
    name: str
    group: str
    text: str
    aliases: tuple[str, ...] = ()
    option: str | None = None


def _options(*, at_the_walls_end: bool) -> Iterator[Rule]:
    """The options of the last group, or of those before it; a table of options is one."""
    for name, group in {p.partition(".")[0]: o.group for p, o in engine.OPTIONS.items()}.items():
        if name != "fans" and (group == "wall") == at_the_walls_end:
            words = WORDS[name]
            title = words.title or words.name
            yield Rule(name, title, group, words.text, words.aliases, option=name)


#: Everything that has a page and is no term, in the order of the rules.
RULES: dict[str, Rule] = {
    rule.id: rule
    for rule in (
        Rule(
            "fan",
            N_("番、倍、底"),
            "word",
            N_("番是规则自己数的数；倍是这手牌值几个底；底是一倍的钱或分。收的分等于底乘以倍。"),
        ),
        Rule(
            "void",
            N_("定缺"),
            "word",
            N_("胡牌时最多只能有两门花色。开局说定不要的那一门，手里还有一张就不能胡。"),
            (N_("缺一门"),),
        ),
        Rule(
            "ready",
            N_("下叫"),
            "word",
            N_("再来一张就能胡，叫下叫。胡得最大的那一张是大叫，最小的是小叫。"),
            (N_("听牌"), N_("有叫")),
        ),
        Rule(
            "win",
            N_("胡"),
            "word",
            N_("四副加一对将，或者没有碰杠的七个对子，并且缺一门。"),
            (N_("和牌"), N_("割"), N_("糊")),
        ),
        Rule(
            "groups",
            N_("顺子、刻子、将"),
            "word",
            N_(
                "同一门花色里三个数连着的是顺子，三张一样的是刻子，各算一副；"
                "和四副配在一起的那一对叫将。"
            ),
            (N_("对子"), N_("一副")),
        ),
        Rule(
            "pung",
            N_("碰"),
            "word",
            N_("别人打出一张，手里有两张一样的，拿来凑成刻子亮在桌上。凑顺子不能拿别人的牌。"),
        ),
        Rule(
            "kong",
            N_("杠"),
            "word",
            N_("四张一样的牌亮在一起，仍然只算一副，再从牌墙补一张。有直杠、补杠、暗杠三种。"),
            (N_("开杠"),),
        ),
        Rule(
            "wall",
            N_("牌墙"),
            "word",
            N_("扣着码好、大家轮流来摸的牌。摸完时还没有打完，叫流局。"),
            (N_("流局"),),
        ),
        Rule(
            "banker",
            N_("庄家、闲家"),
            "word",
            N_("开局多摸一张、先打牌的人是庄家，其余的人是闲家。"),
        ),
        Rule(
            "miscount",
            N_("相公"),
            "word",
            N_("手牌多了或少了一张，这一局不能再胡。"),
        ),
        *_options(at_the_walls_end=False),
        Rule(
            "discard",
            N_("点炮"),
            "pay",
            N_("打出来的牌被别人胡了，由打的人一个人付。"),
            (N_("放炮"),),
        ),
        Rule(
            "self_draw",
            N_("自摸"),
            "pay",
            N_("胡的牌是自己摸到的，其余还在打的各家都要付。"),
        ),
        Rule(
            "rob_kong",
            N_("抢杠的付法"),
            "pay",
            N_("补杠的那张被抢，由补杠的人一个人付；这个杠作废，不收杠钱也不加番。"),
        ),
        Rule(
            "shared_discard",
            N_("一炮多响"),
            "pay",
            N_("一张牌同时有几家胡，点炮的人给每一家都付全数。"),
        ),
        *_options(at_the_walls_end=True),
        Rule(
            "waived",
            N_("最后四张"),
            "wall",
            N_("牌墙剩最后四张时放过了能胡的牌，查叫和补差价就收不到，该付的仍然要付。"),
        ),
        Rule(
            "escape_points",
            N_("逃跑"),
            "wall",
            N_("没有胡就离开的人，赔给其余没胡的每一家，这一局到此为止。胡了再走的要退回所赢。"),
        ),
        Rule(
            "payment",
            N_("约定付款"),
            "pay",
            N_(
                "牌桌自己说好的钱，直接按分记：谁付给谁多少，可以写明是为什么。开局到结束之后都能记。"
            ),
        ),
        Rule(
            "dealer",
            N_("下局谁坐庄"),
            "wall",
            N_(
                "第一个胡牌的人下局坐庄；第一次胡就是一炮多响，由点炮的人坐庄；没有人胡，庄家不动。"
            ),
        ),
    )
}

GROUPS: dict[str, str] = {
    "pattern": N_("牌型"),
    "bonus": N_("加番"),
    "house": N_("家规：哪套规则都没有，牌桌可以打开"),
    **texts.OPTION_GROUPS,
    "pay": N_("谁付钱"),
    "word": N_("说法"),
}


def kind_of(term: Term) -> str:
    """The group of a term on the rules pages: `pattern`, `bonus` or `house`."""
    return "house" if term.house else term.kind


def name_id(key: str) -> str:
    """The Chinese name of a term or rule."""
    return TERMS[key].name if key in TERMS else RULES[key].name


def names(key: str) -> tuple[str, ...]:
    """Every Chinese name of a term or rule, its own first."""
    if key in TERMS:
        return (TERMS[key].name, *TERMS[key].aliases)
    return (RULES[key].name, *RULES[key].aliases)


def others(key: str) -> list[str]:
    """What else a term or rule is called, in the active language; nothing twice."""
    own, *more = map(gettext, names(key))
    return [name for name in dict.fromkeys(more) if name != own]


def text_id(key: str) -> str:
    """What a term or rule means, as a message id."""
    return DEFINITIONS[key] if key in TERMS else RULES[key].text


def ids() -> tuple[str, ...]:
    """Everything that has a page of its own: terms, then the other rules."""
    return (*TERMS, *RULES)


# How the terms hang together, read off the table of terms.


def _needs(target: Target) -> Target:
    """The same shapes with what goes without saying written out: melds are no chows."""
    if target.konged:
        target = replace(target, melded=True)
    return replace(target, chows=False) if target.melded else target


def contains(term: Term, other: Term) -> bool:
    """Whether every hand with `term` also has `other`.

    >>> contains(TERMS["qing_dui"], TERMS["dui_dui_hu"])
    True
    >>> contains(TERMS["dui_dui_hu"], TERMS["qing_dui"])
    False
    """
    if term is other or term.target is None or other.target is None:
        return False
    if term.target.jokers or other.target.jokers:
        return False
    mine, theirs, free = _needs(term.target), _needs(other.target), Target()
    for name in (field.name for field in fields(Target)):
        want, have, default = (getattr(t, name) for t in (theirs, mine, free))
        if want in (default, have):
            continue
        if name == "quads" and have > want:
            continue
        # 二五八 has no 一 and no 九.
        if name == "ranks" and have is not None and {*have.ranks} <= {*want.ranks}:
            continue
        # Seven pairs and 九莲 have no meld at all.
        if name == "closed" and (mine.form == "seven_pairs" or mine.whole):
            continue
        return False
    return True


def included(term: Term) -> list[Term]:
    """The patterns that every hand with a term has as well, 平胡 left out."""
    return [other for other in PATTERNS if other.id != PING_HU and contains(term, other)]


def outgrown(term: Term) -> list[Term]:
    """The patterns that have this term in them."""
    return [other for other in PATTERNS if contains(other, term)]


def pure_form(term: Term) -> Term | None:
    """The 清 form of a pattern, the same in one suit; None where there is none.

    >>> pure_form(TERMS["jin_gou_diao"]).id
    'qing_jin_gou_diao'
    """
    if term.target is None or term.target.pure or term.kind != "pattern" or term.id == PING_HU:
        return None
    wanted = replace(term.target, pure=True)
    return next((other for other in PATTERNS if other.target == wanted), None)


def absorbed_by(term: Term) -> list[Term]:
    """The patterns that swallow a 根 or a kong."""
    if term.id == GEN:
        return [other for other in PATTERNS if other.absorbs_quads]
    if term.id in KONGS:
        return [other for other in PATTERNS if other.absorbs_kongs]
    return []


#: The way of winning that a term speaks of.
_CIRCUMSTANCES: dict[str, Win] = {
    "gang_shang_hua": Win(SELF_DRAW, after_kong=KONGS[0]),
    "gang_shang_pao": Win(DISCARD, kong_discard=True),
    "qiang_gang": Win(ROB_KONG),
    **{blessing: Win(SELF_DRAW, blessing=blessing) for blessing in BLESSINGS},
    "men_qing_zi_mo": Win(SELF_DRAW),
    "zi_mo": Win(SELF_DRAW),
}


def excluded_by(term: Term) -> list[Term]:
    """The terms that can never stand beside this one because of how the hand was won."""
    mine = _CIRCUMSTANCES.get(term.id)
    if mine is None:
        return []
    return [
        TERMS[other]
        for other, theirs in _CIRCUMSTANCES.items()
        if other != term.id and not any(_together(mine, theirs, rules) for rules in _systems())
    ]


def _together(mine: Win, theirs: Win, rules: engine.Rules) -> bool:
    """Whether a win can be both under some rules, whatever the hand."""
    ways = {mine.by, theirs.by}
    if (len(ways) > 1 and SELF_DRAW in ways) or {mine.blessing, theirs.blessing} == set(BLESSINGS):
        return False
    both = replace(
        mine,
        by=ROB_KONG if ROB_KONG in ways else mine.by,
        after_kong=mine.after_kong or theirs.after_kong,
        kong_discard=mine.kong_discard or theirs.kong_discard,
        blessing=mine.blessing or theirs.blessing,
    )
    clashes = {"blessing_with_kong_bonus", "kong_discard_not_discard"}
    return clashes.isdisjoint(impossible(Query(rules, Hand(), both)))


def _systems() -> list[engine.Rules]:
    return [engine.load(ruleset) for ruleset in engine.ids()]


def playing(term: Term) -> list[engine.Rules]:
    """The systems in which a term counts; where it is the tables' own, all, as any may take it."""
    found = [rules for rules in _systems() if term.id in rules.fans]
    return found or _systems()


def entries() -> Iterator[tuple[str, list[str]]]:
    """Groups of ids in the order of the index: patterns, bonuses, options, payments, words."""
    for group in GROUPS:
        members = [t.id for t in TERMS.values() if kind_of(t) == group]
        members += [r.id for r in RULES.values() if r.group == group]
        if members:
            yield group, members
