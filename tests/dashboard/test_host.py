"""What stands between browsers and Streamlit: the head of a page, the cookie that tells browsers apart, and the end of
uploads that stop on their way.
"""

import asyncio
import hashlib
import re
from collections.abc import AsyncIterator, Sequence
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rankdash import style
from rankdash.dashboard import host
from rankdash.dashboard.host import COOKIE, Identified, IdleUploads, PageHead
from tests.awaited import in_a_thread

_PAGE = (b"<html><head>", b"<title>x</title></head><body>", b"</body></html>")
_HTML = [(b"content-type", b"text/html; charset=utf-8"), (b"content-length", b"42")]
MINE = "0123456789abcdef" * 2
IDLE = 0.05


async def asked() -> Message:
    """What a browser sends that sends nothing but its headers."""
    return {"type": "http.request", "body": b"", "more_body": False}


def said_by(application: ASGIApp, receive: Receive = asked, **scope: Any) -> list[Message]:
    """What an application answers to a request; this thread may be in the loop of a browser."""
    said = list[Message]()

    async def send(message: Message) -> None:
        said.append(message)

    in_a_thread(asyncio.wait_for(application({"type": "http", **scope}, receive, send), 20))
    return said


def body_of(said: Sequence[Message]) -> bytes:
    """The body of an answer."""
    return b"".join(message.get("body", b"") for message in said)


def answer(
    path: str,
    *,
    method: str = "GET",
    status: int = 200,
    headers: Sequence[tuple[bytes, bytes]] = _HTML,
    sent: Sequence[tuple[bytes, bytes]] = (),
) -> tuple[bytes, dict[bytes, bytes], list[tuple[bytes, bytes]]]:
    """The body and the headers that a browser gets, and the headers of the request that the server got."""
    asked: list[tuple[bytes, bytes]] = []

    async def server(scope: Scope, receive: Receive, send: Send) -> None:
        asked.extend(scope["headers"])
        await send({"type": "http.response.start", "status": status, "headers": list(headers)})
        for number, part in enumerate(_PAGE):
            await send({"type": "http.response.body", "body": part, "more_body": number + 1 < len(_PAGE)})

    got = said_by(PageHead(server, names={"data"}), method=method, path=path, headers=list(sent))
    return body_of(got), dict(got[0]["headers"]), asked


@pytest.mark.parametrize("path", ["/data", "/below/another/folder/data", "/", "/below/", "/gone"])
def test_a_page_has_its_style_and_says_where_its_server_is(path: str) -> None:
    """The sheet is part of the page, so that nothing moves when it arrives; it goes before the sheets of the head. The
    first page, which is also shown for a name that is no page, finds the server itself. The length is what is sent.
    """
    body, headers, _ = answer(path)
    assert body.startswith(b"<html><head><script>window.__streamlit") == path.endswith("data")
    assert body.index(_PAGE[1]) < body.index(style.SHEET.read_bytes())
    for large in (b"/PlotlyChart.", b"/MaterialSymbols-"):
        assert body.count(large) == 1, "Streamlit has another name for it"
    assert int(headers[b"content-length"]) == len(body)


def test_a_page_is_asked_for_whole() -> None:
    """A browser that has the page of another version, or takes it packed or in part, gets this one, in plain bytes."""
    sent = [(b"if-none-match", b'"x"'), (b"accept-encoding", b"gzip"), (b"range", b"bytes=0-3"), (b"cookie", b"a=b")]
    assert answer("/data", sent=sent)[2] == [(b"cookie", b"a=b")]


@pytest.mark.parametrize(
    "other",
    [
        {"path": "/static/js/index.js"},
        {"path": "/media/report.html"},
        {"path": "/data", "method": "HEAD"},
        {"path": "/data", "status": 404},
        {"path": "/data", "headers": [(b"content-type", b"text/plain"), (b"content-length", b"42")]},
    ],
)
def test_other_answers_are_passed_on_as_they_are(other: dict[str, object]) -> None:
    """What is no page is not touched."""
    body, headers, _ = answer(**other)  # type: ignore[arg-type]
    assert body == b"".join(_PAGE)
    assert headers[b"content-length"] == b"42"


def cookies(answer: ASGIApp, *headers: tuple[bytes, bytes], method: str = "GET", scheme: str = "http") -> list[str]:
    """The cookies that come with an answer to a request with some headers."""
    said = said_by(Identified(answer), method=method, scheme=scheme, headers=headers)
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


async def takes(scope: Scope, receive: Receive, send: Send) -> None:
    """An application that answers with the size of what was sent, once it has all of it."""
    body = await Request(scope, receive).body()
    await PlainTextResponse(str(len(body)))(scope, receive, send)


def answered(pauses: list[float], *, ends: bool = True) -> tuple[int, bytes]:
    """The status and body of the answer to parts of ten bytes that come after so many seconds."""

    async def parts() -> AsyncIterator[Message]:
        for pause in pauses:
            await asyncio.sleep(pause)
            yield {"type": "http.request", "body": b"x" * 10, "more_body": True}
        if ends:
            yield await asked()
        await asyncio.sleep(60)

    said = said_by(IdleUploads(takes, IDLE), parts().__anext__, method="PUT", headers=[])
    return said[0]["status"], body_of(said)


def test_an_upload_that_stops_is_ended() -> None:
    """Where nothing comes for so long the answer is 408, however much has come before."""
    for pauses in ([], [0.0], [0.0, 0.0, 0.0]):
        status, body = answered(pauses, ends=False)
        assert (status, body) == (408, b"The upload stopped on its way")


def test_an_upload_that_goes_on_may_take_long() -> None:
    """The time is that between two parts, not that of the upload."""
    assert answered([IDLE / 2] * 6) == (200, b"60")
