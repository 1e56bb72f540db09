"""The rules where there are votes and no judgments: C1, V1, H3, F1, U1, U2. No gate on n but V1.

All but V1 are rules beside judgments that read the votes instead: they keep their names, questions and outcomes. Their
numbers are ΔGSB, shown in points.
"""

from __future__ import annotations

from dataclasses import replace

from rankdash import wording
from rankdash.evidence.paired import required_votes, required_votes_by_error
from rankdash.verdict.records import Condition, Needed, Outcome, VoteNumbers, all_of, are_met
from rankdash.verdict.rules import comparable, gain, harm
from rankdash.verdict.rules.families import above, below
from rankdash.verdict.rules.rule import Doubt, Need, OnLaunch, Rule, RuleInput
from rankdash.verdict.rules.voting import USABLE_VOTES, raters_prefer_a, unusable_sentence, usable_votes, voted
from rankdash.verdict.rules.words import needs


def _lower(case: RuleInput) -> float:
    return case.votes.lower95 or 0.0


def _upper(case: RuleInput) -> float:
    return case.votes.upper95 or 0.0


def _delta(case: RuleInput) -> float:
    return case.votes.delta or 0.0


def _mpe(case: RuleInput) -> str:
    return _limit(case.policy.votes_mpe)


def _limit(share: float) -> str:
    return f"{wording.limit(100 * share, decimals=1)}%"


def _near(share: float, *limits: float) -> str:
    return f"{wording.points_near(share, *limits)}%"


def _required(votes: VoteNumbers, target: float) -> int:
    """Return how many queries with votes a ΔGSB takes, by the standard error that the interval uses."""
    if votes.se is not None:
        return required_votes_by_error(votes.n, votes.se, target)
    return required_votes(votes.preferring / votes.n, min(target, 1.0))


def _to_tell(case: RuleInput) -> Needed:
    """Return how many queries with votes tell from 0 a ΔGSB that matters, and, where it reaches that, one as seen."""
    mpe, delta = case.policy.votes_mpe, _delta(case)
    found = {"gain": _required(case.votes, mpe)}
    return found if below(delta, mpe) else {**found, "as_seen": _required(case.votes, delta)}


#: A ΔGSB without an interval proves nothing, and rules nothing out.
INTERVAL = Need(lambda case: case.votes.lower95 is not None, "ΔGSB has no interval: B always stood on one side.")
_NOT_ALONE = "; more votes alone do not launch it"


def _not_alone(case: RuleInput) -> str:
    """Return that more votes alone do not launch B, where A is ahead."""
    return _NOT_ALONE if _delta(case) < 0 else ""


C1 = replace(
    comparable.C1,
    conditions=lambda case: all_of(
        Condition("queries with votes", case.votes.n if case.evidence.votes else 0, "≥", 1, "count")
    ),
    says=lambda case: "There are no votes." if case.evidence.votes else "There are neither judgments nor votes.",
    passes=lambda case: f"There are votes on {wording.count(case.votes.n, 'query', 'queries')}.",
    would_change=lambda case: "votes, or judgments",
    next_step=lambda case: "Add judgments or votes.",
)


def _unusable(case: RuleInput) -> Condition:
    """Return why the votes cannot be used."""
    return next(group[0] for group in usable_votes(case) if not are_met((group,)))


V1 = Rule(
    "V1",
    "Usable votes",
    "enough",
    Outcome.NOT_PROVEN,
    conditions=usable_votes,
    says=lambda case: unusable_sentence(case.votes, case.policy),
    passes=lambda case: (
        f"{wording.count(case.votes.preferring, 'query was', 'queries were')} voted better or worse, "
        f"{wording.count(case.policy.votes_min)} are needed."
    ),
    would_change=lambda case: needs(_unusable(case)) + _not_alone(case),
    next_step=lambda case: "Collect votes on more queries, with sides at random.",
    tells=1,
)

H3 = replace(
    harm.H3,
    needs=(USABLE_VOTES,),
    says=raters_prefer_a,
    tag=None,
)


def _loss_to_rule_out(case: RuleInput) -> float:
    return max(case.policy.votes_mpe, case.policy.votes_margin)


def _unlikely(case: RuleInput) -> str:
    loss = f", and so is one below −{_limit(_loss_to_rule_out(case))}" if not above(_lower(case), 0.0) else ""
    return f"A ΔGSB of {_mpe(case)} is unlikely{loss}: {voted(case)}."


def _loss_possible(case: RuleInput) -> str:
    lowest = _near(_lower(case), -_loss_to_rule_out(case))
    return f"A ΔGSB of {_mpe(case)} is unlikely; one of {lowest} is possible: {voted(case)}."


F1 = replace(
    gain.F1,
    needs=(INTERVAL,),
    conditions=lambda case: all_of(
        Condition("upper bound of ΔGSB", _upper(case), "≥", case.policy.votes_mpe, "points")
    ),
    says=_unlikely,
    doubt=Doubt(
        lambda case: (Condition("lower bound of ΔGSB", _lower(case), ">", -_loss_to_rule_out(case), "points"),),
        _loss_possible,
        "no gain in sight",
        "Look at the losses; more votes can only tell how large the loss is.",
    ),
    passes=lambda case: (
        f"A ΔGSB of {_mpe(case)} is still possible: the 95% interval ends at "
        f"{_near(_upper(case), 0.0, case.policy.votes_mpe)}."
    ),
)


def _needed(case: RuleInput) -> str:
    """Return how many queries with votes it takes, without a promise that more of them launch B."""
    needed = _to_tell(case)
    text = f"A ΔGSB of {_mpe(case)} takes about {wording.about(needed['gain'])} queries with votes"
    if _delta(case) < 0:
        return f"{text}. A is ahead: look at the losses first."
    if "as_seen" not in needed:
        return f"{text}."
    return f"{text}, one as seen ({wording.points(_delta(case))}) about {wording.about(needed['as_seen'])}."


def _above_chance(case: RuleInput) -> Condition:
    return Condition("lower bound of ΔGSB", _lower(case), ">", 0.0, "points")


U1 = replace(
    gain.U1,
    needs=(INTERVAL,),
    conditions=lambda case: all_of(_above_chance(case)),
    says=lambda case: (
        f"{'Raters do not prefer B' if below(_upper(case), 0.0) else 'No preference is proven'}: {voted(case)}."
    ),
    passes=lambda case: (
        f"Chance alone would rarely do this: the 95% interval of ΔGSB begins at {_near(_lower(case), 0.0)}."
    ),
    would_change=lambda case: needs(_above_chance(case)) + _not_alone(case),
    next_step=_needed,
    needed=_to_tell,
)

U2 = replace(
    gain.U2,
    needs=(INTERVAL,),
    conditions=lambda case: all_of(Condition("ΔGSB", _delta(case), "≥", case.policy.votes_mpe, "points")),
    says=lambda case: (
        f"{'Raters prefer B, but the' if above(_lower(case), 0.0) else 'The'} estimate is below the {_mpe(case)} that "
        f"matters: {voted(case)}."
    ),
    passes=lambda case: (
        f"ΔGSB is estimated at {_near(_delta(case), case.policy.votes_mpe)}; the least that matters is {_mpe(case)}."
    ),
    next_step=lambda case: f"More votes tell whether ΔGSB reaches {_mpe(case)}.",
    on_launch=OnLaunch(),
)

VOTES_RULES = (C1, V1, H3, F1, U1, U2)
