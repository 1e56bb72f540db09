"""The words of the twin of the verdict, written from section 4 of its definition: numbers as people read them, pieces,
and the sentences that are fixed letter for letter.
"""

from __future__ import annotations

import math
from decimal import ROUND_HALF_EVEN, Decimal
from typing import Any

PASSED, FAILED, OPEN, NONE = "passed", "failed", "not_proven", "not_applicable"
EXIT = {"LAUNCH": 0, "WORSE": 3, "TOO_SMALL": 4, "NOT_PROVEN": 5, "NOT_COMPARABLE": 6}
SCREEN = {"LAUNCH": "Launch", "NOT_PROVEN": "No launch yet"}
HARM = ("H1", "H2", "H3", "H4", "H5")
LOOK = "Look at these queries; more of them show whether the harm is real."
Row = dict[str, Any]


# -- numbers


def rounded(x: float, places: int) -> Decimal:
    """The number with so many decimals, as printing rounds it."""
    return Decimal(x).quantize(Decimal(1).scaleb(-places), ROUND_HALF_EVEN)


def side(x: float, limit: float) -> int:
    """Below, at or above a limit, noise aside."""
    apart = round(x - limit, 12)
    return 0 if apart == 0 else 1 if apart > 0 else -1


def signed(x: float, places: int = 3) -> str:
    """A difference: its sign, a true minus, none for a rounded zero."""
    shown = rounded(x, places)
    sign = "" if shown == 0 else "+" if shown > 0 else "−"
    return f"{sign}{abs(shown):.{places}f}"


def near(x: float, *limits: float, places: int = 3) -> str:
    """A difference beside limits: on their right side, with up to three more decimals."""
    for more in range(4):
        shown = float(rounded(x, places + more))
        if all(side(shown, limit) == side(x, limit) for limit in limits):
            break
    return signed(x, places + more)


def size(x: float, *limits: float) -> str:
    """The same without a plus."""
    return near(x, *limits).lstrip("+")


def limit(x: float, places: int = 3) -> str:
    """A threshold, shown whole; with a true minus."""
    while places < 6 and abs(float(rounded(x, places)) - x) >= 1e-9:
        places += 1
    return ("−" if x < 0 else "") + f"{abs(x):.{places}f}"


def percent(x: float) -> str:
    """A share."""
    return f"{100 * x:.1f}%"


def chance(k: int) -> str:
    """1 - .975^k."""
    return percent(1 - 0.975**k)


def points(x: float, *limits: float) -> str:
    """A ΔGSB in points, beside limits."""
    return near(100 * x, *(100 * one for one in limits), places=1)


def point_limit(x: float) -> str:
    """A threshold of ΔGSB."""
    text = limit(100 * x, 1)
    return f"{text}%"


def about(x: float) -> str:
    """A count of two digits that count."""
    whole = round(x)
    if whole < 100:
        return f"{whole:,}"
    step = 10 ** (len(str(whole)) - 2)
    return f"{round(x / step) * step:,}"


def many(n: int, one: str, more: str = "") -> str:
    """A count with its noun."""
    return f"{n:,} {one if n == 1 else more or one + 's'}"


def queries(n: int) -> str:
    """A number of queries."""
    return many(n, "query", "queries")


def p_text(p: float) -> str:
    """Three decimals, or below."""
    return "<0.001" if p < 0.001 else f"{p:.3f}"


# -- pieces


def least(row: Row) -> float:
    """What gates count: the least of queries, what they are worth, and groups."""
    return min(row[key] for key in ("n", "n_eff", "clusters") if row.get(key) is not None)


def population(row: Row, everything: int | None = None) -> str:
    """The queries behind a number."""
    text = queries(row["n"]) if everything is None else f"{row['n']:,} of {queries(everything)}"
    if row.get("clusters") is not None:
        text += f" in {many(row['clusters'], 'group')}"
    worth = row.get("n_eff")
    if worth is not None and math.floor(worth + 1e-9) < row["n"]:
        text += f", worth {many(math.floor(worth + 1e-9), 'equal one')}"
    return text


def span(lo: float, hi: float, level: int, grouped: bool, *limits: float) -> str:
    """An interval."""
    if lo == hi:
        return "the same in every group" if grouped else "the same on every query"
    return f"{level}% interval {near(lo, 0, *limits)} to {near(hi, 0, *limits)}"


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


def averaged(votes: Row) -> bool:
    """Whether ΔGSB is not that of the counts."""
    return side(votes["delta"], (votes["good"] - votes["bad"]) / voted(votes)) != 0


def gsb(votes: Row, policy: Row) -> str:
    """ΔGSB with its interval."""
    mpe = policy["votes_mpe"]
    start = f"ΔGSB {points(votes['delta'], 0, mpe)}%"
    if votes["lower95"] is None:
        return f"{start}, without an interval"
    kind = votes.get("interval", "tango")
    more = f", look {votes['look']} of 5" if kind == "planned" else ", valid at any time" if kind == "open" else ""
    return f"{start} (95% interval {points(votes['lower95'], 0, mpe)} to {points(votes['upper95'], 0, mpe)}{more})"


def said_by(votes: Row, policy: Row) -> str:
    """ΔGSB, and who voted."""
    by = "" if votes.get("people") is None else f" by {many(votes['people'], 'rater')}"
    return f"{gsb(votes, policy)} on {queries(voted(votes))}{by}"


def prefer_a(votes: Row, policy: Row) -> str:
    """The sentence of H3."""
    if not averaged(votes):
        losses, wins = many(votes["bad"], "loss", "losses"), many(votes["good"], "win")
        return f"Raters prefer A: {losses} against {wins}, {said_by(votes, policy)}."
    sides = ", averaged over both sides" if votes["n_side"] is not None else ""
    return f"Raters prefer A: {said_by(votes, policy)}{sides}."


def unusable(votes: Row, policy: Row) -> str:
    """Why votes cannot be used."""
    if decided(votes) < policy["votes_min"]:
        verb = "was" if voted(votes) == 1 else "were"
        of = f"{decided(votes):,} of {queries(voted(votes))}"
        return f"Only {of} {verb} voted better or worse; {policy['votes_min']:,} are needed."
    return "B stood on one side in nearly all votes."


def leaning(row: Row) -> Row:
    """Who is ahead and what the bare sign says."""
    delta = row["delta"] or 0.0
    sign = "launch" if delta > 0 else "no launch"
    ahead = "B" if delta > 0 else "A" if delta < 0 else None
    if ahead is None:
        text = "A and B are level."
    else:
        won, lost = (row["wins"], row["losses"]) if ahead == "B" else (row["losses"], row["wins"])
        if row.get("averaged"):
            text = f"{ahead} is ahead by {row['shown']} ({won:,} to {lost:,} by majority)"
        elif won > lost:
            text = f"{ahead} is ahead, {won:,} to {lost:,}"
        elif won == lost:
            text = f"{ahead} is ahead on average ({row['shown']}), with as many wins as losses ({won:,})"
        else:
            whose = "" if ahead == "B" else "B "
            text = f"{ahead} is ahead on average ({row['shown']}) but {whose}wins {queries(row['wins'])}"
            text += f" and loses {row['losses']:,}"
        text += f"; the sign rule says {sign}."
    return {"ahead": ahead, "wins": row["wins"], "losses": row["losses"], "sign_rule": sign, "sentence": text}


# -- sentences, one rule each: sentence, next step and what would change it, as far as they are fixed


class Words:
    """The words of one reading under one policy."""

    def __init__(self, reading: Any, evidence: Row, policy: Row) -> None:
        self.reading, self.policy, self.votes = reading, policy, evidence["votes"]
        self.raw = reading.raw
        self.primary = reading.primary or reading.raw
        self.grouped = self.raw.get("clusters") is not None
        self.name = policy["primary"]
        self.fixed = policy["inference"] == "fixed"
        self.improve = policy["intent"] == "improve"
        everything = None
        if policy["population"] == "affected":
            everything = self.raw.get("n_all") or evidence["data"]["judged_queries"]
        self.of = population(self.alone(self.raw), everything)
        these = "this" if self.raw["n"] == 1 and everything is None else "these"
        self.on = f"on exactly {these} {self.of}" if self.fixed else f"on {self.of}"

    def alone(self, row: Row) -> Row:
        """A row without groups and worth where its queries stand for nothing else."""
        return {**row, "clusters": None, "n_eff": None} if self.fixed else row

    def delta(self, *limits: float) -> str:
        """The difference of the primary measure."""
        return near(self.raw["delta"] or 0.0, 0, *limits)

    def i95(self, *limits: float) -> str:
        """Its interval."""
        return span(self.primary["lower95"], self.primary["upper95"], 95, self.grouped, *limits)

    def measured(self, *limits: float) -> str:
        """Both."""
        return f"{self.name} {self.delta(*limits)} ({self.i95(*limits)})"

    def spoken(self, rule: str, doubted: bool) -> Row:
        """What a rule that stopped says."""
        found = getattr(self, f"{'fixed_' if self.fixed and rule in FIXED_WORDS else ''}{rule.lower()}")(doubted)
        if rule in HARM and doubted:
            found["next_step"] = LOOK
        return {"sentence": None, "next_step": None, "would_change": None, **found}

    def s0(self, doubted: bool) -> Row:
        """Nothing varies."""
        step = {"next_step": "Add queries."}
        if self.raw["changed"] == 0:
            return {"sentence": f"B changes nothing that {self.name} sees: the difference is 0 on every query.", **step}
        if self.raw.get("clusters") == 1:
            return {"sentence": "All queries are one group: nothing tells a difference from chance.", **step}
        if not self.raw["delta"]:
            text = "Gains and losses cancel in every group of queries: the difference is 0 in each."
            return {"sentence": text, **step}
        if self.grouped:
            units, where = self.raw["clusters"], "in every group"
            few = f"{many(units, 'group')} {'is' if units == 1 else 'are'}"
        else:
            few, where = f"{queries(self.raw['n'])} {'is' if self.raw['n'] == 1 else 'are'}", "on every query"
        text = f"The difference is {signed(self.raw['delta'])} {where}; {few} too few to rule out chance, "
        return {"sentence": f"{text}{self.policy['harm_changed_min']} are needed.", **step}

    def h1(self, doubted: bool) -> Row:
        """A loss of the primary measure."""
        core = f"{self.measured(*([] if self.improve else [-self.policy['primary_margin']]))} {self.on}"
        if not doubted:
            return {"sentence": f"B is worse: {core}."}
        few = f"but only {self.raw['changed']} of them changed and sign flips give p = {p_text(self.primary['p_flip'])}"
        return {"sentence": f"B may be worse: {core}, {few}."}

    def fixed_h1(self, doubted: bool) -> Row:
        """A loss beyond the limit."""
        margin = self.policy["primary_margin"]
        text = f"B is worse: {self.name} {self.delta(-margin)} {self.on}"
        return {"sentence": f"{text}, beyond the limit of {limit(-margin)}."}

    def where(self, row: Row) -> str:
        """On which queries: those of a segment are its own."""
        if "column" not in row:
            return self.on
        of = population(self.alone(row))
        return f"on exactly {'this' if row['n'] == 1 else 'these'} {of}" if self.fixed else f"on {of}"

    def harmed(self, row: Row, doubted: bool) -> Row:
        """A loss of a guardrail, watch measure or segment."""
        beyond = f"beyond the limit of {limit(-row['margin'])}"
        delta = near(row["delta"], 0, -row["margin"])
        if self.fixed:
            return {"sentence": f"B harms {row['what']}: {delta} {self.where(row)}, {beyond}."}
        inside = span(row["lower90"], row["upper90"], 90, self.grouped)
        core = f"{row['what']}: {delta} ({inside}) {self.where(row)}"
        if not doubted:
            return {"sentence": f"B harms {core}, {beyond}."}
        if row["changed"] < self.policy["harm_changed_min"]:
            few = f"only {row['changed']} of them changed, {self.policy['harm_changed_min']} are needed to prove it"
            return {"sentence": f"Possible harm to {core}; {few}."}
        return {"sentence": f"Possible harm to {core}; {self.by_chance()}."}

    def by_chance(self) -> str:
        """What keeps possible harm from being a claim."""
        return f"among {many(self.reading.family, 'harm test')} chance can do this"

    def h2(self, doubted: bool) -> Row:
        """A guardrail."""
        return self.harmed(self.reading.named["H2"], doubted)

    def h4(self, doubted: bool) -> Row:
        """A watch measure or segment."""
        return self.harmed(self.reading.named["H4"], doubted)

    def h3(self, doubted: bool) -> Row:
        """Raters."""
        return {"sentence": prefer_a(self.votes, self.policy)}

    def against(self) -> str:
        """Severe changes."""
        severe = self.reading.severe
        return f"{many(severe['losses'], 'big loss', 'big losses')} against {many(severe['wins'], 'big win')}"

    def h5(self, doubted: bool) -> Row:
        """More broken than rescued."""
        core = f"{self.against()} (|Δ| ≥ {limit(self.policy['severe'])}) {self.on}"
        if doubted:
            return {"sentence": f"B may break more queries than it rescues: {core}; {self.by_chance()}."}
        return {"sentence": f"B breaks more queries than it rescues: {core}."}

    def s1(self, doubted: bool) -> Row:
        """Too few."""
        raw, policy = self.raw, self.policy
        unit = ("group", "groups") if self.grouped else ("query", "queries")
        count = raw["clusters"] if self.grouped else raw["n"]
        more, few = [], side(least(raw), policy["n_min"]) < 0
        if few:
            light = raw.get("n_eff") is not None and side(raw["n_eff"], count) < 0
            worth = f"queries until they are worth {policy['n_min']:,} equal ones"
            lacking = policy["n_min"] - count
            more.append(worth if light else f"{lacking:,} more {unit[lacking != 1]}")
        lacking = policy["changed_min"] - raw["changed"]
        if lacking > 0:
            more.append(f"{lacking:,} more changed {unit[lacking != 1]}")
        text = " and ".join(more)
        change = text
        if self.improve and not (raw["delta"] or 0.0) > 0:
            change += f", and a better B: {self.needs_gain()}"
        if few and self.grouped:
            counted = f"{many(raw['changed'], 'group')} changed"
        else:
            counted = f"{raw['changed']:,} of them changed"
        if few:
            needs = f"{policy['n_min']:,} and {policy['changed_min']:,}"
            sentence = f"Only {self.of}, {counted}; a launch needs {needs}."
        else:
            of = many(count, "group") if self.grouped else queries(count)
            sentence = f"Only {raw['changed']:,} of {of} changed; a launch needs {policy['changed_min']:,}."
        return {"sentence": sentence, "next_step": f"Add {text}.", "would_change": change}

    def needs_gain(self) -> str:
        """The gain beside its limit."""
        mpe = self.policy["mpe"]
        return f"difference {near(self.raw['delta'] or 0.0, mpe)}, needs {f'≥ {limit(mpe)}' if mpe else '> 0'}"

    def f1(self, doubted: bool) -> Row:
        """No gain that matters."""
        primary, mpe = self.primary, self.policy["mpe"]
        loss = max(mpe, self.policy["primary_margin"])
        result = f"{self.measured(mpe)} {self.on}."
        if not doubted:
            so = f", and so is a loss over {limit(loss)}" if primary["lower95"] <= 0 else ""
            return {"sentence": f"A gain of {limit(mpe)} is unlikely{so}: {result}"}
        possible = size(-primary["lower95"], loss)
        return {
            "sentence": f"A gain of {limit(mpe)} is unlikely; a loss of {possible} is possible: {result}",
            "next_step": "Look at the losses; more queries can only tell how large the loss is.",
            "would_change": f"upper bound {near(primary['upper95'], mpe)}, needs ≥ {limit(mpe)}",
        }

    def fixed_f1(self, doubted: bool) -> Row:
        """No gain on these queries."""
        delta, mpe, margin = self.raw["delta"], self.policy["mpe"], self.policy["primary_margin"]
        if delta > 0:
            text = f"B raises {self.name} only by {near(delta, 0, mpe)}, less than the {limit(mpe)} that matters"
            return {"sentence": f"{text}, {self.on}."}
        if delta < 0:
            within = "beyond" if side(delta, -margin) < 0 else "within"
            loss = size(-delta, 0, margin)
            return {"sentence": f"B lowers {self.name} by {loss}, {within} the limit of {limit(margin)}, {self.on}."}
        return {"sentence": f"{self.name} is the same for A and B {self.on}."}

    def u1(self, doubted: bool) -> Row:
        """Not told from chance."""
        primary, n, mpe, delta = self.primary, self.raw["n"], self.policy["mpe"], self.raw["delta"]
        like = "queries in groups like these" if self.grouped else "queries"
        if side(primary["upper95"], 0) < 0:
            sentence = f"There is no sign of a gain: {self.name} {self.delta()} ({self.i95()}) {self.on}."
        elif float(rounded(delta, 3)) == 0:
            sentence = f"The difference is not distinguishable from zero with {self.of}."
        else:
            word = "better" if delta > 0 else "worse"
            sentence = (
                f"B looks {word} by {abs(rounded(delta, 3))} ({self.i95()}) {self.on}, but chance alone can do this."
            )
        need, seen = primary.get("required_n_mpe"), primary.get("required_n_seen")
        reaches = delta > 0 and side(delta, mpe) >= 0
        step = None
        if primary.get("mde80") is not None:
            step = f"This set resolves about ±{rounded(primary['mde80'], 3)}"
            first = need is not None and need > n
            if first:
                step += f"; to tell a gain of {limit(mpe)} from 0 takes about {about(need)} {like}"
            if reaches and seen is not None and seen > n:
                as_seen = f"a difference as seen ({signed(delta)})"
                step += f", {as_seen} about {about(seen)}" if first else f"; {as_seen} takes about {about(seen)} {like}"
            step += "."
            wanted = seen if reaches else need
            if delta > 0 and wanted is not None and wanted > 10 * n:
                step += f" It would take about {about(wanted / n)} times as many queries."
            step += " A is ahead: look at the losses first." if delta < 0 else ""
            step += " A and B are level." if delta == 0 else ""
        lower = f"lower bound {near(primary['lower95'], 0)}, needs > 0"
        if not side(delta, 0) > 0:
            change = f"a better B: {self.needs_gain()}; more queries alone do not launch it"
        elif not reaches:
            change = f"{self.needs_gain()}, and {lower}"
        elif seen is not None and n < seen <= 10 * n:
            change = f"about {about(seen - n)} more {like} to tell it from 0, if the difference stays ({lower})"
        else:
            change = lower
        return {"sentence": sentence, "next_step": step, "would_change": change}

    def u2(self, doubted: bool) -> Row:
        """A gain that is too small so far."""
        mpe = self.policy["mpe"]
        text = f"A gain is proven, but estimated at {self.delta(mpe)}, less than the {limit(mpe)} that matters"
        return {
            "sentence": f"{text} ({self.i95()}) {self.on}.",
            "next_step": f"More queries tell whether the gain reaches {limit(mpe)}.",
            "would_change": self.needs_gain(),
        }

    def n1(self, doubted: bool) -> Row:
        """A loss that is not ruled out."""
        margin = self.policy["primary_margin"]
        text = (
            f"B may be worse by up to {size(-self.primary['lower90'], margin)} {self.on}; the limit is {limit(margin)}."
        )
        return {"sentence": text, "next_step": "Add queries."}

    def u3(self, doubted: bool) -> Row:
        """A guardrail that is not shown safe."""
        row = min(self.reading.named["U3"], key=lambda g: g.get("lower90", g["delta"]) / g["margin"])
        text = f"A loss over {limit(row['margin'])} on {row['what']} cannot be ruled out yet"
        if row.get("lower90") is None:
            units = "groups" if self.grouped else "queries"
            return {"sentence": f"{text}: too few {units} changed.", "next_step": "Add queries."}
        return {
            "sentence": f"{text}: it may be {size(-row['lower90'], row['margin'])} {self.on}.",
            "next_step": "Add queries.",
        }

    def u4(self, doubted: bool) -> Row:
        """Raters do not confirm."""
        votes, policy, step = self.votes, self.policy, {"next_step": "Collect more votes."}
        if usable(votes, policy):
            return {"sentence": f"Raters do not confirm it: {said_by(votes, policy)}.", **step}
        one_side = votes is not None and voted(votes) > 0 and decided(votes) >= policy["votes_min"]
        why = "B stood on one side in nearly all of them" if one_side else "there are none, or too few"
        return {"sentence": f"The policy asks for votes; {why}.", **step}

    def launched(self, status: dict[str, str]) -> str:
        """L1 and L2."""
        raw, policy, mpe = self.raw, self.policy, self.policy["mpe"]
        margin, name = policy["primary_margin"], self.name
        if not self.improve:
            text = f"B is as good as A: {name} {self.delta(-margin)}"
            if self.fixed:
                text += f" {self.on}, limit {limit(-margin)}."
            else:
                text += f", at worst {near(self.primary['lower90'], -margin)}, limit {limit(-margin)}, {self.on}."
        else:
            inside = [] if self.fixed else [self.i95()]
            if raw.get("mean_a") is not None:
                inside.insert(0, f"{rounded(raw['mean_a'], 3)} → {rounded(raw['mean_b'], 3)}")
            shown = f" ({'; '.join(inside)})" if inside else ""
            text = f"B raises {name} by {self.delta(mpe)}{shown} {self.on}, "
            if mpe == 0:
                text += "any gain counts." if self.fixed else "any proven gain counts."
            else:
                above = "above" if side(raw["delta"], mpe) > 0 else "as much as"
                text += f"{'' if self.fixed else 'estimated '}{above} the {limit(mpe)} that matters."
        return text + self.safe(status)

    def looked_at(self, status: dict[str, str]) -> list[str]:
        """Watch measures and segments by which nothing is harmed."""
        if status["H4"] != PASSED:
            return []
        columns = dict.fromkeys(f"segments of {row['column']}" for row in self.reading.segmented)
        return [*(row["what"] for row in self.reading.watched), *columns]

    def unharmed(self, status: dict[str, str]) -> list[str]:
        """What a launch says of guardrails, watch measures and segments."""
        watched, guards = self.looked_at(status), self.reading.guardrails
        if self.fixed:
            looked = [row["what"] for row in guards] if status["H2"] == PASSED else []
            return [f"no loss beyond its limit on {', '.join(looked + watched)}"] if looked or watched else []
        parts = []
        if status["U3"] == PASSED:
            parts += [f"{row['what']} is safe within {limit(row['margin'])}" for row in guards]
        if watched:
            parts.append(f"no harm proven to {', '.join(watched)}")
        return parts

    def safe(self, status: dict[str, str]) -> str:
        """The second sentence."""
        parts = self.unharmed(status)
        if status["U4"] == PASSED:
            parts.append(f"raters confirm it: {said_by(self.votes, self.policy)}")
        elif status["H3"] == PASSED:
            parts.append(f"raters: {said_by(self.votes, self.policy)}, no objection proven")
        text = "; ".join(parts)
        if text.startswith(("no ", "raters")):
            text = text[0].upper() + text[1:]
        text = f" {text}." if text else ""
        if self.policy["population"] == "affected" and not self.fixed and self.raw.get("delta_all") is not None:
            text += f" Over all queries the mean is {near(self.raw['delta_all'], 0)}."
        return text

    def passed(self, status: dict[str, str]) -> dict[str, str]:
        """What H1, H2, H5 and U1 say where they passed."""
        found = {}
        if self.fixed:
            return found
        if status["H1"] == PASSED:
            found["H1"] = (
                f"No loss is proven: {self.measured(*([] if self.improve else [-self.policy['primary_margin']]))}."
            )
        if status["H2"] == PASSED:
            row = min(self.reading.tested["guardrail"], key=lambda g: g["delta"] / g["margin"])
            inside = span(row["lower90"], row["upper90"], 90, self.grouped)
            delta = near(row["delta"], 0, -row["margin"])
            found["H2"] = (
                f"No harm beyond the limit is proven: {row['what']} {delta} ({inside}), limit {limit(-row['margin'])}."
            )
        if status["H5"] == PASSED:
            severe, why = self.reading.severe, ""
            if severe["losses"] > severe["wins"]:
                why = ": no more than chance makes"
                if self.reading.severe_p() < 0.05:
                    floor = 100 * self.policy["big_excess_min"]
                    excess = near(100 * self.reading.excess(), floor, places=1).lstrip("+")
                    why = f": an excess of {excess}% of the queries, the limit is {limit(floor, 1)}%"
            found["H5"] = f"{self.against()}{why}."
        if status["U1"] == PASSED:
            found["U1"] = (
                f"Chance alone would rarely do this: the 95% interval begins at {near(self.primary['lower95'], 0)}."
            )
        return found


#: Rules with words of their own where the queries are all that matters.
FIXED_WORDS = ("H1", "F1")


# -- words about the data


def c1(data: Row, policy: Row) -> Row:
    """Nothing to compare."""
    return {"sentence": "No query is left to compare." if data["common_queries"] else "A and B share no judged query."}


def c4(data: Row, policy: Row) -> Row:
    """The one that misses more comes first."""
    pairs = sorted([(-data["missing_a"], "A"), (-data["missing_b"], "B")])
    (m, x), (other, y) = pairs
    return {"sentence": f"{x} has no result for {queries(-m)}, {y} for {-other:,}."}


def c6(data: Row, policy: Row) -> Row:
    """Whose documents are not judged."""
    k = policy["cutoff"]
    if data["judged_a"] == 0 and data["judged_b"] == 0:
        return {"sentence": f"None of the top {k} documents of A and B is judged."}
    return {"sentence": f"None of {'A' if data['judged_a'] == 0 else 'B'}’s top {k} documents is judged."}


def leaks(data: Row) -> list[str]:
    """The runs that are made of the judgments."""
    found = []
    for run in "ab":
        leak = data.get(f"leak_{run}")
        if leak and leak["judged"] == leak["listed"] and leak["in_grade_order"] == leak["lists"]:
            found += [run.upper()] if leak["two_grades"] >= 30 else []
    return found


def c7(data: Row, policy: Row) -> Row:
    """A run that is the judgments."""
    which = leaks(data)
    start = "A and B are" if len(which) > 1 else f"{which[0]} is"
    whose = "their" if len(which) > 1 else "its"
    rest = f"all of {whose} documents are judged, and every list is in the order of their grades"
    return {
        "sentence": f"{start} the judgments themselves: {rest}.",
        "next_step": "Give the runs that are to be compared, not lists made of the judgments.",
        "would_change": "a run whose order is not that of the grades",
    }


C_WORDS = {
    "C1": c1,
    "C2": lambda data, policy: {"sentence": "The labels cannot tell the models apart."},
    "C4": c4,
    "C5": lambda data, policy: {
        "sentence": f"The answer depends on {many(data['unjudged_shown'], 'unjudged document')}."
    },
    "C6": c6,
    "C7": c7,
}


def unchanged(data: Row, raw: Row, policy: Row) -> Row:
    """N0."""
    same = "A and B are the same file: check that B is the run that was meant."
    step = same if data.get("same_file") else "Check that B is the run that was meant."
    n = raw["n"] or data["judged_queries"]
    found = {"sentence": f"B changes nothing in the first {policy['cutoff']} of {queries(n)}."}
    if policy["intent"] == "improve" or data.get("same_file"):
        found["next_step"] = step
    return found
