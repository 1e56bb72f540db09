"""A page that is opened by its address finds its server at once, and asks for nothing that is not there.

Why: Streamlit 1.67 looks for its server below the address of the page first, as if a page could be the folder of an
app: two answers of 404 in the console of everybody who follows a link, and a wait.

It can go when Streamlit looks beside the page first.
"""

from __future__ import annotations

import json
from collections.abc import Collection

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

#: What Streamlit's page reads before it looks for its server.
_READ, _SERVER = "__streamlit", "BACKEND_BASE_URL"
#: The folder that the address of a page is in, also where a proxy has put it below another one.
_BESIDE = "new URL('.', location.href).href"
_SCRIPT = f"<script>window.{_READ} = {{{json.dumps(_SERVER)}: {_BESIDE}}}</script>".encode()
_HEAD = b"<head>"
#: What would have a page packed, in part, or left out because the browser has it as it was.
_OTHERWISE = (b"accept-encoding", b"range", b"if-none-match", b"if-modified-since")


class DeepLinks:
    """Says in the answer to the address of a page where the server is; ``names`` are those of the pages."""

    def __init__(self, app: ASGIApp, names: Collection[str]) -> None:
        self._app, self._names = app, frozenset(names)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and add the line to the page that is answered."""
        is_get = scope["type"] == "http" and scope["method"] == "GET"
        if not is_get or scope["path"].rpartition("/")[2] not in self._names:
            await self._app(scope, receive, send)
            return
        plain = [header for header in scope["headers"] if header[0] not in _OTHERWISE]
        await self._app({**scope, "headers": plain}, receive, _Answer(send).send)


class _Answer:
    """One answer, which is held until it is whole where it is a page."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._start: Message | None = None
        self._body = b""

    async def send(self, message: Message) -> None:
        """Pass a part on, or hold it."""
        if message["type"] == "http.response.start" and _is_page(message):
            self._start = message
        elif self._start is None or message["type"] != "http.response.body":
            await self._send(message)
        else:
            self._body += message.get("body", b"")
            if not message.get("more_body", False):
                await self._send_whole(self._start)

    async def _send_whole(self, start: Message) -> None:
        body = self._body.replace(_HEAD, _HEAD + _SCRIPT, 1)
        MutableHeaders(scope=start)["content-length"] = str(len(body))
        await self._send(start)
        await self._send({"type": "http.response.body", "body": body})


def _is_page(start: Message) -> bool:
    """Return whether an answer is a page."""
    return start["status"] == 200 and MutableHeaders(scope=start).get("content-type", "").startswith("text/html")
