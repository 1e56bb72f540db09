"""The tests of the journal that need nothing but a database, with what writes the rows that they begin with."""

from collections.abc import Callable
from inspect import signature
from types import ModuleType

from rankdash.store.database import Database
from tests.store.journal import test_decisions, test_launch_log, test_listing, test_looks

MODULES = (test_looks, test_listing, test_decisions, test_launch_log)


def _kept(module: ModuleType, promise: Callable[[Database], None]) -> Callable[[Database], None]:
    """A test with its rows."""

    def keep(database: Database) -> None:
        getattr(module, "prepare", lambda database: None)(database)
        promise(database)

    keep.__name__ = promise.__name__
    return keep


PROMISES = [
    _kept(module, test)
    for module in MODULES
    for name, test in vars(module).items()
    if name.startswith("test_") and list(signature(test).parameters) == ["database"]
]
