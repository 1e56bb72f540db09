"""One file on a card: what it was taken for, what was read, what it asks, what is wrong with it, and its first rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from rankdash import style
from rankdash.dashboard.kit import literal, widgets
from rankdash.dashboard.kit.literal import literal_cells, plain, short
from rankdash.dashboard.new.dropzone import remove_button
from rankdash.dashboard.session.file_cache import box_of
from rankdash.dashboard.session.files import FileEntry
from rankdash.intake import Decisions, Role, Table
from rankdash.reading import ENCODINGS, KINDS, Choice, Problem, ReadError, pair_of
from rankdash.reading.values import propose_grades
from rankdash.style import reading as words
from rankdash.tables import Judgments, Models, Run, Source, Votes
from rankdash.wording import count

PREVIEWED = 20
_NAME = 60
_SENTENCES_WITHOUT_SCROLLING, _SCROLLED = 7, 260
#: Columns of numbers that a card names.
_NUMBERS = 5


def card(place: str, entry: FileEntry, roles: Sequence[Role]) -> None:
    """Draw a file of a drop zone: a row, under it its questions and what is wrong with it, and the details on
    demand.
    """
    with st.container(border=True, key=f"{place}_card_{entry.token}", gap="small"):
        named, part, more, away = st.columns([4.2, 2, 0.8, 0.25], vertical_alignment="center", gap="small")
        with named:
            _headline(entry)
        with part:
            _role(place, entry, roles)
        with more:
            shown = _more(place, entry)
        with away:
            remove_button(place, entry.file.id, entry.token, short(entry.look.name, _NAME))
        questions(place, entry)
        _wrong(entry)
        if shown:
            details(place, entry)


def _wrong(entry: FileEntry) -> None:
    """Say why a file cannot be read: what it asks, or its problems, in sentences."""
    error = _error(entry)
    if error is None:
        return
    if any(problem.choice is None for problem in error.problems):
        problems(entry.look.name, error)
        return
    sentences = dict.fromkeys(problem.what for problem in error.problems if problem.column is None)
    if sentences:
        st.caption(" ".join(plain(f"{what[:1].upper()}{what[1:]}.") for what in sentences))


def _more(place: str, entry: FileEntry) -> bool:
    """Draw the button that shows or hides the details of a file, and return whether they are shown."""
    if not entry.kind and not entry.choices:
        return False
    opened = box_of(place).opened
    shown = entry.token in opened
    st.button(
        words.DETAILS,
        key=f"{place}_more_{entry.token}",
        type="tertiary",
        help=words.DETAILS_HELP,
        icon=":material/expand_less:" if shown else ":material/expand_more:",
        on_click=(opened.discard if shown else opened.add),
        args=(entry.token,),
    )
    return shown


def details(place: str, entry: FileEntry) -> None:
    """Draw the controls, the decisions that reading took, and the first rows."""
    controls(place, entry)
    if entry.table is None:
        return
    with st.container(gap=None):
        _notes(entry.table)
    preview(entry)


def _notes(table: Table) -> None:
    st.caption(words.NOTES)
    for text in [note.phrase("page") for note in _source(table).notes] or [words.NOTHING_DECIDED]:
        st.markdown(f":small[{plain(text)}]")


def preview(entry: FileEntry) -> None:
    """Draw the first rows of the table that was built."""
    table = entry.table
    caption = words.PREVIEW
    if isinstance(table, Models):
        table = table.runs[0]
        caption = words.PREVIEW_OF.format(model=plain(table.name))
    st.caption(caption)
    rows = literal_cells(table.table.slice(0, PREVIEWED).to_pandas())
    st.dataframe(rows, height=210, hide_index=True, alt=caption)


def summary(entry: FileEntry, *, has_format: bool = True) -> str:
    """Return what was read, in a line: the format, unless the file itself is gone, the rows, the order."""
    parts = [_format(entry) if has_format else ""]
    table = entry.table
    if table is not None:
        parts.append(_rows(table))
    if isinstance(table, Run):
        parts.append(words.ORDERED.format(order=style.ORDERED[table.ordered_by]))
    if isinstance(table, Models):
        parts.append(words.MODELS.format(models=", ".join(run.name for run in table.runs[:6])))
    return " · ".join(plain(part) for part in parts if part)


def problems(name: str, error: ReadError) -> None:
    """Say what is wrong with the file of a card, a sentence for each problem: the first 20, and how many."""
    many = len(error.problems) > _SENTENCES_WITHOUT_SCROLLING
    with st.container(height=_SCROLLED if many else "content", border=False):
        literal.problems(_sentence(name, problem) for problem in error.problems)
    if error.count > len(error.problems):
        st.caption(words.PROBLEMS_SHOWN.format(shown=len(error.problems), count=f"{error.count:,}"))


def _sentence(name: str, problem: Problem) -> str:
    """Return the whole text of a problem, without the name that stands on the card already."""
    text = problem.phrase("page", named=problem.file != name)
    return f"{text[:1].upper()}{text[1:]}"


def _headline(entry: FileEntry) -> None:
    label, icon, colour = words.STATUS[entry.status]
    said = [summary(entry)]
    why = words.WHY[entry.placed.why].format(about=plain(short(entry.placed.about, _NAME)))
    if entry.role == "none":
        said = [_recognised(entry), words.ASKS_FIRST if entry.choices else why]
    elif why:
        said.append(f"{words.SHORT_ROLES[entry.role]} {why}")
    with st.container(gap=None):
        st.markdown(f":{colour}[{icon}] **{plain(short(entry.look.name, _NAME))}** :{colour}-badge[{label}]")
        st.caption(" · ".join(part for part in said if part))


def _recognised(entry: FileEntry) -> str:
    kind = words.KIND.get(entry.look.kind, "")
    return words.RECOGNISED.format(kind=kind) if kind else ""


def _role(place: str, entry: FileEntry, roles: Sequence[Role]) -> None:
    called, roles = f"{place}_role_{entry.token}", list(dict.fromkeys((*roles, entry.role)))
    key = widgets.key_of(called, entry.role)
    with st.container(key=called):
        st.selectbox(
            words.ROLE,
            roles,
            index=roles.index(entry.role),
            key=key,
            format_func=words.ROLES.__getitem__,
            label_visibility="collapsed",
            on_change=_wish,
            args=(place, entry.token, key),
        )


def _wish(place: str, token: str, key: str) -> None:
    if widgets.is_chosen(key):
        box_of(place).wish(token, widgets.value_of(key))


def _error(entry: FileEntry) -> ReadError | None:
    if entry.reading is not None:
        return entry.reading.error
    return entry.look.error if entry.placed.why == "unknown" else None


#: Formats that a card does not name: what is no table yet.
_SAYS_NOTHING = ("numbers", "delimited text")


def _format(entry: FileEntry) -> str:
    form = entry.look.form if entry.reading is None else entry.reading.understood
    named = form.format if form.encoding in ("", "UTF-8") else f"{form.format} in {form.encoding}"
    return "" if form.format in _SAYS_NOTHING else named


def _source(table: Table) -> Source:
    return table.runs[0].source if isinstance(table, Models) else table.source


def _rows(table: Table) -> str:
    if isinstance(table, Models):
        return count(sum(run.source.rows for run in table.runs), "row", "rows")
    read, used = table.source.rows, len(table.table)
    if isinstance(table, Judgments) and used < read:
        return words.ROWS_LEFT_OUT.format(used=count(used), rows=count(read, "row", "rows"))
    return count(read, "row", "rows")


# --- the controls that correct how a file is read: each writes into the decisions of its file, which is read again ---


_Change = Callable[[Decisions, Any], Decisions]
#: Columns that have no effect in a table of a kind, or only a single name.
_NOT_CORRECTED = {"run": ("model",), "votes": ("doc_id", "reason"), "judgments": ("only_for",)}
_IN_A_ROW = 4


def questions(place: str, entry: FileEntry) -> None:
    """Ask the questions of the reader about a file, and show the answers."""
    choices = box_of(place).choices.get(entry.token, {}).values()
    columns = [choice for choice in choices if choice.option == "columns"]
    for choice in choices:
        if choice.option in _CONTROLS:
            _CONTROLS[choice.option](place, entry, choice)
    if entry.may_be_judgments:
        st.caption(words.GRADED)
        _order(place, entry)
    for row in _split_rows(columns):
        for cell, choice in zip(st.columns(_IN_A_ROW), row, strict=False):
            with cell:
                _column(place, entry, choice.key, choice.values, words.COLUMN_CHOOSE)


def controls(place: str, entry: FileEntry) -> None:
    """Draw everything that can be corrected, besides the questions."""
    choices = box_of(place).choices.get(entry.token, {})
    form, kind = entry.look.form, entry.kind
    with st.container(horizontal=True, gap="small"):
        offered = {"encoding": ENCODINGS if form.encoding else (), "sheet": form.sheets, "member": form.members}
        for option, values in offered.items():
            if len(values) > 1 and (option, "") not in choices:
                _CONTROLS[option](place, entry, Choice(option, values))
        if form.encoding or form.sheets:
            _header(place, entry)
        if kind in ("run", "models") and not entry.look.is_letor and not entry.may_be_judgments:
            _order(place, entry)
    if entry.reading is None or not kind:
        return
    understood = entry.reading.understood
    headings = understood.headings or _offered(entry)
    if headings:
        st.caption(words.COLUMNS_ASK)
        names = [name for name in _meanings(kind) if ("columns", name) not in choices]
        for row in _split_rows(names):
            for cell, name in zip(st.columns(_IN_A_ROW), row, strict=False):
                with cell:
                    _column(place, entry, name, headings, words.COLUMN_PLACEHOLDER)
    if understood.words and ("grades", "") not in choices:
        _grades(place, entry, Choice("grades", understood.words))


def _meanings(kind: str) -> list[str]:
    """Return the meanings of columns that can be corrected in a table of a kind."""
    left_out = _NOT_CORRECTED.get(kind, ())
    return [meaning.name for meaning in KINDS[kind].meanings if meaning.name not in left_out]  # type: ignore[index]


def _offered(entry: FileEntry) -> tuple[str, ...]:
    return next((choice.values for choice in entry.choices if choice.option == "columns"), ())


def _split_rows(values: Sequence[Any]) -> list[Sequence[Any]]:
    return [values[i : i + _IN_A_ROW] for i in range(0, len(values), _IN_A_ROW)]


def _decide(place: str, token: str, key: str, change: _Change) -> None:
    if widgets.is_chosen(key):
        box = box_of(place)
        box.decisions[token] = change(box.decisions.get(token, Decisions()), widgets.value_of(key))


def _select(
    place: str,
    entry: FileEntry,
    name: str,
    label: str,
    options: Sequence[str],
    value: str,
    change: _Change,
    shown: Callable[[str], str] = str,
    width: Any = "stretch",
) -> None:
    """Draw a list that shows what holds now, and decide when something else is chosen."""
    called = f"{place}_{name}_{entry.token}"
    at = options.index(value) if value in options else 0

    def checked(decisions: Decisions, chosen: Any) -> Decisions:
        # A browser sends the words of what it shows, and words that have changed meanwhile name nothing.
        return change(decisions, chosen) if chosen in options else decisions

    key = widgets.key_of(called, options[at])
    with st.container(key=called, width=width):
        st.selectbox(
            label,
            options,
            index=at,
            key=key,
            format_func=shown,
            on_change=_decide,
            args=(place, entry.token, key, checked),
        )


def _encoding(place: str, entry: FileEntry, choice: Choice) -> None:
    encoding = entry.look.form.encoding
    if not entry.decisions.encoding and encoding:
        recognised = words.ENCODING_FOUND.format(encoding=encoding)
    else:
        recognised = words.RECOGNISED_CHOICE
    _select(
        place,
        entry,
        "encoding",
        words.ENCODING,
        ("", *choice.values),
        entry.decisions.encoding,
        lambda decisions, value: replace(decisions, encoding=value),
        lambda value: value or recognised,
        240,
    )


def _sheet(place: str, entry: FileEntry, choice: Choice) -> None:
    _select(
        place,
        entry,
        "sheet",
        words.SHEET,
        ("", *choice.values),
        entry.decisions.sheet,
        lambda decisions, value: replace(decisions, sheet=value),
        lambda value: value or _unchosen(entry),
        240,
    )


def _member(place: str, entry: FileEntry, choice: Choice) -> None:
    _select(
        place,
        entry,
        "member",
        words.MEMBER,
        ("", *choice.values),
        entry.decisions.member,
        lambda decisions, value: replace(decisions, member=value),
        lambda value: value or _unchosen(entry),
        320,
    )


def _header(place: str, entry: FileEntry) -> None:
    called, row = f"{place}_header_{entry.token}", entry.decisions.header or None
    key = widgets.key_of(called, row)
    with st.container(key=called, width=200):
        st.number_input(
            words.HEADER,
            1,
            None,
            key=key,
            value=row,
            placeholder=words.RECOGNISED_CHOICE,
            on_change=_decide,
            args=(place, entry.token, key, lambda decisions, row: replace(decisions, header=row or 0)),
        )


def _unchosen(entry: FileEntry) -> str:
    return words.CHOOSE if entry.status == "asks" else words.RECOGNISED_CHOICE


def _order(place: str, entry: FileEntry) -> None:
    _select(
        place,
        entry,
        "order",
        words.ORDER,
        tuple(words.ORDERS),
        entry.decisions.order,
        lambda decisions, value: replace(decisions, order=value),
        words.ORDERS.__getitem__,
        240,
    )


def _pair(place: str, entry: FileEntry, choice: Choice) -> None:
    pairs = [pair_of(value) for value in choice.values]
    options = ("", *(f"{i}" for i in range(len(pairs))))

    def shown(value: str) -> str:
        a, b = pairs[int(value)] if value else ("", "")
        return words.PAIR_OPTION.format(a=a, b=b) if value else words.PAIR_PLACEHOLDER

    votes = entry.table
    chosen = entry.decisions.pair or (votes.pair if isinstance(votes, Votes) else None)
    _select(
        place,
        entry,
        "pair",
        words.PAIR,
        options,
        str(pairs.index(chosen)) if chosen in pairs else "",
        lambda decisions, value: replace(decisions, pair=pairs[int(value)] if value else None),
        shown,
        420,
    )


def _column(place: str, entry: FileEntry, meaning: str, headings: Sequence[str], none: str) -> None:
    """Ask which heading is read as a meaning; chosen is what was wished, else what was understood."""
    wished = dict(entry.decisions.columns)
    understood = {} if entry.reading is None else dict(entry.reading.understood.columns)

    def change(decisions: Decisions, heading: str) -> Decisions:
        others = tuple(pair for pair in decisions.columns if pair[0] != meaning and (not heading or pair[1] != heading))
        return replace(decisions, columns=(*others, (meaning, heading)))

    _select(
        place,
        entry,
        f"column_{meaning}",
        words.COLUMN.get(meaning, meaning),
        ("", *dict.fromkeys(heading for heading in headings if heading)),
        wished.get(meaning) or understood.get(meaning, ""),
        change,
        lambda value: value or none,
    )


def _grades(place: str, entry: FileEntry, choice: Choice) -> None:
    """Draw a field with the number of every word, proposed where the words are a known scale."""
    values = {**propose_grades(list(choice.values)), **dict(entry.decisions.grades)}
    st.caption(words.GRADES, help=words.GRADES_HELP)

    def change_of(word: str) -> _Change:
        def change(decisions: Decisions, grade: float | None) -> Decisions:
            kept = {**values, **dict(decisions.grades), word: grade}
            return replace(decisions, grades=tuple((name, float(x)) for name, x in kept.items() if x is not None))

        return change

    for at, row in enumerate(_split_rows(choice.values)):
        for i, (cell, word) in enumerate(zip(st.columns(_IN_A_ROW), row, strict=False)):
            called, grade = f"{place}_grade_{entry.token}_{at * _IN_A_ROW + i}", values.get(word)
            key = widgets.key_of(called, grade)
            with cell.container(key=called):
                st.number_input(
                    plain(word),
                    key=key,
                    value=grade,
                    step=1.0,
                    format="%g",
                    on_change=_decide,
                    args=(place, entry.token, key, change_of(word)),
                )


_CONTROLS: dict[str, Callable[[str, FileEntry, Choice], None]] = {
    "encoding": _encoding,
    "sheet": _sheet,
    "member": _member,
    "pair": _pair,
    "grades": _grades,
}
