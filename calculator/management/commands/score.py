"""`manage.py score`: what one hand is worth, or a stream of requests as JSON lines."""

from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from django.utils.translation import gettext, ngettext

from calculator.site import streams, wire
from calculator.site.console import SpeakingCommand, add_stream_arguments, columns
from calculator.words import rulings, texts
from calculator.words.answers import jokers_stand_for, pig_words, used, void_tiles
from scoring import contract
from scoring.addresses.hand import DEFAULT_RULES, read_options
from scoring.hand import BLESSINGS, DISCARD, KONGS, WAYS, Win
from scoring.notation import parse
from scoring.rules import ids, load

Lines = Iterator[str]


class Command(SpeakingCommand):
    help = (
        "Score one hand, as a table for people; with --json read one request per line from a file "
        "or from standard input and write one answer per line."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "hand", nargs="?", help="a hand, such as 123m456p77s[555p]; with --json a file, or - "
        )
        add_stream_arguments(parser)
        parser.add_argument(
            "--table",
            nargs=2,
            type=Path,
            metavar=("IN", "OUT"),
            help="hands and their values as columns of Parquet or Arrow files; with --rules, --opt "
            "and --by alone (see scoring/columns.py)",
        )
        parser.add_argument("--compare", action="store_true", help="under every rule system")
        hand = parser.add_argument_group("one hand")
        hand.add_argument("--rules", dest="ruleset", help=f"one of {', '.join(ids())}")
        hand.add_argument("--opt", metavar="LIST", help="house rules: cap:4,fans.gen:off,…")
        hand.add_argument("--by", choices=WAYS, help="how it was won; default: discard")
        hand.add_argument("--after-kong", choices=KONGS, help="杠上花: after this kind of kong")
        hand.add_argument(
            "--kong-discard",
            action="store_true",
            default=None,
            help="杠上炮: on the discard after a kong",
        )
        hand.add_argument(
            "--last-tile", action="store_true", default=None, help="海底: the wall was empty"
        )
        hand.add_argument(
            "--last-copy", action="store_true", default=None, help="绝张: the other three lie open"
        )
        hand.add_argument("--blessing", choices=BLESSINGS, help="天胡 or 地胡")
        hand.add_argument("--win-tile", metavar="TILE", help="the winning tile, such as 9m")
        hand.add_argument("--void", choices=("m", "p", "s"), help="定缺: the declared missing suit")
        hand.add_argument("--seen", metavar="TILES", help="tiles that lie open elsewhere")
        hand.add_argument("--horses", metavar="TILES", help="买马: tiles turned over, such as 3m7p")
        hand.add_argument("--seat", type=int, choices=range(4), help="the winner's seat")
        hand.add_argument("--dealer", type=int, choices=range(4), help="the dealer's seat")

    def handle(
        self, *, hand: str | None, json: bool, jobs: int, compare: bool, **options: Any
    ) -> None:
        call: Callable[[dict[str, Any]], Any] = contract.compare if compare else contract.score
        given = {key: options[key] for key in REQUEST_KEYS if options[key] is not None}
        if json:
            if given or options["opt"]:
                self.fail(gettext("--json 的每一行自带全部条件，不能再加别的选项。"))
            self.answer_stream(call, hand, jobs)
            return
        if options["table"]:
            source, target = options["table"]
            self.score_table(source, target, given, options["opt"])
            return
        if hand is None:
            self.fail(gettext("请写一手牌，例如 11223345678999m。"))
        request = {"ruleset": DEFAULT_RULES, "hand": hand, **given}
        if options["opt"]:
            request["options"] = read_options(options["opt"])
        answer = texts.localise(call(request))
        if wire.is_error(answer):
            self.fail(*(error["message"] for error in answer["errors"]))
        self.show(comparison(answer) if compare else report(request, answer))
        if not compare:
            self.show(read(request, answer["status"]))

    def score_table(self, source: Path, target: Path, given: dict[str, Any], opt: str) -> None:
        """Score the hands of one file of columns into another."""
        if not given.keys() <= {"ruleset", "by"}:
            self.fail(gettext("--table 只能加 --rules、--opt 和 --by。"))
        try:
            from scoring.columns import BadTable, score_file
        except ImportError:
            self.fail(gettext("--table 要用 pyarrow，请先安装：pip install pyarrow"))
        errors: list[dict[str, Any]] = []
        asked = {"ruleset": DEFAULT_RULES, **given, "options": read_options(opt or "")}
        rules = contract.read_rules(asked, errors)
        if rules is None:
            self.fail(*map(texts.message, errors))
        try:
            number = score_file(source, target, rules=rules, win=Win(given.get("by", DISCARD)))
        except BadTable as bad:
            if bad.row is None:
                self.fail(gettext("%(file)s 里的列不对：%(why)s") % {"file": source, "why": bad})
            said = {"file": source, "row": bad.row + 1, "why": bad}
            self.fail(gettext("%(file)s 第 %(row)s 行不是一手牌：%(why)s") % said)
        self.stdout.write(streams.lines_done(number))


REQUEST_KEYS = (
    *("ruleset", "by", "after_kong", "kong_discard", "last_tile", "last_copy"),
    *("blessing",),
    *("win_tile", "void", "seen", "horses", "seat", "dealer"),
)


def report(request: Mapping[str, Any], answer: Mapping[str, Any]) -> Lines:
    """One answer of `score` for people."""
    way = texts.word(texts.WAYS, request.get("by", "discard"))
    yield from columns(
        [
            (gettext("规则"), texts.ruleset(request["ruleset"])),
            (gettext("手牌"), answer["hand"]),
            (gettext("胡法"), way),
            (gettext("结果"), texts.word(texts.STATUSES, answer["status"])),
        ]
    )
    yield ""
    yield from REPORTS[answer["status"]](answer)
    if answer["status"] != "error":
        rules = load(request["ruleset"]).override(request.get("options", {}))
        yield from jokers(answer, rules.joker_name)
    if answer.get("flower_pig"):
        yield pig_words(void_tiles(parse(answer["hand"]), request.get("void") or "", rules))
    for note in answer.get("notes", ()):
        yield gettext("注：%(note)s") % {"note": note["message"]}
    if names := "assumed" in answer and used(answer):
        yield gettext("推定（出处没有写明）：%(names)s") % {"names": names}


def jokers(answer: Mapping[str, Any], joker: str | None) -> Lines:
    """What the jokers of a hand stand for, and that one more would win."""
    if tiles := answer.get("jokers"):
        yield jokers_stand_for(tiles, joker)
    if answer.get("joker_wins"):
        yield texts.joker_wins(joker)


def read(request: Mapping[str, Any], status: str) -> Lines:
    """The readings of the rules that the hand rests on, each with the hand under the other one."""
    rules = load(request["ruleset"]).override(request.get("options", {}))
    for told in rulings.beside(rules, contract.rulings(request), status, "--opt {}".format):
        yield f"· {told['text']}"
        yield f"  {told['other']} {told['effect']} {told['link']}"


def won(answer: Mapping[str, Any]) -> Lines:
    """The breakdown of a win, what it pays, how it is read."""
    rows = [(gettext("番种"), gettext("番"))]
    rows += [(counted(term), str(term["fan"])) for term in answer["terms"]]
    rows.append((gettext("合计"), str(answer["uncapped_fan"])))
    if answer["fan"] != answer["uncapped_fan"]:
        rows.append((gettext("封顶后"), str(answer["fan"])))
    rows.append((gettext("倍"), str(answer["multiple"])))
    rows.append((gettext("分"), wire.dumps(answer["points"])))
    yield from columns(rows, "lr", head=True)
    yield ""
    for payment in answer["payments"]:
        amount = wire.dumps(payment["amount"])
        shares = payment.get("shares", 1)
        yield texts.payment(
            payment["who"], players=payment["players"], amount=amount, shares=shares
        )
    if shape := answer.get("shape"):
        yield gettext("读作：%(shape)s") % {"shape": divided(shape)}
    for other in answer.get("alternatives", ()):
        terms = texts.joined(map(counted, other["terms"]))
        yield gettext("另一种拆法：%(shape)s — %(terms)s，%(fan)s 番 %(multiple)s 倍") % {
            "shape": divided(other["shape"]),
            "terms": terms,
            "fan": other["fan"],
            "multiple": other["multiple"],
        }


def waiting(answer: Mapping[str, Any]) -> Lines:
    """What a ready hand waits for."""
    rows = [(gettext("胡"), gettext("余"), *value_heads(), "")]
    rows += (
        (
            wait["tile"],
            str(wait["left"]),
            str(wait["fan"]),
            str(wait["multiple"]),
            wire.dumps(wait["points"]),
            texts.joined(map(counted, wait["terms"])),
            guess(wait),
        )
        for wait in answer["waits"]
    )
    yield from columns(rows, "lrrrrll", head=True)


def to_discard(answer: Mapping[str, Any]) -> Lines:
    """What to discard from a full hand that does not win."""
    if answer.get("below_minimum"):
        yield gettext("牌型成了，番数不够起胡。")
    else:
        yield away(answer["shanten"])
    if not answer["discards"]:
        return
    rows = [(gettext("打"), gettext("余"), gettext("分"), gettext("听"), "")]
    for discard in answer["discards"]:
        waits = discard["waits"]
        rows.append(
            (
                discard["tile"],
                str(sum(wait["left"] for wait in waits)),
                wire.dumps(max(wait["points"] for wait in waits)),
                " ".join(wait["tile"] for wait in waits),
                guess(waits[0]),
            )
        )
    yield from columns(rows, "lrrll", head=True)


def not_ready(answer: Mapping[str, Any]) -> Lines:
    """How far a hand is from being ready, and which tiles help."""
    yield away(answer["shanten"])
    if answer["useful"]:
        useful = "  ".join(f"{tile['tile']}×{tile['left']}" for tile in answer["useful"])
        yield gettext("有用的牌：%(tiles)s") % {"tiles": useful}


def incomplete(answer: Mapping[str, Any]) -> Lines:
    """How many tiles are missing."""
    number = answer["missing"]
    yield ngettext("还差 %(number)s 张牌。", "还差 %(number)s 张牌。", number) % {"number": number}


REPORTS: dict[str, Callable[[Mapping[str, Any]], Lines]] = {
    "win": won,
    "ready": waiting,
    "not_won": to_discard,
    "not_ready": not_ready,
    "incomplete": incomplete,
}


def away(shanten: int | None) -> str:
    """How many tiles to exchange before the hand is ready, as a sentence."""
    if shanten is None:
        return gettext("碰杠的牌改不了，手牌怎么换都听不了。")
    if shanten == 0:
        return gettext("打掉一张就听。")
    return ngettext("还要换 %(number)s 张牌才听。", "还要换 %(number)s 张牌才听。", shanten) % {
        "number": shanten
    }


def value_heads() -> tuple[str, str, str, str]:
    """The heads of the columns of a value."""
    return gettext("番"), gettext("倍"), gettext("分"), gettext("番种")


def guess(valued: Mapping[str, Any]) -> str:
    """The mark of a value that uses what no source states."""
    return gettext("推定") if valued["assumed"] else ""


def counted(term: Mapping[str, Any]) -> str:
    """A term as it stands in a breakdown: 根 ×2."""
    name = str(term["name"])
    return f"{name} ×{term['count']}" if term.get("count", 1) > 1 else name


def divided(shape: Mapping[str, Any]) -> str:
    """The tiles as a reading divides them."""
    if shape["kind"] == "four_jokers":
        return texts.term("si_ji")
    if shape["kind"] == "seven_pairs":
        return " ".join(shape["pairs"])
    return " ".join([*shape["sets"], shape["pair"]])


def comparison(answers: list[dict[str, Any]]) -> Lines:
    """The same hand under every rule system."""
    rows = [(gettext("规则"), gettext("结果"), *value_heads(), "")]
    for answer in answers:
        value = ("", "", "", "", "")
        if "multiple" in answer:
            terms = texts.joined(map(counted, answer["terms"]))
            points = wire.dumps(answer["points"])
            names = used(answer)
            said = gettext("推定：%(names)s") % {"names": names} if names else ""
            value = (str(answer["fan"]), str(answer["multiple"]), points, terms, said)
        own = gettext("%(ruleset)s（家规）") if answer.get("options") else "%(ruleset)s"
        status = texts.word(texts.STATUSES, answer["status"])
        rows.append((own % {"ruleset": answer["name"]}, status, *value))
    yield from columns(rows, "llrrrll", head=True)
