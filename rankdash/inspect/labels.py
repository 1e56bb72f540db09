"""What to label next: the documents whose labels could move the difference, or on which two lists without judgments
disagree, and the grades to choose from.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from rankdash.inspect.query_order import Ints
from rankdash.notes import Advice
from rankdash.reading.values import propose_grades
from rankdash.records import frozen
from rankdash.scoring import Comparison, places_of, shown_texts
from rankdash.tables import Source

#: Columns of a run with the text of a query, and with that of a document: the first that has one counts.
_TEXTS = "query_text text passage content body snippet abstract description".split()
#: Of a scale with more grades none is chosen by a key.
MOST_GRADES = 10
#: The grades of lists without judgments.
_USUAL_GRADES = (0.0, 1.0, 2.0, 3.0)
#: What differs by less is equal.
_DECIMALS = 12


@frozen
class LabelCandidate:
    """One unjudged document, and how far one label could move the mean difference, or without judgments how far A and
    B disagree on it; a rank is None where the list lacks it.
    """

    query_id: str
    doc_id: str
    title: str
    effect: float
    rank_a: int | None
    rank_b: int | None


@frozen
class LabelQueue:
    """What to label: the next document with its text and the text of its query ("" without one), and what is left.

    ``left`` counts the unjudged documents of the selected queries, ``moving`` the ones with an effect, and ``of_all``
    the unjudged documents of every query.
    """

    document: LabelCandidate | None
    query_text: str
    text: str
    left: int
    moving: int
    of_all: int


def candidates(comparison: Comparison, graded: Collection[tuple[str, str]] = ()) -> tuple[LabelCandidate, ...] | None:
    """Return unjudged documents in the first k of A or B, the largest effect first; None where labels do not count.

    ``graded`` are documents to leave out: without judgments, those that were labelled meanwhile.
    """
    return None if comparison.worklist is None else _candidates(comparison, _places(comparison, graded))


def label_queue(
    comparison: Comparison,
    skipped: Sequence[tuple[str, str]] = (),
    query_id: str | None = None,
    graded: Collection[tuple[str, str]] = (),
) -> LabelQueue | None:
    """Return what to label next, of one query or of all: the largest effect first, and skipped documents last, in the
    order in which they were skipped. None where labels do not count. ``graded`` as for ``candidates``.
    """
    work, shown = comparison.worklist, comparison.shown
    if work is None:
        return None
    at = every = _places(comparison, graded)
    if query_id is not None:
        at = at[shown.documents.query[work.row[at]] == comparison.query_ids.index(query_id)]
    first = _candidates(comparison, at[: len(skipped) + 1])  # one of them was not skipped, unless all were
    last = {pair: place for place, pair in enumerate(skipped)}
    order = [last.get((document.query_id, document.doc_id), -1) for document in first]
    place = order.index(min(order)) if order else None
    row = work.row[at[:0] if place is None else at[[place]]]
    of_query, *of_document = ("".join(shown_texts(comparison.joined, shown, row, name)) for name in _TEXTS)
    texts = comparison.facts.texts
    of_query = (texts[shown.documents.query[row][0]] if texts and len(row) else "") or of_query
    text = next(filter(None, of_document), "")
    moving = int(np.count_nonzero(np.round(work.effect[at], _DECIMALS)))
    document = None if place is None else first[place]
    return LabelQueue(document, of_query, text, len(at), moving, len(every))


def _places(comparison: Comparison, graded: Collection[tuple[str, str]]) -> Ints:
    """Return the places of the worklist whose documents were not graded meanwhile, ascending."""
    work, shown = comparison.worklist, comparison.shown
    assert work is not None
    query = shown.documents.query[work.row]
    near = np.flatnonzero(np.isin(query, places_of({name for name, _ in graded}, comparison.scored.query_ids)))
    ids = [comparison.query_ids[at] for at in query[near]]
    done = [pair in graded for pair in zip(ids, shown_texts(comparison.joined, shown, work.row[near]), strict=True)]
    return np.delete(np.arange(len(query)), near[np.array(done, bool)])


def _candidates(comparison: Comparison, at: Ints) -> tuple[LabelCandidate, ...]:
    """Return the documents at some places of the worklist."""
    work, shown = comparison.worklist, comparison.shown
    assert work is not None
    row = work.row[at]
    names, titles = (shown_texts(comparison.joined, shown, row, column) for column in ("doc_id", "title"))
    ranks = [[int(r) or None for r in column[row]] for column in (shown.documents.rank_a, shown.documents.rank_b)]
    queries = [comparison.query_ids[query] for query in shown.documents.query[row]]
    return tuple(
        LabelCandidate(*columns)
        for columns in zip(queries, names.tolist(), titles.tolist(), work.effect[at].tolist(), *ranks, strict=True)
    )


def has_no_judgments(comparison: Comparison) -> bool:
    """Return whether nothing was judged, but for labels that were given on a page."""
    return not comparison.is_judged or comparison.joined.judgments.source.was_labelled_here


def label_scale(comparison: Comparison) -> tuple[float, ...]:
    """Return the grades to choose from: those of the judgments, and the whole ones between them on a short scale; also
    0; without judgments 0 to 3, and those that were given.
    """
    usual = _USUAL_GRADES if has_no_judgments(comparison) else (0.0,)
    scale = sorted({*usual, *comparison.scored.scope.grades})
    if scale[-1] - scale[0] < MOST_GRADES and all(map(float.is_integer, scale)):
        return tuple(map(float, range(int(scale[0]), int(scale[-1]) + 1)))
    return tuple(scale)


def ahead(comparison: Comparison) -> str:
    """Return which model is ahead whatever the missing labels say: "a", "b", "not a" or "not b" where the other can be
    equal, "equal", and "" where either can be ahead or labels do not count.
    """
    low, high = (round(one, _DECIMALS) for one in comparison.delta_bounds or (-1.0, 1.0))
    cases = {"b": low > 0, "a": high < 0, "equal": low == high == 0, "not a": low == 0, "not b": high == 0}
    return next((case for case, holds in cases.items() if holds), "")


def grade_words(source: Source) -> dict[float, str]:
    """Return a word for each grade of a file that was read from a word."""
    said = (note.text for note in source.notes if note.code in ("words_as_grades", "words_asked"))
    facts = [fact for text in said if isinstance(text, Advice) for fact in text.facts]
    return {float(name): str(word) for name, word in facts if name != "grades"}


def words_here(source: Source, words: Collection[str]) -> tuple[tuple[str, float], ...]:
    """Return the grades that words of another file have here; none where its own scale says the same."""
    here = {word.casefold().strip(): grade for grade, word in grade_words(source).items()}
    known = {word: here[word.casefold().strip()] for word in words if word.casefold().strip() in here}
    is_same = known.items() <= propose_grades(words).items() and not source.has("words_asked")
    return () if is_same else tuple(known.items())


def why_none(comparison: Comparison) -> str:
    """Return why there are no candidates, as a word; "" where there are. The first reason that holds."""
    scope = comparison.scored.scope
    reasons = {
        "apart": scope.apart,
        "relevant_only": not comparison.explained.unjudged_count,
        "no_grade": scope.label_gains is None,
        "own_ideal": scope.convention.ideal != "judged",
        "uncut": scope.convention.ideal_cut != "k",
        "left_out": scope.convention.unjudged != "nonrelevant",
        "ties": not comparison.explained.is_sum,
    }
    return next((why for why, holds in reasons.items() if holds), "")
