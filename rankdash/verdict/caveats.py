"""What a reader must know beside the verdict: plain numbers in, ordered caveats out. None changes an outcome.

Each caveat is a row of a table: what it ``finds``, as facts, and what it ``says``, which is made of these facts alone.
First comes that the order of the lists is in doubt, which leaves nothing of a verdict. Then come the caveats whose
other reading, recomputed, launches where this reading does not, or the reverse; then those with another outcome; then
by their effect on the deciding difference, then in the order of the table. Three are shown, the rest on demand. What
was not measured is None, and its caveat is silent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from rankdash import wording
from rankdash.evidence.paired import DECIMALS
from rankdash.evidence.votes import ENOUGH_RATERS
from rankdash.policy import Policy
from rankdash.scoring import Counts
from rankdash.verdict.harms import LEVEL, above, below
from rankdash.verdict.records import Caveat, Evidence, Fragility, Numbers, Outcome, Verdict, VoteNumbers
from rankdash.verdict.rule import IN_WORDS, delta_gsb, queries, unusable_sentence, why_unusable, worth

SHOWN = 3
_JUDGED_ENOUGH, _GAP, _HEAVY, _TIED = 0.90, 0.01, 0.05, 0.10
#: A launch on fewer queries has the caveat ``small``.
_SMALL = 100
#: A verdict is fragile where so few queries turn it, or so small a share of them; at most so many are named.
_FEW, _FEW_SHARE, _NAMED = 3, 0.01, 10
#: The least share of queries with repeated texts for which the caveat is shown.
_REPEATED = 0.05
#: Below the first number the caveat says that raters agree little, below the second also what to do about it.
_AGREEMENT, _LITTLE = 0.40, 0.20

#: What a caveat found, by name: numbers, texts, and tuples of them.
Facts = Mapping[str, Any]


@dataclass(frozen=True)
class CaveatInput:
    """What caveats read: the evidence, and further numbers. Shares are in [0, 1].

    ``looks`` counts the states of the data with which the verdict was looked at, ``candidates`` the models that were
    compared with this A on these judgments; ``tie_bounds`` are the mean differences under the worst and the best order
    of tied scores, ``tied_share`` the share of the first places with a tied document; ``weight_segment`` is the segment
    from which most of the weights' effect comes; ``other_outcomes`` and ``other_deltas`` hold, by caveat id, the
    outcome and the deciding difference under its other reading, recomputed.

    ``turned`` are the models whose lists may be reversed, each with the order that would put them right and the share
    of rows that say so; ``level`` are the models whose documents have one score, with the number of such lists and of
    all; ``judgments`` is a key of ``wording.JUDGMENTS_SAY``; ``threshold`` is the sentence on grades below 1, which
    gain and are not relevant.
    """

    evidence: Evidence
    delta_condensed: float | None = None
    delta_bounds: tuple[float, float] | None = None
    labels_from: Literal["A", "B"] | None = None
    delta_without_missing: float | None = None
    judgments: str = ""
    fragility: Fragility | None = None
    tie_bounds: tuple[float, float] | None = None
    tied_share: float = 0.0
    looks: int = 1
    candidates: int = 1
    delta_unweighted: float | None = None
    largest_weight: float | None = None
    weight_segment: str = ""
    turned: tuple[tuple[Literal["A", "B"], Literal["rank", "position"], float], ...] = ()
    level: tuple[tuple[Literal["A", "B"], int, int], ...] = ()
    threshold: str = ""
    other_outcomes: Mapping[str, Outcome] = field(default_factory=dict)
    other_deltas: Mapping[str, float | None] = field(default_factory=dict)

    @property
    def data(self) -> Counts | None:
        """The data checks, where there are judgments."""
        return self.evidence.data if self.evidence.plain else None

    @property
    def primary(self) -> Numbers | None:
        """The primary measure as counted, where there are judgments."""
        return self.evidence.plain.primary if self.evidence.plain else None

    def usable_votes(self, policy: Policy) -> VoteNumbers | None:
        """Return the votes, where the policy can use them."""
        votes = self.evidence.votes
        is_usable = votes is not None and votes.n > 0 and why_unusable(votes, policy) is None
        return votes if is_usable else None


@dataclass(frozen=True)
class CaveatRow:
    """A caveat: what it ``finds`` in this input under this policy and outcome, None where it is silent, and the words
    for that.

    A caveat ``of_samples`` has no meaning where the queries are all that matters.
    """

    id: str
    finds: Callable[[CaveatInput, Policy, Outcome], Facts | None]
    says: Callable[[Facts], str]
    of_samples: bool = False


def _order(known: CaveatInput, policy: Policy, outcome: Outcome) -> Facts | None:
    found = known.turned or known.level
    return {"turned": known.turned, "level": known.level} if found else None


def _order_says(facts: Facts) -> str:
    reversed_ = (wording.turned(*each) for each in facts["turned"])
    return " ".join((*reversed_, *(wording.level(*each) for each in facts["level"])))


def _unjudged(known: CaveatInput, policy: Policy, outcome: Outcome) -> Facts | None:
    data = known.data
    if data is None or data.kind != "judged" or data.judged_a is None or data.judged_b is None:
        return None
    gap = round(abs(data.judged_a - data.judged_b), 12)
    if min(data.judged_a, data.judged_b) >= _JUDGED_ENOUGH and gap <= _GAP:
        return None
    return {
        "k": policy.cutoff,
        "judged_a": data.judged_a,
        "judged_b": data.judged_b,
        "delta_condensed": known.delta_condensed,
        "bounds": known.delta_bounds,
        "labels_from": known.labels_from,
    }


def _unjudged_says(facts: Facts) -> str:
    shares = f"{wording.percent(facts['judged_a'])} are judged in A, {wording.percent(facts['judged_b'])} in B"
    sentences = [f"Of the top {facts['k']}, {shares}."]
    if facts["delta_condensed"] is not None:
        sentences.append(f"Without the unjudged documents Δ is {wording.near(facts['delta_condensed'], 0.0)}.")
    if facts["bounds"] is not None:
        low, high = (wording.near(end, 0.0) for end in facts["bounds"])
        sentences.append(f"With each of them at grade 0 or at the highest grade, Δ lies between {low} and {high}.")
    if facts["labels_from"]:
        model, other = facts["labels_from"], "B" if facts["labels_from"] == "A" else "A"
        sentences.append(
            f"The labels come from {model}’s results only: what only {other} shows counts as not relevant, "
            f"which favours {model}."
        )
    return " ".join(sentences)


def _votes_ignored(known: CaveatInput, policy: Policy, outcome: Outcome) -> Facts | None:
    votes = known.evidence.votes
    if known.primary is None or votes is None or not votes.n or why_unusable(votes, policy) is None:
        return None
    return {"votes": votes, "policy": policy}


def _votes_ignored_says(facts: Facts) -> str:
    why, said = (tell(facts["votes"], facts["policy"]) for tell in (unusable_sentence, delta_gsb))
    return f"The votes are ignored. {why} They would have said {said}."


def _missing(known: CaveatInput, policy: Policy, outcome: Outcome) -> Facts | None:
    data = known.data
    if data is None or not data.missing_a + data.missing_b:
        return None
    left_out = policy.in_force.missing_query == "skip"
    return {
        "missing_a": data.missing_a,
        "missing_b": data.missing_b,
        "judged_queries": data.judged,
        "left_out": left_out,
        "came_back_empty": policy.missing == "empty",
        "delta_without": None if left_out else known.delta_without_missing,
    }


def _missing_says(facts: Facts) -> str:
    what = "they are left out" if facts["left_out"] else "they count 0"
    without = facts["delta_without"]
    other = "" if without is None else f"; left out, Δ is {wording.near(without, 0.0)}"
    missing_a = wording.count(facts["missing_a"], "judged query has", "judged queries have")
    of = facts["judged_queries"] if facts["came_back_empty"] else 0
    rates = [f" ({wording.percent(facts[name] / of)})" if of else "" for name in ("missing_a", "missing_b")]
    return f"{missing_a} no result in A{rates[0]}, {wording.count(facts['missing_b'])} in B{rates[1]}; {what}{other}."


def _fragile(known: CaveatInput, policy: Policy, outcome: Outcome) -> Facts | None:
    primary, fragility = known.primary, known.fragility
    if primary is None or fragility is None or fragility.n is None or outcome not in (Outcome.LAUNCH, Outcome.WORSE):
        return None
    if fragility.n > max(_FEW, _FEW_SHARE * primary.n):
        return None
    return {"n": fragility.n, "queries": fragility.queries, "turns_to": fragility.turns_to}


def _fragile_says(facts: Facts) -> str:
    names, more = ", ".join(facts["queries"][:_NAMED]), facts["n"] - _NAMED
    listed = f"{names} and {wording.count(more)} more" if more > 0 else names
    turns = "" if facts["turns_to"] is None else IN_WORDS[facts["turns_to"]]
    return f"Without {wording.count(facts['n'], 'query', 'queries')} ({listed}) the answer is another: {turns}."


def _ties(known: CaveatInput, policy: Policy, outcome: Outcome) -> Facts | None:
    primary, bounds = known.primary, known.tie_bounds
    if bounds is None or primary is None or primary.delta is None:
        return None
    moved = max(abs(end - primary.delta) for end in bounds)
    turns = known.other_outcomes.get("ties", outcome) is not outcome
    if not (turns or above(moved, policy.mpe) or above(known.tied_share, _TIED)):
        return None
    return {"bounds": bounds, "tied_share": known.tied_share, "k": policy.cutoff}


def _ties_says(facts: Facts) -> str:
    low, high = (wording.near(end, 0.0) for end in facts["bounds"])
    return (
        f"Depending on the order of tied scores Δ lies between {low} and {high}; "
        f"{wording.percent(facts['tied_share'])} of the top {facts['k']} are tied."
    )


def _looks_says(facts: Facts) -> str:
    return (
        f"This verdict was looked at with {wording.count(facts['looks'])} states of the data. Looking until it "
        f"launches would launch up to {wording.chance_of_one(facts['looks'])} of models that are no better, one look "
        f"{wording.chance_of_one(1)}."
    )


def _family_says(facts: Facts) -> str:
    return (
        f"{wording.count(facts['candidates'])} candidates were compared with this A. If none were better, up to "
        f"{wording.chance_of_one(facts['candidates'])} of such families would launch one."
    )


def _sides(known: CaveatInput, policy: Policy, outcome: Outcome) -> Facts | None:
    """Find the side's effect seen from the side that gains: half of the effect, and the ends of its interval."""
    votes = known.usable_votes(policy)
    if votes is None:
        return None
    if votes.left is None and votes.n_side is None:
        return {"side": None}
    if votes.side_effect_p is None or votes.side_effect_p >= LEVEL:
        return None
    effect = votes.side_effect or 0.0
    sign, side = (1, "left") if effect >= 0 else (-1, "right")
    low, high = sorted(sign * (end or 0.0) / 2 for end in (votes.side_lower95, votes.side_upper95))
    return {"side": side, "moves": _possible(abs(effect) / 2), "low": _possible(low), "high": _possible(high)}


def _sides_says(facts: Facts) -> str:
    if facts["side"] is None:
        return "Which side B stood on was not recorded: the pull of a side cannot be excluded."
    half, low, high = (wording.points_near(facts[name], 0.0) for name in ("moves", "low", "high"))
    return (
        f"Standing on the {facts['side']} moves ΔGSB by {half} points (95% interval {low} to {high}); "
        "it is averaged over both sides."
    )


def _possible(share: float) -> float:
    """Return a ΔGSB, or a change of it, cut to what is possible: -1 to 1."""
    return max(-1.0, min(1.0, share))


def _proves(low: float | None, high: float | None) -> str:
    """Return the model that an interval proves to be preferred: "B", "A", or "" for neither."""
    return "B" if above(low or 0.0, 0.0) else "A" if below(high or 0.0, 0.0) else ""


def _raters(known: CaveatInput, policy: Policy, outcome: Outcome) -> Facts | None:
    """Find for whom the votes speak, and how far raters agree, where one of the two is in doubt."""
    votes = known.usable_votes(policy)
    if votes is None:
        return None
    low, high = votes.rater_lower95, votes.rater_upper95
    few = votes.people is None or votes.people < ENOUGH_RATERS
    by_rater = None
    if not few and low is not None and high is not None:
        differs = _proves(low, high) != _proves(votes.lower95, votes.upper95)
        by_rater = (_possible(low), _possible(high)) if differs else None
    alpha = votes.alpha if votes.alpha is not None and below(votes.alpha, _AGREEMENT) else None
    doubted = few or by_rater is not None or alpha is not None
    return {"people": votes.people, "few": few, "by_rater": by_rater, "alpha": alpha} if doubted else None


def _raters_says(facts: Facts) -> str:
    sentences = []
    if facts["few"]:
        some = f"This holds for the {facts['people']} raters who voted, not for raters in general."
        alone = {
            None: "Who voted was not recorded: this may be one person’s preference.",
            1: "This is one person’s preference.",
        }
        sentences.append(alone.get(facts["people"], some))
    if facts["by_rater"] is not None:
        sentences.append(
            f"Counted by rater the interval is {wording.points_between(*facts['by_rater'])}: what holds for these "
            f"{wording.count(facts['people'])} raters is not proven for raters in general."
        )
    if facts["alpha"] is not None:
        shown = wording.near(facts["alpha"], _AGREEMENT, _LITTLE, decimals=2).removeprefix("+")
        what_to_do = ": ask for clearer instructions or more queries" if below(facts["alpha"], _LITTLE) else ""
        sentences.append(f"Raters agree little (α = {shown}){what_to_do}.")
    return " ".join(sentences)


def _repeated(known: CaveatInput, policy: Policy, outcome: Outcome) -> Facts | None:
    primary, texts = known.primary, known.data.repeated_texts if known.data else None
    if primary is None or primary.clusters is not None or not texts or below(texts, _REPEATED * primary.n):
        return None
    return {"repeated": texts, "n": primary.n}


def _repeated_says(facts: Facts) -> str:
    return (
        f"{wording.count(facts['repeated'])} of {wording.count(facts['n'], 'query', 'queries')} share their text with "
        "another one, and count as if they were independent. A column cluster would say which belong together."
    )


def _weights(known: CaveatInput, policy: Policy, outcome: Outcome) -> Facts | None:
    primary = known.primary
    if primary is None or primary.n_eff is None or primary.delta is None:
        return None
    turns = known.delta_unweighted is not None and primary.delta * known.delta_unweighted < 0
    heavy = known.largest_weight if (known.largest_weight or 0.0) > _HEAVY else None
    if not (turns or heavy or primary.n_eff < primary.n / 2):
        return None
    return {
        "delta": primary.delta,
        "delta_unweighted": known.delta_unweighted,
        "segment": known.weight_segment,
        "n": primary.n,
        "worth": worth(primary.n_eff),
        "largest": heavy,
    }


def _weights_says(facts: Facts) -> str:
    delta, unweighted = (wording.near(facts[name], 0.0) for name in ("delta", "delta_unweighted"))
    means = f"Weighted, Δ is {delta}; unweighted {unweighted}"
    if facts["segment"]:
        means += f"; most of the difference between them comes from {facts['segment']}"
    parts = []
    if facts["worth"] < facts["n"]:
        ones = wording.count(facts["worth"], "equal one", "equal ones")
        parts.append(f"{wording.count(facts['n'], 'query is', 'queries are')} worth {ones}")
    if facts["largest"]:
        parts.append(f"one query carries {wording.percent(facts['largest'])} of the weight")
    return " ".join(f"{part[0].upper()}{part[1:]}." for part in (means, "; ".join(parts)) if part)


def _majority(known: CaveatInput, policy: Policy, outcome: Outcome) -> Facts | None:
    """Find that B is better on average and loses more queries than it wins, or the reverse, or that raters see it the
    other way.
    """
    primary, votes = known.primary, known.usable_votes(policy)
    if primary is None or not primary.delta:
        return None
    contrary = (primary.wins - primary.losses) * primary.delta < 0
    otherwise = votes if votes is not None and (votes.delta or 0.0) * primary.delta < 0 else None
    if not contrary and otherwise is None:
        return None
    counts = (primary.wins, primary.losses) if contrary else None
    return {"delta": primary.delta, "counts": counts, "votes": otherwise, "policy": policy}


def _majority_says(facts: Facts) -> str:
    sentences = []
    if facts["counts"]:
        wins, losses = facts["counts"]
        higher, more, fewer = ("higher", "loses", "wins") if facts["delta"] > 0 else ("lower", "wins", "loses")
        numbers = " to ".join(map(wording.count, (max(wins, losses), min(wins, losses))))
        size = wording.size_near(abs(facts["delta"]), 0.0)
        sentences.append(f"B is {size} {higher} on average but {more} more queries than it {fewer} ({numbers}).")
    if facts["votes"] is not None:
        sentences.append(f"Raters see it the other way: {delta_gsb(facts['votes'], facts['policy'])}.")
    return " ".join(sentences)


def _small(known: CaveatInput, policy: Policy, outcome: Outcome) -> Facts | None:
    primary = known.primary
    if primary is None or outcome is not Outcome.LAUNCH or known.evidence.changes_nothing:
        return None
    return {"primary": primary, "worth": worth(primary.size)} if below(primary.size, _SMALL) else None


#: In the order in which they are shown where nothing else decides.
ROWS = (
    CaveatRow("order", _order, _order_says),
    CaveatRow("unjudged", _unjudged, _unjudged_says),
    CaveatRow("votes_ignored", _votes_ignored, _votes_ignored_says),
    CaveatRow("missing", _missing, _missing_says),
    CaveatRow(
        "judgments",
        lambda known, policy, outcome: {"kind": known.judgments} if known.judgments else None,
        lambda facts: wording.JUDGMENTS_SAY[facts["kind"]],
    ),
    CaveatRow(
        "threshold",
        lambda known, policy, outcome: {"says": known.threshold} if known.threshold else None,
        lambda facts: str(facts["says"]),
    ),
    CaveatRow("fragile", _fragile, _fragile_says, of_samples=True),
    CaveatRow("ties", _ties, _ties_says),
    CaveatRow(
        "looks",
        lambda known, policy, outcome: {"looks": known.looks} if known.looks > 1 else None,
        _looks_says,
        of_samples=True,
    ),
    CaveatRow(
        "family",
        lambda known, policy, outcome: {"candidates": known.candidates} if known.candidates > 1 else None,
        _family_says,
        of_samples=True,
    ),
    CaveatRow("sides", _sides, _sides_says),
    CaveatRow("raters", _raters, _raters_says),
    CaveatRow("repeated", _repeated, _repeated_says, of_samples=True),
    CaveatRow("weights", _weights, _weights_says),
    CaveatRow("majority", _majority, _majority_says),
    CaveatRow(
        "small",
        _small,
        lambda facts: f"With {queries(facts['primary'])}, rare large losses can go unseen.",
        of_samples=True,
    ),
)
#: That the order of lists is in doubt comes before all else; what is asked of the judgments can be answered on a page.
ORDER, JUDGMENTS = "order", "judgments"
_PLACES = {row.id: place for place, row in enumerate(ROWS)}


def caveats(known: CaveatInput, policy: Policy, outcome: Outcome) -> tuple[Caveat, ...]:
    """Return every caveat that applies, in the order of ``ordered``. The first three (SHOWN) belong on the page."""
    found = ((row, row.finds(known, policy, outcome)) for row in ROWS)
    applying = [
        Caveat(row.id, row.says(facts), known.other_outcomes.get(row.id), _effect(known, row.id), facts)
        for row, facts in found
        if facts is not None and not (policy.inference == "fixed" and row.of_samples)
    ]
    return ordered(applying, outcome)


def ordered(caveats: Iterable[Caveat], outcome: Outcome) -> tuple[Caveat, ...]:
    """Return caveats, the weightiest first: that the order of lists is in doubt, then those whose other reading turns
    launch into no launch or the reverse, then those with another outcome, then by the size of their effect, then in the
    order of the table.
    """
    outcome = Outcome(outcome)

    def weight(caveat: Caveat) -> tuple[bool, int, float, int]:
        turns = outcome if caveat.turns_to is None else Outcome(caveat.turns_to)
        flips = (turns is Outcome.LAUNCH) is not (outcome is Outcome.LAUNCH)
        rank = 0 if flips else 1 if turns is not outcome else 2
        return (caveat.id != ORDER, rank, -round(caveat.effect or 0.0, DECIMALS), _PLACES.get(caveat.id, len(_PLACES)))

    return tuple(sorted(caveats, key=weight))


def _effect(known: CaveatInput, caveat: str) -> float | None:
    """Return how far the other reading of a caveat moves the deciding difference; None where that is undefined."""
    primary, other = known.primary, known.other_deltas.get(caveat)
    if primary is None or primary.delta is None or other is None:
        return None
    return abs(other - primary.delta)


def with_caveats(verdict: Verdict, known: CaveatInput, policy: Policy) -> Verdict:
    """Return the verdict with its caveats and with its looks and candidates; nothing else changes."""
    applying = caveats(known, policy, verdict.outcome)
    return replace(verdict, caveats=applying, looks=known.looks, candidates=known.candidates)
