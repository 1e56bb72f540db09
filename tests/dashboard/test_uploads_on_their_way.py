"""Uploads on their way to the server: those that stop are ended, and others are not."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import Message, Receive, Scope, Send

from rankdash.dashboard.host import IdleUploads
from tests.awaited import in_a_thread

IDLE = 0.05


async def takes(scope: Scope, receive: Receive, send: Send) -> None:
    """An application that answers with the size of what was sent, once it has all of it."""
    body = await Request(scope, receive).body()
    await PlainTextResponse(str(len(body)))(scope, receive, send)


def answered(pauses: list[float], *, ends: bool = True) -> tuple[int, bytes]:
    """The status and body of the answer to parts of ten bytes that come after so many seconds."""
    said = list[Message]()

    async def parts() -> AsyncIterator[Message]:
        for pause in pauses:
            await asyncio.sleep(pause)
            yield {"type": "http.request", "body": b"x" * 10, "more_body": True}
        if ends:
            yield {"type": "http.request", "body": b"", "more_body": False}
        await asyncio.sleep(60)

    async def send(message: Message) -> None:
        said.append(message)

    async def handled() -> None:
        arriving = parts()

        async def receive() -> Any:
            return await anext(arriving)

        await IdleUploads(takes, IDLE)({"type": "http", "method": "PUT", "headers": []}, receive, send)

    in_a_thread(asyncio.wait_for(handled(), 20))
    return said[0]["status"], b"".join(one.get("body", b"") for one in said)


def test_an_upload_that_stops_is_ended() -> None:
    """Where nothing comes for so long the answer is 408, however much has come before."""
    for pauses in ([], [0.0], [0.0, 0.0, 0.0]):
        status, body = answered(pauses, ends=False)
        assert (status, body) == (408, b"The upload stopped on its way")


def test_an_upload_that_goes_on_may_take_long() -> None:
    """The time is that between two parts, not that of the upload."""
    assert answered([IDLE / 2] * 6) == (200, b"60")
