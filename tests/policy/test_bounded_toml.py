"""A policy of TOML is bounded: its size, the parts of its keys, its brackets within each other, and its values."""

from pathlib import Path

import pytest

import rankdash as rd
from rankdash.__main__ import main
from rankdash.policy.toml import MOST_BYTES

#: What takes gigabytes, minutes, or the whole stack of a parser that reads it; and what no policy can hold.
ATTACKS = {
    "a key of many parts": ("a." * 30_000 + "a = 1", "The policy is nested too deep: line 1"),
    "a key of quoted parts": ("mpe = 1\n" + "\"a\".'b' . " * 5_000 + "a = 1", "nested too deep: line 2"),
    "a header of many parts": ("\n\n[" + "a." * 900 + "a]", "nested too deep: line 3"),
    "lists in lists": ("a = " + "[" * 30_000, "The policy is nested too deep"),
    "tables in lists": ("a = " + "[{a = " * 5_000, "The policy is nested too deep"),
    "lists over lines": ("a = " + "[ # [\n" * 9_000, "The policy is nested too deep"),
    "a large document": ("# " + "x" * MOST_BYTES, "The policy is larger than 65,536 bytes"),
    "letters of several bytes": ('x = "' + "甲" * 30_000 + '"', "The policy is larger than 65,536 bytes"),
    "text without an end": ('a = """' + '\\"""' * 10_000, "The policy is not valid TOML"),
    "many unknown names": ("".join(f"k{i} = 1\n" for i in range(6_000)), "And 5,990 more names are no fields."),
    "a long value": ('judgments = "' + "x" * 60_000 + '"', "judgments must be one of auto"),
    "a number of many digits": ("mpe = 1" + "0" * 400, "margins are positive numbers"),
    "a whole number of many digits": ("n_min = 1e300", "a whole number from 1 to 1,000,000,000"),
    "a gain of many digits": ("[convention.gain]\n1 = 1" + "0" * 400, "grades and gains are numbers"),
    "many gains": ("[convention.gain]\n" + "".join(f"{i} = 1\n" for i in range(1, 2_000)), "a table of 1,999 gains"),
    "many guardrails": ("[guardrails]\n" + "".join(f'"P@{i}" = 0.1\n' for i in range(1, 4_000)), "at most 20"),
    "many segments": (f"segments = {[f's{i}' for i in range(5_000)]}", "segments lists 5,000, but at most 20"),
}


@pytest.mark.parametrize(("text", "says"), ATTACKS.values(), ids=ATTACKS)
def test_what_would_take_a_parser_down_is_refused_at_once(text: str, says: str) -> None:
    """A policy that is too large or too deep is refused in a sentence."""
    with pytest.raises(rd.PolicyError) as error:
        rd.Policy.from_toml(text)
    assert says in str(error.value)
    assert len(str(error.value)) < 10_000


@pytest.mark.parametrize("name", ["a key of many parts", "lists in lists", "a large document"])
def test_a_shell_refuses_them_in_one_line(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """On the command line such a file is one line of a problem, with its name, and the exit status 2."""
    text, says = ATTACKS[name]
    path, run = tmp_path / "deep.toml", tmp_path / "run.csv"
    path.write_text(text, "utf-8")
    run.write_text("query_id,doc_id,rank,relevance\nq,a,1,1\n", "utf-8")
    assert main(["compare", str(run), str(run), "--policy", str(path)]) == 2
    assert capsys.readouterr().err.startswith(f"{path}: {says}")


def test_of_an_endless_file_only_the_beginning_is_read(capsys: pytest.CaptureFixture[str]) -> None:
    """A file without an end, such as a device, is refused as soon as it is too large."""
    assert main(["compare", "a", "b", "--policy", "/dev/zero"]) == 2
    assert "The policy is larger than 65,536 bytes" in capsys.readouterr().err
