"""Results shared by all sessions of the server, each under one string: the digest of the arguments it was made of.

A function whose results are shared reads nothing but its arguments, in particular not the session state; a test checks
every such function for that.

Why: ``st.cache_data`` and ``st.cache_resource`` hash only a sample of the rows of a large table, so that two files can
share a result (https://github.com/streamlit/streamlit/issues/14622). Here Streamlit sees no table, only the digest.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import singledispatch, wraps
from types import NoneType
from typing import Any, ParamSpec, TypeVar

import numpy as np
import pyarrow as pa
import streamlit as st

from rankdash.arrow import Strings
from rankdash.metrics import Measure
from rankdash.records import remembered
from rankdash.system import streamed

P = ParamSpec("P")
T = TypeVar("T")
#: Cached results of a function: small ones, and whole comparisons with their tables.
SMALL, COMPARISONS = 64, 8
#: The lifetime of a cached result.
KEPT_FOR = "30m"


def cached(most: int = SMALL) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Decorate a function of records so that its ``most`` latest results are cached by the digest of all arguments.
    Nothing may modify them.

    While one thread computes a result, others wait for it. Exceptions are not cached.
    """

    keep = st.cache_resource(max_entries=most, ttl=KEPT_FOR, show_spinner=False)

    def decorate(make: Callable[P, T]) -> Callable[P, T]:
        def result(key: str, _make: Callable[[], T]) -> T:  # Streamlit hashes no argument that begins with _
            return _make()

        result.__module__, result.__qualname__ = make.__module__, make.__qualname__  # what caches are told apart by
        results = keep(result)

        @wraps(make)
        def shared(*args: P.args, **kwargs: P.kwargs) -> T:
            made: T = results(digest((args, kwargs)), lambda: make(*args, **kwargs))
            return made

        return shared

    return decorate


# --- digests of values: SHA-256 over everything that a value contains ---
#
# A result that is computed from a record alone, and cached under its digest, is never shown for another record: every
# field that the computation can read is part of the digest, fields that are added later too. Python's ``hash`` changes
# from process to process and is not made to tell contents apart.


def digest(value: object) -> str:
    """Return the SHA-256 of a value and everything in it, as 64 hexadecimal digits.

    Accepted are None, numbers, text, bytes, enums, sequences, mappings, numpy arrays, Arrow tables, measures, and
    frozen dataclasses of these. Values that differ anywhere, also in type, name or
    order, have different digests. TypeError for a value of any other type, because parts of it could be missed.
    """
    return _digest(value).hex()


def _digest(value: object) -> bytes:
    is_kept = isinstance(value, pa.Table) or _is_record(value)
    return _of_kept(value) if is_kept else _hashed(_typed_parts(value))


@remembered
def _of_kept(value: object) -> bytes:
    """Return the digest of what never changes, and takes long to hash: computed once for as long as it exists."""
    return _hashed(_typed_parts(value))


def _is_record(value: object) -> bool:
    """Return whether a value is a frozen dataclass."""
    return is_dataclass(value) and type(value).__hash__ is not None


def _hashed(parts: Iterable[bytes]) -> bytes:
    """Return the digest of parts, each preceded by its length, so that no two lists of parts have the same bytes."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "little"))
        digest.update(part)
    return digest.digest()


def _typed_parts(value: object) -> Iterable[bytes]:
    """Return a value in parts: its type, then its content."""
    kind = type(value)
    return (f"{kind.__module__}.{kind.__qualname__}".encode(), *_parts(value))


@singledispatch
def _parts(value: Any) -> Iterable[bytes]:
    """Return the content of a value: by the functions registered below, else the fields of a frozen dataclass."""
    if not _is_record(value):
        raise TypeError(f"A {type(value).__qualname__} has no digest: not everything in it can be told.")
    return (part for field in fields(value) for part in (field.name.encode(), _digest(getattr(value, field.name))))


_parts.register(NoneType, lambda value: ())
_parts.register(int, lambda value: (repr(value).encode(),))
_parts.register(float, lambda value: (value.hex().encode(),))
_parts.register(str, lambda value: (value.encode("utf-8", "surrogatepass"),))
_parts.register(bytes, lambda value: (value,))
_parts.register(Enum, lambda value: (value.name.encode(),))
_parts.register(tuple, lambda value: map(_digest, value))
_parts.register(list, lambda value: map(_digest, value))
_parts.register(Mapping, lambda value: map(_digest, value.items()))


@_parts.register(Measure)
def _of_measure(value: Measure) -> Iterable[bytes]:
    """Return what tells a measure from others: its definition is the row that its key names."""
    return map(_digest, (value.key, value.k, value.parameters, value.convention, value.name))


@_parts.register(np.ndarray)
@_parts.register(np.generic)
def _of_numbers(value: Any) -> Iterable[bytes]:
    if value.dtype.hasobject:
        return map(_digest, (value.shape, value.tolist()))
    return repr((value.dtype.str, value.shape)).encode(), value.tobytes()


@_parts.register(pa.Table)
def _of_table(table: pa.Table) -> Iterable[bytes]:
    """Return the digest of a table's Arrow IPC stream: schema, lengths, values, nulls and dictionaries."""
    digest = hashlib.sha256()
    streamed(table, digest.update)
    return (digest.digest(),)


_parts.register(Strings, lambda value: _of_table(pa.Table.from_arrays([value.array], ["strings"])))
