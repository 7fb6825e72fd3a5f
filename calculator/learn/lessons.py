"""The lessons: a short path from the tiles to why tables differ, as data.

A lesson is a few paragraphs, figures and questions.  Paragraphs are message ids whose placeholders
are filled with :func:`facts` of the reader's rules; figures are hands and rounds that the engine
values under those rules; questions come from the generator.  No number is typed here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from calculator.words import examples
from scoring.addresses.hand import hand_request, write_options
from scoring.contract import score, settle
from scoring.drills import BLOCK, stratum_at
from scoring.hand import ADDED_KONG, BLESSINGS, CONCEALED_KONG, EXPOSED_KONG, KONGS
from scoring.patterns import GEN, PATTERNS, PING_HU
from scoring.rules import Rules, zi_mo_fan
from scoring.words import N_

Json = dict[str, Any]
When = Callable[[Rules], bool]
Claim = Callable[[Json], bool]


def _always(_rules: Rules) -> bool:
    return True


def _any(_answer: Json) -> bool:
    return True


def _not(when: When) -> When:
    return lambda rules: not when(rules)


def _all(*whens: When) -> When:
    return lambda rules: all(when(rules) for when in whens)


def _has(*terms: str) -> When:
    """Under rules that have all of these terms."""
    return lambda rules: all(rules.fan_of(term, KONGS[0]) is not None for term in terms)


def _lacks(*terms: str) -> When:
    return lambda rules: all(rules.fan_of(term, KONGS[0]) is None for term in terms)


@dataclass(frozen=True, slots=True)
class Text:
    """One paragraph, and the rules under which it is true."""

    text: str
    when: When = _always


@dataclass(frozen=True, slots=True)
class Figure:
    """Something to look at: `kind` is `suits`, `ladder`, `hand`, `patterns`, `round` or `systems`.

    `hand` and `how` are parameters of an address without the rules; `events` a round; `reason`
    the payments of the round to mark.  `claim` is what the caption says, asked of the engine's
    answer.
    """

    kind: str
    caption: str = ""
    hand: str = ""
    how: tuple[tuple[str, str], ...] = ()
    events: tuple[Json, ...] = ()
    reason: str = ""
    when: When = _always
    claim: Claim = _any

    def parameters(self, rules: Rules) -> dict[str, str]:
        """The address of the hand under these rules."""
        given = {"rules": rules.id, "hand": self.hand, **dict(self.how)}
        if options := write_options(rules):
            given["opt"] = options
        return given

    def request(self, rules: Rules) -> Json:
        """The round under these rules."""
        return {
            "ruleset": rules.id,
            "options": rules.changes(),
            "dealer": 0,
            "events": list(self.events),
        }

    def holds(self, rules: Rules) -> bool:
        """Whether these rules show what the figure is there for.

        A table's own rules may end a round earlier, not know the payment, or value a hand otherwise
        than the caption says.
        """
        if not self.when(rules):
            return False
        if self.kind == "round":
            answer = settle(self.request(rules))
            return (
                answer["status"] == "settled"
                and any(row["reason"] == self.reason for row in answer["transfers"])
                and self.claim(answer)
            )
        return self.claim is _any or self.claim(score(hand_request(self.parameters(rules))))


@dataclass(frozen=True, slots=True)
class Ask:
    """A question of a lesson: a kind and level of the generator, perhaps a certain stratum."""

    kind: str
    level: int = 1
    topic: str = ""
    twist: str = ""
    shape: str = ""

    def number(self, rules: Rules, seed: str, turn: int) -> int:
        """The number of the question in the seed: the first that shows what is wanted.

        `turn` counts further questions of the same kind.
        """
        found = []
        for number in range(BLOCK):
            stratum = stratum_at(rules, self.kind, self.level, seed, number, self.topic)
            if self.twist in ("", stratum.twist) and self.shape in ("", stratum.shape):
                found.append(number)
        return found[turn % len(found)] if found else turn


@dataclass(frozen=True, slots=True)
class Lesson:
    """One step of the path."""

    id: str
    title: str
    about: str
    texts: tuple[Text, ...]
    figures: tuple[Figure, ...]
    asks: tuple[Ask, ...]

    def paragraphs(self, rules: Rules) -> list[str]:
        """The message ids of the paragraphs that hold under these rules."""
        return [text.text for text in self.texts if text.when(rules)]

    def shown(self, rules: Rules) -> list[Figure]:
        """The figures that are true under these rules, the first of those with one caption."""
        found: dict[str, Figure] = {}
        for figure in self.figures:
            if (figure.caption or figure.kind) not in found and figure.holds(rules):
                found[figure.caption or figure.kind] = figure
        return list(found.values())


def _example(term: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The first example hand of a term on the rules pages, without its rules."""
    first = dict(examples.HANDS[term][0])
    hand = first.pop("hand")
    kept = {name: value for name, value in first.items() if name not in ("rules", "opt")}
    return hand, tuple(kept.items())


def _of_term(term: str, caption: str, when: When | None = None) -> Figure:
    hand, how = _example(term)
    return Figure("hand", caption, hand, how, when=when or _has(term))


def _shows(term: str, times: int = 1) -> Claim:
    """The hand has the term so often in its breakdown."""
    return lambda answer: any(
        row["id"] == term and row["count"] == times for row in answer.get("terms", ())
    )


def _not_raised(answer: Json) -> bool:
    """A pattern and nothing besides."""
    return len(answer["terms"]) == 1


def _counts(term: str, hand: str) -> When:
    """Under rules that count the term in this hand: its greatest pattern, or one of them."""
    return lambda rules: Figure("hand", hand=hand, claim=_shows(term)).holds(rules)


def pattern_figures(rules: Rules) -> Iterator[Figure]:
    """Every pattern that counts under these rules, from the least to the greatest.

    A table may give a pattern less than another that is always there too; then it never counts.
    """
    known = [t for t in PATTERNS if t.id in examples.HANDS and rules.fan_of(t.id) is not None]
    for term in sorted(known, key=lambda t: rules.fan_of(t.id) or 0):
        hand, how = _example(term.id)
        figure = Figure("hand", term.name, hand, how, claim=_shows(term.id))
        if figure.holds(rules):
            yield figure


_KONG_WON: tuple[Json, ...] = (
    {"type": "kong", "seat": 0, "kind": "concealed_kong"},
    {"type": "kong", "seat": 2, "kind": "exposed_kong", "from": 3},
)


def _win(seat: int, fan: int, by: str, **more: Any) -> Json:
    return {"type": "win", "by": by, "winners": [{"seat": seat, "fan": fan}], **more}


def _draw(**states: Json) -> Json:
    return {"type": "draw", "hands": {name[1:]: state for name, state in states.items()}}


def _ready(fan: int) -> Json:
    return {"state": "ready", "fan": fan}


_NOT_READY: Json = {"state": "not_ready"}
_PIG: Json = {"state": "flower_pig"}

#: A plain hand.
_PLAIN = "234567m3456789p!9p"
#: 清对: pungs in one suit.
_PURE_PUNGS = _example("qing_dui")[0]
#: The patterns that have four alike in them.
_DRAGONS = ("long_qi_dui", "qing_long_qi_dui")
#: Seven pairs with two times four alike.
_TWO_QUADS = "1133557777m222p!2p"
#: Ever greater hands, to exceed a cap: 清七对, 清龙七对, the same with a root, and four kongs.
_GREAT = (
    "1122445566778m!8m",
    "1122333344668m!8m",
    "1111222255668m!8m",
    "5m(1111m)(3333m)(7777m)(9999m)!5m",
)


def _has_fan(term: str) -> When:
    """Under rules that have the term and give anything for it."""
    return lambda rules: bool(rules.fan_of(term))


def _alone(kong: str) -> When:
    """Under rules that have this kong but not all three."""
    return _all(_has(kong), _not(_has(*KONGS)))


def _greatest(rules: Rules) -> bool:
    return rules.combine == "max"


def _blessings_add(rules: Rules) -> bool:
    return (
        _greatest(rules)
        and rules.blessing_adds
        and not all(_lacks(blessing)(rules) for blessing in BLESSINGS)
    )


def _jokers(rules: Rules) -> bool:
    return rules.joker is not None


def _doubling(rules: Rules) -> bool:
    return rules.scale == "double"


def _winners_pay(rules: Rules) -> bool:
    """血流: whoever has won pays on; not where the first win ends the round."""
    return rules.blood_flow and rules.round_ends != "first_win"


def _capped(rules: Rules) -> bool:
    return rules.cap is not None


def _base_bonus(rules: Rules) -> bool:
    return rules.self_draw_bonus == "base"


def _no_bonus(rules: Rules) -> bool:
    """Self-draw by itself brings neither a base nor fan."""
    return not _base_bonus(rules) and not zi_mo_fan(rules)


def _steps_before_cap(number: int, *, only: bool = False) -> When:
    """From a plain hand there are at least so many steps up to the cap, or only so many."""

    def when(rules: Rules) -> bool:
        steps = len(ladder(rules)) - 1
        return steps == number if only else steps >= number

    return when


def _kong_money(rules: Rules) -> bool:
    money = rules.kong_points
    return any((money.exposed, money.exposed_others, money.added, money.concealed))


def _payer_kongs(rules: Rules) -> bool:
    """杠进杠出, and some kong has a fan to pay."""
    return rules.kong_in_out and any(rules.fan_of(kind) for kind in KONGS)


def _south_pays_more(answer: Json) -> bool:
    paid = {row["from"]: row["amount"] for row in answer["transfers"] if row["reason"] == "win"}
    south = paid.pop(1)
    return all(south > amount for amount in paid.values())


#: 点杠花: who pays where it is not everybody.
_BLOOM = (
    Text(
        N_("直杠之后补进来的牌自摸，叫点杠花：各家该付的，都由点杠的人一个人包付。"),
        lambda rules: rules.bloom == "giver_pays_all",
    ),
    Text(
        N_("直杠之后补进来的牌自摸，叫点杠花：当作点杠的人点了炮，只由他付一份。"),
        lambda rules: rules.bloom == "discard",
    ),
)


def _times_best(rules: Rules) -> bool:
    """A flower pig may pay by what the other waits for."""
    return bool(rules.pig.times_best) and rules.pig.to != "nobody"


def _pig(to: str, *, fixed: bool) -> When:
    """What a flower pig pays goes to these players; a fixed sum, or by their waits.

    Where nothing is fixed, only the ready are paid, whoever else is named.
    """

    def when(rules: Rules) -> bool:
        named = rules.pig.to
        if not rules.pig_points and named in ("non_pigs", "unwon"):
            # In 血流 a winner is ready too.
            named = "ready_unwon" if named == "unwon" and rules.blood_flow else "ready"
        if fixed:
            return named == to and bool(rules.pig_points) and not _times_best(rules)
        return named == to and _times_best(rules)

    return when


def _by_waits(*, least: bool, times: bool, or_fixed: bool) -> When:
    """How much a flower pig pays where it depends on the other's wait."""
    return lambda rules: (
        _times_best(rules)
        and (rules.call_check == "min") == least
        and (rules.pig.times_best > 1) == times
        and bool(rules.pig_points) == or_fixed
    )


#: What a flower pig pays: one sentence, or whom and how much.
_PIG_PAYS = (
    Text(
        N_("这套规则里，花猪不另外赔钱。"),
        lambda rules: not rules.pig_points and not _times_best(rules),
    ),
    Text(N_("花猪先罚%(pig)s，这笔钱不给任何人。"), _pig("nobody", fixed=True)),
    Text(N_("花猪先赔每个不是花猪的人，每人%(pig)s。"), _pig("non_pigs", fixed=True)),
    Text(N_("花猪先赔每个没有胡、也不是花猪的人，每人%(pig)s。"), _pig("unwon", fixed=True)),
    Text(N_("花猪先赔每个有叫的人，每人%(pig)s。"), _pig("ready", fixed=True)),
    Text(N_("花猪先赔每个不是花猪的人。"), _pig("non_pigs", fixed=False)),
    Text(N_("花猪先赔每个没有胡、也不是花猪的人。"), _pig("unwon", fixed=False)),
    Text(N_("花猪先赔每个有叫的人。"), _pig("ready", fixed=False)),
    Text(N_("花猪先赔每个有叫而没有胡的人。"), _pig("ready_unwon", fixed=False)),
    Text(
        N_("花猪赔的数目就是对方的大叫。"),
        _by_waits(least=False, times=False, or_fixed=False),
    ),
    Text(
        N_("花猪赔的数目是对方大叫的%(times)s倍。"),
        _by_waits(least=False, times=True, or_fixed=False),
    ),
    Text(
        N_("花猪赔的数目就是对方最小的叫。"),
        _by_waits(least=True, times=False, or_fixed=False),
    ),
    Text(
        N_("花猪赔的数目是对方最小的叫的%(times)s倍。"),
        _by_waits(least=True, times=True, or_fixed=False),
    ),
    Text(
        N_("花猪赔每人%(pig)s；对方的大叫更大，就按大叫赔。"),
        _by_waits(least=False, times=False, or_fixed=True),
    ),
    Text(
        N_("花猪赔每人%(pig)s；对方大叫的%(times)s倍更多，就按那个数目赔。"),
        _by_waits(least=False, times=True, or_fixed=True),
    ),
    Text(
        N_("花猪赔每人%(pig)s；对方最小的叫更大，就按它赔。"),
        _by_waits(least=True, times=False, or_fixed=True),
    ),
    Text(
        N_("花猪赔每人%(pig)s；对方最小的叫的%(times)s倍更多，就按那个数目赔。"),
        _by_waits(least=True, times=True, or_fixed=True),
    ),
)

LESSONS: tuple[Lesson, ...] = (
    Lesson(
        "tiles",
        N_("牌，和缺一门"),
        N_("三门花色，胡牌最多两门"),
        (
            Text(
                N_(
                    "一副牌一百零八张：万、筒、条三门花色，每门从一到九，每样四张。没有风牌，也没有字牌。"
                )
            ),
            Text(N_("胡牌的时候最多只能有两门花色，这叫缺一门。三门都有，牌再整齐也不能胡。")),
            Text(N_("很多牌桌先说定不要哪一门，叫定缺。定缺的那一门只要还剩一张，就不能胡。")),
            Text(
                N_("这套规则里，四张一条（幺鸡）可以当任何一张牌用，自己不算一门花色。"),
                _jokers,
            ),
            Text(N_("四张幺鸡都到了一个人手里，不看别的牌，当场就胡。"), _jokers),
        ),
        (
            Figure("suits"),
            Figure("hand", N_("只有万和筒，缺条：胡了。"), "234567m3456789p!9p"),
            Figure("hand", N_("一样整齐，可是三门都有：没有胡。"), "234567m345p4567s!4s"),
        ),
        (
            Ask("win", twist="wins", shape=PING_HU),
            Ask("win", twist="third_suit"),
            Ask("win", 2, twist="void"),
        ),
    ),
    Lesson(
        "sets",
        N_("四副一将，七对"),
        N_("怎样才算胡"),
        (
            Text(
                N_(
                    "胡牌是四副加一对。一副可以是三张连着的顺子，也可以是三张一样的刻子；那一对叫将。"
                )
            ),
            Text(
                N_(
                    "别人打出的牌，能凑成三张一样的可以碰，亮在桌上。顺子只能靠自己摸，不能吃别人的牌。"
                )
            ),
            Text(N_("还有一种胡法是七个对子：没有碰杠，手里十四张正好七对。四张一样的算两对。")),
        ),
        (
            Figure("hand", N_("四副顺子或刻子，加一对将。"), "234m678m222p4567p!4p"),
            Figure("hand", N_("碰出去的一副也算一副。"), "23467m22p[555p][888m]!5m"),
            Figure("hand", N_("七个对子。"), "2255m336678899p!7p"),
        ),
        (
            Ask("win", twist="wins", shape="qi_dui"),
            Ask("win", twist="broken"),
            Ask("win", 2, twist="wins", shape="long_qi_dui"),
            Ask("win", 2, twist="broken", shape="qi_dui"),
        ),
    ),
    Lesson(
        "fan",
        N_("番、倍、底"),
        N_("从平胡数起"),
        (
            Text(N_("番是规则数的数。什么牌型都没有的一手叫平胡，这套规则里是%(plain)s番。")),
            Text(
                N_(
                    "每多一番，付的钱翻一倍：%(plain)s番是%(m0)s倍，%(f1)s番是%(m1)s倍，%(f2)s番是%(m2)s倍。"
                ),
                _all(_doubling, _steps_before_cap(2)),
            ),
            Text(
                N_(
                    "每多一番，付的钱翻一倍：%(plain)s番是%(m0)s倍，%(f1)s番是%(m1)s倍，"
                    "到这里就封顶了。"
                ),
                _all(_doubling, _steps_before_cap(1, only=True)),
            ),
            Text(
                N_("这套规则里番数就是倍数：%(f1)s番付%(m1)s倍，%(f2)s番付%(m2)s倍。"),
                _all(_not(_doubling), _steps_before_cap(2)),
            ),
            Text(
                N_(
                    "这套规则里番数就是倍数：%(plain)s番付%(m0)s倍，%(f1)s番付%(m1)s倍，"
                    "到这里就封顶了。"
                ),
                _all(_not(_doubling), _steps_before_cap(1, only=True)),
            ),
            Text(
                N_("这套规则里平胡就已经封顶，付%(m0)s倍：胡的人番再多，也不多付。"),
                _steps_before_cap(0, only=True),
            ),
            Text(
                N_(
                    "倍再乘以底，就是要付的数。这套规则的底是%(base)s，"
                    "所以只有平胡、没有加番的一手付%(points)s。"
                )
            ),
        ),
        (
            Figure("hand", N_("一手平胡。"), _PLAIN, claim=_not_raised),
            Figure(
                "hand",
                N_("一手平胡，另外还有加番。"),
                _PLAIN,
                claim=lambda answer: not _not_raised(answer),
            ),
            Figure("ladder"),
        ),
        (Ask("fan"), Ask("fan"), Ask("fan")),
    ),
    Lesson(
        "patterns",
        N_("牌型"),
        N_("对对胡、清一色、七对……"),
        (
            Text(
                N_(
                    "满足好几个牌型时，只算最大的一个，不相加。又是清一色又是对对胡，有自己的名字，叫清对。"
                ),
                _all(_greatest, _counts("qing_dui", _PURE_PUNGS)),
            ),
            Text(
                N_("满足好几个牌型时，只算最大的一个，不相加。"),
                _all(_greatest, _not(_counts("qing_dui", _PURE_PUNGS))),
            ),
            Text(
                N_("天胡、地胡是例外：算的话，加在牌型之上。"),
                _blessings_add,
            ),
            Text(
                N_("满足几个牌型就算几个，番数加起来：清一色的七对，两样都算。"),
                _all(_not(_greatest), _has("qing_yi_se", "qi_dui")),
            ),
            Text(
                N_("满足几个牌型就算几个，番数加起来。"),
                _all(_not(_greatest), _not(_has("qing_yi_se", "qi_dui"))),
            ),
            Text(
                N_(
                    "下面是这套规则里的牌型，从小到大。每一手都可以在计算器里打开，换一张牌看看会怎样。"
                )
            ),
        ),
        (Figure("patterns"),),
        (
            Ask("patterns"),
            Ask("patterns", 2, shape="dui_dui_hu"),
            Ask("patterns", 2, topic="pure"),
            Ask("patterns", 2, topic="pairs"),
        ),
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
                _has(GEN),
            ),
            Text(
                N_("这套规则没有根：四张一样的牌，开了杠才加番。"),
                _all(_lacks(GEN, *_DRAGONS), _not(_lacks(*KONGS))),
            ),
            Text(
                N_("这套规则没有根：四张一样的牌，开了杠才加番；龙七对另算。"),
                _all(_lacks(GEN), _not(_lacks(*_DRAGONS)), _not(_lacks(*KONGS))),
            ),
            Text(
                N_(
                    "杠有三种：别人打出第四张是直杠，碰过之后摸到第四张是补杠，四张全是自己摸的是暗杠。"
                )
            ),
            Text(
                N_(
                    "这套规则里，直杠加%(exposed)s番，补杠加%(added)s番，暗杠加%(concealed)s番。开了杠就不再算根。"
                ),
                _has(GEN, *KONGS),
            ),
            Text(
                N_("这套规则里，直杠加%(exposed)s番，补杠加%(added)s番，暗杠加%(concealed)s番。"),
                _all(_lacks(GEN), _has(*KONGS)),
            ),
            Text(N_("这套规则里，直杠加%(exposed)s番。"), _alone(EXPOSED_KONG)),
            Text(N_("这套规则里，补杠加%(added)s番。"), _alone(ADDED_KONG)),
            Text(N_("这套规则里，暗杠加%(concealed)s番。"), _alone(CONCEALED_KONG)),
            Text(
                N_("别的杠不加番，开了杠也不再算根。"),
                _all(_has(GEN), _not(_has(*KONGS)), _not(_lacks(*KONGS))),
            ),
            Text(
                N_("别的杠不加番。"),
                _all(_lacks(GEN), _not(_has(*KONGS)), _not(_lacks(*KONGS))),
            ),
            Text(N_("这套规则里开杠不加番，也不再算根。"), _all(_has(GEN), _lacks(*KONGS))),
            Text(N_("这套规则里没有根，开杠也不加番。"), _lacks(GEN, *KONGS)),
            Text(
                N_("龙七对里的第一组四张已经算进牌型，不再另算根；第二组才算。"),
                _all(_has(GEN), _counts("long_qi_dui", _TWO_QUADS)),
            ),
            Text(
                N_("这套规则不把龙七对当一个牌型：七对里有一组四张一样的，就是七对加一根。"),
                _all(
                    _has(GEN),
                    _lacks(*_DRAGONS),
                    _counts("qi_dui", _TWO_QUADS),
                ),
            ),
        ),
        (
            _of_term(GEN, N_("碰了三张三万，手里还有一张：一根。")),
            _of_term("exposed_kong", N_("直杠。")),
            _of_term("concealed_kong", N_("暗杠。")),
            Figure("hand", N_("七对里有两组四张。"), _TWO_QUADS, when=_has("qi_dui", GEN)),
        ),
        (
            Ask("fan", 2, topic="roots"),
            Ask("fan", 2, topic="roots"),
            Ask("patterns", 2, topic="roots"),
        ),
    ),
    Lesson(
        "luck",
        N_("自摸、杠上花、抢杠"),
        N_("同一手牌，怎么胡的也算"),
        (
            Text(
                N_(
                    "开杠之后补进来的牌正好自摸，叫杠上花。别人刚开完杠就打出你要的那张，叫杠上炮。"
                ),
                _has("gang_shang_hua", "gang_shang_pao"),
            ),
            Text(
                N_("开杠之后补进来的牌正好自摸，叫杠上花。"),
                _all(_has("gang_shang_hua"), _lacks("gang_shang_pao")),
            ),
            Text(
                N_("别人刚开完杠就打出你要的那张，叫杠上炮。"),
                _all(_has("gang_shang_pao"), _lacks("gang_shang_hua")),
            ),
            *_BLOOM,
            Text(
                N_("别人要补杠的那张正是你胡的牌，可以抢过来，叫抢杠；那个杠就不算了。"),
                _has("qiang_gang"),
            ),
            Text(
                N_("这套规则不计杠上花、杠上炮和抢杠：胡还是胡，番不多加。"),
                _lacks("gang_shang_hua", "gang_shang_pao", "qiang_gang"),
            ),
            Text(
                N_(
                    "胡的是牌墙的最后一张，或者最后一张摸走之后打出来的牌，叫海底，加%(hai_di)s番。"
                ),
                _has("hai_di"),
            ),
            Text(
                N_("自摸不多算番，好处是其余还在打的各家都要付。"),
                _all(_no_bonus, _not(_has_fan("men_qing_zi_mo"))),
            ),
            Text(
                N_("自摸由其余还在打的各家都付。"),
                _all(_no_bonus, _has_fan("men_qing_zi_mo")),
            ),
            Text(
                N_("自摸由其余还在打的各家都付，而且每家多付一个底，这个底不受封顶限制。"),
                lambda rules: rules.self_draw_bonus == "base",
            ),
            Text(
                N_("自摸由其余还在打的各家都付，而且加%(zi_mo)s番。"),
                lambda rules: bool(zi_mo_fan(rules)),
            ),
            Text(
                N_("没有碰、直杠和补杠而自摸，叫门清自摸，再加%(men_qing_zi_mo)s番。"),
                _has_fan("men_qing_zi_mo"),
            ),
            Text(
                N_("手里一张幺鸡也没有的，叫无鸡，加%(wu_ji)s番。"),
                _all(_jokers, _has("wu_ji")),
            ),
        ),
        (
            Figure("hand", N_("点炮胡的一手。"), _PLAIN),
            Figure("hand", N_("同一手牌自摸。"), _PLAIN, (("by", "self_draw"),)),
            _of_term("gang_shang_hua", N_("直杠之后补进来的牌自摸：杠上花。")),
            _of_term("qiang_gang", N_("抢别人补杠的五万。")),
            _of_term("hai_di", N_("牌墙的最后一张：海底。")),
        ),
        (
            Ask("change", twist="self_draw"),
            Ask("fan", 3, topic="luck"),
            Ask("fan", 3, topic="luck"),
        ),
    ),
    Lesson(
        "money",
        N_("封顶和付钱"),
        N_("谁付，付多少"),
        (
            Text(
                N_("番数最多算到%(cap)s番，这叫封顶：再多的番，也只付%(cap_multiple)s倍。"),
                _all(_capped, _not(_base_bonus)),
            ),
            Text(
                N_(
                    "番数最多算到%(cap)s番，这叫封顶：再多的番，也只付%(cap_multiple)s倍；"
                    "自摸多付的那个底另外加。"
                ),
                _all(_capped, _base_bonus),
            ),
            Text(N_("这套规则不封顶，有多少番算多少番。"), _not(_capped)),
            Text(
                N_(
                    "点炮由打出那张牌的人一个人付；自摸由其余没胡的各家都付；"
                    "抢杠由补杠的人付，他那个杠也不算数。"
                ),
                _not(_winners_pay),
            ),
            Text(
                N_(
                    "点炮由打出那张牌的人一个人付；自摸由其余各家都付，胡过的人也付；"
                    "抢杠由补杠的人付，他那个杠也不算数。"
                ),
                _winners_pay,
            ),
            *_BLOOM,
            Text(
                N_(
                    "开杠当场就收钱：直杠由点杠的人付%(exposed_points)s，补杠由各家付%(added_points)s，"
                    "暗杠由各家付%(concealed_points)s。杠钱不封顶。"
                ),
                _kong_money,
            ),
            Text(
                N_("直杠的时候，没有点杠的各家也要付%(others_points)s，这叫擦挂。"),
                lambda rules: bool(rules.kong_points.exposed_others),
            ),
            Text(
                N_("碰过的牌，第四张不是当轮刚摸到的，这时补杠不收钱。"),
                lambda rules: rules.late_added_kong_free and bool(rules.kong_points.added),
            ),
            Text(N_("这套规则开杠当场不收钱。"), _not(_kong_money)),
            Text(
                N_("这套规则杠进杠出：自己的杠在胡牌时加几番，别人胡牌时自己也照加几番来付。"),
                _payer_kongs,
            ),
            Text(
                N_("封顶只管胡的人的番，付钱的人自己的杠在封顶之外再加。"),
                _all(_payer_kongs, _capped),
            ),
        ),
        (
            *(
                Figure(
                    "hand",
                    N_("番数超过封顶的一手。"),
                    hand,
                    claim=lambda answer: answer["uncapped_fan"] > answer["fan"],
                )
                for hand in _GREAT
            ),
            Figure("hand", N_("点炮：一个人付。"), "222999m8p[444m][777p]!8p"),
            Figure(
                "hand", N_("自摸：各家都付。"), "222999m8p[444m][777p]!8p", (("by", "self_draw"),)
            ),
            Figure(
                "round",
                N_("一局里的杠钱：东开暗杠，西开直杠。"),
                events=_KONG_WON,
                reason="concealed_kong",
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
        (Ask("payment"), Ask("payment"), Ask("payment", 2)),
    ),
    Lesson(
        "waits",
        N_("听牌"),
        N_("再来哪一张就胡"),
        (
            Text(
                N_(
                    "再来一张就胡，叫听牌，也叫下叫。能胡的每一种牌都是叫：有时只有一种，清一色常常有好几种。"
                )
            ),
            Text(N_("幺鸡来了总能胡，所以不列在叫里。"), _jokers),
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
            Figure("hand", N_("两头都能胡。"), "23499m234567p78p"),
            Figure("hand", N_("两对各等一张。"), "234567m555p88p99m"),
            Figure("hand", N_("清一色，听得很宽。"), "2333344555678m"),
        ),
        (Ask("waits"), Ask("waits"), Ask("waits", 2, twist="held_quad"), Ask("discard")),
    ),
    Lesson(
        "end",
        N_("牌墙摸完之后"),
        N_("花猪、查叫、退税"),
        (
            Text(
                N_(
                    "牌墙摸完，还没有三家胡牌，就要查账。三门花色都有，或者还留着定缺的那一门，是花猪。"
                ),
                lambda rules: not rules.blood_flow and rules.round_ends != "first_win",
            ),
            Text(
                N_(
                    "一家胡牌，这一局就结束。牌墙摸完还没有人胡，就要查账。"
                    "三门花色都有，或者还留着定缺的那一门，是花猪。"
                ),
                lambda rules: rules.round_ends == "first_win",
            ),
            Text(
                N_(
                    "胡了也不离开，一直打到牌墙摸完，然后查账，胡过的人算有叫。"
                    "三门花色都有，或者还留着定缺的那一门，是花猪。"
                ),
                lambda rules: rules.blood_flow and rules.round_ends == "wall",
            ),
            Text(
                N_(
                    "胡了也不离开，有三家胡过，这一局就结束。牌墙先摸完，就要查账，胡过的人算有叫。"
                    "三门花色都有，或者还留着定缺的那一门，是花猪。"
                ),
                lambda rules: rules.blood_flow and rules.round_ends == "three_wins",
            ),
            *_PIG_PAYS,
            Text(
                N_("没有叫的人，要按对方最大的叫，赔给每个有叫的人，这叫查叫。"),
                lambda rules: rules.call_check == "max",
            ),
            Text(
                N_("没有叫的人，要按对方最小的叫，赔给每个有叫的人，这叫查叫。"),
                lambda rules: rules.call_check == "min",
            ),
            Text(N_("这套规则不查叫。"), lambda rules: rules.call_check == "none"),
            Text(
                N_("已经胡的人查叫时也来收，按自己胡的番数。"),
                lambda rules: (
                    rules.call_check_winners
                    and rules.call_check != "none"
                    and not rules.blood_flow
                    and rules.round_ends != "first_win"
                ),
            ),
            Text(
                N_("按叫赔钱的人，自己开过的杠也照样加番来付。"),
                lambda rules: (
                    _payer_kongs(rules) and (rules.call_check != "none" or _times_best(rules))
                ),
            ),
            Text(
                N_("都有叫的人之间，听得小的还要把差额补给听得大的。"),
                lambda rules: rules.difference,
            ),
            Text(
                N_("没有叫的人和花猪还要把收到的杠钱退回去，这叫退税。"),
                lambda rules: rules.refund and _kong_money(rules),
            ),
        ),
        (
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
                when=lambda rules: rules.round_ends == "first_win",
            ),
            Figure(
                "round",
                N_("北是花猪，先赔，再看查不查叫。"),
                events=(_draw(s0=_ready(3), s1=_ready(1), s2=_NOT_READY, s3=_PIG),),
                reason="flower_pig",
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
            Ask("pig", twist="three_suits"),
            Ask("pig", twist="not_ready"),
            Ask("settle", twist="check"),
            Ask("settle", twist="discard_win"),
        ),
    ),
    Lesson(
        "tables",
        N_("为什么各桌不一样"),
        N_("坐下来先问的四件事"),
        (
            Text(N_("同一手牌，各套规则给的番和倍不一样。下面是同一手牌在每一套规则里的结果。")),
            Text(
                N_(
                    "坐下来先问四件事：几番封顶，自摸加什么，暗杠和杠上花几番，流局查不查叫、退不退税。"
                )
            ),
            Text(
                N_(
                    "说不清的时候，把这手牌的链接发给对方：规则写在链接里，两个人看到的是同一个结果。"
                )
            ),
        ),
        (Figure("systems", hand="3334445557799m!7m"),),
        (
            Ask("change", 3, twist="ruleset", shape="qing_yi_se"),
            Ask("change", 3, twist="ruleset", shape="qing_qi_dui"),
            Ask("change", 3, twist="cap"),
        ),
    ),
)
BY_ID: dict[str, Lesson] = {lesson.id: lesson for lesson in LESSONS}


def facts(rules: Rules) -> Json:
    """The numbers of these rules that the lessons speak of."""
    plain = rules.fan_of(PING_HU) or 0
    money = rules.kong_points
    found: Json = {
        "plain": plain,
        "base": rules.points(1),
        "points": rules.points(rules.multiple(rules.capped(plain))),
        "cap": rules.cap,
        "cap_multiple": rules.multiple(rules.cap) if rules.cap is not None else "",
        "exposed_points": rules.points(money.exposed),
        "others_points": rules.points(money.exposed_others),
        "added_points": rules.points(money.added),
        "concealed_points": rules.points(money.concealed),
        "pig": rules.points(rules.pig_points),
        "times": rules.pig.times_best,
        "zi_mo": zi_mo_fan(rules),
    }
    for step in range(3):
        fan = plain + step
        found |= {f"f{step}": fan, f"m{step}": rules.multiple(rules.capped(fan))}
    for term, name in (
        (GEN, "gen"),
        *zip(KONGS, ("exposed", "added", "concealed"), strict=True),
        *((term, term) for term in ("hai_di", "men_qing_zi_mo", "wu_ji")),
    ):
        found[name] = rules.fan_of(term)
    return found


def ladder(rules: Rules) -> list[Json]:
    """From the plain hand up: fan, multiple, points; as far as the cap, or six steps."""
    plain = rules.capped(rules.fan_of(PING_HU) or 0)
    last = plain + 5 if rules.cap is None else min(rules.cap, plain + 6)
    return [
        {
            "fan": fan,
            "multiple": rules.multiple(fan),
            "points": rules.points(rules.multiple(fan)),
            "cap": fan == rules.cap,
        }
        for fan in range(plain, last + 1)
    ]
