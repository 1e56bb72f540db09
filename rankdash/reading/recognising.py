"""What a file holds, by trying: a run, judgments, both models, votes, queries, or numbers beside a LETOR file."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, Unpack

from rankdash.reading.grid import Grid
from rankdash.reading.limits import LIMITS, Limits
from rankdash.reading.meanings import TIERS, VOTE_MEANINGS, Wanted, key
from rankdash.reading.memory import is_table
from rankdash.reading.options import Choice, Options
from rankdash.reading.problems import ReadError
from rankdash.reading.readers import How, read_judgments, read_models, read_queries, read_run, read_votes
from rankdash.reading.understanding import NUMBERS_ALONE, Understood, form_of

_HEAD = 1 << 18
_VOTE = frozenset(
    key(name) for meaning in VOTE_MEANINGS if meaning.name == "vote" for name in meaning.synonyms[0].split()
)
#: What orders a list, and no table of queries has.
_ORDER = frozenset().union(*TIERS["run"]["rank"], *TIERS["run"]["score"])
#: These decide which table is meant at all, and are asked for before anything else.
_FIRST = ("sheet", "member", "encoding")


LETOR = "LETOR"
UNKNOWN = Understood()


@dataclass(frozen=True)
class Recognised:
    """What a file seems to hold, and what has to be decided before it can be read as that.

    ``kind`` is "numbers" for a file with one number on each line: scores, or sizes of queries, beside a LETOR file.
    ``form`` is what was understood of its form, as far as its first part tells.
    """

    kind: Wanted | Literal["numbers"]
    choices: tuple[Choice, ...] = ()
    form: Understood = UNKNOWN


def recognised(source: Any, *, limits: Limits = LIMITS, **how: Unpack[How]) -> Recognised:
    """What the source holds, judged by the first 256 kB of a text. ReadError where it is no table of any kind."""
    sample = _sample(source)
    in_memory = isinstance(sample, Mapping) or is_table(sample)
    form = UNKNOWN if in_memory else form_of(sample, limits, Options(**how))
    if form.format == NUMBERS_ALONE:
        return Recognised("numbers", form=form)
    if form.format == LETOR:
        return Recognised("judgments", _letor_needs(sample, limits, how), form)
    kind, choices = _by_trying(sample, limits, how)
    return Recognised(kind, choices, form)


def _letor_needs(sample: Any, limits: Limits, how: How) -> tuple[Choice, ...]:
    """The sizes of the queries, where the lines name none."""
    try:
        read_judgments(sample, limits=limits, **how)
    except ReadError as error:
        if "qid" in str(error):
            return (Choice("groups", ()),)
        raise
    return ()


def _by_trying(sample: Any, limits: Limits, how: How) -> tuple[Wanted, tuple[Choice, ...]]:
    found: dict[str, Any] = {}
    errors: dict[str, ReadError] = {}
    told: dict[str, Grid] = {}
    for kind, read in _READERS.items():
        try:
            found[kind] = read(sample, limits=limits, **{**how, "tell": partial(told.__setitem__, kind)})
        except ReadError as error:
            errors[kind] = error
            if any(choice.option in _FIRST for choice in error.choices):
                raise
    pair = _choices(errors.get("votes"), "pair")
    if pair and ("models" not in found or _has_votes(found["models"].runs[0])):
        return "votes", pair
    for rule, fits in _RULES:
        if rule in found and fits(found[rule], found):
            return rule, ()
    if "votes" in found and (_is_vote(told["votes"].headings) or not _choices(errors.get("judgments"), "columns")):
        return "votes", ()
    return _broken(errors, told) or _after_asking(found, errors)


def _broken(errors: Mapping[str, ReadError], told: Mapping[str, Grid]) -> tuple[Wanted, tuple[Choice, ...]] | None:
    """What it would be if some cells were better: its columns are there, by name."""
    for kind, column in _MARKS:
        error = errors.get(kind)
        cells = error is not None and all(problem.column is not None for problem in error.problems)
        if error is not None and cells and kind in told and column in told[kind].called:
            return kind, error.choices
    return None


def _after_asking(found: Mapping[str, Any], errors: Mapping[str, ReadError]) -> tuple[Wanted, tuple[Choice, ...]]:
    """What could be read once something is decided, or what nothing else fits. ReadError where there is nothing."""
    names = found["queries"].table.column_names if "queries" in found else []
    are_queries = len(names) > 1 and not any(key(name) in _ORDER for name in names)
    for asked, option in _ASKING:
        choices = _choices(errors.get(asked), option)
        if choices and not (are_queries and asked in ("models", "run")):
            return asked, choices
    if are_queries:
        return "queries", ()
    if "run" in found:
        return "run", ()
    raise errors["run"]


def _choices(error: ReadError | None, option: str) -> tuple[Choice, ...]:
    """What would make the file readable, if that is all that is missing; one column at most."""
    if error is None or any(problem.choice is None for problem in error.problems):
        return ()
    if option == "columns" and len(error.problems) > 1:
        return ()
    return tuple(choice for choice in error.choices if choice.option == option)


def _sample(source: Any) -> Any:
    """The first whole lines of a text, under the name of the source; everything else as it is."""
    if isinstance(source, (str, os.PathLike)) and os.path.isfile(source):
        with open(source, "rb") as file:
            head = file.read(_HEAD + 1)
    elif isinstance(source, (bytes, bytearray, memoryview)):
        head = bytes(source[: _HEAD + 1])
    elif hasattr(source, "getbuffer"):
        head = bytes(source.getbuffer()[: _HEAD + 1])
    else:
        return source
    text = len(head) > _HEAD and not head.lstrip().startswith((b"[", b"{"))
    if not text or b"\0" in head or head.startswith((b"PK", b"PAR1", b"\x1f\x8b", b"\xd0\xcf")):
        return source
    sample = io.BytesIO(head[: head.rfind(b"\n") + 1])
    name = source if isinstance(source, (str, os.PathLike)) else getattr(source, "name", "")
    if name:
        sample.name = os.fspath(name)
    return sample if sample.getbuffer().nbytes else source


def _has_several(models: Any, found: Mapping[str, Any]) -> bool:
    return len(models.runs) > 1 and not ("votes" in found and _has_votes(models.runs[0]))


def _is_ranked(run: Any, _: Mapping[str, Any]) -> bool:
    return str(run.ordered_by) != "position"


def _are_texts(queries: Any, found: Mapping[str, Any]) -> bool:
    """Whether what could be lists of one document each are ids and texts of queries."""
    run = found.get("run")
    return (
        run is not None
        and queries.table.column_names == ["query_id", "text"]
        and run.table.column_names == ["query_id", "doc_id"]
        and len(run.table) == len(queries.table)
    )


def _has_votes(run: Any) -> bool:
    return _is_vote(run.table.column_names)


def _is_vote(headings: Iterable[str]) -> bool:
    """Whether a heading can mean nothing but a vote."""
    return any(key(name) in _VOTE or key(name) == "vote" for name in headings)


_READERS: dict[Wanted, Callable[..., Any]] = {
    "models": read_models,
    "run": read_run,
    "judgments": read_judgments,
    "votes": read_votes,
    "queries": read_queries,
}
#: In this order: the first that can be read, and fits, is it. A rule sees what was read, and all that could be.
_RULES: tuple[tuple[Wanted, Callable[[Any, Mapping[str, Any]], bool]], ...] = (
    ("models", _has_several),
    ("run", _is_ranked),
    ("judgments", lambda *_: True),
    ("queries", _are_texts),
    ("run", lambda run, _: not _has_votes(run)),
)
#: The column by which a table of a kind is known.
_MARKS: tuple[tuple[Wanted, str], ...] = (
    ("models", "model"),
    ("run", "rank"),
    ("run", "score"),
    ("judgments", "relevance"),
    ("votes", "vote"),
)
#: What can be read once something is decided.
_ASKING: tuple[tuple[Wanted, str], ...] = (
    ("votes", "pair"),
    ("judgments", "columns"),
    ("judgments", "grades"),
    ("models", "columns"),
    ("run", "columns"),
)
