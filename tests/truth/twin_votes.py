"""The twin for votes: caveats that plain numbers decide, the verdict when there is nothing else, and arithmetic."""

from __future__ import annotations

import math
from typing import Any

from tests.truth.twin_words import (
    EXIT,
    FAILED,
    NONE,
    OPEN,
    PASSED,
    SCREEN,
    about,
    averaged,
    chance,
    decided,
    leaning,
    least,
    many,
    near,
    percent,
    point_limit,
    points,
    population,
    prefer_a,
    queries,
    said_by,
    side,
    unusable,
    usable,
    voted,
)

Row = dict[str, Any]


def warned(evidence: Row, policy: Row, looks: int, candidates: int, outcome: str, rule: str) -> dict[str, str]:
    """The caveats that plain numbers decide."""
    found = {}
    plain = evidence.get("plain")
    fixed = policy["inference"] == "fixed" and plain is not None
    if looks > 1 and policy["inference"] != "fixed":
        found["looks"] = (
            f"This verdict was looked at with {looks} states of the data. Looking until it launches would launch "
            f"up to {chance(looks)} of models that are no better, one look 2.5%."
        )
    if candidates > 1 and policy["inference"] != "fixed":
        found["family"] = (
            f"{candidates} candidates were compared with this A. If none were better, up to {chance(candidates)} of "
            "such families would launch one."
        )
    if fixed:
        found["fixed"] = "This says nothing about other queries."
    if plain is not None and not fixed:
        primary = plain["primary"]
        size, texts = least(primary), evidence["data"].get("repeated_texts")
        few = size < 100 or (outcome == "LAUNCH" and size < 300)
        if size > 0 and few and outcome != "NOT_COMPARABLE" and rule != "N0":
            worth = math.floor(size + 1e-9)
            found["small"] = (
                f"With {population(primary)}, up to {percent(min(1.0, 3 / max(worth, 1)))} of all queries may lose "
                "badly without one showing here."
            )
        if primary.get("clusters") is None and texts and texts >= 0.05 * primary["n"]:
            found["repeated"] = (
                f"{texts:,} of {queries(primary['n'])} share their text with another one, and count as if they were "
                "independent. A column cluster would say which belong together."
            )
    votes = evidence["votes"]
    if votes is not None and voted(votes) and usable(votes, policy):
        found |= of_votes(votes)
    return found


def of_votes(votes: Row) -> dict[str, str]:
    """Position, sides, raters, agreement: of votes that can be used."""
    found = {}
    if votes.get("left") is None and votes["n_side"] is None:
        found["position"] = "Which side B stood on was not recorded: the pull of a side cannot be excluded."
    p = votes.get("side_effect_p")
    if p is not None and p < 0.05:
        effect, lo, hi = (votes[name] / 2 for name in ("side_effect", "side_lower95", "side_upper95"))
        name = "left"
        if effect < 0:
            name, effect, lo, hi = "right", -effect, -hi, -lo
        half, lo, hi = (points(max(-1.0, min(1.0, x)), 0) for x in (effect, lo, hi))
        found["sides"] = (
            f"Standing on the {name} moves ΔGSB by {half} points (95% interval {lo} to {hi}); it is averaged over "
            "both sides."
        )
    people = votes.get("people")
    lo, hi = votes.get("rater_lower95"), votes.get("rater_upper95")
    if people is None:
        found["raters"] = "Who voted was not recorded: this may be one person’s preference."
    elif people == 1:
        found["raters"] = "This is one person’s preference."
    elif people < 5:
        found["raters"] = f"This holds for the {people} raters who voted, not for raters in general."
    elif lo is not None and proves(lo, hi) != proves(votes["lower95"], votes["upper95"]):
        lo, hi = max(lo, -1.0), min(hi, 1.0)
        found["raters"] = (
            f"Counted by rater the interval is {points(lo, 0)} to {points(hi, 0)}: what holds for these {people} "
            "raters is not proven for raters in general."
        )
    alpha = votes.get("alpha")
    if alpha is not None and alpha < 0.4:
        shown = near(alpha, 0.4, 0.2, places=2).lstrip("+")
        what = ": ask for clearer instructions or more queries" if alpha < 0.2 else ""
        found["agreement"] = f"Raters agree little (α = {shown}){what}."
    return found


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


def words(rule: str, outcome: str, votes: Row, policy: Row) -> dict[str, str | None]:
    """Sentence, next step, what would change it, as far as they are fixed."""
    found: dict[str, str | None] = {"sentence": None, "next_step": None, "would_change": None}
    if rule == "C1":
        return {**found, "sentence": "There are no votes."}
    mpe, said = policy["votes_mpe"], said_by(votes, policy)
    above = "above" if side(votes["delta"], mpe) > 0 else "as much as"
    below = f"Raters prefer B, but the estimate is below the {point_limit(mpe)} that matters"
    sentences = {
        "V1": lambda: unusable(votes, policy),
        "H3": lambda: prefer_a(votes, policy),
        "F1": lambda: unlikely(outcome, votes, policy),
        "U1": lambda: f"No preference is proven: {said}.",
        "U2": lambda: f"{below}: {said}.",
        "L1": lambda: f"Raters prefer B: {said}, estimated {above} the {point_limit(mpe)} that matters.",
    }
    found["sentence"] = sentences[rule]()
    last = "; more votes alone do not launch it" if votes["delta"] < 0 else ""
    if rule == "V1" and decided(votes) < policy["votes_min"]:
        lacking = policy["votes_min"] - decided(votes)
        found["would_change"] = f"{many(lacking, 'more query', 'more queries')} voted better or worse{last}"
    if rule == "U1":
        found["next_step"] = how_many(votes, mpe)
        found["would_change"] = f"lower bound of ΔGSB {points(votes['lower95'], 0)}%, needs > 0{last}"
    return found


def unlikely(outcome: str, votes: Row, policy: Row) -> str:
    """The sentence of F1."""
    mpe, said = policy["votes_mpe"], said_by(votes, policy)
    floor = max(mpe, policy["votes_margin"])
    if outcome == "TOO_SMALL":
        so = f", and so is one below −{point_limit(floor)}" if side(votes["lower95"], 0) <= 0 else ""
        return f"A ΔGSB of {point_limit(mpe)} is unlikely{so}: {said}."
    lowest = points(votes["lower95"], -floor)
    return f"A ΔGSB of {point_limit(mpe)} is unlikely; one of {lowest}% is possible: {said}."


def how_many(votes: Row, mpe: float) -> str:
    """The next step of U1."""
    share = decided(votes) / voted(votes)
    step = f"A ΔGSB of {point_limit(mpe)} takes about {about(required_votes(share, mpe))} queries with votes"
    if votes["delta"] < 0:
        return f"{step}. A is ahead: look at the losses first."
    if side(votes["delta"], mpe) < 0:
        return f"{step}."
    wanted = required_votes(share, min(votes["delta"], 1.0))
    return f"{step}, one as seen ({points(votes['delta'])}%) about {about(wanted)}."


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
    lean = {"delta": votes["delta"], "wins": votes["good"], "losses": votes["bad"]}
    if voted(votes):
        lean |= {"averaged": averaged(votes), "shown": f"ΔGSB {points(votes['delta'], 0)}%"}
    evidence = {"votes": votes, "plain": None, "data": None}
    return {
        "outcome": outcome,
        "launch": outcome == "LAUNCH",
        "rule": rule,
        "screen": SCREEN.get(outcome, "No launch"),
        "tag": tags[outcome],
        "exit_code": EXIT[outcome],
        "statuses": status,
        "leaning": leaning(lean) if voted(votes) else None,
        "caveats": warned(evidence, policy, looks, candidates, outcome, rule),
        **words(rule, outcome, votes, policy),
    }
