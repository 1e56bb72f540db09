"""The rules of samples as they read other numbers: of queries that are all that matters, a golden set, with no interval
and no gate, only what each limit allows; and of votes without judgments, whose numbers are ΔGSB, shown in points.

They keep the ids, names, questions and outcomes of the rules for samples.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from rankdash import wording
from rankdash.evidence.paired import required_votes, required_votes_by_error
from rankdash.verdict import gain, harm, rule
from rankdash.verdict.harms import Tested, above, below
from rankdash.verdict.records import Condition, Conditions, Needed, Outcome, VoteNumbers, all_of, are_met
from rankdash.verdict.rule import Doubt, Need, OnLaunch, Rule, RuleInput, needs, on_queries, voted

#: No query stands for another, so that nothing can be left unproven.
SAMPLED = Need(lambda case: False, "These queries are all that matters: nothing is concluded for others.")


def _delta(case: RuleInput) -> float:
    return case.primary.delta or 0.0


def _primary(case: RuleInput, *limits: float) -> str:
    return f"{case.primary_label} {wording.near(_delta(case), 0.0, *limits)}"


FIXED_H1 = replace(
    harm.H1,
    needs=(),
    conditions=lambda case: all_of(Condition("difference", _delta(case), "≥", -case.policy.primary_margin)),
    says=lambda case: (
        f"B is worse: {_primary(case, -case.policy.primary_margin)} {on_queries(case)}, "
        f"beyond the limit of {harm.limit_of(case.policy.primary_margin)}."
    ),
    doubt=None,
    note=lambda case: "",
    passes=lambda case: (
        f"No loss beyond the limit: {_primary(case, -case.policy.primary_margin)}, "
        f"limit {harm.limit_of(case.policy.primary_margin)}."
    ),
    on_launch=OnLaunch(kept=True),
)


def _harms(case: RuleInput, tested: Sequence[Tested]) -> str:
    loss = harm.worst(tested)
    delta = wording.near(loss.delta, 0.0, -loss.margin)
    return (
        f"B harms {loss.what}: {delta} {on_queries(case, loss.of)}, beyond the limit of {harm.limit_of(loss.margin)}."
    )


def _within(tested: Sequence[Tested]) -> str:
    lowest = harm.worst(tested)
    delta = wording.near(lowest.delta, 0.0, -lowest.margin)
    return f"No loss beyond its limit; the lowest is {lowest.what} {delta}, limit {harm.limit_of(lowest.margin)}."


def _within_limits(
    row: Rule,
    of: Callable[[RuleInput], Sequence[Tested]],
    names: Callable[[RuleInput], Sequence[str]],
    tested: Need,
    place: int,
) -> Rule:
    """Return a rule of several measures on exactly these queries: ``of`` returns them, ``names`` their names."""
    return replace(
        row,
        needs=(tested,),
        conditions=lambda case: harm.harmless(of(case)),
        says=lambda case: _harms(case, of(case)),
        doubt=None,
        tag=lambda case: f"B harms {harm.worst(of(case)).what}",
        note=lambda case: "",
        passes=lambda case: _within(of(case)),
        on_launch=OnLaunch(safe=names, begins="no loss beyond its limit on", kept=True, place=place),
    )


FIXED_H2 = _within_limits(
    harm.H2,
    lambda case: case.harms.guards,
    lambda case: [guard.what for guard in case.harms.guards],
    harm.GUARDED,
    rule.OF_GUARDRAILS,
)
FIXED_H3 = replace(
    harm.H3, needs=harm.H3.needs[:-1], tag=lambda case: "raters prefer A" if _delta(case) > 0 else "B is worse"
)
FIXED_H4 = _within_limits(
    harm.H4,
    harm.watched,
    harm.watched_names,
    Need(lambda case: bool(harm.watched(case)), "The policy names no watch measure or segment that was measured."),
    rule.OF_WATCHED,
)


FIXED_H5 = replace(
    harm.H5,
    needs=harm.H5.needs[1:],
    conditions=lambda case: all_of(harm.excess(case, "≤")),
    doubt=None,
    passes=lambda case: (
        f"{harm.severe_counts(case)}."
        if case.harms.severe.losses <= case.harms.severe.wins
        else f"{harm.severe_counts(case)}: {harm.excess_of_limit(case)}."
    ),
)


def _no_gain(case: RuleInput) -> str:
    name, delta, on = case.primary_label, _delta(case), on_queries(case)
    if delta > 0:
        mpe = case.policy.mpe
        size = wording.near(delta, 0.0, mpe)
        return f"B raises {name} only by {size}, less than the {wording.limit(mpe)} that matters, {on}."
    if delta < 0:
        margin = case.policy.primary_margin
        size, where = wording.size_near(-delta, 0.0, margin), "beyond" if below(delta, -margin) else "within"
        return f"B lowers {name} by {size}, {where} the limit of {wording.limit(margin)}, {on}."
    return f"{name} is the same for A and B {on}."


def _gains(case: RuleInput) -> Conditions:
    least = Condition("difference", _delta(case), "≥", case.policy.mpe)
    return all_of(least) if case.policy.mpe > 0 else all_of(replace(least, relation=">"))


FIXED_F1 = replace(
    gain.F1,
    needs=(gain.IMPROVE,),
    conditions=_gains,
    says=_no_gain,
    doubt=None,
    tag=lambda case: "gain too small" if _delta(case) > 0 else "no gain",
    next_step=lambda case: "Look at the losses." if _delta(case) < 0 else "",
    passes=lambda case: f"The gain is {wording.near(_delta(case), 0.0, case.policy.mpe)} {on_queries(case)}.",
    on_launch=OnLaunch(kept=True),
)


#: The rules for samples, which depend on the numbers of a single reading and the votes.
SAMPLE_RULES = (gain.S0, *harm.HARM, *gain.GAIN, *harm.SAFETY)
_SAYS_SOMETHING = {row.id: row for row in (FIXED_H1, FIXED_H2, FIXED_H3, FIXED_H4, FIXED_H5, FIXED_F1, harm.U4)}
#: The same rules in the same order; a rule without a row here is silent.
FIXED_RULES = tuple(_SAYS_SOMETHING.get(row.id, replace(row, needs=(SAMPLED,))) for row in SAMPLE_RULES)


def _gsb_lower(case: RuleInput) -> float:
    return case.votes.lower95 or 0.0


def _gsb_upper(case: RuleInput) -> float:
    return case.votes.upper95 or 0.0


def _gsb_delta(case: RuleInput) -> float:
    return case.votes.delta or 0.0


def _gsb_mpe(case: RuleInput) -> str:
    return _gsb_limit(case.policy.votes_mpe)


def _gsb_limit(share: float) -> str:
    return f"{wording.limit(100 * share, decimals=1)}%"


def _gsb_near(share: float, *limits: float) -> str:
    return f"{wording.points_near(share, *limits)}%"


def _required(votes: VoteNumbers, target: float) -> int:
    """Return how many queries with votes a ΔGSB takes, by the standard error that the interval uses."""
    if votes.se is not None:
        return required_votes_by_error(votes.n, votes.se, target)
    return required_votes(votes.preferring / votes.n, min(target, 1.0))


def _gsb_to_tell(case: RuleInput) -> Needed:
    """Return how many queries with votes tell from 0 a ΔGSB that matters, and, where it reaches that, one as seen."""
    mpe, delta = case.policy.votes_mpe, _gsb_delta(case)
    found = {"gain": _required(case.votes, mpe)}
    return found if below(delta, mpe) else {**found, "as_seen": _required(case.votes, delta)}


#: A ΔGSB without an interval proves nothing, and rules nothing out.
GSB_INTERVAL = Need(lambda case: case.votes.lower95 is not None, "ΔGSB has no interval: B always stood on one side.")
_NOT_ALONE = "; more votes alone do not launch it"


def _not_alone(case: RuleInput) -> str:
    """Return that more votes alone do not launch B, where A is ahead."""
    return _NOT_ALONE if _gsb_delta(case) < 0 else ""


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


def _unusable(case: RuleInput) -> Condition:
    """Return why the votes cannot be used."""
    return next(group[0] for group in rule.usable_votes(case) if not are_met((group,)))


VOTES_V1 = Rule(
    "V1",
    "Usable votes",
    "enough",
    Outcome.NOT_PROVEN,
    conditions=rule.usable_votes,
    says=lambda case: rule.unusable_sentence(case.votes, case.policy),
    passes=lambda case: (
        f"{wording.count(case.votes.preferring, 'query was', 'queries were')} voted better or worse, "
        f"{wording.count(case.policy.votes_min)} are needed."
    ),
    would_change=lambda case: needs(_unusable(case)) + _not_alone(case),
    next_step=lambda case: "Collect votes on more queries, with sides at random.",
    tells=1,
)

VOTES_H3 = replace(harm.H3, needs=(rule.USABLE_VOTES,), tag=None)


def _gsb_loss_to_rule_out(case: RuleInput) -> float:
    return max(case.policy.votes_mpe, case.policy.votes_margin)


def _gsb_unlikely(case: RuleInput) -> str:
    loss = (
        f", and so is one below −{_gsb_limit(_gsb_loss_to_rule_out(case))}" if not above(_gsb_lower(case), 0.0) else ""
    )
    return f"A ΔGSB of {_gsb_mpe(case)} is unlikely{loss}: {voted(case)}."


def _gsb_loss_possible(case: RuleInput) -> str:
    lowest = _gsb_near(_gsb_lower(case), -_gsb_loss_to_rule_out(case))
    return f"A ΔGSB of {_gsb_mpe(case)} is unlikely; one of {lowest} is possible: {voted(case)}."


VOTES_F1 = replace(
    gain.F1,
    needs=(GSB_INTERVAL,),
    conditions=lambda case: all_of(
        Condition("upper bound of ΔGSB", _gsb_upper(case), "≥", case.policy.votes_mpe, "points")
    ),
    says=_gsb_unlikely,
    doubt=Doubt(
        lambda case: (Condition("lower bound of ΔGSB", _gsb_lower(case), ">", -_gsb_loss_to_rule_out(case), "points"),),
        _gsb_loss_possible,
        "no gain in sight",
        "Look at the losses; more votes can only tell how large the loss is.",
    ),
    passes=lambda case: (
        f"A ΔGSB of {_gsb_mpe(case)} is still possible: the 95% interval ends at "
        f"{_gsb_near(_gsb_upper(case), 0.0, case.policy.votes_mpe)}."
    ),
)


def _gsb_needed(case: RuleInput) -> str:
    """Return how many queries with votes it takes, without a promise that more of them launch B."""
    needed = _gsb_to_tell(case)
    text = f"A ΔGSB of {_gsb_mpe(case)} takes about {wording.about(needed['gain'])} queries with votes"
    if _gsb_delta(case) < 0:
        return f"{text}. A is ahead: look at the losses first."
    if "as_seen" not in needed:
        return f"{text}."
    return f"{text}, one as seen ({wording.points(_gsb_delta(case))}) about {wording.about(needed['as_seen'])}."


def _above_chance(case: RuleInput) -> Condition:
    return Condition("lower bound of ΔGSB", _gsb_lower(case), ">", 0.0, "points")


VOTES_U1 = replace(
    gain.U1,
    needs=(GSB_INTERVAL,),
    conditions=lambda case: all_of(_above_chance(case)),
    says=lambda case: (
        f"{'Raters do not prefer B' if below(_gsb_upper(case), 0.0) else 'No preference is proven'}: {voted(case)}."
    ),
    passes=lambda case: (
        f"Chance alone would rarely do this: the 95% interval of ΔGSB begins at {_gsb_near(_gsb_lower(case), 0.0)}."
    ),
    would_change=lambda case: needs(_above_chance(case)) + _not_alone(case),
    next_step=_gsb_needed,
    needed=_gsb_to_tell,
)

VOTES_U2 = replace(
    gain.U2,
    needs=(GSB_INTERVAL,),
    conditions=lambda case: all_of(Condition("ΔGSB", _gsb_delta(case), "≥", case.policy.votes_mpe, "points")),
    says=lambda case: (
        f"{'Raters prefer B, but the' if above(_gsb_lower(case), 0.0) else 'The'} estimate is below the "
        f"{_gsb_mpe(case)} that matters: {voted(case)}."
    ),
    passes=lambda case: (
        f"ΔGSB is estimated at {_gsb_near(_gsb_delta(case), case.policy.votes_mpe)}; the least that matters is "
        f"{_gsb_mpe(case)}."
    ),
    next_step=lambda case: f"More votes tell whether ΔGSB reaches {_gsb_mpe(case)}.",
    on_launch=OnLaunch(),
)

VOTES_RULES = (VOTES_C1, VOTES_V1, VOTES_H3, VOTES_F1, VOTES_U1, VOTES_U2)
