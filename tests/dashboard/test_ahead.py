"""What is computed before anybody asks for it is the same, computed once, and kept no longer than other results."""

from __future__ import annotations

import threading
from types import SimpleNamespace

import pytest

from rankdash.dashboard.kit import content_cache
from rankdash.dashboard.kit.shared_results import Shared
from rankdash.dashboard.session import state
from rankdash.store import scored
from tests.dashboard.saved_sessions import home
from tests.dashboard.test_pages import FILES, app, upload
from tests.dashboard.test_pages import inputs as uploaded

__all__ = ["home"]
SESSION = "the session that asks"


@pytest.fixture
def results(monkeypatch: pytest.MonkeyPatch) -> Shared:
    """A cache of its own, in a session of a server."""
    found, this = Shared(), threading.current_thread()
    monkeypatch.setattr(content_cache, "RESULTS", found)
    monkeypatch.setattr(content_cache, "_start", lambda: None)
    monkeypatch.setattr(content_cache.runtime, "exists", lambda: True)
    context = SimpleNamespace(session_id=SESSION)
    monkeypatch.setattr(
        content_cache, "get_script_run_ctx", lambda **_: context if threading.current_thread() is this else None
    )
    return found


def done() -> None:
    """Returns when everything is computed that was asked for."""
    content_cache._AHEAD.submit(lambda: None).result()


def test_who_asks_gets_what_is_being_computed(results: Shared) -> None:
    """It is computed once, in another thread, with what it is made of; and kept for the session that will ask."""
    threads, begun, may_go_on = list[str](), threading.Event(), threading.Event()

    @content_cache.once
    def inner(of: int) -> int:
        return of + 1

    @content_cache.once
    def outer(of: int) -> list[int]:
        threads.append(threading.current_thread().name)
        begun.set()
        assert may_go_on.wait(10)
        return [inner(of)]

    content_cache.ahead(outer, 1)
    assert begun.wait(10)
    asking = threading.Thread(target=lambda: threads.append(str(outer(1))))
    asking.start()
    may_go_on.set()
    asking.join()
    done()
    assert threads[0].startswith("rankdash-ahead")
    assert threads[1:] == ["[2]"]
    assert outer(1) is outer(1)
    assert [entry.sessions for entry in results._entries.values()] == [{SESSION}, {SESSION}]
    assert results.sweep(lambda _: False, after=0.0) == 2


def test_what_goes_wrong_is_told_to_who_asks(results: Shared) -> None:
    """Nobody hears of it before, and the next thing is computed as ever."""

    @content_cache.once
    def wrong(of: int) -> int:
        raise ValueError(f"{of} is no good")

    content_cache.ahead(wrong, 1)
    done()
    with pytest.raises(ValueError, match="1 is no good"):
        wrong(1)
    assert content_cache._computing_for.get() == ""


@pytest.mark.parametrize("large", [True, False])
def test_a_large_comparison_is_computed_when_its_files_are_read(monkeypatch: pytest.MonkeyPatch, large: bool) -> None:
    """Before the button is clicked, once; a small one when it is clicked. What is opened is the same."""
    made, make = list[state.Case](), state._made
    monkeypatch.setattr(scored, "ROWS", 0 if large else 1_000_000)
    monkeypatch.setattr(state, "_made", lambda *how: made.append(how[0]) or make(*how))
    content_cache.RESULTS.clear()
    at = app()
    at.query_params["c"] = "lost"
    at = upload(at.run(), "lost", FILES)
    done()
    assert made == ([uploaded()] if large else [])
    at.run()  # with the same files
    done()
    at.button(key="lost_compare").click().run()
    done()
    assert not at.exception
    assert at.session_state["open"] == uploaded()
    assert made == [uploaded()]
    assert at.metric
