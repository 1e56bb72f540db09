"""The headers of requests and answers: what no browser sends is refused, and every answer says who may frame it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_NAME = rb"(?:\[[0-9a-fA-F:.]+\]|[^\x00-\x20\x7f-\xff/?#@\[\]\\:]*)(?::\d{0,5})?"
#: What these headers may be: a name with a port, behind a scheme or not.
_FORMS = {
    b"host": re.compile(_NAME),
    b"origin": re.compile(rb"null|[a-zA-Z][a-zA-Z0-9+.-]*://" + _NAME),
}
#: The largest number of a port.
_PORTS = 65_535
#: What every answer says: which pages may frame it, that its type is as stated, and what other sites learn of a link.
SECURE: Mapping[str, str] = MappingProxyType(
    {
        "Content-Security-Policy": "frame-ancestors 'self'",
        "X-Frame-Options": "SAMEORIGIN",
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "same-origin",
    }
)
#: The answer to a handshake that is refused, where the server can send one.
_HANDSHAKE = "websocket.http.response"


class Guarded:
    """Puts SECURE on each answer, and refuses a request whose Origin or Host cannot be read: 400, or 403 to the
    handshake of a websocket.

    Why: Streamlit 1.67 sends no such headers, and reads an Origin without a check, so that one like ``http://[`` ends
    in an answer of 500.

    It can go when Streamlit does both.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it; an error that nobody caught is answered too."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        is_handshake, has_begun = scope["type"] == "websocket", False
        kind = _HANDSHAKE if is_handshake else "http.response"

        async def sent(message: Message) -> None:
            nonlocal has_begun
            if message["type"] == "websocket.close" and not has_begun and _HANDSHAKE in scope.get("extensions", {}):
                await refuse(403, b"Forbidden")  # a close has no headers
                return
            if message["type"] in ("websocket.accept", f"{kind}.start"):
                has_begun = True
                message.setdefault("headers", [])
                headers = MutableHeaders(scope=message)
                for name, value in SECURE.items():
                    headers.setdefault(name, value)
            await send(message)

        async def refuse(status: int, why: bytes) -> None:
            headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")]
            await sent({"type": f"{kind}.start", "status": status, "headers": headers})
            await sent({"type": f"{kind}.body", "body": why})

        if not all(_is_read(*header) for header in scope["headers"]):
            await (sent({"type": "websocket.close", "code": 1008}) if is_handshake else refuse(400, b"Bad request"))
            return
        try:
            await self._app(scope, receive, sent)
        except Exception:
            if not has_begun and not is_handshake:
                await refuse(500, b"Internal server error")
            raise


def _is_read(name: bytes, value: bytes) -> bool:
    """Return whether a header is none of these, or an address."""
    if name not in _FORMS:
        return True
    port = value.rpartition(b":")[2]
    return bool(_FORMS[name].fullmatch(value)) and (not port.isdigit() or int(port) <= _PORTS)
