"""Lists that are typed or pasted: their numbers, and the way to the verdict."""

from __future__ import annotations

from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from rankdash import api, style
from rankdash.case import Case
from rankdash.conventions import Convention
from rankdash.dashboard import demo
from rankdash.dashboard.kit import screen
from rankdash.dashboard.kit.literal import plain, problems
from rankdash.dashboard.parts import one_query, uploads, verdict_parts
from rankdash.dashboard.results import cached
from rankdash.dashboard.session import session, verdicts
from rankdash.inspect.explain import Explanation, explain
from rankdash.metrics import MeasureError
from rankdash.policy import Policy
from rankdash.reading.typed import MOST_LETTERS, Typed, TypedError, read_typed
from rankdash.report.sections import voted_card
from rankdash.scoring import Side
from rankdash.style import editing as words
from rankdash.tables import Run, Votes
from rankdash.wording import count, literal, number

# --- the fields of lists that are typed or pasted, and the questions about them: lists in, as tables ---


#: How the keys of all fields begin.
KEYS = "typed_"


def fields() -> Typed | Votes | None:
    """Draw the fields, and return their lists as tables; None for empty fields, and for lists that cannot be read or
    need a choice, which is shown.
    """
    st.caption(words.TYPED_HINT)
    texts = _two_fields()
    if not any(text.strip() for text in texts):
        return None
    with st.spinner(words.TYPED_READING):
        typed = _read(texts)
    with st.container(key="typed_said"):
        if isinstance(typed, TypedError):
            problems(str(typed).splitlines())
        if any(isinstance(_read(("", "", "", text)), Votes) for text in texts[:2] if text.strip()):
            st.caption(words.THESE_ARE_VOTES.format(field=words.VOTES))
    return None if isinstance(typed, TypedError) else typed


@cached()
def _read(texts: tuple[str, ...]) -> Typed | Votes | TypedError:
    """Return what was typed as tables, or why it cannot be read."""
    try:
        return read_typed(texts)
    except TypedError as error:
        return error.with_traceback(None)


def _two_fields() -> tuple[str, str, str, str]:
    left, right = st.columns(2, gap="small")
    example = words.EXAMPLE_LISTS
    a = _field(left, words.LIST_A, "typed_a", 120, example["a"])
    b = _field(right, words.LIST_B, "typed_b", 120, example["b"])
    left, right = st.columns(2, gap="small")  # of their own, so that a phone has List B below List A
    missed = _field(left, words.MISSED, "typed_missed", 68, "3 2", help=words.MISSED_HELP)
    votes = _field(right, words.VOTES, "typed_votes", 68, "good", help=words.VOTES_HELP)
    return a, b, missed, votes


def _field(place: Any, label: str, key: str, height: int, example: str, **how: Any) -> str:
    """Draw a field; a text that is cut to what a browser may send is longer than what is read, and so refused."""
    how |= {"key": key, "height": height, "placeholder": example}
    return str(place.text_area(label, max_chars=MOST_LETTERS + 1, **how))


# --- new comparison, type or paste: the numbers of lists and the calculation at once, and the way to the verdict ---


#: What a newcomer wants to see, at a cutoff.
_MEASURES = "CG@{k} DCG@{k} IDCG@{k} nDCG@{k} P@{k} R@{k} AP RR".split()
#: Documents and grades of a query that are worked out while somebody types.
_MOST_WORKED = 2_000
_WORKED = ("nDCG@{k}", "DCG@{k}", "AP", "P@{k}")


def door() -> None:
    """Draw fields for the lists; under them what they are worth, worked out, and the button that compares them."""
    typed = fields()
    policy = session.DEFAULT_POLICY if typed is None else uploads.chosen_policy(KEYS.rstrip("_"))
    if isinstance(typed, Votes):
        _votes_alone(typed, policy)
        return
    chosen, case = None, None
    # Above the numbers, which come when a field is left: the button stays under the pointer that leaves it.
    row = st.container(horizontal=True, vertical_alignment="center")
    answered: Policy | None = policy
    if typed is not None:
        grades = () if typed.judgments is None else uploads.grades_in(typed.judgments)
        answered = uploads.asked_threshold(KEYS.rstrip("_"), grades, policy)
        policy = answered or policy
        chosen = _worth(typed, policy.scoring)
        case = None if answered is None else _case(typed, policy)
    with row:
        go = st.button(style.COMPARE, type="primary", key="typed_compare")
        if case is None:
            st.caption(words.TYPED_NEEDS["threshold" if answered is None else _needs(typed)])
        elif case.judgments is None:
            st.caption(words.TYPED_NAMES)
    if go and case is not None:
        uploads.compare(case, policy=policy)
    if typed is not None and chosen is not None:
        _calculations(typed, *chosen, policy.scoring)


def _case(typed: Typed, policy: Policy) -> Case | None:
    """Return the comparison of two lists; None, and the reason on the page, where it would be refused."""
    if typed.b is None or _lacks_grades(typed):
        return None
    case = Case((typed.a, typed.b), typed.judgments, votes=typed.votes, name=words.TYPED).knowing_lists()
    reasons = uploads.refused(case, policy)
    if reasons:
        problems(reasons)
    return None if reasons else case


def _lacks_grades(typed: Typed) -> bool:
    """Return whether lists say nothing without grades: those without names, and those that votes would decide on."""
    return typed.judgments is None and (typed.votes is not None or not typed.named)


def _needs(typed: Typed | None) -> str:
    """Return a word of ``TYPED_NEEDS`` for what stands in the way of a comparison."""
    if typed is None:
        return "nothing"
    if _lacks_grades(typed):
        return "grade"
    return "b" if typed.b is None else "refused"


def _votes_alone(votes: Votes, policy: Policy) -> None:
    """Draw what the votes were read as, and the button that opens them."""
    with st.container(key="typed_counted", width=320):
        verdict_parts.show_card(voted_card(verdicts.votes_alone(votes, policy).votes))
    with st.container(horizontal=True, vertical_alignment="center"):
        go = st.button(style.COMPARE, type="primary", key="typed_compare")
        st.caption(" ".join((words.TYPED_VOTES, *(plain(str(note)) for note in votes.source.notes))))
    if go:
        uploads.open_alone(votes, policy=policy)


def _query(typed: Typed) -> str:
    """Return the query that is looked at, chosen from a list where there are several."""
    query_ids = typed.query_ids
    if len(query_ids) == 1:
        return query_ids[0]
    return str(st.selectbox(words.TYPED_QUERY, query_ids, key="typed_query", width=260, format_func=literal))


def _worth(typed: Typed, convention: Convention) -> tuple[str, int] | None:
    """Draw the measures of a query that is chosen, A beside B. Return the query and the cutoff; None where no document
    has a grade, and where its lists are too long to be worked out here.
    """
    if typed.judgments is None:
        return None
    query_id = _query(typed)
    noted = [plain(str(note)) for note in typed.judgments.source.notes]
    st.caption(" ".join((*[words.SHARED_ORDER] * typed.named, *noted)))
    listed = [len(typed.documents(rows, query_id)) for rows in (typed.a, typed.b, typed.judgments)]
    if sum(listed) > _MOST_WORKED:
        st.caption(words.TYPED_LONG.format(n=count(_MOST_WORKED)))
        return None
    longest = max(listed[:2])
    # One part, which a phone moves where the table is wide, with what the keyboard can reach in it.
    numbers = st.container(key="typed_numbers")
    k = int(numbers.number_input(words.CUTOFF, 1, None, longest, key=f"typed_k_{longest}", width=130))
    names = [template.format(k=k) for template in _MEASURES]
    rows = []
    for side, run in _sides(typed):
        explanations = [_explained(typed, side, run, name, query_id, convention) for name in names]
        rows.append(
            [
                f"**{style.SIDE[side]}**",
                *(number(None if explanation is None else explanation.value) for explanation in explanations),
            ]
        )
    frame = pd.DataFrame(rows, columns=["", *(plain(name) for name in names)])
    numbers.table(frame, border="horizontal", hide_index=True, alt=words.TYPED_ALT.format(k=k))
    return query_id, k


def _calculations(typed: Typed, query_id: str, k: int, convention: Convention) -> None:
    """Draw a measure worked out rank by rank, for each list."""
    names = [template.format(k=k) for template in _WORKED]
    chosen = st.segmented_control(words.WORKED_FOR, names, default=names[0], key=f"typed_worked_{k}", required=True)
    sides = _sides(typed)
    for column, (side, run) in zip(st.columns(2, gap="medium"), sides, strict=False):
        explanation = _explained(typed, side, run, str(chosen), query_id, convention)
        if explanation is not None:
            with column:
                one_query.calculation(explanation, style.SIDE[side])


def _sides(typed: Typed) -> list[tuple[Side, Run]]:
    sides: list[tuple[Side, Run]] = [("a", typed.a)]
    return sides if typed.b is None else [*sides, ("b", typed.b)]


def _explained(
    typed: Typed, side: Side, run: Run, measure: str, query_id: str, convention: Convention
) -> Explanation | None:
    """Return the worked calculation of a measure; None where the list has no judgments for the query."""
    if typed.judgments is None:
        return None
    try:
        return explain(run, typed.judgments, measure, query_id, convention, side=side)
    except MeasureError:
        return None


def examples() -> None:
    """Draw the buttons that open the demos, and those that download their files; made on the click, for a file that is
    laid out before is gone at a rerun.
    """
    for which in api.DEMO_FOLDERS:
        key = "" if which == "search" else f"_{which}"
        with st.container(horizontal=True, vertical_alignment="center", key=f"examples{key}"):
            if st.button(style.OPEN_DEMO[which], key=f"open_demo{key}"):
                uploads.show_demo(which)
            st.markdown(f":gray[{words.EXAMPLES}]", width="content")
            for role, content in demo.files(which).items():
                name = demo.FILES[role]
                own = f"example{key}_{name.removesuffix('.csv')}"
                screen.download(name, partial(bytes, content), name, key=own, type="tertiary")
