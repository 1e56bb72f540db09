"""Cells as ids, numbers and grades: what is read as what, what is asked, and that nothing is rounded or merged."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from rankdash.arrow import encoded
from rankdash.reading import ReadError, read_judgments, read_models, read_run
from rankdash.reading.grid import parse_ids


def grades(*cells: str, **how: Any) -> list[float]:
    """The grades of a column of judgments, those of unjudged rows left out."""
    rows = "".join(f'q,d{i},"{cell}"\n' for i, cell in enumerate(cells))
    return read_judgments(f"query_id,doc_id,relevance\n{rows}".encode(), **how).table.column("relevance").to_pylist()


def scores(*cells: str) -> tuple[list[float], set[str]]:
    """The scores of a run, and the codes of its warnings."""
    rows = "".join(f"q;d{i};{cell}\n" for i, cell in enumerate(cells))
    run = read_run(f"query_id;doc_id;score\n{rows}".encode())
    return run.table.column("score").to_pylist(), {n.code for n in run.source.notes if n.level == "warning"}


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("Exact|Substitute|Complement|Irrelevant", [3, 2, 1, 0]),
        *(("Relevant|Not relevant", [1, 0]), ("Highly_Relevant|Relevant|Not-Relevant", [2, 1, 0])),
        ("highly relevant|relevant|somewhat relevant|not relevant", [3, 2, 1, 0]),
        ("Perfect|Excellent|Good|Fair|Bad", [4, 3, 2, 1, 0]),
        ("perfect|Good|OK|okay|bad", [3, 2, 1, 1, 0]),
        *((words, [3, 2, 1, 0]) for words in ("非常相关|相关|部分相关|不相关", "非常に関連|関連|やや関連|無関係")),
        *(("TRUE|FALSE|yes|No", [1, 0, 1, 0]), ("是|否", [1, 0]), ("Ｅ|Ｉ", [3, 0]), ("e|i", [3, 0])),
    ],
)
def test_words_of_a_usual_scale_are_grades_with_a_warning(words: str, expected: list[float]) -> None:
    """Words of a scale become its grades; the warning names the decision."""
    cells = words.split("|")
    assert grades(*cells) == expected
    rows = "".join(f"q,d{i},{cell}\n" for i, cell in enumerate(cells))
    notes = read_judgments(f"query_id,doc_id,label\n{rows}".encode()).source.notes
    assert [note.level for note in notes if note.code == "words_as_grades"] == ["warning"]


@pytest.mark.parametrize(
    "word",
    [
        *("2/4", "Level 3 of 5", "2-3", "grade-1", "2 or 3", "2²", "1½ good", "3+", "<2", "50% good", "A-", "A+", "L3"),
        *("1'5", "(2)", "2-", "3: good", "★★", "x" * 101 + ": 2", "splendid", "x", "○", "-good", "no", "Exact", "E"),
    ],
)
def test_a_word_that_could_be_several_grades_is_asked(word: str) -> None:
    """Fractions, ranges, words around a number, a cross, words of a scale among numbers, and words that differ from one
    in a sign: a person says the grade.
    """
    alone = [[word]] * (word not in ("no", "Exact", "E"))
    for others in (*alone, ["A", "B"], ["good", "bad", "fair"], ["splendour"], ["3", "1"]):
        with pytest.raises(ReadError) as error:
            grades(*others, word)
        problem = error.value.problems[-1]
        assert (problem.code, problem.row, problem.column) == ("bad_value", len(others) + 2, "relevance")
        assert problem.choice
        assert (problem.choice.option, word in problem.choice.values) == ("grades", True)


BLANK = "|NA|N/A|-|—|null|None|nan|未标注|未評価|#N/A|#NV|#BEZUG!|#DIV/0!|#¡VALOR!| |\\N|skip|(null)|."


@pytest.mark.parametrize("blank", BLANK.split("|"))
def test_many_words_mean_unjudged(blank: str) -> None:
    """Blank, NA, a dash and words for it are no grade, beside numbers and beside words, and NaN in a run. An error of a
    spreadsheet is a warning.
    """
    assert grades("2", blank, "0") == [2, 0]
    assert grades("E", blank, "I") == [3, 0]
    run = read_run(f'query_id,doc_id,rank,relevance\nq,a,1,2\nq,b,2,"{blank}"\n'.encode())
    assert np.isnan(run.table.column("relevance").to_pylist()).tolist() == [False, True]
    assert ("lost_grades" if blank[:1] == "#" else "unjudged_rows") in {note.code for note in run.source.notes}


def test_judgments_are_the_rows_with_a_grade() -> None:
    """The rows of the file are counted, queries without a grade are none, and no grade at all is refused."""
    judgments = read_judgments(b"query_id,doc_id,relevance\nq1,a,\nq2,a,1\n")
    assert judgments.source.rows == 2
    assert judgments.table.column("query_id").chunk(0).dictionary.to_pylist() == ["q2"]
    with pytest.raises(ReadError) as error:
        read_judgments(b"query_id,doc_id,relevance\nq1,a,\n")
    assert error.value.problems[0].code == "empty"
    models = read_models(b"model,query,position,asin,label\nx,q,1,a,E\nx,q,2,b,\ny,q,1,c,I\n")
    assert models.judgments is not None
    assert models.judgments.table.column("relevance").to_pylist() == [3, 0]


def test_a_mapping_of_words_is_applied_exactly() -> None:
    """A word has the grade given for it exactly as it is written. More than 50 without one are refused in one line."""
    assert grades("E", "S", "I", grades={"E": 100, "S": 10, "I": 0}) == [100, 10, 0]
    assert grades("great", "5", "1", grades={"great": 2}) == [2, 5, 1]
    assert grades("5", "1", grades={"5": 4, "1": 0}) == [4, 0]
    assert grades("A", "A-", grades={"A": 4, "A-": 3}) == [4, 3]
    assert grades("yes", "YES", "Yes ", grades={"yes": 1, "YES": 2, "Yes ": 3}) == [1, 2, 3]
    assert grades(" x", "x", grades={" x": 2, "x": 1}) == [2, 1]
    assert grades("-", "+", "1", grades={"-": 0, "+": 5}) == [0, 5, 1]
    wished = {f"w{i}w": i / 7 for i in range(200)}
    assert grades(*wished, grades=wished) == [*wished.values()]
    with pytest.raises(ReadError, match=r"\A.*too many for grades.*\Z"):
        grades(*wished)
    for merged in ("yEs", "not_relevant"):
        with pytest.raises(ReadError, match="is not a number"):
            grades("yes", merged, grades={"yes": 1, "YES": 2, "not relevant": 0})
    for grade in (math.nan, math.inf, None, "high"):
        with pytest.raises(ReadError, match="no finite number") as error:
            grades("x", "1", grades={"x": grade})
        assert error.value.problems[0].code == "bad_option"
    unused = read_judgments(b"query_id,doc_id,relevance\nq,a,great\n", grades={"great": 2, "graet": 3}).source.notes
    assert "unused_grades" in {note.code for note in unused}


@pytest.mark.parametrize("grade", [0.1234567, 123456789, 1 / 3, 1e-9, 12345678.9, -2.5])
def test_grades_are_never_rounded(grade: float) -> None:
    """The grade that is given is the one that is read, to the last bit, beside decimal commas too."""
    assert grades("x", "1,5", repr(grade), grades={"x": grade})[0] == grade
    assert grades("x", repr(grade), grades={"x": grade}) == [grade, grade]


@pytest.mark.parametrize(
    ("cells", "expected", "warned"),
    [
        (("0.75", "-3.25", "+1e-3", ".5", "7."), [0.75, -3.25, 0.001, 0.5, 7], set()),
        (("0,75", "12,5", "-3,25"), [0.75, 12.5, -3.25], {"decimal_commas"}),
        (("0,123", "0,456"), [0.123, 0.456], {"decimal_commas"}),
        (("１２．５", "３"), [12.5, 3], set()),
        (("−2", "1e-3"), [-2, 0.001], set()),
        (("1,5e3", "2,5"), [1500, 2.5], {"decimal_commas"}),
        (("1.250", "900"), [1.25, 900], {"points"}),
        (("1e16", "3"), [1e16, 3], {"large_scores"}),
    ],
)
def test_numbers_are_read_as_people_write_them(cells: tuple[str, ...], expected: list[float], warned: set[str]) -> None:
    """Decimal commas, full-width digits and true minus signs; what may be wrong is warned."""
    found, warnings = scores(*cells)
    assert found == expected
    assert warned <= warnings <= {*warned, "scores_rise"}


@pytest.mark.parametrize(
    "cell",
    [
        *("inf", "-Infinity", "NaN", "1e400", "", "high", "1,5,3", "0x1", "1_0", "50%", "#1", "1/2"),
        *("1,234", "1,234.5", "1.234,5", "1 234", "1'000"),
    ],
)
def test_what_is_no_finite_number_is_refused_where_it_counts(cell: str) -> None:
    """As the score that orders, or as a grade, it is a problem of its row; beside ranks it is none."""
    for read, name in ((read_run, "score"), (read_judgments, "relevance")):
        if name == "relevance" and cell in ("NaN", ""):
            continue
        with pytest.raises(ReadError) as error:
            read(f'query_id,doc_id,{name}\nq,a,1\nq,b,2\nq,c,"{cell}"\n'.encode())
        assert all((p.row, p.column, p.code[-6:]) == (4, name, "_value") for p in error.value.problems)
    run = read_run(f'query_id,doc_id,rank,score\nq,a,1,"{cell}"\nq,b,2,1\n'.encode())
    assert np.isnan(run.table.column("score").to_pylist()[0])


@pytest.mark.parametrize("cells", ["23. Jun|Jun 23|6/23/2026|2026-06-23|1. Mai|23-juin|6月23日", "#NV|#REF!|#N/A"])
def test_cells_that_a_spreadsheet_changed_are_one_problem(cells: str) -> None:
    """Dates, and errors in the place of scores, are told once, with the first and their number; none is a grade."""
    first, *others = cells.split("|")
    for read, name in ((read_run, "score"), (read_run, "rank"), (read_judgments, "relevance"))[: 2 + (first[0] != "#")]:
        rows = "".join(f"q,d{at},{cell}\n" for at, cell in enumerate(("1", first, *others)))
        with pytest.raises(ReadError, match=rf"\(and {len(others)} more\)") as error:
            read(f"query_id,doc_id,{name}\n{rows}".encode())
        assert [(one.row, one.found, one.choice) for one in error.value.problems] == [(3, first, None)]


def test_white_space_around_ids_goes_and_spellings_stay_apart() -> None:
    """Ids in two spellings stay two; white space around an id goes, and what stands in it stays."""
    run = read_run('query_id,doc_id,rank\n 007 ,NA,1\n007,\u00a0x y\u3000,2\nq,"=""8""",1\n'.encode())
    assert run.table.column("query_id").to_pylist() == ["007", "007", "q"]
    assert run.table.column("doc_id").to_pylist() == ["NA", "x y", '="8"']
    for other in ("red shoes", "Red  Shoes", "Ｒed Shoes"):
        run = read_run(f"query,doc_id,rank\nRed Shoes,a,1\n{other},b,1\n".encode())
        assert run.table.column("query_id").to_pylist() == ["Red Shoes", other]


NAMES = ("q1", " q1", "q2 ", "é", "", "q3", "long " * 9, "q4")


@pytest.mark.parametrize("seed", range(60))
def test_categories_are_read_as_their_texts(seed: int) -> None:
    """Unused, repeated and exchanged values of a dictionary change neither the ids, nor their order, nor the blanks."""
    random = np.random.default_rng(seed)
    values = random.permutation(NAMES)[: random.integers(1, len(NAMES) + 1)].tolist()
    keys = random.integers(0, random.integers(1, len(values) + 1), random.integers(0, 30)).astype(np.int32)
    keys = np.sort(keys) if seed % 2 else keys
    array = pa.DictionaryArray.from_arrays(pa.array(keys), pa.array(values, pa.string()))
    found, plain = parse_ids(array), parse_ids(array.cast(pa.string()))
    assert found.array.to_pylist() == plain.array.to_pylist()
    assert found.array.dictionary.to_pylist() == encoded(plain.array).dictionary.to_pylist()
    assert found.empty.tolist() == plain.empty.tolist()


@pytest.mark.parametrize("seed", range(30))
def test_a_column_of_numbers_agrees_with_python(seed: int) -> None:
    """Random finite numbers, plain and in any usual spelling, are the floats that Python reads, bit by bit."""
    random = np.random.default_rng(seed)
    values = (random.standard_normal(50) * 10.0 ** random.integers(-12, 12, 50)).tolist()
    cells = [repr(value) for value in values]
    if seed % 3 == 1:
        cells[0] = "−" + cells[0].lstrip("-") if values[0] < 0 else cells[0]
    if seed % 3 == 2:
        cells = [cell.replace(".", ",") for cell in cells]
    assert scores(*cells)[0] == values
