"""The cards under the verdict: the primary measure, the guardrail, ΔGSB, and the queries won, tied and lost."""

from __future__ import annotations

from dataclasses import dataclass, replace

from rankdash import style
from rankdash.evidence.votes import Gsb, Rated
from rankdash.report.sections import votes
from rankdash.scoring import DERIVED_TOLERANCE, Comparison, Result, VotesAlone
from rankdash.style import evidence as words
from rankdash.wording import count, end, limit, number, points, signed, thousands

#: The most letters of a headline number that a card has room for.
_ROOM = 20


@dataclass(frozen=True)
class Card:
    """The text of a card: label, headline number, chip below it, text beside the chip, last lines.

    ``role`` is what the measure is for, ``explained`` are the paragraphs of the card's help, and ``exact`` is the
    headline number in full where the card has no room for it, else "".
    """

    label: str
    value: str
    chip: str
    lines: tuple[str, ...]
    role: str = ""
    beside: str = ""
    colour: str = style.SAME
    explained: tuple[str, ...] = ()
    exact: str = ""


def cards(comparison: Comparison | VotesAlone) -> tuple[Card, ...]:
    """Return the cards of a comparison, in the order in which they stand; for votes alone, their card."""
    if isinstance(comparison, VotesAlone):
        return (voted_card(comparison.votes),)
    guardrails = [result for result in comparison.results if result.role == "guardrail"]
    nothing = Card(style.NO_GUARDRAIL, style.NOTHING, "", (style.NO_GUARDRAIL_WHY,))
    second = measure_card(guardrails[0]) if guardrails else nothing
    return measure_card(comparison.primary), second, gsb_card(comparison), won_card(comparison)


def measure_card(result: Result) -> Card:
    """Return the card of a measure: its mean in B, the difference, and the interval or why there is none."""
    paired = result.paired
    why = style.NOT_DEFINED_WHY.get(paired.status, style.NO_INTERVAL)
    return Card(
        label=result.label,
        role=style.ROLES[result.role],
        value=number(paired.mean_b),
        chip=signed(paired.delta),
        lines=(why if paired.ci95 is None else _interval(*map(end, paired.ci95)),),
        beside=f"{style.FROM} {number(paired.mean_a)}",
        colour=style.proven_tone(paired.ci95),
    )


def _interval(low: str, high: str) -> str:
    return style.INTERVAL.format(low=low, high=high)


def gsb_card(comparison: Comparison) -> Card:
    """Return the card of ΔGSB: of the votes where the rules use them, otherwise derived from the judgments, without
    counts: the next card counts the queries.
    """
    said = comparison.votes
    if said is not None and votes.are_used(said, comparison.policy):
        return voted_card(said)
    measure = comparison.primary.label
    derived = style.GSB_HELP.format(measure=measure, tolerance=limit(DERIVED_TOLERANCE))
    why = votes.why_unused(said, comparison.policy)
    unused = (f"{words.UNUSED}: {why}",) if why else ()
    same = style.GSB_TIED.format(tolerance=limit(DERIVED_TOLERANCE))
    return _gsb_card(style.GSB.format(measure=measure), comparison.gsb_derived, same, (derived, *unused))


def voted_card(said: Rated) -> Card:
    """Return the card of the votes: ΔGSB, good / same / bad, its interval, who voted and how far they agree."""
    counts = {name: count(getattr(said.gsb, name)) for name in ("good", "same", "bad")}
    card = _gsb_card(words.VOTED, said.gsb, style.GSB_COUNTS.format(**counts), (words.VOTED_HELP,))
    by = (words.BY_MAJORITY,) if said.gsb.averaged else ()
    return replace(card, lines=(*card.lines, votes.raters(said), *by))


def _gsb_card(label: str, gsb: Gsb, chip: str, explained: tuple[str, ...]) -> Card:
    interval = style.NO_INTERVAL if gsb.ci95 is None else _interval(*map(points, gsb.ci95))
    return Card(label, points(gsb.delta), chip, (interval,), explained=explained)


def won_card(comparison: Comparison) -> Card:
    """Return the card of the queries won, tied and lost, with the big changes among them."""
    paired, weighed = comparison.primary.paired, comparison.plain
    wins = count(weighed.severe_wins, style.BIG_WIN, style.BIG_WINS)
    losses = count(weighed.severe_losses, style.BIG_LOSS, style.BIG_LOSSES)
    severe = limit(comparison.policy.severe)
    value, exact = counted(paired.wins, paired.ties, paired.losses)
    return Card(
        label=style.WON,
        value=value,
        chip=style.BIG.format(wins=wins, losses=losses),
        lines=(style.BIG_WHY.format(measure=comparison.primary.label, severe=severe),),
        exact=exact,
    )


def counted(*numbers: int) -> tuple[str, str]:
    """Return counts as short as the card's room, and the exact counts, which are "" where the card shows them.

    >>> counted(3_500, 200, 3_300), counted(500_251, 566, 499_183)
    (('3,500 / 200 / 3,300', ''), ('500k / 566 / 499k', '500,251 / 566 / 499,183'))
    """
    exact, brief = (" / ".join(map(write, numbers)) for write in (count, thousands))
    return (exact, "") if len(exact) <= _ROOM else (brief, exact)
