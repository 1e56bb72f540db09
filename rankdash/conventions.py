"""How a measure is computed: one field per axis, and the named conventions of the tools in use.

A value never travels without its convention. A preset is nothing but a named ``Convention``; it changes no code path.
What is decided here: the axes, their values, the presets. What is not known here: how any measure uses them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from sys import float_info
from types import MappingProxyType
from typing import Any

from rankdash.records import frozen
from rankdash.strings import did_you_mean, nearest


def number(value: float) -> str:
    """Return the shortest text that reads back as the same number: 2, 0.5, 1e-07."""
    short = f"{value:g}"
    return short if float(short) == value else repr(float(value))


#: Sums of gains up to this are numbers, however many documents there are.
LARGEST_GAIN = 1e290
_MOST_GAINS = 1000
_LARGEST = float_info.max


class ConventionError(ValueError):
    """An axis, a value of an axis, or a preset that does not exist."""


@frozen
class Gains:
    """A table of gains, {grade: gain}: gains >= 0; a grade that is not in it gains 0."""

    table: tuple[tuple[float, float], ...]

    @classmethod
    def of(cls, table: Mapping[Any, Any]) -> Gains:
        """Return the table as a sorted, hashable value.

        ConventionError unless all are finite numbers and gains >= 0.
        """
        try:
            pairs = sorted((float(grade), float(gain)) for grade, gain in table.items())
        except (TypeError, ValueError, OverflowError):
            raise ConventionError(
                f"gain {dict(table)!r}: grades and gains are numbers, as in {{2: 1, 3: 3}}."
            ) from None
        if len(pairs) > _MOST_GAINS:
            raise ConventionError(f"gain: a table of {len(pairs):,} gains; at most {_MOST_GAINS} are allowed.")
        if not pairs or any(not (0 <= gain <= LARGEST_GAIN) or grade != grade for grade, gain in pairs):
            raise ConventionError(
                f"gain {dict(table)!r}: a table of gains needs at least one row, and gains >= 0, "
                f"at most {LARGEST_GAIN:g}."
            )
        return cls(tuple(pairs))

    def __str__(self) -> str:
        """Return the table as people read it."""
        return ", ".join(f"{number(grade)}={number(gain)}" for grade, gain in self.table)

    def __repr__(self) -> str:
        return "{" + ",".join(f"{number(grade)}:{number(gain)}" for grade, gain in self.table) + "}"


@frozen
class Convention:
    """One value per axis. The defaults are the preset ``standard``.

    - ``gain``: what a grade is worth: linear (y), exp2 (2^y - 1), or a table. Relevance <= 0 always gains 0.
    - ``discount``: what a gain is divided by at its rank; log2(rank) divides by 1 up to rank 2.
    - ``ideal``: where IDCG and the R of AP come from: all judged documents of the query, or those in the list.
    - ``ideal_cut``: whether the ideal list of nDCG@k is cut at k, at the length of the list too, or not at all.
    - ``ap_denominator``: AP divides by R, by min(R,k), by min(R,k,n), or by the hits.
    - ``p_denominator``: P@k divides by k, or by the number of documents there are up to k.
    - ``rel``: relevant = relevance >= rel, for the binary measures only.
    - ``ties``: the order among equal scores of a list that is ordered by score.
    - ``no_relevant``: the value for a query without a relevant document: 0, 1, or skip (undefined).
    - ``missing_query``: a judged query that a run lacks: zero (scored as an empty list) or skip (left out).
    - ``unjudged``: nonrelevant (gain 0), or condensed (taken out before ranks are counted).
    - ``negative``: relevance < 0: as if unjudged, or clip (judged with relevance 0).
    - ``score_type``: the floating-point type in which scores are compared.
    - ``novelty_at_1``: whether alpha_DCG@1 and ERR_IA@1 are divided as at other cutoffs, or not, as ndeval does.
    """

    gain: str | Gains = "linear"
    discount: str = "log2(rank+1)"
    ideal: str = "judged"
    ideal_cut: str = "k"
    ap_denominator: str = "R"
    p_denominator: str = "k"
    rel: float = 1
    ties: str = "docid_desc"
    no_relevant: str = "0"
    missing_query: str = "zero"
    unjudged: str = "nonrelevant"
    negative: str = "unjudged"
    score_type: str = "float64"
    novelty_at_1: str = "divided"

    def __post_init__(self) -> None:
        for axis, allowed in AXES.items():
            value = getattr(self, axis)
            if value not in allowed and not (axis == "gain" and isinstance(value, Gains)):
                meant = did_you_mean(nearest(str(value), allowed))
                raise ConventionError(f"{axis}={value!r} is not known.{meant} Use one of {', '.join(allowed)}.")
        if isinstance(self.rel, bool) or not isinstance(self.rel, (int, float)) or not abs(self.rel) <= _LARGEST:
            raise ConventionError(f"rel={self.rel!r} is not a number.")

    def with_axes(self, axes: Mapping[str, Any]) -> Convention:
        """Return this convention with some axes changed; values as people write them (1 for "1"; a dict for a table of
        gains).
        """
        return replace(self, **{axis: axis_value(axis, value) for axis, value in axes.items()})

    def spelled_out(self) -> dict[str, Any]:
        """Return every axis with its value, JSON-ready; a gain table as {grade: gain}."""
        values = {axis.name: getattr(self, axis.name) for axis in fields(self)}
        if isinstance(self.gain, Gains):
            values["gain"] = {number(grade): gain for grade, gain in self.gain.table}
        return values


#: Discounts, and what each adds to a rank before it takes the logarithm, which counts from 1.
SHIFTS: Mapping[str, int] = MappingProxyType({"log2(rank+1)": 1, "log2(rank)": 0})
#: The values of each closed axis, the standard one first. ``rel`` is any number and ``gain`` also a table.
AXES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "gain": ("linear", "exp2"),
        "discount": tuple(SHIFTS),
        "ideal": ("judged", "retrieved"),
        "ideal_cut": ("k", "min(k,n)", "none"),
        "ap_denominator": ("R", "min(R,k)", "min(R,k,n)", "hits"),
        "p_denominator": ("k", "min(k,n)"),
        "ties": ("docid_desc", "docid_asc", "input_order", "average"),
        "no_relevant": ("0", "1", "skip"),
        "missing_query": ("zero", "skip"),
        "unjudged": ("nonrelevant", "condensed"),
        "negative": ("unjudged", "clip"),
        "score_type": ("float64", "float32"),
        "novelty_at_1": ("divided", "undivided"),
    }
)
AXIS_NAMES = tuple(axis.name for axis in fields(Convention))


def axis_value(axis: str, value: Any) -> Any:
    """Return the value as a ``Convention`` holds it. ConventionError for an axis that does not exist."""
    if axis not in AXIS_NAMES:
        meant = did_you_mean(nearest(axis, AXIS_NAMES))
        raise ConventionError(f"{axis!r} is not an axis of a convention.{meant} There are {', '.join(AXIS_NAMES)}.")
    if axis == "gain" and isinstance(value, Mapping):
        return Gains.of(value)
    if axis == "no_relevant" and not isinstance(value, bool) and value in (0, 1):
        return str(int(value))
    return value


# Tools that see one list of labels at a time: no document beyond the list, no negative label, no missing query.
_LIST_TOOL = Convention(ideal="retrieved", missing_query="skip", negative="clip")

# Libraries that learn to rank.
_LEARNED = replace(_LIST_TOOL, gain="exp2", ties="input_order")

# Tools that rate what a search engine returned: the list has the order in which it came.
_SEARCH_TOOL = Convention(gain="exp2", p_denominator="min(k,n)", ties="input_order")

#: The named conventions. The Method page tells what each tool prints, and how that was determined.
PRESETS: Mapping[str, Convention] = MappingProxyType(
    {
        "standard": Convention(),
        "trec_eval-9": Convention(missing_query="skip", score_type="float32"),
        "trec_eval-10": Convention(),
        "scikit-learn": replace(_LIST_TOOL, ties="average"),
        "ranklib": replace(_LEARNED, ap_denominator="hits", p_denominator="min(k,n)"),
        "lightgbm": replace(_LEARNED, ap_denominator="min(R,k)", no_relevant="1"),
        "xgboost": replace(
            _LEARNED, ap_denominator="min(R,k)", p_denominator="min(k,n)", no_relevant="1", score_type="float32"
        ),
        "gdeval": Convention(gain="exp2", no_relevant="skip", missing_query="skip"),
        "ndeval": Convention(ties="docid_asc", missing_query="skip", novelty_at_1="undivided"),
        "ir_measures": Convention(score_type="float32"),
        "quepid": replace(_SEARCH_TOOL, ideal_cut="none", missing_query="skip"),
        "rank_eval": replace(_SEARCH_TOOL, ideal_cut="min(k,n)"),
        "srw": replace(_SEARCH_TOOL, missing_query="skip"),
        # What is in the test data is relevant, whatever its rating.
        "lenskit": Convention(
            discount="log2(rank)",
            ap_denominator="min(R,k,n)",
            p_denominator="min(k,n)",
            rel=0,
            ties="input_order",
            negative="clip",
        ),
        "textbook": Convention(ideal="retrieved", ap_denominator="hits", ties="input_order", negative="clip"),
    }
)
STANDARD = PRESETS["standard"]


def preset(name: str) -> Convention:
    """Return the convention of that name. ConventionError, naming all presets, where there is none."""
    try:
        return PRESETS[name]
    except KeyError:
        meant = did_you_mean(nearest(str(name), PRESETS))
        raise ConventionError(f"{name!r} is not a convention.{meant} There are {', '.join(PRESETS)}.") from None


def preset_name(convention: Convention) -> str | None:
    """Return the first preset that is this convention, or None for one of its own making."""
    return next((name for name, known in PRESETS.items() if known == convention), None)
