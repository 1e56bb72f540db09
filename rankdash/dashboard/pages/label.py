"""The Label page: one unjudged document after the other, and what the missing labels can still change."""

from rankdash.dashboard.parts import labels
from rankdash.dashboard.session import open_comparison, verdicts

current = open_comparison.current()
if current is not None:
    labels.work(verdicts.opened(current))
