"""The search of the rules pages: any name a player may type, in any of the languages.

By name in Chinese (simplified or traditional), by its sound (`jingoudiao`) or the first letters of
that (`jgd`), by its name in English on every page, and by a name inside a sentence (根是什么).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from django.conf import settings
from django.utils.translation import gettext, override

from calculator.words import glossary
from scoring import rules as engine

#: Traditional spellings that people type; the search reads them as simplified.
_SIMPLIFIED = str.maketrans(
    "萬與兩個爲為於從價餘關幾則剛別辦動單衛雙喫後聽響場牆處夾對將帶並莊廢開張歸當總戰撲搶掛換數斷無"
    "時槓條來極樣漢沒滿點豬癩離種稅稅組經結給絕繼續羅補規認該說說誰賠賴贏轉輪過還這進裏裡釣鉤鈎錢門閒閑"
    "間頂順額風颳餅馬雞龍紅蓮寶燈邊連詐彎",
    "万与两个为为于从价余关几则刚别办动单卫双吃后听响场墙处夹对将带并庄废开张归当总战扑抢挂换数断无"
    "时杠条来极样汉没满点猪癞离种税税组经结给绝继续罗补规认该说说谁赔赖赢转轮过还这进里里钓钩钩钱门闲闲"
    "间顶顺额风刮饼马鸡龙红莲宝灯边连诈弯",
)

#: How the characters of the names sound.
_SOUNDS = (
    "an暗按 ba八巴 bai百白 ban板 bao包宝 bei倍被 ben奔本 bian边 bing饼 bu不补 ca擦 cha差查 "
    "chang场昌 che车 cheng成 chi吃赤 chu出 da大打 dai代带 dan单 dao到倒 de的 deng灯 di地底 "
    "dian点 diao吊钓 ding定顶 dou都 duan断 dui对 duo多 er二 fa法发 fan番 fang放房 fei飞 "
    "fen分芬 feng封风 fu付副 gang刚杠 gao高 ge割个 gen根 gong公 gou钩 gua刮挂 guai拐 gui归规 "
    "hai海 han汉 hao豪 he河 hong红 hou后 hu呼糊胡和 hua华花 huan换 hun魂 ji几己基极继计鸡 "
    "jia价加夹家 jiang将 jiao叫 jie结 jin进金 jing竞 jiu九就 ju局 jue绝 ka卡 kai开 ke刻 lai癞赖 "
    "lao捞老 le了 lian连莲 liang两 ling另 liu流六 long龙 luo罗裸 ma马麻 mai买 man满 men门 "
    "mian面 ming明 mo摸 pai牌 pao炮跑 peng碰 pi屁 pin品 ping平 pu扑普 qi七起 qian前钱 "
    "qiang抢墙 qing清青 qiu求 quan全 que缺雀 ren人任 sai赛 san三 se色 shang上 shen身 sheng生 "
    "shi十士是 shou收手首 shu束 shuang双 shui税谁 shun顺 si四死 su素 suo索 tao逃 tian天 "
    "tiao条 ting听 tong筒通 tui退 wan万弯 wei卫 wu五无 xia下 xian限闲 xiang响相 xiao小 xin心 "
    "xu续 xue学血 yao幺要 ye也 yi一宜已移 yin引 yong用 you有 yu与于羽雨 yue月约 ze则 zha诈炸 "
    "zhan战 zhang张 zhi之直 zhong中重 zhu猪 zhuan转 zhuang庄 zi子自字 zui最 zuo坐 "
    "cuo错 dong动 ji己 kuan款 lun轮 me么 mei没 shen什 shi时 suan算 "
    "xing型 yang样 zai再 zen怎 zhe这 zhi只"
)
SOUNDS: dict[str, str] = {
    character: sound
    for sound, characters in re.findall(r"([a-z]+)([^a-z ]+)", _SOUNDS)
    for character in characters
}

#: What people also type for a term or rule: names from elsewhere, and names of what is near it. The
#: search alone knows them; no page calls a thing so.
SPELLINGS: dict[str, str] = {
    "ping_hu": "鸡胡 屁胡",
    "dui_dui_hu": "碰碰和 对对碰",
    "dai_yao_jiu": "全幺九 全带幺 全幺",
    "qi_dui": "小七对 七小对 七对子",
    "long_qi_dui": "豪华七对 豪七 双龙七对 双豪华七对 龙七",
    "qing_long_qi_dui": "清豪华七对 清豪七",
    "jin_gou_diao": "全求人 单吊 单钓 大单吊 大吊车",
    "shi_ba_luo_han": "十八学士 四杠子",
    "gen": "四归一 四归二",
    "exposed_kong": "刮风",
    "added_kong": "弯杠 刮风",
    "gang_shang_hua": "杠上开花 杠开",
    "qiang_gang": "抢杠胡",
    "hai_di": "海底捞月 海底炮 海底捞",
    "men_qing": "门前清",
    "zhong_zhang": "断幺九",
    "yi_tiao_long": "清龙",
    "fan": "番 倍 底 底分",
    "void": "缺门",
    "suits": "索 索子 饼 饼子 条子 筒子 两房 三丁拐",
    "ready": "大叫 小叫 下叫",
    "miscount": "大相公 小相公",
    "self_draw_bonus": "自摸加底 自摸加番",
    "kong_points": "刮风 下雨 刮风下雨 擦挂",
    "kong_in_out": "杠进不杠出",
    "kong_transfer": "转雨",
    "bloom": "包杠",
    "rob_kong": "抢杠胡",
    "shared_discard": "一炮双响",
    "blood_flow": "血流成河 血战到底",
    "round_ends": "普通场 血战到底",
    "pig": "花猪 三花",
    "call_check": "查大叫 查小叫 大叫",
    "dead_waits": "绝张",
    "joker": "听用牌",
    "next_dealer": "轮流坐庄",
    "dealer": "坐庄 庄家",
}


def simplified(text: str) -> str:
    """What was typed as the search compares it: simplified, small letters, no blanks or tones.

    >>> simplified(" 颳風 "), simplified("Guā fēng")
    ('刮风', 'guafeng')
    """
    return _plain("".join(text.split()))


def _plain(text: str) -> str:
    apart = unicodedata.normalize("NFD", text.casefold())
    bare = "".join(letter for letter in apart if not unicodedata.combining(letter))
    return bare.translate(_SIMPLIFIED)


def sounds(name: str) -> tuple[str, ...]:
    """How a Chinese name sounds, whole and by its first letters; nothing for other names.

    >>> sounds("金钩钓")
    ('jingoudiao', 'jgd')
    """
    heard = [SOUNDS.get(character, "") for character in name]
    if not heard or not all(heard):
        return ()
    return "".join(heard), "".join(sound[0] for sound in heard)


@lru_cache(maxsize=1)
def _names() -> dict[str, tuple[str, ...]]:
    """Every name of every term and rule, in every language, as it is compared."""
    found: dict[str, list[str]] = {}
    for key in glossary.ids():
        own = [*glossary.names(key), *SPELLINGS.get(key, "").split()]
        every = [*own, *(sound for name in own for sound in sounds(name))]
        found[key] = [key.replace("_", " "), *every]
    for language, _ in settings.LANGUAGES:
        with override(language):
            for key in glossary.ids():
                found[key] += map(gettext, glossary.names(key))
    return {key: tuple(dict.fromkeys(map(_plain, names))) for key, names in found.items()}


def _said(name: str, asked: str) -> bool:
    """Whether a sentence has a name in it: a word or words of Latin letters, or characters."""
    if name.isascii():
        return re.search(rf"(?<![a-z]){re.escape(name)}(?![a-z])", asked) is not None
    return name in asked


def _ranks(query: str) -> Iterator[tuple[int, int, str]]:
    """What a query may mean: how near (0 is the name itself), the order of the pages, the id."""
    asked = _plain(query).replace("_", " ").strip()
    close = "".join(asked.split())
    for order, key in enumerate(glossary.ids()):
        names = _names()[key]
        whole = ["".join(name.split()) for name in names]
        inside = max((len(name) for name in names if _said(name, asked)), default=0)
        if close in whole:
            yield 0, order, key
        elif any(name.startswith(close) for name in whole):
            yield 1, order, key
        elif len(close) > 1 and any(close in name for name in whole):
            yield 2, order, key
        elif inside:
            yield 100 - inside, order, key
        elif len(close) > (3 if close.isascii() else 1) and any(
            close in simplified(text)
            for text in (glossary.text_id(key), gettext(glossary.text_id(key)))
        ):
            yield 100, order, key


def search(query: str) -> list[str]:
    """The terms and rules that a word or a sentence may mean, the closest first.

    >>> search("裸奔"), search("查衛生"), search("jgd"), search("根是什么")[0]
    (['jin_gou_diao'], ['pig'], ['jin_gou_diao'], 'gen')
    """
    found = sorted(_ranks(query)) if query.strip() else []
    best = found[0][0] if found else 0
    # An exact name answers alone, and so does the longest name in a sentence; anything less lists
    # all that comes near.
    alone = best == 0 or best > 2
    return [key for rank, _, key in found if rank == best or not alone]


def search_systems(query: str) -> list[engine.Rules]:
    """The rule systems that a word may mean."""
    wanted = simplified(query)
    return [
        one
        for one in map(engine.load, engine.ids())
        if wanted and any(wanted in simplified(n) for n in (one.id, one.name, gettext(one.name)))
    ]
