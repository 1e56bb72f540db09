"""The two lists of a query as editors side by side. What is typed becomes edits at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from rankdash import style
from rankdash.dashboard.kit import editors, session_values
from rankdash.dashboard.kit.literal import literal_cells, plain, problems, short
from rankdash.dashboard.new.fit import MISTAKES
from rankdash.dashboard.pages.edit import typed_cells
from rankdash.dashboard.session import actions, open_comparison, session, verdicts, views
from rankdash.edits import Edit, ListLine, clashes, differences
from rankdash.inspect.lists import QueryList, query_lists
from rankdash.scoring import SIDES, Comparison, Side
from rankdash.style import editing as words
from rankdash.wording import count, number

_EDITS = "edits"
_EDITOR = "edit_{side}"
_WHOLE = 1_000_000
#: Rows of the smallest and of the tallest editor.
_LEAST, _MOST = 3, 16
#: Columns of letters of a model over its editor: with its value and its documents one line of a laptop.
_MODEL = 26


@dataclass(frozen=True)
class _GivenList:
    """The list that an editor was given."""

    query_id: str
    lines: tuple[ListLine, ...]


_Drawn = editors.Drawn[_GivenList]


def _shows(drawn: _Drawn, lines: Sequence[ListLine]) -> bool:
    """Return whether an editor, with what was typed into it, shows a list."""
    if not drawn.is_on_screen:
        return False
    typed, wrong = typed_cells.typed_lines(drawn.given.lines, {"edited_rows": drawn.typed.get("edited_rows", {})})
    pairs = ([(line.doc_id, line.grade) for line in both] for both in (typed, lines))
    return not wrong and next(pairs) == next(pairs)


def take_typed(comparison: Comparison, query_id: str) -> None:
    """Take over what was typed into the editors of a query, before anything is computed that it would change."""
    for side in SIDES:
        drawn = _on_screen(side, query_id)
        if drawn is not None:
            taken_up(drawn.key, partial(_typed, drawn, side, _own(comparison, side)))


def _own(comparison: Comparison, side: Side) -> Side | None:
    """Return the list that grades typed in an editor are for; None where a grade is for both."""
    return side if comparison.joined.apart else None


def both_lists(comparison: Comparison, query_id: str) -> None:
    """Draw both lists of a query, whole, with rank, grade and id open to editing."""
    lists = query_lists(comparison, query_id, _WHOLE)
    with st.container(border=True, key="edit_lists", gap="xsmall"):
        with st.container():  # with or without a message the editors keep their place, and what is being typed
            said()
        for side, column in zip(SIDES, st.columns(2, gap="medium"), strict=True):
            with column:
                _editor(comparison, query_id, side, lists.a if side == "a" else lists.b)
        st.caption(words.EDITOR_HINT)
        if ungraded := _ungraded(comparison):
            st.caption(ungraded)


def _ungraded(comparison: Comparison) -> str:
    """Return how queries are graded that nobody graded yet; "" where the lists have none."""
    found = comparison.scored.noticed
    n = max(found.findings_a.unjudged_queries, found.findings_b.unjudged_queries)
    queries = count(n, "query", "queries")
    return words.UNGRADED.format(n=queries, labels=words.LABELS_IN, way=words.WAYS["labels"]) if n else ""


def _editor(comparison: Comparison, query_id: str, side: Side, query_list: QueryList) -> None:
    model = plain(short(query_list.model, _MODEL))
    title = words.LIST_OF.format(side=style.SIDE[side], model=model)
    measure = plain(comparison.primary.label)
    documents = count(query_list.length, "document", "documents")
    st.markdown(f"**{title}** :gray[· {measure} {number(query_list.value)} · {documents}]")
    lines = [ListLine(placed.document.doc_id, placed.rank, placed.document.relevance) for placed in query_list.placed]
    drawn = _drawn(side, query_id, lines)
    rows = [(line.rank, line.grade, line.doc_id) for line in drawn.given.lines]
    frame = pd.DataFrame(rows, columns=["rank", "grade", "id"])
    frame = frame.astype({"rank": "Int64", "grade": "Float64", "id": "str"})
    titles = [placed.document.title for placed in query_list.placed]
    if any(titles):
        frame["title"] = pd.Series(titles, dtype="str")
    st.data_editor(
        literal_cells(frame),
        key=drawn.key,
        num_rows="dynamic",
        hide_index=True,
        column_config=_columns(has_titles=any(titles)),
        disabled=["title"],
        height=editors.height(min(max(len(rows), _LEAST), _MOST) + 1),
        row_height=editors.ROW,
        placeholder=words.NOTHING,
        on_change=_typed,
        args=(drawn, side, _own(comparison, side)),
        alt=words.EDITOR_ALT.format(side=style.SIDE[side], n=len(rows)),
    )


def _on_screen(side: Side, query_id: str) -> _Drawn | None:
    """Return the last editor of a list; None where it was given another query."""
    now: _Drawn | None = editors.latest(_EDITOR.format(side=side))
    return now if now is not None and now.given.query_id == query_id else None


def _drawn(side: Side, query_id: str, lines: Sequence[ListLine]) -> _Drawn:
    """Return the editor that is on the screen already, or a new one where that does not show the list."""
    now = _on_screen(side, query_id)
    if now is not None and _shows(now, lines):
        return now
    return editors.begin(_EDITOR.format(side=side), _GivenList(query_id, tuple(lines)))


def _columns(*, has_titles: bool) -> dict[str, Any]:
    """Return the columns; ids take the room of titles where there are none."""
    name, help_ = words.COLUMNS, words.COLUMN_HELP
    return {
        "rank": st.column_config.NumberColumn(name["rank"], help=help_["rank"], min_value=1, step=1, width=82),
        "grade": st.column_config.NumberColumn(name["grade"], help=help_["grade"], format="%.4g", width=88),
        "title": st.column_config.TextColumn(name["title"]),
        "id": st.column_config.TextColumn(name["id"], help=help_["id"], width=112 if has_titles else None),
    }


def taken_up(key: str, take: Callable[[], None]) -> None:
    """Apply what an editor holds though no callback reported it, as when a page is driven without a browser.

    Only once: two editors with different grades of one document would otherwise alternate forever.
    """
    before = editors.generation(), session.now().history
    if any(session_values.value(key, {}).values()) and not editors.is_taken(key):
        take()
        if before != (editors.generation(), session.now().history):
            st.rerun()


def said() -> None:
    """Say why what was typed last was not taken over, once."""
    lines = views.notices_for(_EDITS)
    if lines:
        st.markdown(words.REFUSED)
        problems(lines)


def _typed(drawn: _Drawn, side: Side, own: Side | None) -> None:
    """Take over what was typed. A row with a rank or a grade but no document yet waits for its document, and so does
    what would draw the editor anew; an empty row is ignored.
    """
    event = drawn.typed
    added = [row for row in event.get("added_rows", ()) if any(map(_is_typed, row.values()))]
    waits = not all(map(_id, added))
    after, wrong = typed_cells.typed_lines(drawn.given.lines, {**event, "added_rows": [] if waits else added})
    edits = differences(drawn.given.query_id, side, _in_force(drawn, own), after, own)
    in_place = all(edit.what == "grade" for edit in edits)
    grades_only = not any(row.keys() - {"grade"} for row in event.get("edited_rows", {}).values())
    if wrong:
        refuse(wrong)
    elif edits and (in_place or not waits):
        take_over(edits, in_place=in_place)
    elif not (grades_only or waits):
        editors.renew()  # a rank or an id that changes nothing would stay on the screen
    editors.taken(drawn.key)


def _in_force(drawn: _Drawn, own: Side | None) -> list[ListLine]:
    """Return the list that an editor was drawn with, with the grades that were typed since then."""
    typed = {
        edit.doc_id: edit.after
        for edit in session.now().history.edits
        if edit.what == "grade" and edit.query_id == drawn.given.query_id and edit.side == own
    }
    return [replace(line, grade=typed.get(line.doc_id, line.grade)) for line in drawn.given.lines]


def _is_typed(cell: Any) -> bool:
    return cell is not None and bool(str(cell).strip())


def _id(row: Mapping[str, Any]) -> str:
    """Return the document of a row that was added, "" where none is typed yet."""
    return str(row.get("id") or "").strip()


def refuse(lines: tuple[str, ...]) -> None:
    """Say why nothing was taken over, and show the editors as they were."""
    views.say(_EDITS, *lines)
    editors.renew()


def take_over(edits: tuple[Edit, ...], *, in_place: bool = False, what: str = "") -> bool:
    """Put edits in force, unless the comparison would not stand with them; then that is said. ``in_place``: in an
    editor that stays on the screen as it is. ``what``: the word under which they are saved, "" for edits by hand.
    """
    base, history = open_comparison.uploaded(), session.now().history.done(*edits)
    if base is None or history is session.now().history:
        editors.renew()
        return False
    tried = actions.with_others(history).edits  # computed once, also where somebody else edits at the same time
    wrong = clashes(tried, base.a, base.b, base.judgments)
    wrong = wrong or _wrong(lambda: verdicts.opened(replace(base, edits=tried)).comparison, edits)
    if wrong:
        refuse(wrong)
        return False
    actions.edit(history, in_place=in_place, what=what)
    together, now = session.now().history, open_comparison.current()
    if together is not history and now is not None:  # somebody else edited it meanwhile
        wrong = _wrong(lambda: verdicts.opened(now).comparison, edits)
    if wrong:
        actions.edit(together.undone())
        refuse(wrong)
    return not wrong


def _wrong(compared: Callable[[], Comparison], edits: tuple[Edit, ...]) -> tuple[str, ...]:
    """Return what is wrong with a comparison: nothing to compare with, a grade that a measure does not take."""
    try:
        left = compared().query_ids
    except MISTAKES as error:
        return tuple(str(error).splitlines())
    return () if all(edit.query_id in left for edit in edits) else (words.LAST_GRADE,)
