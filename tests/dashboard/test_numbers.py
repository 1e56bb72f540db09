"""The numbers on the pages are those of the command line's JSON for the same files: the demo, and real collections."""

import base64
import csv
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import rankdash as rd
from rankdash import style
from rankdash.__main__ import main
from rankdash.case import Case
from rankdash.conventions import PRESETS
from rankdash.dashboard.navigation import SCRIPTS
from rankdash.reading import read_judgments, read_queries, read_run
from rankdash.report.worked import ON_PAGE
from rankdash.style import editing, method
from rankdash.wording import count, end, limit, number, points, signed
from tests.dashboard.test_pages import ROOT, opened_at, texts
from tests.long import every
from tests.real_data.test_oracles import COLLECTIONS, Collection

DEMO = ROOT / "data" / "demo"


@dataclass(frozen=True)
class Given:
    """The files of one comparison, and what the command line made of them."""

    files: dict[str, Path]
    json: dict[str, Any]
    per_query: dict[tuple[str, str], tuple[float, float, float]]  # (query, measure) -> A, B, delta

    def deltas(self, measure: str) -> dict[str, float]:
        """The difference of every query."""
        return {query: values[2] for (query, name), values in self.per_query.items() if name == measure}


def told(files: dict[str, Path], folder: Path) -> Given:
    """The files through the command line."""
    answers = folder / "result.json", folder / "per_query.csv"
    others = [part for slot in ("judgments", "queries") if slot in files for part in (f"--{slot}", str(files[slot]))]
    outputs = ["--json", str(answers[0]), "--out", str(answers[1])]
    assert main(["compare", str(files["a"]), str(files["b"]), *others, *outputs]) == 0
    with answers[1].open(encoding="utf-8-sig", newline="") as rows:
        per_query = {
            (row["query_id"], row["measure"]): (float(row["a"]), float(row["b"]), float(row["delta"]))
            for row in csv.DictReader(rows)
            if row["delta"]
        }
    return Given(files, json.loads(answers[0].read_text("utf-8")), per_query)


@dataclass(frozen=True)
class Shown:
    """What the pages show of a comparison, beside what the command line said of it."""

    given: Given
    pages: dict[str, AppTest]


def shown_of(given: Given) -> Shown:
    """Every page with the comparison open, the files read as the upload reads them."""
    read = {"a": read_run, "b": read_run, "judgments": read_judgments, "queries": read_queries}
    tables = {slot: read[slot](path) for slot, path in given.files.items()}
    return Shown(given, {name: opened_at(script, Case.of(tables, "numbers")) for name, script in SCRIPTS.items()})


def figure(at: AppTest, key: str) -> list[dict[str, Any]]:
    """The traces of a chart of the page."""
    chart = next(chart for chart in at.get("plotly_chart") if chart.proto.id.endswith(f"-{key}"))
    traces: list[dict[str, Any]] = json.loads(chart.proto.spec)["data"]
    return traces


def numbers(values: Any) -> list[float]:
    """An axis of a trace, packed or not."""
    if isinstance(values, dict):
        return [float(value) for value in np.frombuffer(base64.b64decode(values["bdata"]), values["dtype"])]
    return [float(value) for value in values if value is not None]


def the_verdict(found: Shown) -> None:
    """The big word, the tag, the sentence, the next step and the caveats."""
    verdict, said = found.given.json["verdict"], texts(found.pages["verdict"])
    assert ("No launch" in found.pages["verdict"].title[0].value) is not verdict["launch"]
    for sentence in (verdict["tag"], verdict["sentence"], verdict["next_step"]):
        assert sentence in said
    for caveat in verdict["caveats"]:
        assert caveat["sentence"] in said


def the_cards(found: Shown) -> None:
    """Means and deltas of the primary measure, with its interval, and of AP; derived ΔGSB with its counts and the one
    limit of what is the same.
    """
    cards, said = found.pages["verdict"].metric, texts(found.pages["verdict"])
    primary, guardrail = (next(row for row in found.given.json["measures"] if row["role"] == role) for role in ROLES)
    for card, row in zip(cards, (primary, guardrail), strict=False):
        assert (card.value, card.delta) == (number(row["b"]), signed(row["delta"]))
        assert style.FROM.format(mean=number(row["a"])) in said
    assert style.INTERVAL.format(ends=" to ".join(map(end, primary["ci"]))) in said
    gsb = found.given.json["gsb_derived"]
    assert cards[2].value == points(gsb["delta_gsb"])
    assert cards[2].delta == style.GSB_COUNTS.format(**{name: count(gsb[name]) for name in ("good", "same", "bad")})
    assert said.count(style.GSB_TIED.format(tolerance="")) == 1
    assert style.GSB_TIED.format(tolerance=limit(gsb["tolerance"])) in said
    assert len(cards) == 3


def the_interval_chart(found: Shown) -> None:
    """Every measure's delta stands at its place, and its interval from end to end."""
    traces = figure(found.pages["verdict"], "interval_chart")
    drawn = {value for trace in traces for value in numbers(trace["x"])}
    for row in found.given.json["measures"]:
        for value in (row["delta"], *row["ci"]):
            assert any(abs(value - other) < 1e-12 for other in drawn), (row["measure"], value)


def the_sorted_deltas(found: Shown) -> None:
    """The bars are the differences of every query, smallest first, on the verdict's page and on the queries'."""
    deltas = sorted(found.given.deltas(found.given.json["measures"][0]["measure"]).values())
    for page, key in (("verdict", "query_chart"), ("queries", "view_sorted")):
        (trace,) = figure(found.pages[page], key)
        assert numbers(trace["y"]) == pytest.approx(deltas, abs=1e-9)


def the_extremes(found: Shown) -> None:
    """The largest loss and the largest gain are those of the per-query file."""
    deltas = found.given.deltas(found.given.json["measures"][0]["measure"]).values()
    for side, extreme in (("losses", min(deltas)), ("gains", max(deltas))):
        if not (extreme < 0 if side == "losses" else extreme > 0):
            assert style.NO_EXTREMES[side] in texts(found.pages["verdict"])
            continue
        label = found.pages["verdict"].button(key=f"open_{side}_0").label
        assert re.match(rf":\w+\[\*\*{re.escape(signed(extreme))}\*\*\] ", label), label


def the_queries(found: Shown) -> None:
    """The table's values of A and B are the per-query file's; so are those of the open query, with four decimals."""
    measure = found.given.json["measures"][0]["measure"]
    at = found.pages["queries"]
    rows = at.dataframe[0].value
    expected = [values for (_, name), values in found.given.per_query.items() if name == measure]
    for column, place in (("A", 0), ("B", 1)):
        assert sorted(rows[column]) == pytest.approx(sorted(values[place] for values in expected), abs=1e-9)
    (query_id,) = np.atleast_1d(at.query_params["query"]).tolist()
    opened = found.given.per_query[query_id, measure]
    assert f"{number(opened[0], ON_PAGE)} → {number(opened[1], ON_PAGE)} · " in texts(at)
    assert f"[**{signed(opened[2], ON_PAGE)}**]" in texts(at)


def the_edited_query(found: Shown) -> None:
    """Over each list that is open for editing, the query's value of the primary measure."""
    at = found.pages["edit"]
    (query_id,) = np.atleast_1d(at.query_params["query"]).tolist()
    measure = found.given.json["measures"][0]["measure"]
    for value in found.given.per_query[query_id, measure][:2]:
        assert f"{measure} {number(value)}" in texts(at)


def the_bounds(found: Shown) -> None:
    """What the missing labels leave the mean difference, where labels count."""
    bounds = found.given.json["judged"]["delta_bounds"]
    if bounds is None:
        assert not found.pages["label"].metric
        return
    assert found.pages["label"].metric[0].value == editing.TO.join(dict.fromkeys(map(end, bounds)))


def the_counts(found: Shown) -> None:
    """Judged, missing, without a relevant document and changed: the data page counts what the JSON counts."""
    counted = found.given.json["queries"]
    said, k = texts(found.pages["data"]), found.given.json["policy"]["cutoff"]
    assert f"of {count(counted['judged'])} judged queries are in both lists." in said
    assert f"The top {k} differs on {count(counted['affected'])}." in said
    notes = [note for note in found.given.json["queries"]["notes"] if "judged quer" in note]
    assert all(note in said for note in notes)


def the_inputs(found: Shown) -> None:
    """Digest and rows of every file, and every decision that reading it took."""
    at = found.pages["data"]
    said = texts(at) + "\n".join(table.value.to_csv() for table in at.table).replace("\\", "")
    for slot in ("a", "b", "judgments"):
        source = found.given.json["inputs"][slot]
        assert source["sha256"][:12] in said
        for note in source["notes"]:
            assert note["text"] in said, slot


def the_presets(found: Shown) -> None:
    """For every tool the table of the method page has each run's mean over the queries that the preset counts."""
    at, heads = found.pages["method"], f"|{'|'.join(method.TOOL_COLUMNS)}|"
    said = [
        next(one.value for one in at.selectbox(key="tool").set_value(preset).run().markdown if heads in one.value)
        for preset in PRESETS
    ]
    judgments = rd.read_judgments(found.given.files["judgments"])
    measure = found.given.json["measures"][0]["measure"]
    for side in "ab":
        run = rd.read_run(found.given.files[side])
        for preset, line in zip(PRESETS, said, strict=True):
            values = rd.evaluate(run, judgments, [measure], convention=preset)["value"]
            assert number(float(values.mean()), 6) in line, (preset, line)


ROLES = ("primary", "guardrail")
CHECKS = (
    the_verdict, the_cards, the_interval_chart, the_sorted_deltas, the_extremes, the_queries, the_edited_query,
    the_bounds, the_counts, the_inputs, the_presets,
)  # fmt: skip


def test_the_demo_on_the_pages_is_the_demo_of_the_command_line(tmp_path: Path) -> None:
    """Every number of the pages is a number of the JSON, or of its per-query file, for the demo's files."""
    names = {"a": "run_a.csv", "b": "run_b.csv", "judgments": "judgments.csv", "queries": "queries.csv"}
    found = shown_of(told({slot: DEMO / name for slot, name in names.items()}, tmp_path))
    for check in CHECKS:
        check(found)


@pytest.mark.parametrize("collection", every(6, COLLECTIONS), ids=lambda one: one.folder)
def test_real_collections_on_the_pages_are_those_of_the_command_line(
    collection: Collection, real_data: Path, tmp_path: Path
) -> None:
    """Every number of the pages is a number of the JSON, or of its per-query file, for real runs and judgments."""
    names = {"a": collection.a, "b": collection.b, "judgments": collection.judgments}
    found = shown_of(told({slot: real_data / collection.folder / name for slot, name in names.items()}, tmp_path))
    for check in CHECKS:
        check(found)
