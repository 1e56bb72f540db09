"""N0: does B change anything at all?"""

from __future__ import annotations

from rankdash import wording
from rankdash.verdict.records import Condition, Outcome, all_of
from rankdash.verdict.rules.rule import Need, Rule, RuleInput


def _says(case: RuleInput) -> str:
    n = case.primary.n or case.data.judged_queries
    return f"B changes nothing in the first {case.policy.cutoff} of {wording.count(n, 'query', 'queries')}."


def _what_next(case: RuleInput) -> str:
    """Return what to do where nothing changed: the same file twice is a mistake under every policy."""
    if case.data.same_file:
        return "A and B are the same file: check that B is the run that was meant."
    return "Check that B is the run that was meant." if case.policy.intent == "improve" else ""


#: Where a gain is needed it stops the launch; where no harm is enough it launches by itself. All rules behind it are
#: silent where nothing changed.
N0 = Rule(
    "N0",
    "Anything changed",
    "better",
    Outcome.TOO_SMALL,
    needs=(Need(lambda case: case.changes_nothing, "B changes something."),),
    conditions=lambda case: all_of(Condition("intent of the policy", case.policy.intent, "is", "do_no_harm", "name")),
    says=_says,
    passes=_says,
    tag=lambda case: "nothing changed",
    would_change=lambda case: "a query that differs in list",
    next_step=_what_next,
    launches=True,
)

CHANGED = Need(lambda case: not case.changes_nothing, "B changes nothing.")
