"""What is wrong between the tables of one comparison, though each of them could be read, and ids that almost match."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from operator import methodcaller
from typing import Any, Literal, TypeVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from rankdash import arrow
from rankdash.notes import advise, listed
from rankdash.reading import Choice, Problem, ReadError
from rankdash.reading.values import Lists, are_falling, are_grades
from rankdash.records import frozen, replace
from rankdash.strings import normalized
from rankdash.tables import Judgments, Queries, Run, Source, Votes
from rankdash.wording import nouns

Input = Literal["a", "b", "run", "judgments", "queries", "votes", "items"]
_Side = TypeVar("_Side", bound=str)

_CALLED: Mapping[Input, str] = {"a": "A", "b": "B", "run": "the run", "queries": "the queries", "votes": "the votes"}
#: How many ids of each side are looked at, how many are shown, and of how many queries without a listed document.
_MOST, _SHOWN, _QUERIES = 50_000, 3, 100
#: Scales of grades mostly end here.
_USUAL_SCALE = 10
#: Codes for "don't know", as surveys have them.
_CODES = (9.0, 99.0)
#: What a file of pairs alone is, beside runs that have more.
_BARE = "has neither grades nor rank nor score, and looks like judgments"
#: So many judged documents have to have their grade for a score, of so many rows.
_LEAST, _ROWS = 10, 2_000


@frozen
class Mistake:
    """A mistake in one sentence, and the input that it is shown at. ``fatal``: no result would be meaningful.

    ``problem`` is the problem of a file that somebody can settle; a page phrases it in its own way. ``as_numbers``:
    ids match where they are read as numbers. ``unchecked``: it can change the verdict,
    and no rule or caveat reports it.
    """

    input: Input
    sentence: str
    fatal: bool = False
    problem: Problem | None = None
    as_numbers: bool = False
    unchecked: bool = False


def mistakes(
    a: Run,
    b: Run,
    judgments: Judgments | None,
    queries: Queries | None = None,
    votes: Votes | None = None,
    *,
    judged_share: Mapping[Input, float] | None = None,
) -> tuple[Mistake, ...]:
    """Return the mistakes between the tables of a comparison: of A first, then of B, then of the others.

    The same file twice, no query in common, ids that almost match. ``judged_share`` is the judged share of a run, if
    it is known: a run without judged documents is a mistake too, and with 1 no ids are compared.
    """
    runs: dict[Input, Run] = {"a": a, "b": b}
    ids: dict[Input, list[str]] = {side: _ids(run.table) for side, run in runs.items()}
    questions = judgments_as_runs(runs, judgments)
    wrong = [
        *_twice(a, b, judgments),
        *(Mistake(side, ask.phrase("shell"), True, ask) for side, ask in questions.items()),
        *_shorter(runs, ids),
        *(mistake for side, run in runs.items() for mistake in _in_another_order(side, run)),
    ]
    if judgments is None:
        return tuple(wrong)
    judged = _ids(judgments.table)
    for side, run in runs.items():
        found = _of_run(side, run, ids[side], judgments, judged, (judged_share or {}).get(side, 0.5))
        wrong += [mistake for mistake in found if mistake not in wrong]  # what is said of the judgments is said once
    return (*wrong, *unmet_tables(queries, votes, judged, judgments.source))


def mistakes_of_run(run: Run, judgments: Judgments, *, judged_share: float) -> tuple[Mistake, ...]:
    """Return the mistakes between a single run and its judgments, as ``mistakes`` has them for two."""
    grades = judgments.table.column("relevance").unique().to_pylist()
    wrong = _of_run("run", run, _ids(run.table), judgments, _ids(judgments.table), judged_share)
    own = _judges_itself("the run", run, judgments)
    return (*own, *wrong, *labels_alike(grades, len(judgments.table), judgments.source), *off_the_scale(grades))


def off_the_scale(grades: Collection[float]) -> tuple[Mistake, ...]:
    """Return the mistake of a highest grade that is far above all others, as a slip of the pen is (33 for 3), or 9."""
    *_, following, highest = (0.0, 0.0, *sorted(grades)) if len(grades) > 1 else (0.0, 0.0)
    if highest <= 2 * following or (highest <= max(_USUAL_SCALE, 2 * following + 1) and highest not in _CODES):
        return ()
    meant = "not judged, delete these rows" if highest in _CODES else "another grade, correct it"
    said = f"The highest grade is {highest:g}, the next one {following:g}. If {highest:g} means {meant} in the file."
    return (Mistake("judgments", said, unchecked=True),)


def labels_alike(grades: Collection[float], judgments: int, source: Source) -> tuple[Mistake, ...]:
    """Return the mistake of labels that are all the same, from the distinct grades of so many judgments. Where the file
    has none, a note says so.
    """
    if len(grades) != 1 or judgments == 1 or source.has("one_grade"):
        return ()
    (grade,) = grades
    so = "nothing is relevant" if grade <= 0 else "nothing judged is better than another"
    return (Mistake("judgments", f"Everything judged has grade {grade:g}, so {so}.", unchecked=True),)


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
    if judgments is None or not run.source.sha256 or run.source.identity != judgments.source.identity:
        return []
    scores = run.ordered_by == "score" and len(run.table) == judgments.source.rows
    if not scores and "relevance" not in run.table.column_names:
        return []
    what = f"The judgments are the file of {called} ({listed([judgments.source.name])})."
    unjudged = nouns(run.source.of_users).say("Documents that only another model shows count as unjudged.")
    return [Mistake("judgments", f"{what} {unjudged}")]


def is_same(a: Run, b: Run) -> bool:
    """Return whether two runs are the same file by its content, and the same lists in it."""
    return bool(a.source.sha256) and a.source.sha256 == b.source.sha256 and arrow.same_tables(a.table, b.table)


def _twice(a: Run, b: Run, judgments: Judgments | None) -> list[Mistake]:
    """Return a mistake where two inputs are the same file, unless it holds both models and the runs differ."""
    if not is_same(a, b):
        alone = bool(a.source.sha256) and a.source.sha256 != b.source.sha256
        return [*_judges_itself("A", a, judgments), *_judges_itself("B", b, judgments)] if alone else []
    named = f" ({listed([a.source.name])})" if a.source.name else ""
    return [Mistake("b", f"A and B are the same file{named}. If this is a mistake, give the other model’s file as B.")]


def _shorter(runs: Mapping[Input, Run], ids: Mapping[Input, Sequence[str]]) -> list[Mistake]:
    """Return the mistake of lists that are half as long as those of the other model, or shorter; ``ids`` of queries."""
    (least, short), (most, long) = sorted((len(run.table) / max(len(ids[side]), 1), side) for side, run in runs.items())
    if 2 * least > most or any(len(own) < _LEAST for own in ids.values()):
        return []
    least, most = (_different(runs[side]) / len(ids[side]) for side in (short, long))
    if 2 * least > most:
        return []
    documents = nouns(any(run.source.of_users for run in runs.values())).documents_of(round(least))
    said = f"The lists of {short.upper()} have about {documents}, those of {long.upper()} about {most:,.0f}."
    return [Mistake(short, f"{said} What a list lacks counts as not found.", unchecked=True)]


def _different(run: Run) -> int:
    """Return how many documents the lists have, each once in its list."""
    documents = run.array("doc_id").dictionary_encode()
    queries = arrow.codes(run.array("query_id")).astype(np.int64)
    return len(arrow.distinct(queries * len(documents.dictionary) + arrow.codes(documents)))


def _in_another_order(side: Input, run: Run) -> list[Mistake]:
    """Return the mistake of ranks that begin after 1, as those of a second page do, and of rows without rank and score
    in the order of their ids or titles, as a database or a sorted sheet has them.
    """
    if run.ordered_by == "rank" and (first := pc.min(run.table.column("rank")).as_py() or 0) > 1:
        return [
            Mistake(side, f"The ranks of {_CALLED[side]} begin at {first:g}. They count as 1, 2, …", unchecked=True)
        ]
    if run.ordered_by != "position" or run.source.order_was_asked:
        return []
    said = f"{_CALLED[side]} has neither rank nor score, and its rows are in the order of their"
    by = [called for name, called in (("doc_id", "ids"), ("title", "titles")) if _are_sorted(run.table, name)]
    return [Mistake(side, f"{said} {by[0]}. Add a rank or a score.", unchecked=True)] if by else []


def _are_sorted(table: pa.Table, name: str) -> bool:
    """Return whether the rows of each list are in the order of a column; False for fewer than _LEAST long lists."""
    if name not in table.column_names:
        return False
    lists: dict[str, list[str]] = {}
    for row in table.slice(0, _ROWS).select(["query_id", name]).to_pylist():
        lists.setdefault(row["query_id"], []).append(row[name] or "")
    long = [own for own in lists.values() if len({*own}) > _SHOWN]
    orders = (None, str.casefold, lambda text: (len(text), text))
    return len(long) >= _LEAST and all(any(own == sorted(own, key=order) for order in orders) for own in long)


def _of_run(
    side: Input, run: Run, ids: Sequence[str], judgments: Judgments, judged: Sequence[str], share: float
) -> list[Mistake]:
    """Return the mistakes between a run and the judgments, whose query ids are ``ids`` and ``judged``."""
    unmet = _unmet(side, run.source, run.name, ids, judged, judgments.source)
    wrong = [*unmet, *_grades_beside(side, run, judgments)]
    if share == 1 or any(mistake.fatal for mistake in unmet):
        return wrong
    return [*wrong, *(_almost_judged(side, run, judgments) if share else [_no_document(side, run, judgments)])]


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
    differ, say = "" if almost is None else f" {almost}", nouns(source.of_users or judgments.of_users).say
    if len(strange) < len(ours):
        if almost is None:
            return []
        said = f"{say('Query')} ids of {_CALLED[name]} almost match {there}.{differ}"
        return [Mistake(name, said, as_numbers=almost.how == _NUMBERS, unchecked=True)]
    where = source.name if source.name.startswith(model) else ", ".join(filter(None, (source.name, model)))
    said = f"{where or _CALLED[name]}: {say('no query')} is in {there}."
    sentence = f"{said}{differ or f' Here: {_some(ours)}. There: {_some(judged)}. Check that both use the same ids.'}"
    return [Mistake(name, sentence, fatal=True, as_numbers=almost is not None and almost.how == _NUMBERS)]


def _grades_beside(side: Input, run: Run, judgments: Judgments) -> list[Mistake]:
    """Return a mistake for grades in a run that are not read, because the judgments have a file of their own, or that
    may be ratings of products.
    """
    is_one = judgments.source.identity in (Source().identity, run.source.identity)
    ratings = [note for note in run.source.notes if is_one and note.code == "of_documents"]
    if "relevance" not in run.table.column_names or is_one:
        return [Mistake("judgments", str(note), unchecked=True) for note in ratings]
    if run.ordered_by == "position" and not run.source.order_was_asked:
        return []  # ``judgments_as_runs`` asks about it: these may be judgments
    return [Mistake(side, f"The grades in {_CALLED[side]} are not used. The judgments come from another file.")]


def _no_document(side: Input, run: Run, judgments: Judgments) -> Mistake:
    here, there = _documents(run.table), _documents(judgments.table)
    do = near(here, there) or "Check that both use the same ids."
    sentence = (
        f"Nothing of {_CALLED[side]} is judged. {run.source.name or run.name}: {_some(here)}. "
        f"{judgments.source.name or 'The judgments'}: {_some(there)}. {do}"
    )
    return Mistake(side, sentence)


def _almost_judged(side: Input, run: Run, judgments: Judgments) -> list[Mistake]:
    """Return a mistake where at least half of the unjudged documents would be judged under ids written otherwise."""
    judged = judgments.array("doc_id")
    ours = pc.unique(run.array("doc_id").slice(0, _MOST)).cast(judged.type)
    met = pc.unique(judged.filter(pc.is_in(judged, value_set=ours)))
    strange = ours.filter(pc.invert(pc.is_in(ours, value_set=met))).slice(0, _ROWS).to_pylist()
    almost = near(strange, pc.unique(judged.slice(0, 2 * _MOST)).to_pylist() if strange else (), affixes=False)
    if almost is None or almost.count < (1 if almost.how in (_UNICODE, _MISREAD) else max(_SHOWN, len(strange) / 2)):
        return []
    ids = nouns(run.source.of_users).say("Document ids")
    there = judgments.source.name or "the judgments"
    said = f"{ids} of {_CALLED[side]} almost match {there}, and count as unjudged. {almost}"
    return [Mistake(side, said, as_numbers=almost.how == _NUMBERS, unchecked=True)]


def judged_elsewhere(
    runs: Sequence[Run], judgments: Judgments, ids: pa.Array, hits: npt.NDArray[Any], room: npt.NDArray[Any]
) -> list[Mistake]:
    """Return a mistake where several queries have ten judged documents or more and lists as long, but nothing judged is
    in either list: if their ids almost match, or if nearly all others have a third of theirs in a list.

    ``hits`` are the judged documents in the list that has more of them, ``room`` those that both could have, (q,).
    """
    none, others, few = ((room >= _LEAST) & own for own in (hits == 0, hits > 0, (hits > 0) & (hits < room / 3)))
    count, queries = np.count_nonzero(none), np.count_nonzero(room)
    if count < max(_SHOWN, queries / 100):
        return []
    missed = ids.filter(pa.array(none))
    judged, in_a, in_b = (
        own.array("doc_id").filter(pc.is_in(own.array("query_id"), value_set=missed[:_QUERIES])).to_pylist()
        for own in (judgments, *runs)
    )
    almost = near(judged, in_a + in_b)
    almost = None if almost is None or 10 * almost.count < almost.of else almost
    if almost is None and (others.sum() < max(_LEAST, 20 * few.sum()) or few.sum() > count):
        return []
    say = nouns(judgments.source.of_users or any(run.source.of_users for run in runs)).say
    said = say(f"Neither list has a judged document for {count:,} of {queries:,} queries")
    said = f"{said}: {_some(missed.to_pylist())}. {almost or say('Check the document ids of these queries.')}"
    return [Mistake("judgments", said, unchecked=True)]


def _ids(table: pa.Table) -> list[str]:
    """Return the query ids of the rows, each once, in order of appearance."""
    ids: list[str] = table.column("query_id").unique().cast(pa.string()).to_pylist()
    return ids


def _documents(table: pa.Table) -> list[str]:
    """Return the document ids of the first rows, each once."""
    return list(dict.fromkeys(table.column("doc_id").slice(0, _MOST).to_pylist()))


def _some(values: Sequence[str]) -> str:
    return listed(values[:_SHOWN]) + (f" and {len(values) - _SHOWN:,} more" if len(values) > _SHOWN else "")


# --- ids that almost match -------------------------------------------------------------------------------------------


@frozen
class Near:
    """How ids of two sides differ: ``count`` of ``of`` ids of ours match without it; ``examples`` are three of them,
    ours and theirs.
    """

    how: str
    count: int
    of: int
    examples: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        shown = ascii if self.how == _UNICODE else lambda value: listed([value])
        pairs = ", ".join(f"{shown(ours)} is {shown(theirs)} there" for ours, theirs in self.examples)
        do = _EXPORT if self.how == _MISREAD else "Write them alike"
        of = "the first" if self.of in (_ROWS, _MOST) else "these"
        return f"The ids differ {self.how}: {pairs}. {do}: then {self.count:,} of {of} {self.of:,} match."


def _without_zeros(value: str, cut: Callable[[str], str] = str) -> str:
    """Return a number without its leading zeros and a zero after its point; ``cut`` takes an affix away before."""
    bare = cut(value)
    digits = bare.removesuffix(".0")
    return _PADDED.sub("", digits) if digits.isdecimal() else bare


def _repaired(value: str) -> str:
    """Return the text that was meant by one in UTF-8 that was read in another encoding, once or several times."""
    for encoding in _MISREAD_AS:
        with suppress(UnicodeError):
            meant = value.encode(encoding).decode()
            return meant if meant == value else _repaired(meant)
    return value


#: Zeros in front of a number, which are no decimals.
_PADDED = re.compile(r"(?<![0-9.,])0+(?=[0-9])")
#: What programs read UTF-8 as that look for no encoding. For bytes that Windows-1252 lacks many take Latin-1.
_MISREAD_AS = ("cp1252", "latin-1", "mac_roman", "cp1250", "cp1251")
_UNICODE, _NUMBERS, _ZEROS = "in Unicode form", "in leading zeros or a decimal point", "in leading zeros"
_MISREAD, _EXPORT = "in encoding", "A file was opened in the wrong encoding and saved. Export it as UTF-8"
#: How ids differ, what takes the difference away, and whether any id between bars can have it.
_WAYS: Mapping[str, tuple[Callable[[str], str], Callable[[str], bool]]] = {
    _UNICODE: (partial(normalized, "NFC"), lambda ids: not ids.isascii()),
    "in white space": (lambda value: "".join(value.split()), lambda ids: len(ids.split()) > 1),
    "in upper and lower case": (str.casefold, lambda ids: ids != ids.casefold()),
    _NUMBERS: (_without_zeros, lambda ids: "|0" in ids or ".0|" in ids),
    _ZEROS: (partial(_PADDED.sub, ""), lambda ids: bool(_PADDED.search(ids))),
    _MISREAD: (_repaired, lambda ids: not ids.isascii()),
}


def near(ours: Iterable[str], theirs: Iterable[str], *, affixes: bool = True) -> Near | None:
    """Return the change that makes most of our unmatched ids equal to theirs; None where no change does.

    ``affixes``: whether one side may add the same text to its ids, to more than a tenth of them.
    """
    all_of_theirs, all_of_ours = dict.fromkeys(theirs), dict.fromkeys(ours)
    here = [value for value in all_of_ours if value not in all_of_theirs][:_MOST]
    there = [value for value in all_of_theirs if value not in all_of_ours][:_MOST]
    added = {**_affix(here, {*there}, "here"), **_affix(there, {*here}, "there")} if affixes else {}
    between_bars = "|".join(("", *here, *there, ""))
    ways = {how: change for how, (change, can_differ) in _WAYS.items() if can_differ(between_bars)}
    tried = [_same(how, change, here, there) for how, change in (ways | added).items()]
    chance = min(len(here), len(there)) / 10  # as many are equal by chance without what one side adds
    return max(
        (way for way in tried if way.count > chance * (way.how in added)), key=lambda way: way.count, default=None
    )


def _same(how: str, change: Callable[[str], str], here: Sequence[str], there: Sequence[str]) -> Near:
    """Return the ids that are the same without a difference."""
    keys = {value: change(value) for value in here}
    wanted = {*keys.values()}
    keyed = {key: value for value in reversed(there) if (key := change(value)) in wanted}
    pairs = [(value, keyed[key]) for value, key in keys.items() if key in keyed]
    return Near(how, len(pairs), len(here), tuple(pairs[:_SHOWN]))


def _affix(long: Sequence[str], short: Iterable[str], where: str) -> dict[str, Callable[[str], str]]:
    """Return the text that one side adds in front of most ids, and the one at the end, as ways; with leading zeros and
    without.
    """
    some, ways, plain = long[:60], dict[str, Callable[[str], str]](), {*map(_without_zeros, short)}
    cuts = [(own, cut) for own in some for cut in range(1, min(len(own), 80))]
    begins = Counter(own[:cut] for own, cut in cuts if _without_zeros(own[cut:]) in plain)
    ends = Counter(own[-cut:] for own, cut in cuts if _without_zeros(own[:-cut]) in plain)
    for affixes, place, remove in ((begins, "start", "removeprefix"), (ends, "end", "removesuffix")):
        for text, met in affixes.most_common(1):
            if met >= min(2, len(long)) and not text.isdecimal():
                how, bare = f"by {listed([text])} at the {place} {where}", methodcaller(remove, text)
                ways |= {how: bare, f"{how} and {_ZEROS}": partial(_without_zeros, cut=bare)}
    return ways


# --- judgments that were given as a run ------------------------------------------------------------------------------


def judgments_as_runs(
    runs: Mapping[_Side, Run], judgments: Judgments | None, twice: Container[str] = ()
) -> dict[_Side, Problem]:
    """Return a question about each run that looks like judgments, if there are other judgments; without judgments,
    about a run of pairs alone if the other run has ranks or scores.

    ``twice`` are the runs that came from the same object as the judgments. There is no question about a run whose order
    a user chose, nor about the runs of a file with several models.
    """
    if judgments is None:
        pairs = {side: run for side, run in runs.items() if run.source.has("pairs_alone")}
        return {side: _asked(run, side, _BARE) for side, run in pairs.items() if len(pairs) < len(runs)}
    if judgments.source == Source():  # the grades in the runs are all there is
        return {}
    alone = {
        side: run
        for side, run in runs.items()  # and no other model is in its file
        if all(
            run is other or run.source.identity != other.source.identity or run.table.equals(other.table)
            for other in runs.values()
        )
    }
    return {side: problem for side, run in alone.items() if (problem := _question(run, side, judgments, side in twice))}


def check_roles(runs: Mapping[_Side, Run], judgments: Judgments | None, twice: Container[str] = ()) -> None:
    """Raise ReadError for judgments that were given as a run, beside judgments of their own; ``twice`` as above."""
    if wrong := judgments_as_runs(runs, judgments, twice):
        raise ReadError([*wrong.values()])


def _question(run: Run, side: str, judgments: Judgments, is_twice: bool) -> Problem | None:
    if run.source.order_was_asked:
        return None
    if run.ordered_by == "position" and "relevance" in run.table.column_names:
        what = "has grades but neither rank nor score, and looks like judgments"
    elif run.ordered_by == "score" and (is_twice or _scores_are_grades(run, judgments)):
        what = "has the judged grades as its scores. The run and the judgments may be the same, or swapped"
    elif _are_exchanged(run, judgments):
        what = "has small whole numbers as its scores, and the judgments have scores. The two may be swapped"
    else:
        return None
    return _asked(run, side, what)


def _asked(run: Run, side: str, what: str) -> Problem:
    """Return the question about a run that looks like judgments."""
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
    scores = arrow.as_numpy(run.array("score"))
    query = arrow.codes(run.array("query_id"))
    least = 1 if are_lists else _LEAST
    return len(scores) >= least and are_grades(scores) and not are_falling(Lists.of(query), scores)


def _scores_are_grades(run: Run, judgments: Judgments) -> bool:
    """Return whether each judged document among the first rows has its grade for a score, and grades differ."""
    rows = run.table.slice(0, _ROWS)
    if not pc.any(pc.is_in(rows.column("score"), value_set=judgments.table.column("relevance").unique())).as_py():
        return False
    ours, theirs = (arrow.one_chunk(table.column("query_id")) for table in (rows, judgments.table))
    queries = ours.dictionary.take(arrow.from_numpy(np.flatnonzero(np.bincount(arrow.codes(ours)))))
    has_rows = np.zeros(len(theirs.dictionary) + 1, bool)
    has_rows[arrow.positions(queries, theirs.dictionary)] = True  # at the end, for queries without judgments
    judged = judgments.table.take(arrow.from_numpy(np.flatnonzero(has_rows[:-1][arrow.codes(theirs)])[:_MOST]))
    grades = {(row["query_id"], row["doc_id"]): row["relevance"] for row in judged.to_pylist()[::-1]}
    pairs = [(grades.get((row["query_id"], row["doc_id"])), row["score"]) for row in rows.to_pylist()]
    met = [pair for pair in pairs if pair[0] is not None]
    return len(met) >= _LEAST and len(set(met)) > 1 and all(grade == score for grade, score in met)
