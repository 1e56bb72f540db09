"""What stands on every page: the row under the navigation, the way to a new comparison, and what to say when there is
nothing to show.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from rankdash import style
from rankdash.case import Case, votes_title
from rankdash.dashboard import demo
from rankdash.dashboard.frame import naming, policy_dialog, saving_row, verdict_dialogs
from rankdash.dashboard.kit import browser_history, screen
from rankdash.dashboard.kit.literal import plain, short
from rankdash.dashboard.navigation import PAGES, Page
from rankdash.dashboard.new import dialog, uploads
from rankdash.dashboard.parts import input_parts, vote_parts
from rankdash.dashboard.session import actions, open_comparison, saving, session, verdicts, views
from rankdash.policy import Policy
from rankdash.report.notes import compared_queries
from rankdash.report.sections import Reported
from rankdash.scoring import UnweightedError, WeightGap
from rankdash.store import RecordedVerdict
from rankdash.style import editing
from rankdash.style import history as history_words
from rankdash.style import verdict as words
from rankdash.tables import Votes

#: Columns of letters that a name may take in the row.
_NAME = 40


def frame(page: Page) -> None:
    """Draw the row of the open comparison; where nothing is open, say so, and let no page follow that would show it."""
    screen.style_sheet()
    open_comparison.take_up()
    cannot = _arrive()
    votes, case = session.now().votes, open_comparison.current()
    if not page.has_row:
        _title(page)
        _go_on_with(None if cannot else votes or case)
        return
    if cannot and page.of_comparison:
        _cannot_open(cannot)
        st.stop()
    if votes is not None:
        _votes_alone(votes, page)
        return
    if case is None and page.of_comparison:
        _nothing_open()
        st.stop()
    if case is None or cannot:
        return
    if not _weighed(case):
        if page.of_comparison:
            st.stop()
        return
    _row(case)
    if demo.is_shown(case) and page is PAGES[0]:
        with st.container(key="what_for"):
            st.caption(style.WHAT_FOR)


def _title(page: Page) -> None:
    """Draw the title of a page that is not about the open comparison, and the button for a new comparison."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.subheader(page.title, anchor=False, width="content")
        st.space("stretch")
        dialog.button()


def _go_on_with(opened: Case | Votes | None) -> None:
    """Keep what is open in the address, and its verdict on record, where nothing of it is drawn."""
    if opened is not None:
        open_comparison.write_address(opened)
    if isinstance(opened, Votes):
        vote_parts.put_on_record(opened)
    elif opened is not None and _gap(opened) is None:
        verdicts.put_on_record(verdicts.opened(opened))
        views.saw_results(*opened.file_digests)


def _gap(case: Case) -> WeightGap | None:
    """Return the judged queries without a weight, where the user has to be asked what they weigh."""
    if case.queries is None or case.queries.missing_weight is not None:
        return None
    try:
        verdicts.opened(case)
    except UnweightedError as error:
        return error.gap
    return input_parts.large_gap(case)


def _weighed(case: Case) -> bool:
    """Return whether every query of the open comparison has a weight; ask for it where one has none."""
    gap = _gap(case)
    if gap is None or case.queries is None:
        return True
    open_comparison.write_address(case)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(naming.heading(case), width="content")
        st.space("stretch")
        dialog.button()
    input_parts.question(gap, case.queries)
    return False


def _row(case: Case) -> None:
    """Draw the names of the open comparison, what can be done to it, and whether it is saved."""
    open_comparison.write_address(case)
    verdicts.put_on_record(opened := verdicts.opened(case))
    comparison = opened.comparison
    views.saw_results(*case.file_digests)
    views.draw_row(_says(case))
    queries = compared_queries(comparison)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"{naming.heading(case)} :gray[·] {queries}", width="content")
        if demo.is_shown(case):
            st.badge(style.DEMO_BADGE, color="blue")
        if case.edits:
            st.badge(editing.EDITED_BADGE, color="orange", help=editing.EDITED_HELP)
        naming.buttons(case)
        saving_row.badge(is_demo=demo.is_shown(case) and not case.edits)
        _buttons(
            tuple(comparison.facts.segments),
            partial(verdicts.opened, case),
            partial(_exported, case),
            partial(verdicts.shown, case),
        )
    saving_row.record()
    policy_dialog.stays_here()
    saving_row.problem()


def says_otherwise(case: Case) -> bool:
    """Return whether the row that was drawn last says anything else than it would of some case."""
    try:
        return session.now().row != _says(case)
    except UnweightedError:
        return True


def _says(case: Case) -> tuple[object, ...]:
    """Return what the row says that an edit can change: that there are edits, how many queries are compared, whether it
    is saved, and what somebody else has done.
    """
    queries = compared_queries(verdicts.opened(case).comparison)
    current = session.now()
    return bool(case.edits), queries, case.names, saving.note(), current.saved is None, current.problem


def _buttons(
    columns: tuple[str, ...],
    try_out: Callable[[Policy], object],
    exported: Callable[[], Reported],
    result: Callable[[], RecordedVerdict | None],
) -> None:
    """Draw the policy in force, the verdict to take along, and the way to a new comparison, at the end of the row."""
    with st.container(horizontal=True, gap="small", width="content", key="row_buttons"):
        # A verdict of an older rankdash stays on its page until it is computed anew.
        if saving.older() is None and st.button(
            words.EXPORT, icon=":material/ios_share:", key="open_export", help=words.EXPORT_HELP
        ):
            verdict_dialogs.dialog(exported())
        if st.button(words.POLICY, icon=":material/tune:", key="open_policy", help=words.POLICY_HELP):
            policy_dialog.dialog(columns, try_out)
        verdict_dialogs.button(result)
        dialog.button()


def _exported(case: Case) -> Reported:
    """Return the open verdict as its page shows it."""
    opened = verdicts.looked_at(verdicts.opened(case), saving.times())
    is_changed = session.now().has_changed_policy(*case.file_digests)
    return verdict_dialogs.reported(opened.comparison, opened.verdict, case, policy_changed=is_changed)


def _exported_votes(votes: Votes) -> Reported:
    comparison, verdict = vote_parts.decide_votes(votes, session.now().policy, saving.times())
    return verdict_dialogs.reported(
        comparison, verdict, policy_changed=session.now().has_changed_policy(votes.source.sha256)
    )


def _votes_alone(votes: Votes, page: Page) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        saved = session.now().saved
        name = votes_title(votes) if saved is None else saved.state.title
        st.markdown(f"**{plain(short(name, _NAME))}** :gray[·] {words.VOTES_ONLY}", width="content")
        if saved is not None:
            naming.rename({"name": name})
        _buttons(
            (),
            partial(vote_parts.decide_votes, votes),
            partial(_exported_votes, votes),
            partial(vote_parts.shown, votes),
        )
    saving_row.record()
    policy_dialog.stays_here()
    saving_row.problem()
    open_comparison.write_address(votes)
    vote_parts.put_on_record(votes)
    if page.needs_lists:
        st.info(words.VOTES_ONLY_PAGE.format(page=page.title), icon=":material/thumbs_up_down:")
        st.stop()


def _arrive() -> str:
    """Open the saved comparison that the address names; why it cannot be opened, "" where it is open."""
    if not open_comparison.linked():
        return actions.arrive()
    place = st.empty()
    with place.container(), st.spinner(history_words.OPENING):
        cannot = actions.arrive()
    place.empty()
    return cannot


def _cannot_open(why: str) -> None:
    """Say why the saved comparison of a link cannot be opened; nothing else is shown in its place."""
    st.header(history_words.CANNOT_OPEN, anchor=False)
    st.markdown(plain(why))
    st.caption(history_words.CANNOT_OPEN_WHY)
    dialog.doors("lost")
    _open_demo()


def _nothing_open() -> None:
    at = st.query_params.get(open_comparison.ADDRESS)
    if at == open_comparison.EDITED_DEMO:
        title, why = editing.EDITS_GONE, editing.EDITS_GONE_WHY
    else:
        gone = at or browser_history.came_back()
        title, why = (style.GONE, style.GONE_WHY) if gone else (style.NOTHING_OPEN, style.NOTHING_OPEN_WHY)
    st.header(title, anchor=False)
    st.markdown(why)
    for problem in demo.files().problems:
        st.warning(problem, icon=":material/warning:")
    if at == open_comparison.EDITED_DEMO:
        _open_demo()
    dialog.doors("lost")
    if at != open_comparison.EDITED_DEMO:
        _open_demo()


def _open_demo() -> None:
    if open_comparison.demo_inputs() is not None and st.button(style.OPEN_DEMO, key="open_demo"):
        uploads.show_demo()
