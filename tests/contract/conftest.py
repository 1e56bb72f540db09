"""Results that today's code was found to give: compared, or written where RANKDASH_GOLDEN is set."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

GOLDEN = Path(__file__).parent / "golden.json"
#: Values differ in the last bits between processors and versions of numpy.
CLOSE = 1e-11


@pytest.fixture(scope="session")
def goldens() -> dict[str, Any]:
    """Every result, by the name of its case."""
    known: dict[str, Any] = json.loads(GOLDEN.read_text("utf-8")) if GOLDEN.exists() else {}
    return known


@pytest.fixture
def golden(goldens: dict[str, Any]) -> Callable[[str, Any], None]:
    """What compares a result with the one that is known."""

    def compare(name: str, found: Any) -> None:
        found = json.loads(json.dumps(found))
        if os.environ.get("RANKDASH_GOLDEN"):
            goldens[name] = found
            lines = [f"{json.dumps(key)}: {json.dumps(goldens[key])}" for key in sorted(goldens)]
            GOLDEN.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")
        assert different(found, goldens[name]) == []

    return compare


def different(found: Any, known: Any, at: str = "") -> list[str]:
    """Where two results differ; a field that is known has to be there, and more may be."""
    if isinstance(known, dict) and isinstance(found, dict):
        return [said for key in known for said in different(found.get(key), known[key], f"{at}/{key}")]
    if isinstance(known, list) and isinstance(found, list) and len(known) == len(found):
        return [said for i, value in enumerate(known) for said in different(found[i], value, f"{at}/{i}")]
    if isinstance(known, float) and isinstance(found, int | float):
        same = found == pytest.approx(known, rel=CLOSE, abs=CLOSE)
    else:
        same = found == known
    return [] if same else [f"{at}: {found!r}, not {known!r}"]
