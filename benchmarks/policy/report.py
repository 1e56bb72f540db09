"""The tables as Markdown, and whether anything is not as expected."""

from __future__ import annotations

from collections.abc import Mapping

from benchmarks.markdown import table
from benchmarks.policy.cells import Cell
from benchmarks.policy.population import Population
from benchmarks.policy.tables import PROMISES, TABLES, Promise, Row, Table
from benchmarks.policy.tally import Key, Tallies

#: The generator was set so that it comes near these.
TARGETS = {"nDCG@10 of A": 0.613, "s": 0.126, "ties": 0.40, "excess kurtosis": 5.7, "correlation with AP": 0.74}
Results = Mapping[Key, Tallies]


def cell(row: Row, n: int, of: Table, results: Results) -> Cell | None:
    """One number beside its reference; None where the table has none."""
    if n not in row.references:
        return None
    tally = results[row.world.name, n][row.quantity]
    return Cell(tally, row.references[n], of.replicates.get(n, 1_000), row.open)


def shown(one: Cell | None) -> str:
    """'2.3 ±0.2 (2.1) OK': ours, twice its standard error, the reference."""
    if one is None:
        return ""
    scale, unit, digits = (1, "x", 2) if one.ratio else (100, "", 1)
    ours = f"{scale * one.tally.mean:.{digits}f}{unit} ±{2 * scale * one.error:.{digits}f}"
    return f"{ours} ({one.reference}) {'OK' if one.agrees else 'DIFFERS'}" if one.compared else ours


def markdown(of: Table, results: Results) -> str:
    """One table."""
    rows = [[row.label + " †" * row.open, *(shown(cell(row, n, of, results)) for n in of.columns)] for row in of.rows]
    header = ["%", *(f"n = {n:,}" for n in of.columns)]
    return f"#### {of.title}\n\n" + table(header, rows, "l" + "r" * len(of.columns))


def kept(promise: Promise, n: int, results: Results) -> bool:
    """Whether the rate of one column is within the limit as far as the replicates can tell."""
    tally = results[promise.world.name, n][promise.quantity]
    return tally.mean - 2 * tally.error <= _limit(promise, n, results)


def _limit(promise: Promise, n: int, results: Results) -> float:
    limit = promise.limit
    return results[promise.world.name, n][limit].mean if isinstance(limit, str) else limit


def promises(results: Results) -> str:
    """One line for each false-launch rate that has a limit, with the column that comes nearest to it."""
    rows = []
    for promise in PROMISES:
        found = {n: results[promise.world.name, n][promise.quantity] for n in promise.columns}
        n = max(found, key=lambda n: found[n].mean - _limit(promise, n, results))
        limit = f"≤ {100 * _limit(promise, n, results):.1f}%" + (" (t)" if isinstance(promise.limit, str) else "")
        measured = f"{100 * found[n].mean:.1f} ±{200 * found[n].error:.1f}% (n = {n:,})"
        holds = all(kept(promise, n, results) for n in promise.columns)
        rows.append([promise.text, limit, measured, "OK" if holds else "MISSED"])
    return table(["at every n", "limit", "nearest to it", ""], rows, "lrrl")


def shape(population: Population) -> str:
    """The generator's differences beside those of the reference."""
    facts = population.facts()
    rows = [[name, f"{facts[name]:.3g}", f"{target:g}"] for name, target in TARGETS.items()]
    return table(["60,000 queries", "here", "reference"], rows, "lrr")


def cells(results: Results) -> list[Cell]:
    """Every number that has a reference."""
    found = (cell(row, n, of, results) for of in TABLES for row in of.rows for n in of.columns)
    return [one for one in found if one is not None and one.compared]


def report(population: Population, results: Results, replicates: int, seconds: float, workers: int) -> str:
    """Everything."""
    verdicts = sum(
        tally.count for found in results.values() for name, tally in found.items() if name.endswith(" LAUNCH")
    )
    compared = cells(results)
    wrong = [one for one in compared if not one.agrees]
    about = (
        f"{replicates:,} replicates for each column: {verdicts:,} verdicts of `decide_from` in {seconds:.0f} s, "
        f"{workers} processes. {len(compared) - len(wrong)} of {len(compared)} cells agree; of those that differ, "
        f"{sum(one.open for one in wrong)} stand in rows marked †."
    )
    tables = (markdown(one, results) for one in TABLES)
    return "\n\n".join((about, promises(results), shape(population), *tables))


def failed(results: Results) -> bool:
    """Whether a cell differs outside the rows marked †, or a limit is broken."""
    differs = any(not one.agrees and not one.open for one in cells(results))
    return differs or not all(kept(promise, n, results) for promise in PROMISES for n in promise.columns)
