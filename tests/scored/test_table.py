"""The per-query table: its columns on lists that can be counted by hand, its form in Arrow, and what it refuses."""

import contextlib
import functools
import hashlib
import json
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import rankdash as rd
from rankdash import scoring
from rankdash.report.json import to_json
from rankdash.report.sections import Reported
from rankdash.scoring import PerQuery, TableError, compare_joined, compare_scored, join, score_queries
from rankdash.scoring.rankings import Rankings
from rankdash.scoring.table import METADATA
from tests.long import every
from tests.truth.scale import TIMES

POLICY = rd.Policy(primary="nDCG@2", convention=rd.Convention(negative="clip"))
#: In q1 B exchanges the first two; in q2 the first two are the same, and not what follows; q3 is nobody's in A.
A = [
    *[("q1", "x", 3.0), ("q1", "y", 2.0), ("q1", "u", 2.0), ("q1", "x", 1.0)],
    *[("q2", "x", 3.0), ("q2", "y", 2.0), ("q2", "v", 1.0)],
    *[("q4", "x", 2.0), ("q4", "u", 1.0)],
    *[("nobody's", "x", 1.0), ("nobody's", "y", 1.0), ("nobody's", "y", 0.0)],
]
B = [
    *[("q1", "y", 3.0), ("q1", "x", 2.0)],
    *[("q2", "x", 3.0), ("q2", "y", 2.0), ("q2", "w", 1.0)],
    *[("q3", "u", 1.0), ("q3", "v", 1.0)],
    *[("q4", "x", 9.0), ("q4", "u", 8.0)],
]
GRADES = [("q1", "x", 2.0), ("q1", "y", 1.0), ("q1", "x", 1.0), ("q2", "x", 0.0), ("q3", "z", 1.0), ("q4", "x", 1.0)]
COUNTED: Mapping[str, list[Any]] = {
    "length_a": [3, 3, 0, 2],
    "length_b": [2, 3, 2, 2],
    "hits_a": [2, 1, 0, 1],
    "hits_b": [2, 1, 0, 1],
    "relevant_a": [2, 0, 1, 1],
    "relevant_b": [2, 0, 1, 1],
    "judgments": [2, 1, 1, 1],
    "tied_rows_a": [2, 0, 0, 0],
    "tied_rows_b": [0, 0, 2, 0],
    "changed": [True, False, True, False],
    "judged_a": [1.0, 0.5, np.nan, 0.5],
    "judged_b": [1.0, 0.5, 0.0, 0.5],
    "tied_a": [1, 0, 0, 0],
    "tied_b": [0, 0, 2, 0],
    "identical": [False, False, False, True],
    "graded_a": [2, 1, 0, 1],
    "graded_b": [2, 1, 0, 1],
    "in_grade_order_a": [True, True, True, True],
    "in_grade_order_b": [False, True, True, True],
    "two_grades_a": [True, False, False, False],
    "two_grades_b": [True, False, False, False],
    "unjudged_shown": [0, 1, 2, 1],
}


def joined() -> Rankings:
    """Both runs against the grades."""
    return join(rd.read_run(A, name="A"), rd.read_run(B, name="B"), rd.read_judgments(GRADES))


def table() -> pa.Table:
    """Their per-query values in Arrow."""
    return score_queries(joined(), POLICY, ["ERR@3", "RBO"]).to_arrow()


@pytest.mark.parametrize("name", COUNTED)
def test_columns_hold_what_is_counted_by_hand(name: str) -> None:
    """Counts, shares and flags of every query, in the order of the judgments; NaN where there is no list."""
    scored = score_queries(joined(), POLICY)
    assert scored.query_ids.to_pylist() == ["q1", "q2", "q3", "q4"]
    np.testing.assert_array_equal(scored[name], np.array(COUNTED[name]))


def test_measures_that_are_one_where_lists_are_condensed_keep_their_roles() -> None:
    """A guardrail that is the primary measure without unjudged documents is a measure of its own, and so compared."""
    policy = rd.Policy(primary="nDCG@2", guardrails=(("nDCG(unjudged='condensed')@2", 0.01),))
    comparison = compare_joined(joined(), policy)
    assert [one.measure for one in comparison.condensed.results] == list(policy.measures)
    assert comparison.condensed.results[0].paired == comparison.condensed.results[1].paired
    twice = compare_joined(joined(), rd.Policy(primary="nDCG@2", guardrails=(("standard:nDCG@2", 0.01),)))
    assert [one.role for one in twice.results[:2]] == ["primary", "guardrail"]
    assert twice.results[0].paired == twice.results[1].paired


def test_a_saved_table_is_enough_for_a_comparison_and_its_verdict() -> None:
    """Read back it gives the same numbers without the runs; what speaks of documents says what it needs."""
    comparison = compare_scored(PerQuery.from_arrow(table()), POLICY)
    assert rd.decide(comparison) == rd.decide(compare_joined(joined(), POLICY, ["ERR@3", "RBO"]))
    assert repr(comparison).startswith("Comparison('A' -> 'B': nDCG@2 ")
    for needs_lists in ("joined", "a", "shown", "worklist"):
        with pytest.raises(rd.ComparisonError, match="needs the ranked lists: compare the two runs again"):
            getattr(comparison, needs_lists)


def test_the_columns_of_a_version_do_not_change() -> None:
    """A column or reading that is added, renamed or computed otherwise needs another SCHEMA_VERSION. One that goes does
    not: older tables of the version hold more than is read.
    """
    older = altered(lambda told: told.update(outside={"by_rank": [0, 0]})).append_column("by_rank_a", pa.array([0] * 4))
    assert PerQuery.from_arrow(older) == PerQuery.from_arrow(table())
    told = json.dumps(
        [
            [(row.name, row.kind, row.sided) for row in scoring.COLUMNS],
            [(row.name, row.sided) for row in scoring.READINGS],
        ]
    )
    assert scoring.SCHEMA_VERSION == 5
    assert hashlib.sha256(told.encode()).hexdigest()[:12] == "c7904bdc2da2"
    types = {field.name: str(field.type) for field in table().schema}
    assert list(types)[:4] == ["query_id", "length_a", "length_b", "hits_a"]
    assert (types["query_id"], types["changed"], types["plain_a:nDCG@2"]) == ("string", "bool", "double")


def altered(change: Callable[[dict[str, Any]], Any]) -> pa.Table:
    """The table with something changed in its metadata."""
    told = json.loads(table().schema.metadata[METADATA])
    change(told)
    return table().replace_schema_metadata({**table().schema.metadata, METADATA: json.dumps(told)})


def recast(name: str, kind: pa.DataType) -> pa.Table:
    """The table with another type of one column."""
    at = table().column_names.index(name)
    return table().set_column(at, name, table().column(name).cast(kind))


def with_a_number(name: str, number: float) -> pa.Table:
    """The table with a number in place of the first of a column."""
    at = table().column_names.index(name)
    return table().set_column(at, name, pa.array([number, *table().column(name).to_pylist()[1:]], pa.float64()))


def with_a_null() -> pa.Table:
    """The table with a null in place of the first length."""
    at = table().column_names.index("length_a")
    return table().set_column(at, "length_a", pa.array([None, 3, 0, 2], pa.int64()))


@pytest.mark.parametrize(
    ("made", "said"),
    {
        "any table": (lambda: pa.table({"query_id": ["q1"]}), "This is no table of per-query values"),
        "metadata of something else": (
            lambda: table().replace_schema_metadata({METADATA: "[1]"}),
            "This is no table of per-query values",
        ),
        "a later version": (
            lambda: altered(lambda told: told.update(version=1)),
            "has version 1, and this program reads version 5; score the runs again.",
        ),
        "a measure that does not exist": (
            lambda: altered(lambda told: told["asked"]["measures"][0].update(key="CTR")),
            "metadata of the table of per-query values cannot be used: 'CTR'",
        ),
        "an axis that does not exist": (
            lambda: altered(lambda told: told["asked"]["convention"].update(colour="red")),
            "metadata of the table of per-query values cannot be used: 'colour' is not an axis of a convention.",
        ),
        "without a column": (lambda: table().drop_columns(["ideal"]), "lacks 'ideal'."),
        "another type": (lambda: recast("length_a", pa.int32()), "'length_a' should be int64, without a null."),
        "a null": (with_a_null, "'length_a' should be int64, without a null."),
        "no number at all": (lambda: with_a_number("judged_a", math.inf), "'judged_a' has a number beyond 1e+150."),
        "a query twice": (lambda: pa.concat_tables([table(), table().slice(3)]), "The query 'q4' stands twice"),
    }.values(),
)
def test_a_table_that_is_none_is_refused_in_one_sentence(made: Callable[[], pa.Table], said: str) -> None:
    """It says what is wrong, and never gives numbers of something else."""
    with pytest.raises(TableError) as error:
        PerQuery.from_arrow(made())
    assert said in str(error.value)
    assert str(error.value).count(". ") == 0
    assert not str(error.value).endswith("..")


def places(told: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The place of every value in a JSON text, however deep."""
    steps = told.items() if isinstance(told, dict) else enumerate(told) if isinstance(told, list) else ()
    for name, value in steps:
        yield (*at, name)
        yield from places(value, (*at, name))


#: What stands in a header instead of what was written: each in every seventh place, in fewer where searches are short.
ODD = (None, -1, math.inf, "x", [], {}, [None], {"a": 1}, True, 10**30)


@pytest.mark.parametrize("odd", every(3, ODD), ids=repr)
def test_a_header_that_is_not_what_was_written_is_refused_or_read(odd: object) -> None:
    """Whatever stands in any place of it, no error but one sentence: of the table, or of the policy that is asked."""
    scored = score_queries(joined(), POLICY, neighbours=True)
    written = PerQuery.from_arrow(replace(scored, inputs=scoring.UNNAMED).to_arrow()).to_arrow()
    told = json.loads(written.schema.metadata[METADATA])
    for at in list(places(told))[ODD.index(odd) :: max(1, round(7 / TIMES))]:
        changed = json.loads(json.dumps(told))
        inner = functools.reduce(lambda value, step: value[step], at[:-1], changed)
        inner[at[-1]] = odd
        with contextlib.suppress(TableError, rd.ComparisonError):
            metadata = {**written.schema.metadata, METADATA: json.dumps(changed)}
            scored = PerQuery.from_arrow(written.replace_schema_metadata(metadata))
            found = compare_scored(scored, POLICY)
            to_json(Reported(found, rd.decide(found)))


def test_columns_may_stand_in_any_order_and_in_chunks() -> None:
    """As other programs write them back: reordered, in several chunks, a part of a larger buffer, long strings."""
    names = table().column_names
    halves = pa.concat_tables([table().slice(0, 1), table().slice(1)]).select(names[::-1])
    halves = halves.set_column(len(names) - 1, "query_id", halves.column("query_id").cast(pa.large_string()))
    back = PerQuery.from_arrow(halves)
    assert back.to_arrow().schema.equals(table().schema, check_metadata=True)
    for name, values in COUNTED.items():
        np.testing.assert_array_equal(back[name], np.array(values), err_msg=name)
    part = PerQuery.from_arrow(table().slice(1, 2))
    assert part["changed"].tolist() == [False, True]
    assert part.query_ids.to_pylist() == ["q2", "q3"]


@pytest.mark.parametrize(
    "policy",
    [POLICY.changed(cutoff=3), POLICY.changed(convention="gdeval"), POLICY.changed(guardrails=[["P@2", 0.01]])],
    ids=["cutoff", "convention", "measure"],
)
def test_a_table_does_not_answer_another_policy(policy: rd.Policy) -> None:
    """Where a policy asks for what was not scored, the comparison says so instead of taking other numbers."""
    with pytest.raises(rd.ComparisonError, match=r"not scored for this policy, .*: score the runs again"):
        compare_scored(score_queries(joined(), POLICY), policy)


def test_a_policy_that_only_a_setting_beside_it_lacks_is_told_which() -> None:
    """Where all measures were scored and a neighbouring setting has others, the sentence names that setting."""
    policy = rd.Policy()
    scored = score_queries(joined(), policy, neighbours=True)
    with pytest.raises(rd.ComparisonError, match=r"asks for nDCG@10 under cutoff 5, a setting .* beside it"):
        scoring.check_settings(scored, policy.changed(primary="AP"))
