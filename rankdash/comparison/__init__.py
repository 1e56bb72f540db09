"""A Comparison: every number that a page, a report or a rule shows of two runs, computed from tables.

It takes three steps. ``join`` puts both runs in order against the judgments, which takes long; ``score_queries`` makes
the per-query table; ``compare_scored`` weighs it under a policy. A changed cutoff, gain or convention repeats the last
two only, which ``compare_joined`` does.
"""

from rankdash.comparison.compare import (
    check_settings,
    compare_joined,
    compare_scored,
    expertise_of,
    numbers_under,
)
from rankdash.comparison.counts import Counts
from rankdash.comparison.paired_results import QuerySample, Result, SegmentResult, Weighed, WeighedNumbers
from rankdash.comparison.problem_rows import Concern, concerns
from rankdash.comparison.query_info import Facts, UnweightedError, WeightGap, facts, places_of
from rankdash.comparison.rankings import ComparisonError, Rankings, join, judged_queries
from rankdash.comparison.records import Comparison, Likeness, summary_row, tests_row
from rankdash.comparison.scoring import score_queries, without_further
from rankdash.comparison.voting import VotesAlone, compare_votes, matched_votes, swapped_votes, without_each_rater
from rankdash.evidence.documents.derived import TAU as DERIVED_TOLERANCE
from rankdash.judged import OTHER, SIDES, Order, Side, swapped_judgments
from rankdash.scored import InputMistake, Noticed, PerQuery, ScoredInputs, ScoredRun, TableError
from rankdash.scored.settings import REMOVED, SettingBeside, existing, scope_of, settings

__all__ = [
    "DERIVED_TOLERANCE",
    "OTHER",
    "REMOVED",
    "SIDES",
    "Comparison",
    "ComparisonError",
    "Concern",
    "Counts",
    "Facts",
    "InputMistake",
    "Likeness",
    "Noticed",
    "Order",
    "PerQuery",
    "QuerySample",
    "Rankings",
    "Result",
    "ScoredInputs",
    "ScoredRun",
    "SegmentResult",
    "SettingBeside",
    "Side",
    "TableError",
    "UnweightedError",
    "VotesAlone",
    "Weighed",
    "WeighedNumbers",
    "WeightGap",
    "check_settings",
    "compare_joined",
    "compare_scored",
    "compare_votes",
    "concerns",
    "existing",
    "expertise_of",
    "facts",
    "join",
    "judged_queries",
    "matched_votes",
    "numbers_under",
    "places_of",
    "scope_of",
    "score_queries",
    "settings",
    "summary_row",
    "swapped_judgments",
    "swapped_votes",
    "tests_row",
    "without_each_rater",
    "without_further",
]
