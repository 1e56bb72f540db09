"""``Policy``: one frozen record of everything that can be set for the rules of the verdict.

Every threshold is a field here, except the 5% level of the tests, which is not a choice. Whatever page is viewed, the
verdict uses the policy's measures, cutoff and convention. The record, TOML files, JSON and the dialog read the rows of
its fields. A kind of value accepts a value, perhaps in another spelling, or raises ValueError with a sentence about
what is allowed.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sized
from dataclasses import field, fields, replace
from enum import StrEnum
from functools import lru_cache
from io import TextIOWrapper
from types import MappingProxyType
from typing import IO, TYPE_CHECKING, Any, Literal, Self

from rankdash.conventions import STANDARD, Convention, ConventionError, preset, preset_name
from rankdash.records import InNotebooks, frozen
from rankdash.strings import did_you_mean, measure_text, nearest

if TYPE_CHECKING:
    from rankdash.metrics import Measure


#: Bytes of a document, and points on one of its lines.
#: Python's parser takes as long and as much memory as a key asks for: one of 30,000 parts takes gigabytes.
MOST_BYTES, MOST_POINTS = 65_536, 200


def beginning(file: IO[bytes]) -> str:
    """Return the text of a file and close it; of a file that is too large, only so much as shows this.

    UnicodeDecodeError where it is not UTF-8.
    """
    with TextIOWrapper(file, "utf-8-sig", newline="") as text:
        return text.read(MOST_BYTES + 1)


def read_toml(text: str) -> dict[str, Any]:
    """Return the values of a TOML document. ValueError, whose text continues "The policy is", for any other text, and
    for a document that is larger or deeper than a policy can be.
    """
    import tomllib

    if len(text.encode("utf-8", "replace")) > MOST_BYTES:
        raise ValueError(f"larger than {MOST_BYTES:,} bytes. Take out what is no field of a policy.")
    for number, line in enumerate(text.split("\n"), start=1):
        if line.count(".") > MOST_POINTS:
            raise ValueError(f"nested too deep: line {number:,} has more than {MOST_POINTS} points.")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("nested too deep. Take out what is no field of a policy.") from None
    except ValueError as error:
        raise ValueError(f"not valid TOML: {error}.") from None


def write_toml(values: Mapping[str, Any], meanings: Mapping[str, str]) -> str:
    """Return the values as a TOML document, each with its meaning as a comment; tables come last."""
    plain = {name: value for name, value in values.items() if not isinstance(value, Mapping)}
    lines = [f"{name} = {_value(value)}  # {meanings[name]}" for name, value in plain.items()]
    for name, table in values.items():
        if isinstance(table, Mapping):
            lines += ["", f"[{name}]  # {meanings[name]}"]
            lines += [f"{axis} = {_value(value)}" for axis, value in table.items()]
    return "\n".join(lines) + "\n"


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        inside = ", ".join(f"{_value(str(name))} = {_value(part)}" for name, part in value.items())
        return f"{{{inside}}}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(_value(part) for part in value)}]"
    if isinstance(value, str):
        # A JSON string is a TOML string, save for the one control character that JSON does not escape.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return repr(value)


#: The most letters of a problem.
_LONGEST = 800
#: The most items of a list: the time of the search for the queries that carry a verdict grows with their square.
_MOST_LISTED = 20
_LARGEST = 1_000_000_000
Margins = tuple[tuple[str, float], ...]


class PolicyError(ValueError):
    """A policy that cannot be used. ``problems`` are all reasons, one sentence each."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(map(_shortened, problems))
        super().__init__("\n".join(self.problems))


def _shortened(problem: str) -> str:
    """Return a problem cut to what a person reads: it quotes a file, whose text may be of any length."""
    return problem if len(problem) <= _LONGEST else f"{problem[: _LONGEST // 2]} … {problem[3 - _LONGEST // 2 :]}"


@frozen
class OneOf:
    """One of a few words, each with its text on screen."""

    shown: Mapping[str, str]

    @property
    def words(self) -> tuple[str, ...]:
        """The words themselves, the default first."""
        return tuple(self.shown)

    def accept(self, name: str, value: Any) -> str:
        """Return the word itself."""
        if not isinstance(value, str) or value not in self.shown:
            raise ValueError(f"{name} must be one of {', '.join(self.words)}, not {value!r}.")
        return str(value)


@frozen
class Whole:
    """A whole number from ``least`` on."""

    least: int = 1

    def accept(self, name: str, value: Any) -> int:
        """Return the number; 30.0 is taken as 30."""
        x = finite(value)
        if x is None or x != int(x) or not self.least <= x <= _LARGEST:
            raise ValueError(f"{name} must be a whole number from {self.least} to {_LARGEST:,}, not {value!r}.")
        return int(x)


@frozen
class Between:
    """A number in a closed range."""

    low: float
    high: float

    def accept(self, name: str, value: Any) -> float:
        """Return the number."""
        x = finite(value)
        if x is None or not self.low <= x <= self.high:
            raise ValueError(f"{name} must be a number from {self.low:g} to {self.high:g}, not {value!r}.")
        return x


@frozen
class Margin:
    """A positive amount, in the unit of the measure; 0 only where that has a meaning."""

    may_be_zero: bool = False

    def accept(self, name: str, value: Any) -> float:
        """Return the amount."""
        x = finite(value)
        if x is None or x < 0 or (x == 0 and not self.may_be_zero):
            zero = ", or 0" if self.may_be_zero else ""
            raise ValueError(f"{name} is {value!r}, but margins are positive numbers{zero}.")
        return x + 0.0  # never -0.0


@frozen
class Columns:
    """Names of columns, each once."""

    def accept(self, name: str, value: Any) -> tuple[str, ...]:
        """Return the names, in their order."""
        columns = (value,) if isinstance(value, str) else tuple(value) if _is_list(value) else (None,)
        if not all(isinstance(column, str) and column.strip() for column in columns):
            raise ValueError(f"{name} must be a list of column names, not {value!r}.")
        _check_length(name, columns)
        return tuple(dict.fromkeys(str(column) for column in columns))


@frozen
class MarginList:
    """Pairs of a measure and its margin, or a table {measure: margin}. The measures themselves are checked later."""

    def accept(self, name: str, value: Any) -> Margins:
        """Return the pairs, in their order."""
        pairs: list[Any] = [None]
        if isinstance(value, Mapping) or _is_list(value):
            pairs = list(value.items() if isinstance(value, Mapping) else value)
        named = [(measure_text(pair[0]), pair[1]) for pair in pairs if _is_list(pair) and len(pair) == 2]
        if len(named) < len(pairs) or any(measure is None for measure, _ in named):
            raise ValueError(f'{name} must be a list of pairs like ["AP", 0.01], not {value!r}.')
        _check_length(name, named)
        return tuple((str(measure), Margin().accept(f"{name}, {measure}", margin)) for measure, margin in named)


#: A kind of value. What it accepts is the value as the policy holds it; ValueError, with a sentence about the field,
#: where a value does not fit.
ValueKind = OneOf | Whole | Between | Margin | Columns | MarginList


def finite(value: Any) -> float | None:
    """Return the value as a number; None for text, True, NaN and the infinite."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) <= sys.float_info.max:
        return None
    return float(value)


def _check_length(name: str, values: Sized) -> None:
    if len(values) > _MOST_LISTED:
        raise ValueError(f"{name} lists {len(values):,}, but at most {_MOST_LISTED} are allowed.")


def _is_list(value: Any) -> bool:
    return isinstance(value, (list, tuple))


class Topic(StrEnum):
    """What fields are about, in the order in which the dialog shows them."""

    DECIDES = "What decides"
    HARMED = "What must not be harmed"
    COMPUTED = "How measures are computed"
    ENOUGH = "How much evidence is enough"
    BIG = "Big changes and segments"
    VOTES = "Limits on votes"
    COMPARABLE = "When A and B can be compared"

    @property
    def common(self) -> bool:
        """Whether most policies name some of its fields, so that the dialog has them always in sight."""
        return self in (Topic.DECIDES, Topic.HARMED)


@frozen
class PolicyField:
    """The row of a field: the kind of its value, its label on screen, and what it means.

    ``kind`` is None for a measure or a convention, which are checked together. ``meaning`` begins as in the middle of a
    sentence and has no full stop; {primary} stands for the primary measure.
    """

    kind: ValueKind | None
    label: str
    topic: Topic
    meaning: str

    def line(self) -> str:
        """Return the meaning for a policy whose primary measure may be any."""
        return self.meaning.format(primary="the primary measure")


def row(default: Any, kind: ValueKind | None, label: str, topic: Topic, meaning: str) -> Any:
    """Return a field of the dataclass of policies, with its row. Without a default it follows the primary measure."""
    return field(default=default, metadata={"row": PolicyField(kind, label, topic, meaning)})


#: By default the first of these that is not the primary measure is the guardrail, and those without a role are watched.
_GUARDRAILS = (("AP", 0.01), ("nDCG@10", 0.01))
_WATCH = (("nDCG@1", 0.02), ("RR", 0.02))
_CUTOFF = 10
#: The cutoffs of measures that are offered.
_USUAL = (1, 3, 5, 10, 20, 50, 100)


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
    given = {role: _margins(values[role], convention, problems, role) for role in ("guardrails", "watch")}
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
    problems += [f"{name} appears twice among primary, guardrails and watch. A measure has one role." for name in twice]
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


def measures_for_roles(offered: Iterable[str], convention: Convention, cutoff: int, role: str = "") -> list[str]:
    """Return those of the ``offered`` measures that can have a role, at the usual cutoffs and this one."""
    from rankdash.metrics import definition_of  # as below

    cutoffs = sorted({*_USUAL, cutoff})
    rows = [(name, definition_of(name)) for name in offered]
    forms = [name + form.removeprefix(row.name) for name, row in rows for form in row.forms]
    names = [form.replace("@k", f"@{k}") for form in forms for k in (cutoffs if "@k" in form else cutoffs[:1])]
    problems: dict[str, list[str]] = {name: [] for name in names}
    return [name for name, found in problems.items() if _with_a_role(name, convention, found, role) and not found]


def _with_a_role(name: Any, convention: Convention, problems: list[str], role: str = "") -> Measure | None:
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
    if problem and not (role == "watch" and measure.definition.unit):
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
    if unit := measure.definition.unit:
        return measure, f"{measure.name} is in {unit}: it can only be watched."
    if not measure.definition.bounded:
        return measure, f"{measure.name} has no upper bound: margins do not fit it."
    if measure.compares_lists or measure.definition.higher_is_better is None:
        return measure, f"{measure.name} only describes the lists. More of it is not better."
    return measure, ""


def _margins(
    pairs: Any, convention: Convention, problems: list[str], role: str = ""
) -> list[tuple[Measure, float]] | None:
    if pairs is None:
        return None
    measures = ((_with_a_role(name, convention, problems, role), margin) for name, margin in pairs)
    return [(measure, margin) for measure, margin in measures if measure is not None]


def _default(pairs: Margins, convention: Convention, taken: list[Measure | None]) -> list[tuple[str, float]]:
    return [(name, margin) for name, margin in pairs if _measure(name, convention)[0] not in taken]


def _named(pairs: list[tuple[Measure, float]]) -> Margins:
    return tuple((measure.name, margin) for measure, margin in pairs)


#: The most unknown names that get a sentence each, with the name that was probably meant.
_MOST_NAMED = 10


@frozen
class Policy(InNotebooks):
    """What a launch needs. Left out, ``cutoff``, ``guardrails`` and ``watch`` follow the primary measure.

    Raises PolicyError, with every problem found, for a value that does not fit its field.

    >>> Policy(primary="AP").guardrails
    (('nDCG@10', 0.01),)
    """

    primary: str = row("nDCG@10", None, "Primary measure", Topic.DECIDES, "the one measure that decides")
    convention: str | Convention = row("standard", None, "Convention", Topic.COMPUTED, "how measures are computed")
    cutoff: int = row(
        None,
        Whole(),
        "Cutoff k",
        Topic.COMPUTED,
        "the top k used for judged shares, queries that differ in list and what to label next",
    )
    intent: Literal["improve", "do_no_harm"] = row(
        "improve",
        OneOf({"improve": "improve", "do_no_harm": "do no harm"}),
        "Intent",
        Topic.DECIDES,
        "improve: B must be better; do no harm: B must not lose more than is allowed",
    )
    population: Literal["all", "affected"] = row(
        "all",
        OneOf({"all": "all queries", "affected": "affected queries"}),
        "Population",
        Topic.DECIDES,
        "the queries that count: all, or only those whose top k differs",
    )
    inference: Literal["sample", "fixed"] = row(
        "sample",
        OneOf({"sample": "a sample of such queries", "fixed": "all that matters"}),
        "These queries are",
        Topic.DECIDES,
        "a sample stands for others like it, so chance counts; a fixed set is all that matters: the numbers decide",
    )
    mpe: float = row(
        0.005,
        Margin(may_be_zero=True),
        "Smallest gain that matters",
        Topic.DECIDES,
        "the smallest gain of {primary} worth a launch; 0 accepts any proven gain",
    )
    primary_margin: float = row(
        0.02, Margin(), "Largest loss allowed", Topic.DECIDES, "the largest loss of {primary} that is acceptable"
    )
    guardrails: Margins = row(
        None, MarginList(), "Guardrails", Topic.HARMED, "measures that must be proven to lose no more than this"
    )
    watch: Margins = row(
        None,
        MarginList(),
        "Watched measures",
        Topic.HARMED,
        "measures that stop a launch if they lose this much; of a sample, only where chance is unlikely",
    )
    segments: tuple[str, ...] = row(
        (), Columns(), "Segments", Topic.DECIDES, "columns of the queries whose segments are watched"
    )
    segment_margin: float = row(
        0.02, Margin(), "Loss a segment may have", Topic.BIG, "what {primary} may lose on a segment"
    )
    votes: Literal["veto", "confirm", "inform"] = row(
        "veto",
        OneOf({"veto": "can veto", "confirm": "must confirm", "inform": "inform only"}),
        "Votes",
        Topic.DECIDES,
        "votes can stop a launch (veto), must support it (confirm), or are only shown (inform)",
    )
    votes_mpe: float = row(
        0.02, Margin(), "ΔGSB that matters", Topic.VOTES, "votes alone: the smallest ΔGSB that matters"
    )
    votes_margin: float = row(
        0.05, Margin(), "ΔGSB loss to rule out", Topic.VOTES, "must confirm: the loss of ΔGSB to rule out"
    )
    votes_min: int = row(
        20,
        Whole(),
        "Queries that raters decide",
        Topic.VOTES,
        "queries voted better or worse that are needed to use the votes",
    )
    missing: Literal["unknown", "empty", "skip"] = row(
        "unknown",
        OneOf({"unknown": "unknown", "empty": "returned nothing", "skip": "left out"}),
        "A missing query means",
        Topic.COMPARABLE,
        "why a judged query is absent from a model’s lists",
    )
    missing_gap: int = row(
        5,
        Whole(),
        "Missing queries: difference",
        Topic.COMPARABLE,
        "A and B cannot be compared if they differ by this many missing queries, and by more than the share",
    )
    missing_share: float = row(
        0.01,
        Between(0, 1),
        "Missing queries: share",
        Topic.COMPARABLE,
        "the share of judged queries that the difference must exceed too",
    )
    judgments: Literal["auto", "judged", "positive_only"] = row(
        "auto",
        OneOf({"auto": "detected from the grades", "judged": "judged", "positive_only": "relevant ones only"}),
        "Judgments",
        Topic.DECIDES,
        "what a document without a judgment means",
    )
    judged_gap: float = row(
        0.01,
        Between(0, 1),
        "Judged share: difference",
        Topic.COMPARABLE,
        "above this difference in judged shares, unjudged documents are tested",
    )
    n_min: int = row(30, Whole(), "Queries to launch", Topic.ENOUGH, "queries that a launch needs")
    changed_min: int = row(
        20, Whole(), "Changed queries to launch", Topic.ENOUGH, "queries that must differ in score for a launch"
    )
    harm_n_min: int = row(20, Whole(), "Queries to say worse", Topic.ENOUGH, "queries needed to stop for harm")
    harm_changed_min: int = row(
        6,
        Whole(),
        "Changed queries to say worse",
        Topic.ENOUGH,
        "queries that must differ in score to claim harm, by each measure and in each segment",
    )
    segment_n_min: int = row(30, Whole(), "Queries in a segment", Topic.BIG, "smaller segments are not judged")
    severe: float = row(
        0.20, Margin(), "A big change", Topic.BIG, "a change of {primary} on one query is big from here on"
    )
    big_excess_min: float = row(
        0.01,
        Margin(may_be_zero=True),
        "Excess of big losses",
        Topic.BIG,
        "big losses stop a launch if they exceed big gains by this share of the queries",
    )

    def __new__(cls, *_: Any, **named: Any) -> Self:
        """Return a policy without values yet; PolicyError, with a hint, for a name that is no field."""
        problems = _unknown(named)
        if problems:
            raise PolicyError(problems)
        return super().__new__(cls)

    def __post_init__(self) -> None:
        problems: list[str] = []
        values = {name: getattr(self, name) for name in FIELDS}
        for name, about in FIELDS.items():
            if about.kind is None or values[name] is getattr(Policy, name) is None:
                continue
            try:
                values[name] = about.kind.accept(name, values[name])
            except ValueError as error:
                problems.append(str(error))
                values[name] = getattr(Policy, name)
        values["convention"], convention = resolved_convention(values["convention"], problems)
        values |= resolved_measures(values, with_missing(convention, values["missing"]), problems)
        if problems:
            raise PolicyError(problems)
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @property
    def scoring(self) -> Convention:
        """The convention itself, also where the field holds the name of a preset."""
        return self.convention if isinstance(self.convention, Convention) else preset(self.convention)

    @property
    def in_force(self) -> Convention:
        """The convention by which the policy's measures are computed: ``scoring``, with what ``missing`` says."""
        return with_missing(self.scoring, self.missing)

    def label(self, measure: str) -> str:
        """Return a measure as people are shown it: by the preset, where that says what its parentheses say."""
        return shown_measure(measure, self.in_force)

    @property
    def measures(self) -> tuple[str, ...]:
        """Every measure that the rules read: primary, guardrails, watch."""
        return (self.primary, *(name for name, _ in (*self.guardrails, *self.watch)))

    @property
    def roles(self) -> tuple[str, ...]:
        """The role of each of ``measures``."""
        return ("primary", *("guardrail" for _ in self.guardrails), *("watch" for _ in self.watch))

    def changed(self, **changes: Any) -> Policy:
        """Return this policy with some fields changed; a cutoff, guardrails or watch at their default follow along."""
        defaults = default_measures(Policy.primary, self.primary, self.guardrails, self.in_force)
        kept = {name: getattr(self, name) for name in FIELDS}
        kept = {name: value for name, value in kept.items() if name not in defaults or value != defaults[name]}
        return Policy.from_dict(kept | changes)

    def relevant_from(self, grade: float | None) -> Policy:
        """Return this policy with the grade from which on a document is relevant; None leaves that as it is."""
        return self if grade is None else self.changed(convention=self.scoring.with_axes({"rel": grade}))

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
        """Return the policy with these fields. PolicyError, with every problem, where one is unknown or unfit."""
        problems = _unknown(values)
        try:
            policy = cls(**{name: value for name, value in values.items() if name in FIELDS})
        except PolicyError as error:
            raise PolicyError([*problems, *error.problems]) from None
        if problems:
            raise PolicyError(problems)
        return policy

    @classmethod
    def from_toml(cls, text: str) -> Policy:
        """Return the policy that a TOML document holds; fields left out keep their default. PolicyError otherwise, also
        for more than 64 kB, and for keys and brackets that are too deep. TypeError for what is no text.
        """
        if not isinstance(text, str):
            raise TypeError(
                f"from_toml takes the text of a file, as path.read_text() has it, not a {type(text).__name__}"
            )
        try:
            values = read_toml(text)
        except ValueError as error:
            raise PolicyError([f"The policy is {error}"]) from None
        return cls.from_dict(values)

    def to_toml(self) -> str:
        """Return every field as TOML, each with its meaning; ``Policy.from_toml`` gives the same policy back."""
        return write_toml(self.to_dict(), {name: about.line() for name, about in FIELDS.items()})


#: Every field by its name.
FIELDS: Mapping[str, PolicyField] = MappingProxyType(
    {part.name: part.metadata["row"] for part in fields(Policy) if "row" in part.metadata}
)


def _unknown(names: Iterable[str]) -> list[str]:
    """Return a sentence for each name that is no field; for the first of them, where there are many."""
    wrong = [name for name in names if name not in FIELDS]
    more = [f"And {len(wrong) - _MOST_NAMED:,} more names are no fields."] if len(wrong) > _MOST_NAMED else []
    return [*(f"{name!r} is not a field of a policy.{_hint(str(name))}" for name in wrong[:_MOST_NAMED]), *more]


def _hint(name: str) -> str:
    if name.lower() in ("alpha", "level", "confidence", "significance"):
        return " The tests stay at 5%."
    return f"{did_you_mean(nearest(name, FIELDS))} There are {', '.join(FIELDS)}."
