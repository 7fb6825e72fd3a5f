"""What is kept of a shared table (一桌): its links, its ledger, who is there, how often was asked.

Nothing here is a score: the entries are texts in the grammar of the addresses, and what they come
to is reckoned by `scoring` each time somebody looks. Of a link only a digest is kept, so that who
reads the database cannot open a table.
"""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import models
from django.db.models import F, Q, Value
from django.db.models.functions import Cast, Concat, Now

#: What an entry may say; the meaning of each is in `ledger.py`.
KINDS = (
    *("round", "add", "edit", "move", "delete"),
    *("names", "rules", "dealer", "fee", "undo"),
)
MAX_TEXT = 8000


class Table(models.Model):
    """One table: `head` is the number of its last entry, `touched` when that was made."""

    opened = models.DateTimeField(db_default=Now())
    touched = models.DateTimeField(db_default=Now(), db_index=True)
    head = models.PositiveIntegerField(default=0)
    #: A word of mouth: the digest of six characters, and until when they open the table.
    code = models.CharField(max_length=64, null=True, unique=True)  # noqa: DJ001
    code_until = models.DateTimeField(null=True)


class Link(models.Model):
    """A way into a table: the digest of its token, and whether who has it may record."""

    digest = models.CharField(max_length=64, primary_key=True)
    table = models.ForeignKey(Table, models.CASCADE, related_name="links")
    records = models.BooleanField()


def _place(table: str, seq: Any) -> Concat:
    return Concat(
        Cast(table, models.TextField()),
        Value(":", models.TextField()),
        Cast(seq, models.TextField()),
        output_field=models.TextField(),
    )


class Entry(models.Model):
    """One entry of a ledger, never changed.

    The database itself holds that the entries of a table are one chain from 1 upwards: an entry's
    key is its place, each but the first names the one before it, and no two name the same.
    """

    place = models.TextField(primary_key=True)
    table = models.ForeignKey(Table, models.CASCADE, related_name="entries")
    seq = models.PositiveIntegerField()
    previous = models.OneToOneField("self", models.DO_NOTHING, null=True, related_name="+")
    #: Made by the device that wrote: what is sent twice is one entry.
    key = models.CharField(max_length=48)
    kind = models.CharField(max_length=8)
    text = models.TextField(blank=True)
    #: The entry that began the round, and the one that this is about; 0 where there is none.
    round = models.PositiveIntegerField(default=0)
    target = models.PositiveIntegerField(default=0)
    at = models.DateTimeField(db_default=Now())
    device = models.CharField(max_length=36)
    who = models.CharField(max_length=12, blank=True)

    class Meta:
        ordering: ClassVar = ["table", "seq"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["table", "seq"], name="one_entry_a_place"),
            models.UniqueConstraint(fields=["table", "key"], name="one_entry_a_key"),
            models.CheckConstraint(condition=Q(kind__in=KINDS), name="a_known_kind"),
            models.CheckConstraint(
                condition=Q(place=_place("table_id", "seq")), name="the_key_is_the_place"
            ),
            models.CheckConstraint(
                condition=Q(seq=1, previous__isnull=True)
                | Q(
                    seq__gt=1,
                    previous__isnull=False,
                    previous=_place("table_id", F("seq") - 1),
                ),
                name="no_gap",
            ),
        ]


class Presence(models.Model):
    """Who is at a table: a device, the name it goes by, and when it last asked."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="present")
    device = models.CharField(max_length=36)
    who = models.CharField(max_length=12, blank=True)
    seat = models.PositiveSmallIntegerField(null=True)
    seen = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["table", "device"], name="a_device_is_there_once")
        ]


class Asked(models.Model):
    """How often somebody did what is limited, in one hour; of the address a keyed digest alone."""

    what = models.CharField(max_length=8)
    whom = models.CharField(max_length=64)
    hour = models.DateTimeField(db_index=True)
    times = models.PositiveIntegerField(default=0)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["what", "whom", "hour"], name="one_count_an_hour")
        ]
