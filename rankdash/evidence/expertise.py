"""Everything that experts ask for beside the t interval, of one vector of differences."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rankdash.evidence.bootstrap import Bootstrap, bootstrap
from rankdash.evidence.experts import Permutation, Wilcoxon, permutation, sign_test, wilcoxon


@dataclass(frozen=True)
class Expertise:
    """The checks of one measure; unweighted, the unit is the query."""

    permutation: Permutation
    bootstrap: Bootstrap
    wilcoxon: Wilcoxon  # zeros left out
    pratt: Wilcoxon  # zeros ranked
    sign_p: float


def expertise(delta: npt.ArrayLike, *, seed: int = 0) -> Expertise:
    """Return the sign-flip permutation, the BCa bootstrap, Wilcoxon in both treatments of zeros, and the sign test.

    ``delta`` is (n,), rounded as ``paired`` rounds it; NaN is left out. The seed stands in the results.
    """
    known = np.asarray(delta, np.float64)
    known = known[np.isfinite(known)]
    return Expertise(
        permutation(known, seed=seed),
        bootstrap(known, seed=seed),
        wilcoxon(known, "wilcox"),
        wilcoxon(known, "pratt"),
        sign_test(known),
    )
