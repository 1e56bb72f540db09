"""What a file holds, by trying: a run, judgments, both models, votes or queries."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Unpack

from rankdash.reading.limits import LIMITS, Limits
from rankdash.reading.meanings import VOTE_MEANINGS, Wanted, key
from rankdash.reading.options import Choice
from rankdash.reading.problems import ReadError
from rankdash.reading.readers import How, read_judgments, read_models, read_queries, read_run, read_votes

_HEAD = 1 << 18
_VOTE = frozenset(
    key(name) for meaning in VOTE_MEANINGS if meaning.name == "vote" for name in meaning.synonyms[0].split()
)
#: These decide which table is meant at all, and are asked for before anything else.
_FIRST = ("sheet", "member", "encoding")


@dataclass(frozen=True)
class Recognised:
    """What a file seems to hold, and what has to be decided before it can be read as that."""

    kind: Wanted
    choices: tuple[Choice, ...] = ()


def recognised(source: Any, *, limits: Limits = LIMITS, **how: Unpack[How]) -> Recognised:
    """What the source holds, judged by the first 256 kB of a text. ReadError where it is no table of any kind."""
    sample = _sample(source)
    found: dict[str, Any] = {}
    errors: dict[str, ReadError] = {}
    for kind, read in _READERS.items():
        try:
            found[kind] = read(sample, limits=limits, **how)
        except ReadError as error:
            errors[kind] = error
            if any(choice.option in _FIRST for choice in error.choices):
                raise
    for kind, fits in _RULES:
        if kind in found and fits(found[kind]):
            return Recognised(kind)
    are_queries = "queries" in found and len(found["queries"].table.column_names) > 1
    for kind, option in _ASKING:
        choices = _choices(errors.get(kind), option)
        if choices and not (are_queries and kind in ("models", "run")):
            return Recognised(kind, choices)
    if are_queries:
        return Recognised("queries")
    if "run" in found:
        return Recognised("run")
    raise errors["run"]


def _choices(error: ReadError | None, option: str) -> tuple[Choice, ...]:
    """What would make the file readable, if that is all that is missing; one column at most."""
    if error is None or any(problem.choice is None for problem in error.problems):
        return ()
    if option == "columns" and len(error.problems) > 1:
        return ()
    return tuple(choice for choice in error.choices if choice.option == option)


def _sample(source: Any) -> Any:
    """The first whole lines of a text; everything else as it is."""
    if isinstance(source, (str, os.PathLike)) and os.path.isfile(source):
        with open(source, "rb") as file:
            head = file.read(_HEAD + 1)
    elif isinstance(source, (bytes, bytearray, memoryview)):
        head = bytes(source[: _HEAD + 1])
    elif hasattr(source, "getvalue"):
        head = source.getvalue()[: _HEAD + 1]
    else:
        return source
    text = isinstance(head, bytes) and len(head) > _HEAD and not head.lstrip().startswith((b"[", b"{"))
    if not text or b"\0" in head or head.startswith((b"PK", b"PAR1", b"\x1f\x8b", b"\xd0\xcf")):
        return source
    return head[: head.rfind(b"\n") + 1] or source


def _is_ranked(run: Any) -> bool:
    return str(run.ordered_by) != "position"


def _has_votes(run: Any) -> bool:
    return any(key(name) in _VOTE or key(name) == "vote" for name in run.table.column_names)


_READERS: dict[str, Callable[..., Any]] = {
    "models": read_models,
    "run": read_run,
    "judgments": read_judgments,
    "votes": read_votes,
    "queries": read_queries,
}
#: In this order: the first that can be read, and fits, is it.
_RULES: tuple[tuple[Wanted, Callable[[Any], bool]], ...] = (
    ("models", lambda models: len(models.runs) > 1),
    ("run", _is_ranked),
    ("judgments", lambda _: True),
    ("run", lambda run: not _has_votes(run)),
    ("votes", lambda votes: True),
)
#: What can be read once something is decided.
_ASKING: tuple[tuple[Wanted, str], ...] = (
    ("votes", "pair"),
    ("judgments", "columns"),
    ("judgments", "grades"),
    ("models", "columns"),
    ("run", "columns"),
)
