"""The files around the code say the same things once, and nothing about the machine they were made on."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

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
