"""How large a source may be. Settings, so that one place can change them.

The time and memory that reading an upload may take is decided by ``rankdash/sandbox/apart.py``.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Upper bounds for one source. A file given by its path may be as large as an unpacked one.

    ``upload`` and ``unpacked`` in bytes, ``ratio`` unpacked to packed bytes, ``rows``, ``columns``, ``cell`` bytes,
    ``id`` bytes of an id (the work of matching grows with the longest one), ``line`` bytes of a line of text, and of
    one object of JSON; ``memory`` bytes and ``seconds`` of a processor that opening a workbook may take at most, in a
    process of its own (``for_opening``: less for a small one). ``apart``: the process that reads has such limits, and
    workbooks are opened in it.
    """

    upload: int = 300_000_000
    unpacked: int = 2_000_000_000
    ratio: int = 200
    rows: int = 20_000_000
    columns: int = 1_000
    cell: int = 1_000_000
    id: int = 10_000
    line: int = 16_000_000
    memory: int = 2_500_000_000
    seconds: int = 60
    apart: bool = False


LIMITS = Limits()
#: The bytes that a table in columns may unpack to, however small its file is.
LEAST = 1 << 25


def for_opening(size: int, limits: Limits) -> tuple[int, int]:
    """Return the bytes of memory and the seconds of a processor that opening a workbook of so many bytes may take.

    >>> for_opening(1_000_000, Limits())
    (640000000, 7)
    """
    return min(limits.memory, 600_000_000 + 40 * size), min(limits.seconds, 5 + 2 * size // 1_000_000)


def megabytes(size: int) -> str:
    """Return a number of bytes as text: "500 MB", "0.2 MB"."""
    return f"{size / 1e6:,.0f} MB" if size >= 1e6 else f"{size / 1e6:.2g} MB"


def may_unpack(packed: int, least: int, limits: Limits) -> tuple[int, str]:
    """Return how many bytes may come out of so many packed ones, at least ``least`` and at most the limit; and why, in
    words.

    >>> may_unpack(1_000_000, 1, Limits())
    (200000000, 'At most 200 times the packed size is unpacked, 200 MB of this file.')
    """
    times = limits.ratio * packed
    if times >= limits.unpacked or least >= limits.unpacked:
        return limits.unpacked, f"At most {megabytes(limits.unpacked)} are unpacked."
    if times >= least:
        why = f"At most {limits.ratio} times the packed size is unpacked, {megabytes(times)} of this file."
        return times, why
    return least, f"At most {megabytes(least)} are unpacked of a file as small as this."
