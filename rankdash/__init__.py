"""rankdash answers one question: should model B replace model A?

>>> import rankdash as rd
>>> a = rd.read_run({"q1": ["d1", "d2"], "q2": ["d3", "d4"]}, name="A")
>>> b = rd.read_run({"q1": ["d2", "d1"], "q2": ["d3", "d4"]}, name="B")
>>> judgments = rd.read_judgments({"q1": {"d2": 2}, "q2": {"d3": 1}})
>>> comparison = rd.compare(a, b, judgments)
>>> comparison.primary.paired.wins, rd.decide(comparison).launch
(1, False)
"""

import rankdash.report.notebook  # noqa: F401 - registers how records show themselves
from rankdash.api import (
    compare,
    compare_scored,
    compare_votes,
    evaluate,
    explain,
    join,
    load,
    save,
    score,
    similarity,
    write_scored,
)
from rankdash.comparison import Comparison, ComparisonError, PerQuery, TableError, VotesAlone
from rankdash.conventions import PRESETS, Convention, ConventionError
from rankdash.explain import Explanation
from rankdash.metrics import DEFINITIONS, Measure, MeasureError, NotComputed, parse_measure
from rankdash.policy import Policy, PolicyError
from rankdash.reading import (
    Problem,
    ReadError,
    read_judgments,
    read_models,
    read_queries,
    read_run,
    read_votes,
)
from rankdash.tables import Judgments, Models, Queries, Run, Source, Votes
from rankdash.verdict import Outcome, Robustness, Verdict, decide, robustness
from rankdash.version import __version__

__all__ = [
    "DEFINITIONS",
    "PRESETS",
    "Comparison",
    "ComparisonError",
    "Convention",
    "ConventionError",
    "Explanation",
    "Judgments",
    "Measure",
    "MeasureError",
    "Models",
    "NotComputed",
    "Outcome",
    "PerQuery",
    "Policy",
    "PolicyError",
    "Problem",
    "Queries",
    "ReadError",
    "Robustness",
    "Run",
    "Source",
    "TableError",
    "Verdict",
    "Votes",
    "VotesAlone",
    "__version__",
    "compare",
    "compare_scored",
    "compare_votes",
    "decide",
    "evaluate",
    "explain",
    "join",
    "load",
    "parse_measure",
    "read_judgments",
    "read_models",
    "read_queries",
    "read_run",
    "read_votes",
    "robustness",
    "save",
    "score",
    "similarity",
    "write_scored",
]
