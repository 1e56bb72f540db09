"""The launch policy, and its TOML within bounds."""

import json
from pathlib import Path
from typing import Any

import pytest

import rankdash as rd
from rankdash.__main__ import main
from rankdash.conventions import PRESETS, STANDARD
from rankdash.metrics import DEFINITIONS
from rankdash.policy import MOST_BYTES, Policy, PolicyError, measures_for_roles
from tests.evidence.cases import CASES

RESOLUTION = CASES["policy_cases"]["resolution"]
VALID = [case for case in RESOLUTION if case["valid"]]
INVALID = [case for case in RESOLUTION if not case["valid"]]


def problems(**values: Any) -> tuple[str, ...]:
    """What is wrong with a policy of these fields."""
    with pytest.raises(PolicyError) as caught:
        Policy.from_dict(values)
    return caught.value.problems


def test_defaults_are_those_of_the_reference() -> None:
    """A policy without a word has every default of the reference, field by field and in its order."""
    assert list(Policy().to_dict().items()) == list(CASES["policy_cases"]["defaults"].items())


@pytest.mark.parametrize("case", VALID, ids=lambda case: json.dumps(case["policy"]))
def test_what_is_left_out_follows_the_primary_measure(case: dict[str, Any]) -> None:
    """Cutoff, guardrails and watch measures follow the primary measure as in the reference."""
    found = Policy.from_dict(case["policy"]).to_dict()
    assert {name: found[name] for name in case["resolved"]} == case["resolved"]


@pytest.mark.parametrize("case", INVALID, ids=lambda case: json.dumps(case["policy"]))
def test_a_policy_that_cannot_work_is_refused_for_its_reason(case: dict[str, Any]) -> None:
    """An unbounded measure, two roles, an unknown word and a negative margin are refused, and the reason is named."""
    told = " ".join(problems(**case["policy"]))
    assert case["because"] in told


def test_a_measure_without_a_direction_cannot_decide() -> None:
    """Judged@10 and overlap@10 describe lists and have no role; an age can be watched, with a margin in days."""
    assert all("only describes" in problem for problem in problems(primary="Judged@10", watch=[["overlap@10", 0.1]]))
    assert all("only be watched" in told for told in problems(primary="median_age@9", guardrails=[["median_age@5", 2]]))
    watching = Policy(watch=[["median_age@10", 2]])
    assert Policy.from_toml(watching.to_toml()) == watching
    assert "margins are positive" in problems(watch=[["median_age@10", 0.0]])[0]


def test_every_problem_is_told_at_once() -> None:
    """All problems come together, one sentence each."""
    found = problems(mpe=-1, n_min=2.5, intent="win", judged_gap=3, segments=[1], watch=4, primary="foo", alpha=0.1)
    assert len(found) == 8
    assert "The tests stay at 5%." in found[0]
    assert all(problem.endswith(".") for problem in found)


@pytest.mark.parametrize("value", [True, "0.01", float("nan"), float("inf"), None])
def test_a_margin_is_a_number(value: Any) -> None:
    """Text, truth values, NaN, infinity and nothing are no margins."""
    assert "positive numbers" in problems(mpe=value)[0]


def test_an_empty_list_of_guardrails_is_allowed() -> None:
    """A team may do without guardrails and watch measures."""
    policy = Policy(guardrails=(), watch=())
    assert policy.measures == ("nDCG@10",)


def test_a_changed_policy_keeps_its_defaults_in_step() -> None:
    """With another primary measure a default cutoff, guardrail and watch list follow; what was set stays."""
    assert Policy().changed(primary="AP") == Policy(primary="AP")
    assert Policy(mpe=0.01, cutoff=20).changed(primary="nDCG@5") == Policy(primary="nDCG@5", mpe=0.01, cutoff=20)
    assert Policy(guardrails=(("P@5", 0.02),)).changed(primary="RR").guardrails == (("P@5", 0.02),)
    assert Policy().changed(convention="ranklib") == Policy(convention="ranklib")


POLICIES = (
    Policy(),
    Policy(primary="AP", segments=("frequency", 'a "quoted" column\\'), votes="confirm", missing="empty"),
    Policy(convention="trec_eval-9", primary="nDCG@20", mpe=1e-5, n_min=200),
    Policy(convention=STANDARD.with_axes({"rel": 2, "gain": {1: 1, 2: 2.5}}), watch=()),
    Policy(convention="ranklib"),
)


@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: policy.primary)
def test_toml_brings_the_same_policy_back(policy: Policy) -> None:
    """Written as TOML and read again, a policy is the same, its own convention included."""
    assert Policy.from_toml(policy.to_toml()) == policy


def test_toml_may_be_short() -> None:
    """A file names only what differs; margins may be a table, and a convention a preset with changed axes."""
    policy = Policy.from_toml('mpe = 0.01\n[guardrails]\n"P@5" = 0.02\n[convention]\npreset = "trec_eval-9"\nrel = 2\n')
    assert policy.mpe == 0.01
    assert policy.guardrails == (("P(rel=2)@5", 0.02),)
    assert policy.scoring == PRESETS["trec_eval-9"].with_axes({"rel": 2})


def test_toml_that_is_none_is_refused_in_words() -> None:
    """Text that is not TOML is a problem of the policy, not a traceback."""
    with pytest.raises(PolicyError, match="not valid TOML"):
        Policy.from_toml("mpe = = 1")


@pytest.mark.parametrize("preset", PRESETS)
def test_every_measure_that_is_offered_can_be_the_primary_one(preset: str) -> None:
    """No name in the list is refused by the policy it is chosen for, and none is there twice."""
    rows = [*(row.name for row in DEFINITIONS.values()), "nDCG(half_life=7)", "fresh(within=7)"]
    offered = measures_for_roles(rows, PRESETS[preset], 7)
    assert len(offered) == len(set(offered)) > 20
    for name in offered:
        Policy(primary=name, convention=preset)


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
