"""What is viewed on the queries page: measure, cutoff, convention and filters, each of them in the address.

None of it touches the verdict: where the view differs from the policy, the page says so.
"""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from rankdash.comparison import Comparison, Joined
from rankdash.conventions import PRESETS, Convention
from rankdash.judged import Order, list_pair
from rankdash.metrics import DEFINITIONS, ListPair, Measure, MeasureError
from rankdash.style import queries as words
from rankdash.view import OUTCOMES, Filter, Viewed, measure_of, viewed
from rankdash.views.literal import plain
from rankdash.wording import count, number, shown, signed

_CUTOFFS = (1, 3, 5, 10, 20, 100)
#: Measures that score a list, as they are offered.
_MEASURES = [name for name, row in DEFINITIONS.items() if row.of_lists is not None and name not in ("IDCG", "Judged")]
#: What belongs to one comparison begins with ``query_``; opening another forgets it.
PART, SEGMENT = "query_part", "query_segment"


@dataclass(frozen=True)
class _Held:
    """A result beside what it was computed from, so that the identity in its key stays taken as long as it is kept."""

    source: object
    result: object


def view(comparison: Comparison) -> Viewed | None:
    """What is viewed, chosen in one row of controls; None, and the reason on the page, where it cannot be computed."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium", key="view_controls"):
        measure = _chosen_measure(comparison)
        beside = st.container(width="stretch")
    try:
        with st.spinner(words.COMPARING_LISTS, show_time=True):
            found = _viewed(id(comparison), repr((measure, measure.name)), comparison, measure)
    except MeasureError as error:
        st.markdown(words.NOT_COMPUTED.format(why=plain(str(error))))
        return None
    _means(beside, comparison, found)
    return found


def _chosen_measure(comparison: Comparison) -> Measure:
    primary, default = comparison.measures[0], comparison.policy.cutoff
    names = _MEASURES if primary.key in _MEASURES else [primary.key, *_MEASURES]
    key = st.selectbox(
        words.MEASURE, names, index=names.index(primary.key), format_func=shown, key="measure", bind="query-params",
        persist_state="session", width=150,
    )  # fmt: skip
    cutoffs = [*map(str, sorted({*_CUTOFFS, default})), words.WHOLE_LIST]
    k = st.segmented_control(
        words.CUTOFF, cutoffs, default=words.WHOLE_LIST if primary.k is None else str(default), required=True,
        key="k", bind="query-params", persist_state="session", help=words.NO_CUTOFF_HELP,
    )  # fmt: skip
    convention = st.selectbox(
        words.CONVENTION, [words.OF_POLICY, *PRESETS], key="convention", bind="query-params", persist_state="session",
        width=170,
    )  # fmt: skip
    return measure_of(
        comparison,
        key if key in names else primary.key,
        int(k) if k in cutoffs and k != words.WHOLE_LIST else None,
        _convention(comparison, convention),
    )


def _convention(comparison: Comparison, chosen: str | None) -> Convention:
    return PRESETS.get(chosen or "", comparison.convention)


def _means(beside: object, comparison: Comparison, found: Viewed) -> None:
    """Both means as text, and whether this is what the verdict is on."""
    total, decided = found.total, comparison.measures[0]
    name, of = plain(shown(found.measure.name)), found.measure.convention
    if found.measure == decided:
        said = words.VIEW_SAME
    else:
        viewed_name = name
        if of != comparison.convention:
            preset = next((known for known, axes in PRESETS.items() if axes == of and known == _in_address()), "")
            viewed_name = words.CONVENTION_NAMED.format(measure=name, convention=plain(preset or _in_address()))
        said = f":orange[:material/visibility:] {words.VIEW_DIFFERS}".format(
            viewed=viewed_name, decided=plain(shown(decided.name))
        )
    with beside:  # type: ignore[attr-defined]
        means = words.MEANS.format(a=number(total.mean_a), b=number(total.mean_b))
        st.markdown(f"**{name}** {means} · **{signed(total.delta)}**  \n:small[:gray[{said}]]")


def _in_address() -> str:
    return str(st.session_state.get("convention", ""))


@st.cache_resource(max_entries=8, show_spinner=False)
def _viewed_held(comparison_id: int, measure_text: str, _comparison: Comparison, _measure: Measure) -> _Held:
    pair = _pair(id(_comparison.joined), repr(Order.of(_measure.convention)), _comparison.joined, _measure)
    return _Held(_comparison, viewed(_comparison, _measure, pair))


def _viewed(comparison_id: int, measure_text: str, comparison: Comparison, measure: Measure) -> Viewed:
    result = _viewed_held(comparison_id, measure_text, comparison, measure).result
    assert isinstance(result, Viewed)
    return result


@st.cache_resource(max_entries=4, show_spinner=False)
def _pair_held(joined_id: int, order_text: str, _joined: Joined, _measure: Measure) -> _Held:
    pair = list_pair(_joined.a, _joined.b, _joined.pool.query_ids, Order.of(_measure.convention))
    return _Held(_joined, pair)


def _pair(joined_id: int, order_text: str, joined: Joined, measure: Measure) -> ListPair:
    result = _pair_held(joined_id, order_text, joined, measure).result
    assert isinstance(result, ListPair)
    return result
