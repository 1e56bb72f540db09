"""What stands on every page: the row under the navigation, the way to a new comparison, and what to say when there is
nothing to show.
"""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from rankdash import style
from rankdash.case import Case, votes_title
from rankdash.dashboard import demo
from rankdash.dashboard.kit import browser_history, screen, widgets
from rankdash.dashboard.kit.literal import NAME, plain, short
from rankdash.dashboard.navigation import CANDIDATES, PAGES, Page
from rankdash.dashboard.parts import candidates_parts, policy_dialog, typed, uploads, verdict_parts
from rankdash.dashboard.session import actions, open_comparison, saving, session, verdicts
from rankdash.report.notes import compared_queries
from rankdash.scoring import SIDES, UnweightedError, WeightGap
from rankdash.store import DeletedError, StoreError
from rankdash.style import editing, history as history_words, verdict as words
from rankdash.tables import Votes
from rankdash.wording import both_short


def frame(page: Page) -> None:
    """Draw the row of the open comparison; where nothing is open, say so, and let no page follow that would show it."""
    _phone_links(page)
    open_comparison.take_up()
    had_several, called = bool(session.now().group), open_comparison.nouns()
    with st.spinner(history_words.OPENING):
        cannot = actions.arrive()
    if bool(session.now().group) != had_several or open_comparison.nouns() != called:
        st.rerun()  # with the page Candidates in the navigation, or without it, and the names of the pages
    if page is CANDIDATES and not had_several:
        browser_history.go(PAGES[0].script)
    opened = session.now().votes or open_comparison.current()
    if not page.of_comparison:
        _title(page, None if cannot else opened)
        return
    if cannot or opened is None:
        _nothing_open(cannot)
        st.stop()
    if isinstance(opened, Case) and not _weighed(opened):
        st.stop()
    _row(page, opened)
    if isinstance(opened, Votes):
        if page.needs_lists:
            st.info(words.VOTES_ONLY_PAGE.format(page=page.title), icon=":material/thumbs_up_down:")
            st.stop()
    elif demo.is_shown(opened) and page is PAGES[0] and not session.now().group:
        st.container(key="what_for").caption(style.WHAT_FOR)


def _phone_links(page: Page) -> None:
    """Draw a link to each page, for a narrow screen, where the navigation would be a nameless button."""
    with st.container(horizontal=True, gap=None, key="phone_links"):
        for other in (CANDIDATES, *PAGES) if session.now().group else PAGES:
            title = open_comparison.spoken(other.title)
            st.page_link(other.script, label=f"**{title}**" if other is page else title)


def _title(page: Page, opened: Case | Votes | None) -> None:
    """Draw the title of a page that is not about the open comparison, and the button for a new comparison."""
    with screen.headed(page.title):
        new_button()
    if opened is not None:
        _keep(opened)


def _gap(case: Case) -> WeightGap | None:
    """Return the judged queries without a weight, where the user has to be asked what they weigh."""
    try:
        verdicts.opened(case)
    except UnweightedError as error:
        return error.gap
    return None


def _weighed(case: Case) -> bool:
    """Return whether every query of the open comparison has a weight; ask for it where one has none."""
    gap = _gap(case)
    if gap is None or case.queries is None:
        return True
    open_comparison.write_address(case)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(heading(case), width="content")
        st.space("stretch")
        new_button()
    uploads.weight_question(gap, case.queries)
    return False


def _row(page: Page, opened: Case | Votes) -> None:
    """Draw the names of what is open, what can be done to it, and whether it is saved."""
    _keep(opened)
    comparison = None
    of_all = page is CANDIDATES
    with st.container(horizontal=True, vertical_alignment="center", key="comparison_row"):
        if isinstance(opened, Votes):
            _votes_names(opened)
        else:
            comparison = verdicts.opened(opened).comparison
            one_of_several = bool(session.now().group) and not of_all
            said = candidates_parts.heading(opened) if of_all else heading(opened, names_b=not one_of_several)
            if one_of_several:
                st.markdown(said, width="content")
                candidates_parts.switch()
                said = ""
            st.markdown(f"{said} :gray[·] {compared_queries(comparison)}", width="content")
            if not of_all:
                _beside_names(opened)
        with st.container(horizontal=True, width="content", key="row_buttons"):
            if st.button(words.EXPORT, key="open_export", help=words.EXPORT_HELP):
                if of_all:
                    candidates_parts.export_dialog()
                else:
                    verdict_parts.export_dialog(verdict_parts.reported(opened))
            if st.button(words.POLICY, key="open_policy", help=words.POLICY_HELP):
                policy_dialog.dialog(comparison, lambda policy: verdicts.decided(opened, saving.times(), policy))
            if not of_all:
                verdict_parts.decision_button(opened)
            new_button()
    for line in open_comparison.notices_for(open_comparison.THEIRS):
        st.toast(plain(line), icon=":material/info:")
    show_problem()


def _keep(opened: Case | Votes) -> None:
    """Keep what is open in the address, and its verdict on record, where it has one."""
    open_comparison.write_address(opened)
    if isinstance(opened, Votes) or _gap(opened) is None:
        verdicts.put_on_record(opened)
        open_comparison.saw_results()


def _votes_names(votes: Votes) -> None:
    saved = session.now().saved
    name = votes_title(votes) if saved is None else saved.state.title
    st.markdown(f"**{plain(short(name, NAME))}** :gray[·] {words.VOTES_ONLY}", width="content")
    if saved is not None:
        rename_button({"name": name})


def _nothing_open(cannot: StoreError | None) -> None:
    """Say why nothing is open, ``cannot`` of the saved comparison of a link, with the ways in; nothing else is shown in
    its place.
    """
    gone = open_comparison.ADDRESS in st.query_params or browser_history.came_back()
    title, why = (style.GONE, style.GONE_WHY) if gone else (style.NOTHING_OPEN, style.NOTHING_OPEN_WHY)
    st.header(history_words.CANNOT_OPEN if cannot else title, anchor=False)
    st.markdown(plain(str(cannot)) if cannot else why)
    if isinstance(cannot, DeletedError):
        id = open_comparison.named()
        st.button(history_words.BRING_BACK, key="bring_back", on_click=actions.bring_back, args=(id,))
    if cannot:
        st.caption(history_words.CANNOT_OPEN_WHY)
    doors("lost")


# --- other names, and the other way around: what can be done to the comparison that is open without another file ---


def heading(case: Case, *, names_b: bool = True) -> str:
    """Return what the comparison and its models are called; where it is called by them, once."""
    a, b = map(plain, both_short(case.a.name, case.b.name, NAME))
    models = f"**A** {a} → **B** {b if names_b else ''}"
    return f"**{plain(short(case.name, NAME))}** :gray[·] {models}" if case.name else models


def _beside_names(case: Case) -> None:
    """Draw what the comparison is, beside its names, and the small buttons that change them."""
    is_demo = demo.is_shown(case) and not session.now().group
    if is_demo:
        st.badge(style.DEMO_BADGE, color="blue")
    if case.edits:
        st.badge(editing.EDITED_BADGE, color="orange", help=editing.EDITED_HELP)
    rename_button({"name": case.title, "a": case.a.name, "b": case.b.name})
    if not saving.is_on() and (case.edits or not is_demo):  # the demo as it is has nothing to lose
        st.badge(history_words.SAVING_OFF, color="gray", help=history_words.OFF_HELP)


def rename_button(now: dict[str, str]) -> None:
    """Draw the button for other names; ``now`` are those that there are, of the comparison and perhaps its models."""
    title = style.RENAME_OR_SWAP if "a" in now and not session.now().group else style.RENAME
    if st.button(title, key="rename", type="tertiary"):
        st.dialog(title)(_dialog)(now)


def _dialog(now: dict[str, str]) -> None:
    """Ask for the names. Say what cannot be used, and change nothing then. Another button exchanges A and B, and says
    first whom that concerns.
    """
    labels = {"name": style.COMPARISON_NAME, "a": style.MODEL_OF["a"], "b": style.MODEL_OF["b"]}
    typed = {
        which: st.text_input(labels[which], name, max(style.LONGEST_LINE, len(name)), key=f"rename_{which}").strip()
        for which, name in now.items()
    }
    with st.container(horizontal=True, vertical_alignment="center"):
        is_used = st.button(style.USE_NAMES, type="primary", key="rename_apply")
        swaps = "a" in now and not session.now().group  # of several candidates A is the same
        if swaps and st.button(style.SWAP, key="swap", on_click=actions.swap):
            st.rerun()
    if swaps:
        st.caption(style.SWAP_OPEN if session.now().saved is None else style.SWAP_SAVED)
    if not is_used:
        return
    wrong = "" if all(typed.values()) else style.NAMES_MISSING
    models = [typed[side] for side in SIDES if side in typed]
    models += [name for name in candidates_parts.names() if name != now.get("b")]
    wrong = wrong or (style.NAMES_ALIKE if "a" in typed and len({*models}) < len(models) else "")
    if wrong:
        st.markdown(f":red[:material/error:] {wrong}")
        return
    actions.rename(**typed)
    st.rerun()


# --- whether the open comparison is saved, why not, and what to ask where somebody else has changed it ---


def show_problem() -> None:
    """Say why the open comparison could not be saved, with the ways out, unless all of it is saved."""
    now = session.now()
    if not now.problem:
        if now.saved is not None:
            show_read_only()
        return
    with st.container(border=True, horizontal=True, vertical_alignment="center", key="not_saved"):
        said = f"{now.problem} {history_words.NOT_ON_TOP}" if now.conflict is not None else now.problem
        is_own_deletion = now.saved is not None and now.saved.id in {row.id for row in now.deleted}
        st.markdown(f"{history_words.MARK[is_own_deletion]} {plain(said)}", width="stretch")
        if now.conflict is not None:
            st.button(history_words.TAKE_THEIRS, key="take_theirs", on_click=actions.take_theirs)
            st.button(history_words.SAVE_COPY, key="save_as_new", on_click=actions.save_as_new)
            return
        st.button(history_words.SAVE_AGAIN, key="save_again", on_click=actions.save_again)
        if now.saved is not None:
            st.button(history_words.SAVE_AS_NEW, key="save_as_new", on_click=actions.save_as_new)


def show_read_only() -> None:
    """Say that what is saved can only be read here, and what to do, unless it can be written."""
    if why := saving.refusal():
        st.container(border=True, key="read_only").markdown(f":material/lock: {plain(why)}")


# --- the way to a new comparison: the button on every page, its dialog, and the two doors in it ---


#: The place of the dialog's drop zone.
_NEW = "new"


def new_button() -> None:
    """Draw the button that stands on every page. Its dialog is fresh each time: a browser forgets what stood in
    the fields of a dialog that is gone, so the server forgets it too.
    """
    if st.button(style.NEW_COMPARISON, key="new_comparison", type="primary"):
        widgets.forget(typed.KEYS)
        session.forget_box(_NEW)
        dialog = st.dialog(style.NEW_COMPARISON, width="large", dismissible=False)
        dialog(doors)(_NEW, lambda: screen.cancel(_NEW, lambda: session.forget_box(_NEW)))


def doors(place: str, beside: Callable[[], None] = lambda: None) -> None:
    """Draw two ways in: files, and lists that are typed or pasted; and what stands beside them."""
    with st.container(horizontal=True, key=f"{place}_beside"):
        beside()
    files, lists = st.tabs(list(editing.DOORS.values()), key=f"{place}_door")  # what is in one is kept in the other
    with files:
        uploads.form(place)
        typed.examples()
    with lists:
        typed.door()
