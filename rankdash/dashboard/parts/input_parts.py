"""The files of the open comparison: how each was read and is corrected, what they hold together, and their rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from rankdash import style
from rankdash.case import Case
from rankdash.dashboard.kit import screen
from rankdash.dashboard.kit.literal import plain, show_table
from rankdash.dashboard.parts import dropzone, uploads
from rankdash.dashboard.parts.dropzone import entries
from rankdash.dashboard.results import cached
from rankdash.dashboard.session import session, verdicts
from rankdash.dashboard.session.session import Box, DroppedFile, FileEntry
from rankdash.intake import Decisions
from rankdash.mistakes import Mistake
from rankdash.policy import Policy
from rankdash.report.notes import query_notes
from rankdash.report.sections import answers
from rankdash.report.tables import file_name, rows_csv
from rankdash.scoring import Comparison, Concern, concerns
from rankdash.style import reading as words
from rankdash.tables import Models, Queries, Votes
from rankdash.verdict import Verdict
from rankdash.wording import count, percent, short_inside

# --- correcting how a file of the open comparison was read, without dropping it again ---


PLACE = "correct"


def correct_button(slot: str, digest: str, case: Case) -> None:
    """Draw the button that corrects how a file was read, where its bytes are still there."""
    cached = session.of(digest)
    if cached is None or not cached.is_for(slot) or (file := cached.file(digest)) is None:
        return
    if st.button(words.CORRECT, icon=":material/tune:", key=f"{PLACE}_{slot}", type="tertiary"):
        start = (digest, cached.decisions)
        if session.box_of(PLACE).corrected != start:  # else what was begun and left is taken up again
            box = Box(wishes={digest[:8]: cached.role}, decisions={digest[:8]: cached.decisions}, corrected=start)
            session.put_box(PLACE, box)
        _dialog(file, cached.decisions, case)


@st.dialog(words.CORRECT_TITLE, width="large")
def _dialog(file: DroppedFile, decisions: Decisions, case: Case) -> None:
    """Draw what can be corrected of a file that was read under some decisions."""
    entry = entries(PLACE, [file], names=lambda _: (case.a.name, case.b.name))[0]
    st.markdown(f"**{plain(entry.look.name)}** :gray[· {dropzone.summary(entry)}]")
    dropzone.questions(PLACE, entry)
    error = None if entry.reading is None else entry.reading.error
    if error is not None:
        dropzone.show_problems(entry.look.name, error)
    dropzone.details(PLACE, entry)
    new = _replaced(case, file.id, entry)
    changed = entry.decisions != decisions or entry.role == "both"
    with st.container(horizontal=True, vertical_alignment="center"):
        go = st.button(words.APPLY, type="primary", disabled=new is None or not changed, key=f"{PLACE}_apply")
        if not changed:
            st.caption(words.APPLY_NEEDS)
        elif case.edits:
            st.caption(words.APPLY_EDITS)
    if go and new is not None:
        uploads.compare(new, [entry], also=True, reread=True)


def _replaced(case: Case, digest: str, entry: FileEntry) -> Case | None:
    """Return the case with what the file now gives, in every place that it was used for; None where it cannot be
    read.
    """
    table = entry.table
    if table is None:
        return None
    if isinstance(table, Models):
        runs = uploads.two_of(PLACE, table)
        if runs is None:
            return None
        graded = case.judgments is not None and case.judgments.source.sha256 == digest
        judgments = table.judgments if graded else case.judgments
        return uploads.with_files(case, a=runs[0], b=runs[1], judgments=judgments).knowing_lists()
    if entry.role in ("a", "b"):
        sides = {side: run for side, run in (("a", case.a), ("b", case.b)) if run.source.sha256 == digest}
        return uploads.with_files(case, **{side: table.renamed(run.name) for side, run in sides.items()})
    if isinstance(table, Votes) and case.votes is not None:
        table = replace(table, about=case.votes.about)  # read otherwise, they are on the same lists
    if isinstance(table, Queries) and case.queries is not None:
        table = replace(table, missing_weight=case.queries.missing_weight)  # as somebody decided
    return uploads.with_files(case, **{entry.role: table}).knowing_lists()


# --- whether A and B can be compared at all: the checks, what the files hold together, and the rows behind it ---


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
    show_table(rows, ["", " ", "  "], words.COMPARABLE, header=False)


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
    show_table(rows, style.COUNT_COLUMNS, style.COUNTED)
    with st.container(key="query_notes", gap="xsmall"):
        for note in query_notes(comparison):
            if note.name not in _IN_THE_TABLE:
                st.caption(plain(note.sentence))


def rows_concerned(opened: verdicts.Opened) -> None:
    """Draw every finding with its count, examples, and all its rows to download."""
    st.subheader(words.CONCERNS, anchor=False)
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
            screen.download(
                words.SAVE_ROWS,
                partial(rows_csv, concern.table, edited),
                file_name(f"{concern.name}.csv", edited),
                place=save,
                key=f"save_{concern.name}",
                type="tertiary",
                help=hint.format(count=count(saved)),
            )


def _example(row: Mapping[str, str]) -> str:
    """Return a row in a few words: the model, the query, the document, and the problem."""
    ids = [short_inside(row[name], _EXAMPLE) for name in ("model", "query_id", "doc_id") if row.get(name)]
    said = [words.ROW_SAYS[name].format(value) for name, value in row.items() if name in words.ROW_SAYS and value != ""]
    return " ".join(ids) + (f" ({', '.join(said)})" if said else "")


@cached()
def _concerns(case: Case, policy: Policy) -> tuple[Concern, ...]:
    return concerns(verdicts.opened(case, policy).comparison)
