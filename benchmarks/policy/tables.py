"""The tables: what is simulated, what is counted, and the numbers that the policy was designed with.

The references come from an earlier simulation with a generator of its own: see ``cells.py``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from benchmarks.policy.tally import Task
from benchmarks.policy.worlds import World

NULL = World("no true difference")
SKEWED = World("skewed", skewed=True)
ONE, TWO, THREE, FIVE = (World(f"+{percent}%", effect=0.006 * percent) for percent in (1, 2, 3, 5))
PRICE = World("+3%, AP -0.02", effect=0.018, ap=-0.02)
WORSE_1, WORSE_2 = (World(f"B {loss} worse", effect=-loss) for loss in (0.01, 0.02))
#: The same losses of nDCG@10, with AP falling further than it does in this population (0.006 and 0.012).
WORSE_AP_1, WORSE_AP_2 = (World(f"B {n} worse, AP {ap}", -n, ap=-ap) for n, ap in ((0.01, 0.00725), (0.02, 0.0145)))
HALF, MPE, TWICE = (World(f"+{gain}", effect=gain) for gain in (0.0025, 0.005, 0.010))
TOUCHED, TOUCHED_3, TOUCHED_5 = (World(f"10% touched, +{gain}", gain, touched=0.10) for gain in (0.0, 0.03, 0.05))


@dataclass(frozen=True)
class Row:
    """One line: a quantity of one world, and its reference by n, as it was printed ("2.1" percent, "≤4.7", "1.7x").

    A number whose reference is "-" is shown, but held against nothing. ``open`` says that the description of the
    reference leaves open what this depends on: which measures there are besides the policy's, what raters call clear,
    how far AP falls where the primary measure falls. Such a row may differ without anything being wrong.
    """

    label: str
    world: World
    quantity: str
    references: Mapping[int, str]
    open: bool = False


@dataclass(frozen=True)
class Table:
    """Rows with the same columns. ``replicates`` of the reference by n; 1,000 where none is known.

    ``share`` is the part of the wished-for replicates that is made.
    """

    title: str
    columns: tuple[int, ...]
    rows: tuple[Row, ...]
    replicates: Mapping[int, int]
    policies: tuple[str, ...] = ()
    extra: tuple[str, ...] = ()
    share: float = 1.0

    def tasks(self) -> list[Task]:
        """What has to be simulated for the rows."""
        wanted = dict.fromkeys((row.world, n) for row in self.rows for n in row.references)
        return [Task(world, n, self.policies, self.extra, self.share) for world, n in wanted]


#: What the description of the reference leaves open: see ``Row.open``.
OPEN = frozenset({"any ahead", "any t", "any Holm", "votes ahead", "votes prove", "confirm LAUNCH"})
#: Where B is truly worse these depend on how far AP, the guardrail, falls: H2 stops most of what is possible harm.
NEEDS_AP = ("no_harm", "policy possible")


def _row(label: str, world: World, quantity: str, columns: tuple[int, ...], references: str) -> Row:
    """The references stand in the order of the columns; "." leaves a column out."""
    pairs = zip(columns, references.split(), strict=True)
    worse_with_ap = world.effect < 0 and quantity.startswith(NEEDS_AP)
    left = quantity in OPEN or worse_with_ap
    return Row(label, world, quantity, {n: reference for n, reference in pairs if reference != "."}, left)


_THREE, _FOUR, _MANY = (50, 200, 1_000), (50, 200, 1_000, 3_000), (200, 1_000, 3_000)
_FIRST = {30: 20_000, 50: 20_000, 200: 20_000, 1_000: 6_000}

FALSE_LAUNCHES = Table(
    "No true difference",
    _THREE,
    tuple(
        _row(label, NULL, quantity, _THREE, references)
        for label, quantity, references in (
            ("Δ > 0", "ahead", "50 50 50"),
            ("any of five measures > 0", "any ahead", "77 77 77"),
            ("p < .05 and B ahead: primary", "t", "2.5 2.5 2.4"),
            ("any of five", "any t", "7.7 7.9 7.6"),
            ("any of five after Holm", "any Holm", "1.1 1.8 1.6"),
            ("**policy launches**", "policy LAUNCH", "2.1 2.4 2.4"),
            ("policy launches, votes = confirm", "confirm LAUNCH", "0.4 1.6 2.1"),
            ("WORSE", "policy WORSE", "4.2 4.6 3.6"),
            ("possible harm", "policy possible", "4.7 4.9 2.6"),
            ("TOO_SMALL", "policy TOO_SMALL", "0.0 0.0 17.8"),
            ("no gain in sight", "policy no gain", "1.1 2.9 0.0"),
            ("H1 fails", "policy H1", "2.5 2.5 2.5"),
            ("H2 fails", "policy H2", "- - -"),
            ("H4 fails", "policy H4", "- - -"),
            ("H5 fails", "policy H5", "- - -"),
        )
    ),
    _FIRST,
    ("policy", "confirm"),
    ("signs",),
)

SKEW = Table(
    "No true difference, skewed: 36% small wins, 18% losses twice as big",
    _THREE,
    tuple(
        _row(label, SKEWED, quantity, _THREE, references)
        for label, quantity, references in (
            ("sign test, normal approximation: B better", "sign test z", "43 94 100"),
            ("sign test, exact: B better", "sign test", "- - -"),
            ("Wilcoxon: B better", "Wilcoxon", "13 33 91"),
            ("t: B better", "t", "4.0 3.3 3.1"),
            ("ΔGSB > 0", "votes ahead", "66 83 99"),
            ("interval of ΔGSB > 0", "votes prove", "8 18 64"),
            ("**policy launches**", "policy LAUNCH", "3.4 3.3 3.0"),
            ("WORSE", "policy WORSE", "3.1 11.4 59.4"),
            ("possible harm", "policy possible", "5.5 13.7 20.1"),
        )
    ),
    _FIRST,
    ("policy",),
    ("signs", "ranks"),
)

GATE = Table(
    "At the gate, n = 30",
    (30,),
    (
        _row("no true difference: **policy launches**", NULL, "policy LAUNCH", (30,), "0.5"),
        _row("skewed: **policy launches**", SKEWED, "policy LAUNCH", (30,), "0.4"),
    ),
    _FIRST,
    ("policy",),
)

POWER = Table(
    "Power, improve",
    _FOUR,
    (
        _row("+1%: Δ > 0", ONE, "ahead", _FOUR, "63 75 93 100"),
        _row("+1%: t", ONE, "t", _FOUR, "5 10 31 73"),
        _row("+1%: **policy launches**", ONE, "policy LAUNCH", _FOUR, "5 10 31 67"),
        _row("+1%: votes = confirm", ONE, "confirm LAUNCH", _FOUR, "1 7 28 63"),
        _row("+1%: Δ given a launch / true Δ", ONE, "policy inflation", _FOUR, ". 3.6x 1.7x 1.2x"),
        _row("+2%: Δ > 0", TWO, "ahead", _FOUR, "74 91 100 100"),
        _row("+2%: t", TWO, "t", _FOUR, "10 26 85 100"),
        _row("+2%: **policy launches**", TWO, "policy LAUNCH", _FOUR, "9 26 85 100"),
        _row("+2%: votes = confirm", TWO, "confirm LAUNCH", _FOUR, "3 19 81 98"),
    ),
    {},
    ("policy", "confirm"),
    ("signs",),
)

LARGER = Table(
    "Power, larger gains, and a gain that costs AP",
    _THREE,
    (
        _row("+3%: **policy launches**", THREE, "policy LAUNCH", _THREE, "15 50 99"),
        _row("+5%: **policy launches**", FIVE, "policy LAUNCH", _THREE, "35 90 100"),
        _row("+3% but AP −0.02: t", PRICE, "t", _THREE, ". 48 99"),
        _row("+3% but AP −0.02: **policy launches**", PRICE, "policy LAUNCH", _THREE, ". 0.2 0"),
    ),
    {},
    ("policy",),
    ("signs",),
)

NO_HARM = Table(
    "do_no_harm",
    _THREE,
    tuple(
        _row(f"{label}: {what}", world, quantity, _THREE, numbers)
        for label, world, references in (
            ("truly equal", NULL, ("32 73 100", "15.1 38.0 89.0", "3.9 3.8 2.0")),
            ("B 0.01 worse", WORSE_1, ("14 30 77", "5.2 8.6 13.8", "10.8 21.6 45.8")),
            ("B 0.02 worse, the margin", WORSE_2, ("5.8 5.5 5.8", "1.3 0.5 0.1", "23.0 58.6 97.3")),
        )
        for (what, quantity), numbers in zip(
            (
                ("N1 alone passes", "N1 alone"),
                ("**policy launches**", "no_harm LAUNCH"),
                ("WORSE", "no_harm WORSE"),
            ),
            references,
            strict=True,
        )
    ),
    {},
    ("no_harm",),
    ("not_inferior",),
)

AFFECTED = Table(
    "B touches 10% of the queries",
    _MANY,
    tuple(
        _row(f"{label}: {population} launches", world, f"{policy} LAUNCH", _MANY, numbers)
        for label, world, references in (
            ("no true difference on them", TOUCHED, ("0.7 0.1 0", "0 1.7 2.3")),
            ("+0.03 on them", TOUCHED_3, ("5 12 3", "0 43 89")),
            ("+0.05 on them", TOUCHED_5, ("12 50 52", "0 83 100")),
        )
        for (population, policy), numbers in zip(
            (("all", "policy"), ("**affected**", "affected")), references, strict=True
        )
    ),
    {},
    ("policy", "affected"),
)

#: Other truths, and what is said of them: launch, worse, possible harm, too small, no gain in sight.
SAID = Table(
    "What is said, by what is true",
    _THREE,
    tuple(
        _row(f"{label}: {what}", world, quantity, _THREE, numbers)
        for label, world, references in (
            ("half the mpe", HALF, ("2.9 4.4 8.5", "2.8 2.7 1.2", "4.2 3.9 1.1", "0.0 0.0 6.5", "1.0 1.7 0.0")),
            ("the mpe", MPE, ("4.2 7.3 24.6", "2.5 1.5 0.4", "3.0 2.4 0.6", "0.0 0.0 1.8", "0.7 0.8 0.0")),
            ("twice the mpe", TWICE, ("7.2 19.3 67.7", "1.3 0.8 0.0", "2.4 1.0 0.0", "0 0 0", "0.3 0.2 0.0")),
            ("−0.010", WORSE_1, ("0.4 0.1 0.0", "10.7 24.9 69.6", "9.1 12.6 3.2", "0 0 22.8", "2.4 8.1 0.0")),
            ("−0.020", WORSE_2, ("0.1 0.0 0.0", "22.5 62.3 99.7", "12.4 11.1 0.0", "0 0 0.3", "3.6 8.0 0.0")),
        )
        for (what, quantity), numbers in zip(
            (
                ("**launch**", "policy LAUNCH"),
                ("WORSE", "policy WORSE"),
                ("possible harm", "policy possible"),
                ("TOO_SMALL", "policy TOO_SMALL"),
                ("no gain in sight", "policy no gain"),
            ),
            references,
            strict=True,
        )
    ),
    _FIRST,
    ("policy",),
    share=0.5,
)

#: What separates "possible harm" of this population from the reference's where B is truly worse: how far AP falls.
AP_FALLS = Table(
    "B is worse, and AP falls further",
    _THREE,
    (
        _row("−0.010, AP −0.00725: possible harm", WORSE_AP_1, "policy possible", _THREE, "9.1 12.6 3.2"),
        _row("−0.020, AP −0.0145: possible harm", WORSE_AP_2, "policy possible", _THREE, "12.4 11.1 0.0"),
    ),
    _FIRST,
    ("policy",),
    share=0.5,
)

COVERAGE = Table(
    "Coverage of 95% intervals",
    (50, 200),
    tuple(
        _row(f"{label}: paired t", world, "t covers", (50, 200), numbers)
        for label, world, numbers in (("symmetric", NULL, "95.2 95.2"), ("skewed", SKEWED, "94.8 95.0"))
    ),
    {},
    (),
    ("coverage",),
    share=0.5,
)

#: Several candidates of which none is better, by how much they do alike and how many there are. On skewed differences a
#: single t interval already claims too often, so that their rows promise nothing.
ALIKE = {"independent": 0.0, "half alike": 0.5, "nearly alike": 0.9, "skewed": 0.0}
NONE_BETTER = {
    (kind, k): World(f"{kind}, {k} candidates", family=k, skewed=kind == "skewed", alike=alike)
    for kind, alike in ALIKE.items()
    for k in (2, 5, 10, 20)
}
BETTER = {k: World(f"+0.02, one of {k}", effect=0.02, family=k) for k in (1, 2, 5, 10, 20)}
_OF_FAMILIES = (300,)
FAMILIES = Table(
    "Several candidates",
    _OF_FAMILIES,
    (
        *(
            _row(f"{kind}, {k}, none better: any launches", world, "policy family", _OF_FAMILIES, "-")
            for (kind, k), world in NONE_BETTER.items()
        ),
        *(
            _row(f"+0.02, one of {k}: **it launches**", world, "policy LAUNCH", _OF_FAMILIES, "-")
            for k, world in BETTER.items()
        ),
    ),
    {},
    ("policy",),
    share=8.0,
)

TABLES = (FALSE_LAUNCHES, SKEW, GATE, POWER, LARGER, NO_HARM, SAID, AP_FALLS, AFFECTED, COVERAGE, FAMILIES)


@dataclass(frozen=True)
class Promise:
    """A rate that is bounded whatever the generator: in no column of a row it is above ``limit``.

    The limit is a rate, or the quantity that the rate must not exceed.
    """

    text: str
    world: World
    quantity: str
    columns: tuple[int, ...]
    limit: float | str


PROMISES = (
    *(
        Promise(f"none of {k} is better ({kind}): any launches", world, "policy family", _OF_FAMILIES, 0.03)
        for (kind, k), world in NONE_BETTER.items()
        if not world.skewed
    ),
    Promise("no true difference: the policy launches", NULL, "policy LAUNCH", (30, *_THREE), 0.03),
    Promise("no true difference: it says worse", NULL, "policy WORSE", (30, *_THREE), 0.05),
    Promise("the same, skewed", SKEWED, "policy LAUNCH", _THREE, "t"),
    Promise("do_no_harm, B worse by the margin: the policy launches", WORSE_2, "no_harm LAUNCH", _THREE, 0.05),
    Promise("affected, no true difference on them: the policy launches", TOUCHED, "affected LAUNCH", _MANY, 0.025),
)
