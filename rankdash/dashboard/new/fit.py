"""Whether files that could each be read make a comparison: told before anybody compares them."""

from __future__ import annotations

import streamlit as st

from rankdash.case import Case
from rankdash.comparison import ComparisonError, UnweightedError
from rankdash.dashboard.host.results import once
from rankdash.dashboard.kit.literal import plain, problems
from rankdash.dashboard.session import verdicts
from rankdash.metrics import MeasureError
from rankdash.mistakes import Mistake, labels_alike, mistakes
from rankdash.policy import PolicyError
from rankdash.reading import ReadError
from rankdash.report.mistakes import mistakes_of, refusals
from rankdash.store import is_large

#: What a user's files can be wrong in. Anything else is our mistake, and is allowed to show itself.
MISTAKES = (ReadError, ComparisonError, MeasureError, PolicyError)


def lacking(case: Case) -> str:
    """Say what is wrong between the files of a case; return a word of ``NEEDS`` where it cannot be compared, else "".

    What is large is begun to be computed, and compared only when somebody asks for it.
    """
    wrong = _between(case) if case.scored is None else ()
    fatal = [one for one in wrong if one.fatal]
    if fatal:
        _tell(wrong)
        return "asked" if any(one.problem for one in fatal) else "apart"
    verdicts.open_ahead(case)  # while what is wrong is looked for, and the button for
    reasons = [] if is_large(case) else refused(case)
    _tell(wrong if reasons else (*_documents(case), *wrong))
    if reasons:
        problems(reasons)
    return "apart" if reasons else ""


def refused(case: Case) -> list[str]:
    """Return why a case cannot be compared, a sentence each. What a query weighs is asked where it is open."""
    try:
        return refusals(verdicts.opened(case, verdicts.own_policy(case)).comparison)
    except UnweightedError:
        return []
    except ReadError as error:
        return error.lines("page")
    except MISTAKES as error:
        return str(error).splitlines()


def _documents(case: Case) -> tuple[Mistake, ...]:
    """Return what only a comparison tells, such as that no document is judged; nothing of a large one."""
    try:
        opened = None if is_large(case) else verdicts.opened(case, verdicts.own_policy(case))
    except MISTAKES:
        return ()
    known = {one.sentence for one in _between(case)} if case.scored is None else set()
    return () if opened is None else tuple(one for one in mistakes_of(opened.comparison) if one.sentence not in known)


def _tell(wrong: tuple[Mistake, ...]) -> None:
    for one in wrong:
        told = one.sentence if one.problem is None else one.problem.phrased("page")
        (st.error if one.fatal else st.warning)(plain(told), icon=":material/warning:")


@once
def _between(case: Case) -> tuple[Mistake, ...]:
    found = mistakes(case.a, case.b, case.judgments, case.queries, case.votes)
    return (*found, *labels_alike(case.a, case.b, case.judgments))
