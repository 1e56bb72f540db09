"""A baseline: one model's lists as they were read, and the judgments they stood beside, as the bytes of one file.

The file is an Arrow file that other tools read: the columns of the run, and in its metadata what these do not say.
What is read back is what was kept, or refused: the digest of the content is kept too.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa

from rankdash import arrow
from rankdash.case import content_digest
from rankdash.installation import __version__
from rankdash.tables import Judgments, Run, Source

#: What the file is, with the number of its form; and what is told beside the columns.
_FORMAT, _TOLD = b"rankdash.baseline", b"rankdash.told"
_FORM = b"1"


#: In the note on a baseline that is compared by other judgments than it was kept beside. No quiet silences it.
OTHER_JUDGMENTS = "was kept beside other judgments"


class BaselineError(ValueError):
    """A baseline that cannot be kept or read. ``str()`` is one sentence that says why, and what to do."""


@dataclass(frozen=True)
class JudgedBy:
    """The judgments that lists stood beside: the name of their file, and the digest of their content."""

    name: str
    digest: str


@dataclass(frozen=True)
class Baseline:
    """One model's lists under a name. ``kept`` is when, in UTC; ``version`` the rankdash that read them."""

    name: str
    run: Run
    judged_by: JudgedBy | None
    kept: datetime
    version: str = __version__

    @classmethod
    def of(cls, name: str, run: Run, judgments: Judgments | None) -> Baseline:
        """Return the baseline that a run becomes now, beside these judgments."""
        judged_by = None if judgments is None else JudgedBy(judgments.source.name, content_digest(judgments))
        return cls(name, run, judged_by, datetime.now(UTC).replace(microsecond=0))

    def noted(self, judgments: Judgments | None) -> Run:
        """Return the run with notes on where it comes from, and on other judgments than it was kept beside."""
        source = self.run.source
        notes = [f"Baseline {self.name}, kept on {self.kept:%Y-%m-%d} from {_called(source.name)}."]
        if self.judged_by and judgments and content_digest(judgments) != self.judged_by.digest:
            notes.append(
                f"The baseline {OTHER_JUDGMENTS} ({_called(self.judged_by.name)}) than it is compared by "
                f"now ({_called(judgments.source.name)}): numbers from before do not hold for it."
            )
        return replace(self.run, source=replace(source, notes=(*notes, *source.notes)))

    def to_bytes(self) -> pa.Buffer:
        """Return the file."""
        table = self.run.table
        columns = [arrow.one_chunk(column) for column in table.columns]
        told = {
            "name": self.name,
            "kept": self.kept.isoformat(),
            "version": self.version,
            "judged_by": None if self.judged_by is None else asdict(self.judged_by),
            "run": {"name": self.run.name, "read_as": self.run.read_as, "ordered_by": self.run.ordered_by},
            "source": asdict(self.run.source),
            "digest": content_digest(self.run),
        }
        schema = table.schema.with_metadata({_FORMAT: _FORM, _TOLD: json.dumps(told)})
        sink = pa.BufferOutputStream()
        with pa.ipc.new_file(sink, schema, options=pa.ipc.IpcWriteOptions(compression="zstd")) as writer:
            writer.write_batch(pa.RecordBatch.from_arrays(columns, schema=schema))
        return sink.getvalue()

    @classmethod
    def from_bytes(cls, data: pa.Buffer, where: str) -> Baseline:
        """Return the baseline that a file holds. BaselineError where it is none, is broken, or of a newer form."""
        try:
            table = _table(data)
            metadata: Mapping[bytes, bytes] = table.schema.metadata or {}
            form, told = metadata.get(_FORMAT), json.loads(metadata.get(_TOLD, b"null"))
        except (pa.ArrowException, OSError, ValueError):
            raise BaselineError(f"{where} is no baseline, or is broken: set it anew.") from None
        if form != _FORM:
            raise BaselineError(f"{where} is no baseline that this version of rankdash reads: set it anew.")
        try:
            baseline = _baseline(table.replace_schema_metadata(None), told)
        except (KeyError, TypeError, ValueError):
            raise BaselineError(f"{where} is broken: set it anew.") from None
        if content_digest(baseline.run) != told["digest"]:
            raise BaselineError(f"{where} is broken, its lists are not those that were kept: set it anew.")
        return baseline


def _called(name: str) -> str:
    return name or "a table in memory"


def _table(data: pa.Buffer) -> pa.Table:
    """Return the table of an Arrow file whose every offset was looked at."""
    with pa.ipc.open_file(data) as file:
        table = file.read_all()
    table.validate(full=True)
    return pa.Table.from_arrays([arrow.one_chunk(column) for column in table.columns], schema=table.schema)


def _baseline(table: pa.Table, told: Mapping[str, Any]) -> Baseline:
    run, judged_by = told["run"], told["judged_by"]
    source = Source(**{**told["source"], "notes": tuple(told["source"]["notes"])})
    return Baseline(
        str(told["name"]),
        Run(str(run["name"]), table, run["ordered_by"], source, str(run["read_as"])),
        None if judged_by is None else JudgedBy(**judged_by),
        datetime.fromisoformat(told["kept"]),
        str(told["version"]),
    )
