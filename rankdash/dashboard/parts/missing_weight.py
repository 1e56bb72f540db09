"""What a judged query weighs that has no weight: asked where a table of weights lacks many of them, changed later."""

from __future__ import annotations

import streamlit as st

from rankdash.case import Case, per_query_of
from rankdash.conventions import number
from rankdash.dashboard.host.results import once
from rankdash.dashboard.kit import controlled_widget, session_values
from rankdash.dashboard.kit.literal import plain, short
from rankdash.dashboard.session import actions
from rankdash.scoring import WeightGap, facts, judged_queries
from rankdash.style import reading as words
from rankdash.tables import Queries
from rankdash.wording import count

_ID = 40


def large_gap(case: Case) -> WeightGap | None:
    """Return what the weights of a comparison lack where somebody has to say what these queries weigh; else None."""
    if case.queries is None or "weight" not in case.queries.table.column_names:
        return None
    gap = _gap(case.unedited)
    return gap if gap is not None and gap.is_large else None


@once
def _gap(case: Case) -> WeightGap | None:
    if case.scored is not None:
        ids = per_query_of(case.scored, case.a, case.b).query_ids
    else:
        ids = judged_queries(case.a, case.b, case.judgments)
    return facts(case.queries, ids).gap


def choice(place: str, gap: WeightGap, queries: Queries) -> float | None:
    """Ask in a form; None until it is answered."""
    with st.container(border=True, key=f"{place}_missing_weight", gap="small"):
        _explained(gap, queries)
        chosen: float | None = st.segmented_control(
            words.WEIGHTS_ASK,
            gap.answers,
            default=queries.missing_weight if queries.missing_weight in gap.answers else None,
            format_func=words.WEIGHTS_CHOICES.__getitem__,
            key=f"{place}_weigh_missing",
        )
    return chosen


def question(gap: WeightGap, queries: Queries) -> None:
    """Ask in place of an open comparison, which has no verdict before it is answered. The answer is saved with it."""
    with st.container(border=True, key="missing_weight"):
        st.subheader(words.WEIGHTS_ASK, anchor=False)
        _explained(gap, queries)
        with st.container(horizontal=True, gap="small"):
            for weight in gap.answers:
                st.button(
                    words.WEIGHTS_CHOICES[weight],
                    key=f"weigh_missing_{weight}",
                    on_click=actions.weigh_missing,
                    args=(weight,),
                )


def control(gap: WeightGap | None, queries: Queries) -> None:
    """Draw the answer that holds for the open comparison, to be changed, unless every judged query has a weight."""
    if gap is None or not gap.count:
        return
    key = controlled_widget.key_of("weigh_missing", queries.missing_weight or 0)
    with st.container(key="weigh_missing"):
        st.segmented_control(
            words.WEIGHTS_ASK,
            gap.answers,
            default=queries.missing_weight or 0,
            format_func=words.WEIGHTS_CHOICES.__getitem__,
            key=key,
            required=True,
            on_change=_changed,
            args=(key,),
        )


def _changed(key: str) -> None:
    if controlled_widget.is_chosen(key):
        actions.weigh_missing(session_values.value(key))


def _explained(gap: WeightGap, queries: Queries) -> None:
    judged = count(gap.of, words.JUDGED_QUERY, words.JUDGED_QUERIES)
    table = plain(short(queries.source.name, _ID)) or words.WEIGHTS_TABLE
    said = [words.WEIGHTS_LACK.format(lacking=count(gap.count), judged=judged, table=table)]
    said.append(words.WEIGHTS_WHY.format(some=_some(gap.lacking)))
    if gap.given is not None:
        least, most = map(number, gap.given)
        given = words.WEIGHTS_ALIKE if least == most else words.WEIGHTS_GIVEN
        said.append(given.format(least=least, most=most))
    elif gap.others:
        said.append(words.WEIGHTS_OTHERS.format(some=_some(gap.others)))
    st.markdown(f":orange[:material/help:] {said[0]}")
    st.caption(" ".join(said[1:]))


def _some(ids: tuple[str, ...]) -> str:
    return ", ".join(f"“{plain(short(id, _ID))}”" for id in ids)
