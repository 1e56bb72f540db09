"""Writers that are killed with SIGKILL at random moments, and what is there afterwards.

This proves the order in which things are written, not what a loss of power does to a disk.
"""

from __future__ import annotations

import multiprocessing
import random
import sys
import time
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection

import rankdash as rd
from rankdash.case import Case
from rankdash.edits import Edit
from rankdash.store import Saved, Settings, State, Store, StoreError

#: What a writer tells when it was told that something is saved: the comparison, and a document that it graded there.
Acknowledged = tuple[str, str]
#: The longest that a writer lives after the first thing it saved, in seconds.
LONGEST = 0.4


@dataclass(frozen=True)
class Survived:
    """What several kills left: how many writers there were, what they were told is saved, and what is wrong."""

    kills: int
    acknowledged: int
    comparisons: int
    wrong: tuple[str, ...]


def write(settings: Settings, seed: int, told: Connection) -> None:
    """Creates comparisons and edits those of others for ever; says what is saved after it is saved."""
    rng = random.Random(seed)
    store = Store.open(settings)
    known = [store.load(comparison) for comparison in _every(store)[:3]]
    for i in range(sys.maxsize):
        document = f"{seed}-{i}"
        try:
            if not known or rng.random() < 0.15:
                known.append(store.create(_content(rng), State(document)))
                told.send((known[-1].id, ""))
                continue
            at = rng.randrange(len(known))
            known[at] = _edited(store, known[at], document)
            told.send((known[at].id, document))
        except StoreError as error:
            told.send(("", str(error)))


def killed(settings: Settings, kills: int, writers: int, seed: int = 1) -> Survived:
    """What is there after so many kills of one or several writers at once."""
    context = multiprocessing.get_context("forkserver")
    # Writers are forked of what has loaded all that they use: one that loads its readers first is killed meanwhile.
    context.set_forkserver_preload(["benchmarks.store.kills", "rankdash.reading.readers"])
    rng = random.Random(seed)
    saved: list[Acknowledged] = []
    for i in range(kills // writers):
        pairs = [context.Pipe(duplex=False) for _ in range(writers)]
        seeds = [seed * 1_000_000 + i * writers + j for j in range(writers)]
        running = [
            context.Process(target=write, args=(settings, own, send), daemon=True)
            for own, (_, send) in zip(seeds, pairs, strict=True)
        ]
        for process in running:
            process.start()
        for _, send in pairs:
            send.close()
        pairs[0][0].poll(60)
        time.sleep(rng.random() * LONGEST)
        for process in running:
            process.kill()
        for process, (receive, _) in zip(running, pairs, strict=True):
            saved += _received(receive)
            process.join()
    return _checked(Store.open(settings), kills, saved)


def _checked(store: Store, kills: int, saved: list[Acknowledged]) -> Survived:
    wrong = [said for comparison, said in saved if not comparison]
    expected: dict[str, set[str]] = {}
    for comparison, document in saved:
        expected.setdefault(comparison, set()).add(document)
    expected.pop("", None)
    every = _every(store)
    for comparison in {*every, *expected}:
        try:
            found = Store(store.database, store.files).load(comparison)
        except StoreError as error:
            wrong.append(str(error))
            continue
        edited = [edit.doc_id for edit in found.state.edits]
        lost = expected.get(comparison, set()) - {""} - set(edited)
        wrong += [f"{comparison} has lost {document}" for document in sorted(lost)]
        wrong += [f"{comparison} has an edit twice"] * (len(edited) > len(set(edited)))
    return Survived(kills, len(saved), len(every), tuple(wrong))


def _edited(store: Store, saved: Saved, document: str) -> Saved:
    edit = Edit("q1", document, "grade", None, None, 1.0)
    return store.save(saved, replace(saved.state, edits=(*saved.state.edits, edit)))


def _every(store: Store) -> list[str]:
    """The ids of all comparisons, those that were changed last first."""
    with store.database.reading() as connection:
        rows = connection.exec_driver_sql("SELECT id FROM comparison ORDER BY changed DESC")
        return list(rows.scalars())


def _content(rng: random.Random) -> Case:
    """Tables that nobody else has, so that their files are new."""
    lists = [{"q1": {f"d{i}": rng.random() for i in range(20)}} for _ in range(2)]
    return Case((rd.read_run(lists[0], name="A"), rd.read_run(lists[1], name="B")))


def _received(receive: Connection) -> list[Acknowledged]:
    """Everything that came before the kill; the last message may be cut."""
    found = []
    try:
        while True:
            found.append(receive.recv())
    except (EOFError, OSError):
        return found
