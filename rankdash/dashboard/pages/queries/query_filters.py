"""What is viewed on the queries page: measure, cutoff, convention and filters, each of them in the address.

None of it touches the verdict: where the view differs from the policy, the page says so.
"""

from __future__ import annotations

from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from rankdash.case import Case
from rankdash.conventions import PRESETS
from rankdash.dashboard.host.results import once
from rankdash.dashboard.kit import folded, session_values
from rankdash.dashboard.kit.browser_history import linked
from rankdash.dashboard.kit.literal import plain
from rankdash.dashboard.session import address, verdicts, views
from rankdash.inspect.view import Filter, Viewed, matching, measure_of, orders_of, shared_lists, viewed, viewed_scored
from rankdash.metrics import DEFINITIONS, ListPair, Measure, MeasureError
from rankdash.policy import Policy
from rankdash.scoring import Comparison, Order
from rankdash.style import LONGEST_LINE
from rankdash.style import queries as words
from rankdash.wording import literal, number, signed

_CUTOFFS = (1, 3, 5, 10, 20, 100)
#: Measures that say how good a list is, as they are offered.
_MEASURES = [name for name, row in DEFINITIONS.items() if row.of_lists is not None and row.higher_is_better]
#: Keys that belong to a comparison begin with ``query_``; opening another removes them.
PART = "query_part"
#: What each filter says where it lets every query pass.
_OPEN = {
    "query_text": "",
    "query_outcome": "",
    "query_segment": words.ALL_SEGMENTS,
    PART: words.ANY_PART,
    "query_unjudged": False,
    "query_changed": False,
}
#: What controls and filters are called together.
_FOLDED = "view"


def view(opened: verdicts.Opened) -> Viewed | None:
    """Draw a row of controls and return what is viewed; None, and the reason on the page, if it cannot be computed."""
    comparison = opened.comparison
    if not comparison.has_lists:
        return _view_scored(opened)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium", key="view_controls"):
        with _controls():
            measure = _chosen_measure(comparison)
        beside = st.container(width="stretch")
    try:
        with st.spinner(words.COMPARING_LISTS, show_time=True):
            result = _viewed(opened.case, opened.policy, measure)
    except MeasureError as error:
        st.markdown(words.NOT_COMPUTED.format(why=plain(str(error))))
        return None
    _means(beside, comparison.measures[0], result)
    return result


def _view_scored(opened: verdicts.Opened) -> Viewed:
    """Return what is viewed of scored queries: a measure that they were scored with."""
    comparison = opened.comparison
    names = comparison.measure_names
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium", key="view_controls"):
        with _controls():
            chosen = linked(
                st.selectbox,
                words.MEASURE,
                names,
                key="measure_scored",
                width=180,
                help=words.MEASURE_SCORED_HELP,
            )
        beside = st.container(width="stretch")
    result = _viewed_scored(opened.case, opened.policy, chosen if chosen in names else names[0])
    _means(beside, comparison.measures[0], result)
    return result


def _controls() -> DeltaGenerator:
    """Draw the button that shows and hides controls and filters, where these are folded; return the place for them."""
    folded.button(_FOLDED)
    return folded.container(
        _FOLDED, "controls", horizontal=True, vertical_alignment="bottom", gap="medium", width="content"
    )


def _follow(now: tuple[str, str]) -> None:
    """View what the policy decides by, measure and cutoff, where that is what was viewed under the policy before. What
    a person chose to view instead stays.
    """
    keys = ("measure", "k")
    before = views.follow("view", now)
    if before not in (None, now) and tuple(map(session_values.value, keys)) == before:
        for key, value in zip(keys, now, strict=True):
            session_values.set_value(key, value)


def _chosen_measure(comparison: Comparison) -> Measure:
    primary, default = comparison.measures[0], comparison.policy.cutoff
    names = _MEASURES if primary.key in _MEASURES else [primary.key, *_MEASURES]
    decides = words.WHOLE_LIST if primary.k is None else str(primary.k)
    _follow((primary.key, decides))
    key = linked(
        st.selectbox,
        words.MEASURE,
        names,
        index=names.index(primary.key),
        key="measure",
        width=150,
        help=words.MEASURE_HELP,
    )
    cutoffs = [*map(str, sorted({*_CUTOFFS, default, primary.k or default})), words.WHOLE_LIST]
    k = linked(
        st.segmented_control,
        words.CUTOFF,
        cutoffs,
        required=True,
        key="k",
        help=words.NO_CUTOFF_HELP,
        default=decides,
    )
    convention = linked(st.selectbox, words.CONVENTION, [words.OF_POLICY, *PRESETS], key="convention", width=170)
    return measure_of(
        comparison,
        key if key in names else primary.key,
        int(k) if k in cutoffs and k != words.WHOLE_LIST else None,
        convention if convention in PRESETS else "",
    )


def _means(beside: Any, decided: Measure, viewed: Viewed) -> None:
    """Draw both means as text, and say whether this is what the verdict is on."""
    total = viewed.total
    name = plain(viewed.measure.label)
    said = words.VIEW_SAME
    if viewed.measure != decided:
        differs = words.VIEW_DIFFERS.format(viewed=name, decided=plain(decided.label))
        said = f":orange[:material/visibility:] {differs}"
    with beside:
        means = words.MEANS.format(a=number(total.mean_a), b=number(total.mean_b))
        st.markdown(f"**{name}** {means} · **{signed(total.delta)}**  \n:small[:gray[{said}]]")


@once
def _viewed(case: Case, policy: Policy, measure: Measure) -> Viewed:
    comparison = verdicts.opened(case, policy).comparison
    return viewed(comparison, measure, _pair(case, policy, orders_of(comparison.joined, measure)))


@once
def _viewed_scored(case: Case, policy: Policy, measure: str) -> Viewed:
    return viewed_scored(verdicts.opened(case, policy).comparison, measure)


@once
def _pair(case: Case, policy: Policy, orders: tuple[Order, Order]) -> ListPair:
    """Return the documents in both lists: slow where lists are long, and the same for every measure and cutoff."""
    return shared_lists(verdicts.opened(case, policy).comparison, orders)


def filtered(viewed: Viewed) -> Viewed:
    """Draw the filters in a row, and return the queries that pass them."""
    place = folded.container(_FOLDED, "filters")
    with place.container(horizontal=True, vertical_alignment="bottom", gap="small", key="view_filters"):
        conditions = _filter(viewed)
    return viewed.only(matching(viewed, conditions))


def show_all() -> None:
    """Let every filter that is on the page pass all queries."""
    address.forget_queries()
    for key, value in _OPEN.items():
        if session_values.is_drawn(key):
            session_values.set_value(key, value)


def _filter(viewed: Viewed) -> Filter:
    text = linked(
        st.text_input,
        words.SEARCH,
        max_chars=LONGEST_LINE,
        key="query_text",
        placeholder=words.SEARCH_HINT,
        width=150,
        icon=":material/search:",
    )
    outcome = linked(
        st.segmented_control,
        words.OUTCOME,
        list(words.OUTCOMES),
        default="",
        required=True,
        format_func=words.OUTCOMES.__getitem__,
        key="query_outcome",
    )
    segment = None
    if viewed.segments:
        values = [(name, value) for name, column in viewed.segments.items() for value in sorted({*column} - {""})]
        names = [words.ALL_SEGMENTS, *(words.SEGMENT_VALUE.format(column=name, value=value) for name, value in values)]
        chosen = linked(st.selectbox, words.SEGMENT, names, key="query_segment", width=150, format_func=literal)
        segment = dict(zip(names[1:], values, strict=True)).get(chosen or "")
    part = None
    if viewed.parts:
        names = [words.ANY_PART, *(words.PARTS[name] for name in viewed.parts)]
        chosen = linked(st.selectbox, words.PART, names, key=PART, width=150)
        part = dict(zip(names[1:], viewed.parts, strict=True)).get(chosen or "")
    helps = words.UNJUDGED_HELP.format(k=viewed.k), words.CHANGED_HELP.format(k=viewed.k)
    unjudged = linked(st.checkbox, words.UNJUDGED_ONLY, key="query_unjudged", help=helps[0])
    changed = linked(st.checkbox, words.CHANGED_ONLY, key="query_changed", help=helps[1])
    return Filter(text or "", outcome or None, segment, unjudged, changed, part)
