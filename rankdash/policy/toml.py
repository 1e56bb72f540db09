"""Writes the values of a policy as TOML and reads them: text, numbers, lists of them, and one table."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def read_toml(text: str) -> dict[str, Any]:
    """Return the values of a TOML document. ValueError where it is not one."""
    import tomllib

    return tomllib.loads(text)


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
