"""Texts, weights and segments of queries."""

from __future__ import annotations

import json
import math
import re

import numpy as np
import pytest

from rankdash.reading import ReadError, read_queries, recognise


@pytest.mark.parametrize("id_name", ["query_id", "qid", "topic", "id", "ID", "查询ID", "クエリID"])
@pytest.mark.parametrize("text_name", ["text", "query", "title", "Query Text", "查询词", "検索クエリ"])
def test_ids_texts_and_weights_are_found_by_name(id_name: str, text_name: str) -> None:
    """Ids, texts and weights have many names; every further column is a segment and stays text."""
    queries = read_queries(
        f"{id_name},{text_name},traffic_share,device\n007,red shoes,0.5,mobile\n8,boots,2,\n".encode()
    )
    assert queries.table.to_pylist() == [
        {"query_id": "007", "text": "red shoes", "weight": 0.5, "device": "mobile"},
        {"query_id": "8", "text": "boots", "weight": 2.0, "device": ""},
    ]


def test_id_and_text_need_no_header() -> None:
    """Id, tab, text, as TREC topics are written, may hold commas and quotes; the reading is noted."""
    queries = read_queries(b'1\twho is "he", really?\n2\ta,b,c\n')
    assert queries.table.to_pylist() == [
        {"query_id": "1", "text": 'who is "he", really?'},
        {"query_id": "2", "text": "a,b,c"},
    ]
    assert queries.source.notes == (
        "There is no header line; the columns were read as the query id, the text of the query.",
    )


def test_the_first_of_two_queries_with_one_id_is_kept() -> None:
    """Of rows with the same id the first is kept; the others are counted in a note."""
    queries = read_queries(b"qid,query\na,one\nb,two\na,three\n")
    assert queries.table.column("text").to_pylist() == ["one", "two"]
    assert queries.source.notes[-1] == "1 row repeats the id of a query above; the first is kept."


def test_a_query_has_one_weight() -> None:
    """Parts of a weight in several rows of a query are refused with their row, and not the first taken for the whole;
    the same weight again, and blank cells, are let through.
    """
    with pytest.raises(ReadError, match=r'row 4, column "Impressions": "90" is another weight than'):
        read_queries(b"Top queries,Page,Impressions\na,x,100\nb,x,7\na,y,90\n")
    queries = read_queries(b"query,page,impressions\na,x,100\nb,x,7\na,y,100\na,z,\n")
    assert queries.table.column("weight").to_pylist() == [100, 7]


def test_a_blank_cell_is_no_weight() -> None:
    """A blank cell stays blank, for what such a query weighs is not the reader's to decide; a note counts them."""
    queries = read_queries(b"qid,weight\na,1\nb,\nc,0\n")
    weights = queries.table.column("weight").to_pylist()
    assert (weights[0], math.isnan(weights[1]), weights[2]) == (1.0, True, 0.0)
    assert queries.source.notes[-1] == "1 query has a blank cell in place of a weight."


@pytest.mark.parametrize("weight", ["-1", "inf", "many"])
def test_weights_are_numbers_of_at_least_0(weight: str) -> None:
    """A weight that is negative, infinite or no number is a problem with its row and column."""
    with pytest.raises(ReadError) as error:
        read_queries(f"qid,frequency\na,1\nb,{weight}\n".encode())
    assert str(error.value) == (
        f'the file, row 3, column "frequency": "{weight}" is no weight. Use numbers of at least 0.'
    )


def test_an_empty_id_is_a_problem_but_an_empty_row_is_none() -> None:
    """A row with a text and no id is refused; a row with nothing in it is left out."""
    with pytest.raises(ReadError, match='row 3, column "qid": the query id is empty'):
        read_queries(b"qid,query\na,one\n,two\n")
    queries = read_queries(b"qid,query\na,one\n,\n")
    assert queries.table.num_rows == 1


def test_dicts_hold_queries_too() -> None:
    """{query: text}, {query: weight} and {query: {column: value}} are tables of queries, {query: [document]} not."""
    assert read_queries({"a": "one", 2: "two"}).table.to_pylist() == [
        {"query_id": "a", "text": "one"},
        {"query_id": "2", "text": "two"},
    ]
    assert read_queries({"a": 3, "b": np.float64(0.5)}).table.column("weight").to_pylist() == [3, 0.5]
    assert read_queries({"a": "3", "b": "0.5"}).table.column("text").to_pylist() == ["3", "0.5"]
    for documents in (["d1", "d2"], ("d1",), {"d1"}, [["d1", 0.5]]):
        with pytest.raises(ReadError, match="these are lists of documents by query, not queries"):
            read_queries({"a": documents, "b": documents})
    assert read_queries({"a": {"query": "one", "weight": 3}}).table.to_pylist() == [
        {"query_id": "a", "text": "one", "weight": 3.0}
    ]


def test_a_run_is_no_table_of_queries() -> None:
    """A TREC run given as queries is refused and named."""
    with pytest.raises(ReadError, match=r"this is a TREC run of one model .*, not queries"):
        read_queries(b"q Q0 a 1 2 t\nq Q0 b 2 1 t\n")


@pytest.mark.parametrize(
    "text",
    [
        "query,doc,rank\nq,a,1\nq,b,2\nr,a,1\n",
        "qid,docno,score\nq,a,1.5\nq,b,0.5\n",
        "query,docid,rating\nq,a,1\nq,b,0\nr,a,1\n",
        "user_id,movie_id,rating,time\nq,a,1,7\nq,b,0,7\n",
        "q1,a,1\nq1,b,0\nr,a,1\nr,b,1\n",
        "q1\ta\t1\t0.5\nq1\tb\t2\t0.2\n",
        "q1,a\nq1,b\n",
        "1,10\n1,11\n2,12\n",
    ],
)
def test_lists_and_judgments_are_no_table_of_queries(text: str) -> None:
    """Documents of queries given as queries are refused, with headings and without: no document is a text or a segment
    of a query, and no score a weight.
    """
    with pytest.raises(ReadError, match=r"these are lists or judgments, not queries\. Give a row for each query"):
        read_queries(text.encode())
    assert recognise(text.encode()).kind != "queries"


@pytest.mark.parametrize(
    "text",
    [
        "query_id,query,product_id,esci_label\nq,red shoes,a,E\nq,red shoes,b,S\nr,hat,a,I\n",
        "query,product,frequency\nq,a,10\nq,b,10\n",
        "query_id,url,label\nq,a,navigational\nr,b,local\n",
        "q1,red shoes\nq2,hat\nq1,red shoe\n",
        "q1,shoes\nq2,hat\n",
        "q1,7\nq2,5\n",
    ],
)
def test_texts_and_weights_beside_documents_are_queries(text: str) -> None:
    """Where there is a text, a weight, or a row for each query, a table is queries, whatever stands beside it."""
    assert read_queries(text.encode()).table.column("query_id").null_count == 0


@pytest.mark.parametrize(
    "heading", ["cluster", "cluster_id", "group", "Group ID", "session", "session_id", "template", "分组", "グループ"]
)
def test_what_belongs_together_has_many_names(heading: str) -> None:
    """A column of groups, sessions or templates is the cluster; what was read as it is said."""
    queries = read_queries(f"query_id,{heading},device\na,g1,phone\nb,g1,desk\nc,,phone\n".encode())
    assert queries.table.column_names == ["query_id", "cluster", "device"]
    assert queries.table.column("cluster").to_pylist() == ["g1", "g1", ""]
    said = [note for note in queries.source.notes if "the group that a query belongs to" in note]
    assert len(said) == (heading != "cluster")


def test_a_session_beside_no_other_id_is_the_query() -> None:
    """Where a session id is the only one, it names the query; beside a query id, the group that this belongs to."""
    assert read_queries(b"session_id,text\ns1,red\n").table.column_names == ["query_id", "text"]
    assert read_queries(b"qid,session_id\nq1,s1\n").table.column_names == ["query_id", "cluster"]


def test_a_group_can_stay_a_segment() -> None:
    """Whoever says that no column is the cluster keeps it as a segment; of several the first kind of name is taken."""
    text = b"query_id,group,template\na,x,t1\nb,y,t1\n"
    assert read_queries(text).table.column_names == ["query_id", "cluster", "template"]
    assert read_queries(text, columns={"cluster": ""}).table.column_names == ["query_id", "group", "template"]
    chosen = read_queries(text, columns={"cluster": "template"})
    assert set(chosen.table.column_names) == {"query_id", "group", "cluster"}
    assert chosen.table.column("cluster").to_pylist() == ["t1", "t1"]


def test_long_names_of_groups_are_kept_whole() -> None:
    """Two groups that differ in their last letter only are two, however long their names are."""
    names = ["g" * 3_000_000 + end for end in "xy"]
    assert (
        read_queries([{"query_id": end, "cluster": name} for end, name in zip("ab", names, strict=True)])
        .table.column("cluster")
        .to_pylist()
        == names
    )


_LISTED = {"query_id": 1, "text": "tv", "ratings": {"d1": 3}, "found": [{"doc_id": "d1"}], "tags": ["a"]}
_UNLISTED = {"query_id": 2, "text": "bag", "ratings": None, "found": [], "tags": []}
_OF_QUEPID = {"arranged_at": 0, "arranged_next": 1, "options": {}, "notes": None, "information_need": "x"}
_BESIDE_QUERIES = {
    "records": [_UNLISTED, _LISTED],
    "columns": {name: [_UNLISTED[name], _LISTED[name]] for name in _LISTED},
    "lists": [[*_LISTED], [*_UNLISTED.values()], [*_LISTED.values()]],
    "Quepid's own fields": {"docs": {}, "queries": [{**row, **_OF_QUEPID} for row in (_UNLISTED, _LISTED)]},
    "by query": {str(row["query_id"]): {**row, "query_id": str(row["query_id"])} for row in (_UNLISTED, _LISTED)},
}


@pytest.mark.parametrize(
    ("form", "packed"),
    [(form, packed) for form in _BESIDE_QUERIES for packed in (True, False) if packed or form != "lists"],
)
def test_documents_and_grades_are_no_segments(form: str, packed: bool) -> None:
    """Lists of documents and grades beside queries are left unread by name; other lists stay segments, as texts."""
    value = _BESIDE_QUERIES[form]
    queries = read_queries(json.dumps(value).encode() if packed else value)
    assert queries.table.column("query_id").to_pylist() == ["2", "1"]
    assert queries.table.column("text").to_pylist() == ["bag", "tv"]
    notes = "\n".join(queries.source.notes)
    assert set(queries.table.column_names) <= {"query_id", "text", "tags"}, notes
    assert '"ratings"' in notes
    assert not re.search('segments: .*"(ratings|found)', notes)
