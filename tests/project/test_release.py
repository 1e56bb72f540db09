"""What is published comes from one place, which is empty until there is an address; what runs is pinned."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
WORKFLOW = yaml.safe_load((ROOT / ".github" / "workflows" / "release.yml").read_text("utf-8"))
VERSION = PYPROJECT["project"]["version"]


@pytest.mark.parametrize(
    ("address", "name", "tag", "status"),
    [
        ("", "", f"v{VERSION}", 1),
        ("https://x.example", "", f"v{VERSION}", 1),
        ("https://x.example", "rankdash", f"v{VERSION}", 0),
        ("https://x.example", "rankdash", "v9", 1),
    ],
)
def test_a_release_stops_without_an_address(tmp_path: Path, address: str, name: str, tag: str, status: int) -> None:
    """Without an address, without a name, or under the tag of another version, it stops with one sentence."""
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    text = re.sub(r'(?m)^address = ".*"$', f'address = "{address}"', text)
    text = re.sub(r'(?m)^registry_name = ".*"$', f'registry_name = "{name}"', text)
    (tmp_path / "pyproject.toml").write_text(text, "utf-8")
    steps = {step["name"]: step for step in WORKFLOW["jobs"]["release"]["steps"] if "name" in step}
    check = steps["Check that the project has an address"]["run"]
    done = subprocess.run(
        ["bash", "-e", "-c", check], cwd=tmp_path, env={"PATH": "/usr/local/bin:/usr/bin:/bin", "GITHUB_REF_NAME": tag},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr.count("\n")) == (status, status)


def test_links_follow_the_address() -> None:
    """Without an address the README links within the checkout; with one, its links and the package's lead there."""
    address = PYPROJECT["tool"]["rankdash"]["address"]
    links = re.findall(r"\]\(([^)]+)\)", (ROOT / "README.md").read_text("utf-8"))
    assert links
    assert [link for link in links if link.startswith(address or "http") is not bool(address)] == []
    assert ("urls" in PYPROJECT["project"]) is bool(address)


def test_every_action_is_pinned_by_its_digest() -> None:
    """Each action of others that ours or a workflow uses is named by a commit."""
    files = [ROOT / "action.yml", *(ROOT / ".github" / "workflows").glob("*.yml")]
    used = [found for file in files for found in re.findall(r"uses: (\S+)", file.read_text("utf-8"))]
    assert len(used) > 3
    assert [action for action in used if not re.fullmatch(r"[\w.-]+/[\w.-]+@[0-9a-f]{40}", action)] == []


def test_the_container_is_that_of_the_documents() -> None:
    """Containerfile holds what the page on a server shows."""
    page = (ROOT / "docs" / "run" / "server.md").read_text("utf-8")
    assert (ROOT / "Containerfile").read_text("utf-8") == re.findall(r"(?ms)^```dockerfile\n(.*?)^```", page)[0]


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_the_completion_of_a_shell_can_be_read(shell: str, tmp_path: Path) -> None:
    """Shtab makes a script of our parser that the shell can parse, and it knows every command."""
    shtab = pytest.importorskip("shtab")
    from rankdash.cli import commands

    script = shtab.complete(commands.parser(), shell)
    assert [name for name in commands.COMMANDS if name not in script] == []
    if found := shutil.which(shell):
        (tmp_path / "script").write_text(script, "utf-8")
        assert subprocess.run([found, "-n", str(tmp_path / "script")], check=False).returncode == 0
