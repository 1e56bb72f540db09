"""Mutants of functions, made and run by mutmut, tallied by room."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.mutants.copying import tests

EQUIVALENT = Path(__file__).parent / "equivalent.toml"
#: Exit codes by which mutmut tells what became of a mutant: 0 is a run in which no test failed, 33 no test at all.
_SURVIVED = frozenset({0, 33})
_NOT_RUN = frozenset({None, 34})


@dataclass
class Tally:
    """What became of the mutants of one room; ``survivors`` are their changes, ``file: old -> new``."""

    killed: int = 0
    equivalent: int = 0
    survivors: list[str] = field(default_factory=list)

    @property
    def share(self) -> float:
        """Killed mutants among those that mean something else than the code."""
        return self.killed / max(self.killed + len(self.survivors), 1)

    def text(self, room: str, least: float) -> str:
        """The room's line, and its survivors."""
        verdict = "OK" if self.share >= least else "MISSED"
        killed = f"{self.share:.1%} of {self.killed + len(self.survivors):,} mutants killed (>= {least:.0%} {verdict})"
        survivors = (f"  {one}" for one in sorted(self.survivors))
        return "\n".join([f"{room}: {killed}, {self.equivalent} equivalent", *survivors])


def run(tree: Path, rooms: Sequence[str]) -> dict[str, Tally]:
    """What became of every mutant of some rooms."""
    _configure(tree, rooms)
    mutmut = [sys.executable, "-m", "mutmut", "run", "--max-children", str(os.cpu_count() or 2)]
    log = tree / "mutmut.log"
    with log.open("wb") as out:
        status = subprocess.run(mutmut, cwd=tree, stdout=out, stderr=subprocess.STDOUT, check=False).returncode
    found = {room: _tally(tree, room) for room in rooms}
    if status or not any(one.killed for one in found.values()):
        raise SystemExit(f"mutmut ended with status {status}; its output is in {log}")
    return found


def _configure(tree: Path, rooms: Sequence[str]) -> None:
    """Writes mutmut's settings behind those of the copied project."""
    selected = tests(tree)
    settings = {
        "source_paths": ["rankdash"],
        "only_mutate": [f"rankdash/{room}/*" for room in rooms],
        "also_copy": ["data", "benchmarks", "scripts", "README.md", "app.py"],
        "pytest_add_cli_args": ["--all", "-p", "no:cacheprovider"],
        "pytest_add_cli_args_test_selection": selected,
    }
    lines = [f"{name} = {json.dumps(value)}" for name, value in settings.items()]
    project = tree / "pyproject.toml"
    before = project.read_text(encoding="utf-8").split("\n[tool.mutmut]")[0]
    project.write_text(before + "\n[tool.mutmut]\nuse_git_change_detection = false\n" + "\n".join(lines) + "\n")


def _tally(tree: Path, room: str) -> Tally:
    reasons = tomllib.loads(EQUIVALENT.read_text(encoding="utf-8")) if EQUIVALENT.exists() else {}
    equivalent = {(one["file"], one["change"]) for one in reasons.get("mutant", [])}
    tally = Tally()
    for meta in sorted((tree / "mutants" / "rankdash" / room).rglob("*.py.meta")):
        file = meta.relative_to(tree / "mutants").as_posix().removesuffix(".meta")
        for key, code in json.loads(meta.read_text(encoding="utf-8"))["exit_code_by_key"].items():
            if code in _NOT_RUN:
                raise SystemExit(f"{key} was not run")
            if code not in _SURVIVED:
                tally.killed += 1
                continue
            change = change_of(tree, file, key)
            if (file, change) in equivalent:
                tally.equivalent += 1
            else:
                tally.survivors.append(f"{file}: {change}")
    return tally


def change_of(tree: Path, file: str, key: str) -> str:
    """What a mutant changes: the function, the lines as they were and as they are."""
    shown = subprocess.run(
        [sys.executable, "-m", "mutmut", "show", key], cwd=tree, stdout=subprocess.PIPE, text=True, check=True
    ).stdout.splitlines()
    removed = " ".join(line[1:].strip() for line in shown if line.startswith("-") and not line.startswith("---"))
    added = " ".join(line[1:].strip() for line in shown if line.startswith("+") and not line.startswith("+++"))
    function = key.rpartition(".")[-1].partition("__mutmut_")[0].removeprefix("x_").replace("xǁ", "").replace("ǁ", ".")
    return f"{function}: {removed} -> {added}"
