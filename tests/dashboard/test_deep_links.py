"""The answer to the address of a page: it has the style sheet, and says where the server is, whatever is asked for."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest
from starlette.types import Message, Receive, Scope, Send

from rankdash import style
from rankdash.dashboard.host import PageHead

_PAGE = (b"<html><head>", b"<title>x</title></head><body>", b"</body></html>")
_HTML = [(b"content-type", b"text/html; charset=utf-8"), (b"content-length", b"42")]


def answer(
    path: str,
    *,
    method: str = "GET",
    status: int = 200,
    headers: Sequence[tuple[bytes, bytes]] = _HTML,
    sent: Sequence[tuple[bytes, bytes]] = (),
) -> tuple[bytes, dict[bytes, bytes], list[tuple[bytes, bytes]]]:
    """The body and the headers that a browser gets, and the headers of the request that the server got."""
    got: list[Message] = []
    asked: list[tuple[bytes, bytes]] = []

    async def server(scope: Scope, receive: Receive, send: Send) -> None:
        asked.extend(scope["headers"])
        await send({"type": "http.response.start", "status": status, "headers": list(headers)})
        for number, part in enumerate(_PAGE):
            await send({"type": "http.response.body", "body": part, "more_body": number + 1 < len(_PAGE)})

    async def receive() -> Message:
        return {"type": "http.request"}

    async def send(message: Message) -> None:
        got.append(message)

    scope = {"type": "http", "method": method, "path": path, "headers": list(sent)}
    with ThreadPoolExecutor(1) as alone:  # this thread may be in the loop of a browser
        alone.submit(asyncio.run, PageHead(server, names={"data"})(scope, receive, send)).result()
    body = b"".join(message.get("body", b"") for message in got)
    return body, dict(got[0]["headers"]), asked


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
