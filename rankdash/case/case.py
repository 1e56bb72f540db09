"""``Case``: everything that a comparison is made of, in one frozen record, and its name; ``compared``: the one place
where a comparison is made, for pages, command line, API and saved comparisons alike.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, get_args

from rankdash import scoring
from rankdash.case.contents import Tabled, content_digest, lists_digest
from rankdash.judged import SIDES
from rankdash.metrics import Measure
from rankdash.policy import Policy
from rankdash.records import frozen, replace
from rankdash.scoring import Comparison, Rankings, VotesAlone, compare_joined, compare_votes, join
from rankdash.tables import Items, Judgments, Queries, Run, VotedList, Votes, with_distinct_names

if TYPE_CHECKING:
    from rankdash.edits import Edit, Held, VoteValidity

Role = Literal["a", "b", "judgments", "queries", "votes", "items"]
#: What each table of a case is, in the order in which they are shown.
ROLES: tuple[Role, ...] = get_args(Role)


@frozen
class Case:
    """The tables of one comparison as they were read, which model is A, and what people changed on top of them.

    ``runs`` are the baseline A and the candidate B under the names that are shown; None: there are votes alone.
    ``judgments`` None: the grades written in the runs. ``held`` are lists for which a user confirmed the votes.
    ``name`` is the name that a user gave the comparison; "": the names of its models.
    """

    runs: tuple[Run, Run] | None = None
    judgments: Judgments | None = None
    queries: Queries | None = None
    votes: Votes | None = None
    items: Items | None = None
    edits: tuple[Edit, ...] = ()
    held: tuple[Held, ...] = ()
    name: str = ""

    @classmethod
    def of(cls, tables: Mapping[Any, Any], name: str = "") -> Case:
        """Return the case of some tables, by role. KeyError for a single run."""
        rest = {role: table for role, table in tables.items() if role not in SIDES}
        runs = (tables["a"], tables["b"]) if tables.keys() & {*SIDES} else None
        return cls(runs, **rest, name=name)

    @property
    def a(self) -> Run:
        """The baseline. Votes alone have none: ask for ``runs``."""
        assert self.runs is not None
        return self.runs[0]

    @property
    def b(self) -> Run:
        """The candidate. Votes alone have none: ask for ``runs``."""
        assert self.runs is not None
        return self.runs[1]

    @property
    def tables(self) -> dict[Role, Tabled]:
        """The tables that there are, by role."""
        runs: dict[Role, Any] = dict(zip(SIDES, self.runs, strict=True)) if self.runs is not None else {}
        rest: dict[Role, Any] = {role: getattr(self, role) for role in ROLES if role not in SIDES}
        return runs | {role: table for role, table in rest.items() if table is not None}

    @property
    def of_users(self) -> bool:
        """Whether queries are users and documents are items, as a file says."""
        return any(table.source.of_users for table in self.tables.values())

    @property
    def unedited(self) -> Case:
        """The same case without its edits, and without what was said about votes on edited lists."""
        return replace(self, edits=(), held=())

    @property
    def names(self) -> dict[str, str]:
        """What the comparison ("name") and its models ("a", "b") are called."""
        a, b = ("", "") if self.runs is None else (self.a.name, self.b.name)
        return {"name": self.name, "a": a, "b": b}

    @property
    def title(self) -> str:
        """What the comparison is called."""
        if self.runs is None and self.votes is not None:
            return self.name or votes_title(self.votes)
        return title(*self.names.values())

    @property
    def identities(self) -> tuple[Hashable, ...]:
        """The identities of the sources of A, B and the judgments: they tell whose results a person has seen, under any
        names.
        """
        return tuple(table.source.identity for table in (self.a, self.b, self.judgments) if table is not None)

    def with_tables(self, name: str = "", **tables: Any) -> Case:
        """Return the case with other tables and without edits. Votes that stay are on the lists that were there before;
        what was said about lists as a whole stays too.
        """
        held = tuple(entry for entry in self.held if not entry.query_id)
        case = Case.of({**self.knowing_lists().tables, **tables}, name or self.name)
        return replace(case, held=held)

    def knowing_lists(self, before: Case | None = None) -> Case:
        """Return the case with votes that know which lists they are on: those of this case, or those of ``before`` if
        it had the same votes.
        """
        lists = self if before is None or self.votes is not before.votes else before
        if self.votes is None or lists.runs is None:
            return self
        votes = self.votes
        return replace(self, votes=replace(votes, about=votes.about or lists_of(*lists.runs)))

    def swapped(self) -> Case:
        """Return the comparison of B with A: edits stay with their lists, votes are turned around."""
        runs = None if self.runs is None else self.runs[::-1]
        judgments = None if self.judgments is None else scoring.swapped_judgments(self.judgments)
        votes = None if self.votes is None else scoring.swapped_votes(self.votes)
        edits, held = tuple(edit.swapped() for edit in self.edits), tuple(entry.swapped() for entry in self.held)
        return replace(self, runs=runs, judgments=judgments, votes=votes, edits=edits, held=held)

    def asked_at(self, at: str) -> Case:
        """Return the case with a time in ISO form for all queries; "" removes it."""
        return replace(self, items=self.items and self.items.asked_at(at))

    def weighing(self, missing_weight: float) -> Case:
        """Return the case in which a judged query without a weight weighs ``missing_weight``."""
        return replace(self, queries=self.queries and self.queries.weighing(missing_weight))

    def renamed(self, name: str, a: str = "", b: str = "") -> Case:
        """Return the case under other names; a model without a new name keeps its own."""
        if self.runs is None:
            return replace(self, name=name)
        return replace(self, name=name, runs=(_named(self.a, a), _named(self.b, b)))

    def with_distinct_names(self, files: tuple[str, str] = ("", "")) -> Case:
        """Return the case with names of A and B that differ; ``files`` are their paths, where somebody gave some."""
        return self if self.runs is None else replace(self, runs=with_distinct_names(*self.runs, files))


def _named(run: Run, name: str) -> Run:
    """Return a run under a name; the same object where it has that name already, or the name is empty."""
    return run if run.name == name or not name else run.renamed(name)


_MODELS = "{a} → {b}"
_VOTES = "Votes"


def title(name: str, a: str, b: str) -> str:
    """Return what a comparison is called: ``name``, "" for its models as they are shown now.

    >>> title("", "old", "new"), title("Spring", "old", "new")
    ('old → new', 'Spring')
    """
    return given_name(name, a, b) or (_MODELS.format(a=a, b=b) if a or b else _VOTES)


def given_name(name: str, a: str, b: str) -> str:
    """Return the name that somebody gave; "" where it says no more than the models do, so that it follows them."""
    name = name.strip()
    return "" if name == _MODELS.format(a=a, b=b) else name


def votes_title(votes: Votes) -> str:
    """Return what votes without lists are called: by the models that they name, else by their file."""
    return title("" if votes.pair else votes.source.name, *(votes.pair or ("", "")))


def ranked(case: Case, policy: Policy) -> Rankings:
    """Return both runs of a case in order, with its edits applied. ComparisonError where there are no judgments."""
    a, b, judgments = case.a, case.b, case.judgments
    if case.edits:
        from rankdash.edits import apply

        a, b, judgments = apply(case.edits, a, b, judgments, policy.scoring)
    return join(a, b, judgments, depth=2 * policy.cutoff, items=case.items, queries=case.queries)


def compared(
    case: Case,
    policy: Policy,
    *,
    measures: str | Measure | Iterable[str | Measure] = (),
    experts: bool = False,
    rankings: Callable[[Case, Policy], Rankings] = ranked,
) -> Comparison | VotesAlone:
    """Return the comparison of a case under a policy; of votes alone, what raters say.

    Parameters
    ----------
    case : Case                what is compared
    policy : Policy            its measures come first
    measures                   names of further measures; a single name may be a string
    experts : bool             also permutation, bootstrap, Wilcoxon and sign test of every measure
    rankings                   the function that puts the runs of a case in order; for callers that keep its result, or
                               read the runs from files that are never whole in memory

    Raises
    ------
    ComparisonError, MeasureError
                               as for ``rankdash.compare``
    """
    if case.runs is None:
        assert case.votes is not None
        return compare_votes(case.votes, policy)
    voted = valid_votes_of(case, policy)
    queries, votes = case.queries, None if voted is None else voted.votes
    return compare_joined(rankings(case, policy), policy, measures, queries=queries, votes=votes, experts=experts)


def valid_votes_of(case: Case, policy: Policy) -> VoteValidity | None:
    """Return which votes of a case count under a policy; None without votes, and where there are votes alone."""
    if case.votes is None or case.runs is None:
        return None
    from rankdash.edits import valid_votes

    about = case.votes.about
    known = {own.digest for own in about or ()}.union(*((one.a, one.b) for one in case.held))
    lists = None if about is None else (_as_known(case.a, known), _as_known(case.b, known))
    tables = case.votes, case.a, case.b, case.edits, case.held
    return valid_votes(*tables, lists=lists, convention=policy.scoring, cutoff=policy.cutoff)


def _as_known(run: Run, known: Container[str]) -> VotedList:
    """Return a list as votes know it: those saved before may know it with what is shown beside its documents."""
    whole = content_digest(run)
    return VotedList(run.name, whole if whole in known else lists_digest(run))


def lists_of(a: Run, b: Run) -> tuple[VotedList, VotedList]:
    """Return the names and digests by which votes know the lists that they are on."""
    return VotedList(a.name, lists_digest(a)), VotedList(b.name, lists_digest(b))
