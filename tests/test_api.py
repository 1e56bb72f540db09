"""The Python API: what its functions take, the names that it knows, and how its records show themselves."""

import ast
import io
import json
import pickle
import subprocess
import sys
from collections import namedtuple
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import rankdash as rd
from rankdash.report.json import to_json
from rankdash.report.sections import Reported
from tests.long import every

ROWS = [("q1", "d1", 3.0), ("q1", "d2", 2.0), ("q2", "d3", 1.5)]
DICTS = [{"query_id": query, "doc_id": doc, "score": score} for query, doc, score in ROWS]
KINDS = [{"id": "q1", "kind": "x"}, {"id": "q2", "kind": "y"}]
GRADES = [("q1", "d2", 2), ("q2", "d3", 1), ("q2", "d9", 1)]
Scored = namedtuple("Scored", "query_id doc_id score")
SOURCES: dict[str, Callable[[Path], Any]] = {
    "path": lambda folder: _written(folder),
    "path as text": lambda folder: str(_written(folder)),
    "bytes": lambda folder: _written(folder).read_bytes(),
    "file object": lambda folder: io.BytesIO(_written(folder).read_bytes()),
    "record batch": lambda folder: pa.RecordBatch.from_pylist(DICTS),
    "tuples": lambda folder: ROWS,
    "named tuples": lambda folder: [Scored(*row) for row in ROWS],
    "iterator": lambda folder: iter(ROWS),
    "generator of dicts": lambda folder: (row for row in DICTS),
    "array of objects": lambda folder: np.array(ROWS, object),
    "structured array": lambda folder: np.array(ROWS, [("query_id", "U4"), ("doc_id", "U4"), ("score", "f8")]),
    "array of text": lambda folder: np.array([[str(cell) for cell in row] for row in ROWS]),
    "a table that was read": lambda folder: rd.read_run(ROWS),
}


def _written(folder: Path) -> Path:
    path = folder / "run.csv"
    path.write_text("query_id,doc_id,score\n" + "".join(f"{q},{d},{s}\n" for q, d, s in ROWS), "utf-8")
    return path


@pytest.mark.parametrize("kind", every(3, SOURCES))
def test_every_function_takes_whatever_the_readers_take(kind: str, tmp_path: Path) -> None:
    """compare, evaluate, explain and similarity give the same numbers for every kind of source."""

    def made() -> Any:
        return SOURCES[kind](tmp_path)

    run, judgments = rd.read_run(ROWS), rd.read_judgments(GRADES)
    assert rd.evaluate(made(), GRADES, "nDCG@10").equals(rd.evaluate(run, judgments, ["nDCG@10"]))
    assert rd.explain(made(), GRADES, "AP", "q1").ranks == rd.explain(run, judgments, "AP", "q1").ranks
    assert rd.similarity(made(), ROWS, "RBO_ext").equals(rd.similarity(run, run, "RBO_ext"))
    assert rd.compare(made(), ROWS[:2], GRADES).per_query.equals(
        rd.compare(run, rd.read_run(ROWS[:2]), judgments).per_query
    )


def test_judgments_queries_and_votes_are_taken_as_they_are() -> None:
    """Each further argument of compare takes what its reader takes, records too."""
    judgments = {"q1": {"d2": 2}, "q2": {"d3": 1}}
    comparison = rd.compare(
        ROWS,
        ROWS,
        judgments,
        queries=[{"query_id": "q1", "text": "boots", "weight": 2}, {"query_id": "q2", "text": "shoes", "weight": 1}],
        votes=[("q1", "good"), ("q2", "bad")],
    )
    assert comparison.facts.texts == ("boots", "shoes")
    assert (comparison.votes.gsb.good, comparison.votes.gsb.bad) == (1, 1)
    assert rd.compare_votes({"q1": "good"}).votes.gsb.good == 1


def test_runs_without_a_name_are_called_a_and_b() -> None:
    """A run made in memory is called by its place, one with a name of its own by that, as an object of ranx may be."""
    lists = {query: {doc: score for own, doc, score in ROWS if own == query} for query in ("q1", "q2")}
    named, nameless = SimpleNamespace(run=lists, name="bm25"), SimpleNamespace(run=lists, name=None)
    for a, b, names in ((ROWS, rd.read_run(ROWS, name="new"), ("A", "new")), (named, nameless, ("bm25", "B"))):
        comparison = rd.compare(a, b, GRADES)
        assert (comparison.a.name, comparison.b.name) == names


def test_several_candidates_at_once_are_refused() -> None:
    """A list of runs is no run: it is refused in a sentence that names the argument."""
    lists = {"q1": {"d1": 1.0}}
    for several in (
        [lists, lists],
        [rd.read_run(ROWS)] * 3,
        [SimpleNamespace(run=lists)] * 2,
        [rd.read_run(ROWS).table] * 2,
    ):
        with pytest.raises((TypeError, rd.ReadError), match="run B"):
            rd.compare(ROWS, several, GRADES)
        with pytest.raises((TypeError, rd.ReadError), match="the run"):
            rd.evaluate(several, GRADES, "AP")


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: rd.compare(["d1", "d2"], ROWS, GRADES), 'run A, row 1: "str" is no record'),
        (lambda: rd.compare(ROWS, [], GRADES), "run B: there are no rows"),
        (lambda: rd.evaluate(ROWS, [("q1", "d1")], "AP"), "the judgments, row 1"),
        (lambda: rd.read_run([{"query_id": "q", "doc": 1}, 3]), "row 2"),
        (lambda: rd.read_judgments({"q": {"d": 1}}, columns={"relevence": "x"}), "Did you mean relevance?"),
        (lambda: rd.read_judgments([{"q": "q", "d": "d", "gain": 1}], columns={"doc_id": "dd"}), "Did you mean d?"),
    ],
)
def test_a_source_that_is_no_table_is_named(call: Callable[[], Any], words: str) -> None:
    """A problem with an argument says which argument it is, and its row."""
    with pytest.raises(rd.ReadError) as caught:
        call()
    assert words in str(caught.value)


def test_an_argument_of_a_reader_is_named_with_its_reader() -> None:
    """``compare`` and ``evaluate`` do not take what a problem names, so they say which function does."""
    grades = {"q": {"d1": 1}}
    for call, reader in (
        (lambda: rd.compare({"q": ["d1"]}, grades, grades), "rankdash.read_run takes order=: give what it returns."),
        (lambda: rd.evaluate({"q": ["d1"]}, pa.table({"qid": ["q"], "grade": [1]}), "AP"),
         "rankdash.read_judgments takes columns=: give what it returns."),
    ):  # fmt: skip
        with pytest.raises(rd.ReadError) as raised:
            call()
        assert str(raised.value).splitlines()[-1] == reader
        assert reader not in raised.value.lines("shell")


def test_a_gate_that_asks_whether_there_is_a_verdict_is_told() -> None:
    """``if verdict`` would launch whatever it says; ``verdict.launch`` is named."""
    comparison = rd.compare({"q": ["d1"]}, {"q": ["d1"]}, {"q": {"d1": 1}})
    with pytest.raises(TypeError, match=r"ask verdict\.launch"):
        assert rd.decide(comparison)
    assert rd.report(comparison, format="markdown", verdict=rd.decide(comparison, looks=2))


@pytest.mark.parametrize("policy", ["policy.toml", {"primary": "AP"}])
def test_a_policy_is_a_policy(policy: Any) -> None:
    """A path or a dict in its place is answered with how one is made."""
    with pytest.raises(TypeError, match="where Policy is expected: Policy"):
        rd.compare({"q": ["d1"]}, {"q": ["d1"]}, {"q": {"d1": 1}}, policy=policy)
    with pytest.raises(TypeError, match="where Policy is expected"):
        rd.compare_votes({"q": "good"}, policy)
    with pytest.raises(TypeError, match=r"from_toml takes the text of a file, .*, not a PosixPath"):
        rd.Policy.from_toml(Path("policy.toml"))


def test_the_wrong_kind_of_argument_is_named() -> None:
    """Judgments given as a run, a number, or a set (which has no order) are refused by the name of the argument."""
    judgments = rd.read_judgments(GRADES)
    for wrong in (judgments, 3, set(ROWS)):
        with pytest.raises(TypeError, match="run B"):
            rd.compare(ROWS, wrong, judgments)
    with pytest.raises(TypeError, match="decide takes what compare or compare_votes returns, not a list"):
        rd.decide(ROWS)


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: rd.parse_measure("NDGC@10"), rd.MeasureError, "Did you mean nDCG@10?"),
        (lambda: rd.evaluate(ROWS, GRADES, "nDGC@10"), rd.MeasureError, "Did you mean nDCG@10?"),
        (lambda: rd.parse_measure("nDCG(gian='exp2')@10"), rd.MeasureError, "Did you mean gain?"),
        (lambda: rd.evaluate(ROWS, GRADES, "AP", "trec_eval9"), rd.ConventionError, "Did you mean trec_eval-9?"),
        (lambda: rd.Convention(ties="avrage"), rd.ConventionError, "Did you mean average?"),
        (lambda: rd.Policy(primry="AP"), rd.PolicyError, "Did you mean primary?"),
        (lambda: rd.Policy.from_dict({"gardrails": []}), rd.PolicyError, "Did you mean guardrails?"),
        (
            lambda: rd.compare(ROWS, ROWS, GRADES, policy=rd.Policy(segments=["kid"]), queries=KINDS),
            rd.ComparisonError,
            "Did you mean kind?",
        ),
    ],
)
def test_an_unknown_name_suggests_the_nearest(call: Callable[[], Any], error: type[Exception], words: str) -> None:
    """A misspelled measure, convention, axis, policy field or column is answered with the name that was meant."""
    with pytest.raises(error) as caught:
        call()
    assert words in str(caught.value)


def test_a_hostile_name_is_answered_at_once() -> None:
    """A name of a megabyte is refused without being compared with every known one."""
    with pytest.raises(rd.MeasureError):
        rd.parse_measure("a" * 1_000_000 + "!")


HOSTILE = '<img src=x onerror="alert(1)">\n\u202e'


def _records() -> list[Any]:
    a, b = rd.read_run(ROWS, name=HOSTILE), rd.read_run(ROWS[:2], name="B")
    comparison = rd.compare(a, b, GRADES, votes={"q1": "good", "q2": "bad"})
    alone = rd.compare_votes({"q1": "good"})
    return [
        comparison,
        alone,
        rd.decide(comparison),
        rd.decide(alone),
        rd.explain({HOSTILE: {HOSTILE: 1}}, {HOSTILE: {HOSTILE: 1}}, "nDCG@10", HOSTILE),
    ]


def test_a_repr_is_one_short_line() -> None:
    """Every record of the API prints as one line without control characters, however large it is."""
    comparison, *others = _records()
    tables = [comparison.a, comparison.joined, comparison.joined.judgments, comparison.vote_rows, rd.Policy()]
    tables.append(comparison.scored)
    models = rd.read_models([{"model": m, "query_id": "q", "doc_id": "d", "rank": 1} for m in ("A", "B")])
    for record in (comparison, *others, *tables, models, comparison.measures[0]):
        assert repr(record).isprintable()
        assert len(repr(record)) < 1000
    assert repr(comparison.b) == "Run('B': 2 rows of 1 query, ordered by score)"


def test_records_are_dicts_and_json() -> None:
    """to_dict is ready for JSON, to_json reads back as the same, and that of a comparison is the command line's."""
    for record in _records():
        assert json.loads(record.to_json()) == record.to_dict()
    comparison = _records()[0]
    assert comparison.to_json() == to_json(Reported(comparison, rd.decide(comparison)))
    told = comparison.to_dict()["verdict"]
    assert {**told, "neighbours": None} == rd.decide(comparison).to_dict()


def test_a_comparison_tells_in_which_neighbouring_settings_its_verdict_holds() -> None:
    """The JSON of a comparison has the neighbouring settings without --experts; votes alone have none."""
    comparison, alone, *_ = _records()
    holds, told = rd.robustness(comparison), comparison.to_dict()["verdict"]["neighbours"]
    assert (told["hold"], told["of"]) == (holds.holding, len(holds.settings))
    assert told["not_with"] == list(holds.not_with)
    assert alone.to_dict()["verdict"]["neighbours"] is None


def test_records_are_frames() -> None:
    """to_pandas gives the per-query rows, and the rows of each table."""
    comparison, *_ = _records()
    assert list(comparison.to_pandas()) == ["query_id", "measure", "a", "b", "delta"]
    assert list(comparison.a.to_pandas()["doc_id"]) == ["d1", "d2", "d3"]


ROOT = Path(__file__).parents[1]
LIGHT = """
import sys
import rankdash
print(*sorted(name for name in sys.modules if name.split(".")[0] in ("rankdash", "numpy", "pyarrow")))
"""
ORDERS = """
import sys, importlib
for order in sys.argv[1:]:
    for name in [name for name in sys.modules if name.split(".")[0] == "rankdash"]:
        del sys.modules[name]
    for module in ["rankdash", *order.split()]:
        importlib.import_module(module)
    rd = sys.modules["rankdash"]
    assert callable(rd.explain) and callable(rd.evaluate), (order, rd.explain, rd.evaluate)
    from rankdash import *
    assert explain is rd.explain is sys.modules["rankdash.api"].explain, order
    assert sorted(set(dir(rd)) & set(rd.__all__)) == sorted(rd.__all__)
"""
SHOWN = """
import rankdash as rd
a, b = ({"q1": ["a", "b"], "q2": ["c"]}, {"q1": ["b", "a"], "q2": ["c"]})
print(rd.compare(a, b, {"q1": {"b": 1}, "q2": {"c": 1}})._repr_html_())
"""


def python(code: str, *arguments: str) -> str:
    """What some Python prints, in a process of its own."""
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=120).stdout


def test_import_rankdash_imports_next_to_nothing() -> None:
    """`import rankdash` imports neither numpy nor pyarrow, and of the package only what imports nothing else."""
    assert python(LIGHT).split() == ["rankdash", "rankdash.installation", "rankdash.records"]


@pytest.mark.long
def test_functions_stay_functions_whatever_is_imported_first() -> None:
    """rd.explain and rd.evaluate are the functions, also after the modules of the same name were imported."""
    python(ORDERS, "", "rankdash.inspect.explain", "rankdash.evaluate rankdash.inspect.explain", "rankdash.report.json")


def test_every_name_has_a_home() -> None:
    """What the package says that it offers is what it imports, for people and for type checkers alike."""
    tree = ast.parse((ROOT / "rankdash" / "__init__.py").read_text("utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    typed = {alias.name: node.module for node in block.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert typed == rd._HOME
    assert {*typed, "__version__"} == set(rd.__all__)
    assert all(getattr(rd, name) is not None for name in rd.__all__)


def test_records_are_pickled_and_shown() -> None:
    """A record goes through pickle, and in a fresh process shows itself with nothing imported but what made it."""
    measure = rd.parse_measure("nDCG@10")
    assert pickle.loads(pickle.dumps(measure)) == measure
    assert python(SHOWN).startswith("<div")
