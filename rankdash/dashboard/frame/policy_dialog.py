"""The policy's dialog: every field, grouped and explained, checked as a whole, kept as TOML."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from typing import Any

import streamlit as st

from rankdash.dashboard.frame import policy_fields
from rankdash.dashboard.kit import dialogs
from rankdash.dashboard.kit.literal import plain, problems
from rankdash.dashboard.new.fit import MISTAKES
from rankdash.dashboard.session import actions, session
from rankdash.policy import Policy, PolicyError
from rankdash.policy.fields import FIELDS
from rankdash.policy.kinds import Columns, MarginList
from rankdash.policy.rows import Topic
from rankdash.policy.toml import beginning
from rankdash.style import evidence as words


@dialogs.form(words.POLICY, width="large", icon=":material/tune:")
def dialog(columns: tuple[str, ...], try_out: Callable[[Policy], object]) -> None:
    """Draw every field of the policy in force; nothing changes before the button is pressed.

    ``columns`` are the segment columns of what is open; ``try_out`` decides what is open under another policy.
    """
    now = session.now().policy
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(words.POLICY_WHY, width="content")
        dialogs.cancel("policy")
    changes: dict[str, Any] = {}
    for topic in Topic:
        with st.container() if topic.common else st.expander(topic, key=f"policy_group_{topic.name.lower()}"):
            changes |= _fields(topic, now, columns)
    with st.container(horizontal=True, vertical_alignment="center"):
        apply = st.button(words.POLICY_APPLY, type="primary", key="policy_apply")
        reset = st.button(words.POLICY_RESET, key="policy_reset", disabled=now == Policy())
        st.space("stretch")
        st.download_button(
            words.POLICY_DOWNLOAD,
            now.to_toml,
            words.POLICY_FILE,
            "application/toml",
            key="policy_download",
            icon=":material/download:",
            on_click="ignore",
        )
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


def stays_here() -> None:
    """Say that a policy of this tab is not in the link, and offer it as a file; say nothing of the default policy, and
    of a policy that is saved with the comparison.
    """
    now = session.now().policy
    if now == session.default_policy() or session.now().saved is not None:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="policy_stays"):
        st.caption(words.POLICY_STAYS, width="content")
        st.download_button(
            words.POLICY_SAVE,
            now.to_toml,
            words.POLICY_FILE,
            "application/toml",
            key="policy_save",
            type="tertiary",
            icon=":material/download:",
            on_click="ignore",
        )


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
        values["convention"] = policy_fields.axes(values["convention"])
    return {name: value for name, value in values.items() if value != getattr(now, name)}


def _field(name: str, now: Policy, columns: tuple[str, ...]) -> Any:
    """Draw the widget of a field, and return its value."""
    value, kind = getattr(now, name), FIELDS[name].kind
    if name == "convention":
        return policy_fields.convention(name, value)
    if isinstance(kind, Columns):
        return policy_fields.columns(name, value, columns)
    return policy_fields.FOR_KIND[type(kind)](name, value, kind)


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
    for note in policy.notes:
        st.toast(plain(words.POLICY_LEFT_OUT.format(note=note)), icon=":material/info:")
    st.rerun()
