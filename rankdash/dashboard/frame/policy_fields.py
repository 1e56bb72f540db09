"""The widgets of the policy dialog, by the kind of value.

Lists and bounds only guide the browser; the policy itself checks the values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd
import streamlit as st

from rankdash.conventions import AXES, AXIS_NAMES, PRESETS, Convention, ConventionError, preset, preset_name
from rankdash.dashboard.parts import method_parts
from rankdash.policy.fields import FIELDS
from rankdash.policy.kinds import Between, Margin, MarginList, Margins, OneOf, Whole
from rankdash.style import LONGEST_TEXT, method
from rankdash.style import evidence as words

_FINEST = 0.001


def _label(name: str) -> dict[str, Any]:
    """Return the label and the key of a field; the name it has in a file is its help."""
    return {"label": FIELDS[name].label, "help": words.POLICY_IN_FILE.format(name=name), "key": f"policy_{name}"}


def _text(name: str, value: str, kind: object) -> str:
    return str(st.text_input(value=value, max_chars=LONGEST_TEXT, **_label(name)))


def _choice(name: str, value: str, kind: OneOf) -> str:
    return str(
        st.segmented_control(
            options=kind.words,
            default=value,
            format_func=lambda word: kind.shown[word],
            required=True,
            **_label(name),
        )
    )


def _whole(name: str, value: int, kind: Whole) -> int:
    return int(st.number_input(min_value=kind.least, value=value, step=1, **_label(name)))


def _amount(name: str, value: float, kind: Margin | Between) -> float:
    low, high = (float(kind.low), float(kind.high)) if isinstance(kind, Between) else (0.0, None)
    return float(
        st.number_input(
            min_value=low,
            max_value=high,
            value=value,
            step=_FINEST,
            format="%g",
            **_label(name),
        )
    )


def _margins(name: str, value: Margins, kind: MarginList) -> Any:
    """Draw measures and margins as a table; a row without either is passed on, so that the policy can say what is
    wrong.
    """
    heads = words.POLICY_MARGIN_COLUMNS
    st.markdown(f":small[{FIELDS[name].label}]", help=words.POLICY_IN_FILE.format(name=name))
    given = pd.DataFrame(
        {"measure": [measure for measure, _ in value], "margin": [margin for _, margin in value]},
    ).astype({"measure": str, "margin": float})
    table = st.data_editor(
        given,
        key=f"policy_{name}",
        num_rows="dynamic",
        hide_index=True,
        row_height=32,
        column_config={
            "measure": st.column_config.TextColumn(heads["measure"]),
            "margin": st.column_config.NumberColumn(heads["margin"], min_value=0.0, step=_FINEST),
        },
    )
    return tuple(
        ("" if pd.isna(measure) else str(measure).strip(), None if pd.isna(margin) else float(margin))
        for measure, margin in table.itertuples(index=False)
        if not (pd.isna(measure) and pd.isna(margin))
    )


def convention(name: str, value: str | Convention) -> str | Convention:
    """Draw the list of presets, with the current convention where it is none of them, and return what was chosen."""
    own = [value] if isinstance(value, Convention) else []
    chosen: str | Convention = st.selectbox(
        options=[*own, *PRESETS],
        index=0 if own else [*PRESETS].index(str(value)),
        format_func=lambda choice: words.POLICY_OWN if isinstance(choice, Convention) else choice,
        **_label(name),
    )
    return chosen


def axes(start: str | Convention) -> str | Convention | dict[str, Any]:
    """Draw every axis of a convention as a widget, with the values of ``start``, and return what they make up: a
    preset, or a convention.

    Where they make up neither, the axes themselves are returned, so that the policy can say what is wrong. The keys of
    the widgets contain the preset, so that another preset begins with its own values.
    """
    begun, called = (start, "own") if isinstance(start, Convention) else (preset(start), start)
    st.caption(words.POLICY_AXES)
    with st.grid(3, gap="medium", key="policy_axes"):
        chosen = {axis: _axis(axis, getattr(begun, axis), f"policy_axis_{axis}_{called}") for axis in AXIS_NAMES}
    try:
        made = begun.with_axes(chosen)
    except ConventionError:
        return chosen
    return start if made == begun else preset_name(made) or made


def _axis(axis: str, value: Any, key: str) -> Any:
    """Draw an axis with a caption, and return its value."""
    about = method.AXES[axis]
    with st.container(gap="xsmall"):
        if axis == "rel":
            chosen: Any = st.number_input(about.name, value=float(value), step=1.0, format="%g", key=key)
        elif axis == "gain":
            at = method_parts.OPTIONS.index(method_parts.option(value))
            chosen = st.selectbox(about.name, method_parts.OPTIONS, index=at, key=key, format_func=method_parts.shown)
            chosen = method_parts.typed(value, f"{key}_table") if chosen == method_parts.TABLE else chosen
        else:
            chosen = st.selectbox(
                about.name, AXES[axis], index=AXES[axis].index(value), key=key, format_func=about.values.__getitem__
            )
        st.caption(about.decides)
    return chosen


def columns(name: str, value: tuple[str, ...], segments: tuple[str, ...]) -> tuple[str, ...]:
    """Draw the segment columns of the open comparison and of the policy, and return those chosen."""
    options = list(dict.fromkeys((*value, *segments)))
    chosen = st.multiselect(
        options=options,
        default=list(value),
        disabled=not options,
        placeholder=None if options else words.POLICY_NO_SEGMENTS,
        **_label(name),
    )
    return tuple(chosen)


#: The widget of each kind; a measure has none, and is text.
FOR_KIND: Mapping[type, Callable[[str, Any, Any], Any]] = {
    type(None): _text,
    OneOf: _choice,
    Whole: _whole,
    Margin: _amount,
    Between: _amount,
    MarginList: _margins,
}
