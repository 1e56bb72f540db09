"""What the command line refuses Python refuses, in the same words: of files and of objects alike."""

import json
import random
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import rankdash as rd
from rankdash.__main__ import main
from rankdash.case import Case, compared
from rankdash.report.notes import refusals

Numbers = dict[str, dict[str, Any]]
#: What is given wrong, of A, B and the judgments.
WRONG: dict[str, Callable[[Numbers, Numbers, Numbers], tuple[Any, Any, Any]]] = {
    "nothing": lambda a, b, grades: (a, b, grades),
    "no query in common": lambda a, b, grades: (a, b, {f"x{query}": own for query, own in grades.items()}),
    "B answers other queries": lambda a, b, grades: (a, {f"{query}-": own for query, own in b.items()}, grades),
    "grades as A": lambda a, b, grades: (grades, b, grades),
    "grades as B, others beside them": lambda a, b, grades: (a, {**grades}, {**grades, "more": {"d": 1}}),
    "A as the judgments": lambda a, b, grades: (a, b, a),
    "all three alike": lambda a, b, grades: (grades, grades, grades),
    "values of measures as B": lambda a, b, grades: (a, {query: {"ndcg": 0.5, "map": 0.25} for query in b}, grades),
    "a document without a score": lambda a, b, grades: ({**a, "q0": {**a["q0"], "d0": None}}, b, grades),
}


def _world(seed: int) -> tuple[Numbers, Numbers, Numbers]:
    rng = random.Random(seed)
    queries, documents = [f"q{n}" for n in range(rng.randint(3, 6))], [f"d{n}" for n in range(rng.randint(4, 9))]
    a, b = ({q: {d: rng.random() for d in documents} for q in queries} for _ in range(2))
    return a, b, {q: {d: rng.randrange(4) for d in documents} for q in queries}


def _said(call: Callable[[], Any]) -> list[str]:
    """Why a call refuses, a line each, without the names of files and arguments; nothing where it does not."""
    try:
        call()
    except (rd.ReadError, rd.ComparisonError) as error:
        lines = error.lines("shell") if isinstance(error, rd.ReadError) else str(error).splitlines()
        return [*map(_nameless, lines)]
    return []


def _nameless(line: str) -> str:
    """A line without what names a file or an argument, and the row, which only a file has."""
    text = re.sub(r"run [AB]\b|the judgments|the run|[abq]\.json|^[AB][,:] ", "", line)
    return re.sub(r"^[AB][,:] |row 1, ", "", text.replace("  ", " ").lstrip(" :,"))


@pytest.mark.parametrize("wrong", WRONG)
def test_what_one_refuses_all_refuse(
    wrong: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command line, compare, score and what pages ask before they compare, in the same sentences."""
    monkeypatch.chdir(tmp_path)
    given = dict(zip("abq", WRONG[wrong](*_world(1)), strict=True))
    for name, numbers in given.items():
        Path(f"{name}.json").write_text(json.dumps(numbers), "utf-8")
    status = main(["compare", "a.json", "b.json", "-q", "q.json"])
    told = [*map(_nameless, capsys.readouterr().err.splitlines())] if status else []
    for call in (rd.compare, rd.score):
        for arguments in (list(given.values()), [f"{name}.json" for name in given]):
            assert _said(lambda call=call, arguments=arguments: call(*arguments)) == told
    assert bool(told) == (wrong != "nothing")
    with suppress(rd.ReadError):
        a, b, judgments = rd.read_run("a.json"), rd.read_run("b.json"), rd.read_judgments("q.json")
        assert bool(refusals(compared(Case((a, b), judgments), rd.Policy()))) == bool(told)  # as pages are told
