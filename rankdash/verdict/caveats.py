"""What a reader must know beside the verdict: plain numbers in, ordered caveats out. None changes an outcome.

Each caveat is a row of a table. First comes that the order of the lists is in doubt, which leaves nothing of a verdict.
Then come the caveats whose other reading, recomputed, launches where this reading does not, or the reverse; then those
with another outcome; then by their effect on the deciding difference, then in the order of the table. Three are shown,
the rest on demand. What was not measured is None, and its caveat is silent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Literal

from rankdash import wording
from rankdash.evidence.gsb import ENOUGH_RATERS
from rankdash.evidence.paired import DECIMALS
from rankdash.metrics import definition_of
from rankdash.policy import Policy
from rankdash.records import field, frozen, replace
from rankdash.scoring import Counts
from rankdash.verdict.records import (
    LEVEL,
    Caveat,
    Evidence,
    Fragility,
    Numbers,
    Outcome,
    Verdict,
    VoteNumbers,
    above,
    below,
)
from rankdash.verdict.rule import IN_WORDS, delta_gsb, queries, unusable_sentence, why_unusable

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


@frozen
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
    turned: tuple[tuple[Literal["A", "B"], Literal["rank", "score", "position"], float], ...] = ()
    level: tuple[tuple[Literal["A", "B"], int, int], ...] = ()
    threshold: str = ""
    other_outcomes: Mapping[str, Outcome] = field(default_factory=dict)
    other_deltas: Mapping[str, float | None] = field(default_factory=dict)

    @property
    def data(self) -> Counts | None:
        """The data checks, where there are judgments."""
        return self.evidence.data if self.evidence.plain else None

    @property
    def nouns(self) -> wording.Nouns:
        """What a query and a document are called."""
        return self.evidence.nouns

    @property
    def primary(self) -> Numbers | None:
        """The primary measure as counted, where there are judgments."""
        return self.evidence.plain.primary if self.evidence.plain else None

    def needs_gain(self, policy: Policy) -> bool:
        """Return whether B must be better; by votes alone it always must."""
        return policy.intent == "improve" or self.evidence.plain is None

    def usable_votes(self, policy: Policy) -> VoteNumbers | None:
        """Return the votes, where the policy can use them."""
        votes = self.evidence.votes
        is_usable = votes is not None and votes.n > 0 and why_unusable(votes, policy) is None
        return votes if is_usable else None


def _order(known: CaveatInput, policy: Policy, outcome: Outcome, *, on_page: bool = False) -> str:
    turned = (wording.turned(*each, on_page=on_page) for each in known.turned)
    said = (*turned, *(wording.level(*each) for each in known.level))
    return known.nouns.say(" ".join(said))


def _unjudged(known: CaveatInput, policy: Policy, outcome: Outcome) -> str:
    data, nouns = known.data, known.nouns
    if data is None or data.kind != "judged" or data.judged_a is None or data.judged_b is None:
        return ""
    gap = round(abs(data.judged_a - data.judged_b), 12)
    if min(data.judged_a, data.judged_b) >= _JUDGED_ENOUGH and gap <= _GAP:
        return ""
    shares = f"{wording.percent(data.judged_a)} are judged in A, {wording.percent(data.judged_b)} in B"
    sentences = [f"Of the top {policy.cutoff}, {shares}."]
    if known.delta_condensed is not None:
        sentences.append(
            f"Without the unjudged {nouns.documents} the difference is {wording.near(known.delta_condensed, 0.0)}."
        )
    if known.delta_bounds is not None:
        low, high = (wording.near(end, 0.0) for end in known.delta_bounds)
        where = f"stay {low}" if low == high else f"lie between {low} and {high}"
        sentences.append(f"If each of them had grade 0 or the highest grade, it would {where}.")
    if known.labels_from:
        model, other = known.labels_from, "B" if known.labels_from == "A" else "A"
        sentences.append(
            f"Every judged {nouns.document} is in {model}’s results, and not every one in {other}’s, which favours "
            f"{model}. {nouns.say('Documents')} that only {other} shows count as not relevant."
        )
    return " ".join(sentences)


def _votes_ignored(known: CaveatInput, policy: Policy, outcome: Outcome) -> str:
    votes = known.evidence.votes
    if known.primary is None or votes is None or not votes.n or why_unusable(votes, policy) is None:
        return ""
    why, said = unusable_sentence(votes, policy, known.nouns), delta_gsb(votes, policy)
    return f"The votes are ignored. {why} They would have said {said}."


def _missing(known: CaveatInput, policy: Policy, outcome: Outcome) -> str:
    data = known.data
    if data is None or not data.missing_a + data.missing_b:
        return ""
    both_lack = data.missing_a > 0 and data.missing_b > 0
    undefined = definition_of(policy.primary).empty is None
    left_out = undefined or policy.in_force.missing_query == "skip"
    where = " where only one model lacks them" if policy.population == "affected" and both_lack else ""
    instead = f"count as 0{where}"
    if left_out:
        instead = f"are left out{f' of {policy.label(policy.primary)}' if undefined else ''}"
    what = f"{known.nouns.say('Such queries')} {instead}."
    without = None if left_out else known.delta_without_missing
    other = "" if without is None else f" Without them the difference is {wording.near(without, 0.0)}."
    of = data.judged if policy.missing == "empty" else 0
    missing = {"A": data.missing_a, "B": data.missing_b}
    found = " ".join(
        f"{known.nouns.queries_of(n, 'judged ')} {'has' if n == 1 else 'have'} no results in {model}"
        f"{f' ({wording.percent(n / of)})' if of else ''}."
        for model, n in missing.items()
        if n
    )
    return f"{found} {what}{other}"


def _fragile(known: CaveatInput, policy: Policy, outcome: Outcome) -> str:
    primary, found = known.primary, known.fragility
    if primary is None or found is None or found.n is None or outcome not in (Outcome.LAUNCH, Outcome.WORSE):
        return ""
    if found.n > max(_FEW, _FEW_SHARE * primary.n):
        return ""
    names, more = ", ".join(found.queries[:_NAMED]), found.n - _NAMED
    listed = f"{names} and {wording.count(more)} more" if more > 0 else names
    turns = "" if found.turns_to is None else IN_WORDS[found.turns_to]
    return f"Without {known.nouns.queries_of(found.n)} ({listed}) the verdict would be: {turns}."


def _ties(known: CaveatInput, policy: Policy, outcome: Outcome) -> str:
    primary, bounds = known.primary, known.tie_bounds
    if bounds is None or primary is None or primary.delta is None:
        return ""
    moved = max(abs(end - primary.delta) for end in bounds)
    turns = known.other_outcomes.get("ties", outcome) is not outcome
    if not (turns or above(moved, policy.mpe) or above(known.tied_share, _TIED)):
        return ""
    low, high = (wording.near(end, 0.0) for end in bounds)
    lies = f"stays {low}, whatever" if low == high else f"lies between {low} and {high}, depending on"
    tied = f"{wording.percent(known.tied_share)} of the top {policy.cutoff} have tied scores"
    return f"{tied}. The difference {lies} their order."


def _chance_of_one(k: int, tail: float = 0.025) -> str:
    """Return how many of k tries, each of which launches by a chance of ``tail``, launch at least once.

    >>> _chance_of_one(2), _chance_of_one(7), _chance_of_one(2, 0.05)
    ('4.9%', '16.2%', '9.8%')
    """
    return wording.percent(1 - (1 - tail) ** k)


def _looks(known: CaveatInput, policy: Policy, outcome: Outcome) -> str:
    if known.looks <= 1:
        return ""
    gains = known.needs_gain(policy)
    model, tail = ("that is no better", 0.025) if gains else ("that loses more than allowed", 0.05)
    now, one = (_chance_of_one(looks, tail) for looks in (known.looks, 1))
    return (
        f"This verdict was seen with {wording.count(known.looks)} versions of the data. Each is another chance to "
        f"launch a model {model}: at most {now} by now, {one} with one version."
    )


def _family(known: CaveatInput, policy: Policy, outcome: Outcome) -> str:
    if known.candidates <= 1:
        return ""
    n, level = wording.count(known.candidates), wording.family_level(known.candidates)
    compared = f"{n} candidates were compared with A on these judgments, deleted and corrected ones too"
    if known.needs_gain(policy):
        return f"{compared}. A gain counts only if its {level} interval lies above 0."
    return f"{compared}. A loss on {policy.label(policy.primary)} counts as ruled out only at the {level} level."


def _sides(known: CaveatInput, policy: Policy, outcome: Outcome) -> str:
    """Return the side's effect seen from the side that gains: half of the effect, and the ends of its interval."""
    votes = known.usable_votes(policy)
    if votes is None:
        return ""
    if votes.left is None and votes.n_side is None:
        return "The votes do not say on which side B was shown. Raters may prefer one side."
    if votes.side_effect_p is None or votes.side_effect_p >= LEVEL:
        return ""
    effect = votes.side_effect or 0.0
    sign, side = (1, "left") if effect >= 0 else (-1, "right")
    ends = sorted(sign * (end or 0.0) / 2 for end in (votes.side_lower95, votes.side_upper95))
    half, low, high = (wording.points_near(_possible(share), 0.0) for share in (abs(effect) / 2, *ends))
    return (
        f"Being shown on the {side} moves ΔGSB by {half} points (95% interval {low} to {high}). "
        "ΔGSB is averaged over both sides."
    )


def _possible(share: float) -> float:
    """Return a ΔGSB, or a change of it, cut to what is possible: -1 to 1."""
    return max(-1.0, min(1.0, share))


def _proves(low: float | None, high: float | None) -> str:
    """Return the model that an interval proves to be preferred: "B", "A", or "" for neither."""
    return "B" if above(low or 0.0, 0.0) else "A" if below(high or 0.0, 0.0) else ""


def _raters(known: CaveatInput, policy: Policy, outcome: Outcome) -> str:
    """Return for whom the votes speak, and how far raters agree, where one of the two is in doubt."""
    votes, sentences = known.usable_votes(policy), list[str]()
    if votes is None:
        return ""
    low, high = votes.rater_lower95, votes.rater_upper95
    if votes.people is None:
        sentences.append("The votes do not say who voted. This may be one person’s preference.")
    elif votes.people == 1:
        sentences.append("This is one person’s preference.")
    elif votes.people < ENOUGH_RATERS:
        sentences.append(f"This holds for the {votes.people} raters who voted, not for raters in general.")
    elif low is not None and high is not None and _proves(low, high) != _proves(votes.lower95, votes.upper95):
        counted = f"Counted by rater, the interval is {wording.points_between(_possible(low), _possible(high))}."
        says = f"What holds for these {wording.count(votes.people)} raters is not proven for raters in general."
        if preferred := _proves(low, high):  # and nothing, counted by query
            says = f"Raters prefer {preferred} on these {known.nouns.queries}; for others that is not proven."
        sentences.append(f"{counted} {says}")
    if votes.alpha is not None and below(votes.alpha, _AGREEMENT):
        shown = wording.near(votes.alpha, _AGREEMENT, _LITTLE, decimals=2).removeprefix("+")
        more = f" Give clearer instructions, or more {known.nouns.queries}."
        what_to_do = more if below(votes.alpha, _LITTLE) else ""
        sentences.append(f"Raters agree little (α = {shown}).{what_to_do}")
    return " ".join(sentences)


def _repeated(known: CaveatInput, policy: Policy, outcome: Outcome) -> str:
    primary, texts = known.primary, known.data.repeated_texts if known.data else None
    if primary is None or primary.clusters is not None or not texts or below(texts, _REPEATED * primary.n):
        return ""
    return (
        f"{wording.count(texts)} of {known.nouns.queries_of(primary.n)} share their text with "
        "another one, but count as independent. A column cluster can say which belong together."
    )


def _weights(known: CaveatInput, policy: Policy, outcome: Outcome) -> str:
    primary, unweighted = known.primary, known.delta_unweighted
    if primary is None or primary.n_eff is None or primary.delta is None:
        return ""
    turns = unweighted is not None and primary.delta * unweighted < 0
    heavy = known.largest_weight if primary.n > 1 and (known.largest_weight or 0.0) > _HEAVY else None
    if not (turns or heavy or primary.n_eff < primary.n / 2):
        return ""
    with_, without = wording.near(primary.delta, 0.0), wording.near(unweighted, 0.0)
    sentences = [f"The difference is {with_} with weights, {without} without."]
    if known.weight_segment and (turns or above(abs(primary.delta - (unweighted or 0.0)), policy.mpe)):
        sentences.append(f"Most of this gap comes from the weight of {known.weight_segment}.")
    if heavy:
        sentences.append(f"One {known.nouns.query} carries {wording.percent(heavy)} of the weight.")
    return " ".join(sentences)


def _majority(known: CaveatInput, policy: Policy, outcome: Outcome) -> str:
    """Return that B is better on average and loses more queries than it wins, or the reverse, or that raters see it the
    other way.
    """
    primary, votes, sentences = known.primary, known.usable_votes(policy), list[str]()
    if primary is None or not primary.delta:
        return ""
    wins, losses = primary.wins, primary.losses
    if (wins - losses) * primary.delta < 0:
        higher, more, fewer = ("higher", "loses", "wins") if primary.delta > 0 else ("lower", "wins", "loses")
        numbers = " to ".join(map(wording.count, (max(wins, losses), min(wins, losses))))
        size = wording.size_near(abs(primary.delta), 0.0)
        sentences.append(
            f"B is {size} {higher} on average but {more} more {known.nouns.queries} than it {fewer} ({numbers})."
        )
    if votes is not None and (votes.delta or 0.0) * primary.delta < 0:
        sentences.append(f"The votes point the other way: {delta_gsb(votes, policy)}.")
    return " ".join(sentences)


def _small(known: CaveatInput, policy: Policy, outcome: Outcome) -> str:
    primary = known.primary
    if primary is None or outcome is not Outcome.LAUNCH or known.evidence.changes_nothing:
        return ""
    few = f"With {queries(primary, known.nouns)}, rare large losses can go unseen."
    return few if below(primary.size, _SMALL) else ""


#: What each caveat says of this input under this policy and outcome, "" where it is silent; in the order in which they
#: are shown where nothing else decides.
ROWS: Mapping[str, Callable[[CaveatInput, Policy, Outcome], str]] = {
    "order": _order,
    "unjudged": _unjudged,
    "votes_ignored": _votes_ignored,
    "missing": _missing,
    "judgments": lambda known, policy, outcome: known.nouns.say(
        wording.JUDGMENTS_SAY[known.judgments] if known.judgments else ""
    ),
    "threshold": lambda known, policy, outcome: known.threshold,
    "fragile": _fragile,
    "ties": _ties,
    "looks": _looks,
    "family": _family,
    "sides": _sides,
    "raters": _raters,
    "repeated": _repeated,
    "weights": _weights,
    "majority": _majority,
    "small": _small,
}
#: What has no meaning where the queries are all that matters.
_OF_SAMPLES = frozenset({"fragile", "looks", "family", "repeated", "small"})
#: That the order of lists is in doubt comes before all else; what is asked of the judgments can be answered on a page.
ORDER, MISSING, JUDGMENTS = "order", "missing", "judgments"
_PLACES = {caveat: place for place, caveat in enumerate(ROWS)}


def caveats(known: CaveatInput, policy: Policy, outcome: Outcome) -> tuple[Caveat, ...]:
    """Return every caveat that applies, in the order of ``ordered``. The first three (SHOWN) belong on the page."""
    is_fixed = policy.inference == "fixed" and known.evidence.plain is not None  # raters always speak for others
    said = (
        (name, says(known, policy, outcome)) for name, says in ROWS.items() if not (is_fixed and name in _OF_SAMPLES)
    )
    on_page = {ORDER: _order(known, policy, outcome, on_page=True)}
    applying = [
        Caveat(name, sentence, known.other_outcomes.get(name), _effect(known, name), on_page.get(name, sentence))
        for name, sentence in said
        if sentence
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
