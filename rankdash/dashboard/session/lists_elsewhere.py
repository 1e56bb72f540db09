"""The two lists of a query of scored queries, read from their files when somebody opens the query.

The files lie where they were scored, and are read in a process of its own like an upload. What is shown is of the very
files that were scored: their digests are those in the table.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Any

from rankdash.dashboard.host.results import once
from rankdash.evidence.threads import each
from rankdash.inspect.lists import BothRuns
from rankdash.metrics import MeasureError
from rankdash.sandbox.apart import rows
from rankdash.scored import METADATA, UNNAMED, Header
from rankdash.style import queries as words
from rankdash.tables import Judgments, Run, Scored, Source


class NoListsError(Exception):
    """The lists cannot be shown. ``str()`` is a sentence that says why, and what to do."""


@dataclass(frozen=True)
class _File:
    """A file with lists: where it lies, how it was read, the run in it, and its digest."""

    path: str
    kind: str
    how: Mapping[str, Any]
    model: str
    sha256: str


def between(scored: Scored, a: Run, b: Run, query_id: str) -> BothRuns:
    """Return the rows of a query in both runs and the judgments; ``a`` and ``b`` name what was scored. NoListsError
    where a file cannot be read, or has changed by now.
    """
    judged = Header.from_json((scored.table.schema.metadata or {}).get(METADATA)).inputs or UNNAMED
    sources = {"a": a.source, "b": b.source, "judgments": judged.judgments}
    models = {"a": a.first_name, "b": b.first_name, "judgments": ""}
    roles = [role for role in sources if role != "judgments" or sources[role] != Source()]
    files = tuple(_file(scored, role, sources[role], models[role]) for role in roles)
    tables = dict(zip(roles, _rows(files, query_id), strict=True))
    run_a, run_b = (replace(tables[side], name=run.name) for side, run in (("a", a), ("b", b)))
    try:
        return BothRuns.of(run_a, run_b, tables.get("judgments"))
    except MeasureError as error:
        raise NoListsError(str(error)) from None


def _file(scored: Scored, role: str, source: Source, model: str) -> _File:
    file = scored.files.get(role)
    if file is None or not source.sha256:
        raise NoListsError(words.LISTS_UNTOLD)
    return _File(file["path"], file["kind"], file["how"], model, source.sha256)


@once
def _rows(files: tuple[_File, ...], query_id: str) -> tuple[Any, ...]:
    """Return the rows of a query in each file, while it has the digest with which it was scored."""
    return tuple(each(lambda file: _rows_of(file, query_id), files))


def _rows_of(file: _File, query_id: str) -> Run | Judgments:
    name = PurePath(file.path).name
    outcome = rows(file.path, file.kind, file.how, query_id, model=file.model)
    if outcome.error is not None:
        raise NoListsError(words.LISTS_UNREADABLE.format(name=name, why=outcome.error.problems[0].what))
    table = outcome.table
    if not isinstance(table, (Run, Judgments)) or table.source.sha256 != file.sha256:
        raise NoListsError(words.LISTS_CHANGED.format(name=name))
    return table
