"""Files and typed lists in, without a browser: what is understood, asked and refused, and what Data corrects."""

import hashlib
import re
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

import rankdash as rd
from rankdash.dashboard.navigation import SCRIPTS
from rankdash.dashboard.parts import dropzone
from rankdash.intake import Given
from rankdash.style import editing, reading as words, verdict as verdict_words
from tests.browsed import judgments_csv, run_csv, votes_csv
from tests.dashboard.records import held
from tests.dashboard.test_pages import FILES, control, inputs, lost, opened_at, press_inside, put_on, texts, upload
from tests.reading.made_files import archive, workbook

A, B, Q = FILES["a"], FILES["b"], FILES["judgments"]
UNKNOWN = run_csv(True).replace(b"query_id,query,doc_id,title,rank", b"alpha,omega,beta,gamma,delta")
SHEETS = workbook(
    {
        year: [
            ["query_id", "doc_id", "grade"],
            *([f"q{q}", f"d{q}-{i}", int(i == best)] for q in range(50) for i in range(4)),
        ]
        for year, best in (("2024", 2), ("2025", 1))
    }
)
WORDS = b"query_id,doc_id,relevance\n" + b"".join(
    b"q%d,d%d-%d,%s\n" % (q, q, i, b"top" if i == 2 else b"nah") for q in range(50) for i in range(4)
)
FAR = judgments_csv().replace(b",2", b",9")  # a grade far above all others


def token(content: bytes) -> str:
    """What stands for a file in the keys of its widgets."""
    return hashlib.sha256(content).hexdigest()[:8]


def dropped(*files: tuple[str, bytes]) -> AppTest:
    """The page without a comparison, with files in its drop zone."""
    return upload(lost(), "lost", {str(i): file for i, file in enumerate(files)})


def compared(at: AppTest, place: str = "lost") -> AppTest:
    """The same after the button was pressed, on the data page."""
    assert not at.button(key=f"{place}_compare").disabled
    at.button(key=f"{place}_compare").click().run()
    return at.switch_page(SCRIPTS["data"]).run()


def role(at: AppTest, content: bytes) -> str:
    """The part that a file was given."""
    return str(control(at, f"lost_role_{token(content)}").value)


@pytest.mark.parametrize("removed", [0, 3, 250])
def test_what_users_have_seen_leaves_both_lists(removed: int) -> None:
    """A file with that part takes its pairs out of both lists before anything is compared, and Data says how many; a
    list of which nothing is left is an error of its own file. The grades of that file are no judgments.
    """
    rows = A[1].splitlines()[1:]
    pairs = [row.split(b",") for row in rows]
    user, doc = (A[1].splitlines()[0].split(b",").index(name) for name in (b"query_id", b"doc_id"))
    seen = [b"user,item,rating", b"u,none,5", *(b",".join((pair[user], pair[doc], b"0")) for pair in pairs[:removed])]
    file = ("seen.csv", b"\n".join(seen))
    at = dropped(A, B, Q, file)
    control(at, f"lost_role_{token(file[1])}").set_value("seen").run()
    assert "There are no grades" not in texts(at)
    if removed == len(pairs):
        assert at.button(key="lost_compare").disabled
        return
    case = held(compared(at)).case
    assert [len(run.table) for run in case.runs] == [len(pairs) - removed] * 2
    assert len(case.judgments.table) == len(Q[1].splitlines()) - 1
    assert (f"{removed} of {len(pairs)} rows" in texts(at)) == bool(removed)


def test_columns_with_unknown_names_are_asked_for_and_noted() -> None:
    """Choosing the query and document makes the file a run; the choice stands in the notes of the data page."""
    at = dropped(A, ("other.csv", UNKNOWN), Q)
    name = token(UNKNOWN)
    for meaning, heading in (("query_id", "alpha"), ("doc_id", "beta")):
        control(at, f"lost_column_{meaning}_{name}").set_value(heading).run()
    assert role(at, UNKNOWN) == "b"
    at.toggle(key=f"lost_more_{name}").set_value(True).run()
    control(at, f"lost_column_rank_{name}").set_value("delta").run()
    at = compared(at)
    assert 'Column "delta" was read as the rank.' in texts(at)
    assert "alpha → query_id, beta → doc_id, delta → rank" in texts(at)


def test_interactions_with_a_further_number_may_have_no_grade() -> None:
    """Beside a user and an item, seconds of reading are no grade: “No column” says that each row is relevant."""
    users = [(name, content.replace(b"query_id,query,", b"user_id,text,")) for name, content in (A, B)]
    clicks = b"user_id,item_id,seconds\nq0,d0-1,40\nq1,d1-0,7\nq2,d2-0,90\n"
    at = dropped(*users, ("clicks.csv", clicks))
    control(at, f"lost_role_{token(clicks)}").set_value("judgments").run()
    control(at, f"lost_column_relevance_{token(clicks)}").set_value("No column").run()
    assert held(compared(at)).case.judgments.array("relevance").to_pylist() == [1, 1, 1]


@pytest.mark.parametrize(("names", "warns"), [(("new", "old"), True), (("old", "new"), False), (("new", "x"), False)])
def test_files_on_each_others_places_are_a_warning(names: tuple[str, str], warns: bool) -> None:
    """What is called new on the place of A, and old on that of B, is compared as it was dropped, and said."""
    at = lost()
    for place, name, content in zip(("files", "files_b"), names, (A[1], B[1]), strict=True):
        put_on(at, f"lost_{place}", (f"{name}.csv", content))
    assert bool(put_on(at, "lost_files_judgments", Q).warning) == warns


def test_what_is_said_of_one_file_holds_for_another_that_asks_the_same_until_it_is_asked_itself() -> None:
    """Two files with the same unknown headings are answered once; an answer to the second leaves the first alone."""
    other = UNKNOWN.replace(b"q", b"r")
    at = dropped(("one.csv", UNKNOWN), ("two.csv", other), Q)
    first, second = token(UNKNOWN), token(other)
    for meaning, heading in (("query_id", "alpha"), ("doc_id", "beta")):
        control(at, f"lost_column_{meaning}_{first}").set_value(heading).run()
    assert (control(at, f"lost_column_doc_id_{second}").value, role(at, other)) == ("beta", "b")
    control(at, f"lost_column_doc_id_{second}").set_value("gamma").run()
    assert control(at, f"lost_column_doc_id_{first}").value == "beta"
    assert control(at, f"lost_column_doc_id_{second}").value == "gamma"


@pytest.mark.parametrize(
    ("content", "do"),
    [
        (UNKNOWN, ""),
        (run_csv(True).replace(b"Title", "Имя".encode("cp1251")), ""),
        (b"query,rank,bm25,hybrid\nq1,1,a,b\nq1,2,b,a\n", "write a row for each document"),
        (b"query,item,anna,ben\nq,a,3,2\nq,b,0,1\nr,a,1,2\n", "a single grade"),
    ],
)
def test_a_file_that_asks_is_in_the_way_until_it_is_answered_or_left_out(content: bytes, do: str) -> None:
    """Whatever it asks, and whether or not the comparison needs it; a column for each model or rater is told apart."""
    at = dropped(A, B, ("other.csv", content))
    assert at.button(key="lost_compare").disabled
    assert do in texts(at)
    control(at, f"lost_role_{token(content)}").set_value("none").run()
    assert not at.button(key="lost_compare").disabled


@pytest.mark.parametrize(
    ("content", "part", "why"),
    [
        (B[1], "b", words.WHY["elsewhere"].format(about=words.KIND["run"])),
        (b"user_id,item_id,datetime\nu1,i1,2026-01-01\nu1,i2,2026-01-02\n", "judgments", "Each row"),
        (b"%PDF-1.4", "none", words.WHY["unknown"]),
    ],
)
def test_a_file_on_the_place_of_another_kind_says_what_it_holds(content: bytes, part: str, why: str) -> None:
    """A run on the place of judgments is B, with the reason; what users did are judgments; no table is refused."""
    at = put_on(dropped(A), "lost_files_judgments", ("new", content))
    assert why in texts(at)
    assert role(at, content) == part


@pytest.mark.parametrize("place", ["", "judgments"])
@pytest.mark.parametrize("others", [("score", "score"), ("rank", "score"), ("", "")])
def test_pairs_alone_beside_lists_with_ranks_or_scores_are_judgments(place: str, others: tuple[str, ...]) -> None:
    """Dropped in one go, on any place; pairs called seen are seen items. Where no list has more, all are lists."""
    rows = [(user, item) for user in range(9) for item in range(9)]
    lists = {
        f"{at}.csv": "\n".join(
            [f"user_id,item_id{by and ','}{by}", *(f"u{u},i{i + at}{by and f',{9 - i}'}" for u, i in rows)]
        )
        for at, by in enumerate(others)
    }
    pairs = {f"{name}.csv": f"user_id,item_id,timestamp\nu1,{name},1\n" for name in ("held", "seen")}
    files = {name: content.encode() for name, content in (pairs | lists).items()}
    at = put_on(lost(), f"lost_files{place and '_'}{place}", *files.items())
    found = [role(at, files[name]) for name in (*lists, *pairs)]
    assert found == ["a", "b", "judgments", "seen"] if any(others) else ("judgments" in found) == bool(place)


@pytest.mark.parametrize(("name", "own"), [("more", "time"), ("SEEN_2026", "time"), ("watched", "last_watched")])
@pytest.mark.parametrize(("when", "part"), [("first", "none"), ("later", "none"), ("on its place", "seen")])
def test_pairs_alone_are_no_judgments_beside_a_file_of_grades(when: str, part: str, name: str, own: str) -> None:
    """In whichever order they come; called seen or watched, or alone on the place for seen items, they are such items;
    those with such a name have any further columns but numbers of lists.
    """
    rows = f"user_id,item_id,{own}\nu1,i1,2026-01-01\nu1,i2,2026-01-02\n".encode()
    pairs = (f"{name}.csv", rows)
    at = dropped(pairs, A, B, Q) if when == "first" else dropped(A, B, Q)
    if when == "later":
        put_on(at, "lost_files", A, B, Q, pairs)
    if when == "on its place":
        put_on(at, "lost_files_more", pairs)
    assert [role(at, content) for _, content in (Q, pairs)] == ["judgments", part if name == "more" else "seen"]


def test_words_for_grades_are_given_numbers() -> None:
    """Words of no known scale are asked for one by one; what they are worth is in the notes."""
    at = dropped(A, B, ("words.csv", WORDS))
    name = token(WORDS)
    for place, grade in enumerate((0.0, 3.0)):
        control(at, f"lost_grade_{place}_{name}").set_value(grade).run()
    at = compared(at)
    assert "top = 3, nah = 0" in texts(at)
    assert held(at).case.judgments.table.column("relevance").unique().to_pylist() == [0, 3]


def test_parts_of_archives_and_workbooks_are_asked_for_and_corrected_one_by_one() -> None:
    """An archive that is dropped twice gives A and B, in any order of the answers; a workbook gives a sheet."""
    packed = archive({"y.csv": run_csv(True), "x.csv": run_csv(False), "z.csv": run_csv(False)})
    at = dropped(("runs.zip", packed), ("runs.zip", packed), ("grades.xlsx", SHEETS))
    assert at.button(key="lost_compare").disabled
    zipped, sheet = f"member_{token(packed)}", f"sheet_{token(SHEETS)}"
    for control_of, part in ((f"{zipped}_2", "y.csv"), (zipped, "x.csv"), (sheet, "2024")):
        control(at, f"lost_{control_of}").set_value(part).run()
    at = compared(at)
    assert 'The file "y.csv" of the archive was read' in texts(at)
    for slot, control_of, part in (("a", zipped, "x.csv"), ("b", zipped, "y.csv"), ("judgments", sheet, "2024")):
        at.button(key=f"correct_{slot}").click().run()
        assert control(at, f"correct_{control_of}").value == part


@pytest.mark.parametrize(("first", "second"), [("B", "A"), ("BM25", "dense"), ("dense", "old run")])
def test_a_workbook_of_two_models_is_read_whole(first: str, second: str) -> None:
    """A, B and judgments are dropped once, without what tells about them, and each sheet is corrected alone; A is the
    sheet whose name says so, or the first, and is called by it. Of many parts one is asked for.
    """
    many = archive({name: run_csv(False) for name in ("a.csv", "b.csv", *map(str, range(words.MOST_PARTS)))})
    assert control(dropped(("many.zip", many)), f"lost_member_{token(many)}")
    parts = {"README": b"B is new\n", first: run_csv(True), second: run_csv(False), "judgments": judgments_csv()}
    book = workbook({name: [line.split(",") for line in part.decode().splitlines()] for name, part in parts.items()})
    at = compared(dropped(("new_over_old.xlsx", book)))
    assert {*held(at).case.tables} == {"a", "b", "judgments"}
    a, b = (first, second) if first == "BM25" else (second, first)
    assert (held(at).case.a.name, held(at).case.b.name) == (a, b)
    at.button(key="correct_b").click().run()
    assert control(at, f"correct_sheet_{token(book)}").value == b


@pytest.mark.parametrize("judged", [WORDS.replace(b"top", b"good").replace(b"nah", b"bad"), FAR, judgments_csv()])
def test_a_warning_that_names_the_card_of_a_file_says_where_there_is_one(judged: bytes) -> None:
    """After a reload the file is not there, and nothing can be corrected before it is dropped again; also where the
    mistake is one between files.
    """
    at = opened_at(SCRIPTS["data"], replace(inputs(), judgments=rd.read_judgments(judged)))
    assert (words.CORRECT_AGAIN in texts(at)) is (judged != judgments_csv())


def test_each_problem_of_a_file_is_one_sentence() -> None:
    """Thirty bad cells: one sentence for each find, with row, column and remedy, and how many more there are."""
    bad = b"query_id,doc_id,rank\n" + b"".join(b"q%d,d,%s\n" % (i, b"great" if i else b"no") for i in range(30))
    at = dropped(A, ("bad.csv", bad), Q)
    first, second, more = (text.value for text in at.text)
    assert first.startswith('Row 2, column "rank": "no" is not a number. Use')
    assert (second[:6], more) == ("Row 3,", "And 28 more problems.")
    assert words.NEEDS["refused"].format(file="bad.csv") in texts(at)


def test_judgments_that_are_said_to_be_a_run_are_noticed() -> None:
    """Qrels as model A cannot be read and say so; a table of grades asks what orders it, and can be told."""
    qrels = b"".join(b"q%d 0 d%d-2 1\n" % (q, q) for q in range(50))
    table = judgments_csv() + b"\nq0,d0-9,1"
    for content in (qrels, table):
        at = dropped(B, ("labels.txt", content), Q)
        control(at, f"lost_role_{token(content)}").set_value("a").run()
        assert at.button(key="lost_compare").disabled
    control(at, f"lost_order_{token(table)}").set_value("position").run()
    assert not at.error
    assert not at.button(key="lost_compare").disabled


def test_ids_that_almost_match_are_refused_with_what_differs() -> None:
    """Judgments whose queries begin with Q are told before anything is compared, above the files. Nothing is opened."""
    at = dropped(A, B, ("q.csv", judgments_csv().replace(b"\nq", b"\nQ")))
    kinds = [element.type for element in at.main]
    assert kinds.index("error") < kinds.index("selectbox")
    assert any("in upper and lower case" in error.value.replace("\\", "") for error in at.error)
    assert at.button(key="lost_compare").disabled
    assert not at.metric


def test_a_newer_file_replaces_only_its_part() -> None:
    """On the data page one run is a new B, and everything else stays."""
    at = compared(dropped(A, B, Q))
    newer = run_csv(True).replace(b",d7-", b",e7-")
    at = compared(upload(at, "replace", {"b": ("third.csv", newer)}), "replace")
    assert all(name in texts(at) for name in ("old:", "third:", "q.csv"))


def test_the_rows_are_of_the_model_that_is_corrected() -> None:
    """Of one file with both models the first rows are those of A for A, and those of B for B."""
    rows = [f"q{q},{model},{rank},{model}-{rank},{rank % 2}" for q in range(30) for model in "AB" for rank in (1, 2)]
    at = compared(dropped(("both.csv", "\n".join(["query_id,model,rank,doc_id,relevance", *rows]).encode())))
    for slot in "ab":
        at.button(key=f"correct_{slot}").click().run()
        assert at.dataframe[0].value["doc_id"][0] == f"{slot.upper()}-1"


def test_a_file_is_corrected_after_it_was_opened() -> None:
    """Another order is read without dropping the file again, and stands on the card; until then nothing changes."""
    rows = [b"q%d,d%d-%d,%d,%d\n" % (q, q, i, i, i + 1) for q in range(50) for i in range(5)]
    scored = b"query_id,doc_id,score,rank\n" + b"".join(rows)
    at = compared(dropped(A, ("new.csv", scored), Q))
    at.button(key="correct_b").click().run()
    assert at.button(key="correct_apply").disabled
    control(at, f"correct_order_{token(scored)}").set_value("score")
    at.button(key="correct_b").click().run()
    press_inside(at, "correct_b", "correct_apply")
    at = at.switch_page(SCRIPTS["data"]).run()
    assert "The lists are ordered by score, not by rank, as asked." in texts(at)
    assert "new" in texts(at)


#: The same judgments with 0 before the number of each query, and lists without it.
PADDED = re.sub(rb"(?m)^q(?=\d)", b"0", Q[1])
BARE = {side: re.sub(rb"(?m)^q(?=\d)", b"", FILES[side][1]) for side in "ab"}


def test_ids_that_match_as_numbers_are_matched_by_a_click_and_as_written_by_another() -> None:
    """Queries 01 and 1 cannot be compared; a click matches them, with a warning on every file, and on the data page
    another click reads every file as it is written, where nothing matches: it is refused, and what is open stays.
    """
    at = dropped(("old.csv", BARE["a"]), ("new.csv", BARE["b"]), ("q.csv", PADDED))
    assert at.button(key="lost_compare").disabled
    at.button(key="lost_match_ids").click().run()
    assert not at.error
    at = compared(at)
    case = held(at).case
    assert all(table.source.has("ids_as_numbers") for table in case.tables.values())
    assert texts(at).count("as asked: 001 and 1.0 are 1.") == 3
    at.button(key="match_ids").click().run()
    assert held(at).case == case


def test_ids_that_match_in_part_are_mended_on_the_data_page() -> None:
    """A few queries of the judgments are written 07: the comparison opens without them, a click counts them."""
    few = Q[1].replace(b"\nq", b"\n").replace(b"\n7,", b"\n07,")
    at = compared(dropped(("old.csv", BARE["a"]), ("new.csv", BARE["b"]), ("q.csv", few)))
    before = held(at).case
    at.button(key="match_ids").click().run()
    at = at.switch_page(SCRIPTS["data"]).run()
    assert "07" not in held(at).case.judgments.table.column("query_id").unique().to_pylist()
    at.button(key="match_ids").click().run()
    assert held(at).case == before


def test_two_ids_that_are_one_number_are_refused() -> None:
    """Where 01 and 1 are two queries of a file, they are not made one: the file is refused, and can be read again."""
    at = dropped(("old.csv", BARE["a"]), ("new.csv", BARE["b"]), ("q.csv", PADDED + b"\n1,d1-0,1"))
    for is_refused in (True, False):
        at.button(key="lost_match_ids").click().run()
        assert (words.NEEDS["refused"].format(file="q.csv") in texts(at)) is is_refused


def test_a_list_that_is_dropped_alone_is_that_of_its_place() -> None:
    """One file on the place of B is B, whatever its name says; judgments there are judgments; several files on any
    place are sorted by what they hold, and a later list takes the place of an earlier one.
    """
    at = lost()
    for file, part in ((A, "b"), (Q, "judgments")):
        assert role(put_on(at, "lost_files_b", file), file[1]) == part
    at = dropped(A, B, Q)
    assert [role(at, content) for _, content in (A, B, Q)] == ["a", "b", "judgments"]


def test_pairs_on_the_place_of_judgments_are_judgments() -> None:
    """Documents without order or grades, as users clicked them, alone or two files at once: never lists."""
    clicks = [(f"{n}.csv", f"user_id,item_id\nu{n},a\nu{n},b\n".encode()) for n in (1, 2)]
    for files, parts in ((clicks[:1], ["judgments"]), (clicks, ["judgments", "none"])):
        at = put_on(lost(), "lost_files_judgments", *files)
        assert [role(at, content) for _, content in files] == parts


def test_grades_of_words_are_proposed_and_used_by_a_click() -> None:
    """Words of no scale that are known by themselves get grades in ascending order, 0 only for what is irrelevant."""
    some = (
        WORDS.replace(b"top", b"Very good").replace(b"nah", b"off-topic").replace(b"q1,d1-0,off-topic", b"q1,d1-0,ok")
    )
    at = dropped(A, B, ("words.csv", some))
    at.button(key=f"lost_use_grades_{token(some)}").click().run()
    at = compared(at)
    grades = held(at).case.judgments.table.column("relevance").unique().to_pylist()
    assert sorted(grades) == [0, 1, 2]
    assert "Very good = 2" in texts(at)


def test_a_list_on_the_place_of_judgments_takes_no_part_from_a_model() -> None:
    """Lists on the places of A and B stay there, whatever is dropped later on another place."""
    other = run_csv(True).replace(b"d7-", b"e7-")
    at = lost()
    for place, file in (("files", A), ("files_b", B), ("files_judgments", ("third.csv", other))):
        put_on(at, f"lost_{place}", file)
    assert [role(at, content) for content in (A[1], B[1], other)] == ["a", "b", "none"]
    assert words.WHY["ungraded"] in texts(at)


def test_every_file_is_looked_at_and_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """From the drop to the data page each file is sent to its reader once; votes, which need names of lists, twice."""
    calls: Counter[tuple[str, str]] = Counter()

    def counting(call: str, do: Any) -> Any:
        def counted(given: Given, *args: Any, **how: Any) -> Any:
            calls[call, given.name] += 1
            return do(given, *args, **how)

        return counted

    for call in ("look", "look_and_read", "read"):
        monkeypatch.setattr(dropzone, call, counting(call, getattr(dropzone, call)))
    files = (A, B, Q, ("votes.csv", votes_csv()))
    compared(dropped(*files).run())
    assert calls == {**{("look_and_read", name): 1 for name, _ in files}, ("read", "votes.csv"): 1}


@pytest.mark.parametrize("rows", [b"q1,d2\n", b"q1,d2,2,5\n"])
def test_a_row_of_another_length_is_named_and_asks_for_no_grades(rows: bytes) -> None:
    """Lists with a cell too few or too many are refused with the row, and not taken for judgments."""
    broken = b"query_id,doc_id,rank\nq1,d1,1\n" + rows
    at = dropped(A, ("broken.csv", broken))
    assert any(text.value.startswith("Row 3: ") for text in at.text)
    assert role(at, broken) == "none"


def test_a_card_asks_for_columns_of_what_the_file_is_alone() -> None:
    """A file that is said to be items is not asked for a grade that it was asked for as judgments."""
    content = b"doc_id,user,watched,Ada\nx,q,3,2\ny,q,0,0\nx,r,1,2\n"
    at = dropped(("labels.csv", content))
    asked = [found.label for found in at.selectbox]
    assert "Grade" in asked, asked
    at = control(at, f"lost_role_{token(content)}").set_value("items").run()
    assert "Grade" not in [found.label for found in at.selectbox]


@pytest.fixture
def door() -> AppTest:
    """The way to a new comparison, with the door for typing open."""
    return lost()


def cells(at: AppTest) -> str:
    """Every cell of every table."""
    return " ".join(str(cell) for table in at.table for cell in table.value.to_numpy().ravel()).replace("\\", "")


def test_a_typed_list_shows_its_numbers_and_the_calculation(door: AppTest) -> None:
    """One list is enough for CG, DCG, IDCG, nDCG, P and AP, and the sum is worked out rank by rank."""
    door.text_area(key="typed_a").set_value("3 2 3 0 1 2").run()
    found = cells(door) + texts(door)
    for value in ("11.000", "6.861", "7.141", "0.961", "0.833"):
        assert value in found
    assert "0.6309" in found  # the discount of rank 2
    assert "Without names, each list is scored against its own best order." in texts(door)
    door.button(key="typed_compare").click().run()  # always open, so that the click that leaves a field counts
    assert editing.TYPED_NEEDS["b"] in texts(door)


def test_a_wrong_token_is_told_at_once(door: AppTest) -> None:
    """List and token stand in the sentence, and nothing can be compared."""
    door.text_area(key="typed_a").set_value("d1:3 2").run()
    door.button(key="typed_compare").click().run()
    assert any('List A: "2"' in text.value for text in door.text)
    assert editing.TYPED_NEEDS["nothing"] in texts(door)


def test_names_are_compared_without_grades(door: AppTest) -> None:
    """Lists of names open as two lists without judgments, whose documents the page Label offers."""
    door.text_area(key="typed_a").set_value("Running shoes 15, Rain jacket, doc3").run()
    door.text_area(key="typed_b").set_value("Rain jacket, Running shoes 15, Hat").run()
    door.button(key="typed_compare").click().run()
    assert "1 query" in texts(door)
    label = door.switch_page(str(SCRIPTS["label"])).run()
    assert [one for one in label.button if str(one.key).startswith("label_grade")]


@pytest.mark.parametrize(
    ("typed", "counts", "delta"),
    [
        ("good, same, bad, bad", "1 good · 1 same · 2 bad", "−25.0%"),
        ("good good same", "2 good · 1 same · 0 bad", "+66.7%"),
    ],
)
def test_votes_can_be_typed_without_lists(door: AppTest, typed: str, counts: str, delta: str) -> None:
    """Words, counts or ids with votes are counted at once where the fields of lists are empty, and open alone."""
    door.text_area(key="typed_votes").set_value(typed).run()
    assert (door.metric[0].value, door.metric[0].delta) == (delta, counts)
    door.button(key="typed_compare").click().run()
    assert verdict_words.VOTES_ONLY_WHY in texts(door)
    assert (door.metric[0].value, door.metric[0].delta) == (delta, counts)
