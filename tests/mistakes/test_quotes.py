"""Query texts that differ only by quotes, as Quepid writes them in two of its exports."""

from __future__ import annotations

import pytest

import rankdash as rd
from rankdash.mistakes import mistakes

SNAPSHOT = "Snapshot Name,Snapshot Time,Case ID,Query Text,Doc ID,Doc Position,name\r\n"
DETAILED = "Team Name,Case Name,Case ID,Query Text,Doc ID,Doc Position,Title,Rating\r\n"
ENCLOSED = " read with single quotes: Quepid doubles those of every cell."


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ('kettle ""gooseneck""', 'kettle "gooseneck"'),
        ('""red shoes""', '"red shoes"'),
        ('""red"" shoes', '"red" shoes'),
        ('27"" tv', '27" tv'),
        ('"tv, ""old"""', 'tv, "old"'),
        ('"""red shoes"", new"', '"red shoes", new'),
        (' =tv ""x""', '=tv "x"'),
    ],
)
def test_quotes_that_quepid_doubles_are_read_as_one(written: str, meant: str) -> None:
    """A text is the same in the exports that double its quotes, whether they enclose it, and in the ratings."""
    quoted = meant.replace('"', '""')
    judgments = rd.read_judgments(f'query,docid,rating\n"{quoted}",d1,3\ntv,d2,1\n'.encode())
    run = rd.read_run(f'{SNAPSHOT}x,Mon,7,{written},d1,1,a ""b""\r\nx,Mon,7,tv,d1,1,"c, ""d"""\r\n'.encode())
    assert [*map(str, run.table.column("query_id"))] == [meant, "tv"] == [*map(str, judgments.table["query_id"])]
    assert sum(note.endswith(ENCLOSED) for note in run.source.notes) == 1
    rated = rd.read_judgments(f"{DETAILED}t,c,7,{written},d1,1,T,3\r\nt,c,7,{written}\r\n".encode())
    assert rated.table.column("query_id").to_pylist() == [meant]
    assert "1 query has no documents." in rated.source.notes


@pytest.mark.parametrize(
    ("head", "written", "read"),
    [
        (SNAPSHOT, '5" x,""y"",1,""', '5" x'),
        (SNAPSHOT, '"a ""x""",d1,1,""', 'a "x"'),
        (SNAPSHOT, '"a """"x""""",d1,1,n', 'a ""x""'),
        ("query,docid,rank,other,more,and,so\r\n", 'a ""x"",d1,1,n', 'a ""x""'),
    ],
)
def test_other_quotes_stay(head: str, written: str, read: str) -> None:
    """Where a quote stands alone, cells are enclosed, or the headings are others, texts are read as they stand."""
    rows = f"x,Mon,7,{written}\r\n" if head == SNAPSHOT else f"{written},n,n,n\r\n"
    run = rd.read_run((head + rows).encode())
    assert run.table.column("query_id").to_pylist() == [read]
    assert not any(note.endswith(ENCLOSED) for note in run.source.notes)


def test_queries_that_differ_only_by_quotes_are_named() -> None:
    """A query whose quotes a spreadsheet doubled again is said to almost match, with both texts and why."""
    a, b = (
        rd.read_run(f'{SNAPSHOT}{name},Mon,7,"kettle """"goose""""",d1,1,\r\n{name},Mon,7,tv,d1,1,\r\n'.encode())
        for name in "xy"
    )
    judgments = rd.read_judgments(b'query,docid,rating\n"kettle ""goose""",d1,3\ntv,d2,1\n')
    said = [mistake.sentence for mistake in mistakes(a, b, judgments)]
    assert any("differ only by quotes" in sentence and 'kettle "goose"' in sentence for sentence in said)
