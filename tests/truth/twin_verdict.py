"""A slow twin of the verdict: the rules of policy version 2 over plain numbers, one after the other, in plain Python.

Written from the definition alone. `judge` takes what a case of the reference holds (data, plain, condensed, votes)
and a whole policy as a dict, and says outcome, rule, tag, statuses and words.
"""

from __future__ import annotations

import math
from typing import Any

from tests.truth.twin_votes import warned
from tests.truth.twin_words import EXIT, FAILED, HARM, NONE, OPEN, PASSED, leaning, name_of, spoken, usable

ORDER = "C1 C2 C6 C3 C4 C5 S0 H1 H2 H3 H4 H5 S1 F1 U1 U2 N1 U3 U4".split()


def bounded(row: dict[str, Any], policy: dict[str, Any]) -> dict[str, Any] | None:
    """The row with bounds: its own, those of a constant on enough queries, or None."""
    if row.get("lower90") is not None:
        return {**row, "constant": False}
    if row["delta"] is not None and row["delta"] != 0 and row["changed"] >= policy["harm_changed_min"]:
        c = row["delta"]
        found = {**row, "constant": True, "lower90": c, "upper90": c, "lower95": c, "upper95": c}
        exact = 2.0 ** -row["changed"] if c < 0 else 1.0
        return {**found, "p_harm": exact, "p_flip": exact}
    return None


def holm(p: list[float]) -> list[float]:
    """Adjusted p in the order given."""
    order = sorted(range(len(p)), key=lambda i: p[i])
    found, worst = [0.0] * len(p), 0.0
    for place, i in enumerate(order):
        worst = max(worst, min(1.0, (len(p) - place) * p[i]))
        found[i] = worst
    return found


def claim_p(row: dict[str, Any]) -> float:
    """The p that a claim of harm rests on."""
    if row["constant"] or row["changed"] <= 20:
        return row["p_flip"] if row["p_flip"] is not None else row["p_harm"]
    return row["p_harm"]


def severe_p(severe: dict[str, Any]) -> float:
    """P(X >= losses) of a fair coin."""
    n = severe["wins"] + severe["losses"]
    return float(sum(math.comb(n, i) for i in range(severe["losses"], n + 1)) / 2**n)


class Reading:
    """One reading of the numbers: statuses, and what the sentences need."""

    def __init__(
        self,
        numbers: dict[str, Any],
        votes: dict[str, Any] | None,
        policy: dict[str, Any],
        gate: dict[str, Any] | None = None,
    ) -> None:
        self.policy, self.votes = policy, votes
        self.raw = numbers["primary"]
        self.primary = bounded(self.raw, policy)
        self.n = self.raw["n"]
        gate = gate or self.raw
        self.gate_n = gate["n_eff"] if gate.get("n_eff") is not None else gate["n"]
        self.gate_changed = gate["changed"]
        margins = dict(map(tuple, policy["guardrails"]))
        self.guardrails = [
            {**g, "n": self.n, "margin": margins[g["measure"]], "what": name_of(g["measure"])}
            for g in numbers["guardrails"]
            if g["measure"] in margins
        ]
        watched = dict(map(tuple, policy["watch"]))
        self.watch = [
            {**w, "n": self.n, "margin": watched[w["measure"]], "what": name_of(w["measure"])}
            for w in numbers["watch"]
            if w["measure"] in watched
        ]
        self.segments = [
            {**s, "margin": policy["segment_margin"], "what": f"{s['column']} “{s['name']}”"}
            for s in numbers["segments"]
            if s["column"] in policy["segments"] and s["n"] >= policy["segment_n_min"]
        ]
        self.severe = numbers["severe"]
        self.status: dict[str, str] = {}
        self.named: dict[str, Any] = {}
        self.run()

    def run(self) -> None:
        """Every rule."""
        policy, status, primary = self.policy, self.status, self.primary
        improve = policy["intent"] == "improve"
        delta = self.raw["delta"]
        status["S0"] = PASSED if primary else OPEN
        self.harm_tests()
        few = self.gate_n < policy["n_min"] or self.gate_changed < policy["changed_min"]
        status["S1"] = OPEN if few else PASSED
        for rule in ("F1", "U1", "U2", "N1"):
            status[rule] = NONE
        if primary and improve:
            if policy["mpe"] > 0:
                limit = max(policy["mpe"], policy["primary_margin"])
                status["F1"] = (
                    PASSED if primary["upper95"] >= policy["mpe"] else FAILED if primary["lower95"] > -limit else OPEN
                )
            status["U1"] = OPEN if primary["lower95"] <= 0 else PASSED
            status["U2"] = OPEN if delta < policy["mpe"] else PASSED
        if primary and not improve:
            status["N1"] = OPEN if primary["lower90"] <= -policy["primary_margin"] else PASSED
        status["U3"] = self.safety()
        status["U4"] = self.confirmation()

    def safety(self) -> str:
        """U3."""
        if not self.guardrails:
            return NONE
        unsafe = []
        for g in self.guardrails:
            row = bounded(g, self.policy)
            if row is None and g["delta"] == 0:
                continue
            if row is None or row["lower90"] <= -g["margin"]:
                unsafe.append(row or g)
        self.named["U3"] = unsafe
        return OPEN if unsafe else PASSED

    def confirmation(self) -> str:
        """U4."""
        if self.policy["votes"] != "confirm":
            return NONE
        if not usable(self.votes, self.policy):
            return OPEN
        votes = self.votes
        safe = votes["lower90"] > -self.policy["votes_margin"]
        return PASSED if safe and (self.policy["intent"] != "improve" or votes["delta"] >= 0) else OPEN

    def harm_tests(self) -> None:
        """H1 to H5."""
        policy, status = self.policy, self.status
        for rule in HARM:
            status[rule] = NONE
        if self.gate_n < policy["harm_n_min"] or self.gate_changed < policy["harm_changed_min"]:
            return
        self.primary_loss()
        tested = {
            kind: [row for row in (bounded(r, policy) for r in rows) if row]
            for kind, rows in (("guardrail", self.guardrails), ("watch", self.watch), ("segment", self.segments))
        }
        severe = self.severe if self.severe and self.severe["wins"] + self.severe["losses"] > 0 else None
        severe_proven = self.claims([row for rows in tested.values() for row in rows], severe)
        losses = [r for r in tested["guardrail"] if r["upper90"] < 0 and r["delta"] <= -r["margin"]]
        stopped = stopping(tested["watch"]) + stopping(tested["segment"])
        if tested["guardrail"]:
            status["H2"] = self.harmed("H2", losses)
        if any(row["p_harm"] is not None for row in tested["watch"] + tested["segment"]):
            status["H4"] = self.harmed("H4", stopped)
        if policy["votes"] in ("veto", "confirm") and usable(self.votes, policy):
            status["H3"] = FAILED if self.votes["upper95"] < 0 else PASSED
        if self.severe is not None:
            status["H5"] = PASSED
        if severe and severe["losses"] > severe["wins"] and severe_p(severe) < 0.05:
            status["H5"] = FAILED if severe_proven else OPEN

    def primary_loss(self) -> None:
        """H1."""
        primary, policy = self.primary, self.policy
        if primary is None:
            return
        bad = primary["upper95"] < 0
        if policy["intent"] == "do_no_harm":
            bad = bad and primary["delta"] <= -policy["primary_margin"]
        weak = primary["changed"] <= 20 and primary["p_flip"] is not None and primary["p_flip"] >= 0.025
        self.status["H1"] = PASSED if not bad else OPEN if weak else FAILED

    def claims(self, rows: list[dict[str, Any]], severe: dict[str, Any] | None) -> bool:
        """Marks what is proven among all harm tests; whether the severe changes are."""
        known = [row for row in rows if row["p_harm"] is not None]
        family = [row for row in known if row["changed"] >= self.policy["harm_changed_min"]]
        p = [claim_p(row) for row in family] + ([severe_p(severe)] if severe else [])
        self.family, adjusted = len(p), holm(p)
        for row, value in zip(family, adjusted, strict=False):
            row["proven"] = value < 0.05
        return bool(severe) and adjusted[-1] < 0.05

    def harmed(self, rule: str, rows: list[dict[str, Any]]) -> str:
        """Proven, possible or no harm; the worst row is kept for the sentence."""
        proven = [row for row in rows if row.get("proven")]
        if rows:
            self.named[rule] = min(proven or rows, key=lambda row: row["delta"] / row["margin"])
        return FAILED if proven else OPEN if rows else PASSED

    def decided(self) -> tuple[str, str]:
        """(outcome, rule) of the rules from S0 on."""
        return decide(self.status, self.policy)


def stopping(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The losses of one family of watch measures or segments that stop a launch."""
    known = [row for row in rows if row["p_harm"] is not None]
    adjusted = holm([row["p_harm"] for row in known])
    return [row for row, p in zip(known, adjusted, strict=True) if row["delta"] <= -row["margin"] and p < 0.05]


def decide(status: dict[str, str], policy: dict[str, Any]) -> tuple[str, str]:
    """The first rule that is failed or not proven; among H1 to H5 a failed one first."""
    outcomes = {"C": "NOT_COMPARABLE", "H": "WORSE", "F": "TOO_SMALL"}
    order = [rule for rule in (*ORDER, "V1") if rule in status]
    failed_harm = [rule for rule in HARM if status.get(rule) == FAILED]
    for rule in order:
        if status[rule] in (FAILED, OPEN):
            if rule in HARM and failed_harm:
                rule = failed_harm[0]
            return ("NOT_PROVEN" if status[rule] == OPEN else outcomes[rule[0]]), rule
    return "LAUNCH", "L1" if policy["intent"] == "improve" else "L2"


def comparable(evidence: dict[str, Any], policy: dict[str, Any]) -> dict[str, str]:
    """C1 to C5."""
    data = evidence["data"]
    empty = policy["population"] == "affected" and data.get("affected") == 0
    if data["common_queries"] == 0 or empty or evidence["plain"] is None:
        return {"C1": FAILED}
    status = {"C1": PASSED}
    blind = data["queries_with_relevant"] == 0
    flat = data["distinct_grades"] <= 1 and data["unjudged_shown"] == 0
    status["C2"] = FAILED if blind or flat else PASSED
    a, b = data["judged_a"], data["judged_b"]
    if a is None or b is None:
        status["C6"] = NONE
    else:
        status["C6"] = FAILED if (a == 0 or b == 0) and not blind else PASSED
    status["C3"] = FAILED if data["identical"] else PASSED
    gap = abs(data["missing_a"] - data["missing_b"])
    if policy["missing"] != "unknown":
        status["C4"] = NONE
    else:
        big = gap >= policy["missing_gap"] and gap > policy["missing_share"] * data["judged_queries"]
        status["C4"] = FAILED if big else PASSED
    if data["kind"] != "judged" or a is None or b is None:
        status["C5"] = NONE
    elif round(abs(a - b), 12) <= policy["judged_gap"]:
        status["C5"] = PASSED
    elif evidence["condensed"] is None:
        status["C5"] = NONE
    else:
        here = Reading(evidence["plain"], evidence["votes"], policy).decided()[0]
        there = Reading(evidence["condensed"], evidence["votes"], policy).decided()[0]
        status["C5"] = PASSED if here == there else FAILED
    return status


def judge(evidence: dict[str, Any], policy: dict[str, Any], looks: int = 1) -> dict[str, Any]:
    """Outcome, rule, tag, exit code, statuses, leaning and words."""
    status = comparable(evidence, policy)
    reading = None
    if status["C1"] == PASSED:
        reading = Reading(evidence["plain"], evidence["votes"], policy)
        status.update(reading.status)
    else:
        status.update({rule: NONE for rule in ORDER if rule != "C1"})
    outcome, rule = decide(status, policy)
    said = spoken(rule, outcome, evidence, reading, policy)
    return {
        "outcome": outcome,
        "launch": outcome == "LAUNCH",
        "rule": rule,
        "tag": tag(rule, outcome, reading, policy),
        "exit_code": EXIT[outcome],
        "statuses": {key: status[key] for key in ORDER},
        "leaning": None if outcome == "NOT_COMPARABLE" else leaning(reading.raw),
        "caveats": warned(evidence["votes"], policy, looks),
        **said,
    }


def tag(rule: str, outcome: str, reading: Reading | None, policy: dict[str, Any]) -> str:
    """What stands under the big word."""
    if outcome == "NOT_COMPARABLE":
        return "cannot compare yet"
    if outcome == "NOT_PROVEN":
        return "possible harm" if rule in HARM else "no gain in sight" if rule == "F1" else "not proven yet"
    if outcome == "LAUNCH":
        return "B is better" if policy["intent"] == "improve" else "B is as good as A"
    if outcome == "TOO_SMALL":
        return "gain too small"
    if rule in ("H2", "H4"):
        return f"B harms {reading.named[rule]['what']}"
    if rule == "H5":
        return "B breaks some queries"
    ahead = reading.primary and reading.primary["lower95"] > 0
    return "raters prefer A" if rule == "H3" and ahead else "B is worse"
