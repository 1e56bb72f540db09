"""What the method page explains: presets, measures, the discount, textbook examples, and what stays open."""

from __future__ import annotations

import math

import pandas as pd
import streamlit as st

from rankdash import charts, style
from rankdash.case import Case
from rankdash.conventions import PRESETS
from rankdash.dashboard.host.results import once
from rankdash.dashboard.kit.browser_history import linked
from rankdash.dashboard.kit.literal import plain
from rankdash.dashboard.pages.method.axes import counted_otherwise
from rankdash.dashboard.session import verdicts
from rankdash.inspect.method import Mean, at_cutoff, other_forms, textbook_gsb, textbook_value, under_presets, weights
from rankdash.metrics import DEFINITIONS
from rankdash.metrics.definitions import peer_name
from rankdash.policy import Policy
from rankdash.report.notes import preset_of
from rankdash.style import evidence
from rankdash.style import method as words
from rankdash.style import verdict as decided
from rankdash.verdict import RULES, VERSION
from rankdash.wording import number, points

_DEPTH = 20
_LARGEST = 100_000


def presets(opened: verdicts.Opened) -> None:
    """Draw the same data under every preset, with the tools' own names and a sentence each, at any cutoff."""
    comparison = opened.comparison
    with st.container(horizontal=True, vertical_alignment="bottom"):
        with st.container(gap="xsmall"):
            st.subheader(words.PRESETS_TITLE, anchor=False)
            st.caption(words.PRESETS_HINT)
        another = _another_measure()
        k = _cutoff(comparison.policy.cutoff)
    forms = words.COMPARED if another is None else (*words.COMPARED, another)
    names = at_cutoff(forms, k)
    with st.spinner(words.PRESETS_COMPUTING, show_time=True):
        means_by_preset = _under_presets(opened.case, opened.policy, names)
    in_force, rows = preset_of(comparison), []
    for preset, means in means_by_preset.items():
        own = (peer_name(preset, form) for form in forms)
        title = f"**{plain(preset)}**" + (f" :blue-badge[{words.IN_FORCE}]" if preset == in_force else "")
        named = f"{title}  \n:small[{words.PRESET_WHY[preset]}]"
        rows.append((named, *(_cell(mean, name, k) for mean, name in zip(means, own, strict=True))))
    heads = [words.PRESET, *names]
    st.table(
        pd.DataFrame(rows, columns=[plain(head) for head in heads]),
        border="horizontal",
        hide_index=True,
        alt=words.PRESETS_ALT.format(measures=", ".join(names), n=len(PRESETS)),
    )
    counted_otherwise(comparison)


def _another_measure() -> str | None:
    """Return the measure of the number that somebody looks for, if it is not in the table."""
    others = other_forms(words.COMPARED)
    chosen = linked(
        st.selectbox,
        words.FIND_MEASURE,
        others,
        index=None,
        key="find_measure",
        placeholder=words.FIND_ANOTHER,
        width=200,
    )
    return chosen if chosen in others else None


def _cutoff(decided: int) -> int:
    """Return the cutoff at which the other tool printed its number; the policy's where nobody says."""
    # A field for whole numbers fails for a parameter that is too large; a field for decimals takes its default.
    typed = linked(
        st.number_input,
        words.FIND_CUTOFF,
        1.0,
        float(_LARGEST),
        value=None,
        step=1.0,
        format="%.0f",
        key="find_k",
        placeholder=words.FIND_DECIDED.format(k=decided),
        width=200,
    )
    return decided if typed is None or math.isnan(typed) else math.floor(typed + 0.5)


@once
def _under_presets(case: Case, policy: Policy, names: tuple[str, ...]) -> dict[str, tuple[Mean, ...]]:
    return under_presets(verdicts.opened(case, policy).comparison, names)


def _cell(mean: Mean, peer: str | None, k: int) -> str:
    text = words.CELL.format(a=number(mean.a), b=number(mean.b))
    if peer is None:
        return f":gray[{text}]  \n:small[:gray[{words.NOT_IN_TOOL}]]"
    return f"{text}  \n:small[:blue[{plain(peer.format(k=k))}]]"


def measures() -> None:
    """Draw a row per measure, from the table that the measures themselves are made from."""
    st.subheader(words.MEASURES_TITLE, anchor=False)
    st.caption(words.MEASURES_HINT)
    rows = [
        (
            words.MEASURE_NAME.format(name=plain(name))
            + (words.MEASURE_MEAN.format(mean=row.mean) if row.mean else ""),
            plain(row.formula),
            words.FORMULA.format(latex=row.latex) if row.latex else plain(row.formula),
            plain(row.range),
            f":small[{plain(row.source)}]",
        )
        for name, row in DEFINITIONS.items()
    ]
    st.table(
        pd.DataFrame(rows, columns=list(words.MEASURE_COLUMNS)),
        border="horizontal",
        hide_index=True,
        alt=words.MEASURES_ALT.format(n=len(rows)),
    )


def cutoff() -> None:
    """Draw the discount curve, and how to choose k."""
    left, right = st.columns([1.2, 1], gap="small")
    weighed = weights(_DEPTH)
    with left.container(border=True, height="stretch"):
        st.subheader(words.DISCOUNT_TITLE, anchor=False)
        st.caption(words.DISCOUNT_HINT)
        st.plotly_chart(
            charts.discount_chart(weighed),
            key="discount_chart",
            config=charts.CONFIG,
            alt=words.DISCOUNT_ALT.format(n=_DEPTH, last=number(weighed[-1].discount)),
        )
    with right.container(border=True, height="stretch"):
        st.subheader(words.CUTOFF_TITLE, anchor=False)
        for advice in words.CUTOFF_ADVICE:
            st.markdown(advice)


def textbook() -> None:
    """Draw examples from copied texts beside what is computed now."""
    st.subheader(words.TEXTBOOK_TITLE, anchor=False)
    st.caption(words.TEXTBOOK_HINT)
    rows = []
    for example in words.EXAMPLES:
        listed = words.MISSED.format(list=example.grades, missed=example.missed) if example.missed else example.grades
        value = _computed(example)
        note = example.note if example.printed == words.NOT_PRINTED else f"{example.mark} {example.note}"
        rows.append((plain(listed), plain(example.measure), example.printed, f"**{value}**", note))
    st.table(
        pd.DataFrame(rows, columns=list(words.TEXTBOOK_COLUMNS)),
        border="horizontal",
        hide_index=True,
        alt=words.TEXTBOOK_ALT.format(n=len(rows)),
    )
    st.caption(words.TEXTBOOK_LEGEND.format(right=words.RIGHT, wrong=words.WRONG, mixed=words.MIXED))
    st.caption(plain(words.SNIPPETS))


def _computed(example: words.Printed) -> str:
    """Return what our own functions give for an example: votes or grades."""
    if example.measure == words.GSB:
        return points(textbook_gsb(example.grades))
    return number(textbook_value(example.grades, example.measure, example.missed), 4)


def verdict() -> None:
    """Say how the verdict is decided: why, and the table of rules."""
    st.subheader(decided.VERDICT_TITLE.format(version=VERSION), anchor=False)
    for title, text in decided.VERDICT:
        st.markdown(f"**{title}.** {text}")
    st.caption(decided.VERDICT_RULES)
    rows = [
        (rule.id, style.QUESTIONS[rule.question], rule.name, evidence.OUTCOMES[rule.outcome.value]) for rule in RULES
    ]
    st.table(
        pd.DataFrame(rows, columns=list(decided.VERDICT_COLUMNS)),
        border="horizontal",
        hide_index=True,
        alt=decided.VERDICT_RULES,
    )


def limits() -> None:
    """Say what no offline comparison can say."""
    st.subheader(words.LIMITS_TITLE, anchor=False)
    for title, text in words.LIMITS:
        st.markdown(f"**{title}.** {text}")
