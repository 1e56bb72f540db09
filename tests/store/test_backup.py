"""The commands of docs/saved.md do what it says."""

from __future__ import annotations

import os
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

from rankdash.store import Settings, State, Store
from tests.store.promises import content, reopened

DOC = Path(__file__).parents[2] / "docs" / "saved.md"


def test_a_backup_that_is_restored_is_the_store_as_it_was(tmp_path: Path) -> None:
    """Each command of docs/saved.md is run in order, the backup from a store in use; what was saved later and a file
    without a comparison are gone after it, and everything else is there. A store of a newer version goes back by it.
    """
    _, backup, restore, upgrade, roll_back = re.findall(r"```sh\n(.*?)```", DOC.read_text("utf-8"), re.DOTALL)
    home = tmp_path / "home"
    store = Store.open(Settings(home))
    saved = store.create(content(), State("before"))
    left = Path(store.files.path("0" * 64))
    left.parent.mkdir(exist_ok=True)
    left.write_bytes(b"x")
    run(backup, home)
    store.delete(saved.id)
    store.create(content(), State("after"))
    store.database.close()
    told = run(restore + upgrade, home)
    assert "before" in told
    assert "after" not in told
    again = Store.open(Settings(tmp_path / "home", database=f"sqlite:///{home}/rankdash.sqlite"))
    assert reopened(again, saved).content == saved.content
    assert not left.exists()
    assert len(list(again.files.listed())) == len(saved.inputs)
    again.database.close()
    with closing(sqlite3.connect(home / "rankdash.sqlite")) as newer, newer:
        newer.execute("UPDATE store SET schema = schema + 1")
    assert "newer" in run("rankdash list 2>&1 || test $? = 2", home)
    assert "before" in run(roll_back, home)


def test_each_night_leaves_the_backups_of_a_month(tmp_path: Path) -> None:
    """What the unit runs after a backup removes older ones, and nothing else."""
    (command,) = re.findall(r"(?m)^ExecStartPost=(.*)$", DOC.read_text("utf-8"))
    for name, days in {"backup-old": 40, "backup-new": 2, "store": 40}.items():
        (tmp_path / name / "files").mkdir(parents=True)
        os.utime(tmp_path / name, (tmp_path.stat().st_mtime - days * 86_400,) * 2)
    run(command.replace("/var/lib/rankdash", str(tmp_path)), tmp_path / "home")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["backup-new", "store"]


def run(commands: str, home: Path) -> str:
    """What commands print, each of which has to succeed."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    own = {name: value for name, value in os.environ.items() if not name.startswith("RANKDASH_")}
    environment = own | {"PATH": path, "RANKDASH_HOME": str(home)}
    done = subprocess.run(
        ["sh", "-e", "-c", commands], cwd=home.parent, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
