"""Whether the open comparison is saved, why not, and what to ask where two people edited the same document."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

import streamlit as st

from rankdash.conventions import number
from rankdash.dashboard.kit import screen
from rankdash.dashboard.kit.literal import plain, short, table
from rankdash.dashboard.session import actions, session
from rankdash.dashboard.session.saved import head, shelf
from rankdash.edits import Edit, EditStep, Turn, swapped_edit
from rankdash.edits.documents import by_document
from rankdash.style import history as words

#: Seconds between two looks whether what is written beside the page is on the disk.
_OFTEN = 1.0
#: Seconds between two looks whether somebody else has changed the open comparison.
_WATCHED = 8.0
#: Letters of a name.
_NAME = 40
#: Documents that a question lists.
_MOST = 20


def badge(*, is_demo: bool) -> None:
    """Say that nothing is saved on this server; the demo as it is has nothing to lose."""
    if not is_demo and not shelf.is_on():
        st.badge(words.SAVING_OFF, color="gray", help=words.OFF_HELP)


def progress() -> None:
    """Say that the open comparison is being saved; the page is run again when it is, or cannot be."""
    if head.is_written() is not None:
        screen.repeat(_OFTEN, _progress)


def _progress() -> None:
    if head.is_written() is False:
        st.badge(words.SAVING, color="gray", help=words.SAVING_HELP)
    elif not screen.may_be_open():
        st.rerun()


def record() -> None:
    """Say what people wrote down about the open comparison, and that somebody else changed it or its record, soon after
    it happens and without a click.
    """
    if session.now().saved is None:
        return
    drawn = head.mark()
    watched(lambda: head.is_behind(drawn))
    _noted(() if drawn is None else drawn.tags)


def watched(is_behind: Callable[[], bool]) -> None:
    """Say that what is shown is another one by now, with the way to see it, as soon as it is."""
    screen.repeat(_WATCHED, partial(_changed, is_behind))


def _changed(is_behind: Callable[[], bool]) -> None:
    if is_behind():
        with st.container(border=True, horizontal=True, vertical_alignment="center", key="changed_elsewhere"):
            st.markdown(f":blue[:material/sync:] {words.CHANGED}", width="stretch")
            if st.button(words.SHOW, key="show_changed", type="primary"):
                st.rerun()  # a page that is run shows what is saved


def problem() -> None:
    """Say why the open comparison could not be saved, with the way to try it again, unless all of it is saved."""
    why = session.now().problem
    if not why:
        if session.now().saved is not None:
            read_only()
        return
    with st.container(border=True, horizontal=True, vertical_alignment="center", key="not_saved"):
        st.markdown(f":orange[:material/warning:] {plain(why)}", width="stretch")
        st.button(words.SAVE_AGAIN, key="save_again", on_click=actions.save_again)
        if session.now().saved is not None:
            st.button(words.SAVE_AS_NEW, key="save_as_new", on_click=actions.save_as_new)


def read_only() -> None:
    """Say that what is saved can only be read here, and what to do, unless it can be written."""
    if where := shelf.read_only():
        with st.container(border=True, key="read_only"):
            why = shelf.store().refusal or words.READ_ONLY.format(where=where)
            st.markdown(f":material/lock: {plain(why)}")


def _noted(tags: Iterable[str]) -> None:
    """Draw the tags of the comparison and its note, in a line."""
    said = [f":gray-badge[{plain(short(tag, _NAME))}]" for tag in tags] + [plain(head.note())]
    if any(said):
        with st.container(key="note"):
            st.caption(" ".join(said))


def clash() -> None:
    """Ask which edits stand where two people edited the same documents at once."""
    if head.clashes():
        screen.dialog(words.CLASH[bool(session.now().owns_clashes)], width="medium", dismissible=False)(_dialog)()


def turn() -> None:
    """Ask before an undo, or a redo, where something that somebody else did is at stake."""
    pending = session.now().turn
    if pending is not None:
        again, change = pending
        title = (words.TURN if change.is_own else words.OTHERS)[again]
        screen.dialog(title, width="medium", on_dismiss=actions.drop_turn)(_turn_dialog)(again, change)


def _turn_dialog(again: bool, change: Turn) -> None:
    makers = change.since if change.is_own else (change.step,)
    why = (words.TURN_WHY if change.is_own else words.OTHERS_WHY)[again]
    st.markdown(why.format(who=", ".join(dict.fromkeys(map(_maker, makers)))))
    own, now = by_document(change.step.edits), by_document(session.now().history.edits)
    rows = []
    for pair in change.documents[:_MOST]:
        said = [_all_said(own.get(pair, ())), *([_all_said(now.get(pair, ()))] if change.is_own else [])]
        rows.append(tuple(map(plain, (*pair, *said))))
    if rows:
        with st.container(key="turned"):
            st.markdown(table(words.TURN_COLUMNS if change.is_own else words.OTHERS_COLUMNS, rows))
    st.space("xsmall")
    first = words.MAKE_AGAIN if again else words.ONLY_MINE if change.is_own else words.TAKE_BACK
    answers = [
        (first, "turn_mine", False),
        *([(words.WITH_THEIRS, "turn_both", True)] if first == words.ONLY_MINE else []),
    ]
    with st.container(horizontal=True):
        for label, key, both in answers:
            if st.button(label, key=key, on_click=partial(actions.answer_turn, with_theirs=both)):
                st.rerun()


def _maker(step: EditStep) -> str:
    """Return who made a step, and when."""
    return words.WHO.format(who=plain(short(step.who, _NAME)) or words.SOMEBODY, at=step.at[:16].replace("T", " "))


def _dialog() -> None:
    own = bool(session.now().owns_clashes)
    st.markdown(words.CLASH_WHY[own])
    saved = session.now().saved
    is_turned = saved is not None and saved.state.swapped
    rows = [
        tuple(
            map(
                plain,
                (clash.query_id, clash.doc_id, *(_all_said(of, is_turned) for of in (clash.earlier, clash.later))),
            )
        )
        for clash in head.clashes()
    ]
    with st.container(key="clashes"):
        st.markdown(table(words.CLASH_COLUMNS[own], rows))
    st.space("xsmall")
    with st.container(horizontal=True):
        for labels, key, later in (
            (words.EARLIER_REVISION, "clash_earlier", False),
            (words.LATER, "clash_later", True),
        ):
            if st.button(labels[own], key=key, on_click=partial(actions.settle, later)):
                st.rerun()


def _all_said(edits: tuple[Edit, ...], is_turned: bool = False) -> str:
    """Return what became of a document: its grade, and its place in each list. ``is_turned``: A and B are exchanged."""
    last = {(edit.what == "grade", edit.side): swapped_edit(edit) if is_turned else edit for edit in edits}
    return ", ".join(map(_said, last.values())) or words.TAKEN_BACK


def _said(edit: Edit) -> str:
    """Return what an edit made of its document."""
    if edit.what == "grade":
        return words.UNJUDGED if edit.after is None else words.GRADE.format(value=number(edit.after))
    side = (edit.side or "").upper()
    if edit.after is None:
        return words.REMOVED.format(side=side)
    return words.RANK.format(value=number(edit.after), side=side)
