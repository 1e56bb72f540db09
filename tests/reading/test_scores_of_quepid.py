"""Quepid's scores of queries are no votes."""

from __future__ import annotations

import pytest

import rankdash as rd
from rankdash.reading import read_votes


@pytest.mark.parametrize("before", [b"", b"Team Name,Case Name,Case ID,"])
def test_scores_without_documents_are_refused_by_name(before: bytes) -> None:
    """The scores of queries that Quepid exports are refused as votes and wherever a file is recognised."""
    row = b"t,c,7," if before else b""
    content = before + b"Query Text,Score,Count,Notes\n" + row + b"tv,0.5,10,\n" + row + b"radio,1,3,\n"
    for reader in (recognised, read_votes, rd.read_queries):
        with pytest.raises(rd.ReadError, match=r"Quepid's scores of queries.* Export the case as Detailed, or a Snap"):
            reader(content)
