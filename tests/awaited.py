"""A coroutine run to its end in a thread of its own: a browser beside it has an event loop in the test's thread."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any


def in_a_thread(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """What a coroutine returns."""

    async def awaited() -> Any:
        return await coroutine

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(lambda: asyncio.run(awaited())).result()
