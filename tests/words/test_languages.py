"""Three languages by path: each page speaks its own, and numbers are the same in all of them."""

import json
import re
from functools import cache

import opencc
import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import Client
from django.utils import translation

from calculator.words import catalogues, texts
from scoring.contract import score
from tests.routes import routes
from tests.spoken import CHINESE, STATES, addresses, spoken

TAGS = {"": "zh-Hans", "/zh-hant": "zh-Hant", "/en": "en"}
#: A character is simplified only where all three change it: each alone also touches 台 or 吃.
TO_TRADITIONAL = tuple(opencc.OpenCC(name) for name in ("s2t", "s2tw", "s2hk"))
NUMBERS = re.compile(r"\d+")


@cache
def simplified_only(letter: str) -> bool:
    """Whether a character is never written in traditional Chinese."""
    return all(converter.convert(letter) != letter for converter in TO_TRADITIONAL)


@pytest.fixture(scope="module")
def pages() -> dict[tuple[str, str], str]:
    """The HTML of every page in every state, by language and address."""
    client = Client()
    found = {}
    for prefix in TAGS:
        for address in addresses():
            response = client.get(prefix + address, follow=True)
            assert response.status_code < 500, (prefix, address)
            found[prefix, address] = response.content.decode()
    return found


def of(pages: dict[tuple[str, str], str], prefix: str) -> list[tuple[str, str]]:
    """Address and HTML of the pages of one language."""
    return [(address, html) for (one, address), html in pages.items() if one == prefix]


def test_the_addresses_looked_at_cover_every_page_of_the_site() -> None:
    def folder(path: str) -> str:
        return re.sub(r"\{.*?\}|[^/]*$", "", path, count=1)

    seen = {address.partition("?")[0] for address in addresses()}
    patterns = [
        re.compile(re.sub(r"\{.*?\}", "[^/]+", route.template) + "$")
        for route in routes()
        if route.for_people and not route.template.startswith(("/en/", "/zh-hant/"))
    ]
    unseen = {p.pattern for p in patterns if not any(p.match(path) for path in seen)}
    # These answer with files.
    kinds = r"\.(svg|ico|json|txt|js|png|csv|webmanifest)\$$"
    files = {one for one in unseen if re.search(kinds, one)}
    assert unseen == files


@pytest.mark.parametrize("locale", catalogues.locales())
def test_no_message_is_missing_or_stale(locale: str) -> None:
    assert list(catalogues.problems(locale, catalogues.extracted())) == []


def test_english_messages_hold_no_chinese() -> None:
    catalog = catalogues.merged("en", catalogues.extracted())
    found = [m.string for m in catalog if m.id and CHINESE.search(str(m.string))]
    assert found == []


def test_traditional_messages_hold_no_simplified_character() -> None:
    catalog = catalogues.merged("zh_Hant", catalogues.extracted())
    words = [word for m in catalog if m.id for word in catalogues.forms(m.string)]
    assert [word for word in words if any(map(simplified_only, word))] == []


@pytest.mark.parametrize(
    ("simplified", "traditional"),
    [
        ("杠上花", "槓上花"),
        ("点杠花", "點槓花"),
        ("听牌", "聽牌"),
        ("龙七对", "龍七對"),
        ("清幺九", "清幺九"),
        ("补杠", "補槓"),
        ("呼叫转移", "呼叫轉移"),
        ("胡牌", "胡牌"),
        ("一条", "一條"),
        ("余", "餘"),
    ],
)
def test_terms_have_their_own_traditional_form(simplified: str, traditional: str) -> None:
    with translation.override("zh-hant"):
        assert translation.gettext(simplified) == traditional


def test_counts_of_one_read_as_one_in_english() -> None:
    with translation.override("en"):
        for number, said in ((1, "Exchange 1 tile"), (2, "Exchange 2 tiles")):
            words = translation.ngettext("换 %(n)s 张", "换 %(n)s 张", number)
            assert words % {"n": number} == said


def test_english_pages_hold_no_chinese_that_is_not_marked_as_chinese(
    pages: dict[tuple[str, str], str],
) -> None:
    found = {
        (address, text)
        for address, html in of(pages, "/en")
        for language, text in spoken(html)
        if CHINESE.search(text) and not language.startswith("zh")
    }
    assert found == set()


def test_traditional_pages_hold_no_simplified_character(
    pages: dict[tuple[str, str], str],
) -> None:
    found = {
        (address, text)
        for address, html in of(pages, "/zh-hant")
        for language, text in spoken(html)
        if language != "zh-Hans" and any(map(simplified_only, CHINESE.findall(text)))
    }
    assert found == set()


@pytest.mark.parametrize("prefix", TAGS)
def test_a_page_says_its_language_and_links_the_others_in_theirs(
    pages: dict[tuple[str, str], str], prefix: str
) -> None:
    for address, html in of(pages, prefix):
        if address.startswith("/fragment/"):
            assert "<html" not in html
            continue
        assert f'<html lang="{TAGS[prefix]}"' in html, address
        for tag in TAGS.values():
            assert f'lang="{tag}" hreflang="{tag}"' in html, address


@pytest.mark.parametrize("prefix", TAGS)
def test_links_stay_in_the_language_of_the_page(
    pages: dict[tuple[str, str], str], prefix: str
) -> None:
    for address, html in of(pages, prefix):
        plain = re.sub(r'<nav class="languages".*?</nav>', "", html, flags=re.DOTALL)
        for link in re.findall(r'(?:href|action|hx-get|hx-post)="(/[^"]*)"', plain):
            if not link.startswith(("/static/", "/manifest", "/favicon", "/api/")):
                assert link.startswith(f"{prefix}/"), (address, link)
                if not prefix:
                    assert not link.startswith(("/en/", "/zh-hant/")), (address, link)


def test_the_language_comes_from_the_path_and_from_nothing_else() -> None:
    client = Client()
    for prefix, tag in TAGS.items():
        for address in STATES:
            plain = client.get(prefix + address)
            asked = client.get(
                prefix + address,
                headers={"Accept-Language": "en;q=0.1,fr", "Cookie": "django_language=en"},
            )
            assert asked.content == plain.content or "seed" in address, (prefix, address)
            assert "Accept-Language" not in plain.headers.get("Vary", ""), (prefix, address)
            assert "Cookie" not in plain.headers.get("Vary", ""), (prefix, address)
            assert not plain.cookies, (prefix, address)
            if plain.status_code == 200:
                assert plain.headers["Content-Language"].lower() == tag.lower()


def test_numbers_are_the_same_in_every_language(pages: dict[tuple[str, str], str]) -> None:
    marked = re.compile(
        r'data-(?:fan|multiple|points|left|term-fan|amount|total|compare|wait|discard)="([^"]*)"'
    )
    for address in addresses():
        every = [marked.findall(pages[prefix, address]) for prefix in TAGS]
        assert every[0] == every[1] == every[2], address


def test_an_answer_keeps_its_ids_and_numbers_whatever_the_language() -> None:
    answer = score({"ruleset": "laok", "hand": "1233455567899p!5p", "by": "self_draw"})

    def bare(value: object) -> object:
        if isinstance(value, dict):
            return {k: bare(v) for k, v in value.items() if k not in ("name", "message")}
        return [bare(v) for v in value] if isinstance(value, list | tuple) else value

    plain = bare(json.loads(json.dumps(answer, default=str)))
    for code, _ in settings.LANGUAGES:
        with translation.override(code):
            said = json.loads(json.dumps(texts.localise(answer), default=str))
        assert bare(said) == plain


@pytest.mark.parametrize(
    ("lang", "word"), [("zh-hans", "清一色"), ("zh-hant", "暗槓"), ("en", "Full flush")]
)
def test_the_command_line_speaks_the_language_asked_for(
    capsys: pytest.CaptureFixture[str], lang: str, word: str
) -> None:
    call_command("score", "123m678m99m22m(5555m)!9m", "--lang", lang, "--by", "self_draw")
    assert word in capsys.readouterr().out


def test_what_a_phone_installs_and_previews_speaks_the_language_of_its_path() -> None:
    client = Client()
    hand = "rules=chengdu&hand=1233455567899p!5p&by=self_draw"
    for path in ("manifest.webmanifest", f"preview.svg?{hand}"):
        english = client.get(f"/en/{path}").content.decode()
        faces = re.sub(r"<use [^>]*>|<path [^>]*>", "", english)
        assert not CHINESE.search(faces), path
        traditional = client.get(f"/zh-hant/{path}").content.decode()
        assert not any(map(simplified_only, CHINESE.findall(traditional))), path


@pytest.mark.parametrize(
    ("language", "one", "two"),
    [
        ("zh-hans", "一家付 8", "其余 2 家各付 8"),
        ("zh-hant", "一家付 8", "其餘 2 家各付 8"),
        ("en", "One player pays 8", "The other 2 pay 8 each"),
    ],
)
def test_one_who_pays_otherwise_is_told_as_one(language: str, one: str, two: str) -> None:
    with translation.override(language):
        assert texts.payment("each_other", players=1, amount="8") == one
        assert texts.payment("each_other", players=2, amount="8") == two


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("/settle/?rules=chengdu&e=wd0,12,32", "Discard of East, win of South, North"),
        ("/settle/?rules=chengdu&e=wd0,12", "Discard of East, win of South"),
        ("/learn/?rules=laok", "Rules: Lao K"),
        ("/learn/tiles/?rules=laok", "Rules: Lao K"),
    ],
)
def test_english_sentences_fit_one_and_several(address: str, said: str) -> None:
    html = Client().get(f"/en{address}").content.decode()
    assert said in html
    assert " wins on " not in html


def test_a_name_in_the_plural_reads_well_in_english() -> None:
    with translation.override("en"):
        said = texts.message({"code": "term_off", "term": "ma"})
    assert said == "These rules do not count Horses."


def test_the_picture_of_a_hand_that_waits_is_drawn_in_the_letters_there_are() -> None:
    query = "rules=chengdu&hand=1112345678999m"
    drawn = [Client().get(f"{p}/preview.svg?{query}").content.decode() for p in TAGS]
    # 算番, then one outline for each letter of 听, 聽 and waits.
    assert [one.count('<path transform="') for one in drawn] == [3, 3, 7]
