"""Swap and rename in the row under the navigation, and what the address says of the demo and of what was made of it."""

from urllib.parse import parse_qs, urlencode

import pytest
from streamlit.testing.v1 import AppTest

import rankdash as rd
from rankdash import style
from rankdash.case import Case
from rankdash.dashboard import demo
from rankdash.dashboard.navigation import SCRIPTS
from rankdash.dashboard.results import digest
from rankdash.edits import Edit
from rankdash.style import editing
from rankdash.wording import number, signed
from tests.browsed import judgments_csv, run_csv, votes_csv
from tests.dashboard.records import put, put_edits
from tests.dashboard.test_pages import VERDICT_PAGE, app, opened_at, press_inside, texts

EDITS = (Edit("q1", "d1-0", "remove", "a", 1, None), Edit("q2", "d2-1", "grade", None, 0, 3))


FILES = {"a": run_csv(False), "b": run_csv(True), "judgments": judgments_csv()}


def inputs(votes: bytes | None = None, b: str = "new") -> Case:
    """Two runs called old and new, with judgments and perhaps votes."""
    return Case(
        (rd.read_run(FILES["a"], name="old"), rd.read_run(FILES["b"], name=b)),
        rd.read_judgments(FILES["judgments"]),
        votes=None if votes is None else rd.read_votes(votes),
    )


def opened(found: Case | None = None) -> AppTest:
    """The verdict page of a comparison."""
    return opened_at(VERDICT_PAGE, (found or inputs()).with_distinct_names())


def renamed(at: AppTest, **names: str) -> AppTest:
    """Types names into the dialog and presses its button."""
    at.button(key="rename").click().run()
    for which, name in names.items():
        at.text_input(key=f"rename_{which}").set_value(name)
    return press_inside(at, "rename", "rename_apply")


def swapped(at: AppTest) -> AppTest:
    """Exchanges A and B in the dialog of the names, which closes."""
    at.button(key="rename").click().run()
    return press_inside(at, "rename", "swap")


def test_a_swap_turns_every_sign_and_the_verdict_with_it() -> None:
    """Cards, sentence and row are those of a comparison of B with A; a second swap brings the first page back."""
    at = opened()
    before = texts(at)
    swapped(at)
    tables = (rd.read_run(FILES[side]) for side in "ba")
    comparison = rd.compare(*tables, rd.read_judgments(FILES["judgments"]))
    verdict = rd.decide(comparison)
    assert verdict.screen in at.title[0].value
    assert verdict.sentence in texts(at)
    found = comparison.primary.paired
    assert (at.metric[0].value, at.metric[0].delta) == (number(found.mean_b), signed(found.delta))
    assert "A new → B old" in texts(at).replace("*", "")
    swapped(at)
    assert texts(at) == before


def test_votes_are_turned_around_by_a_swap() -> None:
    """Thirty good and ten bad become ten good and thirty bad, and the data page says why."""
    at = opened(inputs(votes_csv()))
    swapped(at)
    assert at.metric[2].value == "−40.0%"
    at.switch_page("rankdash/dashboard/pages/data.py").run()
    assert "A and B were swapped" in texts(at)


def test_names_change_everywhere_and_edits_survive() -> None:
    """The row, the tables and the inputs of the comparison bear the new names; numbers and edits stay."""
    at = opened()
    put_edits(at, EDITS[0])
    at.run()
    delta = at.metric[0].delta
    renamed(at, name="Spring release", a="control", b="treatment")
    assert "Spring release" in texts(at)
    assert "A control → B treatment" in texts(at).replace("*", "")
    assert at.metric[0].delta == delta
    assert editing.EDITED_BADGE in texts(at)
    at.switch_page(SCRIPTS["queries"]).run()
    tables = [one.value for one in at.markdown if "\n|-|" in one.value]
    assert any("control" in table and "treatment" in table for table in tables)


@pytest.mark.parametrize(
    ("names", "said"),
    [({"a": "new"}, style.NAMES_ALIKE), ({"b": "  "}, style.NAMES_MISSING), ({"name": ""}, style.NAMES_MISSING)],
)
def test_names_that_cannot_be_told_apart_are_refused(names: dict[str, str], said: str) -> None:
    """Two equal names, or none, change nothing, and the dialog says what is needed."""
    at = renamed(opened(), **names)
    assert said in texts(at)
    assert "A old → B new" in texts(at).replace("*", "")


def reloaded(at: AppTest) -> AppTest:
    """A new session that begins with the address of another one."""
    again = app()
    for name, values in parse_qs(urlencode(at.query_params, doseq=True)).items():
        again.query_params[name] = values
    return again.run()


def in_address(at: AppTest) -> dict[str, str]:
    """What the address says of the open comparison."""
    found = parse_qs(urlencode(at.query_params, doseq=True))
    return {name: values[0] for name, values in found.items() if name == "c"}


def test_the_demo_that_was_changed_is_gone_after_a_reload() -> None:
    """Turned around, with no store, it is in memory alone, and a reload says so; turned back, its address is bare."""
    at = app().run()
    first = texts(at)
    swapped(at)
    assert style.GONE in texts(reloaded(at))
    swapped(at)
    assert texts(at) == first
    assert in_address(at) == {}


def test_a_comparison_of_other_runs_is_not_called_demo_data() -> None:
    """One file of the demo among a person's own, the judgments or one of the runs, makes no demo of them."""
    shown = demo.case()
    assert demo.is_shown(shown)
    own = rd.read_run({"q": {"d": 1.0}})
    for other in ({"a": own, "b": own.renamed("b")}, {"b": own}, {"a": own}):
        assert not demo.is_shown(shown.with_tables(**other))
    assert demo.is_shown(shown.swapped().renamed("name", "a", "b"))


def test_files_of_ones_own_leave_nothing_of_the_demo_in_the_address() -> None:
    """After another comparison is opened the address is its digest alone, and a reload says that files are gone."""
    at = renamed(app().run(), a="mine")
    put(at, case=inputs())
    at.run()
    assert in_address(at) == {"c": digest(inputs())[:12]}
    assert style.GONE in texts(reloaded(at))
