"""The page of the API is the public API as its docstrings say it."""

from __future__ import annotations

import doctest

import griffe

import rankdash
from scripts.api import entry, kind, public, reference

PAGE = reference()


def test_every_public_name_says_what_it_is() -> None:
    """Every name of `rankdash.__all__` is in the reference with words of its own, a function with what it returns."""
    found = public()
    assert list(found) == rankdash.__all__
    for name, about in found.items():
        said = [line for line in entry(name, about).split("```")[2::2] if line.strip()]
        assert said or name == "__version__", name
        if kind(about) == "Functions":
            assert isinstance(about, griffe.Function)
            assert about.returns, name


def test_every_example_in_the_reference_runs() -> None:
    """What stands behind >>> gives what stands below it."""
    names = {name: getattr(rankdash, name) for name in rankdash.__all__}
    text = PAGE.replace("```", "\n")
    test = doctest.DocTestParser().get_doctest(text, names, "api", None, 0)
    assert len(test.examples) > 5
    said: list[str] = []
    result = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test, out=said.append)
    assert not result.failed, "".join(said)
