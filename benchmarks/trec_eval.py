"""trec_eval, built with full optimisation from a source archive that the caller names. Standard library only."""

from __future__ import annotations

import os
import shutil
import subprocess
import tarfile
import zipfile
from pathlib import Path

#: trec_eval's own Makefile asks the compiler for no optimisation, which would flatter whoever is compared with it.
COMPILER = "cc -O3 -w"


class NotBuilt(RuntimeError):
    """The archive cannot be read, holds no sources of trec_eval, or they do not compile; the message says which."""


def build(archive: Path, folder: Path) -> Path:
    """Unpacks ``archive`` (.tar.gz or .zip) into ``folder``, compiles it there, and returns the binary's folder.

    Whatever ``folder`` held before is gone. Raises NotBuilt; needs ``make`` and a C compiler.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    try:
        _unpack(archive, folder)
    except (OSError, tarfile.TarError, zipfile.BadZipFile) as error:
        raise NotBuilt(f"{archive} cannot be unpacked: {error}") from error
    sources = [path.parent for path in sorted(folder.rglob("trec_eval.c")) if (path.parent / "Makefile").exists()]
    if not sources:
        raise NotBuilt(f"{archive} holds no folder with trec_eval.c and a Makefile")
    command = ["make", f"CC={COMPILER}", "trec_eval"]
    try:
        done = subprocess.run(command, cwd=sources[0], capture_output=True, text=True, errors="replace", check=False)
    except OSError as error:
        raise NotBuilt(f"make did not start: {error}") from error
    if done.returncode or not os.access(sources[0] / "trec_eval", os.X_OK):
        raise NotBuilt(f"{archive} does not compile: " + " | ".join(done.stderr.strip().splitlines()[-3:]))
    return sources[0]


def _unpack(archive: Path, folder: Path) -> None:
    if zipfile.is_zipfile(archive):
        with zipfile.ZipFile(archive) as packed:
            packed.extractall(folder)
    else:
        with tarfile.open(archive) as packed:
            packed.extractall(folder, filter="data")
