"""Make a virtual environment that holds what a lock lists: every version and every file as in requirements/locks/.

Run by make with whatever Python there is, as `set_up.py FOLDER LOCK`, where `dev` is requirements/locks/dev.txt. So it
needs nothing but the standard library, and says in one sentence what is missing.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

OLDEST = (3, 11)
LOCKS = Path("requirements", "locks")
SETUP = "setup"  # pip itself, and what builds the editable install


def missing() -> str | None:
    """Return a sentence about what this Python lacks, or None."""
    if sys.version_info < OLDEST:
        found = ".".join(map(str, sys.version_info[:3]))
        return f"Python 3.11 or newer is needed and this is {found}; name another with make PYTHON=python3.12."
    if importlib.util.find_spec("venv") is None or importlib.util.find_spec("ensurepip") is None:
        return "this Python cannot make a virtual environment; install its venv package (Debian: python3-venv)."
    return None


def run(*command: str | Path) -> None:
    """Run a command, or end the program with a sentence that names it."""
    status = subprocess.run([str(part) for part in command], check=False).returncode
    if status:
        raise SystemExit(f"rankdash: setting up stopped at `{' '.join(str(part) for part in command)}` (see above).")


def is_whole(python: Path) -> bool:
    """Return whether an environment was made to its end: one that was interrupted has a Python without pip."""
    return python.exists() and not subprocess.run([python, "-c", "import pip"], capture_output=True).returncode


def main(folder: str, lock: str) -> None:
    """Make the environment in `folder` hold what a lock lists, and the rankdash command."""
    problem = missing()
    if problem:
        raise SystemExit(f"rankdash: {problem}")
    python = Path(folder, "bin", "python")
    print(
        f"Setting up {folder} with requirements/locks/{lock}.txt; this is done once and takes a minute or two.",
        flush=True,
    )
    if not is_whole(python):
        run(sys.executable, "-m", "venv", "--clear", folder)
    pip = [python, "-m", "pip", "-qq", "--disable-pip-version-check"]
    for name in (SETUP, lock):  # pip first: the one that Python brought may be years old
        run(*pip, "install", "--require-hashes", "--requirement", LOCKS / f"{name}.txt")
    if "setuptools==" not in (LOCKS / f"{lock}.txt").read_text("utf-8"):
        run(*pip, "uninstall", "--yes", "setuptools")  # as old as Python's pip, and needed by nothing
    run(*pip, "install", "--no-deps", "--no-build-isolation", "--editable", ".")


if __name__ == "__main__":
    main(*sys.argv[1:])
