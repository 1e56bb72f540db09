"""Whether the verdict is the same under neighbouring choices: one line beside it, where not all agree."""

from __future__ import annotations

from streamlit.delta_generator import DeltaGenerator

from rankdash.dashboard.kit.content_cache import once
from rankdash.dashboard.kit.literal import plain
from rankdash.dashboard.session import state
from rankdash.dashboard.session.inputs import Inputs
from rankdash.policy import Policy
from rankdash.style import evidence as words
from rankdash.verdict import Outcome, Robustness, robustness


def line(inputs: Inputs, policy: Policy, place: DeltaGenerator) -> None:
    """The line, drawn last because it takes several comparisons; nothing where every setting agrees."""
    if state.opened(inputs).verdict.outcome is Outcome.NOT_COMPARABLE:
        return
    found = of(inputs, policy)
    if found.not_with:
        place.markdown(f":small[:gray[{words.NEIGHBOURS}] {plain(found.sentence)}]")


@once
def of(inputs: Inputs, policy: Policy) -> Robustness:
    """Return the verdict under neighbouring settings, once per content and policy."""
    return robustness(state.opened(inputs, policy).comparison)
