"""What a table says of all of its queries together: what was noticed in their lists, and where these came from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, TypeVar, get_type_hints

from rankdash.judged import Conflict, Findings, Side
from rankdash.notes import from_values, to_values
from rankdash.policy import Policy
from rankdash.tables import OrderedBy, Source


@dataclass(frozen=True)
class Noticed:
    """What was noticed while lists were put in order and met the judgments. Blocks of queries add up.

    ``findings_a`` and ``findings_b`` count over all lists, judged or not. ``repeated`` counts the rows of the judgments
    that say an earlier row again, ``conflicts`` those that contradict an earlier row; ``first`` is the first conflict.
    """

    findings_a: Findings = field(default_factory=Findings)
    findings_b: Findings = field(default_factory=Findings)
    repeated: int = 0
    conflicts: int = 0
    first: Conflict | None = None

    def findings(self, side: Side) -> Findings:
        """Return what was noticed in the lists of A or of B."""
        return self.findings_a if side == "a" else self.findings_b

    def __add__(self, other: Noticed) -> Noticed:
        firsts = [conflict for conflict in (self.first, other.first) if conflict is not None]
        return Noticed(
            self.findings_a + other.findings_a,
            self.findings_b + other.findings_b,
            self.repeated + other.repeated,
            self.conflicts + other.conflicts,
            min(firsts, key=lambda conflict: conflict.row, default=None),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the record by names, JSON-ready."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Noticed:
        """Return the record that ``to_dict`` returned. KeyError, TypeError or ValueError for anything else."""
        first = values["first"]
        return cls(
            _record(Findings, values["findings_a"]),
            _record(Findings, values["findings_b"]),
            int(values["repeated"]),
            int(values["conflicts"]),
            None if first is None else _record(Conflict, first),
        )


@dataclass(frozen=True)
class ScoredRun:
    """A run whose lists are not at hand: its name, what orders its lists, and where it came from."""

    name: str
    ordered_by: OrderedBy
    source: Source


@dataclass(frozen=True)
class InputMistake:
    """What is wrong between the inputs, in one sentence, and the input that it is about: "a", "b" or "judgments".
    ``fatal``: no result would be meaningful.
    """

    input: Literal["a", "b", "judgments"]
    sentence: str
    fatal: bool


@dataclass(frozen=True)
class ScoredInputs:
    """What a table was scored from, as reports name it. ``wrong`` is None where nothing has been checked yet."""

    a: ScoredRun
    b: ScoredRun
    judgments: Source
    wrong: tuple[InputMistake, ...] | None = None
    policy: Policy | None = None  # the policy that it was scored for

    def run(self, side: Side) -> ScoredRun:
        """Return A or B."""
        return self.a if side == "a" else self.b

    def to_dict(self) -> dict[str, Any]:
        """Return the record by names, JSON-ready."""
        return {
            **{side: {**asdict(self.run(side)), "source": _plain(self.run(side).source)} for side in ("a", "b")},
            "judgments": _plain(self.judgments),
            "wrong": None if self.wrong is None else [asdict(mistake) for mistake in self.wrong],
            "policy": None if self.policy is None else self.policy.to_dict(),
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> ScoredInputs:
        """Return the record that ``to_dict`` returned. KeyError, TypeError or ValueError for anything else."""
        a, b = (_run_from(values[side]) for side in ("a", "b"))
        given = values["wrong"]
        wrong = None if given is None else tuple(_record(InputMistake, mistake) for mistake in given)
        policy = None if values["policy"] is None else Policy.from_dict(values["policy"])
        return cls(a, b, _source_from(values["judgments"]), wrong, policy)


#: The inputs of a table that does not say what it was scored from.
UNNAMED = ScoredInputs(ScoredRun("A", "score", Source()), ScoredRun("B", "score", Source()), Source())


_Record = TypeVar("_Record", Findings, Conflict, Source, InputMistake)


def _run_from(values: Mapping[str, Any]) -> ScoredRun:
    if values["ordered_by"] not in ("score", "rank", "position"):
        raise ValueError(f"lists ordered by {values['ordered_by']!r}")
    return ScoredRun(str(values["name"]), values["ordered_by"], _source_from(values["source"]))


def _plain(source: Source) -> dict[str, Any]:
    return {**asdict(source), "notes": to_values(source.notes)}


def _source_from(values: Mapping[str, Any]) -> Source:
    return _record(Source, {**values, "notes": from_values(values["notes"])})


def _record(kind: type[_Record], values: Mapping[str, Any]) -> _Record:
    """Return a record of plain values. TypeError for a value that is not of the type of its field."""
    types = get_type_hints(kind)
    for name, value in values.items():
        expected = types.get(name)
        plain = value if expected is not float or isinstance(value, bool) else float(value)
        if expected in (str, int, float, bool) and type(plain) is not expected:
            raise TypeError(f"{name!r} is {value!r}")
    return kind(**values)
