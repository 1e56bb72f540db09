"""Results that are made once per content, and shared by every session of the server.

The key of a result is the digest of everything that its function is given, and a function reads nothing else: no
session, no argument that the key leaves out. A test holds every cached function to that.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import streamlit as st

from rankdash.digests import digest

P = ParamSpec("P")
T = TypeVar("T")


def once(max_entries: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Keeps the last results of a function of records, each under the digest of all of its arguments.

    Results are shared by threads and sessions: nothing may change them. What raises is not kept.
    """

    def keep(make: Callable[P, T]) -> Callable[P, T]:
        if not inspect.signature(make).parameters:
            raise TypeError(f"{make.__qualname__} takes nothing, so that nothing can tell its results apart.")

        def made(key: str, _given: tuple[tuple[Any, ...], dict[str, Any]]) -> T:
            return make(*_given[0], **_given[1])

        made.__module__, made.__qualname__ = make.__module__, make.__qualname__  # Streamlit tells functions by these
        kept = st.cache_resource(max_entries=max_entries, show_spinner=False)(made)

        @wraps(make)
        def known(*args: P.args, **kwargs: P.kwargs) -> T:
            found: T = kept(digest((args, kwargs)), (args, kwargs))
            return found

        return known

    return keep
