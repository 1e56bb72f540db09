"""What the verdict stands on: the four questions with their rules, the interval chart, and how it was computed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from rankdash import charts, style
from rankdash.comparison import Comparison
from rankdash.dashboard.kit.literal import plain
from rankdash.report.json import preset_of
from rankdash.report.questions import Answer, answers
from rankdash.verdict import Check, Status, Verdict
from rankdash.verdict.rules.rule import Rule


def questions(verdict: Verdict, rules: Sequence[Rule], wrong: Sequence[str] = ()) -> None:
    """Draw the four questions with their answers, and the rules behind each on demand.

    ``rules`` are those that were evaluated; ``wrong`` is what is wrong with the files, shown where nothing can be
    compared.
    """
    for answer in answers(verdict):
        status = answer.status.value
        with st.container(horizontal=True, vertical_alignment="center", gap="small", wrap=False):
            with st.container(gap=None):
                st.markdown(f"**{style.QUESTIONS[answer.question]}** {style.STATUS_ICON[status]} **{answer.word}**")
                st.caption(plain(answer.sentence))
            with st.popover(style.RULES, key=f"rules_{answer.question}"):
                _rules(answer, {rule.id: rule for rule in rules})
        if answer.question == "comparable" and answer.status is Status.FAILED:
            for sentence in wrong:
                st.caption(f":orange[:material/warning:] {plain(sentence)}")


def _rules(answer: Answer, rules: Mapping[str, Rule]) -> None:
    rows = [_rule(check, rules[check.rule]) for check in answer.checks]
    st.table(
        pd.DataFrame(rows, columns=list(style.RULE_COLUMNS)),
        border="horizontal",
        hide_index=True,
        alt=style.QUESTIONS[answer.question],
    )


def _rule(check: Check, rule: Rule) -> tuple[str, ...]:
    status = check.status.value
    return (
        f":gray[{plain(check.rule)}] {rule.name}",
        "" if check.observed is None else plain(rule.shown(check.observed)),
        "" if check.limit is None or not rule.must else plain(f"{rule.must} {rule.shown(check.limit)}"),
        f"{style.STATUS_ICON[status]} {style.STATUS[status]}",
        plain(check.sentence),
    )


def intervals(comparison: Comparison) -> None:
    """The interval chart with its title and legend."""
    st.subheader(style.INTERVALS if comparison.sample.inferred else style.DIFFERENCES, anchor=False)
    st.plotly_chart(
        charts.interval_chart(comparison),
        key="interval_chart",
        config=charts.CONFIG,
        alt=charts.intervals_alt(comparison),
    )
    st.caption(style.INTERVALS_LEGEND)


def convention(comparison: Comparison) -> None:
    """How the numbers were computed, in one line."""
    st.caption(plain(convention_words(comparison)))


def convention_words(comparison: Comparison) -> str:
    """Return the convention in force, axis by axis, as far as it changes numbers between the presets."""
    spelled = comparison.convention.spelled_out()
    axes = [
        style.OWN_GAINS.format(table=comparison.convention.gain)
        if isinstance(spelled[axis], dict)
        else words[spelled[axis]]
        for axis, words in style.AXES.items()
    ]
    population = style.POPULATION[comparison.policy.population].format(k=comparison.policy.cutoff)
    name = preset_of(comparison) or style.CUSTOM
    return f"{style.CONVENTION.format(name=name, axes=', '.join(axes))} {population}".rstrip()
