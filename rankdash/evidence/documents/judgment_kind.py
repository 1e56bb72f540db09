"""What kind of judgments these are: grades that somebody gave, or only the documents that were clicked or bought."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

JudgmentKind = Literal["judged", "positive_only"]
#: What only the user can say: which grades are relevant, or whether 0 was judged or merely logged.
Ask = Literal["threshold", "judged_or_logged"]

#: Below this judged@k, judgments of 0 and 1 look like a log.
WELL_JUDGED = 0.70


def judgment_kind(
    grades: Collection[float], unjudged_shown: int, judged_share: float | None, said: str = "auto"
) -> tuple[JudgmentKind, Ask | None]:
    """Return the kind of judgments, and what to ask about them; None where nothing is in doubt.

    Parameters
    ----------
    grades                     the distinct grades, negative ones included
    unjudged_shown             documents in the top k of A or B without a judgment
    judged_share               the lower judged@k of A and B, in [0, 1]; None where no list is answered
    said                       the policy's word: auto, judged or positive_only

    >>> judgment_kind({1}, 900, 0.1), judgment_kind({0, 1, 2}, 3, 0.95)
    (('positive_only', None), ('judged', None))
    """
    if said == "positive_only":
        return "positive_only", None
    positive = [grade for grade in grades if grade > 0]
    if said == "auto" and len(positive) == len(grades) == 1 and unjudged_shown:
        return "positive_only", None
    if len(positive) == len(grades) > 1 and said == "auto":
        return "judged", "threshold"
    if set(grades) == {0, 1} and judged_share is not None and judged_share < WELL_JUDGED and said == "auto":
        return "judged", "judged_or_logged"
    return "judged", None
