"""A slow twin of the verdict: the rules of policy version 4 over plain numbers, one after the other, in plain Python.

Written from the definition alone. `judge` takes what a case of the reference holds (data, plain, condensed, votes)
and a whole policy as a dict, and says outcome, rule, tag, statuses and names of caveats.
"""

import math
from typing import Any

from scipy import special

PASSED, FAILED, OPEN, NONE = "passed", "failed", "not_proven", "not_applicable"
HARM = ("H1", "H2", "H3", "H4", "H5")
Row = dict[str, Any]
ORDER = "C1 C2 C6 C7 C4 C5 N0 S0 H1 H2 H3 H4 H5 S1 F1 U1 U2 N1 U3 U4".split()


def side(x: float, limit: float) -> int:
    """Below, at or above a limit, noise aside."""
    apart = round(x - limit, 12)
    return 0 if apart == 0 else 1 if apart > 0 else -1


def least(row: Row) -> float:
    """What gates count: the least of queries, what they are worth, and groups."""
    return min(row[key] for key in ("n", "n_eff", "clusters") if row.get(key) is not None)


def usable(votes: Row | None, policy: Row) -> bool:
    """Whether the votes may speak."""
    if votes is None or votes["delta"] is None or decided(votes) < policy["votes_min"]:
        return False
    return votes["n_side"] is None or votes["n_side"] >= voted(votes) / 2


def voted(votes: Row) -> int:
    """Queries with votes."""
    return int(votes["good"] + votes["same"] + votes["bad"])


def decided(votes: Row) -> int:
    """Queries whose votes prefer one side."""
    return int(votes["good"] + votes["bad"] if votes.get("decided") is None else votes["decided"])


def leaks(data: Row) -> list[str]:
    """The runs that are made of the judgments."""
    found = []
    for run in "ab":
        leak = data.get(f"leak_{run}")
        if leak and leak["judged"] == leak["listed"] and leak["in_grade_order"] == leak["lists"]:
            found += [run.upper()] if leak["two_grades"] >= 30 else []
    return found


def bounded(row: Row, policy: Row) -> Row | None:
    """The row with bounds: its own, those of a constant on enough queries, or None."""
    if row.get("lower90") is not None:
        return {**row, "constant": False}
    enough = row["changed"] >= policy["harm_changed_min"] and row.get("clusters") != 1
    if row["delta"] is not None and row["delta"] != 0 and enough:
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


def claim_p(row: Row) -> float:
    """The p that a claim of harm rests on."""
    if row["constant"] or row["changed"] <= 20:
        return row["p_flip"] if row["p_flip"] is not None else row["p_harm"]
    return row["p_harm"]


def of_several(row: Row, bound: str, tail: float, candidates: int) -> float:
    """The lower bound at the level of all candidates: each has its part of the tail."""
    if candidates == 1 or row["constant"] or row.get("se") is None or row.get("df") is None:
        return float(row[bound])
    return float(row["delta"] - special.stdtrit(row["df"], 1 - tail / candidates) * row["se"])


class Reading:
    """One reading of the numbers: statuses, and what the sentences need."""

    def __init__(self, numbers: Row, votes: Row | None, policy: Row, candidates: int) -> None:
        self.policy, self.votes, self.candidates = policy, votes, candidates
        self.raw = numbers["primary"]
        self.primary = bounded(self.raw, policy)
        self.gate = self.raw
        self.fixed = policy["inference"] == "fixed"
        margins = dict(map(tuple, policy["guardrails"]))
        self.guardrails = [
            {**g, "margin": margins[g["measure"]], "what": g["measure"]}
            for g in numbers["guardrails"]
            if g["measure"] in margins
        ]
        watch = dict(map(tuple, policy["watch"]))
        self.watch = [
            {**w, "margin": watch[w["measure"]], "what": w["measure"]}
            for w in numbers["watch"]
            if w["measure"] in watch
        ]
        self.segments = [
            {**s, "margin": policy["segment_margin"], "what": f"{s['column']} “{s['name']}”"}
            for s in numbers["segments"]
            if s["column"] in policy["segments"] and (self.fixed or side(least(s), policy["segment_n_min"]) >= 0)
        ]
        self.severe = numbers["severe"]
        self.status: dict[str, str] = dict.fromkeys(ORDER[ORDER.index("S0") :], NONE)
        self.named: dict[str, Any] = {}
        self.tested: dict[str, list[Row]] = {}
        if self.fixed:
            self.on_these()
        else:
            self.of_a_sample()
        # what a launch says was looked at
        self.watched = self.watch if self.fixed else self.tested["watch"]
        self.segmented = self.segments if self.fixed else self.tested["segment"]

    # -- a sample

    def of_a_sample(self) -> None:
        """Every rule."""
        policy, status, primary = self.policy, self.status, self.primary
        improve = policy["intent"] == "improve"
        delta = self.raw["delta"]
        status["S0"] = PASSED if primary else OPEN
        self.harm_tests()
        few = side(least(self.gate), policy["n_min"]) < 0 or self.gate["changed"] < policy["changed_min"]
        few = few or len(self.large(self.guardrails, "n_min")) < len(self.guardrails)
        status["S1"] = OPEN if few else PASSED
        if primary and improve:
            if policy["mpe"] > 0:
                floor = -max(policy["mpe"], policy["primary_margin"])
                failed = FAILED if side(primary["lower95"], floor) > 0 else OPEN
                status["F1"] = PASSED if side(primary["upper95"], policy["mpe"]) >= 0 else failed
            status["U1"] = OPEN if side(of_several(primary, "lower95", 0.025, self.candidates), 0) <= 0 else PASSED
            status["U2"] = OPEN if side(delta, policy["mpe"]) < 0 else PASSED
        if primary and not improve:
            worst = of_several(primary, "lower90", 0.05, self.candidates)
            status["N1"] = OPEN if side(worst, -policy["primary_margin"]) <= 0 else PASSED
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
            if row is None or side(row["lower90"], -g["margin"]) <= 0:
                unsafe.append(row or {key: value for key, value in g.items() if key != "lower90"})
        self.named["U3"] = unsafe
        return OPEN if unsafe else PASSED

    def confirmation(self) -> str:
        """U4."""
        if self.policy["votes"] != "confirm":
            return NONE
        if not usable(self.votes, self.policy):
            return OPEN
        votes = self.votes
        safe = side(votes["lower90"], -self.policy["votes_margin"]) > 0
        return PASSED if safe and (self.policy["intent"] != "improve" or votes["delta"] >= 0) else OPEN

    def large(self, rows: list[Row], gate: str) -> list[Row]:
        """The measures on so many queries of their own, by a field of the policy."""
        return [row for row in rows if row.get("n") is None or side(least(row), self.policy[gate]) >= 0]

    def harm_tests(self) -> None:
        """The rules of harm."""
        policy, status = self.policy, self.status
        self.tested = {
            kind: [row for row in (bounded(r, policy) for r in rows) if row]
            for kind, rows in (
                ("guardrail", self.large(self.guardrails, "harm_n_min")),
                ("watch", self.large(self.watch, "harm_n_min")),
                ("segment", self.segments),
            )
        }
        for kind in ("watch", "segment"):
            self.tested[kind] = [row for row in self.tested[kind] if row["p_harm"] is not None]
        few = side(least(self.gate), policy["harm_n_min"]) < 0
        severe = self.severe if self.severe and self.severe["wins"] + self.severe["losses"] > 0 else None
        severe_proven = self.claims([row for rows in self.tested.values() for row in rows], severe)
        if few or self.gate["changed"] < policy["harm_changed_min"]:
            return
        self.primary_loss()
        losses = [
            r for r in self.tested["guardrail"] if side(r["upper90"], 0) < 0 and side(r["delta"], -r["margin"]) <= 0
        ]
        stopped = stopping(self.tested["watch"]) + stopping(self.tested["segment"])
        if self.tested["guardrail"]:
            status["H2"] = self.harmed("H2", losses)
        if self.tested["watch"] or self.tested["segment"]:
            status["H4"] = self.harmed("H4", stopped)
        if policy["votes"] in ("veto", "confirm") and usable(self.votes, policy):
            status["H3"] = FAILED if side(self.votes["upper95"], 0) < 0 else PASSED
        if self.severe is not None:
            status["H5"] = PASSED
        more = severe and severe["losses"] > severe["wins"] and self.severe_p() < 0.05
        if more and side(self.excess(), policy["big_excess_min"]) >= 0:
            status["H5"] = FAILED if severe_proven else OPEN

    def severe_p(self) -> float:
        """P(X >= losses) of a fair coin."""
        n = self.severe["wins"] + self.severe["losses"]
        return float(sum(math.comb(n, i) for i in range(self.severe["losses"], n + 1)) / 2**n)

    def excess(self) -> float:
        """What severe losses have more than severe wins, over the queries that gates count."""
        n = self.raw["n"] if self.fixed else least(self.gate)
        return float((self.severe["losses"] - self.severe["wins"]) / n)

    def primary_loss(self) -> None:
        """H1."""
        primary, policy = self.primary, self.policy
        if primary is None:
            return
        bad = side(primary["upper95"], 0) < 0
        if policy["intent"] == "do_no_harm":
            bad = bad and side(primary["delta"], -policy["primary_margin"]) <= 0
        weak = primary["changed"] <= 20 and primary["p_flip"] is not None and primary["p_flip"] >= 0.025
        self.status["H1"] = PASSED if not bad else OPEN if weak else FAILED

    def claims(self, rows: list[Row], severe: Row | None) -> bool:
        """Marks what is proven among all harm tests; whether the severe changes are."""
        known = [row for row in rows if row["p_harm"] is not None]
        family = [row for row in known if row["changed"] >= self.policy["harm_changed_min"]]
        p = [claim_p(row) for row in family] + ([self.severe_p()] if severe else [])
        self.family, adjusted = len(p), holm(p)
        for row, value in zip(family, adjusted, strict=False):
            row["proven"] = value < 0.05
        return bool(severe) and adjusted[-1] < 0.05

    def harmed(self, rule: str, rows: list[Row]) -> str:
        """Proven, possible or no harm; the worst row is kept for the sentence."""
        proven = [row for row in rows if row.get("proven")]
        if rows:
            self.named[rule] = min(proven or rows, key=lambda row: row["delta"] / row["margin"])
        return FAILED if proven else OPEN if rows else PASSED

    # -- a fixed set

    def on_these(self) -> None:
        """Every rule where these queries are all that matters."""
        policy, status, delta = self.policy, self.status, self.raw["delta"] or 0.0
        status["H1"] = FAILED if side(delta, -policy["primary_margin"]) < 0 else PASSED
        self.guardrails, self.watch, self.segments = (
            [row for row in rows if row["delta"] is not None] for rows in (self.guardrails, self.watch, self.segments)
        )
        for rule, rows in (("H2", self.guardrails), ("H4", self.watch + self.segments)):
            lost = [row for row in rows if side(row["delta"], -row["margin"]) < 0]
            if rows:
                status[rule] = FAILED if lost else PASSED
            if lost:
                self.named[rule] = min(lost, key=lambda row: row["delta"] / row["margin"])
        if policy["votes"] in ("veto", "confirm") and usable(self.votes, policy):
            status["H3"] = FAILED if side(self.votes["upper95"], 0) < 0 else PASSED
        if self.severe is not None:
            status["H5"] = FAILED if side(self.excess(), policy["big_excess_min"]) > 0 else PASSED
        if policy["intent"] == "improve":
            status["F1"] = PASSED if delta > 0 and side(delta, policy["mpe"]) >= 0 else FAILED
        status["U4"] = self.confirmation()

    def decided(self) -> tuple[str, str]:
        """(outcome, rule) of the rules from S0 on."""
        return decide(self.status, self.policy)


def stopping(rows: list[Row]) -> list[Row]:
    """The losses of one family of watch measures or segments that stop a launch."""
    adjusted = holm([row["p_harm"] for row in rows])
    return [row for row, p in zip(rows, adjusted, strict=True) if side(row["delta"], -row["margin"]) <= 0 and p < 0.05]


def decide(status: dict[str, str], policy: Row) -> tuple[str, str]:
    """The first rule that is failed or not proven; among the rules of harm a failed one first."""
    failed_harm = [rule for rule in HARM if status.get(rule) == FAILED]
    for rule in [rule for rule in ORDER if rule in status]:
        if status[rule] in (FAILED, OPEN):
            if rule in HARM and failed_harm:
                rule = failed_harm[0]
            if status[rule] == OPEN:
                return "NOT_PROVEN", rule
            return {"C": "NOT_COMPARABLE", "H": "WORSE", "F": "TOO_SMALL", "N": "TOO_SMALL"}[rule[0]], rule
    if status.get("N0") == PASSED:
        return "LAUNCH", "N0"
    return "LAUNCH", "L1" if policy["intent"] == "improve" else "L2"


def same_everywhere(evidence: Row) -> bool:
    """Whether N0 applies."""
    data, plain = evidence["data"], evidence["plain"]
    if not data["identical"]:
        return False
    if plain is None:  # no query is left to count
        return True
    if plain["primary"].get("changed", 0):
        return False
    return not any(row["changed"] for kind in ("guardrails", "watch", "segments") for row in plain[kind])


def comparable(evidence: Row, policy: Row, candidates: int) -> dict[str, str]:
    """C1 to C7."""
    data = evidence["data"]
    empty = policy["population"] == "affected" and data.get("affected") == 0
    left = evidence["plain"] is not None and evidence["plain"]["primary"]["n"] > 0
    empty = (empty or not left) and not same_everywhere(evidence)
    if data["common_queries"] == 0 or empty:
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
    known = data.get("leak_a") or data.get("leak_b")
    status["C7"] = NONE if not known else FAILED if leaks(data) else PASSED
    gap = abs(data["missing_a"] - data["missing_b"])
    if policy["missing"] != "unknown":
        status["C4"] = NONE
    else:
        big = gap >= policy["missing_gap"] and gap > policy["missing_share"] * data["judged_queries"]
        status["C4"] = FAILED if big else PASSED
    if data["kind"] != "judged" or a is None or b is None:
        status["C5"] = NONE
    elif side(abs(a - b), policy["judged_gap"]) <= 0:
        status["C5"] = PASSED
    elif evidence["condensed"] is None:
        status["C5"] = NONE
    else:
        outcomes = [
            "LAUNCH"
            if same_everywhere({**evidence, "plain": evidence[reading]})
            else Reading(evidence[reading], evidence["votes"], policy, candidates).decided()[0]
            for reading in ("plain", "condensed")
        ]
        status["C5"] = PASSED if outcomes[0] == outcomes[1] else FAILED
    return status


def judge(evidence: Row, policy: Row, looks: int = 1, candidates: int = 1) -> Row:
    """Outcome, rule, tag, statuses and names of caveats."""
    status = dict.fromkeys(ORDER, NONE) | comparable(evidence, policy, candidates)
    reading = None
    if status["C1"] == PASSED and same_everywhere(evidence):
        status["N0"] = FAILED if policy["intent"] == "improve" else PASSED
    elif status["C1"] == PASSED:
        reading = Reading(evidence["plain"], evidence["votes"], policy, candidates)
        status.update(reading.status)
    outcome, rule = decide(status, policy)
    return {
        "outcome": outcome,
        "rule": rule,
        "tag": tag(rule, outcome, reading, policy),
        "statuses": status,
        "caveats": warned(evidence, policy, looks, candidates, outcome, rule),
    }


def tag(rule: str, outcome: str, reading: Reading | None, policy: Row) -> str:
    """What stands under the big word."""
    if outcome == "NOT_COMPARABLE":
        return "cannot compare yet"
    if outcome == "NOT_PROVEN":
        return "possible harm" if rule in HARM else "no gain in sight" if rule == "F1" else "not proven yet"
    if outcome == "LAUNCH":
        return "B is better" if policy["intent"] == "improve" else "B is as good as A"
    if rule == "N0":
        return "nothing changed"
    assert reading is not None
    if outcome == "TOO_SMALL":
        return "no gain" if reading.fixed and not (reading.raw["delta"] or 0.0) > 0 else "gain too small"
    if rule in ("H2", "H4"):
        return f"B harms {reading.named[rule]['what']}"
    if rule == "H5":
        return "B breaks some queries"
    if reading.fixed:
        ahead = (reading.raw["delta"] or 0.0) > 0
    else:
        ahead = reading.primary is not None and side(reading.primary["lower95"], 0) > 0
    return "raters prefer A" if rule == "H3" and ahead else "B is worse"


# -- votes


def warned(evidence: Row, policy: Row, looks: int, candidates: int, outcome: str, rule: str) -> set[str]:
    """The names of the caveats that plain numbers decide."""
    plain, votes = evidence.get("plain"), evidence["votes"]
    sampled = policy["inference"] != "fixed" or evidence["data"] is None
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
        "rule": rule,
        "tag": tags[outcome],
        "statuses": status,
        "caveats": warned(evidence, policy, looks, candidates, outcome, rule),
    }
