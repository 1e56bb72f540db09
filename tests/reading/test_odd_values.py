"""Grades, votes, lists in cells, headings and ids as people and other tools write them."""

from __future__ import annotations

import pytest

from rankdash.reading import ReadError, read_judgments, read_models, read_run, read_votes
from rankdash.reading.columns.list_cells import items_of


def grades(*cells: str) -> list[tuple[str, float]]:
    """The documents a, b, c with their grades; unjudged ones are absent."""
    rows = "".join(f"q\t{doc}\t{cell}\n" for doc, cell in zip("abc", cells, strict=False))
    table = read_judgments(f"query_id\tdoc_id\trelevance\n{rows}".encode()).table
    return list(zip(table.column("doc_id").to_pylist(), table.column("relevance").to_pylist(), strict=True))


@pytest.mark.parametrize(
    "cells",
    [
        ("Perfect (3)", "Bad (0)", "Fair (1)"),
        ("3 - Perfect", "0 - Bad", "1 - Fair"),
        ("3:Perfect", "0:Bad", "1:Fair"),
        ("★★★", "☆☆☆☆☆", "★☆☆☆☆"),
        ("⭐⭐⭐", "☆", "⭐"),
        ("L3", "L0", "L1"),
        ("3分", "0分", "1分"),
    ],
)
def test_grades_that_carry_their_number_have_it(cells: tuple[str, ...]) -> None:
    """A number beside a word, in brackets or as stars is the grade."""
    assert grades(*cells) == [("a", 3), ("b", 0), ("c", 1)]


@pytest.mark.parametrize("blank", ["n.a.", "\\N", "not rated", "Skip", "(null)", "TBD", "待标注", "."])
def test_what_other_tools_write_for_nothing_is_unjudged(blank: str) -> None:
    """Database nulls and words for no grade are no 0."""
    assert grades("3", blank, "1") == [("a", 3), ("c", 1)]


@pytest.mark.parametrize("word", ["x", "no", "Perfect", "E"])
def test_a_word_among_numbers_is_no_grade(word: str) -> None:
    """A scale of words says nothing beside numbers: the row is named."""
    with pytest.raises(ReadError, match=f'row 3, column "relevance": "{word}" is not a number'):
        grades("3", word, "1")


@pytest.mark.parametrize(
    ("headings", "note"),
    [
        ("query_id,doc_id,bm25_score", 'Column "bm25_score" was read as the score.'),
        ("customer_query,product_id,finalScore", 'Column "finalScore" was read as the score.'),
        ("query_id,retrieved_doc_id,Score (0-1)", 'Column "Score (0-1)" was read as the score.'),
        ("t.query_id,t.doc_id,t.score", 'Column "t.doc_id" was read as the document id.'),
        ("qid,docno,score", 'Column "docno" was read as the document id.'),
    ],
)
def test_the_last_words_of_a_heading_tell_what_is_needed(headings: str, note: str) -> None:
    """Where no heading is a usual name, one that ends with such a name is read, with a note."""
    run = read_run(f"{headings}\nq,a,1\nq,b,2\n".encode())
    assert run.ordered_by == "score"
    assert run.table.column("doc_id").to_pylist() == ["a", "b"]
    assert note in run.source.notes


@pytest.mark.parametrize(
    ("headings", "what"),
    [
        ("query_id,doc_id,bm25_score,final_score", '2 columns could be the score: "bm25_score", "final_score"'),
        ("query_id,session_id,row_id,page_no", "there is no column for the document id"),
    ],
)
def test_last_words_decide_nothing_where_they_could_mean_two_things(headings: str, what: str) -> None:
    """Two such headings are asked about; "id" and "no" at the end of a heading say nothing."""
    with pytest.raises(ReadError, match=what):
        read_run(f"{headings}\nq,a,1,2\n".encode())


def test_docno_is_the_id_and_docid_a_number_within_an_index() -> None:
    """Of the two columns that Terrier writes, judgments know docno; the choice is noted and can be changed."""
    text = b"qid,docid,docno,rank\nq,45,a,0\n"
    run = read_run(text)
    assert run.table.column("doc_id").to_pylist() == ["a"]
    assert any('not "docid"' in note for note in run.source.notes)
    assert read_run(text, columns={"doc_id": "docid"}).table.column("doc_id").to_pylist() == ["45"]


def test_a_second_column_of_grades_is_named() -> None:
    """Where another column could have been the grade, a note says which was read and how to change it."""
    judgments = read_judgments(b"query_id,doc_id,relevance,gain\nq,a,3,7\n")
    assert judgments.table.column("relevance").to_pylist() == [3]
    assert any('not "gain". --columns relevance=' in note for note in judgments.source.notes)


def test_ids_in_excels_armour_are_the_ids() -> None:
    """="007" is 007, with a note."""
    run = read_run(b'query_id,doc_id,rank\nq,"=""007""",1\nq,"=""008""",2\n')
    assert run.table.column("doc_id").to_pylist() == ["007", "008"]
    assert any("2 ids stood as" in note for note in run.source.notes)


@pytest.mark.parametrize(
    ("cell", "items"),
    [
        ("['a,b', 'c']", ["a,b", "c"]),
        ("[\"it's\", 'c']", ["it's", "c"]),
        ("['a' 'b']", ["a", "b"]),
        ("array(['a', 'b'], dtype=object)", ["a", "b"]),
        ("[np.str_('a'), np.str_('b')]", ["a", "b"]),
        ("[('a', 3.0), ('b', 2.0)]", [["a", "3.0"], ["b", "2.0"]]),
        ("{'a': 3.0, 'b': 2}", [["a", "3.0"], ["b", "2"]]),
        ("{a,b}", ["a", "b"]),
        ("[red shoe, http://x/y:1]", ["red shoe", "http://x/y:1"]),
        ("[007, 1e5, 1.0]", ["007", "1e5", "1.0"]),
        ("[{'doc': 'a', 'score': 1.5}]", [{"doc": "a", "score": "1.5"}]),
        (r"['a\'b']", ["a'b"]),
        ("[]", []),
        ("[a, b", None),
        ("['a'] b", None),
        ("[" * 5000, None),
        ("[" + "'" * 5001 + "]", None),
    ],
)
def test_lists_in_cells_are_read_as_every_tool_writes_them(cell: str, items: object) -> None:
    """Python, numpy, Postgres and Java write lists in their own ways; numbers stay as written; the rest is no list."""
    assert items_of(cell) == items


def test_a_cell_that_is_no_list_is_named() -> None:
    """Brackets that do not fit are a problem of the row, not a document."""
    with pytest.raises(ReadError, match=r'row 3, column "docs": .* is no list that can be read'):
        read_run(b"query_id\tdocs\nq\t['a', 'b']\np\t['a', 'b'\n")


@pytest.mark.parametrize(
    "text",
    [
        "query_id,A docs,B docs\nq,a|b,b|a\n",
        "查询词,排名,A模型结果,B模型结果\nq,1,a,b\nq,2,b,a\n",
    ],
)
def test_two_models_side_by_side_in_other_words(text: str) -> None:
    """Lists of A and B in one row each, and Chinese names of the sides; the note says which column is whose."""
    models = read_models(text.encode())
    found = {run.name: run.table.column("doc_id").to_pylist() for run in models.runs}
    assert found == {"A": ["a", "b"], "B": ["b", "a"]}
    assert any('(A)", ' in note and '(B)"' in note for note in models.runs[0].source.notes)


@pytest.mark.parametrize(
    ("text", "votes"),
    [
        ("查询词,胜,平,负\nq,2,1,0\n", ["good", "good", "same"]),
        ("查询,评价\nq,B好\np,一样好\nr,A好\n", ["good", "same", "bad"]),
        ("查询,左侧模型,评价\nq,A,右好\np,A,一样\nr,B,右好\n", ["good", "same", "bad"]),
        ("query_id,vote\nq,勝\np,分\nr,負\n", ["good", "same", "bad"]),
        ("query_id,vote\nq,good\np,not rated\nr,bad\n", ["good", "bad"]),
    ],
)
def test_votes_in_other_words(text: str, votes: list[str]) -> None:
    """Wins, draws and losses, the better side, and equally good, in Chinese and Japanese."""
    assert read_votes(text.encode()).table.column("vote").to_pylist() == votes


def test_a_scale_that_says_nothing_names_its_column() -> None:
    """Votes from 1 to 5 without a sign are refused with the column."""
    with pytest.raises(ReadError, match='column "vote": the votes are numbers from 1 to 5'):
        read_votes(b"query_id,vote\nq,5\np,1\nr,3\n")


@pytest.mark.parametrize("other", ["red shoes", "Red  Shoes", "Ｒed Shoes"])
def test_queries_in_two_spellings_are_told(other: str) -> None:
    """Ids that differ only in case, width or blanks stay different queries, with a note."""
    run = read_run(f"query,doc_id,rank\nRed Shoes,a,1\n{other},b,1\n".encode())
    assert run.table.column("query_id").to_pylist() == ["Red Shoes", other]
    assert any("differ only in case, width or blanks" in note for note in run.source.notes)


@pytest.mark.parametrize("heading", ["image_url", "device_model", "seller_rating", "review_text"])
def test_common_columns_of_products_are_not_taken_for_what_is_missing(heading: str) -> None:
    """A picture, a device, the stars of a seller and a review are no document, model, grade or query."""
    with pytest.raises(ReadError, match="there is no column for the document id"):
        read_run(f"query_id,{heading},rank\nq,a,1\n".encode())
    with pytest.raises(ReadError, match="there is no column for the model"):
        read_models(f"query_id,doc_id,{heading},rank\nq,a,x,1\n".encode())
    with pytest.raises(ReadError, match="there is no column for the relevance"):
        read_judgments(f"query_id,doc_id,{heading}\nq,a,1\n".encode())


def test_a_row_of_words_that_columns_have_is_a_row() -> None:
    """Only a row that names each column once more is a second header; queries may be any word."""
    run = read_run(b"query,doc_id,brand\nkeyword,item,x\nposition,label,y\n")
    assert run.table.column("query_id").to_pylist() == ["keyword", "position"]


@pytest.mark.parametrize("cells", [("#1", "#2"), ("1st", "2nd"), ("第1位", "第2位")])
def test_places_are_no_scores_and_no_grades(cells: tuple[str, str]) -> None:
    """#1 and 1st are ranks; as scores they would turn the list over."""
    rows = "q,a,{}\nq,b,{}\n".format(*cells)
    assert read_run(f"query_id,doc_id,rank\n{rows}".encode()).table.column("rank").to_pylist() == [1, 2]
    for read, name in ((read_run, "score"), (read_judgments, "relevance")):
        with pytest.raises(ReadError, match=f'row 2, column "{name}"'):
            read(f"query_id,doc_id,{name}\n{rows}".encode())


@pytest.mark.parametrize("mark", ["x", "○"])
def test_a_mark_alone_is_no_grade(mark: str) -> None:
    """A cross or a circle without its opposite may mark either; a person has to say which."""
    with pytest.raises(ReadError, match='column "relevance"'):
        grades(mark, "", "")
    assert grades("○", "×", "") == [("a", 1), ("b", 0)]


def test_numbers_among_words_of_votes_have_a_sign() -> None:
    """1 and 2 beside "tie" are the first and the second model; 2 and 3, or 1 alone, could mean anything."""
    votes = read_votes(b"query_id,vote\nq,2\np,tie\nr,1\n").table.column("vote").to_pylist()
    assert votes == ["good", "same", "bad"]
    assert read_votes(b"query_id,vote\nq,good\np,0\nr,-1\n").table.column("vote").to_pylist() == votes
    for cells in (("2", "3"), ("1", "tie")):
        with pytest.raises(ReadError, match="stand among words and could mean either model"):
            read_votes("query_id,vote\nq,good\np,{}\nr,{}\n".format(*cells).encode())


@pytest.mark.parametrize(
    ("ids", "n"),
    [
        (("caf\u00e9", "cafe\u0301"), 1),
        (("cafe\u0301", "caf\u00e9", "\uac01", "\u1100\u1161\u11a8", "\u00c5", "\u212b"), 3),
        (("a\u0316\u0300", "a\u0300\u0316"), 1),
        (("\u6587", "\uf900", "\u8c48"), 1),
        (("caf\u00e9", "cafe", "caf\u00e9s", "\u6587\u6863", "a\u0301b", "d"), 0),
        (("a", "b"), 0),
    ],
)
def test_documents_in_two_unicode_forms_are_told(ids: tuple[str, ...], n: int) -> None:
    """Ids of one file that are the same but for their Unicode form stay different documents, with a note."""
    rows = "".join(f"q{q},{doc},{rank}\n" for q in range(2) for rank, doc in enumerate(ids, start=1))
    run = read_run(f"query_id,doc_id,rank\n{rows}".encode())
    assert len(set(run.table.column("doc_id").to_pylist())) == len(ids)
    told = [note for note in run.source.notes if "Unicode form" in note]
    assert [note.split()[0] for note in told] == ([str(n)] if n else [])
