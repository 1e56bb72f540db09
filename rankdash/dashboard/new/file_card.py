"""One file on a card: what it was taken for, what was read, what it asks, what is wrong with it, and its first rows."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from rankdash import style
from rankdash.dashboard.kit import controlled_widget, literal, session_values
from rankdash.dashboard.kit.literal import literal_cells, plain, short
from rankdash.dashboard.new import corrections
from rankdash.dashboard.new.dropzone import remove_button
from rankdash.dashboard.session.file_cache import box_of
from rankdash.dashboard.session.files import FileEntry
from rankdash.intake import Role
from rankdash.intake.files import Table
from rankdash.reading import Problem, ReadError, numbers_beside, phrased
from rankdash.style import reading as words
from rankdash.tables import Judgments, Models, Run, Source
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
        corrections.questions(place, entry)
        _unordered(entry)
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


def _unordered(entry: FileEntry) -> None:
    """Ask about lists that nothing orders but their rows, though numbers stand beside them."""
    run = entry.table
    if isinstance(run, Run) and entry.decisions.order == "auto" and (names := numbers_beside(run.table)):
        named = ", ".join(f"“{short(name, _NAME)}”" for name in names[:_NUMBERS])
        st.caption(f":orange[:material/help:] {words.UNORDERED.format(columns=plain(named))}")


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
    corrections.controls(place, entry)
    if entry.table is None:
        return
    with st.container(gap=None):
        _notes(entry.table)
    preview(entry)


def _notes(table: Table) -> None:
    st.caption(words.NOTES)
    for note in _source(table).notes or (words.NOTHING_DECIDED,):
        st.markdown(f":small[{plain(phrased(note, 'page'))}]")


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
    text = problem.phrased("page", named=problem.file != name)
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
    key = controlled_widget.key_of(called, entry.role)
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
    if controlled_widget.is_chosen(key):
        box_of(place).wish(token, session_values.value(key))


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
