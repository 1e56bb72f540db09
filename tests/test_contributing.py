"""CONTRIBUTING.md followed to the letter: each example is applied to a copy of the project, and the copy is run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.contributing import Step, copied, examples

CHECKS = "tests/contributing_checks.py"
#: Heading -> how many files the example touches, and the tests that list such things, to be run in the copy.
SECTIONS = {
    "Add a measure": (1, "metrics/test_examples.py test_method.py test_tables.py"),
    "Add a rule": (1, "test_tables.py test_verdict.py"),
    "Add a text format": (2, "reading/test_trec.py reading/test_recognising.py test_architecture.py"),
    "Add a page": (3, "test_architecture.py"),
}


def test_every_example_is_followed() -> None:
    """The sections with blocks are those that are tried, and each touches as few files as it says."""
    touched = {heading: len({step.path for step in steps}) for heading, steps in examples().items()}
    assert touched == {heading: files for heading, (files, _) in SECTIONS.items()}


@pytest.mark.parametrize("heading", SECTIONS)
def test_an_example_works_as_it_stands(heading: str, tmp_path: Path) -> None:
    """Applied to a copy of the project an example does what it promises, and the tests beside it pass there."""
    copy = copied(tmp_path, examples()[heading])
    check = f"{CHECKS}::test_{heading.removeprefix('Add a ').replace(' ', '_')}"
    beside = [f"tests/{name}" for name in SECTIONS[heading][1].split()]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "not light", check, *beside],
        cwd=copy,
        env={**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]


def test_a_place_that_is_gone_is_told(tmp_path: Path) -> None:
    """A block whose context is no longer in its file fails with the file and what was looked for."""
    (tmp_path / "a.py").write_text("one\ntwo\n", "utf-8")
    Step("a.py", " one\n+more\n", changes=True).apply(tmp_path)
    assert (tmp_path / "a.py").read_text("utf-8") == "one\nmore\ntwo\n"
    with pytest.raises(ValueError, match=r"a\.py holds 0 times"):
        Step("a.py", " three\n+more\n", changes=True).apply(tmp_path)
