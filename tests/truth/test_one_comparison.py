"""Whoever asks, the same case has the same comparison: pages, command line, API, saved, and scored before."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rankdash as rd
from rankdash.__main__ import main
from rankdash.case import Case
from rankdash.dashboard.session import actions, open_comparison, verdicts
from rankdash.edits import Edit, apply
from rankdash.report.json import to_dict
from tests.dashboard.saved_sessions import Tab
from tests.truth.scale import done, sampled
from tests.truth.small import Small, small_world, some_policy

WORLDS = 5
#: What tells where a table was read, and nothing of what was computed.
_SOURCE = {"file", "sha256", "notes", "source", "rows", "digest"}


def _world(seed: int, folder: Path) -> tuple[Small, rd.Policy, tuple[Edit, ...], list[str]]:
    """Files of a small world, a policy that they suffice for, edits in every other one, and what names them."""
    rng = np.random.default_rng(seed)
    world, policy = small_world(rng, repeats=False), some_policy(rng, segments=("kind",) if rng.random() < 0.5 else ())
    words = {1: "good", 0: "same", -1: "bad"}
    votes = [f"q{i},{words[int(rng.integers(-1, 2))]},r{int(rng.integers(2))}" for i in rng.permutation(5)[:4]]
    files = {
        "A.csv": world.run_csv("a"),
        "B.csv": world.run_csv("b"),
        "judgments.csv": world.judgments_csv(),
        "queries.csv": world.queries_csv(),
        "votes.csv": "\n".join(["query_id,vote,rater", *votes]).encode(),
        "policy.toml": policy.to_toml().encode(),
    }
    for name, content in files.items():
        (folder / name).write_bytes(content)
    named = ["A.csv", "B.csv", "-q", "judgments.csv", "--order", "score" if world.by_score else "rank"]
    return world, policy, _edits(rng, world, policy) if seed % 2 else (), named


def _edits(rng: np.random.Generator, world: Small, policy: rd.Policy) -> tuple[Edit, ...]:
    """Some grades that somebody changed, and a document that was removed."""
    listed = {query: [doc for doc, _ in rows] for query, rows in world.lists["a"].items()}
    query = str(rng.choice(list(listed)))
    doc = str(rng.choice(listed[query]))
    known = world.grades.get((query, doc))
    edits = [Edit(query, doc, "grade", None, known, 3.0 if known != 3.0 else 1.0)]
    run, other, judgments = world.run("a"), world.run("b"), world.judgments()
    place = apply(tuple(edits), run, other, judgments, policy.scoring)
    removed = Edit(query, doc, "remove", "a", float(listed[query].index(doc) + 1), None)
    if len(place.a.table) > 1:
        edits.append(removed)
    return tuple(edits)


def _told(comparison: rd.Comparison | rd.VotesAlone, edits: tuple[Edit, ...]) -> dict[str, Any]:
    return _bare(json.loads(json.dumps(to_dict(comparison, rd.decide(comparison), edits))))


def _bare(told: Any) -> Any:
    """Everything of a JSON but what tells where tables were read."""
    if isinstance(told, dict):
        return {name: _bare(value) for name, value in told.items() if name not in _SOURCE}
    return [_bare(value) for value in told] if isinstance(told, list) else told


def _at_a_shell(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main([*words, "--json", "-"]) == 0
    found: dict[str, Any] = _bare(json.loads(capsys.readouterr().out))
    return found


@pytest.mark.parametrize("seed", range(sampled(WORLDS)))
def test_every_way_to_a_comparison_gives_the_same_json(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Page, command line, API, saved and loaded, and where there are no edits a folder of scored queries."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RANKDASH_STORE", "on")
    monkeypatch.setenv("RANKDASH_HOME", str(tmp_path / "home"))
    world, policy, edits, named = _world(seed, tmp_path)
    order: Any = named[-1]
    beside = ["--queries", "queries.csv", "--votes", "votes.csv", "--policy", "policy.toml"]
    if main(["compare", *named, *beside]) != 0:  # no query of a run is judged
        assert main(["save", *named, *beside]) != 0
        return
    capsys.readouterr()

    a, b = (rd.read_run(f"{side}.csv", order=order) for side in "AB")
    tables = (rd.read_judgments("judgments.csv"), rd.read_queries("queries.csv"), rd.read_votes("votes.csv"))
    tab = Tab()
    tab(actions.open_inputs, Case((a, b), *tables, name="x"))
    tab(actions.decide_by, policy)
    if edits:
        tab(lambda: actions.edit((*open_comparison.edits(), *edits)))
    shown = tab(lambda: verdicts.opened(open_comparison.current()))  # type: ignore[arg-type]
    expected = _told(shown.comparison, edits)
    assert _told(rd.load(tab.id), edits) == expected

    if not edits:
        assert _at_a_shell(capsys, "compare", *named, *beside) == expected
        assert main(["save", *named, *beside]) == 0
        id = capsys.readouterr().out.strip().rpartition("=")[2]
        assert _told(rd.load(id), edits) == expected
        judgments, queries, votes = tables
        made = rd.compare(a, b, judgments, policy=policy, queries=queries, votes=votes)
        assert _told(made, ()) == expected
        assert _told(rd.load(rd.save(made)), ()) == expected
        assert main(["score", *named, "--policy", "policy.toml", "-o", "scored"]) == 0
        assert _at_a_shell(capsys, "compare", "--scored", "scored", *beside) == expected
    done("one comparison")
    assert world.lists
