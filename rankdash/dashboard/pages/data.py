"""The Data page: what was read of each file, what does not fit, and a place for newer files."""

import streamlit as st

from rankdash import style
from rankdash.case import Case
from rankdash.dashboard.kit.literal import NAME, plain, short, table as in_table
from rankdash.dashboard.parts import dropzone, input_parts, uploads, verdict_parts
from rankdash.dashboard.session import open_comparison, session, verdicts
from rankdash.dashboard.session.open_comparison import spoken
from rankdash.notes import Advice
from rankdash.report.notes import InputNotes, input_notes
from rankdash.report.sections import catalogue_rows
from rankdash.scoring import SIDES, Comparison
from rankdash.style import reading as words, verdict as named
from rankdash.tables import Source
from rankdash.wording import grade_text

#: Letters of a digest, and columns of letters of a heading.
DIGEST, _MEANING = 12, 24


def understood(case: Case, comparison: Comparison) -> None:
    """Say what was read of each file, side by side: of lists and judgments, then of what else is given."""
    said, inputs = _said(comparison), input_notes(comparison)
    for row in filter(None, (inputs[:3], inputs[3:])):
        for entry, column in zip(row, st.columns(len(row)), strict=True):
            with column.container(border=True, height="stretch", key=f"file_{entry.input}"):
                file_card(entry, said[entry.input], comparison, case)


def _said(comparison: Comparison) -> dict[str, str]:
    """Return what was read of each input, in a line."""
    joined, used = comparison.joined, len(comparison.joined.judgments.table)
    said: dict[str, str] = {}
    for side in SIDES:
        run = comparison.inputs.run(side)
        rows = dropzone.rows_used(run.source.rows, len(joined.run(side).table))
        queries, order = open_comparison.nouns().queries_of(joined.lists(side)), style.ORDERED[run.ordered_by]
        said[side] = words.RUN.format(name=run.name, rows=rows, queries=queries, order=order)
    said["judgments"] = (
        words.NOT_JUDGED
        if not comparison.is_judged
        else words.JUDGED.format(
            rows=dropzone.rows_used(comparison.inputs.judgments.rows or used, used),
            queries=open_comparison.nouns().queries_of(len(comparison.scored)),
            grades=", ".join(map(grade_text, sorted(comparison.scored.scope.grades)[:_GRADES])),
        )
    )
    for slot, table in (("queries", comparison.queries), ("items", comparison.items), ("votes", comparison.vote_rows)):
        if table is not None:
            columns = ", ".join(name for name in table.table.column_names if name not in ("query_id", "doc_id"))
            rows = dropzone.rows_used(table.source.rows, len(table.table))
            said[slot] = words.TABLE.format(rows=rows, columns=columns) if columns else rows
    return said


#: Grades that a card names.
_GRADES = 8


def file_card(of: InputNotes, said: str, comparison: Comparison, case: Case) -> None:
    """Draw a file: what was read of it, what can change a number, the button that corrects it, and the details on
    demand.
    """
    with st.container(horizontal=True, vertical_alignment="center"):
        st.subheader(spoken({**style.UPLOADS, **named.GIVEN}[of.input]), anchor=False, width="stretch")
        can_correct = input_parts.correct_button(of.input, of.source, case)
    name = of.source.name or (style.IN_MEMORY if of.input in case.tables else "")  # grades beside lists have no file
    st.markdown(f"{f'**{plain(short(name, NAME))}**' if name else ''}  \n{plain(said)}")
    wrong = [note for note in of.notes if note.level == "warning"]
    dropzone.show_notes(note for note in wrong if note.code != "mistake")
    if not can_correct and any(isinstance(note.text, Advice) or note.code == "mistake" for note in wrong):
        st.caption(words.CORRECT_AGAIN)
    if of.input == "items":
        input_parts.asked_at(case)
    if of.input == "items" and (rows := catalogue_rows(comparison)):
        st.markdown(in_table(words.CATALOGUE, rows))
        st.caption(words.CATALOGUE_WHY)
    with st.expander(words.DETAILS):
        facts = _form(of.input, of.source).items()
        st.markdown("  \n".join(f":small[:gray[{label}:] {plain(value)}]" for label, value in facts))
        dropzone.show_notes(note for note in of.notes if note.level == "detail")


def _form(slot: str, source: Source) -> dict[str, str]:
    """Return the format, the encoding and the columns of a file of this session, as far as the reader reported them,
    and its digest.
    """
    file = session.of(source)
    facts = {"sha256": source.sha256[:DIGEST]}
    if file is not None and file.is_for(slot):
        form = file.understood
        renamed = [f"{short(heading, _MEANING)} → {meaning}" for meaning, heading in form.columns if heading != meaning]
        encoded = ", ".join(filter(None, (form.format, form.encoding)))
        facts = {"format": encoded, "columns": ", ".join(renamed), **facts}
    return {words.FACTS[name]: value for name, value in facts.items() if value}


def page(case: Case) -> None:
    """Draw whether the files can be compared and what does not fit, what each of them holds, and a place for newer
    files.
    """
    opened = verdicts.opened(case)
    verdict_parts.show_set_aside(opened)
    with st.container(border=True, key="concerns"):
        input_parts.comparable(opened)
        input_parts.misfits(opened)
    understood(case, opened.comparison)
    with st.container(border=True):
        st.subheader(style.REPLACE, anchor=False)
        uploads.form("replace", case)


current = open_comparison.current()
if current is not None:
    page(current)
