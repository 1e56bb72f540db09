"""rankdash answers one question: should model B replace model A?

>>> import rankdash as rd
>>> a = rd.read_run({"q1": ["d1", "d2"], "q2": ["d3", "d4"]}, name="A")
>>> b = rd.read_run({"q1": ["d2", "d1"], "q2": ["d3", "d4"]}, name="B")
>>> judgments = rd.read_judgments({"q1": {"d2": 2}, "q2": {"d3": 1}})
>>> comparison = rd.compare(a, b, judgments)
>>> comparison.primary.paired.wins, rd.decide(comparison).launch
(1, False)
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from rankdash.installation import __version__
from rankdash.records import as_dict, as_figure, as_html, register_later

if TYPE_CHECKING:
    from rankdash.api import (
        Demo,
        compare,
        compare_many,
        compare_scored,
        compare_votes,
        demo,
        evaluate,
        explain,
        load,
        report,
        save,
        score,
        similarity,
        write_scored,
    )
    from rankdash.candidates import Candidates
    from rankdash.conventions import PRESETS, Convention, ConventionError
    from rankdash.explain import Explanation
    from rankdash.metrics import DEFINITIONS, Measure, MeasureError, NotComputed, parse_measure
    from rankdash.policy import Policy, PolicyError
    from rankdash.reading import (
        Data,
        Problem,
        ReadError,
        read_items,
        read_judgments,
        read_models,
        read_queries,
        read_run,
        read_votes,
    )
    from rankdash.scoring import Comparison, ComparisonError, PerQuery, Plots, TableError, VotesAlone
    from rankdash.tables import Items, Judgments, Models, Queries, Run, Source, Votes
    from rankdash.verdict import Outcome, Robustness, Verdict
    from rankdash.verdict.decide import decide, robustness

__all__ = [
    "DEFINITIONS",
    "PRESETS",
    "Candidates",
    "Comparison",
    "ComparisonError",
    "Convention",
    "ConventionError",
    "Data",
    "Demo",
    "Explanation",
    "Items",
    "Judgments",
    "Measure",
    "MeasureError",
    "Models",
    "NotComputed",
    "Outcome",
    "PerQuery",
    "Plots",
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
    "compare_many",
    "compare_scored",
    "compare_votes",
    "decide",
    "demo",
    "evaluate",
    "explain",
    "load",
    "parse_measure",
    "read_items",
    "read_judgments",
    "read_models",
    "read_queries",
    "read_run",
    "read_votes",
    "report",
    "robustness",
    "save",
    "score",
    "similarity",
    "write_scored",
]

#: Where each name is imported from when it is first asked for, so that `import rankdash` loads no other module.
_HOMES = {
    "rankdash.api": "Demo compare compare_many compare_scored compare_votes demo evaluate explain load report "
    "save score similarity write_scored",
    "rankdash.candidates": "Candidates",
    "rankdash.scoring": "Comparison ComparisonError PerQuery Plots TableError VotesAlone",
    "rankdash.conventions": "PRESETS Convention ConventionError",
    "rankdash.explain": "Explanation",
    "rankdash.metrics": "DEFINITIONS Measure MeasureError NotComputed parse_measure",
    "rankdash.policy": "Policy PolicyError",
    "rankdash.reading": "Data Problem ReadError read_items read_judgments read_models read_queries read_run read_votes",
    "rankdash.tables": "Items Judgments Models Queries Run Source Votes",
    "rankdash.verdict": "Outcome Robustness Verdict",
    "rankdash.verdict.decide": "decide robustness",
}
_HOME = {name: home for home, names in _HOMES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOME[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)


class _Package(ModuleType):
    """This module, in which ``explain`` and ``evaluate`` are functions, also after the modules of that name load."""

    def __setattr__(self, name: str, value: Any) -> None:
        if not (name in _HOME and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
register_later("rankdash.report.json", as_dict)
register_later("rankdash.report.notebook", as_html)
register_later("rankdash.charts.figures", as_figure)
