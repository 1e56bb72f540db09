"""A store in a folder keeps every promise; where comparisons are saved."""

from collections.abc import Callable
from pathlib import Path

import pytest

from rankdash.store import Settings, Store, StoreError
from tests.store.promises import PROMISES


@pytest.mark.parametrize("promise", PROMISES, ids=lambda promise: promise.__name__)
def test_a_store_in_a_folder_keeps(promise: Callable[[Store], None], tmp_path: Path) -> None:
    """SQLite, and files in a folder."""
    promise(Store.open(Settings(tmp_path / "home")))


def test_without_settings_it_is_the_home_of_the_user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """~/.rankdash, or rankdash in XDG_DATA_HOME; a relative XDG_DATA_HOME is ignored, as its standard asks."""
    monkeypatch.setenv("HOME", str(tmp_path))
    assert Settings.from_environment({}) == Settings(tmp_path / ".rankdash")
    assert Settings.from_environment({"XDG_DATA_HOME": "/data"}).home == Path("/data/rankdash")
    assert Settings.from_environment({"XDG_DATA_HOME": "data"}).home == tmp_path / ".rankdash"


def test_what_is_named_is_taken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """RANKDASH_HOME wins, and never depends on the folder that a program is started in."""
    monkeypatch.chdir(tmp_path)
    named = {"RANKDASH_HOME": "here", "XDG_DATA_HOME": "/data", "RANKDASH_STORE": "OFF", "RANKDASH_SHARED": "1"}
    urls = {"RANKDASH_DATABASE_URL": "postgresql://db/x ", "RANKDASH_FILES_URL": "s3://bucket/x"}
    expected = Settings(tmp_path / "here", "postgresql://db/x", "s3://bucket/x", on=False, shared=True)
    assert Settings.from_environment(named | urls) == expected


@pytest.mark.parametrize("name", ["RANKDASH_STORE", "RANKDASH_SHARED"])
def test_a_switch_that_is_neither_on_nor_off_is_refused(name: str) -> None:
    """A typing error must not turn saving on or off: one sentence names the setting and what it may say."""
    with pytest.raises(StoreError, match=rf"^{name} is 'of', which is none of on, 1, true, .*\.$"):
        Settings.from_environment({name: "of"})
