"""Every worked example in the engine's docstrings is true."""

import doctest
import importlib
import pkgutil

import pytest

import scoring

MODULES = sorted(
    name
    for _, name, _ in pkgutil.walk_packages(scoring.__path__, "scoring.")
    if name != "scoring.apps"
)


@pytest.mark.parametrize("name", ["scoring", *MODULES])
def test_the_examples_in_the_docstrings_are_true(name: str) -> None:
    failed, _ = doctest.testmod(importlib.import_module(name))
    assert not failed


def test_most_modules_of_the_engine_have_a_worked_example() -> None:
    finder = doctest.DocTestFinder(exclude_empty=True)
    with_examples = [
        name
        for name in MODULES
        if any(test.examples for test in finder.find(importlib.import_module(name)))
    ]
    assert len(with_examples) >= len(MODULES) - 3
