"""Under a preset, and under other axes, every number is the tool's, after rounding to the digits that the tool prints,
or it is refused.
"""

import math
from collections.abc import Callable, Iterator, Mapping

import ir_measures
import numpy as np
import pytest
import pytrec_eval
from sklearn.metrics import dcg_score, ndcg_score

import rankdash as rd
from rankdash.metrics import diversity
from rankdash.metrics.names import COVERS, WRITTEN, peer_name
from tests.long import every
from tests.made import judgments, run
from tests.peers.made_at_random import Qrels, Run

#: test_subtopics.py compares these.
OF_SUBTOPICS = {form for row in diversity.MEASURES for form in row.forms}
Values = Mapping[str, float]
EXACT, PRINTED = 1e-9, 0.5e-5 + 1e-9
#: gdeval stops at a grade above 4: the highest grade of the data is below, at and above that.
HIGHEST = (1, 3, 4, 5)


def world(seed: int, highest: int) -> tuple[Run, Qrels]:
    """Runs with ties and unjudged documents, and grades from 0 to the highest; each query is in both."""
    rng = np.random.default_rng(seed)
    queries, pool = [str(q) for q in range(1, 9)], [f"d{d}" for d in range(20)]
    lists = {q: {str(doc): float(rng.integers(0, 12)) / 4 for doc in rng.permutation(pool)[:12]} for q in queries}
    grades = {q: {str(doc): int(rng.integers(0, highest + 1)) for doc in rng.permutation(pool)[:9]} for q in queries}
    grades["1"][next(iter(grades["1"]))] = highest
    grades["2"] = dict.fromkeys(grades["2"], 0)
    return lists, grades


def by_ir_measures(name: str, lists: Run, grades: Qrels) -> Values:
    """What ir_measures has."""
    asked = ir_measures.parse_measure(name.partition(",")[0])
    return {one.query_id: one.value for one in ir_measures.iter_calc([asked], grades, lists)}


def by_gdeval(name: str, lists: Run, grades: Qrels) -> Values:
    """What gdeval prints, as ir_measures calls it; queries that it leaves out, which ir_measures fills in, are not."""
    form = {"ndcg": "nDCG(dcg='exp-log2')", "err": "ERR"}
    tool, _, k = name.partition(",")[0].partition("@")
    values = by_ir_measures(f"{form[tool]}@{k}", lists, grades)
    return {query: value for query, value in values.items() if max(grades[query].values()) > 0}


def by_trec_eval(name: str, lists: Run, grades: Qrels) -> Values:
    """What pytrec_eval, which is trec_eval 9, has."""
    found = pytrec_eval.RelevanceEvaluator(grades, {name.replace("_4", ".4")}).evaluate(lists)
    return {query: values[name] for query, values in found.items()}


def by_scikit_learn(name: str, lists: Run, grades: Qrels) -> Values:
    """What scikit-learn has of the list alone."""
    score, k = {"ndcg": ndcg_score, "dcg_": dcg_score}[name[:4]], 4 if "k=" in name else None
    rows = {q: ([grades[q].get(doc, 0) for doc in docs], list(docs.values())) for q, docs in lists.items()}
    return {q: float(score([truth], [scores], k=k)) for q, (truth, scores) in rows.items()}


TOOLS: Mapping[str, Callable[[str, Run, Qrels], Values]] = {
    "ir_measures": by_ir_measures,
    "gdeval": by_gdeval,
    "trec_eval-9": by_trec_eval,
    "scikit-learn": by_scikit_learn,
}


def claimed() -> Iterator[tuple[str, str, str]]:
    """Preset, measure and the tool's own name for each measure that a preset claims, and that the tool here has."""
    for preset in TOOLS:
        for form in COVERS[preset]:
            name = str(peer_name(preset, form))
            if name != "RBP":  # ir_measures leaves it to cwl_eval
                yield preset, form.replace("@k", "@4"), name.format(k=4)


@pytest.mark.parametrize(("preset", "measure", "own"), every(1, claimed()))
def test_a_claimed_measure_has_the_number_of_the_tool(preset: str, measure: str, own: str) -> None:
    """On data whose highest grade is below, at and above the limit of the tool."""
    close = PRINTED if "decimals" in own else EXACT
    for highest in HIGHEST:
        lists, grades = world(highest, highest)
        if highest > 4 and "decimals" in own:  # the tool has no number; where 4 is a parameter, neither have we
            with pytest.raises(Exception, match="exit status"):
                TOOLS[preset](own, lists, grades)
            if "max_grade" in measure:
                with pytest.raises(rd.MeasureError, match="max_grade=5"):
                    rd.evaluate(run(lists), judgments(grades), [measure], convention=preset)
            continue
        theirs = TOOLS[preset](own, lists, grades)
        frame = rd.evaluate(run(lists), judgments(grades), [measure], convention=preset)
        ours = dict(zip(frame["query_id"], frame["value"], strict=True))
        assert {query: value for query, value in ours.items() if not math.isnan(value)} == pytest.approx(
            theirs, abs=close
        )


@pytest.mark.parametrize(
    ("preset", "form"),
    [(preset, form) for preset in WRITTEN for form in WRITTEN[preset] if form not in ("Judged@k", *OF_SUBTOPICS)],
)
@pytest.mark.parametrize("prefix", [False, True])
def test_another_number_than_that_of_the_tool_is_refused_with_how_to_write_it(
    preset: str, form: str, prefix: bool
) -> None:
    """Under the preset as the convention, and before the colon; what the refusal says is taken."""
    name, written = form.replace("@k", "@4"), WRITTEN[preset][form].replace("@k", "@4")
    lists, grades = world(0, 3)
    asked, convention = (f"{preset}:{name}", "standard") if prefix else (name, preset)
    with pytest.raises(rd.MeasureError, match="Write ") as told:
        rd.evaluate(run(lists), judgments(grades), [asked], convention=convention)
    to_write = str(told.value).partition("Write ")[2].removesuffix(".")
    assert to_write.endswith(written.rpartition("(")[2])
    frame = rd.evaluate(run(lists), judgments(grades), [to_write], convention=convention)
    same = rd.evaluate(run(lists), judgments(grades), [written], convention=preset)
    assert frame["value"].equals(same["value"])


#: test_subtopics.py compares these.


def tied_world(rng: np.random.Generator) -> tuple[dict[str, dict[str, float]], dict[str, dict[str, int]]]:
    """Lists with equal scores, and with scores that are equal as 32-bit numbers alone; grades from -1 to 2."""
    run, judged = {}, {}
    for query in ("1", "2", "3"):
        docs = [f"d{i}" for i in rng.permutation(8)]
        steps = [float(rng.choice([2.0**-27, 0.25])) for _ in docs]
        listed = zip(docs, steps, rng.integers(-3, 4, 8).tolist(), strict=True)
        run[query] = dict([(doc, 12.5 + at * step) for doc, step, at in listed][: int(rng.integers(1, 8))])
        graded = [f"d{i}" for i in rng.permutation(8)[: int(rng.integers(1, 8))]]
        judged[query] = {doc: int(rng.integers(-1, 3)) for doc in graded}
    return run, judged


@pytest.mark.parametrize("measure", every(2, [form for form in WRITTEN["ir_measures"] if form not in OF_SUBTOPICS]))
def test_measures_written_with_their_axes_are_those_of_ir_measures(measure: str) -> None:
    """Written with the axes that the refusal names they equal ir_measures' on any ties and negative grades, to the
    decimals that it prints; under their plain names they are refused.
    """
    rng = np.random.default_rng(7)
    name, written = (text.replace("@k", "@3") for text in (measure, WRITTEN["ir_measures"][measure]))
    if not name.startswith("Judged"):
        with pytest.raises(rd.MeasureError, match="Write "):
            rd.evaluate({"q": ["d"]}, {"q": {"d": 1}}, [name], convention="ir_measures")
    close = 5e-6 if name.startswith("ERR") else 1e-12
    for _ in range(60):
        run, judged = tied_world(rng)
        theirs = {
            one.query_id: one.value for one in ir_measures.iter_calc([ir_measures.parse_measure(name)], judged, run)
        }
        frame = rd.evaluate(run, judged, [written])
        assert dict(zip(frame["query_id"], frame["value"], strict=True)) == pytest.approx(theirs, abs=close)
