"""One thing has one name, in every language, on every page."""

import html
import re

import pytest
from django.test import Client

from calculator.words import catalogues

#: What is not said any more, and what is said instead.
OTHER_NAMES = {
    "副露": "碰杠",
    "房规": "家规",
    "自家规则": "家规",
    "手算器": "算番",
    "读入文字": "识别",
    "种看法": "种拆法",
    "次方": "翻几番",
}
IN_ENGLISH = (
    "blood river", "blood flow ", "open kong", "melded kong", "small kong", "closed kong",
    "pure pungs", "pure seven", "call check", "characters, dots", "golden hook and eighteen",
)  # fmt: skip


@pytest.mark.parametrize("name", OTHER_NAMES)
def test_nothing_is_called_by_another_name(name: str) -> None:
    said = [str(message.id) for message in catalogues.extracted() if message.id]
    assert not [text for text in said if name in text]


def test_kongs_and_blood_flow_have_one_english_name_each() -> None:
    english = catalogues.merged("en", catalogues.extracted())
    for message in english:
        for text in catalogues.forms(message.string):
            for name in IN_ENGLISH:
                assert name not in text.replace("Blood Flow", "").lower(), text


@pytest.mark.parametrize("language", ["en", "zh_Hant"])
def test_no_translation_says_itself_twice(language: str) -> None:
    for message in catalogues.merged(language, catalogues.extracted()):
        for text in catalogues.forms(message.string):
            assert not re.fullmatch(r"(.{12,}?)\1+", text, re.DOTALL), text


def test_what_is_not_recorded_is_said_in_one_way() -> None:
    for message in catalogues.merged("en", catalogues.extracted()):
        if str(message.id).startswith("没有记上："):
            assert str(message.string).startswith("Not recorded: "), message.string


def test_a_win_is_hu_but_where_its_other_name_is_told() -> None:
    said = [str(message.id) for message in catalogues.extracted() if message.id]
    assert [text for text in said if "和牌" in text.replace("和牌型", "")] == ["和牌"]


def test_a_wrong_count_is_no_dead_hand_while_tiles_are_being_typed() -> None:
    page = Client().get("/?rules=chengdu&hand=123m").content.decode()
    assert "相公" not in page


def test_a_copied_hand_stands_as_players_write_it_and_in_notation() -> None:
    page = Client().get("/?rules=chengdu&hand=11112233m557799p").content.decode()
    copied = html.unescape(re.search(r'class="as-text"[^>]*>([^<]*)<', page)[1])  # type: ignore[index]
    first = "一一一一二二三三万 五五七七九筒 胡九筒（11112233m557799p）"
    assert copied.splitlines()[0] == first
    read = Client().get("/", {"rules": "laok", "text": first, "do": "text"})
    assert "hand=11112233m557799p" in read["Location"]


def test_the_way_to_the_multiple_says_how_often_it_doubles() -> None:
    page = Client().get("/?rules=chengdu&hand=1122335577m8888p").content.decode()
    assert re.search(r"<span>翻 4 番</span><span class=\"worth\">16倍</span>", page)
