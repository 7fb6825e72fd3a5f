"""What the pages of a table take: every limit on what is sent stands here."""

from __future__ import annotations

from django import forms
from django.conf import settings

from calculator.tables.evening import MAX_FEE
from scoring.addresses.round import MAX_NAME, clean_name

#: Devices and keys are made by the script: letters, digits, hyphens.
NAME = r"^[0-9A-Za-z-]{1,36}$"
#: So many rounds of an evening may come along when a table is opened.
MAX_ROUNDS = 200


class WriterForm(forms.Form):
    """Who writes, and the entry as the device knows it."""

    device = forms.RegexField(NAME, required=False)
    key = forms.RegexField(NAME, required=False)
    who = forms.CharField(required=False, max_length=40)
    saw = forms.IntegerField(required=False, min_value=0)

    def clean_who(self) -> str:
        """A name as the addresses take it."""
        return clean_name(self.cleaned_data["who"])[:MAX_NAME]


class OpenForm(WriterForm):
    """A new table: the rounds that the device has, an address's query a line."""

    rounds = forms.CharField(required=False, max_length=settings.DATA_UPLOAD_MAX_MEMORY_SIZE)

    def clean_rounds(self) -> list[str]:
        """The queries of the rounds, in order."""
        found = [line.strip() for line in self.cleaned_data["rounds"].splitlines()]
        lines = [line for line in found if line]
        if len(lines) > MAX_ROUNDS or any(len(line) > settings.MAX_QUERY for line in lines):
            raise forms.ValidationError("too long", code="long")
        return lines


class EntryForm(WriterForm):
    """What a device makes of a round: the query of the page as it stands now."""

    round = forms.IntegerField(min_value=0)
    query = forms.CharField(max_length=settings.MAX_QUERY)


class UndoForm(WriterForm):
    """The entry that is to count no more."""

    undo = forms.IntegerField(min_value=2)


class PresenceForm(forms.Form):
    """Who asks for news: the device, its name and seat, and the last entry that it has seen."""

    rev = forms.IntegerField(required=False, min_value=0)
    #: Sent now and then: that the device is here is not written down at every question.
    here = forms.BooleanField(required=False)
    device = forms.RegexField(NAME, required=False)
    who = forms.CharField(required=False, max_length=40)
    seat = forms.IntegerField(required=False, min_value=0, max_value=3)


class FeeForm(WriterForm):
    """台板: how much, how often, who pays and who gets it; no amount is no fee."""

    amount = forms.DecimalField(
        required=False, min_value=0, max_value=MAX_FEE, max_digits=9, decimal_places=2
    )
    per = forms.ChoiceField(choices=[("evening", ""), ("round", "")])
    share = forms.ChoiceField(choices=[("each", ""), ("winner", "")])
    to = forms.CharField(required=False, max_length=MAX_NAME)

    @property
    def fee(self) -> str:
        """The text of the entry; empty where there is no fee."""
        given = self.cleaned_data
        if not given["amount"]:
            return ""
        return f"{given['amount'].normalize():f},{given['per']},{given['share']},{given['to']}"
