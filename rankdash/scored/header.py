"""What a per-query table says beside its rows, as one record that goes with the table wherever it is written."""

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

    asked: Scope
    outside: Outside
    noticed: Noticed
    inputs: ScoredInputs | None

    def to_json(self) -> str:
        """Return the header as JSON, with the version of the columns."""
        told = {
            "version": SCHEMA_VERSION,
            "asked": self.asked.to_dict(),
            "outside": vars(self.outside),
            "noticed": self.noticed.to_dict(),
            "inputs": None if self.inputs is None else self.inputs.to_dict(),
        }
        return json.dumps(told, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str | bytes | None) -> Header:
        """Return what ``to_json`` returned. TableError for anything else, and for another version."""
        try:
            told = json.loads(text or b"")
            version = told["version"]
        except (KeyError, TypeError, ValueError):
            raise TableError("This is no table of per-query values: its metadata do not say what was scored.") from None
        if version in OLDER:
            _leave_out(told, OLDER[version])
        elif version != SCHEMA_VERSION:
            raise TableError(
                f"The table of per-query values has version {version!r}, and this program reads version "
                f"{SCHEMA_VERSION}; score the runs again."
            )
        return _checked(told)

    @classmethod
    def of_all(cls, headers: Sequence[Header]) -> Header:
        """Return the header of several blocks together; the inputs are those of the first.

        TableError where they were scored for different things, and without any block.
        """
        if not headers:
            raise TableError("There is no block of per-query values to put together.")
        first = headers[0].asked
        for at, one in enumerate(headers):
            if one.asked is not first and one.asked != first:
                there, here = first.to_dict(), one.asked.to_dict()
                raise TableError(
                    f"Blocks 1 and {at + 1} of the per-query values were scored with different "
                    f"{listed([name for name, value in here.items() if value != there[name]])}."
                )
        return cls(
            first,
            sum((one.outside for one in headers), Outside()),
            sum((one.noticed for one in headers), Noticed()),
            headers[0].inputs,
        )


def _leave_out(told: Any, parts: Sequence[str]) -> None:
    """Say in the records of an earlier version which parts it lacks, in those of the settings beside the policy too."""
    try:
        beside = told["asked"]["neighbours"] or ()
        for asked in (told["asked"], *(one["asked"] for one in beside)):
            asked["without"] = sorted({*asked["without"], *parts})
    except (KeyError, TypeError):
        return  # what is wrong is said where the records are read


def _checked(told: Any) -> Header:
    try:
        outside = Outside(**{name: (int(a), int(b)) for name, (a, b) in told["outside"].items()})
        inputs = None if told["inputs"] is None else ScoredInputs.from_dict(told["inputs"])
        return Header(Scope.from_dict(told["asked"]), outside, Noticed.from_dict(told["noticed"]), inputs)
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError, IndexError) as error:
        why = str(error).partition(". ")[0].rstrip(".")
        raise TableError(f"The metadata of the table of per-query values cannot be used: {why}.") from None


def listed(names: Sequence[str]) -> str:
    """Return a few names, quoted, and how many more there are."""
    more = len(names) - _MOST_LISTED
    shown = ", ".join(map(repr, names[:_MOST_LISTED]))
    return f"{shown} and {more} more" if more > 0 else shown
