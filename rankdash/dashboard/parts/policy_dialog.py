"""The widgets of the policy dialog, by the kind of value.

Lists and bounds only guide the browser; the policy itself checks the values.
"""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from typing import Any

import pandas as pd
import streamlit as st

from rankdash.conventions import PRESETS, Convention, ConventionError, preset, preset_name
from rankdash.dashboard.kit import screen
from rankdash.dashboard.kit.literal import plain, problems
from rankdash.dashboard.parts import method_parts
from rankdash.dashboard.parts.uploads import MISTAKES
from rankdash.dashboard.session import actions, session
from rankdash.policy import Policy, PolicyError
from rankdash.policy.fields import FIELDS, Between, Columns, Margin, MarginList, Margins, OneOf, Topic, Whole
from rankdash.policy.toml import beginning
from rankdash.style import LONGEST_TEXT
from rankdash.style import verdict as words

_FINEST, _TOML = 0.001, "application/toml"


def _margins(value: Margins, label: str, key: str, help: str) -> Any:
    """Draw measures and margins as a table; a row without either is passed on, so that the policy can say what is
    wrong.
    """
    heads = words.POLICY_MARGIN_COLUMNS
    st.markdown(f":small[{label}]", help=help)
    given = pd.DataFrame(
        {"measure": [measure for measure, _ in value], "margin": [margin for _, margin in value]}
    ).astype({"measure": str, "margin": float})
    table = st.data_editor(
        given,
        key=key,
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


def axes(start: str | Convention) -> str | Convention | dict[str, Any]:
    """Draw every axis of a convention as a widget, with the values of ``start``, and return what they make up: a
    preset, or a convention.

    Where they make up neither, the axes themselves are returned, so that the policy can say what is wrong. The keys of
    the widgets contain the preset, so that another preset begins with its own values.
    """
    begun, called = (start, "own") if isinstance(start, Convention) else (preset(start), start)
    st.caption(words.POLICY_AXES)
    chosen = method_parts.axis_widgets(begun, f"policy_axis_{{axis}}_{called}", 3)
    try:
        made = begun.with_axes(chosen)
    except ConventionError:
        return chosen
    return start if made == begun else preset_name(made) or made


# --- the policy's dialog: every field, grouped and explained, checked as a whole, kept as TOML ---


@st.dialog(words.POLICY, width="large", icon=":material/tune:", dismissible=False)
def dialog(columns: tuple[str, ...], try_out: Callable[[Policy], object]) -> None:
    """Draw every field of the policy in force; nothing changes before the button is pressed.

    ``columns`` are the segment columns of what is open; ``try_out`` decides what is open under another policy.
    """
    now = session.now().policy
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(words.POLICY_WHY, width="content")
        screen.cancel("policy")
    changes: dict[str, Any] = {}
    for topic in Topic:
        with st.container() if topic.common else st.expander(topic, key=f"policy_group_{topic.name.lower()}"):
            changes |= _fields(topic, now, columns)
    with st.container(horizontal=True, vertical_alignment="center"):
        apply = st.button(words.POLICY_APPLY, type="primary", key="policy_apply")
        reset = st.button(words.POLICY_RESET, key="policy_reset", disabled=now == Policy())
        st.space("stretch")
        screen.download(words.POLICY_DOWNLOAD, now.to_toml, words.POLICY_FILE, _TOML, key="policy_download")
    said = st.container()
    with st.expander(words.POLICY_UPLOAD, key="policy_from_file"):
        file = st.file_uploader(words.POLICY_UPLOAD, key="policy_file", max_upload_size=1, label_visibility="collapsed")
        from_file = st.button(words.POLICY_APPLY, key="policy_file_apply", disabled=file is None)
    with said:
        if apply:
            _use(try_out, lambda: now.changed(**changes))
        elif reset:
            _use(try_out, Policy)
    if from_file and file is not None:
        _use(try_out, lambda: _read(file.name, file.getvalue()))


def _fields(topic: Topic, now: Policy, columns: tuple[str, ...]) -> dict[str, Any]:
    """Draw the widgets of the fields of a topic, and return the values that were changed, by field."""
    values: dict[str, Any] = {}
    rows = {name: row for name, row in FIELDS.items() if row.topic is topic}
    has_tables = any(isinstance(row.kind, MarginList) for row in rows.values())
    with st.grid(2 if has_tables else 3, gap="medium"):
        for name, row in rows.items():
            with st.container(gap="xsmall"):
                values[name] = _field(name, now, columns)
                meaning = row.line(plain(now.primary))
                st.caption(f"{meaning[0].upper()}{meaning[1:]}.")
    if "convention" in values:
        values["convention"] = axes(values["convention"])
    return {name: value for name, value in values.items() if value != getattr(now, name)}


def _field(name: str, now: Policy, columns: tuple[str, ...]) -> Any:
    """Draw the widget of a field by the kind of its value, and return its value; a measure is text."""
    value, kind, label = getattr(now, name), FIELDS[name].kind, FIELDS[name].label
    # The name that a field has in a file is its help.
    how: dict[str, Any] = {"label": label, "help": words.POLICY_IN_FILE.format(name=name), "key": f"policy_{name}"}
    if name == "convention":
        return _convention(value, how)
    match kind:
        case OneOf():
            shown = kind.shown.__getitem__
            return st.segmented_control(options=kind.words, default=value, format_func=shown, required=True, **how)
        case Whole():
            return int(st.number_input(min_value=kind.least, value=value, step=1, **how))
        case Margin() | Between():
            low, high = (float(kind.low), float(kind.high)) if isinstance(kind, Between) else (0.0, None)
            return st.number_input(min_value=low, max_value=high, value=value, step=_FINEST, format="%g", **how)
        case MarginList():
            return _margins(value, **how)
        case Columns():
            options = list(dict.fromkeys((*value, *columns)))
            none = None if options else words.POLICY_NO_SEGMENTS
            how |= {"disabled": not options, "placeholder": none}
            return tuple(st.multiselect(options=options, default=list(value), **how))
    return st.text_input(value=value, max_chars=LONGEST_TEXT, **how)


def _convention(value: str | Convention, how: dict[str, Any]) -> Any:
    """Draw the list of presets, with the current convention where it is none of them, and return what was chosen."""
    own = [value] if isinstance(value, Convention) else []
    return st.selectbox(
        options=[*own, *PRESETS],
        index=0 if own else [*PRESETS].index(str(value)),
        format_func=lambda choice: words.POLICY_OWN if isinstance(choice, Convention) else choice,
        **how,
    )


def _read(file: str, content: bytes) -> Policy:
    try:
        return Policy.from_toml(beginning(BytesIO(content)))
    except UnicodeDecodeError:
        raise PolicyError([words.POLICY_NOT_TEXT.format(file=file)]) from None


def _in_words(problem: str) -> str:
    """Return a problem that begins with the name of a field, with the label of the field in its place."""
    name, _, rest = problem.partition(" ")
    field = name.rstrip(":,")
    return f"{FIELDS[field].label}{name[len(field) :]} {rest}" if field in FIELDS else problem


def _use(try_out: Callable[[Policy], object], made: Callable[[], Policy]) -> None:
    """Put a policy in force where it can be used on what is open, or say, letter for letter, why it cannot."""
    try:
        policy = made()
        try_out(policy)
    except MISTAKES as error:
        st.markdown(words.POLICY_REFUSED)
        problems([_in_words(problem) for problem in str(error).splitlines()])
        return
    actions.decide_by(policy)
    st.rerun()
