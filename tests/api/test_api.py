"""The JSON interface: the engine's answers, its limits, and what it promises about itself."""

import io
import json
import random
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate

from calculator.api import openapi
from calculator.words import rulebook, texts
from scoring import rules
from scoring.contract import compare, explain, score, settle
from tests.case_files import hand_cases, in_terms_of
from tests.round_files import illegal_rounds, round_cases

PURE = {"ruleset": "chengdu", "hand": "11223345678999m"}
WON = {"type": "win", "by": "discard", "from": 1, "winners": [{"seat": 0, "fan": 3}]}
MELD = {"kind": "pung", "tile": "5p"}
PURE_HAND = {"hand": PURE["hand"]}
CALLS = ("score", "compare", "explain", "settle")


@pytest.fixture
def client() -> Client:
    """A client that would see an exception of ours as the 500 that users would."""
    return Client(raise_request_exception=False)


def post(client: Client, name: str, body: Any, **headers: str) -> HttpResponse:
    """Send a body, as JSON unless it is raw."""
    raw = body if isinstance(body, bytes | str) else json.dumps(body)
    return client.post(f"/api/v1/{name}", raw, content_type="application/json", headers=headers)


def codes(response: HttpResponse) -> list[str]:
    """The codes of the errors in an answer."""
    return [error["code"] for error in json.loads(response.content)["errors"]]


# Answers.


def test_a_hand_is_scored(client: Client) -> None:
    response = post(client, "score", PURE)
    assert response.status_code == 200
    assert response["Content-Type"] == "application/json"
    answer = response.json()
    assert (answer["status"], answer["fan"], answer["multiple"]) == ("win", 2, 4)
    assert answer["terms"] == [{"id": "qing_yi_se", "name": "清一色", "fan": 2, "count": 1}]


def test_every_system_answers_the_same_hand(client: Client) -> None:
    rows = post(client, "compare", PURE).json()
    assert [row["ruleset"] for row in rows] == list(rules.ids())
    assert [row["multiple"] for row in rows if row["ruleset"] == "xueliu"] == [5]


def test_what_is_in_the_way_is_explained_with_a_distance(client: Client) -> None:
    answer = post(client, "explain", {"ruleset": "chengdu", "hand": "123456789m55m22p3p"}).json()
    assert [row["distance"] for row in answer["patterns"] if row["id"] == "qing_yi_se"] == [3]


def test_a_round_is_settled(client: Client) -> None:
    answer = post(client, "settle", {"ruleset": "laok", "events": [WON]}).json()
    assert answer["totals"] == [24, -24, 0, 0]


def test_known_hands_get_their_answers_over_http(client: Client) -> None:
    for label, request, expected in random.Random(1).sample(hand_cases(), 40):
        answer = post(client, "score", request).json()
        assert in_terms_of(expected, answer) == expected, label


def test_known_rounds_get_their_totals_over_http(client: Client) -> None:
    for label, request, expected in random.Random(1).sample(round_cases(), 40):
        assert post(client, "settle", request).json()["totals"] == expected["totals"], label


def test_points_are_exact_and_whole_where_they_are_whole(client: Client) -> None:
    for base, written in (("0.1", b'"points": 0.4,'), ("0.25", b'"points": 1,'), ("2.0", b": 8,")):
        body = json.dumps(PURE)[:-1] + f', "options": {{"base": {base}}}}}'
        assert written in post(client, "score", body).content


# Rule systems.


def test_the_systems_are_listed(client: Client) -> None:
    listed = client.get("/api/v1/rules").json()["rulesets"]
    assert [row["ruleset"] for row in listed] == list(rules.ids())


@pytest.mark.parametrize("ruleset", rules.ids())
def test_a_system_is_described_with_every_value(client: Client, ruleset: str) -> None:
    book = client.get(f"/api/v1/rules/{ruleset}").json()
    system = rules.load(ruleset)
    values = {term["id"]: term["fan"] for term in book["terms"] if term["fan"] is not None}
    stated = json.loads(json.dumps(system.options()["fans"]))
    # Four jokers are worth the cap where no house rule says otherwise.
    assert values == stated | ({"si_ji": system.cap} if system.joker else {})
    assert book["options"].keys() == set(rules.FIELDS)


def test_an_unknown_system_is_not_found(client: Client) -> None:
    response = client.get("/api/v1/rules/texas")
    assert (response.status_code, codes(response)) == (404, ["unknown_ruleset"])


# Errors and limits.


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"3",
        b"null",
        b"\xff\xfe\x00",
        b'{"a": NaN}',
        b'{"a": 1e99999999999999999999}',
        b'{"a": ' + b"9" * 5000 + b"}",
        b"[" * 30_000,
        b'{"a": ' * 8000 + b"1" + b"}" * 8000,
        b'{"a": ' * 65 + b"1" + b"}" * 65,
    ],
    ids=lambda body: body[:12].decode("latin-1"),
)
def test_what_is_no_json_object_is_a_400(client: Client, call: str, body: bytes) -> None:
    response = post(client, call, body)
    assert (response.status_code, codes(response)) == (400, ["bad_json"])


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        ({"ruleset": "chengdu"}, "bad_field"),
        ({"ruleset": "texas", "hand": "1m"}, "unknown_ruleset"),
        ({**PURE, "options": {"nonsense": 1}}, "unknown_option"),
        ({**PURE, "options": {"cap": 1e300}}, "bad_option"),
        ({**PURE, "hand": "\ud800"}, "bad_notation"),
        ({**PURE, "hand": "11111m"}, "five_of_a_kind"),
        ({**PURE, "by": "rob_kong", "kong_discard": True}, "impossible_win"),
        ({**PURE, "win_tile": "1p"}, "win_tile_absent"),
    ],
)
def test_what_cannot_be_is_a_422_with_its_code(
    client: Client, request_: dict[str, Any], code: str
) -> None:
    response = post(client, "score", request_)
    assert response.status_code == 422
    assert code in codes(response)
    assert all(error["message"] for error in response.json()["errors"])


def test_a_body_may_have_64_kib_and_not_a_byte_more(client: Client) -> None:
    limit = 64 * 1024
    body = json.dumps(PURE).encode()
    assert post(client, "score", body.ljust(limit)).status_code == 200
    response = post(client, "score", body.ljust(limit + 1))
    assert (response.status_code, codes(response)) == (413, ["too_large"])


@pytest.mark.parametrize("call", CALLS)
def test_calls_are_posted(client: Client, call: str) -> None:
    response = client.get(f"/api/v1/{call}")
    assert (response.status_code, response["Allow"]) == (405, "POST, OPTIONS")


def test_rules_are_only_read(client: Client) -> None:
    response = client.delete("/api/v1/rules")
    assert (response.status_code, response["Allow"]) == (405, "GET, HEAD, OPTIONS")


@pytest.mark.parametrize("method", ["get", "post", "put", "patch", "delete", "options"])
@pytest.mark.parametrize("address", ["", "v1", "v1/", "v1/scores", "v1/score/", "v2/score", "%0a"])
def test_any_other_address_is_not_found_whatever_is_asked_of_it(
    client: Client, address: str, method: str
) -> None:
    response = getattr(client, method)(f"/api/{address}")
    assert (response.status_code, codes(response)) == (404, ["not_found"])
    assert "Allow" not in response
    assert client.head(f"/api/{address}").status_code == 404


def test_nothing_is_asked_for_but_the_body(client: Client) -> None:
    strict = Client(enforce_csrf_checks=True)
    assert post(strict, "score", PURE).status_code == 200
    assert not post(client, "score", PURE).cookies


# Languages.


@pytest.mark.parametrize(
    ("query", "accepted", "language"),
    [
        ("", "", "zh-hans"),
        ("", "en-GB,zh;q=0.5", "en"),
        ("", "zh-TW", "zh-hant"),
        ("", "zh-CN,en", "zh-hans"),
        ("", "fr", "zh-hans"),
        ("?lang=en", "zh-TW", "en"),
        ("?lang=zh-hant", "", "zh-hant"),
        ("?lang=", "en", "en"),
        ("", "en;q=0,zh-TW;q=0.1", "zh-hant"),
        ("", "en;q=0", "zh-hans"),
    ],
)
def test_names_follow_the_language_asked_for_and_numbers_do_not(
    client: Client, query: str, accepted: str, language: str
) -> None:
    response = post(client, f"score{query}", PURE, **{"accept-language": accepted})
    assert response["Content-Language"] == language
    assert "Accept-Language" in response["Vary"]
    answer = response.json()
    assert (answer["fan"], answer["terms"][0]["id"]) == (2, "qing_yi_se")


@pytest.mark.parametrize("address", ["score", "rules", "rules/laok"])
def test_a_language_that_is_none_of_ours_is_told(client: Client, address: str) -> None:
    ask = post if address == "score" else lambda client, name: client.get(f"/api/v1/{name}")
    response = ask(client, f"{address}?lang=nonsense", *[PURE] * (address == "score"))
    assert response.status_code == 422
    (error,) = response.json()["errors"]
    assert (error["code"], error["field"]) == ("bad_field", "lang")
    assert error["message"] == "“语言”只能是：zh-hans、zh-hant、en。"


@pytest.mark.parametrize("call", CALLS)
def test_a_key_that_is_said_twice_is_named(client: Client, call: str) -> None:
    for body in ('{"hand": "1m", "hand": "2m"}', '{"options": {"cap": 1, "base": 1, "cap": 2}}'):
        response = post(client, call, body.encode())
        (error,) = response.json()["errors"]
        named = "hand" if "hand" in body else "cap"
        assert (response.status_code, error["code"], error["key"]) == (400, "bad_json", named)
        assert error["message"] == f"“{named}”写了不止一次。"


def test_a_body_that_ends_before_its_length_is_no_request(client: Client) -> None:
    body = json.dumps(PURE).encode()
    whole = {"content_type": "application/json", "data": body}
    assert client.post("/api/v1/score", **whole).status_code == 200
    sent = {"wsgi.input": io.BytesIO(body), "CONTENT_LENGTH": str(len(body) + 1)}
    cut = client.post("/api/v1/score", **whole, **sent)
    assert (cut.status_code, codes(cut)) == (400, ["bad_json"])


@pytest.mark.parametrize(
    ("name", "said"), [("", "南没有"), ("  ", "南没有"), ("老\u202e王\u0007", "老王没有")]
)
def test_a_name_in_a_sentence_is_one_that_can_stand_there(
    client: Client, name: str, said: str
) -> None:
    seats = {"0": {"state": "ready", "fan": 2}, "1": {"state": "not_ready", "waived": True}}
    more = {seat: {"state": "not_ready"} for seat in ("2", "3")}
    drawn = {"type": "draw", "hands": {**seats, **more}}
    asked = {"ruleset": "laok", "players": ["甲", name, "丙", "丁"], "events": [drawn]}
    answer = post(client, "settle", asked).json()
    assert [told["message"][: len(said)] for told in answer["warnings"]] == [said]


def test_every_code_of_the_contract_has_a_sentence() -> None:
    fixed = (
        "bad_json bad_field bad_notation five_of_a_kind too_many_tiles too_many_melds "
        "unknown_ruleset unknown_option bad_option win_tile_absent impossible_win "
        "seat_already_won bad_from bad_event_order missing_hand not_allowed not_a_win "
        "impossible_tiles"
    )
    assert set(fixed.split()) <= texts.ERRORS.keys()


# The description.


def test_the_description_is_a_valid_openapi_document(client: Client) -> None:
    document = client.get("/api/v1/openapi.json").json()
    assert document["openapi"].startswith("3.1")
    validate(document)


def test_every_option_of_the_engine_is_described() -> None:
    described = openapi.document()["components"]["schemas"]["Options"]["properties"]
    assert described.keys() == set(rules.FIELDS)


def test_the_description_names_every_address(client: Client) -> None:
    for path, operations in openapi.document()["paths"].items():
        address = f"/api/v1{path}".replace("{id}", "chengdu")
        for method in operations:
            response = client.generic(method.upper(), address, "{}", "application/json")
            assert response.status_code == (200 if method == "get" else 422)


def test_every_refusal_of_an_address_is_described_and_has_the_shape_described(
    client: Client,
) -> None:
    """Whatever the address: too long, too many parameters, another method, another language."""
    paths = openapi.document()["paths"]
    for path, described in paths.items():
        (method,) = described
        responses = described[method]["responses"]
        address = f"/api/v1{path.replace('{id}', 'laok')}"
        refused = [
            getattr(client, method)(f"{address}?a={'1' * 9000}"),
            getattr(client, method)(f"{address}?{'a=1&' * 300}"),
            getattr(client, method)(f"{address}?lang=fr"),
            client.delete(address),
        ]
        assert [one.status_code for one in refused] == [414, 400, 422, 405], path
        for one in refused:
            assert responses[str(one.status_code)]["content"]["application/json"]
            FAILURE.validate(one.json())


def test_a_fault_of_the_site_has_the_shape_described(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rulebook, "describe", lambda _: 1 / 0)
    response = Client(raise_request_exception=False).get("/api/v1/rules/laok")
    assert response.status_code == 500
    checker("Fault").validate(response.json())


def checker(name: str) -> Draft202012Validator:
    """A validator for one schema of the description."""
    return Draft202012Validator(
        {"$ref": f"#/components/schemas/{name}", "components": openapi.document()["components"]}
    )


REQUESTS = dict.fromkeys(CALLS, "HandRequest") | {"settle": "RoundRequest"}
ANSWERS = {
    "score": checker("HandAnswer"),
    "compare": checker("Comparison"),
    "explain": checker("Explanation"),
    "settle": checker("Settlement"),
}
FAILURE = checker("Failure")


def check(call: str, response: HttpResponse) -> None:
    """An answer is what the description says, whatever was sent."""
    answer = json.loads(response.content)
    if response.status_code == 200:
        ANSWERS[call].validate(answer)
    else:
        assert response.status_code in (400, 413, 422)
        FAILURE.validate(answer)


@pytest.mark.parametrize("call", CALLS)
def test_known_requests_and_their_answers_are_as_described(client: Client, call: str) -> None:
    known = round_cases() if call == "settle" else hand_cases()
    asked = checker(REQUESTS[call])
    for _, request, _ in random.Random(2).sample(known, 60):
        response = post(client, call, request)
        if response.status_code == 200:
            asked.validate(request)
        check(call, response)


HORSES = {**PURE, "horses": ["1m"]}
KONG = {"type": "kong", "seat": 2, "kind": "exposed_kong", "from": 1}
DRAWN = {"type": "win", "by": "self_draw", "winners": [{"seat": 0, "fan": 3}]}
WAITING = {"hand": "1112345678999m"}


def round_of(*events: Any) -> dict[str, Any]:
    return {"ruleset": "laok", "events": list(events)}


def left(**seat: Any) -> dict[str, Any]:
    """A round whose wall runs out, with what one seat shows."""
    others = {str(one): {"state": "not_ready"} for one in (1, 2, 3)}
    return round_of({"type": "draw", "hands": {"0": seat, **others}})


@pytest.mark.parametrize(
    ("call", "good", "bad"),
    [
        ("score", {**HORSES, "seat": 0, "dealer": 3}, HORSES),
        ("score", {**HORSES, "seat": 0, "dealer": 3.0}, {**HORSES, "seat": 0, "dealer": None}),
        ("score", {**PURE, "horses": []}, {**HORSES, "seat": True, "dealer": 0}),
        (
            "score",
            {**PURE, "payer_kongs": [[], []], "by": "self_draw"},
            {**PURE, "payer_kongs": [[], []]},
        ),
        (
            "score",
            {"ruleset": "yaoji", "hand": "11m", "melds": [{**MELD, "jokers": 2.0}]},
            {"ruleset": "yaoji", "hand": "11m", "melds": [{**MELD, "jokers": 3}]},
        ),
        ("score", {**PURE, "options": {"cap": 6.0}}, {**PURE, "options": {"cap": True}}),
        ("settle", round_of(KONG), round_of({**KONG, "from": None})),
        ("settle", round_of({**KONG, "from": 1.0}), round_of({**KONG, "late": True})),
        (
            "settle",
            round_of({**KONG, "kind": "added_kong", "from": None, "late": True}),
            round_of({**KONG, "kind": "added_kong"}),
        ),
        (
            "settle",
            round_of({**KONG, "kind": "concealed_kong", "from": None}),
            round_of({**KONG, "kind": "concealed_kong", "from": None, "robbed": True}),
        ),
        ("settle", round_of(WON), round_of({**WON, "from": None})),
        ("settle", round_of(DRAWN), round_of({**DRAWN, "from": 1})),
        ("settle", round_of(DRAWN), round_of({**DRAWN, "winners": [*DRAWN["winners"]] * 2})),
        ("settle", round_of(WON), round_of({**WON, "after_kong": "added_kong"})),
        ("settle", round_of(DRAWN), round_of({**DRAWN, "kong_discard": True})),
        (
            "settle",
            round_of({**DRAWN, "winners": [{"seat": 0, **PURE_HAND}]}),
            round_of({**DRAWN, "winners": [{"seat": 0, "fan": 3, **PURE_HAND}]}),
        ),
        ("settle", round_of(DRAWN), round_of({**DRAWN, "winners": [{"seat": 0}]})),
        ("settle", left(**WAITING), left(**WAITING, fan=2)),
        ("settle", left(**WAITING, state="ready"), left(state="ready")),
        ("settle", left(state="ready", fan=2), left(state="flower_pig", fan=2)),
        (
            "settle",
            round_of({"type": "escape", "seat": 1, "best": {"0": 8.0}}),
            round_of({"type": "escape", "seat": 1, "best": {"0": -1}}),
        ),
        (
            "settle",
            {**round_of(WON), "players": ["甲", "乙", "丙", "丁"]},
            {**round_of(WON), "players": ["甲", "乙", "丙", "丁" * 41]},
        ),
    ],
)
def test_what_the_description_refuses_the_server_refuses_and_the_reverse(
    client: Client, call: str, good: dict[str, Any], bad: dict[str, Any]
) -> None:
    described = checker(REQUESTS[call])
    assert described.is_valid(good)
    assert post(client, call, good).status_code == 200
    assert not described.is_valid(bad)
    assert post(client, call, bad).status_code == 422


@pytest.mark.parametrize(
    ("ruleset", "options", "events", "states"),
    [
        ("laok", {}, [], [None] * 4),
        ("laok", {}, [DRAWN], ["won", None, None, None]),
        ("laok", {"round_ends": "first_win"}, [DRAWN], ["won", None, None, None]),
        ("laok", {}, [{"type": "escape", "seat": 1}], [None] * 4),
    ],
)
def test_how_a_seat_stands_is_null_where_the_round_does_not_say(
    client: Client, ruleset: str, options: Any, events: list[Any], states: list[str | None]
) -> None:
    request = {"ruleset": ruleset, "options": options, "events": events}
    response = post(client, "settle", request)
    assert [seat["state"] for seat in response.json()["seats"]] == states
    check("settle", response)


LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 20),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=12),
    st.sampled_from(
        ["5m", "123m", "discard", "self_draw", "added_kong", "tian_hu", "m", "chengdu", "ready"]
    ),
)
ANYTHING = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=12,
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place inside a JSON value."""
    found = [path] if path else []
    if isinstance(value, dict):
        inner: Any = value.items()
    elif isinstance(value, list):
        inner = enumerate(value)
    else:
        return found
    for key, part in inner:
        found += places(part, (*path, key))
    return found


@st.composite
def spoiled(draw: st.DrawFn, known: list[dict[str, Any]]) -> Any:
    """A known request with something else in a few of its places."""
    request = json.loads(json.dumps(draw(st.sampled_from(known))))
    for _ in range(draw(st.integers(1, 3))):
        path = draw(st.sampled_from(places(request)))
        holder = request
        for key in path[:-1]:
            holder = holder[key]
        holder[path[-1]] = draw(ANYTHING)
    if draw(st.booleans()):
        properties = openapi.document()["components"]["schemas"]["HandRequest"]["properties"]
        request[draw(st.sampled_from(sorted(properties)))] = draw(ANYTHING)
    return request


HANDS = [request for _, request, _ in hand_cases()]
ROUNDS = [request for _, request, _ in round_cases()]


@given(request=st.one_of(spoiled(HANDS), ANYTHING))
@hypothesis_settings(max_examples=250, deadline=None, derandomize=True)
def test_no_hand_whatsoever_reaches_a_5xx(request: Any) -> None:
    client = Client()
    for call in ("score", "compare", "explain"):
        check(call, post(client, call, json.dumps(request)))


@given(request=st.one_of(spoiled(ROUNDS), ANYTHING))
@hypothesis_settings(max_examples=400, deadline=None, derandomize=True)
def test_no_round_whatsoever_reaches_a_5xx(request: Any) -> None:
    check("settle", post(Client(), "settle", json.dumps(request)))


def coded(answer: Any) -> list[dict[str, Any]]:
    """Everything in an answer that has a code."""
    if isinstance(answer, dict):
        inner = [found for part in answer.values() for found in coded(part)]
        return [answer, *inner] if "code" in answer else inner
    return [found for part in answer for found in coded(part)] if isinstance(answer, list) else []


def test_every_code_that_the_engine_gives_has_a_sentence_with_all_its_parts() -> None:
    answers = [
        *(call(request) for _, request, _ in hand_cases() for call in (score, compare, explain)),
        *(settle(request) for _, request, _ in round_cases()),
        *(settle(request) for _, request, *_ in illegal_rounds()),
    ]
    found = {error["code"]: texts.message(error) for error in coded(answers)}
    assert len(found) > 25
    assert not {code for code, said in found.items() if said == code or "?" in said}
