"""The results of the rooms, kept from one run to the next, and their table."""

from __future__ import annotations

import json
import platform
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.markdown import table

#: What the names of rows about tables begin with.
TABLES = "tables of "


@dataclass(frozen=True)
class Row:
    """What became of the mutants of a room's functions, or of its tables; equivalent ones are not among them."""

    number: int
    killed: int
    equivalent: int
    untried: int
    minutes: float

    def cells(self, room: str, least: float) -> list[str]:
        """The row as it is shown."""
        share = self.killed / max(self.number, 1)
        verdict = "OK" if share >= least else "MISSED"
        counts = [f"{count:,}" for count in (self.number, self.killed, self.number - self.killed, self.equivalent)]
        return [room, *counts, f"{self.untried:,}", f"{share:.1%}", f"≥ {least:.0%}", verdict, f"{self.minutes:.0f}"]


def keep(folder: Path, room: str, row: Row) -> None:
    """Writes a row beside those of other rooms, in the place of what an earlier run found."""
    rows = {**_kept(folder), room: asdict(row)}
    (folder / "results.json").write_text(json.dumps(rows, indent=1), "utf-8")


def text(folder: Path, least: float, *, tables: bool) -> str:
    """The table of every room that was run: of its functions, or of its tables, whose limit is everything."""
    header = ["room", "mutants", "killed", "survive", "equivalent", "not tried", "share", "limit", "", "minutes"]
    rows = {name.removeprefix(TABLES): row for name, row in _kept(folder).items() if name.startswith(TABLES) is tables}
    cells = [Row(**row).cells(room, 1.0 if tables else least) for room, row in rows.items()]
    return f"Python {platform.python_version()}.\n\n{table(header, cells, 'lrrrrrrrlr')}"


def _kept(folder: Path) -> dict[str, dict[str, float]]:
    path = folder / "results.json"
    return json.loads(path.read_text("utf-8")) if path.exists() else {}
