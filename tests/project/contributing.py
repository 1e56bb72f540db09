"""The examples of CONTRIBUTING.md, and how they are applied to a copy of the project."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
#: What a copy needs to run the dashboard, the command line and the tests.
COPIED = ("rankdash", "tests", "scripts", "data", ".streamlit", "app.py", "pyproject.toml")
_BLOCK = re.compile(r"^```(?P<kind>diff|python)\n(?:\+\+\+|#) (?P<path>[\w./-]+)\n(?P<body>.*?)^```$", re.DOTALL | re.M)


@dataclass(frozen=True)
class Step:
    """One block: a file with its text, or changes of one that exists, hunk by hunk."""

    path: str
    body: str
    changes: bool

    def apply(self, root: Path) -> None:
        """Does to the files below a folder what the block says. ValueError where a place is not there exactly once."""
        file = root / self.path
        if not self.changes:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(self.body, "utf-8")
            return
        text = file.read_text("utf-8")
        for hunk in re.split(r"^@@.*\n", self.body, flags=re.M):
            lines = hunk.splitlines(keepends=True)
            before = "".join(line[1:] for line in lines if line[0] != "+")
            after = "".join(line[1:] or "\n" for line in lines if line[0] != "-")
            if text.count(before) != 1:
                raise ValueError(
                    f"{self.path} holds {text.count(before)} times what CONTRIBUTING.md changes:\n{before}"
                )
            text = text.replace(before, after)
        file.write_text(text, "utf-8")


def examples() -> dict[str, list[Step]]:
    """Heading -> the steps below it, of every section of CONTRIBUTING.md that has some."""
    found: dict[str, list[Step]] = {}
    for section in (ROOT / "CONTRIBUTING.md").read_text("utf-8").split("\n## ")[1:]:
        steps = [Step(block["path"], block["body"], block["kind"] == "diff") for block in _BLOCK.finditer(section)]
        if steps:
            found[section.partition("\n")[0]] = steps
    return found


def copied(to: Path, steps: list[Step]) -> Path:
    """A copy of the project to which the steps are applied; what Python compiled comes along, to save the time."""
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, to / name)
        else:
            shutil.copy(ROOT / name, to / name)
    for step in steps:
        step.apply(to)
    return to
