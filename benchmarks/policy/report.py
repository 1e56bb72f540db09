"""The tables as Markdown, and whether anything is not as expected."""

from __future__ import annotations

from collections.abc import Mapping

from benchmarks.markdown import table
from benchmarks.policy.population import Population
from benchmarks.policy.tables import PROMISES, TABLES, Cell, Promise, Row, Table
from benchmarks.policy.tally import Key, Tallies, Tally

#: The generator was set so that it comes near these.
TARGETS = {"nDCG@10 of A": 0.613, "s": 0.126, "ties": 0.40, "excess kurtosis": 5.7, "correlation with AP": 0.74}
Results = Mapping[Key, Tallies]


def cell(row: Row, n: int, of: Table, results: Results) -> Cell | None:
    """One number beside its reference; None where the table has none."""
    if n not in row.references:
        return None
    tally = results[row.world.name, n][row.quantity]
    return Cell(tally, row.references[n], of.replicates.get(n, 1_000))


def shown(one: Cell | None) -> str:
    """'2.3 ±0.2 (2.1) OK': ours, twice its standard error, the reference."""
    if one is None:
        return ""
    scale, unit = (1, "x") if one.ratio else (100, "")
    digits = 2 if one.ratio else 1
    reference = one.reference.rstrip("x")
    verdict = "OK" if one.agrees else "DIFFERS"
    return f"{scale * one.tally.mean:.{digits}f}{unit} ±{2 * scale * one.error:.{digits}f} ({reference}{unit}) {verdict}"


def markdown(of: Table, results: Results) -> str:
    """One table."""
    rows = [[row.label, *(shown(cell(row, n, of, results)) for n in of.columns)] for row in of.rows]
    header = ["%", *(f"n = {n:,}" for n in of.columns)]
    return f"#### {of.title}\n\n" + table(header, rows, "l" + "r" * len(of.columns))


def kept(promise: Promise, results: Results) -> tuple[Tally, int, bool]:
    """The largest rate, its n, and whether it is within the limit as far as the replicates can tell."""
    tally, n = max(((results[promise.world.name, n][promise.quantity], n) for n in promise.columns), key=_rate)
    return tally, n, tally.mean - 2 * tally.error <= promise.limit


def _rate(found: tuple[Tally, int]) -> float:
    return found[0].mean


def promises(results: Results) -> str:
    """One line for each false-launch rate that has a limit."""
    rows = []
    for promise in PROMISES:
        tally, n, holds = kept(promise, results)
        measured = f"{100 * tally.mean:.1f} ±{200 * tally.error:.1f}% (n = {n:,})"
        rows.append([promise.text, f"≤ {100 * promise.limit:.1f}%", measured, "OK" if holds else "MISSED"])
    return table(["at most, over every n", "limit", "largest", ""], rows, "lrrl")


def shape(population: Population) -> str:
    """The generator's differences beside those of the reference."""
    facts = population.facts()
    rows = [[name, f"{facts[name]:.3g}", f"{target:g}"] for name, target in TARGETS.items()]
    return table(["60,000 queries", "here", "reference"], rows, "lrr")


def differing(results: Results) -> tuple[int, int]:
    """How many cells there are, and how many differ."""
    cells = [cell(row, n, of, results) for of in TABLES for row in of.rows for n in of.columns]
    known = [one for one in cells if one is not None]
    return len(known), sum(not one.agrees for one in known)


def report(population: Population, results: Results, replicates: int, seconds: float, workers: int) -> str:
    """Everything."""
    cells, wrong = differing(results)
    verdicts = sum(
        tally.count for found in results.values() for name, tally in found.items() if name.endswith(" LAUNCH")
    )
    parts = [
        f"{replicates:,} replicates for each column ({verdicts:,} verdicts of `decide_from`, {seconds:.0f} s, "
        f"{workers} workers, {verdicts / seconds:,.0f} a second). A cell shows ours, two Monte-Carlo standard errors, "
        f"the reference. {cells - wrong} of {cells} cells agree within two standard errors of both simulations, "
        "rounding, and 1 point plus a tenth of the distance to 0 or 100% for the other generator.",
        promises(results),
        shape(population),
        *(markdown(one, results) for one in TABLES),
    ]
    return "\n\n".join(parts)


def failed(results: Results) -> bool:
    """Whether a cell differs or a promise is broken."""
    return differing(results)[1] > 0 or not all(kept(promise, results)[2] for promise in PROMISES)
