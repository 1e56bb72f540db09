"""Which tests run: with --all all of them, as in `make test-all`; without it what needs no more than requirements.txt.

Tests that need more are never imported. They are counted in the source and deselected, and their number is printed.

- `browser`: everything in tests/browser/.
- `package`: everything in tests/package/.
- `peer`: every test file that imports one of the peers at its top.
- `servers`: every test file that imports psycopg or moto at its top; these run where both are installed. Those that ask
  for the fixture `postgres` run where a PostgreSQL is found, too. Those that ask for `small_disk` run where one can be
  mounted without rights.
- `property`: every test file that imports hypothesis at its top; these run where hypothesis is installed.
- `forms`: every test file that imports cmarkgfm or junitparser at its top; these run where both are installed.
- `reference`: every test file that imports griffe at its top; these run where it is installed.
- `long`, the one mark that is written by hand: a longer search, a second database, or a way through the pages that
  few people go. `make test` leaves them out, `make test-all` runs them.
- Tests on real data ask for the fixture `real_data`. Without RANKDASH_REAL_DATA they are deselected.
"""

import ast
import gc
import importlib.util
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

# Nothing that is imported and collected is garbage before the end of the run, and looking for some takes a quarter of
# the time until then: see pytest_collection_finish.
gc.disable()
TESTS = Path(__file__).parent

if importlib.util.find_spec("hypothesis"):
    from hypothesis import HealthCheck, settings

    from tests.truth.scale import sampled

    # The same examples on every machine and run, and no stop-watch: a busy machine is no counterexample.
    settings.register_profile(
        "rankdash",
        max_examples=sampled(25),
        deadline=None,
        derandomize=True,
        suppress_health_check=[HealthCheck.too_slow],
    )
    settings.load_profile("rankdash")
REAL_DATA = "RANKDASH_REAL_DATA"


@dataclass(frozen=True)
class Kind:
    """Tests that need more than requirements.txt."""

    marker: str
    needs: str
    folder: str | None = None
    packages: frozenset[str] = frozenset()
    runs_where_installed: bool = False


KINDS = (
    Kind("browser", "a browser", folder="browser"),
    Kind("package", "uv, and packages to install", folder="package"),
    Kind("peer", "other tools", packages=frozenset({"ir_measures", "pytrec_eval", "ranx", "sklearn"})),
    Kind(
        "forms", "cmarkgfm and junitparser", packages=frozenset({"cmarkgfm", "junitparser"}), runs_where_installed=True
    ),
    Kind("reference", "griffe", packages=frozenset({"griffe"}), runs_where_installed=True),
    Kind("servers", "psycopg and moto", packages=frozenset({"psycopg", "moto"}), runs_where_installed=True),
    Kind("property", "hypothesis", packages=frozenset({"hypothesis"}), runs_where_installed=True),
)
#: Tests that ask for something which is not here, by the name of the fixture.
LEFT_OUT = {
    "real_data": f"tests on real data left out, for {REAL_DATA} names no folder",
    "postgres": "tests in PostgreSQL left out, for no initdb and postgres were found",
    "small_disk": "tests on a full disk left out, for no small disk could be mounted",
}
DESELECTED: pytest.StashKey[Counter[str]] = pytest.StashKey()


def imported_at_the_top(tree: ast.Module) -> set[str]:
    """The top-level names of the packages that a module imports when it is imported."""
    names: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.Import):
            names.update(alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module.split(".")[0])
    return names


@cache
def kinds_of(path: Path) -> list[Kind]:
    """The kinds that a test file belongs to."""
    source, names = path.read_bytes(), frozenset[str]().union(*(kind.packages for kind in KINDS))
    packages = imported_at_the_top(ast.parse(source)) if any(name.encode() in source for name in names) else set()
    folders = path.relative_to(TESTS).parts[:-1]
    return [kind for kind in KINDS if kind.folder in folders or kind.packages & packages]


def test_names(tree: ast.Module) -> Iterator[str]:
    """The names of the tests in a module, each once, however many cases it has."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test"):
            yield node.name


test_names.__test__ = False  # type: ignore[attr-defined]


def is_left_out(kind: Kind, config: pytest.Config) -> bool:
    """Whether tests of a kind are left out of this run."""
    if config.getoption("--all") or kind.marker in config.option.markexpr:
        return False
    return not (kind.runs_where_installed and all(map(importlib.util.find_spec, kind.packages)))


class LeftOutTest(pytest.Item):
    """A test that is counted and never run."""

    def runtest(self) -> None:
        """Never called: every such test is deselected."""
        raise AssertionError(f"{self.nodeid} was left out and yet run")


class LeftOutFile(pytest.File):
    """A test file that is counted and never imported."""

    def collect(self) -> Iterable[LeftOutTest]:
        """Its tests, as the source names them."""
        for name in test_names(ast.parse(self.path.read_bytes())):
            yield LeftOutTest.from_parent(self, name=name)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds --all."""
    parser.addoption(
        "--all", action="store_true", help="run the browser, package, peer and property tests too (see `make test-all`)"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Starts the count."""
    config.stash[DESELECTED] = Counter()


def pytest_make_parametrize_id(val: object) -> str | None:
    """Bytes have no name of their own: packed ones hold the time, and every worker must give a test the same name."""
    return "bytes" if isinstance(val, bytes) else None


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """A file that is left out is not imported; pytest makes the others."""
    kinds = [kind for kind in kinds_of(module_path) if is_left_out(kind, parent.config)]
    if not kinds:
        return None
    file = LeftOutFile.from_parent(parent, path=module_path)
    file.add_marker(kinds[0].marker)
    return file


def pytest_itemcollected(item: pytest.Item) -> None:
    """Every test bears the marker of its kind."""
    for kind in kinds_of(item.path):
        item.add_marker(kind.marker)


@cache
def shares_what_it_sets_up(path: Path) -> bool:
    """Whether tests of a file share a page, a server or another fixture: then one worker runs them."""
    return b'scope="module"' in path.read_bytes() or any(kind.folder for kind in kinds_of(path))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """One worker more than there are processors where browsers and servers are waited for, a fifth of the time."""
    return (os.cpu_count() or 1) + config.getoption("--all")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> object | None:
    """Tests one by one to whichever worker is free, but those of a file that shares what it sets up to the same one.

    Why: with pytest 9.2 `--dist=loadgroup` groups nothing any more, and says nothing (pytest-xdist issue 1386). Every
    page, server and wheel was then made once by each worker. It can go when marks are enough again.
    """
    if config.getvalue("dist") != "loadgroup":
        return None
    from xdist.scheduler import LoadScopeScheduling

    few = "not long" in config.option.markexpr

    class Scheduling(LoadScopeScheduling):
        """The scope of a test is its file, or itself; where few tests ask for a browser, one worker starts one."""

        def _split_scope(self, nodeid: str) -> str:
            file = nodeid.split("::", 1)[0]
            if few and file.startswith("tests/browser/"):
                return "tests/browser"
            return file if shares_what_it_sets_up(config.rootpath / file) else nodeid

        def mark_test_complete(self, node: Any, item_index: int, duration: float = 0) -> None:
            """What is done is forgotten: after each test all that a worker still has is counted."""
            super().mark_test_complete(node, item_index, duration)
            scope = self._split_scope(self.registered_collections[node][item_index])
            if all(self.assigned_work[node].get(scope, {}).values()):
                self.assigned_work[node].pop(scope, None)

    return Scheduling(config, log)


def why_deselected(item: pytest.Item) -> str | None:
    """The marker or fixture for which a test does not run now, or None."""
    if isinstance(item, LeftOutTest):
        return next(kind.marker for kind in KINDS if item.get_closest_marker(kind.marker))
    marked = (kind.marker for kind in KINDS if item.get_closest_marker(kind.marker) and is_left_out(kind, item.config))
    if not os.environ.get(REAL_DATA) and "real_data" in getattr(item, "fixturenames", ()):
        return "real_data"
    if "postgres" in getattr(item, "fixturenames", ()) and installed_postgres() is None:
        return "postgres"
    if "small_disk" in getattr(item, "fixturenames", ()) and not mounts():
        return "small_disk"
    return next(marked, None)


@cache
def installed_postgres() -> str | None:
    """The folder of PostgreSQL's programs, or None."""
    from scripts.find_postgres import installed

    return installed()


@cache
def mounts() -> bool:
    """Whether a program may mount a small disk for itself."""
    command = ["unshare", "-rm", "mount", "-t", "tmpfs", "-o", "size=1m", "none", "/mnt"]
    return shutil.which("unshare") is not None and subprocess.run(command, capture_output=True).returncode == 0


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselects what does not run now, and counts it."""
    reasons = {item: why_deselected(item) for item in items}
    left_out = [item for item in items if reasons[item]]
    config.stash[DESELECTED].update(reason for item in left_out if (reason := reasons[item]))
    if left_out:
        items[:] = [item for item in items if not reasons[item]]
        config.hook.pytest_deselected(items=left_out)


def pytest_collection_finish() -> None:
    """From here on garbage is looked for, among what tests make."""
    gc.freeze()
    gc.enable()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """One line for each kind that was left out."""
    for kind in KINDS:
        number = config.stash[DESELECTED][kind.marker]
        if number:
            terminalreporter.write_line(
                f"{kind.marker} tests deselected: {number} (they need {kind.needs}; `make test-all` runs them)"
            )
    for reason, said in LEFT_OUT.items():
        if number := config.stash[DESELECTED][reason]:
            terminalreporter.write_line(f"{said}: {number}")


@pytest.fixture(scope="session", autouse=True)
def _nothing_is_saved(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test, and no program that a test starts, saves into the home of a user; tests of the store turn it on."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RANKDASH_HOME", str(tmp_path_factory.mktemp("home") / "rankdash"))
        patch.setenv("RANKDASH_STORE", "off")
        for name in ("DATABASE_URL", "FILES_URL", "SHARED", "URL"):
            patch.delenv(f"RANKDASH_{name}", raising=False)
        yield


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a store that saves, for the tests that ask for one."""
    monkeypatch.setenv("RANKDASH_STORE", "on")
    monkeypatch.setenv("RANKDASH_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture(scope="session", autouse=True)
def _what_does_not_change_is_read_once() -> None:
    """Before it runs a page, AppTest searches every installed package for parts of pages, which takes four times as
    long as the page, and compiles the scripts. Neither changes under tests; a server compiles scripts once, too.
    """
    if "streamlit" in sys.modules:
        from streamlit.components.v2 import manifest_scanner
        from streamlit.runtime.scriptrunner.script_cache import ScriptCache
        from streamlit.testing.v1 import app_test, local_script_runner

        manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)
        app_test.ScriptCache = local_script_runner.ScriptCache = cache(ScriptCache)  # type: ignore[misc,assignment]


@pytest.fixture(scope="session")
def real_data() -> Path:
    """The folder of real data. A test that asks for it runs only where RANKDASH_REAL_DATA names one."""
    folder = Path(os.environ[REAL_DATA])
    if not folder.is_dir():
        pytest.fail(f"{REAL_DATA} names {folder}, which is not a folder.")
    return folder
