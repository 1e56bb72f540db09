"""The twin for votes: the caveats that plain numbers decide, the verdict when there is nothing else, arithmetic."""

from __future__ import annotations

import math
from typing import Any

from tests.truth.twin_basics import (
    EXIT,
    FAILED,
    NONE,
    OPEN,
    PASSED,
    SCREEN,
    least,
    side,
    usable,
    voted,
)

Row = dict[str, Any]


def warned(evidence: Row, policy: Row, looks: int, candidates: int, outcome: str, rule: str) -> set[str]:
    """The names of the caveats that plain numbers decide."""
    plain, votes = evidence.get("plain"), evidence["votes"]
    sampled = policy["inference"] != "fixed"
    found = {"looks": looks > 1 and sampled, "family": candidates > 1 and sampled}
    if plain is not None and sampled:
        primary, texts = plain["primary"], evidence["data"].get("repeated_texts")
        found["small"] = outcome == "LAUNCH" and rule != "N0" and least(primary) < 100
        found["repeated"] = primary.get("clusters") is None and bool(texts) and texts >= 0.05 * primary["n"]
    if votes is not None and voted(votes) and usable(votes, policy):
        p, alpha = votes.get("side_effect_p"), votes.get("alpha")
        unknown = votes.get("left") is None and votes["n_side"] is None
        found["sides"] = unknown or (p is not None and p < 0.05)
        found["raters"] = for_these_raters(votes) or (alpha is not None and alpha < 0.4)
    return {name for name, shown in found.items() if shown}


def for_these_raters(votes: Row) -> bool:
    """Whether the votes speak for their raters alone."""
    people, (lo, hi) = votes.get("people"), (votes.get("rater_lower95"), votes.get("rater_upper95"))
    if people is None or people < 5:
        return True
    return lo is not None and proves(lo, hi) != proves(votes["lower95"], votes["upper95"])


def proves(lo: float, hi: float) -> str:
    """B, A or nothing."""
    return "B" if lo > 0 else "A" if hi < 0 else ""


def tango(g: float, b: float, n: float, z: float) -> tuple[float, float]:
    """The score interval of (g - b)/n."""

    def score(d: float) -> float:
        big_b = -g - b + (2 * n - g + b) * d
        q = (math.sqrt(max(big_b**2 + 8 * n * b * d * (1 - d), 0.0)) - big_b) / (4 * n)
        spread = n * (2 * q + d * (1 - d))
        return (g - b - n * d) / math.sqrt(spread) if spread > 0 else math.copysign(math.inf, g - b - n * d)

    def solve(low: float, high: float, target: float) -> float:
        for _ in range(200):
            middle = (low + high) / 2
            low, high = (middle, high) if score(middle) > target else (low, middle)
        return (low + high) / 2

    estimate = (g - b) / n
    lower = -1.0 if b == n else solve(-1.0, estimate, z)
    return lower, 1.0 if g == n else solve(estimate, 1.0, -z)


def mid_p(g: int, b: int) -> float:
    """The mid-p sign test, two-sided."""
    n, low = g + b, min(g, b)
    if n == 0 or g == b:
        return 1.0
    below = sum(math.comb(n, i) for i in range(low)) + math.comb(n, low) / 2
    return min(1.0, 2 * below / 2**n)


def required_votes(share: float, target: float) -> int:
    """Queries with votes for a ΔGSB at 80% power."""
    return max(1, math.ceil(7.849 * (max(share, 0.05) - target**2) / target**2))


def statuses(votes: Row, policy: Row) -> dict[str, str]:
    """Every rule."""
    status = dict.fromkeys(("C1", "V1", "H3", "F1", "U1", "U2"), NONE)
    status["C1"] = PASSED if voted(votes) else FAILED
    if not voted(votes):
        return status
    speak = usable(votes, policy)
    status["V1"] = PASSED if speak else OPEN
    lower, upper, mpe = votes["lower95"], votes["upper95"], policy["votes_mpe"]
    if speak:
        status["H3"] = FAILED if upper < 0 else PASSED
    if lower is not None:
        floor = -max(mpe, policy["votes_margin"])
        status["F1"] = PASSED if side(upper, mpe) >= 0 else FAILED if side(lower, floor) > 0 else OPEN
        status["U1"] = OPEN if side(lower, 0) <= 0 else PASSED
        status["U2"] = OPEN if side(votes["delta"], mpe) < 0 else PASSED
    return status


def judge_votes(votes: Row, policy: Row, looks: int = 1, candidates: int = 1) -> Row:
    """The verdict when there are only votes, which already carry delta and bounds."""
    status = statuses(votes, policy)
    outcome, rule = "LAUNCH", "L1"
    outcomes = {"C1": "NOT_COMPARABLE", "H3": "WORSE", "F1": "TOO_SMALL"}
    for key, value in status.items():
        if value in (FAILED, OPEN):
            rule, outcome = key, outcomes[key] if value == FAILED else "NOT_PROVEN"
            break
    tags = {"LAUNCH": "B is better", "WORSE": "B is worse", "TOO_SMALL": "gain too small"}
    tags |= {
        "NOT_COMPARABLE": "cannot compare yet",
        "NOT_PROVEN": "no gain in sight" if rule == "F1" else "not proven yet",
    }
    evidence = {"votes": votes, "plain": None, "data": None}
    return {
        "outcome": outcome,
        "launch": outcome == "LAUNCH",
        "rule": rule,
        "screen": SCREEN.get(outcome, "No launch"),
        "tag": tags[outcome],
        "exit_code": EXIT[outcome],
        "statuses": status,
        "caveats": warned(evidence, policy, looks, candidates, outcome, rule),
    }
