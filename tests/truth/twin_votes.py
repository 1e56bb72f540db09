"""The twin for votes: their caveats, the verdict when there is nothing else, and the arithmetic of ΔGSB."""

from __future__ import annotations

import math
from typing import Any

from tests.truth.twin_words import EXIT, FAILED, NONE, OPEN, PASSED, about, leaning, points, prefer_a, usable

LAUNCHED = ((2, 4.0), (3, 5.3), (5, 7.2), (10, 9.5), (20, 12.3))


def warned(votes: dict[str, Any] | None, policy: dict[str, Any], looks: int) -> dict[str, str]:
    """Looks, position, sides, pooled."""
    found = {}
    if looks >= 2:
        share = next((f"up to {x}%" for most, x in LAUNCHED if looks <= most), "more than 12.3%")
        found["looks"] = (
            f"This verdict was looked at with {looks} states of the data. Looking until it launches would launch "
            f"{share} of models that are no better, one look 2.5%."
        )
    if votes is None:
        return found
    if usable(votes, policy) and votes.get("left") is None:
        found["position"] = "Which side B stood on was not recorded: the pull of a side cannot be excluded."
    p = votes.get("side_effect_p")
    if p is not None and p < 0.05:
        effect, lo, hi = votes["side_effect"], votes["side_lower95"], votes["side_upper95"]
        side = "left" if effect > 0 else "right"
        if effect < 0:
            effect, lo, hi = -effect, -hi, -lo
        found["sides"] = (
            f"Raters favour the {side} side by {100 * effect:.1f} points (95% interval {bare(lo)} to {bare(hi)}); "
            "ΔGSB is averaged over both sides."
        )
    pooled = votes.get("pooled")
    known = votes["raters"] > 1 and pooled and pooled["lower95"] is not None and votes["lower95"] is not None
    if known and proves(pooled["lower95"], pooled["upper95"]) != proves(votes["lower95"], votes["upper95"]):
        found["pooled"] = (
            f"Counted vote by vote, ΔGSB is {points(pooled['delta'])}% ({cut(pooled)}); "
            f"by the majority per query {points(votes['delta'])}% "
            f"({points(votes['lower95'])} to {points(votes['upper95'])}): they do not prove the same."
        )
    return found


def cut(pooled: dict[str, Any]) -> str:
    """The interval as far as ΔGSB can lie."""
    low, high = max(pooled["lower95"], -1.0), min(pooled["upper95"], 1.0)
    return "an interval that leaves out no value" if high - low == 2 else f"{points(low)} to {points(high)}"


def bare(x: float) -> str:
    """Points with a minus only."""
    return points(x).lstrip("+")


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
    return math.ceil(7.849 * (max(share, 0.05) - target**2) / target**2)


def more_votes(votes: dict[str, Any], n: int, mpe: float) -> str:
    """The next step of U1."""
    share = (votes["good"] + votes["bad"]) / n
    text = f"A ΔGSB of {points(mpe).lstrip('+')}% needs about {about(required_votes(share, mpe))} queries with votes"
    if votes["delta"] >= mpe:
        text += f", one as seen ({points(votes['delta'])}%) about {about(required_votes(share, votes['delta']))}"
    if votes["delta"] < 0:
        return text + ". A is ahead: look at the losses first."
    return text + "."


def judge_votes(votes: dict[str, Any], policy: dict[str, Any], looks: int = 1) -> dict[str, Any]:
    """The verdict when there are only votes, which already carry delta and bounds."""
    n = votes["good"] + votes["same"] + votes["bad"]
    status = dict.fromkeys(("C1", "V1", "H3", "F1", "U1", "U2"), NONE)
    status["C1"] = PASSED if n else FAILED
    if n:
        speak = usable(votes, policy)
        status["V1"] = PASSED if speak else OPEN
        lower, upper, mpe = votes["lower95"], votes["upper95"], policy["votes_mpe"]
        if speak:
            status["H3"] = FAILED if upper < 0 else PASSED
        if lower is not None:
            limit = max(mpe, policy["votes_margin"])
            status["F1"] = PASSED if upper >= mpe else FAILED if lower > -limit else OPEN
            status["U1"] = OPEN if lower <= 0 else PASSED
            status["U2"] = OPEN if votes["delta"] < mpe else PASSED
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
    sides = {"delta": votes["delta"], "wins": votes["good"], "losses": votes["bad"]}
    said: dict[str, Any] = {"sentence": None, "next_step": None}
    if rule == "H3":
        said["sentence"] = prefer_a(votes)
    if rule == "U1":
        said["next_step"] = more_votes(votes, n, policy["votes_mpe"])
    return {
        "outcome": outcome,
        "launch": outcome == "LAUNCH",
        "rule": rule,
        "tag": tags[outcome],
        "exit_code": EXIT[outcome],
        "statuses": status,
        "leaning": leaning(sides) if n else None,
        "caveats": warned(votes, policy, looks),
        **said,
    }
