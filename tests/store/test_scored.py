"""What is kept of a large comparison so that it is opened quickly is never seen: only that it is quick."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest

import rankdash as rd
from rankdash.case import Case
from rankdash.edits import Edit, History
from rankdash.store import Saved, Settings, State, Store, comparison_of, scored
from tests.long import every
from tests.store.promises import content
from tests.truth.small import small_world, some_policy
from tests.truth.test_per_query import numbers

WORLDS = 5


@pytest.fixture(autouse=True)
def _also_small_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    """Values are kept of comparisons of any size."""
    monkeypatch.setattr(scored, "ROWS", 0)


def a_saved_world(store: Store, seed: int) -> Saved:
    """A random comparison under a random policy, with edits, some undone, and A and B exchanged or not."""
    rng, chance = np.random.default_rng(seed), random.Random(seed)
    world = small_world(rng, queries=6)
    case = Case((world.run("a"), world.run("b")), world.judgments(), world.queries())
    history = History()
    for _ in range(chance.randrange(4)):
        query, doc = f"q{chance.randrange(6)}", f"d{chance.randrange(7)}"
        grade = float(chance.randrange(4))
        history = history.done(Edit(query, doc, "grade", None, world.grades.get((query, doc)), grade))
    history = history.undone() if history.steps and chance.random() < 0.3 else history
    swapped = chance.random() < 0.5
    return store.create(case, State("x", "A", "B", swapped, some_policy(rng, segments=("kind",)), history))


def opened(store: Store, saved: Saved) -> rd.Comparison:
    """The comparison as another process opens it."""
    other = Store(store.database, store.files)
    found = other.comparison(other.load(saved.id))
    assert isinstance(found, rd.Comparison)
    return found


def computed(saved: Saved) -> rd.Comparison:
    """The comparison without anything that was kept."""
    found = comparison_of(saved.content, saved.state)
    assert isinstance(found, rd.Comparison)
    return found


def keep(store: Store, saved: Saved) -> rd.Comparison:
    """Shows the verdict of a comparison, and keeps what it read."""
    found = computed(saved)
    rd.decide(found)
    store.keep_scored(saved, found.scored)
    return found


def lists_in_order(comparison: rd.Comparison) -> int:
    """How many times a run was put in order."""
    return sum(len(one._made) for one in comparison.joined.by_side.values())


def test_what_is_opened_from_kept_values_is_what_is_computed(tmp_path: Path) -> None:
    """Random worlds, policies, edits, either way around: no list is put in order for the verdict, and every number,
    sentence and line of JSON is the same to the last bit.
    """
    store = Store.open(Settings(tmp_path))
    for seed in range(WORLDS):
        saved = a_saved_world(store, seed)
        keep(store, saved)
        found, anew = opened(store, saved), computed(saved)
        assert rd.decide(found) == rd.decide(anew), seed
        assert lists_in_order(found) == 0, seed
        assert found.to_dict() == anew.to_dict(), seed
        assert numbers(found) == numbers(anew), seed
        assert found.decomposition is None or found.decomposition.parts.tobytes() == anew.decomposition.parts.tobytes()


CHANGES: dict[str, Callable[[State], State]] = {
    "an edit": lambda state: replace(state, history=state.history.done(Edit("q1", "d1", "grade", None, None, 3.0))),
    "A and B exchanged": lambda state: replace(state, swapped=not state.swapped),
    "another measure": lambda state: replace(state, policy=rd.Policy(primary="P@1")),
    "another convention": lambda state: replace(state, policy=rd.Policy(convention="trec_eval-9")),
}


@pytest.mark.parametrize("change", every(2, CHANGES.values()), ids=CHANGES)
def test_kept_values_of_anything_else_are_not_shown(change: Callable[[State], State], tmp_path: Path) -> None:
    """After a change of what they were made of they are not found, and what is opened is computed."""
    store = Store.open(Settings(tmp_path))
    for seed in range(2):
        saved = a_saved_world(store, seed)
        keep(store, saved)
        changed = store.save(saved, change(saved.state), what="x")
        assert isinstance(changed, Saved)
        assert store.scored(changed) is None
        assert numbers(opened(store, changed)) == numbers(computed(changed))
        before = store.save(changed, saved.state, what="x")
        assert isinstance(before, Saved)
        assert store.scored(before) is not None


def test_kept_values_do_not_outlive_the_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another version of rankdash, or of what it computes with, computes them again."""
    store = Store.open(Settings(tmp_path))
    saved = a_saved_world(store, 1)
    keep(store, saved)
    assert store.scored(saved) is not None
    monkeypatch.setattr(scored, "version", lambda name: f"{name} of tomorrow")
    scored._program.cache_clear()
    try:
        assert store.scored(saved) is None
    finally:
        scored._program.cache_clear()


def test_other_names_need_no_other_values(tmp_path: Path) -> None:
    """Names and notes are no part of what values are made of; another note of a source that was read is."""
    store = Store.open(Settings(tmp_path))
    saved = a_saved_world(store, 2)
    keep(store, saved)
    renamed = store.save(saved, replace(saved.state, name="y", a="old", b="new", note="seen"), what="renamed")
    assert isinstance(renamed, Saved)
    found = opened(store, renamed)
    assert (store.scored(renamed) is None, lists_in_order(found)) == (False, 0)
    assert {found.a.name, found.b.name} == {"old", "new"}


@pytest.mark.parametrize("spoil", ["missing", "cut", "another table"])
def test_a_broken_file_of_kept_values_is_no_loss(spoil: str, tmp_path: Path) -> None:
    """What was kept and cannot be read is computed: the comparison opens as if nothing had been kept."""
    store = Store.open(Settings(tmp_path))
    saved = a_saved_world(store, 4)
    keep(store, saved)
    inputs = {one.blob for one in saved.inputs}
    (blob,) = [one.sha256 for one in store.files.listed() if one.sha256 not in inputs]
    path = Path(store.files.path(blob))
    if spoil == "missing":
        path.unlink()
    else:
        path.write_bytes(path.read_bytes()[:-9] if spoil == "cut" else Path(store.files.path(min(inputs))).read_bytes())
    assert store.scored(saved) is None
    assert numbers(opened(store, saved)) == numbers(computed(saved))
    keep(store, saved)
    assert store.scored(saved) is not None


def test_one_table_is_kept_per_comparison(tmp_path: Path) -> None:
    """The values of an older state go when newer ones come, all go with the comparison, and duplicates share them."""
    store = Store.open(Settings(tmp_path))
    saved = store.create(content(), State("x"))
    files = len(list(store.files.listed()))
    for grade in range(3):
        keep(store, saved)
        assert len(list(store.files.listed())) == files + 1
        edit = Edit("q1", "d1", "grade", None, None, float(grade))
        done = store.save(saved, replace(saved.state, history=saved.state.history.done(edit)), what="edited")
        assert isinstance(done, Saved)
        saved = done
    keep(store, saved)
    copy = store.load(store.duplicate(saved.id))
    assert store.scored(copy) is not None
    keep(store, copy)
    store.delete(saved.id)
    store.expire(timedelta(0))
    assert store.scored(copy) is not None
    assert len(list(store.files.listed())) == files + 1
    store.delete(copy.id)
    store.expire(timedelta(0))
    assert list(store.files.listed()) == []


def test_values_of_small_comparisons_are_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are computed sooner than a file is written."""
    monkeypatch.setattr(scored, "ROWS", 200_000)
    store = Store.open(Settings(tmp_path))
    saved = store.create(content(), State("x"))
    files = len(list(store.files.listed()))
    keep(store, saved)
    assert (store.scored(saved), len(list(store.files.listed()))) == (None, files)


def test_a_comparison_with_further_measures_keeps_what_its_policy_asks_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """rd.save keeps the values, and rd.load opens from them, without the measures that are not saved."""
    monkeypatch.setenv("RANKDASH_HOME", str(tmp_path))
    monkeypatch.delenv("RANKDASH_STORE", raising=False)
    tables = content()
    comparison = rd.compare(tables.a, tables.b, tables.judgments, measures=["ERR@3", "RBO"])
    found = rd.load(rd.save(comparison))
    assert isinstance(found, rd.Comparison)
    assert rd.decide(found) == rd.decide(rd.compare(tables.a, tables.b, tables.judgments))
    assert lists_in_order(found) == 0
