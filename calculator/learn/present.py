"""A question of a drill in words: what is asked, what can be answered, what was wrong with it.

Everything that is true or false comes from `scoring.drills`; here are the sentences.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext

from calculator.learn.feedback import Answered, changes, comments
from calculator.words import badge, texts
from calculator.words import rounds as round_words
from calculator.words.answers import balance, meld_faces, points, present, void_tiles
from scoring import rules as engine
from scoring.addresses.hand import write_options, write_query
from scoring.addresses.round import RoundPage
from scoring.contract import score, settle
from scoring.drills import Choice, Question
from scoring.hand import DISCARD, Hand
from scoring.notation import parse
from scoring.patterns import GEN
from scoring.rules import Rules
from scoring.tiles import SUITS, TILE_NAMES, TILES
from scoring.words import N_

Json = dict[str, Any]

#: What can be practised: a name for each kind, and what one learns by it.
KINDS: dict[str, str] = {
    "win": N_("胡了没有"),
    "fan": N_("几番"),
    "patterns": N_("什么牌型"),
    "waits": N_("听哪些牌"),
    "discard": N_("打哪张"),
    "change": N_("要是……呢"),
    "payment": N_("谁付多少"),
    "pig": N_("花猪还是没叫"),
    "settle": N_("流局结算"),
}
ABOUT: dict[str, str] = {
    "win": N_("成副、成对、缺一门：一眼看出能不能胡。"),
    "fan": N_("牌型、根、杠和加番，加起来是几番。"),
    "patterns": N_("认出算数的那个牌型，数对根。"),
    "waits": N_("把能胡的牌一张不漏地点出来。"),
    "discard": N_("多出来的一张打哪张，听得最大也最宽。"),
    "change": N_("换成自摸、开了杠、换一桌规则，值几倍。"),
    "payment": N_("点炮、自摸、点杠花：谁掏钱，掏多少。"),
    "pig": N_("牌墙摸完，这家算什么。"),
    "settle": N_("杠钱、查花猪、查叫、退税，一局下来多少。"),
}
LEVELS: dict[int, str] = {1: N_("入门"), 2: N_("进阶"), 3: N_("高手")}
TOPICS: dict[str, str] = {
    "pungs": N_("对对胡一类"),
    "pairs": N_("七对一类"),
    "pure": N_("清一色一类"),
    "outside": N_("带幺九一类"),
    "roots": N_("根和杠"),
    "luck": N_("杠上花、抢杠这些"),
}

#: What is asked, by kind; `change` has its own below.
ASKED: dict[str, str] = {
    "win": N_("这手牌胡了吗？"),
    "fan": N_("这手牌几番？"),
    "patterns": N_("这手牌算什么牌型？"),
    "roots": N_("这手牌算什么牌型，几根？"),
    "waits": N_("听哪些牌？全部点出来。"),
    "discard": N_("打哪一张，听得最好？"),
    "payment": N_("谁付？付多少？"),
    "pig": N_("牌墙摸完了，这家算什么？"),
    "settle": N_("这一局下来，%(seat)s是多少？"),
}
CHANGES: dict[str, str] = {
    "self_draw": N_("别人点炮，这手牌收%(multiple)s倍。要是自摸，还没有别人胡过，各家一共付几倍？"),
    "one_suit": N_("上面这手牌是%(multiple)s倍。要是变成下面这手清一色，几倍？"),
    "kong": N_("这手牌是%(multiple)s倍。要是那副碰换成%(kong)s，几倍？"),
    "other_wait": N_("胡%(was)s是%(multiple)s倍。要是胡的是%(tile)s，几倍？"),
    "gang_shang_hua": N_(
        "平常自摸，每家付%(multiple)s倍。要是这张是开%(kong)s补进来的（杠上花），每家付几倍？"
    ),
    "gang_shang_pao": N_("这手牌是%(multiple)s倍。要是别人开杠之后打出这张（杠上炮），几倍？"),
    "qiang_gang": N_("这手牌是%(multiple)s倍。要是这张是抢来的杠，几倍？"),
    "hai_di": N_("这手牌是%(multiple)s倍。要是这张是牌墙的最后一张（海底），几倍？"),
    "cap": N_("这手牌是%(multiple)s倍。要是这张桌%(cap)s番封顶，几倍？"),
    "no_cap": N_("这手牌是%(multiple)s倍。要是这张桌不封顶，几倍？"),
    "ruleset": N_("这手牌在这张桌是%(multiple)s倍。到打“%(rules)s”的桌上，几倍？"),
}

#: How a ready, a not ready and a pig hand are called as answers.
ANSWERS: dict[str, str] = {"yes": N_("胡了"), "no": N_("没有胡")}


def _face(name: str, label: str | None = None, face: str | None = None) -> Json:
    return {"id": name, "face": face or name, "label": label or texts.tile(name)}


def hand_faces(hand: Hand) -> Json:
    """A hand as it lies on the table: melds, concealed tiles in order, the winning one apart."""
    melds = [
        {
            "name": texts.word(texts.MELDS, meld.kind),
            "tiles": [_face(TILE_NAMES[meld.tile], face=face) for face in meld_faces(meld)],
        }
        for meld in hand.melds
    ]
    win = None
    if hand.named and hand.win_tile is not None:
        name = TILE_NAMES[hand.win_tile]
        win = _face(name, gettext("%(tile)s，胡的牌") % {"tile": texts.tile(name)})
    tiles = hand.tiles if win else hand.concealed
    return {"melds": melds, "tiles": [_face(TILE_NAMES[t]) for t in tiles], "win": win}


def way_words(request: Mapping[str, Any]) -> list[str]:
    """How a hand was won and what was declared, in a few words each."""
    found = []
    if "!" in request["hand"]:
        found.append(texts.word(texts.WAYS, request.get("by", DISCARD)))
    if kind := request.get("after_kong"):
        found.append(gettext("杠上花（%(kong)s）") % {"kong": texts.word(texts.MELDS, kind)})
    if request.get("kong_discard"):
        found.append(texts.term("gang_shang_pao"))
    if request.get("last_tile"):
        found.append(texts.term("hai_di"))
    if request.get("last_copy"):
        found.append(texts.term("jue_zhang"))
    if blessing := request.get("blessing"):
        found.append(texts.term(blessing))
    if void := request.get("void"):
        found.append(gettext("定缺%(suit)s") % {"suit": texts.word(texts.SUITS, void)})
    return found


def hand_parameters(rules: Rules, request: Mapping[str, Any]) -> dict[str, str]:
    """A request to `score` as the parameters of the calculator page."""
    names = {
        "hand": "hand", "by": "by", "after_kong": "after", "kong_discard": "pao",
        "last_tile": "last", "last_copy": "jue", "blessing": "bless", "void": "void",
    }  # fmt: skip
    given = {to: request[name] for name, to in names.items() if request.get(name)}
    for flag in {"pao", "last", "jue"} & set(given):
        given[flag] = "1"
    parameters: dict[str, str] = {"rules": rules.id, **given, "opt": write_options(rules)}
    return {name: value for name, value in parameters.items() if value}


def rules_of(request: Mapping[str, Any]) -> Rules:
    """The rules that a request names."""
    return engine.load(request["ruleset"]).override(request.get("options", {}))


def asked(question: Question) -> str:
    """The question itself, one sentence."""
    if question.kind == "settle":
        return gettext(ASKED["settle"]) % {"seat": round_words.seat(question.seat)}
    if question.kind == "patterns" and any(GEN in dict(c.value) for c in question.choices):
        return gettext(ASKED["roots"])
    if question.kind != "change":
        return gettext(ASKED[question.kind])
    assert question.changed is not None
    code, _, what = question.change.partition(".")
    before = score(question.request)
    words: Json = {"multiple": before["multiple"]}
    if code in ("kong", "gang_shang_hua"):
        words["kong"] = texts.word(texts.MELDS, what)
    elif code == "cap":
        code = "no_cap" if what == "None" else code
        words["cap"] = what
    elif code == "ruleset":
        words["rules"] = texts.ruleset(what)
    elif code == "other_wait":
        words["was"] = texts.tile(before["win_tile"])
        words["tile"] = texts.tile(score(question.changed)["win_tile"])
    return gettext(CHANGES[code]) % words


def hint(question: Question, rules: Rules) -> str:
    """What one has to know besides the question to have one right answer."""
    kind = question.kind
    if kind == "fan" and rules.cap is not None:
        return gettext("%(cap)s番封顶，按封顶后的番数。") % {"cap": rules.cap}
    if kind == "patterns":
        several = gettext("这套规则满足几个牌型就算几个。")
        return several if rules.combine == "sum" else gettext("只算最大的那个牌型。")
    if kind == "discard":
        return gettext("最好的那张，能胡的最大，剩的张数也最多。")
    if kind == "payment":
        return _payment_hint(question, rules)
    if kind == "settle":
        return _settle_hint(rules)
    if kind == "waits" and rules.joker:
        return gettext("%(joker)s不用点：摸到它总是胡。") % {"joker": texts.joker(rules.joker)}
    if kind == "change" and question.change.startswith("ruleset"):
        return gettext("倍是几个底，和底是多少没有关系。")
    return ""


def _payment_hint(question: Question, rules: Rules) -> str:
    words: Json = {"base": f"{rules.base:f}"}
    if kongs := question.request.get("payer_kongs", [[]])[0]:
        words["kongs"] = texts.joined(texts.word(texts.MELDS, one) for one in kongs)
        return gettext("底%(base)s，还没有别人胡过；付钱的人自己开过%(kongs)s。") % words
    return gettext("底%(base)s，还没有别人胡过。") % words


def _settle_hint(rules: Rules) -> str:
    words: Json = {"base": f"{rules.base:f}", "cap": rules.cap}
    if rules.blood_flow:
        # Winners play on, so what they wait for has to be said too.
        return (
            gettext(
                "底%(base)s。番数都是最后的番数，根和杠都在里面；胡过的人也算有叫，就按他胡的番数。"
            )
            % words
        )
    if rules.cap is not None:
        return gettext("底%(base)s。番数里根和杠都在，还没有按%(cap)s番封顶。") % words
    return gettext("底%(base)s。番数都是最后的番数，根和杠都在里面。") % words


def _payment_rows(rows: Sequence[Mapping[str, Any]]) -> str:
    return "；".join(
        texts.payment(
            row["who"],
            players=row["players"],
            amount=points(row["amount"]),
            shares=row.get("shares", 1),
        )
        for row in rows
    )


def _label(kind: str, choice: Choice) -> str:
    value = choice.value
    if kind == "win":
        return texts.word(ANSWERS, value)
    if kind == "fan":
        return gettext("%(n)s番") % {"n": value}
    if kind == "change":
        return gettext("%(n)s倍") % {"n": value}
    if kind == "patterns":
        names = [
            f"{texts.term(term)}×{n}" if term == "gen" else texts.term(term) for term, n in value
        ]
        return " + ".join(names)
    if kind == "payment":
        return _payment_rows(value)
    if kind == "pig":
        return texts.word(texts.STATES, value)
    if kind == "settle":
        return balance(value)
    return texts.tile(value)


def choices(question: Question, answered: Answered | None) -> list[Json]:
    """The answers to choose from; once answered, which were right and which were taken."""
    return [
        {
            "key": choice.key,
            "label": _label(question.kind, choice),
            "taken": answered is not None and choice.key in answered.given,
            "right": answered is not None and choice.key in question.answer,
        }
        for choice in question.choices
    ]


def right_words(question: Question) -> str:
    """The right answer, in the words of the choices."""
    labels = [_label(question.kind, choice) for choice in question.choices if not choice.mistake]
    return texts.joined(labels)


def _hand_explained(kind: str, request: Json) -> Json:
    """A hand of a question with the calculator's own breakdown.

    Where it is asked whether a hand wins, not what for, only how it is read.
    """
    rules = rules_of(request)
    hand = parse(request["hand"])
    jokers = hand.concealed.count(rules.joker_tile) if rules.joker_tile is not None else 0
    parameters = hand_parameters(rules, request)
    return {
        "shown": present(
            score(request),
            rules,
            jokers=jokers,
            void_held=void_tiles(hand, request.get("void") or "", rules),
        ),
        "link": f"{reverse('hand')}?{write_query(parameters)}",
        "parameters": list(parameters.items()),
        "badge": badge.badge(rules),
        "rules": rules.id,
        "value": kind != "win",
    }


def explained(question: Question) -> list[Json]:
    """The breakdowns that explain the answer: of the hand, and of the hand after the change."""
    if question.kind == "settle":
        return []
    if question.changed is not None:
        return [_hand_explained(question.kind, question.changed)]
    return [_hand_explained(question.kind, question.request)]


def round_rows(request: Json) -> list[Json]:
    """The events of a round, each in words; hands that are shown at the end with their tiles."""
    rows: list[Json] = []
    for event in request["events"]:
        if event["type"] != "draw":
            rows.append({"text": round_words.event(event)})
            continue
        rows.append({"text": gettext("牌墙摸完了：")})
        for seat, shown in event["hands"].items():
            name = round_words.seat(int(seat))
            if "hand" in shown:
                words = gettext("%(seat)s摊开这手牌：") % {"seat": name}
                rows.append({"text": words, "hand": hand_faces(parse(shown["hand"]))})
            else:
                rows.append({"text": round_words.standing(int(seat), shown)})
    return rows


def round_explained(question: Question) -> Json:
    """Every payment of a round with its reason, and the totals."""
    request = question.request
    rules = rules_of(request)
    answer = settle(request)
    page = RoundPage(
        rules=rules.id,
        opt=write_options(rules),
        dealer=request["dealer"],
        events=tuple(request["events"]),
    )
    seat = round_words.seat
    return {
        "link": f"{reverse('round')}?{page.query}",
        "transfers": [
            {
                "from": seat(row["from"]),
                "to": seat(row["to"]),
                "amount": points(row["amount"]),
                "reason": texts.word(texts.REASONS, row["reason"]),
                "here": question.seat in (row["from"], row["to"]),
            }
            for row in answer["transfers"]
        ],
        "totals": [
            {"seat": seat(number), "total": balance(total), "here": number == question.seat}
            for number, total in enumerate(answer["totals"])
        ],
    }


def picker(question: Question, answered: Answered | None) -> list[Json]:
    """The tiles to tap for a question about waits, a row for each suit."""
    by_key = {choice["key"]: choice for choice in choices(question, answered)}
    rows = []
    for number, letter in enumerate(SUITS):
        names = [TILE_NAMES[t] for t in TILES if t // 9 == number]
        tiles = [by_key[name] for name in names if name in by_key]
        if tiles:
            rows.append({"suit": texts.word(texts.SUITS, letter), "tiles": tiles})
    return rows


def hand_to_tap(question: Question, answered: Answered | None) -> list[Json]:
    """The concealed tiles of a hand, each an answer; of equal tiles each stands for the kind."""
    by_key = {choice["key"]: choice for choice in choices(question, answered)}
    return [
        {**_face(TILE_NAMES[tile]), **by_key.get(TILE_NAMES[tile], {"key": ""})}
        for tile in parse(question.request["hand"]).concealed
    ]


def shown(question: Question, rules: Rules, answered: Answered | None) -> Json:
    """Everything that a template shows of a question, answered or not."""
    request = question.request
    is_round = question.kind == "settle"
    after = None
    if question.change == "one_suit" and question.changed is not None:
        after = hand_faces(parse(question.changed["hand"]))
    return {
        "kind": question.kind,
        "asked": asked(question),
        "hint": hint(question, rules),
        "hand": None if is_round else hand_faces(parse(request["hand"])),
        "after": after,
        "way": [] if is_round else way_words(request),
        "events": round_rows(request) if is_round else [],
        "mode": {"waits": "many", "discard": "tile"}.get(question.kind, "one"),
        "choices": choices(question, answered),
        "tiles": hand_to_tap(question, answered) if question.kind == "discard" else [],
        "rows": picker(question, answered) if question.kind == "waits" else [],
        "answered": answered,
        "comments": comments(question, answered, rules) if answered else [],
        "changes": changes(question) if answered else [],
        "right": right_words(question) if answered else "",
        "explained": explained(question) if answered else [],
        "round": round_explained(question) if answered and is_round else None,
        "assumed": texts.joined(texts.assumed(key) for key in question.assumed),
    }
