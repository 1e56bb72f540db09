"""What people read of each rule and each caveat: one snapshot, of random evidence.

``python -m tests.verdict.test_words`` writes it anew; read the difference before it is committed.
"""

import json
import random
from pathlib import Path

from rankdash.policy import Policy
from rankdash.verdict import RULE_OF, Evidence, Verdict, decide_from
from tests.made_evidence import evidence, votes_numbers
from tests.truth import made_cases

SNAPSHOT = Path(__file__).parents[1] / "cases" / "verdict_words.json"
SEEDS = 400
#: What a sentence has that is about groups, weights or a set that is all that matters.
SPECIAL = ("group", "by weight", "exactly these")


def words() -> dict[str, list[str]]:
    """The first plain words of each rule and status and of each caveat, and the first of each deciding rule and tag."""
    found: dict[str, list[str]] = {}
    for seed in range(SEEDS):
        case, dice = made_cases.case(seed), random.Random(seed)
        times = case["looks"], case["candidates"]
        policy, votes = made_cases.votes_policy(dice), made_cases.votes(dice)
        alone = Evidence(votes=None if votes is None else votes_numbers(votes))
        _add(found, "", decide_from(evidence(case["evidence"]), Policy.from_dict(case["policy"]), *times))
        _add(found, "votes alone, ", decide_from(alone, Policy.from_dict(policy)))
    return found


def _add(found: dict[str, list[str]], of: str, verdict: Verdict) -> None:
    told = {f"{of}{check.rule} {check.status}": check.sentence for check in verdict.checks}
    told |= {f"{of}caveat {caveat.id}": caveat.sentence for caveat in verdict.caveats}
    for key, sentence in told.items():
        found[key] = sorted([*found.get(key, []), sentence], key=lambda one: any(word in one for word in SPECIAL))[:1]
    said = [verdict.tag, verdict.sentence, verdict.next_step, verdict.would_change, *verdict.notes]
    found.setdefault(f"{of}{verdict.rule} decides: {verdict.screen}", said)


def test_the_words_are_those_that_were_read() -> None:
    """Each rule, by its status and where it decides, and each caveat of plain numbers says what it said."""
    expected, found = json.loads(SNAPSHOT.read_text("utf-8")), words()
    assert {key: value for key, value in found.items() if expected.get(key) != value} == {}
    assert found.keys() == expected.keys()
    assert {key.split()[0] for key in expected} >= set(RULE_OF) - {"V1"}


if __name__ == "__main__":
    SNAPSHOT.write_text(json.dumps(words(), indent=1, ensure_ascii=False, sort_keys=True) + "\n", "utf-8")
