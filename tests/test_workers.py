"""Several workers: what the tests of a file set up together is set up once."""

from __future__ import annotations

import pytest


@pytest.fixture(scope="module")
def set_up(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A note that all workers of `make test-all` see; FileExistsError for the second one that would leave it."""
    if getattr(request.config.option, "loadgroup", False):  # pytest-xdist says so to its workers
        (tmp_path_factory.getbasetemp().parent / "set_up").touch(exist_ok=False)


@pytest.mark.parametrize("number", range(4))
def test_tests_of_a_file_with_a_fixture_in_common_share_a_worker(set_up: None, number: int) -> None:
    """In `make test-all` the fixture of a file is set up by one worker alone, however many there are."""
    assert number in range(4)
