"""What makes a comparison pointless, or less than it seems, though every file could be read: told once, for all."""

from __future__ import annotations

from rankdash.comparison import Comparison
from rankdash.intake import Mistake, mistakes
from rankdash.intake.between import Input
from rankdash.wording import number

#: From this grade on, gain 2^grade - 1 makes one document weigh more than all others.
_LARGE_GRADE = 10


def mistakes_of(comparison: Comparison) -> tuple[Mistake, ...]:
    """Return every mistake between the files of a comparison, each in one sentence; nothing where all is well."""
    joined = comparison.joined
    a, b = (bool(hits.any()) for hits in comparison.scored.pair("hits"))
    found: dict[Input, bool] = {"a": a, "b": b}
    between = mistakes(
        joined.a, joined.b, joined.judgments, comparison.queries, comparison.vote_rows, found_documents=found
    )
    return (*between, *_large_grades(comparison))


def refusals(comparison: Comparison) -> list[str]:
    """Why no result would mean anything, one sentence each: a run answers no judged query."""
    return [one.sentence for one in mistakes_of(comparison) if one.fatal]


def told_of(found: tuple[Mistake, ...], name: Input) -> tuple[str, ...]:
    """Return the sentences about one input."""
    return tuple(one.sentence for one in found if one.input == name)


def _large_grades(comparison: Comparison) -> list[Mistake]:
    """Return a warning where grades are gains already, and would be raised to a power of two."""
    largest = max(comparison.scored.asked.grades, default=0.0)
    if comparison.convention.gain != "exp2" or largest < _LARGE_GRADE:
        return []
    gain = 2**largest - 1  # measures take no grade for which this is not exact
    return [
        Mistake(
            "judgments",
            f"The largest grade is {number(largest, 0)}, and this convention makes 2^{number(largest, 0)} − 1 = "
            f"{gain:,.0f} of it: one document outweighs all others. Such grades are gains already; use linear gain.",
        )
    ]
