"""What a rule is: a row that says what it needs, when it trips, what that means, and how people read it; and phrases
that several rules share.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from statistics import NormalDist
from types import MappingProxyType
from typing import Literal

from rankdash import wording
from rankdash.evidence.distributions import t_quantile
from rankdash.policy import Policy
from rankdash.records import cached_property, frozen, replace
from rankdash.scoring import Counts
from rankdash.verdict import records
from rankdash.verdict.records import (
    Check,
    Condition,
    Conditions,
    Harms,
    Numbers,
    Outcome,
    Question,
    Status,
    VoteNumbers,
    harms,
)
from rankdash.wording import Nouns


@frozen
class Gain:
    """What B gains, 0 where undefined: by the primary measure, or, where votes alone decide, by ΔGSB, which is shown in
    points.
    """

    name: str
    of: str  # behind the name of a bound
    unit: records.Unit
    delta: float
    lower: float  # the 95% interval
    upper: float
    beyond_chance: float  # the lower bound that a launch rests on: of the 95% interval, for a single candidate
    least: float  # the least gain that matters
    margin: float  # the largest loss allowed

    @property
    def loss(self) -> float:
        """The loss that "gain too small" must rule out."""
        return max(self.least, self.margin)

    @property
    def matters(self) -> str:
        """The least gain that matters, as people read it."""
        return self.limit(self.least)

    @property
    def required(self) -> str:
        """The least gain, as a sentence."""
        return f"A launch needs a {self.name}{f' of at least {self.matters}' if self.least else ''}."

    def near(self, value: float, *limits: float) -> str:
        """Return a value of the gain beside limits."""
        return f"{wording.points_near(value, *limits)}%" if self.unit == "points" else wording.near(value, *limits)

    def limit(self, value: float) -> str:
        """Return a limit of the policy: the least gain that matters, or a loss."""
        return f"{wording.limit(100 * value, decimals=1)}%" if self.unit == "points" else wording.limit(value)


@frozen
class RuleInput:
    """The evidence beside the policy, as the rules read it.

    ``full`` is the reading whose queries the gates count, where queries were removed from the evidence on purpose.
    """

    evidence: records.Evidence
    policy: Policy
    full: records.Reading | None = None

    @property
    def nouns(self) -> Nouns:
        """What a query and a document are called."""
        return self.evidence.nouns

    @cached_property
    def data(self) -> Counts:
        """The data checks; only for rules beside judgments."""
        assert self.evidence.data is not None
        return self.evidence.data

    @cached_property
    def reading(self) -> records.Reading:
        """The numbers as counted; only for rules beside judgments."""
        assert self.evidence.plain is not None
        return self.evidence.plain

    @property
    def primary_label(self) -> str:
        """The primary measure as people are shown it."""
        return self.policy.label(self.policy.primary)

    @cached_property
    def primary(self) -> Numbers:
        """The primary measure as counted; a difference that is the same on enough queries is every bound itself."""
        primary = self.reading.primary
        few = primary.changed < self.policy.harm_changed_min or primary.clusters == 1
        if primary.lower95 is not None or not primary.delta or few:
            return primary
        same = primary.delta
        return replace(primary, lower95=same, upper95=same, lower90=same, upper90=same)

    @cached_property
    def gain(self) -> Gain:
        """What B gains, and the policy's limits for it."""
        policy, of = self.policy, self.votes if self.evidence.plain is None else self.primary
        delta, lower, upper = (number or 0.0 for number in (of.delta, of.lower95, of.upper95))
        if isinstance(of, VoteNumbers):
            bounds = lower, upper, lower if of.lower_family is None else of.lower_family
            return Gain("ΔGSB", " of ΔGSB", "points", delta, *bounds, policy.votes_mpe, policy.votes_margin)
        bounds = lower, upper, self.lower_bound(of.lower95, 0.025)
        return Gain("gain", "", "difference", delta, *bounds, policy.mpe, policy.primary_margin)

    @property
    def at_worst(self) -> float:
        """The one-sided lower bound of the primary measure that a launch without a gain rests on."""
        return self.lower_bound(self.primary.lower90, 0.05)

    def lower_bound(self, of_one: float | None, tail: float) -> float:
        """Return the lower bound of the primary measure: ``of_one`` for a single candidate, with ``tail`` below it; of
        several, each has a part of that tail (Bonferroni).
        """
        primary, candidates = self.primary, self.evidence.candidates
        if candidates == 1 or primary.delta is None or primary.se is None or primary.df is None:
            return of_one or 0.0
        return primary.delta - t_quantile(1.0 - tail / candidates, primary.df) * primary.se

    @property
    def fixed(self) -> bool:
        """Whether these queries are all that matters."""
        return self.policy.inference == "fixed"

    @cached_property
    def gate(self) -> Numbers:
        """The primary measure whose queries the gates count."""
        return self.full.primary if self.full is not None else self.primary

    @cached_property
    def harms(self) -> Harms:
        """Guardrails, watch measures, segments and big changes, and what is proven among them."""
        return harms(self.reading, self.policy, self.full)

    @cached_property
    def votes(self) -> VoteNumbers:
        """The votes; only for rules that need them."""
        assert self.evidence.votes is not None
        return self.evidence.votes


@frozen
class Need:
    """Something without which a rule has nothing to say, and the sentence for its absence."""

    met: Callable[[RuleInput], bool]
    absent: Callable[[RuleInput], str] | str


@frozen
class Doubt:
    """The doubt of a rule: what must hold for its claim to be proven, and the sentence where it does not, which stops a
    launch without a claim.
    """

    proof: Callable[[RuleInput], tuple[Condition, ...]]
    says: Callable[[RuleInput], str]
    tag: str
    next_step: Callable[[RuleInput], str]


@frozen
class Bound:
    """A bound of one of the policy's measures: at a quantile of t, negative for a lower bound; 0 is the mean."""

    measure: str
    level: float


def lower_bound(case: RuleInput) -> Bound:
    """Return the lower bound of the primary measure that a launch needs."""
    tail = 0.025 if case.policy.intent == "improve" else 0.05
    return Bound(case.policy.primary, tail / case.evidence.candidates - 1.0)


@frozen
class Rule:
    """A row of the table of rules. ``conditions`` are evaluated only where every need is met, and the sentences only
    where they apply.

    The rule passes exactly if its conditions are met. The group that its sentences are about comes first. ``name`` is
    the name of the rule in the checklist. ``would_change`` is the limit that is not met, unless a rule has more to say.
    ``moved_by`` are the bounds that the removal of queries would have to raise for the rule to pass; None where no
    bound of the policy's measures decides, so that nothing is searched. Where several rules of a question passed, those
    which ``tells`` most speak for all. Of the conditions of rules whose limits are ``kept`` a launch names the nearest.
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
    needed: Callable[[RuleInput], records.Needed] = lambda case: {}  # the numbers of the next step, by name
    tag: Callable[[RuleInput], str] | None = None  # None: that of the outcome
    doubt: Doubt | None = None  # None: what trips is proven, unless the outcome says that nothing is
    note: Callable[[RuleInput], str] = lambda case: ""  # what a reader must know although the rule passed
    moved_by: Callable[[RuleInput], tuple[Bound, ...] | None] = lambda case: None
    tells: int = 0
    kept: bool = False
    launches: bool = False  # whether it launches by itself where it passes

    @property
    def claims_harm(self) -> bool:
        """Whether it says that B is worse. Among such rules a claim goes before a doubt."""
        return self.outcome is Outcome.WORSE

    def evaluate(self, case: RuleInput) -> tuple[Status, Conditions, tuple[Condition, ...]]:
        """Return how the rule comes out, its conditions, and, where these are not met, the proof of its claim."""
        if any(not need.met(case) for need in self.needs):
            return Status.NOT_APPLICABLE, (), ()
        conditions = self.conditions(case)
        if records.are_met(conditions):
            return Status.PASSED, conditions, ()
        proof = () if self.doubt is None else self.doubt.proof(case)
        unproven = self.outcome is Outcome.NOT_PROVEN or not records.are_met(records.all_of(*proof))
        return Status.NOT_PROVEN if unproven else Status.FAILED, conditions, proof

    def check(self, case: RuleInput) -> Check:
        """Return the row of the checklist: the status, the conditions, and the sentence."""
        status, conditions, proof = self.evaluate(case)
        return Check(self.id, self.question, status, self._sentence(case, status), conditions, proof)

    def _sentence(self, case: RuleInput, status: Status) -> str:
        """Return what the rule says: what it lacks, that it passed, its claim, or its doubt."""
        if status is Status.NOT_APPLICABLE:
            lacks = next(need.absent for need in self.needs if not need.met(case))
            return case.nouns.say(lacks) if isinstance(lacks, str) else lacks(case)
        if status is Status.PASSED:
            return self.passes(case)
        return self.says(case) if self.doubt is None or status is Status.FAILED else self.doubt.says(case)


def deciding(rules: Sequence[Rule], status_of: Callable[[Rule], Status]) -> tuple[Rule | None, Status]:
    """Return the rule that decides, and its status: the first that failed or is not proven. Among rules that claim
    harm, failed rules go first. None where every rule passed. No rule behind the deciding one is asked for its status.
    """
    doubted: Rule | None = None
    for rule in rules:
        if doubted is not None and not rule.claims_harm:
            continue
        status = status_of(rule)
        if status is Status.FAILED or (status is Status.NOT_PROVEN and not rule.claims_harm):
            return rule, status
        if status is Status.NOT_PROVEN and doubted is None:
            doubted = rule
    return doubted, Status.PASSED if doubted is None else Status.NOT_PROVEN


def outcome_of(rules: Sequence[Rule], case: RuleInput) -> tuple[Outcome, Rule | None]:
    """Return the outcome of a table of rules without sentences, and the rule that decides, None for a launch."""
    rule, status = deciding(rules, lambda rule: rule.evaluate(case)[0])
    if rule is None:
        return Outcome.LAUNCH, None
    return rule.outcome if status is Status.FAILED else Outcome.NOT_PROVEN, rule


#: What an outcome is called inside a sentence.
IN_WORDS: Mapping[Outcome, str] = MappingProxyType(
    {outcome: shown.tag for outcome, shown in records.PRESENTATION.items()}
    | {Outcome.LAUNCH: "launch", Outcome.WORSE: "B does harm", Outcome.NOT_COMPARABLE: "cannot compare"}
)
#: The answers to a question, by the worst status of its rules, the worst first.
_ANSWERS: Mapping[Question, tuple[str, str, str]] = MappingProxyType(
    {
        "comparable": ("No", "Not yet", "Yes"),
        "enough": ("No", "Not yet", "Yes"),
        "harmed": ("Found", "Not ruled out", "None found"),
        "better": ("No", "Not proven", "Yes"),
    }
)
_WORST_FIRST = (Status.FAILED, Status.NOT_PROVEN, Status.PASSED)
NOT_ASKED = "Not asked"
#: The rules that pass without B being better.
_NOT_BETTER = {"N0": "The same", "N1": "As good"}


def answer(question: Question, checks: tuple[Check, ...]) -> str:
    """Return the answer to a question, by the worst status of its rules."""
    statuses = {check.status for check in checks if check.question == question}
    if question == "better" and statuses <= {Status.PASSED, Status.NOT_APPLICABLE}:
        as_good = (_NOT_BETTER.get(check.rule) for check in checks if check.status is Status.PASSED)
        if word := next(filter(None, as_good), ""):
            return word
    words = zip(_WORST_FIRST, _ANSWERS[question], strict=True)
    return next((word for status, word in words if status in statuses), NOT_ASKED)


#: How a number is shown: its decimals, whether it has a sign, and whether it is a percentage.
_UNITS: Mapping[str, tuple[int, bool, bool]] = MappingProxyType(
    {
        "difference": (3, True, False),
        "points": (1, True, True),
        "share": (1, False, True),
        "count": (0, False, False),
        "p": (3, False, False),
    }
)
#: The tag of a harm that stops a launch and is not proven.
POSSIBLE = "possible harm"


def interval(
    low: float | None, high: float | None, level: int, *limits: float, each: str = "query", decimals: int = 3
) -> str:
    """Return an interval of differences as text, its ends beside 0 and other limits. Without width it says that each
    query, or each group, has the same difference.

    >>> interval(-0.025, -0.015, 90), interval(0.02, 0.02, 95), interval(-0.04, -0.0003, 95)
    ('90% interval −0.025 to −0.015', 'the same on every query', '95% interval −0.040 to −0.0003')
    """
    if low is None or high is None:
        return f"no {level}% interval"
    if low == high:
        return f"the same {'in' if each == 'group' else 'on'} every {each}"
    return f"{level}% interval {' to '.join(wording.near(end, 0.0, *limits, decimals=decimals) for end in (low, high))}"


def shown_numbers(condition: Condition) -> tuple[str, str]:
    """Return the value and the limit of a condition as text, with as many decimals as tell them apart."""
    value, limit = condition.value, condition.limit
    if isinstance(value, str) or isinstance(limit, str):
        if condition.unit == "outcome":
            return IN_WORDS[Outcome(str(value))], IN_WORDS[Outcome(str(limit))]
        return str(value), str(limit)
    shown, bound = wording.beside(value, limit, *_UNITS[condition.unit])
    return wording.p_value(value) if condition.unit == "p" and value is not None and value < 0.001 else shown, bound


#: How a number passes the limit that it keeps, by the relation.
_PASSED = {">": "at or below", "≥": "below", "<": "at or above", "≤": "above", "is": "other than"}


def needs(condition: Condition, *, is_kept: bool = False) -> str:
    """Return a condition as text; one that is kept, as what would break it.

    >>> needs(Condition("AP lower bound", -0.0104, ">", -0.01)), needs(Condition("p of RR", 0.00004, "≥", 0.05, "p"))
    ('AP lower bound −0.0104, needs > −0.010', 'p of RR <0.001, needs ≥ 0.050')
    >>> needs(Condition("outcome without them", "WORSE", "is", "LAUNCH", "outcome"))
    'outcome without them: B does harm, needs launch'
    """
    value, limit = shown_numbers(condition)
    if is_kept:
        return f"{condition.what} {_PASSED[condition.relation]} {limit}; now {value}"
    if condition.relation == "is":
        return f"{condition.what}: {value}{'' if value == limit else f', needs {limit}'}"
    return f"{condition.what} {value}, needs {condition.relation} {limit}"


def shown_interval(case: RuleInput, *limits: float) -> str:
    """Return the 95% interval of the primary measure: "95% interval +0.008 to +0.022"."""
    primary = case.primary
    return interval(primary.lower95, primary.upper95, 95, *limits, each=units(case)[0])


def moves(case: RuleInput, *limits: float, queries: bool = True) -> str:
    """Return what B does to the primary measure: "B raises nDCG@10 by 0.039, from 0.765 to 0.804 (95% interval +0.022
    to +0.055)", beside 0 and other limits, and on which queries.
    """
    primary, means = case.primary, ""
    delta = primary.delta or 0.0
    if primary.mean_a is not None and primary.mean_b is not None:
        means = f", from {' to '.join(wording.unlike(primary.mean_a, primary.mean_b))}"
    size = wording.near(abs(delta), 0.0, *map(abs, limits)).removeprefix("+")
    bounds = "" if case.fixed else f" ({shown_interval(case, *limits)})"
    verb = "raises" if delta > 0 else "lowers"
    return f"B {verb} {case.primary_label} by {size}{means}{bounds}{f' {on_queries(case)}' if queries else ''}"


def allowed(case: RuleInput, margin: float, unit: str = "") -> str:
    """Return the loss that is allowed: "less than 0.010 is allowed"; in a fixed set it may be reached."""
    return f"{'at most' if case.fixed else 'less than'} {wording.limit(margin, 1 if unit else 3)}{unit} is allowed"


def safe(what: str, lower: float | None, margin: float, lower95: float | None, of: str = "") -> str:
    """Return what a lower bound above a margin shows, ``of`` which interval; that a measure does not fall, its 95%
    interval has to show.

    >>> safe("AP", -0.0004, 0.01, -0.002), safe("AP", 0.002, 0.01, 0.0), safe("AP", 0.002, 0.01, -0.001)
    ('AP falls by 0.0004 at worst; a launch allows 0.010.', 'AP does not fall.', 'AP is unlikely to fall.')
    """
    least = wording.size_near(-(lower or 0.0), 0.0, margin)
    worst = f"{what} falls by {least} at worst{of}; a launch allows {wording.limit(margin)}."
    verb = "does not" if (lower95 or 0.0) >= 0 else "is unlikely to"
    return f"{what} {verb} fall." if (lower or 0.0) >= 0 else worst


def measured(case: RuleInput, *limits: float) -> str:
    """Return the primary measure with its difference, beside 0 and other limits, and its 95% interval."""
    delta = wording.near(case.primary.delta, 0.0, *limits)
    return f"{case.primary_label} {delta} ({shown_interval(case, *limits)})"


def worth(n_eff: float) -> int:
    """Return how many equal queries a number of weighted queries is worth, rounded down."""
    return math.floor(round(n_eff, 9))


def queries(of: Numbers, nouns: Nouns, everything: int | None = None) -> str:
    """Return the queries behind a number: "200 queries", "120 of 1,000 queries", "300 queries in 60 groups", "200
    queries, which count as 41 by weight".
    """
    n = of.n
    text = nouns.queries_of(n)
    if everything is not None and everything != n:
        text = f"{wording.count(n)} of {nouns.queries_of(everything)}"
    if of.clusters is not None:
        text += f" in {wording.count(of.clusters, 'group', 'groups')}"
    if of.n_eff is not None and worth(of.n_eff) < n:
        text += f", which count as {wording.count(worth(of.n_eff))} by weight"
    return text


def queries_of(case: RuleInput) -> str:
    """Return the queries of the population, and of how many where the policy counts affected queries only."""
    return queries(case.primary, case.nouns, _everything(case))


def units(case: RuleInput) -> tuple[str, str]:
    """Return what is counted: queries, or groups of queries."""
    return (case.nouns.query, case.nouns.queries) if case.primary.clusters is None else ("group", "groups")


def in_score(n: int, case: RuleInput) -> str:
    """Return so many queries, or groups of queries, with a different score: the measure has another value for A and B.

    That documents or their order differ in the first k is another number, and another word: they differ in list.
    """
    return f"{wording.count(n, *units(case))} with a different score"


def in_list(case: RuleInput) -> str:
    """Return which queries a number that is needed counts, where not all count."""
    return " that differ in list" if case.policy.population == "affected" else ""


def counted(case: RuleInput, takes: str, n: int, changed: int) -> str:
    """Return the queries, how many of them, or of their groups, have a different score, and how many of both something
    takes.
    """
    groups = "" if case.primary.clusters is None else " groups"
    scored = f"{wording.count(case.primary.changed)} with a different score"
    differ = f"{wording.count(changed)} {'in score' if in_list(case) else 'that differ'}"
    needs = f"{wording.count(n)}{groups}{in_list(case)}, and {differ}"
    return f"{queries_of(case)}, {scored}. {takes} {needs}."


def judge(case: RuleInput) -> str:
    """Return what people do to have more queries with judgments: nobody judges clicks, or lists of relevant ones."""
    return "Collect" if case.data.kind == "positive_only" or case.nouns == wording.USERS else "Judge"


def more_judged(case: RuleInput, queries: str, what: str) -> str:
    """Return the next step of judging more ``queries``: what they are for, and which files need them."""
    return f"{judge(case)} {queries} to {what}. Add them to every file."


def judged(case: RuleInput, number: float) -> int:
    """Return how many judged queries it takes to have so many that count: where only the affected ones do, more, by the
    share of these.
    """
    everything = _everything(case)
    share = 1.0 if everything is None or not case.primary.n else case.primary.n / everything
    return math.ceil(round(number / share, 6))


def _everything(case: RuleInput) -> int | None:
    """Return the number of all queries, where not all count."""
    if case.policy.population != "affected":
        return None
    return case.primary.n_all or case.data.judged


def on_queries(case: RuleInput, tested: Numbers | None = None) -> str:
    """Return the queries of a number: "on 200 queries", or "on exactly these 12 queries"; those of another measure or
    of a segment are its own.
    """
    of = tested or case.primary
    # Of another measure, which may have a value on other queries, the number of all queries is not known.
    everything = None if of.column or of.n != case.primary.n else _everything(case)
    if not case.fixed:
        return f"on {queries(of, case.nouns, everything)}"
    # The effective sample size and groups matter only to conclusions about other queries.
    these = "this" if of.n == 1 else "these"
    return f"on exactly {these} {queries(replace(of, n_eff=None, clusters=None), case.nouns, everything)}"


def required(case: RuleInput, n: int) -> int:
    """Return how many queries a proof takes at the level of all candidates, by the normal approximation; ``n`` is for
    one candidate, at 5% with a power of 80%.
    """
    if case.evidence.candidates < 2:
        return n
    z = NormalDist().inv_cdf
    return math.ceil(n * ((z(1 - 0.025 / case.evidence.candidates) + z(0.8)) / (z(0.975) + z(0.8))) ** 2)


def can_settle(n: float, required: int) -> bool:
    """Return whether more queries are needed and can be had: up to ten times as many."""
    return n < required <= 10 * n


#: Why votes cannot be used.
Unusable = Literal["too_few", "sides"]
ONE_SIDED = "B was shown on one side in nearly all votes that record it."


def _usable(votes: VoteNumbers, policy: Policy, nouns: Nouns) -> dict[Unusable, Condition]:
    """Return that raters decide enough queries, and that votes are not nearly all for one side, by what is wrong where
    that does not hold. Sides that were not recorded are no obstacle.
    """
    few = Condition(f"{nouns.queries} voted better or worse", votes.preferring, "≥", policy.votes_min, "count")
    if votes.n_side is None:
        return {"too_few": few}
    return {"too_few": few, "sides": Condition(f"balanced {nouns.queries}", votes.n_side, "≥", votes.n / 2, "count")}


def why_unusable(votes: VoteNumbers, policy: Policy) -> Unusable | None:
    """Return why these votes cannot be used under this policy; None where they can."""
    return next((why for why, condition in _usable(votes, policy, Nouns()).items() if not condition.holds), None)


def usable_votes(case: RuleInput) -> Conditions:
    """Return that the votes can be used."""
    votes = case.evidence.votes or VoteNumbers(0, 0, 0)
    defined = Condition("ΔGSB", "undefined" if votes.delta is None else "defined", "is", "defined", "name")
    return records.all_of(*_usable(votes, case.policy, case.nouns).values(), defined)


def usable(case: RuleInput) -> bool:
    """Return whether there are votes, and they can be used."""
    return records.are_met(usable_votes(case))


def unusable_sentence(votes: VoteNumbers, policy: Policy, nouns: Nouns) -> str:
    """Return why the votes cannot be used, as a sentence; "" where they can."""
    of = nouns.queries_of(votes.n)
    of = of if votes.preferring == votes.n else f"{wording.count(votes.preferring)} of {of}"
    some = f"Only {of} {'was' if votes.preferring == 1 else 'were'}" if votes.preferring else f"No {nouns.query} was"
    sentences = {
        "too_few": f"{some} voted better or worse; {wording.count(policy.votes_min)} are needed.",
        "sides": ONE_SIDED,
    }
    return sentences.get(why_unusable(votes, policy) or "", "")


def delta_gsb(votes: VoteNumbers, policy: Policy) -> str:
    """Return ΔGSB with its interval: "ΔGSB −25.0% (95% interval −77.8 to +50.5)"."""
    limits = (0.0, policy.votes_mpe)
    value = f"ΔGSB {wording.points_near(votes.delta, *limits)}%"
    if votes.lower95 is None or votes.upper95 is None:
        return f"{value}, without an interval"
    return f"{value} (95% interval {wording.points_between(votes.lower95, votes.upper95, *limits)})"


def voted(case: RuleInput) -> str:
    """Return ΔGSB with its interval, and who voted: "on 300 queries by 3 raters"."""
    votes = case.votes
    by = "" if votes.people is None else f" by {wording.count(votes.people, 'rater', 'raters')}"
    return f"{delta_gsb(votes, case.policy)} on {case.nouns.queries_of(votes.n)}{by}"


def raters_prefer_a(case: RuleInput) -> str:
    """Return the headline of H3."""
    votes = case.votes
    if not votes.averaged:
        losses, wins = wording.count(votes.bad, "loss", "losses"), wording.count(votes.good, "win", "wins")
        return f"Raters prefer A: {losses} against {wins}, {voted(case)}."
    return f"Raters prefer A: {voted(case)}{'' if votes.n_side is None else ', averaged over both sides'}."


def absent_votes(case: RuleInput) -> str:
    """Return why there are no votes to use."""
    votes = case.evidence.votes
    return "There are no votes." if votes is None or not votes.n else unusable_sentence(votes, case.policy, case.nouns)


#: Votes that can be used; otherwise the sentence says why they cannot.
USABLE_VOTES = Need(usable, absent_votes)
