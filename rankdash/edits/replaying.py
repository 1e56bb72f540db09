"""Replays edits on the tables that they are for, to find the value before each edit and the edits that do not fit."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from rankdash import arrow
from rankdash.conventions import STANDARD, Convention, number
from rankdash.edits.history import Edit
from rankdash.edits.ordered import OrderedList
from rankdash.edits.rows import rows_by_query
from rankdash.judged import Order, are_apart, inline_judgments, ranked_lists
from rankdash.scoring import Side
from rankdash.tables import Judgments, Run

_SIDES: tuple[Side, Side] = ("a", "b")
#: The most edits that do not fit that are listed.
MOST_TOLD = 20
_CLASH = "{doc!r} is in the other list already, and lists typed without names share no documents. Use another id."


@dataclass
class _Tables:
    """Lists and grades of the queries that were read so far, as the edits before have left them."""

    runs: dict[Side, Run]
    judgments: Judgments | None
    order: Order
    query_ids: frozenset[str]  # all that edits are of
    _lists: dict[tuple[Side, str], OrderedList] = field(default_factory=dict)
    _grades: dict[str, dict[tuple[str, str], float]] = field(default_factory=dict)

    @classmethod
    def of(
        cls, edits: Iterable[Edit], a: Run, b: Run, judgments: Judgments | None, convention: Convention = STANDARD
    ) -> _Tables:
        """Return the tables for edits, before the first of them."""
        grades, queries = judgments or inline_judgments(a, b), frozenset(edit.query_id for edit in edits)
        return cls({"a": a, "b": b}, grades, Order.of(convention), queries)

    @cached_property
    def _ranked(self) -> dict[Side, dict[str, npt.NDArray[np.int64]]]:
        """The rows of every list, in order."""
        return {side: ranked_lists(run, self.query_ids, self.order) for side, run in self.runs.items()}

    @cached_property
    def _judged(self) -> dict[str, npt.NDArray[np.int64]]:
        """The rows of the judgments of every query."""
        none = dict[str, npt.NDArray[np.int64]]()
        return none if self.judgments is None else rows_by_query(self.judgments.table, self.query_ids)

    def documents(self, side: Side, query_id: str) -> OrderedList:
        """Return one list, in order."""
        if (side, query_id) not in self._lists:
            rows = arrow.from_numpy(self._ranked[side][query_id])
            self._lists[side, query_id] = OrderedList(self.runs[side].table.column("doc_id").take(rows).to_pylist())
        return self._lists[side, query_id]

    def grades(self, query_id: str) -> dict[tuple[str, str], float]:
        """Return the grades of a query by document and the list that they are for ("" for both); the first counts."""
        if query_id not in self._grades:
            grades: dict[tuple[str, str], float] = {}
            if self.judgments is not None and len(rows := self._judged[query_id]):
                taken = self.judgments.table.take(arrow.from_numpy(rows)).to_pydict()
                sides = taken.get("only_for") or [""] * len(rows)
                for key, grade in zip(zip(taken["doc_id"], sides, strict=True), taken["relevance"], strict=True):
                    grades.setdefault(key, grade)
            self._grades[query_id] = grades
        return self._grades[query_id]

    def knows(self, query_id: str) -> bool:
        """Return whether any of the tables has a query."""
        return bool(self.grades(query_id) or any(self.documents(side, query_id) for side in _SIDES))

    def before(self, edit: Edit) -> float | None:
        """Return what stands now where an edit would write."""
        if edit.what == "grade" or edit.side is None:
            grades, own = self.grades(edit.query_id), (edit.side or "").upper()
            return grades.get((edit.doc_id, own), grades.get((edit.doc_id, "")))
        return self.documents(edit.side, edit.query_id).place(edit.doc_id)

    def clashes(self, edit: Edit) -> bool:
        """Return whether an edit would make lists that share no documents share one, whose grade would count in
        both.
        """
        grades = self.grades(edit.query_id)
        if not self.apart or edit.what not in ("add", "grade") or (edit.doc_id, "") in grades:
            return False
        others = [side for side in _SIDES if side != edit.side]
        graded = any((edit.doc_id, side.upper()) in grades for side in others)
        return graded or (len(others) == 1 and edit.doc_id in self.documents(others[0], edit.query_id))

    @property
    def apart(self) -> bool:
        """Whether A and B share no documents."""
        return self.judgments is not None and are_apart(self.judgments)

    def do(self, edit: Edit) -> None:
        """Take an edit over, as ``apply`` does."""
        if edit.what == "grade" or edit.side is None:
            grades = self.grades(edit.query_id)
            own = (edit.side or "").upper()
            key = next((key for key in ((edit.doc_id, own), (edit.doc_id, "")) if key in grades), (edit.doc_id, own))
            grades.pop(key, None)
            if edit.after is not None:
                grades[key] = edit.after
            return
        self.documents(edit.side, edit.query_id).edit(edit.doc_id, edit.after, adds=edit.what == "add")


def settled(
    edits: Iterable[Edit], a: Run, b: Run, judgments: Judgments | None, convention: Convention = STANDARD
) -> tuple[Edit, ...]:
    """Return the edits with what really stood before each of them: ranks of equal scores follow the convention in
    force.
    """
    edits = tuple(edits)
    tables = _Tables.of(edits, a, b, judgments, convention)
    edits_in_force = []
    for edit in edits:
        edits_in_force.append(replace(edit, before=tables.before(edit)))
        tables.do(edit)
    return tuple(edits_in_force)


def clashes(edits: Iterable[Edit], a: Run, b: Run, judgments: Judgments | None) -> tuple[str, ...]:
    """Return a sentence for each document that edits put into a list although the other has it, where the two share no
    documents.
    """
    edits = tuple(edits)
    tables = _Tables.of(edits, a, b, judgments)
    sentences = []
    for edit in edits if tables.apart else ():
        if tables.clashes(edit):
            sentences.append(_CLASH.format(doc=edit.doc_id))
        tables.do(edit)
    return tuple(dict.fromkeys(sentences))


def misfits(
    edits: Iterable[Edit], a: Run, b: Run, judgments: Judgments | None, convention: Convention = STANDARD
) -> tuple[str, ...]:
    """Return a sentence for each of the first edits that were made on other tables: an unknown query, another
    ``before``.
    """
    edits = tuple(edits)
    tables = _Tables.of(edits, a, b, judgments, convention)
    sentences = []
    for place, edit in enumerate(edits, start=1):
        where = f"edit {place:,}, query {edit.query_id!r}, document {edit.doc_id!r}"
        now = tables.before(edit)
        if not tables.knows(edit.query_id):
            sentences.append(f"{where}: no list and no judgment has this query.")
        elif now != edit.before:
            what = "grade" if edit.what == "grade" else f"rank in list {(edit.side or '').upper()}"
            sentences.append(
                f"{where}: the {what} was {_said(edit.before)} when this was edited, and is {_said(now)} here."
            )
        elif tables.clashes(edit):
            sentences.append(f"{where}: {_CLASH.format(doc=edit.doc_id)}")
        tables.do(edit)
    more = len(sentences) - MOST_TOLD
    return (*sentences[:MOST_TOLD], *([f"{more:,} more edits do not fit."] if more > 0 else ()))


def _said(value: float | None) -> str:
    return "none" if value is None else number(value)
