"""The list of edits in force, and the files: the edits, and the lists and judgments with the edits in them."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import streamlit as st

from rankdash.case import Case
from rankdash.conventions import number
from rankdash.dashboard.kit import editors
from rankdash.dashboard.kit.literal import literal_cells
from rankdash.dashboard.session import verdicts
from rankdash.edits import Edit, settled
from rankdash.policy import Policy
from rankdash.report.edits import judgments_csv, run_csv, votes_csv
from rankdash.report.edits_file import edits_csv
from rankdash.report.files import file_name
from rankdash.style import editing as words
from rankdash.wording import count

_SHOWN = 500


def show(opened: verdicts.Opened) -> None:
    """Draw the edits in force, latest first, and the downloads."""
    edits = opened.case.edits
    with st.container(border=True, key="edit_log"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.subheader(f"{words.EDITS} :gray[{count(len(edits))}]", anchor=False, width="content")
            st.space("stretch")
            _downloads(opened)
        if not edits:
            st.caption(words.NO_EDITS)
            return
        rows = [
            (e.query_id, e.doc_id, words.WHAT[e.what], words.IN_LIST[e.side], _text(e.before), _text(e.after))
            for e in reversed(edits[-_SHOWN:])
        ]
        st.dataframe(
            literal_cells(pd.DataFrame(rows, columns=list(words.EDIT_COLUMNS))),
            hide_index=True,
            height=editors.height(min(len(rows), 6)),
            alt=words.EDITS_ALT.format(n=len(edits)),
        )


def _text(value: float | None) -> str:
    return "" if value is None else number(value)


def _downloads(opened: verdicts.Opened) -> None:
    """Draw the buttons that save files. Each is made on the click, outside of the session: of what is open now, and of
    nothing that is not given here. A table without rows is no file: nothing would read it back.
    """
    comparison, case = opened.comparison, opened.case
    joined, order, votes = comparison.joined, comparison.order, comparison.vote_rows
    edited = frozenset(edit.query_id for edit in case.edits)
    a, b, judgments = (table.table.num_rows for table in (joined.run("a"), joined.run("b"), joined.judgments))
    files: list[tuple[str, str, int, Callable[[], bytes]]] = [
        (words.SAVE_EDITS, "edits", len(edited), lambda: edits_csv(as_they_apply(case, opened.policy))),
        (words.SAVE_A, "a", a, lambda: run_csv(joined, "a", order, edited)),
        (words.SAVE_B, "b", b, lambda: run_csv(joined, "b", order, edited)),
        (words.SAVE_JUDGMENTS, "judgments", judgments, lambda: judgments_csv(joined, edited)),
    ]
    if votes is not None:
        files.append((words.SAVE_VOTES, "votes", votes.table.num_rows, lambda: votes_csv(votes, edited)))
    for label, key, rows, content in files:
        st.download_button(
            label,
            content,
            "edits.csv" if key == "edits" else file_name(f"{key}.csv", edited),
            "text/csv",
            key=f"edit_save_{key}",
            icon=":material/download:",
            help=words.SAVE_WHY if rows or not edited else words.SAVE_EMPTY,
            on_click="ignore",
            disabled=not rows,
        )


def as_they_apply(case: Case, policy: Policy) -> tuple[Edit, ...]:
    """Return the edits in force, each with the rank or grade that really stood before it under a policy."""
    return settled(case.edits, case.a, case.b, case.judgments, policy.scoring)
