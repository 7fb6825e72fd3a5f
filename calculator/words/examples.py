"""Example hands and rounds of the rules pages: what is asked; every number in them is computed.

A hand is the parameters of an address (see `scoring.addresses.hand`), a round is a
request to `settle`.
"""

from __future__ import annotations

from typing import Any

from scoring.addresses.hand import hand_request
from scoring.settle import AGREED, FALSE_WIN
from scoring.words import N_

Json = dict[str, Any]


def _hand(rules: str, hand: str, **more: str) -> dict[str, str]:
    return {"rules": rules, "hand": hand, **more}


_PLAIN = "234567m3456789p!9p"
_DRAWN = {"by": "self_draw"}

#: Per term or rule, the hands that show it.
HANDS: dict[str, tuple[dict[str, str], ...]] = {
    "ping_hu": (_hand("chengdu", "23445677m345789p"),),
    "dui_dui_hu": (_hand("chengdu", "222999m8p[444m][777p]!8p"),),
    "qing_yi_se": (_hand("chengdu", "2345677899m[111m]!9m"),),
    "dai_yao_jiu": (_hand("chengdu", "1237899p111s[999s]!9p"),),
    "qi_dui": (_hand("chengdu", "1133557m224466p!7m"),),
    "long_qi_dui": (
        _hand("chengdu", "113355777m2244p!7m"),
        _hand("chengdu", "1133557777m222p!2p"),
    ),
    "qing_dui": (_hand("chengdu", "2225558m[444m][777m]!8m"),),
    "jiang_dui": (_hand("chengdu", "2225m888p[222p][555p]!5m"),),
    "qing_qi_dui": (_hand("chengdu", "1122445566778m!8m"),),
    "qing_long_qi_dui": (_hand("chengdu", "1122333344668m!8m"),),
    "qing_yao_jiu": (_hand("chengdu", "1112223337899m!9m"),),
    "jin_gou_diao": (_hand("majsoul", "9p[111m][555m][777m][222p]!9p"),),
    "qing_jin_gou_diao": (_hand("majsoul", "9m[111m][222m][555m][777m]!9m"),),
    "qing_shi_ba_luo_han": (_hand("majsoul", "5m[1111m](3333m)(7777m)[999-9m]!5m"),),
    "shi_ba_luo_han": (_hand("majsoul", "8p[2222m][444-4m](9999m)(6666p)!8p"),),
    "tian_hu": (_hand("laok", _PLAIN, by="self_draw", bless="tian_hu"),),
    "di_hu": (_hand("laok", _PLAIN, by="self_draw", bless="di_hu"),),
    "si_ji": (_hand("yaoji", "2568m3579p11124s!1s", by="self_draw"),),
    "jiang_qi_dui": (_hand("chengdu", "22225588m22558p!8p", opt="fans.jiang_qi_dui:5"),),
    "jiang_jin_gou_diao": (
        _hand("chengdu", "8p[222m][555m][222p][555p]!8p", opt="fans.jiang_jin_gou_diao:4"),
    ),
    "shuang_long_qi_dui": (
        _hand("chengdu", "11335555777m22p!7m", opt="fans.shuang_long_qi_dui:6"),
    ),
    "san_long_qi_dui": (_hand("chengdu", "33335555777m22p!7m", opt="fans.san_long_qi_dui:7"),),
    "lian_qi_dui": (_hand("chengdu", "2233445566778m!8m", opt="fans.lian_qi_dui:7"),),
    "jiu_lian": (_hand("chengdu", "1112345678999m!5m", opt="fans.jiu_lian:7"),),
    "gen": (
        _hand("chengdu", "345678m2349p[333m]!9p"),
        _hand("chengdu", "1133557777m222p!2p"),
    ),
    "exposed_kong": (_hand("chengdu", "234567m3459p[6666p]!9p"),),
    "added_kong": (_hand("chengdu", "234567m3459p[666-6p]!9p"),),
    "concealed_kong": (_hand("chengdu", "234567m3459p(6666p)!9p"),),
    "gang_shang_hua": (
        _hand("chengdu", "234567m3459p[6666p]!9p", by="self_draw", after="exposed_kong"),
        _hand("chengdu", "234567m3459p(6666p)!9p", by="self_draw", after="concealed_kong"),
        _hand("chengdu", "234567m3459p[666-6p]!9p", by="self_draw", after="added_kong"),
    ),
    "gang_shang_pao": (_hand("chengdu", _PLAIN, pao="1"),),
    "qiang_gang": (_hand("chengdu", "23467m34567899p!5m", by="rob_kong"),),
    "hai_di": (
        _hand("majsoul", _PLAIN, last="1"),
        _hand("majsoul", _PLAIN, by="self_draw", last="1"),
    ),
    "wu_ji": (_hand("yaoji", _PLAIN),),
    "men_qing_zi_mo": (_hand("xueliu", _PLAIN, **_DRAWN),),
    "men_qing": (_hand("chengdu", "234567m3459p(6666p)!9p", opt="fans.men_qing:1"),),
    "zhong_zhang": (_hand("chengdu", "234567m3455678p!5p", opt="fans.zhong_zhang:1"),),
    "yi_tiao_long": (_hand("laok", "12345678m11p[555p]!9m", opt="fans.yi_tiao_long:1"),),
    "jia_xin_wu": (_hand("laok", "46789m22345678p!5m", opt="fans.jia_xin_wu:1"),),
    "ka_er_tiao": (_hand("laok", "234456789m1399s!2s", opt="fans.ka_er_tiao:1"),),
    "ban_ban_gao": (_hand("laok", "223344m2345699p!7p", opt="fans.ban_ban_gao:1"),),
    "dan_diao": (_hand("laok", "234567m2345679p!9p", opt="fans.dan_diao:1"),),
    "ka_zhang": (_hand("laok", "234567m2345799p!6p", opt="fans.ka_zhang:1"),),
    "bian_zhang": (_hand("laok", "234567m2348999p!7p", opt="fans.bian_zhang:1"),),
    "jue_zhang": (_hand("laok", _PLAIN, jue="1", opt="fans.jue_zhang:1"),),
    "zi_mo": (_hand("jipin", _PLAIN, by="self_draw", opt="self_draw_bonus:fan"),),
    "fan": (_hand("chengdu", "2345677899m[111m]!9m"), _hand("laok", "2345677899m[111m]!9m")),
    "void": (_hand("chengdu", _PLAIN, void="s"),),
    "ready": (_hand("chengdu", "1113456666788s"),),
    "win": (_hand("chengdu", _PLAIN),),
    "scale": (_hand("xueliu", "2345677899m[111m]!9m"), _hand("jipin", "2345677899m[111m]!9m")),
    "blessing_adds": (
        _hand(
            "yaoji",
            "1133557m224466p!7m",
            by="self_draw",
            bless="di_hu",
            opt="blessing_adds:on,cap:off",
        ),
    ),
    "players": (_hand("chengdu", _PLAIN, by="self_draw", opt="players:3"),),
    "suits": (
        _hand("chengdu", _PLAIN, opt="suits:2"),
        _hand("chengdu", "111222333444m7z", seen="5p", opt="suits:2,joker:zhong"),
    ),
    "sets": (
        _hand("chengdu", "1122558m!8m", opt="sets:2"),
        _hand("chengdu", "2223334m999p!4m", opt="sets:3"),
    ),
    "blessing_alone": (
        _hand("laok", "1133557777m222p!2p", by="self_draw", bless="di_hu", opt="blessing_alone:on"),
    ),
    "di_hu_by": (_hand("laok", _PLAIN, bless="di_hu", opt="di_hu_by:both"),),
    "kong_discard_robbed": (_hand("sbr", "23467m34567899p!5m", by="rob_kong", pao="1"),),
    "excludes": (
        _hand(
            "chengdu",
            "2225m888p[222p][555p]!5m",
            opt="fans.zhong_zhang:1,excludes:zhong_zhang-jiang_dui",
        ),
        _hand("chengdu", "1234567899m[111m]!9m", opt="excludes:gen-qing_yi_se"),
    ),
    "min_fan": (_hand("laok", "222999m8p[444m][777p]!8p", opt="min_fan:2"),),
    "joker": (
        _hand("yaoji", "23456799m11s[111m]!9m"),
        _hand("xueliu", "2345699m77z[111m]!9m", opt="joker:zhong"),
    ),
    "base": (_hand("laok", "222999m8p[444m][777p]!8p"),),
    "cap": (_hand("jipin", "1122445566778m!8m"),),
    "self_draw_bonus": (_hand("sbr", "222999m8p[444m][777p]!8p", **_DRAWN),),
    "dead_waits": (_hand("sbr", "9m111p[888m][999m][444p]"),),
}

_READY = {"state": "ready", "fan": 1}
_NOT_READY = {"state": "not_ready"}


def _round(rules: str, *events: Json, **options: Any) -> Json:
    made: Json = {"ruleset": rules, "dealer": 0, "events": list(events)}
    return {**made, "options": options} if options else made


def _kong(seat: int, kind: str, **more: Any) -> Json:
    return {"type": "kong", "seat": seat, "kind": kind, **more}


def _win(by: str, *winners: tuple[int, int], **more: Any) -> Json:
    won = [{"seat": seat, "fan": fan} for seat, fan in winners]
    return {"type": "win", "by": by, "winners": won, **more}


def _draw(**hands: Json) -> Json:
    return {"type": "draw", "hands": {seat[1:]: hand for seat, hand in hands.items()}}


#: Per rule, a short round that shows it, and the reason of the payments to look at.
ROUNDS: dict[str, tuple[tuple[Json, str], ...]] = {
    "ma": (
        (
            _round(
                "laok",
                {
                    "type": "win",
                    "by": "self_draw",
                    "winners": [{"seat": 2, "hand": _PLAIN, "horses": ["3m", "7p"]}],
                },
            ),
            "win",
        ),
    ),
    "discard": ((_round("chengdu", _win("discard", (2, 2), **{"from": 0})), "win"),),
    "self_draw": ((_round("chengdu", _win("self_draw", (2, 2))), "win"),),
    "rob_kong": (
        (
            _round(
                "chengdu",
                _kong(1, "added_kong", robbed=True),
                _win("rob_kong", (3, 1), **{"from": 1}),
            ),
            "win",
        ),
    ),
    "shared_discard": ((_round("chengdu", _win("discard", (1, 1), (3, 2), **{"from": 0})), "win"),),
    "kong_points": (
        (
            _round(
                "jipin",
                _kong(0, "exposed_kong", **{"from": 2}),
                _kong(1, "added_kong"),
                _kong(3, "concealed_kong"),
            ),
            "concealed_kong",
        ),
    ),
    "late_added_kong_free": (
        (_round("sbr", _kong(0, "added_kong", late=True), _kong(1, "added_kong")), "added_kong"),
    ),
    "kong_transfer_several": (
        (
            _round(
                "laok",
                _kong(0, "concealed_kong"),
                _win("discard", (1, 2), (2, 2), **{"from": 0, "kong_discard": True}),
            ),
            "kong_transfer",
        ),
    ),
    "kong_discard_robbed": (
        (
            _round(
                "sbr",
                _kong(0, "concealed_kong"),
                _kong(0, "added_kong", robbed=True),
                _win("rob_kong", (2, 2), **{"from": 0, "kong_discard": True}),
            ),
            "kong_undo",
        ),
    ),
    "kong_in_out": (
        (
            _round("xueliu", _kong(1, "concealed_kong"), _win("self_draw", (2, 5))),
            "win",
        ),
    ),
    "kong_transfer": (
        (
            _round(
                "laok",
                _kong(0, "concealed_kong"),
                _win("discard", (2, 2), **{"from": 0, "kong_discard": True}),
            ),
            "kong_transfer",
        ),
        (
            _round(
                "sbr",
                _kong(0, "concealed_kong"),
                _win("discard", (2, 2), **{"from": 0, "kong_discard": True}),
            ),
            "kong_undo",
        ),
    ),
    "bloom": (
        (
            _round(
                "laok",
                _kong(2, "exposed_kong", **{"from": 0}),
                _win("self_draw", (2, 3), after_kong="exposed_kong"),
            ),
            "win",
        ),
    ),
    "blood_flow": (
        (
            _round(
                "xueliu",
                _win("discard", (2, 3), **{"from": 0}),
                _win("self_draw", (2, 3)),
            ),
            "win",
        ),
        (
            _round("laok", _win("discard", (2, 3), **{"from": 0}), _win("self_draw", (3, 2))),
            "win",
        ),
    ),
    "round_ends": (
        (_round("laok", _win("discard", (2, 3), **{"from": 0}), round_ends="first_win"), "win"),
        (
            _round("laok", _win("discard", (2, 3), **{"from": 0}), _win("self_draw", (3, 2))),
            "win",
        ),
    ),
    "pig": (
        (
            _round(
                "chengdu",
                _draw(s0={"state": "flower_pig"}, s1=_READY, s2=_NOT_READY, s3=_NOT_READY),
            ),
            "flower_pig",
        ),
    ),
    "call_check": (
        (
            _round(
                "laok",
                _draw(s0=_NOT_READY, s1={"state": "ready", "fan": 3}, s2=_READY, s3=_NOT_READY),
            ),
            "not_ready",
        ),
    ),
    "call_check_winners": (
        (
            _round(
                "laok",
                _win("discard", (1, 3), **{"from": 0}),
                _draw(s0=_NOT_READY, s2=_READY, s3=_NOT_READY),
                call_check_winners=True,
            ),
            "not_ready",
        ),
    ),
    "check_by": (
        (
            _round(
                "sbr",
                _draw(s0=_NOT_READY, s1={"state": "ready", "fan": 2}, s2=_NOT_READY, s3=_NOT_READY),
                check_by="self_draw",
            ),
            "not_ready",
        ),
    ),
    "check_kongs": (
        (
            _round(
                "chengdu",
                _kong(1, "concealed_kong", tile="6p"),
                _draw(
                    s0=_NOT_READY, s1={"hand": "234567m3459p(6666p)"}, s2=_NOT_READY, s3=_NOT_READY
                ),
                check_kongs=False,
            ),
            "not_ready",
        ),
    ),
    "passive_pig": (
        (
            _round(
                "sbr",
                _draw(
                    s0={"state": "flower_pig", "passive": True},
                    s1={"state": "flower_pig"},
                    s2=_READY,
                    s3=_READY,
                ),
            ),
            "flower_pig",
        ),
    ),
    "difference": (
        (
            _round(
                "chengdu",
                _win("self_draw", (3, 1)),
                _draw(
                    s0={"state": "ready", "fan": 0},
                    s1={"state": "ready", "fan": 2},
                    s2={"state": "ready", "fan": 4},
                ),
            ),
            "difference",
        ),
    ),
    "refund": (
        (
            _round(
                "laok",
                _kong(0, "concealed_kong"),
                _draw(s0=_NOT_READY, s1=_READY, s2=_READY, s3=_READY),
            ),
            "refund",
        ),
    ),
    "waived": (
        (
            _round(
                "chengdu",
                _draw(
                    s0=_NOT_READY,
                    s1={"state": "ready", "fan": 3, "waived": True},
                    s2=_READY,
                    s3=_NOT_READY,
                ),
            ),
            "not_ready",
        ),
    ),
    "escape_points": (
        (_round("laok", {"type": "escape", "seat": 3, "last_four": False}), "escape"),
    ),
    "false_win": (
        (
            _round("chengdu", _kong(2, "concealed_kong"), {"type": "false_win", "seat": 2}),
            FALSE_WIN,
        ),
        (_round("sbr", _kong(2, "concealed_kong"), {"type": "false_win", "seat": 2}), FALSE_WIN),
    ),
    "payment": (
        (_round("chengdu", {"type": "payment", "from": 0, "to": 2, "amount": 10}), AGREED),
    ),
    "next_dealer": (
        (_round("laok", _win("discard", (2, 3), **{"from": 1}), next_dealer="rotate"), "win"),
    ),
    "nobody_won": (
        (
            _round(
                "laok",
                _draw(s0=_NOT_READY, s1=_READY, s2=_NOT_READY, s3=_NOT_READY),
                nobody_won="next",
            ),
            "not_ready",
        ),
    ),
    "players": ((_round("chengdu", _win("self_draw", (2, 2)), players=3), "win"),),
    "dealer": ((_round("chengdu", _win("discard", (1, 1), (3, 2), **{"from": 2})), "win"),),
}

#: How the example of an option was won, where its tiles do not show it.
HOW: dict[str, str] = {
    "di_hu_by": N_("是庄家打的第一张"),
    "kong_discard_robbed": N_("开杠以后又补杠，被抢了"),
}

#: One sentence to an example that would not speak for itself.
NOTES: dict[str, str] = {
    "ma": N_(
        "三万和七筒都从庄家数起：一、五、九是庄家，二、六是下家，三、七是对家，四、八是上家。"
    ),
    "scale": N_("同一手牌：番数就是倍数的规则，和每番翻倍的规则。"),
    "fan": N_("同一手牌，两套规则的番数不同，倍数相同：一套从零数起，一套从一数起。"),
    "call_check": N_("两家没叫，各赔给两家有叫的。"),
    "waived": N_("听得大的那家放过了胡牌，查叫只赔给另一家。"),
    "next_dealer": N_("轮流坐庄：不管谁胡，下一局都由庄家的下家坐庄。"),
    "nobody_won": N_("没有人胡，下一局由庄家的下家坐庄。"),
    "passive_pig": N_("被动花猪在这套规则里不罚，只赔查叫；另一家是真花猪。"),
    "check_kongs": N_("暗杠不计入查叫，只算牌型。"),
    "dealer": N_("第一次胡就是一炮多响，下一局由点炮的人坐庄。"),
    "kong_in_out": N_("开过暗杠的那家多付两番。"),
}


def requests(key: str) -> list[Json]:
    """The requests to `score` for a term's or rule's example hands."""
    return [hand_request(parameters) for parameters in HANDS.get(key, ())]
