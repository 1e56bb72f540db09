"""A baseline: one model's lists as they were read, and the judgments they stood beside, as the bytes of one file.

Other tools can read the file, which is an Arrow file: it has the columns of the run, and everything else in its
metadata. A digest of the content is kept too, so that what is read back equals what was kept, or is refused.
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

#: The keys of the metadata: for the number of the file's form, and for the facts beside the columns.
_FORMAT, _FACTS = b"rankdash.baseline", b"rankdash.told"
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
        """Return a run as a baseline that is kept now, beside these judgments."""
        judged_by = None if judgments is None else JudgedBy(judgments.source.name, content_digest(judgments))
        return cls(name, run, judged_by, datetime.now(UTC).replace(microsecond=0))

    def noted(self, judgments: Judgments | None) -> Run:
        """Return the run with a note on where it comes from and, beside other judgments than when kept, on these."""
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
        facts = {
            "name": self.name,
            "kept": self.kept.isoformat(),
            "version": self.version,
            "judged_by": None if self.judged_by is None else asdict(self.judged_by),
            "run": {"name": self.run.name, "read_as": self.run.read_as, "ordered_by": self.run.ordered_by},
            "source": asdict(self.run.source),
            "digest": content_digest(self.run),
        }
        schema = table.schema.with_metadata({_FORMAT: _FORM, _FACTS: json.dumps(facts)})
        sink = pa.BufferOutputStream()
        with pa.ipc.new_file(sink, schema, options=pa.ipc.IpcWriteOptions(compression="zstd")) as writer:
            writer.write_batch(pa.RecordBatch.from_arrays(columns, schema=schema))
        return sink.getvalue()

    @classmethod
    def from_bytes(cls, data: pa.Buffer, where: str) -> Baseline:
        """Return the baseline in a file. BaselineError where there is none, or it is broken, or its form is newer."""
        try:
            table = _table(data)
            metadata: Mapping[bytes, bytes] = table.schema.metadata or {}
            form, facts = metadata.get(_FORMAT), json.loads(metadata.get(_FACTS, b"null"))
        except (pa.ArrowException, OSError, ValueError):
            raise BaselineError(f"{where} is no baseline, or is broken: set it anew.") from None
        if form != _FORM:
            raise BaselineError(f"{where} is no baseline that this version of rankdash reads: set it anew.")
        try:
            baseline = _baseline(table.replace_schema_metadata(None), facts)
        except (KeyError, TypeError, ValueError):
            raise BaselineError(f"{where} is broken: set it anew.") from None
        if content_digest(baseline.run) != facts["digest"]:
            raise BaselineError(f"{where} is broken, its lists are not those that were kept: set it anew.")
        return baseline


def _called(name: str) -> str:
    return name or "a table in memory"


def _table(data: pa.Buffer) -> pa.Table:
    """Return the table of an Arrow file, every offset of it checked."""
    with pa.ipc.open_file(data) as file:
        table = file.read_all()
    table.validate(full=True)
    return pa.Table.from_arrays([arrow.one_chunk(column) for column in table.columns], schema=table.schema)


def _baseline(table: pa.Table, facts: Mapping[str, Any]) -> Baseline:
    run, judged_by = facts["run"], facts["judged_by"]
    source = Source(**{**facts["source"], "notes": tuple(facts["source"]["notes"])})
    return Baseline(
        str(facts["name"]),
        Run(str(run["name"]), table, run["ordered_by"], source, str(run["read_as"])),
        None if judged_by is None else JudgedBy(**judged_by),
        datetime.fromisoformat(facts["kept"]),
        str(facts["version"]),
    )
