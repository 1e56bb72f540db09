"""A slow twin of the numbers below the verdict: one measure, votes with sides, and how few queries carry an outcome."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from functools import cache
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


def by_group(values: list[float], groups: list[str] | None) -> list[float]:
    """The sums of the groups; without groups the values."""
    if groups is None:
        return values
    return [sum(x for x, other in zip(values, groups, strict=True) if other == one) for one in dict.fromkeys(groups)]


def moments(
    changes: list[float], weights: list[float] | None, groups: list[str] | None = None
) -> tuple[float, float, float]:
    """Mean, standard error and effective number of queries."""
    weights = weights or [1.0] * len(changes)
    total = sum(weights)
    mean = sum(w * x for w, x in zip(weights, changes, strict=True)) / total
    apart = by_group([w / total * (x - mean) for w, x in zip(weights, changes, strict=True)], groups)
    units = len(apart)
    se = math.sqrt(units / (units - 1) * sum(u * u for u in apart)) if units > 1 else 0.0
    return mean, se, round(total**2 / sum(w * w for w in weights), 10)


@cache
def quantile(level: float, df: float) -> float:
    """A quantile of t."""
    return float(stats.t.ppf(level, df))


def numbers_of(
    changes: list[float],
    weights: list[float] | None = None,
    mpe: float = 0.005,
    *,
    groups: list[str] | None = None,
    needed: bool = False,
) -> dict[str, Any]:
    """What the rules read of one measure; changes are already rounded to 12 decimals."""
    n = len(changes)
    mean, se, n_eff = moments(changes, weights, groups)
    wins, losses = sum(x > 0 for x in changes), sum(x < 0 for x in changes)
    found: dict[str, Any] = {"n": n, "wins": wins, "losses": losses, "n_eff": n_eff}
    changed = wins + losses
    if groups is not None:
        found["clusters"] = len(set(groups))
        changed = len({group for group, x in zip(groups, changes, strict=True) if x})
    found |= {"changed": changed, "delta": 0.0 if wins + losses == 0 else mean}
    found |= dict.fromkeys(("lower95", "upper95", "lower90", "upper90", "p_harm", "mde80"))
    found |= dict.fromkeys(("required_n_mpe", "required_n_seen", "p_flip"))
    moved = [x * w / sum(weights) for x, w in zip(changes, weights, strict=True)] if weights else changes
    sums = [0.0 if groups and abs(x) < 1e-10 else x for x in by_group(moved, groups)]
    if changed <= 20 and any(sums):
        found["p_flip"] = flips(sums)
    sd = se * math.sqrt(n)
    if n < 2 or found.get("clusters") == 1:
        return found
    if sd <= 1e-12 * max(1.0, abs(mean)):
        if changed and abs(mean) > 1e-12:
            found["p_flip"] = 2.0**-changed if mean < 0 else 1.0
        return found
    df = max(min(n, n_eff, found.get("clusters", n)) - 1, 1)
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


#: What is known of queries that stand for nothing else; the rest is inferred.
COUNTED = frozenset("measure column name n n_eff n_all wins losses changed delta delta_all mean_a mean_b".split())


def reading_of(
    deltas: Deltas,
    policy: dict[str, Any],
    weights: list[float] | None = None,
    values: list[str] | None = None,
    *,
    groups: list[str] | None = None,
    needed: bool = False,
) -> dict[str, Any]:
    """All numbers of one reading; ``values`` are those of the policy's one segment column."""
    changes = deltas[policy["primary"]]
    segments = []
    for value in sorted(set(values or [])):
        rows = [i for i, one in enumerate(values or []) if one == value]
        within = [weights[i] for i in rows] if weights else None
        together = [groups[i] for i in rows] if groups else None
        found = numbers_of([changes[i] for i in rows], within, groups=together)
        segments.append({**found, "column": policy["segments"][0], "name": value})
    steps = [float((x >= policy["severe"]) - (x <= -policy["severe"])) for x in changes]
    net = by_group(steps, groups)
    found = {
        "primary": numbers_of(changes, weights, policy["mpe"], groups=groups, needed=needed),
        "guardrails": [
            {"measure": m, **numbers_of(deltas[m], weights, groups=groups)} for m, _ in policy["guardrails"]
        ],
        "watch": [{"measure": m, **numbers_of(deltas[m], weights, groups=groups)} for m, _ in policy["watch"]],
        "segments": segments,
        "severe": {"wins": sum(x > 0 for x in net), "losses": sum(x < 0 for x in net)},
    }
    if policy.get("inference") == "fixed":
        for row in (found["primary"], *found["guardrails"], *found["watch"], *found["segments"]):
            row.update({name: None for name in row if name not in COUNTED})
    return found


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
    """Votes (query, -1 0 1, left "A", "B" or "", rater or "") as the rules read them."""
    last = {(query, rater or i): (vote, left, rater) for i, (query, vote, left, rater) in enumerate(rows)}
    queries: dict[str, list[tuple[int, str, str]]] = {}
    for (query, _), said in last.items():
        queries.setdefault(query, []).append(said)
    everyone = list(queries.values())
    n, known = len(everyone), [left for said in everyone for _, left, _ in said if left]
    labels, y, h = [], [], []
    for said in everyone:
        good, bad = sum(v > 0 for v, _, _ in said), sum(v < 0 for v, _, _ in said)
        labels.append(1 if 2 * good > len(said) else -1 if 2 * bad > len(said) else 0)
        y.append((good - bad) / len(said))
        h.append((sum(s == "B" for _, s, _ in said) - sum(s == "A" for _, s, _ in said)) / len(said))
    found: dict[str, Any] = {"good": labels.count(1), "same": labels.count(0), "bad": labels.count(-1)}
    found["raters"] = max(len(said) for said in everyone)
    found["alpha"] = alpha_of([[v for v, _, _ in said] for said in everyone])
    found["decided"] = sum(one != 0 for one in y)
    people = {rater for said in everyone for _, _, rater in said}
    found["people"] = None if "" in people else len(people)
    found["n_side"] = None
    if known:
        found["left"] = known.count("B") / len(known)
        found |= side_of(y, h)
    line = balance(y, h if known else None)
    found |= dict.fromkeys(("lower95", "upper95", "lower90", "rater_lower95", "rater_upper95"))
    found |= {"delta": sum(y) / n, "interval": "tango"}
    if found["n_side"] == 0:
        return found
    found |= interval(everyone, line, found["n_side"])
    if found["people"] is not None and found["people"] >= 5:
        found["rater_lower95"], found["rater_upper95"] = by_rater(everyone, line, h)
    return found


@dataclass(frozen=True)
class Line:
    """Least squares of mean votes on sides: what each query adds at a balanced side, and what is left over."""

    weights: list[float]
    value: float
    slope: float | None
    residual: list[float]


def balance(y: list[float], h: list[float] | None) -> Line:
    """The value at h = 0, written as weights of the queries."""
    n = len(y)
    mean = sum(h) / n if h else 0.0
    squares = sum((x - mean) ** 2 for x in h) if h else 0.0
    if h is None or squares < 1e-10:
        value = sum(y) / n
        return Line([1 / n] * n, value, None, [one - value for one in y])
    a = [1 / n - mean * (x - mean) / squares for x in h]
    value = sum(w * one for w, one in zip(a, y, strict=True))
    slope = sum((x - mean) * one for x, one in zip(h, y, strict=True)) / squares
    return Line(a, value, slope, [one - value - slope * x for one, x in zip(y, h, strict=True)])


def interval(everyone: list[list[tuple[int, str, str]]], line: Line, worth: float | None) -> dict[str, Any]:
    """ΔGSB with its bounds: Tango's where every query has one vote, or nothing is left over; else t."""
    n = len(everyone)
    one_each = all(len(said) == 1 for said in everyone)
    df = n - 1 if line.slope is None else n - 2
    parts = ((a * e) ** 2 for a, e in zip(line.weights, line.residual, strict=True))
    se = math.sqrt(n / df * sum(parts)) if df > 0 else 0.0
    if one_each or se <= 1e-12:
        shares = []
        for sign in (1, -1):
            of = [sum(v == sign for v, _, _ in said) / len(said) for said in everyone]
            shares.append(min(1.0, max(0.0, sum(a * share for a, share in zip(line.weights, of, strict=True)))))
        p_good, p_bad = (share / max(1.0, sum(shares)) for share in shares)
        count = n if worth is None or not one_each else worth
        lower, upper = tango(count * p_good, count * p_bad, count, Z95)
        return {
            "delta": p_good - p_bad,
            "lower95": lower,
            "upper95": upper,
            "lower90": tango(count * p_good, count * p_bad, count, Z90)[0],
            "interval": "tango",
        }
    delta = min(1.0, max(-1.0, line.value))
    wide, narrow = (float(stats.t.ppf(level, df)) * se for level in (0.975, 0.95))
    return {
        "delta": delta,
        "lower95": max(-1.0, delta - wide),
        "upper95": min(1.0, delta + wide),
        "lower90": max(-1.0, delta - narrow),
        "interval": "t",
    }


def by_rater(everyone: list[list[tuple[int, str, str]]], line: Line, h: list[float]) -> tuple[float, float]:
    """The interval that counts raters."""
    added: dict[str, float] = {}
    for said, a, x in zip(everyone, line.weights, h, strict=True):
        for vote, _, rater in said:
            fit = line.value + (line.slope or 0.0) * x
            added[rater] = added.get(rater, 0.0) + a * (vote - fit) / len(said)
    r = len(added)
    half = float(stats.t.ppf(0.975, r - 1)) * math.sqrt(r / (r - 1) * sum(u * u for u in added.values()))
    return line.value - half, line.value + half


def side_of(y: list[float], h: list[float]) -> dict[str, Any]:
    """What the queries are worth at a balanced side, and the side's own effect."""
    n = len(y)
    mean = sum(h) / n
    squares = sum((x - mean) ** 2 for x in h)
    if squares < 1e-10:
        return {"n_side": 0.0 if any(h) else float(n)}
    found: dict[str, Any] = {"n_side": n * (1 - mean**2 / (sum(x * x for x in h) / n))}
    line = balance(y, h)
    found["side_effect"] = 2 * (line.slope or 0.0)
    if n > 2:
        parts = [((x - mean) * e) ** 2 for x, e in zip(h, line.residual, strict=True)]
        se = 2 * math.sqrt(n / (n - 2) * sum(parts)) / squares
        if se > 1e-9:
            half = float(stats.t.ppf(0.975, n - 2)) * se
            found |= {"side_lower95": found["side_effect"] - half, "side_upper95": found["side_effect"] + half}
            found["side_effect_p"] = 2 * float(stats.t.sf(abs(found["side_effect"]) / se, n - 2))
    return found


# -- fragility


def fewest(
    deltas: Deltas,
    policy: dict[str, Any],
    weights: list[float] | None = None,
    groups: list[str] | None = None,
) -> tuple[list[int] | None, str | None, int]:
    """(queries, what it turns to, how many were tried) without segments and votes, by the search of the definition."""
    full = reading_of(deltas, policy, weights, groups=groups)
    whole = Reading(full, None, policy)
    outcome, rule = whole.decided()
    n = full["primary"]["n"]
    searched = min(200, max(10, math.ceil(round(0.02 * n, 9))), n - 3)

    def kept(values: list[Any] | None, gone: list[int]) -> list[Any] | None:
        return [value for i, value in enumerate(values) if i not in gone] if values else None

    def turned(gone: list[int]) -> str | None:
        rest = {name: kept(values, gone) or [] for name, values in deltas.items()}
        numbers = reading_of(rest, policy, kept(weights, gone), groups=kept(groups, gone))
        now = Reading(numbers, None, policy, gate=full["primary"]).decided()[0]
        other = now != outcome if outcome in ("LAUNCH", "WORSE") else now in ("LAUNCH", "WORSE")
        return now if other else None

    best: tuple[list[int], str] | None = None
    for measure, level, up in paths(outcome, rule, whole, policy):
        own = numbers_of(deltas[measure], weights, groups=groups)
        df = max(min(own["n"], own["n_eff"], own.get("clusters", own["n"])) - 1, 1)
        c = 0.0 if level == 0 else math.copysign(quantile(abs(level), df), level)
        limit = searched if best is None else len(best[0]) - 1
        gone: list[int] = []
        while len(gone) < limit:
            following = farthest(deltas[measure], weights, groups, c, up, gone)
            if following is None:
                break
            gone = [*gone, following]
            now = turned(gone)
            if now:
                best = (gone, now)
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
        unsafe = min(whole.named["U3"], key=lambda g: g.get("lower90", g["delta"]) / g["margin"])
        found.append((unsafe["measure"], -0.95, True))
    elif rule in ("H5", "U2"):
        found.append((primary, 0.0, True))
    elif rule != "S1":
        found.append((primary, lower, True))
    if outcome != "WORSE":
        found.append((primary, 0.975, False))
    return found


def farthest(
    changes: list[float], weights: list[float] | None, groups: list[str] | None, c: float, up: bool, gone: list[int]
) -> int | None:
    """The query without which mean + c standard errors moves most; the first of equal ones."""
    best: tuple[float, int] | None = None
    for i in range(len(changes)):
        left = [j for j in range(len(changes)) if j != i and j not in gone]
        units = {groups[j] for j in left} if groups else left
        if i in gone or len(units) < 2:
            continue
        parts = [changes[j] for j in left], weights and [weights[j] for j in left], groups and [groups[j] for j in left]
        mean, se, _ = moments(*parts)
        moved = round(mean + c * se, 12)
        here = (-moved if up else moved, i)
        best = here if best is None or here < best else best
    return None if best is None else best[1]
