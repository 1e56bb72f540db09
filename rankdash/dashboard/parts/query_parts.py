"""What is viewed on the queries page: measure, cutoff, convention and filters, each of them in the address.

None of it touches the verdict: where the view differs from the policy, the page says so.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from rankdash import charts
from rankdash.case import Case
from rankdash.conventions import PRESETS
from rankdash.dashboard.kit import screen, widgets
from rankdash.dashboard.kit.browser_history import linked
from rankdash.dashboard.kit.literal import button_cell, plain
from rankdash.dashboard.parts import one_query
from rankdash.dashboard.results import COMPARISONS, cached
from rankdash.dashboard.session import open_comparison, verdicts
from rankdash.inspect import view as views
from rankdash.inspect.view import viewed
from rankdash.metrics import DEFINITIONS, ListPair, Measure, MeasureError, check_tool
from rankdash.policy import Policy
from rankdash.report.tables import viewed_csv
from rankdash.scoring import Comparison, Order
from rankdash.style import LONGEST_LINE
from rankdash.style import queries as words
from rankdash.wording import NOT_DEFINED, count, literal, number, signed

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


def view(opened: verdicts.Opened) -> views.Viewed | None:
    """Draw a row of controls and return what is viewed; None, and the reason on the page, if it cannot be computed."""
    comparison = opened.comparison
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium", key="view_controls"):
        screen.button(_FOLDED)
        with screen.container(
            _FOLDED, "controls", horizontal=True, vertical_alignment="bottom", gap="medium", width="content"
        ):
            measure = _chosen_measure(comparison)
        beside = st.container(width="stretch")
    try:
        with st.spinner(words.COMPARING_LISTS):
            result = _viewed(opened.case, opened.policy, measure)
    except MeasureError as error:
        st.markdown(words.NOT_COMPUTED.format(why=plain(str(error))))
        return None
    _means(beside, comparison.measures[0], result)
    return result


def _follow(now: tuple[str, str]) -> None:
    """View what the policy decides by, measure and cutoff, where that is what was viewed under the policy before. What
    a person chose to view instead stays.
    """
    keys = ("measure", "k")
    before = open_comparison.follow("view", now)
    if before not in (None, now) and tuple(map(widgets.value_of, keys)) == before:
        for key, value in zip(keys, now, strict=True):
            widgets.set_value(key, value)


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
        st.segmented_control, words.CUTOFF, cutoffs, required=True, key="k", help=words.NO_CUTOFF_HELP, default=decides
    )
    convention = linked(st.selectbox, words.CONVENTION, [words.OF_POLICY, *PRESETS], key="convention", width=170)
    measure = views.measure_of(
        comparison,
        key if key in names else primary.key,
        int(k) if k in cutoffs and k != words.WHOLE_LIST else None,
        convention if convention in PRESETS else "",
    )
    try:
        return check_tool(measure, comparison.convention)
    except MeasureError as of_tool:
        st.warning(plain(str(of_tool)))
        return primary


def _means(beside: Any, decided: Measure, viewed: views.Viewed) -> None:
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


@cached()
def _viewed(case: Case, policy: Policy, measure: Measure) -> views.Viewed:
    comparison = verdicts.opened(case, policy).comparison
    return viewed(comparison, measure, _pair(case, policy, views.orders_of(comparison.joined, measure)))


@cached(COMPARISONS)
def _pair(case: Case, policy: Policy, orders: tuple[Order, Order]) -> ListPair:
    """Return the documents in both lists: slow where lists are long, and the same for every measure and cutoff."""
    return views.shared_lists(verdicts.opened(case, policy).comparison, orders)


def filtered(viewed: views.Viewed) -> views.Viewed:
    """Draw the filters in a row, and return the queries that pass them."""
    place = screen.container(_FOLDED, "filters")
    with place.container(horizontal=True, vertical_alignment="bottom", gap="small", key="view_filters"):
        conditions = _filter(viewed)
    return viewed.only(views.matching(viewed, conditions))


def show_all() -> None:
    """Let every filter that is on the page pass all queries."""
    open_comparison.forget_queries()
    for key, value in _OPEN.items():
        if widgets.is_drawn(key):
            widgets.set_value(key, value)


def _filter(viewed: views.Viewed) -> views.Filter:
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
    return views.Filter(text or "", outcome or None, segment, unjudged, changed, part)


# --- the charts of the queries page and the table beside them. A click on a bar, a point or a row opens its query ---


#: The part of the page that can be drawn anew alone beside ``one_query.OPEN``: everything.
PAGE = "part_page"
_HEIGHT = 360
#: The query of the table that was clicked.
_CLICKED = "view_clicked"
#: Of more queries the browser gets the first and the last ones: each costs it memory, and the line to it time.
_MOST_ROWS = 10_000


def kind(comparison: Comparison, viewed: views.Viewed) -> str:
    """Draw the choice among four charts with title and explanation, and return it."""
    chosen = linked(
        st.segmented_control,
        words.CHART,
        list(words.CHARTS),
        default="sorted",
        required=True,
        format_func=words.CHARTS.__getitem__,
        key="chart",
        label_visibility="collapsed",
    )
    chosen = chosen if chosen in words.CHARTS else "sorted"
    literal = {name: plain(text) for name, text in _names(viewed).items()}
    st.subheader(words.CHART_TITLES[chosen].format(**literal, k=comparison.policy.cutoff), anchor=False)
    st.caption(words.CHART_HINTS[chosen])
    decomposed = comparison.explained.measure
    if chosen == "why" and viewed.measure != decomposed:
        names = {"viewed": literal["measure"], "decomposed": plain(decomposed.name)}
        st.caption(f":orange[:material/visibility:] {words.WHY_DIFFERS.format(**names)}")
    return chosen


def show_chart(comparison: Comparison, viewed: views.Viewed, kind: str, chosen: str) -> None:
    """Draw the chart of a kind, of the queries that pass the filters; the query that is open is marked."""
    named = _names(viewed)
    alt = partial(words.CHART_ALTS[kind].format, **named, n=count(len(viewed)), k=comparison.policy.cutoff)
    match kind:
        case "sorted":
            one_query.show_chart(viewed.changes, named["measure"], _HEIGHT, "view_sorted", alt())
        case "scatter":
            figure = charts.scatter_chart(viewed, named["measure"], chosen)
            screen.chart(figure, "view_scatter", alt(), on_select=_open_point, selection_mode="points")
        case "curve":
            over = views.curve(comparison, viewed.measure)
            means = zip(over.ks, over.a, over.b, strict=True)
            ends = "; ".join(f"k = {k}: A {number(a)}, B {number(b)}" for k, a, b in means)
            screen.chart(charts.curve_chart(over, named["family"], viewed.k), "view_curve", alt(ends=ends))
        case "why":
            _why(comparison, alt)


def _names(viewed: views.Viewed) -> dict[str, str]:
    measure = viewed.measure.label
    return {"measure": measure, "family": measure.split("@")[0]}


def _why(comparison: Comparison, alt: Callable[..., str]) -> None:
    steps = views.waterfall(comparison)
    if not steps:
        st.markdown(words.NO_WATERFALL)
        return
    ends = "; ".join(f"{words.PARTS[step.part]} {signed(step.value)}" for step in steps)
    part = next((name for name, label in words.PARTS.items() if label == widgets.value_of(PART)), None)
    figure = charts.waterfall_chart(steps, part)
    screen.chart(figure, "view_why", alt(ends=ends), on_select=_want_part, selection_mode="points")


def _open_point() -> None:
    carried = one_query.clicked_point("view_scatter")
    if carried is not None:
        open_comparison.choose_query(str(carried))


def _want_part() -> None:
    """View the queries of a part of the waterfall that was clicked; all of them after a click on the sum."""
    part = one_query.clicked_point("view_why")
    if part is not None:
        widgets.set_value(PART, words.ANY_PART if part == "total" else words.PARTS[part])
        st.rerun(PAGE)


def show_table(viewed: views.Viewed, chosen: str) -> None:
    """Draw every query that passes the filters, with a mark at the query that is open: both scores and their
    difference; overlap, unjudged share and change of the list as columns to add. Of very many queries only the first
    and the last.
    """
    viewed = viewed.ends(_MOST_ROWS)
    changes, heads = viewed.changes, words.TABLE_COLUMNS
    names = [
        button_cell(literal(text or query_id)) for text, query_id in zip(changes.texts, changes.query_ids, strict=True)
    ]
    frame = pd.DataFrame(
        {
            heads["open"]: [words.OPEN_MARK if query_id == chosen else "" for query_id in changes.query_ids],
            heads["query"]: names,
            heads["a"]: changes.a,
            heads["b"]: changes.b,
            heads["delta"]: changes.delta.round(3) + 0.0,  # a rounded zero has no minus
            heads["overlap"]: viewed.overlap,
            heads["unjudged"]: viewed.unjudged,
            heads["churn"]: viewed.churn,
        }
    )
    st.dataframe(
        frame,
        hide_index=True,
        height=_HEIGHT + 48,
        column_order=[heads[name] for name in words.COLUMNS_SHOWN],
        column_config=_columns(viewed, partial(_open_named, changes.query_ids)),
        key="view_table",
        on_select=partial(_open_row, changes.query_ids),
        selection_mode="single-cell",
        placeholder=NOT_DEFINED,
        alt=words.TABLE_ALT.format(n=count(len(viewed))),
    )


def table_head(viewed: views.Viewed, of: int, edited: Collection[str]) -> None:
    """Draw title, download and a line that says how many queries are shown."""
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.subheader(words.TABLE_TITLE, anchor=False, width="content")
        name = words.TABLE_FILE.format(measure=viewed.measure.key, edited=words.TABLE_EDITED if edited else "")
        screen.download(
            words.SAVE_TABLE,
            partial(viewed_csv, viewed, edited),
            name,
            key="view_save",
            type="tertiary",
            help=words.SAVE_TABLE_HELP,
        )
    shown_of = words.MATCHES.format(shown=count(len(viewed)), n=count(of, "query", "queries"))
    st.caption(words.TABLE_HINT.format(shown=shown_of))
    if len(viewed) > _MOST_ROWS:
        st.caption(words.TABLE_ENDS.format(n=count(_MOST_ROWS // 2)))


def _columns(viewed: views.Viewed, clicked: Callable[[], None]) -> dict[str, Any]:
    """Return the columns of the table, together as wide as half of a projector's page."""
    heads, numbers, measure = words.TABLE_COLUMNS, st.column_config.NumberColumn, viewed.measure.label
    helps = {name: text.format(k=viewed.k, measure=measure) for name, text in words.TABLE_HELP.items()}
    return {
        heads["open"]: st.column_config.TextColumn(width=46, help=helps["open"]),
        heads["query"]: st.column_config.ButtonColumn(
            width=290, type="tertiary", alignment="left", key=_CLICKED, on_click=clicked
        ),
        heads["a"]: numbers(format="%.3f", width=50),
        heads["b"]: numbers(format="%.3f", width=50),
        heads["delta"]: numbers(format="%+.3f", help=helps["delta"], width=54),
        heads["overlap"]: numbers(format="%.2f", help=helps["overlap"], width=62),
        heads["unjudged"]: numbers(format="percent", help=helps["unjudged"], width=70),
        heads["churn"]: numbers(format="%.2f", help=helps["churn"], width=64),
    }


def _open_named(ids: Sequence[str]) -> None:
    """Open the query that was clicked, also where its cell has the focus already."""
    row = widgets.value_of(_CLICKED)["row"]
    if row < len(ids):
        open_comparison.choose_query(ids[row])


def _open_row(ids: Sequence[str]) -> None:
    """Open the query of the cell that takes the keys now."""
    event: Any = widgets.value_of("view_table")
    cells = event["selection"]["cells"]
    if cells and cells[0][0] < len(ids):
        open_comparison.choose_query(ids[cells[0][0]])
