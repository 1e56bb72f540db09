"""Files that are compared streamed and in memory: worlds as TREC files, and three small ones."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from rankdash.__main__ import main
from rankdash.cli import streaming
from rankdash.drivers.streamed import RunFiles
from tests.truth.worlds import Row, World, world

#: Bytes of a piece: from a line of its own each, over cuts anywhere, to the whole file at once.
PIECES = (1, 40, 300, 2_000, 1 << 22)

MEASURES = ("ERR@3", "RR(ties='docid_asc')", "trec_eval-9:map", "P@5")

#: Kinds of scores that are all finite, and exact as they stand.
KINDS = ("tied", "apart", "close")


def plain(name: str) -> str:
    """An id in ASCII, another one for every id."""
    return name.encode("unicode_escape").decode()


def unlike(name: str) -> str:
    """An id that differs from all others in more than case or width."""
    return name.encode().hex()


def trec_run(rows: Sequence[Row]) -> str:
    """Rows as a TREC run; ranks count from 1 and need not agree with the scores."""
    ranks: dict[str, int] = {}
    lines = []
    for query, doc, score in rows:
        ranks[query] = ranks.get(query, 0) + 1
        lines.append(f"{unlike(query)} Q0 {plain(doc)} {ranks[query]} {score!r} tag\n")
    return "".join(lines)


def qrels(rows: Sequence[Row]) -> str:
    """Rows as TREC judgments."""
    return "".join(f"{unlike(query)} 0 {plain(doc)} {int(grade)}\n" for query, doc, grade in rows)


def shuffled_lists(rows: Sequence[Row], rng: np.random.Generator) -> list[Row]:
    """The same lists, each whole, in another order."""
    queries = list(dict.fromkeys(query for query, _, _ in rows))
    return [row for i in rng.permutation(len(queries)) for row in rows if row[0] == queries[i]]


def made(seed: int, *, mixed: bool = False) -> World:
    """A world whose lists are whole, those of B in another order than those of A; or scattered."""
    found = world(900 + seed, queries=12, mixed=mixed, kinds=KINDS)
    return (
        found
        if mixed
        else World(seed, found.a, tuple(shuffled_lists(found.b, np.random.default_rng(seed))), found.judged)
    )


def written(folder: Path, one: World) -> Path:
    """A folder with the files of a world."""
    for name, text in (("a.trec", trec_run(one.a)), ("b.trec", trec_run(one.b)), ("q.txt", qrels(one.judged))):
        (folder / name).write_text(text, "ascii")
    return folder


def said(arguments: Sequence[str], least: int, piece: int | None = None) -> tuple[int, str, str]:
    """The exit status of a comparison, what it prints and what it tells; streamed from so many bytes on, by pieces."""
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        patch.setattr(streaming, "LEAST", least)
        patch.setattr(streaming, "_SIZES", {} if piece is None else {"piece": piece})
        status = main(["compare", *arguments])
    return status, out.getvalue(), err.getvalue()


def few(tmp_path: Path, a: str, b: str, judged: str) -> tuple[list[str], RunFiles]:
    """Three small files, as arguments and as files to be streamed line by line."""
    for name, text in (("a.trec", a), ("b.trec", b), ("q.txt", judged)):
        (tmp_path / name).write_bytes(text.encode("utf-8", "surrogateescape"))
    files = [str(tmp_path / name) for name in ("a.trec", "b.trec")]
    return [*files, "-q", str(tmp_path / "q.txt")], RunFiles(*files, piece=1)


LINES = "".join(f"q{i} Q0 d{j} {j} {9 - j}.5 t\n" for i in range(3) for j in range(1, 4))

JUDGED = "q0 0 d1 1\nq1 0 d2 2\nq2 0 d3 1\n"
