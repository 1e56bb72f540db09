"""What to label next: the documents whose labels could move the verdict, and the bounds that narrow with each label."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st

from rankdash.dashboard.kit import screen, widgets
from rankdash.dashboard.kit.literal import literal_cells, problems
from rankdash.dashboard.parts import dropzone, editing_parts
from rankdash.dashboard.session import open_comparison, verdicts
from rankdash.dashboard.session.session import DroppedFile
from rankdash.edits import Edit, LabelCandidate, candidates, grade_changes, labels_from, why_none
from rankdash.inspect.lists import query_texts
from rankdash.intake import Given
from rankdash.reading import ReadError
from rankdash.report.tables import file_name, worklist_csv
from rankdash.scoring import Comparison
from rankdash.style import editing as words
from rankdash.tables import Judgments
from rankdash.wording import count, signed

_SHOWN, _TALLEST = 200, 12
_EDITOR, _IN = "labels", "labels_in"
#: How wide columns of texts are, in pixels.
_WIDTHS = {"title": 330, "id": 170, "query": 200}


@dataclass(frozen=True)
class _Worklist:
    """The documents on the screen. They stay there while somebody grades them in turn: a list that moved under the hand
    would lose what is typed next.
    """

    before: verdicts.Opened
    documents: tuple[LabelCandidate, ...]


def work(before: verdicts.Opened, after: verdicts.Opened) -> None:
    """Draw the bounds before and now, the documents to label, and the ways to take these out and in as a file."""
    comparison, k = after.comparison, after.comparison.policy.cutoff
    st.caption(words.LABELS_WHY.format(k=k))
    documents = candidates(comparison)
    if documents is None:
        st.markdown(words.NOT_FOR_LABELS[why_none(comparison)])
        return
    _bounds(before.comparison, comparison, len(documents))
    with st.container(border=True, key="labels_list", gap="xsmall"):
        with st.container():  # as in ``editing_parts.both_lists``
            editing_parts.said()
        if documents:
            drawn = _drawn(before, documents)
            _table(comparison, drawn.key, drawn.given.documents)
            _below(drawn.given, len(documents))
        else:
            st.markdown(words.NOTHING_TO_LABEL.format(k=k))
        _files(after, documents)


def _bounds(before: Comparison, now: Comparison, left: int) -> None:
    k = now.policy.cutoff
    old, new = before.delta_bounds, now.delta_bounds
    with st.grid(3, key="labels_bounds"):
        with st.container(border=True, height="stretch", gap="xsmall"):
            low, high = (None, None) if new is None else new
            st.metric(words.BOUNDS.format(k=k), words.BOUNDS_NOW.format(low=signed(low), high=signed(high)))
            settled = new is not None and (new[0] > 0 or new[1] < 0)
            start = "" if old is None else words.BOUNDS_BEFORE.format(low=signed(old[0]), high=signed(old[1]))
            st.caption(f"{words.BOUNDS_SURE[settled]} {start[:1].upper()}{start[1:]}.")
        with st.container(border=True, height="stretch", gap="xsmall"):
            st.metric(words.LEFT.format(k=k), count(left))
            st.caption(words.LEFT_BEFORE.format(n=count(before.counts.unjudged_shown)))
        with st.container(border=True, height="stretch", gap="xsmall"):
            st.metric(words.LABELLED, count(len(_graded())))
            old_delta, delta = (comparison.primary.paired.delta for comparison in (before, now))
            st.caption(words.DELTA_NOW.format(delta=signed(delta, 4), before=signed(old_delta, 4)))


def _drawn(before: verdicts.Opened, documents: Sequence[LabelCandidate]) -> widgets.Drawn[_Worklist]:
    """Return the documents that are on the screen already, or the first of those that are left.

    They are drawn anew where the screen shows them no more, after undo, and when all of them have a grade.
    """
    now: widgets.Drawn[_Worklist] | None = widgets.latest_editor(_EDITOR)
    left = {(document.query_id, document.doc_id) for document in documents}
    if (
        now is None
        or not now.is_on_screen
        or now.given.before is not before
        or not any((document.query_id, document.doc_id) in left for document in now.given.documents)
    ):
        return widgets.begin_editor(_EDITOR, _Worklist(before, tuple(documents[:_SHOWN])))
    return now


def _graded() -> dict[tuple[str, str], float]:
    """Return the grades in force of documents that had none, by query and document."""
    unjudged: set[tuple[str, str]] = set()
    result: dict[tuple[str, str], float] = {}
    for edit in open_comparison.edits():
        if edit.what == "grade":
            place = (edit.query_id, edit.doc_id)
            if edit.before is None:
                unjudged.add(place)
            result.pop(place, None)
            if edit.after is not None and place in unjudged:
                result[place] = edit.after
    return result


def _below(drawn: _Worklist, left: int) -> None:
    """Say how many more there are, and the way to a list without those that have a grade by now."""
    graded = _graded()
    with st.container(horizontal=True, vertical_alignment="center"):
        if left > _SHOWN:
            st.caption(words.MORE_TO_LABEL.format(shown=count(_SHOWN), n=count(left)))
        if any((document.query_id, document.doc_id) in graded for document in drawn.documents):
            st.button(
                words.DRAW_AGAIN,
                key="labels_again",
                type="tertiary",
                icon=":material/sort:",
                on_click=widgets.renew_editors,
                help=words.DRAW_AGAIN_HELP,
            )


def _table(comparison: Comparison, key: str, documents: Sequence[LabelCandidate]) -> None:
    texts = query_texts(comparison)
    rows = [
        (
            None,
            document.title,
            document.doc_id,
            texts.get(document.query_id) or document.query_id,
            abs(document.effect),
            document.rank_a,
            document.rank_b,
        )
        for document in documents
    ]
    names = ["grade", "title", "id", "query", "effect", "a", "b"]
    frame = pd.DataFrame(rows, columns=names).astype({"grade": "Float64", "a": "Int64", "b": "Int64"})
    if not any(document.title for document in documents):
        frame = frame.drop(columns="title")
    label, number = words.LABEL_COLUMNS, st.column_config.NumberColumn
    # Long texts are cut, so that what a label can move and both ranks stay in sight.
    columns: dict[str, Any] = {
        name: st.column_config.TextColumn(label[name], width=wide) for name, wide in _WIDTHS.items()
    }
    columns |= {name: number(label[name], width=84) for name in ("a", "b")}
    columns["grade"] = number(label["grade"], format="%.4g", width=88)
    columns["effect"] = number(label["effect"], format="±%.5f", width=116)
    st.data_editor(
        literal_cells(frame),
        key=key,
        hide_index=True,
        column_config=columns,
        disabled=[name for name in names if name != "grade"],
        height=widgets.height(min(len(rows), _TALLEST)) + 2,
        row_height=widgets.ROW,
        placeholder=words.NOTHING,
        on_change=take_typed,
        args=(key, documents),
        alt=words.LABELS_ALT.format(n=len(rows)),
    )


def take_typed(key: str, documents: Sequence[LabelCandidate]) -> None:
    """Take over the grades that an editor holds."""
    event: Mapping[str, Any] = widgets.value_of(key)
    wrong: list[str] = []
    edits: list[Edit] = []
    graded = _graded()
    for row, typed in event.get("edited_rows", {}).items():
        document = documents[int(row)]
        now, grade = (
            graded.get((document.query_id, document.doc_id)),
            editing_parts.checked_grade(document.doc_id, typed.get("grade"), wrong),
        )
        edits += grade_changes(document.query_id, {document.doc_id: now}, {document.doc_id: grade})
    if wrong:
        editing_parts.refuse(tuple(wrong))
    elif edits:
        editing_parts.take_over(tuple(edits), in_place=True)


def _files(opened: verdicts.Opened, documents: Sequence[LabelCandidate]) -> None:
    """Draw the ways to take the whole list out as a file, and a file with labels in."""
    edited_ids = frozenset(edit.query_id for edit in opened.case.edits)
    left, right = st.columns([1, 3], vertical_alignment="bottom")
    screen.download(
        words.SAVE_WORKLIST,
        lambda: worklist_csv(documents, edited_ids),
        file_name("label_next.csv", edited_ids),
        place=left,
        key="labels_save",
        disabled=not documents,
    )
    file = right.file_uploader(words.LABELS_IN, key=widgets.numbered(_IN), help=words.LABELS_IN_HELP)
    if file is None:
        return
    given = Given(file.name, file)
    read = dropzone.read_once("labels", DroppedFile(file.file_id, given), "judgments")
    try:
        if not isinstance(read.table, Judgments):
            raise read.error or ReadError(())
        edits = labels_from(read.table, opened.comparison)
    except ReadError as error:
        problems(error.lines("page"))
        return
    st.markdown(words.LABELS_FOUND.format(n=count(len(edits), *words.LABEL_WORDS)))
    st.button(words.TAKE_OVER, key="labels_take", disabled=not edits, on_click=_take, args=(edits,), type="primary")


def _take(edits: tuple[Edit, ...]) -> None:
    if editing_parts.take_over(edits):
        widgets.renew(_IN)
