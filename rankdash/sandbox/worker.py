"""The process that reads uploads: ``processes.py`` starts it, sends it requests, and ends it.

In: a line of JSON with the ``path`` of modules; then requests, each a dict with the ``call`` (a function
of ``intake``), its ``arguments``, and the ``memory`` in bytes and the ``seconds`` of a processor that it may take.
Out: what the call returns; ("memory",) where there was too little of it, ("bug", what) for a mistake of ours.
"""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from dataclasses import replace
from typing import Any


def _answer(call: str, arguments: dict[str, Any]) -> Any:
    """Look at a file or read it, within the limits of a reader."""
    from rankdash import intake
    from rankdash.reading import LIMITS
    from rankdash.sandbox.numbers import with_numbers

    try:
        answer = getattr(intake, call)(**arguments, limits=replace(LIMITS, apart=True))
        as_numbers = call == "read" and arguments["decisions"] and arguments["decisions"].ids_as_numbers
        return with_numbers(answer) if as_numbers else answer
    except MemoryError:
        return ("memory",)
    except Exception as error:  # noqa: BLE001 - sent to the other side, which raises it
        return ("bug", f"{type(error).__name__} at line {error.__traceback__ and error.__traceback__.tb_lineno}")


def main() -> None:
    """Answer requests until there are no more."""
    source, out = sys.stdin.buffer, sys.stdout.buffer
    sys.path[:] = json.loads(source.readline())["path"]
    from rankdash import intake  # noqa: F401 - loaded before the first request
    from rankdash.sandbox import receive, send
    from rankdash.system import give_back, limit

    with suppress(EOFError, BrokenPipeError):
        while True:
            request = receive(source)
            limit(request["memory"], request["seconds"])
            answer = _answer(request["call"], request["arguments"])
            del request
            try:
                send(out, answer)
            except MemoryError:
                send(out, ("memory",))
            del answer  # this process may wait for long
            give_back()


if __name__ == "__main__":
    main()
