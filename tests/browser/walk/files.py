"""Acts that save files, and what the files have to hold: the same numbers as the screen and as the command line."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import rankdash as rd
from rankdash.__main__ import main as command_line
from rankdash.inspect.lists import query_texts
from rankdash.report.json import to_dict
from rankdash.style import queries
from tests.browser.pages import keyed
from tests.browser.waiting import settled
from tests.browser.walk import model
from tests.browser.walk.edits import to_edit
from tests.browser.walk.walker import Walker


def download(walk: Walker) -> None:
    """Every file that the page offers: it opens, and is not empty."""
    buttons = walk.page.get_by_test_id("stMain").get_by_test_id("stDownloadButton").get_by_role("button")
    for number in range(buttons.count()):
        button = buttons.nth(number)
        if button.is_visible() and button.is_enabled():
            _opens(walk, walk.saved(button.click))


def _opens(walk: Walker, path: Path) -> None:
    assert walk.open is not None
    _OPENING[path.suffix](walk, path)
    edited = isinstance(walk.open, model.Lists) and walk.open.edits and path.suffix == ".csv"
    assert not edited or "edit" in path.stem, path.name


def _is_table(walk: Walker, path: Path) -> None:
    head, *rows = list(csv.reader(path.read_text("utf-8").splitlines()))
    assert rows, path.name
    assert {len(row) for row in rows} == {len(head)}, path.name


def _is_policy(walk: Walker, path: Path) -> None:
    assert rd.Policy.from_toml(path.read_text("utf-8")) == walk.policy


_OPENING: Mapping[str, Callable[[Walker, Path], None]] = {".csv": _is_table, ".toml": _is_policy}


def save(walk: Walker) -> None:
    """Lists and judgments as the edit page saves them, and the edits beside the files that were dropped: the command
    line says the same of both as the screen.
    """
    to_edit(walk)
    saved = {part: walk.save(f"edit_save_{part}") for part in ("a", "b", "judgments")}
    ways = [walk.lists.files | saved]
    if walk.lists.edits:
        ways.append(walk.lists.files | {"edits": walk.save("edit_save_edits")})
    for files in ways:
        told = _numbers(_told(walk, **files))
        assert told == _numbers(to_dict(walk.lists.comparison, walk.lists.verdict)), sorted(files)


def drop_edits(walk: Walker) -> None:
    """The edits as a file, dropped on the comparison that they were made on: one step, and nothing changes."""
    to_edit(walk)
    if not walk.lists.edits:
        assert keyed(walk.page, "edit_save_edits").get_by_role("button").is_disabled()
        return
    path = walk.save("edit_save_edits")
    place = walk.begin()
    walk.drop(place, path, are_cards=False)
    walk.press(f"{place}_compare")
    walk.open = walk.lists.begun_with(walk.lists.edits)


def _told(walk: Walker, a: Path, b: Path, **others: Path) -> dict[str, Any]:
    """What the command line tells of files under the policy in force."""
    policy, told = walk.folder / "in_force.toml", walk.folder / "told.json"
    policy.write_text(walk.policy.to_toml())
    named = {**others, "policy": policy, "json": told}
    options = [word for name, path in named.items() for word in (f"--{name}", str(path))]
    assert command_line(["compare", str(a), str(b), *options]) == 0
    found: dict[str, Any] = json.loads(told.read_text())
    return found


def _numbers(told: dict[str, Any]) -> Any:
    """The part of a report that knows neither names nor files."""
    return [told["measures"], told["verdict"]["outcome"], told["verdict"]["rule"]]


def filtered(walk: Walker) -> None:
    """Filters and another cutoff on the queries page: its table, as it is saved, has the numbers of that cutoff."""
    walk.go(queries.QUERIES)
    text, k = walk.chance.choice(["1", "words", "zzz", ""]), walk.chance.choice(["5", "20"])
    outcome = walk.chance.choice(list(queries.OUTCOMES))
    _choose(walk, "k", k)
    _choose(walk, "query_outcome", queries.OUTCOMES[outcome])
    box = keyed(walk.page, "query_text").locator("input")
    box.fill(text)
    box.press("Enter")
    settled(walk.page)
    measure = keyed(walk.page, "measure").get_by_role("combobox").input_value()
    wanted = {query: found for query, found in _viewed(walk, measure, k, outcome) if text in query}
    if not wanted:
        assert not keyed(walk.page, "view_save").count()
        return
    rows, numbers = csv.DictReader(walk.save("view_save").read_text("utf-8").splitlines()), ("a", "b", "delta")
    assert {f"{row['query_id']} {row['text']}": tuple(float(row[one]) for one in numbers) for row in rows} == wanted


def _choose(walk: Walker, key: str, option: str) -> None:
    keyed(walk.page, key).get_by_text(option, exact=True).click()
    settled(walk.page)


_IS: Mapping[str, Callable[[float], bool]] = {
    "": lambda delta: True, "won": lambda delta: delta > 0, "tied": lambda delta: delta == 0,
    "lost": lambda delta: delta < 0,
}  # fmt: skip


def _viewed(walk: Walker, measure: str, k: str, outcome: str) -> Iterator[tuple[str, tuple[float, float, float]]]:
    """Id and text of every query of an outcome at a cutoff, with both values and their difference."""
    comparison = walk.lists.measured(f"{measure}@{k}")
    texts, table = query_texts(comparison), comparison.per_query_table
    for row in table.to_pylist():
        if row["measure"] == f"{measure}@{k}" and row["delta"] is not None and _IS[outcome](row["delta"]):
            yield f"{row['query_id']} {texts.get(row['query_id'], '')}", (row["a"], row["b"], row["delta"])
