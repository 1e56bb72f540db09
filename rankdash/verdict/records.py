"""What the rules read and what they answer: frozen records of plain numbers. None is "not defined", never 0."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Literal

from rankdash.evidence.votes import Kind
from rankdash.records.shown import Shown

#: Of the policy: rules, gates and words.
VERSION = 3

Question = Literal["comparable", "enough", "harmed", "better"]
Relation = Literal["<", "≤", ">", "≥", "is"]
#: What a number in a condition is: a difference of a measure, a ΔGSB as a share, a share, a count, or a p-value. A name
#: and an outcome are text.
Unit = Literal["difference", "points", "share", "count", "p", "name", "outcome"]
_HOLDS: Mapping[Relation, Callable[[float, float], bool]] = MappingProxyType(
    {"<": operator.lt, "≤": operator.le, ">": operator.gt, "≥": operator.ge}
)
JudgmentKind = Literal["judged", "positive_only"]


class Outcome(StrEnum):
    """What the policy says. Only LAUNCH means "launch"."""

    LAUNCH = "LAUNCH"
    WORSE = "WORSE"
    TOO_SMALL = "TOO_SMALL"
    NOT_PROVEN = "NOT_PROVEN"
    NOT_COMPARABLE = "NOT_COMPARABLE"


class Status(StrEnum):
    """How a rule came out. not_applicable: its input is absent or too small, or the policy does not ask for it."""

    PASSED = "passed"
    FAILED = "failed"
    NOT_PROVEN = "not_proven"
    NOT_APPLICABLE = "not_applicable"


@dataclass(frozen=True)
class Leak:
    """How near a run comes to the judgments themselves: its documents and lists, whole and not only their top k.

    ``judged`` of the ``listed`` documents have a grade of at least 0; ``in_grade_order`` of the ``lists`` are in
    non-increasing order of grade as far as they are judged; ``two_grades`` of them hold two different grades.
    """

    listed: int
    judged: int
    lists: int
    in_grade_order: int
    two_grades: int


@dataclass(frozen=True)
class DataChecks:
    """What the two runs and the judgments look like beside each other.

    ``judged_a`` and ``judged_b`` are mean shares in [0, 1] of judged documents in the top k; ``unjudged_shown`` counts
    (query, document) pairs without a judgment in the top k of A or B; ``affected`` the queries whose top k differ.
    ``identical``: the top k are the same on every query; ``same_file``: all lists are the same to their ends, and come
    from the same file. ``repeated_texts`` counts the queries that share their text with another.
    ``queries_with_relevant`` are those on which the judgments let the primary measure rise above 0. None: unknown.
    """

    judged_queries: int
    common_queries: int
    missing_a: int
    missing_b: int
    queries_with_relevant: int
    distinct_grades: int
    unjudged_shown: int
    identical: bool
    kind: JudgmentKind
    judged_a: float | None
    judged_b: float | None
    affected: int | None = None
    same_file: bool = False
    repeated_texts: int | None = None
    leak_a: Leak | None = None
    leak_b: Leak | None = None


@dataclass(frozen=True)
class Primary:
    """The primary measure over the population; lower90 and upper90 are the one-sided 95% bounds.

    ``clusters`` counts the groups that the queries belong to, None where each is on its own; ``changed`` counts groups
    where there are any. ``n_eff`` is what weighted queries are worth. ``n_all`` and ``delta_all`` are those of all
    queries, also where the population is the affected queries. ``p_flip`` is the one-sided p of sign flips, for up to
    20 changed queries or where all have the same difference; the other fields are only for sentences.
    """

    n: int
    changed: int = 0
    wins: int = 0
    losses: int = 0
    delta: float | None = None
    lower95: float | None = None
    upper95: float | None = None
    lower90: float | None = None
    upper90: float | None = None
    n_eff: float | None = None
    clusters: int | None = None
    n_all: int | None = None
    delta_all: float | None = None
    mean_a: float | None = None
    mean_b: float | None = None
    mde80: float | None = None
    p_flip: float | None = None
    required_n_mpe: int | None = None
    required_n_seen: int | None = None

    @property
    def size(self) -> float:
        """The number that the gates count: the least of the queries, what they are worth, and their groups."""
        return least(self.n, self.n_eff, self.clusters)


def least(n: int, n_eff: float | None, clusters: int | None) -> float:
    """Return the least of the queries, what they are worth, and their groups; what is None is left out."""
    return min(n, n if n_eff is None else n_eff, n if clusters is None else clusters)


@dataclass(frozen=True)
class Guardrail:
    """A measure that must be shown safe, over the same population. ``p_harm`` and ``p_flip`` are raw and one-sided.

    ``n`` is the number of queries that have this measure, ``changed`` the number of queries, or groups, on which it
    changed; None where that is unknown: then the queries are those of the primary measure, and enough changed.
    """

    measure: str
    delta: float | None
    lower90: float | None
    upper90: float | None
    changed: int | None = None
    p_harm: float | None = None
    p_flip: float | None = None
    clusters: int | None = None
    n: int | None = None
    n_eff: float | None = None

    @property
    def size(self) -> float | None:
        """The number that the gates count; None where the queries are those of the primary measure."""
        return None if self.n is None else least(self.n, self.n_eff, self.clusters)


@dataclass(frozen=True)
class Watch:
    """A measure that is watched for harm; the fields are those of a guardrail."""

    measure: str
    delta: float | None
    p_harm: float | None
    changed: int | None = None
    p_flip: float | None = None
    lower90: float | None = None
    upper90: float | None = None
    clusters: int | None = None
    n: int | None = None
    n_eff: float | None = None

    @property
    def size(self) -> float | None:
        """The number that the gates count; None where the queries are those of the primary measure."""
        return None if self.n is None else least(self.n, self.n_eff, self.clusters)


@dataclass(frozen=True)
class Segment:
    """One value of a column of the queries, on the primary measure; the other fields are those of a guardrail."""

    column: str
    name: str
    n: int
    delta: float | None
    p_harm: float | None
    changed: int | None = None
    p_flip: float | None = None
    lower90: float | None = None
    upper90: float | None = None
    clusters: int | None = None
    n_eff: float | None = None

    @property
    def size(self) -> float:
        """What the gate of segments counts."""
        return least(self.n, self.n_eff, self.clusters)


@dataclass(frozen=True)
class Severe:
    """Queries, or groups, on which the primary measure changed severely, for better and for worse."""

    wins: int
    losses: int


@dataclass(frozen=True)
class Reading:
    """The numbers under a way to count unjudged documents: as not relevant, or taken out of both lists."""

    primary: Primary
    guardrails: tuple[Guardrail, ...] = ()
    watch: tuple[Watch, ...] = ()
    segments: tuple[Segment, ...] = ()
    severe: Severe | None = None

    @property
    def changed(self) -> bool:
        """Whether a measure or segment of the policy changed on any query."""
        others: tuple[Guardrail | Watch | Segment, ...] = (*self.guardrails, *self.watch, *self.segments)
        counts = (bool(result.delta) if result.changed is None else result.changed > 0 for result in others)
        return self.primary.changed > 0 or any(counts)


@dataclass(frozen=True)
class VoteNumbers:
    """Queries that raters call good, same and bad by majority, seen from B, and ΔGSB with its interval.

    ΔGSB is the mean of the queries' votes, at a balanced side where sides are known: ``n_side`` balanced queries,
    ``left`` the share of votes with B on the left, ``side_effect`` what the left side gains. ``decided`` counts the
    queries whose votes do not cancel (None: the good and the bad ones). ``raters`` is the largest number of raters of a
    query, ``people`` the number of all raters, ``alpha`` their agreement; ``rater_lower95`` and ``rater_upper95`` are
    the interval that counts raters. ``interval`` says how the bounds were made, ``look`` which of five planned looks
    this is; ``se`` is the standard error of ΔGSB that they use, None where the counts alone give it. None: unknown.
    """

    good: int
    same: int
    bad: int
    delta: float | None = None
    lower95: float | None = None
    upper95: float | None = None
    lower90: float | None = None
    raters: int = 1
    alpha: float | None = None
    n_side: float | None = None
    left: float | None = None
    side_effect: float | None = None
    side_lower95: float | None = None
    side_upper95: float | None = None
    side_effect_p: float | None = None
    people: int | None = None
    decided: int | None = None
    interval: Kind = "tango"
    look: int | None = None
    rater_lower95: float | None = None
    rater_upper95: float | None = None
    se: float | None = None

    @property
    def n(self) -> int:
        """Queries with votes."""
        return self.good + self.same + self.bad

    @property
    def preferring(self) -> int:
        """Queries whose votes prefer A or B."""
        return self.good + self.bad if self.decided is None else self.decided

    @property
    def averaged(self) -> bool:
        """Whether ΔGSB is not (good - bad) / all queries, because it is averaged over sides, or over votes."""
        return self.delta is not None and bool(self.n) and bool(round(self.delta - (self.good - self.bad) / self.n, 12))


@dataclass(frozen=True)
class Evidence:
    """Everything the rules see. ``plain`` is None without judgments: then the votes alone decide."""

    data: DataChecks | None = None
    plain: Reading | None = None
    condensed: Reading | None = None
    votes: VoteNumbers | None = None

    @property
    def changes_nothing(self) -> bool:
        """Whether the first k are the same on every query, and no measure or segment of the policy changed on any."""
        return self.data is not None and self.plain is not None and self.data.identical and not self.plain.changed


@dataclass(frozen=True)
class Condition:
    """What a rule compares: a value that must be in a relation to a limit. A value of None is not defined and meets no
    limit. Numbers are compared after rounding to 12 decimals.
    """

    what: str
    value: float | str | None
    relation: Relation
    limit: float | str
    unit: Unit = "difference"

    @property
    def holds(self) -> bool:
        """Whether the value is in this relation to the limit."""
        if self.value is None or isinstance(self.value, str) or isinstance(self.limit, str):
            return self.value is not None and self.value == self.limit
        return _HOLDS[self.relation](round(self.value - self.limit, 12), 0.0)


#: The conditions of a rule: of each group one must hold.
Conditions = tuple[tuple[Condition, ...], ...]


def all_of(*conditions: Condition) -> Conditions:
    """Return conditions that must hold all."""
    return tuple((condition,) for condition in conditions)


def are_met(conditions: Conditions) -> bool:
    """Return whether in each group one condition holds."""
    return all(any(condition.holds for condition in group) for group in conditions)


@dataclass(frozen=True)
class Check:
    """One row of the checklist. It passed exactly if in each group of ``conditions`` one holds; where it did not, it
    failed only if all of ``proof`` hold.
    """

    rule: str
    question: Question
    status: Status
    sentence: str
    conditions: Conditions = ()
    proof: tuple[Condition, ...] = ()

    @property
    def deciding(self) -> tuple[Condition, ...]:
        """The group of conditions that decides, up to the first that holds: the first group in which none holds, else
        the first.
        """
        broken = (group for group in self.conditions if not are_met((group,)))
        group = next(broken, self.conditions[0] if self.conditions else ())
        held = next((place for place, condition in enumerate(group) if condition.holds), len(group))
        return group[: held + 1]


#: The numbers of a next step, by name: queries that are needed count as judged ones, whatever the population.
Needed = Mapping[str, float]


@dataclass(frozen=True)
class Caveat:
    """Something a reader must know. ``turns_to`` is the outcome of the other reading, where that was recomputed;
    ``effect`` is how far that reading moves the deciding difference, None where this is undefined. ``facts`` are the
    numbers that the sentence is made of, by name.
    """

    id: str
    sentence: str
    turns_to: Outcome | None = None
    effect: float | None = None
    facts: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class Fragility:
    """The fewest queries without which the outcome changes its class, of at most ``searched`` queries.

    ``queries`` are their ids. ``n`` is None, and ``queries`` empty, where no so few queries change it.
    """

    n: int | None
    queries: tuple[str, ...]
    turns_to: Outcome | None
    searched: int


@dataclass(frozen=True)
class Verdict(Shown):
    """The outcome, the rule that decided, and the words. A function of the checklist alone."""

    outcome: Outcome
    rule: str
    screen: str
    tag: str
    exit_code: int
    sentence: str
    next_step: str
    would_change: str
    checks: tuple[Check, ...]
    needed: Needed = field(default_factory=dict, hash=False)  # the numbers of the next step
    notes: tuple[str, ...] = ()  # proven losses that passed because they are inside their limits
    caveats: tuple[Caveat, ...] = ()
    fragility: Fragility | None = None  # None where there is nothing to search: see ``fragility.py``
    looks: int = 1  # states of the data with which this verdict was looked at, this one included
    candidates: int = 1  # models compared with this A on these judgments, this B included
    version: int = VERSION  # of the rules and words

    def __repr__(self) -> str:
        return f"Verdict({self.outcome.value} by {self.rule}: {self.sentence!r})"

    def __bool__(self) -> bool:
        """TypeError: a gate that asks "if verdict" would always launch."""
        raise TypeError("a Verdict is neither true nor false: ask verdict.launch")

    @property
    def line(self) -> str:
        """The verdict in one line: what it says of a launch, in a few words, and the sentence, which may begin with
        them.
        """
        begins = self.sentence.casefold().startswith(self.tag.casefold())
        return f"{self.screen}: {self.sentence if begins else f'{self.tag}. {self.sentence}'}"

    @property
    def launch(self) -> bool:
        """Whether the policy says launch."""
        return self.outcome is Outcome.LAUNCH
