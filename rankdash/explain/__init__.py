"""The worked calculation of a measure on a query, rank by rank, so that anyone can redo it by hand.

The value is the same as in every comparison, and the ranks show its summands. The summands are implemented a second
time, beside the measure, as in a textbook; a test compares their sum with the measure.
"""

from rankdash.explain.records import Explanation, Ideal, Rank
from rankdash.explain.worked import explain

__all__ = ["Explanation", "Ideal", "Rank", "explain"]
