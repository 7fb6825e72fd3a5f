"""`manage.py settle`: who owes whom after one round, or a stream of rounds as JSON lines."""

from argparse import ArgumentParser
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext

from calculator.site import wire
from calculator.site.console import SpeakingCommand, add_stream_arguments, columns
from calculator.words import texts
from calculator.words.answers import used
from scoring import contract


class Command(SpeakingCommand):
    help = (
        "Settle one round from a JSON file, as tables for people; with --json read one round per "
        "line from a file or from standard input and write one answer per line."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", nargs="?", help="a file, or - for standard input")
        add_stream_arguments(parser)

    def handle(self, *, file: str | None, json: bool, jobs: int, **_: Any) -> None:
        if json:
            self.answer_stream(contract.settle, file, jobs)
            return
        with self.opened(file) as source:
            try:
                request = wire.loads(source.read())
            except wire.BadJson as bad:
                self.fail(texts.message(bad.error))
        if request.get("format") == "suanfan-round" and isinstance(request.get("request"), dict):
            request = request["request"]  # a round that the site has saved as a file
        players = texts.players_of(request) or [gettext(seat) for seat in texts.SEATS]
        answer = texts.localise(contract.settle(request), players)
        if wire.is_error(answer):
            self.fail(*map(problem, answer["errors"]))
        self.show(report(answer, players))


def problem(error: Mapping[str, Any]) -> str:
    """A problem of a round, with the event that has it."""
    if "event" not in error:
        return str(error["message"])
    return gettext("事件 %(number)s：%(message)s") % {
        "number": error["event"] + 1,
        "message": error["message"],
    }


def report(answer: Mapping[str, Any], players: Sequence[str]) -> Iterator[str]:
    """A settled round for people."""
    nobody = gettext("（罚分）")

    def name(seat: int | None) -> str:
        return nobody if seat is None else players[seat]

    def payments(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
        yield from columns(
            [
                (gettext("付"), gettext("收"), gettext("分")),
                *((name(row["from"]), name(row["to"]), wire.dumps(row["amount"])) for row in rows),
            ],
            "llr",
            head=True,
        )

    if answer["transfers"]:
        yield from columns(
            [
                (gettext("事件"), gettext("事由"), gettext("付"), gettext("收"), gettext("分")),
                *(
                    (
                        str(row["event"] + 1),
                        texts.word(texts.REASONS, row["reason"]),
                        name(row["from"]),
                        name(row["to"]),
                        wire.dumps(row["amount"]),
                    )
                    for row in answer["transfers"]
                ),
            ],
            "rlllr",
            head=True,
        )
        yield ""
    seats = zip(players, answer["seats"], answer["totals"], strict=True)
    yield from columns(
        [
            (gettext("座位"), gettext("结果"), gettext("番"), gettext("合计")),
            *(
                (
                    player,
                    texts.word(texts.STATES, seat["state"]),
                    " ".join(map(str, seat["fans"])),
                    wire.dumps(total),
                )
                for player, seat, total in seats
            ),
        ],
        "lllr",
        head=True,
    )
    if answer["penalties"]:
        yield gettext("罚分合计：%(amount)s") % {"amount": wire.dumps(answer["penalties"])}
    if answer["fewest_transfers"]:
        yield ""
        yield gettext("这样付最少：")
        yield from payments(answer["fewest_transfers"])
    yield ""
    for warning in answer["warnings"]:
        yield gettext("注：%(note)s") % {"note": warning["message"]}
    if names := used(answer):
        yield gettext("推定（出处没有写明）：%(names)s") % {"names": names}
    if answer.get("open"):
        yield gettext("这一局还没有结束，先结算到这里。")
    else:
        yield gettext("下一局庄家：%(player)s") % {"player": name(answer["next_dealer"])}
