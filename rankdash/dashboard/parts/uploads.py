"""Files in: a single drop zone for all of them. A refused file changes nothing that is open. Whether files that could
each be read make a comparison is said before anybody compares them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from rankdash import style
from rankdash.case import Case
from rankdash.conventions import number
from rankdash.dashboard import demo
from rankdash.dashboard.kit import widgets
from rankdash.dashboard.kit.literal import plain, problems, short
from rankdash.dashboard.parts import dropzone
from rankdash.dashboard.parts.dropzone import Tables, entries, present
from rankdash.dashboard.results import cached
from rankdash.dashboard.session import actions, open_comparison, session, verdicts
from rankdash.dashboard.session.session import DroppedFile, FileEntry
from rankdash.intake import Given, Role, name_queries, two_models
from rankdash.metrics import MeasureError
from rankdash.mistakes import Mistake, labels_alike, mistakes, off_the_scale
from rankdash.policy import Policy, PolicyError
from rankdash.policy.fields import FIELDS
from rankdash.reading import LIMITS, ReadError, megabytes
from rankdash.report.notes import mistakes_of, refusals
from rankdash.sandbox.apart import MOST, warm
from rankdash.scoring import ComparisonError, UnweightedError, WeightGap, facts, judged_queries
from rankdash.style import history as history_words
from rankdash.style import reading as words
from rankdash.tables import Models, Queries, Run, Votes
from rankdash.wording import count

#: What a user's files can be wrong in. Anything else is our mistake, and is allowed to show itself.
MISTAKES = (ReadError, ComparisonError, MeasureError, PolicyError)


#: The rows of both lists from which a comparison is computed only when somebody asks for it.
_LARGE = 200_000


def chosen_policy(place: str, *, replacing: bool = False) -> Policy:
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
    return (*wrong, *labels_alike(grades, len(labels)), *off_the_scale(grades))


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


# --- files in: a single drop zone for all of them. A refused file changes nothing that is open ---


_MEGABYTE = 1_000_000
_BESIDE_LETOR: tuple[Role, ...] = ("scores_a", "scores_b", "groups")


def form(place: str, replacing: Case | None = None) -> None:
    """Draw the drop zone, a card for each file in it, and the button that compares them.

    With ``replacing``, what no file is given for is taken from the comparison that is open, and a run whose name tells
    nothing is a new B.
    """
    files = st.file_uploader(
        words.DROP if replacing is None else words.REPLACE_DROP,
        accept_multiple_files=True,
        key=f"{place}_files",
        max_upload_size=LIMITS.upload // _MEGABYTE,
        help=words.DROP_HELP,
    )
    if not files:
        warm(MOST)  # a comparison is of two files
    if not present(place, files) and replacing is None:
        st.caption(words.DROP_HINT.format(limit=megabytes(LIMITS.upload)))
    policy = chosen_policy(place, replacing=replacing is not None) if present(place, files) else session.now().policy
    given = [DroppedFile(file.file_id, Given(file.name, file)) for file in present(place, files)]
    with st.container(key=f"{place}_said", gap="small"):
        placed = entries(place, given, "a" if replacing is None else "b", partial(_names, place, replacing))
        for entry in placed:
            dropzone.card(place, entry, _roles(placed))
    tables = Tables.of(placed)
    chosen = None if tables.models is None else two_of(place, tables.models)
    needs = _needs(placed, tables, chosen, replacing is not None)
    case = None if needs else _inputs(tables, chosen, replacing)
    if case is not None and not _graded(case):
        case, needs = None, "judgments"
    case, needs = _settled(place, case, needs, policy)
    _button(place, placed, tables, case, needs, policy, replacing)


def _names(place: str, now: Case | None, tables: Tables) -> tuple[str, str] | None:
    """Return the names of the runs that would be compared; None where there are not two yet."""
    if tables.models is not None:
        chosen = _by_name(tables.models) or _chosen(place, tables.models)
        return None if chosen is None else (chosen[0].name, chosen[1].name)
    a, b = tables.a or (now and now.a), tables.b or (now and now.b)
    return (a.name, b.name) if a and b else None


def _settled(place: str, case: Case | None, needs: str, policy: Policy) -> tuple[Case | None, str]:
    """Tell what is wrong between the files, and ask whether judgments were given as a run, and what a query without a
    weight weighs where many have none. Return the case with the answers, None until there are, and what stands in
    the way.
    """
    if case is None:
        return None, needs
    if lacks := lacking(case, policy):
        return None, lacks
    gap = large_gap(case)
    if gap is None or case.queries is None:
        return case, needs
    chosen = asked_weight(place, gap, case.queries)
    return (None, "weights") if chosen is None else (case.weighing(chosen), needs)


def _button(
    place: str,
    files: Sequence[FileEntry],
    tables: Tables,
    case: Case | None,
    needs: str,
    policy: Policy,
    replacing: Case | None,
) -> None:
    """Draw the button, and beside it what will be compared, or what is missing."""
    alone = tables.votes if tables.only_votes and replacing is None and needs in ("nothing", "ab") else None
    with st.container(horizontal=True, vertical_alignment="center"):
        ready = case is not None or alone is not None
        go = st.button(style.COMPARE, type="primary", disabled=not ready, key=f"{place}_compare")
        if case is not None:
            st.caption(_ready(case))
        elif ready and alone is not None:
            st.caption(words.ONLY_VOTES.format(name=plain(alone.source.name)))
        else:
            st.caption(words.NEEDS[needs])
    if go and case is not None:
        compare(case, files, also=replacing is not None, policy=None if replacing is not None else policy)
    elif go and alone is not None:
        open_alone(alone, files, policy=policy)


def _roles(files: Sequence[FileEntry]) -> list[Role]:
    """Return the parts that can be chosen: those of a LETOR file only beside one."""
    letor = any(entry.look.is_letor or entry.look.kind == "numbers" for entry in files)
    return [role for role in words.ROLES if letor or role not in _BESIDE_LETOR]  # type: ignore[misc]


def _needs(files: Sequence[FileEntry], tables: Tables, chosen: tuple[Run, Run] | None, replacing: bool) -> str:
    """Return a word of ``style.reading.NEEDS`` for what stands in the way of a comparison; "" for nothing."""
    states = {entry.status for entry in files if entry.placed.why != "unknown"}
    for word, state_ in (("asked", "asks"), ("refused", "refused")):
        if state_ in states:
            return word
    if tables.models is not None and chosen is None:
        return "one_model" if len(tables.models.runs) == 1 else "which_model"
    if replacing:
        return "" if tables.any else "replace"
    if chosen is not None:
        return ""
    missing = "".join(side for side, run in (("a", tables.a), ("b", tables.b)) if run is None)
    return "nothing" if not files else missing


def _inputs(tables: Tables, chosen: tuple[Run, Run] | None, now: Case | None) -> Case | None:
    """Return what the files make: a comparison of their own, or what is open with their tables in place of its own."""
    a, b = (_named(run, tables.queries) for run in chosen or (tables.a, tables.b))
    graded = None if tables.models is None else tables.models.judgments
    judgments = tables.judgments or graded
    if now is not None:
        given = {"a": a, "b": b, "judgments": judgments, "queries": tables.queries, "votes": tables.votes}
        new = {role: table for role, table in given.items() if table is not None}
        return with_files(now, **new).knowing_lists()
    if a is None or b is None:
        return None
    files = {"a": a, "b": b, "judgments": judgments, "queries": tables.queries, "votes": tables.votes}
    return Case.of(files).knowing_lists()


def _named(run: Run | None, queries: Queries | None) -> Run | None:
    """Return a run whose answers have the names of the queries, where these are as many; else what is wrong is told of
    its queries.
    """
    with suppress(ReadError):
        return run and name_queries(run, queries)
    return run


def with_files(case: Case, **tables: Any) -> Case:
    """Return a case with other tables. A name that somebody gave it stays; that of the demo is none of other files."""
    return replace(case, name="" if case.name == demo.NAME else case.name).with_tables(**tables)


def _graded(case: Case) -> bool:
    """Return whether anything says which documents are relevant."""
    return case.judgments is not None or any("relevance" in run.table.column_names for run in (case.a, case.b))


def _ready(case: Case) -> str:
    judgments = words.READY_INLINE if case.judgments is None else case.judgments.source.name or style.IN_MEMORY
    return words.READY.format(a=plain(case.a.name), b=plain(case.b.name), judgments=plain(judgments))


def show(case: Case | None, *, replacing: bool = False, reread: bool = False, policy: Policy | None = None) -> None:
    """Open a comparison under a policy, or that of the session with other files, and go to its verdict. ``reread``:
    they are the same files, read in another way.
    """
    if case is not None:
        with st.spinner(history_words.SAVING):
            actions.open_inputs(case, replacing=replacing, reread=reread, policy=policy)
        open_comparison.show_verdict()


def show_demo() -> None:
    """Open the demo, where its files are installed. The files of the comparison before are forgotten."""
    session.keep((), also=False)
    show(open_comparison.demo_inputs())


def open_alone(votes: Votes, files: Iterable[FileEntry] = (), *, policy: Policy) -> None:
    """Open votes that come without lists. ``files`` are those that they were read from."""
    session.keep(files, also=False)
    session.empty_boxes()
    actions.open_votes(votes, policy)
    open_comparison.show_verdict()


def compare(
    case: Case,
    files: Iterable[FileEntry] = (),
    *,
    also: bool = False,
    reread: bool = False,
    policy: Policy | None = None,
) -> None:
    """Open the comparison, or tell what is wrong with it, and leave what is open unchanged.

    ``files`` are those that it was read from; ``also``: in addition to the files of what is open. ``policy`` is None
    for the one in force; ``reread`` as for ``show``.
    """
    case = case.knowing_lists()  # as it will be opened
    with st.spinner(style.COMPARING):
        wrong = refused(case, policy or session.now().policy)
    if wrong:
        st.markdown(style.REFUSED)
        problems(wrong)
    else:
        session.keep(files, also)
        session.empty_boxes()
        show(case, replacing=also, reread=reread, policy=policy)


def two_of(place: str, models: Models) -> tuple[Run, Run] | None:
    """Return the two runs to compare, None until both are known; where the words of their names do not decide, they are
    chosen from lists that are drawn here.
    """
    if len(models.runs) < 2:
        return None
    if (by_name := _by_name(models)) is not None:
        return by_name
    names = [run.name for run in models.runs]
    columns = st.columns(2, gap="small")
    for slot, side in enumerate("ab"):
        columns[slot].selectbox(
            style.MODEL_OF[side],
            range(len(names)),
            index=None,
            placeholder=words.CHOOSE,
            format_func=names.__getitem__,
            key=f"{place}_model_{side}",
        )
    return _chosen(place, models)


def _by_name(models: Models, pair: tuple[str, str] | None = None) -> tuple[Run, Run] | None:
    """Return the runs of A and B by their two names, or by a pair; None where these do not decide."""
    try:
        return two_models(models, pair)
    except ReadError:
        return None


def _chosen(place: str, models: Models) -> tuple[Run, Run] | None:
    """Return the runs of A and B as they were chosen; None until both are."""
    at = [widgets.value_of(f"{place}_model_{side}") for side in "ab"]
    names = [models.runs[i].name for i in at if i is not None and i < len(models.runs)]
    return _by_name(models, (names[0], names[1])) if len(names) == 2 else None
