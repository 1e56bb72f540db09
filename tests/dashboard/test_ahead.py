"""What is computed before anybody asks for it is the same, computed once, and kept no longer than other results."""

from __future__ import annotations

import threading
from concurrent.futures import Future, wait
from typing import Any

import pytest

from rankdash.case import Case
from rankdash.dashboard.host import background, results
from rankdash.dashboard.host.results import Results
from rankdash.dashboard.session import verdicts
from rankdash.store import scored
from tests.awaited import HUNG
from tests.dashboard.records import held
from tests.dashboard.saved_sessions import home
from tests.dashboard.test_pages import FILES, app, upload
from tests.dashboard.test_pages import inputs as uploaded

__all__ = ["home"]
SESSION = "the session that asks"


@pytest.fixture
def shared(monkeypatch: pytest.MonkeyPatch) -> Results:
    """A cache of its own, in a session of a server."""
    found, this = Results(100_000_000), threading.current_thread()
    monkeypatch.setattr(results, "RESULTS", found)
    monkeypatch.setattr(results, "_lease", lambda: SESSION if threading.current_thread() is this else "")
    return found


@pytest.fixture(autouse=True)
def begun(monkeypatch: pytest.MonkeyPatch) -> list[Future[Any]]:
    """What was begun beside the page."""
    found, begin = list[Future[Any]](), background.begin

    def noted(*what: Any) -> Future[Any]:
        found.append(begin(*what))
        return found[-1]

    monkeypatch.setattr(background, "begin", noted)
    return found


def test_who_asks_gets_what_is_being_computed(shared: Results, begun: list[Future[Any]]) -> None:
    """It is computed once, in another thread, with what it is made of; and kept for the session that will ask."""
    threads, has_begun, may_go_on = list[str](), threading.Event(), threading.Event()

    @results.once
    def inner(of: int) -> int:
        return of + 1

    @results.once
    def outer(of: int) -> list[int]:
        threads.append(threading.current_thread().name)
        has_begun.set()
        assert may_go_on.wait(HUNG)
        return [inner(of)]

    results.ahead(outer, 1)
    assert has_begun.wait(HUNG)
    asking = threading.Thread(target=lambda: threads.append(str(outer(1))))
    asking.start()
    may_go_on.set()
    asking.join()
    wait(begun)
    assert threads[0].startswith("rankdash-beside")
    assert threads[1:] == ["[2]"]
    assert outer(1) is outer(1)
    assert len(shared) == 2
    shared.leave(SESSION)
    assert len(shared) == 0


def test_what_goes_wrong_is_told_to_who_asks(shared: Results, begun: list[Future[Any]]) -> None:
    """Nobody hears of it before, and the next thing is computed as ever."""

    @results.once
    def wrong(of: int) -> int:
        raise ValueError(f"{of} is no good")

    results.ahead(wrong, 1)
    wait(begun)
    with pytest.raises(ValueError, match="1 is no good"):
        wrong(1)


@pytest.mark.parametrize("large", [True, False])
def test_a_comparison_is_computed_when_its_files_are_read(
    monkeypatch: pytest.MonkeyPatch, large: bool, begun: list[Future[Any]]
) -> None:
    """Before the button is clicked, once: a large one beside the page, a small one at once, so that the button is on
    for nothing that would be refused. What is opened is the same.
    """
    made, make = list[Case](), verdicts._made
    monkeypatch.setattr(scored, "ROWS", 0 if large else 1_000_000)
    monkeypatch.setattr(verdicts, "_made", lambda *how: made.append(how[0]) or make(*how))
    results.RESULTS.clear()
    at = app()
    at.query_params["c"] = "lost"
    at = upload(at.run(), "lost", FILES)
    wait(begun)
    assert made == [uploaded()]
    assert bool(begun) == large
    at.run()  # with the same files
    wait(begun)
    at.button(key="lost_compare").click().run()
    wait(begun)
    assert not at.exception
    assert held(at).case == uploaded()
    assert made == [uploaded()]
    assert at.metric
