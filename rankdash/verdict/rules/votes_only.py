"""The rules where there are votes and no judgments: C1, V1, H3, F1, U1, U2. No gate on n but V1.

All but V1 are rules beside judgments, asked of the votes: they keep their names, questions and outcomes. Their numbers
are ΔGSB, shown in points.
"""

from __future__ import annotations

from dataclasses import replace

from rankdash import wording
from rankdash.evidence.power import required_votes
from rankdash.verdict.records import Outcome
from rankdash.verdict.rules import comparable, gain, harm
from rankdash.verdict.rules.families import above, below
from rankdash.verdict.rules.harm import raters_say_worse
from rankdash.verdict.rules.rule import Case, Doubt, Need, Rule
from rankdash.verdict.rules.voting import USABLE_VOTES, unusable_limit, unusable_sentence, usable


def _lower(case: Case) -> float:
    return case.votes.lower95 or 0.0


def _upper(case: Case) -> float:
    return case.votes.upper95 or 0.0


def _delta(case: Case) -> float:
    return case.votes.delta or 0.0


def _mpe(case: Case) -> str:
    return f"{wording.number(100 * case.policy.votes_mpe, 1)}%"


def _required(case: Case, target: float) -> str:
    votes = case.votes
    return wording.about(required_votes((votes.good + votes.bad) / votes.n, min(target, 1.0)))


#: A ΔGSB without an interval proves nothing, and rules nothing out.
INTERVAL = Need(lambda case: case.votes.lower95 is not None, "ΔGSB has no interval: B always stood on one side.")
_NOT_ALONE = "; more votes alone do not launch it"


def _not_alone(case: Case) -> str:
    """Return what more votes cannot give where A is ahead."""
    return _NOT_ALONE if _delta(case) < 0 else ""


C1 = replace(
    comparable.C1,
    trips=lambda case: case.evidence.votes is None or case.votes.n < 1,
    observed=lambda case: float(case.votes.n) if case.evidence.votes else 0.0,
    limit=lambda case: 1.0,
    says=lambda case: "There are no votes." if case.evidence.votes else "There are neither judgments nor votes.",
    passes=lambda case: f"There are votes on {wording.count(case.votes.n, 'query', 'queries')}.",
    would_change=lambda case: "votes, or judgments",
    next_step=lambda case: "Add judgments or votes.",
)


def _more_votes(case: Case) -> str:
    missing = case.policy.votes_min - (case.votes.good + case.votes.bad)
    if missing > 0:
        return f"{wording.count(missing, 'more query', 'more queries')} voted good or bad"
    return unusable_limit(case.votes, case.policy)


V1 = Rule(
    "V1",
    "Usable votes",
    "enough",
    Outcome.NOT_PROVEN,
    trips=lambda case: not usable(case),
    observed=lambda case: float(case.votes.good + case.votes.bad),
    limit=lambda case: float(case.policy.votes_min),
    shown=wording.count,
    must="at least",
    says=lambda case: unusable_sentence(case.votes, case.policy),
    passes=lambda case: (
        f"{wording.count(case.votes.good + case.votes.bad, 'query is', 'queries are')} "
        "voted good or bad, and the votes can be used."
    ),
    would_change=lambda case: _more_votes(case) + _not_alone(case),
    next_step=lambda case: "Collect more votes, several raters per query, sides at random.",
)

H3 = replace(
    harm.H3,
    needs=(USABLE_VOTES,),
    trips=lambda case: below(_upper(case), 0.0),
    observed=_upper,
    limit=lambda case: 0.0,
    says=raters_say_worse,
    tag=None,
    passes=lambda case: f"Raters do not object: the 95% interval of ΔGSB ends at {wording.points(_upper(case))}.",
    would_change=lambda case: f"upper bound of ΔGSB {wording.points(_upper(case))}, needs ≥ 0",
)


def _loss_to_rule_out(case: Case) -> float:
    return max(case.policy.votes_mpe, case.policy.votes_margin)


def _at_best(case: Case) -> str:
    return f"Even at best raters prefer B by less than the {_mpe(case)} that matters"


def _shown(case: Case) -> str:
    return f"(95% interval {wording.points_between(case.votes.lower95, case.votes.upper95)})"


def _points(share: float) -> str:
    return f"{wording.number(100 * share, 1)}%"


F1 = replace(
    gain.F1,
    needs=(INTERVAL,),
    shown=wording.points,
    trips=lambda case: below(_upper(case), case.policy.votes_mpe),
    observed=_upper,
    limit=lambda case: case.policy.votes_mpe,
    says=lambda case: (
        f"{_at_best(case)}, and they do not prefer A by more than {_points(_loss_to_rule_out(case))} {_shown(case)}."
    ),
    doubt=Doubt(
        lambda case: above(_lower(case), -_loss_to_rule_out(case)),
        lambda case: f"{_at_best(case)}, and they may prefer A by {_points(-_lower(case))} {_shown(case)}.",
        "no gain in sight",
        "Look at the losses; more votes can only tell how large the loss is.",
    ),
    passes=lambda case: (
        f"A ΔGSB of {_mpe(case)} is still possible: the 95% interval ends at {wording.points(_upper(case))}."
    ),
    would_change=lambda case: f"upper bound of ΔGSB {wording.points(_upper(case))}, needs ≥ {_mpe(case)}",
)


def _looks(case: Case) -> str:
    if not _delta(case):
        return f"The votes are not distinguishable from a tie with {wording.count(case.votes.n, 'query', 'queries')}."
    side = "better" if _delta(case) > 0 else "worse"
    return f"B looks {side} by ΔGSB {wording.points(_delta(case))}, but chance alone can do this."


def _needed(case: Case) -> str:
    """Return how many queries with votes it takes; that more of them launch is promised to nobody."""
    text = f"A ΔGSB of {_mpe(case)} needs about {_required(case, case.policy.votes_mpe)} queries with votes"
    if _delta(case) < 0:
        return f"{text}. A is ahead: look at the losses first."
    if below(_delta(case), case.policy.votes_mpe):
        return f"{text}."
    return f"{text}, one as seen ({wording.points(_delta(case))}) about {_required(case, _delta(case))}."


U1 = replace(
    gain.U1,
    needs=(INTERVAL,),
    shown=wording.points,
    trips=lambda case: not above(_lower(case), 0.0),
    observed=_lower,
    limit=lambda case: 0.0,
    says=_looks,
    passes=lambda case: (
        f"Chance alone cannot do this: the 95% interval of ΔGSB begins at {wording.points(_lower(case))}."
    ),
    would_change=lambda case: f"lower bound of ΔGSB {wording.points(_lower(case))}, needs > 0{_not_alone(case)}",
    next_step=_needed,
)

U2 = replace(
    gain.U2,
    needs=(INTERVAL,),
    shown=wording.points,
    trips=lambda case: below(_delta(case), case.policy.votes_mpe),
    observed=_delta,
    limit=lambda case: case.policy.votes_mpe,
    says=lambda case: f"Raters really prefer B, but perhaps by less than the {_mpe(case)} that matters.",
    passes=lambda case: f"ΔGSB {wording.points(_delta(case))} reaches the {_mpe(case)} that matters.",
    would_change=lambda case: f"ΔGSB {wording.points(_delta(case))}, needs ≥ {_mpe(case)}",
)

VOTES_RULES = (C1, V1, H3, F1, U1, U2)
