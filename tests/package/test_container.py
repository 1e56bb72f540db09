"""The steps of Containerfile, run on this machine: what it installs is served as it says."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.package.test_installed import ROOT
from tests.served import free_port, served

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
