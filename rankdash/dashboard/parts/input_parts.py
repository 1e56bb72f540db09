"""What a judged query weighs that has no weight: asked where a table of weights lacks many of them, changed later."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from rankdash import style
from rankdash.case import Case
from rankdash.conventions import number
from rankdash.dashboard.host.results import cached
from rankdash.dashboard.kit import screen, widgets
from rankdash.dashboard.kit.literal import plain, short, show_table
from rankdash.dashboard.new import file_card, uploads
from rankdash.dashboard.new.dropzone import entries
from rankdash.dashboard.session import actions, file_cache, verdicts
from rankdash.dashboard.session.session import Box, DroppedFile, FileEntry
from rankdash.intake import Decisions
from rankdash.mistakes import Mistake
from rankdash.policy import Policy
from rankdash.report.notes import query_notes
from rankdash.report.sections import answers
from rankdash.report.tables import file_name, rows_csv
from rankdash.scoring import Comparison, Concern, WeightGap, concerns, facts, judged_queries
from rankdash.style import reading as words
from rankdash.tables import Models, Queries, Votes
from rankdash.verdict import Verdict
from rankdash.wording import count, percent, short_inside

_ID = 40


def large_gap(case: Case) -> WeightGap | None:
    """Return what the weights of a comparison lack where somebody has to say what these queries weigh; else None."""
    if case.queries is None or "weight" not in case.queries.table.column_names:
        return None
    gap = _gap(case.unedited)
    return gap if gap is not None and gap.is_large else None


@cached()
def _gap(case: Case) -> WeightGap | None:
    return facts(case.queries, judged_queries(case.a, case.b, case.judgments)).gap


def choice(place: str, gap: WeightGap, queries: Queries) -> float | None:
    """Ask in a form; None until it is answered."""
    with st.container(border=True, key=f"{place}_missing_weight", gap="small"):
        _explained(gap, queries)
        chosen: float | None = st.segmented_control(
            words.WEIGHTS_ASK,
            gap.answers,
            default=queries.missing_weight if queries.missing_weight in gap.answers else None,
            format_func=words.WEIGHTS_CHOICES.__getitem__,
            key=f"{place}_weigh_missing",
        )
    return chosen


def question(gap: WeightGap, queries: Queries) -> None:
    """Ask in place of an open comparison, which has no verdict before it is answered. The answer is saved with it."""
    with st.container(border=True, key="missing_weight"):
        st.subheader(words.WEIGHTS_ASK, anchor=False)
        _explained(gap, queries)
        with st.container(horizontal=True, gap="small"):
            for weight in gap.answers:
                st.button(
                    words.WEIGHTS_CHOICES[weight],
                    key=f"weigh_missing_{weight}",
                    on_click=actions.weigh_missing,
                    args=(weight,),
                )


def control(gap: WeightGap | None, queries: Queries) -> None:
    """Draw the answer that holds for the open comparison, to be changed, unless every judged query has a weight."""
    if gap is None or not gap.count:
        return
    key = widgets.key_of("weigh_missing", queries.missing_weight or 0)
    with st.container(key="weigh_missing"):
        st.segmented_control(
            words.WEIGHTS_ASK,
            gap.answers,
            default=queries.missing_weight or 0,
            format_func=words.WEIGHTS_CHOICES.__getitem__,
            key=key,
            required=True,
            on_change=_changed,
            args=(key,),
        )


def _changed(key: str) -> None:
    if widgets.is_chosen(key):
        actions.weigh_missing(widgets.value_of(key))


def _explained(gap: WeightGap, queries: Queries) -> None:
    judged = count(gap.of, words.JUDGED_QUERY, words.JUDGED_QUERIES)
    table = plain(short(queries.source.name, _ID)) or words.WEIGHTS_TABLE
    said = [words.WEIGHTS_LACK.format(lacking=count(gap.count), judged=judged, table=table)]
    said.append(words.WEIGHTS_WHY.format(some=_some(gap.lacking)))
    if gap.given is not None:
        least, most = map(number, gap.given)
        given = words.WEIGHTS_ALIKE if least == most else words.WEIGHTS_GIVEN
        said.append(given.format(least=least, most=most))
    elif gap.others:
        said.append(words.WEIGHTS_OTHERS.format(some=_some(gap.others)))
    st.markdown(f":orange[:material/help:] {said[0]}")
    st.caption(" ".join(said[1:]))


def _some(ids: tuple[str, ...]) -> str:
    return ", ".join(f"“{plain(short(id, _ID))}”" for id in ids)


# --- correcting how a file of the open comparison was read, without dropping it again ---


PLACE = "correct"


def correct_button(slot: str, digest: str, case: Case) -> None:
    """Draw the button that corrects how a file was read, where its bytes are still there."""
    cached = file_cache.of(digest)
    if cached is None or not cached.is_for(slot) or (file := cached.file(digest)) is None:
        return
    if st.button(words.CORRECT, icon=":material/tune:", key=f"{PLACE}_{slot}", type="tertiary"):
        start = (digest, cached.decisions)
        token = "asked" if cached.decisions.member else digest[:8]  # as the first look at it, without decisions, says
        if file_cache.box_of(PLACE).corrected != start:  # else what was begun and left is taken up again
            box = Box(wishes={token: cached.role}, decisions={token: cached.decisions}, corrected=start)
            file_cache.put_box(PLACE, box)
        _dialog(file, cached.decisions, case)


@screen.dialog(words.CORRECT_TITLE, width="large")
def _dialog(file: DroppedFile, decisions: Decisions, case: Case) -> None:
    """Draw what can be corrected of a file that was read under some decisions."""
    entry = entries(PLACE, [file], names=lambda _: (case.a.name, case.b.name))[0]
    st.markdown(f"**{plain(entry.look.name)}** :gray[· {file_card.summary(entry)}]")
    file_card.questions(PLACE, entry)
    error = None if entry.reading is None else entry.reading.error
    if error is not None:
        file_card.problems(entry.look.name, error)
    file_card.details(PLACE, entry)
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


@cached()
def _concerns(case: Case, policy: Policy) -> tuple[Concern, ...]:
    return concerns(verdicts.opened(case, policy).comparison)
