"""The worked calculation of one measure on one query, rank by rank, so that anyone can redo it by hand.

The value is the one that every comparison shows; the ranks say where it comes from. What a rank adds is written beside
the measure a second time, as in a textbook; a test holds the sum of the ranks against the measure.
"""

from rankdash.explain.records import Explanation, Ideal, Rank
from rankdash.explain.worked import explain

__all__ = ["Explanation", "Ideal", "Rank", "explain"]
