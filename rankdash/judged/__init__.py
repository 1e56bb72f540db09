"""Run + Judgments -> flat arrays: the only place for order, ties, duplicates and pooling.

Documents meet judgments as 64-bit fingerprints of (query, document). A filter over the judged fingerprints drops the
rows without a judgment - with sparse judgments nearly all - before the exact match. Where fingerprints agree, of
judgments and rows or of rows of A and B, the ids are compared byte by byte, so that a collision can cost time but never
change a number. (Of large files read piece by piece, whether two lists are the same to their ends is told by
fingerprints alone.) Lists are sorted only where they are not sorted, ties broken only where there are ties. Work goes
block by block over whole lists, so that memory stays small beside the tables.
"""

from rankdash.judged.pool import Conflict, Pool, all_distinct, inline_judgments, no_judgments, pooled, without_judgments
from rankdash.judged.ranked import (
    EXCHANGED,
    OTHER,
    SIDES,
    Order,
    RankedRun,
    Side,
    Top,
    are_apart,
    list_pair,
    matches,
    only,
    own_grades,
    ranked,
    ranked_lists,
    ranked_rows,
    rows_in_order,
    same_lists,
    same_tops,
    swapped_judgments,
    top,
    with_own,
)
