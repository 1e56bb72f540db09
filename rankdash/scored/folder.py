"""A per-query table as a folder: Parquet files with its rows, and a manifest that says what they are.

The folder appears when all of it is written: until then it lies beside its place under another name. It can be moved,
for all that is read of it lies inside. A column is read when it is first used, and its pages have checksums.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from rankdash import arrow
from rankdash.scored.header import Header, TableError
from rankdash.scored.noticed import ScoredInputs
from rankdash.scored.parts import Parts, TablePart, read_column
from rankdash.scored.sources import Files, files_from, seen_from
from rankdash.scored.table import ALIASES, PLACES, PerQuery, as_numpy
from rankdash.scored.uploaded import FORM, MANIFEST, VERSION, footer_digest
from rankdash.system import UNFINISHED, new_file, sync_folder

#: What decides the order of the queries: their rows, the places of their judgments, or the bytes of their ids.
Order = Literal["rows", "places", "ids"]

#: The most queries of a part.
PART = 200_000


def save(scored: PerQuery, folder: str | Path, files: Files | None = None) -> None:
    """Write a per-query table as a folder; ``files`` is where its lists lie. FileExistsError as for ``writing``."""
    with writing(folder) as writer:
        writer.files = seen_from(Path(folder), files or {})
        writer.write(scored)


@contextmanager
def writing(folder: str | Path) -> Iterator[Writer]:
    """Yield a writer of the folder. The folder is there, whole, when the block ends, and not there where it fails.

    An earlier folder of this kind is replaced. FileExistsError where the name is taken by anything else.
    """
    check_free(folder)
    place = Path(folder)
    place.absolute().parent.mkdir(parents=True, exist_ok=True)
    unfinished = Path(tempfile.mkdtemp(UNFINISHED, f".{place.name[:50]}.", place.absolute().parent))
    try:
        writer = Writer(unfinished)
        yield writer
        writer.close()
        unfinished.chmod(0o755)
        _put(unfinished, place)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


@dataclass
class Writer:
    """Writes a table part by part. The parts come in any order; each has whole queries."""

    folder: Path
    parts: list[dict[str, Any]] = field(default_factory=list)
    headers: list[Header] = field(default_factory=list)
    inputs: ScoredInputs | None = None  # what was scored, where the parts do not say
    order: Order = "rows"  # of the queries, where the parts do not say
    files: Files = field(default_factory=dict)  # as they are seen from the folder

    def write(self, scored: PerQuery) -> None:
        """Write some queries; they are on the disk when this returns."""
        for block in scored.blocks(PART):
            self._write(block)

    def _write(self, block: PerQuery) -> None:
        import pyarrow.parquet as pq  # loading it costs more than a small comparison

        path = self.folder / f"part-{len(self.parts):05}.parquet"
        table = block.to_arrow()
        with new_file(path) as file:
            pq.write_table(
                table.replace_schema_metadata(None),
                file,
                compression="lz4",  # larger than by zstd, and read sooner
                use_dictionary=False,
                write_statistics=False,
                write_page_checksum=True,
            )
        self.headers.append(block.header)
        self.order = self.order if block.places is None else "places"
        entry = {"name": path.name, "rows": len(block), "aliases": json.loads(table.schema.metadata[ALIASES])}
        self.parts.append({**entry, "bytes": path.stat().st_size, "sha256": _end(path)})

    def close(self) -> None:
        """Write the manifest, without which nothing reads the folder."""
        header = Header.of_all(self.headers)
        text = replace(header, inputs=self.inputs or header.inputs).to_json()
        manifest = {
            "form": FORM,
            "version": VERSION,
            "order": self.order,
            "header": json.loads(text),
            "parts": self.parts,
            "files": self.files,
        }
        with new_file(self.folder / MANIFEST) as file:
            file.write(json.dumps(manifest, ensure_ascii=False, indent=1).encode())


def opened(folder: str | Path) -> PerQuery:
    """Return the per-query table of a folder. TableError, in one sentence, where the folder holds no table, is not
    whole, is broken, or is of another version.
    """
    place = Path(folder)
    header, parts, by = _manifest(place)
    for part in parts:
        path = place / part["name"]
        if not path.is_file():
            raise broken(place, f"{part['name']} is missing")
        if path.stat().st_size != part["bytes"] or _end(path) != part["sha256"]:
            raise broken(place, f"{part['name']} is not the file that was written")
    several = tuple(
        TablePart(f" of {part['name']}", part["rows"], part["aliases"], PartFile(place / part["name"]).column)
        for part in parts
    )
    columns = Parts(header.scope, several, partial(broken, place))
    return columns.per_query(header, None if by == "rows" else partial(_order, by))


def broken(place: Path, why: str) -> TableError:
    """Return the error for a folder that is not as it was written."""
    return TableError(f"{place}: the scored queries are broken, {why}; score the runs again.")


@dataclass
class PartFile:
    """A file of a folder. Its footer, which describes all of its columns, is read once."""

    path: Path
    footer: Any = None

    def column(self, name: str) -> pa.ChunkedArray:
        """Return a column. Errors as for ``read_column``."""
        with pa.OSFile(str(self.path)) as opened:  # Arrow tries every filesystem for a path
            column, self.footer = read_column(opened, self.footer, name)
        return column


def files_of(folder: str | Path) -> Files:
    """Return the files that the queries of a folder were scored from, as far as the folder names them. TableError as
    for ``opened``.
    """
    place = Path(folder)
    _manifest(place)
    return files_from(place, json.loads((place / MANIFEST).read_bytes()).get("files"))


def is_scored(folder: str | Path) -> bool:
    """Return whether there is a folder that this module wrote, whole or not."""
    return (Path(folder) / MANIFEST).is_file()


def _order(by: Order, columns: Parts, ids: pa.Array) -> npt.NDArray[np.int64] | None:
    """Return the order of the queries; None where they already stand in it."""
    order: npt.NDArray[np.int64]
    if by == "ids":
        order = arrow.as_numpy(pc.array_sort_indices(ids).cast(pa.int64()))
    else:
        order = np.argsort(as_numpy(columns.chunks(PLACES, pa.int64())), kind="stable")
    return None if (np.diff(order) == 1).all() else order


def _manifest(place: Path) -> tuple[Header, list[dict[str, Any]], Order]:
    """Return the header and the parts of a folder. TableError where it has none, or of another version."""
    if not place.exists():
        raise TableError(f"{place}: there is no such folder of scored queries.")
    if not (place / MANIFEST).is_file():
        raise TableError(
            f"{place} is no folder of scored queries, or was not written to its end: it has no {MANIFEST}."
        )
    try:
        manifest = json.loads((place / MANIFEST).read_bytes())
        form, version = manifest["form"], manifest["version"]
    except (ValueError, KeyError, TypeError, OSError):
        raise broken(place, f"{MANIFEST} cannot be read") from None
    if (form, version) != (FORM, VERSION):
        raise TableError(
            f"{place} has scored queries of version {version!r}, and this program reads version {VERSION}: score the "
            "runs again."
        )
    try:
        header = Header.from_json(json.dumps(manifest["header"]))
        parts = [
            {
                "name": os.path.basename(part["name"]),
                "rows": int(part["rows"]),
                "bytes": int(part["bytes"]),
                "sha256": part["sha256"],
                "aliases": {str(name): str(other) for name, other in part.get("aliases", {}).items()},
            }
            for part in manifest["parts"]
        ]
        if manifest["order"] not in get_args(Order) or len({part["name"] for part in parts}) < len(parts):
            raise ValueError
        return header, parts, manifest["order"]
    except TableError as error:
        raise TableError(f"{place}: {error}") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise broken(place, f"{MANIFEST} does not list its parts") from None


def _end(path: Path) -> str:
    with open(path, "rb") as file:
        return footer_digest(file)


def check_free(folder: str | Path) -> None:
    """Raise FileExistsError where the name of a folder is taken by anything that this module did not write."""
    place = Path(folder)
    if not os.path.lexists(place):
        return
    if not place.is_dir() or not ((place / MANIFEST).is_file() or not any(place.iterdir())):
        raise FileExistsError(errno.EEXIST, "exists, and is no folder of scored queries: name another one", str(folder))


def _put(unfinished: Path, place: Path) -> None:
    """Move a finished folder to its place, and remove what was there."""
    sync_folder(unfinished)
    if not place.exists():
        os.rename(unfinished, place)
    else:
        old = Path(tempfile.mkdtemp(".replaced", f".{place.name[:50]}.", place.absolute().parent)) / place.name
        os.rename(place, old)
        try:
            os.rename(unfinished, place)
        except BaseException:
            os.rename(old, place)
            raise
        finally:
            shutil.rmtree(old.parent, ignore_errors=True)
    sync_folder(place.absolute().parent)
