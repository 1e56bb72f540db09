"""The controls that correct how a file is read: each writes into the decisions of its file, which is read again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from rankdash.dashboard.kit import controlled_widget, session_values
from rankdash.dashboard.kit.literal import plain
from rankdash.dashboard.session.file_cache import box_of
from rankdash.dashboard.session.files import FileEntry
from rankdash.intake import Decisions
from rankdash.reading import ENCODINGS, KINDS, Choice, pair_of
from rankdash.reading.values import propose_grades
from rankdash.style import reading as words
from rankdash.tables import Votes

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
    for row in _rows(columns):
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
        for row in _rows(names):
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


def _rows(values: Sequence[Any]) -> list[Sequence[Any]]:
    return [values[i : i + _IN_A_ROW] for i in range(0, len(values), _IN_A_ROW)]


def _decide(place: str, token: str, key: str, change: _Change) -> None:
    if controlled_widget.is_chosen(key):
        box = box_of(place)
        box.decisions[token] = change(box.decisions.get(token, Decisions()), session_values.value(key))


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

    key = controlled_widget.key_of(called, options[at])
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
    key = controlled_widget.key_of(called, row)
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

    for at, row in enumerate(_rows(choice.values)):
        for i, (cell, word) in enumerate(zip(st.columns(_IN_A_ROW), row, strict=False)):
            called, grade = f"{place}_grade_{entry.token}_{at * _IN_A_ROW + i}", values.get(word)
            key = controlled_widget.key_of(called, grade)
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
