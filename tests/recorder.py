"""What the site answers, kept as digests: moving code about must not change a byte of it.

    python -m tests.recorder keep before.json      # on the state before
    python -m tests.recorder compare before.json   # on the state after: names what differs

Every route in every language; the pages of a hand, a round and the house rules at a few hundred
addresses; the programs' interface on the shared cases.  The release mark, the folders and the
hashes of static files are left out, as they may differ, and so are white space between tags
and the seeds that a drill begins with.
"""

import argparse
import json
import logging
import os
import re
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import django

UNSTEADY = (
    (re.compile(rb"seed=\w+"), b"seed="),
    (re.compile(rb"(static/[\w./-]+?)\.[0-9a-f]{12}\."), rb"\1."),
    (re.compile(rb"/static/(?:[\w-]+/)*"), b"/static/"),
    (re.compile(rb">\s+<"), rb"><"),
    (re.compile(rb"\s+"), rb" "),
)
HANDS, ROUNDS = 40, 30


def addresses() -> Iterator[str]:
    """Every route filled with something that exists, and the big pages with real content."""
    from scoring import rules
    from scoring.drills import KINDS
    from tests.case_files import load
    from tests.routes import PREFIXES, routes

    for route in routes():
        yield route.filled()
    terms = ("gen", "jin_gou_diao", "long_qi_dui", "gang_shang_hua", "zhong_zhang", "si_ji")
    pages = ("", "fragment/result", "compare/", "house/", "fragment/compare", "fragment/missing")
    for prefix in PREFIXES:
        for ruleset in rules.ids():
            yield f"/{prefix}rules/{ruleset}/"
            for kind in KINDS:
                yield f"/{prefix}learn/drill/?rules={ruleset}&kind={kind}&level=2&seed=a&n=3"
        for term in terms:
            yield f"/{prefix}rules/terms/{term}/"
        for query in hand_queries(load("hands")[:: max(1, len(load("hands")) // HANDS)]):
            for page in pages:
                yield f"/{prefix}{page}?{query}"
        for query in round_queries(load("rounds")[:: max(1, len(load("rounds")) // ROUNDS)]):
            for page in ("settle/", "fragment/round", "settle/round.json"):
                yield f"/{prefix}{page}?{query}"


def hand_queries(cases: list[dict]) -> Iterator[str]:
    """The requests that an address can say, as addresses."""
    from urllib.parse import urlencode

    for case in cases:
        asked = case["request"]
        if isinstance(asked.get("hand"), str) and "melds" not in asked:
            names = {"ruleset": "rules", "hand": "hand", "by": "by", "after_kong": "after"}
            yield urlencode({name: asked[key] for key, name in names.items() if asked.get(key)})


def round_queries(cases: list[dict]) -> Iterator[str]:
    """Rounds as addresses, as far as the grammar of events says them."""
    from urllib.parse import urlencode

    from scoring.addresses.round import write_event

    for case in cases:
        asked = case["request"]
        try:
            events = ".".join(write_event(event) for event in asked["events"])
        except (KeyError, TypeError, ValueError):
            continue
        yield urlencode({"rules": asked["ruleset"], "d": asked.get("dealer", 0), "e": events})


def answers() -> Iterator[tuple[str, str]]:
    """(what was asked, digest of the answer)."""
    from django.test import Client

    from calculator.site import build
    from tests.case_files import load

    client = Client(raise_request_exception=False, HTTP_HOST="localhost")
    mark = build.mark().encode()

    def digest(response) -> str:
        body = b"".join(response) if response.streaming else response.content
        body = body.replace(mark, b"MARK")
        for pattern, instead in UNSTEADY:
            body = pattern.sub(instead, body)
        place = re.sub("seed=[a-z]+", "", response.headers.get("Location", ""))
        return f"{response.status_code} {place} {sha256(body).hexdigest()[:16]}"

    for address in dict.fromkeys(addresses()):
        yield address, digest(client.get(address))
    calls = ("score", "hands"), ("compare", "hands"), ("explain", "hands"), ("settle", "rounds")
    for call, name in calls:
        for number, case in enumerate(load(name)):
            asked = json.dumps(case["request"])
            response = client.post(f"/api/v1/{call}", asked, content_type="application/json")
            yield f"{call} {name} {number}", digest(response)


def main() -> int:
    """Keep or compare; how many answers differ is the exit's reason."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("keep", "compare"))
    parser.add_argument("file", type=Path)
    given = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "calculator.settings")
    os.environ.update(DEBUG="1", HTTPS="0")
    django.setup()
    logging.disable(logging.CRITICAL)
    now = dict(answers())
    if given.what == "keep":
        given.file.write_text(json.dumps(now, indent=0, ensure_ascii=False), "utf-8")
        print(f"{len(now)} answers kept")
        return 0
    before = json.loads(given.file.read_text("utf-8"))
    differ = [key for key in before if now.get(key) != before[key]]
    for key in differ[:40]:
        print(f"{key}\n    {before[key]}\n    {now.get(key)}")
    print(f"{len(before)} answers, {len(differ)} differ")
    return bool(differ)


if __name__ == "__main__":
    sys.exit(main())
