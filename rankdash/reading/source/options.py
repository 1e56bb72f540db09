"""What people may decide about a source where its content leaves it open, and the choices that they are given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Options:
    """Decisions about one source; what is left empty is decided from the content, and noted.

    ``columns`` maps meanings to headings, ``{"relevance": "gain"}``, or to "" where no column has that meaning;
    ``encoding`` is a name that Python knows; ``sheet`` the name of a sheet of a workbook, or its number from 1;
    ``member`` a file in an archive; ``header`` the row of a text or a sheet that holds the headings, from 1; ``grades``
    maps words to grades, ``{"E": 3, "I": 0}``; ``pair`` names the models A and B of votes, and ``models`` are the names
    of the runs A and B, which votes may name. ``scores`` is the file of scores that belongs to a LETOR file, or a
    mapping of such files by model, ``groups`` that of the sizes of its queries. On the command line each is named as
    here: ``--columns``, ``--encoding``, ``--sheet``, ….
    """

    columns: Mapping[str, str] = field(default_factory=dict)
    encoding: str = ""
    sheet: str | int = ""
    member: str = ""
    header: int = 0
    grades: Mapping[str, float] = field(default_factory=dict)
    pair: tuple[str, str] | None = None
    models: tuple[str, str] | None = None
    scores: Any = None
    groups: Any = None


OPTIONS = Options()


@dataclass(frozen=True)
class Choice:
    """A decision that a source leaves open: the field of Options, the key in it if it is a mapping, and what there is.

    A page can offer ``values`` and read again; a person at a shell types ``--option``.
    """

    option: str
    values: tuple[str, ...]
    key: str = ""
