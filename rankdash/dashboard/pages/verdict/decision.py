"""What was decided on the verdict, by whom and why, and what the online test showed later. Entries are only added."""

from __future__ import annotations

import datetime
from collections.abc import Callable

import streamlit as st

from rankdash.dashboard.kit import dialogs
from rankdash.dashboard.kit.literal import plain, problems, short
from rankdash.dashboard.session import record
from rankdash.dashboard.session.saved import head, shelf
from rankdash.report.saved import decided_words, delta_words
from rankdash.store import (
    Decided,
    Decision,
    DecisionError,
    Observation,
    Observed,
    RecordedVerdict,
    Saved,
    State,
    StoreError,
)
from rankdash.style import LONGEST_LINE, LONGEST_TEXT, history
from rankdash.style import decisions as words
from rankdash.verdict import Outcome
from rankdash.wording import signed

#: Letters of a name.
_NAME = 40


def panel(result: RecordedVerdict | None) -> None:
    """Draw the decision in force, the entries before it, and the ways to add to them, where the comparison is saved."""
    known = record.now().saved
    if known is None or result is None:
        return
    decided = head.attempt(lambda: shelf.store().decisions(known.id)) or ()
    observed = head.attempt(lambda: shelf.store().observations(known.id)) or ()
    with st.container(border=True, key="decision"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.subheader(words.DECISION, anchor=False, width="content")
            st.space("stretch")
            if st.button(words.CORRECT if decided else words.RECORD, key="decision_record"):
                _record(known.id, result)
            if st.button(words.ONLINE, key="decision_online"):
                _online(known)
        if not decided:
            st.caption(words.NONE_YET)
        for entry in decided[:1]:
            _entry(entry, known.state)
        for one in observed:
            st.markdown(_observation(one, known.state))
        if len(decided) > 1:
            with st.expander(words.EARLIER.format(n=len(decided) - 1)):
                for entry in decided[1:]:
                    _entry(entry, known.state)


def _entry(entry: Decision, now: State) -> None:
    """Draw one decision, with its reason, what it was about, and the verdict that it was made on."""
    choice = plain(history.CHOICES[entry.choice])
    st.markdown(words.IN_FORCE.format(choice=choice, by=plain(entry.by), at=f"{entry.at:%Y-%m-%d %H:%M} UTC"))
    if entry.reason:
        st.markdown(plain(entry.reason))
    verdict, delta = entry.verdict, ""
    if verdict.get("delta") is not None:
        delta = words.DELTA_WAS.format(delta=plain(delta_words(verdict["measure"], verdict["delta"])))
    on = words.DECIDED_ON.format(revision=entry.revision, since=_since(entry), verdict=plain(decided_words(verdict)))
    st.caption(f"{_models(entry, now)}{on}{delta}")


def _observation(one: Observation, now: State) -> str:
    """Return what an online test showed, in a line."""
    found, interval = one.observed, ""
    if found.lower is not None and found.upper is not None:
        interval = words.INTERVAL.format(low=signed(found.lower), high=signed(found.upper))
    return words.OBSERVED.format(
        metric=plain(found.metric),
        delta=signed(found.delta),
        interval=interval,
        models=_models(one, now),
        since=_since(one),
        kind=words.KINDS[found.kind],
        by=plain(found.by),
    )


def _models(entry: Decision | Observation, now: State) -> str:
    """Return the models that an entry was about, where they are others now, or have other names."""
    then = (entry.subject.model_a, entry.subject.model_b)
    if then == ((now.b, now.a) if now.swapped else (now.a, now.b)):
        return ""
    a, b = (plain(short(name, _NAME)) for name in then)
    return words.OF_MODELS.format(models=history.MODELS.format(a=a, b=b))


def _since(entry: Decision | Observation) -> str:
    return words.ON_REVISION.format(since=words.SINCE[entry.since]) if entry.since else ""


@dialogs.dialog(words.DECISION, icon=":material/gavel:")
def _record(comparison: str, result: RecordedVerdict) -> None:
    """Draw three fields and a button. Say what is missing, and write nothing then."""
    st.caption(words.WHY)
    choice = st.segmented_control(
        words.CHOICE,
        list(history.CHOICES),
        format_func=history.CHOICES.__getitem__,
        default="launch" if result.outcome == Outcome.LAUNCH.value else "no_launch",
        key="decision_choice",
        required=True,
    )
    by = st.text_input(words.BY, max_chars=LONGEST_LINE, key="decision_by", help=words.BY_HELP)
    reason = st.text_area(words.REASON, max_chars=LONGEST_TEXT, key="decision_reason")
    if st.button(words.ADD, type="primary", key="decision_add"):
        _add(lambda: shelf.store().decide(comparison, Decided(str(choice), by, reason), result))


@dialogs.dialog(words.ONLINE, icon=":material/monitoring:")
def _online(known: Saved) -> None:
    """Ask what the online test showed, of A and B as they are on the page."""
    st.caption(words.ONLINE_WHY)
    metric = st.text_input(words.METRIC, max_chars=LONGEST_LINE, key="online_metric", placeholder=words.METRIC_HINT)
    with st.grid(3, gap="small"):
        delta, lower, upper = (
            st.number_input(label, value=None, step=0.001, format="%g", key=f"online_{key}")
            for label, key in ((words.DELTA, "delta"), (words.LOWER, "lower"), (words.UPPER, "upper"))
        )
        kind = st.selectbox(words.KIND, list(words.KINDS), format_func=words.KINDS.__getitem__, key="online_kind")
        began, ended = (
            _day(st.date_input(label, value=None, key=f"online_{key}"))
            for label, key in ((words.BEGAN, "began"), (words.ENDED, "ended"))
        )
    by = st.text_input(words.WRITTEN_BY, max_chars=LONGEST_LINE, key="online_by", help=words.BY_HELP)
    note = st.text_area(words.NOTE, max_chars=LONGEST_TEXT, key="online_note")
    if st.button(words.ADD, type="primary", key="online_add"):
        observed = Observed(metric, by, delta, lower, upper, kind, began, ended, note)
        _add(lambda: shelf.store().observe(known.id, observed, revision=known.number))


def _add(write: Callable[[], object]) -> None:
    """Add an entry and close the dialog, or say in it why that cannot be done."""
    try:
        write()
    except DecisionError as error:
        problems(str(error).splitlines())
    except StoreError as error:
        problems([str(error)])
    else:
        st.rerun()


def _day(chosen: object) -> str | None:
    return chosen.isoformat() if isinstance(chosen, datetime.date) else None
