"""Files in, without a browser: what the drop zone understands, asks and refuses, and what the data page corrects."""

from __future__ import annotations

import hashlib

from streamlit.testing.v1 import AppTest

import rankdash as rd
from rankdash.report.json import to_dict
from rankdash.style import reading as words
from tests.browsed import judgments_csv, run_csv
from tests.dashboard.test_pages import DATA_PAGE, FILES, app, control, texts, upload
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


def token(content: bytes) -> str:
    """What stands for a file in the keys of its widgets."""
    return hashlib.sha256(content).hexdigest()[:8]


def dropped(*files: tuple[str, bytes]) -> AppTest:
    """The page without a comparison, with files in its drop zone."""
    at = app()
    at.query_params["c"] = "lost"
    at = upload(at.run(), "lost", {str(i): file for i, file in enumerate(files)})
    assert not at.exception
    return at


def compared(at: AppTest, place: str = "lost") -> AppTest:
    """The same after the button was pressed, on the data page."""
    assert not at.button(key=f"{place}_compare").disabled
    at.button(key=f"{place}_compare").click().run()
    assert not at.exception
    return at.switch_page(DATA_PAGE).run()


def role(at: AppTest, content: bytes) -> str:
    """The part that a file was given."""
    return str(control(at, f"lost_role_{token(content)}").value)


def cells(at: AppTest) -> list[str]:
    """Every cell of every table, without escapes."""
    found = [cell for table in at.table for cell in table.value.to_numpy().ravel()]
    return [str(cell).replace("\\", "").replace("\u2060", "") for cell in found]


def test_columns_with_unknown_names_are_asked_for_and_noted() -> None:
    """Choosing the query and document makes the file a run; the choice stands in the notes of the data page."""
    at = dropped(A, ("other.csv", UNKNOWN), Q)
    name = token(UNKNOWN)
    for meaning, heading in (("query_id", "alpha"), ("doc_id", "beta")):
        control(at, f"lost_column_{meaning}_{name}").set_value(heading).run()
    assert role(at, UNKNOWN) == "b"
    at.button(key=f"lost_more_{name}").click().run()
    control(at, f"lost_column_rank_{name}").set_value("delta").run()
    at = compared(at)
    assert 'Column "delta" was read as the rank, as asked.' in texts(at)
    assert "alpha → query_id, beta → doc_id, delta → rank" in cells(at)


def test_words_for_grades_are_given_numbers() -> None:
    """Words of no known scale are asked for one by one; what they are worth is in the notes and in the JSON."""
    at = dropped(A, B, ("words.csv", WORDS))
    name = token(WORDS)
    for place, grade in enumerate((0.0, 3.0)):
        control(at, f"lost_grade_{place}_{name}").set_value(grade).run()
    at = compared(at)
    assert "Words were read as grades: top = 3, nah = 0, as asked." in texts(at)
    comparison = rd.compare(rd.read_run(A[1]), rd.read_run(B[1]), rd.read_judgments(WORDS, grades={"top": 3, "nah": 0}))
    notes = to_dict(comparison, rd.decide(comparison))["inputs"]["judgments"]["notes"]
    assert all(note["text"] in texts(at) for note in notes)


def test_a_sheet_and_a_file_of_an_archive_are_chosen() -> None:
    """A workbook with two sheets and an archive with two files ask; the choice is read, and noted."""
    packed = archive({"new.csv": run_csv(True), "old.csv": run_csv(False)})
    at = dropped(A, ("runs.zip", packed), ("grades.xlsx", SHEETS))
    assert at.button(key="lost_compare").disabled
    control(at, f"lost_member_{token(packed)}").set_value("new.csv").run()
    control(at, f"lost_sheet_{token(SHEETS)}").set_value("2024").run()
    assert control(at, f"lost_role_{token(packed)}").value == "b"
    at = compared(at)
    assert 'The file "new.csv" of the archive was read' in texts(at)
    assert 'The sheet "2024" was read, as asked.' in texts(at)


def test_each_problem_of_a_file_is_one_sentence() -> None:
    """Thirty bad cells: twenty sentences with row, column, find and remedy, and how many there are."""
    bad = b"query_id,doc_id,rank\n" + b"".join(b"q%d,d,%s\n" % (i, b"great") for i in range(30))
    at = dropped(A, ("bad.csv", bad), Q)
    said = [text.value for text in at.text]
    assert len(said) == 20
    assert said[0].startswith('Row 2, column "rank": "great" is not a number. Use')
    assert words.PROBLEMS_SHOWN.format(shown=20, count="30") in texts(at)
    assert words.NEEDS["refused"] in texts(at)


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
    """Judgments whose queries begin with Q are told before anything is compared, and nothing is opened."""
    at = dropped(A, B, ("q.csv", judgments_csv().replace(b"\nq", b"\nQ")))
    assert any("in upper and lower case" in error.value.replace("\\", "") for error in at.error)
    assert at.button(key="lost_compare").disabled
    assert not at.metric


def test_a_newer_file_replaces_only_its_part() -> None:
    """On the data page one run is a new B, and everything else stays."""
    at = compared(dropped(A, B, Q))
    newer = run_csv(True).replace(b",d7-", b",e7-")
    at = compared(upload(at, "replace", {"b": ("third.csv", newer)}), "replace")
    assert {"old", "third", "q.csv"} <= set(cells(at))


def test_a_file_is_corrected_after_it_was_opened() -> None:
    """Another order is read without dropping the file again, and stands on the card; until then nothing changes."""
    scored = run_csv(True).replace(b"title,rank", b"score,rank").replace(b",Title of d", b",1")
    scored = b"\n".join(
        line
        if b"rank" in line
        else b",".join([*line.split(b",")[:3], line.rsplit(b",", 1)[1], line.rsplit(b",", 1)[1]])
        for line in scored.split(b"\n")
    )
    at = compared(dropped(A, ("new.csv", scored), Q))
    at.button(key="correct_b").click().run()
    assert at.button(key="correct_apply").disabled
    control(at, f"correct_order_{token(scored)}").set_value("score")
    at.button(key="correct_b").click().run()
    at.button(key="correct_apply").click()
    at.button(key="correct_b").click().run()
    assert not at.exception
    at = at.switch_page(DATA_PAGE).run()
    assert "The lists are ordered by score, not by rank, as asked." in texts(at)
    assert "new" in cells(at)
