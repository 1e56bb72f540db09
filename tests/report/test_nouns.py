"""What a recommender reads: users and items, where the files say so."""

import re
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

import rankdash as rd
from rankdash.report.sections import Reported

SEARCH = r"\b(?:query|queries|documents?)\b"
#: Notes that say how a heading was read.
_READ = r"Each query is a user, and each document an item|was read as the (query|document) id"


def frames(query: str, document: str) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Two models and what was relevant, with headings for both ids."""
    rows = [(f"u{n}", f"i{m}", 1.0 / m) for n in range(60) for m in range(1, 9)]
    a = pd.DataFrame(rows, columns=[query, document, "score"])
    b = a.assign(score=[-score if n % 3 else score for n, score in enumerate(a["score"])])
    judged = pd.DataFrame([(f"u{n}", f"i{1 + n % 9}") for n in range(60)], columns=[query, document])
    return a, b[b[query] != "u1"], judged.assign(rating=[1 + n % 2 for n in range(60)])


def said(comparison: rd.Comparison) -> str:
    """Every sentence of a comparison in its reports, without the names that files gave."""
    reported = Reported(comparison, rd.decide(comparison))
    written = [rd.report(comparison, format=form).decode() for form in ("html", "markdown")]
    checks = [
        f"{check.sentence} {[one.what for row in check.conditions for one in row]}" for check in reported.verdict.checks
    ]
    text = "\n".join([*(re.sub(r"<style.*?</style>|<[^>]+>", " ", form, flags=re.DOTALL) for form in written), *checks])
    return re.sub(_READ, "", text.replace("document query", ""))


@pytest.mark.parametrize(
    ("query", "document", "of_users"),
    [
        *(("user_id", "item_id", True), ("uid", "iid", True), ("reviewerID", "asin", True), ("user", "doc_id", False)),
        *(("query_id", "item_id", False), ("session_id", "item_id", False), ("qid", "docno", False)),
    ],
)
@pytest.mark.parametrize("policy", [{}, {"inference": "fixed"}, {"primary": "AP", "population": "affected"}], ids=str)
def test_reports_speak_of_users_only_where_the_files_do(
    query: str, document: str, of_users: bool, policy: dict[str, str]
) -> None:
    """Reports and rules have one pair of words, by the headings, and leave a model's own name alone."""
    a, b, judged = frames(query, document)
    runs = rd.read_run(a, name="document query"), rd.read_run(b, name="new")
    comparison = rd.compare(*runs, judged, policy=rd.Policy(**policy))
    assert comparison.of_users is of_users
    found = re.findall(f".*{SEARCH}.*", said(comparison), re.IGNORECASE)
    assert bool(found) is not of_users, found
    assert "document query" in rd.report(comparison, format="markdown").decode()


def through_store(comparison: rd.Comparison, folder: Path) -> rd.Comparison:
    """The comparison, saved and opened."""
    return rd.load(rd.save(comparison))


def through_scores(comparison: rd.Comparison, folder: Path) -> rd.Comparison:
    """The comparison of its scored queries."""
    rd.api.write_scored(comparison.scored, folder / "scored.parquet")
    return rd.compare_scored(folder / "scored.parquet")


@pytest.mark.parametrize("kept", [through_store, through_scores])
def test_what_is_kept_knows_its_words(
    kept: Callable[[rd.Comparison, Path], rd.Comparison], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A saved comparison and scored queries are of users as their files were."""
    monkeypatch.setenv("RANKDASH_STORE", "on")
    monkeypatch.setenv("RANKDASH_HOME", str(tmp_path))
    assert kept(rd.compare(*frames("user_id", "item_id")), tmp_path).of_users
