"""The data of ``benchmarks.scale``, made block by block, so that no size is too large for the memory.

``python -m benchmarks.scale.made scored|files QUERIES DEPTH FOLDER`` writes a folder of scored queries, or two runs and
their judgments as TREC files. What is there already, made by the same code, stays. The same bytes each time.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa

import rankdash as rd
from benchmarks import generate
from benchmarks.generate import SETS, Lists, Recipe, dense, sparse, write_judgments, write_run
from rankdash.scored.folder import writing
from rankdash.tables import Judgments, Run

#: Rows of a run that are made at a time.
BLOCK = 1_000_000


def scored(queries: int, depth: int, folder: Path) -> None:
    """Score lists of some results, all judged with grades 0 to 3, and write them as a folder of scored queries.

    Every second query has its lists exchanged: neither model is better, and what would turn the verdict is searched for
    in every direction, to the end.
    """
    with writing(folder / "scored") as writer:
        for first, recipe in _blocks(SETS["graded"], queries, depth):
            a, b, judged = dense(np.random.default_rng([recipe.seed, first]), recipe)
            ids = pa.array([f"q{first + i}" for i in range(recipe.queries)])
            grades = {"relevance": judged.grades.astype(np.float64)}
            judgments = Judgments(_table(ids, judged.queries, judged.documents, grades))
            a, b = _exchanged(a, b), _exchanged(b, a)
            writer.write(rd.score(_run("A", ids, a), _run("B", ids, b), judgments))


def files(queries: int, depth: int, folder: Path) -> None:
    """Write two runs and about one judgment per query; the queries of a block stand in another order in B."""
    rng = np.random.default_rng(SETS["large"].seed)
    for first, recipe in _blocks(SETS["large"], queries, depth):
        a, b, judged = sparse(np.random.default_rng([recipe.seed, first]), recipe)
        names = first + 1 + np.arange(recipe.queries)
        _append(folder / "a.trec", lambda path, a=a, names=names: write_run(path, a, names, b"a", rng, numeric=True))  # type: ignore[misc]
        _append(folder / "b.trec", lambda path, b=b, names=names: write_run(path, b, names, b"b", rng, numeric=True))  # type: ignore[misc]
        _append(
            folder / "qrels.txt",
            lambda path, judged=judged, names=names: write_judgments(path, judged, names, numeric=True),  # type: ignore[misc]
        )


def _blocks(recipe: Recipe, queries: int, depth: int) -> Iterator[tuple[int, Recipe]]:
    """Yield the number of the first query of each block, and what is made of it; every query is in both runs."""
    size = max(1, BLOCK // depth)
    for first in range(0, queries, size):
        yield first, replace(recipe, queries=min(size, queries - first), depth=depth, missing=0, unjudged=0)


def _exchanged(own: Lists, other: Lists) -> Lists:
    """Return the lists with every second one of the other model."""
    second = (np.arange(len(own.queries)) % 2 == 1)[:, None]
    return Lists(
        own.queries, np.where(second, other.documents, own.documents), np.where(second, other.units, own.units)
    )


def _run(name: str, ids: pa.Array, lists: Lists) -> Run:
    depth = lists.documents.shape[1]
    query = np.repeat(np.arange(len(lists.documents)), depth)
    return Run(name, _table(ids, query, lists.documents.ravel(), {"score": lists.units.ravel() / 1e4}), "score")


def _table(ids: pa.Array, query: generate.Ints, documents: generate.Ints, numbers: Mapping[str, object]) -> pa.Table:
    codes = pa.DictionaryArray.from_arrays(pa.array(query.astype(np.int32)), ids)
    columns = {"query_id": codes, "doc_id": pa.array(documents).cast(pa.string()), **numbers}
    return pa.Table.from_arrays([pa.array(column) for column in columns.values()], names=list(columns))


def _append(path: Path, write: Callable[[Path], None]) -> None:
    part = path.with_suffix(".part")
    write(part)
    with part.open("rb") as source, path.open("ab") as target:
        shutil.copyfileobj(source, target, 1 << 20)
    part.unlink()


def main() -> None:
    """Make what is asked for, unless it is there."""
    what, queries, depth, folder = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4])
    sources = b"".join(Path(module).read_bytes() for module in (__file__, generate.__file__))
    told = {"made": [what, queries, depth], "by": hashlib.sha256(sources).hexdigest()}
    manifest = folder / "manifest.json"
    if manifest.is_file() and json.loads(manifest.read_text()) == told:
        return
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    {"scored": scored, "files": files}[what](queries, depth, folder)
    manifest.write_text(json.dumps(told) + "\n")


if __name__ == "__main__":
    main()
