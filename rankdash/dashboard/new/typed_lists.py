"""New comparison, type or paste: lists in, their numbers and the calculation at once, and the way to the verdict."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from rankdash import style
from rankdash.case import Case
from rankdash.comparison import Side
from rankdash.dashboard import demo
from rankdash.dashboard.host.results import once
from rankdash.dashboard.kit import session_values
from rankdash.dashboard.kit.literal import plain, problems
from rankdash.dashboard.new import uploads
from rankdash.dashboard.parts import headline, votes_only, worked_calculation
from rankdash.dashboard.session import record
from rankdash.explain import Explanation, explain
from rankdash.inspect.lists import QueryList
from rankdash.metrics import MeasureError
from rankdash.reading.typed import MOST_LETTERS, Typed, TypedError
from rankdash.sandbox import apart
from rankdash.style import editing as words
from rankdash.tables import Run, Votes
from rankdash.wording import count, literal, number

#: What a newcomer wants to see, at a cutoff.
_MEASURES = ("CG@{k}", "DCG@{k}", "IDCG@{k}", "nDCG@{k}", "P@{k}", "R@{k}", "AP", "RR")
#: Queries to choose from, and documents and grades of one that are worked out while somebody types.
_MOST_LISTED, _MOST_WORKED = 1_000, 2_000
_WORKED = ("nDCG@{k}", "DCG@{k}", "AP", "P@{k}")


def door() -> None:
    """Draw fields for the lists; under them what they are worth, worked out, and the button that compares them."""
    typed = _fields()
    if isinstance(typed, Votes):
        _votes_alone(typed)
        return
    chosen = None if typed is None else _worth(typed)
    case = None
    if typed is not None and typed.b is not None:
        case = Case((typed.a, typed.b), typed.judgments, votes=typed.votes, name=words.TYPED)
    with st.container(horizontal=True, vertical_alignment="center"):
        go = st.button(style.COMPARE, type="primary", disabled=case is None, key="typed_compare")
        if case is None:
            st.caption(words.TYPED_NOTHING if typed is None else words.TYPED_NEEDS)
    if go and case is not None:
        uploads.compare(case)
    if typed is not None and chosen is not None:
        _calculations(typed, *chosen)


def _votes_alone(votes: Votes) -> None:
    """Draw what the votes were read as, and the button that opens them."""
    found = votes_only.said(votes, record.now().policy)
    with st.container(key="typed_counted", width=320):
        headline.voted_card(found.votes)
    with st.container(horizontal=True, vertical_alignment="center"):
        go = st.button(style.COMPARE, type="primary", key="typed_compare")
        st.caption(" ".join((words.TYPED_VOTES, *map(plain, votes.source.notes))))
    if go:
        uploads.open_alone(votes)


def _fields() -> Typed | Votes | None:
    """Return the typed lists as tables; None without any, and where they cannot be read, which a message tells."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        shape = st.segmented_control(
            words.SHAPE,
            list(words.SHAPES),
            format_func=words.SHAPES.__getitem__,
            default="lists",
            key="typed_shape",
            required=True,
            label_visibility="collapsed",
        )
        st.space("stretch")
        st.button(words.FILL_IN, key="typed_example", type="tertiary", on_click=_example, args=(shape,))
    st.caption(words.HINTS[shape])
    texts = _FIELDS[shape]()
    if not any(text.strip() for text in texts):
        return None
    with st.spinner(words.TYPED_READING):
        found = _read(shape, texts)
    if isinstance(found, str):
        with st.container(key="typed_said"):
            problems(found.splitlines())
            if shape != "votes" and any(isinstance(_read("votes", (text,)), Votes) for text in texts if text.strip()):
                st.caption(words.THESE_ARE_VOTES.format(shape=words.SHAPES["votes"]))
        return None
    return found


@once
def _read(shape: str, texts: tuple[str, ...]) -> Typed | Votes | str:
    """Return what was typed as tables, or why it cannot be read."""
    try:
        return apart.typed(shape, texts)
    except TypedError as error:
        return str(error)


def _one_field() -> tuple[str]:
    return (_field(st, words.TABLE, "typed_table", 140, words.EXAMPLE_TABLE),)


def _votes_field() -> tuple[str]:
    return (_field(st, words.VOTES_FIELD, "typed_votes_alone", 140, words.EXAMPLE_VOTES),)


def _two_fields() -> tuple[str, str, str, str]:
    left, right = st.columns(2, gap="small")
    example = words.EXAMPLE_LISTS
    a = _field(left, words.LIST_A, "typed_a", 80, example["a"])
    b = _field(right, words.LIST_B, "typed_b", 80, example["b"])
    missed = _field(left, words.MISSED, "typed_missed", 68, "3 2", help=words.MISSED_HELP)
    votes = _field(right, words.VOTES, "typed_votes", 68, "good", help=words.VOTES_HELP)
    return a, b, missed, votes


def _field(place: Any, label: str, key: str, height: int, example: str, **how: Any) -> str:
    """Draw a field; a text that is cut to what a browser may send is longer than what is read, and so refused."""
    how |= {"key": key, "height": height, "placeholder": example}
    text: str = place.text_area(label, max_chars=MOST_LETTERS + 1, **how)
    return text


#: The fields of each shape.
_FIELDS: Mapping[str, Callable[[], tuple[str, ...]]] = {
    "lists": _two_fields,
    "table": _one_field,
    "votes": _votes_field,
}


def _example(shape: str) -> None:
    if shape == "table":
        session_values.set_value("typed_table", words.EXAMPLE_TABLE)
    elif shape == "votes":
        session_values.set_value("typed_votes_alone", words.EXAMPLE_VOTES)
    else:
        for side, text in words.EXAMPLE_LISTS.items():
            session_values.set_value(f"typed_{side}", text)


def _worth(typed: Typed) -> tuple[str, int] | None:
    """Draw the measures of one query, A beside B. Return the chosen query and cutoff; None where its lists are too long
    to be worked out here.
    """
    st.caption(words.SHARES[typed.named])
    query_ids = typed.query_ids
    if len(query_ids) > _MOST_LISTED:
        st.caption(words.TYPED_FIRST.format(n=count(_MOST_LISTED), of=count(len(query_ids))))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        query_id = query_ids[0]
        if len(query_ids) > 1:
            some = query_ids[:_MOST_LISTED]
            query_id = str(st.selectbox(words.TYPED_QUERY, some, key="typed_query", width=260, format_func=literal))
        if typed.size(query_id) > _MOST_WORKED:
            st.caption(words.TYPED_LONG.format(n=count(_MOST_WORKED)))
            return None
        longest = typed.longest(query_id)
        k = int(st.number_input(words.CUTOFF, 1, None, longest, key=f"typed_k_{longest}", width=130))
    names = [template.format(k=k) for template in _MEASURES]
    rows = []
    for side, run in _sides(typed):
        found = [_explained(typed, side, run, name, query_id) for name in names]
        rows.append([f"**{style.SIDE[side]}**", *(number(None if one is None else one.value) for one in found)])
    with st.container(key="typed_numbers"):
        frame = pd.DataFrame(rows, columns=["", *(plain(name) for name in names)])
        st.table(frame, border="horizontal", hide_index=True, alt=words.TYPED_ALT.format(k=k))
    return query_id, k


def _calculations(typed: Typed, query_id: str, k: int) -> None:
    """Draw one measure worked out rank by rank, for each list."""
    names = [template.format(k=k) for template in _WORKED]
    chosen = st.segmented_control(words.WORKED_FOR, names, default=names[0], key=f"typed_worked_{k}", required=True)
    sides = _sides(typed)
    for column, (side, run) in zip(st.columns(2, gap="medium"), sides, strict=False):
        one = _explained(typed, side, run, str(chosen), query_id)
        if one is not None:
            with column:
                worked_calculation.calculation(
                    QueryList(run.name, one.value, len(one.ranks), (), one), style.SIDE[side]
                )


def _sides(typed: Typed) -> list[tuple[Side, Run]]:
    sides: list[tuple[Side, Run]] = [("a", typed.a)]
    return sides if typed.b is None else [*sides, ("b", typed.b)]


def _explained(typed: Typed, side: Side, run: Run, measure: str, query_id: str) -> Explanation | None:
    """Return the worked calculation of a measure; None where the list has no judgments for the query."""
    try:
        return explain(run, typed.judgments, measure, query_id, record.now().policy.scoring, side=side)
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
