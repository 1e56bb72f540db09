"""The dialog that lets the open verdict be taken along: every form of the table of exports that there can be of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import streamlit as st

from rankdash.case import Case
from rankdash.dashboard.kit import screen
from rankdash.dashboard.kit.literal import plain, problems
from rankdash.dashboard.session import actions, saving, session
from rankdash.report.exports import EXPORTS, exported, file_name
from rankdash.report.sections import Reported
from rankdash.report.text import decided_words
from rankdash.scoring import Comparison, VotesAlone
from rankdash.store import Decided, DecisionError, Observed, RecordedVerdict, Saved, StoreError
from rankdash.strings import base_address, comparison_link
from rankdash.style import LONGEST_LINE, LONGEST_TEXT
from rankdash.style import history as decided
from rankdash.style import verdict as words
from rankdash.verdict import Verdict

_FORM = "export_form"


@screen.dialog(words.EXPORT, width="medium", icon=":material/ios_share:")
def dialog(reported: Reported) -> None:
    """Draw the form and the button that writes it."""
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
    decided = saving.attempt(lambda: saving.store().decisions(saved.id)) or ()
    observed = saving.attempt(lambda: saving.store().observations(saved.id)) or ()
    return replace(named, link=_link(saved.id), decisions=decided, observations=observed)


def _link(comparison: str) -> str:
    """Return the link to a saved comparison: below the address that the server is said to have, else below its own."""
    return comparison_link(base_address() or "/".join((st.context.url or "").split("/")[:3]), comparison)


# --- the dialogs that put on record what was decided on the verdict, and what the online test showed later ---


#: Letters that a unit takes behind the metric that is counted in it, with its parentheses.
_UNIT = 40


def button(result: Callable[[], RecordedVerdict | None]) -> None:
    """Draw the way to decide on the verdict of a saved comparison; ``result`` puts that verdict on record."""
    saved = session.now().saved
    if saved is None or session.now().problem or saving.read_only() or saving.older() is not None:
        return
    if st.button(decided.RECORD, icon=":material/gavel:", key="decision_record"):
        verdict = result()
        if verdict is not None:
            _record(saved.id, verdict)


@screen.form(decided.DECISION_TITLE, icon=":material/gavel:")
def _record(comparison: str, result: RecordedVerdict) -> None:
    """Draw three fields and a button. Say what is missing, and write nothing then."""
    st.caption(decided.ON_VERDICT.format(verdict=plain(decided_words(result.to_dict()))))
    choice = st.segmented_control(
        decided.CHOICE,
        list(decided.CHOICES),
        format_func=decided.CHOICES.__getitem__,
        key="decision_choice",
    )
    by = st.text_input(
        decided.BY,
        session.now().person,
        max_chars=LONGEST_LINE,
        key="decision_by",
        help=decided.BY_HELP,
    )
    reason = st.text_area(decided.REASON, max_chars=LONGEST_TEXT, key="decision_reason")
    st.caption(decided.WHY)
    said = st.container()  # above the buttons: below them nobody would see it
    if _is_added("decision"):
        with said:
            if choice is None:
                problems([decided.CHOICE_MISSING])
                return
            _add(by, lambda: saving.store().decide(comparison, Decided(choice, by, reason), result))


@screen.form(decided.ONLINE, icon=":material/monitoring:")
def online(saved: Saved) -> None:
    """Ask what the online test showed, of A and B as they are on the page."""
    st.caption(decided.ONLINE_WHY)
    measured, counted = st.columns([1.6, 1], gap="small")
    metric = measured.text_input(
        decided.METRIC,
        max_chars=LONGEST_LINE - _UNIT,
        key="online_metric",
        placeholder=decided.METRIC_HINT,
    )
    unit = counted.text_input(decided.UNIT, max_chars=_UNIT - 3, key="online_unit", placeholder=decided.UNIT_HINT)
    delta = st.number_input(decided.DELTA, value=None, step=0.001, format="%g", key="online_delta")
    person = session.now().person
    by = st.text_input(decided.WRITTEN_BY, person, max_chars=LONGEST_LINE, key="online_by", help=decided.BY_HELP)
    said = st.container()
    if _is_added("online"):
        with said:
            if not unit.strip():
                problems([decided.UNIT_MISSING])
                return
            if delta is None:
                problems([decided.DELTA_MISSING])
                return
            named = decided.MEASURED.format(metric=metric.strip(), unit=unit.strip()) if metric.strip() else ""
            observed = Observed(named, by, delta)
            _add(by, lambda: saving.store().observe(saved.id, observed, revision=saved.number))


def _is_added(name: str) -> bool:
    """Draw the buttons of a dialog; return whether an entry is to be added."""
    with st.container(horizontal=True, vertical_alignment="center"):
        is_added = st.button(decided.ADD, type="primary", key=f"{name}_add")
        screen.cancel(name)
    return is_added


def _add(by: str, write: Callable[[], object]) -> None:
    """Add an entry of somebody and close the dialog, or say in it why that cannot be done."""
    try:
        write()
    except DecisionError as error:
        problems(str(error).splitlines())
    except StoreError as error:
        problems([str(error)])
    else:
        actions.sign(by)
        st.rerun()
