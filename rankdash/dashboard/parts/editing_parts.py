"""What was typed into the cells of an editor, checked: Streamlit's bounds are a browser's courtesy, not a check."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from rankdash import style
from rankdash.conventions import number as number_conventions
from rankdash.dashboard.kit import screen, widgets
from rankdash.dashboard.kit.literal import literal_cells, plain, problems, short, show_table
from rankdash.dashboard.parts.uploads import MISTAKES
from rankdash.dashboard.session import actions, open_comparison, session, verdicts
from rankdash.dashboard.session.open_comparison import spoken
from rankdash.edits import Edit, ListLine, clashes, differences, in_order, unlisted
from rankdash.inspect.labels import label_scale
from rankdash.inspect.lists import QueryList, query_lists
from rankdash.inspect.query_order import query_texts
from rankdash.records import frozen, replace
from rankdash.report.tables import file_name, judgments_file
from rankdash.scoring import SIDES, Comparison, Side
from rankdash.style import editing as words
from rankdash.wording import below_zero, count, literal, number, signed, unlike

LOWEST, HIGHEST = -100.0, 1000.0


def typed_lines(before: Sequence[ListLine], event: Mapping[str, Any]) -> tuple[list[ListLine], tuple[str, ...]]:
    """Return the list with what an editor reports as edited, added and deleted rows, and what is wrong with it."""
    gone = set(event.get("deleted_rows", ()))
    wrong: list[str] = []
    edited = {int(row): cells for row, cells in event.get("edited_rows", {}).items()}
    kept = [(line, edited.get(place, {})) for place, line in enumerate(before) if place not in gone]
    lines = [_line(line, cells, wrong) for line, cells in kept]
    lines += [_line(ListLine("", None, None), cells, wrong) for cells in event.get("added_rows", ())]
    times = Counter(line.doc_id for line in lines)
    wrong += [spoken(words.TWICE).format(doc=doc) for doc, n in times.items() if n > 1]
    return lines, tuple(dict.fromkeys(wrong))


def _line(line: ListLine, cells: Mapping[str, Any], wrong: list[str]) -> ListLine:
    doc_id = str(cells.get("id") or line.doc_id).strip()
    rank = line.rank
    if "rank" in cells and cells["rank"] is not None:
        rank = number_in(cells["rank"])
        if rank is None or rank < 1 or rank != int(rank):
            wrong.append(words.NOT_A_RANK.format(doc=doc_id, found=cells["rank"]))
    return ListLine(doc_id, rank, checked_grade(doc_id, cells["grade"], wrong) if "grade" in cells else line.grade)


def checked_grade(doc_id: str, typed: Any, wrong: list[str]) -> float | None:
    """Return the typed grade, None for an emptied cell. A text that is not a grade is added to ``wrong``."""
    if typed is None or typed == "":
        return None
    grade = number_in(typed)
    if grade is None or not LOWEST <= grade <= HIGHEST:
        wrong.append(words.NOT_A_GRADE.format(doc=doc_id, found=typed, low=LOWEST, high=HIGHEST))
        return None
    return grade


def number_in(typed: Any) -> float | None:
    """Return the finite number in a cell; None where there is none."""
    try:
        number = float(typed)
    except (TypeError, ValueError):
        return None
    return number if math.isfinite(number) else None


# --- the two lists of a query as editors side by side. What is typed becomes edits at once ---


_EDITS, _ODD = "edits", "odd_grades"
_EDITOR = "edit_{side}"
_WHOLE = 1_000_000
#: Rows of the smallest and of the tallest editor.
_LEAST, _MOST = 3, 16
#: Columns of letters of a model over its editor: with its value and its documents one line of a laptop.
_MODEL = 26


@frozen
class GivenList:
    """The list that an editor was given, and the same with what was typed into it and taken over."""

    query_id: str
    lines: tuple[ListLine, ...]
    now: tuple[ListLine, ...]


_Drawn = widgets.Drawn[GivenList]


def both_lists(comparison: Comparison, query_id: str) -> None:
    """Draw both lists of a query, whole, with rank, grade and id open to editing."""
    lists = query_lists(comparison, query_id, _WHOLE)
    with st.container(border=True, key="edit_lists", gap="xsmall"):
        with st.container():  # with or without a message the editors keep their place, and what is being typed
            said()
        ranked = False
        for side, column, shown in zip(SIDES, st.columns(2, gap="medium"), (lists.a, lists.b), strict=True):
            with column:
                drawn = _editor(comparison, query_id, side, shown)
            ranked |= any("rank" in row for row in drawn.typed.get("edited_rows", {}).values())
        if ranked:
            st.button(words.SORT, key="edit_sort", icon=":material/sort:", on_click=widgets.renew_editors)
        st.caption(spoken(words.EDITOR_HINT))


def _editor(comparison: Comparison, query_id: str, side: Side, query_list: QueryList) -> _Drawn:
    model = plain(short(query_list.model, _MODEL))
    title = words.LIST_OF.format(side=style.SIDE[side], model=model)
    measure = plain(comparison.primary.label)
    documents = open_comparison.nouns().documents_of(query_list.length)
    st.markdown(f"**{title}** :gray[· {measure} {number(query_list.value)} · {documents}]")
    lines = [ListLine(placed.document.doc_id, placed.rank, placed.document.relevance) for placed in query_list.placed]
    drawn = _drawn(side, query_id, lines)
    rows = [(line.rank, line.grade, line.doc_id) for line in drawn.given.lines]
    frame = pd.DataFrame(rows, columns=["rank", "grade", "id"])
    frame = frame.astype({"rank": "Int64", "grade": "Float64", "id": "str"})
    titles = {placed.document.doc_id: placed.document.title for placed in query_list.placed}
    if any(titles.values()):
        frame["title"] = pd.Series([titles.get(line.doc_id, "") for line in drawn.given.lines], dtype="str")
    st.data_editor(
        literal_cells(frame),
        key=drawn.key,
        num_rows="dynamic",
        hide_index=True,
        column_config=_columns(has_titles=any(titles.values())),
        disabled=["title"],
        height=widgets.height(min(max(len(rows), _LEAST), _MOST) + 1),
        row_height=widgets.ROW,
        placeholder=words.NOTHING,
        on_change=take_typed,
        args=(drawn, side, side if comparison.joined.apart else None),
        alt=words.EDITOR_ALT.format(side=style.SIDE[side], n=len(rows)),
    )
    return drawn


def _drawn(side: Side, query_id: str, lines: Sequence[ListLine]) -> _Drawn:
    """Return the editor that is on the screen already, or a new one where that does not show the list."""
    name = _EDITOR.format(side=side)
    now: _Drawn | None = widgets.latest_editor(name)
    if now and widgets.is_drawn(now.key) and (now.given.query_id, now.given.now) == (query_id, tuple(lines)):
        return now
    return widgets.begin_editor(name, GivenList(query_id, tuple(lines), tuple(lines)))


def _columns(*, has_titles: bool) -> dict[str, Any]:
    """Return the columns; ids take the room of titles where there are none."""
    name, help_ = words.COLUMNS, {key: spoken(text) for key, text in words.COLUMN_HELP.items()}
    return {
        "rank": st.column_config.NumberColumn(name["rank"], help=help_["rank"], min_value=1, step=1, width=82),
        "grade": st.column_config.NumberColumn(name["grade"], help=help_["grade"], format="%.4g", width=88),
        "title": st.column_config.TextColumn(name["title"]),
        "id": st.column_config.TextColumn(name["id"], help=help_["id"], width=112 if has_titles else None),
    }


def said() -> None:
    """Show once why the last input was rejected, or a warning about it."""
    lines = open_comparison.notices_for(_EDITS)
    if lines:
        st.markdown(words.REFUSED)
        problems(lines)
    for line in open_comparison.notices_for(_ODD):
        st.markdown(f":orange[:material/warning:] {plain(line)}")


def take_typed(drawn: _Drawn, side: Side, own: Side | None) -> None:
    """Take over what was typed, unless the editor was replaced meanwhile. A row with a rank or a grade but no document
    yet waits for its document, and so does what would draw the editor anew; an empty row is ignored. ``own``: the list
    that grades are for; None: both.
    """
    latest: _Drawn | None = widgets.latest_editor(_EDITOR.format(side=side))
    if latest is None or latest.key != drawn.key:
        return
    event, query_id = drawn.typed, drawn.given.query_id
    added = [row for row in event.get("added_rows", ()) if any(str(c).strip() for c in row.values() if c is not None)]
    waits = not all(str(row.get("id") or "").strip() for row in added)
    after, wrong = typed_lines(drawn.given.lines, {**event, "added_rows": [] if waits else added})
    ordered = [replace(line, rank=rank) for rank, line in enumerate(in_order(drawn.given.lines, after), start=1)]
    edits = differences(query_id, side, latest.given.now, ordered, own)
    in_place = all(edit.what in ("grade", "rank") for edit in edits)
    if wrong:
        refuse(wrong)
    elif edits and (in_place or not waits):
        if take_over(edits, in_place=in_place) and in_place:
            widgets.keep_editor(
                _EDITOR.format(side=side), replace(latest, given=replace(latest.given, now=tuple(ordered)))
            )
    elif not waits and any("id" in row for row in event.get("edited_rows", {}).values()):
        widgets.renew_editors()  # an id that changes nothing would stay on the screen


def refuse(lines: tuple[str, ...]) -> None:
    """Say why nothing was taken over, and show the editors as they were."""
    open_comparison.say(_EDITS, *lines)
    widgets.renew_editors()


def take_over(edits: tuple[Edit, ...], *, in_place: bool = False) -> bool:
    """Apply further edits, or show why the comparison cannot be computed with them. ``in_place``: the editor keeps its
    state.
    """
    case = open_comparison.current()
    if case is None or not edits:
        widgets.renew_editors()
        return False
    tried = replace(case, edits=(*case.edits, *edits))
    wrong = clashes(tried.edits, case.a, case.b, case.judgments)
    wrong = wrong or _wrong(lambda: verdicts.opened(tried).comparison, edits)
    if wrong:
        refuse(wrong)
        return False
    open_comparison.say(_ODD, *_odd(verdicts.opened(case).comparison, edits))
    actions.edit(tried.edits, in_place=in_place)
    now = open_comparison.current()
    if now is not None and now.edits != tried.edits:  # another user edited it meanwhile
        wrong = _wrong(lambda: verdicts.opened(now).comparison, edits)
    if wrong:
        actions.undo()
        refuse(wrong)
    return not wrong


def _odd(before: Comparison, edits: Sequence[Edit]) -> Iterable[str]:
    """Yield warnings: what grades below 0 count, that a grade is above the scale, or of a document in no list."""
    grades, highest = {edit.after or 0 for edit in edits if edit.what == "grade"}, label_scale(before)[-1]
    above = words.ABOVE_SCALE.format(grade=max(grades), highest=highest) if max(grades, default=0) > highest else ""
    strange = unlisted(edits, *map(before.joined.run, SIDES))
    apart = spoken(words.UNLISTED).format(n=count(strange, *words.LABEL_WORDS)) if strange else ""
    return filter(None, (below_zero(sorted(grades), before.convention.negative), above, apart))


def _wrong(compared: Callable[[], Comparison], edits: tuple[Edit, ...]) -> tuple[str, ...]:
    """Return what is wrong with a comparison: nothing to compare with, a grade that a measure does not take."""
    try:
        left = compared().query_ids
    except MISTAKES as error:
        return tuple(str(error).splitlines())
    return () if all(edit.query_id in left for edit in edits if edit.what == "grade") else (spoken(words.LAST_GRADE),)


# --- the query that is edited: its choice, what was done to it, and its numbers before and after ---


_QUERY = "edit_query"


def choose(opened: verdicts.Opened, ids: Sequence[str]) -> str | None:
    """Draw the list of queries, and return the chosen query, None where there is none."""
    if not ids:
        return None
    texts = query_texts(opened.comparison)

    def name(query_id: str) -> str:
        return literal(f"{texts[query_id]}  ({query_id})" if texts.get(query_id) else query_id)

    query = open_comparison.query_among(ids, (opened.changes.query_ids or tuple(ids))[0])
    if widgets.value_of(_QUERY) != query:
        widgets.set_value(_QUERY, query)
    chosen = st.selectbox(spoken(words.QUERY), ids, format_func=name, key=_QUERY, on_change=_looks_at)
    open_comparison.write_query(str(chosen))
    return str(chosen)


def _looks_at() -> None:
    open_comparison.choose_query(widgets.value_of(_QUERY))


def take_back() -> None:
    """Draw the buttons for undo, redo and reset, where one can be used."""
    now = session.now()
    buttons: list[tuple[str, str, str, bool, Callable[[], None]]] = [
        (words.UNDO, "edit_undo", "undo", bool(now.past), actions.undo),
        (words.REDO, "edit_redo", "redo", bool(now.undone), actions.redo),
        (words.RESET_ALL, "edit_reset", "restart_alt", bool(open_comparison.edits()), partial(actions.edit, ())),
    ]
    for label, key, icon, active, act in buttons if any(active for _, _, _, active, _ in buttons) else ():
        st.button(label, key=key, icon=f":material/{icon}:", disabled=not active, on_click=act)


def numbers(before: verdicts.Opened, after: verdicts.Opened, query_id: str) -> None:
    """Draw this query's numbers and the verdict, before beside after."""
    left, right = st.columns([1.35, 1])
    with left.container(border=True, height="stretch", key="edit_numbers"):
        st.subheader(spoken(words.BEFORE_AFTER), anchor=False)
        _query(before.comparison, after.comparison, query_id)
    with right.container(border=True, height="stretch", key="edit_verdict"):
        st.subheader(words.VERDICTS, anchor=False)
        _verdicts(before, after)


def _query(before: Comparison, after: Comparison, query_id: str) -> None:
    old = _measured(before, query_id)
    rows = []
    for measure, (a, b, delta) in _measured(after, query_id).items():
        was = old.get(measure, (a, b, delta))
        rows.append(
            (
                plain(after.policy.label(measure)),
                _change((was[0], a), number),
                _change((was[1], b), number),
                _change((was[2], delta), signed, style.tone(delta)),
            )
        )
    show_table(rows, words.NUMBER_COLUMNS, spoken(words.BEFORE_AFTER))


def _measured(comparison: Comparison, query_id: str) -> dict[str, Sequence[float | None]]:
    """Return A, B and their difference in every measure on one query; nothing for a query without judgments."""
    if query_id not in comparison.query_ids:
        return {}
    at = comparison.query_ids.index(query_id)
    columns = np.array([values[:, at] for values in (comparison.scores_a, comparison.scores_b, comparison.deltas)])
    rows = [[None if math.isnan(value) else value for value in row] for row in columns.T.tolist()]
    return dict(zip(comparison.measure_names, rows, strict=True))


def _change(values: Sequence[float | None], write: Callable[[float | None, int], str], colour: str = "") -> str:
    """Return the last number, and the first one before it where that is another."""
    first, last = unlike(values[0], values[-1], write)
    new = f":{style.THEME[colour]}[{last}]" if colour else last
    return new if first == last else words.ARROW.format(before=first, after=new)


def _verdicts(before: verdicts.Opened, after: verdicts.Opened) -> None:
    """Draw the verdict of the upload beside that after edits, each with its mean difference."""
    sides = [(words.BEFORE, before), (words.NOW, after)]
    for column, (label, opened) in zip(st.columns(2), sides, strict=True):
        verdict, paired = opened.verdict, opened.comparison.primary.paired
        measure = plain(opened.comparison.primary.label)
        with column:
            colour = style.THEME.get(style.OUTCOME_COLOUR.get(verdict.outcome.value, ""), "")
            word = f"{style.ICONS[verdict.outcome.value]} **{plain(verdict.screen)}**"
            st.markdown(f":gray[{label}]  \n{f':{colour}[{word}]' if colour else word}  \n{plain(verdict.tag)}")
            over = words.MEAN_DELTA.format(measure=measure, queries=open_comparison.nouns().queries_of(paired.n))
            st.markdown(f"**{signed(paired.delta, 4)}**  \n:small[:gray[{over}]]")


# --- the list of edits in force, and the files: the edits, and the lists and judgments with the edits in them ---


_SHOWN = 500


def save_judgments(opened: verdicts.Opened) -> None:
    """Draw the download of all judgments, where there are any."""
    # Without rows it would be no file: nothing would read it back.
    if (joined := opened.comparison.joined).judgments.table.num_rows:
        ending, write = judgments_file(joined)
        name, why = file_name(f"judgments.{ending}", opened.case.edits), words.SAVE_WHY[ending]
        media = "text/csv" if ending == "csv" else "text/plain"
        screen.download(words.SAVE_JUDGMENTS, partial(write, joined), name, media, key="edit_save", help=why)


def show(opened: verdicts.Opened) -> None:
    """Draw the edits in force, latest first, and the download."""
    edits = opened.case.edits
    with st.container(border=True, key="edit_log"):
        with screen.headed(f"{words.EDITS} :gray[{count(len(edits))}]"):
            save_judgments(opened)
        if not edits:
            st.caption(words.NO_EDITS)
            return
        rows = [
            (e.query_id, e.doc_id, words.WHAT[e.what], words.IN_LIST[e.side], _text(e.before), _text(e.after))
            for e in reversed(edits[-_SHOWN:])
        ]
        st.dataframe(
            literal_cells(pd.DataFrame(rows, columns=[*map(open_comparison.nouns().say, words.EDIT_COLUMNS)])),
            hide_index=True,
            height=widgets.height(min(len(rows), 6)),
            alt=words.EDITS_ALT.format(n=len(edits)),
        )


def _text(value: float | None) -> str:
    return "" if value is None else number_conventions(value)
