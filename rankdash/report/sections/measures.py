"""Every measure as a row: its role, both means, the difference with its interval, and the queries won."""

from __future__ import annotations

from rankdash import style
from rankdash.scoring import Result
from rankdash.wording import NOT_DEFINED, count, number, p_value, signed


def measure_cells(result: Result) -> tuple[str, ...]:
    """Return a measure in the columns of ``style.report.MEASURE_COLUMNS``."""
    paired = result.paired
    return (
        result.label,
        style.ROLES[result.role],
        number(paired.mean_a),
        number(paired.mean_b),
        signed(paired.delta),
        NOT_DEFINED if paired.ci95 is None else f"{signed(paired.ci95[0])} to {signed(paired.ci95[1])}",
        NOT_DEFINED if result.describes else f"{count(paired.wins)} / {count(paired.ties)} / {count(paired.losses)}",
        p_value(paired.t_p),
        count(paired.n),
    )
