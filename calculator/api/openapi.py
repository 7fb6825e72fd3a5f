"""The description of the JSON interface: OpenAPI 3.1, its options from the engine's own table."""

from functools import cache
from typing import Any

from django.conf import settings

from calculator.words import texts
from scoring import hand, notation, ready, rules, settle
from scoring.contract import hand as contract_hand
from scoring.contract import round as contract_round
from scoring.patterns import BONUSES, PATTERNS, TERMS

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
FLAG: Schema = {"type": "boolean"}
NO: Schema = {"const": False}
NULL: Schema = {"type": "null"}
NUMBER: Schema = {
    "type": "number",
    "description": "an amount, exact as it is written: two decimals, as many digits as it takes",
}
WHOLE: Schema = {"type": "integer"}
FAN: Schema = {"type": "integer", "minimum": 0, "maximum": rules.MAX_FAN}
POINTS: Schema = {"type": "integer", "minimum": 0, "maximum": rules.MAX_POINTS}
SEAT: Schema = {"type": "integer", "minimum": 0, "maximum": 3}
TILE: Schema = {"type": "string", "description": "one tile, such as 5m", "examples": ["5m"]}
TILES: Schema = {
    "type": "string",
    "description": "tiles in notation, such as 33m5p",
    "maxLength": notation.MAX_LENGTH,
}
NOTES: Schema = {
    "type": "array",
    "description": "what was asked for and counts nothing; fields that nobody reads, with their "
    "places (unknown_field)",
}
KONG: Schema = {"enum": list(hand.KONGS)}
SUIT: Schema = {"enum": list(texts.SUITS)}
#: How a seat may stand at the end of the wall without a value.
NOT_WAITING = [settle.NOT_READY, settle.FLOWER_PIG]


def ref(name: str) -> Schema:
    """A schema by its name."""
    return {"$ref": f"#/components/schemas/{name}"}


def some(of: Schema, **limits: int) -> Schema:
    """A list."""
    return {"type": "array", "items": of, **limits}


def either(*schemas: Schema) -> Schema:
    """One of several."""
    return {"anyOf": list(schemas)}


def maybe(schema: Schema) -> Schema:
    """Or null."""
    return either(schema, {"type": "null"})


def closed(required: str = "", /, **properties: Schema) -> Schema:
    """An object that takes no keys but its own."""
    return {**opened(required, **properties), "additionalProperties": False}


def opened(required: str = "", /, **properties: Schema) -> Schema:
    """An object that may hold more keys."""
    return {"type": "object", "properties": properties, "required": required.split()}


def renamed(schema: Schema, **names: str) -> Schema:
    """The same object with properties whose names are words of Python."""
    parts = {names.get(key, key): part for key, part in schema["properties"].items()}
    return {**schema, "properties": parts}


def having(**properties: Schema | bool) -> Schema:
    """What holds of an object that has these properties, and has them so."""
    return {"properties": properties, "required": list(properties)}


def lacking(schema: Schema, *names: str) -> Schema:
    """The same of an object that lacks these properties."""
    return {**schema, "properties": {**schema["properties"], **dict.fromkeys(names, False)}}


def by_seat(each: Schema) -> Schema:
    """An object with something for some of the seats."""
    names = {"enum": ["0", "1", "2", "3"]}
    return {"type": "object", "propertyNames": names, "additionalProperties": each}


def kong(kind: str, required: str = "", /, **properties: Schema) -> Schema:
    """The event of a kong of one kind."""
    common = {"type": {"const": "kong"}, "seat": SEAT, "kind": {"const": kind}}
    parts = closed(f"type seat kind {required}", **common, tile=maybe(TILE), **properties)
    return renamed(parts, from_="from")


def win(by: str, most: int, required: str = "", /, **properties: Schema) -> Schema:
    """The event of a win in one way, with the most winners that it can have."""
    common = {"type": {"const": "win"}, "by": {"const": by}, "last_tile": FLAG}
    winners = some(ref("Winner"), minItems=1, maxItems=most)
    parts = closed(f"type by winners {required}", **common, winners=winners, **properties)
    return renamed(parts, from_="from")


def takes(what: rules.Takes) -> Schema:
    """What an option takes."""
    if isinstance(what, rules.Lists):
        every = [term.id for term in PATTERNS]
        row: Schema = {"type": "array", "items": {"enum": every}}
        return closed(**{term.id: row for term in BONUSES})
    if what.high is None:
        return FLAG if what == rules.FLAG else {"enum": list(what.also)}
    number: Schema = {"type": "integer", "minimum": what.low, "maximum": what.high}
    if what.places:
        number |= {"type": "number", "multipleOf": 0.01}
    more: list[Schema] = [NULL if v is None else {"const": v} for v in what.also]
    return either(number, *more) if more else number


def options() -> Schema:
    """What a table may set, each option of the engine's table in its place."""
    found: dict[str, Any] = {}
    for option in rules.OPTIONS.values():
        table, _, key = option.path.partition(".")
        term, _, kong = key.partition(".")
        if kong:
            kinds = closed(**dict.fromkeys(rules.KINDS[term], maybe(FAN)))
            found[table][term] = either(takes(rules.FAN_OR_OFF), kinds)
        elif key:
            found.setdefault(table, {})[key] = takes(option.takes)
        else:
            found[table] = takes(option.takes)
    tables = {path.partition(".")[0] for path in rules.OPTIONS if "." in path}
    return closed(**{n: closed(**v) if n in tables else v for n, v in found.items()})


def requests() -> dict[str, Schema]:
    """What may be sent."""
    hand_text = {**TEXT, "maxLength": notation.MAX_LENGTH}
    shown = {"hand": hand_text, "melds": some(ref("Meld"), maxItems=4), "win_tile": maybe(TILE)}
    circumstances = {
        "blessing": maybe({"enum": list(hand.BLESSINGS)}),
        "horses": some(TILE, maxItems=contract_hand.MAX_LIST),
    }
    return {
        "Options": options(),
        "Meld": {
            **opened(
                "kind tile",
                kind={"enum": list(hand.MELD_KINDS)},
                tile=TILE,
                jokers={"type": "integer", "minimum": 0, "maximum": 3},
            ),
            # One tile at least is no joker.
            "if": having(kind={"const": hand.PUNG}),
            "then": {"properties": {"jokers": {"maximum": 2}}},
        },
        "HandRequest": {
            **opened(
                "ruleset hand",
                ruleset=ref("RulesetId"),
                options=ref("Options"),
                **shown,
                by={"enum": list(hand.WAYS), "default": hand.DISCARD},
                after_kong=maybe(KONG),
                kong_discard=FLAG,
                last_tile=FLAG,
                last_copy=FLAG,
                **circumstances,
                payer_kongs=some(some(KONG, maxItems=4), maxItems=3),
                seat=maybe(SEAT),
                dealer=maybe(SEAT),
                void=maybe(SUIT),
                seen=maybe(TILES),
            ),
            "allOf": [
                # Whom horses hit depends on where they are counted from.
                {
                    "if": having(horses={"minItems": 1}),
                    "then": having(seat=SEAT, dealer=SEAT),
                },
                # A list for each payer.
                {
                    "if": having(by={"const": hand.SELF_DRAW}),
                    "else": {"properties": {"payer_kongs": {"maxItems": 1}}},
                },
            ],
            "examples": [{"ruleset": "chengdu", "hand": "11223345678999m", "by": "self_draw"}],
        },
        "RoundRequest": closed(
            "ruleset events",
            ruleset=ref("RulesetId"),
            options=ref("Options"),
            dealer=SEAT,
            players=some({**TEXT, "maxLength": contract_round.MAX_NAME}, minItems=2, maxItems=4),
            events=some(ref("Event"), maxItems=contract_round.MAX_EVENTS),
        ),
        "Event": {
            "oneOf": [
                kong(hand.EXPOSED_KONG, "from", from_=SEAT, late=NO, robbed=NO),
                kong(hand.ADDED_KONG, from_=NULL, late=FLAG, robbed=FLAG),
                kong(hand.CONCEALED_KONG, from_=NULL, late=NO, robbed=NO),
                win(hand.DISCARD, 3, "from", from_=SEAT, after_kong=NULL, kong_discard=FLAG),
                win(hand.SELF_DRAW, 1, from_=NULL, after_kong=maybe(KONG), kong_discard=NO),
                win(hand.ROB_KONG, 3, "from", from_=SEAT, after_kong=NULL, kong_discard=FLAG),
                closed("type seat", type={"const": settle.FALSE_WIN}, seat=SEAT),
                closed(
                    "type from to amount",
                    type={"const": "payment"},
                    **{"from": SEAT},
                    to=SEAT,
                    amount={"type": "number", "exclusiveMinimum": 0, "maximum": rules.MONEY.high},
                    note={**TEXT, "maxLength": contract_round.MAX_NOTE},
                ),
                closed(
                    "type seat",
                    type={"const": "escape"},
                    seat=SEAT,
                    last_four=FLAG,
                    best=by_seat(
                        {"type": "integer", "minimum": 0, "maximum": contract_round.MAX_MULTIPLE}
                    ),
                ),
                closed("type hands", type={"const": "draw"}, hands=by_seat(ref("Left"))),
            ]
        },
        "Winner": {
            **closed("seat", seat=SEAT, fan=FAN, **shown, void=maybe(SUIT), **circumstances),
            "oneOf": [having(fan=True), having(hand=True)],
        },
        "Left": {
            **closed(
                state={"enum": [settle.READY, *NOT_WAITING]},
                fan=FAN,
                hand=hand_text,
                melds=some(ref("Meld"), maxItems=4),
                void=maybe(SUIT),
                waived=FLAG,
                passive=FLAG,
                seen=TEXT,
            ),
            # By hand, where a state may stand beside it if it is that of the hand; or by state.
            "oneOf": [
                lacking(having(hand=True), "fan"),
                lacking(having(state={"const": settle.READY}, fan=True), "hand"),
                lacking(having(state={"enum": NOT_WAITING}), "hand", "fan"),
            ],
        },
    }


def answers() -> dict[str, Schema]:
    """What comes back."""
    value = {
        "fan": WHOLE,
        "uncapped_fan": WHOLE,
        "multiple": WHOLE,
        "terms": some(ref("Term")),
    }
    keys = " ".join(value)
    state = {
        **maybe({"enum": list(texts.STATES)}),
        "description": "null where the round does not say: for a seat that has not won while the "
        "round is open, or when it ended before the wall did (three or first win, escape)",
    }
    wait = opened(
        f"tile left points assumed {keys}",
        tile=TILE,
        left=WHOLE,
        points=NUMBER,
        assumed=some(TEXT),
        **value,
    )
    statuses = {
        "Win": opened(
            f"status points shape payments patterns alternatives assumed notes {keys}",
            status={"const": "win"},
            points=NUMBER,
            shape=maybe(ref("Shape")),
            jokers=some(TILE),
            payments=some(
                opened(
                    "who players amount",
                    who={"enum": list(texts.PAYERS)},
                    players=WHOLE,
                    amount=NUMBER,
                )
            ),
            patterns=some(TEXT),
            alternatives=some(opened(keys, shape=ref("Shape"), **value)),
            assumed=some(TEXT),
            notes=NOTES,
            **value,
        ),
        "Ready": opened(
            "status waits assumed",
            status={"const": "ready"},
            waits=some(ref("Wait")),
            assumed=some(TEXT),
        ),
        "NotWon": opened(
            "status shanten discards assumed",
            status={"const": "not_won"},
            shanten=maybe(WHOLE),
            discards=some(opened("tile waits", tile=TILE, waits=some(ref("Wait")))),
            assumed=some(TEXT),
        ),
        "NotReady": opened(
            "status shanten useful assumed",
            status={"const": "not_ready"},
            shanten=maybe(WHOLE),
            useful=some(opened("tile left", tile=TILE, left=WHOLE)),
            assumed=some(TEXT),
        ),
        "Incomplete": opened("status missing", status={"const": "incomplete"}, missing=WHOLE),
    }
    return {
        "RulesetId": {"enum": list(rules.ids())},
        "Term": opened(
            "id name fan count", id={"enum": list(TERMS)}, name=TEXT, fan=WHOLE, count=WHOLE
        ),
        "Shape": {
            "oneOf": [
                opened("kind pair sets", kind={"const": "standard"}, pair=TEXT, sets=some(TEXT)),
                opened("kind pairs", kind={"const": "seven_pairs"}, pairs=some(TEXT)),
                opened("kind", kind={"const": "four_jokers"}),
            ]
        },
        "Wait": wait,
        **statuses,
        "HandAnswer": {"oneOf": [ref(name) for name in statuses]},
        "Comparison": some(
            opened(
                "ruleset name status",
                ruleset=ref("RulesetId"),
                name=TEXT,
                status=TEXT,
                assumed=some(TEXT),
                notes=NOTES,
            )
        ),
        "Explanation": opened(
            "status patterns lines not_counted",
            status=TEXT,
            patterns=some(
                opened(
                    "id name distance assumed",
                    id=TEXT,
                    name=TEXT,
                    distance=maybe(WHOLE),
                    assumed=FLAG,
                )
            ),
            lines=some(opened("id name fan count", id=TEXT, name=TEXT, fan=WHOLE, count=WHOLE)),
            not_counted={"type": "array"},
            notes=NOTES,
        ),
        "Settlement": opened(
            "status transfers totals penalties pairwise fewest_transfers seats warnings assumed",
            status={"const": "settled"},
            transfers=some(
                renamed(
                    opened(
                        "event from to amount reason",
                        event=WHOLE,
                        from_=SEAT,
                        to=maybe(SEAT),
                        amount=NUMBER,
                        reason={"enum": list(texts.REASONS)},
                    ),
                    from_="from",
                )
            ),
            totals=some(NUMBER, minItems=2, maxItems=4),
            penalties=NUMBER,
            seats=some(opened("state fans best", state=state)),
            warnings={"type": "array"},
            assumed=some(TEXT),
            next_dealer=maybe(SEAT),
        ),
        "RuleList": opened(
            "rulesets tables",
            rulesets=some(ref("RuleSummary")),
            tables=some(ref("ReadyTable")),
        ),
        "ReadyTable": opened(
            "table name ruleset options opt source",
            table={"enum": list(ready.ids())},
            name=TEXT,
            ruleset=ref("RulesetId"),
            options={**ref("Options"), "description": "what it changes against its system"},
            opt={**TEXT, "description": "the same as an address holds it"},
            source=TEXT,
        ),
        "RuleSummary": opened("ruleset name short source", ruleset=ref("RulesetId"), name=TEXT),
        "RuleBook": opened(
            "ruleset name source terms options assumed play readings",
            ruleset=ref("RulesetId"),
            name=TEXT,
            source=TEXT,
            terms=some(opened("id name aliases kind fan assumed")),
            options={"type": "object"},
        ),
        "Failure": opened(
            "status errors",
            status={"const": "error"},
            errors=some(opened("code message", code={"enum": list(texts.ERRORS)}, message=TEXT)),
        ),
        "Fault": opened(
            "status errors",
            status={"const": "error"},
            errors=some(opened("code", code={"const": "server_error"})),
        ),
    }


def content(schema: Schema) -> Schema:
    """A body of JSON."""
    return {"content": {"application/json": {"schema": schema}}}


def failures(*statuses: int) -> Schema:
    """The answers for requests that are wrong."""
    meaning = {
        400: "no JSON object, or a request that cannot be read at all",
        404: "no such rule system",
        405: "another method",
        413: f"more than {settings.DATA_UPLOAD_MAX_MEMORY_SIZE} bytes",
        414: f"a query of more than {settings.MAX_QUERY} bytes",
        422: "readable, but no request that the engine can answer",
    }
    fault = {"description": "a fault of the site", **content(ref("Fault"))}
    told = {
        str(status): {"description": meaning[status], **content(ref("Failure"))}
        for status in statuses
    }
    return {**told, "500": fault}


def post(name: str, summary: str, request: str, answer: str) -> Schema:
    """One call of the engine."""
    return {
        "post": {
            "operationId": name,
            "summary": summary,
            "parameters": [{"$ref": "#/components/parameters/lang"}],
            "requestBody": {"required": True, **content(ref(request))},
            "responses": {
                "200": {"description": "the answer", **content(ref(answer))},
                **failures(400, 405, 413, 414, 422),
            },
        }
    }


def get(name: str, summary: str, answer: Schema, *parameters: Schema) -> Schema:
    """Something to read."""
    return {
        "get": {
            "operationId": name,
            "summary": summary,
            "parameters": [{"$ref": "#/components/parameters/lang"}, *parameters],
            "responses": {
                "200": {"description": "the answer", **content(answer)},
                **failures(*([404] if parameters else []), 400, 405, 414, 422),
            },
        }
    }


@cache
def document() -> dict[str, Any]:
    """The whole description."""
    one_system = {"name": "id", "in": "path", "required": True, "schema": ref("RulesetId")}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "算番",
            "version": "1",
            "summary": "What a Sichuan mahjong hand or round is worth, and why",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/api/v1"}],
        "paths": {
            "/score": post("score", "One hand", "HandRequest", "HandAnswer"),
            "/compare": post("compare", "One hand, every system", "HandRequest", "Comparison"),
            "/explain": post("explain", "What is in the way", "HandRequest", "Explanation"),
            "/settle": post("settle", "One round", "RoundRequest", "Settlement"),
            "/rules": get("rules", "All rule systems", ref("RuleList")),
            "/rules/{id}": get("rule", "One rule system", ref("RuleBook"), one_system),
            "/openapi.json": get("openapi", "This document", {"type": "object"}),
        },
        "components": {
            "schemas": {**requests(), **answers()},
            "parameters": {
                "lang": {
                    "name": "lang",
                    "in": "query",
                    "description": "language of names and messages, before Accept-Language",
                    "schema": {"enum": [code for code, _ in settings.LANGUAGES]},
                }
            },
        },
    }
