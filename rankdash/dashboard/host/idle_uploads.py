"""Uploads that stop on their way are ended: who sends nothing for a while holds neither memory nor a connection.

Why: Streamlit 1.67 and uvicorn wait for the next bytes of a request as long as the connection stands.

It can go when one of them has a limit of its own.
"""

from __future__ import annotations

import asyncio

from starlette.types import ASGIApp, Message, Receive, Scope, Send

#: Seconds between two parts of a request.
IDLE = 60.0
_HEADERS = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")]


class IdleUploads:
    """Answers 408 to a request whose body does not go on for that long."""

    def __init__(self, app: ASGIApp, idle: float = IDLE) -> None:
        self._app, self._idle = app, idle

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, with its body as it arrives."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        is_whole = False

        async def received() -> Message:
            nonlocal is_whole
            if is_whole:  # what comes now is that the browser is gone
                return await receive()
            message = await asyncio.wait_for(receive(), self._idle)
            is_whole = not message.get("more_body", False)
            return message

        try:
            await self._app(scope, received, send)
        except TimeoutError:
            if is_whole:
                raise
            await send({"type": "http.response.start", "status": 408, "headers": _HEADERS})
            await send({"type": "http.response.body", "body": b"The upload stopped on its way"})
