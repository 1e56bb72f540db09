"""What a file holds, by trying: a run, judgments, both models, votes, queries, or numbers beside a LETOR file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Literal, Unpack

from rankdash.arrow import as_numpy, codes, one_chunk
from rankdash.reading.binary.memory import is_table
from rankdash.reading.columns.grid import Grid
from rankdash.reading.columns.iterations import SubtopicsError
from rankdash.reading.columns.synonyms import TIERS, VOTE_MEANINGS, Wanted, key
from rankdash.reading.readers import How, read_judgments, read_models, read_queries, read_run, read_votes
from rankdash.reading.recognise.sampling import ROWS, Sample, sample_of
from rankdash.reading.recognise.understanding import NUMBERS_ALONE, Understood, form_of
from rankdash.reading.source.limits import LIMITS, Limits
from rankdash.reading.source.options import Choice, Options
from rankdash.reading.source.problems import ReadError
from rankdash.reading.text.headless import are_falling, are_small
from rankdash.reading.values.numerals import is_number
from rankdash.reading.values.parsing import as_text

_VOTE = frozenset(
    key(name) for meaning in VOTE_MEANINGS if meaning.name == "vote" for name in meaning.synonyms[0].split()
)
#: What orders a list, and no table of queries has.
_ORDER = frozenset().union(*TIERS["run"]["rank"], *TIERS["run"]["score"])
#: These decide which table is meant at all, and are asked for before anything else.
_FIRST = ("sheet", "member", "encoding")


LETOR = "LETOR"
UNKNOWN = Understood()


@dataclass(frozen=True)
class Recognised:
    """What a file seems to hold, and what has to be decided before it can be read as that.

    ``kind`` is "numbers" for a file with one number on each line: scores, or sizes of queries, beside a LETOR file.
    ``form`` is what was understood of its form, as far as its first part tells.
    """

    kind: Wanted | Literal["numbers"]
    choices: tuple[Choice, ...] = ()
    form: Understood = UNKNOWN


@dataclass(frozen=True)
class Tried:
    """What came of reading a source as each kind: what was ``found``, else the ``errors``; the Grid that was ``told``.

    ``asked`` are the meanings that a person gave to columns.
    """

    found: dict[str, Any] = field(default_factory=dict)
    errors: dict[str, ReadError] = field(default_factory=dict)
    told: dict[str, Grid] = field(default_factory=dict)
    asked: frozenset[str] = frozenset()

    @property
    def models(self) -> tuple[Any, ...]:
        """The runs of a combined file."""
        return self.found["models"].runs if "models" in self.found else ()

    def called(self, kind: Wanted) -> Mapping[str, str]:
        """The headings by what they mean in a table of a kind; none without a header."""
        return self.told[kind].called if kind in self.told else {}

    def open(self, kind: Wanted, option: str) -> tuple[Choice, ...]:
        """What would make the file readable as a kind, if that is all that is missing; one column at most."""
        error = self.errors.get(kind)
        if error is None or any(problem.choice is None for problem in error.problems):
            return ()
        if option == "columns" and len(error.problems) > 1:
            return ()
        return tuple(choice for choice in error.choices if choice.option == option)


def recognised(source: Any, *, limits: Limits = LIMITS, **how: Unpack[How]) -> Recognised:
    """What the source holds, judged by the first 256 kB of a text. ReadError where it is no table of any kind."""
    options = Options(**how)
    in_memory = isinstance(source, Mapping) or is_table(source)
    sample = Sample(source, form=UNKNOWN) if in_memory else sample_of(source, limits, options)
    form = sample.form or form_of(sample.source, limits, options)
    if form.format == NUMBERS_ALONE:
        return Recognised("numbers", form=form)
    if form.format == LETOR:
        return Recognised("judgments", _letor_needs(sample.source, limits, how), form)
    tried = _tried(READERS, sample.source, limits, how)
    if sample.cut and _is_nothing(tried):
        tried = _tried(READERS, source, limits, how)
    elif sample.cut and len(tried.models) == 1:  # others may stand below the one
        whole = _tried(("models",), source, limits, how)
        tried = replace(tried, found={**tried.found, **whole.found})
    kind, choices = _kind_of(tried)
    return Recognised(kind, choices, form)


def _is_nothing(tried: Tried) -> bool:
    """Whether the first part of a file could not be read as anything, whatever is decided."""
    return not tried.found and not any(tried.open(kind, option) for kind, option in _ASKING)


def _letor_needs(sample: Any, limits: Limits, how: How) -> tuple[Choice, ...]:
    """The sizes of the queries, where the lines name none."""
    try:
        read_judgments(sample, limits=limits, **how)
    except ReadError as error:
        if any(problem.code == "give_groups" for problem in error.problems):
            return (Choice("groups", ()),)
        raise
    return ()


def _tried(kinds: Iterable[Wanted], source: Any, limits: Limits, how: How) -> Tried:
    """What comes of reading the source as each of the kinds. ReadError where it is not clear which table is meant."""
    tried = Tried(asked=frozenset(name for name, heading in how.get("columns", {}).items() if heading))
    for kind in kinds:
        told = partial(tried.told.__setitem__, kind)
        try:
            tried.found[kind] = READERS[kind](source, limits=limits, **{**how, "rows": ROWS, "tell": told})
        except ReadError as error:
            tried.errors[kind] = error
            if any(choice.option in _FIRST for choice in error.choices):
                raise
    return tried


def _kind_of(tried: Tried) -> tuple[Wanted, tuple[Choice, ...]]:
    """The kind, and what has to be decided. ReadError where there is none."""
    pair = tried.open("votes", "pair")
    if pair and _are_models(tried.told["votes"]) and (not tried.models or _has_votes(tried.models[0])):
        return "votes", pair
    if isinstance(tried.errors.get("judgments"), SubtopicsError):
        return "judgments", ()
    for rule, fits in _RULES:
        if rule in tried.found and fits(tried.found[rule], tried):
            return rule, ()
    return _broken(tried) or _after_asking(tried)


def _broken(tried: Tried) -> tuple[Wanted, tuple[Choice, ...]] | None:
    """What it would be if some cells were better: its columns are there, by name."""
    for kind, column in _MARKS:
        error = tried.errors.get(kind)
        cells = error is not None and all(problem.column is not None for problem in error.problems)
        if error is None or not cells or column not in tried.called(kind):
            continue
        if kind != "votes" or _are_votes(None, tried):
            return kind, error.choices
    return None


def _after_asking(tried: Tried) -> tuple[Wanted, tuple[Choice, ...]]:
    """What could be read once something is decided, or what nothing else fits. ReadError where there is nothing."""
    are_queries = _are_facts(tried)
    for asked, option in _ASKING:
        choices = tried.open(asked, option)
        if choices and option == "pair" and not _are_models(tried.told[asked]):
            continue
        if choices and not (are_queries and asked in ("models", "run")):
            return asked, choices
    if are_queries:
        return "queries", ()
    if "run" in tried.found:
        return "run", ()
    raise tried.errors["run"]


def _are_facts(tried: Tried) -> bool:
    """Whether there are ids of queries and something about them that orders no list, or queries by name alone."""
    names = tried.found["queries"].table.column_names if "queries" in tried.found else []
    named = "query_id" in tried.called("queries")
    if names and not tried.told["queries"].headings and len(tried.found["queries"].table) < tried.told["queries"].rows:
        return False  # ids that repeat, without a header
    return (len(names) > 1 or named) and not any(key(name) in _ORDER for name in names)


def _is_export(_: Any, tried: Tried) -> bool:
    """Whether the headings are those of an export of judgments that tells positions too."""
    return any(names <= set(map(key, tried.told["judgments"].headings)) for names in _EXPORTS)


def _has_several(models: Any, tried: Tried) -> bool:
    return len(models.runs) > 1 and not ("votes" in tried.found and _has_votes(models.runs[0]))


def _is_ranked(run: Any, tried: Tried) -> bool:
    return str(run.ordered_by) != "position" and not _are_grades(run, tried)


def _are_grades(run: Any, tried: Tried) -> bool:
    """Whether what was read as scores are grades: small whole numbers that no model orders a list by.

    Where the reader of judgments knows the column as its own, or a person is to say so, the order of the rows counts
    only against it: grades may stand in falling order.
    """
    if str(run.ordered_by) != "score" or "score" in tried.asked or "model" in tried.called("run"):
        return False
    if "judgments" not in tried.found and not tried.open("judgments", "columns"):
        return False
    scores = as_numpy(one_chunk(run.table.column("score")))
    own = tried.called("run").get("score") == tried.called("judgments").get("relevance", "")
    return are_small(scores) and (own or not are_falling(scores, codes(one_chunk(run.table.column("query_id")))))


def _are_texts(queries: Any, tried: Tried) -> bool:
    """Whether what could be lists of one document each are ids and texts of queries."""
    run = tried.found.get("run")
    if run is None or str(run.ordered_by) != "position" or "text" not in queries.table.column_names:
        return False
    alone = len(run.table) == len(queries.table) == len(set(run.table.column("query_id").to_pylist()))
    return alone and key(tried.called("run").get("doc_id", "id")) == "id"


def _are_votes(_: Any, tried: Tried) -> bool:
    """Whether a heading says so, or words do, or nothing says that they are grades of documents that are not named."""
    votes = tried.told["votes"]
    if _is_vote(votes.headings) or not tried.open("judgments", "columns"):
        return True
    texts = as_text(votes.columns["vote"])[0].to_pylist() if "vote" in votes.columns else []
    return any(text and text.strip() and not is_number(text) for text in texts)


def _are_models(votes: Grid) -> bool:
    """Whether two names in the place of votes are models: a heading says so, or without headings each comes again."""
    sides = any(set(pair) <= set(votes.columns) for pair in (("model_a", "model_b"), ("left", "right")))
    if sides or votes.headings or "vote" not in votes.columns:
        return sides or _is_vote(votes.headings)
    texts = Counter(as_text(votes.columns["vote"])[0].to_pylist())
    return min(texts.values()) > 1


def _has_votes(run: Any) -> bool:
    return _is_vote(run.table.column_names)


def _is_vote(headings: Iterable[str]) -> bool:
    """Whether a heading can mean nothing but a vote."""
    return any(key(name) in _VOTE or key(name) == "vote" for name in headings)


READERS: dict[Wanted, Callable[..., Any]] = {
    "models": read_models,
    "run": read_run,
    "judgments": read_judgments,
    "votes": read_votes,
    "queries": read_queries,
}
#: Headings, together, of judgments beside which the position stands at which a rater saw the document: Quepid's.
_EXPORTS = (frozenset(map(key, ("Team Name", "Case Name", "Case ID", "Rating"))),)
#: In this order: the first that can be read, and fits, is it. A rule sees what was read, and all that was tried.
_RULES: tuple[tuple[Wanted, Callable[[Any, Tried], bool]], ...] = (
    ("judgments", _is_export),
    ("models", _has_several),
    ("run", _is_ranked),
    ("judgments", lambda *_: True),
    ("queries", _are_texts),
    ("run", lambda run, tried: str(run.ordered_by) == "position" and not _has_votes(run)),
    ("votes", _are_votes),
)
#: The column by which a table of a kind is known.
_MARKS: tuple[tuple[Wanted, str], ...] = (
    ("models", "model"),
    ("run", "rank"),
    ("run", "score"),
    ("judgments", "relevance"),
    ("votes", "vote"),
)
#: What can be read once something is decided.
_ASKING: tuple[tuple[Wanted, str], ...] = (
    ("votes", "pair"),
    ("judgments", "columns"),
    ("judgments", "grades"),
    ("models", "columns"),
    ("run", "columns"),
)
