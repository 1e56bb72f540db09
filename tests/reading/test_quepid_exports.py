"""Exports of Quepid as it writes them: queries without ratings or results, and quotes that are doubled."""

from __future__ import annotations

import pytest

from rankdash.reading import read_judgments, read_run, recognised

BASIC = "query,docid,rating\n"
DETAILED = "Team Name,Case Name,Case ID,Query Text,Doc ID,Doc Position,Title,Rating,price\n"


@pytest.mark.parametrize("above", ["", "\n"], ids=["", "below a blank line"])
@pytest.mark.parametrize("radio", ["radio", "radio,,", '"radio, old",,', '"7"" radio"'])
def test_a_query_that_nobody_rated_is_counted(above: str, radio: str) -> None:
    """A line of the basic export with a query alone, padded with empty cells or not, has no judgments and is noted."""
    content = f"{above}{BASIC}tv,d1,3.0\n{radio}\ntv,d2,0.0\n".encode()
    judgments = read_judgments(content)
    assert judgments.table.column("query_id").to_pylist() == ["tv", "tv"]
    assert "1 query has no documents." in judgments.source.notes
    assert recognised(content).kind == "judgments"


def test_a_query_without_ratings_at_the_end_of_many_is_counted() -> None:
    """The rows that are looked at first need not hold it."""
    rows = "".join(f"q{n},d{n},{n % 3}.0\n" for n in range(20_000))
    assert "1 query has no documents." in read_judgments(f"{BASIC}{rows}radio,,\n".encode()).source.notes


def test_a_rating_without_a_document_is_refused() -> None:
    """A grade of no document is an error, in every export."""
    with pytest.raises(Exception, match="document id is empty"):
        read_judgments(f"{BASIC}tv,d1,3.0\nradio,,1.0\n".encode())


@pytest.mark.parametrize("radio", ["t,c,7,radio", "t,c,7,radio,,,,,", 't,"c, d",7,"old, radio"', 't,c,7,7"" radio'])
def test_a_query_without_results_is_counted(radio: str) -> None:
    """A row of the detailed export that ends with the query is one without documents, as a run and as judgments."""
    content = f'{DETAILED}t,c,7,tv,d1,1,"A title\nt,c,7,radio",3,9\n{radio}\nt,c,7,tv,d2,2,T,0,8\n'.encode()
    for table in (read_run(content), read_judgments(content)):
        assert table.table.column("doc_id").to_pylist() == ["d1", "d2"]
        assert "1 query has no documents." in table.source.notes
    assert read_run(content).table.column("title").to_pylist() == ["A title\nt,c,7,radio", "T"]


def test_a_row_that_is_cut_elsewhere_is_refused() -> None:
    """A row with fewer cells that does not end with the query is an error."""
    with pytest.raises(Exception, match="5 cells where the header has 9"):
        read_run(f"{DETAILED}t,c,7,tv,d1,1,T,3,9\nt,c,7,tv,d2\n".encode())
