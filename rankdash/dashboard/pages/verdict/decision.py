"""What was decided on the verdict, by whom and why, and what the online test showed later. Entries are only added."""

from __future__ import annotations

import streamlit as st

from rankdash.dashboard.frame import decision_dialogs
from rankdash.dashboard.kit.literal import plain, short
from rankdash.dashboard.session import session
from rankdash.dashboard.session.saved import head, shelf
from rankdash.report.saved import decided_words, delta_words
from rankdash.store import Decision, Observation, RecordedVerdict, State
from rankdash.style import decisions as words
from rankdash.style import history
from rankdash.wording import signed

#: Letters of a name.
_NAME = 40


def entries() -> tuple[Decision, ...]:
    """Return what was decided on the open comparison; the first is in force."""
    saved = session.now().saved
    return () if saved is None else head.attempt(lambda: shelf.store().decisions(saved.id)) or ()


def panel(result: RecordedVerdict | None, decided: tuple[Decision, ...]) -> None:
    """Draw the decision in force, the entries before it, and what was seen online, where the comparison is saved."""
    saved = session.now().saved
    if saved is None or result is None:
        return
    observed = head.attempt(lambda: shelf.store().observations(saved.id)) or ()
    with st.container(border=True, key="decision"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.subheader(words.DECISION, anchor=False, width="content")
            st.space("stretch")
            if st.button(words.ONLINE, key="decision_online"):
                decision_dialogs.online(saved)
        if not decided:
            st.caption(words.NONE_YET)
        for entry in decided[:1]:
            _entry(entry, saved.state)
        for online in observed:
            st.markdown(_observation(online, saved.state))
        if len(decided) > 1:
            with st.expander(words.EARLIER.format(n=len(decided) - 1)):
                for entry in decided[1:]:
                    _entry(entry, saved.state)


def _entry(entry: Decision, now: State) -> None:
    """Draw a decision, with its reason, what it was about, and the verdict that it was made on."""
    choice = plain(history.CHOICES[entry.choice])
    st.markdown(words.IN_FORCE.format(choice=choice, by=plain(entry.by), at=f"{entry.at:%Y-%m-%d %H:%M} UTC"))
    if entry.reason:
        st.markdown(plain(entry.reason))
    verdict, delta = entry.verdict, ""
    if verdict.get("delta") is not None:
        delta = words.DELTA_WAS.format(delta=plain(delta_words(verdict["measure"], verdict["delta"])))
    on = words.DECIDED_ON.format(revision=entry.revision, since=_since(entry), verdict=plain(decided_words(verdict)))
    st.caption(f"{_models(entry, now)}{on}{delta}")


def _observation(entry: Observation, now: State) -> str:
    """Return what an online test showed, in a line."""
    observed = entry.observed
    return words.OBSERVED.format(
        metric=plain(observed.metric),
        delta=signed(observed.delta),
        models=_models(entry, now),
        since=_since(entry),
        by=plain(observed.by),
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
