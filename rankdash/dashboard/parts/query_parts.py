"""What is viewed on the queries page: measure, cutoff, convention and filters, each of them in the address; charts and
the list of queries.

None of it touches the verdict: where the view differs from the policy, the page says so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from rankdash import charts
from rankdash.case import Case
from rankdash.conventions import PRESETS
from rankdash.dashboard.kit import screen, widgets
from rankdash.dashboard.kit.browser_history import linked, parameters_now, set_parameters, without
from rankdash.dashboard.kit.literal import plain, short
from rankdash.dashboard.parts import one_query
from rankdash.dashboard.results import COMPARISONS, cached
from rankdash.dashboard.session import open_comparison, verdicts
from rankdash.dashboard.session.open_comparison import spoken
from rankdash.inspect import view as views
from rankdash.metrics import ListPair, Measure, MeasureError, check_tool, parse_measure
from rankdash.policy import Policy
from rankdash.report.tables import file_name, viewed_csv
from rankdash.report.worked import beside_primary
from rankdash.scoring import Comparison, Order
from rankdash.style import BADGE, LONGEST_LINE, MODEL, ON_DARK, queries as words, tone
from rankdash.wording import NOT_DEFINED, count, literal, number, signed

_CUTOFFS = (1, 3, 5, 10, 20, 100)
#: What each filter says where it lets every query pass. Keys that belong to a comparison begin with ``query_``; opening
#: another removes them.
_OPEN = {
    "query_text": "",
    "query_outcome": "",
    "query_segment": words.ALL_SEGMENTS,
    "query_unjudged": False,
    "query_changed": False,
}
#: Columns of letters of a filter that is set, or of a query; and how many queries that are left out are named.
_CHIP, _FEW = 24, 3
#: What says which measure is viewed.
_VIEW = ("measure", "k", "convention")


def view(opened: verdicts.Opened) -> views.Viewed:
    """Draw the choice of a measure and return what is viewed. MeasureError if it cannot be computed."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="view_controls"):
        screen.close_like_popover()
        measure = _chosen_measure(opened.comparison)
    with st.spinner(words.COMPARING_LISTS):
        return _viewed(opened.case, opened.policy, measure)


def _chosen_measure(comparison: Comparison) -> Measure:
    primary, default = comparison.measures[0], comparison.policy.cutoff
    name, convention = primary.base_name, ""
    if comparison.is_judged:
        own = (one.base_name for one in comparison.measures)
        names = [*dict.fromkeys((*views.offered(comparison, "watch"), *own))]
        how = {"index": names.index(name), "width": 180, "on_change": partial(_follow, comparison)}
        how |= {"accept_new_options": True, "help": words.MEASURE_HELP}
        name = linked(st.selectbox, words.MEASURE, names, key="measure", **how)
        if name not in names:  # typed with its cutoff and convention
            return check_tool(parse_measure(name, comparison.convention), comparison.convention)
    decides = _decided(comparison, name)
    ks = {*_CUTOFFS, default, *(measure.k or default for measure in comparison.measures)}
    cutoffs = [*map(str, sorted(ks)), words.WHOLE_LIST]
    k = linked(
        st.segmented_control, words.CUTOFF, cutoffs, required=True, key="k", help=words.NO_CUTOFF_HELP, default=decides
    )
    if comparison.is_judged:
        convention = linked(st.selectbox, words.CONVENTION, [words.OF_POLICY, *PRESETS], key="convention", width=170)
    at = int(k) if k in cutoffs and k != words.WHOLE_LIST else None
    measure = views.measure_of(comparison, name, at, convention if convention in PRESETS else "")
    try:
        return check_tool(measure, comparison.convention)
    except MeasureError as of_tool:
        st.warning(plain(str(of_tool)))
        return primary


def _follow(comparison: Comparison) -> None:
    """Give another measure the cutoff that it has in the verdict, unless somebody chose one."""
    if "k" not in parameters_now():
        widgets.set_value("k", _decided(comparison, widgets.value_of("measure")))


def _decided(comparison: Comparison, name: str) -> str:
    """Return the cutoff of a measure in the verdict; for other measures, the cutoff of the primary measure."""
    own = next((own for own in comparison.measures if own.base_name == name), comparison.measures[0])
    return words.WHOLE_LIST if own.k is None else str(own.k)


@cached()
def _viewed(case: Case, policy: Policy, measure: Measure) -> views.Viewed:
    opened = verdicts.opened(case, policy)
    return views.viewed(opened.comparison, measure, _shared(opened, measure))


def _shared(opened: verdicts.Opened, measure: Measure) -> ListPair:
    """Return the documents in both lists, put in order for a measure."""
    return _pair(opened.case, opened.policy, views.orders_of(opened.comparison.joined, measure))


@cached(COMPARISONS)
def _pair(case: Case, policy: Policy, orders: tuple[Order, Order]) -> ListPair:
    """Return the documents in both lists: slow where lists are long, and the same for every measure and cutoff."""
    return views.shared_lists(verdicts.opened(case, policy).comparison, orders)


def _saved(opened: verdicts.Opened, viewed: views.Viewed) -> bytes:
    """Return the table of queries as CSV. How alike the lists are is computed here: the page does not show it."""
    return viewed_csv(viewed, *views.likeness(opened.comparison, viewed, _shared(opened, viewed.measure)))


def filtered(viewed: views.Viewed) -> views.Viewed:
    """Draw the filters, and return the queries that pass them."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="view_filters"):
        conditions = _filter(viewed)
    return viewed.only(views.matching(viewed, conditions))


def chips(comparison: Comparison, viewed: views.Viewed | None = None) -> None:
    """Draw a button for each filter that is set, and for a view of another measure than the verdict's, which takes it
    back; ``viewed`` None: one that cannot be computed.
    """
    decided = comparison.measures[0]
    if viewed is None or _is_other(comparison, viewed):
        at_rest = (decided.base_name, _decided(comparison, decided.base_name), words.OF_POLICY)
        label = widgets.value_of("measure", decided.base_name) if viewed is None else viewed.measure.label
        _chip(label, dict(zip(_VIEW, at_rest, strict=True)))
    for key, unset in _OPEN.items():
        value = widgets.value_of(key, unset)
        if value not in (None, unset):
            _chip(words.CHIPS.get(key, words.OUTCOMES.get(value, value)), {key: unset})


def _is_other(comparison: Comparison, viewed: views.Viewed) -> bool:
    """Return whether another measure is viewed than that which decides; without judgments, another cutoff."""
    decided = comparison.measures[0]
    return viewed.measure != decided if comparison.is_judged else viewed.k != (decided.k or comparison.policy.cutoff)


def _chip(label: str, at_rest: Mapping[str, Any]) -> None:
    label = words.CHIP.format(label=plain(short(label, _CHIP)))
    st.button(label, key=f"chip_{next(iter(at_rest))}", help=words.CHIP_HELP, on_click=_reset, args=(at_rest,))


def _reset(at_rest: Mapping[str, Any]) -> None:
    """Give widgets these values, and take what they say out of the address."""
    set_parameters(without(*at_rest))
    for key, value in at_rest.items():
        if widgets.is_drawn(key):
            widgets.set_value(key, value)


def tally(comparison: Comparison, viewed: views.Viewed, kept: views.Viewed) -> None:
    """Say how many queries are shown, how many of them B won, tied and lost, and which are left out under this view."""
    matches = words.MATCHES.format(shown=count(len(kept)), n=open_comparison.nouns().queries_of(len(viewed)))
    if viewed.measure.compares_lists:  # without judgments no list is better
        said = words.TALLY_CHANGED.format(matches=matches, changed=count(int(kept.changed.sum())), k=kept.k)
    else:
        said = words.TALLY.format(matches=matches, **{k: count(n) for k, n in kept.tally.items()})
    if len(lacking := views.left_out(comparison, viewed)):
        few = ", ".join(plain(short(one, _CHIP)) for one in lacking[:_FEW])
        said += words.TALLY_LEFT.format(n=count(len(lacking)), few=few, more=" …" * (len(lacking) > _FEW))
    st.markdown(f":gray[{said}]")


def _filter(viewed: views.Viewed) -> views.Filter:
    text = linked(
        st.text_input,
        spoken(words.SEARCH),
        max_chars=LONGEST_LINE,
        key="query_text",
        placeholder=words.SEARCH_HINT,
        width=150,
        icon=":material/search:",
    )
    outcome = segment = None
    if not viewed.measure.compares_lists:  # else no list is better
        outcome = linked(
            st.segmented_control,
            words.OUTCOME,
            list(words.OUTCOMES),
            default="",
            required=True,
            format_func=words.OUTCOMES.__getitem__,
            key="query_outcome",
        )
    if viewed.segments.columns:
        values = [
            (name, value) for name in viewed.segments.columns for value in sorted({*viewed.segments[name]} - {""})
        ]
        names = [words.ALL_SEGMENTS, *(words.SEGMENT_VALUE.format(column=name, value=value) for name, value in values)]
        chosen = linked(st.selectbox, words.SEGMENT, names, key="query_segment", width=150, format_func=literal)
        segment = dict(zip(names[1:], values, strict=True)).get(chosen or "")
    helps = [spoken(text).format(k=viewed.k) for text in (words.UNJUDGED_HELP, words.CHANGED_HELP)]
    unjudged = linked(st.checkbox, words.UNJUDGED_ONLY, key="query_unjudged", help=helps[0])
    changed = linked(st.checkbox, words.CHANGED_ONLY, key="query_changed", help=helps[1])
    return views.Filter(text or "", outcome or None, segment, unjudged, changed)


# --- the charts of the queries page and the list below. A click on a bar, a point or a row opens its query ---


#: The height of the chart of the deltas, of the other charts, and of a chart and the list together.
_LOW, _HIGH, _TOGETHER = 140, 230, 400
_TABLE = "view_table"
#: Of more queries the browser gets the first and the last ones: each costs it memory, and each click time.
_MOST_ROWS = 300


def means(opened: verdicts.Opened, viewed: views.Viewed, of: int) -> None:
    """Draw both means of all ``of`` queries as text, say whether the verdict is on another measure, and draw the
    download of the queries that pass the filters.
    """
    comparison, total, measure = opened.comparison, viewed.total, plain(viewed.measure.label)
    said = words.MEANS.format(
        measure=measure, a=number(total.mean_a), b=number(total.mean_b), delta=signed(total.delta)
    )
    said += words.WEIGHTED if comparison.sample.weights is not None else ""
    if comparison.is_judged and _is_other(comparison, viewed):
        guards = {result.label for result in comparison.results if result.role == "guardrail"}
        form = words.VIEW_GUARDS if viewed.measure.label in guards else words.VIEW_DIFFERS
        said += f"  \n:small[:orange[:material/visibility: {form.format(decided=plain(comparison.measures[0].label))}]]"
    if len(viewed) < of:
        said += f"  \n:small[:gray[{words.MEANS_OF.format(n=open_comparison.nouns().queries_of(of))}]]"
    content, name = partial(_saved, opened, viewed), file_name(f"queries_{viewed.measure.key}.csv", opened.case.edits)
    how = {"key": "view_save", "type": "tertiary", "help": spoken(words.SAVE_TABLE_HELP)}
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", wrap=False):
        st.markdown(said)
        screen.download(words.SAVE_TABLE, content, name, **how)


def kind(comparison: Comparison) -> str:
    """Draw the choice among four charts, and return it; without judgments there is one."""
    if not comparison.is_judged:
        return "changed"
    chosen = linked(
        st.segmented_control,
        words.CHART,
        list(words.CHARTS),
        default="sorted",
        required=True,
        format_func=lambda kind: spoken(words.CHARTS[kind]),
        key="chart",
        label_visibility="collapsed",
    )
    return chosen if chosen in words.CHARTS else "sorted"


def show_chart(comparison: Comparison, viewed: views.Viewed, kind: str) -> None:
    """Draw the chart of a kind, of the queries that pass the filters; the query that is open is marked."""
    ids, measure = viewed.changes.query_ids, viewed.measure.label
    family = measure.split("@")[0]
    alt = partial(words.CHART_ALTS[kind].format, measure=measure, family=family, n=count(len(viewed)))
    hint = spoken(words.CHART_HINTS[kind]).format(decomposed=plain(comparison.explained.measure.name))
    st.caption(f"{hint} {plain(beside_primary(comparison))}" if kind == "why" else hint)
    match kind:
        case "sorted" | "changed":
            one_query.show_chart(viewed.changes, measure, _LOW, "view_sorted", alt())
        case "scatter":
            figure = charts.scatter_chart(viewed, measure, open_comparison.query_among(ids, ids[0]))
            screen.chart(figure, "view_scatter", alt(), on_select=_open_point, selection_mode="points")
        case "curve":
            over = views.curve(comparison, viewed.measure)
            ends = "; ".join(
                f"k = {k}: A {number(a)}, B {number(b)}" for k, a, b in zip(over.ks, over.a, over.b, strict=True)
            )
            screen.chart(charts.curve_chart(over, family, viewed.k), "view_curve", alt(ends=ends))
        case "why":
            _why(comparison, alt)


def _why(comparison: Comparison, alt: Callable[..., str]) -> None:
    steps = views.waterfall(comparison)
    if not steps:
        st.markdown(spoken(words.NO_WATERFALL))
        return
    ends = "; ".join(f"{words.PARTS[step.part]} {signed(step.value)}" for step in steps)
    screen.chart(charts.waterfall_chart(steps), "view_why", alt(ends=ends))


def _open_point() -> None:
    if (carried := one_query.clicked_point("view_scatter")) is not None:
        open_comparison.choose_query(str(carried))


def show_list(viewed: views.Viewed) -> None:
    """Draw every query that passes the filters, with both scores and their difference; the cell of the query that is
    open is selected. Of very many queries only the first and the last.
    """
    n, every = len(viewed), viewed.changes.query_ids
    chosen, viewed = open_comparison.query_among(every, every[0]), viewed.ends(_MOST_ROWS)
    changes, ids = viewed.changes, viewed.changes.query_ids
    heads = {**words.TABLE_COLUMNS, "query": spoken(words.TABLE_COLUMNS["query"])}
    names = [literal(text or query_id) for text, query_id in zip(changes.texts, ids, strict=True)]
    frame = pd.DataFrame(dict(zip(heads.values(), (names, changes.a, changes.b, changes.delta), strict=True)))
    room = _TOGETHER - (_LOW if widgets.value_of("chart", "sorted") == "sorted" else _HIGH)
    _select(ids.index(chosen) if chosen in ids else None, heads["query"])
    st.dataframe(
        _styled(frame, changes.good),
        hide_index=True,
        height=min(room, widgets.height(len(names))),
        column_config={
            heads["query"]: st.column_config.TextColumn(width=164),
            **dict.fromkeys((heads["a"], heads["b"]), st.column_config.NumberColumn(width=50)),
            heads["delta"]: st.column_config.NumberColumn(width=60, help=f"Δ{viewed.measure.label}, B − A"),
        },
        key=_TABLE,
        on_select=partial(_open_row, ids),
        selection_mode="single-cell",
        placeholder=NOT_DEFINED,
        alt=words.TABLE_ALT.format(n=count(len(viewed))),
    )
    if n > _MOST_ROWS:
        st.caption(words.TABLE_ENDS.format(n=count(_MOST_ROWS // 2)))


def _styled(frame: pd.DataFrame, good: int) -> Any:
    """Return the list with a link's colour on names, that of who is better on differences, and a true minus sign; the
    cells stay numbers, by which it can be sorted.
    """
    query, a, b, delta = frame.columns
    formats: Any = {a: number, b: number, delta: signed}
    letters = ON_DARK if st.context.theme.type == "dark" else BADGE
    shown = frame.style.format(formats).set_properties(subset=[query], color=letters[MODEL])
    return shown.apply(lambda column: [f"color: {letters[tone(good * value)]}" for value in column], subset=[delta])


def _select(row: int | None, heading: str) -> None:
    """Let the list have its selection in a row, unless it is there; None: nowhere."""
    cells = widgets.value_of(_TABLE, {"selection": {"cells": []}})["selection"]["cells"]
    if (cells[0][0] if cells else None) != row:
        cells = [] if row is None else [(row, heading)]
        widgets.set_value(_TABLE, {"selection": {"rows": [], "columns": [], "cells": cells}})


def _open_row(ids: Sequence[str]) -> None:
    """Open the query of the cell that takes the keys now."""
    cells: Any = widgets.value_of(_TABLE)["selection"]["cells"]
    if cells and cells[0][0] < len(ids):
        open_comparison.choose_query(ids[cells[0][0]])
