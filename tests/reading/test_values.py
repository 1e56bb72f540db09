"""Numbers as people write them, and grades as words."""

from __future__ import annotations

import math

import pyarrow as pa
import pytest

from rankdash.reading import ReadError, read_judgments, read_models, read_run


def grades(*cells: str, **how: object) -> list[float]:
    """The grades of a column of judgments, "" and the like left out."""
    rows = "".join(f'q,d{i},"{cell}"\n' for i, cell in enumerate(cells))
    return read_judgments(f"query_id,doc_id,relevance\n{rows}".encode(), **how).table.column("relevance").to_pylist()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("Exact|Substitute|Complement|Irrelevant", [3, 2, 1, 0]),
        ("E|S|C|I", [3, 2, 1, 0]),
        ("e|i", [3, 0]),
        ("Relevant|Not relevant", [1, 0]),
        ("relevant|partially relevant|irrelevant", [2, 1, 0]),
        ("Highly_Relevant|Relevant|Not-Relevant", [2, 1, 0]),
        ("highly relevant|relevant|somewhat relevant|not relevant", [3, 2, 1, 0]),
        ("Perfect|Excellent|Good|Fair|Bad", [4, 3, 2, 1, 0]),
        ("TRUE|FALSE", [1, 0]),
        ("yes|No", [1, 0]),
        ("A|B|C|D", [3, 2, 1, 0]),
        ("A|B|C", [2, 1, 0]),
        ("非常相关|相关|部分相关|不相关", [3, 2, 1, 0]),
        ("非常相关|相关|不相关", [2, 1, 0]),
        ("相关|不相关", [1, 0]),
        ("非常に関連|関連|やや関連|無関係", [3, 2, 1, 0]),
        ("是|否", [1, 0]),
        ("L3|L1|L0", [3, 1, 0]),
        ("2 - highly relevant|1 - relevant|0 - not relevant", [2, 1, 0]),
        ("Ｅ|Ｉ", [3, 0]),
    ],
)
def test_words_are_read_as_grades_and_noted(words: str, expected: list[float]) -> None:
    """Words of a usual scale become its grades; the mapping is a note that names the option."""
    cells = words.split("|")
    assert grades(*cells) == expected
    rows = "".join(f"q,d{i},{cell}\n" for i, cell in enumerate(cells))
    notes = read_judgments(f"query_id,doc_id,label\n{rows}".encode()).source.notes
    told = ", ".join(f"{cell} = {grade}" for cell, grade in zip(cells, expected, strict=True))
    assert f"Words were read as grades: {told}. --grades changes it." in notes


def test_grades_of_words_can_be_given() -> None:
    """grades= decides, whatever the case; words that it does not name are problems; numbers stay."""
    assert grades("E", "S", "I", grades={"e": 100, "S": 10, "I": 0}) == [100, 10, 0]
    assert grades("great", "5", "1", grades={"great": 2}) == [2, 5, 1]
    assert grades("5", "1", grades={"5": 4, "1": 0}) == [4, 0]
    with pytest.raises(ReadError, match='row 3, column "relevance": "S" is not a number'):
        grades("E", "S", grades={"E": 3})
    run = read_run(b"query_id,doc_id,rank,label\nq,a,1,E\nq,b,2,\n", grades={"E": 7})
    assert run.table.column("relevance").to_pylist()[0] == 7
    assert "Words were read as grades: E = 7, as asked." in run.source.notes


def test_words_of_no_scale_are_problems_with_the_option() -> None:
    """Words that no scale has are told by row, with grades."""
    with pytest.raises(ReadError) as error:
        grades("splendid", "awful")
    assert str(error.value).splitlines()[0] == (
        'the file, row 2, column "relevance": "splendid" is not a number. Use 0, 1, 2, …, or grades={…: …}'
    )
    assert error.value.choices[0].option == "grades"
    assert error.value.choices[0].values == ("splendid", "awful")


@pytest.mark.parametrize("blank", ["", "NA", "N/A", "-", "—", "null", "None", "nan", "未标注", "未評価", "#N/A", " "])
def test_many_words_mean_unjudged(blank: str) -> None:
    """Blank, NA, a dash and words for it are unjudged, beside numbers and beside words."""
    assert grades("2", blank, "0") == [2, 0]
    assert grades("E", blank, "I") == [3, 0]


def test_a_combined_file_with_words_has_judgments() -> None:
    """Words for grades beside both models' documents are read once for the file."""
    text = b"model,query,position,asin,label\nx,q,1,a,E\nx,q,2,b,\ny,q,1,c,I\n"
    models = read_models(text)
    assert models.judgments is not None
    assert models.judgments.table.column("relevance").to_pylist() == [3, 0]


def scores(*cells: str, delimiter: str = ";") -> list[float]:
    """The scores of a run."""
    rows = "".join(delimiter.join(("q", f"d{i}", cell)) + "\n" for i, cell in enumerate(cells))
    header = delimiter.join(("query_id", "doc_id", "score"))
    return read_run(f"{header}\n{rows}".encode()).table.column("score").to_pylist()


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (("0,75", "12,5", "-3,25"), [0.75, 12.5, -3.25]),
        (("1.234,5", "1.234", "7"), [1234.5, 1234, 7]),
        (("1,234.5", "12"), [1234.5, 12]),
        (("1,234", "999"), [1234, 999]),
        (("0,123", "0,456"), [0.123, 0.456]),
        (("１２．５", "３"), [12.5, 3]),
        (("−2", "1e-3"), [-2, 0.001]),
        (("1,5e3", "2,5"), [1500, 2.5]),
    ],
)
def test_numbers_are_read_as_people_write_them(cells: tuple[str, ...], expected: list[float]) -> None:
    """Decimal commas, thousands, full-width digits and true minus signs are numbers, with a note."""
    assert scores(*cells) == expected
    rows = "".join(f"q;d{i};{cell}\n" for i, cell in enumerate(cells))
    assert any('Column "score":' in note for note in read_run(f"query_id;doc_id;score\n{rows}".encode()).source.notes)


def test_ranks_in_full_width_digits_sort_as_numbers() -> None:
    """１０ comes after ２, and after 9."""
    run = read_run("query_id,doc_id,rank\nq,a,１０\nq,b,２\nq,c,9\n".encode())
    assert run.table.column("rank").to_pylist() == [10, 2, 9]


def test_numbers_that_mix_ways_of_writing_are_problems() -> None:
    """1,5,3 is no number in any way of writing."""
    with pytest.raises(ReadError, match='"1,5,3" is not a number'):
        scores("1,5,3")


def test_scores_beyond_numbers_leave_the_order_to_the_rank() -> None:
    """NaN, infinity and 1e400 are no finite scores: the rank orders, or the row is a problem."""
    for score in ("NaN", "inf", "-Infinity", "1e400"):
        run = read_run(f"query_id,doc_id,rank,score\nq,a,1,{score}\nq,b,2,1\n".encode())
        assert math.isnan(run.table.column("score").to_pylist()[0])
        assert run.ordered_by == "rank"
        with pytest.raises(ReadError, match='row 2, column "score"'):
            read_run(f"query_id,doc_id,score\nq,a,{score}\nq,b,1\n".encode())


def test_negative_grades_are_grades() -> None:
    """-2 is a number like others; what it means is the convention's business."""
    assert grades("-2", "1") == [-2, 1]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("1: relevant", "0: not relevant", "-2: spam"), [1, 0, -2]),
        (("1.5 good", "0.25 poor", ".5 fair"), [1.5, 0.25, 0.5]),
        (("+1 good", "−1 bad", "0 none"), [1, -1, 0]),
        (("good (2)", "spam (-2)", "half (0.5)"), [2, -2, 0.5]),
        (("grade -1", "grade 2", "grade: 1.5"), [-1, 2, 1.5]),
        (("３ 优", "－１ 垃圾", "１．５ 良"), [3, -1, 1.5]),
        (("L3", "L0", "level 1.5"), [3, 0, 1.5]),
        (("2 - good", "0 – bad", "1-fair"), [2, 0, 1]),
        (("50%", "100%", "0%"), [0.5, 1, 0]),
    ],
)
def test_a_number_inside_a_word_is_that_number(words: tuple[str, ...], expected: list[float]) -> None:
    """A sign and decimals belong to the number inside a word, in every width and with a true minus sign."""
    assert grades(*words) == expected


@pytest.mark.parametrize(
    "word",
    [
        *("2/4", "Level 3 of 5", "2-3", "2–3", "grade-1", "good-2", "2 or 3", "3 of five", "rel.5", "2²", "1½ good"),
        *("about 2", "A1", "3+", "<2", "50% good", "1,5 good", "2nd", "3 thousand", "1e3 good", "2019 good", "A-"),
        *("1'5", "(2)", "- 2", "2-", "x" * 101 + ": 2"),
    ],
)
def test_a_word_that_could_be_several_numbers_is_asked(word: str) -> None:
    """A fraction, a range, a hyphen that may be a sign, two numbers, or words that change one: a person says it."""
    with pytest.raises(ReadError) as error:
        grades(word, "1 good")
    assert error.value.choices[0].option == "grades"
    assert word in error.value.choices[0].values


def test_words_that_differ_in_a_sign_at_their_end_are_no_scale() -> None:
    """A and A- are two grades of a school, which no scale here has: they are asked, never made the same."""
    for words in (("A", "A-", "B"), ("A+", "A", "B"), ("good", "-good", "bad", "fair")):
        with pytest.raises(ReadError, match="is not a number"):
            grades(*words)


def test_a_mapping_is_applied_exactly() -> None:
    """A word has the grade given for it as it is written; case and blanks vary only where nothing is merged."""
    assert grades("A", "A-", "a", grades={"A": 4, "A-": 3}) == [4, 3, 4]
    assert grades("yes", "YES", "Yes ", grades={"yes": 1, "YES": 2, "Yes ": 3}) == [1, 2, 3]
    assert grades(" x", "x", grades={" x": 2, "x": 1}) == [2, 1]
    assert grades("-", "+", "1", grades={"-": 0, "+": 5}) == [0, 5, 1]
    assert grades("1", "1.0", "2", grades={"1": 0}) == [0, 1, 2]
    assert grades("not-relevant", "x", grades={"not-relevant": 0.5, "not relevant": 7, "x": 1}) == [0.5, 1]
    for merged in ("yEs", "not_relevant"):
        with pytest.raises(ReadError, match=f'"{merged}" is not a number'):
            grades("yes", merged, grades={"yes": 1, "YES": 2, "not relevant": 0})


def test_many_words_can_be_given() -> None:
    """However many words a file has, those that were given have their grades."""
    wished = {f"w{i}w": i / 7 for i in range(200)}
    assert grades(*wished, grades=wished) == list(wished.values())


@pytest.mark.parametrize("grade", [0.1234567, 123456789, 1 / 3, 1e-9, 12345678.9, -2.5, 1.234])
def test_grades_are_never_rounded(grade: float) -> None:
    """The grade that is given is the one that is read, to the last bit, beside decimal commas and in the note too."""
    cells = f'query_id,doc_id,relevance\nq,a,x\nq,b,"1,5"\nq,c,{grade!r}\n'.encode()
    judgments = read_judgments(cells, grades={"x": grade})
    assert judgments.table.column("relevance").to_pylist()[0] == grade
    assert grades("x", repr(grade), grades={"x": grade}) == [grade, grade]
    note = next(note for note in judgments.source.notes if note.startswith("Words were read"))
    assert float(note.split(" = ")[1].split(",")[0]) == grade


@pytest.mark.parametrize("grade", [math.nan, math.inf, None, "high"])
def test_a_grade_that_is_given_is_a_finite_number(grade: object) -> None:
    """Infinity, NaN and words are refused by name, not read as unjudged."""
    with pytest.raises(ReadError, match=r'the grade of "x" is to be .* which is no finite number'):
        grades("x", "1", grades={"x": grade})


def test_a_word_that_no_row_has_is_noted() -> None:
    """A grade for a word that is not there may be a slip of the pen: a note says so."""
    text = b"query_id,doc_id,relevance\nq,a,great\n"
    notes = read_judgments(text, grades={"great": 2, "graet": 3}).source.notes
    assert 'A grade was given for "graet", which no row has.' in notes


def test_queries_stand_in_order_of_appearance_however_they_are_coded() -> None:
    """A dictionary sorted by its values, as categories are, one with words that no row has, and one without order."""
    for words, places in ((["a", "b"], [1, 0, 0]), (["x", "b", "a"], [1, 2, 2]), (["b", "a"], [0, 1, 0])):
        ids = pa.DictionaryArray.from_arrays(pa.array(places, pa.int32()), words)
        table = pa.table({"query_id": ids, "doc_id": ["x", "y", "z"], "relevance": [1.0, 1.0, 0.0]})
        found = read_judgments(table).table["query_id"].combine_chunks()
        assert found.dictionary.to_pylist() == ["b", "a"]
        assert found.to_pylist() == ids.to_pylist()
