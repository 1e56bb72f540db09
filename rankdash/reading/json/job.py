"""One reading of JSON values: the kind of table, and what was decided, left unread or seen to be no id on the way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from rankdash.reading.columns.grid import IDS, Grid
from rankdash.reading.columns.headings import Mapping, match
from rankdash.reading.json.shapes import is_container, stands_for_documents
from rankdash.reading.source.limits import Limits
from rankdash.reading.source.options import Options
from rankdash.reading.source.problems import Rows, listed, refuse
from rankdash.reading.source.unread import Unread
from rankdash.reading.tools.form import StoredFields
from rankdash.reading.tools.hits import failed_searches
from rankdash.reading.values.text_collector import Gathered
from rankdash.reading.words.headings import QUEPID_KEEPS, QUEPID_ORDER, Kind

#: What values that are neither text nor whole numbers are called.
_CALLED = {bool: "true or false", dict: "objects", list: "lists", float: "numbers with decimals", bytes: "bytes"}


@dataclass
class Job:
    """The reading of the values of a source, with its name, limits and options, as one kind of table.

    ``odd`` are columns with a value that is neither text nor a whole number, and what that is. ``lists`` are
    columns beside queries that hold documents or grades, or tell no segment, and are not read. ``empty`` is the number
    of queries without documents, ``failed`` are those whose search failed, ``part`` is the name of the member that is
    read. ``snapshot`` are the name and the time of a snapshot of Quepid, else empty texts.
    """

    name: str
    kind: Kind
    limits: Limits
    options: Options
    unread: Unread = field(default_factory=Unread)
    notes: list[str] = field(default_factory=list)
    odd: dict[str, str] = field(default_factory=dict)
    lists: set[str] = field(default_factory=set)
    empty: int = 0
    failed: list[str] = field(default_factory=list)
    part: str = ""
    stored: StoredFields = field(default_factory=StoredFields)
    snapshot: tuple[str, str] = ("", "")

    def within(self, part: str = "") -> Job:
        """Return a job for a member that may turn out not to be read."""
        return Job(self.name, self.kind, self.limits, self.options, part=part)

    def take(self, inner: Job) -> None:
        """Take over what was decided and left unread within a member."""
        self.notes += inner.notes
        self.unread.take(inner.unread)
        self.stored = inner.stored

    def gathered(self) -> Gathered:
        """Return a place for rows."""
        return Gathered(self.name, self.limits)

    def mark(self, name: str, kind: type) -> None:
        """Note that a column has a value of a type, where no value of this type is an id."""
        if kind in _CALLED:
            self.odd.setdefault(name, _CALLED[kind])

    def look(self, name: str, value: Any) -> None:
        """Note that a column beside queries holds documents or grades, where a value does."""
        if self.kind == "queries" and is_container(value) and stands_for_documents(name, value):
            self.lists.add(name)

    def grid(self, gathered: dict[str, Gathered], headings: tuple[str, ...], row_of: Callable[[Rows], Rows]) -> Grid:
        """Return the Grid of columns that were gathered, each by its heading.

        ReadError where a column is missing, and where ids are neither texts nor whole numbers.
        """
        if self.kind == "queries" and {*headings} >= QUEPID_ORDER:
            self.lists |= QUEPID_KEEPS
        self.unread.add_all(name for name in headings if name in self.lists)
        headings = tuple(name for name in headings if name not in self.lists)
        mapping = match(self.name, headings, self.kind, self.options.columns)
        self._check_ids(mapping, headings)
        columns = {own: gathered[headings[i]].column(headings[i]) for i, own in mapping.names.items()}
        empty = [f"{self.empty:,} {'query has' if self.empty == 1 else 'queries have'} no documents."][: self.empty]
        failed = (failed_searches(self.failed),) if self.failed else ()
        notes = (
            *failed,
            *empty,
            *mapping.notes,
            *(note for part in dict.fromkeys(gathered.values()) for note in part.notes()),
        )
        stored = self.stored.values()
        return Grid(self.name, columns, mapping.called, headings, notes, row_of=row_of, first_row=1, stored=stored)

    def _check_ids(self, mapping: Mapping, headings: tuple[str, ...]) -> None:
        for i, own in mapping.names.items():
            if own in IDS and headings[i] in self.odd:
                what = f"column {listed([headings[i]])} holds {self.odd[headings[i]]}"
                raise refuse("bad_value", self.name, what, "Ids are texts or whole numbers.")
