"""What the rules read and what they answer: frozen records of plain numbers. None is "not defined", never 0.

Behind them are the families of harm tests: the guardrails, watch measures, segments and large changes that a policy
asks for. Whether a launch is stopped is decided measure by measure, with watch measures and segments as families of
their own. Harm is claimed only if it also holds among all harm tests together.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Literal

import numpy as np

from rankdash.evidence.distributions import coin_at_most
from rankdash.evidence.gsb import Rated
from rankdash.evidence.paired import EXACT_UP_TO, Paired, holm
from rankdash.policy import Margins, Policy
from rankdash.records import Shown, field, frozen, replace
from rankdash.scoring import Counts, Weighed
from rankdash.wording import Nouns

#: Of the policy: rules, gates and words.
VERSION = 4

Question = Literal["comparable", "enough", "harmed", "better"]
Relation = Literal["<", "≤", ">", "≥", "is"]
#: What a number in a condition is: a difference of a measure, a ΔGSB as a share, a share, a count, or a p-value. A name
#: and an outcome are text.
Unit = Literal["difference", "points", "share", "count", "p", "name", "outcome"]
_HOLDS: Mapping[Relation, Callable[[float, float], bool]] = MappingProxyType(
    {"<": operator.lt, "≤": operator.le, ">": operator.gt, "≥": operator.ge}
)


class Outcome(StrEnum):
    """What the verdict is. Only LAUNCH means "launch"."""

    LAUNCH = "LAUNCH"
    WORSE = "WORSE"
    TOO_SMALL = "TOO_SMALL"
    NOT_PROVEN = "NOT_PROVEN"
    NOT_COMPARABLE = "NOT_COMPARABLE"


@frozen
class Presentation:
    """How an outcome is shown: the big word, the tag, the exit status of --gate, and the next step."""

    screen: str
    tag: str
    exit_code: int
    next_step: str


PRESENTATION = {
    Outcome.LAUNCH: Presentation("Launch", "B is better", 0, "Launch, then confirm online."),
    Outcome.WORSE: Presentation("No launch", "B is worse", 3, "Do not launch: look at the losses."),
    Outcome.TOO_SMALL: Presentation("No launch", "gain too small", 4, "Keep A: more queries are unlikely to help."),
    Outcome.NOT_PROVEN: Presentation("No launch yet", "not proven yet", 5, "Add more queries."),
    Outcome.NOT_COMPARABLE: Presentation("No launch", "cannot compare yet", 6, "Mend the files."),
}


class Status(StrEnum):
    """How a rule came out. not_applicable: its input is absent or too small, or the policy does not ask for it."""

    PASSED = "passed"
    FAILED = "failed"
    NOT_PROVEN = "not_proven"
    NOT_APPLICABLE = "not_applicable"


@frozen
class Numbers(Paired):
    """A measure over queries: the primary measure, a guardrail, a watch measure, or the primary measure on a segment,
    which has a ``column`` and a ``value``. Differences are B - A.

    ``clusters`` counts the groups that the queries belong to, None where each is on its own; ``changed`` counts groups
    where there are any. ``n_eff`` is what weighted queries are worth. ``n_all`` and ``delta_all`` are those of all
    queries, also where the population is the affected queries.
    """

    measure: str = field(default="", kw_only=True)
    column: str = field(default="", kw_only=True)
    value: str = field(default="", kw_only=True)
    n_all: int | None = field(default=None, kw_only=True)
    delta_all: float | None = field(default=None, kw_only=True)


@frozen
class Severe:
    """Queries, or groups, on which the primary measure changed severely, for better and for worse."""

    wins: int
    losses: int


@frozen
class Reading:
    """The numbers under a way to count unjudged documents: as not relevant, or taken out of both lists."""

    primary: Numbers
    guardrails: tuple[Numbers, ...] = ()
    watch: tuple[Numbers, ...] = ()
    segments: tuple[Numbers, ...] = ()
    severe: Severe | None = None

    @property
    def changed(self) -> bool:
        """Whether a measure or segment of the policy changed on any query."""
        return any(one.changed for one in (self.primary, *self.guardrails, *self.watch, *self.segments))


@frozen
class VoteNumbers:
    """Queries that raters call good, same and bad by majority, seen from B, and ΔGSB with its interval.

    ΔGSB is the mean of the queries' votes, at a balanced side where sides are known: ``n_side`` balanced queries,
    ``left`` the share of votes with B on the left, ``side_effect`` what the left side gains. ``decided`` counts the
    queries whose votes do not cancel (None: the good and the bad ones). ``people`` is the number of all raters,
    ``alpha`` their agreement; ``rater_lower95`` and ``rater_upper95`` are the interval that counts raters; ``se`` is
    the standard error of ΔGSB that the bounds use, None where the counts alone give it. ``lower_family`` is the lower
    bound at the level of several candidates. None: unknown, or a single candidate.
    """

    good: int
    same: int
    bad: int
    delta: float | None = None
    lower95: float | None = None
    upper95: float | None = None
    lower90: float | None = None
    lower_family: float | None = None
    alpha: float | None = None
    n_side: float | None = None
    left: float | None = None
    side_effect: float | None = None
    side_lower95: float | None = None
    side_upper95: float | None = None
    side_effect_p: float | None = None
    people: int | None = None
    decided: int | None = None
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


@frozen
class Evidence:
    """Everything the rules see. ``plain`` is None without judgments: then the votes alone decide. ``candidates`` is the
    number of models compared with this A on these judgments, this B included.
    """

    data: Counts | None = None
    plain: Reading | None = None
    condensed: Reading | None = None
    votes: VoteNumbers | None = None
    candidates: int = 1
    nouns: Nouns = field(default_factory=Nouns)

    @property
    def changes_nothing(self) -> bool:
        """Whether the first k are the same on every query, and no measure or segment of the policy changed on any."""
        return self.data is not None and self.plain is not None and self.data.identical and not self.plain.changed


def reading_of(weighed: Weighed) -> Reading:
    """Return a reading as the rules see it."""
    guardrails, watch = (
        tuple(Numbers(**vars(one.paired), measure=one.measure) for one in weighed.results if one.role == role)
        for role in ("guardrail", "watch")
    )
    named = (segment for segment in weighed.segments if segment.named)
    return Reading(
        Numbers(**vars(weighed.results[0].paired)),
        guardrails,
        watch,
        tuple(Numbers(**vars(one.paired), column=one.column, value=one.value) for one in named),
        Severe(weighed.severe_wins, weighed.severe_losses),
    )


def votes_of(rated: Rated, candidates: int = 1) -> VoteNumbers:
    """Return the votes as the rules see them: queries by vote, ΔGSB with its interval, effect of sides, raters."""
    table, side = rated.gsb, rated.side
    low, high = table.ci95 or (None, None)
    return VoteNumbers(
        **{name: getattr(table, name) for name in ("good", "same", "bad", "delta", "se")},
        **{name: getattr(rated, name) for name in ("alpha", "people", "decided", "rater_lower95", "rater_upper95")},
        lower95=low,
        upper95=high,
        lower90=None if table.ci90 is None else table.ci90[0],
        lower_family=None if candidates == 1 else table.lower_bound(1.0 - 0.025 / candidates),
        n_side=side.n,
        left=side.left,
        side_effect=side.effect,
        side_lower95=side.lower95,
        side_upper95=side.upper95,
        side_effect_p=side.p,
    )


@frozen
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


@frozen
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


@frozen
class Caveat:
    """Something a reader must know. ``turns_to`` is the outcome of the other reading, where that was recomputed;
    ``effect`` is how far that reading moves the deciding difference, None where this is undefined. ``on_page`` is the
    sentence without what a page does not have.
    """

    id: str
    sentence: str
    turns_to: Outcome | None = None
    effect: float | None = None
    on_page: str = ""


@frozen
class Fragility:
    """The fewest queries without which the outcome changes its class, of at most ``searched`` queries.

    ``queries`` are their ids. ``n`` is None, and ``queries`` empty, where no so few queries change it.
    """

    n: int | None
    queries: tuple[str, ...]
    turns_to: Outcome | None
    searched: int


@frozen
class Verdict(Shown):
    """The outcome, the rule that decided, and the words."""

    outcome: Outcome
    rule: str
    tag: str
    sentence: str
    next_step: str
    would_change: str
    checks: tuple[Check, ...] = ()
    needed: Needed = field(default_factory=dict, hash=False)  # the numbers of the next step
    notes: tuple[str, ...] = ()  # proven losses that passed because they are inside their limits
    caveats: tuple[Caveat, ...] = ()
    fragility: Fragility | None = None  # None where there is nothing to search
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
    def screen(self) -> str:
        """The outcome in big words: Launch, No launch, or No launch yet."""
        return PRESENTATION[self.outcome].screen

    @property
    def exit_code(self) -> int:
        """The exit status of --gate."""
        return PRESENTATION[self.outcome].exit_code

    @property
    def launch(self) -> bool:
        """Whether the policy says launch."""
        return self.outcome is Outcome.LAUNCH


#: Significance is 5% everywhere; it is not a field of the policy.
LEVEL = 0.05


@frozen
class Tested:
    """A guardrail, watch measure or segment compared with its margin. The bounds are None where there is no interval.

    One of the conditions ``harmless`` must hold, or the loss stops a launch; there are none if the numbers are
    undefined. If ``proof`` holds too, among all harm tests, the loss is proven. ``is_counted``: it has enough queries
    for the outcome worse; ``claimable``: it also changed on enough of them. Where less is better, ``delta`` and the
    bounds are of A - B, so that a loss is below 0.
    """

    of: Numbers
    what: str  # as people read it
    delta: float
    margin: float
    lower90: float | None
    upper90: float | None
    is_counted: bool
    claimable: bool
    harmless: tuple[Condition, ...] = ()
    proof: tuple[Condition, ...] = ()

    @property
    def stops(self) -> bool:
        """Whether the loss exceeds the margin, and a launch must not ignore it."""
        return bool(self.harmless) and not are_met((self.harmless,))

    @property
    def proven(self) -> bool:
        """Whether the loss also holds among all harm tests."""
        return self.stops and are_met(all_of(*self.proof))

    @property
    def p(self) -> float | None:
        """The p of a claim of harm: by sign flips where few queries changed, or where there is no t-test."""
        few = self.of.changed <= EXACT_UP_TO and self.of.p_flip is not None
        return self.of.p_flip if self.of.p_harm is None or few else self.of.p_harm

    @property
    def p_stop(self) -> float | None:
        """The p that stops a launch: of the t-test, else of sign flips if the loss is claimable."""
        return self.of.p_flip if self.of.p_harm is None and self.claimable else self.of.p_harm

    @property
    def within(self) -> Condition:
        """That the loss does not reach the margin."""
        if self.of.good < 0:
            return Condition(self.what, -self.delta, "<", self.margin)
        return Condition(self.what, self.delta, ">", -self.margin)

    @property
    def is_safe(self) -> tuple[Condition, ...]:
        """The conditions of which one must hold, or a loss of the margin is not ruled out; without an interval only a
        measure that changed on no query is safe.
        """
        bound = Condition(f"{self.what} lower bound", self.lower90, ">", -self.margin)
        same = Condition(f"{self.what}, up or down", abs(self.delta), "≤", 0.0)
        return (bound,) if self.lower90 is not None else (bound, same)

    @property
    def proven_loss(self) -> bool:
        """Whether the one-sided 95% upper bound is below 0."""
        return self.upper90 is not None and below(self.upper90, 0.0)

    @property
    def safe(self) -> bool:
        """Whether a loss of the margin is ruled out."""
        return are_met((self.is_safe,))

    @property
    def margins_lost(self) -> float:
        """The difference in margins; the lowest lost most."""
        return self.delta / self.margin


@frozen
class Harms:
    """Everything that may be harmed, in the policy's order, and how many harm tests there are."""

    guards: tuple[Tested, ...]
    watched: tuple[Tested, ...]
    segmented: tuple[Tested, ...]
    severe: Severe
    severe_proof: tuple[Condition, ...]
    tests: int


def harms(reading: Reading, policy: Policy, full: Reading | None = None) -> Harms:
    """Return everything that may be harmed under the policy, with what makes it harmless and what makes it a claim
    among all harm tests. ``full`` is the reading whose queries the gates count, where it is another.
    """
    whole, severe = full or reading, reading.severe or Severe(0, 0)
    sizes = {one.measure: one.size for one in (*whole.guardrails, *whole.watch)}
    guards = _measures(reading.guardrails, policy.guardrails, policy, sizes)
    watched = _measures(reading.watch, policy.watch, policy, sizes)
    segmented = _segments(reading, policy)
    if policy.inference == "fixed":
        guards, watched, segmented = (
            [replace(one, harmless=(replace(one.within, relation="≥" if one.of.good > 0 else "≤"),)) for one in group]
            for group in (guards, watched, segmented)
        )
        return Harms(tuple(guards), tuple(watched), tuple(segmented), severe, severe_proof=(), tests=0)
    groups = ([_bounded(harm) for harm in guards], _family(watched, "watch measures"), _family(segmented, "segments"))
    severe_p = severe_harm_p(severe) if severe.wins + severe.losses else np.nan
    raw = [_or_nan(harm.p) if harm.claimable else np.nan for group in groups for harm in group]
    adjusted = holm([*raw, severe_p])
    tests, of_each = int((~np.isnan(adjusted)).sum()), iter(adjusted.tolist())
    guarded, watching, segments = (
        tuple(replace(harm, proof=_proof(harm, next(of_each), tests, policy)) for harm in group) for group in groups
    )
    return Harms(guarded, watching, segments, severe, (_holds_among(tests, "big losses", next(of_each)),), tests)


def _holds_among(tests: int, what: str, p: float) -> Condition:
    """Return that a harm is significant among all harm tests, by its adjusted p."""
    return Condition(f"p of {what} among {tests} harm tests", None if np.isnan(p) else float(p), "<", LEVEL, "p")


def _proof(harm: Tested, p: float, tests: int, policy: Policy) -> tuple[Condition, ...]:
    """Return what must hold for a claim that something is harmed: enough changed queries, and its adjusted p."""
    enough = Condition(f"changes of {harm.what}", harm.of.changed, "≥", policy.harm_changed_min, "count")
    return enough, _holds_among(tests, harm.what, p)


def severe_harm_p(severe: Severe) -> float:
    """Return P(X >= losses) for X ~ Bin(wins + losses, 1/2), one-sided."""
    return coin_at_most(severe.wins, severe.wins + severe.losses)


def _measures(results: Iterable[Numbers], margins: Margins, policy: Policy, sizes: Mapping[str, float]) -> list[Tested]:
    """Return the measures that the policy names with a margin and the evidence holds."""
    found = {one.measure: one for one in results if one.delta is not None}
    named = [(found[name], margin) for name, margin in margins if name in found]
    return [_tested(one, policy.label(one.measure), margin, policy, sizes[one.measure]) for one, margin in named]


def _segments(reading: Reading, policy: Policy) -> list[Tested]:
    """Return the segments of the policy's columns that are large enough."""
    least = 0 if policy.inference == "fixed" else policy.segment_n_min
    named = [one for one in reading.segments if one.column in policy.segments and one.delta is not None]
    judged = [one for one in named if not below(one.size, least)]
    return [_tested(one, f"{one.column} “{one.value}”", policy.segment_margin, policy) for one in judged]


def _tested(result: Numbers, what: str, margin: float, policy: Policy, size: float = math.inf) -> Tested:
    """Return a result compared with its margin; ``size`` is what the gates count of it."""
    is_counted = not below(size, policy.harm_n_min)
    enough = result.changed >= policy.harm_changed_min
    low, delta, high = toward(result.good, result.lower90, result.delta, result.upper90)
    if low is None and delta and enough and result.clusters != 1:
        low = high = delta  # the same difference on enough queries: the exact test decides
    return Tested(result, what, delta or 0.0, margin, low, high, is_counted, is_counted and enough)


def toward(good: int, *numbers: float | None) -> list[float | None]:
    """Return differences, the lowest first, so that above 0 is better: if less is better, the signs are reversed."""
    return [None if number is None else good * number for number in numbers[::good]]


def _bounded(guard: Tested) -> Tested:
    """Return a guardrail with the conditions that make it harmless, where it has an interval on enough queries."""
    if guard.upper90 is None or not guard.is_counted:
        return guard
    return replace(guard, harmless=(guard.within, Condition(f"{guard.what} upper bound", guard.upper90, "≥", 0.0)))


def _family(raw: Iterable[Tested], among: str) -> list[Tested]:
    """Return those that have a p and enough queries, with the conditions that make them harmless when all are tested
    together.
    """
    family = [harm for harm in raw if harm.p_stop is not None and harm.is_counted]
    adjusted = holm([_or_nan(harm.p_stop) for harm in family]).tolist()
    return [
        replace(harm, harmless=(harm.within, Condition(f"p of {harm.what} among the {among}", p, "≥", LEVEL, "p")))
        for harm, p in zip(family, adjusted, strict=True)
    ]


def _or_nan(p: float | None) -> float:
    return np.nan if p is None else p


def above(x: float, limit: float) -> bool:
    """Return whether x > limit by more than rounding noise in the 13th decimal: .97 - .96 is not above .01."""
    return round(x - limit, 12) > 0


def below(x: float, limit: float) -> bool:
    """Return whether x < limit, in the same sense."""
    return round(x - limit, 12) < 0
