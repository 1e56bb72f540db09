"""A and B are names, never places: random names, rows, files, exchanges and replacements against slow twins.

Whatever is read, the ΔGSB follows the names of the models, or it is asked or refused.
"""

from __future__ import annotations

import csv
import io
import random
from dataclasses import replace
from typing import Any

import pytest

import rankdash as rd
from rankdash.case import Case as Compared
from rankdash.case import votes_standing
from rankdash.edits import Edit
from rankdash.intake import two_models
from rankdash.reading import ReadError, pair_of, pair_text
from rankdash.reading.values import is_no_vote, read_vote_words
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
    *(("GPT-4", "gpt 4"), ("v1.0", "v1 0"), ("v1.0", "v10"), ("a b", "a_b"), ("x, y", "x"), ('q"q', "n\nl")),
    *(("A", "B"), ("b", "a"), ("1", "2"), ("2", "1"), ("model A", "model B"), ("candidate", "baseline"), ("B", "C")),
    *(("good", "new"), ("tie", "x"), ("left", "right"), ("none", "x"), ("win", "loss"), ("bad", "good"), ("s", "g")),
    *(
        ("旧", "新"),
        ("模型a", "模型b"),
        ("ベース", "候補"),
        ("ﾓﾃﾞﾙ", "モデル"),
        ("é", "e\u0301"),
        ("ＯＬＤ", "old"),
        ("", "x"),
    ),
    *(("x" * 210 + "1", "x" * 210 + "2"), (" old", "old "), ("-", "--"), ("=1+1", "@x"), ("null", "NaN")),
)
#: The two models of a vote as they stand, the one that won (None: neither), and the one that stood on the left.
Row = tuple[str, str, str | None, str]
RELATIVE = {"words": ("bad", "same", "good"), "letters": ("A", "tie", "B"), "phrases": ("A>B", "A=B", "B is better")}


def respelled(name: str, chance: random.Random) -> str:
    """A name as somebody else would write it, or as it is."""
    ways = (str, str.upper, str.swapcase, lambda text: text.replace(" ", "_"), lambda text: f"{text}!", str.strip)
    return chance.choice(ways)(name)


def table(rows: list[dict[str, str]]) -> bytes:
    """Rows as CSV, the columns in any order."""
    out = io.StringIO()
    writer = csv.DictWriter(out, [*rows[0]], lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue().encode()


class Case:
    """One file of votes: on two models by name, perhaps on a third, in one of the forms that people use."""

    def __init__(self, chance: random.Random) -> None:
        family = chance.choice(FAMILIES)
        self.runs: twin.Pair | None = family if chance.random() < 0.8 else None
        if self.runs and chance.random() < 0.3:
            self.runs = self.runs[::-1]
        names = [respelled(name, chance).strip() if chance.random() < 0.3 else name.strip() for name in family]
        if chance.random() < 0.25:
            names[chance.randrange(2)] = chance.choice(["other", "third", *family]).strip()
        third = chance.choice([*(name for pair in FAMILIES[:8] for name in pair), "third"]).strip()
        self.form = chance.choice(["columns"] * 3 + ["sides", "winner"])
        self.style = chance.choice(["names", *RELATIVE, "numbers", "left"]) if self.form == "columns" else "names"
        if self.form == "sides" and chance.random() < 0.5:
            self.style = "left"
        constant = chance.random() < 0.5
        self.rows: list[Row] = []
        for _ in range(chance.randint(1, 7)):
            two = [names[0], third] if self.form != "winner" and chance.random() < 0.08 else list(names)
            if not constant and chance.random() < 0.5:
                two.reverse()
            self.rows.append((two[0], two[1], chance.choice([*two, None]), chance.choice(two)))
        self.said: twin.Pair | None = None
        if chance.random() < 0.2:
            self.said = (names[0], names[1]) if chance.random() < 0.5 else (names[1], names[0])
            if chance.random() < 0.2:
                self.said = (self.said[0], "third")

    def text(self, row: Row) -> str:
        """How the vote of a row is written."""
        _, second, winner, left = row
        if self.style == "names":
            return "tie" if winner is None else winner
        if self.style == "left":
            return "tie" if winner is None else "left" if winner == left else "right"
        if self.style == "numbers":
            return "0" if winner is None else "1" if winner == second else "-1"
        return RELATIVE[self.style][1 if winner is None else 2 if winner == second else 0]

    def written(self, rows: list[Row]) -> bytes:
        """The file, with its rows in an order."""
        told = []
        for first, second, winner, left in rows:
            one = {"query_id": f"q{len(told)}"}
            if self.form == "columns":
                one |= {"model_a": first, "model_b": second}
            if self.form == "sides" or self.style == "left":
                right = second if left == first else first
                one |= {"left": left} | ({"right": right} if self.form == "sides" else {})
            told.append(one | {"winner": self.text((first, second, winner, left))})
        return table(told)

    @property
    def is_murky(self) -> bool:
        """Whether a name is a word for a vote, a side or nothing, or the votes alone could mean two things."""
        names = {name for row in self.rows for name in row[:2]} | {*(self.said or ()), *(self.runs or ())}
        texts = [self.text(row) for row in self.rows]
        said = [(name, read_vote_words([name])) for name in names if name]
        words = any(reading.votes or reading.doubt or is_no_vote(name) for name, reading in said)
        same = any(not name or row[0] == row[1] for row in self.rows for name in row[:2])
        return words or same or bool(read_vote_words(texts).doubt)

    @property
    def says_less(self) -> bool:
        """Whether a name stands for nothing, or for a vote where nothing says that it is a name."""
        names = {name for row in self.rows for name in row[:2]}
        if self.form == "columns":
            return "" in names
        winners = {row[2] for row in self.rows if row[2] is not None}
        own = {*(self.said or self.runs or ())}
        words = winners & read_vote_words(sorted(winners)).votes.keys() - own
        numbers = any(name.isdecimal() for name in winners)
        return any(map(is_no_vote, names)) or not winners or (self.form == "winner" and bool(words or numbers))

    def expected(self, rows: list[Row]) -> dict[str, str] | None:
        """What must come out, by query; None where it is asked or refused."""
        letters = {name for row in rows for name in row[:2]}
        if self.form == "sides" and {*map(str.upper, letters)} <= {"A", "B"}:  # they are the sides, and no names
            pair = ("b", "a") if self.said == ("B", "A") else ("a", "b")
            rows = [(a.lower(), b.lower(), winner and winner.lower(), left) for a, b, winner, left in rows]
        elif self.form != "winner":
            pair = twin.pair_of([row[:2] for row in rows], self.said, self.runs)
        else:
            pair = self._pair_of_winners({row[2] for row in rows if row[2] is not None})
        if pair is None:
            return None
        kept = [(f"q{at}", row[2]) for at, row in enumerate(rows) if self.form == "winner" or {*row[:2]} == {*pair}]
        return dict(zip((query for query, _ in kept), twin.seen_from_b((one for _, one in kept), pair), strict=True))

    def _pair_of_winners(self, names: set[str]) -> twin.Pair | None:
        """A and B where only winners are named: each of them is one of the two, letter for letter."""
        models = self.said or self.runs
        contrary = self.said is not None and twin.is_contrary(self.said, self.runs)
        if contrary or models is None or any(twin.side(name, models) is None for name in names):
            return None
        return models[0].strip(), models[1].strip()


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
        expected, content = case.expected(case.rows), case.written(case.rows)
        votes = read(content, case)
        told = (number, case.runs, case.said, content.decode())
        if votes is not None and not case.says_less:
            assert by_query(votes) == expected, told
        if votes is not None and votes.pair is not None:
            assert "pair" in {note.code for note in votes.source.notes}, told
        assert votes is not None or expected is None or case.is_murky, told
        taken, asked = taken + (votes is not None), asked + (expected is None)
        rows = chance.sample(case.rows, len(case.rows))
        again = read(case.written(rows), case)
        assert (again is None) == (votes is None), told
        if again is not None and not case.says_less:
            assert by_query(again) == case.expected(rows), told
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
    """Which of the models of one file is A does not depend on their order: by a pair, by their words, or asked."""
    chance = random.Random(300 + part)
    for _ in range(MODELS):
        names = list(dict.fromkeys(name.strip() for name in chance.choice(FAMILIES) if name.strip()))
        if chance.random() < 0.2:
            names.append("third")
        said = (chance.choice([*names, "other"]), chance.choice(names)) if chance.random() < 0.4 else None
        chosen = []
        for order in (names, names[::-1]):
            rows = [{"model": name, "query_id": "q", "doc_id": f"d{at}", "rank": "1"} for at, name in enumerate(order)]
            try:
                chosen.append(tuple(one.name for one in two_models(rd.read_models(table(rows)), said)))
            except ReadError:
                chosen.append(())
        assert chosen[0] == chosen[1], (names, said)
        if said is not None and said[0] != said[1] and {*said} <= {*names}:
            assert chosen[0] == said
        if said is None and chosen[0]:
            assert (len(names), tuple(map(str.upper, chosen[0]))) == (2, ("A", "B"))


def test_two_names_are_one_text_and_back() -> None:
    """Whatever the names hold - commas, quotes, lines - the text of a pair gives them back; other texts are refused."""
    chance = random.Random(4)
    for family in FAMILIES:
        pair = (family[0].strip() or "x", family[1].strip())
        assert pair_of(pair_text(pair)) == pair
    for _ in range(scaled(100)):
        signs = [chance.choice(' ab,"\n\t;') for _ in range(chance.randint(0, 9))]
        try:
            two = pair_of("".join(signs))
        except ValueError:
            continue
        assert pair_of(pair_text(two)) == two


def test_a_name_is_matched_letter_for_letter() -> None:
    """Another spelling of the name of a model is another name."""
    models = rd.read_models(table([{"model": name, "query_id": "q", "doc_id": "d"} for name in ("GPT-4", "new")]))
    with pytest.raises(ReadError):
        two_models(models, ("gpt 4", "new"))


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
        self.before: list[tuple[State, twin.Voted]] = []  # what undo goes back to

    @property
    def k(self) -> int:
        """The first documents that count."""
        return self.state.policy.cutoff

    def swap(self) -> None:
        """A and B are exchanged on the screen."""
        self.state = replace(self.state, swapped=not self.state.swapped)

    def rename(self) -> None:
        """The models get other names, those of each other too."""
        self.state = replace(self.state, a=self.chance.choice(["new", "x"]), b=self.chance.choice(["old", "y"]))

    def cutoff(self) -> None:
        """Another number of first documents counts."""
        self.state = replace(self.state, policy=rd.Policy(cutoff=self.chance.choice([1, 2, 3])))

    def _done(self, **changes: Any) -> None:
        self.before.append((self.state, self.twin.copy()))
        self.state = replace(self.state, **changes)

    def move(self) -> None:
        """A document is moved in one of the lists."""
        side, now = self.chance.randrange(2), self.twin.lists()
        query = self.chance.choice([*now[side]])
        doc = self.chance.choice(now[side][query])
        before, to = now[side][query].index(doc) + 1, self.chance.randint(1, len(now[side][query]))
        edit = Edit(query, doc, "rank", "ab"[side], before, to)  # type: ignore[arg-type]
        self._done(edits=(*self.state.edits, edit))
        self.twin = self.twin.copy()
        self.twin.moves.append((side, query, doc, to))

    def grade(self) -> None:
        """A grade is changed."""
        self._done(edits=(*self.state.edits, Edit("q0", "d0", "grade", None, None, 2.0)))

    def hold(self) -> None:
        """Somebody says that the votes which are set aside hold."""
        stands = votes_standing(case_of(self.content, replace(self.state, swapped=False)), self.state.policy)
        assert stands is not None
        if stands.open:
            self._done(held=(*self.state.held, *stands.open))
            self.twin = self.twin.copy()
            self.twin.hold(self.k)

    def undo(self) -> None:
        """The last step is taken back, and forgotten."""
        if self.before:
            state, self.twin = self.before.pop()
            self.state = replace(self.state, edits=state.edits, held=state.held)

    def exchange_files(self) -> None:
        """The lists of A are uploaded as B, and the other way round: the edits are gone."""
        self.replace(self.twin.uploaded[::-1])

    def replace(self, both: tuple[twin.Lists, twin.Lists] | None = None) -> None:
        """A list is replaced: by another one, by the same, or by those that people saw."""
        other = some_lists(self.chance, len(self.twin.uploaded[0]))
        a, b = self.twin.uploaded
        a, b = both or self.chance.choice([(other, b), (a, other), (dict(a), dict(b)), self.twin.saw])
        new = Compared((run_of(a, "old"), run_of(b, "newer")), votes=self.content.votes)
        self.content = new.knowing_lists(self.content)
        held = tuple(one for one in self.state.held if not one.query_id)
        self.state = replace(self.state, edits=(), held=held)
        said = {one for one in self.twin.said if one.startswith("({")}
        self.twin = replace(self.twin.copy(), uploaded=(a, b), moves=[], said=said)
        self.before = []

    def check(self) -> None:
        """Whether the votes that count are those of the twin, and nothing is lost."""
        found = votes_standing(case_of(self.content, self.state), self.state.policy)
        assert found is not None
        sign = {"good": 1, "same": 0, "bad": -1}
        counted = {query: sign[vote] for query, vote in by_query(found.votes).items()}
        assert counted == self.twin.counted(self.k, self.state.swapped)
        assert bool(found.open) == (len(counted) < len(self.twin.votes)) == bool(found.notes)
        assert self.content.votes is not None
        assert len(self.content.votes.table) == len(self.twin.votes)


STEPS = ("swap", "rename", "cutoff", "move", "move", "move", "grade", "hold", "undo", "exchange_files", "replace")


@pytest.mark.parametrize("part", PARTS)
def test_votes_count_on_the_lists_that_people_saw(part: int) -> None:
    """After any exchange, renaming, edit, undo and replacement exactly those votes count whose lists stand there, or of
    which somebody said that they hold; the others are kept, and told.
    """
    chance = random.Random(400 + part)
    for _ in range(CHANGES):
        session: Any = Session(chance)
        for name in chance.choices(STEPS, k=chance.randint(1, 12)):
            getattr(session, name)()
            session.check()
