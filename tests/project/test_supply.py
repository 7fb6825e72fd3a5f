"""What is shipped is named with its licence, and what is known of it is told apart from silence."""

import re

import pytest

from tests.deployment import DEPLOY
from tests.matrix import ROOT, TESTS, requirements
from tests.supply import licences
from tests.supply.audit import verdict

ASKED = {"name": "django", "version": "5.2", "vulns": []}
KNOWN = {"id": "CVE-1", "fix_versions": ["5.2.1"]}
SILENT = {"name": "segno", "skip_reason": "not found"}


def test_the_licences_are_those_of_what_is_pinned() -> None:
    assert licences.FILE.read_text("utf-8") == licences.text()


def test_every_package_is_listed_with_a_licence_and_its_text() -> None:
    listed = licences.FILE.read_text("utf-8")
    for name, version in licences.pins().items():
        found = re.search(rf"^{name} {re.escape(version)}: (.+)\n\n(.+)", listed, re.MULTILINE)
        assert found is not None, name
    assert "resvg-py 0.5.0: MIT" in listed
    assert re.search(r"^  resvg \S+: Apache-2.0 OR MIT$", listed, re.MULTILINE)


def test_the_licences_are_shipped() -> None:
    container = (DEPLOY / "Containerfile").read_text("utf-8")
    assert re.search(r"^COPY .*\bLICENSE docs/third-party\.txt", container, re.MULTILINE)


@pytest.mark.parametrize(
    ("packages", "status", "said"),
    [
        ([ASKED], 0, "1 asked, none known"),
        ([ASKED | {"vulns": [KNOWN]}], 1, "django 5.2: CVE-1 (mended in 5.2.1)"),
        ([ASKED, SILENT], 2, "could not ask about 1 of 2: segno"),
    ],
)
def test_a_question_that_was_not_answered_is_no_good_news(
    packages: list[dict[str, object]], status: int, said: str
) -> None:
    assert verdict({"dependencies": packages}) == (status, [said])


def test_the_lower_end_of_the_ranges_names_one_version_of_each() -> None:
    site = requirements("lowest")[: len(licences.pins()) - 3]
    assert "Django==5.2" in site
    assert "segno==1.6" in site


def test_every_python_is_asked_by_tests_that_are_there() -> None:
    assert [path for path in TESTS if not list((ROOT / path).glob("test_*.py"))] == []
