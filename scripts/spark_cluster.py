"""A command beside a small cluster of Spark, where pyspark is installed: `python -m scripts.spark_cluster COMMAND`.

Two workers and a Spark Connect server run until the command ends; RANKDASH_SPARK tells it where. Java is installed
first where there is none and Debian has one. Exit status: that of the command; 2 where there can be no cluster.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from scripts.find_postgres import install_from_debian

ROOT = Path(__file__).parents[1]
NAMED = "RANKDASH_SPARK"
#: Workers, the processors of each, and the memory of each in MB.
MASTER = "local-cluster[2,1,1024]"
SERVER = "org.apache.spark.sql.connect.service.SparkConnectServer"
STARTED = 300  # seconds that a busy machine may take
NO_JAVA = (
    "rankdash: Spark needs Java 17 or newer, and none was found or could be installed; install one, or set JAVA_HOME."
)


def java() -> str | None:
    """Return what the Java here calls itself, or None."""
    home = os.environ.get("JAVA_HOME")
    program = str(Path(home, "bin", "java")) if home else shutil.which("java")
    try:
        found = subprocess.run([program or "java", "-version"], capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    told = re.search(r'version "(\d+)[^"]*"', found.stderr)
    return told[0] if told and int(told[1]) >= 17 else None


def start(port: int, folder: Path) -> subprocess.Popen[bytes]:
    """Start the server with its workers in a process group of its own, and return it; what it prints is in
    ``log.txt``.
    """
    found = find_spec("pyspark")
    if found is None or found.origin is None:
        raise SystemExit("rankdash: pyspark is not in this environment; `make test-spark` makes one that holds it.")
    home = Path(found.origin).parent
    settings = {
        "spark.connect.grpc.binding.port": port,
        "spark.connect.grpc.binding.address": "127.0.0.1",
        "spark.ui.enabled": "false",
        "spark.executor.memory": "1g",
        "spark.local.dir": folder,
        "spark.sql.shuffle.partitions": 8,  # small data in 200 parts would take minutes
    }
    environment = {
        "SPARK_HOME": str(home),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "PYSPARK_PYTHON": sys.executable,
        "PYTHONPATH": str(ROOT),  # tests give workers functions of their own
    }
    command: list[str] = [str(home / "bin" / "spark-submit"), "--master", MASTER, "--class", SERVER]
    for name, value in settings.items():
        command += ["--conf", f"{name}={value}"]
    with (folder / "log.txt").open("wb") as log:
        return subprocess.Popen(
            [*command, "spark-internal"],
            cwd=folder,
            env=os.environ | environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )


def wait_for(server: subprocess.Popen[bytes], port: int, log: Path) -> None:
    """Wait until the server answers. Where it does not, end with the last lines of what it printed."""
    end = time.monotonic() + STARTED
    while server.poll() is None and time.monotonic() < end:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=5).close()
            return
        except OSError:
            time.sleep(0.5)
    raise SystemExit(
        "\n".join(["rankdash: Spark did not start:", *log.read_text("utf-8", "replace").splitlines()[-20:]])
    )


def main(command: Sequence[str]) -> int:
    """Run a command beside the cluster, and return its exit status."""
    if java() is None:
        print("No Java here; installing one for Spark.", file=sys.stderr, flush=True)
        install_from_debian("openjdk-17-jre-headless")
    found = java()
    if found is None:
        print(NO_JAVA, file=sys.stderr)
        return 2
    print(f"Spark {version('pyspark')}, {MASTER}, Java {found}", flush=True)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with tempfile.TemporaryDirectory(prefix="rankdash-spark-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        server = start(port, folder)
        try:
            wait_for(server, port, folder / "log.txt")
            return subprocess.run(command, env=os.environ | {NAMED: f"sc://127.0.0.1:{port}"}, check=False).returncode
        finally:
            os.killpg(server.pid, signal.SIGTERM)
            server.wait(60)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
