"""What a policy asks of every query: its own measures, and those of the settings that its verdict is tried under."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from rankdash.metrics import Measure, MeasureError, parse_measure, parse_measures
from rankdash.metrics.lists import gains
from rankdash.policy import Policy, PolicyError
from rankdash.scored.columns import COLUMNS, READINGS
from rankdash.scored.scope import Neighbour, Scope

Measures = str | Measure | Iterable[str | Measure]

#: The parts that an outcome under another setting reads.
_READ = frozenset({"lists", "top", "identical", "graded", "documents", "plain", "condensed"})
_UNREAD = tuple(sorted(({row.part for row in COLUMNS} | {row.part for row in READINGS}) - _READ))


@dataclass(frozen=True)
class SettingBeside:
    """A neighbouring choice. ``policy`` makes it, and raises where it does not exist; ``own`` are the parts of the
    per-query table that an outcome reads and that differ from those of the policy itself.
    """

    name: str
    policy: Callable[[], Policy]
    own: tuple[str, ...]


#: The setting that is not tried where judgments name only relevant documents.
REMOVED = "unjudged documents removed"


def settings(policy: Policy) -> tuple[SettingBeside, ...]:
    """Return the choices beside a policy: the other gain, half and double the cutoff, unjudged documents removed."""
    convention, k = policy.in_force, policy.cutoff
    gain = "linear" if convention.gain == "exp2" else "exp2"
    removed = convention.with_axes({"unjudged": "condensed"})
    by_k = ("top", "documents", "plain", "condensed")
    return (
        SettingBeside(
            f"gain {gain}",
            lambda: policy.changed(convention=convention.with_axes({"gain": gain})),
            ("plain", "condensed"),
        ),
        SettingBeside(f"cutoff {max(k // 2, 1)}", lambda: cut(policy, max(k // 2, 1)), by_k),
        SettingBeside(f"cutoff {2 * k}", lambda: cut(policy, 2 * k), by_k),
        SettingBeside(REMOVED, lambda: policy.changed(convention=removed), ("top", "plain", "condensed")),
    )


def cut(policy: Policy, k: int) -> Policy:
    """Return the policy with another cutoff: that of its primary measure, where it has one."""
    name, at, _ = policy.primary.rpartition("@")
    return policy.changed(primary=f"{name}@{k}") if at else policy.changed(cutoff=k)


def existing(policy: Policy, grades: Sequence[float]) -> Mapping[str, Policy]:
    """Return the settings that exist, by name: a cutoff may make two measures one, a grade be too large for 2^y - 1."""
    policies: dict[str, Policy] = {}
    for setting in settings(policy):
        try:
            other = setting.policy()
            gains(np.array(grades, np.float64), other.in_force.gain)
        except (PolicyError, MeasureError):
            continue
        policies[setting.name] = other
    return policies


def scope_of(policy: Policy, measures: Measures, grades: tuple[float, ...], *, apart: bool) -> Scope:
    """Return the scope of a policy: its own measures first, then each of the others once."""
    convention = policy.in_force
    decisive = tuple(parse_measure(name, convention) for name in policy.measures)
    others = [measure for measure in parse_measures(measures, convention) if measure not in decisive]
    return Scope(
        convention=convention,
        cutoff=policy.cutoff,
        decisive=policy.measures,
        measures=(*decisive, *(measure for measure in others if not measure.compares_lists)),
        alike=tuple(measure for measure in others if measure.compares_lists),
        grades=grades,
        apart=apart,
    )


def with_settings(scope: Scope, policy: Policy) -> Scope:
    """Return the scope of a policy together with the scopes of the settings beside it."""
    policies = existing(policy, scope.grades)
    neighbours = tuple(
        Neighbour(
            setting.name,
            setting.own,
            replace(scope_of(policies[setting.name], (), scope.grades, apart=scope.apart), without=_UNREAD),
        )
        for setting in settings(policy)
        if setting.name in policies
    )
    return replace(scope, neighbours=neighbours)
