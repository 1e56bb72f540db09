"""What a dropped file is taken for."""

import gzip
import io
import json
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rankdash.reading import ReadError, read_judgments, read_run
from rankdash.reading.recognition import recognise
from tests.long import every
from tests.reading.made_files import archive

TREC = b"q Q0 a 1 2.5 t\nq Q0 b 2 1.5 t\n"
#: Two lists of five products under the numbers of their rows.
NUMBERED = b"id,query,product,score\n" + b"".join(b"%d,q%d,p%d,1.5\n" % (i, i // 5, i % 5) for i in range(10))


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (TREC, "run"),
        (b"q 0 a 1\nq 0 b 0\n", "judgments"),
        (b"query_id,doc_id,rank\nq,a,1\n", "run"),
        (b"query_id,doc_id,relevance\nq,a,1\n", "judgments"),
        (b"query_id,doc_id,label\nq,a,Exact\n", "judgments"),
        (b"q 1 a 1\nq 2 a 1\nq 2 b 0\n", "judgments"),
        (b"query_id,subtopic,doc_id,relevance\nq,x,a,1\nq,y,a,1\nq,x,b,1\n", "judgments"),
        (b"model,query,position,asin\nx,q,1,a\ny,q,1,b\n", "models"),
        (b"query_id,vote\nq,good\nr,bad\n", "votes"),
        (b"query_id,rater1,rater2\nq,1,2\nr,0,2\n", "votes"),
        (b"Search term,Rater 1,Rater 2\ntent,New,Old\nbike lock,Same,New\n", "votes"),
        (b"user,Anna,Ben\nmaria,A,same\ntom,B,B\n", "votes"),
        (b"1\twho is he\n2\twhat is it\n", "queries"),
        (b"query_id,text,item,weight\nq,red shoes,shoes,2\nr,tent,camping,1\n", "queries"),
        (NUMBERED, "run"),
        (b"query_id,doc_id,in_stock,promoted\nq,a,0,1\nq,b,1,0\nr,a,1,1\n", "run"),
        (b"2 qid:1 1:0.5 # docid = a\n", "judgments"),
        (json.dumps({"q": {"a": 1.5, "b": 0.5}}).encode(), "run"),
        (archive({"a.txt": TREC}), "run"),
        (b"query_id,doc_id,rank\n" + b"".join(b"q,%d,%d\n" % (i, i) for i in range(1, 60_000)), "run"),
        (b"query\nred shoes\nblue socks\n", "queries"),
        (b"1,red shoes\n2,blue\n", "queries"),
        ("查询\n红鞋\n蓝色\n".encode(), "queries"),
        (b'{"_id":"1","text":"red shoes","metadata":{}}\n{"_id":"2","text":"blue","metadata":{}}\n', "queries"),
        (b'{"_id":"1","title":"","text":"red shoes"}\n{"_id":"2","title":"B","text":"blue"}\n', "items"),
        (b"Suchanfrage;Stimme\nZelt;besser\nHut;gleich\nRad;schlechter\n", "votes"),
        ("query,评价\nq1,好\nq2,一样\nq3,差\n".encode(), "votes"),
        ("query_id,評価\n1,good\n2,same\n3,bad\n".encode(), "votes"),
        ("query_id,doc_id,評価\n1,a,良い\n2,b,同じ\n3,c,悪い\n".encode(), "votes"),
        ("查询,商品id,评价\nq,a,相关\nq,b,不相关\nr,c,相关\n".encode(), "judgments"),
        (b"search term,product,stars\nq,a,3\nq,b,0\n", "judgments"),
        (b"Search,Product,Relevance (0-3)\nq,a,3\nq,b,0\n", "judgments"),
        (b"query,item,anna,ben\nq,a,3,\nq,b,0,1\nr,a,1,2\n", "judgments"),
        (b"query,bucket,half\nq,A,B\nr,B,A\n", "queries"),
        (b"query_id,hotel_id,event\nq,h,click\nq,h,booking\nr,i,click\n", "judgments"),
        (b"user,title,feedback\nu,Heat,liked\nu,Jaws,ok\nu,Up,liked\n", "judgments"),
        (b"user,colleague,who was better\nu,Jo,A\nu,Al,same\nv,Jo,B\n", "votes"),
        (b"Suchanfrage,Signatur,Titel,Anna,Jo\nq,a,x,relevant,partly\nr,b,y,partly,relevant\n", "judgments"),
    ],
)
def test_each_kind_is_recognised(content: bytes, kind: str) -> None:
    """Runs, judgments, combined files, votes and queries are told apart by what can be read."""
    assert recognise(content).kind == kind


@pytest.mark.parametrize("kind", [pa.binary(), pa.large_binary(), pa.dictionary(pa.int8(), pa.binary()), pa.null()])
def test_bytes_beside_queries_are_no_votes(kind: pa.DataType) -> None:
    """A column of any type beside queries leaves them queries, whatever its bytes are."""
    cells = pa.nulls(2, kind) if pa.types.is_null(kind) else pa.array([b"\xff", b"a"], kind)
    pq.write_table(pa.table({"query_id": ["q", "r"], "stamp": cells}), file := io.BytesIO())
    assert recognise(file.getvalue()).kind == "queries"


def test_numbers_of_rows_are_no_ids_of_documents() -> None:
    """A column "id" that counts the rows of several queries is refused, unless it is chosen."""
    with pytest.raises(ReadError, match='"id" numbers the rows'):
        read_run(NUMBERED)
    for column, first in (("id", "0"), ("product", "p0")):
        assert read_run(NUMBERED, columns={"doc_id": column}).table.column("doc_id")[0].as_py() == first


def rows_of(header: bytes, sign: bytes, *numbers: object) -> bytes:
    """Two queries, each with a document for each of the numbers."""
    rows = [f"{query}\td{i}\t{number}" for query in "qr" for i, number in enumerate(numbers)]
    return header + "\n".join(rows).encode().replace(b"\t", sign) + b"\n"


def test_a_word_that_is_seldom_an_id_yields_to_one_that_mostly_is() -> None:
    """The product and the term beside a link and a query are no ids; the name of a product is one where no other is."""
    numbered = b"Query,Product name,Product no.,Grade\nq,a,7,3\n"
    for table, ids in ((b"Query,Product name,Grade\nq,a,3\n", "a"), (numbered, "7")):
        assert read_judgments(table).table.column("doc_id")[0].as_py() == ids
        assert recognise(table).kind == "judgments"
    own = read_run(b"query,place_id,place_name,rank\nq,a,Inn,1\n").table
    assert own.select(["doc_id", "title"]).to_pylist() == [{"doc_id": "a", "title": "Inn"}]
    run = read_run(b"query,term,product,article_url,rank,relevance_score\nq,x,shoe,u1,1,7.5\nq,x,shoe,u2,2,7\n").table
    assert [run[name].to_pylist() for name in ("query_id", "doc_id", "score")] == [["q", "q"], ["u1", "u2"], [7.5, 7]]


def test_numbers_in_a_file_that_is_called_judgments_are_asked_for() -> None:
    """Under a heading that means nothing they are grades only where somebody says so, and no lists by themselves."""
    judged = ("judgments", ["relevance"])
    named = {"golden queries.csv": judged, "My judgments.csv": judged, "upgraded.csv": ("run", [])}
    for name, read in named.items():
        file = io.BytesIO(b"Query,Hotel name,How good (0-3)\nq,a,3\nq,b,0\nr,a,1\n")
        file.name = name
        found = recognise(file)
        assert (found.kind, [choice.key for choice in found.choices]) == read


def test_unknown_headings_are_asked_for_until_each_is_chosen() -> None:
    """Two raters' words "relevant" are no header below an unknown one but grades; half an answer makes no votes."""
    votes = recognise(b"Query,Rater,Which is better?\nq,x,a\nq,y,b\nr,x,same\n")
    assert (votes.kind, [choice.key for choice in votes.choices]) == ("votes", ["vote"])
    graded, ids = b"Frage;Code;Anna;Jo\nRecht;QP 1;partly;partly\nWal;QP 2;relevant;relevant\n", {"query_id": "Frage"}
    with pytest.raises(ReadError, match='Found: "Frage", "Code", "Anna", "Jo"'):
        recognise(graded)
    assert recognise(graded, columns=ids | {"doc_id": "Code"}).choices[0].key == "relevance"
    assert recognise(b"Frage;Position;Code;Score\nRecht;1;QP 1;2,5\n", columns=ids).choices[0].key == "doc_id"


@pytest.mark.parametrize(
    ("text", "kind", "asked"),
    [
        ("query,code,grade\nq,1,-1\nq,2,1\nq,3,0\nr,1,1\nr,2,0\nr,3,-1\n", "judgments", "doc_id"),
        ("query,code,grade\nq,1,0\nq,2,3\nq,3,1\nr,1,2\nr,2,0\nr,3,3\n", "judgments", "doc_id"),
        ("query,doc_id,grade,assessor\nq,a,1,ann\nq,a,1,ben\nq,b,0,ann\nq,b,0,ben\n", "judgments", ""),
        ("Relevance of query results\n\nquery,doc_id,relevance\nq,a,1\nq,b,0\n", "judgments", ""),
        ("Top queries,Clicks,Impressions,CTR,Position\nred hat,3,40,7.5%,4.2\ncap,1,9,11.1%,2\n", "queries", ""),
        ("query,page,impressions,position\nhat,/a,30,1\nhat,/b,20,2\ncap,/a,10,1\n", "run", "doc_id"),
        ("query;colleague;which was better\nsofa;Ann;old\nsofa;Ben;new\ncap;Ann;same\ncap;Ben;new\n", "votes", "vote"),
        ("query,searches\nhat,120\ncap,n.a.\n", "queries", ""),
        ("reviewer_id,query,doc_id,rating\nann,hat,a,1\nben,hat,b,2\nann,cap,a,0\n", "judgments", ""),
        ("hat,a,1,Red\nhat,b,2,Blue\ncap,a,1,Red\ncap,c,2,Tea\n", "run", "doc_id"),
        ("hat,a,1,Red\nhat,b,0,Blue\ncap,a,1,Red\ncap,c,2,Tea\n", "judgments", "doc_id"),
    ],
)
def test_tables_of_other_tools_are_what_they_say(text: str, kind: str, asked: str) -> None:
    """Grades beside unknown documents, several assessors, a title, a report, people who grade, and no headings."""
    found = recognise(text.encode())
    assert (found.kind, "".join(own.key for own in found.choices if own.option == "columns")) == (kind, asked)
    if "reviewer" in text:
        assert read_judgments(text.encode()).table.column("query_id").unique().to_pylist() == ["hat", "cap"]


def test_a_broken_row_is_named_before_anything_is_asked() -> None:
    """A row with too few cells is what is wrong, not a column that could be asked for; at the end a file is cut off."""
    for after, ends in ((b"", "It is the last row: the file may be cut off. Export it again."), (b"hat,c,1\n", "")):
        with pytest.raises(ReadError, match=f"row 3: 2 cells where the header has 3. ?{ends}$"):
            recognise(b"query,doc_id,relevance\nhat,a,1\nhat,b\n" + after)


def test_a_list_in_a_cell_is_not_asked_for_its_grades() -> None:
    """No choice of a column makes judgments or lists of it: what to do is said at once, on the page too."""
    with pytest.raises(ReadError, match="Write a row for each document") as refused:
        recognise(b'query_id,doc_id\nq1,"d1, d2, d3"\nq2,"d4, d5"\n')
    assert not refused.value.choices


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (rows_of(b"query-id\tcorpus-id\tscore\n", b"\t", 1, 1), "judgments"),
        (rows_of(b"query-id,corpus-id,score\n", b",", 2, 1, 0), "judgments"),
        (rows_of(b"query-id\tcorpus-id\tscore\n", b"\t", 9.25, 3.5), "run"),
        (b'{"query-id":"q","corpus-id":"d","score":1}\n{"query-id":"q","corpus-id":"e","score":2}\n', "judgments"),
        (rows_of(b"", b"\t", 0, 2, 1), "judgments"),
        (rows_of(b"", b"\t", 3, 3, 1, 0), "judgments"),
        (rows_of(b"", b"\t", 1, 2, 3), "run"),
        (rows_of(b"", b"\t", 2.5, 0.5), "run"),
        (rows_of(b"", b"\t", 9, 7, 6), "run"),
        (rows_of(b"query_id,doc_id,score\n", b",", 0.2, 0.9, 0.4), "run"),
        (rows_of(b"query_id,doc_id,score\n", b",", 3, 2, 1), "run"),
        (b"model,query_id,doc_id,score\nx,q,a,1\nx,q,b,1\nx,q,c,2\n", "run"),
        (json.dumps({"q": {"a": 1, "b": 0, "c": 2}}).encode(), "judgments"),
    ],
)
def test_numbers_tell_judgments_from_runs(content: bytes, kind: str) -> None:
    """Small whole numbers that do not fall are grades; ranks, other scores and numbers that fall make a run."""
    found = recognise(content)
    assert (found.kind, found.choices) == (kind, ())
    (read_judgments if kind == "judgments" else read_run)(content)


@pytest.mark.parametrize("numbers", [(3, 2, 1), (5, 3, 1), (9, 4, 7)])
def test_numbers_without_a_heading_that_could_be_ranks_are_asked_for(numbers: tuple[int, ...]) -> None:
    """Whole numbers that could be scores and ranks or grades make a run once it is said which they are."""
    content = rows_of(b"", b"\t", *numbers)
    found = recognise(content)
    assert (found.kind, found.choices[-1].key) == ("run", "score")
    again = recognise(content, columns={"score": "column 3"})
    assert (again.kind, again.choices) == ("run", ())


def test_scores_like_grades_are_asked_for() -> None:
    """A column called score of a few small numbers may hold grades: which column does is asked, and can be answered."""
    content = rows_of(b"query_id,doc_id,score\n", b",", 0, 2, 1, 2)
    found = recognise(content)
    assert (found.kind, found.choices[0].key, found.choices[0].values[2]) == ("judgments", "relevance", "score")
    answered = recognise(content, columns={"relevance": "score"})
    assert (answered.kind, answered.choices) == ("judgments", ())
    assert recognise(content, columns={"score": "score"}).kind == "run"


RECORDS = [
    {"model": model, "query_id": f"q{i // 50}", "doc_id": f"d{i}", "rank": i % 50 + 1}
    for model in ("x", "y")
    for i in range(25_000)
]
TABLE = pa.Table.from_pylist(RECORDS)
LINES = "\n".join([",".join(RECORDS[0]), *(",".join(map(str, record.values())) for record in RECORDS)]) + "\n"


def parquet() -> bytes:
    """The records as Parquet."""
    content = io.BytesIO()
    pq.write_table(TABLE, content)
    return content.getvalue()


@pytest.mark.parametrize(
    "content",
    every(
        3,
        [
            LINES.encode(),
            LINES.replace(",d1,", ',"d\n1",').encode(),
            gzip.compress(LINES.encode(), 1),
            archive({"a.csv": LINES.encode()}),
            parquet(),
            json.dumps(RECORDS).encode(),
            "\n".join(map(json.dumps, RECORDS)).encode(),
            LINES.encode("utf-16"),
        ],
    ),
    ids="text quoted gzip zip parquet list lines utf-16".split(),
)
def test_a_model_far_below_another_is_seen(content: Any) -> None:
    """A large file of one model after the other is a combined file, whatever its format."""
    assert recognise(content).kind == "models"


@pytest.mark.parametrize(
    "content",
    [
        b"query-id\tcorpus-id\tscore\nq\ta\t1\n",
        b"query_id iter doc_id relevance\nq 0 a 1\n",
        b"q 0 a Relevant\n",
        b"query_id,doc_id,relevant?\nq,a,TRUE\n",
        b"query_id,doc_id,relevance,\nq,a,1,\n",
        b"query_id,doc_id,relevance\n\xe2\x80\x8bq,a\xef\xbb\xbf,1\n",
        b'"query\nid",doc_id,relevance\nq,a,1\n',
        b"query_id   doc_id   relevance\nq          a        1\n",
    ],
)
def test_judgments_of_many_tools_are_read(content: bytes) -> None:
    """Headings, words, delimiters at the end of lines, invisible characters and aligned columns of other tools."""
    assert read_judgments(content).table.to_pylist() == [{"query_id": "q", "doc_id": "a", "relevance": 1}]
