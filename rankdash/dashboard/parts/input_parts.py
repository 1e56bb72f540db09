"""The files of the open comparison: how each was read and is corrected, what they hold together, and their rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from rankdash import style
from rankdash.case import Case
from rankdash.dashboard.kit import screen, widgets
from rankdash.dashboard.kit.literal import plain
from rankdash.dashboard.parts import dropzone, uploads
from rankdash.dashboard.parts.dropzone import entries
from rankdash.dashboard.results import cached
from rankdash.dashboard.session import actions, session, verdicts
from rankdash.dashboard.session.open_comparison import spoken
from rankdash.dashboard.session.session import Box, DroppedFile, FileEntry
from rankdash.intake import Decisions
from rankdash.policy import Policy
from rankdash.report.notes import inflected, mistakes_of, query_notes
from rankdash.report.sections import answers
from rankdash.report.tables import file_name, rows_csv
from rankdash.scoring.concerns import Concern, concerns
from rankdash.style import reading as words
from rankdash.tables import Items, Models, Queries, Run, Source, Votes
from rankdash.wording import count, percent, short_inside

# --- correcting how a file of the open comparison was read, without dropping it again ---


PLACE = "correct"


def correct_button(slot: str, source: Source, case: Case) -> bool:
    """Draw the button that corrects how a file was read, if its bytes are cached; return whether they are."""
    cached, digest = session.of(source), source.sha256
    if cached is None or not cached.is_for(slot) or source.has("seen") or (file := cached.file(digest)) is None:
        return False
    if st.button(words.CORRECT, icon=":material/tune:", key=f"{PLACE}_{slot}", type="tertiary"):
        start = (source, cached.decisions)
        if session.box_of(PLACE).corrected != start:  # else what was begun and left is taken up again
            session.put_box(PLACE, Box(wishes={digest[:8]: cached.role}, corrected=start))
        _dialog(file, source, cached.decisions, case, case.b if slot == "b" else case.a)
    return True


@st.dialog(words.CORRECT_TITLE, width="large")
def _dialog(file: DroppedFile, source: Source, decisions: Decisions, case: Case, run: Run) -> None:
    """Draw what can be corrected of a file that was read under some decisions, with rows of one run of several."""
    entry = entries(PLACE, [file], names=lambda _: (case.a.name, case.b.name))[0]
    st.markdown(f"**{plain(entry.look.name)}** :gray[· {dropzone.summary(entry)}]")
    dropzone.questions(PLACE, entry)
    dropzone.show_problems(entry)
    dropzone.details(PLACE, entry, run.name)
    new, *others = (_replaced(one, source, entry) for one in _with_file(case, source))
    changed = entry.decisions != decisions or entry.role == "both"
    with st.container(horizontal=True, vertical_alignment="center"):
        go = st.button(words.APPLY, type="primary", disabled=new is None or not changed, key=f"{PLACE}_apply")
        if changed and case.edits:
            st.caption(words.APPLY_EDITS)
    if go and new is not None:
        uploads.compare(new, [entry], filter(None, others), also=True, reread=True)


def asked_at(case: Case) -> None:
    """Draw the field for the day of all queries without a time of their own, where documents have dates."""
    if case.items is None or "date" not in case.items.table.column_names:
        return
    now, first, last = case.items.at[:10], "1900-01-01", "2999-12-31"
    key, (label, hint) = widgets.key_of("asked_at", now), map(spoken, (words.ASKED_AT, words.ASKED_AT_HELP))

    def chosen() -> None:
        if widgets.is_chosen(key):
            actions.change_tables(lambda one: one.asked_at(str(widgets.value_of(key) or "")))

    # A chosen day can be changed and not removed: a measure of the policy may need it.
    how: dict[str, Any] = {"key": key, "on_change": chosen, "help": hint, "required": bool(now), "width": 220}
    st.date_input(label, now or None, min(now or first, first), max(now, last), format="YYYY-MM-DD", **how)


def _with_file(case: Case, source: Source) -> tuple[Case, ...]:
    """Return a case, and the other candidates that a file of it belongs to."""
    others = (one for one in verdicts.cases() if one.b.name != case.b.name)
    return (case, *(one for one in others if source.identity in {t.source.identity for t in one.tables.values()}))


def _replaced(case: Case, source: Source, entry: FileEntry) -> Case | None:
    """Return the case with what the file now gives, in every place that it was used for; None where it cannot be
    read.
    """
    table = entry.table
    if table is None:
        return None
    if isinstance(table, Models):
        runs = uploads.compared_of(PLACE, table, case)
        if len(runs) < 2:
            return None
        graded = case.judgments is not None and case.judgments.source.identity == source.identity
        judgments = table.judgments if graded else case.judgments
        return uploads.with_files(case, a=runs[0], b=runs[1], judgments=judgments).knowing_lists()
    if entry.role in ("a", "b"):
        here = (("a", case.a), ("b", case.b))
        sides = {side: run for side, run in here if run.source.identity == source.identity}
        return uploads.with_files(case, **{side: table.renamed(run.name) for side, run in sides.items()})
    if isinstance(table, Votes) and case.votes is not None:
        table = replace(table, about=case.votes.about)  # read otherwise, they are on the same lists
    if isinstance(table, Queries) and case.queries is not None:
        table = replace(table, missing_weight=case.queries.missing_weight)  # as somebody decided
    if isinstance(table, Items) and case.items is not None:
        table = replace(table, at=case.items.at)
    return uploads.with_files(case, **{entry.role: table}).knowing_lists()


# --- ids that match as numbers only: all files are read again, and can be read as they are written again ---


def match_ids(case: Case) -> None:
    """Draw the button that matches ids as numbers where some match only so, or the one that takes it back."""
    cases = _with_file(case, case.a.source)
    known = {table.source.identity: table.source for one in cases for table in one.tables.values()}
    read = {str(at): (source, of) for at, source in enumerate(known.values()) if (of := session.of(source)) is not None}
    is_on = any(cached.decisions.ids_as_numbers for _, cached in read.values())
    if not is_on and not any(mistake.as_numbers for one in cases for mistake in uploads.between(one.unedited)):
        return
    files = [file for id, (_, cached) in read.items() if (file := cached.file(id)) is not None]
    can, hint = len(files) == len(known), words.APPLY_EDITS if case.edits else None
    if not st.button(words.MATCH_IDS[is_on], icon=":material/link:", key="match_ids", disabled=not can, help=hint):
        return
    session.put_box("ids", Box(tokens={id: id for id in read}, wishes={id: of.role for id, (_, of) in read.items()}))
    files = [replace(file, start=replace(file.start, ids_as_numbers=not is_on)) for file in files]
    again = entries("ids", files, names=lambda _: (case.a.name, case.b.name))
    for (source, _), entry in zip(read.values(), again, strict=True):
        if entry.error is not None:
            dropzone.show_problems(entry)
            return
        cases = tuple(_replaced(one, source, entry) or one for one in cases)
    uploads.compare(cases[0], again, cases[1:], also=True, reread=True)


# --- whether A and B can be compared, what does not fit, and the rows behind it ---


_EXAMPLE = 28


def comparable(opened: verdicts.Opened) -> None:
    """Say whether A and B can be compared, what is in the way, and what the files hold together."""
    comparison, k = opened.comparison, opened.policy.cutoff
    answer = next(answer for answer in answers(opened.verdict) if answer.question == "comparable")
    st.subheader(f"{words.COMPARABLE} {style.STATUS_ICON[answer.status.value]} {plain(answer.word)}", anchor=False)
    for check in answer.checks:
        if check.status.value in ("failed", "not_proven"):
            st.markdown(f"{style.STATUS_ICON[check.status.value]} {plain(check.sentence)}")
    counts = comparison.counts
    numbers = map(count, (counts.common, counts.judged, counts.affected))
    shares = map(percent, (counts.judged_a, counts.judged_b))
    st.caption(spoken(words.TOGETHER).format(*numbers, *shares, k=k))


def misfits(opened: verdicts.Opened) -> None:
    """Draw what does not fit between the files: mistakes with what mends them, then every finding with its number,
    examples and all its rows to download, then what else there is to say of the queries.
    """
    wrong, found = mistakes_of(opened.comparison), _concerns(opened.case, opened.policy)
    facts = {note.code: str(note) for note in query_notes(opened.comparison)}
    with st.container():
        for mistake in wrong:
            st.markdown(f":orange[:material/warning:] {plain(mistake.sentence)}")
        match_ids(opened.case)
        for concern in found:
            if concern.count:
                said = [facts.pop(name) for name in words.FACTS_OF.get(concern.name, ()) if name in facts]
                n, k = concern.count, opened.policy.cutoff
                said = said or [inflected(spoken(words.CONCERN[concern.name]), n).format(n=count(n), k=k)]
                _concern(concern, " ".join(said), bool(opened.case.edits))
        for sentence in facts.values():
            st.markdown(plain(sentence))


def _concern(concern: Concern, said: str, edited: bool) -> None:
    with st.container(key=f"concern_{concern.name}", horizontal=True, vertical_alignment="center"):
        more = " …" if concern.count > len(concern.examples()) else ""
        examples = "; ".join(map(_example, concern.examples()))
        st.markdown(f"{plain(said)} :gray[:small[{plain(examples)}{more}]]", width="stretch")
        saved = len(concern.table)
        hint = words.SAVE_ROWS_HELP if saved == concern.count else words.SAVE_ROWS_FIRST
        screen.download(
            words.SAVE_ROWS,
            partial(rows_csv, concern.table),
            file_name(f"{concern.name}.csv", edited),
            key=f"save_{concern.name}",
            type="tertiary",
            help=hint.format(count=count(saved)),
        )


def _example(row: Mapping[str, str]) -> str:
    """Return a row in a few words: the model, the query, the document, and the problem."""
    ids = [short_inside(row[name], _EXAMPLE) for name in ("model", "query_id", "doc_id") if row.get(name)]
    said = [words.ROW_SAYS[name].format(value) for name, value in row.items() if name in words.ROW_SAYS and value != ""]
    return " · ".join(ids) + (f" ({', '.join(said)})" if said else "")


@cached()
def _concerns(case: Case, policy: Policy) -> tuple[Concern, ...]:
    return concerns(verdicts.opened(case, policy).comparison)
