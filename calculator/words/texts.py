"""Ids into words: the only place where the engine's codes become something people read.

The engine answers in ids, codes and numbers.  `localise` adds a `name` to every term and rule
system and a `message` to every error, warning and note, in the active language.  The tables below
hold simplified Chinese message ids; each is a whole sentence or a whole name.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from django.utils.translation import get_language, gettext, ngettext, pgettext

from calculator.words import options
from scoring import rules
from scoring.patterns import TERMS
from scoring.words import N_, plain, shortened

TILES: dict[str, str] = {
    "1m": N_("一万"),
    "2m": N_("二万"),
    "3m": N_("三万"),
    "4m": N_("四万"),
    "5m": N_("五万"),
    "6m": N_("六万"),
    "7m": N_("七万"),
    "8m": N_("八万"),
    "9m": N_("九万"),
    "1p": N_("一筒"),
    "2p": N_("二筒"),
    "3p": N_("三筒"),
    "4p": N_("四筒"),
    "5p": N_("五筒"),
    "6p": N_("六筒"),
    "7p": N_("七筒"),
    "8p": N_("八筒"),
    "9p": N_("九筒"),
    "1s": N_("一条"),
    "2s": N_("二条"),
    "3s": N_("三条"),
    "4s": N_("四条"),
    "5s": N_("五条"),
    "6s": N_("六条"),
    "7s": N_("七条"),
    "8s": N_("八条"),
    "9s": N_("九条"),
    "7z": N_("红中"),
}

SUITS: dict[str, str] = {"m": N_("万"), "p": N_("筒"), "s": N_("条")}

MELDS: dict[str, str] = {
    "pung": N_("碰"),
    "exposed_kong": N_("直杠"),
    "added_kong": N_("补杠"),
    "concealed_kong": N_("暗杠"),
}

WAYS: dict[str, str] = {
    "discard": N_("点炮"),
    "self_draw": N_("自摸"),
    "rob_kong": N_("抢杠"),
}

STATUSES: dict[str, str] = {
    "win": N_("胡了"),
    "ready": N_("听牌"),
    "not_won": N_("没有胡"),
    "not_ready": N_("还没有听"),
    "incomplete": N_("牌还没有输完"),
    "error": N_("有问题"),
    "settled": N_("已结算"),
}

#: Who pays for a win, in one sentence per kind of payment.
PAYERS: dict[str, str] = {
    "discarder": N_("点炮者付 %(amount)s"),
    "robbed": N_("被抢杠者付 %(amount)s"),
    "giver": N_("点杠者付 %(amount)s"),
    "each_other": N_("其余 %(players)s 家各付 %(amount)s"),
}

#: Why money changes hands in a round.
REASONS: dict[str, str] = {
    "exposed_kong": N_("直杠"),
    "added_kong": N_("补杠"),
    "concealed_kong": N_("暗杠"),
    "win": N_("胡牌"),
    "kong_transfer": N_("呼叫转移"),
    "kong_undo": N_("退回杠钱"),
    "flower_pig": N_("查花猪"),
    "not_ready": N_("查叫"),
    "difference": N_("补差价"),
    "refund": N_("退税"),
    "escape": N_("逃跑"),
    "false_win": N_("诈和"),
    "agreed": N_("约定付款"),
    "forfeit": N_("退回所赢"),
}

#: How a seat stands at the end of a round.
STATES: dict[str, str] = {
    "won": N_("胡了"),
    "ready": N_("有叫"),
    "not_ready": N_("没叫"),
    "flower_pig": N_("花猪"),
}

OPTION_GROUPS: dict[str, str] = {
    "table": N_("几个人、几门牌、几张牌"),
    "value": N_("番"),
    "cap": N_("封顶"),
    "self_draw": N_("自摸"),
    "kong": N_("杠"),
    "wall": N_("流局"),
    "round": N_("诈和与坐庄"),
}

ERRORS: dict[str, str] = {
    "bad_json": N_("这不是能读的 JSON 对象。"),
    "bad_request": N_("这个请求读不懂。"),
    "too_large": N_("内容太长，最多 %(limit)s 字节。"),
    "method_not_allowed": N_("这个地址只接受 %(allowed)s。"),
    "not_found": N_("没有这个地址。"),
    "bad_field": N_("“%(name)s”的值读不懂。"),
    "bad_notation": N_("“%(text)s”认不出来（第 %(position)s 个字）。"),
    "five_of_a_kind": N_("%(tile_name)s超过了四张。"),
    "too_many_tiles": N_("手牌张数太多。"),
    "too_many_melds": N_("碰杠的组数太多。"),
    "too_many_suits": N_("这张桌只用两门牌，这里有三门。"),
    "unknown_ruleset": N_("没有叫“%(ruleset)s”的规则，也许更新的版本才有。"),
    "unknown_option": N_("没有“%(option)s”这个选项，也许更新的版本才有。"),
    "bad_option": N_("“%(name)s”的值读不懂。"),
    "win_tile_absent": N_("胡的那张%(tile_name)s不在手牌里。"),
    "impossible_win": N_("不可能这样胡牌。"),
    "seat_already_won": N_("%(seat_name)s已经胡了。"),
    "bad_from": N_("付钱的人不对。"),
    "bad_event_order": N_("事件的顺序不对。"),
    "missing_hand": N_("流局时缺%(seat_name)s的牌。"),
    "not_allowed": N_("血流里胡过的人不能直杠。"),
    "not_a_win": N_("%(seat_name)s的牌没有胡。"),
    "impossible_tiles": N_("各家的牌加起来，%(tile_name)s超过了四张。"),
    "too_much_work": N_("要算的牌太多，一次最多算 %(most)s 手。"),
    "more": N_("另有 %(count)s 处没有列出。"),
}

#: What a field of a request or an address is called.
FIELDS: dict[str, str] = {
    "lang": N_("语言"),
    "rules": N_("规则"),
    "ruleset": N_("规则"),
    "opt": N_("家规"),
    "options": N_("家规"),
    "hand": N_("手牌"),
    "hands": N_("各家的牌"),
    "melds": N_("碰杠"),
    "tile": N_("牌"),
    "win_tile": N_("胡的牌"),
    "seen": N_("桌上已见"),
    "by": N_("怎么胡的"),
    "after": N_("杠上花"),
    "after_kong": N_("杠上花"),
    "pao": N_("杠上炮"),
    "kong_discard": N_("杠上炮"),
    "last": N_("海底"),
    "jue": N_("绝张"),
    "last_copy": N_("绝张"),
    "last_tile": N_("海底"),
    "bless": N_("天胡、地胡"),
    "blessing": N_("天胡、地胡"),
    "void": N_("定缺"),
    "horses": N_("马"),
    "payer_kongs": N_("付钱人的杠"),
    "seat": N_("座位"),
    "dealer": N_("庄家"),
    "from": N_("谁给的"),
    "players": N_("名字"),
    "events": N_("一局的记录"),
    "winners": N_("胡家"),
    "fan": N_("番"),
    "jokers": N_("幺鸡张数"),
    "kind": N_("碰杠的种类"),
    "type": N_("这一条记的事"),
    "state": N_("流局时的样子"),
    "waived": N_("最后四张放过了胡牌"),
    "late": N_("不是刚摸到的"),
    "robbed": N_("被抢"),
    "last_four": N_("最后四张之内"),
    "best": N_("各家最大的牌"),
    "to": N_("付给谁"),
    "amount": N_("多少"),
    "note": N_("附言"),
    "passive": N_("被动花猪"),
    # Those of the addresses of a round alone.
    "d": N_("庄家"),
    "n": N_("名字"),
    "e": N_("一局的记录"),
    "a": N_("正在记的这一条"),
    "at": N_("改的是哪一条"),
}

#: What an event of a round is.
EVENTS: dict[str, str] = {
    "kong": N_("杠"),
    "win": N_("胡"),
    "escape": N_("逃跑"),
    "false_win": N_("诈和"),
    "payment": N_("约定付款"),
    "draw": N_("流局"),
}

#: What a field or an option takes, in one sentence, by what the engine expects of it.
EXPECTED: dict[str, str] = {
    "shorter": N_("“%(name)s”写得太长了。"),
    "true|false": N_("“%(name)s”只能是“是”或“否”。"),
    "false": N_("“%(name)s”在这里不能有。"),
    "null": N_("“%(name)s”在这里不能有。"),
    "null beside a hand": N_("写了牌就不用再写“%(name)s”。"),
    "tile": N_("“%(name)s”要写一张牌。"),
    "tiles": N_("“%(name)s”要写牌。"),
    "notation": N_("“%(name)s”要写成牌谱，比如 123万456筒77条。"),
    "list": N_("“%(name)s”要写成一列。"),
    "object": N_("“%(name)s”要写成一组。"),
    "id": N_("“%(name)s”要写规则的代号。"),
    "1s|zhong|null": N_("“%(name)s”只能是一条、红中，或者没有。"),
    "no 7z": N_("这张桌没有红中，“%(name)s”里不能有。"),
    "null with two suits": N_("只用两门牌，不用定缺：“%(name)s”不能写。"),
    "no jokers": N_("这套规则没有幺鸡任用，“%(name)s”里不能有。"),
    "a natural tile in each": N_("“%(name)s”每一副至少要有一张本来的牌。"),
    "the tile named in the hand": N_("“%(name)s”和手牌里写明的不是同一张。"),
    "a list of kong kinds for each payer": N_("“%(name)s”要给每个付钱的人写一列杠。"),
    "at most one list for each payer": N_("“%(name)s”比付钱的人还多。"),
    "each seat once": N_("同一家只能写一次。"),
    "at most four of a kind": N_("“%(name)s”里同一张牌超过了四张。"),
    "{bonus id: [pattern ids]}": N_("“%(name)s”要逐条写：哪个加番，不和哪些牌型同算。"),
    "{id: fan|null}": N_("“%(name)s”要逐项写：每个番种几番，或者不算。"),
    "{exposed, exposed_others, added, concealed}": N_(
        "“%(name)s”要逐项写：直杠、直杠另外两家、补杠、暗杠各付几底。"
    ),
    "{points, times_best, to, also_not_ready}": N_(
        "“%(name)s”要逐项写：赔几底、赔对方最大叫的几倍、赔给谁、还要不要查叫。"
    ),
    "{points, to, returns_kongs}": N_("“%(name)s”要逐项写：赔几底、赔给谁、退不退杠钱。"),
}
#: The same where one number stands in it.
LIMITS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"not with (\S+)"), N_("“%(name)s”不能和“%(other)s”一起用。")),
    (re.compile(r"at most (\d+)"), N_("“%(name)s”最多写 %(most)s 项。")),
    (
        re.compile(r"\d names of at most (\d+) characters"),
        N_("“%(name)s”要每家写一个，每个最多 %(most)s 个字。"),
    ),
    (re.compile(r"at most (\d+) characters"), N_("“%(name)s”最多写 %(most)s 个字。")),
)
#: The same where two numbers stand in it.
RANGES: dict[str, str] = {
    "": N_("“%(name)s”要写 %(low)s 到 %(high)s 的整数。"),
    "|null": N_("“%(name)s”要写 %(low)s 到 %(high)s 的整数，或者不算。"),
    "cap": N_("“%(name)s”要写 %(low)s 到 %(high)s 的整数，或者不封顶。"),
    ", two decimals": N_("“%(name)s”要写 %(low)s 到 %(high)s 的数，最多两位小数。"),
    # These two are how many stand in a list.
    "winners": N_("“%(name)s”要写 %(low)s 到 %(high)s 家。"),
    "one winner": N_("自摸只有一家胡。"),
}
_RANGE = re.compile(r"([\d.]+)\.\.(\d+)(|\|null|, two decimals)")

#: Finer sentences for a code whose error says `why`.
WHY: dict[tuple[str, str], str] = {
    ("bad_notation", "honour"): N_("四川麻将没有字牌，“%(text)s”不能用（第 %(position)s 个字）。"),
    ("bad_json", "repeated_key"): N_("“%(key)s”写了不止一次。"),
    ("bad_notation", "no_suit"): N_("“%(text)s”没有写花色（第 %(position)s 个字）。"),
    ("bad_notation", "no_rank"): N_("花色“%(text)s”没有写数字（第 %(position)s 个字）。"),
    ("bad_notation", "unclosed"): N_("“%(text)s”的括号没有合上（第 %(position)s 个字）。"),
    ("bad_notation", "unopened"): N_("“%(text)s”前面没有左括号（第 %(position)s 个字）。"),
    ("bad_notation", "bad_meld"): N_(
        "“%(text)s”不成碰杠：碰要三张相同，杠要四张相同（第 %(position)s 个字）。"
    ),
    ("bad_notation", "no_tile"): N_("“%(text)s”后面要有一张牌（第 %(position)s 个字）。"),
    ("bad_notation", "which_kong"): N_(
        "“%(text)s”没有说是哪一种：请写直杠、补杠或暗杠（第 %(position)s 个字）。"
    ),
    ("bad_notation", "two_wins"): N_("“%(text)s”：胡的牌只能写一张（第 %(position)s 个字）。"),
    ("bad_notation", "too_long"): N_("写得太长，不会是一手牌。"),
    ("bad_field", "count"): N_("%(seat_name)s的牌张数不对。"),
    ("bad_field", "four_jokers"): N_("%(seat_name)s有四张幺鸡，应该已经胡了。"),
    ("bad_field", "hand_says"): N_("照%(seat_name)s的牌看是“%(state_name)s”，和写的不一样。"),
    ("bad_field", "below_least"): N_("%(seat_name)s的番数低于平胡。"),
    ("bad_field", "winner_is_ready"): N_("血流里%(seat_name)s胡过，算有叫，不会是没叫或花猪。"),
    ("impossible_win", "after_kong_not_self_draw"): N_("杠上花一定是自摸。"),
    ("impossible_win", "after_kong_without_kong"): N_("杠上花要有那种杠，碰杠里没有。"),
    ("impossible_win", "kong_discard_not_discard"): N_("杠上炮一定是点炮。"),
    ("impossible_win", "rob_kong_last_tile"): N_("海底之后没有牌可补，不能补杠，也就没有抢杠。"),
    ("impossible_win", "robbed_tile_held"): N_(
        "抢杠时，别人的碰已占三张，自己手里不会另有一张胡的牌。"
    ),
    ("impossible_win", "joker_not_self_draw"): N_("幺鸡不能打出，也不能补杠，只能自己摸到。"),
    ("impossible_win", "tian_hu_with_meld"): N_("天胡时还没有碰杠。"),
    ("impossible_win", "tian_hu_not_self_draw"): N_("天胡一定是自摸。"),
    ("impossible_win", "tian_hu_not_dealer"): N_("天胡只有庄家才有。"),
    ("impossible_win", "di_hu_with_meld"): N_("地胡时还没有碰杠。"),
    ("impossible_win", "di_hu_not_self_draw"): N_("地胡一定是自摸。"),
    ("impossible_win", "di_hu_not_discard"): N_("这张桌的地胡是胡庄家打出的第一张。"),
    ("impossible_win", "di_hu_dealer"): N_("庄家没有地胡。"),
    ("impossible_win", "blessing_with_kong_bonus"): N_(
        "天胡、地胡不能与杠上花、杠上炮、抢杠同时有。"
    ),
    ("impossible_win", "blessing_refused"): N_("这套规则里庄家的起手牌不能胡，没有天胡。"),
    ("not_allowed", "left"): N_("%(seat_name)s已经离开了。"),
    ("not_allowed", "out"): N_("%(seat_name)s诈和之后不再参与这一局。"),
    ("not_allowed", "locked"): N_("血流里%(seat_name)s胡过之后不能直杠。"),
    ("bad_event_order", "robbed_without_win"): N_("被抢的补杠之后要紧接着抢杠胡。"),
    ("bad_event_order", "after_end"): N_("这一局在此之前已经结束。"),
    ("bad_event_order", "no_robbed_kong"): N_("抢杠胡之前要有一个被抢的补杠。"),
    ("bad_event_order", "no_kong_before"): N_("杠上花、杠上炮之前要紧接着那个杠。"),
}

#: What an answer remarks without being wrong.
NOTES: dict[str, str] = {
    "blessing_unknown": N_("这套规则没有%(term_name)s，不计番。"),
    "term_off": N_("这套规则不计%(term_name)s。"),
    "no_horse_hits": N_("买的马没有中。"),
    "excluded": N_("这张桌%(by_name)s不再加%(term_name)s。"),
    "four_jokers_flat": N_("四幺鸡按定值算，%(term_name)s不另计。"),
    "pattern_outweighed": N_("%(term_name)s不高于手牌本身的番种，只取其一。"),
    "kong_in_out_off": N_("这套规则不是杠进杠出，付钱人的杠不影响数额。"),
    "unknown_field": N_("没有“%(field)s”这个字段，没有用到。"),
    "needs_melds": N_("还要再碰或再杠 %(count)s 副。"),
    "needs_kongs": N_("还要再开 %(count)s 个杠。"),
    "no_pairs_in_this_size": N_("三副一对的牌没有对子胡。"),
    "no_melds_in_this": N_("这个牌型不能有碰杠，已有 %(count)s 组。"),
    "no_melds_in_seven_pairs": N_("七对不能有碰杠。"),
    "open_melds": N_("已经碰过或明杠过，不再是门清。"),
    "melds_in_suits": N_("碰杠已经占了 %(count)s 门花色。"),
    "melds_inside": N_("碰杠里有不带一、九的牌：%(tiles_named)s。"),
    "melds_not_258": N_("碰杠里有二、五、八以外的牌：%(tiles_named)s。"),
    "melds_terminal": N_("碰杠里有一或九：%(tiles_named)s。"),
    "melds_in_void": N_("碰杠里有定缺的花色。"),
    "no_tiles_left": N_("要用的牌已经不够了。"),
    "gen_absorbed": N_("那一组四张已经算在%(by_name)s里，不再算根。"),
    "kongs_absorbed": N_("四个杠已经算在%(by_name)s里，不再另计。"),
    "off_here": N_("这套规则不计%(term_name)s。"),
    "outweighed": N_("%(term_name)s已由番数不低于它的%(by_name)s代替。"),
    "melds_no_seven_pairs": N_("有碰杠，不能算七对。"),
    "capped": N_("原有 %(uncapped_fan)s 番，封顶算 %(cap)s 番。"),
    "kong_not_shown": N_("%(seat_name)s记过的%(kind_name)s，后来亮出的牌里没有。"),
    "waived_not_ready": N_("%(seat_name)s没有叫，“最后四张放过了胡牌”不起作用。"),
}

SEATS: tuple[str, ...] = (N_("东"), N_("南"), N_("西"), N_("北"))


#: How many problems are told one by one in a place.
MOST_PROBLEMS = 3

#: Said when another rule system is chosen.
DROPPED = N_("已换成%(rules)s，去掉了它没有的规则：%(options)s")
#: Said of an address with a parameter that nothing here knows.
NEWER = N_("地址里有这里不认识的部分，没有用上；也许更新的版本才读得懂。")


class _Parameters(dict[str, Any]):
    """What a sentence may ask for; what an error does not carry shows as a question mark."""

    def __missing__(self, key: str) -> str:
        return "?"


def joined(parts: Iterable[str]) -> str:
    """Things one after the other, as the language lists them.

    >>> joined(["刮风", "下雨"])
    '刮风、下雨'
    """
    return gettext("、").join(parts)


def word(table: Mapping[str, str], key: str | None) -> str:
    """The word for an id, in the active language; an unknown id stands for itself."""
    if key is None:
        return ""
    return gettext(table[key]) if key in table else str(key)


def term(key: str) -> str:
    """The name of a term (番种).

    >>> term("qing_yi_se")
    '清一色'
    """
    return gettext(TERMS[key].name) if key in TERMS else str(key)


def term_after(key: str, kong: str) -> str:
    """A term whose value hangs on the kong before it.

    >>> term_after("gang_shang_hua", "exposed_kong")
    '杠上花：直杠之后'
    """
    return gettext("%(term)s：%(kong)s之后") % {"term": term(key), "kong": word(MELDS, kong)}


def tile(key: str) -> str:
    """The name of a tile: `5s` is 五条."""
    return word(TILES, key)


def stands_for(wild: str, key: str) -> str:
    """A joker and the tile that it stands for.

    >>> stands_for("1s", "5p")
    '幺鸡代五筒'
    """
    return gettext("%(joker)s代%(tile)s") % {"joker": joker(wild), "tile": tile(key)}


#: What a tile is called together with how many of it are left, from none to four.
TILES_LEFT = (
    N_("%(tile)s，没有了"),
    N_("%(tile)s，剩一张"),
    N_("%(tile)s，剩两张"),
    N_("%(tile)s，剩三张"),
    N_("%(tile)s，剩四张"),
)


#: The tiles that can be jokers.
JOKERS = ("1s", "7z")


def joker(key: str | None) -> str:
    """A tile in its part as a joker.

    >>> joker("1s")
    '幺鸡'
    """
    return pgettext("任用牌", "幺鸡") if key == "1s" else pgettext("任用牌", "红中")


def joker_wins(key: str | None) -> str:
    """That a drawn joker completes any hand that is ready."""
    return gettext("摸到%(joker)s也胡。") % {"joker": joker(key)}


#: What a joker (任用) is called in a hand.
WILD = N_("%(tile)s（任用）")


def tile_left(key: str, left: int, *, wild: bool = False) -> str:
    """The name of a tile and how many of it are left.

    >>> tile_left("5s", 2)
    '五条，剩两张'
    """
    name = gettext(WILD) % {"tile": tile(key)} if wild else tile(key)
    return gettext(TILES_LEFT[left]) % {"tile": name}


def fans(value: Any) -> str:
    """A term's value in a table: `2`, `2或3` where kinds of kong differ, or nothing."""
    if value is None or isinstance(value, int):
        return "" if value is None else str(value)
    return gettext("或").join(str(fan) for fan in dict.fromkeys(value.values()))


def ruleset(key: str, *, short: bool = False) -> str:
    """The name of a rule system.

    >>> ruleset("laok", short=True)
    '老K'
    """
    if key not in rules.ids():
        return str(key)
    found = rules.load(key)
    return gettext(found.short if short else found.name)


def payment(who: str, *, players: int, amount: str, shares: int = 1) -> str:
    """Who pays for a win, in one sentence; ``shares`` where one pays for several."""
    if shares > 1:
        return gettext("点杠者包付 %(shares)s 家，共 %(amount)s") % {
            "shares": shares,
            "amount": amount,
        }
    if who == "each_other" and players == 1:
        return gettext("一家付 %(amount)s") % {"amount": amount}
    return word(PAYERS, who) % {"players": players, "amount": amount}


#: What an answer may have used of an option whose other part is stated.
_PARTS = {"dealer": N_("下一局谁坐庄"), "kong_in_out": options.WORDS["pig.kong_in_out"].name}


def unstated(key: str) -> str:
    """The name of a value or option that the source of a system does not state."""
    bare = key.removeprefix("fans.")
    return term(bare) if bare in TERMS else options.name(key)


def assumed(key: str) -> str:
    """The name of an id in the `assumed` of an answer."""
    return word(_PARTS, key) if key in _PARTS else unstated(key)


def message(error: Mapping[str, Any], players: Sequence[str] | None = None) -> str:
    """One sentence for an error, warning or note of the engine; `players` names the seats."""
    code = str(error.get("code"))
    parameters = _Parameters(
        {key: plain(value) if isinstance(value, str) else value for key, value in error.items()}
    )
    parameters |= {name: say(error[key]) for key, (name, say) in _SAID.items() if key in error}
    if "text" in error:
        parameters["text"] = shortened(parameters["text"])
    if isinstance(seat := error.get("seat"), int) and 0 <= seat < len(SEATS):
        named = players is not None and seat < len(players)
        parameters["seat_name"] = players[seat] if players and named else gettext(SEATS[seat])
    sentence = WHY.get((code, str(error.get("why"))))
    if sentence is None and code in ("bad_field", "bad_option"):
        return _unfit(error)
    sentence = sentence or ERRORS.get(code) or NOTES.get(code)
    return gettext(sentence) % parameters if sentence else code


#: What the sentences call a parameter of an error, and how it is said.
_SAID: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "at": ("position", lambda at: at + 1),
    "state": ("state_name", lambda state: word(STATES, state)),
    "tile": ("tile_name", lambda key: tile(str(key))),
    "term": ("term_name", lambda key: term(str(key))),
    "by": ("by_name", lambda key: term(str(key))),
    "tiles": ("tiles_named", lambda keys: joined(map(tile, keys))),
    "kind": ("kind_name", lambda kind: word(MELDS, kind)),
}


def listed(errors: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Problems with their sentences: the first few, then how many more there are."""
    shown = [{**error, "message": message(error)} for error in errors[:MOST_PROBLEMS]]
    if more := len(errors) - len(shown):
        rest = ngettext("还有%(n)s处问题", "还有%(n)s处问题", more) % {"n": more}
        shown.append({"code": "more", "message": rest})
    return shown


def field_name(path: str) -> str:
    """What a field is called: `options`, `events[2].winners[0].hand`."""
    last = path.rpartition(".")[2].partition("[")[0]
    return word(FIELDS, last) or path


def option_name(path: str) -> str:
    """What a house rule is called: `cap`, `fans.gen`, `fans.gang_shang_hua.added_kong`.

    >>> option_name("fans.gen")
    '根'
    """
    table, _, inside = path.partition(".")
    return term(inside.partition(".")[0]) if table == "fans" and inside else options.name(path)


def options_named(parts: Iterable[str]) -> str:
    """The house rules of an `opt`, by name; what is none is left out.

    >>> options_named(["fans.gen:2", "cap:4", "hat:1"])
    '根、封顶'
    """
    paths = [part.partition(":")[0] for part in parts]
    named = options.WORDS.keys() | TERMS.keys()
    known = [p for p in paths if p in named or p.removeprefix("fans.").split(".")[0] in named]
    return joined(dict.fromkeys(map(option_name, known)))


def _unfit(error: Mapping[str, Any]) -> str:
    """One sentence for a value that a field or an option does not take."""
    expected = str(error.get("expected", ""))
    option = str(error.get("option", ""))
    name = option_name(option) if option else field_name(str(error.get("field", "")))
    filled = {"name": name}
    if expected in EXPECTED:
        return gettext(EXPECTED[expected]) % filled
    if found := _RANGE.fullmatch(expected):
        kind = "cap" if option == "cap" else found[3]
        if str(error.get("field", "")).endswith(".winners"):
            kind = "one winner" if found[2] == "1" else "winners"
        return gettext(RANGES[kind]) % {**filled, "low": found[1], "high": found[2]}
    for pattern, sentence in LIMITS:
        if found := pattern.fullmatch(expected):
            return gettext(sentence) % {**filled, "most": found[1], "other": option_name(found[1])}
    if "|" in expected:
        known = {**WAYS, **MELDS, **SUITS, **STATES, **EVENTS}
        known |= options.WORDS[option].choices if option in options.WORDS else {}
        known |= {key: row.name for key, row in TERMS.items()}
        choices = [word(known, choice) for choice in expected.split("|") if choice != "null"]
        return gettext("“%(name)s”只能是：%(choices)s。") % {
            **filled,
            "choices": joined(choices),
        }
    return gettext(ERRORS[str(error["code"])]) % filled


def lacking(pattern: Mapping[str, Any]) -> str:
    """What a hand lacks of a pattern, in one sentence: how many tiles, and which to exchange."""
    number = pattern["distance"]
    if number is None:
        return " ".join(message(obstacle) for obstacle in pattern.get("obstacles", ()))
    give, take = pattern.get("give", ()), pattern.get("take", ())
    if give:
        sentence = ngettext(
            "要换 %(number)s 张：打出%(give)s，换成%(take)s。",
            "要换 %(number)s 张：打出%(give)s，换成%(take)s。",
            number,
        )
    else:
        sentence = gettext("要等这些牌：%(take)s。")
    return sentence % {
        "number": number,
        "give": joined(map(tile, give)),
        "take": joined(map(tile, take)),
    }


def localise(answer: Any, players: Sequence[str] | None = None) -> Any:
    """An answer of the engine with `name` and `message` added, in the active language.

    Ids and numbers stay as they are; the answer itself is not changed. `players` are the names
    of the seats, where the table has given them.
    """
    return _with_words(answer, players, get_language() or "")


#: What has parts that may need words, and the keys that bring one.
_NESTED = frozenset((dict, list, tuple))
_WORDED = frozenset(("id", "ruleset", "code", "distance"))


def _with_words(answer: Any, players: Sequence[str] | None, language: str) -> Any:
    if not isinstance(answer, dict):
        if type(answer) not in _NESTED:
            return answer
        return [
            _with_words(part, players, language) if type(part) in _NESTED else part
            for part in answer
        ]
    made: dict[str, Any] = {}
    for key, value in answer.items():
        nested = type(value) in _NESTED and len(value) > 0
        made[key] = _with_words(value, players, language) if nested else value
        if key not in _WORDED:
            continue
        if key == "id" and value in TERMS:
            made["name"] = _named(language, term, value)
        elif key == "ruleset":
            made["name"] = _named(language, ruleset, value)
        elif key == "code":
            made["message"] = message(answer, players)
        elif key == "distance":
            made["message"] = lacking(answer)
    return made


@lru_cache(maxsize=512)
def _named(_language: str, name: Callable[[str], str], key: str) -> str:
    """A name in a language: every line of an answer asks for one."""
    return name(key)


def players_of(request: Mapping[str, Any]) -> list[str] | None:
    """The names of the seats in a request to settle a round; a seat without one has its wind."""
    names = request.get("players")
    if (
        isinstance(names, list)
        and len(names) in (2, 3, 4)
        and all(isinstance(n, str) for n in names)
    ):
        return [plain(n).strip() or gettext(wind) for n, wind in zip(names, SEATS, strict=False)]
    return None
