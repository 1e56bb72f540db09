"""The table of exports: every row writes every comparison that it can, from page, command line and Python alike."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import rankdash as rd
from rankdash.__main__ import main
from rankdash.report import EXPORTS, ExportError, exported, format_of
from tests.browsed import judgments_csv, run_csv
from tests.report.reported import EVERY

#: The minute in which a form was written.
TIME = re.compile(rb"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?")


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """A, B and judgments, as the command line takes them."""
    contents = {"old.csv": run_csv(False), "new.csv": run_csv(True), "q.csv": judgments_csv()}
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    return [str(tmp_path / "old.csv"), str(tmp_path / "new.csv"), "-q", str(tmp_path / "q.csv")]


@pytest.mark.parametrize("form", EXPORTS)
@pytest.mark.parametrize("which", EVERY)
def test_every_form_is_written_or_says_why_not(which: str, form: str) -> None:
    """A comparison is written in every form, or one sentence says why it cannot be; the special ones too."""
    why = EXPORTS[form].lacks(EVERY[which])
    if not why:
        assert exported(EVERY[which], form)
        return
    assert why.endswith(".")
    with pytest.raises(ExportError, match=re.escape(why)):
        exported(EVERY[which], form)


@pytest.mark.parametrize("form", EXPORTS)
def test_an_ending_stands_for_its_form(form: str) -> None:
    """A file with the ending of a form is written in it."""
    assert format_of(f"Launch of May{EXPORTS[form].ending.upper()}") == form


@pytest.mark.parametrize("form", [name for name in EXPORTS if name not in ("html", "markdown", "junit")])
def test_the_command_line_and_python_write_the_same(form: str, files: list[str], tmp_path: Path) -> None:
    """``rankdash report`` writes what ``rd.report`` returns and writes, byte for byte but for the time of writing."""
    ending = EXPORTS[form].ending
    assert main(["report", *files, "-o", str(tmp_path / f"shell{ending}")]) == 0
    comparison = rd.compare(files[0], files[1], files[3])
    content = rd.report(comparison, tmp_path / f"python{ending}")
    written = [(tmp_path / f"{who}{ending}").read_bytes() for who in ("shell", "python")]
    assert written[1] == content
    made = [TIME.sub(b"TIME", text) for text in (*written, rd.report(comparison, format=form))]
    assert made[0] == made[1] == made[2]


def test_standard_output_takes_a_report(files: list[str], capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """``-o -`` prints a page, or the form that is named."""
    assert main(["report", *files, "-o", "-"]) == 0
    assert capfdbinary.readouterr().out.startswith(b"<!doctype html>")
    assert main(["report", *files, "-o", "-", "--format", "json"]) == 0
    assert json.loads(capfdbinary.readouterr().out)["queries"]["compared"] == 50


def test_wrong_usage_is_one_line(files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An ending, a comparison that lacks what the form needs, and nothing to compare: exit status 2, and a sentence."""
    votes = tmp_path / "votes.csv"
    votes.write_text("query_id,vote\nq1,good\n", "utf-8")
    for arguments in (
        [*files, "-o", str(tmp_path / "x.doc")],
        ["--votes", str(votes), "-o", str(tmp_path / "x.csv")],
        ["-o", str(tmp_path / "x.html")],
    ):
        assert main(["report", *arguments]) == 2
        told = capsys.readouterr().err
        assert "Traceback" not in told
        assert 1 <= told.count("\n") <= 2
    assert not {*tmp_path.glob("x.*")}


def test_a_report_needs_neither_pandas_nor_plotly(files: list[str], tmp_path: Path) -> None:
    """Without the dashboard's packages every form is written."""
    blocked = "import sys; sys.modules |= dict.fromkeys(('pandas', 'plotly', 'streamlit', 'scipy', 'sqlalchemy'))\n"
    run = "from rankdash.__main__ import main\nsys.exit(max(main([*sys.argv[1:], '-f', form]) for form in FORMS))"
    code = f"{blocked}FORMS = {[form for form in EXPORTS if form != 'parquet']}\n{run}"
    named = ["report", *files, "-o", str(tmp_path / "out")]
    done = subprocess.run([sys.executable, "-c", code, *named], capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
