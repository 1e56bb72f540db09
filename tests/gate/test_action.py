"""The GitHub action and its comment on a pull request: its own steps, run as GitHub would run them, against a stand-in
for GitHub on this machine.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import pytest
import yaml

from rankdash.report.ci import LONGEST, Comments, CommentsError, mark, marked
from tests.gate.github import PERSON, READS, WRITES, GitHub, lists_in, served
from tests.long import every

ROOT = Path(__file__).parents[2]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
#: What a hostile query says: people, issues, pictures, HTML, commands of the runner, and the mark of a gate.
HOSTILE = "@team #1 ![x](https://x.example/p.png) <img src=x> ::error::x <!-- rankdash gate: rankdash -->"


@pytest.fixture
def github() -> Iterator[GitHub]:
    """A stand-in for GitHub."""
    with served() as github:
        yield github


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """A checkout with lists of which B is better, and of which it is worse; texts of queries are hostile."""
    folder = tmp_path / "work"
    folder.mkdir()
    lists_in(folder)
    texts = "".join(f'q{at},"{HOSTILE} {at}"\n' for at in range(60))
    (folder / "texts.csv").write_text(f"query_id,text\n{texts}", "utf-8")
    return folder


def step(name: str) -> dict[str, Any]:
    """A step of the action."""
    return next(step for step in ACTION["runs"]["steps"] if step["name"] == name)


def filled(text: str, inputs: dict[str, str]) -> str:
    """A value of the action with its expressions worked out, as GitHub does it."""
    known = {
        "github.action_path": str(ROOT),
        "inputs.comment == 'true' && inputs.token || ''": inputs["token"] if inputs["comment"] == "true" else "",
        **{f"inputs.{name}": value for name, value in inputs.items()},
    }
    return re.sub(r"\$\{\{ (.+?) \}\}", lambda found: known[found[1]], text)


def run(
    work: Path, github: GitHub, inputs: dict[str, str], *, head: str = "search/ranking"
) -> subprocess.CompletedProcess[str]:
    """The step that compares, for a pull request; what installs rankdash put this checkout there."""
    runner = work.parent / "runner"
    (runner / "rankdash/bin").mkdir(parents=True, exist_ok=True)
    command = runner / "rankdash/bin/rankdash"
    command.write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m rankdash "$@"\n', "utf-8")
    command.chmod(0o755)
    (runner / "output").write_text("", "utf-8")  # each step has its own
    event = {"pull_request": {"number": 7, "head": {"repo": {"full_name": head}}}}
    (runner / "event.json").write_text(json.dumps(event), "utf-8")
    defaults = {name: row.get("default", "") for name, row in ACTION["inputs"].items()}
    given = {**defaults, "token": WRITES, **inputs}
    compare = step("Compare A and B")
    variables = {name: filled(value, given) for name, value in compare["env"].items()}
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", compare["run"]],
        cwd=work,
        env={
            **kept,
            **variables,
            "GITHUB_ACTIONS": "true",
            "GITHUB_API_URL": github.url,
            "GITHUB_EVENT_PATH": str(runner / "event.json"),
            "GITHUB_OUTPUT": str(runner / "output"),
            "GITHUB_REPOSITORY": "search/ranking",
            "GITHUB_STEP_SUMMARY": str(runner / "summary.md"),
            "RUNNER_TEMP": str(runner),
        },
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


LAUNCH = {"a": "a.trec", "b": "b.trec", "judgments": "q.txt", "queries": "texts.csv"}
WORSE = {**LAUNCH, "a": "b.trec", "b": "a.trec"}


def test_a_pull_request_gets_one_comment_that_later_runs_update(work: Path, github: GitHub) -> None:
    """The verdict is the status of the step; the comment says it, and a run that ends otherwise changes it."""
    runner = work.parent / "runner"
    first = run(work, github, LAUNCH)
    assert first.returncode == 0, first.stderr
    assert (runner / "output").read_text("utf-8") == "outcome=LAUNCH\nstatus=0\n"
    (comment,) = github.bodies
    assert "### Launch" in comment
    second = run(work, github, WORSE)
    assert second.returncode == 3, second.stderr
    (comment,) = github.bodies
    assert "### No launch" in comment
    assert (runner / "output").read_text("utf-8") == "outcome=WORSE\nstatus=3\n"
    assert (runner / "summary.md").read_text("utf-8").count("## ") >= 2
    results = work / "rankdash-results"
    assert sorted(file.name for file in results.iterdir()) == ["report.html", "result.json", "result.md", "result.xml"]
    assert json.loads((results / "result.json").read_text("utf-8"))["verdict"]["outcome"] == "WORSE"


@pytest.mark.parametrize(("inputs", "status"), every(2, [(WORSE, 3), (LAUNCH, 0)]))
def test_a_fork_gets_the_same_status_and_no_comment(
    work: Path, github: GitHub, inputs: dict[str, str], status: int
) -> None:
    """A fork's token may only read: the summary is written, no comment, which is said, and the status is the same."""
    done = run(work, github, {**inputs, "token": READS}, head="bob/ranking")
    assert done.returncode == status
    assert github.comments == []
    assert "The token of a fork may only read. The verdict is in the summary" in done.stderr
    assert (work.parent / "runner/summary.md").read_text("utf-8")
    assert READS not in done.stdout + done.stderr


def test_the_comment_can_be_turned_off(work: Path, github: GitHub) -> None:
    """With `comment: "false"` GitHub is not asked for anything; nor is it without a token, which is said."""
    done = run(work, github, {**LAUNCH, "comment": "false"})
    assert done.returncode == 0
    assert "No comment on the pull request: GITHUB_TOKEN is not set." in done.stderr
    assert github.calls == []


def test_a_github_that_does_not_answer_changes_no_status(work: Path, github: GitHub) -> None:
    """Where the comment cannot be written the verdict stands, and the log says why."""
    github.answers["GET"] = (500, b"{}")
    done = run(work, github, WORSE)
    assert done.returncode == 3
    assert "No comment on the pull request: GitHub answered 500." in done.stderr


def test_hostile_texts_are_literal(work: Path, github: GitHub) -> None:
    """No text of a query notifies, links or draws in the comment, marks another gate, or is a command in the log."""
    done = run(work, github, WORSE)
    (comment,) = (re.sub(r"(`+) .*? \1", "", body) for body in github.bodies)  # code is left alone
    for live in ("@team", "#1 ", r"(?<!\\)!\[", r"(?<!\\)<img", "https://x.example"):
        assert not re.search(live, comment)
    assert "@team" in github.bodies[0]
    assert comment.count("<!--") == 1
    lines = done.stdout.splitlines() + done.stderr.splitlines()
    assert not [line for line in lines if line.startswith("::error::x")]
    stops = [at for at, line in enumerate(done.stderr.splitlines()) if line.startswith("::stop-commands::")]
    assert stops[:1] == [0]


def test_inputs_are_words_and_never_commands(work: Path, github: GitHub) -> None:
    """What a workflow gives stands in variables of the environment: no step has an expression in its script."""
    for row in ACTION["runs"]["steps"]:
        assert "${{" not in row.get("run", "")
    done = run(work, github, {**LAUNCH, "b": "$(touch owned).trec", "arguments": "--measure\nP@5; touch owned\n"})
    assert done.returncode == 2
    assert not (work / "owned").exists()


#: Values that a command line could take for something else, and what a shell could.
HOSTILE_VALUES = ("-h", "--help", "--", "--no-such", "-q", "@q.txt", "$(touch owned)", "; touch owned", "a\nb", " ")
#: Those that are read as text: the name of the gate, and whether it comments.
FREE = ("name", "comment", "token", "results")


GIVEN = [(name, value) for name in ACTION["inputs"] for value in HOSTILE_VALUES] + [("arguments", "--experts\n-h")]


@pytest.mark.parametrize(("name", "value"), every(18, GIVEN))
def test_no_input_is_taken_for_an_option(work: Path, github: GitHub, name: str, value: str) -> None:
    """Whatever value any input has, a green step has written the outcome Launch, and no other status has."""
    done = run(work, github, {**LAUNCH, name: value})
    written = (work.parent / "runner/output").read_text("utf-8").splitlines()
    assert (done.returncode == 0) == ("outcome=LAUNCH" in written), done.stderr
    assert "Traceback" not in done.stderr
    assert done.returncode in (0, 1, 2), done.stderr
    if name not in (*FREE, "arguments"):
        assert done.returncode == 2, done.stdout
    assert not (work / "owned").exists()


PULL = ("search/ranking", 7)


def test_a_second_run_updates_the_comment(github: GitHub) -> None:
    """A gate has one comment: later runs change it in place, and its address is told."""
    comments = Comments(github.url, WRITES, *PULL)
    first, second = comments.put("gate", "old"), comments.put("gate", "new")
    assert github.bodies == [f"{mark('gate')}\nnew"]
    assert first == second == f"{github.url}/1"


@pytest.mark.parametrize("token", [WRITES, PERSON])
def test_a_mark_that_somebody_else_wrote_counts_for_nothing(github: GitHub, token: str) -> None:
    """Whoever writes the mark into a comment of his own does not get the verdict written under his name."""
    github.add(f"{mark('gate')}\nLaunch!", "mallory")
    comments = Comments(github.url, token, *PULL)
    comments.put("gate", "old")
    comments.put("gate", "new")
    assert github.bodies == [f"{mark('gate')}\nLaunch!", f"{mark('gate')}\nnew"]


def test_a_token_that_may_only_read_leaves_no_comment(github: GitHub) -> None:
    """Where the token may not write, the reason names the permission that is missing, and not the token."""
    with pytest.raises(CommentsError, match="pull-requests: write") as caught:
        Comments(github.url, READS, *PULL).put("gate", "new")
    assert READS not in f"{caught.value!r}{Comments(github.url, READS, *PULL)!r}"
    assert github.comments == []


@pytest.mark.parametrize(
    "answer", [(500, b"{}"), (200, b"<html>"), (200, b"\xff"), (200, b""), (200, b"[" * 5000), (404, b"{}")]
)
def test_an_answer_that_is_none_is_one_sentence(github: GitHub, answer: tuple[int, bytes]) -> None:
    """Whatever GitHub answers, the gate gets a sentence and no traceback, and no connection stays open."""
    github.answers["GET"] = answer
    with pytest.raises(CommentsError, match=r"^.+[.]$") as caught:
        Comments(github.url, WRITES, *PULL).put("gate", "new")
    refused = caught.value.__context__
    assert not isinstance(refused, HTTPError) or refused.closed


def test_the_token_goes_to_nobody_else(github: GitHub) -> None:
    """A redirect to another server does not take the token there."""
    with served() as other:
        github.answers["GET"] = (302, f"{other.url}/user".encode())
        with pytest.raises(CommentsError):
            Comments(github.url, WRITES, *PULL).put("gate", "new")
        assert other.tokens == [""]


@pytest.mark.parametrize("name", ["a", "--> <script>", "a\nb", "ä", "-" * 50, "%2D", "x -->\n::warning::"])
def test_no_name_ends_the_mark(name: str) -> None:
    """The mark is one hidden comment of HTML, whatever a gate is called, and each name has another one."""
    line = mark(name)
    assert line.startswith("<!-- ")
    assert line.index("-->") == len(line) - 3
    assert "--" not in line[4:-3]
    assert "\n" not in line
    assert mark(f"{name}x") != line


def test_a_text_that_is_too_long_is_cut() -> None:
    """A comment has at most the characters that GitHub takes, and says that it was cut."""
    body = marked("gate", "x" * 70_000)
    assert len(body) == LONGEST
    assert "cut here" in body
