"""The list of edits in force, and the files: the edits, and the lists and judgments with the edits in them."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from rankdash.comparison import Comparison
from rankdash.report.edits import edits_csv, judgments_csv, run_csv, votes_csv
from rankdash.style import editing as words
from rankdash.views import edited
from rankdash.views.literal import literal_cells
from rankdash.wording import count

_SHOWN = 500


def show(comparison: Comparison) -> None:
    """The edits in force, latest first, and the downloads."""
    edits = edited.history().edits
    with st.container(border=True, key="edit_log"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.subheader(f"{words.EDITS} :gray[{count(len(edits))}]", anchor=False, width="content")
            st.space("stretch")
            _downloads(comparison)
        if not edits:
            st.caption(words.NO_EDITS)
            return
        rows = [
            (e.query_id, e.doc_id, words.WHAT[e.what], words.IN_LIST[e.side], _text(e.before), _text(e.after))
            for e in reversed(edits[-_SHOWN:])
        ]
        st.dataframe(
            literal_cells(pd.DataFrame(rows, columns=list(words.EDIT_COLUMNS))), hide_index=True,
            height=38 + 35 * min(len(rows), 6), alt=words.EDITS_ALT.format(n=len(edits)),
        )  # fmt: skip


def _text(value: float | None) -> str:
    return "" if value is None else f"{value:g}"


def _downloads(comparison: Comparison) -> None:
    joined, order, votes = comparison.joined, comparison.order, comparison.vote_rows
    for label, key, name, content in (
        (words.SAVE_EDITS, "edits", "edits.csv", lambda: edits_csv(edited.history().edits)),
        (words.SAVE_A, "a", "a_edited.csv", lambda: run_csv(joined, "a", order)),
        (words.SAVE_B, "b", "b_edited.csv", lambda: run_csv(joined, "b", order)),
        (words.SAVE_JUDGMENTS, "judgments", "judgments_edited.csv", lambda: judgments_csv(joined)),
        *([] if votes is None else [(words.SAVE_VOTES, "votes", "votes.csv", lambda: votes_csv(votes))]),
    ):
        st.download_button(
            label, content, name, "text/csv", key=f"edit_save_{key}", icon=":material/download:",
            help=words.SAVE_WHY, on_click="ignore",
        )  # fmt: skip
