"""Where a package is not installed: one sentence on the page and on the command line."""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from rankdash import installation
from rankdash.__main__ import main

ROOT = Path(__file__).parents[2]
#: Makes Python find every package but one.
WITHOUT = """
import sys
class Without:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name.split(".")[0] in sys.argv[1].split(","):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Without)
"""


def command(*words: str) -> str:
    """What runs a command in the place of the shell."""
    return f"from rankdash.__main__ import main\nsys.exit(main({words}))\n"


FILES = (*(f"data/demo/run_{side}.csv" for side in "ab"), "-q", "data/demo/judgments.csv")
#: Each further argument is what is lacking then.
SERVE = """
from rankdash.__main__ import main
for sys.argv[1] in sys.argv[2:]:
    print(main(["serve"]))
"""
#: What reads text, Parquet, tables and dicts, and writes text, JSON and pages; then what returns frames and figures.
NO_FRAMES = """
import io, pathlib, tempfile
import pyarrow.parquet
import rankdash as rd
from rankdash.report import EXPORTS
a, b, judgments, queries = rd.demo()
path = pathlib.Path(tempfile.mkdtemp())
pyarrow.parquet.write_table(a.table, path / "a.parquet")
comparison = rd.compare(path / "a.parquet", b, judgments, queries=queries, names=(a.name, b.name), experts=True)
rd.compare({"q": {"d": 1.0}}, a.table.slice(0, 9), {"q": {"d": 1}, "q001": {"P1289": 3}})
rd.write_scored(rd.score(a, b, judgments), path / "scored.parquet")
verdict, many = rd.decide(rd.compare_scored(path / "scored.parquet")), rd.compare_many(a, [b], judgments)
explained = rd.explain(a, judgments, "AP", "q001")
assert all(rd.report(comparison, format=form) for form in EXPORTS)
assert all(record._repr_html_() for record in (a, judgments, rd.Policy(), verdict, comparison, many, explained))
assert verdict.to_json()
for made in (
    lambda: comparison.summary, lambda: comparison.per_query, comparison.to_pandas, a.to_pandas,
    lambda: many.summary, lambda: rd.evaluate(a, judgments, "AP"), lambda: rd.similarity(a, b, "RBO"),
    comparison.plot,
):
    try:
        made()
    except ModuleNotFoundError as error:
        print(error)
"""
FROM_PYTHON = """
import rankdash as rd
try:
    rd.load("x")
except ModuleNotFoundError as error:
    print(error)
"""
PAGE = """
from streamlit.testing.v1 import AppTest
at = AppTest.from_file("app.py", default_timeout=120).run()
at.run()
assert not at.exception, at.exception
print([error.value for error in at.error], [error.value for error in at.markdown])
"""


def run(code: str, *lacking: str) -> subprocess.CompletedProcess[str]:
    """Some Python in the folder of the project, without some packages."""
    command = [sys.executable, "-c", WITHOUT + code, *lacking]
    return subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=False, timeout=300)


def test_the_command_line_names_what_is_missing(tmp_path: Path) -> None:
    """A report needs a missing package: the command line says what to install, and exits as for bad input."""
    done = run(command("report", *FILES, "-o", str(tmp_path / "report.html")), "jinja2")
    assert done.stderr == installation.sentence(["jinja2"]) + "\n"
    assert done.returncode == 2


def test_the_core_needs_no_dashboard(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Without Streamlit and plotly the command line compares the demo as with them."""
    done = run(command("compare", *FILES), "streamlit,plotly")
    monkeypatch.chdir(ROOT)
    assert main(["compare", *FILES]) == 0
    assert (done.returncode, done.stdout, done.stderr) == (0, *capsys.readouterr())


def test_the_command_line_names_the_extra() -> None:
    """Without what the dashboard needs, `rankdash` says in one line how to get it, and exits as for bad input."""
    cases = [["streamlit"], ["plotly"], ["plotly", "streamlit"]]
    done = run(SERVE, "", *map(",".join, cases))
    assert done.stderr.splitlines() == [installation.sentence(lacking, "app") for lacking in cases]
    assert all("`make app`, or `pip install '.[app]'`" in line for line in done.stderr.splitlines())
    assert done.stdout.split() == ["2"] * len(cases)


@pytest.mark.long
def test_saving_names_its_own_extra() -> None:
    """Without SQLAlchemy the core compares, and saving says in one line which extra it needs, in Python too."""
    done = run(command("save", *FILES), "sqlalchemy")
    assert (done.stderr, done.returncode) == (installation.sentence(["sqlalchemy"]) + "\n", 2)
    assert "`pip install '.[store]'`" in done.stderr
    both = run(FROM_PYTHON + command("compare", *FILES), "sqlalchemy")
    assert both.stdout.startswith(installation.sentence(["sqlalchemy"]) + "\n")
    assert (both.returncode, "Traceback" in both.stderr) == (0, False)


def test_frames_and_figures_name_their_extras() -> None:
    """Without pandas and plotly all else is as with them; a frame or a figure is one sentence that names its extra."""
    done = run(NO_FRAMES, "pandas,plotly")
    frame, figure = installation.sentence(["pandas"]), installation.sentence(["plotly"])
    assert done.stdout.splitlines() == [*[frame] * 7, figure], done.stderr
    assert ["`pip install '.[frames]'`" in frame, "`pip install '.[plots]'`" in figure] == [True, True]
    evaluated = run(command("evaluate", FILES[0], *FILES[2:], "--format", "json"), "pandas")
    assert (evaluated.returncode, len(json.loads(evaluated.stdout)["runs"])) == (0, 1), evaluated.stderr


def test_no_text_has_pip_look_for_rankdash_on_a_registry() -> None:
    """Whatever a user reads, in messages or documents, installs rankdash from a checkout and never by its bare name."""
    by_name = re.compile(r"pip3? install[^`\n]*?(?<![\w./-])rankdash(?![\w/.-])|(?<![\w./-])rankdash\[")
    places = ("*.md", "*.toml", "*.yml", "*.txt", "app.py", "docs/**/*.md", "rankdash/**/*.py", "requirements/*.txt")
    texts = {path: path.read_text("utf-8") for place in places for path in ROOT.glob(place)}
    assert len(texts) > 100
    assert [(path.name, found[0]) for path, text in texts.items() for found in by_name.finditer(text)] == []
    for wrong in ("pip install rankdash", "`pip install -U 'rankdash[app]'`"):
        assert by_name.search(wrong)


@pytest.mark.long
@pytest.mark.parametrize("lacking", ["python-calamine", "plotly"])
def test_the_page_names_what_is_missing(lacking: str) -> None:
    """Without a reader of workbooks, or plotly, every page says what to install, on each run, and nothing else."""
    done = run(PAGE, lacking.replace("-", "_"))
    assert done.stdout.strip() == f"{[installation.sentence([lacking], 'app')]} []", done.stderr


def test_every_requirement_is_looked_for() -> None:
    """The packages that are looked for are those of pyproject.toml, and of its extra."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    for listed, looked_for in (
        (project["dependencies"], installation.CORE),
        (project["optional-dependencies"]["app"], installation.APP),
        (project["optional-dependencies"]["store"], installation.STORE),
        (project["optional-dependencies"]["frames"], installation.FRAMES),
        (project["optional-dependencies"]["plots"], installation.PLOTS),
    ):
        assert {one.partition(">")[0] for one in listed} == set(looked_for.values())
    assert installation.missing() == []
