"""The verdict in one word and one sentence, and the cards below it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import streamlit as st

from rankdash import style
from rankdash.dashboard.kit.literal import plain, short
from rankdash.evidence.votes.gsb_of_votes import Rated
from rankdash.report.sections import cards as plain_cards
from rankdash.report.sections.headline import special_words
from rankdash.scoring import Comparison
from rankdash.store import Decision, opposes
from rankdash.style import decisions, history
from rankdash.style import evidence as words
from rankdash.verdict import Verdict

#: A space at which a line does not break.
_JOINED = "\u00a0"
#: Letters of a name.
_NAME = 40
#: Letters of a reason; all of it stands with the decisions.
_REASON = 200


@dataclass(frozen=True)
class Stamp:
    """What is stamped on the verdict: a key, words, an icon and a colour; ``below`` is what is said about it."""

    key: str
    words: str
    icon: str
    colour: Literal["orange", "gray"] = "orange"
    below: str = ""


def stamps(outcome: str, policy_changed: bool = False, decided: Sequence[Decision] = ()) -> tuple[Stamp, ...]:
    """Return what is stamped on a verdict: that the policy was changed after results were seen, and each decision."""
    on_policy = [Stamp("policy_stamp", words.POLICY_STAMP, ":material/history:")] if policy_changed else []
    return (*on_policy, *(_decided(outcome, decision) for decision in decided))


def _decided(outcome: str, decision: Decision) -> Stamp:
    """Return the stamp of a decision; it is orange where the decision goes against the verdict, or was on another
    state.
    """
    since = decisions.STAMP_SINCE.format(since=decisions.SINCE[decision.since]) if decision.since else ""
    choice = history.CHOICES[decision.choice]
    said = decisions.STAMP.format(
        choice=f"{choice[0].lower()}{choice[1:]}",
        by=short(decision.by, _NAME),
        at=f"{decision.at:%Y-%m-%d}",
        revision=decision.revision,
        since=since,
    )
    differs = bool(decision.since) or opposes(decision.choice, outcome)
    return Stamp("decision_stamp", said, ":material/gavel:", "orange" if differs else "gray", decision.reason)


def banner(verdict: Verdict, comparison: Comparison | None = None, stamps: Sequence[Stamp] = ()) -> None:
    """Draw Launch or No launch, the tag, what is stamped on it and the sentence; beside them the next step."""
    colour = style.THEME.get(style.OUTCOME_COLOUR.get(verdict.outcome.value, ""), "")
    word = f"{style.ICONS[verdict.outcome.value]} {plain(verdict.screen)}"
    with st.container(border=True, key="banner"):
        left, right = st.columns([2.6, 1], gap="large", vertical_alignment="center")
        with left:
            with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
                st.title(f":{colour}[{word}]" if colour else word, anchor=False, width="content")
                st.subheader(plain(verdict.tag), anchor=False, width="content")
            stamped(stamps)
            with st.container(key="sentence"):
                st.markdown(plain(verdict.sentence))
            if comparison is not None and (special := special_words(comparison)):
                with st.container(key="case"):
                    st.markdown(plain(special))
        with right:
            st.markdown(f":small[:gray[{style.NEXT_STEP}]]  \n{plain(verdict.next_step)}")


def stamped(stamps: Sequence[Stamp]) -> None:
    """Draw stamps below each other."""
    for stamp in stamps:
        with st.container(key=stamp.key, gap="xsmall"):
            st.badge(plain(stamp.words), icon=stamp.icon, color=stamp.colour)
            if stamp.below:
                st.caption(plain(short(stamp.below, _REASON)))


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
