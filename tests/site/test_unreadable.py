"""What a page cannot read of its address it says: nothing is dropped in silence."""

import re

import pytest
from django.core.management import call_command
from django.test import Client

from calculator.round.views import cut
from scoring.addresses.hand import read_options

HAND = "22244455577799m"
CAP = "“封顶”要写 0 到 99 的整数，或者不封顶。"
NOPE = "没有叫“nope”的规则，也许更新的版本才有。"
EVENTS = "“一局的记录”的值读不懂。"


def problems(client: Client, address: str) -> list[str]:
    """What a page says is wrong, wherever its address leads."""
    answer = client.get(address, follow=True)
    assert answer.status_code == 200
    html = answer.content.decode()
    return [said.strip() for said in re.findall(r"<p [^>]*data-problem[^>]*>([^<]+)</p>", html)]


@pytest.mark.parametrize("page", ["/learn/", "/learn/tiles/", "/learn/drill/", "/compare/"])
@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("rules=chengdu&opt=cap:abc", CAP),
        ("rules=nope", NOPE),
        ("rules=nope&opt=cap:4", NOPE),
        ("opt=hat:1", "没有“hat”这个选项，也许更新的版本才有。"),
        (f"opt={'cap:4,' * 260}", "“家规”写得太长了。"),
    ],
)
def test_rules_that_cannot_be_are_told(client: Client, page: str, query: str, said: str) -> None:
    assert problems(client, f"{page}?{query}") == [said]
    if page == "/compare/":
        assert problems(client, f"{page}?{query}&hand={HAND}") == [said]


def test_a_drill_of_a_kind_that_is_none_says_so(client: Client) -> None:
    given = "kind=hat&level=9&topic=hat&seed=abc&n=x"
    assert problems(client, f"/learn/drill/?{given}") == [
        "“第几题”的值读不懂。",
        "“题目”的值读不懂。",
        "“范围”的值读不懂。",
        "“难度”的值读不懂。",
    ]
    assert problems(client, "/learn/drill/?kind=hat") == ["“题目”的值读不懂。"]
    assert problems(client, "/learn/drill/?kind=fan&seed=a b") == ["“这一套题”的值读不懂。"]
    assert problems(client, "/learn/drill/?rules=laok&kind=fan&level=2") == []


def test_a_comparison_of_what_cannot_be_read_compares_nothing(client: Client) -> None:
    for query in (f"hand={HAND}q", f"hand={HAND}&opt=cap:zz", f"hand={HAND}&rules=nope"):
        html = client.get(f"/compare/?{query}").content.decode()
        assert "data-problem" in html
        assert "data-compare" not in html
        assert "data-dispute" not in html
        assert "data-compare" not in client.get(f"/fragment/compare?{query}").content.decode()
        assert "data-missing" not in client.get(f"/fragment/missing?{query}").content.decode()
    assert problems(client, f"/compare/?hand={HAND}q") == ["“q”认不出来（第 16 个字）。"]
    assert problems(client, f"/compare/?hand={HAND}&with=nope") == [NOPE]


def test_what_cannot_be_read_stays_as_written_on_the_way_back(client: Client) -> None:
    html = client.get(f"/compare/?hand={HAND}q").content.decode()
    assert f'href="/?rules=chengdu&amp;hand={HAND}q"' in html


@pytest.mark.parametrize(
    ("address", "code"),
    [
        ("/house/rules.json?rules=laok&opt=cap:zz", "bad_option"),
        ("/house/rules.json?rules=nope", "unknown_ruleset"),
        (f"/house/rules.json?opt={'cap:4,' * 260}", "bad_field"),
        ("/settle/round.json?e=zz", "bad_field"),
        ("/settle/round.json?e=ws,13&d=7", "bad_field"),
        ("/settle/round.json?rules=laok&opt=cap:zz", "bad_option"),
    ],
)
def test_no_file_holds_less_than_its_address_asks_for(
    client: Client, address: str, code: str
) -> None:
    answer = client.get(address)
    assert answer.status_code == 422
    told = answer.json()
    assert told["status"] == "error"
    assert [error["code"] for error in told["errors"]] == [code]
    assert told["errors"][0]["message"]
    assert "Content-Disposition" not in answer


def test_a_round_tells_its_rules_as_the_calculator_does(client: Client) -> None:
    assert problems(client, "/settle/?rules=laok&opt=cap:zz&e=ws,13") == [CAP.replace("0", "1")]
    assert problems(client, "/settle/?rules=nope&e=zz") == [NOPE, EVENTS]
    assert problems(client, "/settle/?hand=zz") == ["没有记上：这手牌读不出来。"]


@pytest.mark.parametrize(
    ("rounds", "lost"),
    [
        ("1,-1,0,0_2,2,2,2", "2"),
        ("zz_1,-1,0,0_1,", "1、3"),
        ("1,-1,0,0_" * 201, "201"),
        ("z_" * 12, "1、2、3、4、5、6、7、8、9、…"),
        ("1,-1,0,0_3,-1,-1,-1", ""),
        ("", ""),
    ],
)
@pytest.mark.parametrize("page", ["/settle/evening/", "/fragment/evening"])
def test_an_evening_names_the_rounds_that_it_cannot_read(
    client: Client, page: str, rounds: str, lost: str
) -> None:
    said = [f"这几局读不出来，没有算进去：{lost}。"] if lost else []
    assert problems(client, f"{page}?r={rounds}") == said


NAMES = "名字里不能有逗号，四个名字每个最多 12 个字；多出来的没有记上。"


@pytest.mark.parametrize(
    "query",
    [
        "n=a,b,c,d,e",
        "n=a,b,c,abcdefghijklm",
        "n0=a,b&do=names",
        "n0=小，王&do=names",
        "n3=abcdefghijklm&do=names",
        f"n3={'a' * 60}&do=names",
    ],
)
def test_names_that_do_not_fit_are_said_to_be_cut(client: Client, query: str) -> None:
    assert problems(client, f"/settle/?rules=laok&{query}") == [NAMES]
    assert NAMES in client.get(f"/fragment/round?rules=laok&{query}").content.decode()


@pytest.mark.parametrize("query", ["n=a,b,c,d", "n=a, b ,,", "n0=小 王&do=names", "n=,,,"])
def test_names_that_fit_are_taken_without_a_word(client: Client, query: str) -> None:
    assert problems(client, f"/settle/?rules=laok&{query}") == []


def test_the_sheet_of_an_evening_says_it_of_names_too(client: Client) -> None:
    said = "名字里不能有逗号，每个最多 12 个字，一晚最多 12 个人；多出来的没有记上。"
    for names in ("abcdefghijklm", ",".join("abcdefghijklm")):
        assert problems(client, f"/settle/evening/?n={names}&r=1,-1,0,0") == [said]
    assert problems(client, "/settle/evening/?n=a,b,c,d,e&r=1,-1,0,0") == []


def test_only_what_is_lost_counts_as_cut() -> None:
    assert not cut([""], ())
    assert not cut(["小王", "", " ", ""], ("小王", "", "", ""))
    assert cut(["a", "b", "c", "d", "e"], ("a", "b", "c", "d"))


@pytest.mark.parametrize(
    ("opt", "names"),
    [
        ("blessing_alone:on,blessing_adds:on", ("天胡、地胡只算自己", "天胡、地胡另加番")),
        ("sets:3,fans.qi_dui:4", ("七对", "胡牌要几副")),
    ],
)
@pytest.mark.parametrize("page", ["/?hand=1m&", "/fragment/result?hand=1m&", "/settle/?e=n&"])
def test_options_that_cannot_be_together_are_both_named(
    client: Client, page: str, opt: str, names: tuple[str, str]
) -> None:
    [told] = problems(client, f"{page}rules=chengdu&opt={opt}")
    assert all(f"“{name}”" in told for name in names)


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ("void=m", "只用两门牌，不用定缺"),
        ("hand=123m456p789s", "这张桌只用两门牌，这里有三门。"),
    ],
)
def test_what_needs_three_suits_is_refused_where_two_are_used(
    client: Client, more: str, told: str
) -> None:
    assert any(told in one for one in problems(client, f"/?rules=chengdu&opt=suits:2&{more}"))


#: What a later version may have: an option, a term, a value, a joker.
LATER = {
    "hat:1": "没有“hat”这个选项，也许更新的版本才有。",
    "fans.hat:1": "没有“fans.hat”这个选项，也许更新的版本才有。",
    "pig.hat:1": "没有“pig.hat”这个选项，也许更新的版本才有。",
    "joker:2p": "“任用牌”只能是一条、红中，或者没有。",
}


@pytest.mark.parametrize("opt", LATER)
def test_a_rule_of_a_later_version_is_told_wherever_it_comes_in(
    client: Client, opt: str, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = f"rules=chengdu&opt={opt}"
    for page in (f"/?{asked}", f"/fragment/result?{asked}", f"/settle/?{asked}"):
        assert problems(client, page) == [LATER[opt]]
    for page in ("/house/", "/fragment/house", "/house/card/"):
        assert LATER[opt] in client.get(f"{page}?{asked}").content.decode()
    answer = client.get(f"/house/rules.json?{asked}")
    assert [error["message"] for error in answer.json()["errors"]] == [LATER[opt]]
    with pytest.raises(SystemExit):
        call_command("score", HAND, "--opt", opt)
    assert LATER[opt] in "".join(capsys.readouterr())
    body = {"ruleset": "chengdu", "hand": HAND, "options": read_options(opt)}
    answer = client.post("/api/v1/score", body, content_type="application/json")
    assert [error["message"] for error in answer.json()["errors"]] == [LATER[opt]]
