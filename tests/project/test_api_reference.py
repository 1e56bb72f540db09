"""The page of the API is the public API as its docstrings say it."""

import griffe

import rankdash
from scripts.api import entry, kind, public


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
