"""Build the site of the documents: ``python scripts/docs.py``, or ``make docs``.

A page in docs/ is a template: tables are made from the rows of the package. Blocks marked sh and python are run in a
folder that holds the demo, and what they print is shown below them. Blocks marked bash and py are shown and not run.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import xml.etree.ElementTree as ET
from concurrent.futures import ProcessPoolExecutor
from dataclasses import fields
from functools import cache, partial
from multiprocessing import get_context
from pathlib import Path
from textwrap import fill
from typing import Any

import jinja2
import yaml

sys.path.insert(0, str(Path(__file__).parents[1]))

import rankdash as rd
from rankdash import wording
from rankdash.cli import commands
from rankdash.conventions import Convention
from rankdash.inspect.query_order import changes
from rankdash.metrics import names as metrics, scoring
from rankdash.metrics.rows import Definition
from rankdash.policy import FIELDS, Topic
from rankdash.report import svg, values
from rankdash.style import AXIS_WORDS
from rankdash.verdict import caveats, evidence_of, records, rules
from scripts import api

ROOT = Path(__file__).parents[1]
DOCS, BUILT = ROOT / "docs", ROOT / "build" / "docs"
NOT_SHOWN = ("decisions", "questions.md", "glossary.md")
BLOCK = re.compile(r"(?ms)^```(sh|python)\n(.*?)^```\n(?:\n```text\n.*?^```\n)?")
#: What the caveats read that random evidence does not have.
KNOWN = {
    "turned": (("B", "rank", 0.98),),
    "judgments": "positive_only",
    "threshold": wording.below_relevant((0, 0.25, 1), ["AP"]),
    "fragility": records.Fragility(2, ("q017", "q203"), rd.Outcome.NOT_PROVEN, 10),
    "tie_bounds": (0.012, 0.061),
    "tied_share": 0.24,
}


def install(extra: str = "") -> str:
    """Return the command that installs rankdash, with extras or without: from a checkout until it is on a registry."""
    name = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["rankdash"]["registry_name"] or "."
    return f"pip install '{name}[{extra}]'" if extra else f"pip install {name}"


@cache
def demo() -> rd.Comparison:
    """Return the comparison of the demo."""
    return rd.compare(*(ROOT / "data" / "demo" / f"{name}.csv" for name in ("run_a", "run_b", "judgments")))


def axes(convention: Convention, usual: Convention | None = None) -> str:
    """Return the axes of a convention that differ from another one; None: all of them."""
    of_axes = ((axis.name, getattr(convention, axis.name)) for axis in fields(convention))
    differing = (f"`{name}={value!r}`" for name, value in of_axes if value != getattr(usual, name, None))
    return ", ".join(differing) or "nothing"


def parameters(row: Definition) -> str:
    """Return the own parameters of a measure with their defaults."""
    unsaid = {name: "required" if name in row.needs else f"default: {values.UNSAID[name]}" for name in values.UNSAID}
    own = row.defaults.items()
    return ", ".join(f"`{name}=…` ({unsaid[name]})" if value is None else f"`{name}={value!r}`" for name, value in own)


def forms(row: Definition) -> list[str]:
    """Return how a measure is written, with the parameters that it cannot do without."""
    own = ", ".join(f"{name}=…" for name in row.needs if row.defaults.get(name, "") is None)
    return [form.replace(row.name, f"{row.name}({own})") if own else form for form in row.forms]


def needs(row: Definition) -> list[str]:
    """Return what a measure reads beside lists and grades."""
    given = [scoring._GIVEN[str(row.defaults.get(name, name))] for name in row.needs if row.defaults.get(name, name)]
    return [*given, *(["judgments of subtopics"] * row.of_subtopics)]


def said(words: dict[str, list[str]], what: str) -> str:
    """Return what a rule says in a status, first of all on the demo, or a caveat; "" where there is no example."""
    decided = {f"{check.rule} {check.status}": check.sentence for check in rd.decide(demo()).checks}
    name = what.removeprefix("caveat ")
    if what not in words and name in caveats.ROWS:
        known = caveats.CaveatInput(evidence_of(demo()), **KNOWN)
        return caveats.ROWS[name](known, demo().policy, rd.Outcome.LAUNCH)
    return decided.get(what) or words.get(what, [""])[0]


def names() -> dict[str, Any]:
    """Return what a page may use: rows of the package, and what makes charts of the demo."""
    cases = ROOT / "tests" / "cases"
    words, examples = (json.loads((cases / f"{n}.json").read_bytes()) for n in ("verdict_words", "measure_examples"))
    simulated = (ROOT / "benchmarks" / "README.md").read_text("utf-8").partition("<!-- policy:begin -->")[2]
    return {
        "rd": rd, "covers": metrics.COVERS, "rules": rules, "caveats": caveats.ROWS, "fields": FIELDS, "topics": Topic,
        "defaults": dict(re.findall(r"(?m)^(\w+) = (.*?)(?:\s+#.*)?$", rd.Policy().to_toml())),
        "commands": commands.parser()._subparsers._group_actions[0].choices,  # type: ignore[union-attr]
        "said": partial(said, words), "axes": axes, "api": api.reference, "examples": examples,
        "action": yaml.safe_load((ROOT / "action.yml").read_text("utf-8")),
        "forms": forms, "parameters": parameters, "needs": needs, "axis_words": AXIS_WORDS,
        "schema": json.loads((DOCS / "report.schema.json").read_text("utf-8")), "simulated": simulated.split("\n\n")[2],
        "demo": demo, "changes": changes, "svg": svg, "drawn": partial(ET.tostring, encoding="unicode"),
    }  # fmt: skip


def with_outputs(text: str, folder: Path) -> str:
    """Return a page with what its blocks, run in a folder, print below them; ValueError for another exit status."""
    spaces: dict[str, Any] = {"__name__": "__main__"}

    def ran(block: re.Match[str]) -> str:
        language, code = block.groups()
        if language == "sh":
            printed = shell(code, folder)
        else:
            with contextlib.chdir(folder), contextlib.redirect_stdout(io.StringIO()) as out:
                exec(compile(code, "block", "exec"), spaces)
            printed = out.getvalue()
        printed = printed.replace(f"{folder}/home", "~/.rankdash").replace(f"{folder}/", "")
        lines = (line if "  " in line else fill(line, 100) for line in printed.splitlines())
        shown = "\n```text\n{}\n```\n".format("\n".join(lines).rstrip()) if printed.strip() else ""
        return f"```{language}\n{code}```\n{shown}"

    return BLOCK.sub(ran, text)


def shell(code: str, folder: Path) -> str:
    """Return what a block for a shell prints, in the order in which it is printed."""
    own = {name: value for name, value in os.environ.items() if not name.startswith(("RANKDASH_", "GITHUB_"))}
    path = os.pathsep.join((str(Path(sys.executable).parent), own["PATH"]))
    settings = own | {"PATH": path, "RANKDASH_HOME": str(folder / "home"), "COLUMNS": "100"}
    done = subprocess.run(
        ["bash", "-e", "-c", code], cwd=folder, env=settings, text=True, check=False, timeout=300,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    if done.returncode != int([*re.findall(r"# exit status (\d+)", code), 0][0]):
        raise ValueError(f"exit status {done.returncode} of\n{code}\n{done.stdout}")
    return done.stdout


def made(page: Path) -> str:
    """Return a page as it is shown."""
    templates = jinja2.Environment(
        variable_start_string="«", variable_end_string="»", block_start_string="«%", block_end_string="%»",
        trim_blocks=True, keep_trailing_newline=True, undefined=jinja2.StrictUndefined,
    )  # fmt: skip
    with tempfile.TemporaryDirectory(prefix="rankdash-docs-") as folder:
        Path(folder, "data").symlink_to(ROOT / "data")
        try:
            template = templates.from_string(page.read_text("utf-8"))
            return with_outputs(template.render(names()), Path(folder))
        except Exception as error:
            raise ValueError(f"{page.relative_to(ROOT)}: {error}") from error


def pages() -> list[Path]:
    """Return the pages of the site; what is for maintainers is none."""
    return sorted(page for page in DOCS.rglob("*.md") if not {*page.relative_to(DOCS).parts} & {*NOT_SHOWN})


def main() -> int:
    """Make the pages and build the site; return the exit status."""
    shutil.rmtree(BUILT, ignore_errors=True)
    shutil.copytree(DOCS, BUILT, ignore=shutil.ignore_patterns(*NOT_SHOWN))
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as workers:
        for page, text in zip(pages(), workers.map(made, pages()), strict=True):
            (BUILT / page.relative_to(DOCS)).write_text(text, "utf-8")
    zensical = Path(sys.executable).parents[1] / "site" / "bin" / "zensical"
    return subprocess.run([zensical, "build", "--strict", "--clean"], cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
