"""C1 to C7, can A and B be compared at all, and N0, does B change anything; and the tables of all rules.

The rules of samples stand here too as they read other numbers: of queries that are all that matters, a golden set, with
no interval and no gate, only what each limit allows; and of votes without judgments, whose numbers are ΔGSB, shown in
points. They keep the ids, names, questions and outcomes of the rules for samples.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from rankdash import wording
from rankdash.evidence.paired import required_votes, required_votes_by_error
from rankdash.scoring.results import Graded
from rankdash.verdict import gain, harm, records, rule
from rankdash.verdict.records import Condition, Conditions, Outcome, Tested, all_of, are_met, below
from rankdash.verdict.rule import Need, Rule, RuleInput, needs, on_queries, outcome_of, voted

#: The queries are no sample, so that nothing can be unproven.
SAMPLED = Need(lambda case: False, "Only these queries matter. Nothing is concluded for others.")


FIXED_H1 = replace(
    harm.H1,
    needs=(),
    conditions=lambda case: all_of(Condition("difference", case.gain.delta, "≥", -case.policy.primary_margin)),
    says=lambda case: (
        f"{rule.moves(case, case.policy.primary_margin)}; {rule.allowed(case, case.policy.primary_margin)}."
    ),
    doubt=None,
    note=lambda case: "",
    passes=lambda case: (
        f"{case.primary_label} {wording.near(case.gain.delta, 0.0, -case.policy.primary_margin)}; a loss of "
        f"{rule.allowed(case, case.policy.primary_margin)}."
    ),
    kept=True,
)


def _kept_limits(row: Rule, of: Callable[[RuleInput], Sequence[Tested]]) -> Rule:
    """Return a rule of several measures as it passes in a fixed set: ``of`` returns the measures."""
    return replace(row, note=lambda case: "", passes=lambda case: harm.within(case, of(case)), kept=True)


FIXED_H2 = _kept_limits(harm.H2, lambda case: case.harms.guards)
FIXED_H4 = _kept_limits(harm.H4, harm.watched)


def _no_gain(case: RuleInput) -> str:
    name, delta, on = case.primary_label, case.gain.delta, on_queries(case)
    if delta > 0:
        return f"{rule.moves(case, case.policy.mpe)}. {case.gain.required}"
    if delta < 0:
        return f"{rule.moves(case, case.policy.primary_margin)}. A launch needs a gain."
    return f"{name} is the same for A and B {on}."


def _gains(case: RuleInput) -> Conditions:
    least = Condition("difference", case.gain.delta, "≥", case.policy.mpe)
    return all_of(least) if case.policy.mpe > 0 else all_of(replace(least, relation=">"))


FIXED_F1 = replace(
    gain.F1,
    needs=(gain.IMPROVE,),
    conditions=_gains,
    says=_no_gain,
    doubt=None,
    tag=lambda case: "gain too small" if case.gain.delta > 0 else "no gain",
    next_step=lambda case: (
        f"Do not launch: fix the losses on {case.primary_label}." if case.gain.delta < 0 else "Keep A, or improve B."
    ),
    passes=lambda case: f"The gain is {wording.near(case.gain.delta, 0.0, case.policy.mpe)} {on_queries(case)}.",
    kept=True,
)


#: The rules for samples, which depend on the numbers of a single reading and the votes.
SAMPLE_RULES = (gain.S0, *harm.HARM, *gain.GAIN, *harm.SAFETY)
_SAYS_SOMETHING = {row.id: row for row in (FIXED_H1, FIXED_H2, harm.H3, FIXED_H4, harm.H5, FIXED_F1, harm.U4)}
#: The same rules in the same order; a rule without a row here is silent, for its own first reason where that holds: it
#: says more than that these queries are all that matter.
FIXED_RULES = tuple(_SAYS_SOMETHING.get(row.id, replace(row, needs=(*row.needs[:1], SAMPLED))) for row in SAMPLE_RULES)


def _required(case: RuleInput, target: float) -> int:
    """Return how many queries with votes a ΔGSB takes, by the standard error that the interval uses."""
    votes = case.votes
    if votes.se is None:
        return rule.required(case, required_votes(votes.preferring / votes.n, min(target, 1.0)))
    return rule.required(case, required_votes_by_error(votes.n, votes.se, target))


def _gsb_to_tell(case: RuleInput) -> records.Needed:
    """Return how many queries with votes tell from 0 a ΔGSB that matters, and, where it reaches that, one as seen."""
    mpe, delta = case.policy.votes_mpe, case.gain.delta
    found = {"gain": _required(case, mpe)}
    return found if below(delta, mpe) else {**found, "as_seen": _required(case, delta)}


#: A ΔGSB without an interval proves nothing, and rules nothing out.
GSB_INTERVAL = Need(lambda case: case.votes.lower95 is not None, "ΔGSB has no interval.")


def _not_alone(case: RuleInput) -> str:
    """Return that more votes alone do not launch B, where A is ahead."""
    return "; more votes alone do not launch it" if case.gain.delta < 0 else ""


VOTES_C1 = Rule(
    "C1",
    "Shared queries",
    "comparable",
    Outcome.NOT_COMPARABLE,
    tells=1,
    conditions=lambda case: all_of(
        Condition("queries with votes", case.evidence.votes.n if case.evidence.votes else 0, "≥", 1, "count")
    ),
    says=lambda case: "There are no votes." if case.evidence.votes else "There are neither judgments nor votes.",
    passes=lambda case: f"There are votes on {wording.count(case.votes.n, 'query', 'queries')}.",
    would_change=lambda case: "votes, or judgments",
    next_step=lambda case: "Add judgments or votes.",
)


def _usable_votes_next(case: RuleInput) -> str:
    more = case.policy.votes_min - case.votes.preferring
    if more <= 0:
        return "Collect votes with A and B on random sides."
    return f"Collect votes until {wording.count(more, 'more query is', 'more queries are')} voted better or worse."


VOTES_V1 = Rule(
    "V1",
    "Usable votes",
    "enough",
    Outcome.NOT_PROVEN,
    conditions=rule.usable_votes,
    says=lambda case: rule.unusable_sentence(case.votes, case.policy, case.nouns),
    passes=lambda case: (
        f"{wording.count(case.votes.preferring, 'query was', 'queries were')} voted better or worse; "
        f"{wording.count(case.policy.votes_min)} are needed."
    ),
    would_change=lambda case: (
        needs(next(group[0] for group in rule.usable_votes(case) if not are_met((group,)))) + _not_alone(case)
    ),
    next_step=_usable_votes_next,
    tells=1,
)

VOTES_H3 = replace(harm.H3, needs=(rule.USABLE_VOTES,), tag=None)


VOTES_F1 = replace(gain.F1, needs=(GSB_INTERVAL,))


def _gsb_needed(case: RuleInput) -> str:
    """Return how many queries with votes it takes, without a promise that more of them launch B."""
    if case.gain.delta < 0:
        return "Look at the queries that raters call bad first: A is ahead."
    needed, is_seen = _gsb_to_tell(case), not below(case.gain.delta, case.gain.least)
    more = needed["as_seen" if is_seen else "gain"] - case.votes.n
    votes = f"votes on about {wording.about(more)} more queries" if more > 0 else "more votes"
    size = wording.points(case.gain.delta) if is_seen else case.gain.matters
    what = f"{'confirm' if is_seen else 'find'} a ΔGSB of {size}"
    if more > 9 * case.votes.n:
        return f"Improve B first. It takes {votes} to {what}."
    return f"Collect {votes} to {what}."


VOTES_U1 = replace(
    gain.U1,
    needs=(GSB_INTERVAL,),
    says=lambda case: (
        f"{'Raters do not prefer B' if below(case.gain.upper, 0.0) else 'No preference is proven'}: {voted(case)}."
    ),
    would_change=lambda case: needs(gain.above_chance(case)[0]) + _not_alone(case),
    next_step=_gsb_needed,
    needed=_gsb_to_tell,
)

VOTES_U2 = replace(
    gain.U2,
    needs=(GSB_INTERVAL,),
    says=lambda case: f"Raters do not prefer B enough: {voted(case)}. {case.gain.required}",
    next_step=lambda case: f"Collect more votes to tell whether ΔGSB reaches {case.gain.matters}.",
    kept=False,
)

VOTES_RULES = (VOTES_C1, VOTES_V1, VOTES_H3, VOTES_F1, VOTES_U1, VOTES_U2)


def _says(case: RuleInput) -> str:
    n = case.primary.n or case.data.judged
    return f"B changes nothing in the top {case.policy.cutoff} of {case.nouns.queries_of(n)}."


def _what_next(case: RuleInput) -> str:
    """Return what to do where nothing changed: the same file twice is a mistake under every policy."""
    if case.data.same_file:
        return "A and B are the same file. Check that B is the run you mean."
    return "Check that B is the run you mean." if case.policy.intent == "improve" else ""


#: Where a gain is needed it stops the launch; where no harm is enough it launches by itself. All rules behind it are
#: silent where nothing changed.
N0 = Rule(
    "N0",
    "Anything changed",
    "better",
    Outcome.TOO_SMALL,
    needs=(Need(lambda case: case.evidence.changes_nothing, "B changes something."),),
    conditions=lambda case: all_of(Condition("intent of the policy", case.policy.intent, "is", "do_no_harm", "name")),
    says=_says,
    passes=_says,
    tag=lambda case: "nothing changed",
    would_change=lambda case: f"a {case.nouns.query} that differs in list",
    next_step=_what_next,
    launches=True,
)

CHANGED = Need(lambda case: not case.evidence.changes_nothing, "B changes nothing.")


#: The rules that depend on a single reading and the votes only: for a sample of queries, and for queries that are all
#: that matters. Where B changes nothing they are silent.
READING_RULES, FIXED_READING_RULES = (
    tuple(replace(rule, needs=(CHANGED, *rule.needs)) for rule in rules) for rules in (SAMPLE_RULES, FIXED_RULES)
)


def _compared(case: RuleInput) -> int:
    """Return how many queries of the population both runs answer; of all queries where B changes nothing."""
    if case.evidence.changes_nothing:
        return case.data.common
    affected = case.data.affected if case.policy.population == "affected" else None
    return min(case.data.common, case.primary.n if affected is None else min(affected, case.primary.n))


_NO_JUDGMENTS = "No judgments: this shows what changed, not which is better."


def _nothing_shared(case: RuleInput) -> str:
    if not case.data.distinct_grades:
        return _NO_JUDGMENTS
    if _has_no_value(case):
        return f"{case.primary_label} has no value on any {case.nouns.query} that counts."
    return case.nouns.say("A and B share no judged query." if case.data.common < 1 else "No query is left to compare.")


def _has_no_value(case: RuleInput) -> bool:
    """Return whether there are queries to compare, and the primary measure is undefined on each of them."""
    return case.data.common >= 1 and case.primary.n < 1 <= case.primary.n_dropped


def _lacks_a_query(case: RuleInput) -> str:
    if _has_no_value(case):
        return f"one {case.nouns.query} on which {case.primary_label} has a value"
    judged = f"one judged {case.nouns.query} that both runs answer"
    return judged if case.data.common < 1 else f"one {case.nouns.query} that differs in list"


def _share_queries(case: RuleInput) -> str:
    if not case.data.distinct_grades:
        return f"Add a file of judgments, or grade {case.nouns.documents} on the page Label."
    if case.data.common < 1:
        return f"Use the same {case.nouns.query} ids in A, B and the judgments."
    if _has_no_value(case):
        return "Add judgments, or choose another primary measure."
    return f"Check that A and B are different models, or count all {case.nouns.queries}."


C1 = Rule(
    "C1",
    "Something shared",
    "comparable",
    Outcome.NOT_COMPARABLE,
    conditions=lambda case: all_of(Condition(f"shared {case.nouns.queries}", _compared(case), "≥", 1, "count")),
    says=_nothing_shared,
    passes=lambda case: f"A and B both answer {case.nouns.queries_of(case.data.common, 'judged ')}.",
    would_change=_lacks_a_query,
    next_step=_share_queries,
    tells=1,
)


def _can_score(case: RuleInput, relation: records.Relation) -> Condition:
    what = f"{case.nouns.queries} on which {case.primary_label} can be positive"
    return Condition(what, case.data.primary_rises, relation, 1, "count")


def _labels_tell(case: RuleInput) -> Conditions:
    data = case.data
    return (
        (_can_score(case, "≥"),),
        (
            Condition("different grades", data.distinct_grades, "≥", 2, "count"),
            Condition(f"unjudged {case.nouns.documents} that are shown", data.unjudged_shown, "≥", 1, "count"),
        ),
    )


def _labels_say(case: RuleInput) -> str:
    if case.data.primary_rises < 1:
        nowhere = f"{case.primary_label} cannot be above 0 on any {case.nouns.query}."
        return nowhere if case.data.distinct_grades else _NO_JUDGMENTS
    judged = f"All judged {case.nouns.documents} have the same grade"
    return f"{judged}, and the top {case.policy.cutoff} of A and B hold no others."


def _other_judgments(case: RuleInput) -> str:
    if not case.data.distinct_grades:
        return _share_queries(case)
    lower = case.nouns.say("Add judgments, or lower the grade from which a document is relevant.")
    return lower if case.data.primary_rises < 1 else "Add judgments with other grades."


C2 = Rule(
    "C2",
    "Something that can score",
    "comparable",
    Outcome.NOT_COMPARABLE,
    conditions=_labels_tell,
    says=_labels_say,
    passes=lambda case: f"{case.primary_label} can be above 0 on {case.nouns.queries_of(case.data.primary_rises)}.",
    would_change=lambda case: (
        f"one {case.nouns.query} on which {case.primary_label} can be above 0"
        if case.data.primary_rises < 1
        else "judgments with more than one grade"
    ),
    next_step=_other_judgments,
)


def _judged_share(case: RuleInput, name: str, share: float | None) -> Condition:
    return Condition(f"judged share of the top {case.policy.cutoff} of {name}", share, ">", 0.0, "share")


def _some_judged(case: RuleInput) -> Conditions:
    """Return that in each model some document is judged, where a query has a relevant one."""
    none_relevant = _can_score(case, "<")
    shares = {"A": case.data.judged_a, "B": case.data.judged_b}
    return tuple((_judged_share(case, name, share), none_relevant) for name, share in shares.items())


def _none_judged(case: RuleInput) -> str:
    shares = {"A": case.data.judged_a, "B": case.data.judged_b}
    names = [name for name, share in shares.items() if not _judged_share(case, name, share).holds]
    where = f" on {case.nouns.queries} that differ in list" if case.policy.population == "affected" else ""
    return f"None of the top {case.policy.cutoff} {case.nouns.documents} of {' and '.join(names)} is judged{where}."


C6 = Rule(
    "C6",
    "Something judged",
    "comparable",
    Outcome.NOT_COMPARABLE,
    needs=(
        Need(lambda case: case.data.judged_a is not None and case.data.judged_b is not None, "No document is shown."),
    ),
    conditions=_some_judged,
    says=_none_judged,
    passes=lambda case: f"{case.nouns.say('Documents')} in the top {case.policy.cutoff} of A and of B are judged.",
    would_change=lambda case: f"one judged {case.nouns.document} in the top {case.policy.cutoff} of each model",
    next_step=lambda case: f"Use the same {case.nouns.document} ids in A, B and the judgments.",
)


#: The order of lists can be judged if so many of them have two different grades.
_TELLING_LISTS = 30


def _leaks(case: RuleInput) -> list[tuple[str, Graded]]:
    """Return how near each model comes to the judgments, where that is known."""
    return [(name, leak) for name, leak in zip("AB", case.data.likeness or (), strict=False) if leak is not None]


def _no_leak(case: RuleInput, name: str, leak: Graded) -> tuple[Condition, ...]:
    """Return the conditions of which one must hold, or the lists of a model are made of the judgments."""
    return (
        Condition(f"judged {case.nouns.documents} of {name}", leak.judged, "<", leak.listed, "count"),
        Condition(f"lists of {name} in the order of grades", leak.in_grade_order, "<", leak.lists, "count"),
        Condition(f"lists of {name} with two grades", leak.two_grades, "<", _TELLING_LISTS, "count"),
    )


def _leak_says(case: RuleInput) -> str:
    names = [name for name, leak in _leaks(case) if not are_met((_no_leak(case, name, leak),))]
    whose, look = ("their", "look") if len(names) > 1 else ("its", "looks")
    return (
        f"{' and '.join(names)} {look} made from the judgments: all of {whose} {case.nouns.documents} are judged, "
        "and every list is in the order of the grades."
    )


C7 = Rule(
    "C7",
    "Lists not made from the judgments",
    "comparable",
    Outcome.NOT_COMPARABLE,
    needs=(Need(lambda case: bool(_leaks(case)), "Whether lists are in the order of the grades is not known."),),
    conditions=lambda case: tuple(_no_leak(case, name, leak) for name, leak in _leaks(case)),
    says=_leak_says,
    passes=lambda case: "Nothing shows that A or B was made from the judgments.",
    would_change=lambda case: "a run whose order is not that of the grades",
    next_step=lambda case: "Use the models’ own ranked lists, not lists made from the judgments.",
)


def _missing_allowed(case: RuleInput) -> int:
    """Return the largest gap that is allowed: missing_gap - 1, or missing_share of the judged queries if more."""
    share = math.floor(round(case.policy.missing_share * case.data.judged, 9))
    return max(case.policy.missing_gap - 1, share)


def _missing_words(case: RuleInput) -> str:
    missing = ((case.data.missing_a, "A"), (case.data.missing_b, "B"))
    (more, worse), (fewer, better) = sorted(missing, key=lambda one: -one[0])
    return f"{worse} has no result for {case.nouns.queries_of(more)}, {better} for {wording.count(fewer)}."


C4 = Rule(
    "C4",
    "Difference in what is missing",
    "comparable",
    Outcome.NOT_COMPARABLE,
    needs=(Need(lambda case: case.policy.missing == "unknown", "The policy says what a missing query means."),),
    conditions=lambda case: all_of(
        Condition(
            f"difference in missing {case.nouns.queries}",
            abs(case.data.missing_a - case.data.missing_b),
            "≤",
            _missing_allowed(case),
            "count",
        )
    ),
    says=_missing_words,
    passes=lambda case: (
        f"{_missing_words(case)} A difference of {_missing_allowed(case)} is allowed."
        if case.data.missing_a or case.data.missing_b
        else f"No judged {case.nouns.query} is missing in A or B."
    ),
    next_step=lambda case: (
        "Check that both files are whole, or say in the policy what a missing "
        f"{case.nouns.query} means: no results, or left out."
    ),
)


def _small_gap(case: RuleInput) -> Condition:
    return Condition("difference in judged share", case.data.judged_gap or 0.0, "≤", case.policy.judged_gap, "share")


def _other_reading(case: RuleInput) -> RuleInput:
    """Return the same case with unjudged documents taken out of both lists."""
    return RuleInput(replace(case.evidence, plain=case.evidence.condensed, condensed=None), case.policy)


def _same_outcome(case: RuleInput) -> Conditions:
    """Return that the gap is small, or the outcome the same without the unjudged documents."""
    gap = _small_gap(case)
    if gap.holds:
        return all_of(gap)
    (counted, _), (without, _) = _both_readings(case)
    name = f"outcome without the unjudged {case.nouns.documents}"
    return ((gap, Condition(name, without.value, "is", counted.value, "outcome")),)


def _both_readings(case: RuleInput) -> list[tuple[Outcome, Rule | None]]:
    """Return the outcome and the rule that decides, as counted and without the unjudged documents."""
    rules = FIXED_READING_RULES if case.fixed else READING_RULES
    return [outcome_of(rules, one) for one in (case, _other_reading(case))]


def _unjudged_agree(case: RuleInput) -> str:
    shares = f"{wording.percent(case.data.judged_a)} of A’s and {wording.percent(case.data.judged_b)} of B’s"
    judged = f"{shares} top {case.policy.cutoff} are judged."
    if _small_gap(case).holds:
        return judged
    (_, counted), (_, without) = _both_readings(case)
    why = "." if counted is without or without is None else f": {without.check(_other_reading(case)).sentence}"
    return f"{judged} Without the unjudged {case.nouns.documents} the outcome is the same{why}"


def _has_condensed(case: RuleInput) -> bool:
    condensed: records.Reading | None = case.evidence.condensed
    return condensed is not None or _small_gap(case).holds


C5 = Rule(
    "C5",
    "Difference in judged share",
    "comparable",
    Outcome.NOT_COMPARABLE,
    needs=(
        Need(lambda case: case.data.kind == "judged", "Documents without a judgment count as not relevant."),
        Need(lambda case: case.data.judged_a is not None and case.data.judged_b is not None, "No document is shown."),
        Need(_has_condensed, "The lists without unjudged documents were not evaluated."),
    ),
    conditions=_same_outcome,
    says=lambda case: f"The answer depends on {case.nouns.documents_of(case.data.unjudged_shown, 'unjudged ')}.",
    passes=_unjudged_agree,
    would_change=lambda case: f"label {case.nouns.documents_of(case.data.unjudged_shown)}",
    next_step=lambda case: (
        f"Judge at most {case.nouns.documents_of(case.data.unjudged_shown)}. If {case.nouns.documents} without a "
        "judgment are not relevant, choose “relevant ones only” for Judgments in the policy."
    ),
    tells=2,
)

#: The whole table, in the order in which it decides.
RULES, FIXED = ((C1, C2, C6, C7, C4, C5, N0, *rules) for rules in (READING_RULES, FIXED_READING_RULES))
