"""What a reader must know beside the verdict: three at most, the rest on demand; what it asks can be answered there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import streamlit as st

from rankdash import style
from rankdash.dashboard.kit.literal import plain
from rankdash.dashboard.session import actions
from rankdash.policy import Policy
from rankdash.scoring import Comparison
from rankdash.style import evidence as words
from rankdash.verdict import Caveat, Verdict
from rankdash.verdict.caveats import JUDGMENTS, SHOWN

#: Answers that stand in a row; grades beyond them are set in the policy.
_MOST_GRADES = 6


def panel(verdict: Verdict, comparison: Comparison | None = None) -> None:
    """Draw the first caveats, and a way to the others, where there are any; ``comparison`` is what they are about."""
    if not verdict.caveats:
        return
    with st.container(border=True, key="caveats"):
        st.subheader(style.CAVEATS, anchor=False)
        _several(verdict.caveats[:SHOWN], comparison)
        if len(verdict.caveats) > SHOWN:
            with st.expander(style.MORE_CAVEATS.format(n=len(verdict.caveats) - SHOWN)):
                _several(verdict.caveats[SHOWN:], comparison)


def _several(caveats: Sequence[Caveat], comparison: Comparison | None) -> None:
    """Draw caveats as a list, that with a question last, with its answers beside it."""
    asks = None if comparison is None else comparison.counts.ask
    questions = [caveat for caveat in caveats if asks is not None and caveat.id == JUDGMENTS]
    st.markdown("\n".join(f"- {plain(caveat.sentence)}" for caveat in caveats if caveat not in questions))
    for caveat in questions:
        assert comparison is not None
        _question(caveat, comparison)


def _question(caveat: Caveat, comparison: Comparison) -> None:
    """Draw what only people know of the judgments, with a button for each answer, which changes the policy."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="judgments_asked"):
        st.markdown(f"- {plain(caveat.sentence)}", width="content")
        for number, (label, policy) in enumerate(answers(comparison)):
            st.button(label, key=f"judgments_answer_{number}", on_click=actions.decide_by, args=(policy,))


def answers(comparison: Comparison) -> Iterator[tuple[str, Policy]]:
    """Yield each answer with the policy that says so."""
    policy = comparison.policy
    if comparison.counts.ask == "judged_or_logged":
        for kind, label in words.JUDGMENTS_KINDS.items():
            yield label, policy.changed(judgments=kind)
        return
    least, *others = sorted(comparison.scored.scope.grades)
    rel = min(least, policy.scoring.rel)
    yield words.RELEVANT_ALL.format(grade=f"{least:g}"), _relevant_from(rel, policy)
    for grade in others[: _MOST_GRADES - 1]:
        yield words.RELEVANT_FROM.format(grade=f"{grade:g}"), _relevant_from(grade, policy)


def _relevant_from(rel: float, policy: Policy) -> Policy:
    """Return a policy with the grade from which on documents are relevant, which is no question any more."""
    same = rel == policy.scoring.rel
    convention = policy.convention if same else policy.scoring.with_axes({"rel": rel})
    return policy.changed(judgments="judged", convention=convention)
