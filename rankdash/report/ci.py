"""What a gate leaves behind: JUnit XML, and on GitHub a summary, a comment on the pull request, and annotations.

GitHub reads commands from the output of a job: a line that begins with ``::`` can hide text, set variables of older
runners or draw a warning anywhere. Text from files is printed between two lines that switch this off.

A hidden mark in the first line, with the name of the gate, and the author identify the comment. The mark alone would
not do: anyone who may comment could write it, and later change the comment that the gate took for its own.

Nothing here changes the exit status: where GitHub refuses something, a sentence says so, and the verdict stands.

Sources: "Workflow commands for GitHub Actions", "Variables reference" and "REST API endpoints for issue comments",
docs.github.com.
"""

from __future__ import annotations

import json
import secrets
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPException
from pathlib import Path
from typing import Any, TextIO
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import Request, urlopen

from rankdash.records import field, frozen
from rankdash.report.markdown import to_comment, to_markdown
from rankdash.report.sections import Reported, models_words
from rankdash.report.svg import allowed
from rankdash.report.text import warnings
from rankdash.style import STATUS
from rankdash.verdict import RULE_OF, Check, Outcome, Status

#: The public API, where the environment names none (GitHub Enterprise Server has its own).
_API = "https://api.github.com"


@frozen
class WorkflowJob:
    """One run of GitHub Actions; its fields are "" where the environment does not name them."""

    summary: str  #: the file that is shown as the job's summary
    output: str  #: the file for what later steps may read
    comments: Comments | None  #: None: the job runs for a push, a schedule or by hand

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> WorkflowJob | None:
        """Return the job that the environment describes; None outside of GitHub Actions."""
        if environment.get("GITHUB_ACTIONS") != "true":
            return None
        repository = environment.get("GITHUB_REPOSITORY", "")
        number = _pull_request(environment.get("GITHUB_EVENT_PATH", ""))
        api, token = environment.get("GITHUB_API_URL") or _API, environment.get("GITHUB_TOKEN", "")
        comments = Comments(api, token, repository, number) if repository and number is not None else None
        return cls(environment.get("GITHUB_STEP_SUMMARY", ""), environment.get("GITHUB_OUTPUT", ""), comments)

    def summarise(self, markdown: str) -> None:
        """Append a text to the job's summary."""
        _append(self.summary, markdown)

    def tell(self, name: str, word: str) -> None:
        """Let later steps read a word, such as an outcome, under a name."""
        _append(self.output, f"{name}={word}")


def _append(path: str, text: str) -> None:
    if path:
        with open(path, "a", encoding="utf-8") as file:
            file.write(f"{text}\n")


def _pull_request(event_path: str) -> int | None:
    """Return the number of the pull request of an event; None where the event has none, or cannot be read."""
    try:
        event = json.loads(Path(event_path).read_bytes()) if event_path else {}
    except (OSError, ValueError):
        return None
    number = _inside(event, "pull_request", "number")
    return number if isinstance(number, int) else None


def _inside(value: Any, *names: str) -> Any:
    """Return what a JSON value holds under one name within another; None where it holds no such thing."""
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def annotation(level: str, sentence: str, title: str) -> str:
    """Return the line that makes GitHub show a "notice", "warning" or "error".

    No text in it can end the line or begin another command.
    """
    return f"::{level} title={_escaped(title).replace(':', '%3A').replace(',', '%2C')}::{_escaped(sentence)}"


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


#: The most characters that GitHub takes as a comment, and what is added where a comment is cut.
LONGEST = 65_536
_CUT = "\n\n… (cut here: GitHub takes no longer comment; the summary of the job has all of it)\n"
#: Comments per page, pages that are read, seconds that a call may take, bytes that are read of an answer.
_PAGE, _PAGES, _PATIENCE, _LARGEST = 100, 30, 20.0, 1 << 25
#: The statuses that answer a token without the right to write.
_REFUSED = {401, 403, 404}
_NOT_ALLOWED = (
    "the token may not write comments (GitHub answered {status}). "
    "Give the job `permissions: pull-requests: write`. The token of a fork may only read."
)


class CommentsError(Exception):
    """The comment could not be written. ``str()`` is one sentence that says why, and what to do."""


class NotAllowedError(CommentsError):
    """The token may not do that."""


@frozen
class Comments:
    """The comments of a pull request, by the API of GitHub."""

    api: str
    token: str = field(repr=False)
    repository: str  #: "owner/name"
    number: int  #: of the pull request

    def put(self, gate: str, markdown: str) -> str:
        """Write or update the comment of a gate, and return its address on GitHub.

        CommentsError where the token may not write, GitHub does not answer, or answers with something else.
        """
        body = marked(gate, markdown)
        mine = self._comment_of(gate)
        if mine is None:
            answer = self._call("POST", f"{self._issues}/{self.number}/comments", {"body": body})
        else:
            answer = self._call("PATCH", f"{self._issues}/comments/{mine}", {"body": body})
        return str(_inside(answer, "html_url") or "")

    @property
    def _issues(self) -> str:
        return f"/repos/{quote(self.repository)}/issues"

    def _comment_of(self, gate: str) -> int | None:
        """Return the number of the comment that this gate wrote; None where it wrote none."""
        line = mark(gate)
        candidates = [
            comment
            for comment in self._all()
            if isinstance(comment.get("id"), int) and str(comment.get("body", "")).partition("\n")[0].strip() == line
        ]
        if not candidates:
            return None
        writer = self._login()
        return next((comment["id"] for comment in candidates if _is_by(comment, writer)), None)

    def _all(self) -> Iterator[dict[str, Any]]:
        """Yield the comments of the pull request, the oldest 3,000 at most."""
        for page in range(1, _PAGES + 1):
            answer = self._call("GET", f"{self._issues}/{self.number}/comments?per_page={_PAGE}&page={page}")
            comments = answer if isinstance(answer, list) else []
            yield from (comment for comment in comments if isinstance(comment, dict))
            if len(comments) < _PAGE:
                return

    def _login(self) -> str | None:
        """Return the name of the person whose token this is; None for the token of a job."""
        try:
            login: str | None = _inside(self._call("GET", "/user"), "login")
        except NotAllowedError:
            return None
        return login

    def _call(self, method: str, path: str, content: dict[str, str] | None = None) -> Any:
        """Return the JSON that the API answers. CommentsError with the reason where it does not."""
        request = Request(
            f"{self.api.rstrip('/')}{path}",
            data=None if content is None else json.dumps(content).encode(),
            method=method,
            headers={
                "Accept": "application/vnd.github+json",
                "Content-Type": "application/json",
                "User-Agent": "rankdash",
                "X-GitHub-Api-Version": "2022-11-28",
            },
        )
        request.add_unredirected_header("Authorization", f"Bearer {self.token}")  # not sent on to another host
        try:
            with urlopen(request, timeout=_PATIENCE) as answer:
                return json.loads(answer.read(_LARGEST))
        except HTTPError as error:
            error.close()  # it holds the connection
            if error.code in _REFUSED:
                raise NotAllowedError(_NOT_ALLOWED.format(status=error.code)) from None
            raise CommentsError(f"GitHub answered {error.code}.") from None
        except (OSError, HTTPException, ValueError, RecursionError) as error:
            raise CommentsError(f"GitHub did not answer as it should ({type(error).__name__}).") from None


def mark(gate: str) -> str:
    """Return the hidden line that identifies the comment of a gate; nothing in a name can end it."""
    return f"<!-- rankdash gate: {quote(gate, safe=' ').replace('-', '%2D')} -->"


def marked(gate: str, markdown: str) -> str:
    """Return the text of a comment: the mark and the Markdown, cut to what GitHub takes."""
    text = f"{mark(gate)}\n{markdown}"
    return text if len(text) <= LONGEST else f"{text[: LONGEST - len(_CUT)]}{_CUT}"


def _is_by(comment: dict[str, Any], writer: str | None) -> bool:
    """Return whether a comment is by the person whose token this is, or, without a person, by a bot."""
    user = {name: _inside(comment, "user", name) for name in ("type", "login")}
    return bool(user["type"] == "Bot" if writer is None else user["login"] == writer)


_NO_TOKEN = "No comment on the pull request: GITHUB_TOKEN is not set. The verdict is in the summary of the job."


def publish(job: WorkflowJob, gate: str, reported: Reported) -> tuple[list[str], list[str]]:
    """Write the job's summary and the gate's comment on its pull request. Return the sentences to print about that,
    and the annotations: what can change a number or the verdict becomes warnings.
    """
    verdict = reported.verdict
    job.tell("outcome", verdict.outcome.value)
    job.summarise(to_markdown(reported))
    sentences = _comment(job, gate, to_comment(reported))
    said = annotation("notice" if verdict.outcome is Outcome.LAUNCH else "error", verdict.line, gate)
    minded = warnings(reported.comparison, verdict)
    return sentences, [said, *(annotation("warning", sentence, gate) for sentence in minded)]


def _comment(job: WorkflowJob, gate: str, markdown: str) -> list[str]:
    """Write the comment of the gate; return a sentence that says where it is, or why there is none."""
    if job.comments is None:
        return []
    if not job.comments.token:
        return [_NO_TOKEN]
    try:
        address = job.comments.put(gate, markdown)
    except CommentsError as error:
        return [f"No comment on the pull request: {error} The verdict is in the summary of the job."]
    return [f"The comment on the pull request: {address}"]


# --- JUnit: a test case per rule, for systems that show such a file ---------------------------------------------------

#: The kind of a status in JUnit: a rule that failed or is not proven prevents a launch.
_KINDS = {Status.FAILED: "failure", Status.NOT_PROVEN: "failure", Status.NOT_APPLICABLE: "skipped"}


def to_junit(reported: Reported) -> bytes:
    """Return the checklist as a suite of test cases; the verdict, and what to know before, stand below it."""
    verdict = reported.verdict
    kinds = [_KINDS.get(check.status) for check in verdict.checks]
    counts = {
        "tests": str(len(kinds)),
        "failures": str(kinds.count("failure")),
        "errors": "0",
        "skipped": str(kinds.count("skipped")),
        "time": "0",
    }
    whole = ET.Element("testsuites", {"name": "rankdash", **counts})
    name = allowed(reported.name or models_words(reported.comparison))
    at = f"{reported.at:%Y-%m-%dT%H:%M:%S}"
    suite = ET.SubElement(whole, "testsuite", {"name": name, **counts, "timestamp": at})
    for check in verdict.checks:
        _case(suite, check)
    said = (*reported.stamps, verdict.line, reported.link)
    ET.SubElement(suite, "system-out").text = allowed("\n".join(filter(None, said)))
    ET.indent(whole, " ")
    content: bytes = ET.tostring(whole, encoding="utf-8", xml_declaration=True)
    return content + b"\n"


def _case(suite: ET.Element, check: Check) -> None:
    name = f"{check.rule} {RULE_OF[check.rule].name}"
    case = ET.SubElement(suite, "testcase", name=name, classname=f"rankdash.{check.question}", time="0")
    kind, sentence = _KINDS.get(check.status), allowed(check.sentence)
    if kind == "failure":
        ET.SubElement(case, kind, type=STATUS[check.status.value], message=sentence).text = sentence
    elif kind is not None:
        ET.SubElement(case, kind, message=sentence)
