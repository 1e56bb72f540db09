"""What makes a comparison pointless, or worth less than it seems, though every file could be read: in one place."""

from __future__ import annotations

from rankdash.arrow import Strings
from rankdash.mistakes import Input, Mistake, labels_alike, off_the_scale, unmet_tables
from rankdash.notes import Note, warning
from rankdash.scoring import Comparison
from rankdash.scoring.score import wrong_between
from rankdash.wording import number

#: From this grade on, gain 2^grade - 1 makes one document outweigh all others.
_LARGE_GRADE = 10


def mistakes_of(comparison: Comparison) -> tuple[Mistake, ...]:
    """Return every mistake between the files of a comparison, each in one sentence."""
    wrong = comparison.inputs.wrong
    if wrong is None:  # of a table without lists that was not checked nothing is known
        wrong = wrong_between(comparison.joined, comparison.scored) if comparison.has_lists else ()
    between = [Mistake(mistake.input, mistake.sentence, mistake.fatal) for mistake in wrong]
    ids = Strings(comparison.scored.query_ids)
    beside = unmet_tables(comparison.queries, comparison.vote_rows, ids, comparison.inputs.judgments)
    of_scale = off_the_scale(comparison.scored.scope.grades)
    return (*between, *beside, *all_alike(comparison), *of_scale, *_large_grades(comparison))


def all_alike(comparison: Comparison) -> tuple[Mistake, ...]:
    """Return the mistake of labels that are all the same, of which no rule of the verdict knows."""
    scored = comparison.scored
    return labels_alike(scored.scope.grades, int(scored["judgments"].sum()))


def refusals(comparison: Comparison) -> list[str]:
    """Return why no result would mean anything, one sentence each: a run answers no judged query."""
    return [mistake.sentence for mistake in mistakes_of(comparison) if mistake.fatal]


def notes_about(mistakes: tuple[Mistake, ...], name: Input) -> tuple[Note, ...]:
    """Return the mistakes about an input as warnings."""
    return tuple(warning("mistake", mistake.sentence) for mistake in mistakes if mistake.input == name)


def _large_grades(comparison: Comparison) -> list[Mistake]:
    """Return a warning where grades are gains already, and would be raised to a power of two."""
    largest = max(comparison.scored.scope.grades, default=0.0)
    if comparison.convention.gain != "exp2" or largest < _LARGE_GRADE:
        return []
    gain = 2**largest - 1  # exact, for measures refuse grades for which it is not
    return [
        Mistake(
            "judgments",
            f"The largest grade is {number(largest, 0)}, and this convention makes 2^{number(largest, 0)} − 1 = "
            f"{gain:,.0f} of it: one document outweighs all others. Such grades are gains already; use linear gain.",
        )
    ]
