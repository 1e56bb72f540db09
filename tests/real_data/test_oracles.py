"""Real runs against answers that independent tools computed; the folder is named by RANKDASH_REAL_DATA."""

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rankdash as rd
from rankdash.evidence.paired import paired

MEASURES = {"ndcg_cut_10": "nDCG@10", "map": "AP", "P_10": "P@10", "recip_rank": "RR", "recall_100": "R@100"}
BLOCKS = {"standard": "pairs_over_all_qrels_queries_missing_as_0", "trec_eval-9": "pairs"}


@dataclass(frozen=True)
class Collection:
    """A folder with two TREC runs and judgments."""

    folder: str
    a: str
    b: str
    judgments: str

    def load(self, root: Path) -> tuple[rd.Run, rd.Run, rd.Judgments, dict[str, Any]]:
        """Both runs, the judgments, and the oracle's answers."""
        folder = root / self.folder
        oracle = json.loads((folder / "oracle.json").read_text("utf-8"))
        return (
            rd.read_run(folder / self.a),
            rd.read_run(folder / self.b),
            rd.read_judgments(folder / self.judgments),
            oracle,
        )


COLLECTIONS = [
    Collection("cmrc_chinese", "run_a_char.trec", "run_b_jieba.trec", "qrels.txt"),
    Collection("dl20_passage", "run_a.bm25.trec", "run_b.tasb.trec", "qrels.txt"),
    Collection("esci_products", "run_a_title.trec", "run_b_allfields.trec", "qrels.grade0-3.txt"),
    Collection("jsquad_japanese", "run_a_bigram.trec", "run_b_janome.trec", "qrels.txt"),
    Collection("letor_lightgbm", "run_a.trec", "run_b.trec", "qrels.txt"),
    Collection("trec_eval_test", "results.trunc", "results.test", "qrels.test"),
]
each = pytest.mark.parametrize("collection", COLLECTIONS, ids=lambda one: one.folder)


@each
@pytest.mark.parametrize("preset", BLOCKS)
def test_per_query_values_are_the_oracles(collection: Collection, preset: str, real_data: Path) -> None:
    """Every query's value of five measures equals the oracle's six decimals; a missing query is 0, or left out."""
    a, b, judgments, oracle = collection.load(real_data)
    comparison = rd.compare(a, b, judgments, convention=preset, measures=MEASURES.values())
    for theirs, own in MEASURES.items():
        row = comparison.measure_names.index(own)
        for side, scores in (("A", comparison.scores_a), ("B", comparison.scores_b)):
            answers = oracle["runs"][side]["per_query"]
            for query, value in zip(comparison.query_ids, scores[row], strict=True):
                if query in answers:
                    assert value == pytest.approx(answers[query][theirs], abs=5.0001e-7), (query, own)
                else:
                    assert value == 0 if preset == "standard" else math.isnan(value), (query, own)


@each
@pytest.mark.parametrize("preset", BLOCKS)
def test_the_difference_is_the_oracles(collection: Collection, preset: str, real_data: Path) -> None:
    """Means, win / tie / loss, t and its p equal the oracle's, computed as it did from values of six decimals."""
    a, b, judgments, oracle = collection.load(real_data)
    comparison = rd.compare(a, b, judgments, convention=preset, measures=MEASURES.values())
    (answers,) = oracle[BLOCKS[preset]].values()
    for theirs, own in MEASURES.items():
        expected, row = answers["metrics"][theirs], comparison.measure_names.index(own)
        found = comparison.results[row].paired
        assert (found.wins, found.ties, found.losses) == (expected["win_B"], expected["tie"], expected["loss_B"])
        assert found.delta == pytest.approx(expected["mean_delta"], abs=1e-6)
        rounded = paired(*(np.round(scores[row], 6) for scores in (comparison.scores_a, comparison.scores_b)))
        assert rounded.delta == pytest.approx(expected["mean_delta"], abs=1e-8)
        if expected.get("p_ttest_rel_two_sided") is None:
            assert rounded.t_p is None
        else:
            assert rounded.t_p == pytest.approx(expected["p_ttest_rel_two_sided"], abs=1e-7)
            assert rounded.effect_size == pytest.approx(expected["cohen_dz"], abs=1e-7)


def test_trec_evals_own_example_output_is_reproduced(real_data: Path) -> None:
    """The printed four decimals of trec_eval's shipped test, per query, with -q."""
    folder = real_data / "trec_eval_test"
    names = {"map": "AP", "Rprec": "Rprec", "bpref": "Bpref", "recip_rank": "RR", "P_5": "P@5", "ndcg": "nDCG"}
    names |= {"ndcg_cut_10": "nDCG@10", "map_cut_30": "AP@30", "recall_100": "R@100", "success_1": "Success@1"}
    frame = rd.evaluate(
        rd.read_run(folder / "results.test"), rd.read_judgments(folder / "qrels.test"), names.values(), "trec_eval-9"
    )
    ours = {(m, q): v for q, m, v in frame.itertuples(index=False)}
    seen = 0
    for line in (folder / "out.test.aq").read_text("utf-8").splitlines():
        measure, query, printed = line.split()
        if measure in names and query != "all":
            assert f"{ours[names[measure], query]:.4f}" == printed, line
            seen += 1
    assert seen == 3 * len(names)
