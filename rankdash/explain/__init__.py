"""The worked calculation of one measure on one query, rank by rank, so that anyone can redo it by hand.

The value is the one that every comparison shows, and the ranks show its summands. The summands are implemented a second
time, beside the measure, as in a textbook; a test compares their sum with the measure.
"""

from rankdash.explain.records import Explanation, Ideal, Rank
from rankdash.explain.worked import explain

__all__ = ["Explanation", "Ideal", "Rank", "explain"]
