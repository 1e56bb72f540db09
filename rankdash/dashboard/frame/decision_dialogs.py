"""The dialogs that put on record what was decided on the verdict, and what the online test showed later."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from rankdash.dashboard.kit import dialogs
from rankdash.dashboard.kit.literal import plain, problems
from rankdash.dashboard.session import actions, session
from rankdash.dashboard.session.saved import seen, shelf
from rankdash.report.saved import decided_words
from rankdash.store import Decided, DecisionError, Observed, RecordedVerdict, Saved, StoreError
from rankdash.style import LONGEST_LINE, LONGEST_TEXT, history
from rankdash.style import decisions as words

#: Letters that a unit takes behind the metric that is counted in it, with its parentheses.
_UNIT = 40


def button(result: Callable[[], RecordedVerdict | None]) -> None:
    """Draw the way to decide on the verdict of a saved comparison; ``result`` puts that verdict on record."""
    saved = session.now().saved
    if saved is None or session.now().problem or shelf.read_only() or seen.older() is not None:
        return
    if st.button(words.RECORD, icon=":material/gavel:", key="decision_record"):
        verdict = result()
        if verdict is not None:
            _record(saved.id, verdict)


@dialogs.form(words.DECISION, icon=":material/gavel:")
def _record(comparison: str, result: RecordedVerdict) -> None:
    """Draw three fields and a button. Say what is missing, and write nothing then."""
    st.caption(words.ON_VERDICT.format(verdict=plain(decided_words(result.to_dict()))))
    choice = st.segmented_control(
        words.CHOICE,
        list(history.CHOICES),
        format_func=history.CHOICES.__getitem__,
        key="decision_choice",
    )
    by = st.text_input(words.BY, session.now().person, max_chars=LONGEST_LINE, key="decision_by", help=words.BY_HELP)
    reason = st.text_area(words.REASON, max_chars=LONGEST_TEXT, key="decision_reason")
    st.caption(words.WHY)
    said = st.container()  # above the buttons: below them nobody would see it
    if _is_added("decision"):
        with said:
            if choice is None:
                problems([words.CHOICE_MISSING])
                return
            _add(by, lambda: shelf.store().decide(comparison, Decided(choice, by, reason), result))


@dialogs.form(words.ONLINE, icon=":material/monitoring:")
def online(saved: Saved) -> None:
    """Ask what the online test showed, of A and B as they are on the page."""
    st.caption(words.ONLINE_WHY)
    measured, counted = st.columns([1.6, 1], gap="small")
    metric = measured.text_input(
        words.METRIC, max_chars=LONGEST_LINE - _UNIT, key="online_metric", placeholder=words.METRIC_HINT
    )
    unit = counted.text_input(words.UNIT, max_chars=_UNIT - 3, key="online_unit", placeholder=words.UNIT_HINT)
    delta = st.number_input(words.DELTA, value=None, step=0.001, format="%g", key="online_delta")
    person = session.now().person
    by = st.text_input(words.WRITTEN_BY, person, max_chars=LONGEST_LINE, key="online_by", help=words.BY_HELP)
    said = st.container()
    if _is_added("online"):
        with said:
            if not unit.strip():
                problems([words.UNIT_MISSING])
                return
            if delta is None:
                problems([words.DELTA_MISSING])
                return
            named = words.MEASURED.format(metric=metric.strip(), unit=unit.strip()) if metric.strip() else ""
            observed = Observed(named, by, delta)
            _add(by, lambda: shelf.store().observe(saved.id, observed, revision=saved.number))


def _is_added(name: str) -> bool:
    """Draw the buttons of a dialog; return whether an entry is to be added."""
    with st.container(horizontal=True, vertical_alignment="center"):
        is_added = st.button(words.ADD, type="primary", key=f"{name}_add")
        dialogs.cancel(name)
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
