"""What goes into a store and what comes out: frozen records, their form as JSON, and what the core makes of them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, get_args

from rankdash.case import Case, Role, Tabled, compared, given_name, title
from rankdash.edits import Edit, Held, What, merge_grades
from rankdash.judged import inline_judgments
from rankdash.notes import from_values, to_values
from rankdash.policy import Policy
from rankdash.records import field, frozen, replace
from rankdash.scoring import Comparison, VotesAlone
from rankdash.store.settings import StoreError
from rankdash.tables import Items, Judgments, Queries, Run, Source, VotedList, Votes

_KINDS: dict[Role, type[Tabled]] = {
    **dict.fromkeys(("a", "b"), Run),
    "judgments": Judgments,
    "queries": Queries,
    "votes": Votes,
    "items": Items,
}


@frozen
class State:
    """The changes that users made to a comparison. All but ``swapped`` are in the orientation of the upload.

    ``name`` is the name that a user gave the comparison, "": the names of its models; ``a`` and ``b`` are the names of
    the models as they were uploaded, also if ``swapped`` shows the two exchanged; ``edits`` and ``held`` are the
    current ones, with the sides of the upload. ``set_aside`` says why other runs are not candidates.
    """

    name: str
    a: str = ""
    b: str = ""
    swapped: bool = False
    policy: Policy = field(default_factory=Policy)
    edits: tuple[Edit, ...] = ()
    held: tuple[Held, ...] = ()
    set_aside: tuple[str, ...] = ()

    @property
    def names(self) -> dict[str, str]:
        """What the comparison ("name") and the models of the upload ("a", "b") are called."""
        return {"name": self.name, "a": self.a, "b": self.b}

    @property
    def title(self) -> str:
        """The name of the comparison, with A and B as they are shown."""
        return title(self.name, *((self.b, self.a) if self.swapped else (self.a, self.b)))

    def to_dict(self) -> dict[str, Any]:
        """Return everything save the edits, ready for JSON."""
        own = {"names": self.names, "swapped": self.swapped, "policy": self.policy.to_dict()}
        return own | {"set_aside": [*self.set_aside]}

    def edits_to_dict(self) -> dict[str, Any]:
        """Return the edits, ready for JSON."""
        edits = [[*_values(edit), edit.labels] for edit in self.edits]
        return {"edits": edits, "held": [[held.query_id, held.a, held.b] for held in self.held]}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any], edits: Mapping[str, Any]) -> State:
        """Return the state again. PolicyError where this version does not know a field of the policy."""
        return cls(
            **values["names"],
            swapped=values["swapped"],
            policy=Policy.from_dict(values["policy"]),
            edits=tuple(_edit(*edit) for edit in edits["edits"]),
            held=tuple(Held(*held) for held in edits["held"]),
            set_aside=tuple(values.get("set_aside", ())),  # comparisons of 0.4 have none
        )


@frozen
class Input:
    """One stored table: its row, its role, the digest of its bytes, and that of its content."""

    id: str
    role: Role
    blob: str
    content: str


@frozen
class Saved:
    """A comparison as it is saved under a number; two with the same id and number are the same.

    ``content`` is the case as it was uploaded: its tables, without edits, A and B as they were named first.
    ``created`` and ``changed`` are in UTC. ``lineage`` is the id of the first comparison that this is a duplicate of,
    its own where it is none. ``inputs`` hold the digests of the content. ``case`` identifies everything that a verdict
    on it is made of: ``case_digest``, as it was when this number was saved. ``by`` is the name that whoever saved this
    number typed; ``group`` the id of the group that it belongs to, "": it belongs to none.
    """

    id: str
    number: int
    content: Case = field(repr=False)
    state: State
    created: datetime
    changed: datetime
    lineage: str = ""
    inputs: tuple[Input, ...] = field(default=(), repr=False)
    case: str = field(default="", repr=False)
    by: str = ""
    group: str = ""

    @property
    def last_change(self) -> str:
        """Who saved this number, and when, as a sentence."""
        who = self.by or "another browser"
        return f"This comparison was changed by {who} on {self.changed:%Y-%m-%d at %H:%M} UTC."

    def digest(self, role: Role) -> str | None:
        """Return the digest of the content of one table; None where there is no such table."""
        return next((input.content for input in self.inputs if input.role == role), None)


class ConflictError(StoreError):
    """Somebody else has saved a comparison meanwhile, and it is not two changes of different grades. ``theirs`` is what
    is saved.
    """

    def __init__(self, theirs: Saved) -> None:
        super().__init__(theirs.last_change)
        self.theirs = theirs


def merged(base: Saved, mine: State, theirs: Saved) -> State | None:
    """Return ``theirs`` with what ``mine`` changed since ``base``, where these are grades, and others than the grades
    that they changed; None where anything else was changed by either.
    """
    bare = [replace(state, edits=()) for state in (base.state, mine, theirs.state)]
    if bare[0] != bare[1] or bare[0] != bare[2] or base.inputs != theirs.inputs:
        return None
    edits = merge_grades(base.state.edits, mine.edits, theirs.state.edits)
    return None if edits is None else replace(mine, edits=edits)


def case_of(content: Case, state: State) -> Case:
    """Return what is compared: the tables under their names with the edits in force, A and B the way around in which
    they are shown.
    """
    case = replace(content.renamed(state.name, state.a, state.b), edits=state.edits, held=state.held)
    return case.swapped() if state.swapped else case


def comparison_of(content: Case, state: State) -> Comparison | VotesAlone:
    """Return the comparison under its policy; errors as for ``compared``."""
    return compared(case_of(content, state), state.policy)


def content_of(comparison: Comparison | VotesAlone) -> Case:
    """Return the tables of a comparison. ComparisonError where it was made of per-query values, without lists."""
    if isinstance(comparison, VotesAlone):
        return Case(votes=comparison.vote_rows)
    a, b, judgments, votes = comparison.a, comparison.b, comparison.joined.judgments, comparison.vote_rows
    votes = None if votes is None else replace(votes, about=None)  # those that count are on these lists, as edited
    return Case(
        (a, b), None if _are_inline(judgments, a, b) else judgments, comparison.queries, votes, comparison.items
    )


def state_of(content: Case, state: State) -> State:
    """Return the state with names for the models, distinct ones, and one for votes that have none."""
    names = content.with_distinct_names().names
    name = replace(content, name=state.name.strip()).title if content.runs is None else state.name
    return replace(state, name=given_name(name, names["a"], names["b"]), a=names["a"], b=names["b"])


def _are_inline(judgments: Judgments, a: Run, b: Run) -> bool:
    """Return whether judgments are the grades that stand beside the documents: then the runs say everything."""
    inline = inline_judgments(a, b) if judgments.source == Source() else None
    return inline is not None and inline.table.equals(judgments.table)


#: The digest changes its meaning with this number only.
_CASE = "rankdash case 1"
#: What of a state and of the description of a table no verdict is made of. Whatever else is added there counts.
_NOT_OF_THE_STATE, _NOT_OF_THE_TABLE = ("names", "set_aside"), ("source", "name", "read_as")


def case_digest(inputs: Iterable[Input], content: Case, state: State) -> str:
    """Return the SHA-256 of everything that a verdict is made of, its case: the content of the tables (by the
    digests of ``inputs``), which model is A, the edits in force, what was said of votes on other lists, and the policy
    with its convention.

    Names, the file that a table was read from, and the number of the revision are no part of it: what was
    undone, renamed, or exchanged twice is the same case again.
    """
    tables = {
        input.role: (input.content, _without(description_of(content.tables[input.role]), _NOT_OF_THE_TABLE))
        for input in inputs
    }
    held = sorted((vote.query_id, vote.a, vote.b) for vote in state.held)
    made_of = (_CASE, tables, _without(state.to_dict(), _NOT_OF_THE_STATE), [*map(_values, state.edits)], held)
    return hashlib.sha256(json.dumps(made_of, sort_keys=True).encode()).hexdigest()


def _without(values: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if name not in names}


def description_of(table: Tabled) -> dict[str, Any]:
    """Return everything of a record besides its table, ready for JSON."""
    source = table.source
    description: dict[str, Any] = {
        "source": {
            "name": source.name,
            "sha256": source.sha256,
            "rows": source.rows,
            "first_row": source.first_row,
            "notes": to_values(source.notes),
            "tag": source.tag,
        },
    }
    if isinstance(table, Run):
        description |= {"name": table.name, "read_as": table.read_as, "ordered_by": table.ordered_by}
    if isinstance(table, Queries) and table.missing_weight is not None:
        description |= {"missing_weight": table.missing_weight}
    if isinstance(table, Items) and table.at:
        description |= {"at": table.at}
    if isinstance(table, Votes):
        description |= {"pair": table.pair, "about": table.about and [[side.name, side.digest] for side in table.about]}
    return description


def record_of(role: Role, table: Any, description: Mapping[str, Any]) -> Tabled:
    """Return the record again, around its table."""
    fields = dict(description)
    source = fields.pop("source")
    if fields.get("pair") is not None:
        fields["pair"] = tuple(fields["pair"])
    if fields.get("about") is not None:
        fields["about"] = tuple(VotedList(*side) for side in fields["about"])
    return _KINDS[role](table=table, source=Source(**source | {"notes": from_values(source["notes"])}), **fields)


def _values(edit: Edit) -> list[Any]:
    """Return what an edit changes, ready for JSON."""
    return [edit.query_id, edit.doc_id, edit.what, edit.side, edit.before, edit.after]


def _edit(query_id: Any, doc_id: Any, what: Any, side: Any, before: Any, after: Any, labels: Any) -> Edit:
    """Return the edit again. ValueError where a value is none that an edit has."""
    texts = all(isinstance(text, str) for text in (query_id, doc_id, labels))
    numbers = all(number is None or isinstance(number, int | float) for number in (before, after))
    if not (texts and numbers and what in get_args(What) and side in ("a", "b", None)):
        raise ValueError("what is stored is no edit")
    return Edit(query_id, doc_id, what, side, before, after, labels)
