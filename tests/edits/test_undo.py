"""Undo and redo where several people edit one comparison: each takes back what he did himself."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from rankdash.edits import Edit, EditStep, Held, History, redoing, undoing
from rankdash.edits.documents import by_document, pair_of

ME, OTHER, THIRD = "me", "other", "third"
D1, D2 = (Edit("q1", doc, "grade", None, 0, 3) for doc in ("d1", "d2"))


def history(*steps: tuple[str, tuple[Edit, ...]]) -> History:
    """Steps in order, each by somebody, a second apart."""
    made = tuple(EditStep(edits, by=by, at=f"2026-01-01T00:00:0{n}") for n, (by, edits) in enumerate(steps))
    return History(made, len(made))


def test_undo_takes_back_the_last_step_of_ones_own() -> None:
    """What somebody else did later stays, and redo brings one's own back; neither has anything to ask."""
    both = history((ME, (D1,)), (OTHER, (D2,)))
    turn = undoing(both, ME)
    assert turn is not None
    assert not turn.needs_consent
    assert turn.history.edits == (D2,)
    again = redoing(turn.history, ME)
    assert again is not None
    assert not again.needs_consent
    assert set(again.history.edits) == {D1, D2}
    theirs = undoing(both, OTHER)
    assert theirs is not None
    assert theirs.history.edits == (D1,)


def test_a_document_that_somebody_else_changed_since_is_asked_about() -> None:
    """By itself undo leaves theirs as they are; with theirs the document is as before one's own edit, and the rest of
    what they did stays.
    """
    theirs = replace(D1, before=3, after=1)
    turn = undoing(history((ME, (replace(D1, after=2),)), (ME, (D1,)), (OTHER, (theirs, D2))), ME)
    assert turn is not None
    assert turn.needs_consent
    assert turn.documents == (("q1", "d1"),)
    assert [step.by for step in turn.since] == [OTHER]
    assert by_document(turn.history.edits)["q1", "d1"][-1] == theirs
    assert by_document(turn.with_theirs.edits)["q1", "d1"][-1].after == 2
    assert D2 in turn.with_theirs.edits
    assert turn.with_theirs.steps[turn.with_theirs.position - 1].by == ME


def test_who_took_all_edits_of_a_query_back_changed_its_documents() -> None:
    """A reset by somebody else after one's own edit is told as what it is."""
    steps = history((ME, (D1,))).steps
    reset = EditStep(reset=("q1",), by=OTHER, at="2026-01-02")
    turn = undoing(History((*steps, reset), 2), ME)
    assert turn is not None
    assert turn.since == (reset,)
    assert turn.with_theirs.edits == ()


def test_without_an_edit_of_ones_own_the_last_one_is_asked_about() -> None:
    """Nobody takes back what somebody else did without being told; what nobody signed is everybody's."""
    turn = undoing(history((OTHER, (D1,)), (THIRD, (D2,))), ME)
    assert turn is not None
    assert turn.needs_consent
    assert (turn.is_own, turn.step.by, turn.history.edits) == (False, THIRD, (D1,))
    unsigned = undoing(history(("", (D1,)), (OTHER, (D2,))), ME)
    assert unsigned is not None
    assert not unsigned.needs_consent
    assert unsigned.history.edits == (D2,)
    assert undoing(History(), ME) is None
    assert redoing(history((ME, (D1,))), ME) is None


def test_redo_asks_where_somebody_else_changed_the_document_meanwhile() -> None:
    """One's own edit, made again, would stand over theirs."""
    turn = undoing(history((ME, (D1,))), ME)
    assert turn is not None
    later = EditStep((replace(D1, after=1),), by=OTHER, at="2026-01-02")
    undone = turn.history
    found = redoing(History((later, *undone.steps), 1), ME)
    assert found is not None
    assert found.needs_consent
    assert found.since == (later,)
    assert by_document(found.history.edits)["q1", "d1"][-1] == D1


def test_what_was_said_of_votes_is_taken_back_without_a_question() -> None:
    """Nobody else's edit is at stake."""
    held = EditStep(held=(Held("q1", "x", "y"),), by=ME, at="2026-01-01")
    turn = undoing(History((held, *history((OTHER, (D1,))).steps), 2), ME)
    assert turn is not None
    assert not turn.needs_consent
    assert turn.history.held == ()
    assert turn.documents == ()


steps = st.lists(
    st.builds(
        lambda who, doc, after, reset: (who, () if reset else (Edit("q1", doc, "grade", None, None, after),), reset),
        st.sampled_from([ME, OTHER]),
        st.sampled_from(["d1", "d2", "d3"]),
        st.integers(0, 3),
        st.sampled_from([(), (), (), ("q1",)]),
    ),
    max_size=7,
)


@given(steps)
def test_undo_of_all_of_ones_own_leaves_what_the_others_did(made: list) -> None:  # type: ignore[type-arg]
    """However steps stand in each other's way: after one's own are taken back one by one, those of the others are
    left in their order, and redo brings each back.
    """
    all_ = tuple(EditStep(edits, reset, by=who, at=f"{n}") for n, (who, edits, reset) in enumerate(made))
    now = History(all_, len(all_))
    own = [step for step in all_ if step.by == ME]
    for _ in own:
        turn = undoing(now, ME)
        assert turn is not None
        assert turn.is_own
        changed = {pair_of(edit) for step in turn.since for edit in step.edits}
        assert changed <= {pair_of(edit) for edit in now.edits} | {pair_of(e) for s in now.steps for e in s.edits}
        now = turn.history
    assert now.steps[: now.position] == tuple(step for step in all_ if step.by == OTHER)
    for _ in own:
        again = redoing(now, ME)
        assert again is not None
        now = again.history
    assert [step for step in now.steps if step.by == ME] == own
    assert now.position == len(now.steps)
