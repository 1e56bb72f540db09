"""Writes the values of a policy as TOML and reads them: text, numbers, lists of them, and one table.

Python's parser takes as long and as much memory as a document asks for: a key of 100,000 parts takes gigabytes, and
brackets a thousand deep end in a RecursionError. What is read here is checked before the parser sees it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from io import TextIOWrapper
from typing import IO, Any

#: Bytes of a document, parts of a key such as a.b.c, and brackets of lists and tables within each other.
MOST_BYTES, MOST_PARTS, MOST_DEEP = 65_536, 8, 8
#: A document in pieces. Nothing in a comment or in quoted text is a key or a bracket; text without an end goes on to
#: where the parser gives up.
_PIECES = re.compile(
    r'''(?P<comment>\#[^\n]*)
    | (?P<part>
          """(?:[^"\\]+|\\[\s\S]?|"(?!""))*+(?:"{3,5}|\Z)
        | '{3}(?:[^']+|'(?!''))*+(?:'{3,5}|\Z)
        | "(?:[^"\\\n]+|\\[^\n]?)*+"?
        | '[^'\n]*'?
        | [\w-]+)
    | (?P<dot>\.)
    | (?P<open>[\[{])
    | (?P<close>[\]}])
    | (?P<blank>[ \t]+)
    | (?P<other>[^\w\#"'.\[\]{} \t-])''',
    re.VERBOSE,
)


def beginning(file: IO[bytes]) -> str:
    """Return the text of a file and close it; of a file that is too large, only so much as shows this.

    UnicodeDecodeError where it is not UTF-8.
    """
    with TextIOWrapper(file, "utf-8-sig", newline="") as text:
        return text.read(MOST_BYTES + 1)


def read_toml(text: str) -> dict[str, Any]:
    """Return the values of a TOML document. ValueError, whose text continues "The policy is", for any other text, and
    for a document that is larger or deeper than a policy can be.
    """
    import tomllib

    if len(text.encode("utf-8", "replace")) > MOST_BYTES:
        raise ValueError(f"larger than {MOST_BYTES:,} bytes. Take out what is no field of a policy.")
    _check(text)
    try:
        return tomllib.loads(text)
    except ValueError as error:
        raise ValueError(f"not valid TOML: {error}.") from None


def _check(text: str) -> None:
    """Raise ValueError, with the line, for a key of too many parts and for brackets that are too deep."""
    depth, parts, follows = 0, 0, False  # follows: a dot stands between the last part and this piece
    for piece in _PIECES.finditer(text):
        kind = piece.lastgroup
        if kind == "blank":
            continue
        parts = (parts if follows or kind == "dot" else 0) + (kind == "part")
        follows = kind == "dot" and parts > 0
        depth = max(0, depth + (kind == "open") - (kind == "close"))
        if parts > MOST_PARTS or depth > MOST_DEEP:
            parted, brackets = f"a key of more than {MOST_PARTS} parts", f"brackets more than {MOST_DEEP} deep"
            line = text.count("\n", 0, piece.start()) + 1
            what = parted if parts > MOST_PARTS else brackets
            raise ValueError(f"nested too deep: line {line:,} has {what}. Take out what is no field of a policy.")


def write_toml(values: Mapping[str, Any], meanings: Mapping[str, str]) -> str:
    """Return the values as a TOML document, each with its meaning as a comment; tables come last."""
    plain = {name: value for name, value in values.items() if not isinstance(value, Mapping)}
    lines = [f"{name} = {_value(value)}  # {meanings[name]}" for name, value in plain.items()]
    for name, table in values.items():
        if isinstance(table, Mapping):
            lines += ["", f"[{name}]  # {meanings[name]}"]
            lines += [f"{axis} = {_value(value)}" for axis, value in table.items()]
    return "\n".join(lines) + "\n"


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        inside = ", ".join(f"{_value(str(name))} = {_value(part)}" for name, part in value.items())
        return f"{{{inside}}}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(_value(part) for part in value)}]"
    if isinstance(value, str):
        # A JSON string is a TOML string, save for the one control character that JSON does not escape.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return repr(value)
