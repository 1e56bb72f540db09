"""``Policy``: one frozen record of everything that can be set for the rules of the verdict.

Every threshold is a field here, except the 5% level of the tests, which is not a choice. Whatever page is viewed, the
verdict uses the policy's measures, cutoff and convention.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal, Self

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
from rankdash.policy.measures import default_measures, resolved_convention, resolved_measures
from rankdash.policy.toml import read_toml, write_toml
from rankdash.strings.nearest import did_you_mean, nearest

#: Fields that follow the primary measure until they are set.
_FOLLOWING = frozenset({"cutoff", "guardrails", "watch"})
#: Names that are no fields, of which each is told with what it may have meant.
_MOST_TOLD = 10


@dataclass(frozen=True)
class About:
    """The kind of a field's value (None: a measure or a convention, checked together) and one line about it."""

    kind: Kind | None
    meaning: str


#: Every field: its kind of value, and one line about it, for screens, help texts and the TOML comments.
FIELDS: Mapping[str, About] = MappingProxyType(
    {
        "primary": About(None, "the one measure that decides"),
        "convention": About(None, "how measures are computed"),
        "cutoff": About(Whole(), "the top k for judged@k, affected queries and what to label next"),
        "intent": About(OneOf(("improve", "do_no_harm")), "B must be better, or only not worse by primary_margin"),
        "population": About(OneOf(("all", "affected")), "the queries that count: all, or those whose top k differs"),
        "inference": About(
            OneOf(("sample", "fixed")), "the queries stand for others like them, or they are all that matters"
        ),
        "mpe": About(
            Margin(may_be_zero=True),
            "improve: the smallest gain of the primary measure that matters; 0: any proven gain",
        ),
        "primary_margin": About(
            Margin(), "do_no_harm: the loss that is tolerated; improve: the loss that a gain too small rules out"
        ),
        "guardrails": About(MarginList(), "measures that must be shown safe, each with its margin"),
        "watch": About(MarginList(), "measures that stop a launch only where harm is proven"),
        "segments": About(Columns(), "columns whose segments stop a launch where harm is proven"),
        "segment_margin": About(Margin(), "the loss that a segment may have"),
        "votes": About(
            OneOf(("veto", "confirm", "inform")), "votes can stop a launch, must support it, or are only shown"
        ),
        "votes_mpe": About(Margin(), "votes alone: the smallest ΔGSB that matters"),
        "votes_margin": About(Margin(), "confirm: the loss of ΔGSB that has to be ruled out"),
        "votes_min": About(Whole(), "queries that raters decide, good or bad, that are needed"),
        "missing": About(OneOf(("unknown", "empty", "skip")), "why a judged query is absent from a run"),
        "missing_gap": About(Whole(), "from this difference on, missing queries make A and B incomparable"),
        "missing_share": About(Between(0, 1), "and above this share of the judged queries"),
        "judgments": About(OneOf(("auto", "judged", "positive_only")), "what a document without a judgment means"),
        "judged_gap": About(Between(0, 1), "above this difference of judged@k unjudged documents are tested"),
        "n_min": About(Whole(), "queries that are needed to launch"),
        "changed_min": About(Whole(), "queries that must differ to launch"),
        "harm_n_min": About(Whole(), "queries that are needed to say that B is worse"),
        "harm_changed_min": About(Whole(), "queries that must differ to say so, of each measure and segment"),
        "segment_n_min": About(Whole(), "smaller segments are not judged"),
        "severe": About(Margin(), "a change of the primary measure from here on is severe"),
        "big_excess_min": About(
            Margin(may_be_zero=True),
            "severe losses stop a launch where they exceed severe gains by such a share of queries",
        ),
    }
)

#: Fields of earlier versions, and why they are gone.
GONE: Mapping[str, str] = MappingProxyType(
    {
        "side_p_min": "side_p_min is left out: votes are averaged over both sides, so an imbalance ignores nothing.",
        "agreement_min": "agreement_min is left out: votes count however far raters agree, and a caveat says how far.",
    }
)

#: The default of a field that follows the primary measure until it is set.
_FOLLOWS: Any = None


@dataclass(frozen=True)
class Policy:
    """What a launch needs. Left out, ``cutoff``, ``guardrails`` and ``watch`` follow the primary measure.

    Raises PolicyError, with every problem found, for a value that does not fit its field.

    >>> Policy(primary="AP").guardrails
    (('nDCG@10', 0.01),)
    """

    primary: str = "nDCG@10"
    convention: str | Convention = "standard"
    cutoff: int = _FOLLOWS
    intent: Literal["improve", "do_no_harm"] = "improve"
    population: Literal["all", "affected"] = "all"
    inference: Literal["sample", "fixed"] = "sample"
    mpe: float = 0.005
    primary_margin: float = 0.02
    guardrails: Margins = _FOLLOWS
    watch: Margins = _FOLLOWS
    segments: tuple[str, ...] = ()
    segment_margin: float = 0.02
    votes: Literal["veto", "confirm", "inform"] = "veto"
    votes_mpe: float = 0.02
    votes_margin: float = 0.05
    votes_min: int = 20
    missing: Literal["unknown", "empty", "skip"] = "unknown"
    missing_gap: int = 5
    missing_share: float = 0.01
    judgments: Literal["auto", "judged", "positive_only"] = "auto"
    judged_gap: float = 0.01
    n_min: int = 30
    changed_min: int = 20
    harm_n_min: int = 20
    harm_changed_min: int = 6
    segment_n_min: int = 30
    severe: float = 0.20
    big_excess_min: float = 0.01
    #: Values that were ignored when it was made, one sentence each; not part of the policy.
    notes: tuple[str, ...] = field(default=(), compare=False, repr=False)

    def __new__(cls, *positional: Any, **named: Any) -> Self:
        """Return a policy without values yet; PolicyError, with a hint, for a name that is no field."""
        problems = _unknown(name for name in named if name != "notes")
        if problems:
            raise PolicyError(problems)
        return super().__new__(cls)

    def __post_init__(self) -> None:
        problems: list[str] = []
        values = {name: getattr(self, name) for name in FIELDS}
        for name, about in FIELDS.items():
            if about.kind is None or (values[name] is None and name in _FOLLOWING):
                continue
            try:
                values[name] = about.kind.accept(name, values[name])
            except ValueError as error:
                problems.append(str(error))
                values[name] = getattr(Policy, name)
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
        defaults = default_measures(Policy.primary, self.primary, self.guardrails, self.scoring)
        kept = {name: getattr(self, name) for name in FIELDS}
        kept = {name: value for name, value in kept.items() if name not in defaults or value != defaults[name]}
        return Policy.from_dict(kept | changes)

    def to_dict(self) -> dict[str, Any]:
        """Return every field, JSON-ready; a convention of one's own with every axis."""
        values: dict[str, Any] = {name: getattr(self, name) for name in FIELDS}
        values |= {name: [list(pair) for pair in values[name]] for name in ("guardrails", "watch")}
        values["segments"] = list(self.segments)
        if isinstance(self.convention, Convention):
            values["convention"] = self.convention.spelled_out()
        return values

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Policy:
        """Return the policy with these fields. PolicyError, with every problem, where one is unknown or does not fit.

        A field that an earlier version had is left out, and ``notes`` says so.
        """
        notes = tuple(why for name, why in GONE.items() if name in values)
        values = {name: value for name, value in values.items() if name not in GONE}
        problems = _unknown(values)
        try:
            policy = cls(**{name: value for name, value in values.items() if name in FIELDS}, notes=notes)
        except PolicyError as error:
            raise PolicyError([*problems, *error.problems]) from None
        if problems:
            raise PolicyError(problems)
        return policy

    @classmethod
    def from_toml(cls, text: str) -> Policy:
        """Return the policy that a TOML document holds; fields left out keep their default. PolicyError otherwise, also
        for more than 64 kB, keys of more than 8 parts and brackets more than 8 deep.
        """
        try:
            values = read_toml(text)
        except ValueError as error:
            raise PolicyError([f"The policy is {error}"]) from None
        return cls.from_dict(values)

    def to_toml(self) -> str:
        """Return every field as TOML, each with its meaning; ``Policy.from_toml`` gives the same policy back."""
        return write_toml(self.to_dict(), {name: about.meaning for name, about in FIELDS.items()})


def _unknown(names: Iterable[str]) -> list[str]:
    """Return a sentence for each name that is no field; for the first of them, where there are many."""
    wrong = [name for name in names if name not in FIELDS]
    more = [f"And {len(wrong) - _MOST_TOLD:,} more names are no fields."] if len(wrong) > _MOST_TOLD else []
    return [*(f"{name!r} is not a field of a policy.{_hint(str(name))}" for name in wrong[:_MOST_TOLD]), *more]


def _hint(name: str) -> str:
    if name.lower() in ("alpha", "level", "confidence", "significance"):
        return " The tests stay at 5%."
    return f"{did_you_mean(nearest(name, FIELDS))} There are {', '.join(FIELDS)}."
