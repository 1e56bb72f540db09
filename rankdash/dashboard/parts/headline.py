"""The verdict in one word and one sentence, and the cards below it."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from rankdash import style
from rankdash.comparison import Comparison
from rankdash.dashboard.kit.literal import plain
from rankdash.evidence.votes.raters import Rated
from rankdash.report.sections import cards as plain_cards
from rankdash.report.sections.headline import beside, special_words
from rankdash.style import evidence as words
from rankdash.verdict import Verdict

#: A space at which a line does not break.
_JOINED = "\u00a0"


def banner(verdict: Verdict, comparison: Comparison | None = None, policy_changed: bool = False) -> DeltaGenerator:
    """Draw Launch or No launch, the tag and the sentence; beside them the rule that decided and what would change it.

    A policy that was changed after results were seen is stamped on it. Returns a place at the end of the second column,
    for what takes longer to compute.
    """
    colour = style.THEME.get(style.OUTCOME_COLOUR.get(verdict.outcome.value, ""), "")
    word = f"{style.ICONS[verdict.outcome.value]} {plain(verdict.screen)}"
    with st.container(border=True, key="banner"):
        left, right = st.columns([1.75, 1], gap="large", vertical_alignment="center")
        with left:
            with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
                st.title(f":{colour}[{word}]" if colour else word, anchor=False, width="content")
                st.subheader(plain(verdict.tag), anchor=False, width="content")
                if policy_changed:
                    with st.container(key="policy_stamp", width="content"):
                        st.badge(words.POLICY_STAMP, icon=":material/history:", color="orange")
            with st.container(key="sentence"):
                st.markdown(plain(verdict.sentence))
            if comparison is not None and (special := special_words(comparison)):
                with st.container(key="case"):
                    st.markdown(plain(special))
        with right:
            lines = (f":small[:gray[{label}] {plain(text)}]" for label, text in beside(verdict, comparison))
            st.markdown("  \n".join(lines))
            return st.empty()


def cards(comparison: Comparison) -> None:
    """Draw the primary measure, the guardrail, ΔGSB and the count of queries, all of one height."""
    with st.grid(4, key="cards"):
        for card in plain_cards.cards(comparison):
            _card(card)


def voted_card(said: Rated) -> None:
    """Draw the card of the votes: ΔGSB, good / same / bad, its interval, who voted and how far they agree."""
    _card(plain_cards.voted_card(said))


def _card(card: plain_cards.Card) -> None:
    with st.container(border=True, height="stretch", gap="xsmall"):
        st.metric(
            f"{plain(card.label)} :gray[· {card.role}]" if card.role else plain(card.label),
            card.value,
            card.chip or None,
            delta_color=style.THEME[card.colour],
            delta_arrow="off",
            delta_description=card.beside or None,
            help="\n\n".join(map(plain, card.explained)) or card.exact or None,
        )
        st.caption("  \n".join(map(_literal, card.lines)))


def _literal(line: str) -> str:
    """Return a line that is shown literally, and breaks at no joined space."""
    return _JOINED.join(map(plain, line.split(_JOINED)))
