"""The benchmark's data: synthetic runs and judgments, the same bytes each time.

``python benchmarks/generate.py [--sets large graded ...] [--work FOLDER]`` writes ``<work>/<set>/a.trec``, ``b.trec``
and ``qrels.txt``. On purpose: queries in no order (another one in each file), equal scores whose file order is not
the order of the ids, judged queries that B lacks, queries without a judgment. All sets of scores are exact in
float32 up to their last digit, so tools that compare floats and tools that compare doubles see the same ties.
"""

from __future__ import annotations

import argparse
import hashlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

Bytes = npt.NDArray[np.uint8]
Ints = npt.NDArray[np.int64]

DEFAULT_WORK = Path(__file__).parent / ".work"
BLOCK_ROWS = 500_000  # lines made at a time; bounds the memory
SCORE_UNIT = 10_000  # scores are whole numbers of 1e-4, written with four decimals


@dataclass(frozen=True)
class Recipe:
    """The size and the character of one set.

    ``dense`` sets judge every document that either run returns, with grades 0-3; the others have about one relevant
    document per query. ``missing`` judged queries are not in B, ``unjudged`` queries of A have no judgment. With
    ``subtopics`` each judged document is judged for so many of them, and each document is in both lists.
    """

    queries: int
    depth: int
    dense: bool
    missing: int
    unjudged: int
    collection: int
    seed: int
    subtopics: int = 0


SETS = {
    "large": Recipe(6_980, 1_000, False, missing=7, unjudged=35, collection=8_841_000, seed=1),
    "tenth": Recipe(698, 1_000, False, missing=1, unjudged=4, collection=8_841_000, seed=2),
    "graded": Recipe(5_000, 50, True, missing=3, unjudged=3, collection=1_000_000, seed=3),
    "graded10": Recipe(50_000, 50, True, missing=30, unjudged=30, collection=1_000_000, seed=4),
    "small": Recipe(200, 10, True, missing=2, unjudged=3, collection=100_000, seed=5),
    "diverse": Recipe(7_000, 100, True, missing=3, unjudged=3, collection=1_000_000, seed=6, subtopics=5),
}


@dataclass(frozen=True)
class Lists:
    """One run before it is text: ``queries`` (queries,), ``documents`` and ``units`` (queries, depth), best first."""

    queries: Ints
    documents: Ints
    units: Ints


@dataclass(frozen=True)
class Judged:
    """(query, document, grade, subtopic) rows, each (rows,); subtopic 0 where there are none."""

    queries: Ints
    documents: Ints
    grades: Ints
    subtopics: Ints


def sparse(rng: np.random.Generator, recipe: Recipe) -> tuple[Lists, Lists, Judged]:
    """Two runs that share about six documents of ten, and one judged document per query (two for one in fifteen).

    Column j of a query's documents comes from a slice of the collection of its own, so that no list holds a document
    twice. Columns 0 and 1 are the judged ones; their ranks are log-uniform, and one in seven is not returned at all.
    """
    shape = (recipe.queries + recipe.missing, recipe.depth)
    width = recipe.collection // recipe.depth
    slices = (np.arange(recipe.depth) + rng.integers(recipe.depth, size=(shape[0], 1))) % recipe.depth * width
    documents_a = slices + rng.integers(width, size=shape)
    documents_b = np.where(rng.random(shape) < 0.6, documents_a, slices + rng.integers(width, size=shape))
    documents_b[:, :2] = documents_a[:, :2]
    depth_a = rng.random(shape)  # 0 = top of the list
    depth_b = np.clip(depth_a + rng.normal(0, 0.15, shape), 0, None) + 1e-6 * rng.random(shape)
    depth_a[:, :2] = float(recipe.depth) ** -rng.random((shape[0], 2))
    depth_b[:, :2] = depth_a[:, :2] * np.exp(rng.normal(-0.1, 0.8, (shape[0], 2)))

    known = recipe.queries - recipe.unjudged
    returned = rng.random((known, 2)) < 6 / 7
    others = slices[:known, :2] + (documents_a[:known, :2] - slices[:known, :2] + 1) % width
    relevant = np.where(returned, documents_a[:known, :2], others)
    taken = np.column_stack([np.ones(known, bool), rng.random(known) < 1 / 15])
    rows, columns = np.nonzero(taken)
    judged = Judged(rows, relevant[rows, columns], np.ones(len(rows), np.int64), np.zeros(len(rows), np.int64))
    run_a = _ranked(np.arange(shape[0]), documents_a, 32 - 24 * depth_a, recipe.depth)
    run_b = _ranked(np.arange(shape[0]), documents_b, 30 - 20 * depth_b, recipe.depth)
    return _part(run_a, slice(recipe.queries)), _part(run_b, slice(-recipe.queries, None)), judged


def dense(rng: np.random.Generator, recipe: Recipe) -> tuple[Lists, Lists, Judged]:
    """Two runs over one pool per query, 1.6 times as deep as the lists and judged throughout, grades 0-3."""
    pool = recipe.depth if recipe.subtopics else recipe.depth * 8 // 5
    shape = (recipe.queries + recipe.missing, pool)
    width = recipe.collection // pool
    slices = (np.arange(pool) + rng.integers(pool, size=(shape[0], 1))) % pool * width
    documents = slices + rng.integers(width, size=shape)
    grades = rng.choice(4, size=shape, p=[0.5, 0.25, 0.15, 0.1])
    strength_a = 5 + 0.45 * grades + rng.normal(0, 1, shape)
    strength_b = strength_a + 0.06 * grades + rng.normal(0, 0.6, shape)
    known = recipe.queries - recipe.unjudged
    times, places = max(recipe.subtopics, 1), 4 if recipe.subtopics else 2
    rows = np.repeat(np.arange(known * pool), times)
    judged_for = np.tile(np.arange(times), known * pool) + (recipe.subtopics > 0)
    grade = grades[:known].ravel()[rows] * (rng.random(len(rows)) < 0.4 if recipe.subtopics else 1)
    judged = Judged(rows // pool, documents[:known].ravel()[rows], grade, judged_for)
    run_a = _ranked(np.arange(shape[0]), documents, np.round(strength_a, places), recipe.depth)
    run_b = _ranked(np.arange(shape[0]), documents, np.round(strength_b, places), recipe.depth)
    return _part(run_a, slice(recipe.queries)), _part(run_b, slice(-recipe.queries, None)), judged


def _ranked(queries: Ints, documents: Ints, scores: npt.NDArray[np.float64], depth: int) -> Lists:
    """The best ``depth`` documents per query; every twentieth query has scores of one decimal, so many ties."""
    order = np.argsort(-scores, axis=1, kind="stable")[:, :depth]
    units = np.rint(np.clip(np.take_along_axis(scores, order, axis=1), 0, None) * SCORE_UNIT).astype(np.int64)
    coarse = np.where(queries[:, None] % 20 == 0, SCORE_UNIT // 10, 1)
    return Lists(queries, np.take_along_axis(documents, order, axis=1), units // coarse * coarse)


def _part(run: Lists, rows: slice) -> Lists:
    return Lists(run.queries[rows], run.documents[rows], run.units[rows])


def digits(values: Ints, width: int) -> Bytes:
    """Whole numbers below 10**width as text without leading zeros, (rows, width); NUL where there is no digit."""
    out = np.zeros((len(values), width), np.uint8)
    rest = values
    for column in range(width - 1, -1, -1):
        present = (rest > 0) | (column == width - 1)
        rest, digit = np.divmod(rest, 10)
        out[:, column] = np.where(present, digit + 48, 0)
    return out


def decimals(units: Ints) -> Bytes:
    """Scores in units of 1e-4 as text with four decimals, (rows, 7)."""
    whole, fraction = np.divmod(units, SCORE_UNIT)
    padded = digits(fraction + SCORE_UNIT, 5)
    padded[:, 0] = ord(".")
    return np.hstack([digits(whole, 2), padded])


def numeric_ids(numbers: Ints) -> Bytes:
    """Document ids as MS MARCO writes them: numbers of up to seven digits."""
    return digits(numbers, 7)


def mixed_ids(numbers: Ints) -> Bytes:
    """Document ids of several forms and lengths, as catalogues have them; one number, one id."""
    before = np.array([b"D", b"wiki_en_", b"SKU-", b"news/a"], "S8").view(np.uint8).reshape(4, 8)
    after = np.array([b"", b".html", b"-v2"], "S5").view(np.uint8).reshape(3, 5)
    return np.hstack([before[numbers % 4], digits(numbers, 7), after[numbers % 3]])


def join_lines(columns: list[Bytes | bytes]) -> bytes:
    """Lines of text: columns of bytes (rows, width), their NULs left out, and constants between them."""
    rows = next(len(column) for column in columns if isinstance(column, np.ndarray))
    parts = [
        column if isinstance(column, np.ndarray) else np.tile(np.frombuffer(column, np.uint8), (rows, 1))
        for column in columns
    ]
    block = np.hstack(parts)
    return block[block != 0].tobytes()


def write_run(path: Path, run: Lists, names: Ints, tag: bytes, rng: np.random.Generator, numeric: bool) -> None:
    """A TREC run file; its queries in random order."""
    order = rng.permutation(len(run.queries))
    depth = run.documents.shape[1]
    ids = numeric_ids if numeric else mixed_ids
    step = max(1, BLOCK_ROWS // depth)
    with path.open("wb") as file:
        for start in range(0, len(order), step):
            chosen = order[start : start + step]
            queries = np.repeat(digits(names[run.queries[chosen]], 7), depth, axis=0)
            ranks = np.tile(digits(np.arange(1, depth + 1), 4), (len(chosen), 1))
            documents, scores = ids(run.documents[chosen].ravel()), decimals(run.units[chosen].ravel())
            file.write(join_lines([queries, b" Q0 ", documents, b" ", ranks, b" ", scores, b" " + tag + b"\n"]))


def write_judgments(path: Path, judged: Judged, names: Ints, numeric: bool) -> None:
    """A TREC qrels file."""
    ids = numeric_ids if numeric else mixed_ids
    with path.open("wb") as file:
        for start in range(0, len(judged.queries), BLOCK_ROWS):
            rows = slice(start, start + BLOCK_ROWS)
            queries, grades = digits(names[judged.queries[rows]], 7), digits(judged.grades[rows], 1)
            subtopics, documents = digits(judged.subtopics[rows], 1), ids(judged.documents[rows])
            file.write(join_lines([queries, b" ", subtopics, b" ", documents, b" ", grades, b"\n"]))


def generate(name: str, folder: Path) -> tuple[int, int]:
    """Write one set into its folder; returns how many rows a run has, and how many judgments there are."""
    recipe = SETS[name]
    rng = np.random.default_rng(recipe.seed)
    run_a, run_b, judged = (dense if recipe.dense else sparse)(rng, recipe)
    names = rng.permutation(1_100_000)[: recipe.queries + recipe.missing] + 1
    folder.mkdir(parents=True, exist_ok=True)
    numeric = not recipe.dense
    write_run(folder / "a.trec", run_a, names, b"bm25", rng, numeric)
    write_run(folder / "b.trec", run_b, names, b"dense-v2", rng, numeric)
    write_judgments(folder / "qrels.txt", judged, names, numeric)
    return run_a.documents.size, len(judged.grades)


def ensure(names: list[str], work: Path) -> None:
    """Generate the sets that are not there yet, or were made otherwise; prints a line for each."""
    source = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()
    for name in names:
        made_by = work / name / "made_by"
        if made_by.exists() and made_by.read_text() == source:
            print(f"{name}: there already", flush=True)
            continue
        rows, judgments = generate(name, work / name)
        made_by.write_text(source)
        print(f"{name}: {rows:,} rows per run, {judgments:,} judgments", flush=True)


def main() -> None:
    """Generate sets from the command line."""
    parser = argparse.ArgumentParser(description="Generate the benchmark's data.")
    parser.add_argument("--sets", nargs="+", choices=list(SETS), default=list(SETS))
    parser.add_argument("--work", type=Path, default=DEFAULT_WORK)
    options = parser.parse_args()
    ensure(options.sets, options.work)


if __name__ == "__main__":
    main()
