"""How often one address may do what costs something: open a table, try a code."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.http import HttpRequest
from django.utils import timezone

from calculator.tables.models import Asked
from calculator.tables.tokens import keyed

#: What one address may do in an hour; of the tries of a code, all addresses together too.
AN_HOUR = {"open": 20, "code": 30}
ALL_TOGETHER = {"code": 2000}
EVERYBODY = ""


def allowed(request: HttpRequest, what: str) -> bool:
    """Count one more, and whether it is still within the limit."""
    hour = timezone.now().replace(minute=0, second=0, microsecond=0)
    mine = _count(what, keyed(f"address {client_address(request)} {hour}"), hour)
    if mine > AN_HOUR[what]:
        return False
    return what not in ALL_TOGETHER or _count(what, EVERYBODY, hour) <= ALL_TOGETHER[what]


def client_address(request: HttpRequest) -> str:
    """Where a request comes from: what the proxy in front says, where there is one."""
    if settings.BEHIND_PROXY:
        return request.headers.get("X-Forwarded-For", "").rpartition(",")[2].strip()
    return str(request.META.get("REMOTE_ADDR", ""))


@transaction.atomic
def _count(what: str, whom: str, hour: datetime) -> int:
    """One more of this hour; counts of the hours before are dropped."""
    Asked.objects.filter(hour__lt=hour - timedelta(hours=1)).delete()
    row, _ = Asked.objects.get_or_create(what=what, whom=whom, hour=hour)
    Asked.objects.filter(pk=row.pk).update(times=F("times") + 1)
    return row.times + 1
