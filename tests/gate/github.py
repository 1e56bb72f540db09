"""A stand-in for GitHub's API on this machine: the comments of one pull request, in the form that GitHub documents."""

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

WRITES, READS, PERSON = "may-write", "may-read", "ann's"
_BOT = {"login": "github-actions[bot]", "type": "Bot"}


@dataclass
class GitHub:
    """What the stand-in holds, and what it was asked."""

    url: str = ""
    comments: list[dict[str, Any]] = field(default_factory=list)
    calls: list[tuple[str, str]] = field(default_factory=list)
    tokens: list[str] = field(default_factory=list)
    answers: dict[str, tuple[int, bytes]] = field(default_factory=dict)  #: by method, in place of what it would say

    def add(self, body: str, login: str, kind: str = "User") -> None:
        """Let somebody comment."""
        number = len(self.comments) + 1
        user = {"login": login, "type": kind}
        self.comments.append({"id": number, "body": body, "user": user, "html_url": f"{self.url}/{number}"})

    @property
    def bodies(self) -> list[str]:
        """The texts of the comments, in their order."""
        return [comment["body"] for comment in self.comments]


@contextmanager
def served() -> Iterator[GitHub]:
    """Yield the stand-in while it answers on a port of this machine."""
    github = GitHub()

    class Handler(_Handler):
        held = github

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    github.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield github
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    held: GitHub

    def do_GET(self) -> None:
        where = urlsplit(self.path)
        if where.path == "/user":
            ann = self._token() == PERSON
            self._answer("GET", 200 if ann else 403, {"login": "ann", "type": "User"} if ann else {"message": "no"})
            return
        asked = {key: int(value[0]) for key, value in parse_qs(where.query).items()}
        start = (asked["page"] - 1) * asked["per_page"]
        self._answer("GET", 200, self.held.comments[start : start + asked["per_page"]])

    def do_POST(self) -> None:
        assert re.fullmatch(r"/repos/search/ranking/issues/7/comments", self.path)
        body = self._body()
        if self._may_write("POST"):
            self.held.add(body, *(("ann", "User") if self._token() == PERSON else (_BOT["login"], "Bot")))
            self._answer("POST", 201, self.held.comments[-1])

    def do_PATCH(self) -> None:
        number = re.fullmatch(r"/repos/search/ranking/issues/comments/(\d+)", self.path)
        assert number
        body = self._body()
        if self._may_write("PATCH"):
            comment = self.held.comments[int(number[1]) - 1]
            comment["body"] = body
            self._answer("PATCH", 200, comment)

    def _body(self) -> str:
        return str(json.loads(self.rfile.read(int(self.headers["Content-Length"])))["body"])

    def _token(self) -> str:
        token = self.headers.get("Authorization", "").removeprefix("Bearer ")
        self.held.tokens.append(token)
        return token

    def _may_write(self, method: str) -> bool:
        if self._token() == READS:
            self._answer(method, 403, {"message": "Resource not accessible by integration"})
        return self._token() != READS

    def _answer(self, method: str, status: int, content: Any) -> None:
        self.held.calls.append((method, self.path))
        status, data = self.held.answers.get(method, (status, json.dumps(content).encode()))
        self.send_response(status)
        if status in {301, 302, 307}:
            self.send_header("Location", data.decode())
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


def lists_in(folder: Path) -> Path:
    """A folder, with lists of both models, of which B is better, and judgments."""
    good, bad = ["good", "fair", "bad"], ["bad", "fair", "good"]
    runs = {"a": [bad] * 60, "b": [good if at % 3 else ["fair", "good", "bad"] for at in range(60)]}
    for name, lists in runs.items():
        rows = [(at, rank, doc) for at, docs in enumerate(lists) for rank, doc in enumerate(docs, 1)]
        text = "".join(f"q{at} Q0 {doc} {rank} {9 - rank} {name}\n" for at, rank, doc in rows)
        (folder / f"{name}.trec").write_text(text, "utf-8")
    grades = "".join(f"q{at} 0 good 2\nq{at} 0 fair 1\nq{at} 0 bad 0\n" for at in range(60))
    (folder / "q.txt").write_text(grades, "utf-8")
    return folder
