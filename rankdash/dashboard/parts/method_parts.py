"""What the Method page explains: a number of another tool, the measures, the convention and the policy in force."""

from __future__ import annotations

import math
import re
from collections import ChainMap
from collections.abc import Collection, Sequence
from functools import partial
from typing import Any

import streamlit as st

from rankdash.case import Case
from rankdash.conventions import AXES, AXIS_NAMES, PRESETS, Convention, preset_name
from rankdash.dashboard.kit import widgets
from rankdash.dashboard.kit.browser_history import linked
from rankdash.dashboard.kit.literal import plain, table
from rankdash.dashboard.parts import one_query, policy_dialog
from rankdash.dashboard.results import cached, digest
from rankdash.dashboard.session import open_comparison, verdicts
from rankdash.dashboard.session.open_comparison import spoken
from rankdash.inspect import view
from rankdash.metrics import DEFINITIONS, MeasureError, parse_measure
from rankdash.metrics.names import peer_name
from rankdash.policy import FIELDS, Policy
from rankdash.reading.typed import TypedError
from rankdash.report.notes import preset_of
from rankdash.report.sections import axis_words
from rankdash.scoring import Comparison
from rankdash.style import AXIS_WORDS, LONGEST_LINE, method as words
from rankdash.wording import number, points, signed


def _axis(axis: str, value: Any, key: str) -> Any:
    about = AXIS_WORDS[axis]
    with st.container(gap="xsmall"):
        if axis == "rel":
            chosen: Any = st.number_input(spoken(about.name), value=float(value), step=1.0, format="%g", key=key)
        else:
            options = list(dict.fromkeys((*AXES[axis], value)))  # a table of gains is none of the list
            chosen = st.selectbox(
                spoken(about.name), options, options.index(value), partial(_value_words, axis), key=key
            )
        st.caption(spoken(about.decides))
    return chosen


def _value_words(axis: str, value: object) -> str:
    return spoken(AXIS_WORDS[axis].values.get(str(value), str(value)))


# --- a number of another tool, and the convention that gives it ---


_LARGEST = 100_000


def find(opened: verdicts.Opened) -> None:
    """Draw the field for a number with the conventions that give it, and the numbers of one tool beside their names."""
    comparison = opened.comparison
    st.subheader(words.FIND_TITLE, anchor=False)
    st.caption(spoken(words.FIND_HINT))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        how = {"max_chars": _LONGEST_NUMBER, "placeholder": words.FIND_LIKE, "width": 200}
        printed = linked(st.text_input, words.FIND_NUMBER, key="find_number", **how) or ""
        k = _cutoff(comparison.policy.cutoff)
        another = _another_measure(comparison)
    own = (result.label for result in comparison.results if _REL.search(result.label))
    forms = (*words.COMPARED, *own, *([] if another is None else [another]))
    with st.spinner(words.PRESETS_COMPUTING, show_time=True):
        under = _under(opened.case, opened.policy, view.at_cutoff(forms, k), 0)
        graded = (*forms, *view.from_each_grade(comparison, words.BINARY))
        tries = ((forms, 0), (graded, 0), (forms, 1), (forms, 2))

        def search(case: Case) -> tuple[view.Printed | None, tuple[str, ...]]:
            every = ((each, _under(case, opened.policy, view.at_cutoff(each, k), at)) for each, at in tries)
            return view.first_printed_as(every, printed)

        (found, named), counts = search(opened.case), True
        if opened.case.edits and found is not None and not found.exact:
            before, forms_before = search(opened.case.unedited)
            if before is not None and before.exact:
                found, named, counts = before, forms_before, False
    if printed.strip():
        if opened.case.edits:
            st.caption(words.FOUND_EDITED[counts])
        _found(comparison, found, named, k)
        if any(run.ordered_by == "rank" and "score" in run.table.column_names for run in opened.case.runs or ()):
            st.caption(words.FOUND_BY_RANK)
    at = [*under].index(preset_of(comparison) or "standard")
    of_tool = linked(st.selectbox, words.FIND_TOOL, list(under), index=at, key="tool", width=_WIDE)
    st.caption(spoken(words.PRESET_WHY[of_tool]))
    cells = ((number(it.a, _DIGITS), number(it.b, _DIGITS), signed(it.delta, _DIGITS)) for it in under[of_tool])
    rows = [(plain(_named(of_tool, form, k)), *numbers) for form, numbers in zip(forms, cells, strict=True)]
    st.markdown(table(words.TOOL_COLUMNS, rows))
    if any(mean.is_uneven for mean in under[of_tool]):
        st.caption(spoken(words.DELTA_PAIRED))
    counted_otherwise(comparison)


#: Letters of a number that is looked for, and the width of a list of names.
_LONGEST_NUMBER, _WIDE = 30, 416


def _named(preset: str, form: str, k: int) -> str:
    """Return what the tools of a preset call a measure; our name, where they do not print it."""
    own = _peer_name(preset, form)
    return words.NOT_IN_TOOL.format(measure=form.replace("@k", f"@{k}")) if own is None else own.format(k=k)


#: From which grade on the policy counts documents as relevant, which tools have as an option, such as -l of trec_eval.
_REL = re.compile(r"\(rel=(.+?)\)")


def _peer_name(preset: str, form: str) -> str | None:
    own, rel = peer_name(preset, _REL.sub("", form)), _REL.search(form)
    return own if own is None or rel is None else words.FROM_GRADE.format(measure=own, grade=rel[1])


#: So many of the nearest numbers are shown.
_SHOWN = 3


def _found(comparison: Comparison, found: view.Printed | None, forms: Sequence[str], k: int) -> None:
    """Draw where a number was found and what differs there, the nearest numbers where it was not."""
    if found is None:
        st.markdown(f":red[:material/error:] {words.FIND_NO_NUMBER}")
        return
    st.markdown(words.FOUND if found.exact else words.NOT_FOUND.format(k=k))
    conventions = ChainMap(*map(dict, view.conventions_near(comparison.convention)))
    places = [one for one in found.places if one[0] not in PRESETS or _peer_name(one[0], forms[one[1]])]
    rows = []
    for preset, at, side, value in (places or found.places)[: None if found.exact else _SHOWN]:
        (form,) = view.at_cutoff([forms[at]], k)
        measure = parse_measure(form, conventions[preset])
        differs = _differences(comparison.convention, measure.convention, view.axes_of(measure)) or words.AS_YOURS
        name, called = (preset, _named(preset, forms[at], k)) if preset in PRESETS else (words.YOURS, form)
        rows.append(tuple(map(plain, (name, called, side.upper(), number(value, _DIGITS), spoken(differs)))))
    st.markdown(table(words.FOUND_COLUMNS, [*dict.fromkeys(rows)]))


#: Decimals of a number beside one of another tool.
_DIGITS = 6


def _another_measure(comparison: Comparison) -> str | None:
    """Return the measure of the number that somebody looks for, if it is not in the table."""
    others = view.other_forms(comparison, words.COMPARED)
    chosen = linked(
        st.selectbox,
        words.FIND_MEASURE,
        others,
        index=None,
        key="find_measure",
        placeholder=words.FIND_ANOTHER,
        width=200,
    )
    return chosen if chosen in others else None


def _cutoff(decided: int) -> int:
    """Return the cutoff at which the other tool printed its number; the policy's where nobody says."""
    # A field for whole numbers fails for a parameter that is too large; a field for decimals takes its default.
    typed = linked(
        st.number_input,
        words.FIND_CUTOFF,
        1.0,
        float(_LARGEST),
        value=None,
        step=1.0,
        format="%.0f",
        key="find_k",
        placeholder=words.FIND_DECIDED.format(k=decided),
        width=200,
    )
    return decided if typed is None or math.isnan(typed) else math.floor(typed + 0.5)


@cached()
def _under(case: Case, policy: Policy, names: tuple[str, ...], which: int) -> dict[str, tuple[view.Mean, ...]]:
    comparison = verdicts.opened(case, policy).comparison
    return view.under_each(comparison, names, view.conventions_near(comparison.convention)[which])


def counted_otherwise(comparison: Comparison) -> None:
    """Name both numbers where the verdict weighs its queries, or leaves some out, and say why."""
    decided, judged = comparison.primary.paired, comparison.counts.judged
    left_out = spoken(words.LEFT_OUT).format(n=f"{decided.n:,}", judged=f"{judged:,}") if decided.n < judged else ""
    weights = spoken(words.BY_WEIGHT) if comparison.sample.weights is not None else ""
    if why := ", and ".join(filter(None, (left_out, weights))):
        measure, a, b = plain(comparison.primary.label), number(decided.mean_a), number(decided.mean_b)
        st.caption(spoken(words.COUNTED_OTHERWISE).format(measure=measure, a=a, b=b, why=why))


# --- measures: definition, formula, the sum of a list, and what copied texts print ---


def measures() -> None:
    """Draw one measure of the list: what it is, its formula, the sum of a list of grades, and the textbook examples."""
    st.subheader(words.MEASURES_TITLE, anchor=False)
    left, right = st.columns(2, gap="large")
    with left:
        name = linked(
            st.selectbox, words.MEASURE, [*DEFINITIONS, words.GSB], index=3, key="explained", help=spoken(words.LETTERS)
        )
        row = DEFINITIONS.get(name)
        st.markdown(plain(spoken(row.formula)) if row is not None else words.GSB_FORMULA)
    with right:
        if row is not None and row.latex:
            st.latex(rf"\vphantom{{\int_a^b}} {row.latex}")
        if row is not None:
            st.caption(words.SOURCE.format(range=plain(row.range), source=plain(row.source)))
    left, right = st.columns(2, gap="large")
    with left:
        if row is not None and row.of_lists is not None:
            _sum(row.forms[-1])
    with right:
        _textbook(name)


def _sum(form: str) -> None:
    """Draw a field for grades, and how the measure of such a list is worked out."""
    grades = st.text_input(words.GRADES, words.PHONES, LONGEST_LINE, key="explained_grades")
    try:
        worked = view.textbook(grades, *view.at_cutoff([form], words.DEPTH))
    except (TypedError, MeasureError) as error:
        st.markdown(f":red[{plain(str(error))}]")
    else:
        one_query.calculation(worked, words.THIS_LIST)


def _textbook(name: str) -> None:
    """Draw what copied texts print of a measure, beside what is computed now."""
    examples = [example for example in words.EXAMPLES if re.split(r"[@(]", example.measure)[0] == name]
    if not examples:
        return
    st.markdown(f"**{words.TEXTBOOK_TITLE}**", help=spoken(words.TEXTBOOK_HINT))
    rows = []
    for example in examples:
        listed = words.MISSED.format(list=example.grades, missed=example.missed) if example.missed else example.grades
        mark = "" if example.printed == words.NOT_PRINTED else f"{example.mark} "
        listed = f"{plain(listed)} \u2003:gray[{plain(example.measure)}]"
        rows.append((listed, example.printed, f"**{_computed(example)}**", f"{mark}:small[{spoken(example.note)}]"))
    st.markdown(table(words.TEXTBOOK_COLUMNS, rows))
    st.caption(words.TEXTBOOK_LEGEND.format(right=words.RIGHT, wrong=words.WRONG, mixed=words.MIXED))


def _computed(example: words.Printed) -> str:
    """Return what our own functions give for an example: votes or grades."""
    if example.measure == words.GSB:
        return points(view.textbook_gsb(example.grades))
    return number(view.textbook(example.grades, example.measure, example.missed).value, 4)


# --- the convention and the policy in force, and what another convention would change ---


def in_force(policy: Policy, name: str) -> None:
    """Draw the axes of the convention called ``name`` and the fields of the policy, as they are."""
    from rankdash.report.html import policy_rows  # with its templates, which no other page needs

    left, right = st.columns(2, gap="large")
    with left:
        st.subheader(words.CONVENTION_TITLE.format(name=plain(name)), anchor=False)
        axes = [(about.name, axis_words(policy.in_force, axis)) for axis, about in AXIS_WORDS.items()]
        st.markdown(table(words.AXIS_COLUMNS, [[plain(spoken(cell)) for cell in row] for row in axes]))
    with right:
        st.subheader(words.POLICY_TITLE, anchor=False)
        shown = {spoken(about.label) for about in FIELDS.values() if about.topic.common}
        fields = [
            (label, plain(value)) for label, value, _ in policy_rows(policy, open_comparison.nouns()) if label in shown
        ]
        st.markdown(table(words.FIELD_COLUMNS, fields))
        st.caption(words.POLICY_REST)


def axes(opened: verdicts.Opened, names: tuple[str, ...]) -> None:
    """Draw a widget for each axis, a table of means before and after, and the button that decides by the axes."""
    st.caption(words.CONVENTION_HINT)
    comparison, before = opened.comparison, opened.comparison.convention
    start = f"{digest(before)[:8]}_{widgets.numbered('axes')}"
    with st.grid(4, gap="medium"):
        chosen = {axis: _axis(axis, getattr(before, axis), f"axis_{axis}_{start}") for axis in AXIS_WORDS}
    after = before.with_axes(chosen)
    if after != before:
        with st.container(horizontal=True):
            if st.button(words.USE, key="axes_use"):
                made = partial(opened.policy.changed, convention=preset_name(after) or after)
                policy_dialog.use(partial(verdicts.opened, opened.case), made)
            st.button(words.RESET, key="axes_reset", on_click=widgets.renew, args=("axes",))
    with st.spinner(words.PRESETS_COMPUTING, show_time=True):
        old, new = view.means_under(comparison, before, names), view.means_under(comparison, after, names)
    st.markdown(spoken(_said(before, after, old, new)))
    rows = []
    for was, now in zip(old, new, strict=True):
        first, then = ((number(it.a, _DIGITS), number(it.b, _DIGITS), signed(it.delta, _DIGITS)) for it in (was, now))
        look = ":gray[{}]" if was.equals(now) else "**{}**"
        rows.append((plain(was.measure), *first, *map(look.format, then)))
    st.markdown(table(words.EFFECT_COLUMNS, rows))


def _differences(before: Convention, after: Convention, axes: Collection[str] = AXIS_NAMES) -> str:
    """Return which of the axes differ, and what they are after."""
    return "; ".join(
        words.CHANGED_AXIS.format(axis=about.name, value=_value_words(axis, getattr(after, axis)))
        for axis, about in AXIS_WORDS.items()
        if axis in axes and getattr(before, axis) != getattr(after, axis)
    )


def _said(before: Convention, after: Convention, old: tuple[view.Mean, ...], new: tuple[view.Mean, ...]) -> str:
    changed = _differences(before, after)
    if not changed:
        return words.NO_EFFECT
    moved = any(not mean.equals(new_mean) for mean, new_mean in zip(old, new, strict=True))
    said = words.CHANGED_AXES.format(axes=plain(changed))
    return said if moved else f"{said} {words.UNMOVED}"
