"""The Data page: whether A and B can be compared, and what the files hold."""

import streamlit as st

from rankdash import style
from rankdash.case import Case
from rankdash.dashboard.kit.literal import plain, short, show_table
from rankdash.dashboard.parts import input_parts, uploads, verdict_parts
from rankdash.dashboard.session import open_comparison, session, verdicts
from rankdash.notes import Note
from rankdash.report.notes import input_notes, mistakes_of
from rankdash.scoring import SIDES, Comparison
from rankdash.style import reading as words
from rankdash.style import verdict as named
from rankdash.tables import Source
from rankdash.wording import count

DIGEST = 12
_MEANING = 24


def understood(case: Case, comparison: Comparison) -> None:
    """Say what was understood of each file, side by side: of lists and judgments, then of what else is given."""
    titles, known, inputs = {**style.UPLOADS, **named.GIVEN}, _facts(comparison), input_notes(comparison)
    for row, width in ((inputs[:3], 3), (inputs[3:], 2)):
        for entry, column in zip(row, st.columns(width, gap="small") if row else (), strict=False):
            facts = {style.FACTS["file"]: entry.source.name or style.IN_MEMORY, **known[entry.input]}
            with column.container(border=True, height="stretch", key=f"file_{entry.input}"):
                file_card(entry.input, titles[entry.input], facts, entry.source, entry.notes, case)


def _facts(comparison: Comparison) -> dict[str, dict[str, str]]:
    """Return what is known of each input, as label and value."""
    joined, used = comparison.joined, len(comparison.joined.judgments.table)
    known: dict[str, dict[str, str]] = {}
    for side in SIDES:
        run = comparison.inputs.run(side)
        known[side] = {
            style.FACTS["model"]: run.name,
            style.FACTS["rows"]: _rows(run.source.rows, len(joined.run(side).table)),
            style.FACTS["queries"]: count(joined.lists(side)),
            style.FACTS["order"]: style.ORDERED[run.ordered_by],
        }
    known["judgments"] = {
        style.FACTS["rows"]: _rows(comparison.inputs.judgments.rows or used, used),
        style.FACTS["queries"]: count(len(comparison.scored)),
        style.FACTS["kind"]: style.KINDS[comparison.counts.kind],
    }
    for slot, table in (("queries", comparison.queries), ("votes", comparison.vote_rows)):
        if table is not None:
            known[slot] = {
                style.FACTS["rows"]: _rows(table.source.rows, len(table.table)),
                named.COLUMNS: ", ".join(table.table.column_names),
            }
    return known


def file_card(
    slot: str, title: str, facts: dict[str, str], source: Source, notes: tuple[Note, ...], case: Case
) -> None:
    """Draw a file: its facts as label and value, its digest, every decision that reading it took, and the button that
    corrects them.
    """
    with st.container(horizontal=True, vertical_alignment="center"):
        st.subheader(title, anchor=False, width="stretch")
        input_parts.correct_button(slot, source.sha256, case)
    facts = facts | _form(slot, source)
    if source.sha256:
        facts = facts | {style.FACTS["sha256"]: source.sha256[:DIGEST]}
    rows = [(f":gray[{label}]", plain(value)) for label, value in facts.items()]
    show_table(rows, ["", " "], title, header=False)
    for text in [note.phrase("page") for note in notes] or [style.NO_NOTES]:
        st.caption(plain(text))
    file = session.of(source.sha256)
    if file is not None and file.given is None:
        st.caption(words.TOO_LARGE_TO_KEEP.format(limit=f"{session.LARGEST // 1_000_000} MB"))
    if file is None and source.sha256 and session.now().saved is not None:
        st.caption(words.NOT_IN_TAB)


def _form(slot: str, source: Source) -> dict[str, str]:
    """Return the format, the encoding and the columns of a file of this session, as far as the reader reported them."""
    file = session.of(source.sha256)
    if file is None or not file.is_for(slot):
        return {}
    form = file.understood
    renamed = [f"{short(heading, _MEANING)} → {meaning}" for meaning, heading in form.columns if heading != meaning]
    facts = {
        words.FACTS["format"]: f"{form.format}, {form.encoding}" if form.encoding else form.format,
        words.FACTS["columns"]: ", ".join(renamed),
    }
    return {label: value for label, value in facts.items() if value}


def _rows(read: int, used: int) -> str:
    return count(read) if used == read else words.ROWS_LEFT_OUT.format(used=count(used), rows=count(read))


def page(case: Case) -> None:
    """Draw whether the files can be compared, what each of them holds, the rows to look at, and a place for newer
    files.
    """
    opened = verdicts.opened(case)
    comparison = opened.comparison
    wrong = mistakes_of(comparison)
    verdict_parts.show_set_aside(opened)
    left, right = st.columns(2, gap="small")
    with left.container(border=True, height="stretch", key="comparable"):
        input_parts.checks(opened.verdict, wrong)
        verdict_parts.convention(comparison)
    with right.container(border=True, height="stretch"):
        st.subheader(style.COUNTED, anchor=False)
        input_parts.counted(comparison)
    understood(case, comparison)
    with st.container(border=True, key="concerns"):
        input_parts.rows_concerned(opened)
    with st.container(border=True):
        st.subheader(style.REPLACE, anchor=False)
        uploads.form("replace", case)


current = open_comparison.current()
if current is not None:
    page(current)
