"""Which comparisons of files are streamed, and what is shown of it: decided here, and nowhere else.

A streamed comparison says what the one in memory says, byte for byte. Whatever it meets that is not regular, it ends,
and the files are read into memory as ever.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Mapping
from typing import Any

from rankdash import Comparison, Policy
from rankdash.cli.arguments import decided
from rankdash.cli.inputs import asked_measures, read_files
from rankdash.cli.telling import MISTAKES

#: Bytes of A and B together from which streaming pays.
LEAST = 1 << 25
#: With a larger cutoff most of a list is kept, and nothing is gained.
LARGEST_CUTOFF = 100

#: The size of the pieces, where it is another than usual.
_SIZES: Mapping[str, int] = {}
#: What has to be so: both runs have a file of their own and nothing is decided about these, judgments are given, and
#: nothing is changed, for edits speak of documents anywhere in a list.
_WANTED: tuple[Callable[[argparse.Namespace], Any], ...] = (
    lambda options: options.a and options.b and options.judgments,
    lambda options: not options.edits,
    lambda options: not decided(options, "a") and not decided(options, "b"),
    lambda options: os.path.isfile(options.a) and os.path.isfile(options.b),
    lambda options: os.path.getsize(options.a) + os.path.getsize(options.b) >= LEAST,
)


def streamed(options: argparse.Namespace, policy: Policy) -> Comparison | None:
    """Return the comparison of two files that were never whole in memory; None where they have to be.

    Whatever is wrong with the input is told by the reading in memory.
    """
    if policy.cutoff > LARGEST_CUTOFF or not all(wanted(options) for wanted in _WANTED):
        return None
    from rankdash.comparison import compare_joined
    from rankdash.drivers.streamed import Files, rankings_of
    from rankdash.reading.pieces import WholeNeededError

    try:
        tables = read_files(options, ("judgments", "votes", "queries"))
        files = Files(options.a, options.b, order=options.order, digests=_are_read(options), **_SIZES)
        measures = asked_measures(options)
        joined = rankings_of(files, tables["judgments"], policy, measures)
        return compare_joined(
            joined,
            policy,
            measures,
            queries=tables.get("queries"),
            votes=tables.get("votes"),
            experts=options.experts,
        )
    except (WholeNeededError, *MISTAKES):
        return None


def _are_read(options: argparse.Namespace) -> bool:
    """Whether anybody reads the digests of the files: in JSON, or to find out that two of them are the same."""
    sizes = [os.path.getsize(path) for path in (options.a, options.b, options.judgments)]
    return options.json is not None or len(set(sizes)) < len(sizes)
