"""What every store promises, wherever its database and its files lie; each promise is a function of an empty store."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace

import pytest
import sqlalchemy as sa

import rankdash as rd
from rankdash.case import Case
from rankdash.edits import Edit
from rankdash.scoring import Comparison, VotesAlone
from rankdash.store import ConflictError, Saved, State, Store, StoreError, comparison_of, new_id
from rankdash.store.database import LOOK

GRADE = Edit("q1", "d1", "grade", None, 1.0, 2.0)


def content() -> Case:
    """Two small runs and their judgments."""
    a = rd.read_run(b"q2 Q0 d1 1 2.5 m\nq2 Q0 d2 2 1.5 m\nq1 Q0 d1 1 9 m\n", name="old")
    return Case((a, rd.read_run({"q1": {"d2": 2.0, "d1": 1.0}}, name="new")), rd.read_judgments(b"q1 0 d1 1\n"))


def reopened(store: Store, saved: Saved) -> Saved:
    """The comparison as a new process reads it: the tables of this one are forgotten."""
    return Store(store.database, store.files).load(saved.id)


def files_of(store: Store) -> int:
    """How many files a store has."""
    return len(list(store.files.listed()))


def what_is_saved_is_opened(store: Store) -> None:
    """A comparison comes back with its tables, names, policy and edits."""
    state = State("B for A", "old", "new", True, rd.Policy(primary="AP"), (GRADE,))
    saved = store.create(content(), state, by="Kim")
    found = reopened(store, saved)
    assert found == replace(saved, content=found.content)
    assert found.content.a is not saved.content.a
    assert found.content == saved.content


def a_newer_head_shares_the_tables_that_did_not_change(store: Store) -> None:
    """`since` gives the same object where nothing is newer, and the same tables where only the state is."""
    saved = store.create(content(), State("x"))
    assert store.since(saved) is saved
    newer = store.save(saved, State("y"))
    found = store.since(saved)
    assert (found.number, found.state) == (newer.number, State("y")) == (2, State("y"))
    assert found.content.a is saved.content.a
    assert store.head(saved.id) == 2


def grades_of_different_documents_go_together_and_nothing_else(store: Store) -> None:
    """Of two changes at once, grades of different documents are both saved; whatever else meets is refused with what is
    saved, by whom, and left to be saved as a copy.
    """
    other, later = replace(GRADE, doc_id="d2", before=None), replace(GRADE, after=0.0)
    moved = Edit("q1", "d2", "rank", "b", 1, 2)
    saved = store.create(content(), State("x", edits=(later,)))
    for mine, theirs, both in (
        ((later, other), (later, GRADE), (later, GRADE, other)),
        ((), (later, other), (other,)),
        ((later, GRADE), (later, GRADE), (later, GRADE)),
        ((later, GRADE), (), None),
        ((later, other), (later, moved), None),
        ((later, moved), (later, other), None),
    ):
        newest = store.save(saved, replace(saved.state, edits=theirs), by="Kim")
        state = replace(saved.state, edits=mine)
        if both is None:
            with pytest.raises(ConflictError, match="Kim") as refused:
                store.save(saved, state)
            assert refused.value.theirs.number == newest.number == store.head(saved.id)
        else:
            assert store.save(saved, state).state.edits == both
        saved = store.save(store.load(saved.id), saved.state)
    store.save(saved, replace(saved.state, name="y"))
    for call in (
        lambda: store.save(saved, replace(saved.state, edits=())),
        lambda: store.save(saved, replace(saved.state, name="mine")),
        lambda: store.replace(saved, saved.content.with_tables(b=saved.content.a), saved.state),
    ):
        with pytest.raises(ConflictError, match="another browser"):
            call()


def deleting_erases_what_nothing_else_uses(store: Store) -> None:
    """A deleted comparison can be brought back until it is swept; files go with the last comparison that uses them."""
    saved = store.create(content(), State("x"))
    copy = store.duplicate(saved.id, name="y")
    assert (store.load(copy).lineage, store.load(copy).state.name) == (saved.id, "y")
    store.delete(saved.id)
    with pytest.raises(StoreError, match="was deleted"):
        store.load(saved.id)
    store.undelete(saved.id)
    store.delete(saved.id)
    assert store.expire() == 0
    assert store.expire(timedelta(0)) == 1
    assert reopened(store, store.load(copy)).content == saved.content
    store.delete(copy)
    store.expire(timedelta(0))
    assert files_of(store) == 0
    assert store.clean() == (0, 0)


def a_group_is_what_was_made_under_its_id_and_is_not_deleted(store: Store) -> None:
    """Members are in the order in which they were made, also one with another name and its date; a copy is none."""
    group, alone = new_id(), store.create(content(), State("alone"))
    first, second, third = (store.create(content(), State(name), group=group) for name in "cab")
    store.create(content(), State("other"), group=new_id())
    store.duplicate(second.id)
    before, second = store.listed().rows, store.save(second, State("renamed"))
    assert [(row.id, row.changed) for row in store.listed().rows] == [(row.id, row.changed) for row in before]
    assert (store.group(alone), alone.group, store.load(alone.id).group) == ((alone,), "", "")
    for member in (first, second, reopened(store, third)):
        assert store.group(member) == (first, second, third)
    store.delete(second.id)
    assert store.group(first) == (first, third)
    store.undelete(second.id)
    assert store.group(third) == (first, second, third)


def verdicts_saved_together_are_at_the_level_of_all(store: Store) -> None:
    """Each of several candidates that are saved at once counts all of them, and those that were seen before, which have
    no outcome until their verdict is seen anew; on other judgments it is one alone. Where one cannot be saved, none is.
    """

    def made(text: str, **scores: float) -> tuple[Case, State, Comparison | VotesAlone]:
        case, state = content().with_tables(b=rd.read_run({"q1": scores}, name=text)), State("", "old", text)
        return case, state, comparison_of(case, state)

    (before,) = store.create_seen(made("before", d1=1.0, d4=0.5))
    together = store.create_seen(made("x", d2=1.0, d1=0.5), made("y", d1=2.0, d3=1.0), group=new_id())
    assert [one.state.b for one in store.group(together[0])] == ["x", "y"]
    counted = [store.results(one.id)[0].json["candidates"] for one in together]
    assert counted == [store.candidates(one) for one in together] == [3, 3]
    assert {row.b: row.outcome is None for row in store.listed().rows} == {"before": True, "x": False, "y": False}
    expected = rd.decide(comparison_of(before.content, before.state), candidates=3)
    anew = {row.b: (row.outcome, row.tag) for row in map(store.with_verdict, store.listed().rows)}
    assert anew["before"] == (expected.outcome.value, expected.tag)
    assert {row.b: (row.outcome, row.tag) for row in store.listed().rows} == anew
    assert all(row.candidates == 3 for row in store.listed().rows)
    turned = store.save(before, replace(before.state, swapped=True))
    store.seen(turned, anew := comparison_of(turned.content, turned.state), rd.decide(anew))
    assert {row.b: row.outcome is None for row in store.listed().rows} == {"old": True, "x": False, "y": False}
    (stale,) = (row for row in store.listed().rows if row.outcome is None)
    assert store.with_verdict(replace(stale, id="gone")) == replace(stale, id="gone")
    regraded = replace(together[0].content, judgments=rd.read_judgments(b"q1 0 d1 2\n"))
    alone = store.replace(together[0], regraded, together[0].state)
    assert all(row.outcome for row in map(store.with_verdict, store.listed().rows))
    assert (store.results(alone.id)[0].json["candidates"], store.candidates(alone)) == (2, 1)
    store.seen(alone, anew := comparison_of(alone.content, alone.state), rd.decide(anew))
    assert [(row.outcome is None, row.candidates) for row in store.listed().rows if row.b == "x"] == [(False, 1)]
    with pytest.raises(StoreError):
        store.create_seen(made("p", d1=3.0), (*made("q", d1=4.0)[:2], SimpleNamespace()))
    assert store.listed().total == 3


def one_ranking_is_one_candidate_however_it_is_read(store: Store) -> None:
    """The same lists with titles, without scores, with other scores in the same order, or with rows that are there
    twice are no further candidate, and A in another reading is the same A, also in a store that does not know yet how
    the lists are ranked; another order is a further candidate.
    """
    rows = [{"query_id": "q1", "doc_id": f"d{at}", "rank": at, "score": 9.0 - at} for at in (1, 2, 3)]
    titled = [{**row, "title": "t"} for row in rows]
    unscored = [{name: row[name] for name in ("query_id", "doc_id", "rank")} for row in rows]
    read = [rows, titled, unscored, [{**row, "score": row["score"] / 2} for row in rows], rows + rows[1:]]
    for n, one in enumerate([*read, [{**row, "rank": 4 - row["rank"], "score": row["rank"]} for row in rows]]):
        case, state = content().with_tables(b=rd.read_run(one, name=f"b{n}")), State("", "old", f"b{n}")
        case = case.with_tables(a=rd.read_run(case.a.table, name="old", order="position")) if n % 2 else case
        (saved,) = store.create_seen((case, state, comparison_of(case, state)))
        assert store.candidates(saved) == 1 + (n == len(read))
    with store.database.writing() as connection:
        connection.execute(sa.delete(LOOK).where(LOOK.c.a.is_(None)))
    assert {row.candidates for row in store.listed().rows} == {(len(read) + 1) // 2}  # with each reading of A
    for row in store.listed().rows:
        again = store.load(row.id)
        store.seen(again, anew := comparison_of(again.content, again.state), rd.decide(anew))
    assert {row.candidates for row in store.listed().rows} == {2}


def nothing_is_lost_among_several_writers(store: Store) -> None:
    """Four people edit documents of their own at once: every edit is in force in the end, each exactly once."""
    saved = store.create(content(), State("x"))
    everybody = [[Edit("q1", f"{who}-{i}", "grade", None, None, 1.0) for i in range(6)] for who in range(4)]

    def write(edits: list[Edit]) -> None:
        mine = saved
        for edit in edits:
            mine = store.save(mine, replace(mine.state, edits=(*mine.state.edits, edit)))

    with ThreadPoolExecutor(4) as several:
        list(several.map(write, everybody))
    found = reopened(store, saved)
    assert sorted(edit.doc_id for edit in found.state.edits) == sorted(e.doc_id for one in everybody for e in one)
    assert found.number == 25


PROMISES = (
    what_is_saved_is_opened,
    a_newer_head_shares_the_tables_that_did_not_change,
    grades_of_different_documents_go_together_and_nothing_else,
    deleting_erases_what_nothing_else_uses,
    a_group_is_what_was_made_under_its_id_and_is_not_deleted,
    verdicts_saved_together_are_at_the_level_of_all,
    one_ranking_is_one_candidate_however_it_is_read,
    nothing_is_lost_among_several_writers,
)
