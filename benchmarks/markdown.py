"""Markdown tables, and a place in a file that they are written to."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path


def table(header: Sequence[str], rows: Sequence[Sequence[str]], align: str) -> str:
    """A Markdown table whose columns line up in plain text, too; ``align`` holds an l or r for each column."""
    widths = [max(3, *(len(row[i]) for row in (header, *rows))) for i in range(len(header))]
    pads = [str.ljust if side == "l" else str.rjust for side in align]

    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(pad(cell, width) for cell, width, pad in zip(cells, widths, pads, strict=True)) + " |"

    rule = ["-" * width if side == "l" else "-" * (width - 1) + ":" for width, side in zip(widths, align, strict=True)]
    return "\n".join(map(line, [header, rule, *rows]))


def write_between(path: Path, name: str, text: str) -> None:
    """Put the text between the comments ``name:begin`` and ``name:end`` of the file. ValueError without them."""
    begin, end = f"<!-- {name}:begin -->", f"<!-- {name}:end -->"
    before, rest = path.read_text(encoding="utf-8").split(begin)
    _, after = rest.split(end)
    path.write_text(f"{before}{begin}\n\n{text.strip()}\n\n{end}{after}", encoding="utf-8")
