"""New comparison, type or paste: the numbers of lists and the calculation at once, and the way to the verdict."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from rankdash import style
from rankdash.case import Case
from rankdash.conventions import Convention
from rankdash.dashboard import demo
from rankdash.dashboard.kit.literal import plain, problems
from rankdash.dashboard.new import fit, typed_fields, typed_grades, uploads
from rankdash.dashboard.parts import headline, votes_only, worked_calculation
from rankdash.dashboard.session import session
from rankdash.explain import Explanation, explain
from rankdash.inspect.lists import QueryList
from rankdash.metrics import MeasureError
from rankdash.policy import Policy
from rankdash.reading.typed import Typed
from rankdash.scoring import Side
from rankdash.style import editing as words
from rankdash.tables import Run, Votes
from rankdash.wording import count, literal, number

#: What a newcomer wants to see, at a cutoff.
_MEASURES = ("CG@{k}", "DCG@{k}", "IDCG@{k}", "nDCG@{k}", "P@{k}", "R@{k}", "AP", "RR")
#: Queries to choose from, and documents and grades of a query that are worked out while somebody types.
_MOST_LISTED, _MOST_WORKED = 1_000, 2_000
_WORKED = ("nDCG@{k}", "DCG@{k}", "AP", "P@{k}")


def door() -> None:
    """Draw fields for the lists; under them what they are worth, worked out, and the button that compares them."""
    typed = typed_fields.fields()
    policy = session.default_policy() if typed is None else fit.policy(typed_fields.KEYS.rstrip("_"))
    if isinstance(typed, Votes):
        _votes_alone(typed, policy)
        return
    chosen, case = None, None
    if typed is not None:
        query_id = _query(typed)
        typed = typed_grades.graded(typed, query_id) if typed.named else typed
        chosen = _worth(typed, query_id, policy.scoring)
        case = _case(typed, policy)
    with st.container(horizontal=True, vertical_alignment="center"):
        go = st.button(style.COMPARE, type="primary", disabled=case is None, key="typed_compare")
        if case is None:
            st.caption(words.TYPED_NEEDS[_needs(typed)])
    if go and case is not None:
        uploads.compare(case, policy=policy)
    if typed is not None and chosen is not None:
        _calculations(typed, *chosen, policy.scoring)


def _case(typed: Typed, policy: Policy) -> Case | None:
    """Return the comparison of two lists; None, and the reason on the page, where it would be refused."""
    if typed.b is None or typed.judgments is None:
        return None
    case = Case((typed.a, typed.b), typed.judgments, votes=typed.votes, name=words.TYPED).knowing_lists()
    reasons = fit.refused(case, policy)
    if reasons:
        problems(reasons)
    return None if reasons else case


def _needs(typed: Typed | None) -> str:
    """Return a word of ``TYPED_NEEDS`` for what stands in the way of a comparison."""
    if typed is None:
        return "nothing"
    if typed.judgments is None:
        return "grade"
    return "b" if typed.b is None else "refused"


def _votes_alone(votes: Votes, policy: Policy) -> None:
    """Draw what the votes were read as, and the button that opens them."""
    comparison = votes_only.said(votes, policy)
    with st.container(key="typed_counted", width=320):
        headline.voted_card(comparison.votes)
    with st.container(horizontal=True, vertical_alignment="center"):
        go = st.button(style.COMPARE, type="primary", key="typed_compare")
        st.caption(" ".join((words.TYPED_VOTES, *(plain(str(note)) for note in votes.source.notes))))
    if go:
        uploads.open_alone(votes, policy=policy)


def _query(typed: Typed) -> str:
    """Return the query that is looked at, chosen from a list where there are several."""
    query_ids = typed.query_ids
    if len(query_ids) > _MOST_LISTED:
        st.caption(words.TYPED_FIRST.format(n=count(_MOST_LISTED), of=count(len(query_ids))))
    if len(query_ids) == 1:
        return query_ids[0]
    some = query_ids[:_MOST_LISTED]
    return str(st.selectbox(words.TYPED_QUERY, some, key="typed_query", width=260, format_func=literal))


def _worth(typed: Typed, query_id: str, convention: Convention) -> tuple[str, int] | None:
    """Draw the measures of a query, A beside B. Return the query and the cutoff; None where no document has a grade,
    and where its lists are too long to be worked out here.
    """
    if typed.judgments is None:
        return None
    st.caption(words.SHARES[typed.named])
    if typed.size(query_id) > _MOST_WORKED:
        st.caption(words.TYPED_LONG.format(n=count(_MOST_WORKED)))
        return None
    longest = typed.longest(query_id)
    # One part, which a phone moves where the table is wide, with what the keyboard can reach in it.
    numbers = st.container(key="typed_numbers")
    k = int(numbers.number_input(words.CUTOFF, 1, None, longest, key=f"typed_k_{longest}", width=130))
    names = [template.format(k=k) for template in _MEASURES]
    rows = []
    for side, run in _sides(typed):
        explanations = [_explained(typed, side, run, name, query_id, convention) for name in names]
        rows.append(
            [
                f"**{style.SIDE[side]}**",
                *(number(None if explanation is None else explanation.value) for explanation in explanations),
            ]
        )
    frame = pd.DataFrame(rows, columns=["", *(plain(name) for name in names)])
    numbers.table(frame, border="horizontal", hide_index=True, alt=words.TYPED_ALT.format(k=k))
    return query_id, k


def _calculations(typed: Typed, query_id: str, k: int, convention: Convention) -> None:
    """Draw a measure worked out rank by rank, for each list."""
    names = [template.format(k=k) for template in _WORKED]
    chosen = st.segmented_control(words.WORKED_FOR, names, default=names[0], key=f"typed_worked_{k}", required=True)
    sides = _sides(typed)
    for column, (side, run) in zip(st.columns(2, gap="medium"), sides, strict=False):
        explanation = _explained(typed, side, run, str(chosen), query_id, convention)
        if explanation is not None:
            with column:
                worked_calculation.calculation(
                    QueryList(run.name, explanation.value, len(explanation.ranks), (), explanation), style.SIDE[side]
                )


def _sides(typed: Typed) -> list[tuple[Side, Run]]:
    sides: list[tuple[Side, Run]] = [("a", typed.a)]
    return sides if typed.b is None else [*sides, ("b", typed.b)]


def _explained(
    typed: Typed, side: Side, run: Run, measure: str, query_id: str, convention: Convention
) -> Explanation | None:
    """Return the worked calculation of a measure; None where the list has no judgments for the query."""
    if typed.judgments is None:
        return None
    try:
        return explain(run, typed.judgments, measure, query_id, convention, side=side)
    except MeasureError:
        return None


def examples() -> None:
    """Draw buttons that download files to start from; made on the click, for a file that is laid out before is gone at
    a rerun.
    """
    with st.container(horizontal=True, vertical_alignment="center", key="examples"):
        st.markdown(f"**{words.EXAMPLES}**", help=words.EXAMPLES_WHY, width="content")
        for name, content in demo.files().content.items():
            st.download_button(
                name,
                partial(bytes, content),
                name,
                "text/csv",
                key=f"example_{name.removesuffix('.csv')}",
                type="tertiary",
                icon=":material/download:",
                on_click="ignore",
            )
