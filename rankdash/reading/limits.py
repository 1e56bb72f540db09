"""How large a source may be. Settings, so that one place can change them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Upper bounds for one source. A file given by its path may be as large as an unpacked one.

    ``upload`` and ``unpacked`` in bytes, ``ratio`` unpacked to packed bytes, ``rows``, ``columns``, ``cell`` bytes,
    ``line`` bytes of a line of text, and of one object of JSON; ``memory`` bytes and ``seconds`` of a processor
    that opening a workbook may take, in a process of its own.
    """

    upload: int = 500_000_000
    unpacked: int = 2_000_000_000
    ratio: int = 200
    rows: int = 20_000_000
    columns: int = 1_000
    cell: int = 1_000_000
    line: int = 16_000_000
    memory: int = 2_500_000_000
    seconds: int = 60


LIMITS = Limits()


def megabytes(size: int) -> str:
    """A number of bytes for people: "500 MB", "0.2 MB"."""
    return f"{size / 1e6:,.0f} MB" if size >= 1e6 else f"{size / 1e6:.2g} MB"
