"""What is wrong between the tables of one comparison, though each of them could be read, and ids that almost match."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from rankdash import arrow
from rankdash.notes import advise
from rankdash.reading import Choice, Problem, ReadError
from rankdash.reading.orders import Lists, are_falling, are_grades
from rankdash.strings import normalized
from rankdash.tables import Judgments, Queries, Run, Source, Votes

Input = Literal["a", "b", "run", "judgments", "queries", "votes"]
Way = Literal["form", "space", "case", "zeros", "width", "prefix", "suffix", "ending", "quotes"]
_Side = TypeVar("_Side", bound=str)

_CALLED: Mapping[Input, str] = {"a": "A", "b": "B", "run": "the run", "queries": "the queries", "votes": "the votes"}
#: How many ids of each side are looked at, and how many are shown.
_MOST, _SHOWN = 50_000, 3
#: So many judged documents have to have their grade for a score, of so many rows.
_LEAST, _ROWS = 10, 2_000


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
    runs: dict[Input, Run] = {"a": a, "b": b}
    questions = judgments_as_runs(runs, judgments)
    wrong = [
        *_twice(a, b, judgments),
        *(Mistake(side, ask.phrase("shell"), True, ask) for side, ask in questions.items()),
    ]
    if judgments is None:
        return tuple(wrong)
    judged = _ids(judgments.table)
    for side, run in runs.items():
        wrong += _of_run(side, run, judgments, judged, any_judged is None or any_judged.get(side, True))
    return (*wrong, *unmet_tables(queries, votes, judged, judgments.source))


def mistakes_of_run(run: Run, judgments: Judgments, *, any_judged: bool) -> tuple[Mistake, ...]:
    """Return the mistakes between a single run and its judgments, as ``mistakes`` has them for two."""
    grades = judgments.table.column("relevance").unique().to_pylist()
    wrong = _of_run("run", run, judgments, _ids(judgments.table), any_judged)
    own = _judges_itself("the run", run, judgments)
    return (*own, *wrong, *labels_alike(grades, len(judgments.table)), *off_the_scale(grades))


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


def labels_alike(grades: Collection[float], judgments: int) -> tuple[Mistake, ...]:
    """Return the mistake of labels that are all the same, from the distinct grades of so many judgments."""
    if len(grades) != 1 or judgments == 1:
        return ()
    (grade,) = grades
    so = "nothing is relevant" if grade <= 0 else "only documents without a label count as not relevant"
    return (Mistake("judgments", f"All labels are alike: every judged document has the grade {grade:g}, so {so}."),)


def unmet_tables(
    queries: Queries | None, votes: Votes | None, judged: Sequence[str], judgments: Source
) -> tuple[Mistake, ...]:
    """Return the mistakes between tables of queries or votes and the judged queries, which come from ``judgments``."""
    tables: tuple[tuple[Input, Queries | Votes | None], ...] = (("queries", queries), ("votes", votes))
    return tuple(
        replace(mistake, fatal=False)
        for name, table in tables
        if table is not None
        for mistake in _unmet(name, table.source, "", _ids(table.table), judged, judgments)
    )


def _judges_itself(called: str, run: Run, judgments: Judgments | None) -> list[Mistake]:
    """Return a mistake where a run is judged by the grades of its own rows, and not by another part of its file."""
    if judgments is None or not run.source.sha256 or run.source.sha256 != judgments.source.sha256:
        return []
    scores = run.ordered_by == "score" and len(run.table) == judgments.source.rows
    if not scores and "relevance" not in run.table.column_names:
        return []
    what = (
        f"The judgments are the same file as {called} ({_quoted(judgments.source.name)}): {called} is judged by grades"
    )
    return [Mistake("judgments", f"{what} of its own rows, and what only another model shows counts as unjudged.")]


def is_same(a: Run, b: Run) -> bool:
    """Return whether two runs are the same file by its content, and the same lists in it."""
    return bool(a.source.sha256) and a.source.sha256 == b.source.sha256 and _are_alike(a.table, b.table)


def _are_alike(a: pa.Table, b: pa.Table) -> bool:
    """Return whether two tables have the same columns and rows; what is no number equals itself here."""
    if a.column_names != b.column_names:
        return False
    pairs = [
        (arrow.one_chunk(ours), arrow.one_chunk(theirs)) for ours, theirs in zip(a.columns, b.columns, strict=True)
    ]
    return all(
        np.array_equal(arrow.as_numpy(ours), arrow.as_numpy(theirs), equal_nan=True)
        if pa.types.is_floating(ours.type) and pa.types.is_floating(theirs.type)
        else ours.equals(theirs)
        for ours, theirs in pairs
    )


def _twice(a: Run, b: Run, judgments: Judgments | None) -> list[Mistake]:
    """Return a mistake where two inputs are the same file, unless it holds both models and the runs differ."""
    if not is_same(a, b):
        alone = bool(a.source.sha256) and a.source.sha256 != b.source.sha256
        return [*_judges_itself("A", a, judgments), *_judges_itself("B", b, judgments)] if alone else []
    named = f" ({_quoted(a.source.name)})" if a.source.name else ""
    return [Mistake("b", f"A and B are the same file{named}: if that is not meant, give the other model’s file as B.")]


def _of_run(side: Input, run: Run, judgments: Judgments, judged: Sequence[str], any_judged: bool) -> list[Mistake]:
    """Return the mistakes between a run and the judgments, whose query ids are ``judged``."""
    unmet = _unmet(side, run.source, run.name, _ids(run.table), judged, judgments.source)
    wrong = [*unmet, *_grades_beside(side, run, judgments)]
    if any(mistake.fatal for mistake in unmet):
        return wrong
    return [*wrong, *(_almost_judged(side, run, judgments) if any_judged else [_no_document(side, run, judgments)])]


def _unmet(
    name: Input, source: Source, model: str, ours: Sequence[str], judged: Sequence[str], judgments: Source
) -> list[Mistake]:
    """Return the mistake of no query in common, or of some that almost match."""
    theirs, had = set(judged), set(ours)
    strange = [value for value in ours if value not in theirs]
    if not strange:
        return []
    almost = near(strange, [value for value in judged if value not in had])
    there = judgments.name or "the judgments"
    differ = "" if almost is None else f" {_differ(almost)}"
    if len(strange) < len(ours):
        if almost is None:
            return []
        what = f"{almost.count:,} query {'id' if almost.count == 1 else 'ids'} of {_CALLED[name]} almost"
        return [Mistake(name, f"{what} {'matches one' if almost.count == 1 else 'match some'} of {there}.{differ}")]
    row = f", row {source.first_row}" if source.first_row else ""
    do = differ + _naming(source) + _naming(judgments) or " Check that both use the same query ids."
    what = "this run" if model else "this file"
    where = f'{source.name or model or _CALLED[name]}{row}, column "query_id"'
    sentence = f"{where}: {_some(ours)} - no query of {what} is in {there}, which has {_some(judged)}.{do}"
    return [Mistake(name, sentence, fatal=True)]


def _naming(source: Source) -> str:
    """Return that a file does not name its queries as others do, and what to do, after a space; "" where it does."""
    if source.has("quepid_ids"):
        return " Queries go by their ids in Quepid there: give the whole snapshot, or its Basic export."
    if source.has("unnamed_queries"):
        return " The answers of that file name no queries: give {query: answer}, or the queries in the same order."
    return ""


def _grades_beside(side: Input, run: Run, judgments: Judgments) -> list[Mistake]:
    """Return a mistake for grades in a run that nobody reads because the judgments have a file of their own."""
    theirs = judgments.source.sha256
    if "relevance" not in run.table.column_names or theirs in ("", run.source.sha256):
        return []
    if run.ordered_by == "position" and not run.source.order_was_asked:
        return []  # ``judgments_as_runs`` asks about it: these may be judgments
    grades = arrow.as_numpy(arrow.one_chunk(run.table.column("relevance")))
    n = len(grades) - int(np.count_nonzero(np.isnan(grades)))
    says = f"{_quoted(judgments.source.name)} says" if judgments.source.name else "the judgments say"
    what = f"{n:,} {'grade' if n == 1 else 'grades'} beside the documents of {_CALLED[side]}"
    return [Mistake(side, f"{what} {'is' if n == 1 else 'are'} not used: {says} what is relevant.")] if n else []


def _no_document(side: Input, run: Run, judgments: Judgments) -> Mistake:
    here, there = (_documents(table) for table in (run.table, judgments.table))
    almost = near(here, there)
    do = "Check that both use the same document ids." if almost is None else _differ(almost)
    met = {path: sum(value in {*there} for value in values) for path, values in run.stored.items()}
    path = max(met, key=lambda own: met[own], default="")
    if path and met[path]:
        target = "b" if side == "b" else "a"
        do = (
            f"The field {_quoted(path)} of its hits holds {met[path]:,} of these ids: read it as the document, with "
            f'--columns {target}:doc_id={path} (in Python columns={{"doc_id": "{path}"}}).'
        )
    name = judgments.source.name or "the judgments"
    sentence = (
        f"No document of {_CALLED[side]} is judged: {run.source.name or run.name} has {_some(here)}, {name} has "
        f"{_some(there)}. {do}"
    )
    return Mistake(side, sentence)


def _almost_judged(side: Input, run: Run, judgments: Judgments) -> Iterator[Mistake]:
    """Yield a mistake where at least half of the unjudged documents would be judged under ids written otherwise."""
    column = arrow.one_chunk(judgments.table.column("doc_id")).cast(pa.large_string())
    ours = pc.unique(arrow.one_chunk(run.table.column("doc_id")).slice(0, _MOST).cast(pa.large_string()))
    strange = ours.filter(pc.invert(pc.is_in(ours, value_set=column))).slice(0, _ROWS)
    if not len(strange):
        return
    queries = run.table.column("query_id").slice(0, _MOST).unique()
    same = pc.is_in(
        judgments.table.column("query_id").cast(pa.string()), value_set=arrow.one_chunk(queries).cast(pa.string())
    )
    theirs = pc.unique(column.filter(arrow.one_chunk(same))).slice(0, _MOST).to_pylist()
    almost = near(strange.to_pylist(), theirs, ("form", "space", "case", "zeros", "quotes"))
    least = 1 if almost is not None and almost.way == "form" else max(_SHOWN, len(strange) / 2)
    if almost is not None and almost.count >= least:
        what = f"{almost.count:,} document ids of {_CALLED[side]} almost match some of"
        there = judgments.source.name or "the judgments"
        yield Mistake(side, f"{what} {there}, and count as unjudged. {_differ(almost)}")


def _ids(table: pa.Table) -> list[str]:
    """Return the query ids that some row has, each once, in order of appearance."""
    ids: list[str] = table.column("query_id").unique().to_pylist()
    return ids


def _documents(table: pa.Table) -> list[str]:
    """Return the document ids of the first rows, each once."""
    return list(dict.fromkeys(table.column("doc_id").slice(0, _MOST).to_pylist()))


def _some(values: Sequence[str]) -> str:
    more = f" and {len(values) - _SHOWN:,} more" if len(values) > _SHOWN else ""
    return ", ".join(map(_quoted, values[:_SHOWN])) + more


def _quoted(value: str) -> str:
    return f'"{value if len(value) <= 60 else value[:59] + "…"}"'


# --- ids that almost match -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Near:
    """How ids of two sides differ: by ``way``; for an affix, also its text and whether ours have it.

    ``count`` of ``of`` ids of ours match then; ``examples`` are three of them, ours and theirs.
    """

    way: Way
    count: int
    examples: tuple[tuple[str, str], ...]
    text: str = ""
    ours_has_it: bool = False
    of: int = 0


def _without_zeros(value: str) -> str:
    digits = value.removesuffix(".0")
    return digits.lstrip("0") or "0" if digits.isdecimal() else value


#: By way: what takes the difference away, how ids differ, what is left out to make them match, and what to do.
_WAYS: Mapping[str, tuple[Callable[[str], str], str, str, str]] = {
    "form": (partial(normalized, "NFC"), "in Unicode form", "In one form", "Write both in one form, such as NFC."),
    "space": (
        lambda value: "".join(value.split()),
        "in white space",
        "Without white space",
        "Remove it from one of the files.",
    ),
    "case": (str.casefold, "in upper and lower case", "Without regard to case", "Write them alike in both files."),
    "width": (
        partial(normalized, "NFKC"),
        "in full-width and half-width signs",
        "Without regard to width",
        "Write them alike in both files.",
    ),
    "zeros": (
        _without_zeros,
        "in leading zeros or a decimal point",
        "As numbers",
        "Keep ids as text: a spreadsheet turns 001 into 1.",
    ),
    "quotes": (
        lambda value: value.replace('"', ""),
        "only by quotes",
        "Without quotes",
        "Write them alike in both files.",
    ),
    "ending": (
        lambda value: os.path.splitext(os.path.basename(value))[0],
        "in a path or an ending",
        "By the last part of the path alone",
        "Write them alike in both files.",
    ),
}


def near(ours: Iterable[str], theirs: Iterable[str], ways: Collection[str] | None = None) -> Near | None:
    """Return the change that makes most of our unmatched ids equal to theirs; None where no change does.

    ``ways``: only these changes are tried.
    """
    all_of_theirs, all_of_ours = dict.fromkeys(theirs), dict.fromkeys(ours)
    here = [value for value in all_of_ours if value not in all_of_theirs][:_MOST]
    there = [value for value in all_of_theirs if value not in all_of_ours][:_MOST]
    if not here or not there:
        return None
    tried = [_same(way, here, there) for way in _WAYS if ways is None or way in ways]
    if ways is None:
        for affix in ("prefix", "suffix"):
            tried += [_affixed(affix, here, set(there), ours=True), _affixed(affix, there, set(here), ours=False)]
    most = max((way for way in tried if way is not None), key=lambda way: way.count, default=None)
    return None if most is None else replace(most, of=len(here))


def _same(way: str, here: Sequence[str], there: Sequence[str]) -> Near | None:
    """Return the ids that are the same without a difference."""
    change = _WAYS[way][0]
    keyed = {change(value): value for value in reversed(there)}
    pairs = [(value, keyed[change(value)]) for value in here if change(value) in keyed]
    return Near(way, len(pairs), tuple(pairs[:_SHOWN])) if pairs else None  # type: ignore[arg-type]


def _affixed(way: Literal["prefix", "suffix"], long: Sequence[str], short: set[str], *, ours: bool) -> Near | None:
    """Return the ids to which one side adds a text in front or at the end, the same for most of them."""
    counts: Counter[str] = Counter()
    for value in long[:60]:
        for cut in range(1, min(len(value), 80)):
            rest, affix = (value[cut:], value[:cut]) if way == "prefix" else (value[:-cut], value[-cut:])
            if rest in short:
                counts[affix] += 1
    affix, met = counts.most_common(1)[0] if counts else ("", 0)
    if met < min(2, len(long)) or not affix or affix.isdecimal():
        return None
    cut_off = str.removeprefix if way == "prefix" else str.removesuffix
    pairs = [(value, cut_off(value, affix)) for value in long if value != affix]
    pairs = [(value, rest) for value, rest in pairs if rest != value and rest in short]
    shown = pairs if ours else [(rest, value) for value, rest in pairs]
    return Near(way, len(pairs), tuple(shown[:_SHOWN]), affix, ours) if pairs else None


def _differ(almost: Near) -> str:
    """Return what differs, three examples, how many ids match without it, and what to do."""
    shown = ascii if almost.way == "form" else _quoted
    pairs = ", ".join(f"{shown(ours)} here is {shown(theirs)} there" for ours, theirs in almost.examples)
    if almost.way in _WAYS:
        _, how, without, do = _WAYS[almost.way]
    else:
        end, part = ("begin", "beginning") if almost.way == "prefix" else ("end", "ending")
        where = "here" if almost.ours_has_it else "there"
        how, without = (
            f"by what they {end} with {where}, {_quoted(almost.text)}",
            f"Without the {part} {_quoted(almost.text)}",
        )
        do = f"Remove {_quoted(almost.text)}, or write it in both files."
    return f"The ids differ {how}: {pairs}. {without} {almost.count:,} of {almost.of:,} match. {do}"


# --- judgments that were given as a run ------------------------------------------------------------------------------


def judgments_as_runs(
    runs: Mapping[_Side, Run], judgments: Judgments | None, twice: Container[str] = ()
) -> dict[_Side, Problem]:
    """Return the question about each run that looks like judgments, where there are judgments of their own.

    ``twice`` are the runs that came from the same object as the judgments. No question is asked about a run whose order
    somebody decided, nor about the runs of a file with several models.
    """
    if judgments is None or judgments.source == Source():  # the grades in the runs are all there is
        return {}
    alone = {side: run for side, run in runs.items() if not any(_share_a_file(run, other) for other in runs.values())}
    return {side: problem for side, run in alone.items() if (problem := _question(run, side, judgments, side in twice))}


def check_roles(runs: Mapping[_Side, Run], judgments: Judgments | None, twice: Container[str] = ()) -> None:
    """Raise ReadError for judgments that were given as a run, beside judgments of their own; ``twice`` as above."""
    wrong = judgments_as_runs(runs, judgments, twice)
    if wrong:
        raise ReadError([*wrong.values()])


def _share_a_file(run: Run, other: Run) -> bool:
    """Return whether two runs are different models of one file."""
    return run is not other and run.source.sha256 == other.source.sha256 and not run.table.equals(other.table)


def _question(run: Run, side: str, judgments: Judgments, is_twice: bool) -> Problem | None:
    if run.source.order_was_asked:
        return None
    if run.ordered_by == "position" and "relevance" in run.table.column_names:
        what = "has grades and neither rank nor score: these look like judgments, given as a run"
    elif run.ordered_by == "score" and (is_twice or _scores_are_grades(run, judgments)):
        what = "has the grades of its documents for its scores: judgments and run are the same, or exchanged"
    elif _are_exchanged(run, judgments):
        what = "has small whole numbers for its scores, and the judgments scores: they may be exchanged"
    else:
        return None
    called = side.upper() if len(side) == 1 else side
    name, order = run.source.name or run.name, run.ordered_by
    allowed, choice = advise("judgments_or_order", key=order), Choice("order", (order,))
    return Problem("unclear", name, f"{called} {what}", allowed=allowed, choice=choice)


def _are_exchanged(run: Run, judgments: Judgments) -> bool:
    """Return whether a run has small whole numbers in no order for its scores, and the judgments numbers without a
    name that may be scores, or lists of documents without grades.
    """
    are_lists = judgments.source.has("one_grade")
    if run.ordered_by != "score" or not (are_lists or judgments.source.has("may_be_scores")):
        return False
    scores = arrow.as_numpy(arrow.one_chunk(run.table.column("score")))
    query = arrow.codes(arrow.one_chunk(run.table.column("query_id")))
    least = 1 if are_lists else _LEAST
    return len(scores) >= least and are_grades(scores) and not are_falling(Lists.of(query), scores)


def _scores_are_grades(run: Run, judgments: Judgments) -> bool:
    """Return whether each judged document among the first rows has its grade for a score, and grades differ."""
    rows = run.table.select(["query_id", "doc_id", "score"]).slice(0, _ROWS)
    among = pc.unique(arrow.one_chunk(rows.column("doc_id")).cast(pa.large_string()))
    judged = judgments.table.filter(pc.is_in(judgments.table.column("doc_id").cast(pa.large_string()), value_set=among))
    grades = {(row["query_id"], row["doc_id"]): row["relevance"] for row in judged.slice(0, _MOST).to_pylist()[::-1]}
    pairs = [(grades.get((row["query_id"], row["doc_id"])), row["score"]) for row in rows.to_pylist()]
    met = [pair for pair in pairs if pair[0] is not None]
    return len(met) >= _LEAST and len(set(met)) > 1 and all(grade == score for grade, score in met)
