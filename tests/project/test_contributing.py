"""CONTRIBUTING.md followed to the letter: each example is applied to a copy of the project, and the copy is run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.project.contributing import Step, copied, examples

#: Heading -> how many files the example touches.
FILES = {
    "Add a measure": 1,
    "Add a rule": 2,
    "Add a rule with a field": 2,
    "Test a rule with a field": 4,
    "Add a text format": 2,
    "Add an export": 1,
    "Add a page": 2,
    "Add a command": 2,
}
#: What holds of the examples, and the tests that list such things.
RUN_IN_COPY = (
    "project/contributing_checks.py",
    "metrics/test_examples.py",
    "policy/test_tables.py",
    "dashboard/test_cases.py::test_no_page_breaks[one-examples]",
    "inspect/test_method.py::test_the_page_names_what_a_preset_covers",
    "policy/test_policy.py",
    "verdict/test_verdict.py",
    "verdict/test_decided_comparable.py",
    "dashboard/test_alt.py",
    "truth/test_verdict_twin.py",
    "truth/test_policies_pairwise.py::test_the_table_has_every_field",
    "truth/test_policies_pairwise.py::test_any_two_values_meet",
    "project/test_architecture.py::test_rooms_within_a_room_see_one_way",
    "project/test_architecture.py::test_no_folder_holds_more_modules_than_a_reader_can_hold",
)


def test_every_example_is_followed() -> None:
    """The sections with blocks are those that are tried, and each touches as few files as it says."""
    assert {heading: len({step.path for step in steps}) for heading, steps in examples().items()} == FILES


@pytest.mark.long
def test_the_examples_work_as_they_stand(tmp_path: Path) -> None:
    """Applied to a copy of the project the examples pass lint, do what they promise, and so do the tests beside them.

    One process for all of them: starting it costs more than what it does.
    """
    steps = [step for steps in examples().values() for step in steps]
    copy = copied(tmp_path, steps)
    written = sorted({step.path for step in steps if step.path.endswith(".py")})
    for check in (("ruff", "check", "--no-cache", *written), ("ruff", "format", "--check", *written), ("vulture",)):
        lint = subprocess.run([sys.executable, "-m", *check], cwd=copy, capture_output=True, check=False)
        assert lint.returncode == 0, lint.stdout.decode()
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *(f"tests/{name}" for name in RUN_IN_COPY)],
        cwd=copy,
        env={**os.environ, "PYTHONPATH": str(copy)},
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
