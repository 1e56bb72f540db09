"""The package as others get it: built, installed in an empty environment, and used there, far from the checkout."""

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from rankdash import style
from rankdash.__main__ import main
from tests.served import careless_home, free_port, served

ROOT = Path(__file__).parents[2]
PINS = ROOT / "requirements" / "constraints.txt"
DEMO = ROOT / "data" / "demo"
#: What the wheel has copies of, by its place in a checkout.
PACKAGED = ["app.py", ".streamlit/config.toml", *(str(file.relative_to(ROOT)) for file in DEMO.parent.glob("demo*/*"))]
EXTRA_MISSING = (
    "The dashboard needs sqlalchemy, pandas, plotly, starlette, streamlit, which are not installed here: "
    "run `pip install '.[app]'` in a checkout of rankdash.\n"
)
#: What the core is to take at most, with everything that it needs.
MOST_MEGABYTES = 270
FROM_PYTHON = """
import importlib.util, rankdash as rd
a, b, judgments, queries = rd.demo()
print(rd.compare(a, b, judgments, queries=queries).primary.paired.n, importlib.util.find_spec("pandas"))
"""
FIRST_VISIT = """
from streamlit.testing.v1 import AppTest
from rankdash.installation import resource
at = AppTest.from_file(str(resource("app.py")), default_timeout=120).run()
assert not at.exception, at.exception
print([one.value for one in at.error], [one.value for one in at.warning])
print(*(one.value for one in at.markdown))
"""


def uv(*arguments: str | Path) -> None:
    """Run uv: with what it already has where that is enough, with the package index otherwise."""
    command = [sys.executable, "-m", "uv", "--quiet", *map(str, arguments)]
    if subprocess.run([*command, "--offline"], cwd=ROOT, capture_output=True, check=False).returncode:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=False, timeout=600)
        assert done.returncode == 0, done.stderr


class Environment:
    """A virtual environment that began empty, and an empty folder to be in."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.bin = folder, folder / "env" / ("Scripts" if os.name == "nt" else "bin")
        folder.mkdir()
        uv("venv", "--python", sys.executable, folder / "env")
        self.home = careless_home(folder / "home")

    def install(self, requirement: str) -> None:
        """Install a requirement, in the versions of requirements/constraints.txt."""
        uv("pip", "install", "--python", self.bin / "python", "--constraint", PINS, requirement)

    def run(self, *command: str | Path) -> subprocess.CompletedProcess[str]:
        """Run a program of the environment in the empty folder."""
        program, *arguments = map(str, command)
        variables = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "RANKDASH"))}
        return subprocess.run(
            [str(self.bin / program), *arguments], cwd=self.folder, env=variables | self.home,
            capture_output=True, encoding="utf-8", check=False, timeout=300,
        )  # fmt: skip


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source distribution of the checkout, and the wheel that is built from it."""
    folder = tmp_path_factory.mktemp("built")
    uv("build", "--build-constraints", PINS, "--out-dir", folder, ROOT)
    return folder


@pytest.fixture(scope="module")
def wheel(built: Path) -> Path:
    """The wheel."""
    return next(built.glob("*.whl"))


@pytest.fixture(scope="module")
def core(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """What `pip install` gives without an extra."""
    environment = Environment(tmp_path_factory.mktemp("core") / "place")
    environment.install(str(wheel))
    return environment


@pytest.fixture(scope="module")
def app(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """What `pip install` gives with the extra, taken afterwards."""
    environment = Environment(tmp_path_factory.mktemp("app") / "place")
    environment.install(str(wheel))
    environment.install(f"{wheel}[app]")
    return environment


def test_the_wheel_is_the_product_and_nothing_else(wheel: Path) -> None:
    """The wheel holds the package with its type marker, and the script, settings and demo of the checkout."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        assert {name.split("/")[0] for name in names} == {"rankdash", f"{wheel.name.split('-py3')[0]}.dist-info"}
        assert "rankdash/py.typed" in names
        carried = {name.removeprefix("rankdash/packaged/") for name in names if "/packaged/" in name}
        assert carried == set(PACKAGED)
        for name in PACKAGED:
            assert archive.read(f"rankdash/packaged/{name}") == (ROOT / name).read_bytes()


def test_the_source_distribution_can_be_tested(built: Path) -> None:
    """The source distribution holds what the wheel is built from, the tests, and what `make` needs."""
    with tarfile.open(next(built.glob("*.tar.gz"))) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert names >= {*PACKAGED, "Makefile", "requirements/locks/app.txt", "README.md", "LICENSE", "tests/conftest.py"}


def test_the_command_line_compares(core: Environment, capsys: pytest.CaptureFixture[str]) -> None:
    """`rankdash compare` on the demo prints what it prints in the checkout, with the same exit status."""
    arguments = [
        "compare",
        *(str(DEMO / f"run_{model}.csv") for model in "ab"),
        "-q",
        str(DEMO / "judgments.csv"),
        "--gate",
    ]
    done = core.run("rankdash", *arguments)
    assert done.returncode == main(arguments)
    assert (done.stdout, done.stderr) == tuple(capsys.readouterr())


def test_the_core_is_small_and_has_the_demo(core: Environment) -> None:
    """Installed, it compares the demo in Python without pandas, and takes no more room than it may."""
    done = core.run("python", "-c", FROM_PYTHON)
    assert done.stdout.split() == ["296", "None"], done.stderr
    installed = (file.lstat().st_size for file in (core.folder / "env").rglob("*"))
    assert sum(installed) < MOST_MEGABYTES * 1e6


@pytest.mark.long
@pytest.mark.parametrize("arguments", [[], ["serve", "--headless"]])
def test_the_dashboard_is_served(app: Environment, arguments: list[str], tmp_path: Path) -> None:
    """`rankdash` alone and `rankdash serve` answer this machine alone, whatever a user's own settings say."""
    port = free_port()
    command, variables = [str(app.bin / "rankdash"), *arguments], {"STREAMLIT_SERVER_PORT": str(port)}
    if arguments:
        command, variables = [*command, "--port", str(port)], {}
    with served(command, port, app.folder, tmp_path / "printed.txt", app.home | variables) as server:
        assert "200" in server.answer("/", "Host: localhost")
        assert "101" in server.upgrade(f"localhost:{port}", f"http://localhost:{port}")
        assert "403" in server.upgrade(f"evil.example:{port}", f"http://evil.example:{port}")
        assert not server.asked_outside()
        assert f"URL: http://localhost:{port}" in server.printed.read_text()


@pytest.mark.long
def test_a_first_visit_shows_the_demo(app: Environment) -> None:
    """The installed dashboard opens with the demo comparison and its verdict, without a warning."""
    done = app.run("python", "-c", FIRST_VISIT)
    problems, _, page = done.stdout.partition("\n")
    assert (done.returncode, problems) == (0, "[] []"), done.stderr
    assert all(words in page for words in (*style.DEMO_MODELS["search"], style.DEMO_BADGE))
