"""What is saved from Python is what is opened: the same verdict, with edits, either way around, votes alone too."""

import random
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa

import rankdash as rd
from rankdash.case import Case
from rankdash.edits import Edit, apply, labels_from
from rankdash.store import Settings, State, Store, StoreError, comparison_of
from rankdash.store.database import LOOK
from tests.long import every
from tests.made import judgments, run

pytestmark = pytest.mark.usefixtures("home")


def store() -> Store:
    """The store of that folder."""
    return Store.open(Settings.from_environment())


def tables(seed: int) -> tuple[rd.Run, rd.Run, rd.Judgments]:
    """Two random runs of 40 queries, with tied scores, and judgments of most of their documents."""
    chance = random.Random(seed)
    docs = [f"d{i}" for i in range(8)]
    runs = [
        run({f"q{q}": {doc: float(chance.randrange(6)) for doc in chance.sample(docs, 6)} for q in range(40)}, name)
        for name in ("old", "new")
    ]
    grades = {f"q{q}": {doc: float(chance.randrange(3)) for doc in chance.sample(docs, 6)} for q in range(40)}
    return runs[0], runs[1], judgments(grades)


def told(comparison: rd.Comparison | rd.VotesAlone) -> dict[str, Any]:
    """Everything that a release job is told of a comparison."""
    return comparison.to_dict()


@pytest.mark.parametrize("seed", range(3))
def test_a_loaded_comparison_is_the_saved_one(seed: int) -> None:
    """rd.load gives the comparison of rd.save: every number, name and note of its JSON, verdict included."""
    a, b, grades = tables(seed)
    queries = [{"query_id": f"q{q}", "weight": 1.0 + q % 3, "kind": "ab"[q % 2]} for q in range(40)]
    votes = [{"query_id": f"q{q}", "vote": "good" if q % 3 else "bad", "left": "A"} for q in range(40)]
    policy = rd.Policy(primary="AP", convention="trec_eval-9", mpe=0.01)
    comparison = rd.compare(a, b, grades, policy=policy, queries=queries, votes=votes)
    loaded = rd.load(rd.save(comparison))
    assert told(loaded) == told(comparison)
    assert rd.decide(loaded) == rd.decide(comparison)


def test_a_candidate_is_loaded_as_one_of_all_that_were_compared() -> None:
    """Of candidates that are saved, each has the verdict of compare_many when it is loaded: at the level of all."""
    (a, b, grades), (_, c, _) = tables(0), tables(1)
    found = rd.compare_many(a, {"b": b, "c": c}, grades)
    with pytest.raises(StoreError):  # the verdict on one alone would be another
        rd.save(found[0])
    first = store().load(rd.save(found))
    for saved, verdict in zip(store().group(first), found.verdicts, strict=True):
        assert (verdict.candidates, rd.decide(rd.load(saved.id))) == (2, verdict)


def test_grades_beside_the_documents_stay_beside_them() -> None:
    """A comparison of runs with their own grades is saved without judgments, and has the same verdict."""
    rows = [
        {"query_id": f"q{q}", "doc_id": f"d{d}", "rank": d, "relevance": (q * d) % 3} for q in range(9) for d in (1, 2)
    ]
    a, b = rd.read_run(rows, name="a"), rd.read_run([row | {"rank": 3 - row["rank"]} for row in rows], name="b")
    comparison = rd.compare(a, b)
    id = rd.save(comparison)
    assert store().load(id).content.judgments is None
    loaded = rd.load(id)
    assert told(loaded) == told(comparison)


def test_votes_alone_are_saved_and_loaded() -> None:
    """Votes without lists come back as votes, with their verdict."""
    votes = rd.compare_votes([{"query_id": f"q{q}", "vote": "good" if q % 3 else "bad"} for q in range(60)])
    loaded = rd.load(rd.save(votes, name="Votes of May"))
    assert told(loaded) == told(votes)
    (row,) = store().listed().rows
    assert (row.name, row.measure, row.delta) == ("Votes of May", "ΔGSB", votes.votes.gsb.delta)


@pytest.mark.parametrize("swapped", [False, True])
def test_edits_are_part_of_what_is_loaded(swapped: bool) -> None:
    """A comparison with edits loads as the edited tables compare, A and B exchanged or not."""
    a, b, grades = tables(7)
    edits = [Edit("q1", "d1", "grade", None, None, 2.0), Edit("q2", "d99", "add", "b", None, 1.0)]
    policy = rd.Policy(mpe=0.001)
    saved = store().create(Case((a, b), grades), State("x", "old", "new", swapped, policy, tuple(edits)))
    edited = apply(edits, a, b, grades)
    runs = (edited.b, edited.a) if swapped else (edited.a, edited.b)
    loaded = rd.load(saved.id)
    assert told(loaded) == told(rd.compare(*runs, edited.judgments, policy=policy))


@pytest.mark.parametrize(
    "name", every(3, ["\0null", "half \ud800", "=1+1", "\u202eevil\u202c", "\x1b[31m", "n" * 100_000, " \n "])
)
def test_names_of_any_kind_are_saved_and_loaded(name: str) -> None:
    """A comparison and models with hostile names come back under them; the list has them without what breaks it."""
    a, b, grades = tables(1)
    comparison = rd.compare(replace(a, name=name), b, grades)
    loaded = rd.load(rd.save(comparison, name=name))
    assert (loaded.a.name, rd.decide(loaded).sentence) == (name, rd.decide(comparison).sentence)
    (row,) = store().listed().rows
    assert "\0" not in row.name
    assert row.delta == comparison.primary.paired.delta


def test_an_unknown_id_and_a_store_that_is_off_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """StoreError says that there is no such comparison, and that nothing is saved where the store is off."""
    for id in ("0" * 32, "", "x' OR 1=1", "../../etc", "\0"):
        with pytest.raises(StoreError, match="There is no saved comparison"):
            rd.load(id)
    monkeypatch.setenv("RANKDASH_STORE", "off")
    with pytest.raises(StoreError, match="RANKDASH_STORE is off"):
        rd.load("0" * 32)
    with pytest.raises(TypeError, match="not a str"):
        rd.save("x")  # type: ignore[arg-type]
    monkeypatch.setenv("RANKDASH_STORE", "perhaps")
    with pytest.raises(StoreError, match="'perhaps'"):
        rd.save(rd.compare(*tables(1)))


def test_looks_are_counted_where_a_verdict_is_saved() -> None:
    """Further judgments of the same pair are further looks, which the verdict on record counts; the same are none, and
    what cannot be compared, or may be reversed, is no candidate.
    """
    a, b, grades = tables(1)
    first = rd.save(rd.compare(a, b, grades))
    again = rd.save(rd.compare(a, b, grades, policy=rd.Policy(mpe=0.02)))
    turned = rd.save(rd.compare(b, a, grades))
    more = rd.save(rd.compare(a, b, tables(2)[2]))
    assert [store().results(id)[0].looks for id in (first, again, turned, more)] == [1, 1, 1, 2]
    assert store().results(more)[0].json["looks"] == 2
    assert store().looks(store().load(first)) == 2
    wrong = rd.save(rd.compare(a, run({f"q{q}": {"x": 1.0} for q in range(40)}, "wrong"), grades))
    assert looked(store(), store().load(wrong)) == 1
    assert (store().results(wrong)[0].outcome, store().candidates(store().load(first))) == ("NOT_COMPARABLE", 1)
    cut = run({f"q{q}": {"d1": 0.5, "d2": 1.5} for q in range(20)}, "cut")
    wrong = rd.save(rd.compare(a, cut, grades))
    assert store().results(wrong)[0].json["rule"] == "C4"
    rising = "".join(f"q{q} Q0 d{at} {at + 1} {at} tag\n" for q in range(40) for at in range(8)).encode()
    rd.save(rd.compare(a, rd.read_run(rising), grades))
    assert store().candidates(store().load(first)) == 1
    # What depends on documents without a grade was seen with its numbers.
    graded = judgments({f"q{q}": {"x": 2.0, "y": 1.0, "z": 0.0} for q in range(40)})
    ahead = run({f"q{q}": {"y": 9.5, "x": 8.5, "z": 7.5} for q in range(40)}, "ahead")
    holes = run({f"q{q}": {"u": 9.5, "v": 8.5 * (q % 2), "x": 7.5, "y": 6.5} for q in range(40)}, "holes")
    open_ = rd.save(rd.compare(ahead, holes, graded))
    better = rd.save(rd.compare(ahead, run({f"q{q}": {"x": 9.5} for q in range(40)}, "better"), graded))
    assert store().results(open_)[0].json["rule"] == "C5"
    assert store().candidates(store().load(better)) == 2


def test_a_wrong_file_among_several_is_no_candidate_of_what_comes_next() -> None:
    """It counts in the level of those that are open together, the same in Python and saved, and not after them."""
    a, b, grades = tables(1)
    wrong, good = (run({f"q{q}": {doc: 1.0} for q in range(40)}, doc) for doc in ("wrong", "d2"))
    several = rd.compare_many(a, [b, wrong], grades)
    id = rd.save(several)
    assert [several.verdict.candidates, store().results(id)[0].json["candidates"], rd.load(id).candidates] == [2, 2, 2]
    assert store().results(rd.save(rd.compare(a, good, grades)))[0].json["candidates"] == 2


def test_a_look_stays_when_its_comparison_is_erased() -> None:
    """Deleting what was looked at does not make the next look the first one; no name stays behind."""
    a, b, grades = tables(1)
    keep, id = store(), rd.save(rd.compare(a, b, grades))
    keep.delete(id)
    assert keep.expire(timedelta(0)) == 1
    again = rd.save(rd.compare(a, b, tables(2)[2]))
    assert keep.results(again)[0].looks == 2
    with keep.database.reading() as connection:
        rows = connection.execute(sa.select(LOOK)).all()
    assert not [row for row in rows if "old" in row or "new" in row]


def test_votes_seen_from_the_other_side_are_the_same_state() -> None:
    """B against A with the votes turned around is no further look; other votes are one."""
    a, b, grades = tables(1)
    votes = [{"query_id": f"q{q}", "vote": "good" if q % 3 else "bad", "left": "AB"[q % 2]} for q in range(40)]
    turned = [
        {"query_id": row["query_id"], "vote": "bad" if row["vote"] == "good" else "good", "left": "BA"[q % 2]}
        for q, row in enumerate(votes)
    ]
    ids = [rd.save(rd.compare(*runs, grades, votes=said)) for runs, said in (((a, b), votes), ((b, a), turned))]
    ids.append(rd.save(rd.compare(b, a, grades, votes=votes)))
    assert [store().results(id)[0].looks for id in ids] == [1, 1, 2]


def looked(keep: Store, saved: Any) -> int:
    """How often the data of a comparison were looked at, once its verdict is shown."""
    comparison = comparison_of(saved.content, saved.state)
    keep.seen(saved, comparison, rd.decide(comparison))
    return keep.looks(saved)


def test_edits_are_no_look_and_a_file_of_labels_is_one() -> None:
    """Edits, undo, names and the policy count nothing; imported labels count once, also in a duplicate."""
    keep, (a, b, grades) = store(), tables(3)
    saved = keep.create(Case((a, b), grades), State("x", "old", "new"))
    assert (looked(keep, saved), looked(keep, saved)) == (1, 1)
    labels = labels_from(judgments({"q1": {"d1": 2.0}, "q2": {"d1": 1.0}}), rd.compare(a, b, grades))
    assert labels
    states = [
        ("edited", replace(saved.state, edits=(Edit("q1", "d2", "grade", None, None, 1.0),))),
        ("renamed", replace(saved.state, name="y", a="older")),
        ("policy", replace(saved.state, policy=rd.Policy(mpe=0.1))),
    ]
    for what, state in states:
        saved = keep.save(saved, state)
        assert looked(keep, saved) == 1, what
    saved = keep.save(saved, replace(saved.state, edits=labels))
    assert keep.looks(saved) == 2
    assert looked(keep, saved) == 2
    copy = keep.load(keep.duplicate(saved.id))
    assert looked(keep, copy) == 2
    some = keep.save(saved, replace(saved.state, edits=(*labels[:1], Edit("q1", "d9", "grade", None, None, 1.0))))
    assert looked(keep, some) == 2
    undone = keep.save(some, replace(saved.state, edits=()))
    other = judgments({"q1": {"d1": 0.0, "d2": 5.0}})
    again = keep.save(undone, replace(saved.state, edits=labels_from(other, rd.compare(a, b, grades))))
    assert (looked(keep, undone), looked(keep, again)) == (2, 3)
