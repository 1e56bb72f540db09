"""Snapshots of Quepid that know queries by ids and texts, beside files that know them by one of both."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

import rankdash as rd
from rankdash.__main__ import main
from rankdash.mistakes import by_texts
from rankdash.tables import QUEPID_IDS, QUEPID_TEXTS


def snapshot(docs: list[str], **texts: str) -> bytes:
    """A snapshot as the interface gives it: queries by their ids, each with its text behind a ``q``."""
    lists = {name[1:]: [{"id": doc, "explain": None, "rated_only": False} for doc in docs] for name in texts}
    queries = [{"query_id": int(name[1:]), "query_text": text, "ratings": {"d1": 3}} for name, text in texts.items()]
    return json.dumps({"id": 3, "name": "n", "docs": lists, "queries": queries}).encode()


A, B = snapshot(["d1", "d2"], q1="tv", q2=" moon "), snapshot(["d2", "d1"], q1="tv", q2=" moon ")
OTHER_IDS = snapshot(["d2", "d1"], q11="tv", q12="moon")
BASIC = b"query,docid,rating\ntv,d1,3.0\nmoon,d1,1.0\n"
BY_IDS = b"1 0 d1 3\n2 0 d1 1\n"
QUERIES = [
    {"query_id": query, "query_text": text, "arranged_at": 0, "arranged_next": 1, "ratings": {"d1": 3}}
    for query, text in ((1, "tv"), (2, "moon"))
]
API = json.dumps({"queries": QUERIES, "display_order": [1, 2]}).encode()
CSV = b"Snapshot Name,Snapshot Time,Case ID,Query Text,Doc ID,Doc Position\nx,Mon,7,tv,d1,1\nx,Mon,7,moon,d1,1\n"


@pytest.mark.parametrize(
    ("a", "b", "judgments", "named"),
    [
        (A, B, BASIC, ["tv", "moon"]),
        (A, B, A, ["1", "2"]),
        (A, B, BY_IDS, ["1", "2"]),
        (CSV, B, BASIC, ["tv", "moon"]),
        (CSV, CSV.replace(b"x,Mon", b"y,Mon"), B, ["tv", "moon"]),
        (A, OTHER_IDS, A, ["tv", "moon"]),
        (CSV, CSV.replace(b"x,Mon", b"y,Mon"), API, ["tv", "moon"]),
        (A, B, API, ["1", "2"]),
        (snapshot(["d1"], q1="2", q2="3"), snapshot(["d1"], q1="2", q2="3"), BY_IDS, ["1", "2"]),
    ],
)
def test_queries_meet_by_texts_where_ids_do_not(a: bytes, b: bytes, judgments: bytes, named: list[str]) -> None:
    """Snapshots go by their ids where the others do, else by the texts that they bring, and a note says so."""
    tables = {"a": rd.read_run(a), "b": rd.read_run(b), "judgments": rd.read_judgments(judgments)}
    comparison = rd.compare(a, b, judgments)
    assert comparison.query_ids == named
    assert comparison.summary["b"][0] > 0
    assert rd.score(a, b, judgments).query_ids.to_pylist() == named
    assert rd.evaluate(b, judgments, "RR")["query_id"].to_list() == named
    for key, table in by_texts(tables).items():
        renamed = QUEPID_IDS in tables[key].source.notes and named[0] == "tv"
        assert (QUEPID_TEXTS in table.source.notes) is renamed
        assert (table is tables[key]) is not renamed


def _made(dice: random.Random) -> rd.Run:
    """A snapshot of some queries, whose texts may be numbers that are ids elsewhere."""
    first, texts = dice.choice([1, 11]), dice.sample(["tv", "moon", "red shoes", "1", "2"], dice.choice([1, 2, 4]))
    return rd.read_run(snapshot(["d1", "d2"], **{f"q{first + place}": text for place, text in enumerate(texts)}))


@pytest.mark.parametrize("seed", range(60))
def test_exchanged_lists_have_the_same_names(seed: int) -> None:
    """In random worlds each list has the queries that it has where A and B change places, with judgments or without."""
    dice = random.Random(seed)
    runs = [_made(dice), _made(dice)]
    judged = dice.sample(["tv", "moon", "1", "2", "11", "12"], 3)
    judgments = rd.read_judgments({query: {"d1": 1} for query in judged}) if dice.random() < 0.7 else None
    named = by_texts({"a": runs[0], "b": runs[1], "judgments": judgments})
    turned = by_texts({"a": runs[1], "b": runs[0], "judgments": judgments})
    for own, other in (("a", "b"), ("b", "a")):
        assert named[own].table.equals(turned[other].table)


def test_two_queries_of_one_text_keep_their_ids() -> None:
    """Where a snapshot would have two queries of one name it keeps the ids, and what goes with them is said."""
    twice = snapshot(["d1"], q1="tv", q2="tv")
    with pytest.raises(rd.ComparisonError, match="TREC export"):
        rd.compare(twice, twice, {"tv": {"d1": 1}})


def test_ratings_by_ids_beside_lists_by_text_say_what_goes_with_them() -> None:
    """Beside snapshots as CSV the TREC export shares no query: what does is said, and nothing of ids that are texts."""
    with pytest.raises(rd.ComparisonError, match="give its Basic export, or the snapshots as JSON"):
        rd.compare(CSV, CSV.replace(b"x,Mon", b"y,Mon"), BY_IDS)
    with pytest.raises(rd.ComparisonError, match="Check that both use the same query ids"):
        rd.compare(CSV, CSV.replace(b"x,Mon", b"y,Mon"), {"radio": {"d1": 1}})


def test_weights_and_votes_by_text_meet_a_snapshot() -> None:
    """What is known of queries by their texts, and votes, is matched with snapshots that go by ids."""
    tables: dict[str, Any] = {"queries": {"tv": {"weight": 1}, "moon": {"weight": 3}}, "votes": {"moon": "good"}}
    comparison = rd.compare(A, B, A, **tables)
    assert comparison.query_ids == ["tv", "moon"]
    assert "2 queries count by weight" in rd.report(comparison, format="text").decode()


def test_the_command_line_matches_texts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`compare` and `evaluate` take ratings by text beside snapshots in JSON, and say so."""
    paths = []
    for name, content in (("a.json", A), ("b.json", B), ("q.csv", BASIC)):
        paths.append(str(tmp_path / name))
        Path(paths[-1]).write_bytes(content)
    assert main(["compare", *paths[:2], "-q", paths[2]]) == 0
    assert QUEPID_TEXTS in capsys.readouterr().err
    assert main(["evaluate", *paths[:2], "-q", paths[2], "-m", "RR"]) == 0
    assert QUEPID_TEXTS in capsys.readouterr().err
    assert main(["explain", paths[0], "-q", paths[2], "--query", "moon"]) == 0
