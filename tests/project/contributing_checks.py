"""What holds in a copy of the project to which an example of CONTRIBUTING.md was applied (see test_contributing.py).

These are no tests of the project itself: there is no measure Streak here.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import rankdash as rd
from rankdash import style
from rankdash.__main__ import main
from rankdash.dashboard.navigation import PAGES, SCRIPTS
from rankdash.reading import recognise
from rankdash.report.exports import EXPORTS
from rankdash.style import queries
from tests.dashboard.test_pages import app, texts

RUN, JUDGMENTS = {"q": ["a", "b", "x", "c"]}, {"q": {"a": 1, "b": 2, "c": 1, "x": 0}}


def tables(at: AppTest) -> str:
    """Everything in the tables of a page."""
    return "\n".join(table.value.to_string() for table in at.table).replace("\\", "")


def test_measure(capsys: pytest.CaptureFixture[str]) -> None:
    """In the help, through compare and explain, on the Queries page, and in three sections of the Method page."""
    assert main(["measures"]) == 0
    assert "Streak[@k]  (0..1)" in capsys.readouterr().out
    comparison = rd.compare(RUN, RUN, JUDGMENTS, measures=["streak@3", "nDCG@10"])
    assert comparison.result("Streak@3").paired.mean_b == pytest.approx(2 / 3)
    worked = rd.explain(RUN, JUDGMENTS, "Streak", "q")
    assert (worked.value, worked.above, len(worked.ranks)) == (0.5, 0.5, 4)
    at = app()
    at.query_params["measure"] = "Streak"
    at.run().switch_page(SCRIPTS["queries"]).run()
    assert not at.exception
    assert at.selectbox(key="measure").value == "Streak"
    assert queries.WORKED.format(measure="Streak@10", side="B") in [one.value.replace("\\", "") for one in at.subheader]
    assert "relevant documents above the first other one" in texts(at)
    at.session_state["section"] = "presets"
    at.switch_page(SCRIPTS["method"]).run()
    at.selectbox(key="find_measure").select("Streak@k").run()
    assert at.table[0].value.columns[-1].replace("\\", "") == "Streak@10"
    at.segmented_control(key="section").set_value("measures").run()
    assert not at.exception
    assert tables(at).count("relevant documents above the first other one") == 2


def test_rule() -> None:
    """In the verdict with its status and sentence, behind its question, and in the table of the Method page."""
    rows = {f"q{i}": ["a", "b"] for i in range(40)}
    turned = {query: documents[::-1] for query, documents in rows.items()}
    verdict = rd.decide(rd.compare(rows, turned, {query: {"a": 0, "b": 1 + (query > "q3")} for query in rows}))
    assert {check.rule: check.sentence for check in verdict.checks}["U5"].startswith("B is ahead by 0.")
    at = app()
    at.session_state["section"] = "verdict"
    at.run()
    assert "U5] B is ahead" in tables(at)
    at.switch_page(SCRIPTS["method"]).run()
    assert ["U5", style.QUESTIONS["better"], "B is ahead"] in at.table[0].value.iloc[:, :3].to_numpy().tolist()


def with_losses(losing_max: float) -> rd.Verdict:
    """The verdict on a large gain of 45 queries that 15 others pay for."""
    a = {f"q{i}": ["a", "b"] for i in range(60)}
    b = {query: documents[::-1] for query, documents in a.items()}
    grades = {query: {"a": float(i < 15), "b": float(i >= 15)} for i, query in enumerate(a)}
    return rd.decide(rd.compare(a, b, grades, policy=rd.Policy(losing_max=losing_max)))


def test_rule_with_field() -> None:
    """It decides by its field, the fewest queries that turn it are found, and a launch says what it found."""
    stopped = with_losses(0.24)
    assert (stopped.rule, stopped.sentence) == ("U6", "B loses on 25.0% of the queries, more than the policy allows.")
    assert stopped.fragility is not None
    assert (stopped.fragility.n, stopped.fragility.turns_to) == (1, rd.Outcome.LAUNCH)
    assert set(stopped.fragility.queries) <= {f"q{i}" for i in range(15)}
    launched = with_losses(0.3)
    assert launched.launch
    assert "b loses on 25.0% of the queries" in launched.sentence.lower()
    assert "loses" not in with_losses(1).sentence


def test_field() -> None:
    """In TOML with its meaning, refused beyond its limits, in the result's JSON, and in the dialog."""
    assert "losing_max = 1.0  # B may lose the primary measure on at most" in rd.Policy().to_toml()
    assert rd.Policy.from_toml("losing_max = 0.5").to_dict()["losing_max"] == 0.5
    with pytest.raises(rd.PolicyError, match="losing_max must be a number from 0 to 1"):
        rd.Policy(losing_max=2)
    at = app()
    at.session_state["section"] = "verdict"
    at.run()
    at.button(key="open_policy").click().run()
    assert at.number_input(key="policy_losing_max").label == "Share of queries that may lose"


def test_text_format() -> None:
    """As a run and packed, recognised as one, and refused in one sentence where judgments were wanted."""
    content = b"q1: d2 d1\nq2: d9 d8 d7\n"
    run = rd.read_run(content)
    assert run.table.column("doc_id").to_pylist() == ["d2", "d1", "d9", "d8", "d7"]
    found = recognise(content)
    assert (found.kind, found.form.format) == ("run", "lists in words")
    with pytest.raises(rd.ReadError, match="these are lists of documents"):
        rd.read_judgments(content)


def test_export(tmp_path: Path) -> None:
    """Written by the command line and by Python alike, and offered by the page."""
    comparison = rd.compare(RUN, RUN, JUDGMENTS)
    content = rd.report(comparison, tmp_path / "rules.tsv")
    assert content == (tmp_path / "rules.tsv").read_bytes()
    assert content.count(b"\n") == len(rd.decide(comparison).checks)
    for side in ("a", "b"):
        (tmp_path / f"{side}.csv").write_text("query_id,doc_id,rank,relevance\nq,a,1,1\nq,b,2,2\n", "utf-8")
    named = [str(tmp_path / name) for name in ("a.csv", "b.csv")]
    assert main(["report", *named, "-o", str(tmp_path / "shell.tsv")]) == 0
    assert (tmp_path / "shell.tsv").read_bytes().startswith(b"C1\t")
    at = app().run()
    at.button(key="open_export").click().run()
    assert EXPORTS["checklist"].label in at.selectbox(key="export_form").options


def test_page() -> None:
    """Under its title, and it shows what it has to show."""
    assert PAGES[-1].title == "Examples"
    at = app().run().switch_page(SCRIPTS["examples"]).run()
    assert not at.exception
    assert "tau_b" in tables(at)


def test_command(capsys: pytest.CaptureFixture[str]) -> None:
    """It runs, takes its option, stands in the help, and is suggested where it is misspelled."""
    assert main(["policy", "--convention", "ranklib"]) == 0
    assert rd.Policy.from_toml(capsys.readouterr().out) == rd.Policy(convention="ranklib")
    assert main(["polcy"]) == 2
    assert "rankdash policy" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["--help"])
    assert "the default launch policy, as TOML" in capsys.readouterr().out
