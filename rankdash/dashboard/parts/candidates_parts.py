"""Several candidates of one A: the best, a row for each, what they change, and the way to each."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import streamlit as st

from rankdash import charts, style
from rankdash.candidates import Candidates
from rankdash.case import Case
from rankdash.dashboard.kit import screen, widgets
from rankdash.dashboard.kit.literal import NAME, plain, short
from rankdash.dashboard.navigation import CANDIDATES
from rankdash.dashboard.parts import verdict_parts
from rankdash.dashboard.session import actions, open_comparison, session, verdicts
from rankdash.inspect.query_order import disagreements
from rankdash.report import EXPORTS, candidates as report, file_name
from rankdash.style import candidates as words
from rankdash.wording import count, number, short_inside

#: Columns of letters of a name in big letters, and of the text of a query.
_BIG, _TEXT = 24, 60
#: How wide the columns of the table are, by their heads; those of numbers are 1.
_WIDTHS = dict(zip((*words.COLUMNS, words.OPEN), (1.8, 1, 0.8, 1.6, 1.4, 2.1, 0.9), strict=True))


def names() -> list[str]:
    """Return the names of the candidates that are open together."""
    return [case.b.name for case in verdicts.cases()]


def heading(case: Case) -> str:
    """Return what is compared: the name of the comparison, A, and how many candidates."""
    n = count(len(names()), words.CANDIDATE, words.CANDIDATES)
    models = words.MODELS.format(a=f"**A** {plain(short(case.a.name, NAME))}", n=n)
    return f"**{plain(short(case.name, NAME))}** :gray[·] {models}" if case.name else models


def switch() -> None:
    """Draw the list that opens another candidate on the page that is shown."""
    named, member = names(), session.now().member
    key = f"candidate_{member}"
    st.selectbox(
        words.SWITCH,
        range(len(named)),
        member,
        named.__getitem__,
        key=key,
        on_change=lambda: actions.open_candidate(widgets.value_of(key)),
        label_visibility="collapsed",
        width=220,
    )


def banner(found: Candidates) -> None:
    """Draw the headline of all candidates, and why some files are not candidates."""
    said, verdict = report.headline(found), found.verdict
    word, tag, sentences = verdict.screen, said.tag, said.sentences
    if verdict.launch:
        word = words.LAUNCH.format(screen=word, name=short_inside(found.best.b.name, _BIG))
    with st.container(border=True, key="banner"):
        verdict_parts.big_words(word, tag, verdict)
        st.container(key="sentence").markdown(" ".join(map(plain, sentences)))
        edited = ", ".join(verdicts.edited_apart(verdicts.cases()))
        apart = words.EDITED.format(names=edited) if edited else ""
        for why in filter(None, (apart, *report.wrong(found, on_page=True))):
            st.caption(f":orange[:material/warning:] {plain(why)}")


def table(found: Candidates) -> None:
    """Draw a row for each candidate, the best first, with its numbers, its verdict, and the button that opens it."""
    heads, rows = report.columns(found), report.rows(found)
    widths = [_WIDTHS.get(head, 1) for head in (*heads, words.OPEN)]
    with st.container(border=True, key="candidates", gap="xsmall"):
        with st.container(key="candidates_head"):
            for head, cell in zip(heads, st.columns(widths), strict=False):
                cell.caption(plain(head))
        for at, row in zip(found.best_first, rows, strict=True):
            (name, *numbers, _), verdict = map(plain, row), found.verdicts[at]
            colour = style.THEME.get(style.OUTCOME_COLOUR.get(verdict.outcome.value, ""), "gray")
            texts = (f"**{name}**", *numbers, f":{colour}-badge[{plain(verdict.screen)}] {plain(verdict.tag)}")
            *cells, last = st.columns(widths, vertical_alignment="center")
            for head, text, cell in zip(heads, texts, cells, strict=True):
                cell.markdown(f":gray[:small[{plain(head)}]] {text}")
            about = words.OPEN_HELP.format(name=plain(short(row[0], NAME)))
            if last.button(words.OPEN, key=f"open_candidate_{at}", help=about):
                actions.open_candidate(names().index(found.names[at]))
                open_comparison.show_verdict()


def intervals(found: Candidates) -> None:
    """Draw the differences of all candidates with their intervals: a chart for each measure that decides."""
    best_first = [found[at] for at in found.best_first]
    colours = [colour for _, colour in report.verdicts(found)]
    decides = [at for at, result in enumerate(found.best.results) if result.role in ("primary", "guardrail")]
    with st.grid(min(len(decides), 2), key="grounds"):
        for at in decides:
            measure = found.best.results[at].label
            with st.container(border=True, height="stretch"):
                st.subheader(words.DIFFERENCE.format(measure=plain(measure)), anchor=False)
                figure, alt = charts.candidates_chart(best_first, colours, at), report.alt(best_first, at)
                screen.chart(figure, f"candidates_chart_{at}", alt)


def differences(found: Candidates) -> None:
    """Draw how many queries some candidates win and others lose, and the way to those with the widest spread."""
    n, widest = disagreements(found.comparisons)
    with st.container(border=True, key="candidates_differ", gap="xsmall"):
        st.subheader(words.DIFFER, anchor=False)
        queries = open_comparison.nouns().queries_of(n)
        st.markdown(words.DIFFER_COUNT.format(n=queries) if n else open_comparison.spoken(words.DIFFER_NONE))
        for query in widest:
            with st.container(horizontal=True, vertical_alignment="center"):
                text = plain(short(query.text or query.query_id, _TEXT))
                if st.button(text, key=f"differ_{query.query_id}", type="tertiary"):
                    open_comparison.show_query(query.query_id)
                values = zip((found[0].a.name, *found.names), query.values, strict=True)
                shown = (words.VALUE.format(name=short(name, NAME), value=number(value)) for name, value in values)
                st.caption(plain(", ".join(shown)))


@st.dialog(words.EXPORT, width="medium")
def export_dialog() -> None:
    """Draw the forms of all candidates together, and the link, which is that of any of them."""
    found, case = verdicts.candidates(), open_comparison.current()
    assert case is not None
    reported = verdict_parts.reported(case)
    named = replace(reported, name=case.name or words.FILE.format(a=case.a.name))
    link = reported.link.replace("/?", f"/{CANDIDATES.name}?", 1)
    with st.container(horizontal=True):
        for form in words.EXPORTS:
            content, name = partial(report.exported, found, form, link), file_name(named, form)
            screen.download(EXPORTS[form].label, content, name, EXPORTS[form].media_type, key=f"export_{form}")
    verdict_parts.show_link(link)
