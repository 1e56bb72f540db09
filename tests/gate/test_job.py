"""The job of GitHub Actions: what its environment tells, and what no text in a file can do to it."""

import io
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from rankdash.report.ci import WorkflowJob, annotation, commands_stopped


def job(folder: Path, event: Any = None, **more: str) -> WorkflowJob | None:
    """The job of an environment with an event."""
    file = folder / "event.json"
    file.write_text(event if isinstance(event, str) else json.dumps(event), "utf-8")
    environment = {"GITHUB_ACTIONS": "true", "GITHUB_REPOSITORY": "search/ranking", "GITHUB_EVENT_PATH": str(file)}
    return WorkflowJob.from_environment({**environment, **more})


def test_the_summary_is_added_to(tmp_path: Path) -> None:
    """A summary is written behind what stands there."""
    summary = tmp_path / "summary.md"
    summary.write_text("before\n", "utf-8")
    found = job(tmp_path, {}, GITHUB_STEP_SUMMARY=str(summary), GITHUB_OUTPUT=str(tmp_path / "output"))
    found.summarise("**Launch** ü")
    assert summary.read_text("utf-8") == "before\n**Launch** ü\n"
    found.tell("outcome", "LAUNCH")
    assert (tmp_path / "output").read_text("utf-8") == "outcome=LAUNCH\n"


@pytest.mark.parametrize("text", ["a\n::error::b", "a\r::set-output name=x::y", "100%", "%0A::error::b", "##[error]b"])
def test_no_text_is_a_command(text: str) -> None:
    """A sentence is one line, and comes back as it was where GitHub takes its escapes out."""
    line = annotation("warning", text, text)
    assert line.count("\n") == line.count("\r") == 0
    head, shown = line.removeprefix("::warning title=").split("::", 1)
    assert ":" not in head
    assert "," not in head
    assert shown.replace("%0D", "\r").replace("%0A", "\n").replace("%25", "%") == text


def test_what_is_printed_between_two_marks_is_no_command() -> None:
    """Commands are off until a mark that no file can know, also after an error."""
    output, marks = io.StringIO(), set()
    for _ in range(2):
        with suppress(ValueError), commands_stopped(output):
            output.write("::error::from a file\n")
            raise ValueError
        first, shown, last = output.getvalue().splitlines()[-3:]
        assert shown == "::error::from a file"
        assert first.removeprefix("::stop-commands::") == last.strip(":")
        marks.add(last)
    assert len(marks) == 2
