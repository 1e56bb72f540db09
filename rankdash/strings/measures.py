"""What a measure is called that another library holds as an object."""

from __future__ import annotations

from collections.abc import Mapping

#: What a name that is copied from Markdown has before its cutoff.
_JOINER = "\u2060"


def measure_text(value: object) -> str | None:
    """Return the name of a measure: a text as it is, or that of an object of ir_measures, which is known by its
    attributes. None for anything else.

    >>> from types import SimpleNamespace
    >>> measure_text(SimpleNamespace(NAME="P", params={"rel": 2, "cutoff": 5})), measure_text("AP"), measure_text(5)
    ('P(rel=2,cutoff=5)', 'AP', None)
    """
    if isinstance(value, str):
        return value.replace(_JOINER, "")
    name, parameters = getattr(value, "NAME", None), getattr(value, "params", None)
    if not isinstance(name, str):
        return None
    if not isinstance(parameters, Mapping):
        return str(value)
    inside = ",".join(f"{own}={given!r}" for own, given in parameters.items())
    return f"{name}({inside})" if inside else name
