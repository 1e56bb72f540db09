"""Random comparisons with everything that goes wrong in real ones: ties, negative and missing judgments, holes."""

from typing import Any

import numpy as np

Run = dict[str, dict[str, float]]
Qrels = dict[str, dict[str, int]]


def random_case(seed: int, queries: int = 30, documents: int = 40) -> tuple[Run, Qrels]:
    """A run with many equal scores and judgments from -1 to 4; some queries stand in only one of them."""
    rng = np.random.default_rng(seed)

    def some(share: float) -> Any:
        return np.flatnonzero(rng.random(documents) < share)

    run = {f"q{q}": {f"d{d}": float(rng.integers(0, 12)) / 4 for d in some(0.6)} for q in range(queries) if q % 7}
    qrels = {f"q{q}": {f"d{d}": int(rng.integers(-1, 5)) for d in some(0.4)} for q in range(queries) if q % 5}
    qrels["q1"] = dict.fromkeys(qrels["q1"], 0)
    return {q: docs for q, docs in run.items() if docs}, {q: docs for q, docs in qrels.items() if docs}
