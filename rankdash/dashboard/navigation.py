"""The pages of the dashboard, a row each, which the navigation, links between pages and tests of every page read."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from rankdash import style
from rankdash.records import frozen
from rankdash.style import candidates, editing, history, method, queries

_FOLDER = Path(__file__).parent / "pages"


@frozen
class Page:
    """One page: its name, which is its module or its folder in ``pages/`` and its path in the address, and its title.

    ``of_comparison``: whether it shows the open comparison, below a row about it, and so nothing where there is none.
    ``needs_lists``: whether it says nothing of votes alone.
    """

    name: str
    title: str
    of_comparison: bool = True
    needs_lists: bool = True

    @property
    def script(self) -> str:
        """The module that Streamlit runs."""
        return str(_FOLDER / f"{self.name}.py")


#: In the order of the navigation; the first is the one that opens.
PAGES = (
    Page("verdict", style.VERDICT, needs_lists=False),
    Page("queries", queries.QUERIES),
    Page("label", editing.LABEL),
    Page("edit", editing.EDIT),
    Page("data", style.DATA),
    Page("history", history.HISTORY, of_comparison=False),
    Page("method", method.METHOD, needs_lists=False),
)
#: The page about several candidates, which stands before the others, and is hidden where there is one.
CANDIDATES = Page("candidates", candidates.TITLE)
#: Name -> the module that Streamlit runs.
SCRIPTS: Mapping[str, str] = MappingProxyType({page.name: page.script for page in (CANDIDATES, *PAGES)})
