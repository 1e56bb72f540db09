"""Random evidence as plain numbers, much of it exactly at a limit: what `twin_verdict` and the product both read."""

import random
from typing import Any

from rankdash.evidence.gsb import tango
from tests.evidence.cases import CASES

DEFAULTS: dict[str, Any] = CASES["policy_cases"]["defaults"]

#: What the numbers of a measure are drawn from: the limits, what is a step beside them, rounded zeros.
DELTAS = (
    *(0.0, 0.0004, -0.0004, 0.0005, 0.003, 0.005, 0.0049, 0.00496, 0.01, 0.012, 0.015, 0.03, 0.03, 0.05),
    *(-0.001, -0.004, -0.01, -0.0099, -0.02, -0.0201, -0.03, -0.12),
)
HALVES = (0.0002, 0.002, 0.0029, 0.004, 0.005, 0.007, 0.01, 0.015, 0.02, 0.03, 0.08)
PS = (0.0001, 0.004, 0.01, 0.0125, 0.0166, 0.02, 0.025, 0.03, 0.049, 0.05, 0.2, 0.6, 0.8, 0.97)


def policy(dice: random.Random) -> dict[str, Any]:
    """What a policy says that is not a default."""
    said: dict[str, Any] = {}
    if dice.random() < 0.3:
        said["intent"] = "do_no_harm"
    choices = {
        "votes": ("veto", "confirm", "inform"),
        "mpe": (0.0, 0.005, 0.03),
        "primary_margin": (0.01, 0.02),
        "segments": (["frequency"], []),
        "guardrails": ([["AP", 0.01]], [], [["AP", 0.01], ["P@5", 0.02]]),
        "watch": ([["nDCG@1", 0.02], ["RR", 0.02]], [], [["nDCG@1", 0.01]]),
        "missing": ("unknown", "empty", "skip"),
        "population": ("all", "affected"),
        "n_min": (30, 50),
        "harm_n_min": (20, 2),
        "harm_changed_min": (6, 8),
        "severe": (0.2, 0.1),
        "big_excess_min": (0.01, 0.0, 0.1, 0.0033),
        "votes_mpe": (0.02, 0.1),
        "cutoff": (10, 5),
    }
    if dice.random() < 0.15:
        said["inference"] = "fixed"
    for name, values in choices.items():
        if dice.random() < 0.25:
            said[name] = dice.choice(values)
    return said


def votes_policy(dice: random.Random) -> dict[str, Any]:
    """What a policy says of votes that is not a default."""
    choices = {
        "votes_min": (20, 5),
        "votes_mpe": (0.02, 0.1),
        "votes_margin": (0.05, 0.01, 0.0333),
        "votes": ("veto", "inform", "confirm"),
    }
    return {name: dice.choice(values) for name, values in choices.items() if dice.random() < 0.3}


def whole(said: dict[str, Any]) -> dict[str, Any]:
    """Every field of the policy."""
    return {**DEFAULTS, **said}


def even(x: float) -> float:
    """Without the noise of a sum of decimals: exactly at a limit is exactly at it."""
    return round(x, 12)


def measure(dice: random.Random, n: int) -> dict[str, Any]:
    """Delta, bounds, changed queries or groups and p of one measure, at times undefined or the same everywhere; ``n``
    counts what can change.
    """
    kind = dice.random()
    delta, half = dice.choice(DELTAS), dice.choice(HALVES)
    if kind < 0.03:
        return {"delta": 0.0, "changed": 0, "lower90": None, "upper90": None, "p_harm": None, "p_flip": 1.0}
    if kind < 0.08 or n < 2:
        delta = delta or -0.02
        exact = 2.0**-n if delta < 0 else 1.0
        return {"delta": delta, "changed": n, "lower90": None, "upper90": None, "p_harm": None, "p_flip": exact}
    if dice.random() < 0.1:
        half = abs(delta) or half
    few = dice.random() < 0.3
    changed = min(n, dice.choice((1, 5, 6, 7, 12, 19, 20, 21) if few else (20, 21, n, max(1, n // 2))))
    found = {"delta": delta, "changed": changed, "lower90": even(delta - half), "upper90": even(delta + half)}
    found["p_harm"] = dice.choice(PS)
    found["p_flip"] = None if changed > 20 else dice.choice((*PS, 2.0**-changed))
    return found


def primary(dice: random.Random, n: int, clusters: int | None) -> dict[str, Any]:
    """The primary measure."""
    row = measure(dice, n if clusters is None else clusters)
    if clusters == 1:
        row |= {"lower90": None, "upper90": None, "changed": min(row["changed"], 1)}
    lower, upper = row.pop("lower90"), row.pop("upper90")
    row.pop("p_harm")
    wins = dice.randint(0, row["changed"])
    found = {**row, "n": n, "wins": wins, "losses": row["changed"] - wins, "lower90": lower, "upper90": upper}
    if lower is None:
        wide = {"lower95": None, "upper95": None}
        needed = {"mde80": None, "required_n_mpe": None, "required_n_seen": None}
    else:
        half = (upper - lower) / 2 * dice.choice((1.0, 1.19))
        wide = {"lower95": even(row["delta"] - half), "upper95": even(row["delta"] + half)}
        wide |= {"se": half / 2, "df": n if clusters is None else clusters}
        needed = {
            "mde80": half * 1.43,
            "required_n_mpe": dice.choice((n - 1, n, n + 1, 99, 100, 995, 4524, 10 * n, 10 * n + 1, 123456)),
            "required_n_seen": None
            if row["delta"] == 0
            else dice.choice((n - 1, n, n + 1, n + 94, n + 99, n + 100, 10 * n, 10 * n + 1, 949, 123456)),
        }
    if dice.random() < 0.15:
        found["n_eff"] = min(n, dice.choice((n * 0.9, n / 2, 29.5, 30.0, 19.99, 20.0)))
    if clusters is not None:
        found["clusters"] = clusters
    if dice.random() < 0.3:
        found |= {"mean_a": 0.6124, "mean_b": 0.6124 + row["delta"], "delta_all": dice.choice((None, 0.0018, -0.0002))}
    return {**found, **wide, **needed}


def segment(dice: random.Random, name: str, grouped: bool) -> dict[str, Any]:
    """One value of a column, at times weighted, at times of a few groups."""
    size = dice.choice((5, 29, 30, 31, 200))
    groups = max(2, dice.choice((size, size // 2, min(size, 30), min(size, 29)))) if grouped else None
    found = {"column": dice.choice(("frequency", "other")), "name": name, "n": size}
    found |= measure(dice, size if groups is None else groups)
    found |= {} if groups is None else {"clusters": groups}
    return found | ({"n_eff": dice.choice((size * 0.8, min(size, 29.99)))} if dice.random() < 0.1 else {})


def other(dice: random.Random, name: str, n: int, clusters: int | None) -> dict[str, Any]:
    """Another measure, at times on fewer queries than the primary."""
    own = min(n, dice.choice((5, 19, 20, 29, 30, 31, 200))) if dice.random() < 0.25 else None
    groups = {} if clusters is None else {"clusters": clusters if own is None else min(clusters, own)}
    units = groups.get("clusters", n if own is None else own)
    return {"measure": name, **measure(dice, units), **groups, **({} if own is None else {"n": own})}


def reading(dice: random.Random, n: int) -> dict[str, Any]:
    """Primary, guardrails, watch, segments and severe changes, at times in groups, at times without any change."""
    clusters = dice.choice((1, max(1, n // 5), max(1, n // 2), n, min(n, 30))) if dice.random() < 0.3 else None
    severe = {"wins": dice.randint(0, 12), "losses": dice.choice((0, 0, 1, 4, 5, 6, 12, 20, 60))}
    found = {
        "primary": primary(dice, n, clusters),
        "guardrails": [other(dice, name, n, clusters) for name in ("AP", "P@5")[: dice.randint(1, 2)]],
        "watch": [other(dice, name, n, clusters) for name in ("nDCG@1", "RR")[: dice.randint(0, 2)]],
        "segments": [
            segment(dice, name, clusters is not None) for name in ("head", "tail", "torso")[: dice.randint(0, 3)]
        ],
        "severe": severe if dice.random() < 0.9 else {"wins": 0, "losses": 0},
    }
    if dice.random() < 0.05:
        nothing = {"delta": 0.0, "changed": 0, **dict.fromkeys(("lower90", "upper90", "p_harm", "p_flip"))}
        wide = dict.fromkeys(("lower95", "upper95", "mde80", "required_n_mpe", "required_n_seen"))
        found["primary"] |= nothing | wide | {"wins": 0, "losses": 0}
        found["primary"].pop("p_harm")
        for kind in ("guardrails", "watch", "segments"):
            found[kind] = [row | nothing for row in found[kind]] if dice.random() < 0.8 else found[kind]
        found["severe"] = {"wins": 0, "losses": 0}
    return found


def votes(dice: random.Random) -> dict[str, Any] | None:
    """Votes with the interval of their counts, at times with sides, one-sided, or of several raters."""
    if dice.random() < 0.4:
        return None
    good, same, bad = (
        dice.choice((0, 2, 10, 40, 90, 150)),
        dice.choice((0, 5, 60, 1200)),
        dice.choice((0, 2, 10, 40, 90, 150)),
    )
    n = good + same + bad
    found: dict[str, Any] = {"good": good, "same": same, "bad": bad}
    found["raters"] = dice.choice((1, 1, 3))
    found["alpha"] = None if found["raters"] == 1 else dice.choice((None, 0.19, 0.2, 0.45, 0.1))
    found["n_side"] = None
    shown = n
    if n and dice.random() < 0.5:
        found["left"] = dice.choice((0.0, 0.5, 0.61, 0.97))
        found["n_side"] = dice.choice((n, n / 2, n / 2 - 0.1, 0.8 * n, 0.0))
        shown = found["n_side"]
        if shown and dice.random() < 0.8:
            effect, half = dice.choice((-0.3, 0.05, 0.3, 2.0)), dice.choice((0.0, 0.1, 0.4))
            found |= {"side_effect": effect, "side_lower95": effect - half, "side_upper95": effect + half}
            found["side_effect_p"] = dice.choice((0.0, 0.049, 0.05, 0.3))
    bounds: dict[str, Any] = {"delta": (good - bad) / n if n else None}
    bounds |= dict.fromkeys(("lower95", "upper95", "lower90"))
    if shown:
        good_same_bad = [count * shown / n for count in (good, same, bad)]
        bounds["lower95"], bounds["upper95"] = tango(*good_same_bad)
        bounds["lower90"] = tango(*good_same_bad, 0.90)[0]
    if dice.random() < 0.6:
        found["people"] = dice.choice((1, 2, 4, 5, 12))
        if found["people"] >= 5 and n:
            middle, half = dice.choice((-0.06, 0.0, 0.2)), dice.choice((0.05, 0.06, 1.3))
            found |= {"rater_lower95": even(middle - half), "rater_upper95": even(middle + half)}
    if n and shown and dice.random() < 0.4:
        middle, half = dice.choice((-0.3, -0.06, -0.02, 0.0, 0.0196, 0.02, 0.2)), dice.choice((0.0004, 0.02, 0.05, 0.3))
        found |= dice.choice(({"interval": "t"}, {"interval": "planned", "look": 3}, {"interval": "open"}))
        found["decided"] = dice.choice((None, min(n, 19), min(n, 20), n))
        bounds = {"delta": middle, "lower95": even(middle - half), "upper95": even(middle + half)}
        bounds["lower90"] = even(middle - 0.8 * half)
    return {**found, **bounds}


def leak(dice: random.Random) -> dict[str, Any]:
    """A run that is nearly, or just, the judgments in the order of their grades."""
    found = {"listed": 400, "judged": dice.choice((400, 400, 399)), "lists": 40}
    return found | {"in_grade_order": dice.choice((40, 40, 39)), "two_grades": dice.choice((29, 30, 40))}


def checks(dice: random.Random, n: int) -> dict[str, Any]:
    """What is known of the data: mostly comparable."""
    found = dict.fromkeys(("judged_queries", "common_queries", "queries_with_relevant", "affected"), n)
    found |= {"missing_a": 0, "missing_b": 0, "distinct_grades": 4, "unjudged_shown": 40, "identical": False}
    found |= {"kind": "judged", "judged_a": 0.97, "judged_b": 0.966}
    others = {
        "common_queries": (0,),
        **dict.fromkeys(("missing_a", "missing_b"), (4, 5, 6, 40, n // 100)),
        "queries_with_relevant": (0, 1),
        "distinct_grades": (0, 1, 2),
        "unjudged_shown": (0, 1),
        "identical": (True,),
        "kind": ("positive_only",),
        **dict.fromkeys(("judged_a", "judged_b"), (0.0, 0.96, 1.0, None, 0.98, 0.956)),
        "affected": (0, 1, None),
        "same_file": (True,),
        "repeated_texts": (0, n // 20, n // 20 - 1, n // 20 + 1, n),
        "leak_a": (None, leak(dice)),
        "leak_b": (None, leak(dice)),
    }
    often = {"common_queries": 0.03, "affected": 0.03, "same_file": 0.5, "identical": 0.3}
    for name, values in others.items():
        if dice.random() < often.get(name, 0.06):
            found[name] = dice.choice(values)
    return found


def case(seed: int) -> dict[str, Any]:
    """One case: the policy, the evidence, and how often it was looked at."""
    dice = random.Random(seed)
    n = dice.choice((1, 5, 6, 8, 19, 20, 25, 29, 30, 31, 50, 99, 100, 200, 299, 300, 1000, 1000, 2000, 7000))
    found = {
        "data": checks(dice, n),
        "plain": reading(dice, n),
        "condensed": None if dice.random() < 0.5 else reading(dice, n),
        "votes": votes(dice),
    }
    looks, candidates = dice.choice((1, 1, 2, 3, 5, 10, 21)), dice.choice((1, 1, 2, 7))
    return {"policy": policy(dice), "evidence": found, "looks": looks, "candidates": candidates}
