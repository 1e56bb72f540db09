"""How much the tests in this folder do."""

import os

#: RANKDASH_TRUTH multiplies the number of worlds and sequences: 1 in `make test-all`, less in `make test`, more in
#: `make bench-truth`.
TIMES = float(os.environ.get("RANKDASH_TRUTH", "1"))

#: Names, revisions, unknown members and values beside the peers are searched as often as RANKDASH_TRUTH says, all else
#: at most so many times as often: `make bench-truth` ends within an hour then.
MOST = 25


def scaled(number: int) -> int:
    """That many times RANKDASH_TRUTH, at least one."""
    return max(1, round(number * TIMES))


def sampled(number: int) -> int:
    """That many times RANKDASH_TRUTH, at most MOST: of searches that need not be the longest."""
    return max(1, round(number * min(TIMES, MOST)))
