"""The job of GitHub Actions that a process runs in, as its environment tells.

GitHub reads commands from the output of a job: a line that begins with ``::`` can hide text, set variables of older
runners or draw a warning anywhere. Text from files is printed between two lines that switch this off.

Source: "Workflow commands for GitHub Actions" and "Variables reference", docs.github.com.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

#: The public API, where the environment names none (GitHub Enterprise Server has its own).
_API = "https://api.github.com"
#: The most bytes of a summary that GitHub keeps for a step: 1 MiB.
_LARGEST_SUMMARY = 1 << 20
#: How many annotations of a level GitHub shows for a step; it drops further ones without a word.
_MOST = 10


@dataclass(frozen=True)
class PullRequest:
    """The pull request that a job runs for."""

    repository: str  #: "owner/name", where the comments are
    number: int
    is_fork: bool  #: whether its branch is in another repository, so that the job's token may only read


@dataclass(frozen=True)
class WorkflowJob:
    """One run of GitHub Actions; its fields are "" where the environment does not name them."""

    api: str
    token: str
    summary: str  #: the file that is shown as the job's summary
    output: str  #: the file for what later steps may read
    pull_request: PullRequest | None  #: None: the job runs for a push, a schedule or by hand

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> WorkflowJob | None:
        """Return the job that the environment describes; None outside of GitHub Actions."""
        if environment.get("GITHUB_ACTIONS") != "true":
            return None
        return cls(
            environment.get("GITHUB_API_URL") or _API,
            environment.get("GITHUB_TOKEN", ""),
            environment.get("GITHUB_STEP_SUMMARY", ""),
            environment.get("GITHUB_OUTPUT", ""),
            _pull_request(environment.get("GITHUB_REPOSITORY", ""), environment.get("GITHUB_EVENT_PATH", "")),
        )

    def summarise(self, markdown: str) -> bool:
        """Append a text to the job's summary; return whether that was possible: a summary holds at most 1 MiB."""
        content = f"{markdown}\n".encode()
        if not self.summary or len(content) > _LARGEST_SUMMARY:
            return False
        with open(self.summary, "ab") as file:
            file.write(content)
        return True

    def tell(self, name: str, word: str) -> None:
        """Let later steps read a word, such as an outcome, under a name."""
        if self.output:
            with open(self.output, "a", encoding="utf-8") as file:
                file.write(f"{name}={word}\n")


def _pull_request(repository: str, event_path: str) -> PullRequest | None:
    """Return the pull request of an event; None where the event has none, or cannot be read."""
    try:
        event = json.loads(Path(event_path).read_bytes()) if event_path else {}
    except (OSError, ValueError):
        return None
    pull = event.get("pull_request") if isinstance(event, dict) else None
    if not repository or not isinstance(pull, dict) or not isinstance(pull.get("number"), int):
        return None
    head = _full_name(pull, "head")
    return PullRequest(repository, pull["number"], is_fork=head is None or head.casefold() != repository.casefold())


def _full_name(pull: Mapping[str, Any], side: str) -> str | None:
    """Return the repository of a side of a pull request; None where it was deleted."""
    end = pull.get(side)
    repository = end.get("repo") if isinstance(end, dict) else None
    name = repository.get("full_name") if isinstance(repository, dict) else None
    return name if isinstance(name, str) else None


def annotation(level: str, sentence: str, title: str) -> str:
    """Return the line that makes GitHub show a "notice", "warning" or "error".

    No text in it can end the line or begin another command.
    """
    return f"::{level} title={_escaped(title).replace(':', '%3A').replace(',', '%2C')}::{_escaped(sentence)}"


def annotation_lines(level: str, sentences: Sequence[str], title: str) -> list[str]:
    """Return the lines for some sentences, ten at most: GitHub drops further ones, so the last says how many."""
    shown = sentences if len(sentences) <= _MOST else sentences[: _MOST - 1]
    more = len(sentences) - len(shown)
    rest = [f"And {more} more, in the summary of the job."] if more else []
    return [annotation(level, sentence, title) for sentence in (*shown, *rest)]


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


@contextmanager
def commands_stopped(output: TextIO) -> Iterator[None]:
    """Make GitHub take everything that is written meanwhile as text, never as a command."""
    mark = secrets.token_hex(16)
    output.write(f"::stop-commands::{mark}\n")
    try:
        yield
    finally:
        output.write(f"::{mark}::\n")
        output.flush()
