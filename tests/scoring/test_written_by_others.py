"""What players write elsewhere is read: other letters, numerals, ranges, marks nobody sees."""

import pytest
from django.test import Client

from scoring.addresses.hand import read_text
from scoring.notation import NotationError, format_hand, parse


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("1\u200b2\u00ad3m\ufeff", "123m"),
        ("\u200e1\u2060234m\u200f", "1234m"),
        ("暗\u200d杠5筒 123m", "123m(5555p)"),
        ("[55\u200b5p]123m", "123m[555p]"),
        ("🀇\ufe0e🀈\ufe0f", "12m"),
        ("123w456b77t", "123m456p77s"),
        ("W123 B456 T77", "123m456p77s"),
        ("壹贰叁万肆伍陆筒柒捌玖条", "123m456p789s"),
        ("貳參万", "23m"),
        ("1-9m 2～4筒", "123456789m234p"),
        ("一至三万", "123m"),
        ("1-9m11p", "123456789m11p"),
        ("碰111筒 23m", "23m[111p]"),
        ("碰1p1p1p 23m", "23m[111p]"),
        ("碰一筒一筒一筒", "[111p]"),
        ("暗杠5555筒 23m", "23m(5555p)"),
        ("碰p111 m123", "123m[111p]"),
        # Two more of another tile stay in the hand.
        ("碰5筒5筒6筒", "56p[555p]"),
    ],
)
def test_a_hand_is_read_as_it_was_meant(written: str, read: str) -> None:
    assert format_hand(parse(written)) == read


@pytest.mark.parametrize(
    ("written", "hand", "by"),
    [
        ("自摸 22244455577799m", "22244455577799m", "self_draw"),
        ("222m 自摸 44455577799m", "22244455577799m", "self_draw"),
        ("胡5筒 12334555567899p", "1233455567899p!5p", None),
        ("1233455567899p 胡5筒 自摸", "1233455567899p!5p", "self_draw"),
        ("自摸胡5筒 1233455567899p", "1233455567899p!5p", "self_draw"),
        ("碰5筒 胡6筒 123m456m789m6p", "123456789m6p[555p]!6p", None),
        ("抢杠 胡6筒 123456789m6p[555p]", "123456789m6p[555p]!6p", "rob_kong"),
    ],
)
def test_how_it_was_won_may_stand_anywhere(written: str, hand: str, by: str | None) -> None:
    said = read_text(written)
    assert (said["hand"], said.get("by")) == (hand, by)


@pytest.mark.parametrize(
    ("written", "text", "at"),
    [("123m东", "东", 4), ("东风11m", "东风", 0), ("11m2z", "2z", 3), ("白板3m", "白板", 0),
     ("🀀🀇", "🀀", 0), ("1\u200b1m發", "發", 4)],
)  # fmt: skip
def test_honours_are_named_as_what_they_are(written: str, text: str, at: int) -> None:
    with pytest.raises(NotationError) as caught:
        parse(written)
    assert [(p.text, p.at, p.why) for p in caught.value.problems] == [(text, at, "honour")]
    page = Client().get("/", {"text": written}, follow=True).content.decode()
    assert f"四川麻将没有字牌，“{text}”不能用" in page


@pytest.mark.parametrize("written", ["9-1m", "1-m", "-9m", "1+9m", "自摸 点炮 11m"])
def test_what_says_nothing_is_not_guessed(written: str) -> None:
    with pytest.raises(NotationError):
        read_text(written)
