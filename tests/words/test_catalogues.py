"""What people read is collected from every kind of source, and nothing else is."""

from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import override_settings

from calculator.words import catalogues


def test_messages_are_found_in_python() -> None:
    source = 'gettext("一"), N_("二"), ngettext("三", "三三", n), pgettext("词", "四"), other("五")'
    assert list(catalogues.python_messages(source)) == [
        (None, "一"),
        (None, "二"),
        (None, ("三", "三三")),
        ("词", "四"),
    ]


def test_messages_are_found_in_templates_whatever_their_indentation() -> None:
    source = """
    {% load i18n %}
      <p title="{% translate '一' %}">不算
  {% blocktranslate trimmed with n=3 %}
        共 {{ n }} 张
  {% endblocktranslate %}
    """
    assert list(catalogues.template_messages(source)) == [(None, "一"), (None, "共 %(n)s 张")]


def test_chinese_values_of_rule_files_are_messages() -> None:
    source = 'id = "x"\nname = "成都"\nreadings = ["一", "two"]\n[fans]\ngen = 1\n'
    assert list(catalogues.toml_messages(source)) == [(None, "成都"), (None, "一")]


def test_extraction_merging_and_checking_agree(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with override_settings(LOCALE_PATHS=[tmp_path]):
        call_command("texts")
        file = catalogues.po_file("en")
        first = file.read_bytes()
        call_command("texts")
        assert file.read_bytes() == first
        assert file.with_suffix(".mo").exists()
        template = catalogues.extracted()
        found = list(catalogues.problems("en", template))
        assert found
        assert not [problem for problem in found if "stale" in problem]
        template.add("新来的一句话")
        assert "en: stale" in next(catalogues.problems("en", template))
    assert "messages translated" in capsys.readouterr().out


def test_a_translation_that_loses_a_placeholder_is_a_problem(tmp_path: Path) -> None:
    template = catalogues.Catalog(fuzzy=False)
    template.add("%(n)s 张")
    with override_settings(LOCALE_PATHS=[tmp_path]):
        catalog = catalogues.merged("en", template)
        catalog["%(n)s 张"].string = "some tiles"
        file = catalogues.po_file("en")
        file.parent.mkdir(parents=True)
        file.write_bytes(catalogues.written(catalog))
        found = list(catalogues.problems("en", template))
        assert found == ["en: placeholders of '%(n)s 张' differ"]
