"""Votes typed or pasted by themselves: what is read, and what is asked instead of guessed."""

from __future__ import annotations

from collections import Counter

import pytest

from rankdash.reading.typed import VotesError, typed_votes

Rows = list[tuple[str, str]]


def rows(text: str) -> Rows:
    """Query and vote of each row."""
    table = typed_votes(text).table
    return list(zip(table.column("query_id").to_pylist(), table.column("vote").to_pylist(), strict=True))


def numbered(*votes: str) -> Rows:
    """Votes on queries that are called by their place."""
    return [(str(at), vote) for at, vote in enumerate(votes, start=1)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("good, same, bad, bad", numbered("good", "same", "bad", "bad")),
        ("Good same BAD bad\n", numbered("good", "same", "bad", "bad")),
        ("good\nsame\r\nbad", numbered("good", "same", "bad")),
        ("+ = − -", numbered("good", "same", "bad", "bad")),
        ("g;s;b", numbered("good", "same", "bad")),
        ("1 0 -1 -1", numbered("good", "same", "bad", "bad")),
        ("B better, tie, A better, both bad", numbered("good", "same", "bad", "both_bad")),
        ("好、一样、差", numbered("good", "same", "bad")),
        ("good,,bad", [("1", "good"), ("3", "bad")]),
        ("q1\tgood\nq2\tbad", [("q1", "good"), ("q2", "bad")]),
        ("query\tvote\nq1\tgood\nq2\tbad", [("q1", "good"), ("q2", "bad")]),
        ("q1, good, good, bad\nq2, same, bad", [*[("q1", v) for v in ("good", "good", "bad")],
                                                *[("q2", v) for v in ("same", "bad")]]),
        ("query_id,rater,vote\nq1,x,good\nq1,y,bad", [("q1", "good"), ("q1", "bad")]),
    ],
)  # fmt: skip
def test_words_are_votes(text: str, expected: Rows) -> None:
    """One word is one query; with ids before them the votes of a line belong to its query."""
    assert rows(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "60 100 40",
        "60, 100, 40",
        "60/100/40",
        "６０　１００　４０",
        "good 60, same 100, bad 40",
        "60 good, 100 same, 40 bad",
        "bad=40 good=60 same=100",
        "good\tsame\tbad\n60\t100\t40",
        "G: 60\nS: 100\nB: 40",
    ],
)
def test_three_numbers_are_counts(text: str) -> None:
    """Bare counts stand for good, same and bad, named ones for what they are called; each counts a query."""
    found = rows(text)
    assert Counter(vote for _, vote in found) == {"good": 60, "same": 100, "bad": 40}
    assert len({query for query, _ in found}) == 200
    assert "60 good, 100 same, 40 bad" in typed_votes(text).source.notes[0]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1 0 2", "could be three votes or three counts"),
        ("1\tgood\n2\tbad", "could be an id or a count"),
        ("good, same\nbad, bad", "a line could be one query or many"),
        ("60 40", "without a sign"),
        ("good great bad", 'Vote 2: "great" is no vote'),
        ("left right", 'Vote 1: "left" is no vote'),
        ("60% 20% 20%", '"60%" is no vote'),
        ("999999999 1 1", "at most 1,000,000"),
        (" , ,", "There is no vote"),
    ],
)
def test_what_can_be_read_in_two_ways_is_asked(text: str, said: str) -> None:
    """Nothing is guessed: the sentence says what was found and what to write."""
    with pytest.raises(VotesError, match=said):
        typed_votes(text)


def test_many_wrong_words_are_told_with_their_number() -> None:
    """The first twenty, and how many more."""
    with pytest.raises(VotesError) as error:
        typed_votes(" ".join(f"x{n}" for n in range(50)))
    lines = str(error.value).splitlines()
    assert len(lines) == 21
    assert lines[-1] == "And 30 more."
