"""Whoever asks, the same case has the same comparison: pages, command line, API, saved, and scored before."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rankdash as rd
from rankdash.__main__ import main
from rankdash.case import Case
from rankdash.dashboard.session import actions, open_comparison, verdicts
from rankdash.edits import Edit
from rankdash.report.json import to_dict
from tests.dashboard.saved_sessions import Tab
from tests.truth.scale import sampled
from tests.truth.small import small_world, some_policy

#: What tells where a table was read, and nothing of what was computed.
_SOURCE = {"file", "sha256", "notes", "source", "rows", "digest"}


def told(comparison: rd.Comparison | rd.VotesAlone, edits: tuple[Edit, ...] = ()) -> Any:
    """The JSON of a comparison."""
    return bare(json.loads(json.dumps(to_dict(comparison, rd.decide(comparison), edits))))


def bare(found: Any) -> Any:
    """Everything of a JSON but what tells where tables were read."""
    if isinstance(found, dict):
        return {name: bare(value) for name, value in found.items() if name not in _SOURCE}
    return [bare(value) for value in found] if isinstance(found, list) else found


@pytest.mark.parametrize("seed", range(sampled(4)))
def test_every_way_to_a_comparison_gives_the_same_json(
    seed: int, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Page, saved and loaded; where there are no edits the command line, the API and a table of scored queries too."""
    monkeypatch.chdir(home.parent)
    rng = np.random.default_rng(seed)
    world = small_world(rng, repeats=False, grouped=bool(seed % 2), voted=True)
    policy = some_policy(rng, segments=("kind",) if seed % 3 else ())
    Path("A.csv").write_bytes(world.run_csv("a"))
    Path("B.csv").write_bytes(world.run_csv("b"))
    Path("judgments.csv").write_bytes(world.judgments_csv())
    Path("queries.csv").write_bytes(world.queries_csv())
    Path("votes.csv").write_bytes(world.votes_csv())
    Path("policy.toml").write_text(policy.to_toml(), "utf-8")
    order: Any = "score" if world.by_score else "rank"
    named = ["A.csv", "B.csv", "-q", "judgments.csv", "--order", order]
    beside = ["--queries", "queries.csv", "--votes", "votes.csv", "--policy", "policy.toml"]
    if main(["compare", *named, *beside]) != 0:  # no query of a run is judged
        assert main(["save", *named, *beside]) != 0
        return
    capsys.readouterr()

    def at_a_shell(*words: str) -> Any:
        assert main([*words, "--json", "-"]) == 0
        return bare(json.loads(capsys.readouterr().out))

    a, b = (rd.read_run(f"{side}.csv", order=order) for side in "AB")
    judgments, queries, votes = (
        rd.read_judgments("judgments.csv"), rd.read_queries("queries.csv"), rd.read_votes("votes.csv")
    )  # fmt: skip
    tab = Tab()
    tab(actions.open_inputs, Case((a, b), judgments, queries, votes, name="x"))
    tab(actions.decide_by, policy)
    expected = told(tab(lambda: verdicts.opened(open_comparison.current())).comparison)  # type: ignore[arg-type]
    assert told(rd.load(tab.id)) == at_a_shell("compare", *named, *beside) == expected
    assert main(["save", *named, *beside]) == 0
    assert told(rd.load(capsys.readouterr().out.strip().rpartition("=")[2])) == expected
    made = rd.compare(a, b, judgments, policy=policy, queries=queries, votes=votes)
    assert told(made) == told(rd.load(rd.save(made))) == expected
    assert main(["score", *named, "--policy", "policy.toml", "-o", "scored"]) == 0
    assert at_a_shell("compare", "scored", *beside) == expected

    query, rows = next(iter(world.lists["a"].items()))
    known = world.grades.get((query, rows[0][0]))
    edits = (Edit(query, rows[0][0], "grade", None, known, 3.0 if known != 3.0 else 1.0),)
    tab(actions.edit, edits)
    edited = told(tab(lambda: verdicts.opened(open_comparison.current())).comparison, edits)  # type: ignore[arg-type]
    assert told(rd.load(tab.id), edits) == edited != expected
