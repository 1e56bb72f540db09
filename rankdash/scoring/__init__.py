"""A comparison of two runs: their lists scored query by query, and these numbers weighed.

It takes three steps. ``join`` puts both runs in order against the judgments, which takes long; ``score_queries`` makes
the per-query table; ``compare_scored`` weighs it under a policy and reads nothing else. A changed cutoff, gain or
convention repeats the last two only, which ``compare_joined`` does.

The row of a query depends on no other query. What holds for all queries is in small records beside the rows:
``Scope``, ``Noticed``, and ``ScoredInputs``, which names what was scored.
"""

from rankdash.evidence.documents import TAU as DERIVED_TOLERANCE
from rankdash.judged import OTHER, SIDES, Order, Pool, Side, inline_judgments, pooled, swapped_judgments
from rankdash.scoring.compare import (
    VotesAlone,
    check_settings,
    compare_joined,
    compare_scored,
    compare_votes,
    expertise_of,
    matched_votes,
    numbers_under,
    swapped_votes,
    without_each_rater,
)
from rankdash.scoring.comparison import Comparison, Plots, summary_row, tests_row
from rankdash.scoring.queries import UnweightedError, WeightGap, facts, places_of
from rankdash.scoring.rankings import ComparisonError, Rankings, join, join_each, shown_texts, texts_of
from rankdash.scoring.results import Counts, QuerySample, Result, SegmentResult, Weighed, WeighedNumbers
from rankdash.scoring.score import score_queries, scored_in_memory
from rankdash.scoring.table import (
    COLUMNS,
    READINGS,
    REMOVED,
    SCHEMA_VERSION,
    UNNAMED,
    Noticed,
    PerQuery,
    TableError,
    existing,
)
