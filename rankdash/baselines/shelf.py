"""Where baselines are kept: a folder that CI caches or that lies in git, or the files of the store."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
from pyarrow import fs

from rankdash.baselines.baseline import Baseline, BaselineError
from rankdash.strings.addresses import showable, without_secrets
from rankdash.system import make_folder, write_whole

#: A name is a file name everywhere, and a word on every command line.
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_ENDING = ".baseline.arrow"
#: The permissions of a baseline in a folder of its own: git and caches keep it for others.
_SHARED = 0o644


@dataclass(frozen=True)
class Shelf:
    """The baselines below a folder or a URL that pyarrow knows; made when the first baseline is kept."""

    system: fs.FileSystem
    root: str
    where: str  #: the place as people may see it, without passwords
    is_private: bool = False  #: whether its files are for their owner alone

    @classmethod
    def at(cls, place: str) -> Shelf:
        """Return the shelf at a place. BaselineError for a URL that pyarrow does not know."""
        if "://" not in place:
            root = os.path.abspath(Path(place).expanduser())
            return cls(fs.LocalFileSystem(), root, root)
        try:
            system, root = fs.FileSystem.from_uri(place)
        except (pa.ArrowException, OSError, ValueError):
            raise BaselineError(
                f"{showable(place)} is no place for files: name a folder, or a URL like s3://BUCKET."
            ) from None
        return cls(system, root.rstrip("/"), showable(place))

    def keep(self, baseline: Baseline) -> None:
        """Keep a baseline in place of an earlier one, whole or not at all. BaselineError where this fails."""
        path, data = self._path(baseline.name), baseline.to_bytes()
        with self._refusals():
            if isinstance(self.system, fs.LocalFileSystem):
                make_folder(Path(self.root))
                write_whole(Path(path), data, None if self.is_private else _SHARED)
                return
            with self.system.open_output_stream(path) as stream:
                stream.write(data)

    def take(self, name: str) -> Baseline:
        """Return the baseline of a name. BaselineError where there is none, with the names that there are."""
        path = self._path(name)
        with self._refusals():
            if self.system.get_file_info(path).type != fs.FileType.File:
                raise BaselineError(self._none(name))
            with self.system.open_input_file(path) as file:
                data = file.read_buffer()
        return Baseline.from_bytes(data, f"The baseline {name!r} in {self.where}")

    def names(self) -> list[str]:
        """Return the names of the baselines, sorted."""
        with self._refusals():
            selector = fs.FileSelector(self.root, allow_not_found=True)
            files = [info.base_name for info in self.system.get_file_info(selector) if info.type == fs.FileType.File]
        return sorted(name.removesuffix(_ENDING) for name in files if name.endswith(_ENDING))

    def remove(self, name: str) -> None:
        """Remove a baseline. BaselineError where there is none of that name."""
        path = self._path(name)
        with self._refusals():
            if self.system.get_file_info(path).type != fs.FileType.File:
                raise BaselineError(self._none(name))
            self.system.delete_file(path)

    def _path(self, name: str) -> str:
        if not _NAME.fullmatch(name):
            raise BaselineError(
                f"{name[:80]!r} is no name of a baseline: use letters, digits, points, dashes, underscores, 64 at most."
            )
        return f"{self.root}/{name}{_ENDING}"

    def _none(self, name: str) -> str:
        names = self.names()
        there = f"kept there: {', '.join(names[:20])}" if names else "there is none yet: rankdash baseline set NAME RUN"
        return f"No baseline {name!r} is kept in {self.where}; {there}."

    @contextmanager
    def _refusals(self) -> Iterator[None]:
        """Raise BaselineError for what a file system refuses."""
        try:
            yield
        except (OSError, pa.ArrowException) as error:
            reason = getattr(error, "strerror", None) or without_secrets(str(error))
            raise BaselineError(f"Baselines in {self.where}: {reason}.") from None
