"""The verdict in one word and one sentence, and the cards below it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from rankdash import charts, style
from rankdash.case import Case
from rankdash.dashboard.kit import browser_history, screen, widgets
from rankdash.dashboard.kit.literal import NAME, plain, plain_label, problems, short, show_table, table
from rankdash.dashboard.navigation import SCRIPTS
from rankdash.dashboard.parts import one_query
from rankdash.dashboard.results import cached
from rankdash.dashboard.session import actions, open_comparison, saving, session, verdicts
from rankdash.dashboard.session.open_comparison import spoken
from rankdash.inspect.query_order import Changes
from rankdash.policy import Policy
from rankdash.report import EXPORTS, exported, file_name, sections
from rankdash.report.saved import decided_words, decision_row, observation_line
from rankdash.report.svg import deltas_alt, deltas_hint, intervals_alt, own_scale
from rankdash.scoring import Comparison, VotesAlone
from rankdash.store import Decided, Decision, Observed, RecordedVerdict, Saved, StoreError
from rankdash.store.journal import opposes
from rankdash.strings import base_address, comparison_link, is_local
from rankdash.style import LONGEST_LINE, LONGEST_TEXT, history as decisions_words, verdict as words
from rankdash.tables import Votes
from rankdash.verdict import Caveat, Outcome, Robustness, Verdict, robustness
from rankdash.verdict.caveats import JUDGMENTS, SHOWN

#: A space at which a line does not break.
_JOINED = "\u00a0"


def banner(verdict: Verdict, comparison: Comparison | VotesAlone, decided: Sequence[Decision]) -> None:
    """Draw Launch or No launch, the tag, what is stamped on it, the sentence, and what is wrong with the files; beside
    them the next step, unless what was decided goes against the verdict.
    """
    with st.container(border=True, key="banner"):
        left, right = st.columns([2.6, 1], gap="large", vertical_alignment="center")
        with left:
            big_words(verdict.screen, verdict.tag, verdict, decided)
            st.container(key="sentence").markdown(plain(verdict.sentence))
            for sentence in (wrong := sections.wrong_sentences(verdict, comparison, on_page=True)):
                st.markdown(f":orange[:material/warning:] {plain(sentence)}")
            if wrong and st.button(words.TO_DATA, key="to_data", type="tertiary", icon=":material/arrow_forward:"):
                browser_history.go(SCRIPTS["data"])
        if not any(decision.opposes(verdict.outcome.value) for decision in decided[:1]):
            right.markdown(f":small[:gray[{style.NEXT_STEP}]]  \n{plain(sections.next_step(verdict, comparison))}")


def big_words(word: str, tag: str, verdict: Verdict, decided: Sequence[Decision] = ()) -> None:
    """Draw a verdict in big words, the tag beside them, and what is stamped on it."""
    colour, word = style.THEME.get(style.OUTCOME_COLOUR.get(verdict.outcome.value, ""), ""), plain(word)
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        st.title(f":{colour}[{word}]" if colour else word, anchor=False, width="content")
        st.header(plain(tag), anchor=False, width="content")
    _stamps(verdict.outcome.value, decided)


def _stamps(outcome: str, decided: Sequence[Decision]) -> None:
    """Stamp on a verdict that the policy was changed after results were seen, and the decision in force: orange where
    that goes against the verdict, or was on another state.
    """
    if session.now().has_changed_policy:
        st.container(key="policy_stamp").badge(plain(words.POLICY_STAMP), icon=":material/history:", color="orange")
    for decision in decided[:1]:
        differs = bool(decision.since) or decision.opposes(outcome)
        place = st.container(key="decision_stamp")
        place.badge(plain(_stamp(decision)), icon=":material/gavel:", color="orange" if differs else "gray")


def _stamp(decision: Decision) -> str:
    choice = decisions_words.CHOICES[decision.choice]
    return decisions_words.STAMP.format(
        choice=f"{choice[0].lower()}{choice[1:]}",
        by=short(decision.by, NAME),
        at=f"{decision.at:%Y-%m-%d}",
        revision=decision.revision,
        since=decision.since and decisions_words.STAMP_SINCE.format(since=decisions_words.SINCE[decision.since]),
    )


def cards(comparison: Comparison, outcome: Outcome) -> None:
    """Draw the primary measure, AP or another one that the policy names, and ΔGSB, all of one height."""
    drawn = sections.cards(comparison, outcome)
    with st.grid(len(drawn), key="cards"):
        for card in drawn:
            show_card(card)


def show_card(card: sections.Card) -> None:
    """Draw a card: its name and role, the number with its chip, and lines below it."""
    with st.container(border=True, height="stretch", gap="xsmall"):
        st.metric(
            plain_label(" · ".join(filter(None, (card.label, card.role)))),
            card.value,
            card.chip,
            delta_color=style.THEME[card.colour],
            delta_arrow="off",
            help="\n\n".join(map(plain, card.explained)) or None,
        )
        st.caption("  \n".join(map(plain, card.lines)))


# --- caveats: three at most, the others on demand ---


#: Answers that stand in a row; grades beyond them are set in the policy.
_MOST_GRADES = 6


def show_caveats(caveats: Sequence[Caveat], comparison: Comparison | None = None) -> DeltaGenerator:
    """Draw three caveats, and a way to the others, where there are any; ``comparison`` is what they are about. Return
    the place for one that takes longer to compute.
    """
    if not caveats:
        return st.empty()
    with st.container(border=True, key="caveats"):
        st.subheader(style.CAVEATS, anchor=False)
        _several(caveats[:SHOWN], comparison)
        if len(caveats) > SHOWN:
            with st.expander(style.MORE_CAVEATS.format(n=len(caveats) - SHOWN)):
                _several(caveats[SHOWN:], comparison)
        return st.empty()


def _several(caveats: Sequence[Caveat], comparison: Comparison | None) -> None:
    """Draw caveats as a list, that with a question last, with its answers beside it."""
    asked = comparison if comparison is not None and comparison.counts.ask is not None else None
    plainly = [caveat for caveat in caveats if asked is None or caveat.id != JUDGMENTS]
    st.markdown("\n".join(f"- {plain(caveat.sentence)}" for caveat in plainly))
    for caveat in caveats:
        if asked is not None and caveat.id == JUDGMENTS:
            _question(caveat, asked)


def _question(caveat: Caveat, comparison: Comparison) -> None:
    """Draw what only people know of the judgments, with a button for each answer, which changes the policy."""
    with st.container(horizontal=True, vertical_alignment="center", key="judgments_asked"):
        st.markdown(f"- {plain(caveat.sentence)}", width="content")
        for number, (label, policy) in enumerate(policies_of_answers(comparison)):
            st.button(label, key=f"judgments_answer_{number}", on_click=actions.decide_by, args=(policy,))


def policies_of_answers(comparison: Comparison) -> Iterator[tuple[str, Policy]]:
    """Yield each answer with the policy that says so."""
    policy = comparison.policy
    if comparison.counts.ask == "judged_or_logged":
        for kind, label in words.JUDGMENTS_KINDS.items():
            yield label, policy.changed(judgments=kind)
        return
    yield from thresholds(comparison.scored.scope.grades, policy)


def thresholds(grades: Iterable[float], policy: Policy) -> Iterator[tuple[str, Policy]]:
    """Yield each answer to the question from which grade a document is relevant, with the policy that says so."""
    least, *others = sorted(grades)
    rel = min(least, policy.scoring.rel)
    yield words.RELEVANT_ALL.format(grade=f"{least:g}"), _relevant_from(rel, policy)
    for grade in others[: _MOST_GRADES - 1]:
        yield words.RELEVANT_FROM.format(grade=f"{grade:g}"), _relevant_from(grade, policy)


def _relevant_from(rel: float, policy: Policy) -> Policy:
    """Return a policy with the grade from which on documents are relevant, which is no question any more."""
    same = rel == policy.scoring.rel
    convention = policy.convention if same else policy.scoring.with_axes({"rel": rel})
    return policy.changed(judgments="judged", convention=convention)


# --- why: the four questions with their rules, the interval chart, and the deltas ---


def questions(verdict: Verdict, is_sample: bool, said: Sequence[str] = ()) -> None:
    """Draw the four questions with their answers, what else there is to say, and the button that shows the rules.

    ``is_sample``: whether intervals decide. ``said`` is what a reader must know beside the answers.
    """
    answers = sections.answers(verdict)
    with screen.headed(style.WHY):
        if st.button(style.RULES, key="rules"):
            _rules_dialog(answers, is_sample)
    with st.container(key="why", gap="xsmall"):
        st.markdown(table(["", "", ""], map(_answer_cells, answers)))
        for sentence in said:
            st.caption(plain(sentence))


def _answer_cells(answer: sections.Answer) -> tuple[str, ...]:
    icon = style.STATUS_ICON[answer.status.value]
    return f"**{style.QUESTIONS[answer.question]}**", f"{icon} {answer.word}", plain(answer.sentence)


@st.dialog(style.RULES_TITLE, width="large", icon=":material/rule:")
def _rules_dialog(answers: Sequence[sections.Answer], is_sample: bool) -> None:
    """Draw the rules behind each answer, with what each found."""
    with st.container(key="rules_found"):
        for answer in answers:
            question = style.QUESTIONS[answer.question]
            show_table(map(_cells, sections.rule_rows(answer)), (question, *style.RULE_COLUMNS[1:]), question)
    if is_sample:
        st.caption(style.RULES_BOUND)


def _cells(row: tuple[str, ...]) -> tuple[str, ...]:
    _, name, condition, status, sentence = row
    return name, plain(condition), f"{style.STATUS_ICON[status]} {style.STATUS[status]}", plain(sentence)


def intervals(comparison: Comparison, is_comparable: bool) -> None:
    """Draw the interval chart with its title and legend."""
    has_intervals = comparison.sample.inferred and any(result.paired.ci95 is not None for result in comparison.results)
    st.subheader(style.INTERVALS if has_intervals else style.DIFFERENCES, anchor=False)
    screen.chart(charts.interval_chart(comparison, is_comparable), "interval_chart", intervals_alt(comparison))
    watched = ", ".join(result.label for result in comparison.results if result.role == "watch")
    watches = style.WATCHED.format(measures=plain(watched)) if watched else ""
    legend = f"{style.INTERVALS_LEGEND} {watches} {plain(own_scale(comparison))}"
    st.caption(legend, help=style.ROLES_HELP["watch"] if watched and has_intervals else None)


#: The chart of the deltas, and its height without the names of the bars.
_DELTAS, _HEIGHT = "query_chart", 200


def follow_click(changes: Changes) -> None:
    """Open the query of the bar that was clicked, before anything is drawn that would be left at once."""
    place = one_query.clicked_point(_DELTAS) if widgets.is_drawn(_DELTAS) else None
    if place is not None and 0 <= int(place) < len(changes):
        open_comparison.show_query(changes.query_ids[int(place)])


def deltas(opened: verdicts.Opened) -> None:
    """Draw the sorted deltas; ``follow_click`` opens the query of a bar."""
    changes, measure = opened.changes, opened.comparison.primary.label
    if not len(changes):
        st.markdown(style.DELTAS_NONE.format(measure=plain(measure)))
        return
    with screen.headed(spoken(style.DELTAS)):
        hint = plain(spoken(deltas_hint(changes, measure)))
        st.caption(hint, help=spoken(style.DELTAS_CLICK), width="content")
    figure = one_query.figure(changes, measure, _HEIGHT + charts.names_height(changes), is_named=True)
    screen.chart(figure, _DELTAS, deltas_alt(changes, measure), on_select="rerun", selection_mode="points")


# --- votes that are set aside, for people voted on other lists; and the way to say that they hold ---


def show_set_aside(opened: verdicts.Opened) -> None:
    """Say why votes are set aside, where any are, with the button that counts them."""
    voted = opened.validity
    if voted is None or not voted.open:
        return
    with st.container(border=True, key="votes_aside", horizontal=True, vertical_alignment="center"):
        st.markdown(" ".join((":orange[:material/how_to_vote:]", *map(plain, voted.notes))), width="stretch")
        st.button(
            words.VOTES_HOLD, key="votes_hold", help=words.VOTES_HOLD_HELP, on_click=actions.hold_votes, args=voted.open
        )


# --- the primary measure, segment by segment: the policy's first, the others as exploration ---


_SEGMENT_NAME = 72


def show_segments(comparison: Comparison) -> None:
    """Draw a row per segment, and what its p-values are worth."""
    st.caption(spoken(words.SEGMENTS_HINT).format(measure=plain(comparison.primary.label)))
    show_table(map(_segment_cells, sections.segment_rows(comparison)), words.SEGMENT_COLUMNS, words.SEGMENTS)
    st.caption(sections.segment_note(comparison))


def _segment_cells(row: tuple[str, ...]) -> tuple[str, ...]:
    name, role, *numbers = row
    return (plain(short(name, _SEGMENT_NAME)), role, *(cell.replace(" ", _JOINED) for cell in numbers))


# --- whether the verdict is the same under neighbouring choices: a line beside it, where not all agree ---


def show_neighbours(opened: verdicts.Opened, place: DeltaGenerator) -> None:
    """Draw the line where not every setting agrees: last, because it takes several comparisons."""
    if opened.verdict.outcome is Outcome.NOT_COMPARABLE:
        return
    neighbours = _neighbours(opened.case, opened.policy, opened.verdict.candidates)
    if neighbours.not_with:
        place.markdown(f"- {plain(neighbours.sentence)}")


@cached()
def _neighbours(case: Case, policy: Policy, candidates: int) -> Robustness:
    return robustness(verdicts.opened(case, policy).comparison, candidates)


# --- what was decided on the verdict, by whom and why ---


def entries() -> tuple[Decision, ...]:
    """Return what was decided on the open comparison; the first is in force."""
    saved = session.now().saved
    return () if saved is None else saving.attempt(lambda: saving.store().decisions(saved.id)) or ()


def show_decision(result: RecordedVerdict | None, decided: tuple[Decision, ...]) -> None:
    """Draw the decision in force, those before it, and what was seen online, where the comparison is saved."""
    saved = session.now().saved
    if saved is None or result is None:
        return
    observed = saving.attempt(lambda: saving.store().observations(saved.id)) or ()
    with st.container(border=True, key="decision"):
        with screen.headed(decisions_words.DECISION):
            if st.button(decisions_words.ONLINE, key="decision_online"):
                online_dialog(saved)
        if not decided:
            st.caption(decisions_words.NONE_YET)
        for row in map(decision_row, decided):
            st.markdown(f"**{plain(row.line)}**\n\n{plain(row.reason)}")
            st.caption(plain(row.on))
        for online in observed:
            st.markdown(plain(observation_line(online)))


# --- the dialog that lets the open verdict be taken along, in every form that there can be of it ---


@st.dialog(words.EXPORT, width="medium")
def export_dialog(reported: sections.Reported) -> None:
    """Draw the report, the link and the CSV, and the other forms in a fold."""
    st.caption(words.EXPORT_WHY)
    has_values = getattr(reported.judged, "is_judged", False)
    forms = [name for name, export in EXPORTS.items() if has_values or not export.per_query]
    with st.container(horizontal=True):
        for form, label in words.EXPORT_FIRST.items():
            if form in forms:
                _save(reported, form, label)
    show_link(reported.link)
    with st.expander(words.EXPORT_MORE, key="export_more", on_change="rerun") as fold:
        if fold.open:
            more = [form for form in forms if form not in words.EXPORT_FIRST]
            form = str(
                st.selectbox(words.EXPORT_FORM, more, format_func=lambda name: EXPORTS[name].label, key="export_form")
            )
            _save(reported, form, words.EXPORT_SAVE)


def show_link(link: str) -> None:
    """Draw the link to what is saved, to be copied; "": there is none."""
    why = words.EXPORT_NOT_SAVED if saving.is_on() else words.EXPORT_OFF
    st.markdown(words.EXPORT_LINK[is_local(link)] if link else why)
    if link:
        st.code(link, language=None, wrap_lines=True)


def _save(reported: sections.Reported, form: str, label: str) -> None:
    content, name = partial(exported, reported, form), file_name(reported, form)
    screen.download(label, content, name, EXPORTS[form].media_type, key=f"export_{form}")


def reported(opened: Case | Votes) -> sections.Reported:
    """Return what is exported of the open verdict: with its link, decisions and online results where it is saved."""
    saved = session.now().saved
    comparison, verdict = verdicts.decided(opened, saving.times())
    own = (opened.edits, opened.title) if isinstance(opened, Case) else ((), saved.state.title if saved else "")
    named = sections.Reported(comparison, verdict, *own, policy_changed=session.now().has_changed_policy)
    if saved is None:
        return named
    observed = saving.attempt(lambda: saving.store().observations(saved.id)) or ()
    server = base_address() or "/".join((st.context.url or "").split("/")[:3])  # as it is said to be, else its own
    return replace(named, link=comparison_link(server, saved.id), decisions=entries(), observations=observed)


# --- the dialogs that put on record what was decided on the verdict, and what the online test showed later ---


def decision_button(opened: Case | Votes) -> None:
    """Draw the way to decide on the verdict of a saved comparison, which is on record from then on."""
    saved = session.now().saved
    if saved is None or session.now().problem or saving.refusal():
        return
    if st.button(decisions_words.RECORD, key="decision_record") and (verdict := verdicts.shown(opened)):
        _record(saved.id, verdict)


@st.dialog(decisions_words.DECISION, icon=":material/gavel:", dismissible=False)
def _record(comparison: str, result: RecordedVerdict) -> None:
    """Draw three fields and a button. Say what is missing, and write nothing then."""
    st.caption(decisions_words.ON_VERDICT.format(verdict=plain(decided_words(result.to_dict()))))
    label, shown = decisions_words.CHOICE, decisions_words.CHOICES.__getitem__
    choice = st.segmented_control(label, [*decisions_words.CHOICES], format_func=shown, key="decision_choice")
    by = _by(decisions_words.BY, "decision_by")
    label = decisions_words.REASON[opposes(choice or "", result.outcome)]
    reason = st.text_area(label, max_chars=LONGEST_TEXT, key="decision_reason")
    st.caption(decisions_words.WHY)
    _add("decision", by, lambda: saving.store().decide(comparison, Decided(choice or "", by, reason), result))


@st.dialog(decisions_words.ONLINE, icon=":material/monitoring:", dismissible=False)
def online_dialog(saved: Saved) -> None:
    """Ask what the online test showed, of A and B as they are on the page."""
    st.caption(decisions_words.ONLINE_WHY)
    metric = st.text_input(
        decisions_words.METRIC, max_chars=LONGEST_LINE, key="online_metric", placeholder=decisions_words.METRIC_HINT
    )
    delta = st.number_input(decisions_words.DELTA, value=None, step=0.001, format="%g", key="online_delta")
    by = _by(decisions_words.WRITTEN_BY, "online_by")
    value = math.nan if delta is None else delta
    _add("online", by, lambda: saving.store().observe(saved.id, Observed(metric, by, value), revision=saved.number))


def _by(label: str, key: str) -> str:
    """Ask who writes this."""
    return st.text_input(label, session.now().person, LONGEST_LINE, key=key, help=decisions_words.BY_HELP)


def _add(name: str, by: str, write: Callable[[], object]) -> None:
    """Draw the buttons of a dialog: one adds an entry of somebody and closes it, or says in it why that cannot be."""
    said = st.container()  # above the buttons: below them nobody would see it
    with st.container(horizontal=True, vertical_alignment="center"):
        is_added = st.button(decisions_words.ADD, type="primary", key=f"{name}_add")
        screen.cancel(name)
    if is_added:
        try:
            write()
        except StoreError as error:
            with said:
                problems(str(error).splitlines())
        else:
            actions.sign(by)
            open_comparison.say(open_comparison.THEIRS, decisions_words.ADDED)
            st.rerun()


# --- votes: the panel of good, same and bad queries ---


def show_vote_counts(comparison: Comparison | VotesAlone) -> None:
    """Draw the numbers of the votes and of the derived counts."""
    st.caption(spoken(words.GSB_PANEL_HINT))
    show_table(sections.vote_rows(comparison), words.GSB_TABLE, words.GSB_PANEL)
    st.caption("  \n".join(map(plain, sections.vote_notes(comparison))))


# --- the verdict page of votes that are open by themselves ---


def show_votes_alone(votes: Votes) -> None:
    """Draw the verdict, the votes, the rules behind it, and what was decided on it."""
    comparison, verdict = verdicts.decided(votes, saving.times())
    assert isinstance(comparison, VotesAlone)
    st.caption(" ".join((words.VOTES_ONLY_WHY, *(plain(note.phrase("page")) for note in votes.source.notes))))
    decided = entries()
    banner(verdict, comparison, decided)
    with st.grid(2):
        show_card(sections.voted_card(comparison.votes))
        with st.container(border=True, height="stretch"):
            show_vote_counts(comparison)
    with st.container(border=True):
        questions(verdict, False, sections.notes(verdict, None))
    show_caveats(verdict.caveats)
    show_decision(saving.record(comparison, verdict), decided)
