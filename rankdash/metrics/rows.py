"""A row of the table of measures: what the measure is, in words and in code, and how it is worked out by hand.

Name, formula, source and code are required; with these alone a measure appears on every page.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from rankdash.metrics.lists import Bools, Floats, Ints, Lists
from rankdash.records import field, frozen

Cutoff = Literal["required", "optional", "none"]
Shows = Literal["gains", "discounted gains", "precisions", "parts", "novelty", "discounted novelty"]
_CUTS: Mapping[Cutoff, tuple[str, ...]] = {"required": ("@k",), "optional": ("", "@k"), "none": ("",)}
#: Axes that a printed name spells where they differ from standard; all others belong to the convention beside it.
SPELLED = ("gain", "discount", "ideal", "ideal_cut", "ap_denominator", "p_denominator", "rel", "unjudged")


@frozen
class Peer:
    """The names of a measure in the tools of some presets, without and with a cutoff; "" where they do not print it.

    ``own`` are parameters that the tools fix. Where they compute the measure by other axes than their other measures,
    ``written`` is how to write it here to get their number.
    """

    presets: str  # with blanks between them
    whole: str = ""
    cut: str = ""  # {k}: the cutoff
    own: str = ""
    written: str = ""


@frozen
class ByRank:
    """A list from rank 1 down, from which contributions are computed, (n,) each: the textbook letters."""

    rank: Ints  # the rank that counts; 0: condensed lists leave the document out
    judged: Bools
    relevant: Bools
    counted: Bools  # within the cutoff
    hits: Ints  # relevant documents up to here
    relevance: Floats  # 0 where unjudged
    gained: Floats  # the gain, discounted where the measure discounts
    group: Ints  # the same number for equal scores
    relevant_judged: tuple[int, int]  # R and N: relevant and other judged documents of the query
    own: Mapping[str, float | str | None]  # the measure's own parameters

    @property
    def hit(self) -> Bools:
        """Relevant and within the cutoff."""
        return self.relevant & self.counted


@frozen
class Worked:
    """How a measure of one list is worked out by hand: the summand of each rank, and the divisor.

    ``adds`` is rounded like the measure - the same operations, added from rank 1 down - so that the quotient equals the
    value to its last digit; None: the measure is not a sum over ranks. ``over`` returns the divisor and its letter for
    the lists, the cutoff and the measure's own parameters; None: the sum is the value. ``sum_is`` names the sum ({cut}:
    the cutoff), ``shows`` the columns of the table. ``discount`` returns the divisor of a gain at each rank, for what
    the convention adds to a rank, for a measure that adds up gains, and ``gain`` the gain of each judged document,
    where that does not follow from its grade. ``ideal``: the ideal list is shown; ``ideal_gains`` returns the gains
    of an ideal list that does not follow from grades. ``depth`` returns the last rank that counts, where that is not
    the cutoff.
    """

    adds: Callable[[ByRank], Floats] | None
    over: Callable[..., tuple[float, str]] | None = None
    sum_is: str = ""
    shows: Shows = "parts"
    discount: Callable[[Ints, int], Floats | Ints] | None = None
    ideal: bool = False
    depth: Callable[[Lists], Ints] | None = None
    gain: Callable[..., Floats] | None = None
    ideal_gains: Callable[..., list[tuple[Ints, Floats]]] | None = None


@frozen
class Definition:
    """A measure. Its code is ``of_lists(lists, k, **parameters)``, ``of_items`` with the same arguments where it
    reads what a table says about documents, or ``of_pair`` for a measure of two lists.

    ``latex`` is the formula as mathematics, ``mean`` the name that others give its mean over the queries.
    ``spellings`` are other names of the measure, but not of its variants; a spelling that ends in _ always takes a
    cutoff. ``variants`` are names that also set axes, and ``instead`` is the measure that an axis turns it into.

    ``reads`` are the axes of a convention, beyond order and query set, that change its value (None: any of them), and
    ``defaults`` its own parameters. ``lacking`` counts, per query, what must not be 0 for the measure to be meaningful.
    Where it is 0, the value is the convention's ``no_relevant`` if ``substitute``; otherwise it is unchanged, and only
    ``skip`` removes it. ``empty`` is the value of an empty list (None: undefined), unless the measure is
    ``of_judgments`` alone; ``undefined`` says why there may be no value. A measure that ``adds_up`` is, without a
    cutoff, summed over queries rather than averaged. ``uncut`` is the measure to suggest when no cutoff is given.
    ``higher_is_better`` is None where more is neither better nor worse; with a ``unit`` the measure has no upper bound
    and can be watched. ``of_subtopics``: it reads the grades of subtopics. ``needs`` names the
    columns of items, and the own parameters, without which it has no value; for a parameter that names a column it is
    that column. Without ``worked`` a calculation shows the
    list, its grades and the value.
    """

    name: str
    formula: str
    source: str
    of_lists: Callable[..., Floats] | None = None
    of_items: Callable[..., Floats] | None = None
    of_pair: Callable[..., Floats] | None = None
    range: str = "0..1"
    cutoff: Cutoff = "optional"
    latex: str = ""
    mean: str = ""
    spellings: str = ""
    variants: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    instead: Mapping[str, str] = field(default_factory=dict)
    reads: tuple[str, ...] | None = None
    needs: tuple[str, ...] = ()
    defaults: Mapping[str, float | str | None] = field(default_factory=dict)
    lacking: Callable[[Lists, int | None], Ints | Floats] | None = None
    substitute: bool = False
    empty: float | None = 0.0
    undefined: str = ""
    bounded: bool = True
    higher_is_better: bool | None = True
    unit: str = ""
    adds_up: bool = False
    of_judgments: bool = False
    of_subtopics: bool = False
    uncut: str = ""
    worked: Worked | None = None
    peers: tuple[Peer, ...] = ()

    @property
    def forms(self) -> tuple[str, ...]:
        """The forms in which the measure is written: its name, its name with @k, or both."""
        return tuple(f"{self.name}{cut}" for cut in _CUTS[self.cutoff])

    @property
    def axes(self) -> tuple[str, ...]:
        """The axes of a convention that a printed name may spell."""
        if self.reads is not None:
            return self.reads
        return () if self.of_lists is None else SPELLED


def no_relevant(lists: Lists, k: int | None) -> Ints:
    """Return R, (q,): without relevant documents, there is nothing to retrieve."""
    return lists.judged_relevant


def no_positive_grade(lists: Lists, k: int | None) -> Ints:
    """Return the number of documents with a positive grade in the pool, (q,): without them there is no gain."""
    return lists.positive_grades


def over_relevant(lists: Lists, k: int | None) -> tuple[float, str]:
    """Return R of the first query, and its letter."""
    return float(lists.judged_relevant[0]), "R"


#: The presets of the tools that print trec_eval's names.
TREC = "trec_eval-9 trec_eval-10"
