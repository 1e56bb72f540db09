"""What is installed: the version of rankdash, its files beside the code, which a wheel has in ``rankdash/packaged/``,
and the packages that it needs, with what to say where one is missing.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

__version__ = "0.4.0"  # pyproject.toml says the same
PACKAGE = Path(__file__).parent
PACKAGED = PACKAGE / "packaged"
#: What each package is imported as, and what it is installed as.
CORE = {"jinja2": "jinja2", "numpy": "numpy", "pyarrow": "pyarrow", "python_calamine": "python-calamine"}
#: The same of the extra ``store``, which saved comparisons need.
STORE = {"sqlalchemy": "sqlalchemy"}
#: The same of the extras ``frames`` and ``plots``: what Python returns as a frame, and figures in a notebook.
FRAMES = {"pandas": "pandas"}
PLOTS = {"plotly": "plotly"}
#: The same of the extra ``app``, which the dashboard needs, and neither the API nor the command line.
APP = STORE | FRAMES | PLOTS | {"starlette": "starlette", "streamlit": "streamlit"}
PACKAGES = CORE | APP
#: By extra: who needs it, and what it holds; the first that holds all that is missing is named, "" is none.
_EXTRAS = {
    "store": ("Saving comparisons needs", STORE),
    "frames": ("A frame needs", FRAMES),
    "plots": ("A figure needs", PLOTS),
    "app": ("The dashboard needs", APP),
    "": ("rankdash needs", PACKAGES),
}


def resource(name: str) -> Path:
    """Return where a file or folder of the dashboard is, given its place below the top level of a checkout, such as
    ``data/demo``.

    The copy in the package comes first; pyproject.toml says which there are. A path is returned also where there is no
    such file.
    """
    packaged = PACKAGED / name
    return packaged if packaged.exists() else PACKAGE.parent / name


def of_error(error: ModuleNotFoundError) -> str | None:
    """Return the sentence about a package of ours that was not found, None for any other module."""
    module = (error.name or "").split(".")[0]
    return None if module not in PACKAGES else sentence([PACKAGES[module]])


def missing(among: Mapping[str, str] = PACKAGES) -> list[str]:
    """Return the packages that are not installed, as they are called where they are installed from."""
    return [package for module, package in among.items() if not _is_there(module)]


def imported(module: str) -> Any:
    """Import a module that needs an extra. ModuleNotFoundError, with what to do, where a package of it is missing."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(of_error(error) or str(error), name=error.name) from None


def sentence(packages: Collection[str], *extras: str) -> str:
    """Return what is missing, and what to do: in a checkout, or where rankdash was installed from a wheel.

    ``extras`` are those that may be named, none: any. rankdash is on no registry, so that no sentence has pip look
    there for its name.

    >>> sentence(["numpy"])
    'rankdash needs numpy, which is not installed here: run `make app`, or `pip install numpy`.'
    >>> sentence(["pandas"])
    "A frame needs pandas, which is not installed here: run `make app`, or `pip install '.[frames]'`."
    >>> sentence(["plotly"], "app")
    "The dashboard needs plotly, which is not installed here: run `make app`, or `pip install '.[app]'`."
    >>> sentence(["sqlalchemy"])
    "Saving comparisons needs sqlalchemy, which is not installed here: run `make app`, or `pip install '.[store]'`."
    """
    of = {name: _EXTRAS[name] for name in (*(extras or _EXTRAS), "")}
    extra, needs = next((extra, needs) for extra, (needs, holds) in of.items() if set(packages) <= {*holds.values()})
    are = "which is" if len(packages) == 1 else "which are"
    return f"{needs} {', '.join(packages)}, {are} not installed here: run {_remedy(packages, extra)}."


def _remedy(packages: Collection[str], extra: str) -> str:
    """Return the commands that install packages; an extra takes only them, and knows which versions fit."""
    install = f"`pip install {repr(f'.[{extra}]') if extra else ' '.join(packages)}`"
    if not PACKAGED.exists():
        return f"`make app`, or {install}"
    return f"{install} in a checkout of rankdash" if extra else install


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):
        return False
