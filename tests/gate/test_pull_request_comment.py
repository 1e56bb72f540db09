"""The comment of a gate: one on a pull request, brought up to date, and nobody else's."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.error import HTTPError

import pytest

from rankdash.report.ci import LONGEST, Comments, CommentsError, mark, marked
from tests.gate.github import PERSON, READS, WRITES, GitHub, served

PULL = ("search/ranking", 7)


@pytest.fixture
def github() -> Iterator[GitHub]:
    """A stand-in for GitHub."""
    with served() as github:
        yield github


def test_a_second_run_updates_the_comment(github: GitHub) -> None:
    """A gate has one comment: later runs change it in place, and its address is told."""
    comments = Comments(github.url, WRITES, *PULL)
    first, second = comments.put("gate", "old"), comments.put("gate", "new")
    assert github.bodies == [f"{mark('gate')}\nnew"]
    assert first == second == f"{github.url}/1"


@pytest.mark.parametrize("token", [WRITES, PERSON])
def test_a_mark_that_somebody_else_wrote_counts_for_nothing(github: GitHub, token: str) -> None:
    """Whoever writes the mark into a comment of his own does not get the verdict written under his name."""
    github.add(f"{mark('gate')}\nLaunch!", "mallory")
    comments = Comments(github.url, token, *PULL)
    comments.put("gate", "old")
    comments.put("gate", "new")
    assert github.bodies == [f"{mark('gate')}\nLaunch!", f"{mark('gate')}\nnew"]


def test_a_token_that_may_only_read_leaves_no_comment(github: GitHub) -> None:
    """Where the token may not write, the reason names the permission that is missing, and not the token."""
    with pytest.raises(CommentsError, match="pull-requests: write") as caught:
        Comments(github.url, READS, *PULL).put("gate", "new")
    assert READS not in f"{caught.value!r}{Comments(github.url, READS, *PULL)!r}"
    assert github.comments == []


@pytest.mark.parametrize(
    "answer", [(500, b"{}"), (200, b"<html>"), (200, b"\xff"), (200, b""), (200, b"[" * 5000), (404, b"{}")]
)
def test_an_answer_that_is_none_is_one_sentence(github: GitHub, answer: tuple[int, bytes]) -> None:
    """Whatever GitHub answers, the gate gets a sentence and no traceback, and no connection stays open."""
    github.answers["GET"] = answer
    with pytest.raises(CommentsError, match=r"^.+[.]$") as caught:
        Comments(github.url, WRITES, *PULL).put("gate", "new")
    refused = caught.value.__context__
    assert not isinstance(refused, HTTPError) or refused.closed


def test_the_token_goes_to_nobody_else(github: GitHub) -> None:
    """A redirect to another server does not take the token there."""
    with served() as other:
        github.answers["GET"] = (302, f"{other.url}/user".encode())
        with pytest.raises(CommentsError):
            Comments(github.url, WRITES, *PULL).put("gate", "new")
        assert other.tokens == [""]


@pytest.mark.parametrize("name", ["a", "--> <script>", "a\nb", "ä", "-" * 50, "%2D", "x -->\n::warning::"])
def test_no_name_ends_the_mark(name: str) -> None:
    """The mark is one hidden comment of HTML, whatever a gate is called, and each name has another one."""
    line = mark(name)
    assert line.startswith("<!-- ")
    assert line.index("-->") == len(line) - 3
    assert "--" not in line[4:-3]
    assert "\n" not in line
    assert mark(f"{name}x") != line


def test_a_text_that_is_too_long_is_cut() -> None:
    """A comment has at most the characters that GitHub takes, and says that it was cut."""
    body = marked("gate", "x" * 70_000)
    assert len(body) == LONGEST
    assert "cut here" in body
