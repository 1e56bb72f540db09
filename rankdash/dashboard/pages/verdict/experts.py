"""The experts' panel, closed by default: nothing of it is computed before somebody opens it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pandas as pd
import streamlit as st

from rankdash.case import Case
from rankdash.dashboard.host.results import once
from rankdash.dashboard.kit.literal import plain
from rankdash.dashboard.pages.verdict import neighbours
from rankdash.dashboard.session import session, verdicts
from rankdash.evidence.expertise import Expertise
from rankdash.evidence.votes.gsb import Gsb
from rankdash.policy import Policy
from rankdash.scoring import Comparison, Result, expertise_of
from rankdash.style import evidence as words
from rankdash.verdict import Caveat, Fragility, Robustness, decide
from rankdash.wording import NOT_DEFINED, count, number, p_value, percent, signed


@dataclass(frozen=True)
class ExpertNumbers:
    """What the panel shows: the tests of each measure, and caveats that only the tests can see."""

    experts: tuple[Expertise, ...]
    caveats: tuple[Caveat, ...]


def panel(case: Case) -> None:
    """Draw the other tests, effect sizes, power, and the verdict under neighbouring settings."""
    expander = st.expander(words.EXPERTS, key="experts", on_change="rerun")
    if not expander.open:
        return
    with expander:
        with st.spinner(words.EXPERTS_WORKING):
            numbers = _numbers(case, session.now().policy)
            robust = neighbours.of(case, session.now().policy)
        opened = verdicts.opened(case)
        _tests(opened.comparison, numbers)
        _settings(robust)
        _fragile(opened.verdict.fragility)


@once
def _numbers(case: Case, policy: Policy) -> ExpertNumbers:
    """Return everything that the panel shows, once per content and policy."""
    opened = verdicts.opened(case, policy)
    comparison = opened.comparison
    tested = replace(comparison, experts=expertise_of(comparison.deltas, comparison.sample))
    ids = {caveat.id for caveat in opened.verdict.caveats}
    seen = tuple(caveat for caveat in decide(tested).caveats if caveat.id not in ids)
    return ExpertNumbers(tested.experts or (), seen)


def _tests(comparison: Comparison, numbers: ExpertNumbers) -> None:
    rows = [_row(result, expertise) for result, expertise in zip(comparison.results, numbers.experts, strict=True)]
    st.table(
        pd.DataFrame(rows, columns=list(words.EXPERT_COLUMNS)), border="horizontal", hide_index=True, alt=words.EXPERTS
    )
    many = len(comparison.results)
    notes = list(
        dict.fromkeys(expertise.permutation.note for expertise in numbers.experts if expertise.permutation.note)
    )
    notes += [f"{words.EXPERTS_SEE_ALSO}: {caveat.sentence}" for caveat in numbers.caveats]
    once = comparison.primary.paired.delta_unweighted
    if comparison.primary.paired.is_weighted:
        measure = comparison.primary.label
        notes.append(words.EXPERTS_UNWEIGHTED.format(measure=measure, delta=signed(once)))
    if comparison.primary.paired.clusters is not None:
        notes.append(words.EXPERTS_GROUPED)
    if comparison.policy.inference == "fixed":
        notes.append(words.EXPERTS_FIXED)
    for note in notes:
        st.markdown(f":orange[:material/warning:] {plain(note)}")
    boot = numbers.experts[0].bootstrap
    said = [
        words.EXPERTS_HOLM.format(n=count(many)) if many > 1 else words.EXPERTS_ONE,
        words.EXPERTS_HOW,
        words.EXPERTS_DRAWS.format(draws=count(boot.draws), seed=boot.seed),
    ]
    if comparison.votes is not None:
        said.append(_votes(comparison.votes.gsb))
    st.caption(" ".join(said))


def _row(result: Result, expertise: Expertise) -> tuple[str, ...]:
    paired, ends = result.paired, expertise.bootstrap.bca95
    return (
        plain(result.label),
        signed(paired.delta, 4),
        f"{p_value(paired.t_p)} ({p_value(result.holm_p)})",
        p_value(expertise.permutation.p),
        NOT_DEFINED if ends is None else f"{signed(ends[0])} to {signed(ends[1])}",
        p_value(expertise.wilcoxon.p),
        p_value(expertise.pratt.p),
        p_value(expertise.sign_p),
        number(paired.effect_size, 2),
        number(paired.hedges_g, 2),
        number(paired.mde80),
        NOT_DEFINED if paired.required_n_mpe is None else count(paired.required_n_mpe),
    )


def _votes(gsb: Gsb) -> str:
    low, high = gsb.win_rate_ci95 or (None, None)
    line = words.EXPERTS_VOTES_LINE.format(
        p=p_value(gsb.p), rate=percent(gsb.win_rate), low=percent(low), high=percent(high)
    )
    return f"{words.EXPERTS_VOTES}: {line}."


def _fragile(fragility: Fragility | None) -> None:
    """Say how few queries carry the outcome, by name."""
    if fragility is None:
        said = words.FRAGILE_NOT
    elif fragility.n is None or fragility.turns_to is None:
        said = words.FRAGILE_NO.format(searched=count(fragility.searched))
    else:
        queries = count(fragility.n, *words.FRAGILE_QUERIES)
        outcome = words.OUTCOMES[fragility.turns_to.value]
        said = words.FRAGILE_YES.format(queries=queries, ids=", ".join(fragility.queries), outcome=outcome)
    st.markdown(f"**{words.FRAGILE}** {plain(said)}")


def _settings(robust: Robustness) -> None:
    """Draw the verdict again, setting by setting."""
    holds = words.ROBUST_HOLDS.format(holding=count(robust.holding), n=count(len(robust.settings)))
    st.markdown(f"**{words.ROBUST}** {plain(holds)}")
    rows = [
        (plain(setting.name), words.OUTCOMES[setting.outcome.value], words.HOLDS[setting.holds])
        for setting in robust.settings
    ]
    st.table(
        pd.DataFrame(rows, columns=list(words.ROBUST_COLUMNS)),
        border="horizontal",
        hide_index=True,
        width="content",
        alt=words.ROBUST,
    )
