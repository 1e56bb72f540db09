"""What the verdict stands on: the four questions with their rules, the interval chart, and how it was computed."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from rankdash import charts, style
from rankdash.dashboard.kit import browser_history, session_values
from rankdash.dashboard.kit.literal import plain
from rankdash.dashboard.navigation import SCRIPTS
from rankdash.report.questions import Answer, answers
from rankdash.report.sections import headline
from rankdash.report.sections.rules import RuleRow, convention_words, rule_rows
from rankdash.scoring import Comparison
from rankdash.verdict import Verdict
from rankdash.verdict.rules.rule import Rule


def questions(verdict: Verdict, rules: Sequence[Rule], wrong: Sequence[str] = ()) -> None:
    """Draw the four questions with their answers, and the rules behind each on demand.

    ``rules`` are those that were evaluated; ``wrong`` is what is wrong with the files.
    """
    for answer in answers(verdict):
        status = answer.status.value
        with st.container(horizontal=True, vertical_alignment="center", gap="small", wrap=False):
            with st.container(gap=None):
                st.markdown(f"**{style.QUESTIONS[answer.question]}** {style.STATUS_ICON[status]} **{answer.word}**")
                st.caption(plain(answer.sentence))
            with st.popover(style.RULES, key=f"rules_{answer.question}"):
                _rules(answer, rules)
        if answer.question == "comparable":
            for sentence in wrong:
                st.caption(f":orange[:material/warning:] {plain(sentence)}")


def behind(verdict: Verdict, comparison: Comparison | None = None) -> DeltaGenerator:
    """Say what decided, what would change it, and what else there is to tell of the rules. Return a place below, for
    what takes longer to compute.
    """
    with st.container(key="behind", gap="xsmall"):
        lines = (f":small[:gray[{label}] {plain(text)}]" for label, text in headline.behind(verdict, comparison))
        st.markdown("  \n".join(lines))
        return st.empty()


def _rules(answer: Answer, rules: Sequence[Rule]) -> None:
    rows = rule_rows(answer, rules)
    st.table(
        pd.DataFrame(map(_cells, rows), columns=list(style.RULE_COLUMNS)),
        border="horizontal",
        hide_index=True,
        alt=style.QUESTIONS[answer.question],
    )
    shown = {row.rule for row in rows}
    for rule in rules:
        if rule.is_one_sided and rule.id in shown:
            st.caption(style.BOUND_OF_RULE.format(rule=rule.id))
    # A table that is longer than a screen is moved with it: there is something for the keyboard in that.
    if st.button(style.RULES_MORE, key=f"rules_more_{answer.question}", type="tertiary", icon=":material/menu_book:"):
        session_values.set_value("section", "verdict")
        browser_history.go(SCRIPTS["method"])


def _cells(row: RuleRow) -> tuple[str, ...]:
    status = f"{style.STATUS_ICON[row.status]} {style.STATUS[row.status]}"
    return (
        f":gray[{plain(row.rule)}] {row.name}",
        plain(row.condition),
        status,
        plain(row.sentence),
    )


def intervals(comparison: Comparison) -> None:
    """Draw the interval chart with its title and legend."""
    has_intervals = comparison.sample.inferred and any(result.paired.ci95 is not None for result in comparison.results)
    st.subheader(style.INTERVALS if has_intervals else style.DIFFERENCES, anchor=False)
    st.plotly_chart(
        charts.interval_chart(comparison),
        key="interval_chart",
        config=charts.CONFIG,
        alt=charts.intervals_alt(comparison),
    )
    st.caption(style.INTERVALS_LEGEND)


def convention(comparison: Comparison) -> None:
    """Say how the numbers were computed, in one line."""
    st.caption(plain(convention_words(comparison)))
