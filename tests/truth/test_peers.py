"""Every value of every world is the one that pytrec_eval and ir_measures print, to the last digit."""

import math
from collections.abc import Iterable

import ir_measures
import pandas as pd
import pytest

import rankdash as rd
from rankdash.evidence.paired import DECIMALS
from tests.peers import trec_eval
from tests.peers.trec_eval import TREC
from tests.truth.scale import scaled
from tests.truth.sources import SOURCES
from tests.truth.worlds import World, lists_of, world

PAIRS = SOURCES["pairs"]
Values = dict[tuple[str, str], float]


def trec(one: World) -> Values:
    """pytrec_eval's values of A by (our name, query); it gets other names in the same byte order, which it can hold."""
    other = World(one.seed, one.renamed(one.a), (), one.renamed(one.judged))
    grades = {q: {doc: int(grade) for doc, grade in docs.items()} for q, docs in other.grades.items()}
    queries = {other: own for own, other in one.names.items()}
    found = trec_eval.trec(other.lists, grades)
    return {(own, queries[q]): values[name] for q, values in found.items() for name, own in TREC.items()}


def ours(run: rd.Run, judgments: rd.Judgments | None, names: Iterable[str], convention: str) -> Values:
    """Our values by (name, query)."""
    frame = rd.evaluate(run, judgments, list(names), convention=convention)
    return {(m, q): v for q, m, v in frame[["query_id", "measure", "value"]].itertuples(index=False)}


def same(mine: Values, theirs: Values, one: World) -> None:
    """Fails with the first values that differ, and the seed of the world."""
    assert mine.keys() == theirs.keys(), (one.seed, list(mine.keys() ^ theirs.keys())[:3])
    wrong = [(key, mine[key], value) for key, value in theirs.items() if mine[key] != value]
    assert not wrong, (one.seed, len(wrong), wrong[:3])


@pytest.mark.parametrize("name", SOURCES)
def test_from_every_source_values_are_those_of_pytrec_eval(name: str) -> None:
    """Whatever a world is written to, trec_eval-9 prints pytrec_eval's values for the same queries."""
    source = SOURCES[name]
    for seed in range(scaled(1)):
        one = world(seed, alphabet=source.alphabet, repeats=source.repeats)
        run, judgments = source.run(one.a, seed), source.judgments(one.judged, seed)
        same(ours(run, judgments, TREC.values(), "trec_eval-9"), trec(one), one)


@pytest.mark.parametrize("share", range(3))
def test_values_are_those_of_pytrec_eval(share: int) -> None:
    """trec_eval-9 prints pytrec_eval's values, to the last digit."""
    for seed in range(share, scaled(12), 3):
        one = world(1_000 + seed, alphabet="any")
        same(ours(PAIRS.run(one.a), PAIRS.judgments(one.judged), TREC.values(), "trec_eval-9"), trec(one), one)


def test_standard_agrees_where_it_must() -> None:
    """With scores that float32 can hold, standard has the same values, and 0 for every query without a list."""
    for seed in range(scaled(2)):
        one = world(50_000 + seed, alphabet="any", kinds=("tied", "apart"))
        missing = {(name, query): 0.0 for name in TREC.values() for query in one.grades.keys() - one.lists.keys()}
        mine = ours(PAIRS.run(one.a), PAIRS.judgments(one.judged), TREC.values(), "standard")
        same(mine, trec(one) | missing, one)


def test_values_are_those_of_ir_measures() -> None:
    """What ir_measures prints for the worlds is printed, for the missing queries too."""
    docid_asc = {"Judged@10": "Judged(ties='docid_asc')@10", "RR@10": "RR(ties='docid_asc')@10"}  # as its readers do
    plain = ("AP", "AP@10", "nDCG", "nDCG@10", "P@5", "RR", "R@10", "Rprec", "Bpref", "Success@10")
    asked = {ir_measures.parse_measure(name): docid_asc.get(name, name) for name in (*plain, *docid_asc)}
    printed = {str(one): rd.parse_measure(name, rd.PRESETS["ir_measures"]).name for one, name in asked.items()}
    for seed in range(scaled(1)):
        one = world(60_000 + seed, alphabet="any", grades=(0, 0, 1, 2, 3), kinds=("tied", "apart"))
        other = World(seed, one.renamed(one.a), (), one.renamed(one.judged))
        queries = {other: own for own, other in one.names.items()}
        mine = ours(PAIRS.run(one.a), PAIRS.judgments(one.judged), asked.values(), "ir_measures")
        theirs = {}
        for metric in ir_measures.iter_calc(list(asked), other.grades, other.lists):
            theirs[printed[str(metric.measure)], queries[metric.query_id]] = metric.value
        for query in one.grades.keys() - one.lists.keys():
            assert math.isnan(mine.pop((printed["Judged@10"], query)))
            theirs.pop((printed["Judged@10"], query), None)
        same(mine, theirs, one)


def side_of(frame: pd.DataFrame, side: str) -> Values:
    """The values of A or of B in a per-query table, by (name, query)."""
    return dict(zip(zip(frame["measure"], frame["query_id"], strict=True), frame[side], strict=True))


def answered_by_both(values: Values, one: World) -> Values:
    """The values of queries that both runs answer."""
    both = one.lists.keys() & lists_of(one.b).keys()
    return {key: value for key, value in values.items() if key[1] in both}


def test_a_comparison_has_the_values_of_pytrec_eval_for_both() -> None:
    """The per-query table of A against B holds, for both, what pytrec_eval prints, and their differences."""
    for seed in range(scaled(1)):
        one = world(70_000 + seed, alphabet="any")
        policy = rd.Policy(convention="trec_eval-9")
        frame = rd.compare(*PAIRS.read(one), policy=policy, measures=list(TREC.values())).per_query
        for side, of in (("a", one), ("b", one.swapped())):
            theirs = answered_by_both(trec(of), one)
            same({key: value for key, value in side_of(frame, side).items() if key in theirs}, theirs, of)
        known = frame.dropna()
        assert (known["delta"] == (known["b"] - known["a"]).round(DECIMALS)).all()
