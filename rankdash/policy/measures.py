"""The measures of a policy: which names are measures, which measures fit a margin, and which are the defaults."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from rankdash.conventions import STANDARD, Convention, ConventionError, preset, preset_name
from rankdash.policy.kinds import Margins
from rankdash.strings.measures import measure_text

if TYPE_CHECKING:
    from rankdash.metrics import Measure

#: By default the first of these that is not the primary measure is the guardrail, and those without a role are watched.
_GUARDRAILS = (("AP", 0.01), ("nDCG@10", 0.01))
_WATCH = (("nDCG@1", 0.02), ("RR", 0.02))
_CUTOFF = 10


def resolved_convention(value: Any, problems: list[str]) -> tuple[str | Convention, Convention]:
    """Return a convention as the policy holds it (a preset by its name) and the convention itself."""
    try:
        if isinstance(value, Mapping):
            axes = dict(value)
            value = preset(axes.pop("preset", "standard")).with_axes(axes)
        if isinstance(value, Convention):
            return preset_name(value) or value, value
        return value, preset(value)
    except (ConventionError, TypeError) as error:
        problems.append(f"convention: {error}")
        return "standard", STANDARD


def with_missing(convention: Convention, missing: str) -> Convention:
    """Return the convention with what a policy says about queries that a run does not answer."""
    axis = {"empty": "zero", "skip": "skip"}.get(missing, convention.missing_query)
    return replace(convention, missing_query=axis)


def resolved_measures(values: Mapping[str, Any], convention: Convention, problems: list[str]) -> dict[str, Any]:
    """Return primary, cutoff, guardrails and watch, with printed names and the defaults filled in."""
    primary = _with_a_role(values["primary"], convention, problems)
    given = {role: _margins(values[role], convention, problems) for role in ("guardrails", "watch")}
    taken = [primary]
    guardrails = given["guardrails"]
    if guardrails is None:
        guardrails = _margins(_default(_GUARDRAILS, convention, taken)[:1], convention, problems) or []
    taken += [measure for measure, _ in guardrails]
    watch = given["watch"]
    if watch is None:
        watch = _margins(_default(_WATCH, convention, taken), convention, problems) or []
    roles = [primary, *(measure for measure, _ in (*guardrails, *watch))]
    names = [measure.name for measure in roles if measure is not None]
    twice = dict.fromkeys(name for name in names if names.count(name) > 1)
    problems += [f"{name} stands twice among primary, guardrails and watch: a measure has one role." for name in twice]
    return {
        "primary": primary.name if primary else values["primary"],
        "cutoff": values["cutoff"] if values["cutoff"] is not None else (primary and primary.k) or _CUTOFF,
        "guardrails": _named(guardrails),
        "watch": _named(watch),
    }


def default_measures(plain: str, primary: str, guardrails: Margins, convention: Convention) -> dict[str, Any]:
    """Return the values of fields that are not set: of cutoff and guardrails beside this primary measure, of watch
    beside these guardrails too. ``plain`` is the default primary measure.
    """

    def beside(primary: str, guardrails: Margins | None = None) -> dict[str, Any]:
        values = {"primary": primary, "cutoff": None, "guardrails": guardrails, "watch": None}
        return resolved_measures(values, convention, [])

    defaults = beside(primary)
    return defaults | {"primary": beside(plain)["primary"], "watch": beside(primary, guardrails)["watch"]}


def shown_measure(name: str, convention: Convention) -> str:
    """Return the name of a measure of this convention as people are shown it: quepid:nDCG@10."""
    return _measure(name, convention)[0].label if "(" in name else name


def _with_a_role(name: Any, convention: Convention, problems: list[str]) -> Measure | None:
    """Return the measure of that name, or None and a problem where it cannot have a role."""
    text = measure_text(name)
    if text is None:
        problems.append(f"{name!r} is not a measure. A measure looks like nDCG@10 or AP.")
        return None
    try:
        measure, problem = _measure(text, convention)
    except ValueError as error:
        problems.append(str(error))
        return None
    if problem:
        problems.append(problem)
    return measure


# The same few names stand in every policy, and a comparison makes several policies.
@lru_cache(maxsize=1024)
def _measure(name: str, convention: Convention) -> tuple[Measure, str]:
    """Return the measure of that name, and why it cannot have a role; "" where it can.

    ValueError where there is no such measure.
    """
    # Imported here: a policy can be read, shown and stored without the measures.
    from rankdash.metrics import check_tool, parse_measure

    measure = check_tool(parse_measure(name, convention), convention)
    if not measure.bounded:
        return measure, f"{measure.name} has no upper bound: margins do not fit it."
    if measure.compares_lists or not measure.definition.higher_is_better:
        return measure, f"{measure.name} only describes the lists; more of it is not better."
    return measure, ""


def _margins(pairs: Any, convention: Convention, problems: list[str]) -> list[tuple[Measure, float]] | None:
    if pairs is None:
        return None
    measures = ((_with_a_role(name, convention, problems), margin) for name, margin in pairs)
    return [(measure, margin) for measure, margin in measures if measure is not None]


def _default(pairs: Margins, convention: Convention, taken: list[Measure | None]) -> list[tuple[str, float]]:
    return [(name, margin) for name, margin in pairs if _measure(name, convention)[0] not in taken]


def _named(pairs: list[tuple[Measure, float]]) -> Margins:
    return tuple((measure.name, margin) for measure, margin in pairs)
