"""What a file holds, by trying: a run, judgments, both models, votes, queries, or numbers beside a LETOR file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, Unpack

from rankdash.arrow import as_numpy, codes, one_chunk
from rankdash.reading.attempts import ReadOutcome, Request, attempt, looked_at
from rankdash.reading.binary.memory import is_table
from rankdash.reading.columns.grid import Grid
from rankdash.reading.columns.iterations import SubtopicsError
from rankdash.reading.columns.orders import are_falling, are_small
from rankdash.reading.columns.raters import are_surely_raters
from rankdash.reading.columns.synonyms import TIERS, key
from rankdash.reading.readers import How, check_meanings, in_memory, request_of
from rankdash.reading.recognise.sampling import ROWS, sample_of
from rankdash.reading.recognise.understanding import NUMBERS_ALONE, Understood, form_of_document
from rankdash.reading.source.document import Document, opened
from rankdash.reading.source.limits import LIMITS, Limits
from rankdash.reading.source.options import Choice, Options
from rankdash.reading.source.problems import ReadError
from rankdash.reading.tables.quepid_snapshots import snapshot_of
from rankdash.reading.values.numerals import is_number
from rankdash.reading.values.parsing import as_text
from rankdash.reading.words.headings import EXPORT, VOTE_MEANINGS, Kind

_VOTE = frozenset(
    key(name) for meaning in VOTE_MEANINGS if meaning.name == "vote" for name in meaning.synonyms[0].split()
)
#: What orders a list, and no table of queries has.
_ORDER = frozenset().union(*TIERS["run"]["rank"], *TIERS["run"]["score"])
#: These decide which table is meant at all, and are asked for before anything else.
_FIRST = ("sheet", "member", "encoding")
#: Meanings of columns that occur in votes on several models and grades of subtopics, with their headings.
_ASKED_FIRST = frozenset(("vote", "left", "right", "model_a", "model_b", "iteration"))
_KEYS_FIRST = _VOTE.union(
    ("vote",),
    *(tier for name in ("left", "right", "model_a", "model_b") for tier in TIERS["votes"][name]),
    *TIERS["judgments"]["iteration"],
)


LETOR = "LETOR"
UNKNOWN = Understood()


@dataclass(frozen=True)
class Recognised:
    """The kind of a file, and what has to be decided before it can be read.

    ``kind`` is "numbers" for a file with one number on each line: scores or sizes of queries that belong to a LETOR
    file. ``form`` is what was understood of its format, as far as its first part tells. ``snapshot`` are the name and
    the time of a snapshot of Quepid, in a table that holds one; else empty texts.
    """

    kind: Kind | Literal["numbers"]
    choices: tuple[Choice, ...] = ()
    form: Understood = UNKNOWN
    snapshot: tuple[str, str] = ("", "")


class Attempts:
    """A source, read as each kind of table when a rule first asks for it.

    Kinds are tried in the order of ``KINDS``, so that of several open decisions the user is always asked the same
    first. ReadError where nothing of the source can be recognised. ``chosen`` are the meanings that a person gave to
    columns.
    """

    def __init__(self, ask: Callable[[Kind], ReadOutcome], chosen: Collection[str]) -> None:
        self._ask = ask
        self._outcomes: dict[Kind, ReadOutcome] = {}
        self.chosen = frozenset(chosen)

    def outcome(self, kind: Kind) -> ReadOutcome:
        """Return the outcome of reading the source as a kind of table."""
        for other in KINDS:
            if other not in self._outcomes:
                self._outcomes[other] = outcome = self._ask(other)
                if outcome.error is not None and any(
                    choice.option in _FIRST and not choice.key for choice in outcome.error.choices
                ):
                    raise outcome.error
            if other == kind:
                break
        return self._outcomes[kind]

    def put(self, kind: Kind, outcome: ReadOutcome) -> None:
        """Use an outcome from elsewhere as that of a kind."""
        self._outcomes[kind] = outcome

    def table(self, kind: Kind) -> Any:
        """Return the table of a kind; None where the source cannot be read as one."""
        return self.outcome(kind).table

    def grid(self, kind: Kind) -> Grid | None:
        """Return the Grid from which a table of a kind is made; None where there is none."""
        return self.outcome(kind).grid

    def called(self, kind: Kind) -> Mapping[str, str]:
        """Return the headings by what they mean in a table of a kind; none without a header."""
        grid = self.grid(kind)
        return grid.called if grid else {}

    def open(self, kind: Kind, option: str) -> tuple[Choice, ...]:
        """Return the choices that make the file readable as a kind, if nothing else is missing; one column at most."""
        error = self.outcome(kind).error
        if error is None or any(problem.choice is None for problem in error.problems):
            return ()
        if option == "columns" and len({problem.what for problem in error.problems}) > 1:
            return ()
        return tuple(choice for choice in error.choices if choice.option == option)

    @property
    def models(self) -> tuple[Any, ...]:
        """The runs of a combined file."""
        models = self.table("models")
        return models.runs if models else ()

    @property
    def are_nothing(self) -> bool:
        """Whether the source cannot be read as anything, whatever is decided."""
        is_read = any(self.table(kind) for kind in KINDS)
        return not is_read and not any(self.open(kind, option) for kind, option in _ASKING)


def recognised(source: Any, *, limits: Limits = LIMITS, **how: Unpack[How]) -> Recognised:
    """Return what the source holds, judged by the first 256 kB of a text.

    ReadError where it is no table of any kind.
    """
    options = Options(**how)
    if isinstance(source, Mapping) or is_table(source):
        check_meanings(options.columns)
        return Recognised(*_kind_of(_attempts(partial(in_memory, source, options=options), limits, options)))
    sample = sample_of(source, limits, options)
    with opened(sample.source, limits, options) as document:
        form = sample.form or form_of_document(document)
        if form.format == NUMBERS_ALONE:
            return Recognised("numbers", form=form)
        check_meanings(options.columns)
        tried = _attempts(_reader_of(document), limits, options)
        if form.format == LETOR:
            return Recognised("judgments", _letor_needs(tried), form)
        more = sample.cut and (tried.are_nothing or len(tried.models) == 1)  # other models may follow below the first
        if more or (sample.source is not source and _asks_for_order(tried)):  # a list that is cut has no whole ranks
            with opened(source, limits, options) as whole_document:
                whole = _attempts(_reader_of(whole_document), limits, options)
                if not tried.models:
                    tried = whole
                elif whole.table("models"):
                    tried.put("models", whole.outcome("models"))
                return Recognised(*_kind_of(tried), form)
        return Recognised(*_kind_of(tried), form, snapshot_of(tried.grid("run")))


def _reader_of(document: Document) -> Callable[[Request], ReadOutcome]:
    """Return a function that reads the document as a request says; the document is looked at once. Where that fails,
    its error is the outcome of every request.
    """
    try:
        return partial(attempt, looked_at(document))
    except ReadError as error:
        failed = ReadOutcome(error=error)
    return lambda _: failed


def _attempts(ask: Callable[[Request], ReadOutcome], limits: Limits, options: Options) -> Attempts:
    chosen = [name for name, heading in options.columns.items() if heading]
    return Attempts(lambda kind: ask(request_of(kind, limits, options, rows=ROWS)), chosen)


def _letor_needs(tried: Attempts) -> tuple[Choice, ...]:
    """Return the sizes of the queries, where the lines name none."""
    error = tried.outcome("judgments").error
    if error is None:
        return ()
    if any(problem.advice == "give_groups" for problem in error.problems):
        return (Choice("groups", ()),)
    raise error


def _kind_of(tried: Attempts) -> tuple[Kind, tuple[Choice, ...]]:
    """Return the kind, and what has to be decided. ReadError where there is none."""
    if _may_ask_first(tried):
        pair = tried.open("votes", "pair")
        if pair and _are_models(tried) and (not tried.models or _has_votes(tried.models[0])):
            return "votes", pair
        if isinstance(tried.outcome("judgments").error, SubtopicsError):
            return "judgments", ()
    if _asks_for_order(tried):
        return "run", tried.open("run", "columns")
    if _asks_for_model(tried):
        return "models", tried.open("run", "columns")
    for kind, fits in _RULES:
        if fits(tried) and tried.table(kind):
            return kind, ()
    return _broken(tried) or _after_asking(tried)


def _may_ask_first(tried: Attempts) -> bool:
    """Return whether the file may have votes on several models, or grades of subtopics: headings say so, or there are
    no headings.
    """
    grid = tried.grid("run")
    headings = grid.headings if grid else ()
    return not headings or bool(_ASKED_FIRST & tried.chosen) or any(key(name) in _KEYS_FIRST for name in headings)


def _broken(tried: Attempts) -> tuple[Kind, tuple[Choice, ...]] | None:
    """Return the kind of a file that has the columns of a kind by name, and wrong cells; None for other files."""
    for kind, column in _MARKS:
        error = tried.outcome(kind).error
        cells = error is not None and all(problem.column is not None for problem in error.problems)
        if error is None or not cells or column not in tried.called(kind):
            continue
        if kind != "votes" or _are_votes(tried):
            return kind, error.choices
    return None


def _after_asking(tried: Attempts) -> tuple[Kind, tuple[Choice, ...]]:
    """Return the kind that can be read once a choice is made, else the kind that is left when no other fits.

    ReadError where there is none.
    """
    are_queries = _are_facts(tried)
    for kind, option in _ASKING:
        choices = tried.open(kind, option)
        if choices and option == "pair" and not _are_models(tried):
            continue
        if choices and not (are_queries and kind in ("models", "run")):
            return kind, choices
    if are_queries:
        return "queries", ()
    tried.outcome("run").result()
    return "run", ()


def _are_facts(tried: Attempts) -> bool:
    """Return whether there are ids of queries and something about them that orders no list, or queries by name
    alone.
    """
    queries, grid = tried.table("queries"), tried.grid("queries")
    names = queries.table.column_names if queries else []
    named = "query_id" in tried.called("queries")
    if queries and grid and not grid.headings and len(queries.table) < grid.rows:
        return False  # ids that repeat, without a header
    return (len(names) > 1 or named) and not any(key(name) in _ORDER for name in names)


def _is_export(tried: Attempts) -> bool:
    """Return whether the headings are those of an export of judgments that tells positions too."""
    grid = tried.grid("run") or tried.grid("judgments")
    return grid is not None and set(map(key, EXPORT)) <= set(map(key, grid.headings))


def _has_several(tried: Attempts) -> bool:
    return len(tried.models) > 1 and not (_has_votes(tried.models[0]) and tried.table("votes"))


def _is_ranked(tried: Attempts) -> bool:
    run = tried.table("run")
    return run is not None and str(run.ordered_by) != "position" and not _are_grades(run, tried)


def _asks_for_model(tried: Attempts) -> bool:
    """Return whether a run has lists of several models, and a person is to say which column tells them apart."""
    return {choice.key for choice in tried.open("run", "columns")} == {"model"}


def _asks_for_order(tried: Attempts) -> bool:
    """Return whether a run leaves open only what its numbers are, and these are no grades: grades are small and do
    not fall.
    """
    choices = tried.open("run", "columns")
    if not choices or not {choice.key for choice in choices} <= {"rank", "score"}:
        return False
    judgments = tried.table("judgments")
    if judgments is None:
        return True
    grades, query = (one_chunk(judgments.table.column(name)) for name in ("relevance", "query_id"))
    return not are_small(as_numpy(grades)) or are_falling(as_numpy(grades), codes(query))


def _are_grades(run: Any, tried: Attempts) -> bool:
    """Return whether what was read as scores are grades: small whole numbers that no model orders a list by.

    Where the reader of judgments knows the column as its own, or a person is to say so, the order of the rows counts
    only against it: grades may stand in falling order.
    """
    if str(run.ordered_by) != "score" or "score" in tried.chosen or "model" in tried.called("run"):
        return False
    scores = as_numpy(one_chunk(run.table.column("score")))
    if not are_small(scores) or (not tried.table("judgments") and not tried.open("judgments", "columns")):
        return False
    own = tried.called("run").get("score") == tried.called("judgments").get("relevance", "")
    return own or not are_falling(scores, codes(one_chunk(run.table.column("query_id"))))


def _are_texts(tried: Attempts) -> bool:
    """Return whether two columns that could be lists of one document each are the ids and the texts of queries."""
    run, queries = tried.table("run"), tried.table("queries")
    if run is None or queries is None:
        return False
    if str(run.ordered_by) != "position" or "text" not in queries.table.column_names:
        return False
    alone = len(run.table) == len(queries.table) == len(set(run.table.column("query_id").to_pylist()))
    return alone and key(tried.called("run").get("doc_id", "id")) == "id"


def _are_lists(tried: Attempts) -> bool:
    run = tried.table("run")
    return run is not None and str(run.ordered_by) == "position" and not _has_votes(run)


def _are_votes(tried: Attempts) -> bool:
    """Return whether the table is votes: a heading or words say so, or nothing says that it is grades of documents
    without names.
    """
    votes = tried.grid("votes")
    if votes is None:
        return False
    if _is_vote(votes.headings) or not tried.open("judgments", "columns"):
        return True
    texts = as_text(votes.columns["vote"])[0].to_pylist() if "vote" in votes.columns else []
    return any(text and text.strip() and not is_number(text) for text in texts)


def _are_models(tried: Attempts) -> bool:
    """Return whether two names in the place of votes are models: a heading says so, or without headings each comes
    again.
    """
    votes = tried.grid("votes")
    if votes is None:
        return False
    sides = any(set(pair) <= set(votes.columns) for pair in (("model_a", "model_b"), ("left", "right")))
    if sides or votes.headings or "vote" not in votes.columns:
        return sides or _is_vote(votes.headings)
    texts = Counter(as_text(votes.columns["vote"])[0].to_pylist())
    return min(texts.values()) > 1


def _has_votes(run: Any) -> bool:
    return _is_vote(run.table.column_names)


def _is_vote(headings: Iterable[str]) -> bool:
    """Return whether a heading can mean nothing but a vote."""
    return any(key(name) in _VOTE or key(name) == "vote" for name in headings)


#: In the order in which they are tried.
KINDS: tuple[Kind, ...] = ("models", "run", "judgments", "votes", "queries")
#: In this order: the first that fits, and can be read, is it.
_RULES: tuple[tuple[Kind, Callable[[Attempts], bool]], ...] = (
    ("judgments", _is_export),
    ("models", _has_several),
    ("run", _is_ranked),
    ("judgments", lambda tried: are_surely_raters(tried.called("judgments"))),
    ("queries", _are_texts),
    ("run", _are_lists),
    ("votes", _are_votes),
)
#: The column by which a table of a kind is known.
_MARKS: tuple[tuple[Kind, str], ...] = (
    ("models", "model"),
    ("run", "rank"),
    ("run", "score"),
    ("judgments", "relevance"),
    ("votes", "vote"),
)
#: What can be read once something is decided.
_ASKING: tuple[tuple[Kind, str], ...] = (
    ("votes", "pair"),
    ("judgments", "columns"),
    ("judgments", "grades"),
    ("models", "columns"),
    ("run", "columns"),
    ("run", "member"),
    ("judgments", "member"),
)
