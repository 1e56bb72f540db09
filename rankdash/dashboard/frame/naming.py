"""Other names, and the other way around: what can be done to the comparison that is open without another file."""

from __future__ import annotations

import streamlit as st

from rankdash import style
from rankdash.case import Case
from rankdash.dashboard.kit import screen
from rankdash.dashboard.kit.literal import plain, short
from rankdash.dashboard.session import actions, saving, session
from rankdash.style import history as history_words
from rankdash.wording import both_short

#: Columns of letters that a name may take in the row.
_NAME = 40


def heading(case: Case) -> str:
    """Return what the comparison and its models are called; where it is called by them, once."""
    a, b = map(plain, both_short(case.a.name, case.b.name, _NAME))
    models = f"**A** {a} → **B** {b}"
    return f"**{plain(short(case.name, _NAME))}** :gray[·] {models}" if case.name else models


def buttons(case: Case) -> None:
    """Draw the two small buttons beside the names."""
    st.button(
        style.SWAP,
        icon=":material/swap_horiz:",
        key="swap",
        type="tertiary",
        help=style.SWAP_HELP,
        on_click=actions.swap,
    )
    rename({"name": case.title, "a": case.a.name, "b": case.b.name})


def rename(now: dict[str, str]) -> None:
    """Draw the button for other names; ``now`` are those that there are, of the comparison and perhaps its models."""
    if st.button(style.RENAME, icon=":material/edit:", key="rename", type="tertiary", help=style.RENAME_HELP):
        _dialog(now)


@screen.form(style.RENAME, icon=":material/edit:")
def _dialog(now: dict[str, str]) -> None:
    """Ask for the names, and for a note where the comparison is saved. Say what cannot be used, and change nothing
    then.
    """
    labels = {"name": style.COMPARISON_NAME, "a": style.MODEL_OF["a"], "b": style.MODEL_OF["b"]}
    typed = {
        which: str(
            st.text_input(labels[which], name, max(style.LONGEST_LINE, len(name)), key=f"rename_{which}")
        ).strip()
        for which, name in now.items()
    }
    note = None
    if session.now().saved is not None:
        note = str(
            st.text_area(history_words.NOTE, saving.note(), key="rename_note", max_chars=style.LONGEST_TEXT)
        ).strip()
    with st.container(horizontal=True, vertical_alignment="center"):
        is_used = st.button(style.USE_NAMES, type="primary", key="rename_apply")
        screen.cancel("rename")
    if not is_used:
        return
    wrong = "" if all(typed.values()) else style.NAMES_MISSING
    wrong = wrong or (style.NAMES_ALIKE if "a" in typed and typed["a"] == typed["b"] else "")
    if wrong:
        st.markdown(f":red[:material/error:] {wrong}")
        return
    actions.rename(**typed, note=note)
    st.rerun()
