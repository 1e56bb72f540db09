"""A recommender's notebook: frames and arrays as its libraries make them, without a line of renaming."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import rankdash as rd
from rankdash.__main__ import main
from rankdash.reading import ReadError

USERS, ITEMS, K = 200, 60, 10
Frame = pd.DataFrame


def recommended(skill: float, seed: int) -> Frame:
    """The first ten items of each user, the better the higher the skill, with scores and ranks."""
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=(USERS, ITEMS)) + skill * LIKED
    items = np.argsort(-scores, axis=1)[:, :K]
    user = np.repeat(np.arange(USERS), K)
    return pd.DataFrame(
        {
            "u": user + 1000,
            "i": items.ravel(),
            "s": np.take_along_axis(scores, items, axis=1).ravel(),
            "r": np.tile(np.arange(1, K + 1), USERS),
        }
    )


RNG = np.random.default_rng(7)
LIKED = RNG.random((USERS, ITEMS)) < 0.1
LIKED[:, 0] = True
TRUTH = pd.DataFrame({"u": np.nonzero(LIKED)[0] + 1000, "i": np.nonzero(LIKED)[1]})
TRUTH["g"] = RNG.integers(1, 6, len(TRUTH))
TRUTH["t"] = 1_600_000_000 + np.arange(len(TRUTH))
A, B = recommended(0.3, 1), recommended(1.5, 2)


def named(**names: str) -> Callable[[Frame], Frame]:
    """Return what makes a frame of some columns under the names of a library."""
    return lambda frame: frame[[*names]].rename(columns=names)


def predictions(frame: Frame) -> Frame:
    """Predictions of Surprise as a frame: no true rating is known, and each has a dict of details."""
    columns = frame[["u", "i", "s"]].set_axis(["uid", "iid", "est"], axis=1)
    return columns.assign(r_ui=np.nan, details=[{"was_impossible": False}] * len(frame))


def batch(frame: Frame) -> dict[int, list[tuple[int, float]]]:
    """What docs/how/recommenders.md makes of the arrays of implicit, filled up where items lack."""
    ids, scores = (frame[name].to_numpy().reshape(USERS, K) for name in "is")
    pad = np.zeros((USERS, 2))
    ids, scores = np.hstack([ids, pad - 1]).astype(np.int32), np.hstack([scores, pad]).astype(np.float32)
    rows = zip(frame["u"].to_numpy()[::K].tolist(), ids.tolist(), scores.tolist(), strict=True)
    return {user: [pair for pair in zip(*row, strict=True) if pair[0] >= 0] for user, *row in rows}


#: By library: how it makes recommendations, and the test data; these have grades, or say that an item was taken.
FRAMES: dict[str, tuple[Callable[[Frame], Any], Callable[[Frame], Any]]] = {
    "RecTools": (
        named(u="user_id", i="item_id", s="score", r="rank"),
        named(u="user_id", i="item_id", g="weight", t="datetime"),
    ),
    "LensKit": (
        named(u="user_id", i="item_id", s="score", r="rank"),
        named(u="user_id", i="item_id", g="rating", t="timestamp"),
    ),
    "LensKit 0.14": (named(i="item", s="score", u="user", r="rank"), named(u="user", i="item", g="rating")),
    "Recommenders": (
        named(u="userID", i="itemID", s="prediction"),
        named(u="userID", i="itemID", g="rating", t="timestamp"),
    ),
    "Surprise": (predictions, named(u="uid", i="iid", g="r_ui")),
    "ALS of Spark": (
        named(u="userId", i="movieId", s="rating"),
        named(u="userId", i="movieId", g="rating", t="timestamp"),
    ),
    "reviews of Amazon": (
        named(u="user_id", i="asin", s="score"),
        named(u="reviewerID", i="asin", g="overall", t="timestamp"),
    ),
    "implicit": (batch, named(u="user", i="item", t="timestamp")),
    "events": (named(u="visitorid", i="itemid", s="score"), named(t="timestamp", u="visitorid", i="itemid", g="event")),
    "sessions": (named(u="session_id", i="item_id", r="rank"), named(u="session_id", i="item_id", t="timestamp")),
}
ASKED = ["HR@10", "MAP@10", "MRR", "NDCG@10"]


def nested(frame: Frame, value: str) -> dict[str, dict[str, float]]:
    """The plain form: {user: {item: number}}."""
    return {
        str(user): dict(zip(of["i"].astype(str), of[value].astype(float), strict=True))
        for user, of in frame.groupby("u")
    }


@pytest.mark.parametrize("library", FRAMES)
def test_from_frames_to_a_verdict(library: str) -> None:
    """The numbers are those of the plain form, whoever made the frames and in whatever order rows with scores stand."""
    lists, test = FRAMES[library]
    graded = bool({*test(TRUTH)} & {"weight", "rating", "r_ui", "overall", "event"})
    b = lists(B).sample(frac=1, random_state=1) if isinstance(lists(B), Frame) else lists(B)
    found = rd.compare(lists(A), b, test(TRUTH), measures=ASKED)
    plain = rd.compare(
        nested(A, "s"), nested(B, "s"), nested(TRUTH.assign(one=1), "g" if graded else "one"), measures=ASKED
    )
    columns = ["measure", "a", "b"]
    assert found.summary[columns].equals(plain.summary[columns])
    assert rd.decide(found).outcome is rd.Outcome.LAUNCH


@pytest.mark.parametrize("library", ["implicit", "sessions"])
def test_interactions_without_grades_are_relevant(library: str) -> None:
    """Every row counts as relevant, and a warning says so."""
    judged = rd.read_judgments(FRAMES[library][1](TRUTH))
    assert judged.table["relevance"].unique().to_pylist() == [1.0]
    assert [note.code for note in judged.source.notes if note.level == "warning"] == ["one_grade"]


def test_what_interactions_leave_open_is_asked() -> None:
    """Words of events, and a column that may be a grade."""
    events = TRUTH.assign(event=np.where(TRUTH["g"] > 3, "purchase", "view"))
    words = named(u="user", i="item", event="event")(events)
    prices = named(u="user", i="item", g="price")(TRUTH)
    for given, advice in ((words, "grade_words"), (prices, "grades_or_none")):
        with pytest.raises(ReadError) as caught:
            rd.read_judgments(given)
        assert caught.value.problems[0].allowed.code == advice
    assert rd.read_judgments(words, grades={"purchase": 2, "view": 1}).table["relevance"].unique().to_pylist() == [2, 1]
    assert rd.read_judgments(prices, columns={"relevance": ""}).table["relevance"].unique().to_pylist() == [1]


def test_stars_from_four() -> None:
    """min_grade is the axis rel of every measure that reads it, at every door, and asks no question any more."""
    (lists, test), policy = FRAMES["LensKit"], rd.Policy(convention=rd.PRESETS["standard"].with_axes({"rel": 4}))
    given = (lists(A), lists(B), test(TRUTH))
    found, said = rd.compare(*given, min_grade=4), rd.compare(*given, policy=policy)
    assert found.summary.equals(said.summary)
    assert found.policy == policy
    assert (rd.compare(*given).counts.ask, found.counts.ask) == ("threshold", None)
    assert rd.compare_many(given[0], [given[1]], given[2], min_grade=4)[0].summary.equals(found.summary)
    own = rd.evaluate(given[1], given[2], "AP", min_grade=4)
    assert own["value"].mean() == pytest.approx(found.summary["b"][1])
    assert rd.evaluate(given[1], given[2], "AP(rel=4)")["value"].tolist() == own["value"].tolist()


@pytest.mark.parametrize("form", ["frame", "dict", "pairs"])
def test_items_that_were_seen_leave_both_lists(form: str) -> None:
    """Everything is as if they had never been in the lists, and each list says how many these were."""
    lists, test = FRAMES["RecTools"]
    taken = TRUTH[TRUTH["g"] > 2]
    seen: Any = named(u="user_id", i="item_id", g="weight")(taken)
    if form == "dict":
        seen = {user: [*of["i"]] for user, of in taken.groupby("u")}
    elif form == "pairs":
        seen = [{"user": user, "item": item} for user, item in zip(taken["u"], taken["i"], strict=True)]
    left = [frame.merge(taken[["u", "i"]], how="left", indicator=True) for frame in (A, B)]
    left = [frame[frame["_merge"] == "left_only"] for frame in left]
    found = rd.compare(lists(A), lists(B), test(TRUTH), seen=seen)
    plain = rd.compare(*map(lists, left), test(TRUTH))
    assert found.per_query.equals(plain.per_query)
    assert rd.compare_many(lists(A), [lists(B)], test(TRUTH), seen=seen)[0].per_query.equals(plain.per_query)
    one = rd.evaluate(lists(A), test(TRUTH), "NDCG@10", seen=seen)
    assert one["value"].mean() == pytest.approx(plain.summary["a"][0])
    assert len({*one.attrs["notes"]} - {*rd.evaluate(lists(A), test(TRUTH), "NDCG@10").attrs["notes"]}) == 1
    for run, before, after in zip((found.a, found.b), (A, B), left, strict=True):
        (note,) = [note for note in run.source.notes if note.code == "seen"]
        assert note.level == "warning"
        assert f"{len(before) - len(after):,} of {len(before):,}" in str(note)
    with pytest.raises(ReadError):
        rd.compare(lists(A), lists(B), test(TRUTH), seen=A.rename(columns={"u": "user", "i": "item"}))


def test_the_command_line_does_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """--min-grade and --seen give the numbers of Python, for two runs, several, and one alone."""
    lists, test = FRAMES["LensKit"]
    files = {"a": lists(A), "b": lists(B), "c": lists(A), "q": test(TRUTH), "s": test(TRUTH[TRUTH["g"] == 1])}
    for name, frame in files.items():
        frame.to_csv(tmp_path / f"{name}.csv", index=False)
    a, b, c, q, s = (str(tmp_path / f"{name}.csv") for name in files)
    expected = rd.compare(a, b, q, min_grade=4, seen=s).summary
    more = ["-q", q, "--min-grade", "4", "--seen", s]
    assert main(["compare", a, b, *more, "--json", "-"]) == 0
    measures = json.loads(capsys.readouterr().out)["measures"]
    assert [measure["b"] for measure in measures] == pytest.approx(expected["b"].tolist())
    assert main(["compare", a, b, c, *more, "--json", "-"]) == 0
    assert len(json.loads(capsys.readouterr().out)["comparisons"]) == 2
    assert main(["evaluate", b, *more, "-m", "AP", "--format", "json"]) == 0
    (value,) = json.loads(capsys.readouterr().out)["runs"][0]["values"].values()
    assert value["value"] == pytest.approx(expected["b"][1])


def test_what_the_documents_show_runs(capsys: pytest.CaptureFixture[str]) -> None:
    """The Python of docs/how/recommenders.md, one block after the other, prints these numbers."""
    text = (Path(__file__).parents[2] / "docs" / "how" / "recommenders.md").read_text("utf-8")
    exec("".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL)), {})
    assert capsys.readouterr().out.splitlines() == ["0.6", "[3.0]", "[0.7344, 0.8889]"]
