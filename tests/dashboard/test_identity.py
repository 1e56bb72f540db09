"""What tells browsers apart: a cookie that each gets once, and that nobody can guess."""

from __future__ import annotations

import hashlib
import re
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.responses import HTMLResponse, PlainTextResponse
from starlette.types import Message

from rankdash.dashboard import host
from rankdash.dashboard.host import COOKIE, Identified
from tests.awaited import in_a_thread

MINE = "0123456789abcdef" * 2


def cookies(answer: Any, *headers: tuple[bytes, bytes], method: str = "GET", scheme: str = "http") -> list[str]:
    """The cookies that come with an answer to a request with some headers."""
    said = list[Message]()

    async def send(message: Message) -> None:
        said.append(message)

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    scope = {"type": "http", "method": method, "scheme": scheme, "headers": headers}
    in_a_thread(Identified(answer)(scope, receive, send))
    return [value.decode() for name, value in said[0]["headers"] if name == b"set-cookie"]


def test_a_browser_gets_a_cookie_with_its_first_page() -> None:
    """Of 128 random bits, for this server alone, not for scripts; over TLS for TLS alone."""
    page = HTMLResponse("<p>")
    (first,), (second,) = cookies(page), cookies(page)
    form = rf"{COOKIE}=([0-9a-f]{{32}}); Path=/; HttpOnly; SameSite=Lax; Max-Age=31536000"
    found = [re.fullmatch(form, one) for one in (first, second)]
    assert all(found)
    assert found[0][1] != found[1][1]  # type: ignore[index]
    (over_tls,) = cookies(page, scheme="https")
    assert over_tls.endswith("; Secure")
    (again,) = cookies(page, (b"cookie", f"other=1; {COOKIE}=forged".encode()))
    assert again.startswith(COOKIE)


def test_a_browser_that_has_one_keeps_it() -> None:
    """It gets no other one, and nothing but pages brings one."""
    assert not cookies(HTMLResponse("<p>"), (b"cookie", f"other=1; {COOKIE}={MINE}".encode()))
    assert not cookies(PlainTextResponse("ok"))
    assert not cookies(HTMLResponse("<p>"), method="POST")


@pytest.mark.parametrize("sent", [None, "", "x", MINE.upper(), f"{MINE}0", MINE[1:]])
def test_what_is_no_cookie_of_ours_is_none(sent: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """A browser without a cookie, or with one that it made up, has no identity."""
    monkeypatch.setattr(host.st, "context", SimpleNamespace(cookies={COOKIE: sent} if sent is not None else {}))
    assert host.identity() == ""


def test_the_cookie_itself_is_told_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is written down is its digest."""
    monkeypatch.setattr(host.st, "context", SimpleNamespace(cookies={COOKIE: MINE}))
    assert host.identity() == hashlib.sha256(MINE.encode()).hexdigest()
