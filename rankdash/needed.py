"""The packages without which rankdash cannot do its work, and what to say where one is not installed."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.util import find_spec

#: What each package is imported as, and what it is installed as.
PACKAGES = {
    "charset_normalizer": "charset-normalizer",
    "numpy": "numpy",
    "pandas": "pandas",
    "plotly": "plotly",
    "pyarrow": "pyarrow",
    "python_calamine": "python-calamine",
    "scipy": "scipy",
}


def missing() -> list[str]:
    """The packages that are not installed, as they are called where they are installed from."""
    return [package for module, package in PACKAGES.items() if not _is_there(module)]


def sentence(packages: Iterable[str]) -> str:
    """What is missing, and what to do.

    >>> sentence(["scipy"])
    'rankdash needs scipy, which is not installed here: run `make app`, or `pip install scipy`.'
    """
    names = list(packages)
    those = ", ".join(names)
    are = "which is" if len(names) == 1 else "which are"
    return f"rankdash needs {those}, {are} not installed here: run `make app`, or `pip install {' '.join(names)}`."


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):
        return False
