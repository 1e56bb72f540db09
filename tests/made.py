"""Runs and judgments made in a test, and one measure's values on them."""

import io
import math
from collections.abc import Mapping, Sequence
from typing import Any

import rankdash as rd
from rankdash.case import Case, compared

Ranked = Mapping[str, Sequence[Any] | Mapping[str, float]]


def run(lists: Ranked, name: str = "run") -> rd.Run:
    """A run of {query: [[doc, score], ...]} or {query: {doc: score}} (ordered by score) or {query: [doc, ...]}."""
    return rd.read_run(lists, name=name)


def named_file(name: str, content: bytes) -> io.BytesIO:
    """A file in memory that has a name, as from a browser."""
    file = io.BytesIO(content)
    file.name = name
    return file


def judgments(grades: Mapping[str, Mapping[str, float]]) -> rd.Judgments:
    """Judgments of {query: {doc: relevance}}."""
    return rd.read_judgments(grades)


def compared_anyway(
    a: rd.Run,
    b: rd.Run,
    grades: rd.Judgments | None = None,
    *,
    policy: rd.Policy | None = None,
    queries: rd.Queries | None = None,
    votes: rd.Votes | None = None,
    measures: Sequence[str] = (),
) -> rd.Comparison:
    """The comparison of tables, those too that ``rd.compare`` refuses because no result would mean anything."""
    return compared(Case((a, b), grades, queries, votes), policy or rd.Policy(), measures=measures)


def value(lists: Ranked, grades: Mapping[str, Mapping[str, float]], measure: str, query: str = "q") -> float | None:
    """One measure of one query; None where it is undefined or the query is left out."""
    return values(lists, grades, measure).get(query)


def values(lists: Ranked, grades: Mapping[str, Mapping[str, float]], measure: str) -> dict[str, float | None]:
    """One measure's value per query; None where it is undefined."""
    frame = rd.evaluate(run(lists), judgments(grades), [measure])
    return {q: None if math.isnan(v) else v for q, v in zip(frame["query_id"], frame["value"], strict=True)}
