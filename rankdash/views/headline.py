"""The verdict in one word and one sentence, and the four cards under it."""

from __future__ import annotations

import streamlit as st

from rankdash import style
from rankdash.comparison import DERIVED_TOLERANCE, Comparison, Result
from rankdash.verdict import Verdict
from rankdash.views.literal import plain
from rankdash.wording import count, limit, number, points, points_between, shown, signed


def banner(verdict: Verdict) -> None:
    """Launch or No launch, the tag, one sentence; beside it what decided and what would change it."""
    colour = style.THEME.get(style.OUTCOME_COLOUR.get(verdict.outcome.value, ""), "")
    word = f"{style.ICONS[verdict.outcome.value]} {plain(verdict.screen)}"
    with st.container(border=True, key="banner"):
        left, right = st.columns([1.75, 1], gap="large", vertical_alignment="center")
        with left:
            with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
                st.title(f":{colour}[{word}]" if colour else word, anchor=False, width="content")
                st.subheader(plain(verdict.tag), anchor=False, width="content")
            st.markdown(f"{plain(verdict.sentence)}")
        with right:
            beside = (f":small[:gray[{label}] {plain(text)}]" for label, text in _beside(verdict))
            st.markdown("  \n".join(beside))


def _beside(verdict: Verdict) -> list[tuple[str, str]]:
    """What is said small beside the big word: label and text."""
    rule = style.RULE_WORDS.get(verdict.rule)
    decided = verdict.rule if rule is None else f"{verdict.rule} ({rule.name[0].lower()}{rule.name[1:]})"
    found = [
        (style.LEANING, "" if verdict.leaning is None else verdict.leaning.sentence),
        (style.DECIDED_BY, f"{style.RULE} {decided}"),
        (style.WOULD_CHANGE, verdict.would_change),
        (style.NEXT_STEP, verdict.next_step),
        *((style.NOTED, note) for note in verdict.notes),
    ]
    return [(label, text) for label, text in found if text]


def cards(comparison: Comparison) -> None:
    """The primary measure, the guardrail, ΔGSB and the count of queries, all of one height."""
    guardrails = [result for result in comparison.results if result.role == "guardrail"]
    with st.grid(4, key="cards"):
        _measure(comparison.primary)
        if guardrails:
            _measure(guardrails[0])
        else:
            st.metric(style.NO_GUARDRAIL, "–", border=True, height="stretch", delta_description=style.NO_GUARDRAIL_WHY)
        _gsb(comparison)
        _won(comparison)


def _measure(result: Result) -> None:
    found = result.paired
    ends = found.ci95
    interval = style.NO_INTERVAL if ends is None else f"{style.INTERVAL} {signed(ends[0])} to {signed(ends[1])}"
    st.metric(
        f"{plain(shown(result.measure))} :gray[· {style.ROLES[result.role]}]",
        number(found.mean_b),
        signed(found.delta),
        delta_color=_colour(style.proven_tone(ends)),
        delta_arrow="off",
        delta_description=f"{style.FROM} {number(found.mean_a)}, {interval}",
        help=style.NOT_DEFINED_WHY.get(found.status),
        border=True,
        height="stretch",
    )


def _gsb(comparison: Comparison) -> None:
    found, measure = comparison.gsb_derived, plain(shown(comparison.primary.measure))
    ends = (None, None) if found.ci95 is None else found.ci95
    st.metric(
        style.GSB.format(measure=measure),
        points(found.delta),
        style.GSB_COUNTS.format(good=count(found.good), same=count(found.same), bad=count(found.bad)),
        delta_color="gray",
        delta_arrow="off",
        help=style.GSB_HELP.format(
            measure=measure, tolerance=limit(DERIVED_TOLERANCE), interval=points_between(*ends)
        ),
        border=True,
        height="stretch",
    )


def _won(comparison: Comparison) -> None:
    found, weighed = comparison.primary.paired, comparison.plain
    big = style.BIG.format(
        wins=count(weighed.severe_wins, style.BIG_WIN, style.BIG_WINS),
        losses=count(weighed.severe_losses, style.BIG_LOSS, style.BIG_LOSSES),
    )
    severe = limit(comparison.policy.severe)
    st.metric(
        style.WON,
        f"{count(found.wins)} / {count(found.ties)} / {count(found.losses)}",
        big,
        delta_color="gray",
        delta_arrow="off",
        help=style.BIG_HELP.format(measure=plain(shown(comparison.primary.measure)), severe=severe),
        border=True,
        height="stretch",
    )


def _colour(colour: str) -> str:
    return style.THEME[colour]
