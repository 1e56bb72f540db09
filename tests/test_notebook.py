"""What a notebook finds: example data, figures, small tables, a measure by its name, and what is public."""

import ast
import inspect
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import plotly.graph_objects as go
import pytest

import rankdash as rd
from rankdash import charts
from rankdash.inspect.lists import query_lists
from rankdash.inspect.query_order import changes
from rankdash.inspect.view import curve, waterfall
from tests.report.reported import EVERY, NASTY
from tests.report.test_html import read

DOCS = Path(__file__).parents[1] / "docs"
KINDS = ("deltas", "intervals", "why", "cutoffs")


@pytest.fixture(scope="module")
def comparison() -> rd.Comparison:
    """The demo."""
    a, b, judgments, queries = rd.demo()
    return rd.compare(a, b, judgments, queries=queries)


def test_only_what_is_public_is_offered() -> None:
    """What is completed behind `rd.` is what the package offers."""
    assert dir(rd) == sorted(rd.__all__)


def test_every_argument_says_what_it_takes() -> None:
    """No argument of a public function takes anything at all."""
    functions = [made for name in rd.__all__ if inspect.isfunction(made := getattr(rd, name))]
    arguments = {(made.__name__, one) for made in functions for one in inspect.signature(made).parameters.values()}
    assert len(arguments) > 80
    assert [(name, one.name) for name, one in arguments if one.annotation in ("Any", one.empty)] == []


def test_a_measure_is_found_by_any_of_its_names(comparison: rd.Comparison) -> None:
    """comparison["nDCG@10"] is its result; what was not computed is a missing key, and nothing is in a loop."""
    assert comparison["ndcg_cut_10"] is comparison["nDCG@10"] is comparison.primary
    with pytest.raises(KeyError, match=r"compare\(\.\.\., measures=\['P@7'\]\)"):
        comparison["P@7"]
    with pytest.raises(TypeError):
        iter(comparison)


def test_figures_are_those_of_the_pages(comparison: rd.Comparison) -> None:
    """Each figure has the traces that a page draws, plotly takes every value of it, and it names both models."""
    plot, of, query_id = comparison.plot, changes(comparison), comparison.query_ids[3]
    pages = {
        "deltas": charts.delta_chart(of, "nDCG@10", 200),
        "intervals": charts.interval_chart(comparison),
        "why": charts.waterfall_chart(waterfall(comparison)),
        "cutoffs": charts.curve_chart(curve(comparison, comparison.measures[0]), "nDCG", 10),
    }
    assert plot() == plot.deltas("NDCG@10")
    for kind in KINDS:
        figure = getattr(plot, kind)()
        assert figure.data == pages[kind].data
        assert "A Title only → B All fields" in figure.layout.title.text
        assert len(go.Figure(figure.to_dict()).data) == len(figure.data)
    assert plot.query(query_id).data == charts.query_chart(query_lists(comparison, query_id)).data
    assert list(plot.deltas("MAP").data[0].y) == sorted(plot.deltas("MAP").data[0].y)
    assert plot.cutoffs("P@7").layout.yaxis.title.text == "P"


def test_lists_are_joined_where_a_document_stands_in_both() -> None:
    """A line per document from its rank in A to that in B, by what the move does; ids beside the texts, all literal."""
    a, b = {"q": ["x", "$y$", "<b>"]}, {"q": ["$y$", "x", "new"]}
    compared = rd.compare(a, b, {"q": {"x": 0, "$y$": 2}}, names=("$A$", "<i>B"))
    figure = compared.plot.query("q")
    helps, hurts, neither, left, right = figure.data
    assert ([*helps.x], [*helps.y]) == ([0, 1, None] * 2, [1, 2, None, 2, 1, None])
    assert [*hurts.x, *neither.x] == []
    assert ([*left.customdata], [*right.customdata]) == (["x", "$y$", "<b>"], ["$y$", "x", "new"])
    texts = [*left.text, *right.text, *left.hovertext, *right.hovertext, figure.layout.title.text]
    assert not [text for text in texts if re.search(r"\$|<(?!/?b>|br>)", text)]
    assert [text.count("<b>") for text in left.text] == [1, 1, 1]


@pytest.mark.parametrize(
    ("made", "possible"),
    [
        (lambda: rd.compare_scored(rd.score(*rd.demo()[:3])), {"deltas", "intervals", "why"}),
        (lambda: rd.compare({"q": ["a"]}, {"q": ["b"]}), {"query"}),
        (lambda: rd.compare_votes({"q": "good"}), set()),
        (
            lambda: rd.compare({"q": ["a"]}, {"q": ["b"]}, {"q": {"b": 1}}, convention="ranklib"),
            {*KINDS, "query"} - {"why"},
        ),
    ],
    ids=["scored", "unjudged", "votes", "no parts"],
)
def test_what_cannot_be_drawn_is_said(made: Callable[[], Any], possible: set[str]) -> None:
    """A comparison without lists, judgments or parts draws what it can, and one sentence says why it draws no more."""
    plot = made().plot
    for kind, asked in (*((kind, ()) for kind in KINDS), ("query", ("q",))):
        if kind in possible:
            assert getattr(plot, kind)(*asked).data
            continue
        with pytest.raises(rd.ComparisonError) as refused:
            getattr(plot, kind)(*asked)
        assert str(refused.value).isprintable()


def shown(which: str) -> list[Any]:
    """Every record that shows itself, of a comparison."""
    comparison = EVERY[which].comparison
    run, grades = comparison.a, comparison.joined.judgments
    policy = rd.Policy(segments=(f"{NASTY} kind" if which == "hostile" else "kind",))
    many = rd.compare_many(run, [comparison.b, run.renamed(f"{run.name} again")], grades)
    explained = rd.explain(run, grades, "AP", comparison.query_ids[0])
    return [run, grades, comparison.queries, policy, EVERY[which].verdict, comparison, many, explained]


def test_records_show_themselves_and_texts_stay_texts() -> None:
    """Small HTML of a few elements, the same for nasty files as for tame ones: no script, no colour, no formula."""
    for which in ("everything", "hostile"):
        for record in shown(which):
            html = record._repr_html_()
            found = read(html)
            assert {name for name, _ in found.elements} <= {*"div b table thead tbody tr th td pre br".split()}
            assert not {key for _, given in found.elements for key in given} - {"class", "style"}
            assert html.count("mathjax_ignore") == 1
            assert not re.search("[\x00-\x08\x0b-\x1f\u202a-\u202e]|color", html)
            assert ("&lt;img src=x" in html) == (which == "hostile" and not isinstance(record, rd.Verdict))
            assert len(html) < 12_000
    comparison, verdict = EVERY["everything"].comparison, EVERY["everything"].verdict
    assert all(verdict.sentence in record._repr_html_() for record in (comparison, verdict))
    assert all(result.label in comparison._repr_html_() for result in comparison.results)


def cells_of(path: Path) -> list[str]:
    """The code of a notebook, or of the blocks of a page, in order."""
    if path.suffix == ".md":
        return re.findall(r"(?ms)^```python\n(.*?)^```", path.read_text("utf-8"))
    whole = json.loads(path.read_text("utf-8"))
    code = [cell for cell in whole["cells"] if cell["cell_type"] == "code"]
    assert not [cell for cell in code if cell["outputs"] or cell["execution_count"]]
    assert len({cell["id"] for cell in whole["cells"]}) == len(whole["cells"])
    return ["".join(cell["source"]) for cell in code]


@pytest.mark.parametrize(
    "path", [*(DOCS / "examples").glob("*.ipynb"), DOCS / "notebook.md"], ids=lambda path: path.stem
)
def test_examples_run(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The cells of each example, and the blocks of the page on notebooks, run in order, and show what ends a cell."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for code in cells_of(path):
        tree = ast.parse(code)
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, path.name, "exec"), names)
        if isinstance(last, ast.Expr):
            shown = eval(compile(ast.Expression(last.value), path.name, "eval"), names)
            getattr(shown, "_repr_html_", shown.__repr__)()
    assert "rd" in names


USER = """
import rankdash as rd
from pathlib import Path

a, b, judgments, queries = rd.demo()
comparison: rd.Comparison = rd.compare(a, {"q": ["d"]}, "qrels.txt", queries=[{"query_id": "q"}], measures="RR")
delta: float | None = comparison["nDCG@10"].paired.delta
launch: bool = rd.decide(comparison).launch
best: str = rd.compare_many(Path("a.trec"), {"b": b, "c": b"..."}, judgments, names=["A", "b", "c"]).best.b.name
with open("b.csv", "rb") as file:
    run: rd.Run = rd.read_run(file, order="rank", columns={"doc_id": "sku"})
report: bytes = rd.report(comparison, Path("report.html"))
comparison.plot.deltas("AP").show()
rd.compare(1, b)  # type: ignore[arg-type]
rd.compare(judgments, b)  # type: ignore[arg-type]
rd.compare(a, b, judgments, votes=7)  # type: ignore[arg-type]
rd.read_run("a.csv", order="best")  # type: ignore[arg-type]
rd.explain(a, judgments, "AP", 3)  # type: ignore[arg-type]
comparison[3]  # type: ignore[index]
"""


@pytest.mark.long
def test_a_users_mistakes_are_found_by_their_type_checker(tmp_path: Path) -> None:
    """What the functions take is accepted, what they refuse is not, and results have the types that they have."""
    script = tmp_path / "script.py"
    script.write_text(USER, "utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", f"--cache-dir={tmp_path}", str(script)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False, timeout=300, cwd=tmp_path)
    assert [line for line in done.stdout.splitlines() if line.startswith("script.py")] == [], done.stdout
    assert "Found" in done.stdout or "Success" in done.stdout
