"""What is wrong between the files of one comparison, though each of them could be read."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from rankdash import arrow
from rankdash.mistakes.graded import judgments_as_runs
from rankdash.mistakes.near import MOST, Near, composed, near
from rankdash.mistakes.written import written_otherwise
from rankdash.reading.source.problems import Problem
from rankdash.records.lazy import remembered
from rankdash.tables import (
    QUEPID_BESIDE,
    QUEPID_BY_TEXT,
    QUEPID_IDS,
    QUEPID_TITLE,
    Judgments,
    Queries,
    Run,
    Source,
    Votes,
)

Input = Literal["a", "b", "run", "judgments", "queries", "votes"]
_WITH_IDS = 3
_ASCII = 128
_CALLED: Mapping[Input, str] = {"a": "A", "b": "B", "run": "the run", "queries": "the queries", "votes": "the votes"}
#: How ids differ, what is left out to make them match, and what to do about it.
_DIFFER = {
    "form": (
        "in Unicode form",
        "In one form",
        "Write both in one form, such as NFC: they look alike and are not the same.",
    ),
    "space": ("in white space", "Without white space", "Remove it from one of the files."),
    "case": ("in upper and lower case", "Without regard to case", "Write them alike in both files."),
    "width": (
        "in full-width and half-width signs",
        "Without regard to width",
        "Write them alike in both files.",
    ),
    "zeros": (
        "in leading zeros or a decimal point",
        "As numbers",
        "Keep ids as text: a spreadsheet turns 001 into 1.",
    ),
    "quotes": (
        "only by quotes",
        "Without quotes",
        "Write them alike in both files: Quepid doubles the quotes in a text also where it does not enclose it.",
    ),
    "ending": ("in a path or an ending", "By the last part of the path alone", "Write them alike in both files."),
}
#: The two ends of an id that an affix can be at.
_AFFIX = {"prefix": ("begin", "beginning"), "suffix": ("end", "ending")}


#: Scales of grades mostly end here.
_USUAL_SCALE = 10


@dataclass(frozen=True)
class Mistake:
    """A mistake in one sentence, and the input that it is shown at. ``fatal``: no result would be meaningful.

    ``problem`` is the problem of a file that somebody can settle; a page phrases it in its own way.
    """

    input: Input
    sentence: str
    fatal: bool = False
    problem: Problem | None = None


def mistakes(
    a: Run,
    b: Run,
    judgments: Judgments | None,
    queries: Queries | None = None,
    votes: Votes | None = None,
    *,
    any_judged: Mapping[Input, bool] | None = None,
) -> tuple[Mistake, ...]:
    """Return the mistakes between the tables of a comparison: of A first, then of B, then of the others.

    The same file twice, no query in common, ids that almost match. ``any_judged`` tells, where that is known, whether
    any document of a run is judged; a run without any is a mistake too.
    """
    questions = judgments_as_runs(dict(_sides(a, b)), judgments)
    wrong = [
        *_twice(a, b, judgments),
        *(Mistake(side, ask.phrased("shell"), True, ask) for side, ask in questions.items()),
    ]
    if judgments is None:
        return tuple(wrong)
    judged = _ids(judgments.table)
    for side, run in _sides(a, b):
        wrong += _of_run(side, run, judgments, judged, any_judged is None or any_judged.get(side, True))
    return (*wrong, *unmet_tables(queries, votes, judged, judgments.source))


def mistakes_of_run(run: Run, judgments: Judgments, *, any_judged: bool) -> tuple[Mistake, ...]:
    """Return the mistakes between a single run and its judgments, as ``mistakes`` has them for two."""
    wrong = _of_run("run", run, judgments, _ids(judgments.table), any_judged)
    grades = judgments.table.column("relevance").unique().to_pylist()
    return (
        *_judges_itself("the run", run, judgments),
        *wrong,
        *labels_alike(grades, len(judgments.table)),
        *off_the_scale(grades),
    )


def _of_run(side: Input, run: Run, judgments: Judgments, judged: Sequence[str], any_judged: bool) -> list[Mistake]:
    """Return the mistakes between a run and the judgments, whose query ids are ``judged``."""
    unmet = _unmet(side, run.source, run.name, _ids(run.table), judged, judgments.source)
    wrong = [*unmet, *_in_two_forms(side, run, judgments), *_grades_beside(side, run, judgments)]
    if not any_judged and not any(mistake.fatal for mistake in unmet):
        wrong.append(_no_document(side, run, judgments))
    return wrong if not any_judged else [*wrong, *_almost_judged(side, run, judgments)]


def labels_alike(grades: Collection[float], judgments: int) -> tuple[Mistake, ...]:
    """Return the mistake of labels that are all the same, from the distinct grades of so many judgments; a single one
    has none to be like.
    """
    if len(grades) != 1 or judgments == 1:
        return ()
    (grade,) = grades
    so = "nothing is relevant" if grade <= 0 else "only documents without a label count as not relevant"
    return (Mistake("judgments", f"All labels are alike: every judged document has the grade {grade:g}, so {so}."),)


def off_the_scale(grades: Collection[float]) -> tuple[Mistake, ...]:
    """Return the mistake of a highest grade that is far above all others, as a slip of the pen is: 33 for 3."""
    *_, following, highest = (0.0, 0.0, *sorted(grades)) if len(grades) > 1 else (0.0, 0.0)
    if highest <= _USUAL_SCALE or highest <= 2 * following:
        return ()
    sentence = (
        f"The highest grade is {highest:g}, and the next one is {following:g}: if {highest:g} is a slip, correct it; "
        "it weighs as much as it says."
    )
    return (Mistake("judgments", sentence),)


def unmet_run(
    run: tuple[Literal["a", "b"], Source, str],
    ours: Sequence[str],
    judged: tuple[Sequence[str], Source],
    *,
    any_judged: bool,
) -> tuple[Mistake, ...]:
    """Return the mistakes between a run and the judgments that the query ids show, where the rows are elsewhere.

    ``run`` is its side, source and name, ``ours`` its query ids; ``judged`` the ids of the judgments and their source.
    """
    side, source, name = run
    unmet = _unmet(side, source, name, ours, *judged)
    if not any_judged and not any(mistake.fatal for mistake in unmet):
        sentence = f"No document of {_CALLED[side]} is judged. Check that both use the same document ids."
        unmet.append(Mistake(side, sentence))
    return tuple(unmet)


def unmet_tables(
    queries: Queries | None, votes: Votes | None, judged: Sequence[str], judgments: Source
) -> tuple[Mistake, ...]:
    """Return the mistakes between tables of queries or votes and the judged queries, which come from ``judgments``."""
    tables: tuple[tuple[Input, Queries | Votes | None], ...] = (("queries", queries), ("votes", votes))
    return tuple(
        Mistake(mistake.input, mistake.sentence)
        for name, table in tables
        if table is not None
        for mistake in _unmet(name, table.source, "", _ids(table.table), judged, judgments)
    )


def _twice(a: Run, b: Run, judgments: Judgments | None) -> list[Mistake]:
    """Return a mistake where two inputs are the same file, unless it holds both models and the runs differ."""
    if is_same(a, b):
        named = f" ({_quoted(a.source.name)})" if a.source.name else ""
        return [
            Mistake("b", f"A and B are the same file{named}: if that is not meant, give the other model’s file as B.")
        ]
    if a.source.sha256 and a.source.sha256 == b.source.sha256:
        return []
    return [*_judges_itself("A", a, judgments), *_judges_itself("B", b, judgments)]


def is_same(a: Run, b: Run) -> bool:
    """Return whether two runs are the same file by its content, and the same lists in it."""
    return bool(a.source.sha256) and a.source.sha256 == b.source.sha256 and _are_alike(a.table, b.table)


def _judges_itself(called: str, run: Run, judgments: Judgments | None) -> list[Mistake]:
    """Return a mistake where a run is judged by the grades of its own rows."""
    if judgments is None or not judgments.source.sha256 or run.source.sha256 != judgments.source.sha256:
        return []
    if not _are_its_own(run, judgments):
        return []
    sentence = (
        f"The judgments are the same file as {called} ({_quoted(judgments.source.name)}): {called} is judged by grades "
        "of its own rows, and what only another model shows counts as unjudged."
    )
    return [Mistake("judgments", sentence)]


def _are_alike(a: pa.Table, b: pa.Table) -> bool:
    """Return whether two tables have the same columns and rows; what is no number equals itself here."""
    if a.column_names != b.column_names:
        return False
    return all(
        np.array_equal(arrow.as_numpy(arrow.one_chunk(ours)), arrow.as_numpy(arrow.one_chunk(theirs)), equal_nan=True)
        if pa.types.is_floating(ours.type) and pa.types.is_floating(theirs.type)
        else ours.equals(theirs)
        for ours, theirs in zip(a.columns, b.columns, strict=True)
    )


def _are_its_own(run: Run, judgments: Judgments) -> bool:
    """Return whether judgments from the file of a run are the grades of its rows, and not another part of the file."""
    scores = run.ordered_by == "score" and len(run.table) == judgments.source.rows
    return scores or "relevance" in run.table.column_names


def _sides(a: Run, b: Run) -> tuple[tuple[Literal["a", "b"], Run], ...]:
    return (("a", a), ("b", b))


def _unmet(
    name: Input, source: Source, model: str, ours: Sequence[str], judged: Sequence[str], judgments: Source
) -> list[Mistake]:
    """Return the mistake of no query in common, or of some that almost match."""
    theirs, had = set(judged), set(ours)
    strange = [value for value in ours if value not in theirs]
    if not strange:
        return []
    missing = [value for value in judged if value not in had]
    there = judgments.name or "the judgments"
    almost = near(strange, missing) if missing else None
    differ = "" if almost is None else f" {_differ(almost)}"
    if len(strange) < len(ours):
        if almost is None:
            return []
        what = f"{almost.count:,} query {'id' if almost.count == 1 else 'ids'} of {_CALLED[name]} almost"
        return [Mistake(name, f"{what} {'matches one' if almost.count == 1 else 'match some'} of {there}.{differ}")]
    row = f", row {source.first_row}" if source.first_row else ""
    what, whose = "this run" if model else "this file", source.name or model or _CALLED[name]
    do = differ + naming(source) + naming(judgments)
    if not do and QUEPID_TITLE in source.notes and all(map(str.isdecimal, judged)):
        do = f" {QUEPID_BY_TEXT}"
    do = do or " Check that both use the same query ids."
    return [
        Mistake(
            name,
            f'{whose}{row}, column "query_id": {_some(ours)} - no query of {what} is in {there}, which '
            f"has {_some(judged)}.{do}",
            fatal=True,
        )
    ]


def naming(source: Source) -> str:
    """Return that a file does not name its queries as others do, and what to do, after a space; "" where it does."""
    if QUEPID_IDS in source.notes:
        return f" {QUEPID_IDS} {QUEPID_BESIDE}"
    note = source.unnamed_queries
    return f" {note} Give a JSON object {{query: answer}}: docs/formats.md shows how to make it." if note else ""


def _grades_beside(side: Input, run: Run, judgments: Judgments) -> list[Mistake]:
    """Return a mistake for grades in a run that nobody reads because the judgments have a file of their own."""
    theirs = judgments.source.sha256
    if "relevance" not in run.table.column_names or theirs in ("", run.source.sha256):
        return []
    if run.ordered_by == "position" and not run.order_was_asked:
        return []  # ``judgments_as_runs`` asks about it: these may be judgments
    grades = arrow.as_numpy(arrow.one_chunk(run.table.column("relevance")))
    n = len(grades) - int(np.count_nonzero(np.isnan(grades)))
    says = f"{_quoted(judgments.source.name)} says" if judgments.source.name else "the judgments say"
    what = f"{n:,} {'grade' if n == 1 else 'grades'} beside the documents of {_CALLED[side]}"
    return [Mistake(side, f"{what} {'is' if n == 1 else 'are'} not used: {says} what is relevant.")] if n else []


def _in_two_forms(side: Input, run: Run, judgments: Judgments) -> list[Mistake]:
    """Return a mistake for documents that are judged under their id in another Unicode form; ASCII has only one."""
    theirs = dict.fromkeys(_beyond_ascii(judgments.table))
    forms = {composed(value): value for value in theirs}
    ours = (value for value in _beyond_ascii(run.table) if forms and value not in theirs)
    pairs = [(value, forms[composed(value)]) for value in ours if composed(value) in forms]
    if not pairs:
        return []
    what = f"{len(pairs):,} document {'id' if len(pairs) == 1 else 'ids'} of {_CALLED[side]} and of the judgments"
    examples = ", ".join(f"{here!a} here is {there!a} there" for here, there in pairs[:_WITH_IDS])
    how, _, do = _DIFFER["form"]
    return [Mistake(side, f"{what} differ {how} alone, and count as unjudged: {examples}. {do}")]


@remembered
def _beyond_ascii(table: pa.Table) -> list[str]:
    """Return the first document ids that are not ASCII, each once."""
    column = arrow.one_chunk(table.column("doc_id"))
    text = arrow.Text.of(column)
    if text.data[text.offsets[0] : text.offsets[-1]].max(initial=0) < _ASCII:
        return []
    some = column.filter(pc.invert(pc.string_is_ascii(column)))
    return list(dict.fromkeys(some.slice(0, MOST).to_pylist()))


def _no_document(side: Input, run: Run, judgments: Judgments) -> Mistake:
    here, there = (_documents(table) for table in (run.table, judgments.table))
    almost = near(here, there)
    do = "Check that both use the same document ids." if almost is None else _differ(almost)
    do = _field_instead(side, run, {*there}) or do
    name = judgments.source.name or "the judgments"
    return Mistake(
        side,
        f"No document of {_CALLED[side]} is judged: {run.source.name or run.name} has {_some(here)}, {name} has "
        f"{_some(there)}. {do}",
    )


def _field_instead(side: Input, run: Run, judged: Collection[str]) -> str:
    """Return that a field under the hits of a search engine has ids that are judged, and how to say so; "" where none
    has.
    """
    met = {path: sum(value in judged for value in values) for path, values in run.stored.items()}
    path = max(met, key=lambda own: met[own], default="")
    if not path or not met[path]:
        return ""
    target = "b" if side == "b" else "a"
    return (
        f"The field {_quoted(path)} of its hits holds {met[path]:,} of these ids: read it as the document, with "
        f'--columns {target}:doc_id={path} (in Python columns={{"doc_id": "{path}"}}).'
    )


def _almost_judged(side: Input, run: Run, judgments: Judgments) -> list[Mistake]:
    """Return a mistake for unjudged documents of which most would be judged under ids that are written otherwise."""
    almost = written_otherwise(run.table, judgments)
    return [] if almost is None else [judged_otherwise(side, almost, judgments.source)]


def judged_otherwise(side: Input, almost: Near, judgments: Source) -> Mistake:
    """Return the mistake of documents of a run that would be judged under ids that are written otherwise."""
    what = f"{almost.count:,} document ids of {_CALLED[side]} almost match some of"
    there_named = judgments.name or "the judgments"
    return Mistake(side, f"{what} {there_named}, and count as unjudged. {_differ(almost)}")


def _differ(almost: Near) -> str:
    """Return what differs, three examples, how many ids match without it, and what to do."""
    pairs = ", ".join(f"{_quoted(ours)} here is {_quoted(theirs)} there" for ours, theirs in almost.examples)
    if almost.way in _DIFFER:
        how, without, do = _DIFFER[almost.way]
    else:
        end, part = _AFFIX[almost.way]
        without = f"Without the {part} {_quoted(almost.text)}"
        where = "here" if almost.ours_has_it else "there"
        how = f"by what they {end} with {where}, {_quoted(almost.text)}"
        do = f"Remove {_quoted(almost.text)}, or write it in both files."
    return f"The ids differ {how}: {pairs}. {without} {almost.count:,} of {almost.of:,} match. {do}"


def _ids(table: pa.Table) -> list[str]:
    """Return the query ids of a table that some row has, each once, in order of appearance."""
    column = arrow.one_chunk(table.column("query_id"))
    if not pa.types.is_dictionary(column.type):
        return list(dict.fromkeys(column.to_pylist()))
    used, values = _used(table), list[str](column.dictionary.to_pylist())
    return values if used.all() else [value for value, is_used in zip(values, used.tolist(), strict=True) if is_used]


@remembered
def _used(table: pa.Table) -> npt.NDArray[np.bool_]:
    """Return which entries of the dictionary of query ids some row has."""
    column = arrow.one_chunk(table.column("query_id"))
    used = np.zeros(len(column.dictionary), bool)
    used[arrow.codes(column)] = True
    return used


def _documents(table: pa.Table) -> list[str]:
    """Return the document ids of the first rows, each once."""
    return list(dict.fromkeys(table.column("doc_id").slice(0, MOST).to_pylist()))


def _some(values: Sequence[str]) -> str:
    more = f" and {len(values) - _WITH_IDS:,} more" if len(values) > _WITH_IDS else ""
    return ", ".join(map(_quoted, values[:_WITH_IDS])) + more


def _quoted(value: str) -> str:
    return f'"{value if len(value) <= 60 else value[:59] + "…"}"'
