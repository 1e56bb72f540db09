"""The verdict in one word and one sentence, and the four cards below it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from rankdash import style
from rankdash.comparison import DERIVED_TOLERANCE, Comparison, Result
from rankdash.dashboard.kit.literal import plain
from rankdash.dashboard.parts import vote_counts
from rankdash.evidence.votes.gsb import Gsb
from rankdash.evidence.votes.raters import Rated
from rankdash.report.population import query_notes
from rankdash.style import evidence as words
from rankdash.verdict import RULE_OF, Verdict
from rankdash.wording import count, end, limit, number, points, shown, signed, thousands

#: Letters of a headline number that a card shows; more would be cut off.
_ROOM = 20


def banner(verdict: Verdict, comparison: Comparison | None = None, policy_changed: bool = False) -> DeltaGenerator:
    """Draw Launch or No launch, the tag and the sentence; beside them the rule that decided and what would change it.

    A policy that was changed after results were seen is stamped on it. Returns a place at the end of the second column,
    for what takes longer to compute.
    """
    colour = style.THEME.get(style.OUTCOME_COLOUR.get(verdict.outcome.value, ""), "")
    word = f"{style.ICONS[verdict.outcome.value]} {plain(verdict.screen)}"
    with st.container(border=True, key="banner"):
        left, right = st.columns([1.75, 1], gap="large", vertical_alignment="center")
        with left:
            with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
                st.title(f":{colour}[{word}]" if colour else word, anchor=False, width="content")
                st.subheader(plain(verdict.tag), anchor=False, width="content")
                if policy_changed:
                    with st.container(key="policy_stamp", width="content"):
                        st.badge(words.POLICY_STAMP, icon=":material/history:", color="orange")
            with st.container(key="sentence"):
                st.markdown(plain(verdict.sentence))
            if comparison is not None and (case := case_of(comparison)) is not None:
                with st.container(key="case"):
                    st.markdown(style.CASES[case].format(k=comparison.policy.cutoff))
        with right:
            beside = (f":small[:gray[{label}] {plain(text)}]" for label, text in _beside(verdict, comparison))
            st.markdown("  \n".join(beside))
            return st.empty()


#: Comparisons that cannot say much, and how each is known; the first that fits is named.
_CASES: Mapping[str, Callable[[Comparison], bool]] = {
    "empty": lambda found: not found.counts.common,
    "unjudged": lambda found: not found.counts.judged_a and not found.counts.judged_b,
    "one": lambda found: found.primary.paired.n == 1,
    "tied": lambda found: found.primary.paired.ties == found.primary.paired.n,
}


def case_of(comparison: Comparison) -> str | None:
    """Return which of the special comparisons this is: empty, unjudged, one query, all tied; None for an
    ordinary one.
    """
    return next((name for name, fits in _CASES.items() if fits(comparison)), None)


def _beside(verdict: Verdict, comparison: Comparison | None) -> list[tuple[str, str]]:
    """What is said small beside the big word: label and text."""
    found = [
        (style.LEANING, "" if verdict.leaning is None else verdict.leaning.sentence),
        (style.DECIDED_BY, _decided_by(verdict)),
        (style.WOULD_CHANGE, verdict.would_change),
        (style.NEXT_STEP, verdict.next_step),
        *((style.NOTED, note) for note in verdict.notes),
        (style.OF_QUERIES, "" if comparison is None else _of_queries(comparison)),
    ]
    return [(label, text) for label, text in found if text]


def _of_queries(comparison: Comparison) -> str:
    """Return what a table beside the judgments decides about the queries: who counts, and how much; "" for nothing."""
    return " ".join(note.sentence for note in query_notes(comparison) if note.decides)


def _decided_by(verdict: Verdict) -> str:
    """Return the rule that did not pass, by name; where all did, that."""
    status = next((check.status.value for check in verdict.checks if check.rule == verdict.rule), None)
    if status is None:
        return style.DECIDED_BY_ALL.format(rule=verdict.rule)
    name = RULE_OF[verdict.rule].name
    return style.DECIDED.format(rule=verdict.rule, name=name[0].lower() + name[1:], status=style.STATUS[status])


def cards(comparison: Comparison) -> None:
    """The primary measure, the guardrail, ΔGSB and the count of queries, all of one height."""
    guardrails = [result for result in comparison.results if result.role == "guardrail"]
    with st.grid(4, key="cards"):
        _measure(comparison.primary)
        if guardrails:
            _measure(guardrails[0])
        else:
            _card(Card(style.NO_GUARDRAIL, style.NOTHING, "", style.NO_GUARDRAIL_WHY))
        _gsb(comparison)
        _won(comparison)


@dataclass(frozen=True)
class Card:
    """The text of one card: label, headline number, chip below it, text beside the chip, last line."""

    label: str
    value: str
    chip: str
    line: str
    beside: str | None = None
    colour: str = style.SAME
    help: str | None = None


def _card(card: Card) -> None:
    with st.container(border=True, height="stretch", gap="xsmall"):
        st.metric(
            card.label,
            card.value,
            card.chip or None,
            delta_color=style.THEME[card.colour],
            delta_arrow="off",
            delta_description=card.beside,
            help=card.help,
        )
        st.caption(card.line)


def _measure(result: Result) -> None:
    found = result.paired
    why = style.NOT_DEFINED_WHY.get(found.status, style.NO_INTERVAL)
    _card(
        Card(
            label=f"{plain(shown(result.measure))} :gray[· {style.ROLES[result.role]}]",
            value=number(found.mean_b),
            chip=signed(found.delta),
            line=why if found.ci95 is None else _interval(*map(end, found.ci95)),
            beside=f"{style.FROM} {number(found.mean_a)}",
            colour=style.proven_tone(found.ci95),
        )
    )


def _interval(low: str, high: str) -> str:
    return style.INTERVAL.format(low=low, high=high)


def _gsb(comparison: Comparison) -> None:
    """ΔGSB of the votes where the rules use them, otherwise derived from the judgments, and said to be."""
    said = comparison.votes
    if said is not None and vote_counts.are_used(said, comparison.policy):
        voted_card(said)
        return
    measure = plain(shown(comparison.primary.measure))
    derived = style.GSB_HELP.format(measure=measure, tolerance=limit(DERIVED_TOLERANCE))
    why = vote_counts.why_unused(said, comparison.policy)
    unused = f"\n\n{words.UNUSED}: {plain(why)}" if why else ""
    _card(_gsb_card(style.GSB.format(measure=measure), comparison.gsb_derived, derived + unused))


def voted_card(said: Rated) -> None:
    """The card of the votes: ΔGSB, good / same / bad, its interval, who voted and how far they agree."""
    card = _gsb_card(words.VOTED, said.gsb, words.VOTED_HELP)
    _card(replace(card, line=f"{card.line}  \n{vote_counts.raters(said)}"))


def _gsb_card(label: str, gsb: Gsb, explained: str) -> Card:
    counts = {"good": count(gsb.good), "same": count(gsb.same), "bad": count(gsb.bad)}
    interval = style.NO_INTERVAL if gsb.ci95 is None else _interval(*map(points, gsb.ci95))
    return Card(label, points(gsb.delta), style.GSB_COUNTS.format(**counts), interval, help=explained)


def _won(comparison: Comparison) -> None:
    found, weighed = comparison.primary.paired, comparison.plain
    wins = count(weighed.severe_wins, style.BIG_WIN, style.BIG_WINS)
    losses = count(weighed.severe_losses, style.BIG_LOSS, style.BIG_LOSSES)
    severe = limit(comparison.policy.severe)
    value, exact = counted(found.wins, found.ties, found.losses)
    _card(
        Card(
            label=style.WON,
            value=value,
            chip=style.BIG.format(wins=wins, losses=losses),
            line=style.BIG_WHY.format(measure=plain(shown(comparison.primary.measure)), severe=severe),
            help=exact,
        )
    )


def counted(*numbers: int) -> tuple[str, str | None]:
    """Return counts as a card has room for them, and the exact ones, which its help tells; None where it shows them.

    >>> counted(3_500, 200, 3_300), counted(500_251, 566, 499_183)
    (('3,500 / 200 / 3,300', None), ('500k / 566 / 499k', '500,251 / 566 / 499,183'))
    """
    exact, brief = (" / ".join(map(write, numbers)) for write in (count, thousands))
    return (exact, None) if len(exact) <= _ROOM else (brief, exact)
