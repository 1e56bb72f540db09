"""What the data holds, before any measure is weighed: counts of queries, and what is judged."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rankdash.comparison.per_query import PerQuery
from rankdash.evidence.documents.judgment_kind import Ask, JudgmentKind, judgment_kind
from rankdash.evidence.paired import DECIMALS
from rankdash.metrics import mean
from rankdash.policy import Policy

Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Counts:
    """What the data holds, before any measure: counts of queries, and what is judged. k is the policy's cutoff."""

    judged: int  # queries of the judgments
    common: int  # of these, those that both runs answer
    missing_a: int
    missing_b: int
    without_relevant: int
    affected: int  # queries whose first k differ in documents or order
    identical: bool  # the lists are the same on every judged query
    distinct_grades: int
    unjudged_shown: int  # of the population: (query, document) pairs in the first k of A or B without a judgment
    judged_a: float | None  # mean judged@k over the population
    judged_b: float | None
    kind: JudgmentKind
    ask: Ask | None  # what only the user can say about the judgments

    @property
    def judged_gap(self) -> float | None:
        """How far judged@k of A and B lie apart, rounded so that 0.97 - 0.96 is 0.01."""
        if self.judged_a is None or self.judged_b is None:
            return None
        return round(abs(self.judged_b - self.judged_a), DECIMALS)


def counts(scored: PerQuery, policy: Policy, counted: Bools) -> Counts:
    """Return what the table holds, the queries ``counted`` being the population of the policy, (q,)."""
    answered_a, answered_b = (length > 0 for length in scored.pair("length"))
    relevant_a, relevant_b = scored.pair("relevant")
    affected, unjudged, shares = scored["changed"], scored["unjudged_shown"], scored.pair("judged")
    # What kind of judgments these are is a question about all of them; how many are missing, one about the population.
    of_all = [mean(share)[0] for share in shares]
    lower = None if of_all[0] is None or of_all[1] is None else min(of_all[0], of_all[1])
    kind, ask = judgment_kind(scored.asked.grades, int(unjudged.sum()), lower, policy.judgments)
    judged_a, judged_b = (mean(share[counted])[0] for share in shares)
    return Counts(
        judged=len(scored),
        common=int((answered_a & answered_b).sum()),
        missing_a=int((~answered_a).sum()),
        missing_b=int((~answered_b).sum()),
        without_relevant=int(((relevant_a <= 0) & (relevant_b <= 0)).sum()),
        affected=int(affected.sum()),
        identical=not affected.any() and bool(scored["identical"].all()),
        distinct_grades=len(scored.asked.grades),
        unjudged_shown=int(unjudged[counted].sum()),
        judged_a=judged_a,
        judged_b=judged_b,
        kind=kind,
        ask=ask,
    )
