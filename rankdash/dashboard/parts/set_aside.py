"""Votes that are set aside, for people voted on other lists; and the way to say that they hold."""

from __future__ import annotations

import streamlit as st

from rankdash.dashboard.kit.literal import plain
from rankdash.dashboard.session import actions, verdicts
from rankdash.style import evidence as words


def panel(opened: verdicts.Opened) -> None:
    """Say why votes are set aside, where any are, with the button that counts them."""
    stands = opened.standing
    if stands is None or not stands.open:
        return
    with st.container(border=True, key="votes_aside", horizontal=True, vertical_alignment="center"):
        st.markdown(" ".join((":orange[:material/how_to_vote:]", *map(plain, stands.notes))), width="stretch")
        st.button(
            words.VOTES_HOLD,
            key="votes_hold",
            help=words.VOTES_HOLD_HELP,
            on_click=actions.hold_votes,
            args=stands.open,
        )
