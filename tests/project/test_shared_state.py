"""What threads of a server share: every cache and registry of a module is listed here, and tried by threads."""

import ast
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest

import rankdash as rd
from rankdash.dashboard import demo
from rankdash.dashboard.session import saving
from rankdash.judged import Order
from rankdash.metrics import parse_measure
from rankdash.report import html
from rankdash.store import Settings, Store, StoreError
from tests.awaited import HUNG

ROOT = Path(rd.__file__).parent
THREADS = 8
_CHANGES = frozenset("add append appendleft clear discard extend insert pop popleft remove setdefault update".split())
_CACHES = frozenset({"cache", "cache_resource", "lru_cache", "singledispatch"})

#: Filled while their module is imported, which one thread does, and only read after it.
FILLED_AT_IMPORT = {
    "reading/headings.py:_KNOWN",
    "reading/grid.py:_PLAIN",
    "dashboard/results.py:_parts",
    "dashboard/results.py:keep",
}
#: Under a lock of their own: ``tests/sandbox/test_processes.py`` has threads wait for them in turn.
OF_WORKERS = {f"sandbox/processes.py:{name}" for name in ("_busy", "_idle", "_waiting")}


def opened(folder: Path) -> Store:
    """The store of a folder."""
    return Store.open(Settings(folder / "home"))


def that_is_none(folder: Path) -> str:
    """What is said of a store that cannot be opened."""
    with pytest.raises(StoreError) as raised:
        saving.store()
    return str(raised.value)


#: What every thread does with a cache, and has the same result of; by the module and the name of the cache.
TRIED: dict[str, Callable[[Path], Any]] = {
    "dashboard/demo.py:files": lambda folder: id(demo.files()),
    "dashboard/demo.py:case": lambda folder: id(demo.case()),
    "dashboard/session/saving.py:_failed": that_is_none,
    "judged/ranked.py:of": lambda folder: [Order.of(rd.PRESETS[name]) for name in rd.PRESETS],
    "metrics/names.py:_parsed": lambda folder: [str(parse_measure(f"nDCG@{n}")) for n in range(1, 40)],
    "reading/source.py:digest": lambda folder: rd.read_run(b"query,doc,rank\nq,d,1\n").source.sha256,
    "report/html.py:_environment": lambda folder: html._environment().list_templates(),
    "store/comparisons.py:_OPENED": opened,
}
#: Caches of pure functions of numbers, texts and classes: whoever comes first has what all have.
PURE = {f"evidence/distributions.py:{name}" for name in "_gamma_ratio coin_at_most normal_quantile t_quantile".split()}
PURE |= {"evidence/paired.py:_z80", "metrics/names.py:_tool", "policy.py:_measure", "reading/headings.py:key"}
PURE |= {"records.py:_getter"}
#: What the environment names, for caches of it: put in force before the threads, which share the environment.
NAMED: dict[str, dict[str, str]] = {
    "dashboard/session/saving.py:_failed": {"RANKDASH_DATABASE_URL": "mysql://host/team"},
}
#: Tried in processes of their own, where nothing is imported yet.
OF_RECORDS = {f"records.py:{name}" for name in ("_LATER", "as_dict", "as_figure", "as_html")}


def shared(path: Path) -> Iterator[str]:
    """The names of a module that functions of it change, and those of its cached functions."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    targets = [node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)] for node in tree.body]
    names = {one.id for several in targets for one in several if isinstance(one, ast.Name)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Global):
            yield from node.names
        changed: ast.AST | None = None
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _CHANGES:
            changed = node.func.value
        elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store | ast.Del):
            changed = node.value
        if isinstance(changed, ast.Name) and changed.id in names:
            yield changed.id
        if isinstance(node, ast.FunctionDef) and any(map(_caches, node.decorator_list)):
            yield node.name
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and _caches(node.value.func):
            yield ast.unparse(node.targets[0])


def _caches(node: ast.expr) -> bool:
    return ast.unparse(node).partition("(")[0].rpartition(".")[2] in _CACHES


def test_every_cache_and_registry_of_a_module_is_listed() -> None:
    """What threads share is in this file, and nothing that is gone."""
    found = {f"{path.relative_to(ROOT).as_posix()}:{name}" for path in ROOT.rglob("*.py") for name in shared(path)}
    assert found == FILLED_AT_IMPORT | OF_WORKERS | TRIED.keys() | PURE | OF_RECORDS


@pytest.mark.parametrize("name", TRIED)
def test_threads_that_come_first_together_have_the_same(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Eight threads that use a cache at once have what one alone has, and none an error."""
    monkeypatch.setenv("RANKDASH_HOME", str(tmp_path / "served"))
    monkeypatch.delenv("RANKDASH_STORE", raising=False)
    for variable, value in NAMED.get(name, {}).items():
        monkeypatch.setenv(variable, value)
    ready = Barrier(THREADS)

    def use(_: int) -> Any:
        ready.wait()
        return TRIED[name](tmp_path)

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(THREADS) as several:
            results = list(several.map(use, range(THREADS)))
    finally:
        sys.setswitchinterval(before)
    assert all(result == results[0] for result in results)
    assert TRIED[name](tmp_path) == results[0]


FIRST = """
import sys, threading
sys.path.insert(0, sys.argv[1])
from rankdash import records
from thing import Thing
records.register_later("forms", records.as_dict)
ready, said = threading.Barrier(8), []
def use():
    ready.wait()
    try:
        said.append(records.as_dict(Thing()))
    except TypeError as error:
        said.append(str(error))
threads = [threading.Thread(target=use) for _ in range(8)]
[one.start() for one in threads]
[one.join() for one in threads]
print(said == [{"is": "shown"}] * 8, said)
"""


def test_the_first_records_that_threads_show_have_a_form(tmp_path: Path) -> None:
    """While one thread imports what registers the forms of records, others wait for it."""
    (tmp_path / "thing.py").write_text("class Thing: pass\n")
    (tmp_path / "forms.py").write_text(
        "import time\ntime.sleep(0.3)\nfrom rankdash.records import as_dict\nfrom thing import Thing\n"
        "as_dict.register(Thing)(lambda thing: {'is': 'shown'})\n"
    )
    command = [sys.executable, "-c", FIRST, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=HUNG, check=True)
    assert done.stdout.startswith("True"), done.stdout
