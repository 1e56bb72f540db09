"""Scored queries in place of lists: the per-query table in them, its two models and its policy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rankdash.case.case import Case
from rankdash.policy import Policy
from rankdash.scoring import UNNAMED, ComparisonError, PerQuery, TableError
from rankdash.tables import NO_ROWS, Run, Scored, Source


def per_query_of(scored: Scored, a: Run, b: Run) -> PerQuery:
    """Return the per-query table of scored queries, its models under the names of ``a`` and ``b``. ComparisonError
    where this version cannot read it.
    """
    table = _read(scored)
    inputs = table.inputs or UNNAMED
    named = replace(inputs, a=replace(inputs.a, name=a.name), b=replace(inputs.b, name=b.name))
    return replace(table, inputs=named)


def case_of_scored(table: PerQuery, files: Mapping[str, Mapping[str, Any]] | None = None) -> Case:
    """Return the case of a per-query table; ``files`` as in ``Scored``."""
    scored = Scored(table, Source(rows=len(table)), files or {})
    return Case(runs_of_scored(scored), scored=scored)


def runs_of_scored(scored: Scored) -> tuple[Run, Run]:
    """Return A and B of scored queries as runs without rows. ComparisonError as for ``per_query_of``."""
    inputs = _read(scored).inputs or UNNAMED
    a, b = (Run(run.name, NO_ROWS, run.ordered_by, run.source) for run in (inputs.a, inputs.b))
    return a, b


def policy_of_scored(scored: Scored) -> Policy | None:
    """Return the policy that queries were scored for; None where their table does not say. ComparisonError as for
    ``per_query_of``.
    """
    inputs = _read(scored).inputs
    return None if inputs is None else inputs.policy


def _read(scored: Scored) -> PerQuery:
    table = scored.table
    if isinstance(table, PerQuery):
        return table
    try:
        return PerQuery.from_arrow(table)
    except (TableError, RecursionError) as error:
        raise ComparisonError(str(error)) from None
