"""One query: its numbers, both lists side by side, and how each value comes about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from rankdash import charts, style
from rankdash.dashboard.kit import browser_history, screen, widgets
from rankdash.dashboard.kit.literal import plain, short, table
from rankdash.dashboard.navigation import SCRIPTS
from rankdash.dashboard.results import cached
from rankdash.dashboard.session import open_comparison, verdicts
from rankdash.dashboard.session.open_comparison import spoken
from rankdash.inspect import lists as inspected
from rankdash.inspect.explain import Explanation, Ideal, Rank
from rankdash.inspect.query_order import Changes
from rankdash.inspect.view import Viewed
from rankdash.report.svg import name_of, short_name
from rankdash.report.worked import ON_PAGE, beneath, ending, worked_cell, worked_columns
from rankdash.scoring import SIDES, Side
from rankdash.style import queries as words
from rankdash.wording import count, grade_text, number, short_inside, signed

# --- two lists of one query side by side, one row per rank ---


#: Columns of letters of a title and of a model's name that may be worth their place; the page cuts what does not fit.
_TITLE, _MODEL, _RANKS = 72, 34, 10
#: Columns of letters of a query over its lists: four lines of a phone.
_QUERY = 130
#: Letters at the end of a long id that are always shown.
_END = 12

#: The colours of subtopics, one after the other, and the longest name of one that is its own mark.
_COLOURS, _OWN_MARK = "blue orange green violet red yellow gray".split(), 2

#: How a grade is set, by whether it is relevant. Strong is green in the style sheet and emphasis pink: a colour of
#: Streamlit's own takes the browser twice as long, and a click on a bar waits for these.
_GRADES = {True: "**{}**", False: "*{}*"}


def side_by_side(query_lists: inspected.QueryLists) -> None:
    """Draw both lists beside each other, each under the name of its model."""
    sides = zip("AB", (query_lists.a, query_lists.b), strict=True)
    marks, rel = subtopic_marks(query_lists.subtopics), query_lists.a.worked.measure.convention.rel
    with st.container(key="two_lists", gap=None):
        st.markdown("\n\n".join(_listed(listed, side, rel, marks) for side, listed in sides))
    legend = zip(marks, query_lists.subtopics, strict=True)
    names = " · ".join(f"{mark} {plain(short(name, _TITLE))}" for mark, name in legend)
    placed = (*query_lists.a.placed, *query_lists.b.placed)
    ages = words.AGES if any(row.document.age is not None for row in placed) else ""
    st.caption(" · ".join(filter(None, (words.SUBTOPICS.format(names=names) if names else "", ages))))


def subtopic_marks(names: Sequence[str]) -> list[str]:
    """Return a mark of each subtopic of a query in a colour: its name where all are short, else its number."""
    are_short = all(len(name) <= _OWN_MARK for name in names)
    signs = names if are_short else [str(place) for place in range(1, len(names) + 1)]
    return [f":{_COLOURS[place % len(_COLOURS)]}-badge[{plain(sign)}]" for place, sign in enumerate(signs)]


def _listed(listed: inspected.QueryList, side: str, rel: float, marks: Sequence[str]) -> str:
    """Return rank, grade, document and move of each document; that there is no list, where there is none."""
    rows = [
        [f"{row.rank}{'=' * row.tied}", grade(row.document, rel), _marked(row.document, marks), _moved(row, side)]
        for row in listed.placed
    ]
    model = words.LIST_TITLE.format(side=side, model=plain(short(listed.model, _MODEL)))
    return table(["", "", model, ""], rows or [["", "", words.NOTHING_RETURNED, ""]])


def _marked(document: inspected.ShownDocument, marks: Sequence[str]) -> str:
    """Return the marks of the subtopics of a document, its age, else its date, and its name."""
    age = document.date if document.age is None else words.AGE.format(n=count(int(document.age)))
    return named(document, *map(marks.__getitem__, document.subtopics), *[f"*{age}*"] * bool(age))


def grade(document: inspected.ShownDocument, rel: float) -> str:
    """Return the grade of a document: green from ``rel`` on, where it is relevant, else pink; a question mark where the
    document is unjudged.
    """
    if document.relevance is None:
        return f":gray[{words.UNJUDGED_MARK}]"
    return _GRADES[document.relevance >= rel].format(plain(grade_text(document.relevance)))


def named(document: inspected.ShownDocument, *marks: str) -> str:
    """Return marks, the title, and the id; the id alone if there is no title. Where there is no room, the style sheet
    shortens the title in ``***title* id**`` and the head in ``***head**tail*``.
    """
    head, tail = _halves(document.doc_id)
    blank, title = " " * tail[:1].isspace(), plain(short(document.title, _TITLE))
    name = f"***{plain(head)}**{blank}{plain(tail)}*" if head else plain(tail)
    if title and not head:
        return f"**{' '.join((*marks, f'*{title}*', name))}**"
    return " ".join(filter(None, (*marks, title, name)))


def _halves(doc_id: str) -> tuple[str, str]:
    """Return the beginning of a long id, which the style sheet cuts where the whole has no room, and its end, by which
    ids differ as a rule; "" and all of a short one. They part behind a letter or a digit: behind any other sign an
    emphasis would not end.
    """
    at = len(doc_id) - _END
    while at > 0 and not doc_id[at - 1].isalnum():
        at -= 1
    return ("", doc_id) if at < _END else (doc_id[:at], doc_id[at:])


def _moved(row: inspected.PlacedDocument, side: str) -> str:
    """Return which way a document went from A to B, its rank in the other list, and whether it is repeated."""
    to = (words.MOVE_TO if side == "A" else words.MOVE_FROM).format(rank=row.other_rank)
    move = words.RANK_MOVES.get(row.move, row.move).format(to=to)
    return " ".join([move] * bool(move) + [words.REPEATED_MARK] * row.repeated)


# --- the worked calculation of one list, rank by rank, as in a textbook: anyone can redo it by hand ---


#: Rows of a calculation that are shown whether or not they add anything.
_ALWAYS = 10
#: A calculation with more columns leaves no room for the other model beside it.
_BESIDE = 6


def calculation(explanation: Explanation, side: str) -> None:
    """Draw heading, table, and the sentence that ends in the value."""
    measure, worked = plain(explanation.measure.label), explanation.measure.definition.worked
    st.subheader(words.WORKED.format(measure=measure, side=side), anchor=False)
    ends = spoken(ending(explanation, measure, plain))
    if worked and worked.adds is None:
        st.markdown(f"{spoken(words.NOT_A_SUM).format(measure=measure)}\n\n{ends}")
        return
    counted = [rank for rank in explanation.ranks if rank.counted or rank.contribution]
    # Shown however deep it is: what adds to the sum, or without one has a grade or an age.
    matters = [rank.contribution if worked else rank.age is not None or (rank.relevance or 0) > 0 for rank in counted]
    kept = [rank for rank, shown in zip(counted, matters, strict=True) if shown or (rank.rank or 0) <= _ALWAYS]
    columns = worked_columns(explanation)
    parts = [_table(kept, columns) if kept else words.EMPTY]
    if len(counted) > len(kept):
        parts.append(_note(count(len(counted) - len(kept), *(words.LEFT_OUT if worked else words.NOT_SHOWN))))
    parts += [ends, *(_note(spoken(line)) for line in beneath(explanation))]
    st.markdown("\n\n".join(parts))
    if explanation.ideal:
        grades = ", ".join(grade_text(place.relevance) for place in explanation.ideal)
        label = words.IDEAL_GRADES.format(
            name=words.IDEAL_LIST, grades=grades, sum=number(explanation.ideal[-1].running, ON_PAGE)
        )
        with st.expander(plain(label), key=f"ideal_{side}", on_change="rerun") as expander:
            if expander.open:
                st.markdown(_table(explanation.ideal, columns))


def _table(rows: Sequence[Rank | Ideal], columns: Mapping[str, str]) -> str:
    return table(list(columns.values()), [[worked_cell(row, name, plain, ON_PAGE) for name in columns] for row in rows])


def _note(text: str) -> str:
    return f":small[:gray[{plain(text)}]]"


# --- one query: its numbers, what moved, and both lists or how each value comes about ---


#: More ranks of a list than this are not drawn.
_MOST_RANKS = 30
#: The icon of the button one query further back or ahead.
_ARROWS = {-1: "arrow_back", 1: "arrow_forward"}
#: The query parameter with which the worked calculations are shown in place of the lists.
_SUM = "sum"


def query(opened: verdicts.Opened, viewed: Viewed, chosen: str) -> None:
    """Draw the query that is open, among those that pass the filters."""
    changes, measure = viewed.changes, viewed.measure
    place, k = changes.query_ids.index(chosen), min(viewed.k, _MOST_RANKS)
    lists = inspected.query_lists(opened.comparison, chosen, k, measure)
    _head(changes, place)
    st.markdown(f"{_numbers(viewed, place)}  \n{_exchanged(inspected.exchange(lists, k), k)} {_coverage(lists, k)}")
    is_sum = _SUM in browser_history.parameters_now()
    if is_sum:
        is_wide = len(worked_columns(lists.a.worked)) > _BESIDE
        places = [st.container(), st.container()] if is_wide else st.columns(2, gap="small")
        for column, title, listed in zip(places, "AB", (lists.a, lists.b), strict=True):
            with column:
                calculation(listed.worked, title)
    else:
        side_by_side(lists)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button(words.SHOW_SUM[is_sum], key="query_sum", on_click=_show_sum, args=(not is_sum,))
        if st.button(words.EDIT_QUERY, key="query_edit"):
            browser_history.go(SCRIPTS["edit"])
        can_label = opened.comparison.explained.unjudged_count and viewed.unjudged[place] > 0
        if can_label and st.button(spoken(words.LABEL_QUERY), key="query_label"):
            browser_history.go(SCRIPTS["label"], **{open_comparison.LABELLED: chosen})
        st.caption("" if is_sum else spoken(words.RANK_LEGEND[measure.convention.ties]))
    screen.scrolled_to(chosen, asked=bool(open_comparison.notices_for(open_comparison.ASKED)))


def _show_sum(is_shown: bool) -> None:
    """Show the worked calculations in place of the lists, or the lists, and say so in the address."""
    browser_history.set_parameters(browser_history.without(_SUM) | ({_SUM: ["true"]} if is_shown else {}))


def _head(changes: Changes, place: int) -> None:
    """Draw the name of the query, and the buttons to its neighbours."""
    ids, name = changes.query_ids, open_comparison.nouns().named(name_of(changes, place))
    shown = short(name, _QUERY)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="query_head"):
        st.subheader(plain(shown), anchor=False, help=None if shown == name else plain(name))
        with st.container(horizontal=True, gap="small", width="content", wrap=False):
            _step(words.PREVIOUS, words.KEY_PREVIOUS, ids, -1, is_last=place == 0)
            _step(words.NEXT, words.KEY_NEXT, ids, 1, is_last=place == len(ids) - 1)


def _step(label: str, shortcut: str, ids: Sequence[str], by: int, *, is_last: bool) -> None:
    """Draw the button to the query before or after; its key is told beside its label."""
    how: dict[str, Any] = {"icon": f":material/{_ARROWS[by]}:", "shortcut": shortcut, "disabled": is_last}
    st.button(label, f"query_{label.lower()}", on_click=_go_on, args=(ids, by), **how)


def _go_on(ids: Sequence[str], by: int) -> None:
    """Open the query before or after that which is selected by now: a key may be pressed again before the page is
    drawn.
    """
    place = ids.index(open_comparison.query_among(ids, ids[0])) + by
    open_comparison.choose_query(ids[min(max(place, 0), len(ids) - 1)])


def _numbers(viewed: Viewed, place: int) -> str:
    """Return the values of a query in one line of Markdown."""
    changes = viewed.changes
    a, b, delta = (float(values[place]) for values in (changes.a, changes.b, changes.delta))
    name = f"{plain(changes.query_ids[place])} · " if changes.texts[place] else ""
    return words.QUERY_LINE.format(
        name=name,
        measure=plain(viewed.measure.label),
        a=number(a, ON_PAGE),
        b=number(b, ON_PAGE),
        delta=f":{style.THEME[style.tone(changes.good * delta)]}[**{signed(delta, ON_PAGE)}**]",
        place=words.PLACE.format(place=count(place + 1), n=count(len(changes))),
    )


def _exchanged(found: inspected.Exchange | None, k: int) -> str:
    """Return what moved between both lists, in one sentence; "" where documents have no names."""
    if found is None:
        return ""
    called, form = open_comparison.nouns(), words.MOVED[bool(found.dropped), bool(found.gained)]
    said = called.say(form).format(k=k, dropped=_graded(found.dropped), gained=_graded(found.gained))
    n, down = called.documents_of(found.higher or found.lower), count(found.lower)
    said += words.MOVED_RANKS.get((found.higher > 0, found.lower > 0), "").format(n=n, down=down)
    ranks = ", ".join((*map(str, found.unknown[:_RANKS]), *("…",) * (len(found.unknown) > _RANKS)))
    said += words.UNJUDGED_AT.format(ranks=ranks) if ranks else ""
    if found.most is None:
        return said
    document, a, b = found.most
    name = plain(short_inside(f"{document.title} {document.doc_id}".strip(), _TITLE))
    return said + words.MOST[a is not None, b is not None].format(name=name, a=a, b=b)


def _coverage(lists: inspected.QueryLists, k: int) -> str:
    """Return which subtopics B gains and loses in its first k, in one sentence; "" where the query has none."""
    if not lists.subtopics:
        return ""
    a, b = lists.covered(k)
    n, of = count(len(b)), count(len(lists.subtopics), *words.COVERED)
    if a == b:
        return words.COVERAGE_SAME.format(n=n, of=of, k=k)
    names = [plain(short(name, _MODEL)) for name in lists.subtopics]
    gained, lost = (", ".join(names[at] for at in sorted(places)) for places in (b - a, a - b))
    return words.COVERAGE.format(gained=gained or words.NO_SUBTOPIC, lost=lost or words.NO_SUBTOPIC, k=k, of=of)


def _graded(numbers: Mapping[float | None, int]) -> str:
    """Return how many documents there are of each grade: "6 documents of grade 3, 1 unjudged"."""
    parts, called = list[str](), open_comparison.nouns()
    for grade, n in numbers.items():
        if grade is None and not parts:
            return called.documents_of(n, words.MOVED_UNKNOWN)
        form = words.MOVED_UNJUDGED if grade is None else words.MOVED_GRADE
        many = count(n) if parts else called.documents_of(n)
        parts.append(form.format(n=many, grade=plain(grade_text(grade or 0.0))))
    return ", ".join(parts)


# --- the chart of the sorted deltas, and a mark over the bar of the query that is open ---


#: The query of the bar that was clicked last.
_CLICKED = "query_clicked"


def show_chart(changes: Changes, measure: str, height: int, key: str, alt: str) -> None:
    """Draw the chart. A click on a bar opens its query."""

    def clicked() -> None:
        if (place := clicked_point(key)) is not None:
            widgets.set_value(_CLICKED, changes.query_ids[int(place)] if 0 <= int(place) < len(changes) else None)
        # A second click on a bar takes its selection back, and means the bar all the same: meanwhile another query may
        # have been opened by other ways.
        query_id = widgets.value_of(_CLICKED)
        if query_id in changes.query_ids:
            open_comparison.choose_query(query_id)

    with st.container(key="marked", gap=None):
        screen.chart(
            figure(changes, measure, height, is_named=False), key, alt, on_select=clicked, selection_mode="points"
        )
        with st.container(key="mark"):  # at the query that is open
            place = changes.query_ids.index(open_comparison.query_among(changes.query_ids, changes.query_ids[0]))
            st.image(charts.mark(changes, place), alt=spoken(style.MARK_ALT).format(place=place + 1, n=len(changes)))


def clicked_point(key: str) -> Any:
    """Return what the point of a chart carries that was clicked; None for a click on nothing."""
    event: Any = widgets.value_of(key)
    points = event["selection"]["points"]
    carried = points[0].get("customdata") if points else None
    return carried[0] if isinstance(carried, list) else carried


@cached()
def figure(changes: Changes, measure: str, height: int, *, is_named: bool) -> go.Figure:
    """Return the chart of the sorted deltas, with or without the names of its bars."""
    return charts.delta_chart(changes, measure, height, is_named=is_named)


# --- the largest losses and gains ---


#: Columns of letters that the name of a query may take, and results that leave it more room; how many at each end.
_SHORT, _NARROW, _EXTREMES = 44, 16, 3
#: The arrow behind a name that opens its query.
_AHEAD: Mapping[str, Any] = {"icon": ":material/arrow_forward:", "icon_position": "right"}


def extremes(opened: verdicts.Opened) -> None:
    """Draw the largest losses and gains, with the top result of each model."""
    losses, gains = (places[:_EXTREMES] for places in opened.changes.largest())
    # A grid, not columns: those are put below each other in print.
    with st.grid(2, key="extremes"):
        for side, places in (("losses", losses), ("gains", gains)):
            with st.container(border=True, height="stretch"):
                hint = f" :small[:gray[{style.EXTREMES_HINT}]]" if opened.tops else ""
                st.subheader(f"{style.EXTREMES[side]}{hint}", anchor=False)
                if len(places):
                    _extremes(opened, side, places)
                else:
                    st.markdown(spoken(style.NO_EXTREMES[side]))


def _extremes(opened: verdicts.Opened, side: str, places: inspected.Ints) -> None:
    """Draw each query's difference and name, which open it, and beside them the top results of both models.

    One text for all queries, and the style sheet makes its rows as high as the buttons: a container per row would be
    drawn anew in the browser with every click on the page.
    """
    rel = opened.comparison.convention.rel
    tops = [opened.tops.get(place, ()) for place in places.tolist()]
    is_wide = any(top and len(top.title or top.doc_id) > _NARROW for pair in tops for top in pair)
    left, right = st.columns([1, 1.7 if is_wide else 0.8 if opened.tops else 0.01], gap="small")
    for row, place in enumerate(places.tolist()):
        delta = float(opened.changes.delta[place])
        name = plain(open_comparison.nouns().named(short_name(opened.changes, place, _SHORT)))
        label = f":{style.THEME[style.tone(delta)]}[**{signed(delta)}**] {name}"
        if left.button(label, f"open_{side}_{row}", type="tertiary", width="stretch", **_AHEAD):
            open_comparison.show_query(opened.changes.query_ids[place])
    right.markdown("\n\n".join("  \n".join(map(_top, SIDES, pair, (rel, rel))) for pair in tops))


def _top(model: Side, document: inspected.ShownDocument | None, rel: float) -> str:
    """Return the first result of a model, with its grade."""
    result = style.NO_RESULT if document is None else f"{grade(document, rel)} {named(document)}"
    return f":gray[{style.SIDE[model]}] {result}"
