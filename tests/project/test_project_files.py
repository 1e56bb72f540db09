"""The files around the code say the same things once, and nothing about the machine they were made on; what is
published comes from one place, and what runs is pinned.
"""

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml

import rankdash

ROOT = Path(__file__).parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PROJECT, BUILD = PYPROJECT["project"], PYPROJECT["build-system"]
PINS = "requirements/constraints.txt"
PIN = re.compile(r"[a-z0-9-]+==[0-9][0-9a-z.+]*( ; [a-z_'\"0-9.<>=!* ]+)?", re.IGNORECASE)


def lines(name: str) -> list[str]:
    """The lines of a requirements file that are neither empty nor comments nor options."""
    text = (ROOT / name).read_text("utf-8")
    return [line.strip() for line in text.splitlines() if line.strip() and not line.strip().startswith(("#", "-"))]


def package(requirement: str) -> str:
    """The normal form of the name that a requirement begins with."""
    return re.split(r"[<>=!~ \[]", requirement)[0].replace("_", "-").lower()


def test_the_package_asks_for_what_requirements_txt_lists() -> None:
    """requirements.txt is the package's own requirements, those of the dashboard, and what plain tests need."""
    listed = [line for line in lines("requirements.txt") if package(line) not in {"pytest", "scipy"}]
    assert sorted(listed) == sorted([*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["app"]])


def test_the_build_asks_for_what_requirements_setup_lists() -> None:
    """requirements/setup.txt is pip, and what builds the package."""
    assert [line for line in lines("requirements/setup.txt") if package(line) != "pip"] == BUILD["requires"]


def test_the_version_is_the_same_in_the_package_and_its_metadata() -> None:
    """`rankdash.__version__` is the version in pyproject.toml."""
    assert rankdash.__version__ == PROJECT["version"]


#: Each lock in requirements/locks/, by the file whose packages it holds.
LOCKS = {"requirements.txt": "app"} | {f"requirements/{name}.txt": name for name in ("setup", "dev", "bench")}
#: Those of environments that hold nothing else.
ALONE = {f"requirements/{name}.txt": name for name in ("docs", "release")}


@pytest.mark.parametrize("name", [*LOCKS, *ALONE])
def test_every_locked_package_has_its_digests(name: str) -> None:
    """A lock holds the requirements and what they need, each as in constraints.txt and with a digest; no address."""
    text = (ROOT / f"requirements/locks/{(LOCKS | ALONE)[name]}.txt").read_text("utf-8")
    blocks = re.sub(r"\\\n\s*", "", re.sub(r"(?m)^\s*#.*\n", "", text)).splitlines()
    pins = {block.split("--hash")[0].strip() for block in blocks}
    digests = [re.findall(r"--hash=sha256:[0-9a-f]{64}", block) for block in blocks]
    assert all(digests)
    assert all(PIN.fullmatch(pin) for pin in pins)
    if name in LOCKS:
        assert {pin.partition(" ;")[0] for pin in pins} <= {line.partition(" ;")[0] for line in lines(PINS)}
    assert {package(line) for line in lines(name)} <= {package(pin) for pin in pins}
    assert "://" not in text


def test_constraints_hold_pins_and_nothing_else() -> None:
    """constraints.txt holds no address, path, hash or option, so it serves on every machine."""
    text = (ROOT / PINS).read_text("utf-8")
    wrong = [line for line in text.splitlines() if not line.lstrip().startswith("#") and not PIN.fullmatch(line)]
    assert not wrong


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
