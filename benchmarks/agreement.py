"""Do all contenders print the same numbers? Compares their answers with a reference, value by value.

``python benchmarks/agreement.py FOLDER ANSWERS REFERENCE NAME ...`` prints one JSON object per line and NAME. Where
values differ it asks whether equal scores can be the reason: a list is "open" if a relevant document shares its score
with another document of the list. In all other lists every order of ties gives the same values.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from pyarrow import csv

Floats = npt.NDArray[np.float64]
TREC_NAMES = ("ndcg_cut_10", "map", "P_10", "recip_rank", "recall_100")


@dataclass(frozen=True)
class Answer:
    """``values`` (2, measures, queries) in the order of ``query_ids``; ``means`` (measures, 5) or None."""

    query_ids: list[str]
    values: Floats
    means: Floats | None


@dataclass(frozen=True)
class Agreement:
    """How far one contender is from the reference: over all values, and over lists that ties leave open or not.

    ``differing`` values are more than 1e-6 apart; ``largest_settled`` is the largest difference in a list that no
    order of ties can change; ``means`` is the largest difference of a mean or an end of an interval, None if it
    prints none.
    """

    name: str
    compared: int
    differing: int
    largest: float
    open_lists: int
    differing_settled: int
    largest_settled: float
    means: float | None


def load(prefix: Path) -> Answer:
    """The answer that a contender left behind."""
    if Path(f"{prefix}.a.txt").exists():
        return _load_trec_eval(prefix)
    query_ids = Path(f"{prefix}.ids.txt").read_text().split("\n")
    return Answer(query_ids, np.load(f"{prefix}.values.npy"), np.load(f"{prefix}.means.npy"))


def _load_trec_eval(prefix: Path) -> Answer:
    """What trec_eval printed; a judged query that it does not print (9.0) counts as 0."""
    found: list[dict[str, dict[str, float]]] = [defaultdict(dict), defaultdict(dict)]
    for run, suffix in enumerate("ab"):
        for line in Path(f"{prefix}.{suffix}.txt").read_text().splitlines():
            measure, query, value = line.split()
            if query != "all" and measure in TREC_NAMES:
                found[run][query][measure] = float(value)
    query_ids = sorted(found[0].keys() | found[1].keys())
    values = [[[run[query].get(name, 0.0) for query in query_ids] for name in TREC_NAMES] for run in found]
    return Answer(query_ids, np.array(values), None)


def read_columns(path: Path, names: list[str]) -> pa.Table:
    """A TREC file as an Arrow table, ids as strings."""
    types = {"query_id": pa.string(), "doc_id": pa.string(), "score": pa.float64(), "relevance": pa.float64()}
    return csv.read_csv(
        path,
        read_options=csv.ReadOptions(column_names=names),
        parse_options=csv.ParseOptions(delimiter=" ", quote_char=False),
        convert_options=csv.ConvertOptions(column_types=types, include_columns=[n for n in names if n in types]),
    )


def open_lists(run: pa.Table, judgments: pa.Table) -> set[str]:
    """The queries in whose list a relevant document shares its score with another document."""
    relevant = judgments.filter(pa.array(judgments["relevance"].to_numpy() > 0))
    hits = run.join(relevant.select(["query_id", "doc_id"]), ["query_id", "doc_id"], join_type="inner")
    blocks = hits.select(["query_id", "score"]).group_by(["query_id", "score"]).aggregate([])
    sizes = run.join(blocks, ["query_id", "score"], join_type="inner").group_by(["query_id", "score"])
    counted = sizes.aggregate([("doc_id", "count")])
    return set(counted.filter(pa.array(counted["doc_id_count"].to_numpy() > 1))["query_id"].to_pylist())


def compare(name: str, answer: Answer, reference: Answer, tied: list[set[str]]) -> Agreement:
    """One contender against the reference. Judged queries that it does not print count as 0 there."""
    place = {query: i for i, query in enumerate(answer.query_ids)}
    columns = np.array([place.get(query, -1) for query in reference.query_ids])
    values = np.where(columns >= 0, answer.values[:, :, columns], 0.0)
    apart = np.abs(values - reference.values)
    apart = np.where(np.isnan(apart), np.inf, apart)
    settled = np.array([[query not in queries for query in reference.query_ids] for queries in tied])
    in_settled = apart[np.broadcast_to(settled[:, None, :], apart.shape)]
    means = None
    if answer.means is not None and reference.means is not None:
        means = float(np.abs(answer.means - reference.means).max())
    return Agreement(
        name=name,
        compared=apart.size,
        differing=int((apart > 1e-6).sum()),
        largest=float(apart.max()),
        open_lists=int((~settled).sum()),
        differing_settled=int((in_settled > 1e-6).sum()),
        largest_settled=float(in_settled.max(initial=0.0)),
        means=means,
    )


def main() -> None:
    """Compare every named answer with the reference's."""
    folder, answers, reference_name, *names = sys.argv[1:]
    judgments = read_columns(Path(folder) / "qrels.txt", ["query_id", "iteration", "doc_id", "relevance"])
    columns = ["query_id", "q0", "doc_id", "rank", "score", "tag"]
    tied = [open_lists(read_columns(Path(folder) / f"{run}.trec", columns), judgments) for run in "ab"]
    reference = load(Path(answers) / reference_name)
    for name in names:
        print(json.dumps(asdict(compare(name, load(Path(answers) / name), reference, tied))))


if __name__ == "__main__":
    main()
