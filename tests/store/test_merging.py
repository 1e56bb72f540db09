"""Two people change a comparison at once: nothing is lost, and only a document that both changed is asked about."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankdash.edits import Edit, History
from rankdash.policy import Policy
from rankdash.store import Saved, Settings, State, Store, answered, questions
from rankdash.store.merging import merged
from tests.store.promises import content

Pair = tuple[str, str]
PAIRS = [(query, doc) for query in ("q1", "q2") for doc in ("d1", "d2", "d3")]
edits = st.builds(
    lambda pair, what, side, after: Edit(*pair, what, None if what == "grade" else side, None, after),
    st.sampled_from(PAIRS),
    st.sampled_from(["grade", "grade", "rank"]),
    st.sampled_from(["a", "b"]),
    st.integers(0, 3),
)
#: What a person does: several edits at once, undo, redo, or taking back the edits of a query or of all.
deeds = st.lists(
    st.tuples(st.just("done"), st.lists(edits, min_size=1, max_size=3))
    | st.sampled_from([("undone", ()), ("redone", ()), ("reset", ("q1",)), ("reset", ())]),
    max_size=4,
)


def after(history: History, done: list[tuple[str, list[Edit]]]) -> History:
    """The history after what a person did."""
    for what, given_to in done:
        history = getattr(history, what)(*given_to)
    return history


def touches(history: History) -> dict[Pair, list[Edit]]:
    """The edits in force of each document, in order."""
    return {pair: own for pair in PAIRS if (own := [e for e in history.edits if (e.query_id, e.doc_id) == pair])}


def outcome(own: list[Edit] | None) -> dict[object, object]:
    """What becomes of a document: its grade, and its place in each list."""
    return {(edit.what == "grade", edit.side): edit.after for edit in own or ()}


@given(deeds, deeds, deeds)
def test_what_both_did_is_put_together(before: list, one: list, other: list) -> None:  # type: ignore[type-arg]
    """A document is as the one who changed it has it; asked is about what both changed, and not to the same."""
    base = after(History(), before)
    mine, theirs = after(base, one), after(base, other)
    was, own, others = touches(base), touches(mine), touches(theirs)
    found = merged(*(State("x", history=history) for history in (base, mine, theirs)))
    changed = {pair for pair in PAIRS if own.get(pair) != was.get(pair)}
    differ = {pair for pair in PAIRS if outcome(others.get(pair)) != outcome(own.get(pair))}
    asked = {pair for pair in changed & differ if others.get(pair) != was.get(pair)}
    assert {(clash.query_id, clash.doc_id) for clash in questions(found)} == asked
    for history, answer in ((found.history, own), (answered(found, questions(found), later=False), others)):
        together = touches(history)
        assert questions(replace(found, history=history)) == (questions(found) if answer is own else ())
        for pair in PAIRS:
            wanted = answer if pair in asked else own if pair in changed else others
            assert outcome(together.get(pair)) == outcome(wanted.get(pair)), pair
        assert history.position <= len(history.steps)
    if not changed:
        assert touches(found.history) == others


@given(deeds, deeds)
def test_what_one_person_did_alone_is_kept_as_it_is(before: list, one: list) -> None:  # type: ignore[type-arg]
    """Where the other did nothing to the edits, history and what can be redone are those of the one who did."""
    base = after(History(), before)
    mine = after(base, one)
    states = [State("x", history=history) for history in (base, mine, base)]
    assert touches(merged(*states).history) == touches(mine)
    assert merged(states[0], states[0], states[1]).history == mine


def test_an_undone_step_can_be_redone_after_a_merge() -> None:
    """Undo of one's own step beside another's new step: redo brings it back."""
    first, second = (Edit("q1", doc, "grade", None, None, 1.0) for doc in ("d1", "d2"))
    base = History().done(first)
    states = [State("x", history=history) for history in (base, base.undone(), base.done(second))]
    together = merged(*states).history
    assert together.edits == (second,)
    assert set(together.redone().edits) == {first, second}


def test_taking_back_a_query_keeps_what_one_could_not_know() -> None:
    """A reset of a query beside another's new grade in it: the grade stays, and nobody is asked."""
    first, second = (Edit("q1", doc, "grade", None, None, 1.0) for doc in ("d1", "d2"))
    base = History().done(first)
    found = merged(*(State("x", history=history) for history in (base, base.reset("q1"), base.done(second))))
    assert found.clashes == ()
    assert found.history.edits == (second,)


def test_names_note_and_policy_are_merged_by_field() -> None:
    """Each field is that of whoever changed it; of both, the later person's."""
    base = State("n", "a", "b", policy=Policy(n_min=30))
    theirs = replace(base, name="theirs", a="theirs", policy=Policy(n_min=40, mpe=0.01))
    mine = replace(base, name="mine", note="mine", swapped=True, policy=Policy(n_min=30, severe=0.3))
    together = merged(base, mine, theirs)
    expected = State("mine", "theirs", "b", True, Policy(n_min=40, mpe=0.01, severe=0.3), note="mine")
    assert together == expected


def test_policies_that_do_not_fit_together_are_not_mixed() -> None:
    """Where the fields of both are no policy, the later one counts whole."""
    base = State("n", policy=Policy(primary="nDCG@10", guardrails=(("RR", 0.01),), watch=()))
    theirs = replace(base, policy=Policy(primary="AP", guardrails=(("RR", 0.01),), watch=()))
    mine = replace(base, policy=Policy(primary="nDCG@10", guardrails=(("RR", 0.01), ("AP", 0.02)), watch=()))
    assert merged(base, mine, theirs).policy == mine.policy


@pytest.mark.parametrize("seed", range(3))
def test_random_interleavings_end_as_the_model_says(seed: int, tmp_path: Path) -> None:
    """Three people edit, undo and rename at once, and answer what they are asked: each revision is the one before it
    with exactly what its author changed; none is skipped.
    """
    store = Store.open(Settings(tmp_path / "home"))
    first = store.create(content(), State("x"))

    def person(who: int) -> list[tuple[Saved, set[Pair]]]:
        rng, mine, done = random.Random(seed * 10 + who), first, []
        for _ in range(12):
            history = mine.state.history
            edit = Edit(*rng.choice(PAIRS), "grade", None, None, float(rng.randrange(4)))
            wanted = history.undone() if rng.random() < 0.2 else history.done(edit)
            changed = {pair for pair in PAIRS if touches(wanted).get(pair) != touches(history).get(pair)}
            mine = store.save(mine, replace(mine.state, history=wanted), what="edited")
            done.append((mine, changed))
            if asked := {(clash.query_id, clash.doc_id) for clash in questions(mine.state)}:
                history = answered(mine.state, questions(mine.state), later=rng.random() < 0.5)
                mine = store.save(mine, replace(mine.state, history=history, clashes=()), what="answered")
                done.append((mine, asked))
        return done

    with ThreadPoolExecutor(3) as several:
        done = [one for own in several.map(person, range(3)) for one in own]
    acknowledged = sorted(done, key=lambda one: one[0].number)
    states = {1: first.state} | {saved.number: saved.state for saved, _ in acknowledged}
    authors: dict[int, set[Pair]] = {}
    for saved, changed in acknowledged:
        authors.setdefault(saved.number, set()).update(changed)
    assert sorted(states) == list(range(1, max(states) + 1))
    for before, number in pairwise(sorted(states)):
        old, new = touches(states[before].history), touches(states[number].history)
        differ = {pair for pair in PAIRS if outcome(old.get(pair)) != outcome(new.get(pair))}
        assert differ <= authors[number]
    assert store.load(first.id).state == states[max(states)]
