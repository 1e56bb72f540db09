"""A and B are names, never places: random names, rows, files, exchanges and replacements against slow twins.

Whatever is read, the ΔGSB follows the names of the models, or it is asked or refused.
"""

import csv
import io
import random
from dataclasses import replace
from typing import Any

import pytest

import rankdash as rd
from rankdash.case import Case as Compared, valid_votes_of
from rankdash.edits import Edit
from rankdash.intake import models_of
from rankdash.reading import ReadError
from rankdash.reading.grid import is_blank
from rankdash.reading.values import read_vote_words
from rankdash.reading.votes import pair_of, pair_text
from rankdash.scoring import matched_votes
from rankdash.store import State, case_of
from tests.made import run
from tests.truth import twin_names as twin
from tests.truth.scale import scaled

PARTS = range(4)
FILES, MODELS, CHANGES = scaled(80), scaled(30), scaled(12)

#: Names that go together: told apart by a sign, by their case, by nothing but a word, or named as a vote is.
FAMILIES = (
    *(("old", "new"), ("bm25", "dense"), ("old", "OLD"), ("base", "base model"), ("GPT-4", "gpt 4 (list)")),
    *(("GPT-4", "gpt 4"), ("v1.0", "v1 0"), ("a b", "a_b"), ("x, y", "x"), ('q"q', "n\nl")),
    *(("旧", "新"), ("é", "e\u0301")),
    *(("A", "B"), ("b", "a"), ("1", "2"), ("2", "1"), ("model A", "model B"), ("candidate", "baseline"), ("B", "C")),
    *(("good", "new"), ("tie", "x"), ("left", "right"), ("none", "x"), ("win", "loss"), ("bad", "good")),
    *(("null", "NaN"), ("x" * 210 + "1", "x" * 210 + "2"), (" old", "old "), ("-", "--"), ("=1+1", "@x")),
    ("é", "e\u0301"),
)
#: The two models of a vote as they stand, the one that won (None: neither), and the one that stood on the left.
Row = tuple[str, str, str | None, str]


def table(rows: list[dict[str, str]]) -> bytes:
    """Rows as CSV."""
    out = io.StringIO()
    writer = csv.DictWriter(out, [*rows[0]], lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue().encode()


class Case:
    """One file of votes on two models by name, perhaps on a third; who won is written as a name, a word or a side."""

    def __init__(self, chance: random.Random) -> None:
        family = chance.choice(FAMILIES)
        self.runs: twin.Pair | None = chance.choice([family, family, family[::-1], None])
        names = [chance.choice([str, str, str.upper, lambda name: f"{name}!"])(name).strip() for name in family]
        if chance.random() < 0.25:
            names[chance.randrange(2)] = chance.choice(["other", "third", *family]).strip()
        self.style = chance.choice(["names", "words", "left"])
        self.rows: list[Row] = []
        for _ in range(chance.randint(1, 7)):
            two = [names[0], "third"] if chance.random() < 0.08 else chance.sample(names, 2)
            self.rows.append((two[0], two[1], chance.choice([*two, None]), chance.choice(two)))
        self.said: twin.Pair | None = None
        if chance.random() < 0.2:
            self.said = (names[0], chance.choice([names[1], names[1], "third"]))
            self.said = self.said if chance.random() < 0.5 else self.said[::-1]

    def text(self, row: Row) -> str:
        """How the vote of a row is written."""
        _, second, winner, left = row
        if winner is None:
            return "tie"
        if self.style == "left":
            return "left" if winner == left else "right"
        return winner if self.style == "names" else "good" if winner == second else "bad"

    def written(self, rows: list[Row]) -> bytes:
        """The file, with its rows in an order."""
        return table(
            [
                {"query_id": f"q{at}", "model_a": row[0], "model_b": row[1], "winner": self.text(row)}
                | ({"left": row[3]} if self.style == "left" else {})
                for at, row in enumerate(rows)
            ]
        )

    @property
    def is_murky(self) -> bool:
        """Whether a name is a word for a vote, a side or nothing, or the votes alone could mean two things."""
        names = {name for row in self.rows for name in row[:2]} | {*(self.said or ()), *(self.runs or ())}
        said = [(name, read_vote_words([name])) for name in names if name]
        words = any(reading.votes or reading.doubt or is_blank(name) for name, reading in said)
        same = any(not name or row[0] == row[1] for row in self.rows for name in row[:2])
        return words or same or bool(read_vote_words([self.text(row) for row in self.rows]).doubt)

    def expected(self, rows: list[Row]) -> dict[str, str] | None:
        """What must come out, by query; None where it is asked or refused."""
        pair = twin.pair_of([row[:2] for row in rows], self.said, self.runs)
        if pair is None:
            return None
        kept = [(f"q{at}", row[2]) for at, row in enumerate(rows) if {*row[:2]} == {*pair}]
        return dict(zip((query for query, _ in kept), twin.seen_from_b((one for _, one in kept), pair), strict=True))


def read(content: bytes, case: Case) -> rd.Votes | None:
    """The votes of a file; None where it is refused."""
    try:
        return rd.read_votes(content, pair=case.said, models=case.runs)
    except ReadError:
        return None


def by_query(votes: rd.Votes) -> dict[str, str]:
    """The votes by query."""
    return dict(zip(*(votes.table.column(name).to_pylist() for name in ("query_id", "vote")), strict=True))


@pytest.mark.parametrize("part", PARTS)
def test_votes_follow_the_names_or_are_refused(part: int) -> None:
    """Whatever the names, the order of the rows and the form: each vote is for the model that it names, or refused."""
    chance, taken, asked = random.Random(100 + part), 0, 0
    for number in range(FILES):
        case = Case(chance)
        for rows in (case.rows, chance.sample(case.rows, len(case.rows))):
            expected, votes = case.expected(rows), read(case.written(rows), case)
            told = (number, case.runs, case.said, case.written(rows).decode())
            if votes is not None:
                assert by_query(votes) == expected, told
                assert votes.pair is None or "pair" in {note.code for note in votes.source.notes}, told
            assert votes is not None or expected is None or case.is_murky, told
            taken, asked = taken + (votes is not None), asked + (expected is None)
    assert taken > FILES / 8
    assert asked > FILES / 20


@pytest.mark.parametrize("part", PARTS)
def test_read_votes_are_turned_or_refused_where_they_meet_runs(part: int) -> None:
    """Votes that were read for A and B are turned for B and A, and no votes on one of them alone are taken for both."""
    chance = random.Random(200 + part)
    for _ in range(FILES):
        case = Case(chance)
        votes = read(case.written(case.rows), case)
        if votes is None or votes.pair is None:
            continue
        runs = tuple(chance.choice([*votes.pair, *chance.choice(FAMILIES)]) for _ in range(2))
        sides = [twin.side(name, (runs[0], runs[1])) for name in votes.pair]
        try:
            met = matched_votes(votes, (runs[0], runs[1]))
        except rd.ComparisonError:
            assert sides not in ([0, 1], [1, 0], [None, None])
            continue
        words = {"good": "bad", "bad": "good"} if sides == [1, 0] else {}
        assert {query: words.get(vote, vote) for query, vote in by_query(votes).items()} == by_query(met)
        assert sides in ([0, 1], [1, 0], [None, None], [0, None], [None, 1]), (votes.pair, runs)


@pytest.mark.parametrize("part", PARTS)
def test_models_of_one_file_are_a_and_b_by_name(part: int) -> None:
    """Which model of one file is A does not depend on their order: the first that is named, the one called A, or asked;
    with it come those that are named, or all others. Another spelling of the name of a model is another name.
    """
    chance = random.Random(300 + part)
    for _ in range(MODELS):
        names = list(dict.fromkeys(name.strip() for name in chance.choice(FAMILIES) if name.strip()))
        if chance.random() < 0.2:
            names.append("third")
        said = chance.choices([*names, "other"], k=chance.choice((0, 0, 0, 1, 2, 3)))
        chosen = []
        for order in (names, names[::-1]):
            rows = [{"model": name, "query_id": "q", "doc_id": f"d{at}", "rank": "1"} for at, name in enumerate(order)]
            try:
                chosen.append([one.name for one in models_of(rd.read_models(table(rows)), said)])
            except ReadError:
                chosen.append([])
        first, *others = said or ["A"]
        all_others = [name for name in names if name != first]
        is_known = {first, *others} <= {*names} and len({*said}) == len(said)
        assert chosen[0] == ([first, *(others or all_others)] if is_known else []), (names, said)
        assert chosen[1] == ([first, *(others or all_others[::-1])] if is_known else []), (names, said)


def test_two_names_are_one_text_and_back() -> None:
    """Whatever the names hold - commas, quotes, lines - the text of a pair gives them back."""
    for family in FAMILIES:
        pair = (family[0].strip(), family[1].strip())
        assert pair_of(pair_text(pair)) == pair


# --- lists that are exchanged, replaced and edited -------------------------------------------------------------------


def some_lists(chance: random.Random, queries: int) -> twin.Lists:
    """Lists of a few documents."""
    docs = [f"d{i}" for i in range(6)]
    return {f"q{q}": chance.sample(docs, chance.randint(2, 5)) for q in range(queries)}


def run_of(lists: twin.Lists, name: str) -> rd.Run:
    """The lists as a run."""
    return run({query: {doc: float(-at) for at, doc in enumerate(docs)} for query, docs in lists.items()}, name)


class Session:
    """A comparison with votes beside its twin; each step is done to both."""

    def __init__(self, chance: random.Random) -> None:
        self.chance, queries = chance, chance.randint(1, 4)
        both = some_lists(chance, queries), some_lists(chance, queries)
        votes = {f"q{q}": chance.choice([1, 0, -1]) for q in range(queries) if chance.random() < 0.8} or {"q0": 1}
        words = {1: "good", 0: "same", -1: "bad"}
        table = rd.read_votes({query: words[vote] for query, vote in votes.items()})
        content = Compared((run_of(both[0], "old"), run_of(both[1], "new")), votes=table)
        self.content = content.knowing_lists() if chance.random() < 0.8 else content  # as it was saved before
        self.state = State("x", "old", "new", policy=rd.Policy(cutoff=chance.choice([1, 2, 3])))
        self.twin = twin.Voted(votes, both, both)

    def swap(self) -> None:
        """A and B are exchanged on the screen."""
        self.state = replace(self.state, swapped=not self.state.swapped)

    def rename(self) -> None:
        """The models get other names, those of each other too, and another number of first documents counts."""
        policy = rd.Policy(cutoff=self.chance.choice([1, 2, 3]))
        names = {"a": self.chance.choice(["new", "x"]), "b": self.chance.choice(["old", "y"])}
        self.state = replace(self.state, **names, policy=policy)

    def move(self) -> None:
        """A document is moved in one of the lists, and a grade is changed."""
        side, now = self.chance.randrange(2), self.twin.lists()
        query = self.chance.choice([*now[side]])
        doc = self.chance.choice(now[side][query])
        before, to = now[side][query].index(doc) + 1, self.chance.randint(1, len(now[side][query]))
        edit = Edit(query, doc, "rank", "ab"[side], before, to)  # type: ignore[arg-type]
        graded = Edit("q0", "d0", "grade", None, None, 2.0)
        self.state = replace(self.state, edits=(*self.state.edits, edit, graded))
        self.twin.moves.append((side, query, doc, to))

    def hold(self) -> None:
        """Somebody says that the votes which are set aside hold."""
        voted = valid_votes_of(case_of(self.content, replace(self.state, swapped=False)), self.state.policy)
        if voted.open:
            self.state = replace(self.state, held=(*self.state.held, *voted.open))
            self.twin.hold(self.state.policy.cutoff)

    def replace(self) -> None:
        """A list is replaced: by another one, by the same, by those that people saw, or by that of the other model."""
        other = some_lists(self.chance, len(self.twin.uploaded[0]))
        a, b = self.twin.uploaded
        a, b = self.chance.choice([(other, b), (a, other), (dict(a), dict(b)), self.twin.saw, (b, a)])
        new = Compared((run_of(a, "old"), run_of(b, "newer")), votes=self.content.votes)
        self.content = new.knowing_lists(self.content)
        held = tuple(one for one in self.state.held if not one.query_id)
        self.state = replace(self.state, edits=(), held=held)
        said = {one for one in self.twin.said if one.startswith("({")}
        self.twin = replace(self.twin, uploaded=(a, b), moves=[], said=said)

    def check(self) -> None:
        """Whether the votes that count are those of the twin, and nothing is lost."""
        found = valid_votes_of(case_of(self.content, self.state), self.state.policy)
        sign = {"good": 1, "same": 0, "bad": -1}
        counted = {query: sign[vote] for query, vote in by_query(found.votes).items()}
        assert counted == self.twin.counted(self.state.policy.cutoff, self.state.swapped)
        assert bool(found.open) == (len(counted) < len(self.twin.votes)) == bool(found.notes)
        assert len(self.content.votes.table) == len(self.twin.votes)


@pytest.mark.parametrize("part", PARTS)
def test_votes_count_on_the_lists_that_people_saw(part: int) -> None:
    """After any exchange, renaming, edit and replacement exactly those votes count whose lists stand there, or of which
    somebody said that they hold; the others are kept, and told.
    """
    chance = random.Random(400 + part)
    for _ in range(CHANGES):
        session: Any = Session(chance)
        for name in chance.choices(("swap", "rename", "move", "move", "hold", "replace"), k=chance.randint(1, 12)):
            getattr(session, name)()
            session.check()
