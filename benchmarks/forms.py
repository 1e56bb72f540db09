"""A set in other forms: packed, as Parquet, and with its rows in any order; the same judgments.

``python benchmarks/forms.py [--work FOLDER] NAME ...`` writes ``<work>/<NAME>`` from ``<work>/<set>``, where NAME is a
set and a form: large-gz, large-parquet or large-shuffled.
"""

from __future__ import annotations

import argparse
import gzip
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from generate import DEFAULT_WORK
from pyarrow import csv

NAMES = ["query_id", "iteration", "doc_id", "rank", "score", "tag"]


def packed(run: Path, folder: Path) -> None:
    """The same bytes in gzip, as quickly as it packs."""
    with run.open("rb") as source, gzip.open(folder / f"{run.name}.gz", "wb", 1) as target:
        shutil.copyfileobj(source, target, 1 << 20)


def as_parquet(run: Path, folder: Path) -> None:
    """Ids as text, ranks and scores."""
    types = {"query_id": pa.string(), "doc_id": pa.string(), "rank": pa.int32(), "score": pa.float64()}
    table = csv.read_csv(
        run,
        read_options=csv.ReadOptions(column_names=NAMES),
        parse_options=csv.ParseOptions(delimiter=" ", quote_char=False),
        convert_options=csv.ConvertOptions(column_types=types, include_columns=list(types)),
    )
    pq.write_table(table, folder / f"{run.stem}.parquet")


def shuffled(run: Path, folder: Path) -> None:
    """The same lines in random order."""
    lines = run.read_bytes().splitlines(keepends=True)
    order = np.random.default_rng(1).permutation(len(lines))
    with (folder / run.name).open("wb") as file:
        file.writelines(lines[i] for i in order)


FORMS: Mapping[str, Callable[[Path, Path], None]] = {"gz": packed, "parquet": as_parquet, "shuffled": shuffled}


def main() -> None:
    """Write what is not there yet."""
    parser = argparse.ArgumentParser(description="The benchmark's data in other forms.")
    parser.add_argument("names", nargs="+")
    parser.add_argument("--work", type=Path, default=DEFAULT_WORK)
    options = parser.parse_args()
    for name in options.names:
        base, _, form = name.partition("-")
        source, folder = options.work / base, options.work / name
        made = folder / "qrels.txt"
        if made.exists() and made.stat().st_mtime >= (source / "made_by").stat().st_mtime:
            continue
        folder.mkdir(exist_ok=True)
        for run in (source / "a.trec", source / "b.trec"):
            FORMS[form](run, folder)
        shutil.copyfile(source / "qrels.txt", made)


if __name__ == "__main__":
    main()
