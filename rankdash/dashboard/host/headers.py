"""Requests whose Origin or Host is no address are refused before Streamlit compares the two."""

from __future__ import annotations

import re

from starlette.types import ASGIApp, Receive, Scope, Send

_NAME = rb"(?:\[[0-9a-fA-F:.]+\]|[^\x00-\x20\x7f-\xff/?#@\[\]\\:]*)(?::\d{0,5})?"
#: What these headers may be: a name with a port, behind a scheme or not.
_FORMS = {
    b"host": re.compile(_NAME),
    b"origin": re.compile(rb"null|[a-zA-Z][a-zA-Z0-9+.-]*://" + _NAME),
}
#: The largest number of a port.
_PORTS = 65_535
_POLICY_VIOLATION = 1008


class WellFormed:
    """Answers 400 to a request, and 403 to the handshake of a websocket, where such a header cannot be read.

    Why: Streamlit 1.67 reads an Origin without a check, so that one like ``http://[`` ends in an answer of 500.

    It can go when Streamlit refuses them.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] not in ("http", "websocket") or all(_is_read(*header) for header in scope["headers"]):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": _POLICY_VIOLATION})
        else:
            headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")]
            await send({"type": "http.response.start", "status": 400, "headers": headers})
            await send({"type": "http.response.body", "body": b"Bad request"})


def _is_read(name: bytes, value: bytes) -> bool:
    """Return whether a header is none of these, or an address."""
    if name not in _FORMS:
        return True
    port = value.rpartition(b":")[2]
    return bool(_FORMS[name].fullmatch(value)) and (not port.isdigit() or int(port) <= _PORTS)
