"""What other tools write, in another encoding, packed, cut off or given twice: the same numbers, or one sentence."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rankdash as rd
from rankdash.reading import ReadError
from tests.long import every
from tests.reading.other_tools import CASES, Case
from tests.reading.test_other_tools import READERS, rows_of

#: How the bytes of a text are changed, so that it says the same.
CHANGES: dict[str, Callable[[bytes], bytes]] = {
    "CRLF": lambda content: content.replace(b"\n", b"\r\n"),
    "gzip": gzip.compress,
    "mark": lambda content: content.decode().encode("utf-8-sig"),
    "UTF-16": lambda content: content.decode().encode("utf-16"),
    "CRLF, marked, packed": lambda content: gzip.compress(content.replace(b"\n", b"\r\n").decode().encode("utf-8-sig")),
}
#: Those of the changes that pack it.
PACKED = ("gzip", "CRLF, marked, packed")


def _file(case: Case, folder: Path) -> tuple[str, bytes]:
    """The name and the bytes of a case that is a file, or can be one; no name for bytes, no bytes for an object."""
    made = case.made(case.source, folder)
    if isinstance(made, bytes):
        return "", made
    if isinstance(made, str) and Path(made).exists():
        content = Path(made).read_bytes()
        text = json.dumps(json.loads(content), indent=1).encode() if made.endswith(".json") else content
        return Path(made).name, text
    try:
        return "", json.dumps(made, indent=1).encode() if isinstance(made, dict) else b""
    except TypeError:
        return "", b""


def _is_twice(found: Any) -> bool:
    return isinstance(found, str) and "packed twice" in found


def _outcome(kind: str, source: Any) -> Any:
    """What is read, or the sentence that refuses it; anything else than ReadError is a failure."""
    try:
        return rows_of(kind, READERS[kind](source))
    except ReadError as error:
        return str(error) or None


@pytest.mark.parametrize("change", every(2, CHANGES))
def test_another_form_of_the_same_text_is_the_same_table(change: str, tmp_path: Path) -> None:
    """Each row of the table with other ends of lines, a mark, in UTF-16 or packed: these rows, or a refusal."""
    tried, wrong = 0, []
    for at, case in enumerate(CASES):
        (tmp_path / str(at)).mkdir()
        name, content = _file(case, tmp_path / str(at))
        is_text = content.isascii() and b"\0" not in content
        if not content or not (is_text or change == "gzip"):
            continue
        changed: Any = CHANGES[change](content)
        if name:
            path = tmp_path / str(at) / (f"{name}.gz" if change in PACKED else name)
            path.write_bytes(changed)
            changed = str(path)
        for kind, expected in case.reads.items():
            found = _outcome(kind, changed)
            same = isinstance(found, str) if isinstance(expected, str) else found == expected or _is_twice(found)
            wrong += [] if same else [(case.tool, case.what, kind, found)]
            tried += 1
    assert not wrong
    assert tried >= 60


def test_an_empty_file_is_refused_whatever_it_was(tmp_path: Path) -> None:
    """Without content, with nothing but blanks, or without members, every file is one sentence for every kind."""
    for content in (b"", b"\n\r\n", b"\xef\xbb\xbf", gzip.compress(b""), b"{}", b"[]"):
        (tmp_path / "tv.json").write_bytes(content)
        for kind in READERS:
            assert isinstance(_outcome(kind, str(tmp_path / "tv.json")), str)


def test_a_file_that_ends_too_early_is_never_another_number(tmp_path: Path) -> None:
    """Of a file whose end is missing, documents may be missing, and no document has another grade."""
    for at, case in enumerate(CASES):
        (tmp_path / str(at)).mkdir()
        name, content = _file(case, tmp_path / str(at))
        path = tmp_path / str(at) / (name or "none")
        for end in (len(content) // 2, len(content) - 3):
            path.write_bytes(content[: max(end, 0)])
            for kind, expected in case.reads.items():
                found = _outcome(kind, str(path))
                if content and kind == "judgments" and not isinstance(found, str) and name.endswith(".json"):
                    assert not isinstance(expected, str)
                    assert {*found} <= {*expected}, (case.tool, case.what)


def test_the_same_lists_as_a_and_b_change_nothing(tmp_path: Path) -> None:
    """Each row that holds a run, given twice: no query changes, by the values that one run has alone; or a refusal."""
    compared = 0
    for at, case in enumerate(CASES):
        if "run" not in case.reads:
            continue
        (tmp_path / str(at)).mkdir()
        made = case.made(case.source, tmp_path / str(at))
        lists = case.reads["run"]
        if isinstance(lists, str):
            with pytest.raises((ReadError, rd.ComparisonError, rd.TableError)):
                rd.compare(made, made, {"tv": {"d2": 1, "d9": 2}})
            continue
        judgments = {query: {own: 1, "d9": 2} for query, own in lists}
        comparison = rd.compare(made, made, judgments)
        alone = rd.evaluate(made, judgments, ["nDCG@10"])["value"].mean()
        paired = comparison.primary.paired
        assert (paired.delta, paired.wins, paired.losses) == (0, 0, 0)
        assert paired.mean_a == pytest.approx(alone) != 0
        compared += 1
    assert compared > 20
