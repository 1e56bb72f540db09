"""The pages, run without a browser: what they say and do with files, and what stands behind charts and tables."""

import ast
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

import rankdash as rd
from rankdash import style
from rankdash.case import Case
from rankdash.dashboard.navigation import SCRIPTS
from tests.browsed import judgments_csv, run_csv
from tests.dashboard.records import put
from tests.made import named_file

ROOT = Path(__file__).parents[2]
DATA_PAGE, VERDICT_PAGE = "rankdash/dashboard/pages/data.py", "rankdash/dashboard/pages/verdict.py"


class App(AppTest):
    """The dashboard, of which no run may end in an exception."""

    def _run(self, *args: Any, **how: Any) -> AppTest:
        super()._run(*args, **how)
        assert [error.value for error in self.exception] == []
        return self


def app() -> AppTest:
    """The dashboard, not run yet."""
    return App(ROOT / "app.py", default_timeout=300)


def press_inside(at: AppTest, opener: str, key: str) -> AppTest:
    """The page after a button was pressed in an open dialog, which lives for one run."""
    at.button(key=opener).click()
    return at.button(key=key).click().run()


def lost() -> AppTest:
    """The page that says that files are gone, and takes new ones."""
    at = app()
    at.query_params["c"] = "lost"
    return at.run()


def verdict_page(comparison: str) -> AppTest:
    """The verdict page of a saved comparison, by its link."""
    at = app()
    at.query_params["comparison"] = comparison
    return at.run()


def texts(at: AppTest) -> str:
    """Everything that the page says, in one text."""
    kinds = (at.title, at.header, at.subheader, at.markdown, at.caption, at.text)
    return "\n".join(str(element.value) for kind in kinds for element in kind).replace("\\", "")


def uploader(at: AppTest, key: str):
    """An upload of the page by its key."""
    return next(found for found in at.file_uploader if found.key == key)


def control(at: AppTest, called: str):
    """A list or field by its name, where its key has a number behind it: another one with each value given."""
    return next(found for found in (*at.selectbox, *at.number_input) if found.key.startswith(f"{called}__"))


def opened(at: AppTest) -> str:
    """The query that is open, as the address says."""
    return at.query_params["query"]


def put_on(at: AppTest, key: str, *files: tuple[str, bytes]) -> AppTest:
    """Drops files on a place, all at once."""
    uploader(at, key).set_value([(name, content, "text/csv") for name, content in files])
    return at.run()


def upload(at: AppTest, place: str, files: dict[str, tuple[str, bytes]]) -> AppTest:
    """Drops files into the drop zone of a form, all at once."""
    return put_on(at, f"{place}_files", *files.values())


def opened_with(files: dict[str, tuple[str, bytes]]) -> AppTest:
    """The dashboard with uploaded files open."""
    return upload(lost(), "lost", files).button(key="lost_compare").click().run()


FILES = {"a": ("old.csv", run_csv(False)), "b": ("new.csv", run_csv(True)), "judgments": ("q.csv", judgments_csv())}


@cache
def inputs() -> Case:
    """What is open after the upload of the three files."""
    a, b, judged = (named_file(*file) for file in FILES.values())
    return Case((rd.read_run(a), rd.read_run(b)), rd.read_judgments(judged))


def opened_at(script: str, case: Case | None = None, policy: rd.Policy | None = None, **parameters: str) -> AppTest:
    """A page with a case or the three files open, and parameters in its address: in one run, without an upload."""
    at = app()
    put(at, case=case or inputs(), policy=policy or rd.Policy())
    for name, value in parameters.items():
        at.query_params[name] = value
    return at.switch_page(script).run()


def test_a_new_comparison_has_nothing_of_what_was_viewed_of_the_one_before() -> None:
    """Measure, cutoff, convention, section, filters and query of another comparison are neither in its link nor on its
    pages.
    """
    viewed = {"measure": "AP", "k": "20", "convention": "ranklib", "query_text": "1", "query": "q10"}
    at = opened_at(SCRIPTS["queries"], **viewed)
    assert {name: at.query_params[name] for name in viewed} == viewed
    at.button(key="new_comparison").click().run()
    press_inside(at, "new_comparison", "open_demo")
    assert not {*at.query_params}
    at.switch_page(SCRIPTS["queries"]).run()
    first = app().switch_page(SCRIPTS["queries"]).run()
    for key in ("measure", "convention"):
        assert at.selectbox(key=key).value == first.selectbox(key=key).value
    assert at.segmented_control(key="k").value == first.segmented_control(key="k").value


def test_a_broken_file_gives_one_sentence_and_what_was_open_stays() -> None:
    """A text among numbers is told with file, row and column; no traceback."""
    at = app().run().switch_page(DATA_PAGE).run()
    upload(at, "replace", {"b": ("broken.csv", b"query_id,doc_id,rank\nq1,d1,1\nq1,d2,great\n")})
    told = 'Row 3, column "rank": "great" is not a number. Use 1, 2, 3, …'
    assert told in [text.value.replace("\\", "") for text in at.text]
    assert "broken.csv" in texts(at)
    assert at.button(key="replace_compare").disabled
    assert style.DEMO_NAMES["search"] in texts(at)


VIEWS = sorted((Path(__file__).parents[2] / "rankdash/dashboard").rglob("*.py"))
DRAWN = {"plotly_chart", "table", "dataframe"}


def calls(file: Path) -> list[ast.Call]:
    """The calls in a file that put a chart or a table on a page."""
    return [
        node
        for node in ast.walk(ast.parse(file.read_bytes()))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in DRAWN
        and isinstance(node.func.value, ast.Name | ast.Attribute)
        and ast.unparse(node.func.value) == "st"
    ]


@pytest.mark.parametrize("file", VIEWS, ids=lambda file: file.stem)
def test_every_chart_and_table_has_a_sentence(file: Path) -> None:
    """Each says in ``alt`` what it shows."""
    silent = [node.lineno for node in calls(file) if "alt" not in {keyword.arg for keyword in node.keywords}]
    assert not silent
