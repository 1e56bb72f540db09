"""Queries that belong together: from the column of a table to intervals, gates, severe changes and segments."""

from typing import Any

import numpy as np
import pytest

import rankdash as rd
from rankdash.report.notes import query_notes
from rankdash.report.sections import cards
from rankdash.scoring import ComparisonError, expertise_of
from tests.made import judgments, run

N = 60
POLICY = rd.Policy(primary="nDCG@2", guardrails=(("AP", 0.01),), watch=(("RR", 0.02),))


def compared(
    columns: dict[str, list[Any]] | None = None, policy: rd.Policy = POLICY, seed: int = 0, n: int = N
) -> rd.Comparison:
    """Random lists of three documents, with columns of the queries."""
    random = np.random.default_rng(seed)
    lists = [{f"q{i}": list(random.permutation(["a", "b", "c"])) for i in range(n)} for _ in "AB"]
    grades = {f"q{i}": {doc: int(random.integers(0, 3)) for doc in "abc"} for i in range(n)}
    rows = [{"query_id": f"q{i}", **{name: values[i] for name, values in (columns or {}).items()}} for i in range(n)]
    table = rd.read_queries(rows) if columns else None
    return rd.compare(run(lists[0]), run(lists[1]), judgments(grades), policy=policy, queries=table)


def test_an_interval_counts_groups() -> None:
    """The standard error is that of groups, by its formula; gates count the fewer of queries, weight and groups."""
    random = np.random.default_rng(1)
    cluster = [f"g{i}" for i in random.integers(0, 12, N)]
    weights = np.round(random.uniform(0.5, 2, N), 2)
    found = compared({"cluster": cluster, "weight": weights.tolist()}).primary.paired
    delta = compared().deltas[0]
    w = weights / weights.sum()
    mean = (w * delta).sum()
    sums = [sum(w[i] * (delta[i] - mean) for i in range(N) if cluster[i] == one) for one in set(cluster)]
    groups = len(sums)
    assert found.se == pytest.approx(np.sqrt(groups / (groups - 1) * np.square(sums).sum()))
    assert (found.clusters, found.n, found.size) == (groups, N, groups)
    assert found.df == groups - 1
    assert found.sd == pytest.approx(found.se * np.sqrt(N))
    assert found.changed == len({cluster[i] for i in range(N) if delta[i]})
    assert (found.wins, found.losses) == (int((delta > 0).sum()), int((delta < 0).sum()))


def test_a_query_without_a_group_is_on_its_own() -> None:
    """Empty cells, and queries that the table lacks, are groups of one: the numbers are those without the column."""
    alone, empty = compared().primary.paired, compared({"cluster": [""] * N}).primary.paired
    assert empty.clusters == N
    named = compared({"cluster": [f"g{i}" for i in range(N)]}).primary.paired
    for name in ("delta", "lower95", "upper95", "lower90", "p_harm", "changed", "required_n_seen"):
        assert getattr(empty, name) == getattr(named, name) == pytest.approx(getattr(alone, name)), name


def test_names_and_order_of_groups_change_nothing() -> None:
    """Groups are told by their values: renamed, they are the same groups."""
    numbers = [i % 9 for i in range(N)]
    one = compared({"cluster": [f"g{i}" for i in numbers]})
    other = compared({"cluster": [f"{8 - i}!" for i in numbers]})
    assert one.results == other.results
    assert rd.decide(one) == rd.decide(other)


def test_a_policy_that_knows_the_column_as_a_segment_has_it_as_one() -> None:
    """A column called group is a segment where the policy names it so, and then no query belongs to another."""
    columns = {"group": ["x" if i % 2 else "y" for i in range(N)]}
    as_cluster = compared(columns)
    assert (as_cluster.primary.paired.clusters, as_cluster.plain.segments) == (2, ())
    as_segment = compared(columns, POLICY.changed(segments=["group"]))
    assert as_segment.primary.paired.clusters is None
    assert {one.value for one in as_segment.plain.segments} == {"x", "y"}
    own_name = compared({"cluster": columns["group"]}, POLICY.changed(segments=["cluster"]))
    assert {one.value for one in own_name.plain.segments} == {"x", "y"}
    with pytest.raises(ComparisonError, match="'device'"):
        compared(columns, POLICY.changed(segments=["device"]))


def test_repeated_texts_are_counted_as_they_are_written() -> None:
    """Case, width and blanks make no other text; queries without a text share none; with groups it is no caveat."""
    texts = ["red shoes", " Red  Shoes", "ｒｅｄ shoes", "boots", "", "", *[f"query {i}" for i in range(N - 6)]]
    found = compared({"text": texts})
    assert found.counts.repeated_texts == 3
    said = [caveat.sentence for caveat in rd.decide(found).caveats if caveat.id == "repeated"]
    (sentence,) = said
    assert sentence.startswith("3 of ")
    assert compared().counts.repeated_texts is None
    grouped = compared({"text": texts, "cluster": [""] * N})
    assert "repeated" not in {caveat.id for caveat in rd.decide(grouped).caveats}
    few = compared({"text": ["a", "a", *[f"t{i}" for i in range(N - 2)]]})
    assert "repeated" not in {caveat.id for caveat in rd.decide(few).caveats}


def test_experts_keep_groups_together() -> None:
    """Sign flips turn whole groups, and resamples draw whole groups: with pairs of equal queries p is that of half."""
    half = np.round(np.random.default_rng(3).normal(0.05, 0.2, 9), 3)
    sample = compared({"cluster": [f"g{i // 2}" for i in range(18)]}, n=18).sample
    (pairs,) = expertise_of(np.repeat(half, 2)[None, :], sample)
    (single,) = expertise_of(half[None, :], compared(n=9).sample)
    assert pairs.permutation_p == pytest.approx(single.permutation_p)
    assert pairs.bca95 == pytest.approx(single.bca95, abs=0.02)


def test_nothing_is_inferred_from_a_fixed_set() -> None:
    """No measure and no ΔGSB of a fixed set has an interval or a p, derived ones neither; the counts are the same. No
    sentence speaks of chance, and no segment is too small.
    """
    sampled, fixed = (compared(None, POLICY.changed(inference=name)) for name in ("sample", "fixed"))
    assert sampled.gsb_derived.ci95 is not None
    one, other = fixed.gsb_derived, sampled.gsb_derived
    assert (one.good, one.same, one.bad, one.delta) == (other.good, other.same, other.bad, other.delta)
    assert (one.ci95, one.ci90, one.p, one.sign_p) == (None,) * 4
    assert all(result.paired.ci95 is None and result.paired.t_p is None for result in fixed.results)
    policy = POLICY.changed(inference="fixed", segments=("country",))
    page = rd.report(compared({"country": ["de", "fr"] * (N // 2)}, policy)).decode()
    assert not any(words in page for words in ("p &lt; 0.05", "p-values", "too small to judge", "could be chance"))


def test_what_groups_hide_is_said_of_groups() -> None:
    """Where gains and losses cancel in each group, the card speaks of groups, and big changes are counted by group."""
    names = [f"q{i}" for i in range(40)]
    a, b = ({q: ["x", "y"] if i % 2 is side else ["y", "x"] for i, q in enumerate(names)} for side in (0, 1))
    table = rd.read_queries([{"query_id": query, "cluster": f"g{i // 2}"} for i, query in enumerate(names)])
    found = rd.compare(run(a), run(b), judgments({query: {"x": 1, "y": 0} for query in names}), queries=table)
    assert found.primary.paired.status == "groups_alike"
    assert "group" in cards(found)[0].lines[1]
    (said,) = [check.sentence for check in rd.decide(found).checks if check.rule == "H5"]
    assert "by group" in said


def test_the_interval_that_counts_queries_is_named() -> None:
    """ΔGSB has an interval beside groups, with votes or derived from the judgments: the note on groups excepts it."""
    found = compared({"cluster": [f"g{i % 20}" for i in range(N)]})
    (said,) = [str(note) for note in query_notes(found) if note.code == "groups"]
    assert found.votes is None
    assert found.gsb_derived.ci95 is not None
    assert "ΔGSB" in said
