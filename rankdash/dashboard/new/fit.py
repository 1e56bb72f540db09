"""Whether files that could each be read make a comparison, which is said before anybody compares them."""

from __future__ import annotations

import streamlit as st

from rankdash.case import Case
from rankdash.conventions import number
from rankdash.dashboard.host.results import cached
from rankdash.dashboard.kit.literal import plain, problems, short
from rankdash.dashboard.session import actions, session, verdicts
from rankdash.metrics import MeasureError
from rankdash.mistakes import Mistake, labels_alike, mistakes
from rankdash.policy import Policy, PolicyError
from rankdash.policy.fields import FIELDS
from rankdash.reading import ReadError
from rankdash.report.notes import mistakes_of, refusals
from rankdash.scoring import ComparisonError, UnweightedError, WeightGap, facts, judged_queries
from rankdash.style import reading as words
from rankdash.tables import Queries
from rankdash.wording import count

#: What a user's files can be wrong in. Anything else is our mistake, and is allowed to show itself.
MISTAKES = (ReadError, ComparisonError, MeasureError, PolicyError)


#: The rows of both lists from which a comparison is computed only when somebody asks for it.
_LARGE = 200_000


def policy(place: str, *, replacing: bool = False) -> Policy:
    """Return the policy under which a form compares: that in force with other files of the same comparison; of a new
    one the default policy, unless somebody says in the form that the one in force stays.
    """
    default, now = session.default_policy(), session.now().policy
    if replacing or now == default:
        return now
    mine, usual = now.to_dict(), default.to_dict()
    names = ", ".join(row.label for name, row in FIELDS.items() if mine[name] != usual[name])
    about = words.KEEP_POLICY_HELP.format(fields=names)
    return now if st.checkbox(words.KEEP_POLICY, key=f"{place}_keep_policy", help=about) else default


def lacking(case: Case, policy: Policy) -> str:
    """Say what is wrong between the files of a case that is compared under a policy; return a word of ``NEEDS`` where
    it cannot be, else "".

    What is large is compared only when somebody asks for it.
    """
    wrong = _between(case)
    fatal = [mistake for mistake in wrong if mistake.fatal]
    if fatal:
        _tell(wrong)
        return "asked" if any(mistake.problem for mistake in fatal) else "apart"
    reasons = [] if _is_large(case) else refused(case, policy)
    _tell(wrong if reasons else (*_documents(case, policy), *wrong))
    if reasons:
        problems(reasons)
    return "apart" if reasons else ""


def _is_large(case: Case) -> bool:
    return sum(len(run.table) for run in case.runs or ()) >= _LARGE


def refused(case: Case, policy: Policy) -> list[str]:
    """Return why a case cannot be compared under a policy, a sentence each. What a query weighs is asked where it is
    open.
    """
    try:
        return refusals(verdicts.opened(case, policy).comparison)
    except UnweightedError:
        return []
    except ReadError as error:
        return error.lines("page")
    except MISTAKES as error:
        return str(error).splitlines()


def _documents(case: Case, policy: Policy) -> tuple[Mistake, ...]:
    """Return what only a comparison shows, such as that no document is judged; nothing for a large case."""
    try:
        opened = None if _is_large(case) else verdicts.opened(case, policy)
    except MISTAKES:
        return ()
    said = {mistake.sentence for mistake in _between(case)}
    return () if opened is None else tuple(new for new in mistakes_of(opened.comparison) if new.sentence not in said)


def _tell(wrong: tuple[Mistake, ...]) -> None:
    for mistake in wrong:
        sentence = mistake.sentence if mistake.problem is None else mistake.problem.phrase("page")
        (st.error if mistake.fatal else st.warning)(plain(sentence), icon=":material/warning:")


@cached()
def _between(case: Case) -> tuple[Mistake, ...]:
    wrong = mistakes(case.a, case.b, case.judgments, case.queries, case.votes)
    if case.judgments is None:
        return wrong
    labels = case.judgments.table.column("relevance")
    grades = labels.unique().to_pylist()
    return (*wrong, *labels_alike(grades, len(labels)))


# --- what a judged query weighs that has no weight: asked where many have none, changed later ---


_ID = 40


def large_gap(case: Case) -> WeightGap | None:
    """Return what the weights of a comparison lack where somebody has to say what these queries weigh; else None."""
    if case.queries is None or "weight" not in case.queries.table.column_names:
        return None
    gap = _gap(case.unedited)
    return gap if gap is not None and gap.is_large else None


@cached()
def _gap(case: Case) -> WeightGap | None:
    return facts(case.queries, judged_queries(case.a, case.b, case.judgments)).gap


def asked_weight(place: str, gap: WeightGap, queries: Queries) -> float | None:
    """Ask in a form; None until it is answered."""
    with st.container(border=True, key=f"{place}_missing_weight", gap="small"):
        _explained(gap, queries)
        chosen: float | None = st.segmented_control(
            words.WEIGHTS_ASK,
            gap.answers,
            default=queries.missing_weight if queries.missing_weight in gap.answers else None,
            format_func=words.WEIGHTS_CHOICES.__getitem__,
            key=f"{place}_weigh_missing",
        )
    return chosen


def weight_question(gap: WeightGap, queries: Queries) -> None:
    """Ask in place of an open comparison, which has no verdict before it is answered. The answer is saved with it."""
    with st.container(border=True, key="missing_weight"):
        st.subheader(words.WEIGHTS_ASK, anchor=False)
        _explained(gap, queries)
        with st.container(horizontal=True, gap="small"):
            for weight in gap.answers:
                st.button(
                    words.WEIGHTS_CHOICES[weight],
                    key=f"weigh_missing_{weight}",
                    on_click=actions.weigh_missing,
                    args=(weight,),
                )


def _explained(gap: WeightGap, queries: Queries) -> None:
    judged = count(gap.of, words.JUDGED_QUERY, words.JUDGED_QUERIES)
    table = plain(short(queries.source.name, _ID)) or words.WEIGHTS_TABLE
    said = [words.WEIGHTS_LACK.format(lacking=count(gap.count), judged=judged, table=table)]
    said.append(words.WEIGHTS_WHY.format(some=_some(gap.lacking)))
    if gap.given is not None:
        least, most = map(number, gap.given)
        given = words.WEIGHTS_ALIKE if least == most else words.WEIGHTS_GIVEN
        said.append(given.format(least=least, most=most))
    elif gap.others:
        said.append(words.WEIGHTS_OTHERS.format(some=_some(gap.others)))
    st.markdown(f":orange[:material/help:] {said[0]}")
    st.caption(" ".join(said[1:]))


def _some(ids: tuple[str, ...]) -> str:
    return ", ".join(f"“{plain(short(id, _ID))}”" for id in ids)
