"""What is known of the whole beside the rows of a table: what was noticed in the lists, and where they came from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, TypeVar, get_type_hints

from rankdash.judged import Conflict, Findings, Side
from rankdash.policy import Policy
from rankdash.tables import OrderedBy, Source


@dataclass(frozen=True)
class Noticed:
    """What was noticed while lists were put in order and met the judgments. Blocks of queries add up.

    ``findings_a`` and ``findings_b`` count over all lists, judged or not; ``repeated`` and ``conflicts`` rows of the
    judgments that say an earlier row again, or contradict it; ``first`` is the first of the latter.
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
        firsts = [one for one in (self.first, other.first) if one is not None]
        return Noticed(
            self.findings_a + other.findings_a,
            self.findings_b + other.findings_b,
            self.repeated + other.repeated,
            self.conflicts + other.conflicts,
            min(firsts, key=lambda one: one.row, default=None),
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
class Told:
    """What is wrong between the inputs, in one sentence, and the input that it is about: "a", "b" or "judgments".
    ``fatal``: no result would be meaningful.
    """

    input: Literal["a", "b", "judgments"]
    sentence: str
    fatal: bool


@dataclass(frozen=True)
class ScoredInputs:
    """What a table was scored from, as reports name it. ``wrong`` is None where nobody has looked for it yet."""

    a: ScoredRun
    b: ScoredRun
    judgments: Source
    wrong: tuple[Told, ...] | None = None
    policy: Policy | None = None  # the policy that it was scored for

    def run(self, side: Side) -> ScoredRun:
        """Return A or B."""
        return self.a if side == "a" else self.b

    def to_dict(self) -> dict[str, Any]:
        """Return the record by names, JSON-ready."""
        return {
            "a": asdict(self.a),
            "b": asdict(self.b),
            "judgments": asdict(self.judgments),
            "wrong": None if self.wrong is None else [asdict(one) for one in self.wrong],
            "policy": None if self.policy is None else self.policy.to_dict(),
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> ScoredInputs:
        """Return the record that ``to_dict`` returned. KeyError, TypeError or ValueError for anything else."""
        a, b = (_run_from(values[side]) for side in ("a", "b"))
        wrong = values["wrong"]
        told = None if wrong is None else tuple(_record(Told, one) for one in wrong)
        policy = None if values["policy"] is None else Policy.from_dict(values["policy"])
        return cls(a, b, _source_from(values["judgments"]), told, policy)


#: Where nobody said what a table was scored from.
UNNAMED = ScoredInputs(ScoredRun("A", "score", Source()), ScoredRun("B", "score", Source()), Source())


_Record = TypeVar("_Record", Findings, Conflict, Source, Told)


def _run_from(values: Mapping[str, Any]) -> ScoredRun:
    if values["ordered_by"] not in ("score", "rank", "position"):
        raise ValueError(f"lists ordered by {values['ordered_by']!r}")
    return ScoredRun(str(values["name"]), values["ordered_by"], _source_from(values["source"]))


def _source_from(values: Mapping[str, Any]) -> Source:
    return _record(Source, {"rules": 1, **values, "notes": tuple(map(str, values["notes"]))})


def _record(kind: type[_Record], values: Mapping[str, Any]) -> _Record:
    """Return a record of plain values. TypeError where one is not of the type that its field has."""
    types = get_type_hints(kind)
    for name, value in values.items():
        wanted = types.get(name)
        plain = value if wanted is not float or isinstance(value, bool) else float(value)
        if wanted in (str, int, float, bool) and type(plain) is not wanted:
            raise TypeError(f"{name!r} is {value!r}")
    return kind(**values)
