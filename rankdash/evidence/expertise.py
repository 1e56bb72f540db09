"""All tests for experts, beside the t interval, of one vector of differences."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rankdash.evidence.bootstrap import Bootstrap, bootstrap
from rankdash.evidence.paired import Groups
from rankdash.evidence.significance_tests import Permutation, Wilcoxon, permutation, sign_test, wilcoxon


@dataclass(frozen=True)
class Expertise:
    """The tests of a measure, unweighted. Sign flips and resamples keep the queries of a cluster together."""

    permutation: Permutation
    bootstrap: Bootstrap
    wilcoxon: Wilcoxon  # zeros left out
    pratt: Wilcoxon  # zeros ranked
    sign_p: float


def expertise(delta: npt.ArrayLike, *, clusters: npt.ArrayLike | None = None, seed: int = 0) -> Expertise:
    """Return the sign-flip permutation, the BCa bootstrap, Wilcoxon in both treatments of zeros, and the sign test.

    ``delta`` is (n,), rounded as ``paired`` rounds it; NaN is left out. ``clusters``, (n,), says which queries belong
    together; rank and sign tests count each query on its own all the same. The results hold the seed.
    """
    values = np.asarray(delta, np.float64)
    finite = np.isfinite(values)
    values = values[finite]
    groups = None if clusters is None else np.asarray(clusters)[finite]
    flipped = values if groups is None else Groups.of(groups).net(values)
    return Expertise(
        permutation(flipped, seed=seed),
        bootstrap(values, clusters=groups, seed=seed),
        wilcoxon(values, "wilcox"),
        wilcoxon(values, "pratt"),
        sign_test(values),
    )
