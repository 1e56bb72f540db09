"""What makes a comparison pointless though every file could be read."""

from __future__ import annotations

from rankdash import arrow
from rankdash.comparison import Comparison, Side


def strangers(comparison: Comparison) -> list[str]:
    """One sentence per run that answers no judged query, with ids from both sides; empty where all is well."""
    counts = comparison.counts
    missing: dict[Side, int] = {"a": counts.missing_a, "b": counts.missing_b}
    return [_stranger(comparison, side) for side, n in missing.items() if n == counts.judged]


def _stranger(comparison: Comparison, side: Side) -> str:
    run, judgments = comparison.joined.run(side), comparison.joined.judgments
    ids = arrow.one_chunk(run.table.column("query_id")).dictionary
    here, there = (_some(values) for values in (ids, comparison.joined.pool.query_ids))
    judged = judgments.source.name or "the judgments"
    row = f", row {run.source.first_row}" if run.source.first_row else ""
    return (
        f'{run.source.name or run.name}{row}, column "query_id": {here} - no query of this run is in {judged}, '
        f"which has {there}. Check that both use the same query ids."
    )


def _some(ids: object) -> str:
    values: list[str] = ids[:3].to_pylist()  # type: ignore[index]
    return ", ".join(f'"{value}"' for value in values) + (", …" if len(ids) > 3 else "")  # type: ignore[arg-type]
