"""TREC runs and qrels: words between white space, no header, no quotes."""

from __future__ import annotations

from rankdash.reading.text.trec.qrels import read_qrels
from rankdash.reading.text.trec.runs import read_run, run_in_pieces
from rankdash.reading.text.trec.signs import is_no_json, is_qrels, is_run

__all__ = ["is_no_json", "is_qrels", "is_run", "read_qrels", "read_run", "run_in_pieces"]
