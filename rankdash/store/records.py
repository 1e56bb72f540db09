"""What goes into a store and what comes out: frozen records, and their form as JSON."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, get_args

from rankdash.case import Case, Role, Tabled, given_name, title
from rankdash.edits import Edit, EditStep, Held, History, What
from rankdash.notes import from_values, to_values
from rankdash.policy import Policy
from rankdash.tables import Judgments, Queries, Run, Scored, Source, VotedList, Votes

_KINDS: dict[Role, type[Tabled]] = {
    "a": Run,
    "b": Run,
    "judgments": Judgments,
    "queries": Queries,
    "votes": Votes,
    "scored": Scored,
}


@dataclass(frozen=True)
class Mark:
    """What tells the state of a comparison from another one: the number of its newest revision, and what is on record
    of it: the decision in force, how many online results, and its tags.
    """

    number: int
    entries: tuple[str, int]
    tags: tuple[str, ...]


@dataclass(frozen=True)
class Clash:
    """One document that two people changed at once: the edits of each that were in force. No edits: taken back."""

    query_id: str
    doc_id: str
    earlier: tuple[Edit, ...]
    later: tuple[Edit, ...]


@dataclass(frozen=True)
class State:
    """What people have made of a comparison. Everything save ``swapped`` is in the orientation of the upload.

    ``name`` is what somebody called the comparison, "": it is called by its models; ``a`` and ``b`` are the names of
    the models as they were uploaded, also where ``swapped`` says that the two are shown exchanged; ``history`` holds
    edits whose side is that of the upload (``History.swapped`` turns them). ``clashes`` are documents that two people
    changed at once, of which nobody has said yet whose edits stand (``questions`` are those that still wait for an
    answer).
    """

    name: str
    a: str = ""
    b: str = ""
    swapped: bool = False
    policy: Policy = field(default_factory=Policy)
    history: History = field(default_factory=History)
    note: str = ""
    clashes: tuple[Clash, ...] = ()

    @property
    def names(self) -> dict[str, str]:
        """What the comparison ("name") and the models of the upload ("a", "b") are called."""
        return {"name": self.name, "a": self.a, "b": self.b}

    @property
    def title(self) -> str:
        """What the comparison is called, A and B the way around in which they are shown."""
        return title(self.name, *((self.b, self.a) if self.swapped else (self.a, self.b)))

    def to_dict(self) -> dict[str, Any]:
        """Return everything save the history, ready for JSON."""
        clashes = [
            [clash.query_id, clash.doc_id, *map(_edits_to_list, (clash.earlier, clash.later))] for clash in self.clashes
        ]
        fields = {"names": self.names, "swapped": self.swapped, "policy": self.policy.to_dict(), "note": self.note}
        return fields | ({"asked": clashes} if clashes else {})

    @classmethod
    def from_dict(cls, values: Mapping[str, Any], history: History) -> State:
        """Return the state again. PolicyError where this version does not know a field of the policy."""
        policy = Policy.from_dict(values["policy"])
        clashes = tuple(Clash(query, doc, *map(_edits_of, edits)) for query, doc, *edits in values.get("asked", ()))
        fields = {"swapped": values["swapped"], "note": values["note"], "clashes": clashes}
        names = values["names"]
        names = names | {"name": given_name(names["name"], names["a"], names["b"])}
        return cls(**names, **fields, policy=policy, history=history)


@dataclass(frozen=True)
class Input:
    """One stored table: its row, its role, the digest of its bytes, and that of its content."""

    id: str
    role: Role
    blob: str
    content: str


@dataclass(frozen=True)
class Saved:
    """A comparison as it is saved under a number; two with the same id and number are the same.

    ``content`` is the case as it was uploaded: its tables, without edits, A and B as they were named first.
    ``created`` and ``changed`` are in UTC. ``lineage`` is the id of the first comparison that this is a duplicate of,
    its own where it is none. ``inputs`` hold the digests of the content. ``steps`` are the ids of the steps of the
    history. ``case`` identifies everything that a verdict on it is made of: ``case_digest``, as it was when this
    number was saved.
    """

    id: str
    number: int
    content: Case = field(repr=False)
    state: State
    created: datetime
    changed: datetime
    archived: bool = False
    lineage: str = ""
    inputs: tuple[Input, ...] = field(default=(), repr=False)
    steps: tuple[str, ...] = field(default=(), repr=False)
    case: str = field(default="", repr=False)

    def digest(self, role: Role) -> str | None:
        """Return the digest of the content of one table; None where there is no such table."""
        return next((input.content for input in self.inputs if input.role == role), None)


#: The digest changes its meaning with this number only.
_CASE = "rankdash case 1"
#: What of a state and of the description of a table no verdict is made of. Whatever else is added there counts.
_NOT_OF_THE_STATE, _NOT_OF_THE_TABLE = ("names", "note", "asked"), ("source", "name", "read_as")


def case_digest(inputs: Iterable[Input], content: Case, state: State) -> str:
    """Return the SHA-256 of everything that a verdict is made of, its case: the content of the tables (by the
    digests of ``inputs``), which model is A, the edits in force, what was said of votes on other lists, and the policy
    with its convention.

    Names, notes, the file that a table was read from, steps that are undone, and the number of the revision are no part
    of it: what was undone, renamed, or exchanged twice is the same case again.
    """
    tables = {
        input.role: (input.content, _without(description_of(content.tables[input.role]), _NOT_OF_THE_TABLE))
        for input in inputs
    }
    held = sorted((vote.query_id, vote.a, vote.b) for vote in state.history.held)
    made_of = (_CASE, tables, _without(state.to_dict(), _NOT_OF_THE_STATE), _edits_to_list(state.history.edits), held)
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
    if isinstance(table, Votes):
        description |= {"pair": table.pair, "about": table.about and [[side.name, side.digest] for side in table.about]}
    if isinstance(table, Scored):
        description |= {"files": {role: dict(file) for role, file in table.files.items()}}
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


#: By whom a step was made, and when.
_MADE = ("by", "who", "at")


def step_to_dict(step: EditStep) -> dict[str, Any]:
    """Return a step, ready for JSON."""
    held = [[vote.query_id, vote.a, vote.b] for vote in step.held]
    made = {name: value for name in _MADE if (value := getattr(step, name))}
    return {"edits": _edits_to_list(step.edits), "reset": list(step.reset), **({"held": held} if held else {}), **made}


def step_from_dict(body: Mapping[str, Any]) -> EditStep:
    """Return the step again."""
    held, made = tuple(Held(*vote) for vote in body.get("held", ())), {name: str(body.get(name, "")) for name in _MADE}
    return EditStep(_edits_of(body["edits"]), tuple(body["reset"]), held, **made)


def _edits_to_list(edits: Iterable[Edit]) -> list[list[Any]]:
    return [[edit.query_id, edit.doc_id, edit.what, edit.side, edit.before, edit.after] for edit in edits]


def _edits_of(values: Iterable[Iterable[Any]]) -> tuple[Edit, ...]:
    return tuple(_edit(*edit) for edit in values)


def _edit(query_id: Any, doc_id: Any, what: Any, side: Any, *numbers: Any) -> Edit:
    """Return the edit again. ValueError where a value is none that an edit has."""
    good = isinstance(query_id, str) and isinstance(doc_id, str) and what in get_args(What) and side in ("a", "b", None)
    if not good or not all(number is None or isinstance(number, int | float) for number in numbers):
        raise ValueError("what is stored is no edit")
    return Edit(query_id, doc_id, what, side, *numbers)
