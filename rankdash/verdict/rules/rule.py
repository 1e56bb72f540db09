"""What a rule is: a row that says what it needs, when it trips, what that means, and how people read it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from rankdash.policy import Policy
from rankdash.records.lazy import cached_property
from rankdash.verdict.records import (
    Check,
    Condition,
    Conditions,
    DataChecks,
    Evidence,
    Needed,
    Outcome,
    Primary,
    Question,
    Reading,
    Status,
    VoteNumbers,
    all_of,
    are_met,
)
from rankdash.verdict.rules.families import Harms, harms


@dataclass(frozen=True)
class RuleInput:
    """The evidence beside the policy, as the rules read it.

    ``full`` is the reading whose queries the gates count, where queries were removed from the evidence on purpose.
    """

    evidence: Evidence
    policy: Policy
    full: Reading | None = None

    @cached_property
    def data(self) -> DataChecks:
        """The data checks; only for rules beside judgments."""
        assert self.evidence.data is not None
        return self.evidence.data

    @cached_property
    def reading(self) -> Reading:
        """The numbers as counted; only for rules beside judgments."""
        assert self.evidence.plain is not None
        return self.evidence.plain

    @property
    def primary_label(self) -> str:
        """The primary measure as people are shown it."""
        return self.policy.label(self.policy.primary)

    @cached_property
    def primary(self) -> Primary:
        """The primary measure as counted; a difference that is the same on enough queries is every bound itself."""
        primary = self.reading.primary
        few = primary.changed < self.policy.harm_changed_min or primary.clusters == 1
        if primary.lower95 is not None or not primary.delta or few:
            return primary
        same = primary.delta
        return replace(primary, lower95=same, upper95=same, lower90=same, upper90=same)

    @property
    def fixed(self) -> bool:
        """Whether these queries are all that matters."""
        return self.policy.inference == "fixed"

    @cached_property
    def gate(self) -> Primary:
        """The primary measure whose queries the gates count."""
        return self.full.primary if self.full is not None else self.primary

    @cached_property
    def harms(self) -> Harms:
        """Guardrails, watch measures, segments and big changes, and what is proven among them."""
        return harms(self.reading, self.policy, self.full)

    @cached_property
    def changes_nothing(self) -> bool:
        """Whether the first k are the same on every query, and no measure or segment of the policy changed on any."""
        return self.evidence.changes_nothing

    @cached_property
    def votes(self) -> VoteNumbers:
        """The votes; only for rules that need them."""
        assert self.evidence.votes is not None
        return self.evidence.votes


@dataclass(frozen=True)
class Need:
    """Something without which a rule has nothing to say, and the sentence for its absence."""

    met: Callable[[RuleInput], bool]
    absent: Callable[[RuleInput], str] | str


@dataclass(frozen=True)
class Doubt:
    """The doubt of a rule: what must hold for its claim to be proven, and the sentence where it does not, which stops a
    launch without a claim.
    """

    proof: Callable[[RuleInput], tuple[Condition, ...]]
    says: Callable[[RuleInput], str]
    tag: str
    next_step: str


@dataclass(frozen=True)
class Bound:
    """A bound of one of the policy's measures: at a quantile of t, negative for a lower bound; 0 is the mean."""

    measure: str
    level: float


def lower_bound(case: RuleInput) -> Bound:
    """Return the lower bound of the primary measure that a launch needs."""
    return Bound(case.policy.primary, -0.975 if case.policy.intent == "improve" else -0.95)


#: The places of rules in the sentence of a launch; rules at the same place stand in their order.
OF_GUARDRAILS, OF_WATCHED, OF_RATERS, OF_OTHERS = range(4)


@dataclass(frozen=True)
class OnLaunch:
    """What a launch says of a rule that passed.

    ``safe`` is what the rule shows to be safe. Rules with the same ``begins`` share a part of the sentence, which
    begins with it; with "" each thing is a part of its own. Of all conditions of rules whose limits are ``kept`` the
    nearest is named. ``place`` says which of two rules comes first.
    """

    safe: Callable[[RuleInput], Sequence[str]] = lambda case: ()
    begins: str = ""
    kept: bool = False
    place: int = OF_OTHERS


@dataclass(frozen=True)
class Rule:
    """A row of the table of rules. ``conditions`` are evaluated only where every need is met, and the sentences only
    where they apply.

    The rule passes exactly if its conditions are met. The group that its sentences are about comes first. ``name`` is
    the name of the rule in the checklist. ``would_change`` is the limit that is not met, unless a rule has more to say.
    ``moved_by`` are the bounds that the removal of queries would have to raise for the rule to pass; None where no
    bound of the policy's measures decides, so that nothing is searched. Where several rules of a question passed, that
    which ``tells`` most speaks for all.
    """

    id: str
    name: str
    question: Question
    outcome: Outcome
    conditions: Callable[[RuleInput], Conditions]
    says: Callable[[RuleInput], str]
    passes: Callable[[RuleInput], str]
    would_change: Callable[[RuleInput], str] | None = None
    needs: tuple[Need, ...] = ()
    next_step: Callable[[RuleInput], str] | None = None
    needed: Callable[[RuleInput], Needed] = lambda case: {}  # the numbers of the next step, by name
    tag: Callable[[RuleInput], str] | None = None  # None: that of the outcome
    doubt: Doubt | None = None  # None: what trips is proven, unless the outcome says that nothing is
    note: Callable[[RuleInput], str] = lambda case: ""  # what a reader must know although the rule passed
    moved_by: Callable[[RuleInput], tuple[Bound, ...] | None] = lambda case: None
    tells: int = 0
    on_launch: OnLaunch = OnLaunch()
    launches: bool = False  # whether it launches by itself where it passes
    is_one_sided: bool = False  # whether it looks at the lower end of the 90% interval, which readers of 95% miss

    @property
    def claims_harm(self) -> bool:
        """Whether it says that B is worse. Among such rules a claim goes before a doubt."""
        return self.outcome is Outcome.WORSE

    def status(self, case: RuleInput) -> Status:
        """Return how the rule comes out in this case."""
        if self._lacks(case) is not None:
            return Status.NOT_APPLICABLE
        return Status.PASSED if are_met(self.conditions(case)) else self._stopping(self._proof(case))

    def _lacks(self, case: RuleInput) -> Need | None:
        """Return the first need that is not met; None where all are."""
        return next((need for need in self.needs if not need.met(case)), None)

    def _proof(self, case: RuleInput) -> tuple[Condition, ...]:
        """Return what must hold for the claim of a rule that stops a launch to be proven."""
        return () if self.doubt is None else self.doubt.proof(case)

    def _stopping(self, proof: tuple[Condition, ...]) -> Status:
        """Return how the rule comes out where its conditions are not met."""
        unproven = self.outcome is Outcome.NOT_PROVEN or not are_met(all_of(*proof))
        return Status.NOT_PROVEN if unproven else Status.FAILED

    def check(self, case: RuleInput) -> Check:
        """Return the row of the checklist: the status, the conditions, and the sentence."""
        lacks = self._lacks(case)
        if lacks is not None:
            text = lacks.absent if isinstance(lacks.absent, str) else lacks.absent(case)
            return Check(self.id, self.question, Status.NOT_APPLICABLE, text)
        conditions = self.conditions(case)
        if are_met(conditions):
            return Check(self.id, self.question, Status.PASSED, self.passes(case), conditions)
        proof = self._proof(case)
        status = self._stopping(proof)
        return Check(self.id, self.question, status, self.sentence(status)(case), conditions, proof)

    def sentence(self, status: Status) -> Callable[[RuleInput], str]:
        """Return the sentence of a rule that tripped: its claim, or its doubt."""
        return self.says if self.doubt is None or status is Status.FAILED else self.doubt.says


TRIPPED = frozenset({Status.FAILED, Status.NOT_PROVEN})


def deciding(rules: Sequence[Rule], statuses: Mapping[str, Status]) -> Rule | None:
    """Return the rule that decides: the first that failed or is not proven. Among rules that claim harm, failed rules
    go first.

    ``statuses`` are those of all rules, by id. None where every rule passed.
    """
    tripped = [rule for rule in rules if statuses[rule.id] in TRIPPED]
    first = next(iter(tripped), None)
    if first is None or not first.claims_harm:
        return first
    return next((rule for rule in tripped if rule.claims_harm and statuses[rule.id] is Status.FAILED), first)


def outcome_of(rules: Sequence[Rule], case: RuleInput) -> tuple[Outcome, Rule | None]:
    """Return the outcome of a table of rules without sentences, and the rule that decides, None for a launch.

    The result is that of ``deciding`` on all statuses, but rules behind the deciding rule are not evaluated.
    """
    doubted: Rule | None = None
    for rule in rules:
        if doubted is not None and not rule.claims_harm:
            break
        status = rule.status(case)
        if status is Status.FAILED:
            return rule.outcome, rule
        if status is Status.NOT_PROVEN and not rule.claims_harm:
            return Outcome.NOT_PROVEN, rule
        if status is Status.NOT_PROVEN and doubted is None:
            doubted = rule
    return (Outcome.LAUNCH if doubted is None else Outcome.NOT_PROVEN), doubted
