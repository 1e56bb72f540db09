"""The header of a per-query table: what it says beside its rows, as a record that is written wherever the table is."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rankdash.scored.columns import OLDER, SCHEMA_VERSION
from rankdash.scored.noticed import Noticed, ScoredInputs
from rankdash.scored.scope import Outside, Scope

#: So many names of columns are listed in a message.
_MOST_LISTED = 3


class TableError(ValueError):
    """The table is not a per-query table, is of another version, or does not fit the other blocks."""


@dataclass(frozen=True)
class Header:
    """The records beside the rows of a table."""

    scope: Scope
    outside: Outside
    noticed: Noticed
    inputs: ScoredInputs | None

    def to_json(self) -> str:
        """Return the header as JSON, with the version of the columns."""
        values = {
            "version": SCHEMA_VERSION,
            "asked": self.scope.to_dict(),
            "outside": vars(self.outside),
            "noticed": self.noticed.to_dict(),
            "inputs": None if self.inputs is None else self.inputs.to_dict(),
        }
        return json.dumps(values, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str | bytes | None) -> Header:
        """Return the header that ``to_json`` wrote. TableError for any other text, and for another version."""
        try:
            values = json.loads(text or b"")
            version = values["version"]
        except (KeyError, TypeError, ValueError):
            raise TableError("This is no table of per-query values: its metadata do not say what was scored.") from None
        if version in OLDER:
            _leave_out(values, OLDER[version])
        elif version != SCHEMA_VERSION:
            raise TableError(
                f"The table of per-query values has version {version!r}, and this program reads version "
                f"{SCHEMA_VERSION}; score the runs again."
            )
        return _checked(values)

    @classmethod
    def of_all(cls, headers: Sequence[Header]) -> Header:
        """Return the header of several blocks together; the inputs are those of the first block.

        TableError where the blocks were scored for different things, and without any block.
        """
        if not headers:
            raise TableError("There is no block of per-query values to put together.")
        first = headers[0].scope
        for at, header in enumerate(headers):
            if header.scope is not first and header.scope != first:
                there, here = first.to_dict(), header.scope.to_dict()
                raise TableError(
                    f"Blocks 1 and {at + 1} of the per-query values were scored with different "
                    f"{listed([name for name, value in here.items() if value != there[name]])}."
                )
        return cls(
            first,
            sum((header.outside for header in headers), Outside()),
            sum((header.noticed for header in headers), Noticed()),
            headers[0].inputs,
        )


def _leave_out(records: Any, parts: Sequence[str]) -> None:
    """Add the parts that an earlier version lacks to its records, and to those of the settings beside the policy."""
    try:
        beside = records["asked"]["neighbours"] or ()
        for scope in (records["asked"], *(setting["asked"] for setting in beside)):
            scope["without"] = sorted({*scope["without"], *parts})
    except (KeyError, TypeError):
        return  # ``_checked`` says what is wrong


def _checked(records: Any) -> Header:
    try:
        outside = Outside(**{name: (int(a), int(b)) for name, (a, b) in records["outside"].items()})
        inputs = None if records["inputs"] is None else ScoredInputs.from_dict(records["inputs"])
        return Header(Scope.from_dict(records["asked"]), outside, Noticed.from_dict(records["noticed"]), inputs)
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError, IndexError) as error:
        why = str(error).partition(". ")[0].rstrip(".")
        raise TableError(f"The metadata of the table of per-query values cannot be used: {why}.") from None


def listed(names: Sequence[str]) -> str:
    """Return a few names, quoted, and how many more there are."""
    more = len(names) - _MOST_LISTED
    shown = ", ".join(map(repr, names[:_MOST_LISTED]))
    return f"{shown} and {more} more" if more > 0 else shown
