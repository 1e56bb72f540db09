"""What was decided on a saved comparison, by whom and why, and what the online test showed later."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rankdash.report.saved import decided_words, delta_words
from rankdash.style import decisions as words
from rankdash.style import history
from rankdash.style import report as own
from rankdash.wording import signed

if TYPE_CHECKING:
    from rankdash.store import Decision, Observation


@dataclass(frozen=True)
class DecisionRow:
    """A decision, or what an online test showed, as text; ``reason`` and ``on`` may be ""."""

    line: str
    reason: str = ""
    on: str = ""


def decision_rows(decisions: Sequence[Decision]) -> tuple[DecisionRow, ...]:
    """Return the decisions, with the decision in force first."""
    return tuple(map(_decision, decisions))


def _decision(entry: Decision) -> DecisionRow:
    delta = ""
    if entry.verdict.get("delta") is not None:
        delta = words.DELTA_WAS.format(delta=delta_words(entry.verdict["measure"], entry.verdict["delta"]))
    models = history.MODELS.format(a=entry.subject.model_a, b=entry.subject.model_b)
    said = {"revision": entry.revision, "since": _since(entry), "verdict": decided_words(entry.verdict)}
    return DecisionRow(
        own.IN_FORCE.format(choice=history.CHOICES[entry.choice], by=entry.by, at=f"{entry.at:%Y-%m-%d %H:%M} UTC"),
        entry.reason,
        f"{words.OF_MODELS.format(models=models)}{words.DECIDED_ON.format(**said)}{delta}",
    )


def observation_rows(observations: Sequence[Observation]) -> tuple[DecisionRow, ...]:
    """Return what online tests showed."""
    return tuple(map(_observation, observations))


def _observation(entry: Observation) -> DecisionRow:
    observed, models = entry.observed, (entry.subject.model_a, entry.subject.model_b)
    return DecisionRow(
        own.OBSERVED.format(
            models=words.OF_MODELS.format(models=history.MODELS.format(a=models[0], b=models[1])),
            metric=observed.metric,
            delta=signed(observed.delta),
            since=_since(entry),
            by=observed.by,
        ),
        "",
    )


def _since(entry: Decision | Observation) -> str:
    return words.ON_REVISION.format(since=words.SINCE[entry.since]) if entry.since else ""
