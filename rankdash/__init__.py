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

from rankdash.installation import __version__ as __version__
from rankdash.records import as_dict, as_figure, as_html, register_later

if TYPE_CHECKING:
    from rankdash.api import (
        Demo as Demo,
        compare as compare,
        compare_many as compare_many,
        compare_scored as compare_scored,
        compare_votes as compare_votes,
        demo as demo,
        evaluate as evaluate,
        explain as explain,
        load as load,
        report as report,
        save as save,
        score as score,
        similarity as similarity,
        write_scored as write_scored,
    )
    from rankdash.candidates import Candidates as Candidates
    from rankdash.conventions import PRESETS as PRESETS, Convention as Convention, ConventionError as ConventionError
    from rankdash.inspect.explain import Explanation as Explanation
    from rankdash.metrics import (
        DEFINITIONS as DEFINITIONS,
        Measure as Measure,
        MeasureError as MeasureError,
        NotComputed as NotComputed,
        parse_measure as parse_measure,
    )
    from rankdash.policy import Policy as Policy, PolicyError as PolicyError
    from rankdash.reading import (
        Data as Data,
        Problem as Problem,
        ReadError as ReadError,
        read_items as read_items,
        read_judgments as read_judgments,
        read_models as read_models,
        read_queries as read_queries,
        read_run as read_run,
        read_votes as read_votes,
    )
    from rankdash.scoring import (
        Comparison as Comparison,
        ComparisonError as ComparisonError,
        PerQuery as PerQuery,
        Plots as Plots,
        TableError as TableError,
        VotesAlone as VotesAlone,
    )
    from rankdash.tables import (
        Items as Items,
        Judgments as Judgments,
        Models as Models,
        Queries as Queries,
        Run as Run,
        Source as Source,
        Votes as Votes,
    )
    from rankdash.verdict import Outcome as Outcome, Robustness as Robustness, Verdict as Verdict
    from rankdash.verdict.decide import decide as decide, robustness as robustness

#: Where each name is imported from when it is first asked for, so that `import rankdash` loads no other module.
_HOMES = {
    "rankdash.api": "Demo compare compare_many compare_scored compare_votes demo evaluate explain load report "
    "save score similarity write_scored",
    "rankdash.candidates": "Candidates",
    "rankdash.scoring": "Comparison ComparisonError PerQuery Plots TableError VotesAlone",
    "rankdash.conventions": "PRESETS Convention ConventionError",
    "rankdash.inspect.explain": "Explanation",
    "rankdash.metrics": "DEFINITIONS Measure MeasureError NotComputed parse_measure",
    "rankdash.policy": "Policy PolicyError",
    "rankdash.reading": "Data Problem ReadError read_items read_judgments read_models read_queries read_run read_votes",
    "rankdash.tables": "Items Judgments Models Queries Run Source Votes",
    "rankdash.verdict": "Outcome Robustness Verdict",
    "rankdash.verdict.decide": "decide robustness",
}
_HOME = {name: home for home, names in _HOMES.items() for name in names.split()}
#: Constants come first, then classes, then functions.
__all__ = sorted([*_HOME, "__version__"], key=lambda name: (not name.isupper(), not name[0].isupper(), name))


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
