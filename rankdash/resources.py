"""The files beside the code that the dashboard is made of: its script, its settings, and the demo.

A checkout has them at its top level. The wheel has copies in ``rankdash/packaged/``, under the same names;
pyproject.toml says which.
"""

from __future__ import annotations

from pathlib import Path

PACKAGE = Path(__file__).parent
PACKAGED = PACKAGE / "packaged"


def resource(name: str) -> Path:
    """Return where a file or folder is, given its place below the top level of a checkout, such as ``data/demo``.

    The copy in the package comes first. A path is returned also where there is no such file.
    """
    packaged = PACKAGED / name
    return packaged if packaged.exists() else PACKAGE.parent / name
