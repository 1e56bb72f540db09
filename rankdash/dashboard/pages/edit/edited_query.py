"""The query that is edited: its choice, what was done to it, and its numbers before and after."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import pandas as pd
import streamlit as st

from rankdash import style
from rankdash.comparison import Comparison
from rankdash.dashboard.kit import session_values
from rankdash.dashboard.kit.literal import plain
from rankdash.dashboard.session import actions, session, verdicts, views
from rankdash.edits import query_numbers
from rankdash.inspect.lists import query_texts
from rankdash.style import editing as words
from rankdash.wording import count, literal, number, signed, unlike

_QUERY = "edit_query"


def choose(opened: verdicts.Opened) -> str | None:
    """Draw the list of queries, with a mark at those with edits, and return the chosen query, None where
    there is none.
    """
    texts, changed, ids = query_texts(opened.comparison), session.now().history.query_ids, opened.comparison.query_ids
    if not ids:
        return None

    def name(query_id: str) -> str:
        text = f"{texts[query_id]}  ({query_id})" if texts.get(query_id) else query_id
        return literal(f"{text} · {words.EDITED_BADGE.lower()}" if query_id in changed else text)

    query = views.query_among(ids, (opened.changes.query_ids or tuple(ids))[0])
    named = query, name(query)
    before = views.follow(_QUERY, named) or named
    if session_values.value(_QUERY) != query or (before[0] == query and before != named):
        # Otherwise the browser shows the name that the query had when it was chosen.
        session_values.set_value(_QUERY, query)
    chosen = st.selectbox(words.QUERY, ids, format_func=name, key=_QUERY, width="stretch", on_change=_looks_at)
    views.write_query(str(chosen))
    return str(chosen)


def _looks_at() -> None:
    views.choose_query(session_values.value(_QUERY))


def take_back(query_id: str | None = None) -> None:
    """Draw the buttons for undo and redo, and a button that resets the query on the screen."""
    history = session.now().history
    changed = history.query_ids
    buttons: list[tuple[str, str, str, bool, Callable[[], None]]] = [
        (words.UNDO, "edit_undo", "undo", history.can_undo, actions.take_back),
        (words.REDO, "edit_redo", "redo", history.can_redo, partial(actions.take_back, again=True)),
    ]
    if query_id is not None:
        buttons.append((words.RESET, "edit_reset", "restart_alt", query_id in changed, partial(_reset, query_id)))
    buttons.append((words.RESET_ALL, "edit_reset_all", "delete_sweep", bool(changed), _reset))
    for label, key, icon, active, act in buttons:
        st.button(label, key=key, icon=f":material/{icon}:", disabled=not active, on_click=act)


def _reset(*query_ids: str) -> None:
    actions.edit(session.now().history.reset(*query_ids))


def numbers(before: verdicts.Opened, after: verdicts.Opened, query_id: str) -> None:
    """Draw this query's numbers and the verdict, before beside after."""
    left, right = st.columns([1.35, 1], gap="small")
    with left.container(border=True, height="stretch", key="edit_numbers"):
        st.subheader(words.BEFORE_AFTER, anchor=False)
        _query(before.comparison, after.comparison, query_id)
    with right.container(border=True, height="stretch", key="edit_verdict"):
        st.subheader(words.VERDICTS, anchor=False)
        _verdicts(before, after)


def _query(before: Comparison, after: Comparison, query_id: str) -> None:
    old = {row.measure: row for row in query_numbers(before, query_id)}
    rows = []
    for new in query_numbers(after, query_id):
        was = old.get(new.measure)
        rows.append(
            (
                plain(after.policy.label(new.measure)),
                _change((new.a,) if was is None else (was.a, new.a), number),
                _change((new.b,) if was is None else (was.b, new.b), number),
                _change((new.delta,) if was is None else (was.delta, new.delta), signed, style.tone(new.delta)),
            )
        )
    st.table(
        pd.DataFrame(rows, columns=list(words.NUMBER_COLUMNS)),
        border="horizontal",
        hide_index=True,
        alt=words.BEFORE_AFTER,
    )


def _change(values: Sequence[float | None], write: Callable[[float | None, int], str], colour: str = "") -> str:
    """Return the last number, and the first one before it where that is another."""
    first, last = unlike(values[0], values[-1], write)
    new = f":{style.THEME[colour]}[{last}]" if colour else last
    return new if first == last else words.ARROW.format(before=first, after=new)


def _verdicts(before: verdicts.Opened, after: verdicts.Opened) -> None:
    """Draw the verdict of the upload beside that after edits, each with its mean difference."""
    sides = [(words.BEFORE, before), (words.NOW, after)]
    for column, (label, opened) in zip(st.columns(2, gap="small"), sides, strict=True):
        verdict, paired = opened.verdict, opened.comparison.primary.paired
        measure = plain(opened.comparison.primary.label)
        with column:
            colour = style.THEME.get(style.OUTCOME_COLOUR.get(verdict.outcome.value, ""), "")
            word = f"{style.ICONS[verdict.outcome.value]} **{plain(verdict.screen)}**"
            st.markdown(f":gray[{label}]  \n{f':{colour}[{word}]' if colour else word}  \n{plain(verdict.tag)}")
            over = words.MEAN_DELTA.format(measure=measure, queries=count(paired.n, "query", "queries"))
            st.markdown(f"**{signed(paired.delta, 4)}**  \n:small[:gray[{over}]]")
