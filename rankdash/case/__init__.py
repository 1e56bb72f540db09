"""What is compared, as one frozen record, and the only way from it to a comparison.

>>> compared(Case((old, new), judgments), Policy())   # doctest: +SKIP
Comparison('old' -> 'new': nDCG@10 0.512 -> 0.530 over 120 queries, 4 measures)
"""

from rankdash.case.case import ROLES, Case, Role
from rankdash.case.compared import compared, ranked, votes_standing
from rankdash.case.contents import Tabled, content_digest
from rankdash.case.naming import given_name, title, votes_title
from rankdash.case.scored import case_of_scored, per_query_of, policy_of_scored, runs_of_scored

__all__ = [
    "ROLES",
    "Case",
    "Role",
    "Tabled",
    "case_of_scored",
    "compared",
    "content_digest",
    "given_name",
    "per_query_of",
    "policy_of_scored",
    "ranked",
    "runs_of_scored",
    "title",
    "votes_standing",
    "votes_title",
]
