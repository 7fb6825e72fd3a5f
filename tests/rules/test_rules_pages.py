"""The rules pages say what the table of terms and the rule files say, and every example is true."""

import re
from html import unescape
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client

from calculator.learn.lessons import LESSONS
from calculator.words import examples, glossary, rulebook
from calculator.words.search import SOUNDS, SPELLINGS, search
from scoring import rules as engine
from scoring.addresses.hand import hand_request, read_hand
from scoring.contract import score, settle
from scoring.patterns import TERMS
from scoring.rules import FIELDS, OPTIONS, OptionErrors

HANDS = [(key, at) for key, hands in examples.HANDS.items() for at in range(len(hands))]
ROUNDS = [(key, at) for key, rounds in examples.ROUNDS.items() for at in range(len(rounds))]


def text_of(html: str) -> str:
    """A page without its tags, blanks squeezed."""
    body = html.partition("<main")[2]
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", body)).split())


def test_every_term_option_and_payment_has_a_definition_and_an_example() -> None:
    assert set(glossary.DEFINITIONS) == set(TERMS)
    assert set(FIELDS) - {"fans"} <= set(glossary.RULES)
    shown = set(examples.HANDS) | set(examples.ROUNDS)
    words = {key for key, rule in glossary.RULES.items() if rule.group == "word"}
    assert set(glossary.ids()) - words <= shown
    assert shown <= set(glossary.ids())


@pytest.mark.parametrize("key, at", HANDS)
def test_an_example_hand_is_canonical_and_shows_its_term(key: str, at: int) -> None:
    parameters = examples.HANDS[key][at]
    page, bad = read_hand(parameters)
    assert not bad
    assert page.parameters == parameters
    answer = score(hand_request(parameters))
    assert answer["status"] in ("win", "ready")
    if key in TERMS:
        assert key in [line["id"] for line in answer["terms"]]


@pytest.mark.parametrize("key, at", ROUNDS)
def test_an_example_round_settles_and_shows_its_payment(key: str, at: int) -> None:
    request, reason = examples.ROUNDS[key][at]
    answer = settle(request)
    assert answer["status"] == "settled"
    assert reason in [transfer["reason"] for transfer in answer["transfers"]]
    assert not answer["warnings"]


def other_values(name: str, value: object) -> list[dict[str, object]]:
    """Options that differ from a value in one place."""
    if isinstance(value, dict):
        return [
            {name: {key: other}}
            for key, part in value.items()
            for other in ({"to": "nobody"}.get(key, not part if isinstance(part, bool) else 3),)
        ] + [{name: None}]
    tried = [*OPTIONS[name].takes.also, 0, 2, 5]
    return [{name: one} for one in tried if one != value]


@pytest.mark.parametrize("name", [name for name in FIELDS if name != "fans"])
def test_the_example_of_an_option_depends_on_that_option(name: str) -> None:
    asked: list[dict] = [hand_request(one) for one in examples.HANDS.get(name, ())]
    asked += [request for request, _ in examples.ROUNDS.get(name, ())]
    changed = 0
    for request in asked:
        call = settle if "events" in request else score
        before = call(request)
        rules = engine.load(request["ruleset"]).override(request.get("options", {}))
        for options in other_values(name, rules.options()[name]):
            try:
                rules.override(options)
            except OptionErrors:
                continue
            given = {**request.get("options", {}), **options}
            changed += call({**request, "options": given}) != before
    assert changed


def test_the_pure_form_and_what_it_contains_are_read_off_the_table() -> None:
    assert glossary.pure_form(TERMS["jin_gou_diao"]) is TERMS["qing_jin_gou_diao"]
    assert glossary.pure_form(TERMS["qing_yi_se"]) is None
    inside = {term.id for term in glossary.included(TERMS["qing_shi_ba_luo_han"])}
    assert {"dui_dui_hu", "qing_yi_se", "jin_gou_diao", "shi_ba_luo_han"} <= inside
    assert not glossary.contains(TERMS["qi_dui"], TERMS["dui_dui_hu"])


def test_containment_agrees_with_the_predicates_on_the_example_hands() -> None:
    for key, _ in HANDS:
        term = TERMS.get(key)
        if term is None or term.kind != "pattern" or term.target is None:
            continue
        for other in glossary.included(term):
            for parameters in examples.HANDS[key]:
                asked = hand_request(parameters)
                fans = {one: None for one in TERMS if one not in ("ping_hu", other.id)}
                fans[other.id] = 9
                answer = score({**asked, "options": {"fans": fans, "cap": None}})
                counted = [line["id"] for line in answer["terms"]]
                assert other.id in counted, (key, other.id)


@pytest.mark.parametrize(
    "word, key",
    [
        ("刮风", "exposed_kong"),
        ("颳風", "exposed_kong"),
        ("下雨", "concealed_kong"),
        ("查卫生", "pig"),
        ("查衛生", "pig"),
        ("三花", "pig"),
        ("裸奔", "jin_gou_diao"),
        ("呼叫转移", "kong_transfer"),
        ("呼叫轉移", "kong_transfer"),
        ("吃包子", "call_check"),
        ("极品", "cap"),
        ("極品", "cap"),
        ("归", "gen"),
        ("巴杠", "added_kong"),
        ("面下槓", "added_kong"),
        ("直扑", "exposed_kong"),
        ("续杠", "added_kong"),
        ("清碰", "qing_dui"),
        ("对对糊", "dui_dui_hu"),
        ("碰碰胡", "dui_dui_hu"),
        ("素芬", "ping_hu"),
        ("割", "win"),
        ("大叫", "call_check"),
        ("听牌", "ready"),
        ("索", "suits"),
        ("饼", "suits"),
        ("引杠", "exposed_kong"),
        ("断幺", "zhong_zhang"),
        ("qing_yi_se", "qing_yi_se"),
    ],
)
def test_any_name_finds_its_rule(client: Client, word: str, key: str) -> None:
    page = client.get("/rules/", {"q": word}).content.decode()
    assert f'data-entry="{key}"' in page


def test_an_english_name_finds_its_rule_on_the_english_page(client: Client) -> None:
    page = client.get("/en/rules/", {"q": "gen"}).content.decode()
    assert 'data-entry="gen"' in page


def test_what_nobody_says_finds_nothing_and_says_so(client: Client) -> None:
    page = client.get("/rules/", {"q": "<script>"}).content.decode()
    assert 'data-found="0"' in page
    assert "<script>”" not in page


def test_the_table_holds_every_value_of_every_file(client: Client) -> None:
    page = client.get("/rules/").content.decode()
    every = [engine.load(one) for one in engine.ids()]
    for term in TERMS.values():
        if term.house:
            continue
        row = re.search(rf'<tr data-row="{term.id}">(.*?)</tr>', page, re.S)
        assert row, term.id
        cells = re.findall(r"<td>(.*?)</td>", row[1], re.S)
        assert len(cells) == len(every)
        for rules, cell in zip(every, cells, strict=True):
            fan = rulebook.fan_in(rules, term.id)
            shown = re.match(r"[\d或]*", cell)
            assert shown is not None
            if fan is None:
                assert not shown[0]
            elif isinstance(fan, int):
                assert shown[0] == str(fan)
            else:
                assert set(shown[0].split("或")) == {str(one) for one in fan.values()}
            assumed = f"fans.{term.id}" in rules.assumed
            assert ("guess" in cell) == assumed


@pytest.mark.parametrize("ruleset", engine.ids())
def test_a_system_page_holds_its_file(client: Client, ruleset: str) -> None:
    rules = engine.load(ruleset)
    response = client.get(f"/rules/{ruleset}/")
    assert response.status_code == 200
    text = text_of(response.content.decode())
    assert rules.name in text
    assert rules.source in text
    for sentence in (*rules.play, *(ruling.text for ruling in rules.readings)):
        assert sentence in text
    for row in rulebook.settings_rows(rules):
        assert row.name in text
        assert row.value in text
    for _, name in rulebook.assumed_in_words(rules):
        assert name in text


@pytest.mark.parametrize("key", glossary.ids())
def test_a_term_page_holds_its_definition_names_and_values(client: Client, key: str) -> None:
    response = client.get(f"/rules/terms/{key}/")
    assert response.status_code == 200
    html = response.content.decode()
    text = text_of(html)
    assert glossary.text_id(key) in text
    for name in glossary.names(key):
        assert name in text
    number = len(examples.HANDS.get(key, ())) + len(examples.ROUNDS.get(key, ()))
    assert html.count("data-example") == number
    for link in re.findall(r'class="button" href="([^"]+)"', html):
        assert client.get(unescape(link)).status_code == 200


def test_the_address_of_an_example_round_settles_the_same_way(client: Client) -> None:
    html = client.get("/rules/terms/bloom/").content.decode()
    link = re.search(r'class="button" href="(/settle/[^"]+)"', html)
    assert link
    page = client.get(unescape(link[1])).content.decode()
    assert 'data-total="-78"' in page


def test_what_is_no_rule_is_not_found(client: Client) -> None:
    assert client.get("/rules/nowhere/").status_code == 404
    assert client.get("/rules/terms/nowhere/").status_code == 404


def printed(*arguments: str) -> str:
    out = StringIO()
    call_command("rules", *arguments, stdout=out)
    return out.getvalue()


def test_the_command_prints_what_the_pages_say() -> None:
    assert glossary.DEFINITIONS["jin_gou_diao"] in printed("裸奔")
    pig = printed("pig")
    for rules in map(engine.load, engine.ids()):
        for row in rulebook.settings_rows(rules):
            if row.rule == "pig":
                assert row.value in pig


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("杠上开花", "gang_shang_hua"),
        ("小七对", "qi_dui"),
        ("豪华七对", "long_qi_dui"),
        ("豪七", "long_qi_dui"),
        ("双龙七对", "long_qi_dui"),
        ("单吊", "jin_gou_diao"),
        ("全求人", "jin_gou_diao"),
        ("门前清", "men_qing"),
        ("弯杠", "added_kong"),
        ("彎槓", "added_kong"),
        ("四归一", "gen"),
        ("全幺九", "dai_yao_jiu"),
        ("十八学士", "shi_ba_luo_han"),
        ("guafeng", "exposed_kong"),
        ("Guā fēng", "exposed_kong"),
        ("xiayu", "concealed_kong"),
        ("海底捞月", "hai_di"),
    ],
)
def test_the_search_knows_names_from_elsewhere_and_how_they_sound(typed: str, first: str) -> None:
    assert search(typed)[0] == first


def test_every_spelling_belongs_to_a_page() -> None:
    assert set(SPELLINGS) <= set(glossary.ids())


def test_the_pages_count_what_they_list(client: Client) -> None:
    html = client.get("/rules/").content.decode()
    assert f">{len(engine.ids())} 套规则</h2>" in html
    assert f'content="{len(engine.ids())} 套四川麻将规则的' in html
    assert f"<h2>{len(LESSONS)} 课</h2>" in client.get("/learn/").content.decode()


def test_what_marks_an_assumed_value_is_explained_in_one_sentence(client: Client) -> None:
    said = '<span class="guess">推</span> 是推定：原文没有写明'
    for page in ("/rules/", "/rules/terms/qing_yi_se/"):
        assert said in client.get(page).content.decode()


def relations(client: Client, key: str) -> str:
    html = client.get(f"/rules/terms/{key}/").content.decode()
    return unescape(re.sub(r"<[^>]+>", " ", html.partition("和别的番种")[2].partition("</dl>")[0]))


def test_what_is_said_of_two_patterns_holds_in_each_system(client: Client) -> None:
    said = relations(client, "jin_gou_diao")
    assert "雀魂：只算番数最大的一个。" in said
    assert "SBR：凡是符合的都加起来。" in said
    assert "雀魂：算清金钩钓。" in said
    assert "SBR：金钩钓和清一色都加起来。" in said
    assert "已经包含" not in said


@pytest.mark.parametrize("ruleset", engine.ids())
def test_a_pattern_inside_another_counts_as_the_page_says(ruleset: str) -> None:
    rules = engine.load(ruleset)
    for key, hands in examples.HANDS.items():
        if key not in rules.fans or TERMS[key].kind != "pattern":
            continue
        inside = {term.id for term in glossary.included(TERMS[key])} & set(rules.fans)
        for parameters in hands:
            answer = score({**hand_request(parameters), "ruleset": ruleset, "options": {}})
            if answer["status"] != "win" or key not in answer["patterns"]:
                continue
            counted = inside & set(answer["patterns"])
            assert counted == (inside if rules.combine == "sum" else set()), (key, parameters)


def test_a_bonus_is_not_said_to_be_in_a_pattern(client: Client) -> None:
    # 门清 is added to 七对 where a table plays it, though all seven pairs are closed.
    assert "门清" not in relations(client, "qi_dui")


@pytest.mark.parametrize(
    ("key", "not_its_name"),
    [
        ("kong_points", "下雨"),
        ("blood_flow", "血战到底"),
        ("exposed_kong", "刮风"),
        ("kong_in_out", "杠进不杠出"),
        ("round_ends", "普通场"),
        ("call_check", "查小叫"),
        ("pig", "花猪"),
        ("ready", "大叫"),
    ],
)
def test_a_synonym_is_a_name_of_that_very_thing(key: str, not_its_name: str) -> None:
    assert not_its_name not in glossary.names(key)
    assert key in search(not_its_name)


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("jgd", "jin_gou_diao"),
        ("jingoudiao", "jin_gou_diao"),
        ("jin gou diao", "jin_gou_diao"),
        ("gsh", "gang_shang_hua"),
        ("huazhu", "pig"),
        ("根是什么", "gen"),
        ("什么是清一色", "qing_yi_se"),
        ("what is a root", "gen"),
        ("杠上花是加在杠上还是合计", "gang_shang_hua"),
        ("how much is seven pairs?", "qi_dui"),
        ("Seven pairs", "qi_dui"),
    ],
)
@pytest.mark.parametrize("home", ["/", "/en/", "/zh-hant/"])
def test_the_search_hears_pinyin_english_and_sentences_in_every_language(
    client: Client, home: str, typed: str, first: str
) -> None:
    found = re.findall(
        r'data-entry="(\w+)"', client.get(f"{home}rules/", {"q": typed}).content.decode()
    )
    assert found[0] == first


def test_every_character_of_a_name_has_its_sound() -> None:
    names = [name for key in glossary.ids() for name in glossary.names(key)]
    unheard = {c for c in "".join(names) if "\u3400" <= c <= "\u9fff"} - set(SOUNDS)
    assert not unheard
