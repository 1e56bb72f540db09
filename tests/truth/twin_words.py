"""The words of the twin of the verdict: numbers as people read them, and sentences where the definition fixes them."""

from __future__ import annotations

import math
from typing import Any

PASSED, FAILED, OPEN, NONE = "passed", "failed", "not_proven", "not_applicable"
EXIT = {"LAUNCH": 0, "WORSE": 3, "TOO_SMALL": 4, "NOT_PROVEN": 5, "NOT_COMPARABLE": 6}
HARM = ("H1", "H2", "H3", "H4", "H5")
NAMES = {"AP": "MAP", "RR": "MRR"}


def name_of(measure: str) -> str:
    """The name that people read."""
    family, at, cutoff = measure.partition("@")
    return NAMES.get(family, family.replace("nDCG", "NDCG")) + at + cutoff


def plain(x: float) -> str:
    """Three decimals without a sign."""
    return f"{abs(x):.3f}"


def signed(x: float, places: int = 3) -> str:
    """A difference: its sign, a true minus, none for a rounded zero."""
    text = f"{abs(x):.{places}f}"
    if float(text) == 0:
        return text
    return ("+" if x > 0 else "−") + text


def points(x: float) -> str:
    """ΔGSB in percentage points without the percent sign."""
    return signed(100 * x, 1)


def about(n: int) -> str:
    """A count of two digits that count."""
    if n < 100:
        return f"{n:,}"
    step = 10 ** (len(str(n)) - 2)
    return f"{round(n / step) * step:,}"


def many(n: int, one: str, more: str = "") -> str:
    """A count with its noun."""
    return f"{n:,} {one if n == 1 else more or one + 's'}"


def span(lo: float, hi: float, level: int) -> str:
    """The interval in brackets."""
    return f"({level}% interval {signed(lo)} to {signed(hi)})"


def harm_span(row: dict[str, Any]) -> str:
    """The 90% interval, or that there is none."""
    return "(the same on every query)" if row["constant"] else span(row["lower90"], row["upper90"], 90)


def usable(votes: dict[str, Any] | None, policy: dict[str, Any]) -> bool:
    """Whether the votes may speak."""
    if votes is None or votes["good"] + votes["bad"] < policy["votes_min"]:
        return False
    if votes["raters"] > 1 and votes["alpha"] is not None and votes["alpha"] < policy["agreement_min"]:
        return False
    n = votes["good"] + votes["same"] + votes["bad"]
    return votes["n_side"] is None or votes["n_side"] >= n / 2


def p_text(p: float) -> str:
    """Three decimals, or below."""
    return "<0.001" if p < 0.001 else f"{p:.3f}"


def spoken(rule: str, outcome: str, evidence: dict[str, Any], reading: Any, policy: dict[str, Any]) -> dict[str, Any]:
    """Sentence, next step and what would change it, where the definition fixes them letter for letter."""
    said: dict[str, Any] = {"sentence": None, "next_step": None, "would_change": None}
    if rule[0] == "C":
        return {**said, "sentence": C_SENTENCES[rule](evidence["data"], policy) if rule in C_SENTENCES else None}
    counted = many(reading.n, "query", "queries")
    if policy["population"] == "affected":
        counted = f"{reading.n:,} of {many(evidence['data']['judged_queries'], 'query', 'queries')}"
    if rule in SAID:
        said |= SAID[rule](reading, policy, outcome == "NOT_PROVEN", counted)
    if rule in HARM and outcome == "NOT_PROVEN":
        said["next_step"] = "Look at these queries; more of them show whether the harm is real."
    if policy["population"] == "affected" and said["sentence"] and counted not in said["sentence"]:
        said["sentence"] += f" It counts {counted}, those whose lists differ."
    return said


def span95(primary: dict[str, Any]) -> str:
    """The 95% interval, or that there is none."""
    return "(the same on every query)" if primary["constant"] else span(primary["lower95"], primary["upper95"], 95)


def s0(reading: Any, policy: dict[str, Any], doubted: bool, counted: str) -> dict[str, str]:
    """Nothing varies."""
    delta, n = reading.raw["delta"], reading.n
    if delta == 0:
        said = f"B changes nothing that {name_of(policy['primary'])} sees: the difference is 0 on every query."
    else:
        few = f"{many(n, 'query', 'queries')} {'is' if n == 1 else 'are'} too few to rule out chance"
        needed = policy["harm_changed_min"]
        said = f"The difference is {signed(delta)} on every query; {few}, {needed} are needed."
    return {"sentence": said}


def h1(reading: Any, policy: dict[str, Any], doubted: bool, counted: str) -> dict[str, str]:
    """A loss of the primary measure."""
    primary = reading.primary
    core = f"{name_of(policy['primary'])} {signed(primary['delta'])} {span95(primary)} on {counted}"
    if not doubted:
        return {"sentence": f"B is worse: {core}."}
    few = f"but only {primary['changed']} of them changed and sign flips give p = {p_text(primary['p_flip'])}."
    return {"sentence": f"B may be worse: {core}, {few}"}


def harmed(row: dict[str, Any], reading: Any, policy: dict[str, Any], doubted: bool, counted: str) -> dict[str, str]:
    """A loss of a guardrail, watch measure or segment."""
    on = many(row["n"], "query", "queries") if "column" in row else counted
    core = f"{row['what']}: {signed(row['delta'])} {harm_span(row)} on {on}"
    if not doubted:
        return {"sentence": f"B harms {core}, beyond the limit of −{plain(row['margin'])}."}
    if row["changed"] < policy["harm_changed_min"]:
        few = f"only {row['changed']} of them changed, {policy['harm_changed_min']} are needed to prove it."
        return {"sentence": f"Possible harm to {core}; {few}"}
    return {"sentence": f"Possible harm to {core}; {chance(reading)}"}


def chance(reading: Any) -> str:
    """What keeps possible harm from being a claim."""
    return f"among {many(reading.family, 'harm test')} chance can do this."


def h5(reading: Any, policy: dict[str, Any], doubted: bool, counted: str) -> dict[str, str]:
    """Severe changes."""
    severe = reading.severe
    losses, wins = many(severe["losses"], "big loss", "big losses"), many(severe["wins"], "big win")
    core = f"{losses} against {wins} (|Δ| ≥ {plain(policy['severe'])}) on {counted}"
    if doubted:
        return {"sentence": f"B may break more queries than it rescues: {core}; {chance(reading)}"}
    return {"sentence": f"B breaks more queries than it rescues: {core}."}


def f1(reading: Any, policy: dict[str, Any], doubted: bool, counted: str) -> dict[str, str]:
    """Too small a gain."""
    primary, mpe = reading.primary, plain(policy["mpe"])
    start = f"Even at best B gains less than the {mpe} that matters"
    if not doubted:
        limit = plain(max(policy["mpe"], policy["primary_margin"]))
        return {"sentence": f"{start}, and it does not lose more than {limit} {span95(primary)}."}
    return {
        "sentence": f"{start}, and it may lose {plain(primary['lower95'])} {span95(primary)}.",
        "next_step": "Look at the losses; more queries can only tell how large the loss is.",
        "would_change": f"upper bound {signed(primary['upper95'])}, needs ≥ {mpe}",
    }


def n1(reading: Any, policy: dict[str, Any], doubted: bool, counted: str) -> dict[str, str]:
    """A loss that is not ruled out."""
    loss, limit = plain(reading.primary["lower90"]), plain(policy["primary_margin"])
    return {"sentence": f"B may be worse by up to {loss}; the limit is {limit}."}


def u4(reading: Any, policy: dict[str, Any], doubted: bool, counted: str) -> dict[str, str]:
    """Raters do not confirm."""
    votes = reading.votes
    if not usable(votes, policy):
        return {"sentence": "The policy asks for votes; there are none, or too few."}
    inside = f"({points(votes['lower95'])} to {points(votes['upper95'])})"
    return {"sentence": f"Raters do not confirm it: ΔGSB {points(votes['delta'])}% {inside}."}


SAID = {
    "S0": s0,
    "H1": h1,
    "H2": lambda reading, *more: harmed(reading.named["H2"], reading, *more),
    "H3": lambda reading, *more: {"sentence": prefer_a(reading.votes)},
    "H4": lambda reading, *more: harmed(reading.named["H4"], reading, *more),
    "H5": h5,
    "S1": lambda reading, policy, *more: too_few(reading, policy),
    "F1": f1,
    "U1": lambda reading, policy, *more: unproven(reading, policy),
    "U2": lambda reading, policy, *more: {
        "sentence": f"B is really better, but perhaps by less than the {plain(policy['mpe'])} that matters."
    },
    "N1": n1,
    "U4": u4,
}


def c4(data: dict[str, Any], policy: dict[str, Any]) -> str:
    """The one that misses more comes first."""
    pairs = sorted([(-data["missing_a"], "A"), (-data["missing_b"], "B")])
    (m, x), (other, y) = pairs
    return f"{x} has no result for {many(-m, 'query', 'queries')}, {y} for {-other:,}."


def c6(data: dict[str, Any], policy: dict[str, Any]) -> str:
    """Whose documents are not judged."""
    k = policy["cutoff"]
    if data["judged_a"] == 0 and data["judged_b"] == 0:
        return f"None of the top {k} documents of A and B is judged."
    x = "A" if data["judged_a"] == 0 else "B"
    return f"None of {x}’s top {k} documents is judged."


C_SENTENCES = {
    "C2": lambda data, policy: "The labels cannot tell the models apart.",
    "C6": c6,
    "C3": lambda data, policy: "A and B are identical: the same file twice?",
    "C4": c4,
}


def prefer_a(votes: dict[str, Any]) -> str:
    """The sentence of H3."""
    n = votes["good"] + votes["same"] + votes["bad"]
    inside = f"ΔGSB {points(votes['delta'])}%, 95% interval {points(votes['lower95'])} to {points(votes['upper95'])}"
    sides = "; averaged over both sides" if votes["n_side"] is not None else ""
    g, b = votes["good"], votes["bad"]
    losses, wins = many(b, "loss", "losses"), many(g, "win")
    return f"Raters prefer A: {losses} against {wins} on {many(n, 'query', 'queries')} ({inside}{sides})."


def too_few(reading: Any, policy: dict[str, Any]) -> dict[str, str]:
    """The words of S1."""
    changed, delta = reading.raw["changed"], reading.raw["delta"]
    more = []
    missing = math.ceil(round(policy["n_min"] - reading.gate_n, 9))
    if missing > 0:
        more.append(many(missing, "more query", "more queries"))
    if changed < policy["changed_min"]:
        more.append(many(policy["changed_min"] - changed, "more changed query", "more changed queries"))
    text = " and ".join(more)
    change = text
    if policy["intent"] == "improve" and delta <= 0:
        change += f", and a better B: difference {signed(delta)}, needs ≥ {plain(policy['mpe'])}"
    return {"next_step": f"Add {text}, or collect votes.", "would_change": change}


def ahead(delta: float, deciding: int | None, n: int) -> str:
    """What more queries cannot settle."""
    if delta < 0:
        return " A is ahead: look at the losses first."
    if delta == 0:
        return " A and B are level."
    hopeless = deciding is not None and deciding > 10 * n
    return " More queries will not settle this; use votes or an online test." if hopeless else ""


def unproven(reading: Any, policy: dict[str, Any]) -> dict[str, str]:
    """The words of U1."""
    primary, n, mpe = reading.primary, reading.n, policy["mpe"]
    delta, need_mpe, need_seen = primary["delta"], primary.get("required_n_mpe"), primary.get("required_n_seen")
    if float(plain(delta)) == 0:
        sentence = f"The difference is not distinguishable from zero with {many(n, 'query', 'queries')}."
    else:
        word = "better" if delta > 0 else "worse"
        sentence = f"B looks {word} by {plain(delta)}, but chance alone can do this."
    step = f"This set resolves about ±{plain(primary['mde80'])}"
    first = need_mpe is not None and need_mpe > n
    if first:
        step += f"; a gain of {plain(mpe)} needs about {about(need_mpe)} queries"
    if delta > 0 and delta >= mpe and need_seen is not None and need_seen > n:
        if first:
            step += f", a difference as seen ({signed(delta)}) about {about(need_seen)}"
        else:
            step += f"; a difference as seen ({signed(delta)}) needs about {about(need_seen)} queries"
    step += "."
    step += ahead(delta, need_mpe if delta < mpe else need_seen, n)
    lower = f"lower bound {signed(primary['lower95'])}, needs > 0"
    if delta <= 0:
        change = f"a better B: difference {signed(delta)}, needs ≥ {plain(mpe)}; more queries alone do not launch it"
    elif delta < mpe:
        change = f"difference {signed(delta)}, needs ≥ {plain(mpe)}, and {lower}"
    elif need_seen is not None and n < need_seen <= 10 * n:
        change = f"about {about(need_seen - n)} more queries if the difference stays ({lower})"
    else:
        change = lower
    return {"sentence": sentence, "next_step": step, "would_change": change}


def leaning(primary: dict[str, Any]) -> dict[str, Any]:
    """Who is ahead and what the bare sign says."""
    delta = primary["delta"]
    sign = "launch" if delta > 0 else "no launch"
    ahead = "B" if delta > 0 else "A" if delta < 0 else None
    return {"ahead": ahead, "wins": primary["wins"], "losses": primary["losses"], "sign_rule": sign}
