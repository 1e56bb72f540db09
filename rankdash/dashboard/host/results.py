"""Results shared by all sessions of the server, each under one string: the digest of the arguments it was made of.

A function whose results are shared reads nothing but its arguments, in particular not the session state; a test checks
every such function for that.

Why: ``st.cache_data`` and ``st.cache_resource`` hash only a sample of the rows of a large table, so that two files can
share a result (https://github.com/streamlit/streamlit/issues/14622). Here Streamlit sees no table, only the digest.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, ParamSpec, TypeVar

import streamlit as st

from rankdash.dashboard.host.digests import digest

P = ParamSpec("P")
T = TypeVar("T")
#: Results of a function that are kept: of small ones, and of whole comparisons with their tables.
SMALL, COMPARISONS = 64, 8
#: For how long a result is kept.
KEPT_FOR = "30m"


@dataclass(frozen=True)
class Cached(Generic[P, T]):
    """A function whose results are shared; nothing may modify them."""

    make: Callable[P, T]
    results: Callable[[str, Callable[[], T]], T]

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> T:
        """Return the result for these arguments, made once."""
        return self.get_or_compute(lambda: self.make(*args, **kwargs), *args, **kwargs)

    def get_or_compute(self, make: Callable[[], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Return the result for these arguments, which ``make`` makes in a shorter way where it is not there."""
        return self.results(digest((args, kwargs)), make)


def cached(most: int = SMALL) -> Callable[[Callable[P, T]], Cached[P, T]]:
    """Decorate a function of records so that its ``most`` latest results are kept under the digest of all arguments.

    While a thread makes a result, others that ask for it wait. Exceptions are not kept.
    """

    keep = st.cache_resource(max_entries=most, ttl=KEPT_FOR, show_spinner=False)

    def decorate(make: Callable[P, T]) -> Cached[P, T]:
        def result(key: str, _make: Callable[[], T]) -> T:  # Streamlit hashes no argument that begins with _
            return _make()

        result.__module__, result.__qualname__ = make.__module__, make.__qualname__  # what caches are told apart by
        return Cached(make, keep(result))

    return decorate
