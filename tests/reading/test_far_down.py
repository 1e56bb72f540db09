"""What stands far down in a packed table: a score that is none, and texts that are too long to be shown."""

from __future__ import annotations

import gzip

import pytest

from rankdash.reading import ReadError, read_judgments, read_run

ROWS = 20_000


def packed(heading: str, cell: str, odd: str, at: int = 15_000) -> bytes:
    """A run as .csv.gz, with one odd cell in the last column of the data row ``at``."""
    lines = [f"q{i // 100},d{i % 100},{i % 100 + 1},{odd if i == at else cell}" for i in range(ROWS)]
    return gzip.compress("\n".join([f"query_id,doc_id,rank,{heading}", *lines]).encode(), 1)


@pytest.mark.parametrize("odd", ["abc", "inf", "1e999", '"a, b"'])
def test_one_bad_score_among_many_is_noted_with_its_row(odd: str) -> None:
    """Where ranks order the lists a bad score changes nothing, and a note says where it stands and what it is."""
    notes = read_run(packed("score", "0.5", odd)).source.notes
    assert "1 row has no finite score; the order does not need it." in notes
    assert any(note.startswith('Column "score": "') and "in row 15002 is the first" in note for note in notes)


@pytest.mark.parametrize("odd", ["x" * 2_000_000, "é" * 999_999, '"' + "a,b" * 600_000 + '"'])
def test_a_long_text_that_is_only_shown_is_cut_and_noted(odd: str) -> None:
    """A title beyond the limit of a cell is cut to it, whole characters and a sign; everything else is as it was."""
    run = read_run(packed("title", "t", odd))
    title = run.table.column("title").to_pylist()
    assert 999_990 < len(title[15_000].encode()) <= 1_000_000
    assert title[15_000][:-1] == odd.strip('"')[: len(title[15_000]) - 1]
    assert title[15_000].endswith("…")
    assert set(title[:15_000] + title[15_001:]) == {"t"}
    assert 'Column "title": a text in row 15002 was cut to 1 MB, for it is only shown.' in run.source.notes
    assert run.table.num_rows == ROWS


def test_a_long_cell_of_an_id_is_refused() -> None:
    """Two ids that begin alike must not become one."""
    lines = [f"q,{'x' * 2_000_000}{i},{i}" for i in range(2)]
    for reader, name in ((read_run, "rank"), (read_judgments, "relevance")):
        with pytest.raises(ReadError, match="a cell near row 2 has 2 MB"):
            reader("\n".join([f"query_id,doc_id,{name}", *lines]).encode())
