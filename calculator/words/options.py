"""What the options are called, one row each: the rules pages, the house-rule sheet and the badge
read it, and an option without its words stops the start.

Everything is a simplified Chinese message id.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext

from scoring import rules
from scoring.addresses.hand import write_value
from scoring.patterns import TERMS
from scoring.words import N_


@dataclass(frozen=True, slots=True)
class Words:
    """The words of an option, or of a table of options (`pig`).

    `text` says what it means, on its page and in the sheet; that of a table stands for all in it.
    `choices` are its values as the sheet says them, `short` in a few words for the badge; each by
    the value as an address writes it, any other number as `n`; `brief` in a word or two, beside its
    name. `title` is what its page is called where that is not its name.
    """

    name: str
    text: str = ""
    choices: Mapping[str, str] = field(default_factory=dict)
    short: Mapping[str, str] = field(default_factory=dict)
    brief: Mapping[str, str] = field(default_factory=dict)
    aliases: tuple[str, ...] = ()
    title: str = ""


YES_OR_NO = {"on": N_("是"), "off": N_("否")}

WORDS: dict[str, Words] = {
    "players": Words(
        N_("几个人打"),
        N_("几个人一桌。三个人、两个人打时，各家都付就是剩下的那几家付，庄家轮换也只数这几家。"),
        aliases=(N_("三人麻将"), N_("二人麻将")),
        choices={"4": N_("四个人"), "3": N_("三个人"), "2": N_("两个人")},
        short={"4": N_("四人"), "3": N_("三人"), "2": N_("二人")},
    ),
    "suits": Words(
        N_("用几门牌"),
        N_(
            "一百零八张牌：万、筒、条各一到九，每样四张，没有字牌，不能吃。条又叫索，筒又叫饼。只用两门就是七十二张：不用定缺，也没有花猪。"
        ),
        choices={"3": N_("三门：万、筒、条"), "2": N_("两门，一家都不缺")},
        short={"3": N_("三房"), "2": N_("两房")},
        title=N_("万、筒、条"),
    ),
    "sets": Words(
        N_("胡牌要几副"),
        N_(
            "胡牌要几副加一对将：四副是十四张，三副是十一张，两副是八张，平时少拿一张。两副时七对变成四对，三副时没有对子胡；金钩钓、十八罗汉也跟着少几组。"
        ),
        aliases=(N_("七张麻将"), N_("十张麻将")),
        choices={
            "4": N_("四副一对，十四张胡"),
            "3": N_("三副一对，十一张胡"),
            "2": N_("两副一对，八张胡"),
        },
        short={"4": N_("十三张"), "3": N_("十张"), "2": N_("七张")},
    ),
    "scale": Words(
        N_("番与倍"),
        N_("翻倍的打法里每多一番，付的钱翻一倍；另一种打法里番数本身就是倍数。"),
        choices={"double": N_("每番翻倍"), "linear": N_("番数就是倍数")},
        short={"double": N_("每番翻倍"), "linear": N_("番即是倍")},
    ),
    "blessing_adds": Words(
        N_("天胡、地胡另加番"),
        N_("关着时，天胡、地胡和牌型比大小，只算大的；打开后加在牌型之上。"),
        choices=YES_OR_NO,
        short={"on": N_("天地胡另加"), "off": N_("天地胡不另加")},
    ),
    "blessing_alone": Words(
        N_("天胡、地胡只算自己"),
        N_("打开后，天胡、地胡的牌只算天胡、地胡那一项，牌型、根、杠都不再加，也不比大小。"),
        choices=YES_OR_NO,
        short={"on": N_("天地胡只算自己"), "off": N_("天地胡照比")},
    ),
    "di_hu_by": Words(
        N_("怎样算地胡"),
        N_("地胡是闲家第一张摸到就胡；有的牌桌是庄家打出的第一张就胡，或者两样都算。"),
        aliases=(N_("庄点地胡"),),
        choices={
            "self_draw": N_("第一张摸到就胡"),
            "first_discard": N_("胡庄家打的第一张"),
            "both": N_("两样都算"),
        },
        short={
            "self_draw": N_("地胡靠自摸"),
            "first_discard": N_("庄点地胡"),
            "both": N_("地胡两样都算"),
        },
    ),
    "excludes": Words(
        N_("有这个牌型就不再加"),
        N_(
            "有的牌桌规定：某个加番不和某些牌型同算。先写加番，再用短横接上牌型；"
            "几条之间用点隔开，都写代号。例如 zhong_zhang-jiang_dui：将对不再加中张。"
        ),
        choices={"off": N_("没有")},
        short={"off": N_("没有不同算的"), "n": N_("有不同算的加番")},
    ),
    "joker": Words(
        N_("任用牌"),
        N_(
            "四张一条（幺鸡），或者另加的四张红中，可以当任何一张牌，自己不算一门花色。打出来或换出去都不行。四张幺鸡到了一个人手里当场就胡，四张红中不算。"
        ),
        aliases=(N_("幺鸡任用"), N_("红中"), N_("任用"), N_("听用"), N_("赖子"), N_("癞子")),
        choices={
            "1s": N_("四张一条都是任用牌"),
            "zhong": N_("另加四张红中，都是任用牌"),
            "off": N_("无"),
        },
        short={"1s": N_("幺鸡任用"), "zhong": N_("红中任用"), "off": N_("没有任用")},
    ),
    "base": Words(
        N_("底"),
        N_("一倍付多少钱或多少分。所有付款都是它的倍数。"),
        aliases=(N_("底分"), N_("底钱")),
        short={"n": N_("底%(n)s")},
    ),
    "cap": Words(
        N_("封顶"),
        N_("番数最多算到几番，超过的不再加钱。杠钱从不封顶。"),
        aliases=(N_("极品"), N_("满番"), N_("上限")),
        choices={"off": N_("不封顶"), "n": N_("%(n)s 番")},
        short={"off": N_("不封顶"), "n": N_("%(n)s番封顶")},
        brief={"off": N_("不封"), "n": N_("%(n)s番")},
    ),
    "min_fan": Words(
        N_("起胡"),
        N_("胡牌至少要几番，封顶之前数。不够就不能胡，仍然算有叫，查叫照它的番数算。"),
        aliases=(N_("几番起胡"),),
        choices={"off": N_("不限"), "n": N_("%(n)s 番")},
        short={"off": N_("不限起胡"), "n": N_("%(n)s番起胡")},
    ),
    "self_draw_bonus": Words(
        N_("自摸"),
        N_("自摸胡牌时的额外好处：每家多付一个底，或者多算一番，或者付两倍，或者没有。"),
        choices={
            "none": N_("不加"),
            "base": N_("加底：每家多付一个底，不受封顶限制"),
            "fan": N_("加番，受封顶限制"),
            "base_capped": N_("加底：每家多付一个底，不超过封顶"),
            "double": N_("翻倍：每家付两倍，不受封顶限制"),
        },
        short={
            "none": N_("自摸不加"),
            "base": N_("自摸加底"),
            "fan": N_("自摸加番"),
            "base_capped": N_("自摸加底不过顶"),
            "double": N_("自摸翻倍"),
        },
        brief={
            "none": N_("不加"),
            "base": N_("加底"),
            "fan": N_("加番"),
            "base_capped": N_("加底不过顶"),
            "double": N_("翻倍"),
        },
    ),
    "kong_points": Words(
        N_("杠钱"),
        N_(
            "开杠当场就收钱，以底为单位：直杠、补杠叫刮风，暗杠叫下雨。直杠由点杠的人付，补杠和暗杠由其余还在打的各家付；有的牌桌直杠时另外两家也付，叫擦挂。"
        ),
    ),
    "kong_points.exposed": Words(
        N_("直杠，点杠者付"),
        choices={"n": N_("%(n)s 底")},
        short={"n": N_("直杠%(n)s底")},
    ),
    "kong_points.exposed_others": Words(
        N_("直杠，另外两家各付（擦挂）"),
        choices={"n": N_("%(n)s 底")},
        short={"n": N_("擦挂%(n)s底")},
    ),
    "kong_points.added": Words(
        N_("补杠，各家付"),
        choices={"n": N_("%(n)s 底")},
        short={"n": N_("补杠%(n)s底")},
    ),
    "kong_points.concealed": Words(
        N_("暗杠，各家付"),
        choices={"n": N_("%(n)s 底")},
        short={"n": N_("暗杠%(n)s底")},
    ),
    "late_added_kong_free": Words(
        N_("不是刚摸到的补杠不收钱"),
        N_("碰过的牌，第四张不是当轮刚摸到的，这时补杠不收钱，番照样算。"),
        choices=YES_OR_NO,
        short={"on": N_("迟补杠不收"), "off": N_("迟补杠照收")},
    ),
    "kong_in_out": Words(
        N_("杠进杠出"),
        N_("自己开的杠，胡牌时给自己加番；别人胡牌或查叫时，自己也按同样的番数多付。"),
        choices=YES_OR_NO,
        short={"on": N_("杠进杠出"), "off": N_("杠进不杠出")},
    ),
    "kong_transfer": Words(
        N_("杠上炮的杠钱"),
        N_("开杠之后打出来的牌点了炮，杠收的钱怎么办：转给胡家、平分、退回或不动。"),
        aliases=(N_("呼叫转移"),),
        choices={
            "each": N_("全数转给每个胡家"),
            "split": N_("由各胡家平分"),
            "undo": N_("退还给付钱的人"),
            "none": N_("不转"),
            "all": N_("还在手里的杠钱全部转给每个胡家"),
        },
        short={
            "each": N_("杠钱全转"),
            "split": N_("杠钱平分"),
            "undo": N_("杠钱退回"),
            "none": N_("杠钱不转"),
            "all": N_("杠钱全部转"),
        },
        brief={
            "each": N_("每家全转"),
            "split": N_("平分"),
            "undo": N_("退回"),
            "none": N_("不转"),
            "all": N_("手里的全转"),
        },
    ),
    "kong_transfer_several": Words(
        N_("一炮多响也转杠钱"),
        N_("杠上炮一炮多响时，杠钱还转不转。退回的打法不受它影响。"),
        choices=YES_OR_NO,
        short={"on": N_("多响也转杠钱"), "off": N_("多响不转杠钱")},
    ),
    "kong_discard_robbed": Words(
        N_("被抢的补杠也算杠上炮"),
        N_(
            "开杠之后不打出去，又拿一张去补杠，被人抢了：除了抢杠，也按杠上炮算，前一杠照样转或退。"
        ),
        choices=YES_OR_NO,
        short={"on": N_("抢杠也算杠上炮"), "off": N_("抢杠不算杠上炮")},
    ),
    "bloom": Words(
        N_("点杠花"),
        N_("直杠之后补牌自摸，谁来付：各家都付，或者点杠的人包赔，或者只由他付一家的。"),
        aliases=(N_("点杠杠上花"),),
        choices={
            "self_draw": N_("算自摸，各家都付"),
            "discard": N_("算点炮，点杠者付"),
            "giver_pays_all": N_("算自摸，点杠者包赔"),
            "giver_self_draw": N_("算自摸，只由点杠者付一家的"),
        },
        short={
            "self_draw": N_("点杠花各家付"),
            "discard": N_("点杠花算点炮"),
            "giver_pays_all": N_("点杠花包赔"),
            "giver_self_draw": N_("点杠花只付一家"),
        },
        brief={
            "self_draw": N_("各家付"),
            "discard": N_("算点炮"),
            "giver_pays_all": N_("包赔"),
            "giver_self_draw": N_("只付一家"),
        },
    ),
    "blood_flow": Words(
        N_("血流：胡了继续打"),
        N_("胡了的人不离开，接着摸打、接着胡，也接着付，直到牌墙摸完。"),
        choices=YES_OR_NO,
        short={"on": N_("血流"), "off": N_("不打血流")},
    ),
    "round_ends": Words(
        N_("一局结束于"),
        N_("一局什么时候结束。牌墙摸完总是结束。"),
        choices={"three_wins": N_("三家胡牌"), "wall": N_("摸完牌"), "first_win": N_("第一家胡牌")},
        short={"three_wins": N_("三家胡完"), "wall": N_("打到摸完"), "first_win": N_("一家胡完")},
    ),
    "pig": Words(
        N_("查花猪"),
        N_("牌墙摸完时手里还有三门花色，或者还留着定缺的那一门，就是花猪，要先赔钱。花猪之间互不赔。"),
        aliases=(N_("查卫生"), N_("查三花")),
    ),
    "pig.points": Words(
        N_("花猪赔"),
        choices={"cap": N_("极品（封顶的倍数）"), "n": N_("%(n)s 底")},
        short={"cap": N_("花猪赔极品"), "n": N_("花猪%(n)s底")},
    ),
    "pig.times_best": Words(
        N_("花猪赔对方最大叫的倍数"),
        choices={"0": N_("不按对方的叫赔"), "n": N_("%(n)s 倍")},
        short={"n": N_("花猪%(n)s倍叫")},
    ),
    "pig.to": Words(
        N_("花猪赔给"),
        choices={
            "non_pigs": N_("所有不是花猪的人"),
            "unwon": N_("未胡的人"),
            "ready": N_("有叫的人"),
            "nobody": N_("不给任何人（罚分）"),
        },
        short={
            "non_pigs": N_("花猪赔各家"),
            "unwon": N_("花猪赔未胡的"),
            "ready": N_("花猪赔有叫的"),
            "nobody": N_("花猪罚分"),
        },
    ),
    "pig.also_not_ready": Words(
        N_("花猪也要查叫"),
        choices=YES_OR_NO,
        short={"on": N_("花猪也查叫"), "off": N_("花猪不查叫")},
    ),
    "call_check": Words(
        N_("查叫"),
        N_("牌墙摸完时，没叫的人赔给每一个有叫的人：对方最大的叫值多少就赔多少，查小叫按最小的。"),
        aliases=(N_("吃包子"),),
        choices={"max": N_("查大叫"), "min": N_("查小叫"), "none": N_("不查")},
        short={"max": N_("查大叫"), "min": N_("查小叫"), "none": N_("不查叫")},
    ),
    "call_check_winners": Words(
        N_("已胡的人也收查叫"),
        N_("牌墙摸完查叫时，已经胡牌的人按自己胡的番数也来收。"),
        choices=YES_OR_NO,
        short={"on": N_("胡家也收查叫"), "off": N_("胡家不收查叫")},
    ),
    "check_by": Words(
        N_("查叫按什么算"),
        N_("查叫、补差价时，有叫的牌按点炮的价值算，还是按自摸的价值算。"),
        choices={"discard": N_("按点炮算"), "self_draw": N_("按自摸算")},
        short={"discard": N_("查叫按点炮"), "self_draw": N_("查叫按自摸")},
    ),
    "check_kongs": Words(
        N_("查叫算自己的杠"),
        N_("查叫时，有叫的人自己开的杠算不算番。关掉后只算牌型和根。"),
        choices=YES_OR_NO,
        short={"on": N_("查叫算杠"), "off": N_("查叫不算杠")},
    ),
    "passive_pig": Words(
        N_("被动花猪"),
        N_("一直只打定缺的那一门，到最后也没打完，叫被动花猪：和花猪一样赔，还是只当没叫。"),
        choices={"pig": N_("也是花猪"), "not_ready": N_("只算没叫")},
        short={"pig": N_("被动花猪也赔"), "not_ready": N_("被动花猪算没叫")},
    ),
    "difference": Words(
        N_("补差价"),
        N_("牌墙摸完时都下了叫的人之间，听得小的把差额补给听得大的。"),
        aliases=(N_("差价"),),
        choices=YES_OR_NO,
        short={"on": N_("补差价"), "off": N_("不补差价")},
    ),
    "refund": Words(
        N_("退税"),
        N_("牌墙摸完时没叫的人和花猪，把这一局还在自己手里的杠钱退给当初付钱的人。"),
        choices=YES_OR_NO,
        short={"on": N_("退税"), "off": N_("不退税")},
    ),
    "dead_waits": Words(
        N_("死叫"),
        N_("听的那张牌四张都在自己手里和碰杠里，再也摸不到：算不算有叫。按看得见的算，别人打出来的也数。"),
        choices={
            "exclude": N_("自己已有四张的牌不算叫"),
            "exposed_count": N_("碰杠用尽的牌仍算叫"),
            "seen": N_("自己的和桌上已见的凑满四张，就不算叫"),
        },
        short={
            "exclude": N_("死叫不算"),
            "exposed_count": N_("死叫也算"),
            "seen": N_("看尽的不算叫"),
        },
    ),
    "next_dealer": Words(
        N_("下一局的庄家"),
        N_("下一局由第一个胡牌的人坐庄，还是每局轮到下家。"),
        aliases=(N_("轮庄"),),
        choices={"first_winner": N_("第一个胡牌的人"), "rotate": N_("每局轮到下家")},
        short={"first_winner": N_("先胡的坐庄"), "rotate": N_("轮流坐庄")},
    ),
    "nobody_won": Words(
        N_("没有人胡时谁坐庄"),
        N_("没有人胡的时候，庄家接着坐，还是轮到下家。"),
        aliases=(N_("连庄"),),
        choices={"stays": N_("庄家不动"), "next": N_("轮到下家")},
        short={"stays": N_("流局连庄"), "next": N_("流局下庄")},
    ),
    "false_win": Words(
        N_("诈和"),
        N_("喊了胡却没有胡：赔未胡的每一家或者罚分，这一局不再参与，后面不付也不收。"),
        aliases=(N_("诈胡"), N_("炸胡"), N_("错胡")),
    ),
    "false_win.points": Words(
        N_("诈和赔"), choices={"n": N_("%(n)s 底")}, short={"n": N_("诈和%(n)s底")}
    ),
    "false_win.to": Words(
        N_("诈和赔给"),
        choices={"unwon": N_("未胡的每一家"), "nobody": N_("不给任何人（罚分）")},
        short={"unwon": N_("诈和赔未胡的"), "nobody": N_("诈和罚分")},
    ),
    "false_win.returns_kongs": Words(
        N_("诈和的人退回杠钱"),
        choices=YES_OR_NO,
        short={"on": N_("诈和退杠钱"), "off": N_("诈和不退杠钱")},
    ),
    # No options, but said of a system.
    "fans": Words(N_("番种")),
    "escape_points": Words(
        N_("逃跑，付未胡者每家"), choices={"off": N_("无"), "n": N_("%(n)s 底")}
    ),
    "dealer": Words(N_("一炮多响之后谁坐庄")),
    "pig.kong_in_out": Words(N_("花猪也按杠进杠出")),
}


def name(path: str) -> str:
    """The name of an option; an unknown one stands for itself.

    >>> name("pig.to")
    '花猪赔给'
    """
    return gettext(WORDS[path].name) if path in WORDS else path


def _said(table: Mapping[str, str], value: Any) -> str:
    written = write_value(value)
    sentence = table.get(written) or table.get("n")
    return gettext(sentence) % {"n": written} if sentence else written


def value_said(path: str, value: Any) -> str:
    """The value of an option, as people say it.

    >>> value_said("call_check", "max"), value_said("cap", 4)
    ('查大叫', '4 番')
    """
    return _said(WORDS[path].choices, value)


def value_in_short(path: str, value: Any) -> str:
    """The same in the few words of a badge.

    >>> value_in_short("refund", False), value_in_short("cap", 4)
    ('不退税', '4番封顶')
    """
    return _said(WORDS[path].short, value)


def value_in_brief(path: str, value: Any) -> str:
    """The same beside the option's name.

    >>> value_in_brief("cap", 4), value_in_brief("players", 3)
    ('4番', '三人')
    """
    return _said(WORDS[path].brief or WORDS[path].short, value)


def excluded(written: str) -> str:
    """What `excludes` says, as an address writes it, in a player's words.

    >>> excluded("zhong_zhang-jiang_dui.gen-qi_dui-qing_dui")
    '中张不和将对同算，根不和七对、清对同算'
    """
    rows = [row.split("-") for row in written.split(".")]
    return gettext("，").join(
        gettext("%(bonus)s不和%(patterns)s同算")
        % {"bonus": _term(bonus), "patterns": gettext("、").join(map(_term, patterns))}
        for bonus, *patterns in rows
    )


def _term(key: str) -> str:
    return gettext(TERMS[key].name)


def _lacking() -> Iterator[str]:
    """The options that cannot be named, explained or said with every value that they take."""
    for path, option in rules.OPTIONS.items():
        own, whole = WORDS.get(path), WORDS.get(path.partition(".")[0])
        if path.startswith("fans."):
            continue
        if own is None or whole is None or not whole.text:
            yield path
            continue
        values = {write_value(value) for value in option.takes.also}
        numbers = {"n"} if option.takes.high is not None else set()
        if not values <= own.choices.keys() or not values | numbers <= own.short.keys():
            yield path


if found := list(_lacking()):
    raise LookupError(f"calculator/words/options.py lacks words of: {', '.join(found)}")
