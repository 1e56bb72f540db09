"""Several files at once: what each is taken for, and what part it takes."""

import io
from pathlib import Path

import pytest

from rankdash.intake import Decisions, FileLook, Given, PlacedFile, look, place, read
from rankdash.reading import Problem, ReadError
from rankdash.reading.problems import Choice
from rankdash.reading.recognition import Understood
from rankdash.records import replace
from tests.browsed import judgments_csv, models_csv, queries_csv, run_csv, votes_csv
from tests.reading.made_files import archive, workbook

PARTS_OF_ONE = {"1.csv": run_csv(False), "2.csv": run_csv(True), "3.csv": judgments_csv()}
BROKEN = b'{"q": {"a": 0.31, "b": NaN, "c": 0.74}}'
BARE = b"".join(b"%d 1:0.5 # d%d\n" % (i % 3, i) for i in range(8))


def given(name: str, content: bytes) -> Given:
    """A file in memory."""
    source = io.BytesIO(content)
    source.name = name
    return Given(name, source)


def parts(**files: bytes) -> dict[str, str]:
    """The part of each file, by its name; an underscore before the ending stands for a point."""
    named = {name.replace("__", "."): content for name, content in files.items()}
    looks = [look(given(name, content)) for name, content in named.items()]
    return {name: one.role for name, one in zip(named, place(looks, {}), strict=True)}


def seen(name: str, kind: str = "run") -> FileLook:
    """What a look found of a file that is only a name; "bad" is a run that cannot be read."""
    return FileLook(name, f"{name} {kind}", kind.replace("bad", "run"), error=ReadError(()) if kind == "bad" else None)


def test_each_file_of_a_comparison_gets_its_part() -> None:
    """Two runs, judgments, queries and votes dropped together are told apart by what they hold."""
    named = {"x__csv": judgments_csv(), "y__csv": queries_csv(), "z__csv": votes_csv()}
    found = parts(old__csv=run_csv(False), new__csv=run_csv(True), **named)
    assert found == {"old.csv": "a", "new.csv": "b", "x.csv": "judgments", "y.csv": "queries", "z.csv": "votes"}


@pytest.mark.parametrize(
    ("drops", "roles"),
    [
        ([["one.csv"], ["two.csv"]], "ab"),
        ([["new.csv"], ["two.csv"]], "ba"),
        ([["old.csv", "new.csv"], ["two.csv"]], ["a", "candidate", "b"]),
        ([["old.csv", "new.csv"], ["baseline.csv"]], ["candidate", "b", "a"]),
        ([["one.csv", "two.csv"], ["three.csv", "four.csv"]], ["candidate", "candidate", "b", "candidate"]),
        ([["new.csv"], ["two.csv", "three.csv"]], ["b", "candidate", "candidate"]),
        ([["one.csv", "q:judgments"], ["r:judgments"]], ["a", "none", "judgments"]),
        ([["one.csv", "two.csv"], ["all:models"]], ["none", "none", "both"]),
        ([["old.csv", "new.csv:bad"], ["new.csv"]], ["a", "none", "b"]),
        ([["old.csv", "two.csv:bad"], ["new.csv"]], ["a", "candidate", "b"]),
    ],
)
def test_what_is_dropped_later_wins(drops: list[list[str]], roles: list[str]) -> None:
    """A file dropped after others takes its part first; a run that tells no side is then a new B, and A stays A. One
    that cannot be read goes where it comes again under its name.
    """
    named = [(name.partition(":"), drop) for drop, names in enumerate(drops) for name in names]
    looks = [seen(name, kind or "run") for (name, _, kind), _ in named]
    assert [one.role for one in place(looks, {}, dropped=[drop for _, drop in named])] == [*roles]


@pytest.mark.parametrize(
    ("kind", "side", "why"),
    [("run", "a", "corrected"), ("", "a", "corrected"), ("run", "b", "wished"), ("judgments", "a", "kind")],
)
def test_a_file_takes_the_place_of_its_own_kind_and_model_alone(kind: str, side: str, why: str) -> None:
    """Files of both models may have one name: what is wrong with one is not hidden by the other. What could not even be
    recognised gives way to any.
    """
    bad = replace(seen("x.csv", "bad"), side="a", kind=kind)
    choice = Choice("columns", ("arm",), "model")
    for asks in (None, ReadError([Problem("missing_column", "x.csv", "asks", choice=choice)])):
        assert place([bad, replace(seen("x.csv"), side=side, error=asks)], {}, dropped=[0, 1])[0].why == why


def test_one_file_with_both_models_takes_both_parts() -> None:
    """A combined file is both, and a run beside it is not used."""
    assert parts(all__csv=models_csv(), more__csv=run_csv(True)) == {"all.csv": "both", "more.csv": "none"}


@pytest.mark.parametrize(
    ("names", "roles", "why"),
    [
        (("new.csv", "old.csv"), "ba", "hint"),
        (("b_dense.csv", "title.csv"), "ba", "hint"),
        (("tas-b-v2.trec", "bge-base-v1.5.trec"), "ab", "order"),
        (("run_v2_dense.trec", "run_a_bm25.trec"), "ba", "hint"),
        (("baseline_new.csv", "two.csv"), "ab", "order"),
    ],
)
def test_names_may_tell_which_model_is_which(names: tuple[str, str], roles: str, why: str) -> None:
    """A word for a side in a file's name decides, and is said; names that say both or nothing leave the order."""
    found = place([seen(name) for name in names], {})
    assert ("".join(one.role for one in found), found[0].why) == (roles, why)


@pytest.mark.parametrize(
    ("names", "roles"),
    [
        (("one", "two", "three"), ["candidate", "candidate", "candidate"]),
        (("one", "new", "three"), ["candidate", "b", "candidate"]),
        (("new_1", "new_2", "base"), ["b", "candidate", "a"]),
        (("new_1", "new_2", "other"), ["b", "candidate", "a"]),
        (("e", "d", "a", "c"), ["b", "candidate", "a", "candidate"]),
        (("x_v1", "x_v2", "baseline"), ["b", "candidate", "a"]),
    ],
)
def test_runs_beyond_two_are_further_candidates(names: tuple[str, ...], roles: list[str]) -> None:
    """A is told by its name, by the plainest word for it, or is the only one whose name does not tell B; else nobody
    is, until somebody says so. Of newer files B alone is asked for.
    """
    looks = [seen(name) for name in names]
    found = [one.role for one in place(looks, {})]
    assert found == roles
    newer = [one.role for one in place(looks, {}, alone="b")]
    assert (newer.count("b"), "candidate" in newer) == (1, False)
    assert "a" in [one.role for one in place(looks, {found.index("candidate"): "a"})]
    assert [one.role for one in place(looks, {0: "candidate", 1: "a"})][:2] == ["candidate", "a"]


def test_what_a_person_chose_wins_and_the_others_follow() -> None:
    """A file that is said to be B makes the other one A; one alone is what is asked for."""
    assert [one.role for one in place([seen("x"), seen("y")], {0: "b"})] == ["b", "a"]
    assert [one.role for one in place([seen("x")], {}, alone="b")] == ["b"]
    assert place([seen("x"), seen("y")], {0: "none"})[1].role == "a"


@pytest.mark.parametrize("content", [b"query_id,doc_id,score\nq,a,1\nq,b,1\n", b'{"q": {"a": 1.0, "b": 1.0}}', BROKEN])
def test_lists_on_the_place_of_a_model_are_its_lists(content: bytes) -> None:
    """Scores that may be grades ask nothing there, and leave the judgments that came before in their part. The query
    and the document of a score that is none are named.
    """
    flat = replace(look(given("x.csv", content)), side="b")
    assert [one.role for one in place([seen("q", "judgments"), flat], {}, dropped=[0, 1])] == ["judgments", "b"]
    said = str(read(given("x.csv", content), "run").error)
    assert said.startswith('x.csv: query "q", document "b": the score is NaN') == (content == BROKEN)


def test_what_nobody_named_on_the_place_of_a_model_leaves_judgments_their_part() -> None:
    """Without headings, columns are asked for there, and a file of grades is used."""
    bare = replace(look(given("x.csv", b"tent,d1,0.5,Red\ntent,d2,0.5,Blue\n")), side="b")
    assert [one.role for one in place([bare, seen("q", "judgments")], {}, dropped=[0, 1])] == ["b", "judgments"]


def test_a_copy_of_a_file_is_not_used_and_named() -> None:
    """The same bytes under another name take no part, and the first file is named."""
    looks = [look(given("old.csv", run_csv(False))), look(given("copy.csv", run_csv(False)))]
    assert place(looks, {})[1] == PlacedFile("none", "twin", "old.csv")


@pytest.mark.parametrize("part", ["sheet", "member"])
def test_parts_of_one_file_are_no_copies(part: str) -> None:
    """One file that is given for A, B and the judgments asks each time for its part, and is then each of them; the
    same part twice is a copy. All parts are offered before and after.
    """
    sheets = {name: [line.split(",") for line in rows.decode().splitlines()] for name, rows in PARTS_OF_ONE.items()}
    content = workbook(sheets) if part == "sheet" else archive(PARTS_OF_ONE)
    asked = [look(given("all", content))] * 3
    assert [one.why for one in place(asked, {})] == ["unknown"] * 3
    chosen = [look(given("all", content), Decisions(**{part: name})) for name in PARTS_OF_ONE]
    assert [one.role for one in place(chosen, {})] == ["a", "b", "judgments"]
    assert {one.form.sheets or one.form.members for one in (*asked, *chosen)} == {tuple(PARTS_OF_ONE)}
    assert place([chosen[0], chosen[0]], {})[1].why == "twin_part"


def test_scores_of_a_letor_file_find_their_models() -> None:
    """One number per line is a model's scores where there are as many as lines, and sizes where they add up to them."""
    numbers = b"".join(b"%f\n" % (0.1 * i) for i in range(8))
    other = numbers[::-1][1:] + b"\n"
    files = [("l.svm", BARE), ("scores_b.txt", numbers), ("scores_a.txt", other), ("l.group", b"4\n4\n")]
    looks = [look(given(*file)) for file in files]
    assert [one.role for one in place(looks, {})] == ["judgments", "scores_b", "scores_a", "groups"]
    assert place(looks[1:2], {})[0].why == "no_letor"
    short = look(given("short.txt", b"1.5\n2.5\n"))
    assert place([looks[0], short], {})[1] == PlacedFile("none", "no_fit", "l.svm")


def test_a_reading_tells_what_it_understood() -> None:
    """Format, encoding, headings, what they mean, and the words of grades come with the table."""
    content = "検索,品番,判定\nq,a,良\nq,b,悪\n".encode("cp932")
    decisions = Decisions(
        encoding="Shift_JIS",
        columns=(("query_id", "検索"), ("doc_id", "品番"), ("relevance", "判定")),
        grades=(("良", 1.0), ("悪", 0.0)),
    )
    file = given("x.csv", content)
    first = look(file, decisions)
    found = read(file, "judgments", decisions, form=first.form)
    assert found.error is None
    assert (found.understood.format, found.understood.encoding) == ("CSV", "Shift_JIS")
    assert found.understood.headings == ("検索", "品番", "判定")
    assert dict(found.understood.columns)["relevance"] == "判定"
    assert found.understood.words == ("良", "悪")


def test_a_broken_run_is_still_a_run() -> None:
    """Bad cells do not make a file something else: it is refused as what its columns say."""
    broken = look(given("x.csv", b"query_id,doc_id,rank\nq,a,1\nq,b,great\n"))
    assert (broken.kind, broken.choices) == ("run", ())
    assert look(given("x.csv", b"query_id,rank\nq,1\n")).choices[0].key == "doc_id"


def test_what_is_no_table_is_told_and_not_raised() -> None:
    """A pickle, an empty file and a letter are looked at without an exception; lines are queries if a name says so."""
    assert look(given("queries.txt", b"red shoes\nblue\n")).kind == "queries"
    for content in (b"\x80\x04\x95abc", b"", b"Dear all\nplease find attached\n"):
        found = look(given("x", content))
        assert found.kind == ""
        assert found.error is not None
        assert found.form == Understood() or found.form.encoding


@pytest.mark.parametrize("content", [run_csv(False), archive({"a.csv": run_csv(False), "b.csv": run_csv(True)})])
def test_a_path_is_read_like_an_upload(tmp_path: Path, content: bytes) -> None:
    """A file given by its path has the same digest and kind as its bytes, or the same members to choose from."""
    path = tmp_path / "old.csv"
    path.write_bytes(content)
    looks = look(Given("old.csv", path)), look(given("old.csv", content))
    assert len({(one.kind, one.digest, one.form, str(one.error)) for one in looks}) == 1


@pytest.mark.parametrize("content", [b"1" * 100_000, b"9\n" + b"1" * 5_000, b"1\n2\n" + b"x" * 9])
def test_a_number_longer_than_any_size_is_no_size(content: bytes) -> None:
    """A file of numbers is looked at however long its numbers are; only counts can be the sizes of groups."""
    assert look(given("sizes.txt", content)).total is None


@pytest.mark.parametrize(
    ("a", "b", "pair"),
    [
        ("CHATGPT", "VICUNA13B", ("CHATGPT", "VICUNA13B")),
        ("VICUNA13B", "CHATGPT", ("VICUNA13B", "CHATGPT")),
        ("chatgpt", "Vicuna13b", None),
        ("CHATGPT", "other", None),
        ("chatgpt", "CHATGPT", None),
        ("old", "new", None),
    ],
)
def test_the_names_of_the_models_answer_which_pair_votes_are_about(
    a: str, b: str, pair: tuple[str, str] | None
) -> None:
    """Votes that name the winner, CHATGPT or VICUNA13B, ask nothing where the runs are called so, in either order."""
    winners = b"query_id,winner\nq1,CHATGPT\nq2,VICUNA13B\nq3,tie\nq4,CHATGPT\n"
    assert read(Given("votes.csv", winners), "votes").error is not None
    found = read(Given("votes.csv", winners), "votes", models=(a, b))
    assert (found.error is None) is (pair is not None)
    if pair is not None:
        table = found.table
        assert table.pair == pair
        seen = ["bad", "good", "same", "bad"] if pair[1] == "VICUNA13B" else ["good", "bad", "same", "good"]
        assert table.table.column("vote").to_pylist() == seen


def test_what_is_decided_of_a_file_that_asks_is_decided_of_its_bytes() -> None:
    """Two archives that ask for one of their files have digests of their own, so that neither takes the other's
    answer when one of them is removed.
    """
    looks = [
        look(given(name, archive({"1.csv": run_csv(later), "2.csv": run_csv(True)})))
        for name, later in (("x.zip", False), ("y.zip", True))
    ]
    assert all(one.choices or one.error for one in looks)
    assert len({one.digest for one in looks} | {""}) == 3
