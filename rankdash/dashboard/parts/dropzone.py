"""The files of a drop zone, the decisions about them, and the results of reading. Each file is read once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import replace
from functools import partial
from math import inf
from pathlib import PurePath
from threading import Event
from typing import Any

import streamlit as st

from rankdash import intake, style
from rankdash.case import content_digest
from rankdash.dashboard.kit import literal, widgets
from rankdash.dashboard.kit.literal import literal_cells, plain, plain_label, short
from rankdash.dashboard.results import digest
from rankdash.dashboard.session.session import Box, DroppedFile, FileEntry, box_of
from rankdash.intake import Decisions, FileLook, PlacedFile, Role, Table, side_in_name
from rankdash.notes import Level, Note
from rankdash.reading import ENCODINGS, KINDS, Choice, ReadError
from rankdash.reading.values import propose_grades
from rankdash.reading.votes import pair_of
from rankdash.sandbox.processes import MOST, look, look_and_read, read
from rankdash.scoring import SIDES
from rankdash.style import reading as words
from rankdash.tables import Judgments, Models, Queries, Run, Votes
from rankdash.wording import count

#: Seconds between two signs of life while files are read, and names that are shown meanwhile.
_OFTEN, _NAMED = 0.1, 3


#: From the tables of a drop zone, by part, to the names of the runs A and B; None where these are unknown.
Names = Callable[[Mapping[str, Any]], "tuple[str, str] | None"]


def _drops(box: Box, files: Sequence[DroppedFile]) -> list[int]:
    """Return the drop with which each file came: those that were not there a moment ago came with the latest."""
    latest = max(box.dropped.values(), default=-1) + 1
    box.dropped = {file.id: box.dropped.get(file.id, latest) for file in files}
    return [box.dropped[file.id] for file in files]


def entries(
    place: str, files: Sequence[DroppedFile], alone: Role = "a", names: Names = lambda _: None
) -> tuple[FileEntry, ...]:
    """Return every file with its part and its table; a file is read once. ``names`` returns the names of the runs A and
    B from the tables that were read.
    """
    box, whole = box_of(place), files
    _open_new(box, whole)
    files = [part for file in whole for part in _parts(box, file) if part.id not in box.removed]
    _open_new(box, files)
    first = [_looked(box, file, file.start) for file in files]
    tokens = _tokens(box, files, first)
    decided = [_decided(box, token, file.start) for token, file in zip(tokens, files, strict=True)]
    looks = [_looked(box, file, own) for file, own in zip(files, decided, strict=True)]
    drops = _drops(box, files)
    alone_at = [file.at if drops.count(drop) == 1 else "" for file, drop in zip(files, drops, strict=True)]
    failed = [getattr(_reading(box, file, seen.kind), "error", None) for file, seen in zip(files, looks, strict=True)]
    sides = [at if at in SIDES else "" for at in alone_at]
    looks = [replace(own, side=at, error=own.error or e) for own, at, e in zip(looks, sides, failed, strict=True)]
    wished = {i: box.wishes[token] for i, token in enumerate(tokens) if token in box.wishes}
    rows = [_mere_rows(box, file) for file in files]
    placed = intake.place_dropped(looks, rows, [file.at for file in files], drops, wished, alone)
    parts = [_as_dropped(*each) for each in zip(alone_at, placed, looks, strict=True)]
    bare = [
        FileEntry(file, token, seen, part, own)
        for file, token, seen, part, own in zip(files, tokens, looks, parts, decided, strict=True)
    ]
    result = tuple(entry if entry.role == "votes" else _read(box, entry, bare) for entry in bare)
    models = names(tables_of(result))  # votes may name them
    result = tuple(_read(box, entry, bare, models) if entry.role == "votes" else entry for entry in result)
    if seen := next((entry for entry in result if entry.role == "seen" and entry.table is not None), None):
        result = tuple(_unseen(box, entry, seen) for entry in result)
    for entry in result:
        # The pairs of models that votes may be about stay a choice after one was chosen.
        about = (choice for choice in entry.look.choices if choice.option == "pair" and entry.kind == "votes")
        _remember(box.choices.setdefault(entry.token, {}), (*entry.choices, *about))
    _forget(box, [*whole, *files])
    return result


def _decided(box: Box, token: str, start: Decisions) -> Decisions:
    """Return the decisions about a file. If there are none, take columns and grades from another file that asked the
    same questions.
    """
    asked = box.choices.get(token, {}).items()
    others = (own for other, own in box.decisions.items() if asked and asked <= box.choices.get(other, {}).items())
    alike = [replace(start, columns=own.columns, grades=own.grades) for own in others]
    return box.decisions.get(token, (*alike, start)[0])


def _parts(box: Box, file: DroppedFile) -> list[DroppedFile]:
    """Return a file for each part of a workbook or an archive whose parts are named after A and B, or are two runs and
    perhaps judgments, without parts that describe the others; else the file.
    """
    seen = _looked(box, file, file.start)
    option, every = ("member", seen.form.members) if seen.form.members else ("sheet", seen.form.sheets)
    names = [name for name in every if PurePath(name).stem.casefold() not in _ABOUT]
    if file.start != Decisions() or not 1 < len(names) <= words.MOST_PARTS:
        return [file]
    each = [replace(file, id=f"{file.id}/{name}", start=Decisions(**dict[str, Any]({option: name}))) for name in names]
    if {"a", "b"} <= {side_in_name(PurePath(name).name)[0] for name in names}:
        return each
    if seen.kind or len(each) > len(_PAIR_OF_RUNS):
        return [file]
    _open_new(box, each)
    kinds = sorted(_looked(box, part, part.start).kind for part in each)
    return each if kinds in (_PAIR_OF_RUNS, _PAIR_OF_RUNS[1:]) else [file]


#: What the parts of a file are that is A and B, and perhaps the judgments; names of parts that describe the others.
_PAIR_OF_RUNS = ["judgments", "run", "run"]
_ABOUT = frozenset({"readme", "read me", "about", "info", "notes", "legend"})


def _mere_rows(box: Box, file: DroppedFile) -> Run | None:
    """Return the lists of a file without ranks, scores and grades, such as clicks or purchases; else None."""
    run = getattr(_reading(box, file, "run"), "table", None)
    return run if isinstance(run, Run) and run.ordered_by == "position" else None


def _reading(box: Box, file: DroppedFile, kind: str) -> intake.FileReading | None:
    return box.readings.get((file.id, file.id, kind, file.start, None))


def _as_dropped(at: str, part: PlacedFile, seen: FileLook) -> PlacedFile:
    """Return the part of a file, with the reason where it was dropped alone on a place for files of another kind."""
    if at == "judgments" and (part.role, part.why) == ("candidate", "left_over"):
        return PlacedFile("none", "ungraded")  # no candidate unless somebody says so
    is_elsewhere = at in intake.PARTS and bool(seen.kind) and seen.kind == intake.PARTS[part.role] != intake.PARTS[at]
    return replace(part, why="elsewhere", about=words.KIND[seen.kind]) if is_elsewhere else part


def match_ids(place: str, entries: Iterable[FileEntry], as_numbers: bool) -> None:
    """Let the ids of all files be read as numbers, or as they are written."""
    for entry in entries:
        _decide(place, entry, ids_as_numbers=as_numbers)


def _open_new(box: Box, files: Sequence[DroppedFile]) -> None:
    """Look at new files, and read each as the kind of table that it holds, two at a time: unless the user decides
    otherwise, these readings are needed next.
    """
    new = [file for file in files if (file.id, file.start) not in box.looks]
    new.sort(key=lambda file: len(file.given.source.getvalue()))  # no small file waits for large ones
    if not new:
        return
    stopped = Event()

    def meanwhile(_: int) -> None:
        if stopped.is_set():
            raise _StoppedError

    def both(file: DroppedFile) -> tuple[FileLook, intake.FileReading | None]:
        found = look_and_read(file.given, file.start, meanwhile=meanwhile)
        digest(found[1] and found[1].table)  # needed next, and remembered
        if found[1] and isinstance(found[1].table, Run):
            content_digest(found[1].table)
        return found

    names = ", ".join(dict.fromkeys(plain(file.given.name) for file in new[:_NAMED]))
    with st.spinner(words.READING_FILE.format(name=names)), ThreadPoolExecutor(MOST, "rankdash-upload") as several:
        said, begun = st.empty(), {(file.id, file.start): several.submit(both, file) for file in new}
        try:
            while wait(begun.values(), _OFTEN).not_done:
                said.empty()  # whatever is written ends the run of a session that is gone, and with it the reading
        finally:
            stopped.set()
    for (id, start), future in begun.items():
        looked, reading = future.result()
        box.looks[id, start] = looked
        if reading is not None:
            box.readings[id, id, looked.kind, start, None] = reading


class _StoppedError(Exception):
    """The page that a file was read for is gone."""


def _remember(kept: dict[tuple[str, str], Choice], choices: Sequence[Choice]) -> None:
    """Keep a question on the card after it was answered; words that have a grade stay among the others."""
    for choice in choices:
        key = (choice.option, choice.key)
        before = kept[key].values if key in kept and choice.option == "grades" else ()
        kept[key] = Choice(choice.option, tuple(dict.fromkeys((*before, *choice.values))), choice.key)


def _tokens(box: Box, files: Sequence[DroppedFile], looks: Sequence[FileLook]) -> list[str]:
    """Return eight digits of each file's digest, "unread" where there is none; a copy gets a number, and keeps it."""
    box.tokens = {file.id: box.tokens[file.id] for file in files if file.id in box.tokens}
    for file, seen in zip(files, looks, strict=True):
        start = seen.digest[:8] or "unread"
        free = {start, *(f"{start}_{n}" for n in range(2, len(files) + 1))} - {*box.tokens.values()}
        box.tokens.setdefault(file.id, min(free, key=lambda token: (len(token), token), default=start))
    return [box.tokens[file.id] for file in files]


def _looked(box: Box, file: DroppedFile, decisions: Decisions) -> FileLook:
    result: FileLook = _once(box.looks, (file.id, decisions), file, lambda: look(file.given, decisions))
    return result


def _read(
    box: Box, entry: FileEntry, all_of_them: Sequence[FileEntry], models: tuple[str, str] | None = None
) -> FileEntry:
    """Return the entry with what was read of it; scores are read with the LETOR file that they belong to, votes with
    the names of the ``models``.
    """
    if entry.role in ("groups", "none"):
        return entry
    letor = next((other for other in all_of_them if other.look.is_letor and other.role != "none"), None)
    groups = next((other.file for other in all_of_them if other.role == "groups"), None)
    of_scores = entry.role in ("scores_a", "scores_b")
    source = letor if of_scores and letor is not None else entry
    scores = entry.file if of_scores else None
    kind = "run" if of_scores else entry.kind
    decisions = source.decisions
    if entry.role == "seen":  # whatever its grades are
        graded = (pair for pair in decisions.columns if pair[0] != "relevance")
        decisions = replace(decisions, columns=(*graded, ("relevance", "")))
    groups = groups if source.look.is_letor else None
    key = (entry.file.id, source.file.id, kind, decisions, groups and groups.id, *(models or ()))
    reading = _once(
        box.readings,
        key,
        entry.file,
        lambda: read(
            source.file.given,
            kind,
            decisions,
            name=PurePath(entry.file.given.name).stem if scores is not None else None,
            scores=None if scores is None else scores.given,
            groups=None if groups is None else groups.given,
            form=source.look.form,
            models=models,
        ),
    )
    return replace(entry, reading=reading)


def _unseen(box: Box, entry: FileEntry, seen: FileEntry) -> FileEntry:
    """Return the entry, if it holds lists, without the items that users have already seen."""
    reading, left_out = entry.reading, seen.table
    if reading is None or not isinstance(reading.table, Run | Models) or not isinstance(left_out, Judgments):
        return entry
    runs = reading.table.runs if isinstance(reading.table, Models) else (reading.table,)
    key = (entry.file.id, seen.file.id, "seen", entry.kind, entry.decisions, seen.decisions)
    try:
        left = _once(box.readings, key, entry.file, lambda: tuple(intake.without_seen(run, left_out) for run in runs))
    except ReadError as error:
        return replace(entry, reading=replace(reading, table=None, error=error))
    table = replace(reading.table, runs=left) if isinstance(reading.table, Models) else left[0]
    return replace(entry, reading=replace(reading, table=table))


def _once(results: dict[Any, Any], key: Any, file: DroppedFile, make: Callable[[], Any]) -> Any:
    if key not in results:
        with st.spinner(words.READING_FILE.format(name=plain(file.given.name))):
            results[key] = make()
    return results[key]


def _forget(box: Box, files: Sequence[DroppedFile]) -> None:
    """Let go of the tables of files that are not in the drop zone any more."""
    here = {file.id for file in files}
    box.looks = {key: result for key, result in box.looks.items() if key[0].partition("/")[0] in here}
    box.readings = {key: result for key, result in box.readings.items() if key[0] in here and key[1] in here}


def tables_of(entries: Sequence[FileEntry]) -> dict[str, Any]:
    """Return the tables that a drop zone gives to a comparison, by part; those of further candidates aside."""
    read = [entry for entry in entries if entry.table is not None and entry.role not in ("candidate", "seen")]
    return {entry.role.removeprefix("scores_"): entry.table for entry in read}


# --- one file on a card: what it was taken for, what was read, what it asks, what is wrong, its first rows ---


#: Rows that are shown, and columns of letters of a name.
PREVIEWED, _NAME = 20, 60


def card(place: str, entry: FileEntry, roles: Sequence[Role]) -> None:
    """Draw a file of a drop zone: a row, under it its questions and what is wrong with it, and the details on
    demand.
    """
    with st.container(border=True, key=f"{place}_card_{entry.token}"):
        named, part, more, away = st.columns([4.2, 2, 0.8, 0.25], vertical_alignment="center")
        with named:
            _headline(entry)
        with part:
            _role(place, entry, roles)
        with more:
            shown = st.toggle(words.DETAILS, key=f"{place}_more_{entry.token}")
        with away:
            st.button(  # the style sheet shows its icon; its name names the file
                words.REMOVE.format(name=plain(short(entry.look.name, _NAME))),
                key=f"{place}_remove_{entry.token}",
                type="tertiary",
                icon=":material/close:",
                on_click=box_of(place).removed.add,
                args=(entry.file.id,),
            )
        questions(place, entry)
        _wrong(entry)
        if shown:
            details(place, entry)


def _wrong(entry: FileEntry) -> None:
    """Say why a file cannot be read: what it asks, or its problems, in sentences."""
    error = entry.error
    if error is None:
        notes_of(None if entry.role == "seen" else entry.table, "warning")  # its grades do not count
        return
    if any(problem.choice is None for problem in error.problems):
        show_problems(entry)
        return
    asked = (problem for problem in error.problems if problem.choice and problem.choice.option != "columns")
    sentences = [f"{problem.what[:1].upper()}{problem.what[1:]}." for problem in asked if problem.column is None]
    sentences += [dict(getattr(problem.allowed, "facts", ())).get("more", "").strip() for problem in error.problems]
    if any(sentences):
        st.caption(plain(" ".join(dict.fromkeys(sentences))))


def details(place: str, entry: FileEntry, model: str = "") -> None:
    """Draw the controls, the decisions that reading took, and the first rows; of several models those of the one called
    ``model``, else of the first.
    """
    controls(place, entry)
    table = entry.table
    if table is None:
        return
    notes_of(table, "detail")
    caption = words.PREVIEW
    if isinstance(table, Models):
        table = next((run for run in table.runs if run.name == model), table.runs[0])
        caption = words.PREVIEW_OF.format(model=plain(table.name))
    st.caption(caption)
    rows = literal_cells(table.table.slice(0, PREVIEWED).to_pandas())
    st.dataframe(rows, height=210, hide_index=True, alt=caption)


def notes_of(table: Table | None, level: Level) -> None:
    """Show what reading a table decided: what can change a number, or what was merely understood."""
    show_notes(note for note in (table.source.notes if table else ()) if note.level == level)


def show_notes(notes: Iterable[Note]) -> None:
    """Draw notes, a line each, a warning with its sign."""
    lines = [f"{_SIGN[note.level]}{plain(note.phrase('page'))}" for note in notes]
    if lines:
        st.caption("  \n".join(lines))


_SIGN: Mapping[Level, str] = {"warning": ":orange[:material/warning:] ", "detail": ""}


def summary(entry: FileEntry) -> str:
    """Return what was read, in a line: the format, the rows, the order."""
    form, table = entry.look.form if entry.reading is None else entry.reading.understood, entry.table
    parts = [
        form.format if form.encoding in ("", "UTF-8") else f"{form.format} in {form.encoding}",
        words.ONE_SHEET.format(n=len(form.sheets)) if len(form.sheets) > 1 else "",
        "" if table is None else _rows(table),
        words.ORDERED.format(order=style.ORDERED[table.ordered_by]) if isinstance(table, Run) else "",
        words.MODELS.format(models=", ".join(run.name for run in table.runs[:6])) if isinstance(table, Models) else "",
        _weights(table, dict(form.columns).get("weight", "")) if isinstance(table, Queries) else "",
    ]
    return " · ".join(plain(part) for part in parts if part)


def _weights(queries: Queries, column: str) -> str:
    return words.WEIGHTS.format(column=column) if "weight" in queries.table.column_names else words.NO_WEIGHTS


def show_problems(entry: FileEntry) -> None:
    """Say what is wrong with the file of a card, a sentence for each problem: the first ones, and how many more."""
    if entry.error is not None:
        literal.problems(f"{text[:1].upper()}{text[1:]}" for text in entry.error.lines("page", entry.file.given.name))


def _headline(entry: FileEntry) -> None:
    label, icon, colour = words.STATUS[entry.status]
    said = [summary(entry)]
    why = words.WHY.get(entry.placed.why, "").format(about=plain(short(entry.placed.about, _NAME)))
    if entry.role == "none":
        kind = words.KIND.get(entry.look.kind, "")
        said = [words.RECOGNISED.format(kind=kind) if kind else "", words.ASKS_FIRST if entry.choices else why]
    elif why:
        said.append(f"{words.SHORT_ROLES[entry.role]} {why}")
    with st.container(gap=None):
        st.markdown(f":{colour}[{icon}] **{plain(short(entry.look.name, _NAME))}** :{colour}-badge[{label}]")
        st.caption(" · ".join(part for part in said if part))


def _role(place: str, entry: FileEntry, roles: Sequence[Role]) -> None:
    now = "" if entry.placed.why == "unknown" and entry.choices else entry.role
    offered, wish = tuple(dict.fromkeys((*roles, entry.role, now))), partial(box_of(place).wish, entry.token)
    shown = {"": words.CHOOSE, **words.ROLES}.__getitem__
    _select(place, entry, "role", words.ROLE, offered, now, wish, format_func=shown, label_visibility="collapsed")


def _rows(table: Table) -> str:
    if isinstance(table, Models):
        return count(sum(run.source.rows for run in table.runs), words.ROW, words.ROWS)
    read = table.source.rows
    return rows_used(read, len(table.table) if isinstance(table, Judgments) else read)


def rows_used(read: int, used: int) -> str:
    """Return how many rows were read, and how many of them are used where these are fewer."""
    rows = count(read, words.ROW, words.ROWS)
    return words.ROWS_LEFT_OUT.format(used=count(used), rows=rows) if used < read else rows


# --- the controls that correct how a file is read: each writes into the decisions of its file, which is read again ---


_Act = Callable[[Any], None]
#: Columns that have no effect in a table of a kind, or only a single name.
_NOT_CORRECTED = {"run": ("model",), "votes": ("doc_id", "reason"), "judgments": ("only_for",)}
_IN_A_ROW = 4
#: Decisions that are one text of a list: what the list is called, and how wide it is.
_LISTS = {"encoding": (words.ENCODING, 240), "sheet": (words.SHEET, 240), "member": (words.MEMBER, 320)}


def questions(place: str, entry: FileEntry) -> None:
    """Ask the questions of the reader about a file, and show the answers."""
    choices = box_of(place).choices.get(entry.token, {}).values()
    asking = {**dict.fromkeys(_LISTS, _list), "pair": _pair, "grades": _grades}
    for choice in choices:
        if choice.option in asking and (choice.option != "pair" or entry.kind == "votes" or choice in entry.choices):
            asking[choice.option](place, entry, choice)
    if entry.may_be_judgments:
        st.caption(words.GRADED)
        _order(place, entry)
    of_kind = [meaning.name for meaning in KINDS[entry.kind].meanings] if entry.kind in KINDS else None
    columns = (own for own in choices if own.option == "columns" and (of_kind is None or own.key in of_kind))
    if asked := {own.key: own.values for own in columns}:
        st.caption(words.COLUMNS_WHICH)
        _columns(place, entry, asked, words.COLUMN_CHOOSE)


def controls(place: str, entry: FileEntry) -> None:
    """Draw everything that can be corrected, besides the questions."""
    choices, form, kind = box_of(place).choices.get(entry.token, {}), entry.look.form, entry.kind
    with st.container(horizontal=True):
        offered = {"encoding": ENCODINGS if form.encoding else (), "sheet": form.sheets, "member": form.members}
        for option, values in offered.items():
            if len(values) > 1 and (option, "") not in choices:
                _list(place, entry, Choice(option, values))
        if kind in ("run", "models") and not entry.look.is_letor and not entry.may_be_judgments:
            _order(place, entry)
    if entry.reading is None or not kind:
        return
    understood = entry.reading.understood
    in_error = (choice.values for choice in entry.choices if choice.option == "columns")
    headings = [*filter(None, understood.headings or next(in_error, ()))]
    if headings:
        st.caption(words.COLUMNS_ASK)
        left_out = _NOT_CORRECTED.get(kind, ())
        names = [meaning.name for meaning in KINDS[kind].meanings if meaning.name not in left_out]  # type: ignore[index]
        left = {name: headings for name in names if ("columns", name) not in choices}
        _columns(place, entry, left, words.COLUMN_PLACEHOLDER)
    if understood.words and ("grades", "") not in choices:
        _grades(place, entry, Choice("grades", understood.words))


def _latest(place: str, entry: FileEntry) -> Decisions:
    """Return the current decisions about a file: several widgets may act before the page is drawn."""
    return box_of(place).decisions.get(entry.token, entry.decisions)


def _decide(place: str, entry: FileEntry, **fields: Any) -> None:
    box_of(place).decisions[entry.token] = replace(_latest(place, entry), **fields)


def _deciding(place: str, entry: FileEntry, option: str) -> _Act:
    return lambda value: _decide(place, entry, **{option: value})


def _control(
    widget: Callable[..., Any], place: str, entry: FileEntry, name: str, now: Any, act: _Act, **how: Any
) -> None:
    """Draw a widget that shows what holds now, and act on what somebody chooses in it."""
    called = f"{place}_{name}_{entry.token}"
    key = widgets.key_of(called, now)

    def chosen() -> None:
        if widgets.is_chosen(key):
            act(widgets.value_of(key))

    with st.container(key=called, width=how.pop("width", "stretch")):
        widget(key=key, on_change=chosen, **how)


def _select(
    place: str, entry: FileEntry, name: str, label: str, options: Sequence[str], value: str, act: _Act, **how: Any
) -> None:
    """Draw a list that shows what holds now, and act when something else is chosen."""
    at = options.index(value) if value in options else 0

    def among(chosen: str) -> None:
        # A browser sends the words of what it shows, and words that have changed meanwhile name nothing.
        if chosen in options:
            act(chosen)

    how |= {"label": label, "options": options, "index": at}
    _control(st.selectbox, place, entry, name, options[at], among, **how)


def _list(place: str, entry: FileEntry, choice: Choice) -> None:
    """Draw the list of encodings, sheets or members."""
    (label, width), option, found = _LISTS[choice.option], choice.option, entry.look.form.encoding
    decided: str = getattr(entry.decisions, option)
    none = words.CHOOSE if entry.status == "asks" and option != "encoding" else words.RECOGNISED_CHOICE
    if option == "encoding" and found and not decided:
        none = words.ENCODING_FOUND.format(encoding=found)

    how = {"format_func": lambda value: value or none, "width": width}
    _select(place, entry, option, label, ("", *choice.values), decided, _deciding(place, entry, option), **how)


def _order(place: str, entry: FileEntry) -> None:
    how, act = {"format_func": words.ORDERS.__getitem__, "width": 240}, _deciding(place, entry, "order")
    _select(place, entry, "order", words.ORDER, tuple(words.ORDERS), entry.decisions.order, act, **how)


def _pair(place: str, entry: FileEntry, choice: Choice) -> None:
    pairs = {str(i): pair_of(value) for i, value in enumerate(choice.values)}
    votes = entry.table
    chosen = entry.decisions.pair or (votes.pair if isinstance(votes, Votes) else None)
    value = next((i for i, pair in pairs.items() if pair == chosen), "")

    def shown(value: str) -> str:
        a, b = pairs.get(value, ("", ""))
        return words.PAIR_OPTION.format(a=a, b=b) if value else words.PAIR_PLACEHOLDER

    def decide(value: str) -> None:
        _decide(place, entry, pair=pairs.get(value))

    _select(place, entry, "pair", words.PAIR, ("", *pairs), value, decide, format_func=shown, width=420)


def _columns(place: str, entry: FileEntry, asked: Mapping[str, Sequence[str]], none: str) -> None:
    """Ask which heading is read as each meaning; chosen is what was wished, else what was understood."""
    understood = {} if entry.reading is None else dict(entry.reading.understood.columns)
    now = understood | {meaning: heading for meaning, heading in entry.decisions.columns if heading}
    with st.grid(_IN_A_ROW, gap="small"):
        for meaning, headings in asked.items():
            options = ("", *dict.fromkeys(heading or words.COLUMN_NONE for heading in headings))
            label, by = words.COLUMN.get(meaning, meaning.capitalize()), partial(_read_as, place, entry, meaning)
            chosen = now.get(meaning, "")
            _select(place, entry, f"column_{meaning}", label, options, chosen, by, format_func=lambda it: it or none)


def _read_as(place: str, entry: FileEntry, meaning: str, heading: str) -> None:
    """Let a heading have a meaning, and no other one."""
    before = _latest(place, entry).columns
    column = "" if heading == words.COLUMN_NONE else heading
    others = [pair for pair in before if pair[0] != meaning and (not column or pair[1] != column)]
    _decide(place, entry, columns=(*others, (meaning, column)))


def _grades(place: str, entry: FileEntry, choice: Choice) -> None:
    """Draw a field with the number of every word, proposed where the words are a known scale."""
    proposed = {**_proposed(choice.values), **propose_grades(choice.values)}
    values = {**proposed, **dict(entry.decisions.grades)}
    st.caption(words.GRADES, help=words.GRADES_HELP)

    def decide(word: str, grade: float | None) -> None:
        kept = {**values, **dict(_latest(place, entry).grades), word: grade}
        _decide(place, entry, grades=tuple((name, float(x)) for name, x in kept.items() if x is not None))

    with st.grid(_IN_A_ROW, gap="small"):
        for i, word in enumerate(sorted(choice.values, key=lambda word: (proposed.get(word, inf), word))):
            how = {"label": plain_label(word), "value": values.get(word), "step": 1.0, "format": "%g"}
            _control(st.number_input, place, entry, f"grade_{i}", values.get(word), partial(decide, word), **how)
    if entry.status == "asks":
        st.button(
            words.USE_GRADES,
            key=f"{place}_use_grades_{entry.token}",
            disabled=not {*choice.values} <= values.keys(),
            on_click=partial(_decide, place, entry, grades=tuple(values.items())),
        )


def _proposed(names: Sequence[str]) -> dict[str, float]:
    """Return a grade for each word whose meaning is known, in ascending order; only a word for nothing gets 0."""
    steps = {name: words.WORST_TO_BEST.get(" ".join(re.split(r"[\s_-]+", name.strip().casefold()))) for name in names}
    found = sorted({step for step in steps.values() if step is not None})
    least = 1 if found and found[0] else 0
    return {name: float(found.index(step) + least) for name, step in steps.items() if step is not None}
