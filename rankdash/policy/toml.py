"""Writes the values of a policy as TOML and reads them: text, numbers, lists of them, and one table.

Python's parser takes as long and as much memory as a key asks for: one of 30,000 parts takes gigabytes. So a line may
hold few points. Brackets that are too deep end in a RecursionError.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from io import TextIOWrapper
from typing import IO, Any

#: Bytes of a document, and points on one of its lines.
MOST_BYTES, MOST_POINTS = 65_536, 200


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
    for number, line in enumerate(text.split("\n"), start=1):
        if line.count(".") > MOST_POINTS:
            raise ValueError(f"nested too deep: line {number:,} has more than {MOST_POINTS} points.")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("nested too deep. Take out what is no field of a policy.") from None
    except ValueError as error:
        raise ValueError(f"not valid TOML: {error}.") from None


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
