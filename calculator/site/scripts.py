"""Words of the scripts that several pages share, as JSON; one set for each language."""

from functools import lru_cache

from django.utils.translation import gettext

from calculator.site.wire import dumps


@lru_cache(maxsize=8)
def rules_words(language: str) -> str:
    """The words of the script that keeps house rules."""
    return dumps(
        {
            "delete": gettext("删除"),
            "more": gettext("“%(name)s”：改名、复制、分享"),
            "rename": gettext("改名"),
            "new_name": gettext("“%(name)s”的新名字"),
            "copy": gettext("复制一份"),
            "copied_name": gettext("%(name)s 副本"),
            "link": gettext("复制链接"),
            "copied": gettext("已复制"),
            "no_copy": gettext("复制不了：请长按选中"),
            "qr": gettext("二维码"),
            "qr_of": gettext("“%(name)s”的二维码"),
            "file": gettext("存成文件"),
            "card": gettext("规则卡"),
            "bad": gettext("这不是家规文件。"),
            "saved": gettext("已存下"),
            "full": gettext("存不下：浏览器不许。"),
            "not_counted": gettext("网络不通：刚才改的还没有算进去，连上后自动算。"),
            "not_fetched": gettext("网络不通：家规取不来，连上后自动取。"),
        }
    )
