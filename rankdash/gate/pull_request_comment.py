"""The comment of a gate on a pull request: written once, and updated by every later run.

A hidden mark in the first line, with the name of the gate, and the author identify the comment. The mark alone would
not do: anyone who may comment could write it, and later change the comment that the gate took for its own.

Source: "REST API endpoints for issue comments", docs.github.com.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import Request, urlopen

from rankdash.gate.job import PullRequest

#: The most characters that GitHub takes as a comment, and what is added where a comment is cut.
LONGEST = 65_536
_CUT = "\n\n… (cut here: GitHub takes no longer comment; the summary of the job has all of it)\n"
#: Comments per page, pages that are read, seconds that a call may take, bytes that are read of an answer.
_PAGE, _PAGES, _PATIENCE, _LARGEST = 100, 30, 20.0, 1 << 25
#: The statuses that answer a token without the right to write.
_REFUSED = {401, 403, 404}


class CommentsError(Exception):
    """The comment could not be written. ``str()`` is one sentence that says why, and what to do."""


class NotAllowedError(CommentsError):
    """The token may not do that."""


@dataclass(frozen=True)
class Comments:
    """The comments of a pull request, by the API of GitHub."""

    api: str
    token: str = field(repr=False)
    pull_request: PullRequest

    def put(self, gate: str, markdown: str) -> str:
        """Write or update the comment of a gate, and return its address on GitHub.

        CommentsError where the token may not write, GitHub does not answer, or answers with something else.
        """
        body = marked(gate, markdown)
        mine = self._comment_of(gate)
        if mine is None:
            answer = self._call("POST", f"{self._issue}/comments", {"body": body})
        else:
            answer = self._call("PATCH", f"{self._repository}/issues/comments/{mine}", {"body": body})
        address = answer.get("html_url") if isinstance(answer, dict) else None
        return address if isinstance(address, str) else ""

    @property
    def _repository(self) -> str:
        return f"/repos/{quote(self.pull_request.repository)}"

    @property
    def _issue(self) -> str:
        return f"{self._repository}/issues/{self.pull_request.number}"

    def _comment_of(self, gate: str) -> int | None:
        """Return the number of the comment that this gate wrote; None where it wrote none."""
        candidates = [comment for comment in self._all() if _has_mark(comment, mark(gate))]
        if not candidates:
            return None
        writer = self._login()
        return next((comment["id"] for comment in candidates if _is_by(comment, writer)), None)

    def _all(self) -> Iterator[dict[str, Any]]:
        """Yield the comments of the pull request, the oldest 3,000 at most."""
        for page in range(1, _PAGES + 1):
            answer = self._call("GET", f"{self._issue}/comments?per_page={_PAGE}&page={page}")
            comments = answer if isinstance(answer, list) else []
            yield from (comment for comment in comments if isinstance(comment, dict))
            if len(comments) < _PAGE:
                return

    def _login(self) -> str | None:
        """Return the name of the person whose token this is; None for the token of a job."""
        try:
            answer = self._call("GET", "/user")
        except NotAllowedError:
            return None
        login = answer.get("login") if isinstance(answer, dict) else None
        return login if isinstance(login, str) else None

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
            raise (NotAllowedError if error.code in _REFUSED else CommentsError)(_reason(error.code)) from None
        except (OSError, HTTPException, ValueError, RecursionError) as error:
            raise CommentsError(f"GitHub did not answer as it should ({type(error).__name__}).") from None


def mark(gate: str) -> str:
    """Return the hidden line that identifies the comment of a gate; nothing in a name can end it."""
    name = quote(gate, safe=" ").replace("-", "%2D")
    return f"<!-- rankdash gate: {name} -->"


def marked(gate: str, markdown: str) -> str:
    """Return the text of a comment: the mark and the Markdown, cut to what GitHub takes."""
    text = f"{mark(gate)}\n{markdown}"
    return text if len(text) <= LONGEST else f"{text[: LONGEST - len(_CUT)]}{_CUT}"


def _has_mark(comment: dict[str, Any], line: str) -> bool:
    return isinstance(comment.get("id"), int) and str(comment.get("body", "")).partition("\n")[0].strip() == line


def _is_by(comment: dict[str, Any], writer: str | None) -> bool:
    """Return whether a comment is by the person whose token this is, or, without a person, by a bot."""
    user = comment.get("user")
    if not isinstance(user, dict):
        return False
    return user.get("type") == "Bot" if writer is None else user.get("login") == writer


def _reason(status: int) -> str:
    if status in _REFUSED:
        return (
            f"the token may not write comments (GitHub answered {status}); "
            "give the job `permissions: pull-requests: write`."
        )
    return f"GitHub answered {status}."
