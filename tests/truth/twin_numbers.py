"""A slow twin of the numbers below the verdict: one measure, votes with sides, and how few queries carry an outcome."""

from __future__ import annotations

import math
from collections import Counter
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
from scipy import special, stats

from tests.truth.twin_verdict import Reading
from tests.truth.twin_votes import tango

Deltas = dict[str, list[float]]
Z95, Z90 = float(stats.norm.ppf(0.975)), float(stats.norm.ppf(0.95))
Z80 = Z95 + float(stats.norm.ppf(0.8))


def power(n: int, sd: float, target: float) -> float:
    """The power of the paired t-test with n pairs, over 4,000 values that the sample's deviation may have."""
    at, limit = (np.arange(4000) + 0.5) / 4000, stats.t.ppf(0.975, n - 1)
    spread = np.sqrt(special.gammaincinv((n - 1) / 2, at) * 2 / (n - 1))  # each as likely as the others
    shift = abs(target) / sd * math.sqrt(n)
    return float(np.mean(special.ndtr(shift - limit * spread) + special.ndtr(-limit * spread - shift)))


def required_n(sd: float, target: float) -> int:
    """The smallest n at which the paired t-test has 80% power: up from fewer than the normal test needs."""
    n = max(2, int((Z80 * sd / target) ** 2) - 2)
    while n > 2 and power(n, sd, target) >= 0.8:
        n //= 2
    while power(n, sd, target) < 0.8:
        n += 1
    return n


def flips(changes: list[float]) -> float:
    """The share of sign flips whose sum is at most the sum seen: all of them, one by one."""
    moved, sums = [x for x in changes if x != 0], np.zeros(1)
    for x in moved:
        sums = np.concatenate((sums + x, sums - x))
    return float((sums <= sum(moved) + 1e-12).mean())


def moments(changes: list[float], weights: list[float] | None) -> tuple[float, float, float]:
    """Mean, standard error and effective number of queries."""
    n = len(changes)
    weights = weights or [1.0] * n
    total = sum(weights)
    mean = sum(w * x for w, x in zip(weights, changes, strict=True)) / total
    squares = sum((w * (x - mean)) ** 2 for w, x in zip(weights, changes, strict=True))
    se = math.sqrt(n / (n - 1) * squares) / total if n > 1 else 0.0
    return mean, se, round(total**2 / sum(w * w for w in weights), 10)


@cache
def quantile(level: float, df: float) -> float:
    """A quantile of t."""
    return float(stats.t.ppf(level, df))


def numbers_of(
    changes: list[float], weights: list[float] | None = None, mpe: float = 0.005, *, needed: bool = False
) -> dict[str, Any]:
    """What the rules read of one measure; changes are already rounded to 12 decimals."""
    n = len(changes)
    mean, se, n_eff = moments(changes, weights)
    wins, losses = sum(x > 0 for x in changes), sum(x < 0 for x in changes)
    found: dict[str, Any] = {"n": n, "changed": wins + losses, "wins": wins, "losses": losses, "n_eff": n_eff}
    found["delta"] = 0.0 if wins + losses == 0 else mean
    found |= dict.fromkeys(("lower95", "upper95", "lower90", "upper90", "p_harm", "mde80"))
    found |= dict.fromkeys(("required_n_mpe", "required_n_seen", "p_flip"))
    moved = [x * w / sum(weights) for x, w in zip(changes, weights, strict=True)] if weights else changes
    if 0 < found["changed"] <= 20:
        found["p_flip"] = flips(moved)
    sd = se * math.sqrt(n)
    if n < 2 or sd <= 1e-12 * max(1.0, abs(mean)):
        if found["changed"]:
            found["p_flip"] = 2.0 ** -found["changed"] if mean < 0 else 1.0
        return found
    df = max(n_eff - 1, 1)
    for name, level in (("95", 0.975), ("90", 0.95)):
        half = quantile(level, df) * se
        found["lower" + name], found["upper" + name] = mean - half, mean + half
    found["p_harm"] = float(special.stdtr(df, mean / se))
    found["mde80"] = Z80 * se
    if not needed:
        return found
    found["required_n_mpe"] = required_n(sd, mpe) if mpe and sd / mpe < 60 else None
    found["required_n_seen"] = required_n(sd, mean) if mean and sd / abs(mean) < 60 else None
    return found


def reading_of(
    deltas: Deltas,
    policy: dict[str, Any],
    weights: list[float] | None = None,
    values: list[str] | None = None,
    *,
    needed: bool = False,
) -> dict[str, Any]:
    """All numbers of one reading; ``values`` are those of the policy's one segment column."""
    changes = deltas[policy["primary"]]
    segments = []
    for value in sorted(set(values or [])):
        rows = [i for i, one in enumerate(values or []) if one == value]
        within = [weights[i] for i in rows] if weights else None
        found = numbers_of([changes[i] for i in rows], within)
        segments.append({**found, "column": policy["segments"][0], "name": value, "n": int(round(found["n_eff"], 9))})
    return {
        "primary": numbers_of(changes, weights, policy["mpe"], needed=needed),
        "guardrails": [{"measure": m, **numbers_of(deltas[m], weights)} for m, _ in policy["guardrails"]],
        "watch": [{"measure": m, **numbers_of(deltas[m], weights)} for m, _ in policy["watch"]],
        "segments": segments,
        "severe": {
            "wins": sum(x >= policy["severe"] for x in changes),
            "losses": sum(x <= -policy["severe"] for x in changes),
        },
    }


# -- votes


def alpha_of(units: list[list[int]]) -> float | None:
    """Krippendorff's nominal alpha by pairs."""
    units = [unit for unit in units if len(unit) > 1]
    everyone = [label for unit in units for label in unit]
    n = len(everyone)
    counts = Counter(everyone)
    expected = sum(counts[a] * counts[b] for a in counts for b in counts if a != b)
    if not expected:
        return None
    observed = sum(
        sum(a != b for i, a in enumerate(u) for j, b in enumerate(u) if i != j) / (len(u) - 1) for u in units
    )
    return 1 - (n - 1) * observed / expected


def votes_of(rows: list[tuple[str, int, str, str]]) -> dict[str, Any]:
    """Votes (query, -1 0 1, left "A", "B" or "", rater) as the rules read them."""
    last = {(query, rater): (vote, left) for query, vote, left, rater in rows}
    queries: dict[str, list[tuple[int, str]]] = {}
    for (query, _), said in last.items():
        queries.setdefault(query, []).append(said)
    labels, h = [], []
    for said in queries.values():
        good, bad = sum(v > 0 for v, _ in said), sum(v < 0 for v, _ in said)
        labels.append(1 if 2 * good > len(said) else -1 if 2 * bad > len(said) else 0)
        h.append((sum(s == "B" for _, s in said) - sum(s == "A" for _, s in said)) / len(said))
    n, known = len(labels), [s for said in queries.values() for _, s in said if s]
    found: dict[str, Any] = {"good": labels.count(1), "same": labels.count(0), "bad": labels.count(-1)}
    found["raters"] = max(len(said) for said in queries.values())
    found["alpha"] = alpha_of([[v for v, _ in said] for said in queries.values()])
    found["n_side"] = None
    good, bad, worth = float(found["good"]), float(found["bad"]), float(n)
    found["delta"] = (good - bad) / n
    if known:
        found["left"] = known.count("B") / len(known)
        found |= at_balance(labels, h)
        worth = found["n_side"]
        good, bad = found.pop("p_good") * worth, found.pop("p_bad") * worth
    found |= dict.fromkeys(("lower95", "upper95", "lower90"))
    if worth:
        found["lower95"], found["upper95"] = tango(good, bad, worth, Z95)
        found["lower90"] = tango(good, bad, worth, Z90)[0]
    return {**found, "pooled": pooled_of([[v for v, _ in said] for said in queries.values()])}


def at_balance(labels: list[int], h: list[float]) -> dict[str, Any]:
    """Shares at h = 0, what the queries are worth, and the side's own effect."""
    n = len(labels)
    mean = sum(h) / n
    squares = sum((x - mean) ** 2 for x in h)
    if squares < 1e-10:
        p_good, p_bad = labels.count(1) / n, labels.count(-1) / n
        worth = 0.0 if any(h) else float(n)
        return {"n_side": worth, "p_good": p_good, "p_bad": p_bad, "delta": p_good - p_bad}

    def line(y: list[float]) -> tuple[float, float]:
        slope = sum((x - mean) * one for x, one in zip(h, y, strict=True)) / squares
        return sum(y) / n - slope * mean, slope

    p_good, p_bad = (min(1.0, max(0.0, line([float(label == sign) for label in labels])[0])) for sign in (1, -1))
    scale = max(1.0, p_good + p_bad)
    found: dict[str, Any] = {"n_side": n * (1 - mean**2 / (sum(x * x for x in h) / n))}
    found |= {"p_good": p_good / scale, "p_bad": p_bad / scale, "delta": (p_good - p_bad) / scale}
    start, slope = line([float(label) for label in labels])
    found["side_effect"] = 2 * slope
    if n > 2:
        parts = [((x - mean) * (y - start - slope * x)) ** 2 for x, y in zip(h, labels, strict=True)]
        se = 2 * math.sqrt(n / (n - 2) * sum(parts)) / squares
        if se > 1e-9:
            half = float(stats.t.ppf(0.975, n - 2)) * se
            found |= {"side_lower95": 2 * slope - half, "side_upper95": 2 * slope + half}
            found["side_effect_p"] = 2 * float(stats.t.sf(abs(2 * slope) / se, n - 2))
    return found


def pooled_of(units: list[list[int]]) -> dict[str, Any]:
    """ΔGSB of all rows with the interval of a ratio of sums over queries."""
    q, rows = len(units), sum(map(len, units))
    delta = sum(map(sum, units)) / rows
    if q < 2:
        return {"delta": delta, "lower95": None, "upper95": None}
    se = math.sqrt(q / (q - 1) * sum((sum(u) - delta * len(u)) ** 2 for u in units)) / rows
    half = float(stats.t.ppf(0.975, q - 1)) * se
    return {"delta": delta, "lower95": delta - half, "upper95": delta + half}


# -- fragility


def fewest(
    deltas: Deltas, policy: dict[str, Any], weights: list[float] | None = None
) -> tuple[int | None, str | None, int]:
    """(queries, what it turns to, how many were tried) without segments and votes, by the search of the definition."""
    full = reading_of(deltas, policy, weights)
    whole = Reading(full, None, policy)
    outcome, rule = whole.decided()
    n, df = full["primary"]["n"], max(full["primary"]["n_eff"] - 1, 1)
    searched = min(200, max(10, int(0.02 * n)))

    def turned(gone: tuple[int, ...]) -> str | None:
        left = [i for i in range(n) if i not in gone]
        rest = {name: [values[i] for i in left] for name, values in deltas.items()}
        numbers = reading_of(rest, policy, [weights[i] for i in left] if weights else None)
        now = Reading(numbers, None, policy, gate=full["primary"]).decided()[0]
        other = now != outcome if outcome in ("LAUNCH", "WORSE") else now in ("LAUNCH", "WORSE")
        return now if other else None

    best: tuple[int, str] | None = None
    for measure, level, up in paths(outcome, rule, whole, policy):
        c = 0.0 if level == 0 else math.copysign(quantile(abs(level), df), level)
        limit = min(searched, n - 2) if best is None else best[0] - 1
        for gone in removals(deltas[measure], weights, c, up, limit):
            now = turned(gone)
            if now:
                best = (len(gone), now)
                break
    return (best[0], best[1], searched) if best else (None, None, searched)


def paths(outcome: str, rule: str, whole: Reading, policy: dict[str, Any]) -> list[tuple[str, float, bool]]:
    """(measure, signed level of t, up) of each bound that is moved."""
    primary = policy["primary"]
    lower = -0.975 if policy["intent"] == "improve" else -0.95
    if outcome == "LAUNCH":
        return [(primary, lower, False), *((name, -0.95, False) for name, _ in policy["guardrails"])]
    found: list[tuple[str, float, bool]] = []
    if rule == "H1":
        found.append((primary, 0.975, True))
    elif rule in ("H2", "H4"):
        found.append((whole.named[rule]["measure"], 0.95, True))
    elif rule == "U3":
        found.append((whole.named["U3"][0]["measure"], -0.95, True))
    elif rule in ("H5", "U2"):
        found.append((primary, 0.0, True))
    elif rule != "S1":
        found.append((primary, lower, True))
    if outcome != "WORSE":
        found.append((primary, 0.975, False))
    return found


def removals(changes: list[float], weights: list[float] | None, c: float, up: bool, most: int) -> Any:
    """The removals of 1, 2, 3, ... queries that move the bound most."""
    n = len(changes)

    def moved(gone: tuple[int, ...]) -> float:
        left = [i for i in range(n) if i not in gone]
        mean, se, _ = moments([changes[i] for i in left], [weights[i] for i in left] if weights else None)
        return round(-(mean + c * se) if up else mean + c * se, 12)

    if most < 1:
        return
    order = sorted(range(n), key=lambda i: (moved((i,)), i))
    chosen: tuple[int, ...] = (order[0],)
    yield chosen
    for k in range(2, min(3, most) + 1):
        chosen = min(combinations(order[:12], k), key=moved)
        yield chosen
    while len(chosen) < most:
        rest = [i for i in range(n) if i not in chosen]
        chosen = (*chosen, min(rest, key=lambda i: moved((*chosen, i))))
        yield chosen
