"""Objects of other libraries as what they hold: dicts, frames and bytes. Their attributes alone show what they are."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt

from rankdash.reading.columns.orders import are_times
from rankdash.reading.columns.synonyms import TIERS, key
from rankdash.reading.source.problems import ReadError, refuse
from rankdash.reading.words.headings import KINDS, Kind

Integers = npt.NDArray[np.integer[Any]]
_TABLE = "the table"
#: Lists of ids for queries in the rows of an array; up to here a row is a record.
_RECORD = 3
#: What a sample of ragas calls its query and its documents, by the kind of table.
_SAMPLE = {"run": "retrieved_context_ids", "judgments": "reference_context_ids"}
_INPUT = "user_input"
#: So many items show whether they are answers.
_SEVERAL = 64


@dataclass(frozen=True)
class Unwrapped:
    """What an object holds, with its name and what was decided."""

    source: Any
    name: str | None = None
    notes: tuple[str, ...] = ()


class _Content(io.BytesIO):
    """The bytes of a file that was opened by another library, with its name."""

    name = ""


def held(source: Any, kind: Kind) -> Unwrapped:
    """Return what an object of another library holds; any other source as it is.

    ReadError where it holds no table of this kind.
    """
    for fits, opened in _OBJECTS:
        if fits(source):
            return opened(source, kind)
    return Unwrapped(source)


def _lists(source: Any, name: str) -> bool:
    return not isinstance(source, Mapping) and isinstance(getattr(source, name, None), Mapping)


def _run(source: Any, kind: Kind) -> Unwrapped:
    """Return the lists of a Run of ranx."""
    if kind == "judgments":
        raise _other("this is a Run of ranx", kind, "Give it as a run, and its Qrels as the judgments.")
    name = getattr(source, "name", None)
    return Unwrapped(source.run, name if isinstance(name, str) and name else None)


def _qrels(source: Any, kind: Kind) -> Unwrapped:
    """Return the grades of Qrels of ranx."""
    if kind != "judgments":
        raise _other("these are Qrels of ranx", kind, "Give them as the judgments, and its Run as a run.")
    return Unwrapped(source.qrels)


def _other(what: str, kind: Kind, do: str) -> ReadError:
    return refuse("other_kind", _TABLE, f"{what}, not {KINDS[kind].words}", do)


def _is_answer(source: Any) -> bool:
    """Return whether this is an answer from the client of a search engine, which wraps a dict."""
    return hasattr(source, "meta") and _lists(source, "body")


def _are_answers(source: Any) -> bool:
    """Return whether some of these, by query or in a list, are answers from the client of a search engine."""
    several = source.values() if isinstance(source, Mapping) else source if isinstance(source, (list, tuple)) else ()
    return any(map(_is_answer, islice(several, _SEVERAL)))


def _answers(source: Any, kind: Kind) -> Unwrapped:
    """Return what these answers hold, by query or in a list, and anything else as it is."""
    if isinstance(source, Mapping):
        return Unwrapped({query: _body(answer) for query, answer in source.items()})
    return Unwrapped([_body(answer) for answer in source])


def _body(source: Any) -> Any:
    return source.body if _is_answer(source) else source


def _is_lazy(source: Any) -> bool:
    return callable(getattr(source, "collect_schema", None)) and callable(getattr(source, "collect", None))


def _is_in_parts(source: Any) -> bool:
    """Return whether this is a frame in parts that are computed when they are asked for, as dask has it."""
    return hasattr(source, "npartitions") and callable(getattr(source, "compute", None))


def _is_series(source: Any) -> bool:
    return type(source).__module__.split(".")[0] == "pandas" and not hasattr(source, "columns") and _has_index(source)


def _has_index(source: Any) -> bool:
    return hasattr(source, "to_frame") and hasattr(source, "index")


def _has_ids_without_names(source: Any) -> bool:
    """Return whether this is a frame or a series of pandas whose index has several levels, none with a name, and may
    have the ids.
    """
    if type(source).__module__.split(".")[0] != "pandas" or not hasattr(source, "index"):
        return False
    names = source.index.names
    headings = getattr(source, "columns", ())
    has_ids = any(key(str(heading)) in tier for heading in headings for tier in TIERS["run"]["doc_id"])
    return len(names) > 1 and all(name is None for name in names) and not has_ids


def _ids_without_names(source: Any, kind: Kind) -> Unwrapped:
    what = f"the index has {source.index.nlevels} levels without names, which may be the ids"
    raise refuse("missing_column", _TABLE, what, 'Name them: index.names = ["query_id", "doc_id"].')


def _series(source: Any, kind: Kind) -> Unwrapped:
    """Return a series of numbers, whose index has the ids, as a frame."""
    if source.name is None:
        what = "the series has no name, which says what its numbers are"
        raise refuse("missing_column", _TABLE, what, 'Name it: series.rename("score"), or "relevance".')
    return Unwrapped(source.to_frame())


def _is_unopened(source: Any) -> bool:
    """Return whether this is a file of a file system of fsspec, which was not opened."""
    names = ("fs", "path", "open", "__enter__")
    return all(hasattr(source, name) for name in names) and not hasattr(source, "read")


def _unopened(source: Any, kind: Kind) -> Unwrapped:
    """Return the bytes of a file of fsspec."""
    try:
        with source as stream:
            data = stream.read()
    except OSError as error:
        name = os.path.basename(str(source.path))
        raise refuse("unreadable", name, f"the file cannot be opened: {error.strerror or error}") from None
    content = _Content(data.encode() if isinstance(data, str) else data)
    content.name = os.path.basename(str(source.path))
    return Unwrapped(content)


def _is_array_of_lists(source: Any) -> bool:
    """Return whether this is an array with the ids of a list in each row, and no record: ids are whole numbers there,
    as an index of vectors has them, for texts and mixed rows may be the rows of a run or of judgments.
    """
    ids = isinstance(source, np.ndarray) and source.ndim == 2 and source.shape[1] > _RECORD
    return ids and source.dtype.kind in "iu" and not _are_qrels(source) and not _are_rated(source)


def _are_qrels(rows: Integers) -> bool:
    """Return whether the second number is the same in all rows, as the iteration is, and 0, or beside a first one that
    comes again, as a query does.
    """
    if len(rows) < 2 or (rows[:, 1] != rows[0, 1]).any():
        return False
    return bool(rows[0, 1] == 0) or len(np.unique(rows[:, 0])) < len(rows)


def _are_rated(rows: Integers) -> bool:
    """Return whether rows of four numbers are users, items, ratings and times: only the last are as large as times."""
    if len(rows.T) != len(("user", "item", "rating", "time")) or not len(rows):
        return False
    return are_times(rows[:, -1].astype(np.float64)) and bool(rows[:, :-1].max() < rows[:, -1].min())


def _is_narrow_array(source: Any) -> bool:
    """Return whether this is an array of whole numbers whose rows may be records as well as lists of ids."""
    narrow = isinstance(source, np.ndarray) and source.ndim == 2 and 1 < source.shape[1] <= _RECORD
    return narrow and source.dtype.kind in "iu" and len(source) > 0


def _narrow_array(source: Any, kind: Kind) -> Unwrapped:
    """Return the rows as records. ReadError where they may be lists."""
    if kind == "run":
        what = f"rows of {source.shape[1]} whole numbers may be lists of ids, or records (query, document, score)"
        do = "Give {query: [document, …]} for lists, and a frame with the columns query_id, doc_id, score for records."
        raise refuse("unclear", _TABLE, what, do)
    return Unwrapped(source)


def _array(source: Any, kind: Kind) -> Unwrapped:
    """Return the lists of ids in the rows of an array; -1 stands where an index of vectors had no more documents."""
    if kind != "run":
        return Unwrapped(source)
    rows = source.tolist()
    none = (-1, np.iinfo(np.uint64).max)  # -1 as it is where numbers have no sign
    lists = {str(query): [document for document in row if document not in none] for query, row in enumerate(rows)}
    note = f"The rows of the array are queries, numbered from 0 to {len(rows) - 1:,}; the best document comes first."
    missing = sum(len(row) for row in rows) - sum(map(len, lists.values()))
    return Unwrapped(lists, notes=(note, *([f"Places without a document, -1: {missing:,}."] if missing else [])))


def _is_sampled(source: Any) -> bool:
    """Return whether this is a data set of ragas, or a list of its samples."""
    samples = _samples(source)
    return bool(samples) and all(hasattr(sample, _INPUT) and hasattr(sample, _SAMPLE["run"]) for sample in samples)


def _samples(source: Any) -> list[Any]:
    some = source if isinstance(source, list) else getattr(source, "samples", None)
    return some if isinstance(some, list) and not isinstance(source, Mapping) else []


def _sampled(source: Any, kind: Kind) -> Unwrapped:
    """Return the ids of the contexts by query. ReadError where there are only their texts."""
    name = _SAMPLE.get(kind, "")
    lists: dict[Any, Any] = {}
    for sample in _samples(source):
        ids = getattr(sample, name, None) if name else None
        if ids is not None and not isinstance(ids, (list, tuple)):
            raise refuse("malformed", _TABLE, f"{name} of a sample is no list", "Give a list of ids.")
        if ids is None:
            do = f"Give the samples {name or _SAMPLE['run']}, or {{query: [document, …]}}."
            raise _other("a sample of ragas has texts of contexts and no ids of them", kind, do)
        query = getattr(sample, _INPUT)
        if not isinstance(query, str):
            what = "the user_input of a sample is a conversation, and no text"
            raise refuse("unclear", _TABLE, what, "Give {query: [document, …]}.")
        if query in lists:
            raise refuse("unclear", _TABLE, "two samples have the same user_input", "Give {query: [document, …]}.")
        lists[query] = [*ids]
    return Unwrapped(lists, notes=(f"Of the samples user_input and {name} were read, and nothing else.",))


#: How an object is recognised, and what it holds; the first that fits counts.
_OBJECTS: tuple[tuple[Callable[[Any], bool], Callable[[Any, Kind], Unwrapped]], ...] = (
    (lambda source: _lists(source, "run"), _run),
    (lambda source: _lists(source, "qrels"), _qrels),
    (_is_answer, lambda source, kind: Unwrapped(source.body)),
    (_are_answers, _answers),
    (_is_lazy, lambda source, kind: Unwrapped(source.collect())),
    (_is_in_parts, lambda source, kind: Unwrapped(source.compute())),
    (_has_ids_without_names, _ids_without_names),
    (_is_series, _series),
    (_is_unopened, _unopened),
    (_is_array_of_lists, _array),
    (_is_narrow_array, _narrow_array),
    (_is_sampled, _sampled),
)
