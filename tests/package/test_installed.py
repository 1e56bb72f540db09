"""The package as others get it: built, installed in an empty environment or a container, and used there and by the
action, far from the checkout.
"""

import json
import os
import re
import subprocess
import sys
import tarfile
import xml.etree.ElementTree as ET
import zipfile
from pathlib import Path

import pytest
import yaml

from rankdash import style
from rankdash.__main__ import main
from tests.gate.github import lists_in
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
    files = [str(DEMO / f"{name}.csv") for name in ("run_a", "run_b", "judgments")]
    arguments = ["compare", *files[:2], "-q", files[2], "--gate"]
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


STEPS = (ROOT / "Containerfile").read_text("utf-8").replace("\\\n", "")


@pytest.mark.long
def test_the_container_serves_the_dashboard(tmp_path: Path) -> None:
    """Its commands install rankdash in an empty environment, its entry point answers, and so does its health."""
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "env")], check=True)
    (commands,) = re.findall(r"(?m)^RUN (.*)$", STEPS)
    ours = [part for part in commands.split("&&") if "useradd" not in part]
    script = " && ".join(ours).replace("/src", str(ROOT)).replace("python -m", f"{tmp_path}/env/bin/python -m")
    assert subprocess.run(["bash", "-e", "-c", script], cwd=tmp_path, capture_output=True, check=False).returncode == 0
    ((_, entry), (_, arguments)) = re.findall(r"(?m)^(ENTRYPOINT|CMD) (.*)$", STEPS)
    port, (program, *options) = free_port(), [*json.loads(entry), *json.loads(arguments)]
    options[options.index("8501")] = str(port)
    settings = {"RANKDASH_HOME": str(tmp_path / "store")}
    command = [f"{tmp_path}/env/bin/{program}", *options]
    with served(command, port, tmp_path, tmp_path / "printed.txt", settings) as server:
        assert "200" in server.answer("/", "Host: localhost")
        (health,) = re.findall(r"(?m)^HEALTHCHECK CMD (.*)$", STEPS)
        subprocess.run(json.loads(health.replace("8501", str(port))), check=True)
        assert "101" in server.upgrade(f"localhost:{port}", f"http://localhost:{port}")
        assert "403" in server.upgrade("evil.example", "http://evil.example")


ACTION = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
FORMS = ("result.json", "result.xml", "result.md", "report.html")
#: What the core comes without.
DASHBOARD = ("sqlalchemy", "streamlit", "plotly", "starlette")


@pytest.fixture(scope="module")
def runner(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A runner of GitHub's after the step that installs, with this project where GitHub has put the action."""
    folder = tmp_path_factory.mktemp("runner")
    with tarfile.open(next(built.glob("*.tar.gz"))) as archive:
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


def rankdash(runner: Path, work: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run what the action has installed."""
    command = f'"$RUNNER_TEMP/rankdash/bin/rankdash" {" ".join(arguments)}'
    return bash(command, work, {"RUNNER_TEMP": str(runner), "HOME": str(work / "home")})


@pytest.mark.long
def test_what_the_action_installs_writes_every_result(runner: Path, tmp_path: Path) -> None:
    """The core alone, installed by the action's own step, compares and writes each file that the action keeps."""
    work = lists_in(tmp_path)
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
