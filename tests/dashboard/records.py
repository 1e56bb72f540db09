"""What a page under test has open: the one record of its session, read and set from outside."""

from dataclasses import replace
from typing import Any

from streamlit.testing.v1 import AppTest

from rankdash.dashboard.session.session import KEY, Session
from rankdash.edits import Edit


def held(at: AppTest) -> Session:
    """The record of the session; an empty one before its first run."""
    record: Session = at.session_state[KEY] if KEY in at.session_state else Session()
    return record


def put(at: AppTest, **fields: Any) -> None:
    """Another record, with these fields."""
    at.session_state[KEY] = replace(held(at), **fields)


def put_edits(at: AppTest, *edits: Edit) -> None:
    """Edits in force, each of which can be undone."""
    now = held(at).case
    every = [replace(now, edits=edits[:n]) for n in range(len(edits) + 1)]
    put(at, case=every[-1], past=tuple(every[:-1]), undone=())
