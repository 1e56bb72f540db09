"""The page Candidates: several candidates of one A, the best first."""

from rankdash.dashboard.parts import candidates_parts
from rankdash.dashboard.session import actions, open_comparison, session, verdicts

if session.now().group:
    found = verdicts.candidates()
    candidates_parts.banner(found)
    candidates_parts.table(found)
    if found[0].is_judged:
        candidates_parts.intervals(found)
        candidates_parts.differences(found)
    actions.see_candidates()
    case = open_comparison.current()
    if case is not None:
        verdicts.shown(case)
