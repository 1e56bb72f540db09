"""``Policy``: one frozen record of everything that the rules of the verdict can be told.

Every threshold is a field here, save the 5% level of the tests, which is no choice. Whatever page is being viewed,
the verdict uses the policy's measures, cutoff and convention.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal

from rankdash.conventions import Convention, preset
from rankdash.policy.kinds import (
    Between,
    Columns,
    Kind,
    Margin,
    MarginList,
    Margins,
    OneOf,
    PolicyError,
    Whole,
)
from rankdash.policy.measures import resolved_convention, resolved_measures
from rankdash.policy.toml import read_toml, write_toml

#: Fields that follow the primary measure, or the convention, for as long as nobody sets them.
_FOLLOWING = ("primary", "cutoff", "guardrails", "watch")


def _field(default: Any, kind: Kind | None, meaning: str) -> Any:
    """A field, the kind of value that it takes and a line about it; screens and help are made from these."""
    return field(default=default, metadata={"kind": kind, "meaning": meaning})


@dataclass(frozen=True)
class Policy:
    """What a launch needs. Left out, ``cutoff``, ``guardrails`` and ``watch`` follow the primary measure.

    Raises PolicyError, with every problem found, for a value that does not fit its field.

    >>> Policy(primary="AP").guardrails
    (('nDCG@10', 0.01),)
    """

    primary: str = _field("nDCG@10", None, "the one measure that decides")
    convention: str | Convention = _field("standard", None, "how measures are computed")
    cutoff: int = _field(None, Whole(), "the top k for judged@k, affected queries and what to label next")
    intent: Literal["improve", "do_no_harm"] = _field(
        "improve", OneOf(("improve", "do_no_harm")), "B must be better, or only not worse by primary_margin"
    )
    population: Literal["all", "affected"] = _field(
        "all", OneOf(("all", "affected")), "the queries that count: all, or those whose top k differs"
    )
    mpe: float = _field(0.005, Margin(), "improve: the smallest gain of the primary measure that matters")
    primary_margin: float = _field(0.02, Margin(), "do_no_harm: the loss of the primary measure that is tolerated")
    guardrails: Margins = _field(None, MarginList(), "measures that must be shown safe, each with its margin")
    watch: Margins = _field(None, MarginList(), "measures that stop a launch only where harm is proven")
    segments: tuple[str, ...] = _field((), Columns(), "columns whose segments stop a launch where harm is proven")
    segment_margin: float = _field(0.02, Margin(), "the loss that a segment may have")
    votes: Literal["veto", "confirm", "inform"] = _field(
        "veto", OneOf(("veto", "confirm", "inform")), "votes can stop a launch, must support it, or are only shown"
    )
    votes_mpe: float = _field(0.02, Margin(), "votes alone: the smallest ΔGSB that matters")
    votes_margin: float = _field(0.05, Margin(), "confirm: the loss of ΔGSB that has to be ruled out")
    votes_min: int = _field(20, Whole(), "good and bad votes that are needed")
    agreement_min: float = _field(0.20, Between(-1, 1), "the smallest agreement of several raters")
    side_p_min: float = _field(0.001, Between(0, 1), "below this p the sides were not balanced")
    missing: Literal["unknown", "empty", "skip"] = _field(
        "unknown", OneOf(("unknown", "empty", "skip")), "why a judged query is absent from a run"
    )
    missing_gap: int = _field(5, Whole(), "from this difference on, missing queries make A and B incomparable")
    missing_share: float = _field(0.01, Between(0, 1), "and above this share of the judged queries")
    judgments: Literal["auto", "judged", "positive_only"] = _field(
        "auto", OneOf(("auto", "judged", "positive_only")), "what a document without a judgment means"
    )
    judged_gap: float = _field(0.01, Between(0, 1), "above this difference of judged@k unjudged documents are tested")
    n_min: int = _field(30, Whole(), "queries that are needed to launch")
    changed_min: int = _field(20, Whole(), "queries that must differ to launch")
    harm_n_min: int = _field(20, Whole(), "queries that are needed to say that B is worse")
    harm_changed_min: int = _field(6, Whole(), "queries that must differ to say so")
    segment_n_min: int = _field(30, Whole(), "smaller segments are not judged")
    severe: float = _field(0.20, Margin(), "a change of the primary measure from here on is severe")

    def __post_init__(self) -> None:
        problems: list[str] = []
        values = {part.name: getattr(self, part.name) for part in fields(self)}
        for part in fields(self):
            kind: Kind | None = part.metadata["kind"]
            if kind is None or (values[part.name] is None and part.name in _FOLLOWING):
                continue
            try:
                values[part.name] = kind.accept(part.name, values[part.name])
            except ValueError as error:
                problems.append(str(error))
                values[part.name] = part.default
        values["convention"], convention = resolved_convention(values["convention"], problems)
        values |= resolved_measures(values, convention, problems)
        if problems:
            raise PolicyError(problems)
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @property
    def scoring(self) -> Convention:
        """The convention itself, also where the field holds the name of a preset."""
        return self.convention if isinstance(self.convention, Convention) else preset(self.convention)

    @property
    def measures(self) -> tuple[str, ...]:
        """Every measure that the rules read: primary, guardrails, watch."""
        return (self.primary, *(name for name, _ in (*self.guardrails, *self.watch)))

    def role(self, measure: str) -> str | None:
        """primary, guardrail or watch; None for a measure that the rules do not read."""
        roles = dict.fromkeys((name for name, _ in self.watch), "watch")
        roles |= dict.fromkeys((name for name, _ in self.guardrails), "guardrail")
        return (roles | {self.primary: "primary"}).get(measure)

    def changed(self, **changes: Any) -> Policy:
        """This policy with some fields changed; a cutoff, guardrails or watch at their default follow along."""
        plain = Policy(convention=self.convention)
        same_primary = Policy(primary=self.primary, convention=self.convention)
        same_guardrails = Policy(primary=self.primary, convention=self.convention, guardrails=self.guardrails)
        defaults = {
            "primary": plain.primary,
            "cutoff": same_primary.cutoff,
            "guardrails": same_primary.guardrails,
            "watch": same_guardrails.watch,
        }
        kept = {part.name: getattr(self, part.name) for part in fields(self)}
        kept = {name: value for name, value in kept.items() if name not in defaults or value != defaults[name]}
        return Policy.from_dict(kept | changes)

    def to_dict(self) -> dict[str, Any]:
        """Every field, JSON-ready; a convention of one's own with every axis."""
        values: dict[str, Any] = {part.name: getattr(self, part.name) for part in fields(self)}
        values |= {name: [list(pair) for pair in values[name]] for name in ("guardrails", "watch")}
        values["segments"] = list(self.segments)
        if isinstance(self.convention, Convention):
            values["convention"] = self.convention.spelled_out()
        return values

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Policy:
        """The policy with these fields. PolicyError, with every problem, where one is unknown or does not fit."""
        names = [part.name for part in fields(cls)]
        problems = [
            f"{name!r} is not a field of a policy. {_hint(name, names)}" for name in values if name not in names
        ]
        try:
            policy = cls(**{name: value for name, value in values.items() if name in names})
        except PolicyError as error:
            raise PolicyError([*problems, *error.problems]) from None
        if problems:
            raise PolicyError(problems)
        return policy

    @classmethod
    def from_toml(cls, text: str) -> Policy:
        """The policy that a TOML document holds; fields left out keep their default. PolicyError otherwise."""
        try:
            values = read_toml(text)
        except ValueError as error:
            raise PolicyError([f"The policy is not valid TOML: {error}."]) from None
        return cls.from_dict(values)

    def to_toml(self) -> str:
        """Every field as TOML, each with its meaning; ``Policy.from_toml`` gives the same policy back."""
        return write_toml(self.to_dict(), {part.name: part.metadata["meaning"] for part in fields(self)})


def _hint(name: str, names: list[str]) -> str:
    if name.lower() in ("alpha", "level", "confidence", "significance"):
        return "The tests stay at 5%."
    return f"There are {', '.join(names)}."
