"""What a rule is: a row that says what it needs, when it trips, what that means, and how people read it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rankdash.policy import Policy
from rankdash.verdict.records import (
    Check,
    DataChecks,
    Evidence,
    Outcome,
    Primary,
    Question,
    Reading,
    Status,
    Votes,
)

#: Significance is 5% everywhere; it is not a field of the policy.
LEVEL = 0.05


@dataclass(frozen=True)
class Case:
    """The evidence beside the policy, as the rules read it."""

    evidence: Evidence
    policy: Policy

    @property
    def data(self) -> DataChecks:
        """The data checks; rules of the full table only."""
        assert self.evidence.data is not None
        return self.evidence.data

    @property
    def reading(self) -> Reading:
        """The numbers as counted; rules of the full table only."""
        assert self.evidence.plain is not None
        return self.evidence.plain

    @property
    def primary(self) -> Primary:
        """The primary measure as counted."""
        return self.reading.primary

    @property
    def votes(self) -> Votes:
        """The votes; only in rules that need them."""
        assert self.evidence.votes is not None
        return self.evidence.votes


@dataclass(frozen=True)
class Need:
    """Something without which a rule has nothing to say, and the sentence for its absence."""

    met: Callable[[Case], bool]
    absent: Callable[[Case], str] | str


@dataclass(frozen=True)
class Rule:
    """One row of the table. ``trips`` is asked only where every need is met, and the words only where they apply."""

    id: str
    question: Question
    outcome: Outcome
    trips: Callable[[Case], bool]
    says: Callable[[Case], str]
    passes: Callable[[Case], str]
    would_change: Callable[[Case], str]
    needs: tuple[Need, ...] = ()
    observed: Callable[[Case], float | None] = lambda case: None
    limit: Callable[[Case], float | None] = lambda case: None
    next_step: Callable[[Case], str] | None = None
    note: Callable[[Case], str] = lambda case: ""  # what a reader must know although the rule passed

    def check(self, case: Case) -> Check:
        """How the rule comes out in this case."""
        missing = next((need for need in self.needs if not need.met(case)), None)
        if missing is not None:
            text = missing.absent if isinstance(missing.absent, str) else missing.absent(case)
            return Check(self.id, self.question, Status.NOT_APPLICABLE, None, None, text)
        tripped = self.trips(case)
        status = Status.PASSED
        if tripped:
            status = Status.NOT_PROVEN if self.outcome is Outcome.NOT_PROVEN else Status.FAILED
        words = self.says if tripped else self.passes
        return Check(self.id, self.question, status, self.observed(case), self.limit(case), words(case))


def first_tripped(rules: Sequence[Rule], checks: Sequence[Check]) -> Rule | None:
    """The rule that decides: the first in the table that is failed or not proven."""
    pairs = zip(rules, checks, strict=True)
    return next((rule for rule, check in pairs if check.status in (Status.FAILED, Status.NOT_PROVEN)), None)


def above(x: float, limit: float) -> bool:
    """Whether x > limit, where a difference in the 13th decimal is rounding noise: .97 - .96 is not above .01."""
    return round(x - limit, 12) > 0


def below(x: float, limit: float) -> bool:
    """Whether x < limit, in the same sense."""
    return round(x - limit, 12) < 0
