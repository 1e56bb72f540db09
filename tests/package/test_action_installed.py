"""The GitHub action from its first step on: what it installs is enough for everything that it writes."""

import json
import os
import subprocess
import sys
import tarfile
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
import yaml

from tests.package.test_installed import PINS, ROOT, uv

ACTION = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
FORMS = ("result.json", "result.xml", "result.md", "report.html")
#: What the core comes without.
DASHBOARD = ("sqlalchemy", "streamlit", "plotly", "starlette")


@pytest.fixture(scope="module")
def runner(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A runner of GitHub's after the step that installs, with this project where GitHub has put the action."""
    folder = tmp_path_factory.mktemp("runner")
    uv("build", "--sdist", "--build-constraints", PINS, "--out-dir", folder, ROOT)
    with tarfile.open(next(folder.glob("*.tar.gz"))) as archive:
        archive.extractall(folder, filter="data")
    install = next(step for step in ACTION["runs"]["steps"] if step["name"] == "Install rankdash")
    assert install["env"] == {"ACTION_PATH": "${{ github.action_path }}"}
    action = next(path.parent for path in folder.glob("*/action.yml"))
    done = bash(install["run"], folder, {"RUNNER_TEMP": str(folder), "ACTION_PATH": str(action)})
    assert done.returncode == 0, done.stderr
    return folder


def bash(script: str, folder: Path, variables: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Run a step as GitHub does, in a folder."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "RANKDASH", "GITHUB"))}
    path = os.pathsep.join([str(Path(sys.executable).parent), kept["PATH"]])
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
        cwd=folder, env={**kept, "PATH": path, **variables}, capture_output=True, text=True, check=False, timeout=600,
    )  # fmt: skip


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """A folder with lists of both models and judgments."""
    good, fair, bad = ("good", "fair", "bad"), ("fair", "good", "bad"), ("bad", "fair", "good")
    for name, lists in (("a", [bad] * 60), ("b", [good, good, fair] * 20)):
        rows = [(at, rank, doc) for at, docs in enumerate(lists) for rank, doc in enumerate(docs, 1)]
        text = "".join(f"q{at} Q0 {doc} {rank} {9 - rank} {name}\n" for at, rank, doc in rows)
        (tmp_path / f"{name}.trec").write_text(text, "utf-8")
    grades = "".join(f"q{at} 0 good 2\nq{at} 0 fair 1\nq{at} 0 bad 0\n" for at in range(60))
    (tmp_path / "q.txt").write_text(grades, "utf-8")
    return tmp_path


def rankdash(runner: Path, work: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run what the action has installed."""
    command = f'"$RUNNER_TEMP/rankdash/bin/rankdash" {" ".join(arguments)}'
    return bash(command, work, {"RUNNER_TEMP": str(runner), "HOME": str(work / "home")})


@pytest.mark.long
def test_what_the_action_installs_writes_every_result(runner: Path, work: Path) -> None:
    """The core alone, installed by the action's own step, compares and writes each file that the action keeps."""
    code = f"import importlib.util as u; print([u.find_spec(name) for name in {DASHBOARD}])"
    found = bash(f'"$RUNNER_TEMP/rankdash/bin/python" -c "{code}"', work, {"RUNNER_TEMP": str(runner)})
    assert found.stdout == f"{[None] * len(DASHBOARD)}\n", found.stderr
    outputs = [word for form in FORMS for word in ("--out", form)]
    done = rankdash(runner, work, "compare", "a.trec", "b.trec", "-q", "q.txt", *outputs, "--gate")
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
    assert done.stderr.startswith("Launch: ")
    verdict = json.loads((work / "result.json").read_text("utf-8"))["verdict"]
    assert verdict["outcome"] == "LAUNCH"
    assert ET.parse(work / "result.xml").getroot().get("failures") == "0"
    assert (work / "result.md").read_text("utf-8").startswith("## Launch")
    assert "<svg" in (work / "report.html").read_text("utf-8")
