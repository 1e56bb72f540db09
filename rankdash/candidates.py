"""Several candidates against one baseline: each compared as a pair, at the level of all, and the best of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, overload

from rankdash.records import InNotebooks, frame
from rankdash.scoring import Comparison, ComparisonError, VotesAlone, summary_row
from rankdash.tables import distinct_names
from rankdash.verdict import Verdict
from rankdash.verdict.decide import decide

if TYPE_CHECKING:
    import pandas as pd

#: The most candidates that are compared with one baseline.
MOST = 20
#: Says that a run is no candidate, and why.
ASIDE = "Set aside: {}"
#: The comparison of two runs, by their numbers: 0 is the baseline.
Pairs = Callable[[int, int], Comparison]
#: The verdicts on the comparisons of all candidates, given why others were set aside.
Decided = Callable[[Sequence[Comparison], tuple[str, ...]], Sequence[Verdict]]


@dataclass(frozen=True, eq=False)
class Candidates(InNotebooks, Sequence[Comparison]):
    """The comparison of each candidate with the baseline A, in the order in which they were given, and its verdict.

    ``lead`` compares the next best candidate, as A, with the best, as B; None where there is one candidate.
    ``set_aside`` says why a run could not be compared: it is no candidate.
    """

    comparisons: tuple[Comparison, ...]
    verdicts: tuple[Verdict, ...]
    lead: Comparison | None = None
    set_aside: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return (
            f"Candidates({', '.join(self.names)} against {self[0].inputs.a.name!r}, best {self.best.inputs.b.name!r})"
        )

    def __len__(self) -> int:
        return len(self.comparisons)

    @overload
    def __getitem__(self, at: int | str) -> Comparison: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Comparison, ...]: ...
    def __getitem__(self, at: int | str | slice) -> Comparison | tuple[Comparison, ...]:
        """Return the comparison of a candidate, by its place or its name. KeyError where there is no such name."""
        if not isinstance(at, str):
            return self.comparisons[at]
        if at not in self.names:
            raise KeyError(f"There is no candidate {at!r}. Candidates: {', '.join(self.names)}.")
        return self.comparisons[self.names.index(at)]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the candidates."""
        return tuple(comparison.inputs.b.name for comparison in self.comparisons)

    @property
    def best_first(self) -> tuple[int, ...]:
        """The places of the candidates, the best first.

        Those that launch come before the others, a higher gain of the primary measure over all queries before a lower
        one, then names.
        """

        def order(at: int) -> tuple[bool, float, str]:
            gain = self.comparisons[at].primary_everywhere.delta
            return not self.verdicts[at].launch, float("inf") if gain is None else -gain, self.names[at]

        return tuple(sorted(range(len(self)), key=order))

    @property
    def best(self) -> Comparison:
        """The comparison of the best candidate."""
        return self.comparisons[self.best_first[0]]

    @property
    def verdict(self) -> Verdict:
        """The verdict on the best candidate."""
        return self.verdicts[self.best_first[0]]

    @property
    def summary(self) -> pd.DataFrame:
        """One row per candidate and measure: the candidate, its outcome, and what ``Comparison.summary`` has."""
        pairs = zip(self.comparisons, self.verdicts, strict=True)
        named = (({"candidate": one.inputs.b.name, "outcome": verdict.outcome.value}, one) for one, verdict in pairs)
        return frame([about | summary_row(result) for about, one in named for result in one.results])


def _decided(comparisons: Sequence[Comparison], _: object) -> list[Verdict]:
    """Return the verdicts on candidates of whom nothing is on record."""
    return [decide(comparison) for comparison in comparisons]


def one_of(count: int, comparison: Comparison | VotesAlone) -> Comparison:
    """Return the comparison of a candidate as one of so many; the same object where it is that already."""
    assert isinstance(comparison, Comparison)
    return comparison if comparison.candidates == count else replace(comparison, candidates=count)


def check_count(count: int) -> None:
    """Raise ComparisonError for no candidate, and for more than 20."""
    if not 1 <= count <= MOST:
        raise ComparisonError(f"There are {count} candidates: give one at least, and {MOST} at most.")


def candidates_of(count: int, pair: Pairs, decided: Decided = _decided) -> Candidates:
    """Return the comparisons of ``count`` candidates, numbered from 1, with the baseline, and their verdicts.

    A candidate for which ``pair`` raises ComparisonError is set aside; that of the first is raised where all are, and
    one for no candidate or more than 20.
    """
    check_count(count)
    compared, wrong = dict[int, Comparison](), list[ComparisonError]()
    for at in range(1, count + 1):
        try:
            compared[at] = pair(0, at)
        except ComparisonError as error:
            wrong.append(error)
    if not compared:
        raise wrong[0]
    comparisons = tuple(one_of(len(compared), one) for one in compared.values())
    aside = tuple(map(ASIDE.format, wrong))
    found = Candidates(comparisons, tuple(decided(comparisons, aside)), set_aside=aside)
    if len(found) == 1:
        return found
    best, next_ = ([*compared][place] for place in found.best_first[:2])
    return replace(found, lead=pair(next_, best))


def names_of_files(names: Sequence[str], files: Sequence[str]) -> tuple[str, ...]:
    """Return distinct names of runs. ComparisonError where paths do not tell them apart, as of a file given twice."""
    if len({*zip(names, files, strict=True)}) == len(names):
        return distinct_names(names, files)
    twice = next(name for name in names if names.count(name) > 1)
    raise ComparisonError(f'Two runs are called "{twice}": give each run once, and under a name of its own.')
