"""Write the demo comparison ``data/demo/*.csv``, the same bytes on every machine.

``python data/make_demo.py`` writes the files, ``--check`` writes nothing and exits 1 if a file differs from what would
be written (it says which), ``--out DIR`` writes or checks another folder.
"""

from __future__ import annotations

import argparse
import csv
import io
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from catalogue import Product, ProductType, make_catalogue, number
from rankers import RANKER_A, RANKER_B, Index
from shoppers import Query, grade, make_queries

HERE = Path(__file__).resolve().parent / "demo"
POOL_DEPTH = 18
#: One pooled pair in this many was never judged, whoever returned it: labels of real projects have such holes too.
HOLE_EVERY = 30

Ranking = list[tuple[Product, int]]


def to_csv(header: str, rows: Iterable[Sequence[object]]) -> bytes:
    """The bytes of a CSV file: UTF-8, newline line ends, quotes only where needed."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(header.split(","))
    writer.writerows(rows)
    return out.getvalue().encode("utf-8")


def millionths(value: int) -> str:
    """A whole number of millionths as a decimal with six places."""
    return f"{value // 1_000_000}.{value % 1_000_000:06d}"


def judge(
    queries: list[Query], products: list[Product], types: dict[str, ProductType], runs: Sequence[dict[str, Ranking]]
) -> list[tuple[str, str, int]]:
    """Rows of judgments.csv: the pool of both rankers' top 18 and all exact products, without the holes."""
    rows = []
    for query in queries:
        pool = {product.doc_id for run in runs for product, _ in run[query.query_id][:POOL_DEPTH]}
        for product in products:
            value = grade(query, product, types)
            hole = number(f"hole/{query.query_id}/{product.doc_id}", HOLE_EVERY) == 0
            if (product.doc_id in pool or value == 3) and not hole:
                rows.append((query.query_id, product.doc_id, value))
    return rows


def product_row(product: Product) -> tuple[str, ...]:
    """A row of products.csv."""
    traits = "; ".join(f"{axis}={value}" for axis, value in product.values.items())
    price = f"{product.cents // 100}.{product.cents % 100:02d}"
    return (product.doc_id, product.title, product.description, product.brand, product.category, price,
            product.language, product.color, product.type, traits)  # fmt: skip


def run_rows(run: dict[str, Ranking]) -> Iterable[tuple[object, ...]]:
    """The rows of a run file, query by query, rank 1 first."""
    for query_id, ranking in run.items():
        for rank, (product, score) in enumerate(ranking, start=1):
            yield query_id, rank, product.doc_id, millionths(score), product.title


def make_files() -> dict[str, bytes]:
    """File name -> its bytes."""
    types, products = make_catalogue()
    queries = make_queries(types)
    indexes = [Index(products, weights) for weights in (RANKER_A, RANKER_B)]
    runs = [{query.query_id: index.search(query.text) for query in queries} for index in indexes]
    judgments = judge(queries, products, types, runs)
    asked = [(q.query_id, q.text, q.traffic, q.language) for q in queries]
    product_columns = "doc_id,title,description,brand,category,price,language,color,type,traits"
    return {
        "products.csv": to_csv(product_columns, map(product_row, products)),
        "queries.csv": to_csv("query_id,text,traffic,language", asked),
        "run_a.csv": to_csv("query_id,rank,doc_id,score,title", run_rows(runs[0])),
        "run_b.csv": to_csv("query_id,rank,doc_id,score,title", run_rows(runs[1])),
        "judgments.csv": to_csv("query_id,doc_id,relevance", judgments),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """0 done; 1 when ``--check`` found a file that differs."""
    parser = argparse.ArgumentParser(description="Write the demo comparison, the same bytes on every machine.")
    parser.add_argument("--out", type=Path, default=HERE, help="folder to write to or to check (data/demo)")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a file differs")
    options = parser.parse_args(arguments)
    files = make_files()
    if options.check:
        wrong = [name for name, data in files.items() if read_bytes(options.out / name) != data]
        for name in wrong:
            print(f"{options.out / name}: differs from what data/make_demo.py writes", file=sys.stderr)
        return int(bool(wrong))
    options.out.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        (options.out / name).write_bytes(data)
    return 0


def read_bytes(path: Path) -> bytes | None:
    """The content of a file, None if there is none."""
    return path.read_bytes() if path.is_file() else None


if __name__ == "__main__":
    raise SystemExit(main())
