"""The convention axis by axis, each axis changeable, with what a change does to the open comparison."""

from __future__ import annotations

from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from rankdash.conventions import AXES, Convention, ConventionError, Gains
from rankdash.dashboard.kit import session_values
from rankdash.dashboard.kit.browser_history import linked
from rankdash.dashboard.kit.literal import plain
from rankdash.dashboard.parts import gain_table
from rankdash.dashboard.session import views
from rankdash.inspect.method import Mean, means_under
from rankdash.report.notes import preset_of
from rankdash.scoring import Comparison
from rankdash.style import method as words
from rankdash.wording import number, signed


def counted_otherwise(comparison: Comparison) -> None:
    """Name both numbers where the verdict weighs its queries, or leaves some out."""
    decided = comparison.primary.paired
    if why := why_otherwise(comparison):
        measure, a, b = plain(comparison.primary.label), number(decided.mean_a), number(decided.mean_b)
        st.caption(words.COUNTED_OTHERWISE.format(measure=measure, a=a, b=b, why=why))


def why_otherwise(comparison: Comparison) -> str:
    """Return why queries count otherwise in the verdict than here; "" where they count alike."""
    n, judged = comparison.primary.paired.n, comparison.counts.judged
    left_out = words.LEFT_OUT.format(n=f"{n:,}", judged=f"{judged:,}") if n < judged else ""
    weights = words.BY_WEIGHT if comparison.sample.weights is not None else ""
    return ", and ".join(filter(None, (left_out, weights)))


def axes(comparison: Comparison, names: tuple[str, ...]) -> None:
    """Draw twelve widgets, and a table of means before and after."""
    name = preset_of(comparison) or words.OWN_CONVENTION
    st.subheader(words.CONVENTION_TITLE, anchor=False)
    st.caption(words.CONVENTION_HINT.format(name=plain(name)))
    before = comparison.convention
    _follow(before)
    with st.grid(4, key="axes"):
        chosen = {axis: _axis(axis, before) for axis in words.AXES}
    after = before.with_axes(chosen)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.subheader(words.EFFECT_TITLE, anchor=False)
        if after != before:
            st.button(words.RESET, key="axes_reset", icon=":material/undo:", on_click=_reset, args=(before,))
    with st.spinner(words.PRESETS_COMPUTING, show_time=True):
        old, new = means_under(comparison, before, names), means_under(comparison, after, names)
    st.markdown(_said(before, after, old, new))
    _effect(old, new)
    counted_otherwise(comparison)


def _follow(before: Convention) -> None:
    """Let the axes begin with what the policy says, where it has changed."""
    if views.follow("axes", before) not in (None, before):
        _reset(before)


def _reset(before: Convention) -> None:
    session_values.set_value("axis_rel", float(before.rel))
    for axis, about in words.AXES.items():
        if axis != "rel":
            value = about.values.get(str(getattr(before, axis)), words.OWN_GAINS)
            session_values.set_value(f"axis_{axis}", value)
    if isinstance(before.gain, Gains):
        session_values.set_value("axis_gain_table", str(before.gain))


def _axis(axis: str, before: Convention) -> Any:
    """Draw an axis as a widget, with the policy's value at first, and return the choice; None: unchanged."""
    about, now = words.AXES[axis], getattr(before, axis)
    with st.container(border=True, height="stretch", gap="xsmall"):
        if axis == "rel":
            value = linked(st.number_input, about.name, value=float(now), step=1.0, format="%g", key="axis_rel")
            st.caption(about.decides)
            return value
        values = gain_table.OPTIONS if axis == "gain" else AXES[axis]
        labels = [about.values.get(value, words.OWN_GAINS) for value in values]
        index = values.index(gain_table.option(now) if axis == "gain" else now)
        label = linked(st.selectbox, about.name, labels, index=index, key=f"axis_{axis}")
        chosen: Any = values[labels.index(label)] if label in labels else now
        chosen = _table(now) if chosen == gain_table.TABLE else chosen
        st.caption(about.decides)
        return chosen


def _table(now: str | Gains) -> str | Gains:
    """Return the typed table of gains; the current table where the text is none."""
    try:
        return Gains.parse(gain_table.typed(now, "axis_gain_table", partial(linked, st.text_input)))
    except ConventionError:
        return now


def _said(before: Convention, after: Convention, old: tuple[Mean, ...], new: tuple[Mean, ...]) -> str:
    changed = [axis for axis in words.AXES if getattr(before, axis) != getattr(after, axis)]
    if not changed:
        return words.NO_EFFECT
    values = (
        words.CHANGED_AXIS.format(
            axis=words.AXES[axis].name,
            value=words.AXES[axis].values.get(str(getattr(after, axis)), f"{getattr(after, axis)}"),
        )
        for axis in changed
    )
    moved = any(not mean.equals(new_mean) for mean, new_mean in zip(old, new, strict=True))
    said = words.CHANGED_AXES.format(axes=plain("; ".join(values)))
    return said if moved else f"{said} {words.UNMOVED}"


def _effect(old: tuple[Mean, ...], new: tuple[Mean, ...]) -> None:
    rows = []
    for before, after in zip(old, new, strict=True):
        cells = [number(after.a), number(after.b), signed(after.delta)]
        if before.equals(after):
            cells = [f":gray[{cell}]" for cell in cells]
        else:
            cells = [f"**{cell}**" for cell in cells]
        first = (number(before.a), number(before.b), signed(before.delta))
        rows.append((plain(before.measure), *first, *cells))
    st.table(
        pd.DataFrame(rows, columns=list(words.EFFECT_COLUMNS)),
        border="horizontal",
        hide_index=True,
        alt=words.EFFECT_ALT,
    )
