"""What is compared, as one frozen record, and the only way from it to a comparison.

>>> compared(Case((old, new), judgments), Policy())   # doctest: +SKIP
Comparison('old' -> 'new': nDCG@10 0.512 -> 0.530 over 120 queries, 4 measures)
"""

from rankdash.case.case import Case, Role, compared, given_name, title, valid_votes_of, votes_title
from rankdash.case.contents import Tabled, content_digest, ranked_digest
