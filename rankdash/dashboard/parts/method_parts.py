"""What the Method page explains: every axis of the convention, presets, measures, the discount, rules and limits."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import streamlit as st

from rankdash import charts, style
from rankdash.case import Case
from rankdash.conventions import AXES, PRESETS, Convention, ConventionError, Gains
from rankdash.dashboard.kit import screen, widgets
from rankdash.dashboard.kit.browser_history import linked
from rankdash.dashboard.kit.literal import plain, show_table
from rankdash.dashboard.results import cached, digest
from rankdash.dashboard.session import verdicts
from rankdash.inspect import view
from rankdash.inspect.view import weights
from rankdash.metrics import DEFINITIONS
from rankdash.metrics.definitions import peer_name
from rankdash.policy import Policy
from rankdash.report.notes import preset_of
from rankdash.scoring import Comparison
from rankdash.style import LONGEST_TEXT
from rankdash.style import method as words
from rankdash.style import verdict as verdict_words
from rankdash.verdict import RULES, VERSION
from rankdash.wording import number, points, signed

#: The entry in the list of gains for a table that is typed below it.
TABLE = "table"


def axis_widgets(start: Convention, key: str, columns: int) -> dict[str, Any]:
    """Draw a widget for each axis of a convention, which begins with its value, and return what was chosen.

    ``key`` is a template with a place for the axis; another convention needs another one.
    """
    with st.grid(columns, gap="medium", key=key.format(axis="axes")):
        return {axis: _axis(axis, getattr(start, axis), key.format(axis=axis)) for axis in words.AXES}


def _axis(axis: str, value: Any, key: str) -> Any:
    about = words.AXES[axis]
    with st.container(gap="xsmall"):
        if axis == "rel":
            chosen: Any = st.number_input(about.name, value=float(value), step=1.0, format="%g", key=key)
        else:
            options = [*AXES[axis], TABLE] if axis == "gain" else [*AXES[axis]]
            at = options.index(TABLE if isinstance(value, Gains) else value)
            chosen = st.selectbox(about.name, options, index=at, key=key, format_func=partial(_value_words, axis))
            chosen = _typed_gains(value, f"{key}_table") if chosen == TABLE else chosen
        st.caption(about.decides)
    return chosen


def _value_words(axis: str, value: str) -> str:
    return words.AXES[axis].values.get(value, words.OWN_GAINS)


def _typed_gains(start: str | Gains, key: str) -> str:
    """Draw the field for a table of gains, at first with that of ``start``, and return its text. A message tells where
    it is not a table.
    """
    text: str = st.text_input(
        words.GAINS,
        str(start) if isinstance(start, Gains) else "",
        LONGEST_TEXT,
        key=key,
        placeholder=words.GAINS_LIKE,
        help=words.GAINS_HELP,
    )
    if text.strip():
        try:
            Gains.parse(text)
        except ConventionError as error:
            st.markdown(f":red[{plain(str(error))}]")
    return text


# --- the convention axis by axis, each axis changeable, with what a change does to the open comparison ---


def counted_otherwise(comparison: Comparison) -> None:
    """Name both numbers where the verdict weighs its queries, or leaves some out, and say why."""
    decided, judged = comparison.primary.paired, comparison.counts.judged
    left_out = words.LEFT_OUT.format(n=f"{decided.n:,}", judged=f"{judged:,}") if decided.n < judged else ""
    weights = words.BY_WEIGHT if comparison.sample.weights is not None else ""
    if why := ", and ".join(filter(None, (left_out, weights))):
        measure, a, b = plain(comparison.primary.label), number(decided.mean_a), number(decided.mean_b)
        st.caption(words.COUNTED_OTHERWISE.format(measure=measure, a=a, b=b, why=why))


def axes(comparison: Comparison, names: tuple[str, ...]) -> None:
    """Draw a widget for each axis, and a table of means before and after."""
    st.subheader(words.CONVENTION_TITLE, anchor=False)
    st.caption(words.CONVENTION_HINT.format(name=plain(preset_of(comparison) or words.OWN_CONVENTION)))
    before = comparison.convention
    start = f"{digest(before)[:8]}_{widgets.numbered('axes')}"
    chosen = axis_widgets(before, f"axis_{{axis}}_{start}", 4)
    try:
        after = before.with_axes(chosen)
    except ConventionError:
        after = before  # a table of gains that is none, which is said below its field
    with st.container(horizontal=True, vertical_alignment="center"):
        st.subheader(words.EFFECT_TITLE, anchor=False)
        if after != before:
            st.button(words.RESET, key="axes_reset", icon=":material/undo:", on_click=widgets.renew, args=("axes",))
    with st.spinner(words.PRESETS_COMPUTING, show_time=True):
        old, new = view.means_under(comparison, before, names), view.means_under(comparison, after, names)
    st.markdown(_said(before, after, old, new))
    rows = []
    for was, now in zip(old, new, strict=True):
        first, then = ((number(mean.a), number(mean.b), signed(mean.delta)) for mean in (was, now))
        look = ":gray[{}]" if was.equals(now) else "**{}**"
        rows.append((plain(was.measure), *first, *map(look.format, then)))
    show_table(rows, words.EFFECT_COLUMNS, words.EFFECT_ALT)
    counted_otherwise(comparison)


def _said(before: Convention, after: Convention, old: tuple[view.Mean, ...], new: tuple[view.Mean, ...]) -> str:
    changed = {axis: getattr(after, axis) for axis in words.AXES if getattr(before, axis) != getattr(after, axis)}
    if not changed:
        return words.NO_EFFECT
    values = (
        words.CHANGED_AXIS.format(axis=words.AXES[axis].name, value=words.AXES[axis].values.get(str(value), f"{value}"))
        for axis, value in changed.items()
    )
    moved = any(not mean.equals(new_mean) for mean, new_mean in zip(old, new, strict=True))
    said = words.CHANGED_AXES.format(axes=plain("; ".join(values)))
    return said if moved else f"{said} {words.UNMOVED}"


# --- what the method page explains: presets, measures, the discount, textbook examples, and what stays open ---


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
    names = view.at_cutoff(forms, k)
    with st.spinner(words.PRESETS_COMPUTING, show_time=True):
        means_by_preset = _under_presets(opened.case, opened.policy, names)
    in_force, rows = preset_of(comparison), []
    for preset, means in means_by_preset.items():
        own = (peer_name(preset, form) for form in forms)
        title = f"**{plain(preset)}**" + (f" :blue-badge[{words.IN_FORCE}]" if preset == in_force else "")
        named = f"{title}  \n:small[{words.PRESET_WHY[preset]}]"
        rows.append((named, *(_cell(mean, name, k) for mean, name in zip(means, own, strict=True))))
    heads = [words.PRESET, *names]
    show_table(
        rows, [plain(head) for head in heads], words.PRESETS_ALT.format(measures=", ".join(names), n=len(PRESETS))
    )
    counted_otherwise(comparison)


def _another_measure() -> str | None:
    """Return the measure of the number that somebody looks for, if it is not in the table."""
    others = view.other_forms(words.COMPARED)
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


@cached()
def _under_presets(case: Case, policy: Policy, names: tuple[str, ...]) -> dict[str, tuple[view.Mean, ...]]:
    return view.under_presets(verdicts.opened(case, policy).comparison, names)


def _cell(mean: view.Mean, peer: str | None, k: int) -> str:
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
    show_table(rows, words.MEASURE_COLUMNS, words.MEASURES_ALT.format(n=len(rows)))


def cutoff() -> None:
    """Draw the discount curve, and how to choose k."""
    left, right = st.columns([1.2, 1], gap="small")
    weighed = weights(_DEPTH)
    with left.container(border=True, height="stretch"):
        st.subheader(words.DISCOUNT_TITLE, anchor=False)
        st.caption(words.DISCOUNT_HINT)
        alt = words.DISCOUNT_ALT.format(n=_DEPTH, last=number(weighed[-1].discount))
        screen.chart(charts.discount_chart(weighed), "discount_chart", alt)
    with right.container(border=True, height="stretch"):
        st.subheader(words.CUTOFF_TITLE, anchor=False)
        for title, advice in words.CUTOFF_ADVICE.items():
            st.markdown(f"**{title}** {advice}")


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
    show_table(rows, words.TEXTBOOK_COLUMNS, words.TEXTBOOK_ALT.format(n=len(rows)))
    st.caption(words.TEXTBOOK_LEGEND.format(right=words.RIGHT, wrong=words.WRONG, mixed=words.MIXED))
    st.caption(plain(words.SNIPPETS))


def _computed(example: words.Printed) -> str:
    """Return what our own functions give for an example: votes or grades."""
    if example.measure == words.GSB:
        return points(view.textbook_gsb(example.grades))
    return number(view.textbook_value(example.grades, example.measure, example.missed), 4)


def verdict() -> None:
    """Say how the verdict is decided: why, and the table of rules."""
    st.subheader(words.VERDICT_TITLE.format(version=VERSION), anchor=False)
    for title, text in words.VERDICT.items():
        st.markdown(f"**{title}.** {text}")
    st.caption(words.VERDICT_RULES)
    rows = [
        (rule.id, style.QUESTIONS[rule.question], rule.name, verdict_words.OUTCOMES[rule.outcome.value])
        for rule in RULES
    ]
    show_table(rows, words.VERDICT_COLUMNS, words.VERDICT_RULES)


def limits() -> None:
    """Say what no offline comparison can say."""
    st.subheader(words.LIMITS_TITLE, anchor=False)
    for title, text in words.LIMITS.items():
        st.markdown(f"**{title}.** {text}")
