"""Text that a spreadsheet would run as a formula: made harmless where it is written, taken back where it is read.

An apostrophe is put in front of what begins like a formula, and of what begins so behind apostrophes. So each text is
written as another one, and reading gives back what was written.
"""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from rankdash.arrow import Text

_BEGINS = r"[=+\-@\t\r]"
_APOSTROPHE = 39


def disarmed(text: pa.ChunkedArray | pa.Array) -> pa.ChunkedArray | pa.Array:
    """A text column in which nothing begins like a formula of a spreadsheet."""
    return pc.replace_substring_regex(text, pattern=f"^('*{_BEGINS})", replacement="'\\1")


def taken_back(text: pa.Array) -> tuple[pa.Array, int]:
    """The column that ``disarmed`` wrote so, and how many apostrophes were taken back.

    It is as it stands where ``disarmed`` cannot have written it, because some text in it begins like a formula.
    """
    view = Text.of(text)
    starts = view.offsets[:-1][view.offsets[:-1] < view.offsets[1:]]
    if not bool((view.data[starts] == _APOSTROPHE).any()) or _any(text, f"^{_BEGINS}"):
        return text, 0
    count = pc.sum(pc.match_substring_regex(text, f"^'+{_BEGINS}")).as_py()
    return pc.replace_substring_regex(text, pattern=f"^'('*{_BEGINS})", replacement="\\1"), count


def _any(text: pa.Array, pattern: str) -> bool:
    return bool(pc.any(pc.match_substring_regex(text, pattern)).as_py())
