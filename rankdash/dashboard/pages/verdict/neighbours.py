"""Whether the verdict is the same under neighbouring choices: a line beside it, where not all agree."""

from __future__ import annotations

from streamlit.delta_generator import DeltaGenerator

from rankdash.case import Case
from rankdash.dashboard.host.results import once
from rankdash.dashboard.kit.literal import plain
from rankdash.dashboard.session import verdicts
from rankdash.policy import Policy
from rankdash.style import evidence as words
from rankdash.verdict import Outcome, Robustness, robustness


def line(case: Case, policy: Policy, place: DeltaGenerator) -> None:
    """Draw the line where not every setting agrees: last, because it takes several comparisons."""
    if verdicts.opened(case).verdict.outcome is Outcome.NOT_COMPARABLE:
        return
    robustness = of(case, policy)
    if robustness.not_with:
        place.markdown(f":small[:gray[{words.NEIGHBOURS}] {plain(robustness.sentence)}]")


@once
def of(case: Case, policy: Policy) -> Robustness:
    """Return the verdict under neighbouring settings, once per content and policy."""
    return robustness(verdicts.opened(case, policy).comparison)
