"""The rules where the queries are all that matters, a golden set: no interval, no gate, only what each limit allows.

They have the ids, names, questions and outcomes of the rules for samples. Votes still need proof.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from rankdash import wording
from rankdash.verdict.records import Condition, Conditions, all_of
from rankdash.verdict.rules import gain, harm, safety
from rankdash.verdict.rules.families import Tested, below
from rankdash.verdict.rules.gain import IMPROVE
from rankdash.verdict.rules.harm import (
    GUARDED,
    excess,
    harmless,
    limit_of,
    severe_counts,
    severe_on,
    watched,
    watched_names,
    worst,
)
from rankdash.verdict.rules.rule import OF_GUARDRAILS, OF_WATCHED, Need, OnLaunch, Rule, RuleInput
from rankdash.verdict.rules.words import on_queries

#: No query stands for another, so that nothing can be left unproven.
SAMPLED = Need(lambda case: False, "These queries are all that matters: nothing is concluded for others.")


def _delta(case: RuleInput) -> float:
    return case.primary.delta or 0.0


def _primary(case: RuleInput, *limits: float) -> str:
    return f"{case.primary_label} {wording.near(_delta(case), 0.0, *limits)}"


H1 = replace(
    harm.H1,
    needs=(),
    conditions=lambda case: all_of(Condition("difference", _delta(case), "≥", -case.policy.primary_margin)),
    says=lambda case: (
        f"B is worse: {_primary(case, -case.policy.primary_margin)} {on_queries(case)}, "
        f"beyond the limit of {limit_of(case.policy.primary_margin)}."
    ),
    doubt=None,
    note=lambda case: "",
    passes=lambda case: (
        f"No loss beyond the limit: {_primary(case, -case.policy.primary_margin)}, "
        f"limit {limit_of(case.policy.primary_margin)}."
    ),
    on_launch=OnLaunch(kept=True),
)


def _harms(case: RuleInput, tested: Sequence[Tested]) -> str:
    loss = worst(tested)
    delta = wording.near(loss.delta, 0.0, -loss.margin)
    return f"B harms {loss.what}: {delta} {on_queries(case, loss.of)}, beyond the limit of {limit_of(loss.margin)}."


def _within(tested: Sequence[Tested]) -> str:
    lowest = worst(tested)
    delta = wording.near(lowest.delta, 0.0, -lowest.margin)
    return f"No loss beyond its limit; the lowest is {lowest.what} {delta}, limit {limit_of(lowest.margin)}."


def _guards(case: RuleInput) -> Sequence[Tested]:
    return case.harms.guards


def _guard_names(case: RuleInput) -> list[str]:
    return [guard.what for guard in _guards(case)]


def _within_limits(
    rule: Rule,
    of: Callable[[RuleInput], Sequence[Tested]],
    names: Callable[[RuleInput], Sequence[str]],
    tested: Need,
    place: int,
) -> Rule:
    """Return a rule of several measures on exactly these queries: ``of`` returns them, ``names`` their names."""
    return replace(
        rule,
        needs=(tested,),
        conditions=lambda case: harmless(of(case)),
        says=lambda case: _harms(case, of(case)),
        doubt=None,
        tag=lambda case: f"B harms {worst(of(case)).what}",
        note=lambda case: "",
        passes=lambda case: _within(of(case)),
        on_launch=OnLaunch(safe=names, begins="no loss beyond its limit on", kept=True, place=place),
    )


H2 = _within_limits(harm.H2, _guards, _guard_names, GUARDED, OF_GUARDRAILS)
H3 = replace(
    harm.H3, needs=harm.H3.needs[:-1], tag=lambda case: "raters prefer A" if _delta(case) > 0 else "B is worse"
)
H4 = _within_limits(
    harm.H4,
    watched,
    watched_names,
    Need(lambda case: bool(watched(case)), "The policy names no watch measure or segment that was measured."),
    OF_WATCHED,
)


H5 = replace(
    harm.H5,
    needs=harm.H5.needs[1:],
    conditions=lambda case: all_of(excess(case, "≤")),
    says=lambda case: f"B breaks more queries than it rescues: {severe_on(case)}.",
    doubt=None,
    passes=lambda case: (
        f"{severe_counts(case)}."
        if case.harms.severe.losses <= case.harms.severe.wins
        else f"{severe_counts(case)}: {harm.excess_of_limit(case)}."
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


F1 = replace(
    gain.F1,
    needs=(IMPROVE,),
    conditions=_gains,
    says=_no_gain,
    doubt=None,
    tag=lambda case: "gain too small" if _delta(case) > 0 else "no gain",
    next_step=lambda case: "Look at the losses." if _delta(case) < 0 else "",
    passes=lambda case: f"The gain is {wording.near(_delta(case), 0.0, case.policy.mpe)} {on_queries(case)}.",
    on_launch=OnLaunch(kept=True),
)


def _silent(rule: Rule) -> Rule:
    return replace(rule, needs=(SAMPLED,))


#: The rules for samples, which depend on the numbers of a single reading and the votes.
SAMPLE_RULES = (gain.S0, *harm.HARM, *gain.GAIN, *safety.SAFETY)
_SAYS_SOMETHING = {rule.id: rule for rule in (H1, H2, H3, H4, H5, F1, safety.U4)}
#: The same rules in the same order; a rule without a row here is silent.
FIXED_RULES = tuple(_SAYS_SOMETHING.get(rule.id, _silent(rule)) for rule in SAMPLE_RULES)
