"""The folder of PostgreSQL's programs for the tests of a store in it, installed first where there is none.

Prints the folder alone on stdout. Where none can be had it prints a sentence on stderr, and ends well: the tests in
PostgreSQL are left out, and counted.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

NAMED = "RANKDASH_POSTGRES"
PROGRAMS = ("initdb", "postgres")
#: Where Debian and others put the programs, which are seldom in PATH.
FOLDERS = ("/usr/lib/postgresql", "/usr/local/opt", "/opt/homebrew/opt")
NONE_TO_BE_HAD = (
    "rankdash: no PostgreSQL was found and none could be installed here, so the tests of a store in it are left out; "
    f"install one, or name the folder of initdb with {NAMED}=/path/to/bin."
)


def starts(program: str | Path) -> bool:
    """Return whether a program starts."""
    try:
        return not subprocess.run([program, "--version"], capture_output=True, timeout=60, check=False).returncode
    except (OSError, subprocess.TimeoutExpired):
        return False


def works(folder: str | Path) -> bool:
    """Return whether a folder holds the programs, and they start."""
    return all(starts(Path(folder, name)) for name in PROGRAMS)


def places() -> Iterator[Path]:
    """Return where the programs may be: PATH, then the newest version in the folders of packages."""
    found = shutil.which("initdb")
    if found:
        yield Path(found).resolve().parent
    for folder in map(Path, FOLDERS):
        yield from (initdb.parent for initdb in sorted(folder.glob("*/bin/initdb"), reverse=True))


def installed() -> str | None:
    """Return the folder of a PostgreSQL here that starts: the one that RANKDASH_POSTGRES names, or the first found."""
    named = os.environ.get(NAMED)
    if named:
        return named if works(named) else None
    return next((str(folder) for folder in places() if works(folder)), None)


def install_from_debian(*packages: str) -> None:
    """Let apt-get try to install packages of Debian's, if this is Debian and we may."""
    release = Path("/etc/os-release")
    if not release.exists() or "ID=debian" not in release.read_text().splitlines():
        return
    as_root = [] if os.geteuid() == 0 else ["sudo", "-n"]
    if as_root and not shutil.which("sudo"):
        return
    apt = [*as_root, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq"]
    # A list that cannot be renewed may still serve, so the first command may fail.
    subprocess.run([*apt, "update"], capture_output=True, check=False)
    subprocess.run([*apt, "install", "-y", "--no-install-recommends", *packages], capture_output=True, check=False)


def find() -> str | None:
    """Return the folder of the programs: one that is here, or one installed now."""
    if (found := installed()) or NAMED in os.environ:
        return found
    print("No PostgreSQL here; installing one for the tests of a store in it.", file=sys.stderr, flush=True)
    install_from_debian("postgresql")
    return installed()


def main() -> None:
    """Print the folder, or the sentence that there is none."""
    folder = find()
    if folder is not None:
        print(folder)
    elif named := os.environ.get(NAMED):
        raise SystemExit(f"rankdash: {NAMED} names {named}, which holds no initdb and postgres that start.")
    else:
        print(NONE_TO_BE_HAD, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
