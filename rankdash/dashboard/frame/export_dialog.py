"""The dialog that lets the open verdict be taken along: every form of the table of exports that there can be of it."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from rankdash.case import Case
from rankdash.dashboard.kit import dialogs
from rankdash.dashboard.session import session
from rankdash.dashboard.session.saved import head, shelf
from rankdash.report.exports import EXPORTS, exported, file_name
from rankdash.report.sections.reported import Reported
from rankdash.scoring import Comparison, VotesAlone
from rankdash.strings.addresses import base_address, comparison_link
from rankdash.style import report as words
from rankdash.verdict import Verdict

_FORM = "export_form"


@dialogs.dialog(words.EXPORT, width="medium", icon=":material/ios_share:")
def dialog(reported: Reported) -> None:
    """Draw the form, the button that writes it, and the verdict in a few lines with its own button to copy it."""
    st.caption(words.EXPORT_WHY)
    forms = [name for name, export in EXPORTS.items() if not export.lacks(reported)]
    form = str(st.selectbox(words.EXPORT_FORM, forms, format_func=lambda name: EXPORTS[name].label, key=_FORM))
    st.download_button(
        words.EXPORT_SAVE,
        lambda: exported(reported, form),
        file_name(reported, form),
        EXPORTS[form].media_type,
        key="export_save",
        icon=":material/download:",
        type="primary",
        on_click="ignore",
    )
    st.caption(words.EXPORT_TEXT)
    st.code(exported(reported, "text").decode(), language=None, wrap_lines=True)


def reported(
    comparison: Comparison | VotesAlone, verdict: Verdict, case: Case | None = None, *, policy_changed: bool
) -> Reported:
    """Return what is exported of the open verdict: with its link, decisions and online results where it is saved.

    ``case`` is what was compared; None: votes alone.
    """
    saved = session.now().saved
    name = "" if saved is None else saved.state.title
    edits, name = ((), name) if case is None else (case.edits, case.title)
    named = Reported(comparison, verdict, edits, name, policy_changed=policy_changed)
    if saved is None:
        return named
    decided = head.attempt(lambda: shelf.store().decisions(saved.id)) or ()
    observed = head.attempt(lambda: shelf.store().observations(saved.id)) or ()
    return replace(named, link=_link(saved.id), decisions=decided, observations=observed)


def _link(comparison: str) -> str:
    """Return the link to a saved comparison: below the address that the server is said to have, else below its own."""
    return comparison_link(base_address() or "/".join((st.context.url or "").split("/")[:3]), comparison)
