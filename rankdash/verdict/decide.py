"""``decide``: Comparison -> Verdict, with the caveats that a reader of the page must know, and the outcome under other
readings and neighbouring settings of the same comparison; ``decide_from``: plain numbers -> Verdict, by the table of
rules, read from top to bottom.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Literal

import numpy as np
import numpy.typing as npt

from rankdash import scoring, wording
from rankdash.evidence.distributions import t_quantile
from rankdash.evidence.gsb import gsb
from rankdash.evidence.paired import DECIMALS, reweighted_segment
from rankdash.metrics import reading_relevance
from rankdash.policy import Policy
from rankdash.records import frozen, remembered, replace
from rankdash.scoring import Comparison, Counts, Side, VotesAlone, Weighed, WeighedNumbers
from rankdash.verdict import records, rule
from rankdash.verdict.caveats import CaveatInput, with_caveats
from rankdash.verdict.records import (
    PRESENTATION,
    Evidence,
    Fragility,
    Outcome,
    Reading,
    Status,
    Verdict,
    VoteNumbers,
    above,
    reading_of,
)
from rankdash.verdict.rule import Bound, Rule, RuleInput, lower_bound, outcome_of
from rankdash.verdict.rules import FIXED, READING_RULES, RULES, VOTES_RULES
from rankdash.wording import nouns

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

#: A part of all weight that counts as none: rounding leaves it where every query with a weight is gone.
_NO_WEIGHT = 1e-12
_FEWEST_QUERIES = 4
#: Queries are removed from among so many largest differences and so many smallest.
_CANDIDATES = 400
_MOST, _LEAST, _SHARE = 200, 10, 0.02


def fragility(comparison: Comparison, evidence: Evidence, decided: Outcome) -> Fragility | None:
    """Return the fewest queries whose removal changes the outcome: a launch to none, worse to not worse, not proven or
    too small to a launch or worse.

    The query that moves a bound most is removed, again and again. The removals are found first, by sums from which each
    query is subtracted. Then every rule from S0 on is evaluated again without the first 1, 2, 4, 8 ... of them, and
    without each number between the last two; the gates and the votes keep the full numbers.

    None where A and B cannot be compared, B changes nothing, the queries are all that matters, below 4 queries, and
    where raters or a segment decide.
    """
    case = RuleInput(evidence, comparison.policy)
    n = case.primary.n
    nothing = decided is Outcome.NOT_COMPARABLE or case.evidence.changes_nothing
    if nothing or case.fixed or n < _FEWEST_QUERIES:
        return None
    outcome, rule = outcome_of(READING_RULES, case)
    paths = _paths(case, outcome, rule)
    if paths is None:
        return None
    searched = min(_MOST, max(_LEAST, math.ceil(round(_SHARE * n, 9))), n - 3)
    counted = Counted(comparison)
    best: tuple[list[int], Outcome] | None = None
    for bound, up in paths:
        most = searched if best is None else len(best[0]) - 1
        best = _turning(case, outcome, counted, counted.removals(bound, most, up=up)) or best
    if best is None:
        return Fragility(None, (), None, searched)
    gone, turns_to = best
    queries = tuple(comparison.query_ids[counted.rows[row]] for row in gone)
    return Fragility(len(gone), queries, turns_to, searched)


def _paths(case: RuleInput, outcome: Outcome, rule: Rule | None) -> list[tuple[Bound, bool]] | None:
    """Return the bounds that removals try to move, and whether up, by the outcome and the rule that decides; None
    without any.
    """
    if rule is None:
        guards = (Bound(guard.of.measure, -0.95) for guard in case.harms.guards)
        return [(bound, False) for bound in (lower_bound(case), *guards)]
    moved = rule.moved_by(case)
    if moved is None:
        return None
    falling = [] if outcome is Outcome.WORSE else [(Bound(case.policy.primary, 0.975), False)]
    return [*((bound, True) for bound in moved), *falling]


def _turning(case: RuleInput, outcome: Outcome, counted: Counted, gone: list[int]) -> tuple[list[int], Outcome] | None:
    """Return the first removals that change the class of the outcome, and the new outcome."""

    def without(number: int) -> Outcome:
        left = replace(case.evidence, plain=counted.reading(gone[:number]))
        return outcome_of(READING_RULES, RuleInput(left, case.policy, case.reading))[0]

    kept = 0
    while kept < len(gone):
        next_ = min(max(2 * kept, 1), len(gone))
        if _other_class(outcome, without(next_)):
            numbers = ((number, without(number)) for number in range(kept + 1, next_ + 1))
            return next((gone[:number], turned) for number, turned in numbers if _other_class(outcome, turned))
        kept = next_
    return None


def _other_class(outcome: Outcome, turned: Outcome) -> bool:
    if outcome in (Outcome.LAUNCH, Outcome.WORSE):
        return turned is not outcome
    return turned in (Outcome.LAUNCH, Outcome.WORSE)


class Counted:
    """The queries of the population that have a difference of the primary measure: the places ``rows`` among those of
    the comparison, (n,), their weights, and the unit that each belongs to: its cluster, or the query itself.
    """

    def __init__(self, comparison: Comparison) -> None:
        sample = comparison.sample
        self.comparison = comparison
        self.rows = np.flatnonzero(comparison.counted & ~np.isnan(comparison.deltas[0]))
        self.weights = np.ones(len(self.rows)) if sample.weights is None else sample.weights[self.rows]
        self.unit: Ints = np.arange(len(self.rows))
        if sample.clusters is not None:
            _, self.unit = np.unique(sample.clusters[self.rows], return_inverse=True)

    def reading(self, gone: list[int]) -> Reading:
        """Return the reading that the rules see without some queries, all other numbers counted anew."""
        compared = self.comparison
        kept = np.zeros(len(compared.counted), bool)
        kept[np.delete(self.rows, gone)] = True
        sample = replace(compared.sample, counted=kept)
        values = zip(compared.results, compared.scores_a, compared.scores_b, strict=True)
        results = tuple(
            replace(result, paired=sample.pair(a, b, None, good=result.paired.good), holm_p=None)
            for result, a, b in list(values)[: len(compared.policy.measures)]
        )
        a, b = compared.scores_a[0], compared.scores_b[0]
        segments = tuple(
            replace(one, paired=sample.pair(a, b, None, sample.segments[one.column] == one.value))
            for one in compared.plain.segments
            if one.named
        )
        return reading_of(Weighed(results, segments, *sample.severe(compared.deltas[0], compared.policy.severe)))

    def removals(self, bound: Bound, most: int, *, up: bool) -> list[int]:
        """Return the queries whose removal, one after the other, moves a bound most: mean + c standard errors, up or
        down; of equals the first of ``_in_order``.
        """
        at = self.comparison.policy.measures.index(bound.measure)
        df = max(self.comparison.results[at].paired.size - 1.0, 1.0)
        c = math.copysign(t_quantile(abs(bound.level), df), bound.level) if bound.level else 0.0
        delta, there, weight = self._differences(at)
        s, t, members = self._units(at)
        sums = _terms(s, t, members > 0).sum(axis=1)
        all_weight, worst = sums[1], -np.inf if up else np.inf
        candidates, gone = self._candidates(np.flatnonzero(there), weight * delta), list[int]()
        while len(gone) < most and len(candidates):
            unit, own = self.unit[candidates], weight[candidates]
            several = members[unit] > 1
            s_left, t_left = s[unit] - own, t[unit] - own * delta[candidates]
            left = sums[:, None] - _terms(s[unit], t[unit], np.ones_like(several)) + _terms(s_left, t_left, several)
            mean, se = _moments(left)
            with np.errstate(invalid="ignore"):  # without weight mean and standard error are no numbers
                ends = np.round(mean + c * se, DECIMALS)
            ends[np.isnan(ends) | (left[1] <= _NO_WEIGHT * all_weight)] = worst
            place = int(np.argmax(ends) if up else np.argmin(ends))
            if not np.isfinite(ends[place]):
                break
            gone.append(int(candidates[place]))
            s[unit[place]], t[unit[place]] = (s_left[place], t_left[place]) if several[place] else (0.0, 0.0)
            members[unit[place]] -= 1
            sums, candidates = left[:, place], np.delete(candidates, place)
        return gone

    def _differences(self, measure: int) -> tuple[Floats, Bools, Floats]:
        """Return the differences of a measure, the better ones above 0, 0 where undefined; where they are defined; and
        what each weighs.
        """
        delta = self.comparison.results[measure].paired.good * self.comparison.deltas[measure, self.rows]
        there = ~np.isnan(delta)
        return np.where(there, delta, 0.0), there, np.where(there, self.weights, 0.0)

    def _units(self, measure: int) -> tuple[Floats, Floats, Ints]:
        """Return the weight of each unit, its weighted difference, and the number of its queries."""
        delta, there, weight = self._differences(measure)
        number = int(self.unit.max(initial=-1)) + 1
        s, t = (np.bincount(self.unit, of, number).astype(np.float64) for of in (weight, weight * delta))
        return s, t, np.bincount(self.unit[there], minlength=number)

    def _candidates(self, rows: Ints, moved: Floats) -> Ints:
        """Return the queries that may be removed, in order: of equals at an edge, and in a search, the first is taken.

        The order depends on the content of the queries, so that the result does not depend on the order of rows.
        """
        if len(rows) > 2 * _CANDIDATES:
            ends = self._smallest(rows, moved[rows]), self._smallest(rows, -moved[rows])
            rows = np.flatnonzero(np.bincount(np.concatenate(ends)))
        return self._in_order(rows)

    def _smallest(self, rows: Ints, moved: Floats) -> Ints:
        """Return the queries with the smallest values of all; those without a difference as they stand."""
        edge = np.partition(moved, _CANDIDATES - 1)[_CANDIDATES - 1]
        below, equal = rows[moved < edge], rows[moved == edge]
        return np.append(below, (self._in_order(equal) if edge else equal)[: _CANDIDATES - len(below)])

    def _in_order(self, rows: Ints) -> Ints:
        """Return some queries by their differences, weights, units, segments and ids."""
        sample, ids = self.comparison.sample, self.comparison.query_ids
        named = sorted({(one.column, one.value) for one in self.comparison.plain.segments if one.named})
        inside = [(sample.segments[column] == value)[self.rows[rows]] for column, value in named]
        s, t, members = (of[self.unit[rows]] for of in self._units(0))
        deltas = [self._differences(at)[0][rows] for at in range(len(self.comparison.policy.measures))]
        names = np.argsort(np.array([ids[row] for row in self.rows[rows]], object))
        place = np.empty(len(rows), np.int64)
        place[names] = np.arange(len(rows))
        of_unit = np.round(t, DECIMALS), np.round(s, DECIMALS), members
        order = np.lexsort((place, *inside, *of_unit, self.weights[rows], *reversed(deltas)))
        return np.asarray(rows[order])


def _terms(s: Floats, t: Floats, there: Bools) -> Floats:
    """Return what units with weights S and weighted differences T add to the sums from which a mean and its standard
    error follow, (6, u): the number of units, S, T, SS, ST and TT.
    """
    return np.where(there, np.stack((np.ones_like(s), s, t, s * s, s * t, t * t)), 0.0)


def _moments(sums: Floats) -> tuple[Floats, Floats]:
    """Return mean and standard error of sums, (6, r); NaN or infinite where undefined."""
    units, s, t, ss, st, tt = sums
    with np.errstate(all="ignore"):
        mean = t / s
        squares = np.maximum(tt - 2.0 * mean * st + mean * mean * ss, 0.0)
        return mean, np.sqrt(units / (units - 1.0) * squares) / s


#: The sides, and what their models are called.
_MODELS: tuple[tuple[Side, Literal["A", "B"]], ...] = (("a", "A"), ("b", "B"))


def evidence_of(comparison: Comparison | WeighedNumbers | VotesAlone, candidates: int = 1) -> Evidence:
    """Return everything that the rules look at, as plain numbers."""
    votes = None if comparison.votes is None else records.votes_of(comparison.votes, candidates)
    if isinstance(comparison, VotesAlone):
        return Evidence(votes=votes, candidates=candidates)
    everywhere, plain = comparison.primary_everywhere, records.reading_of(comparison.plain)
    primary = replace(plain.primary, n_all=everywhere.n, delta_all=everywhere.delta)
    return Evidence(
        comparison.counts, replace(plain, primary=primary), records.reading_of(comparison.condensed), votes, candidates
    )


def caveat_input(
    comparison: Comparison, evidence: Evidence, fragility: Fragility | None, looks: int, candidates: int
) -> CaveatInput:
    """Return the facts that caveats read, with the outcome and the difference under each caveat's other reading."""
    primary = comparison.plain.results[0].paired
    skipped = without_missing(comparison)
    weighted = comparison.population_weights if comparison.sample.weights is not None else None
    others = dict(_other_readings(comparison, evidence, skipped, fragility))
    return CaveatInput(
        evidence,
        delta_condensed=comparison.condensed.results[0].paired.delta,
        delta_bounds=comparison.delta_bounds if comparison.primary_is_explained else None,
        labels_from=_labels_from(comparison),
        delta_without_missing=skipped.results[0].paired.delta,
        judgments=_kind(comparison),
        fragility=fragility,
        tie_bounds=comparison.tie_bounds if comparison.has_ties else None,
        tied_share=comparison.tied_share,
        looks=looks,
        candidates=candidates,
        delta_unweighted=primary.delta_unweighted,
        largest_weight=None if weighted is None else float(weighted.max() / weighted.sum()),
        weight_segment=_weight_segment(comparison),
        turned=tuple(_turned(comparison)),
        level=tuple(_level(comparison)),
        threshold=evidence.nouns.say(
            wording.below_relevant(comparison.scored.scope.grades, reading_relevance(comparison.policy_measures))
        ),
        other_outcomes={caveat: outcome for caveat, (outcome, _) in others.items()},
        other_deltas={caveat: delta for caveat, (_, delta) in others.items()},
    )


def _turned(comparison: Comparison) -> Iterator[tuple[Literal["A", "B"], Literal["rank", "score", "position"], float]]:
    """Yield the models whose lists may be reversed, for nobody chose their order: they are ordered by score, and the
    ranks contradict it in most rows, or the scores rise from row to row; or they are ordered by rank, and the scores
    contradict it, but not in the other model: in both these are distances.
    """
    shares = [comparison.scored.noticed.findings(side).contradicted for side, _ in _MODELS]
    for (side, called), share, beside in zip(_MODELS, shares, shares[::-1], strict=True):
        run = comparison.inputs.run(side)
        if run.source.order_was_asked:
            continue
        if run.ordered_by == "rank" and share and not beside:
            yield called, "score", share
        elif run.ordered_by == "score" and (share or run.source.has("scores_rise")):
            yield called, "rank" if share else "position", share or 1.0


def may_be_reversed(comparison: Comparison) -> bool:
    """Return whether the lists of B may be reversed. Such a B is not counted as a candidate: it hardly launches. One
    whose ranks were used is, for its scores may be distances.
    """
    return any(called == "B" and order != "score" for called, order, _ in _turned(comparison))


def _level(comparison: Comparison) -> Iterator[tuple[Literal["A", "B"], int, int]]:
    """Yield each model of whose lists most have one score for all documents, with how many, and the number of all."""
    for side, called in _MODELS:
        findings = comparison.scored.noticed.findings(side)
        if 2 * findings.level > findings.lists:
            yield called, findings.level, findings.lists


def _kind(comparison: Comparison) -> str:
    """Return the question or remark about the kind of the judgments, a key of JUDGMENTS_SAY; "" for none."""
    asked = comparison.counts.ask or comparison.counts.kind
    return asked if asked in wording.JUDGMENTS_SAY else ""


def without_missing(comparison: Comparison) -> Weighed:
    """Return the policy's measures over the queries that both runs answer."""
    sample = comparison.sample
    both = sample.counted & comparison.answered_by_both
    if np.array_equal(both, sample.counted):
        return comparison.plain
    return comparison.weighed("plain", replace(sample, counted=both))


#: Another reading: its outcome, and its deciding difference where that is defined.
Other = tuple[Outcome, float | None]


def _other(comparison: Comparison, evidence: Evidence, weighed: Weighed) -> Other:
    """Return the outcome and the difference of other numbers as counted, everything else equal."""
    outcome = outcome_from(replace(evidence, plain=records.reading_of(weighed)), comparison.policy)
    return outcome, weighed.results[0].paired.delta


def _other_readings(
    comparison: Comparison, evidence: Evidence, skipped: Weighed, fragility: Fragility | None
) -> Iterator[tuple[str, Other]]:
    """Yield the id of each caveat with another reading, and that reading."""
    sample = comparison.sample
    yield "unjudged", _other(comparison, evidence, comparison.condensed)
    yield "missing", _other(comparison, evidence, skipped)
    if fragility is not None and fragility.turns_to is not None:
        yield "fragile", (fragility.turns_to, _delta_without(comparison, fragility.queries))
    if comparison.has_ties:
        yield "ties", _at_the_ends_of_ties(comparison, evidence)
    if sample.weights is not None:
        yield "weights", _other(comparison, evidence, comparison.weighed("plain", sample.unweighted()))
    if evidence.data is not None:
        yield "judgments", _other_kind(comparison, evidence, evidence.data)
    if evidence.votes is not None and rule.why_unusable(evidence.votes, comparison.policy) is not None:
        trusted, policy = _trusted(evidence.votes), comparison.policy.changed(votes_min=1)
        yield "votes_ignored", (outcome_from(replace(evidence, votes=trusted), policy), None)


def _trusted(votes: VoteNumbers) -> VoteNumbers:
    """Return votes as if sides were unknown: without an interval they have that of their counts."""
    if votes.lower95 is not None or not votes.n:
        return replace(votes, n_side=None)
    table = gsb(votes.good, votes.same, votes.bad)
    (low, high), (lower90, _) = table.ci95 or (None, None), table.ci90 or (None, None)
    return replace(votes, n_side=None, delta=table.delta, lower95=low, upper95=high, lower90=lower90)


def _delta_without(comparison: Comparison, queries: tuple[str, ...]) -> float | None:
    """Return the mean difference of the primary measure without some queries."""
    left = comparison.sample.without(scoring.places_of(queries, comparison.scored.query_ids))
    return left.pair(comparison.scores_a[0], comparison.scores_b[0], None).delta


def _at_the_ends_of_ties(comparison: Comparison, evidence: Evidence) -> Other:
    """Return the outcome under an order of ties that turns it, if any does, and the difference that moves most."""
    outcome = outcome_from(evidence, comparison.policy)
    ends = [_other(comparison, evidence, weighed) for weighed in comparison.at_tie_ends]
    turned = [other for other, _ in ends if other is not outcome]
    flips = [other for other in turned if (other is Outcome.LAUNCH) is not (outcome is Outcome.LAUNCH)]
    now = comparison.plain.results[0].paired.delta or 0.0
    return (*flips, *turned, outcome)[0], max((delta for _, delta in ends), key=lambda x: abs((x or 0.0) - now))


def _other_kind(comparison: Comparison, evidence: Evidence, data: Counts) -> Other:
    """Return the reading under the other answer to the question about the judgments."""
    if comparison.counts.ask == "threshold":
        return _other(comparison, evidence, comparison.weighed("next_grade", comparison.sample))
    other: Literal["judged", "positive_only"] = "positive_only" if data.kind == "judged" else "judged"
    outcome = outcome_from(replace(evidence, data=replace(data, kind=other)), comparison.policy)
    return outcome, comparison.plain.results[0].paired.delta


def _weight_segment(comparison: Comparison) -> str:
    """Return the segment that explains how the weights move the mean, as people read it; "" where none does."""
    if comparison.sample.weights is None:
        return ""
    counted = np.where(comparison.counted, comparison.deltas[0], np.nan)
    segment = reweighted_segment(counted, comparison.sample.weights, comparison.facts.segments)
    return "" if segment is None else f"{segment[0]} “{segment[1]}”"


def _labels_from(comparison: Comparison) -> Literal["A", "B"] | None:
    """Return the model whose lists contain every judged document of the queries that both answer while the other
    model's do not.
    """
    scored, both = comparison.scored, comparison.answered_by_both
    judged, a, b = (int(number[both].sum()) for number in (scored["judgments"], *scored.pair("hits")))
    if a == judged != b:
        return "A"
    return "B" if b == judged != a else None


@frozen
class Setting:
    """A neighbouring choice and the outcome under it."""

    name: str
    outcome: Outcome
    holds: bool


#: The tags of outcomes whose rules have different ones.
_ANY_RULE = {Outcome.LAUNCH: "Launch", Outcome.WORSE: "harm"}


def _with_outcome(setting: Setting) -> str:
    """Return the name of a setting, and its outcome.

    >>> _with_outcome(Setting("gain exp2", Outcome.WORSE, False)), _with_outcome(Setting("AP", Outcome.LAUNCH, False))
    ('gain exp2 (harm)', 'AP (Launch)')
    """
    return f"{setting.name} ({_ANY_RULE.get(setting.outcome, PRESENTATION[setting.outcome].tag)})"


@frozen
class Robustness:
    """Every setting, the policy's own left out."""

    settings: tuple[Setting, ...]

    @property
    def holding(self) -> int:
        """In how many settings the outcome is the same."""
        return sum(setting.holds for setting in self.settings)

    @property
    def not_with(self) -> tuple[str, ...]:
        """The settings with another outcome, by name."""
        return tuple(setting.name for setting in self.settings if not setting.holds)

    @property
    def sentence(self) -> str:
        """Return under how many other settings the verdict is the same, followed by those under which it is not."""
        others = (_with_outcome(one) for one in self.settings if not one.holds)
        names = f" It changes with {', '.join(others)}." if self.not_with else ""
        return f"The verdict is the same under {self.holding} of {len(self.settings)} other settings.{names}"


def robustness(comparison: Comparison, candidates: int = 1) -> Robustness:
    """Return the outcome with the other gain, half and double the cutoff, unjudged documents removed (not
    where judgments name only relevant ones), and each rater left out.
    """
    evidence = evidence_of(comparison, candidates)
    outcome = outcome_from(evidence, comparison.policy)
    outcomes = (*_other_policies(comparison, candidates), *_other_raters(comparison, evidence))
    return Robustness(tuple(Setting(name, other, other is outcome) for name, other in outcomes))


def _other_policies(comparison: Comparison, candidates: int) -> Iterator[tuple[str, Outcome]]:
    """Yield each setting beside the policy, and the outcome of the same lists and judgments under it."""
    policies = dict(scoring.existing(comparison.policy, comparison.scored.scope.grades))
    say = nouns(comparison.of_users).say
    if comparison.counts.kind == "positive_only":
        policies.pop(scoring.REMOVED, None)  # every document without a grade counts as not relevant
    for name, policy in policies.items():
        yield (
            say(name),
            outcome_from(evidence_of(scoring.numbers_under(comparison, name, policy), candidates), policy),
        )


def _other_raters(comparison: Comparison, evidence: Evidence) -> Iterator[tuple[str, Outcome]]:
    """Yield each rater left out in turn, where there are several, and the outcome without this rater."""
    for name, rated in scoring.without_each_rater(comparison.vote_rows):
        other = replace(evidence, votes=records.votes_of(rated))
        yield f"rater {name} left out", outcome_from(other, comparison.policy)


# --- of plain numbers -----------------------------------------------------------------------------------------------


def asks_no_harm(case: RuleInput) -> bool:
    """Return whether B need not be better: votes alone always have to prefer it."""
    return case.evidence.plain is not None and case.policy.intent == "do_no_harm"


def launch_sentence(case: RuleInput) -> str:
    """Return why B may launch."""
    if case.evidence.plain is None:
        mpe = case.policy.votes_mpe
        return f"Raters prefer B: {rule.voted(case)}, {_compared(case.votes.delta, mpe)} {case.gain.matters} required."
    return f"{_no_harm(case) if asks_no_harm(case) else _gain(case)}{_overall(case)}"


def _compared(value: float | None, limit: float) -> str:
    return "more than the" if above(value or 0.0, limit) else "as much as the"


def _gain(case: RuleInput) -> str:
    policy, primary = case.policy, case.primary
    some = case.fixed or policy.population == "affected" or primary.clusters is not None or primary.size < primary.n
    gain = rule.moves(case, policy.mpe, queries=some)
    if not policy.mpe:
        return f"{gain}; any {'' if case.fixed else 'proven '}gain counts."
    return f"{gain}, {_compared(primary.delta, policy.mpe)} {wording.limit(policy.mpe)} required."


def _no_harm(case: RuleInput) -> str:
    primary, margin = case.primary, case.policy.primary_margin
    delta = f"{case.primary_label} {wording.near(primary.delta, 0.0, -margin)}"
    at_worst = "" if case.fixed else f", at worst {wording.near(case.at_worst, 0.0, -margin)},"
    return f"{delta}{at_worst} {rule.on_queries(case)}; a loss of {rule.allowed(case, margin)}."


def _overall(case: RuleInput) -> str:
    """Return the mean over all queries, where not all count."""
    some = case.policy.population == "affected" and not case.fixed and case.primary.n_all != case.primary.n
    overall = case.primary.delta_all if some else None
    return "" if overall is None else f" Over all {case.nouns.queries} the mean is {wording.near(overall, 0.0)}."


def launch_would_change(case: RuleInput, passed: Sequence[Rule]) -> str:
    """Return the condition that is nearest to stopping this launch."""
    keeping = (row for row in passed if row.kept)
    kept = [group[0] for row in keeping for group in row.conditions(case) if group[0].holds]
    return rule.needs(min(kept, key=_room), is_kept=True)


def _room(condition: records.Condition) -> float:
    """Return how far a number lies from its limit."""
    if isinstance(condition.value, float) and isinstance(condition.limit, float):
        return abs(condition.value - condition.limit)
    return math.inf


#: Id -> rule. The rules for votes alone have the names and the number formats of those beside judgments.
RULE_OF: Mapping[str, Rule] = MappingProxyType({row.id: row for row in (*VOTES_RULES, *RULES)})


def decide_from(evidence: Evidence, policy: Policy, looks: int = 1, candidates: int = 1) -> Verdict:
    """Return the verdict of the policy on this evidence: a pure function of plain numbers.

    Every rule is evaluated, also after the one that decides; the outcome is a function of the checklist alone.
    Without a plain reading the votes alone are judged. ``looks`` counts the states of the data with which the verdict
    was looked at, ``candidates`` the models compared with this A on these judgments; the caveats are those that these
    numbers alone decide.

    >>> decide_from(Evidence(votes=VoteNumbers(good=1, same=1, bad=2)), Policy()).rule
    'V1'
    """
    case = RuleInput(replace(evidence, candidates=candidates), policy)
    rules = {row.id: row for row in _rules(case)}
    checks = _checklist(tuple(rules.values()), case)
    statuses = {check.rule: check.status for check in checks}
    row, _ = rule.deciding(tuple(rules.values()), lambda row: statuses[row.id])
    passed = [rules[check.rule] for check in checks if check.status is Status.PASSED]
    verdict = _launched(case, passed) if row is None else _stopped(case, row)
    notes = tuple(note for note in (one.note(case) for one in passed) if note)
    known = CaveatInput(evidence, looks=looks, candidates=candidates)
    return with_caveats(replace(verdict, checks=checks, notes=notes), known, policy)


def outcome_from(evidence: Evidence, policy: Policy) -> Outcome:
    """Return the outcome that ``decide_from`` comes to, without its sentences."""
    case = RuleInput(evidence, policy)
    return rule.outcome_of(_rules(case), case)[0]


def _rules(case: RuleInput) -> tuple[Rule, ...]:
    """Return the rules of votes alone, of a sample of queries, or of a fixed set."""
    return VOTES_RULES if case.evidence.plain is None else FIXED if case.policy.inference == "fixed" else RULES


def _checklist(rules: Sequence[Rule], case: RuleInput) -> tuple[records.Check, ...]:
    """Return the check of every rule; where the first finds nothing to compare, no other rule can say anything."""
    first, *others = rules
    check, nothing = first.check(case), "There is nothing to compare."
    if check.status is Status.PASSED:
        return (check, *(row.check(case) for row in others))
    return (check, *(records.Check(row.id, row.question, Status.NOT_APPLICABLE, nothing) for row in others))


def _stopped(case: RuleInput, row: Rule) -> Verdict:
    check = row.check(case)
    doubt = row.doubt if check.status is Status.NOT_PROVEN else None
    shown = PRESENTATION[outcome := Outcome.NOT_PROVEN if doubt else row.outcome]
    next_step = doubt.next_step(case) if doubt else row.next_step(case) if row.next_step else ""
    return Verdict(
        outcome,
        row.id,
        tag=doubt.tag if doubt else row.tag(case) if row.tag else shown.tag,
        sentence=check.sentence,
        next_step=next_step or case.nouns.say(shown.next_step),
        would_change=row.would_change(case) if row.would_change else rule.needs(check.deciding[0]),
        needed=row.needed(case),
    )


def _launched(case: RuleInput, passed: Sequence[Rule]) -> Verdict:
    shown, no_harm = PRESENTATION[Outcome.LAUNCH], asks_no_harm(case)
    alone = next((row for row in passed if row.launches), None)
    next_step = alone.next_step(case) if alone and alone.next_step else ""
    return Verdict(
        Outcome.LAUNCH,
        alone.id if alone else "L2" if no_harm else "L1",
        tag="B is as good as A" if no_harm else shown.tag,
        sentence=alone.passes(case) if alone else launch_sentence(case),
        next_step=next_step or shown.next_step,
        would_change=alone.would_change(case) if alone and alone.would_change else launch_would_change(case, passed),
    )


# --- of a comparison ------------------------------------------------------------------------------------------------


def decide(comparison: Comparison | VotesAlone, looks: int = 1, candidates: int | None = None) -> Verdict:
    """Return the verdict: launch or not, the rule that decided, ``checks`` of all rules, and ``caveats``.

    ``looks`` says how many versions of the data were tried, this one included.
    ``candidates`` says how many models were compared with this A on these judgments, this B included.
    None: as many as ``compare_many`` compared. ValueError where one of them is below 1.
    """
    if not isinstance(comparison, (Comparison, VotesAlone)):
        raise TypeError(f"decide takes what compare or compare_votes returns, not a {type(comparison).__name__}")
    usual = getattr(comparison, "candidates", 1)
    candidates = usual if candidates is None else candidates
    for name, number, this in (("looks", looks, "look"), ("candidates", candidates, "candidate")):
        if number < 1:
            raise ValueError(f"{name}={number!r}: this {this} is one, so the number is at least 1.")
    return _first(comparison) if (looks, candidates) == (1, usual) else _decided(comparison, looks, candidates)


@remembered  # a page, a terminal and each report ask for it
def _first(comparison: Comparison | VotesAlone) -> Verdict:
    return _decided(comparison, 1, getattr(comparison, "candidates", 1))


def _decided(comparison: Comparison | VotesAlone, looks: int, candidates: int) -> Verdict:
    evidence = replace(evidence_of(comparison, candidates), nouns=nouns(comparison.of_users))
    verdict = decide_from(evidence, comparison.policy, looks, candidates)
    if isinstance(comparison, VotesAlone):
        return verdict
    if not comparison.is_judged:
        return replace(verdict, caveats=())
    fewest = fragility(comparison, evidence, verdict.outcome)
    facts = caveat_input(comparison, evidence, fewest, looks, candidates)
    return replace(with_caveats(verdict, facts, comparison.policy), fragility=fewest)
