"""Who takes part: one row per contender. Each is a whole process from two run files to per-query values."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).parent
PEERS = HERE / "peers"
ROOT = HERE.parent
#: Where the older rankdash of ``run.py --before COMMIT`` stands.
BEFORE = HERE / ".work" / "before"
#: The sets of most contenders.
SETS = ("large", "graded", "small")


@dataclass(frozen=True)
class Contender:
    """``script`` is started with: run A, run B, judgments, answer; ``code`` is what a contender without a script runs.

    ``needs`` are modules, ``programs`` stand on the PATH.

    ``answers`` is False for a floor: it is timed, and its values are compared with nobody's.
    ``slow_on`` are the sets on which it is repeated less often. ``tolerance`` is how far its values may be from
    rankdash's; ``unstable_ties`` says that values may differ where equal scores leave the order open. ``root`` is the
    folder whose rankdash it imports, ``sets`` are those on which it runs.
    """

    name: str
    script: str = ""
    code: str = ""
    answers: bool = True
    needs: tuple[str, ...] = ()
    programs: tuple[str, ...] = ()
    slow_on: frozenset[str] = field(default_factory=frozenset)
    tolerance: float = 1e-6
    unstable_ties: bool = False
    note: str = ""
    root: Path = ROOT
    sets: tuple[str, ...] = SETS

    def missing(self) -> str:
        """What it would need and is not installed; "" if it can run."""
        modules = [name for name in self.needs if not _installed(self.root, name)]
        programs = [name for name in self.programs if shutil.which(name) is None]
        return ", ".join(modules + programs)

    def command(self, folder: Path, out: Path) -> list[str]:
        """The command line for the set in ``folder``; the answer goes to ``out`` with endings of its own."""
        if not self.script:
            return [sys.executable, "-c", self.code]
        interpreter = "sh" if self.script.endswith(".sh") else sys.executable
        runs = [min(folder.glob(f"{side}.*")) for side in "ab"]
        files = [*runs, folder / "qrels.txt", out]
        peers = self.root / PEERS.relative_to(ROOT)  # an older rankdash is called as its own commit called it
        return [interpreter, str(peers / self.script), *map(str, files)]


FLOOR = "import numpy, pyarrow.csv"
#: A comparison that needs no file.
DICTS = """
import rankdash as rd
a, b = ({f"q{i}": {f"d{j}": float((i + j * s) % 11) for j in range(10)} for i in range(200)} for s in (3, 5))
rd.compare(a, b, {f"q{i}": {"d1": 1, "d2": 2} for i in range(200)})
"""

#: In the order in which they run. "floor" is the least that a Python program with these libraries can take, "parser"
#: the least of one that reads the files with Arrow.
CONTENDERS = (
    Contender("floor", code=FLOOR, needs=("numpy", "pyarrow"), note=f'`python -c "{FLOOR}"`'),
    Contender("import", code="import rankdash", needs=("rankdash",), note='`python -c "import rankdash"`'),
    Contender("dicts", code=DICTS, needs=("rankdash",), note="`rd.compare` of two dicts of 200 queries"),
    Contender(
        "parser",
        "parser_peer.py",
        answers=False,
        needs=("pyarrow",),
        note="Arrow's CSV parser alone",
        sets=(*SETS, "diverse"),
    ),
    Contender("rankdash", "rankdash_peer.py", needs=("rankdash", "numpy", "pyarrow"), sets=(*SETS, "diverse")),
    Contender(
        "candidates", "candidates_peer.py", answers=False, needs=("rankdash",), note="five of them, as `compare`"
    ),
    Contender("before", "rankdash_peer.py", needs=("rankdash",), note="rankdash at an older commit", root=BEFORE),
    Contender("trec_eval", "trec_eval_peer.sh", programs=("trec_eval",), tolerance=5.001e-5, note="no intervals"),
    Contender("pytrec_eval", "pytrec_eval_peer.py", needs=("pytrec_eval", "numpy")),
    Contender(
        "ir_measures",
        "ir_measures_peer.py",
        needs=("ir_measures", "numpy"),
        note="duplicates not checked",
    ),
    Contender(
        "ranx",
        "ranx_peer.py",
        needs=("ranx", "numpy"),
        slow_on=frozenset({"graded", "small"}),
        unstable_ties=True,
        note="duplicates not checked; compiles at each start",
    ),
    Contender("pyndeval", "pyndeval_peer.py", needs=("pyndeval", "numpy"), sets=("diverse",), unstable_ties=True),
)
BY_NAME = {contender.name: contender for contender in CONTENDERS}


def environment(root: Path = ROOT) -> Mapping[str, str]:
    """The environment of a contender: the rankdash of its root comes first, warnings stay quiet.

    Modules are compiled once, in the run that does not count, as they are where a package is installed.
    """
    paths = [str(root), *filter(None, [os.environ.get("PYTHONPATH")])]
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**inherited, "PYTHONPATH": os.pathsep.join(paths), "PYTHONWARNINGS": "ignore"}


def _installed(root: Path, module: str) -> bool:
    if module == "rankdash":
        return (root / module / "__init__.py").exists()
    return importlib.util.find_spec(module) is not None
