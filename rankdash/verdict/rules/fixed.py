"""The rules where the queries are all that matters, a golden set: no interval, no gate, only what each limit allows.

They have the ids, names, questions and outcomes of the rules for samples. Votes still need proof.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from rankdash import wording
from rankdash.verdict.rules import gain, harm, safety
from rankdash.verdict.rules.families import Tested, above, below
from rankdash.verdict.rules.gain import IMPROVE
from rankdash.verdict.rules.harm import GUARDED, limit_of, lost, severe_counts, severe_on, watched, watched_names, worst
from rankdash.verdict.rules.rule import OF_GUARDRAILS, OF_WATCHED, KeptLimit, Need, OnLaunch, Rule, RuleInput, kept
from rankdash.verdict.rules.words import on_queries

#: No query stands for another, so that nothing can be left unproven.
SAMPLED = Need(lambda case: False, "These queries are all that matters: nothing is concluded for others.")


def _delta(case: RuleInput) -> float:
    return case.primary.delta or 0.0


def _kept(case: RuleInput, limit: float) -> list[KeptLimit]:
    return [kept("difference", _delta(case), limit, "≥")]


def _primary(case: RuleInput, *limits: float) -> str:
    return f"{case.primary_label} {wording.near(_delta(case), 0.0, *limits)}"


H1 = replace(
    harm.H1,
    needs=(),
    trips=lambda case: below(_delta(case), -case.policy.primary_margin),
    observed=_delta,
    limit=lambda case: -case.policy.primary_margin,
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
    would_change=lambda case: (
        f"difference {wording.near(_delta(case), -case.policy.primary_margin)}, "
        f"needs ≥ {limit_of(case.policy.primary_margin)}"
    ),
    on_launch=OnLaunch(
        kept=lambda case: _kept(case, -case.policy.primary_margin) if case.policy.intent == "do_no_harm" else []
    ),
)


def _harms(case: RuleInput, tested: Sequence[Tested]) -> str:
    loss = worst(tested)
    delta = wording.near(loss.delta, 0.0, -loss.margin)
    return (
        f"B harms {loss.what}: {delta} {on_queries(case, loss.segment)}, beyond the limit of {limit_of(loss.margin)}."
    )


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
        must="at least",
        trips=lambda case: worst(of(case)).lost,
        observed=lambda case: worst(of(case)).delta,
        limit=lambda case: -worst(of(case)).margin,
        says=lambda case: _harms(case, of(case)),
        doubt=None,
        tag=lambda case: f"B harms {worst(of(case)).what}",
        note=lambda case: "",
        passes=lambda case: _within(of(case)),
        would_change=lambda case: lost(worst(of(case))).replace("needs >", "needs ≥"),
        on_launch=OnLaunch(
            safe=names,
            begins="no loss beyond its limit on",
            kept=lambda case: [kept(measure.what, measure.delta, -measure.margin, "≥") for measure in of(case)],
            place=place,
        ),
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


def _allowed_excess(case: RuleInput) -> float:
    return case.policy.big_excess_min * case.primary.n


def _excess(case: RuleInput) -> float:
    severe = case.harms.severe
    return float(severe.losses - severe.wins)


H5 = replace(
    harm.H5,
    needs=harm.H5.needs[1:],
    trips=lambda case: above(_excess(case) / max(case.primary.n, 1), case.policy.big_excess_min),
    observed=lambda case: float(case.harms.severe.losses),
    limit=lambda case: case.harms.severe.wins + float(int(round(_allowed_excess(case), 9))),
    says=lambda case: f"B breaks more queries than it rescues: {severe_on(case)}.",
    doubt=None,
    passes=lambda case: (
        f"{severe_counts(case)}." if _excess(case) <= 0 else f"{severe_counts(case)}: {harm.excess_of_limit(case)}."
    ),
    would_change=lambda case: (
        f"{severe_counts(case)}, needs ≤ {wording.count(case.harms.severe.wins + int(round(_allowed_excess(case), 9)))}"
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


def _gains(case: RuleInput) -> bool:
    return _delta(case) > 0 and not below(_delta(case), case.policy.mpe)


def _needs_gain(case: RuleInput) -> str:
    return f"difference {wording.near(_delta(case), 0.0, case.policy.mpe)}, needs {gain.gain_needed(case)}"


F1 = replace(
    gain.F1,
    needs=(IMPROVE,),
    trips=lambda case: not _gains(case),
    observed=_delta,
    limit=lambda case: case.policy.mpe,
    says=_no_gain,
    doubt=None,
    tag=lambda case: "gain too small" if _delta(case) > 0 else "no gain",
    next_step=lambda case: "Look at the losses." if _delta(case) < 0 else "",
    passes=lambda case: f"The gain is {wording.near(_delta(case), 0.0, case.policy.mpe)} {on_queries(case)}.",
    would_change=_needs_gain,
    on_launch=OnLaunch(kept=lambda case: _kept(case, case.policy.mpe)),
)


def _silent(rule: Rule) -> Rule:
    return replace(rule, needs=(SAMPLED,))


#: The rules for samples, which depend on the numbers of a single reading and the votes.
SAMPLE_RULES = (gain.S0, *harm.HARM, *gain.GAIN, *safety.SAFETY)
_SAYS_SOMETHING = {rule.id: rule for rule in (H1, H2, H3, H4, H5, F1, safety.U4)}
#: The same rules in the same order; a rule without a row here is silent.
FIXED_RULES = tuple(_SAYS_SOMETHING.get(rule.id, _silent(rule)) for rule in SAMPLE_RULES)
