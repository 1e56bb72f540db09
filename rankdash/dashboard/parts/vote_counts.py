"""What raters said: the counts for the card, and the panel of good, same and bad queries."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from rankdash import charts
from rankdash.comparison import DERIVED_TOLERANCE, Comparison, VotesAlone
from rankdash.dashboard.kit.literal import plain
from rankdash.evidence.votes.gsb import Gsb
from rankdash.evidence.votes.intervals import possible
from rankdash.evidence.votes.raters import Rated
from rankdash.policy import Policy
from rankdash.style import evidence as words
from rankdash.tables import Votes
from rankdash.verdict.evidence import votes_of
from rankdash.verdict.rules.voting import unusable_sentence, why_unusable
from rankdash.wording import NOT_DEFINED, count, limit, number, percent, points, points_between, shown

#: A space at which a cell does not break.
_JOINED = "\u00a0"


def are_used(said: Rated | None, policy: Policy) -> bool:
    """Whether there are votes, and the policy's rules can use them."""
    return said is not None and why_unusable(votes_of(said), policy) is None


def why_unused(said: Rated | None, policy: Policy) -> str:
    """Why votes that were given are not used; "" where they are, or there are none."""
    return "" if said is None else unusable_sentence(votes_of(said), policy)


def raters(said: Rated) -> str:
    """Who voted, and how far they agree."""
    voters = words.NO_RATER if said.people is None else count(said.people, words.RATER, words.RATER_MANY)
    return voters if said.alpha is None else f"{voters}, {words.ALPHA.format(alpha=number(said.alpha, 2))}"


def panel(comparison: Comparison) -> None:
    """The bars of the votes and of the derived counts, with the numbers of each as text."""
    measure = shown(comparison.primary.measure)
    derived = {words.GSB_BARS["derived"].format(measure=measure): comparison.gsb_derived}
    said = comparison.votes
    voted = {} if said is None else {words.GSB_BARS["votes"]: said.gsb}
    _bars(voted | derived)
    rows = [*_voted_rows(said), _row(words.GSB_DERIVED, comparison.gsb_derived)]
    _table(rows)
    notes = [why_unused(said, comparison.policy), *sides(said), *_kept_apart(comparison.vote_rows)]
    note = words.GSB_DERIVED_NOTE.format(measure=plain(measure), tolerance=limit(DERIVED_TOLERANCE))
    st.caption(" ".join((*(plain(text) for text in notes if text), note)))


def panel_alone(votes_alone: VotesAlone) -> None:
    """The same where there are votes and nothing else."""
    _bars({words.GSB_BARS["votes"]: votes_alone.votes.gsb})
    _table(_voted_rows(votes_alone.votes))
    for text in (*sides(votes_alone.votes), *_kept_apart(votes_alone.vote_rows)):
        st.caption(plain(text))


def sides(said: Rated | None) -> list[str]:
    """Which side B stood on and what that is worth, and votes that a later one of the same rater replaced."""
    if said is None:
        return []
    side, told = said.side, []
    if said.repeated:
        told.append(words.REPEATED.format(n=count(said.repeated, words.REPEATED_VOTE, words.REPEATED_VOTES)))
    if side.effect is not None and side.n is not None:
        averaged = words.SIDES_AVERAGED.format(n=number(side.n, 1))
        shift, low, high = map(points, side.shift or (None, None, None))
        text = words.SIDES_FEW if side.shift is None else words.SIDES
        told.append(text.format(left=percent(side.left), shift=shift, low=low, high=high, averaged=averaged))
    elif side.left is not None:
        told.append(words.SIDES_FIXED.format(left=percent(side.left)))
    return told


def _bars(rows: dict[str, Gsb]) -> None:
    st.subheader(words.GSB_PANEL, anchor=False)
    st.caption(words.GSB_PANEL_HINT)
    st.plotly_chart(charts.gsb_chart(rows), key="gsb_chart", config=charts.CONFIG, alt=charts.gsb_alt(rows))


def _table(rows: list[tuple[str, ...]]) -> None:
    st.table(
        pd.DataFrame(rows, columns=list(words.GSB_TABLE)), border="horizontal", hide_index=True, alt=words.GSB_PANEL
    )


def _voted_rows(said: Rated | None) -> list[tuple[str, ...]]:
    """ΔGSB of the votes by query, and by rater where there are enough of them."""
    if said is None:
        return []
    rows = [_row(words.GSB_VOTES, said.gsb)]
    if said.rater_lower95 is None or said.rater_upper95 is None or said.people is None:
        return rows
    ends = possible(said.rater_lower95, said.rater_upper95)
    return [*rows, (words.GSB_RATERS, points(said.gsb.delta), _shown(ends), "", count(said.people))]


def _row(name: str, found: Gsb) -> tuple[str, ...]:
    counts = f"{count(found.good)} / {count(found.same)} / {count(found.bad)}".replace(" ", _JOINED)
    return name, points(found.delta), _shown(found.ci95), counts, count(found.n)


def _shown(ends: tuple[float, float] | None) -> str:
    return NOT_DEFINED if ends is None else points_between(*ends).replace(" ", _JOINED)


def _kept_apart(votes: Votes | None) -> list[str]:
    """How many votes say that both are good, or both bad; nothing where none does."""
    if votes is None:
        return []
    said = votes.table.column("vote").to_pylist()
    good, bad = said.count("both_good"), said.count("both_bad")
    if not good + bad:
        return []
    return [
        words.BOTH_KEPT.format(
            good=count(good, words.BOTH_GOOD, words.BOTH_GOODS), bad=count(bad, words.BOTH_BAD, words.BOTH_BADS)
        )
    ]
