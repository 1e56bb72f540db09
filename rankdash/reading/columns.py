"""Which column means what: one table of names and synonyms, and how headings are matched to it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from rankdash.reading.problems import Problem, ReadError, listed

Wanted = Literal["run", "judgments", "models"]


@dataclass(frozen=True)
class Meaning:
    """A column with a meaning: its canonical name, how it is called in a sentence, and other usual names.

    ``synonyms`` is a list of tiers: a name of a later tier is considered only where no earlier one is present. Of
    two columns with names in the same tier none is chosen, unless the column is only ``shown``. ``examples`` are
    the synonyms that messages mention.
    """

    name: str
    words: str
    synonyms: tuple[str, ...]
    examples: str = ""
    shown: bool = False


_TEXT = "query q search_query query_string search_term keyword keywords question"
_DOCUMENT = (
    "docno doc docid did document document_id item item_id url uri asin product_id pid sku passage passage_id result "
    "result_id article_id movie_id video_id listing_id candidate_id"
)

#: In the order in which they choose: "query" is the id where no other column is, else the text.
MEANINGS = (
    Meaning(
        "query_id",
        "the query id",
        (
            "qid topic topic_id topicno qno query_no query_number user user_id uid search_id session_id request_id",
            _TEXT,
            "query_text text",
        ),
        "qid, query, topic",
    ),
    Meaning(
        "doc_id",
        "the document id",
        (_DOCUMENT,),
        "docno, item, url",
    ),
    Meaning("rank", "the rank", ("position pos ranking rank_position place",), "position, pos"),
    Meaning("score", "the score", ("sim similarity model_score predicted_score prediction pred rsv",), "similarity"),
    Meaning(
        "relevance",
        "the relevance",
        ("label rel grade rating gain judgment judgement relevance_grade relevance_label graded_relevance",),
        "label, grade, rating",
    ),
    Meaning("model", "the model", ("system run variant ranker run_id model_name system_id",), "system, run, variant"),
    Meaning("title", "the title", ("product_title doc_title document_title item_title name",), shown=True),
    Meaning("query_text", "the text of the query", (f"{_TEXT} text",), shown=True),
)

#: What each kind of table must have, and what is read from it (None: every column).
REQUIRED: dict[Wanted, tuple[str, ...]] = {
    "run": ("query_id", "doc_id"),
    "judgments": ("query_id", "doc_id", "relevance"),
    "models": ("query_id", "doc_id", "model"),
}
READ: dict[Wanted, tuple[str, ...] | None] = {
    "run": None,
    "judgments": ("query_id", "doc_id", "relevance"),
    "models": None,
}


def key(heading: str) -> str:
    """A heading without what people vary: case, blanks, underscores and hyphens."""
    return re.sub(r"[\s_\-\ufeff]+", "", heading).casefold()


_TIERS = {
    meaning.name: (
        (frozenset([key(meaning.name)]), *(frozenset(map(key, tier.split())) for tier in meaning.synonyms)),
        meaning,
    )
    for meaning in MEANINGS
}
_KNOWN = frozenset(name for tiers, _ in _TIERS.values() for tier in tiers for name in tier)
MEANING = {meaning.name: meaning for meaning in MEANINGS}


def is_known(heading: str) -> bool:
    """Whether a heading is the name, or a usual name, of a column with a meaning."""
    return key(heading) in _KNOWN


@dataclass(frozen=True)
class Mapping:
    """Which column of a source is read as what.

    ``names`` maps the number of a column (from 0) to the name it gets: a canonical name, or its own heading;
    ``called`` maps canonical names to the headings in the file.
    """

    names: dict[int, str]
    called: dict[str, str]
    notes: tuple[str, ...] = ()


def match(file: str, headings: Sequence[str], wanted: Wanted) -> Mapping:
    """What each heading means. ReadError when a required column is missing, or two columns claim one meaning."""
    names: dict[int, str] = {}
    notes: list[str] = []
    problems: list[Problem] = []
    wished = READ[wanted] or tuple(_TIERS)
    for meaning in MEANINGS:
        if meaning.name not in wished:
            continue
        claims = _claims(meaning.name, headings, names)
        if len(claims) > 1 and not meaning.shown:
            problems.append(_rivals(file, meaning, [headings[i] for i in claims]))
        if claims:
            names[claims[0]] = meaning.name
            if headings[claims[0]] != meaning.name:
                notes.append(f"Column {listed([headings[claims[0]]])} was read as {meaning.words}.")
    missing = [name for name in REQUIRED[wanted] if name not in names.values()]
    problems += [_missing(file, MEANING[name], headings, wanted) for name in missing]
    if problems:
        raise ReadError(problems)
    called = {name: headings[i] for i, name in names.items()}
    if READ[wanted] is None:
        names |= _extras(headings, names)
    return Mapping(names, called, tuple(notes))


def positional(names: Sequence[str | None]) -> Mapping:
    """The columns of a source without headings: what each means, None for a column that is not read."""
    return Mapping({i: name for i, name in enumerate(names) if name is not None}, {})


def _claims(name: str, headings: Sequence[str], taken: dict[int, str]) -> list[int]:
    free = [i for i in range(len(headings)) if i not in taken]
    exact = [i for i in free if headings[i] == name]
    if exact:
        return exact
    for tier in _TIERS[name][0]:
        claims = [i for i in free if key(headings[i]) in tier]
        if claims:
            return claims
    return []


def _rivals(file: str, meaning: Meaning, headings: Sequence[str]) -> Problem:
    what = f"{len(headings)} columns could be {meaning.words}: {listed(headings)}"
    return Problem(file, what, allowed=f"Rename the one that is meant to {meaning.name}; no other may have that name.")


def _missing(file: str, meaning: Meaning, headings: Sequence[str], wanted: Wanted) -> Problem:
    allowed = f"Found: {listed(headings)}. Name one of them {meaning.name} ({meaning.examples}, … are understood too)."
    if wanted == "judgments" and any(_claims(name, headings, {}) for name in ("rank", "score")):
        allowed += " If it is a run, give it as a run."
    return Problem(file, f"there is no column for {meaning.words}", allowed=allowed)


def _extras(headings: Sequence[str], taken: dict[int, str]) -> dict[int, str]:
    """Names of the columns without a meaning: their own, made different where two are the same."""
    used = set(taken.values())
    extras: dict[int, str] = {}
    for i, heading in enumerate(headings):
        if i in taken:
            continue
        own = heading or f"column {i + 1}"
        name, n = own, 1
        while name in used:
            n += 1
            name = f"{own} ({n})"
        used.add(name)
        extras[i] = name
    return extras
