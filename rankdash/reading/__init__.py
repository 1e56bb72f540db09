"""Bytes, frames and dicts -> tables. The only room that knows file formats.

``source`` opens and unpacks bytes, and makes UTF-8 of texts. ``text``, ``letor``, ``objects``, ``columnar`` and
``workbook`` each make a ``Grid`` of a format, and ``grid`` says what its cells hold; ``tools`` knows the forms of other
tools. ``headings`` says what a column means, ``values`` what words and unnamed numbers mean; ``build`` and ``votes``
make the table. ``readers`` is what others call.
"""

from __future__ import annotations

from rankdash.reading.headings import KINDS, Kind
from rankdash.reading.problems import Choice, LimitError, Problem, ReadError
from rankdash.reading.readers import (
    Data,
    read_as,
    read_interactions,
    read_items,
    read_judgments,
    read_models,
    read_queries,
    read_run,
    read_votes,
)
from rankdash.reading.source import ENCODINGS, LIMITS, Limits, Options, megabytes
