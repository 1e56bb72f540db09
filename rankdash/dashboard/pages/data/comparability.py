"""Whether A and B can be compared at all: the checks, what the files hold together, and the rows behind it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import pandas as pd
import streamlit as st

from rankdash import style
from rankdash.case import Case
from rankdash.dashboard.host.results import once
from rankdash.dashboard.kit.literal import plain
from rankdash.dashboard.parts import needs_lists
from rankdash.dashboard.session import verdicts
from rankdash.mistakes import Mistake
from rankdash.policy import Policy
from rankdash.report.files import file_name, rows_csv
from rankdash.report.population import query_notes
from rankdash.report.questions import answers
from rankdash.scoring import Comparison, Concern, concerns
from rankdash.style import reading as words
from rankdash.verdict import Verdict
from rankdash.wording import count, percent, short_inside

_EXAMPLE = 28
#: Facts about queries that are numbers of the table.
_IN_THE_TABLE = ("missing_a", "missing_b", "without_relevant")


def checks(verdict: Verdict, wrong: Sequence[Mistake]) -> None:
    """Draw the question whether A and B can be compared, its answer, what is wrong between the files, and the rules
    behind it, each on a line.
    """
    comparable = next(answer for answer in answers(verdict) if answer.question == "comparable")
    icon = style.STATUS_ICON[comparable.status.value]
    st.subheader(f"{words.COMPARABLE} {icon} {plain(comparable.word)}", anchor=False)
    st.markdown(plain(comparable.sentence))
    for mistake in wrong:
        st.markdown(f":orange[:material/warning:] {plain(mistake.sentence)}")
    rows = [
        (f":gray[{plain(check.rule)}]", style.STATUS_ICON[check.status.value], plain(check.sentence))
        for check in comparable.checks
    ]
    st.table(
        pd.DataFrame(rows, columns=["", " ", "  "]),
        border="horizontal",
        hide_index=True,
        hide_header=True,
        alt=words.COMPARABLE,
    )


def counted(comparison: Comparison) -> None:
    """Say what the files hold together, before any measure; below, the further notes on the queries."""
    counts, k = comparison.counts, comparison.policy.cutoff
    values = {
        "judged": count(counts.judged),
        "common": count(counts.common),
        "missing": f"{count(counts.missing_a)} / {count(counts.missing_b)}",
        "without_relevant": count(counts.without_relevant),
        "affected": count(counts.affected),
        "judged_share": f"{percent(counts.judged_a)} / {percent(counts.judged_b)}",
        "unjudged": count(counts.unjudged_shown),
    }
    rows = [
        (style.COUNTS[name].format(k=k), value, f":gray[{style.COUNTS_WHY[name].format(k=k)}]")
        for name, value in values.items()
    ]
    st.table(
        pd.DataFrame(rows, columns=list(style.COUNT_COLUMNS)), border="horizontal", hide_index=True, alt=style.COUNTED
    )
    with st.container(key="query_notes", gap="xsmall"):
        for note in query_notes(comparison):
            if note.name not in _IN_THE_TABLE:
                st.caption(plain(note.sentence))


def rows_concerned(opened: verdicts.Opened) -> None:
    """Draw every finding with its count, examples, and all its rows to download."""
    st.subheader(words.CONCERNS, anchor=False)
    if not opened.comparison.has_lists:
        needs_lists.needed_for("concerns")
        return
    with st.container(gap="xsmall"):
        for concern in _concerns(opened.case, opened.policy):
            _concern(concern, opened.policy.cutoff, frozenset(edit.query_id for edit in opened.case.edits))


def _concern(concern: Concern, k: int, edited: frozenset[str]) -> None:
    label, why = words.CONCERN[concern.name]
    with st.container(key=f"concern_{concern.name}"):
        named, number, example, save = st.columns([2.4, 0.7, 4.4, 1], vertical_alignment="center", gap="small")
        named.markdown(f"**{label.format(k=k)}**", help=why)
        number.markdown(count(concern.count) if concern.count else f":gray[{count(0)}]")
        examples = "; ".join(_example(row) for row in concern.examples())
        more = " …" if concern.count > len(concern.examples()) else ""
        example.caption(f"{plain(examples)}{more}" if examples else words.NO_EXAMPLE)
        if concern.count:
            saved = len(concern.table)
            hint = words.SAVE_ROWS_HELP if saved == concern.count else words.SAVE_ROWS_FIRST
            save.download_button(
                words.SAVE_ROWS,
                partial(rows_csv, concern.table, edited),
                file_name(f"{concern.name}.csv", edited),
                "text/csv",
                key=f"save_{concern.name}",
                type="tertiary",
                icon=":material/download:",
                on_click="ignore",
                help=hint.format(count=count(saved)),
            )


def _example(row: Mapping[str, str]) -> str:
    """Return a row in a few words: the model, the query, the document, and the problem."""
    ids = [short_inside(row[name], _EXAMPLE) for name in ("model", "query_id", "doc_id") if row.get(name)]
    return " ".join(ids) + _rest(row)


def _rest(row: Mapping[str, str]) -> str:
    said = [words.ROW_SAYS[name].format(value) for name, value in row.items() if name in words.ROW_SAYS and value != ""]
    return f" ({', '.join(said)})" if said else ""


@once
def _concerns(case: Case, policy: Policy) -> tuple[Concern, ...]:
    return concerns(verdicts.opened(case, policy).comparison)
