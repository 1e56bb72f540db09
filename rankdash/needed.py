"""The packages without which rankdash cannot do its work, and what to say where one is not installed."""

from __future__ import annotations

from collections.abc import Collection
from importlib.util import find_spec

from rankdash.resources import PACKAGED

#: What each package is imported as, and what it is installed as.
CORE = {
    "charset_normalizer": "charset-normalizer",
    "numpy": "numpy",
    "pandas": "pandas",
    "pyarrow": "pyarrow",
    "python_calamine": "python-calamine",
    "scipy": "scipy",
}
#: The same of the extra ``app``, which the dashboard needs, and neither the API nor the command line.
APP = {"alembic": "alembic", "plotly": "plotly", "sqlalchemy": "sqlalchemy", "streamlit": "streamlit"}
PACKAGES = CORE | APP


def missing() -> list[str]:
    """The packages that are not installed, as they are called where they are installed from."""
    return [package for module, package in PACKAGES.items() if not _is_there(module)]


def sentence(packages: Collection[str]) -> str:
    """What is missing, and what to do: in a checkout, or where rankdash was installed from a wheel.

    >>> sentence(["scipy"])
    'rankdash needs scipy, which is not installed here: run `make app`, or `pip install scipy`.'
    >>> sentence(["plotly"])
    "The dashboard needs plotly, which is not installed here: run `make app`, or `pip install '.[app]'`."
    """
    of_the_app = set(packages) <= set(APP.values())
    are = "which is" if len(packages) == 1 else "which are"
    return (
        f"{'The dashboard' if of_the_app else 'rankdash'} needs {', '.join(packages)}, {are} not installed here: "
        f"run {_remedy(packages, of_the_app)}."
    )


def _remedy(packages: Collection[str], of_the_app: bool) -> str:
    """The commands that install packages; the extra takes only them, and knows which versions fit."""
    extra = "rankdash[app]" if PACKAGED.exists() else ".[app]"
    install = f"`pip install {repr(extra) if of_the_app else ' '.join(packages)}`"
    return install if PACKAGED.exists() else f"`make app`, or {install}"


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):
        return False
