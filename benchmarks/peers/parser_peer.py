"""The least that reading the three files with Arrow takes: its CSV parser alone, block by block in two threads, no
answer.

It is no contender but a floor: whoever reads TREC files with this parser, as rankdash does, cannot be faster.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pyarrow as pa
import pyarrow.csv
from shared import arguments

BLOCK = 1 << 22
RUN = ("query_id", "iteration", "doc_id", "rank", "score", "tag")
JUDGMENTS = ("query_id", "subtopic", "doc_id", "relevance")
TYPES = {
    "query_id": pa.dictionary(pa.int32(), pa.string()),
    "doc_id": pa.string(),
    "rank": pa.int32(),
    "score": pa.float64(),
    "subtopic": pa.dictionary(pa.int32(), pa.string()),
    "relevance": pa.float64(),
}


def rows(path: str, columns: tuple[str, ...]) -> int:
    """The rows of a file of words separated by single spaces; every block is parsed and forgotten."""
    read = [name for name in columns if name in TYPES]
    with pa.csv.open_csv(
        path,
        read_options=pa.csv.ReadOptions(column_names=columns, block_size=BLOCK, use_threads=False),
        parse_options=pa.csv.ParseOptions(delimiter=" ", quote_char=False),
        convert_options=pa.csv.ConvertOptions(include_columns=read, column_types=TYPES),
    ) as blocks:
        return sum(len(block) for block in blocks)


run_a, run_b, judgments, _ = arguments()
files = {run_a: RUN, run_b: RUN, judgments: JUDGMENTS}
with ThreadPoolExecutor(2) as threads:
    for path, count in zip(files, threads.map(rows, files, files.values()), strict=True):
        print(f"{path}: {count:,} rows")
