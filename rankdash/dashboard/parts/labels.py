"""One unjudged document after the other, to be graded by a key, and what the missing labels can still change."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from rankdash import charts
from rankdash.dashboard.kit import screen, widgets
from rankdash.dashboard.kit.literal import plain, short
from rankdash.dashboard.parts import editing_parts
from rankdash.dashboard.session import actions, open_comparison, saving, session, verdicts
from rankdash.dashboard.session.open_comparison import spoken
from rankdash.edits import Edit, Pair, labelled, labels_from
from rankdash.inspect import labels as inspected
from rankdash.inspect.lists import highest_grade
from rankdash.intake import Decisions, Given
from rankdash.reading import ReadError
from rankdash.report.tables import file_name, worklist_csv
from rankdash.report.worked import beside_primary
from rankdash.sandbox import processes
from rankdash.scoring import Comparison
from rankdash.style import editing as words
from rankdash.tables import Judgments
from rankdash.wording import count, delta_name, end, signed

#: The buttons on every page that open a dialog.
_DIALOGS = ("open_export", "open_policy", "decision_record", "new_comparison", "rename")
_CARD, _IN, _SKIPPED = "card", "labels_in", "label_skipped"
#: Columns of letters that an id, a query or title, a text and the word of a grade take.
_ID, _TITLE, _TEXT, _WORD = 60, 200, 900, 24


def work(opened: verdicts.Opened) -> None:
    """Draw the document to label, and beside it what labels can still change and the ways by hand."""
    comparison, every, done = opened.comparison, listed(opened), labelled(opened.case.edits)
    one = next(iter({st.query_params.get(open_comparison.LABELLED)} & {*every.query_ids}), None)
    queue = inspected.label_queue(every, [pair for pair, _ in _skipped()], one, done)
    if queue is None:
        st.markdown(spoken(words.NOT_FOR_LABELS[inspected.why_none(comparison)]))
        return
    left, right = st.columns([2.4, 1])
    with left.container(border=True, key="label_document"):
        with st.container():  # with or without a message the card keeps its place
            editing_parts.said()
        _place(every, queue, sum(one in (None, query_id) for query_id, _ in done), one)
        if not queue.of_all:
            verdict = verdicts.looked_at(opened, saving.times()).verdict
            st.caption(words.LABELLED_ALL.format(next_step=plain(verdict.next_step)))
        if queue.document is not None:
            _document(queue.document, queue, comparison.policy.cutoff)
        _buttons(opened, queue)
    with right:
        _bounds(comparison, len(every.query_ids))
        _count(opened, done)
        _by_hand(opened, every, done, is_empty=not queue.of_all)


def listed(opened: verdicts.Opened) -> Comparison:
    """Return the comparison whose documents are offered: that which is open, or without judgments the same one before
    any grade, for with the first grade the queries that nobody has graded are left out.
    """
    if not inspected.has_no_judgments(opened.comparison):
        return opened.comparison
    edits = tuple(edit for edit in opened.case.edits if edit.what != "grade")
    return verdicts.opened(replace(opened.case, edits=edits), opened.policy).comparison


def _place(comparison: Comparison, queue: inspected.LabelQueue, done: int, one: str | None) -> None:
    """Draw how far the labelling is, or that nothing is left."""
    left = words.LABEL_LEFT if comparison.is_judged else words.SAME_RANK_LEFT
    said = left if queue.left else words.NOTHING_TO_LABEL[one is not None]
    if queue.moving:
        said = words.LABEL_MOVING[inspected.ahead(comparison) in ("a", "b")]
        said = said if comparison.is_judged else words.LABEL_DISAGREE
    facts = {"place": count(done + 1), "of": count(done + queue.moving), "k": comparison.policy.cutoff}
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(spoken(said).format(left=open_comparison.nouns().documents_of(queue.left), **facts), width="content")
        if one is not None:
            st.badge(spoken(words.ONE_QUERY), color="blue")
            st.button(spoken(words.ALL_QUERIES), key="label_all", type="tertiary", on_click=open_comparison.label_all)


def _document(document: inspected.LabelCandidate, queue: inspected.LabelQueue, k: int) -> None:
    """Draw a document with its query and its ranks."""
    query, doc = (plain(short(name, _ID)) for name in (document.query_id, document.doc_id))
    with st.container(gap=None):
        st.caption(f"{spoken(words.QUERY)}{f' {query}' if queue.query_text else ''}")
        st.header(plain(short(queue.query_text or document.query_id, _TITLE)), anchor=False)
    texts = [plain(short(text, _TEXT)) for text in (document.title, queue.text) if text] or [doc]
    with st.container(gap="xsmall"):
        st.caption(f"{spoken(words.DOCUMENT)}{'' if texts == [doc] else f' {doc}'}")
        st.container(key="label_text").markdown("  \n".join([*(f"**{text}**" for text in texts[:-1]), texts[-1]]))
    ranks = {"A": document.rank_a, "B": document.rank_b}.items()
    chips = ((words.RANK_IN if n and n <= k else words.NOT_IN).format(rank=n, side=side, k=k) for side, n in ranks)
    st.markdown(" ".join(f":gray-badge[{chip}]" for chip in chips))


def _buttons(opened: verdicts.Opened, queue: inspected.LabelQueue) -> None:
    """Draw the buttons that grade the document, pass it over, and go one step back."""
    card = widgets.numbered(_CARD)  # a key pressed twice is for one document
    with st.container(horizontal=True, vertical_alignment="bottom", key="label_grades"):
        if queue.document is not None:
            pair = queue.document.query_id, queue.document.doc_id
            _grades(opened, pair, card)
            _button(words.SKIP, f"label_skip_{card}", "S", partial(_skip, pair), type="tertiary")
        is_first = not (session.now().past or _skipped())
        _button(
            words.UNDO, f"label_undo_{card}", "U", _step_back, type="tertiary", disabled=is_first, help=words.UNDO_HELP
        )


def _button(label: str, key: str, shortcut: str | None, act: Callable[[], None], **how: Any) -> None:
    """Draw a button with a shortcut, but in a run that opens a dialog: a key that is pressed there would act here."""
    behind = any(map(widgets.value_of, _DIALOGS))
    st.button(label, key, shortcut=None if behind else shortcut, on_click=act, **how)


def _grades(opened: verdicts.Opened, pair: Pair, card: str) -> None:
    """Draw a button for each grade of the scale, or a field for a long scale."""
    scale, case = inspected.label_scale(opened.comparison), opened.case
    if len(scale) > inspected.MOST_GRADES:
        low, high, key = editing_parts.LOWEST, editing_parts.HIGHEST, f"label_grade_{card}"
        st.number_input(words.GRADE, low, high, None, key=key, on_change=_take, args=(pair, key))
        return
    names = inspected.grade_words((case.judgments or case.a).source)
    for place, grade in enumerate(scale):
        is_digit = grade.is_integer() and 0 <= grade < inspected.MOST_GRADES
        name = plain(short(names.get(grade, ""), _WORD)) or words.GRADE_NAMED[grade == 0].format(grade=grade)
        _button(name, f"label_grade{place}_{card}", f"{grade:.0f}" if is_digit else None, partial(_grade, pair, grade))


def _skipped() -> list[tuple[Pair, int]]:
    """Return the documents that were skipped, the last one last, each with the steps that undo had then."""
    return widgets.held(_SKIPPED, list[tuple[Pair, int]])


def _skip(pair: Pair) -> None:
    skipped = _skipped()
    skipped[:] = [(other, steps) for other, steps in skipped if other != pair]
    skipped.append((pair, len(session.now().past)))
    widgets.renew(_CARD)


def _step_back() -> None:
    """Take back the last grade or the last skip of this session."""
    skipped = _skipped()
    if skipped and skipped[-1][1] == len(session.now().past):
        skipped.pop()
    else:
        actions.undo()
    widgets.renew(_CARD)


def _take(pair: Pair, key: str) -> None:
    wrong: list[str] = []
    grade = editing_parts.checked_grade(pair[1], widgets.value_of(key), wrong)
    if wrong:
        editing_parts.refuse(tuple(wrong))
    elif grade is not None:
        _grade(pair, grade)


def _grade(pair: Pair, grade: float) -> None:
    """Grade a document, or say that another user has graded it since it was drawn."""
    actions.refresh()
    theirs = labelled(open_comparison.edits()).get(pair)
    if theirs is None:
        editing_parts.take_over((Edit(*pair, "grade", None, None, grade),))
    elif theirs != grade:
        editing_parts.refuse((words.GRADED_MEANWHILE.format(doc=pair[1], grade=theirs),))
    widgets.renew(_CARD)


def _bounds(comparison: Comparison, queries: int) -> None:
    """Draw between what the missing labels leave the mean difference; without judgments, over the queries with grades
    of so many, and with grades up to the highest that was given.
    """
    highest, bounds, k = highest_grade(comparison), comparison.delta_bounds, comparison.policy.cutoff
    label, said = spoken(words.BOUNDS).format(k=k), words.AHEAD[inspected.ahead(comparison)]
    if inspected.has_no_judgments(comparison):
        judged, of = count(len(comparison.query_ids)), open_comparison.nouns().queries_of(queries)
        label, said = words.BOUNDS_SO_FAR.format(k=k, highest=highest), spoken(words.SO_FAR).format(n=judged, of=of)
        if not highest:
            st.caption(words.NO_BOUNDS_YET)
            return
    if bounds is None:
        return
    now = comparison.primary.paired.delta if comparison.primary_is_explained else None
    with st.container(border=True, gap="xsmall", key="label_bounds"):
        st.metric(label, words.TO.join(dict.fromkeys(map(end, bounds))))
        st.image(charts.bounds_drawing(bounds, now), alt=said, width="stretch")
        st.caption(f"{said} {plain(beside_primary(comparison))}")


def _count(opened: verdicts.Opened, done: dict[Pair, float]) -> None:
    """Draw how many documents were labelled, how many of them in this tab, where undo reaches, and what all edits did
    to the verdict.
    """
    past = session.now().past
    own = len(done.keys() - labelled(past[0].edits).keys()) if past else 0
    with st.container(border=True, gap="xsmall", key="label_count"):
        st.metric(words.LABELLED, count(len(done)))
        since = words.SINCE_OPENED[own > 0].format(n=count(own)) + words.EARLIER * (own < len(done))
        st.caption(since if done else words.NONE_LABELLED)
        before = verdicts.opened(opened.case.unedited, opened.policy)
        if done and before.comparison.is_judged:
            st.caption(words.EFFECT.format(*map(_in_short, (before, opened))))


def _in_short(opened: verdicts.Opened) -> str:
    primary = opened.comparison.primary
    return plain(f"{opened.verdict.screen}, {delta_name(primary.label)} {signed(primary.paired.delta, 4)}")


def _by_hand(opened: verdicts.Opened, every: Comparison, done: dict[Pair, float], *, is_empty: bool) -> None:
    """Draw the ways to take the rest of the list out as a file, and a file with grades in, and all judgments out."""
    with st.container(border=True, key="label_by_hand"):
        st.markdown(f"**{words.BY_HAND}**  \n:small[:gray[{words.BY_HAND_WHY}]]")
        with st.container(horizontal=True):
            screen.download(
                words.SAVE_WORKLIST,
                lambda: worklist_csv(inspected.candidates(every, done) or ()),
                file_name("label_next.csv", opened.case.edits),
                key="labels_save",
                disabled=is_empty,
            )
            with st.popover(words.LOAD_GRADES, key="labels_load"):
                _load(opened)
            editing_parts.save_judgments(opened)


def _load(opened: verdicts.Opened) -> None:
    """Take over the grades of a file that is dropped, with the words of these judgments, or say what is wrong."""
    file = st.file_uploader(words.LABELS_IN, key=widgets.numbered(_IN))
    if file is None:
        return
    widgets.renew(_IN)
    widgets.renew(_CARD)
    with st.spinner():
        given, source = Given(file.name, file), (opened.case.judgments or opened.case.a).source
        read = processes.read(given, "judgments")
        if grades := inspected.words_here(source, read.understood.words):
            read = processes.read(given, "judgments", Decisions(grades=grades))
    try:
        if not isinstance(read.table, Judgments):
            raise read.error or ReadError(())
        edits = labels_from(read.table, opened.comparison)
    except ReadError as error:
        # What is asked is answered on the card of a file, and here is none.
        asked = [f"{own.what[:1].upper()}{own.what[1:]}. {words.LOAD_NEEDS}" for own in error.problems if own.choice]
        editing_parts.refuse(tuple(asked[:1] or error.lines("page")))
    else:
        if not edits:
            editing_parts.refuse((words.LABELS_NONE,))
        elif editing_parts.take_over(edits):
            st.toast(words.LABELS_FOUND.format(n=count(len(edits), *words.LABEL_WORDS)))
    st.rerun()
