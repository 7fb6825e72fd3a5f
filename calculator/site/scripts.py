"""Words of the scripts that several pages share, as JSON; one set for each language."""

from functools import lru_cache

from django.utils.translation import gettext

from calculator.site.wire import dumps


@lru_cache(maxsize=8)
def rules_words(language: str) -> str:
    """The words of the script that keeps house rules."""
    return dumps(
        {
            "delete": gettext("删除“%(name)s”"),
            "bad": gettext("这不是家规文件。"),
            "saved": gettext("已存下"),
            "full": gettext("存不下：浏览器不许。"),
            "not_counted": gettext("网络不通：刚才改的还没有算进去，连上后自动算。"),
            "not_fetched": gettext("网络不通：家规取不来，连上后自动取。"),
        }
    )
