"""compare(): the one call from tables to a Comparison, with every number that a page, a report or a rule shows.

Three steps. ``join`` puts both runs in order against the judgments, which takes long; ``score_queries`` makes the
per-query table; ``compare_scored`` weighs it under a policy. A changed cutoff, gain or convention needs only the last
two, which are ``compare_joined``.
"""

from rankdash.comparison.compare import compare, compare_joined, compare_scored
from rankdash.comparison.counts import Counts
from rankdash.comparison.paired_results import Result, Sample, SegmentResult, Weighed
from rankdash.comparison.per_query import PerQuery, TableError
from rankdash.comparison.problem_rows import Concern, concerns
from rankdash.comparison.rankings import ComparisonError, Rankings, join
from rankdash.comparison.records import Comparison, Likeness, summary_row
from rankdash.comparison.scoring import asked_by, score_queries, scoring_convention
from rankdash.comparison.voting import VotesAlone, compare_votes, swapped_votes, without_each_rater
from rankdash.evidence.documents.derived import TAU as DERIVED_TOLERANCE
from rankdash.judged import OTHER, SIDES, Order, Side, swapped_judgments

__all__ = [
    "DERIVED_TOLERANCE",
    "OTHER",
    "SIDES",
    "Comparison",
    "ComparisonError",
    "Concern",
    "Counts",
    "Likeness",
    "Order",
    "PerQuery",
    "Rankings",
    "Result",
    "Sample",
    "SegmentResult",
    "Side",
    "TableError",
    "VotesAlone",
    "Weighed",
    "asked_by",
    "compare",
    "compare_joined",
    "compare_scored",
    "compare_votes",
    "concerns",
    "join",
    "score_queries",
    "scoring_convention",
    "summary_row",
    "swapped_judgments",
    "swapped_votes",
    "without_each_rater",
]
