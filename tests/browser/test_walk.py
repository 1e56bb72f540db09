"""A walk at random through the dashboard: whatever is done, in whatever order, what it shows belongs to what is open.

A seed decides the actions, so a walk that fails can be walked again: RANKDASH_WALK=seed:actions. RANKDASH_TRUTH makes
walks longer. Beside the page walks a model that knows which tables are open, which way round, under which names, edits
and policy; after every action the two are held against each other.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.serving import Server
from tests.browser.walk.acts import ACTS
from tests.browser.walk.walker import Walker
from tests.truth import scale

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.long

#: Actions of a walk in `make test-all`; the long one has so many times more as RANKDASH_TRUTH says, up to LONGEST.
ACTIONS, LONGEST = 8, 300
SEED, _, LENGTH = os.environ.get("RANKDASH_WALK", "").partition(":")


def actions() -> int:
    """How many actions a walk has."""
    return int(LENGTH or min(ACTIONS * scale.TIMES, LONGEST))


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A dashboard for one walk."""
    found = Server(tmp_path / "log.txt")
    yield found
    found.stop()


@pytest.mark.parametrize("seed", [int(SEED)] if SEED else [1])
def test_a_walk_at_random_finds_nothing_that_is_not_so(
    server: Server, page: Page, console_errors: list[str], tmp_path: Path, seed: int
) -> None:
    """After each of many actions: no traceback, no console error, and the names and numbers of what is open."""
    chance, done = random.Random(seed), []
    walk = Walker(page, console_errors, server, tmp_path, chance)
    try:
        walk.holds()
        for _ in range(actions()):
            possible = [name for name, act in ACTS.items() if act.is_possible(walk)]
            name = chance.choices(possible, [ACTS[one].weight for one in possible])[0]
            done.append(name)
            scale.done(f"actions in a browser: {name}")
            ACTS[name].do(walk)
            walk.holds()
    except BaseException as error:
        page.screenshot(path=tmp_path / "failed.png")
        error.add_note(f"seed {seed}, after {', '.join(done)}; the page is in {tmp_path / 'failed.png'}")
        raise
