"""Rows of saved comparisons and their results, as tests of the journal need them: made without tables."""

from datetime import UTC, datetime, timedelta

import sqlalchemy as sa

from rankdash.store import RecordedVerdict
from rankdash.store.database import COMPARISON, DECISION, RESULT, REVISION
from rankdash.store.journal import folded

START = datetime(2026, 3, 1, tzinfo=UTC)


def comparison(
    connection: sa.Connection,
    id: str,
    name: str = "Name",
    *,
    a: str = "A",
    b: str = "B",
    day: float = 0,
    head: int = 1,
    **more: object,
) -> None:
    """One comparison that was made and changed on a day, each revision up to the head a case of its own."""
    at = START + timedelta(days=day)
    names = {"name": name, "model_a": a, "model_b": b, "words": folded(name, a, b)}
    row = {"id": id, "lineage": id, "head": head, "created": at, "changed": at, "edits": {}}
    connection.execute(sa.insert(COMPARISON).values(**row | names | more))
    for number in range(1, head + 1):
        connection.execute(sa.insert(REVISION), revision(id, number, name, a, b))


def revision(id: str, number: int, name: str = "Name", a: str = "A", b: str = "B") -> dict[str, object]:
    """One revision of a comparison, without tables."""
    state = {"names": {"name": name, "a": a, "b": b}, "swapped": False, "inputs": {}}
    row = {"comparison": id, "number": number, "at": START, "by": "", "state": state, "case": case(number)}
    lists = dict.fromkeys(("baseline", "candidate", "judgments", "votes"))
    return row | lists | {"name": name, "model_a": a, "model_b": b}


def case(number: int) -> str:
    """What stands for the digest of the case of a revision."""
    return f"case {number}"


def result(outcome: str = "LAUNCH", *, revision: int = 1, delta: float | None = 0.1, day: float = 0) -> RecordedVerdict:
    """A verdict as it was seen."""
    numbers = (delta, None if delta is None else delta - 0.05, None if delta is None else delta + 0.05, 50)
    at = START + timedelta(days=day)
    said = {"outcome": outcome, "tag": outcome.lower(), "sentence": "=1+1"}
    return RecordedVerdict(
        revision, at, "0.1", 2, outcome, "nDCG@10", *numbers, 1, "c", said, case(revision), "No launch", outcome.lower()
    )


def results(connection: sa.Connection, count: int, each: int) -> None:
    """Many comparisons, each with some results, and every third with a decision: written at once."""
    rows = [
        {"id": f"id{i:06}", "name": f"Weekly {i} run", "model_a": f"base{i % 7}", "model_b": f"new{i}"}
        for i in range(count)
    ]
    at = [START + timedelta(minutes=i) for i in range(count)]
    plain = {"head": each, "edits": {}}
    known = [
        {**plain, **row, "lineage": row["id"], "created": time, "changed": time}
        | {"decision": None if i % 3 else row["id"]}
        | {"words": folded(row["name"], row["model_a"], row["model_b"])}
        for i, (row, time) in enumerate(zip(rows, at, strict=True))
    ]
    connection.execute(sa.insert(COMPARISON), known)
    connection.execute(sa.insert(REVISION), [revision(row["id"], k) for row in rows for k in range(1, each + 1)])
    seen = [
        {**vars(result(revision=k, delta=(i * 37 % 1000) / 1000 + k, day=k)), "id": f"{i}-{k}", "comparison": row["id"]}
        for i, row in enumerate(rows)
        for k in range(1, each + 1)
    ]
    connection.execute(sa.insert(RESULT), seen)
    decided = {"revision": 1, "at": START, "by": "x", "choice": "launch", "reason": "", "verdict": {}}
    decided |= {"name": "Weekly", "model_a": "base", "model_b": "new", "case": case(1)}
    connection.execute(
        sa.insert(DECISION), [{**decided, "id": row["id"], "comparison": row["id"]} for row in rows[::3]]
    )
