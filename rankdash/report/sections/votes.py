"""What raters said: whether their votes count, who they are, and the rows of good, same and bad queries."""

from __future__ import annotations

from rankdash.evidence.votes import Gsb, Rated, possible
from rankdash.policy import Policy
from rankdash.scoring import DERIVED_TOLERANCE, Comparison, VotesAlone
from rankdash.style import evidence as words
from rankdash.tables import Votes
from rankdash.verdict.rule_evidence import votes_of
from rankdash.verdict.rules.voting import unusable_sentence, why_unusable
from rankdash.wording import NOT_DEFINED, count, limit, number, percent, points, points_between

#: A space at which a line does not break.
_JOINED = "\u00a0"


def are_used(said: Rated | None, policy: Policy) -> bool:
    """Return whether there are votes, and the policy's rules can use them."""
    return said is not None and why_unusable(votes_of(said), policy) is None


def why_unused(said: Rated | None, policy: Policy) -> str:
    """Return why votes are not used; "" where they are used, or there are none."""
    return "" if said is None else unusable_sentence(votes_of(said), policy)


def raters(said: Rated) -> str:
    """Return who voted, and how far they agree."""
    voters = words.NO_RATER if said.people is None else count(said.people, words.RATER, words.RATER_MANY)
    return voters if said.alpha is None else f"{voters}, {words.ALPHA.format(alpha=number(said.alpha, 2))}"


def bars(comparison: Comparison | VotesAlone) -> dict[str, Gsb]:
    """Return the bars of the chart by name: votes where there are any, then the derived counts."""
    voted = {} if comparison.votes is None else {words.GSB_BARS["votes"]: comparison.votes.gsb}
    if isinstance(comparison, VotesAlone):
        return voted
    derived = words.GSB_BARS["derived"].format(measure=comparison.primary.label)
    return voted | {derived: comparison.gsb_derived}


def rows(comparison: Comparison | VotesAlone) -> list[tuple[str, ...]]:
    """Return the numbers of each bar as text, in the columns of ``GSB_TABLE``."""
    voted = _voted_rows(comparison.votes)
    return voted if isinstance(comparison, VotesAlone) else [*voted, _row(words.GSB_DERIVED, comparison.gsb_derived)]


def notes(comparison: Comparison | VotesAlone) -> list[str]:
    """Return the notes under the rows, one or two sentences each."""
    sentences = [*_balanced(comparison.votes), *_sides(comparison.votes), *_kept_apart(comparison.vote_rows)]
    if isinstance(comparison, VotesAlone):
        return sentences
    why = why_unused(comparison.votes, comparison.policy)
    measure = comparison.primary.label
    derived = words.GSB_DERIVED_NOTE.format(measure=measure, tolerance=limit(DERIVED_TOLERANCE))
    return [*([why] if why else []), *sentences, derived]


def _balanced(said: Rated | None) -> list[str]:
    """Return the sentence on queries that are voted better or worse without a majority, or the other way round."""
    majority = 0 if said is None else said.gsb.good + said.gsb.bad
    if said is None or said.decided == majority:
        return []
    return [words.BALANCED.format(n=count(said.decided, "query", "queries"), majority=count(majority))]


def _sides(said: Rated | None) -> list[str]:
    """Return sentences on votes that a later vote of the same rater replaced, and on which side B stood."""
    if said is None:
        return []
    side, sentences = said.side, []
    if said.repeated:
        sentences.append(words.REPEATED.format(n=count(said.repeated, words.REPEATED_VOTE, words.REPEATED_VOTES)))
    if side.effect is not None and side.n is not None:
        averaged = words.SIDES_AVERAGED.format(n=number(side.n, 1))
        shift, low, high = map(points, side.shift or (None, None, None))
        text = words.SIDES_FEW if side.shift is None else words.SIDES
        sentences.append(text.format(left=percent(side.left), shift=shift, low=low, high=high, averaged=averaged))
    elif side.left is not None:
        sentences.append(words.SIDES_FIXED.format(left=percent(side.left)))
    return sentences


def _voted_rows(said: Rated | None) -> list[tuple[str, ...]]:
    """Return ΔGSB of the votes by query, and by rater where there are enough raters."""
    if said is None:
        return []
    by_query = _row(words.GSB_VOTES, said.gsb)
    if said.rater_lower95 is None or said.rater_upper95 is None or said.people is None:
        return [by_query]
    ends = possible(said.rater_lower95, said.rater_upper95)
    return [by_query, (words.GSB_RATERS, points(said.gsb.delta), _shown(ends), "", count(said.people))]


def _row(name: str, gsb: Gsb) -> tuple[str, ...]:
    counts = f"{count(gsb.good)} / {count(gsb.same)} / {count(gsb.bad)}".replace(" ", _JOINED)
    return name, points(gsb.delta), _shown(gsb.ci95), counts, count(gsb.n)


def _shown(ends: tuple[float, float] | None) -> str:
    return NOT_DEFINED if ends is None else points_between(*ends).replace(" ", _JOINED)


def _kept_apart(votes: Votes | None) -> list[str]:
    """Return a sentence on how many votes say that both are good, or both bad; none where no vote says so."""
    if votes is None:
        return []
    said = votes.table.column("vote").to_pylist()
    good, bad = said.count("both_good"), said.count("both_bad")
    if not good + bad:
        return []
    return [
        words.BOTH_KEPT.format(
            good=count(good, words.BOTH_GOOD, words.BOTH_GOODS), bad=count(bad, words.BOTH_BAD, words.BOTH_BADS)
        )
    ]
