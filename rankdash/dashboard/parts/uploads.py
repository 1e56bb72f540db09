"""Uploads: a place for each part, any of which accepts all files. A refused file changes nothing that is open, and
mistakes between files are shown before they are compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from rankdash import style
from rankdash.api import DemoName
from rankdash.candidates import ASIDE, MOST as MOST_CANDIDATES, names_of_files
from rankdash.case import Case
from rankdash.dashboard import demo
from rankdash.dashboard.kit import widgets
from rankdash.dashboard.kit.literal import NAME, plain, problems, short
from rankdash.dashboard.parts import dropzone, verdict_parts
from rankdash.dashboard.parts.dropzone import entries, tables_of
from rankdash.dashboard.results import cached
from rankdash.dashboard.session import actions, open_comparison, session, verdicts
from rankdash.dashboard.session.session import DroppedFile, FileEntry, box_of
from rankdash.evidence.documents import judgment_kind
from rankdash.intake import Given, Role, models_of, name_queries, side_in_name
from rankdash.metrics import MeasureError
from rankdash.mistakes import Mistake, labels_alike, mistakes, off_the_scale
from rankdash.policy import FIELDS, Policy, PolicyError
from rankdash.reading import LIMITS, ReadError, megabytes
from rankdash.report.notes import refusals
from rankdash.sandbox.processes import MOST, warm
from rankdash.scoring import SIDES, ComparisonError, UnweightedError, WeightGap, inline_judgments
from rankdash.style import history as history_words, reading as words
from rankdash.tables import Judgments, Models, Queries, Run, Votes, own_names, with_distinct_names
from rankdash.wording import count

#: What a user's files can be wrong in. Anything else is our mistake, and is allowed to show itself.
MISTAKES = (ReadError, ComparisonError, MeasureError, PolicyError)


#: From this number of rows in both lists on, a comparison is computed only on request.
_LARGE = 200_000


def chosen_policy(place: str, *, replacing: bool = False) -> Policy:
    """Return the policy under which a form compares: that in force with other files of the same comparison; of a new
    one the default policy, unless somebody says in the form that the one in force stays.
    """
    default, now = session.DEFAULT_POLICY, session.now().policy
    if replacing or now == default:
        return now
    names = ", ".join(row.label for name, row in FIELDS.items() if getattr(now, name) != getattr(default, name))
    about = words.KEEP_POLICY_HELP.format(fields=names)
    return now if st.checkbox(words.KEEP_POLICY, key=f"{place}_keep_policy", help=about) else default


def lacking(case: Case, policy: Policy) -> str:
    """Show the mistakes between the files of a case under a policy; return a key of ``NEEDS`` if it cannot be compared,
    else "".

    Large files are compared only on request.
    """
    reasons = _fatal(case, policy)
    for mistake in between(case):
        sentence = mistake.sentence if mistake.problem is None else mistake.problem.phrase("page")
        (st.error if mistake.fatal else st.warning)(plain(sentence), icon=":material/warning:")
    fatal = [mistake for mistake in between(case) if mistake.fatal]
    if reasons and not fatal:
        problems(reasons)
    return "asked" if any(mistake.problem for mistake in fatal) else "apart" if reasons else ""


def _fatal(case: Case, policy: Policy) -> list[str]:
    """Return why a case cannot be compared, in sentences; of a large case only what is known without comparing."""
    reasons = [mistake.sentence for mistake in between(case) if mistake.fatal]
    is_large = sum(len(run.table) for run in case.runs or ()) >= _LARGE
    return reasons or ([] if is_large else refused(case, policy))


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


@cached()
def between(case: Case) -> tuple[Mistake, ...]:
    """Return what is wrong between the files of a case."""
    wrong = mistakes(case.a, case.b, case.judgments, case.queries, case.votes)
    if tuple(side_in_name(run.name)[0] for run in (case.a, case.b)) == ("b", "a"):
        wrong = (Mistake("a", words.EXCHANGED.format(a=case.a.name, b=case.b.name)), *wrong)
    if case.judgments is None:
        return wrong
    grades, judged = grades_in(case.judgments), case.judgments
    return (*wrong, *labels_alike(grades, len(judged.table), judged.source), *off_the_scale(grades))


@cached()
def grades_in(*tables: Judgments | Run) -> tuple[float, ...]:
    """Return the different grades in some tables, the least first."""
    columns = (table.table.column("relevance") for table in tables if "relevance" in table.table.column_names)
    return tuple(sorted({grade for column in columns for grade in column.unique().to_pylist() if grade == grade}))


def asked_threshold(place: str, grades: Sequence[float], policy: Policy) -> Policy | None:
    """Ask from which grade a document is relevant, where every grade is positive. Return the policy with the answer;
    None until there is one.
    """
    if judgment_kind(grades, 0, None, policy.judgments, policy.scoring.rel)[1] != "threshold":
        return policy
    answers = dict(verdict_parts.thresholds(grades, policy))
    with st.container(border=True, key=f"{place}_threshold_asked"):
        chosen = st.segmented_control(words.THRESHOLD, [*answers], key=f"{place}_threshold")
    return answers.get(str(chosen))


# --- the weight of judged queries without one: a question if many have none ---


def weight_question(gap: WeightGap, queries: Queries) -> None:
    """Ask in place of an open comparison, which has no verdict before it is answered. The answer is saved with it."""
    judged, say = open_comparison.nouns().queries_of(gap.of, "judged "), open_comparison.spoken
    table = plain(short(queries.source.name, NAME)) or say(words.WEIGHTS_TABLE)
    with st.container(border=True, key="missing_weight"):
        said = words.WEIGHTS_LACK.format(lacking=count(gap.count), judged=judged, table=table)
        st.markdown(f":orange[:material/help:] {said}")
        some = ", ".join(f"“{plain(short(id, NAME))}”" for id in gap.lacking)
        st.caption(say(words.WEIGHTS_WHY).format(some=some))
        shown = words.WEIGHTS_CHOICES.__getitem__
        weight = st.segmented_control(say(words.WEIGHTS_ASK), gap.answers, format_func=shown, key="weigh_missing")
    if weight is not None:
        actions.change_tables(lambda case: case.weighing(weight))
        st.rerun()


# --- files in: a place for each part, which takes all of them. A refused file changes nothing that is open ---


#: The parts of a comparison that a file fills, if they differ from its own part.
_FILLS = {"candidate": "b", "scores_a": "a", "scores_b": "b", "both": "ab"}


def form(place: str, replacing: Case | None = None) -> None:
    """Draw the places where files are dropped, a card for each file, and the button that compares them. Every place
    takes files of every kind.

    With ``replacing``, what no file is given for is taken from the comparison that is open, and a run whose name tells
    nothing is a new B.
    """
    places = {"": st.container()} if replacing else dict(zip((*SIDES, "judgments"), st.columns(3), strict=True))
    body = st.container()
    more = {} if replacing else {"more": st.expander(words.OPTIONAL)}
    given = [file for at, where in {**places, **more}.items() for file in _dropped(place, at, where)]
    if not given:
        warm(MOST)  # a comparison is of two files
    with body:
        _filled(place, replacing, places, given)


def _filled(
    place: str, replacing: Case | None, places: Mapping[str, DeltaGenerator], given: Sequence[DroppedFile]
) -> None:
    """Draw what was dropped, what is missing in each place, and the button."""
    policy = chosen_policy(place, replacing=replacing is not None) if given else session.now().policy
    with st.container(key=f"{place}_said"):
        asked = st.container()
        placed = entries(place, given, "a" if replacing is None else "b", partial(_names, place, replacing))
        for entry in sorted(placed, key=lambda one: (one.status != "refused", [*words.ROLES].index(one.role))):
            dropzone.card(place, entry, _roles(placed, several=replacing is None))
    tables = tables_of(placed)
    further = [entry.table for entry in placed if entry.role == "candidate" and entry.table is not None]
    if further and not {"b", "both"} & tables.keys():
        tables["b"] = further.pop(0)
    for part in filter(None, places):
        _state(places[part], part, placed, tables)
    with asked:
        chosen = compared_of(place, tables["both"], replacing) if "both" in tables else ()
        further += chosen[2:]
        needs = _needs(placed, tables, chosen, replacing is not None)
        if needs == "a" and (unclear := _unclear(placed)):
            _ask_baseline(place, unclear)
            needs = "which_model"
    needs = needs or _beyond(further, tables, replacing)
    case = None if needs else _inputs(tables, chosen, replacing)
    others = _several(case, further, policy) if case is not None and further else []
    if others:
        case = others.pop(0)
    elif further and not needs:
        case, needs = None, "apart"
    others = others or _others_again(tables, replacing)
    with asked:
        settled, needs, policy = _settled(place, case, needs, policy)
        _offer_numbers(place, placed, case)
    alone = tables.get("votes") if replacing is None and needs in ("nothing", "ab", "judgments") else None
    cases = () if settled is None else (settled, *others)
    undone = replacing is not None and any(one.edits for one in (replacing, *verdicts.cases()))
    if _pressed(place, placed, cases, alone, needs, words.REPLACES[undone] if replacing is not None else ""):
        if cases:
            compare(cases[0], placed, cases[1:], also=replacing is not None, policy=policy)
        elif alone is not None:
            open_alone(alone, placed, policy=policy)


def _dropped(place: str, at: str, where: DeltaGenerator) -> list[DroppedFile]:
    """Draw a place where files are dropped, and return those that are there."""
    is_first = at in ("", "a")
    key = f"{place}_files" if is_first else f"{place}_files_{at}"
    where.file_uploader(
        words.DROP[at],
        accept_multiple_files=True,
        key=key,
        max_upload_size=LIMITS.upload // 1_000_000,
        help=words.DROP_HELP.format(limit=megabytes(LIMITS.upload), parts=words.MOST_PARTS) if is_first else None,
    )
    # What it returned is a copy of all bytes. What it holds is not written to; of a file that is gone it has no name.
    held = widgets.value_of(key)
    return [DroppedFile(file.file_id, Given(file.name, file), at) for file in held if hasattr(file, "name")]


def _state(where: DeltaGenerator, part: str, placed: Sequence[FileEntry], tables: Mapping[str, Any]) -> None:
    """Say in its place which file gives a part, or that it is missing."""
    fills = [e for e in placed if part in _FILLS.get(e.role, (e.role,))]
    # If no file fills the part, show the file dropped here that still has an open question.
    fills = fills or [e for e in placed if (e.role, e.status, e.file.at) == ("none", "asks", part)]
    both = tables["both"].judgments if "both" in tables else None
    graded = [table for table in (both, *map(tables.get, ("judgments", *SIDES))) if table is not None]
    if fills:
        entry = next((entry for entry in fills if entry.role == part), fills[0])
        label, icon, colour = words.STATUS[entry.status]
        label = f":gray[{label}]" if entry.status in _WAITS.values() else ""
        more = words.AND_MORE.format(n=len(fills) - 1) if len(fills) > 1 else ""
        where.markdown(f":{colour}[{icon}] {plain(short(entry.look.name, NAME))} {label} {more}")
    elif {entry.role for entry in placed} <= {"votes"}:
        where.caption(words.HOLDS[part])
    elif part == "judgments" and grades_in(*graded):
        where.caption(words.GRADES_BESIDE)
    else:
        said = "votes" if part == "judgments" and "votes" in tables else part
        said = "which" if part == "a" and _unclear(placed) else said
        where.caption(f":orange[:material/warning:] {words.MISSING[said]}")


def _offer_numbers(place: str, placed: Sequence[FileEntry], case: Case | None) -> None:
    """Draw the button that matches ids as numbers where some match only so, and the one that takes it back."""
    is_on = any(entry.decisions.ids_as_numbers for entry in placed)
    if is_on or (case is not None and any(mistake.as_numbers for mistake in between(case))):
        act, args = dropzone.match_ids, (place, placed, not is_on)
        st.button(words.MATCH_IDS[is_on], key=f"{place}_match_ids", icon=":material/link:", on_click=act, args=args)


def _names(place: str, now: Case | None, tables: Mapping[str, Any]) -> tuple[str, str] | None:
    """Return the names of the runs that would be compared; None where there are not two yet."""
    if "both" in tables:
        chosen = _chosen(place, tables["both"])
        return (chosen[0].name, chosen[1].name) if len(chosen) == 2 else None
    a, b = tables.get("a") or (now and now.a), tables.get("b") or (now and now.b)
    named = with_distinct_names(a, b) if a and b else None
    return named and (named[0].name, named[1].name)


def _settled(place: str, case: Case | None, needs: str, policy: Policy) -> tuple[Case | None, str, Policy]:
    """Show the mistakes between the files, and ask for the lowest relevant grade where the files do not say it.
    Return the case (None until the question is answered), what is missing, and the policy with the answer.
    """
    if case is None:
        return None, needs, policy
    grades = grades_in(*((case.a, case.b) if case.judgments is None else (case.judgments,)))
    if not grades:  # beside lists that nothing judges the votes decide
        return (case, needs, policy) if case.votes is None else (None, "judgments", policy)
    if lacks := lacking(case, policy):
        return None, lacks, policy
    answered = asked_threshold(place, grades, policy)
    return (None, "threshold", policy) if answered is None else (case, needs, answered)


def _pressed(
    place: str, files: Sequence[FileEntry], cases: Sequence[Case], alone: Votes | None, needs: str, replaces: str
) -> bool:
    """Draw the button, and beside it what will be compared, A with each candidate or votes ``alone``, and what that
    ``replaces``, or what is missing; return whether it was pressed.
    """
    with st.container(horizontal=True, vertical_alignment="center"):
        go = st.button(style.COMPARE, type="primary", disabled=not cases and not alone, key=f"{place}_compare")
        if cases:
            names = ", ".join(plain(short(one.b.name, NAME)) for one in cases)
            st.caption(f"{words.READY.format(a=plain(short(cases[0].a.name, NAME)), b=names)} {replaces}")
        elif alone is not None:
            st.caption(words.ONLY_VOTES.format(name=plain(alone.source.name)))
        else:
            waiting = next((entry.look.name for entry in files if entry.status == _WAITS.get(needs)), "")
            st.caption(words.NEEDS[needs].format(file=plain(short(waiting, NAME))))
    return go


def _roles(files: Sequence[FileEntry], *, several: bool) -> list[Role]:
    """Return the parts that can be chosen. Scores and sizes need a LETOR file, and further candidates need
    ``several``.
    """
    letor = any(entry.look.is_letor or entry.look.kind == "numbers" for entry in files)
    left_out = (() if letor else session.BESIDE) + (() if several else ("candidate",))
    return [role for role in words.ROLES if role not in left_out]  # type: ignore[misc]


#: The status of a file that is in the way, by the word of ``NEEDS``.
_WAITS = {"asked": "asks", "refused": "refused"}


def _needs(files: Sequence[FileEntry], tables: Mapping[str, Any], chosen: Sequence[Run], replacing: bool) -> str:
    """Return a word of ``style.reading.NEEDS`` for what stands in the way of a comparison; "" for nothing."""
    states = {entry.status for entry in files if entry.status == "asks" or entry.placed.why != "unknown"}
    for word, state in _WAITS.items():
        if state in states:
            return word
    if "both" in tables and len(chosen) < 2:
        return "one_model" if len(tables["both"].runs) == 1 else "which_model"
    if replacing:
        return "" if tables else "replace"
    if chosen:
        return ""
    return "".join(side for side in "ab" if side not in tables) if files else "nothing"


def _beyond(further: Sequence[Run], tables: Mapping[str, Any], replacing: Case | None) -> str:
    """Return a word of ``NEEDS`` for why these further candidates cannot be compared; "" where they can."""
    if further and replacing is not None:
        return "one"
    return "many" if len(further) >= MOST_CANDIDATES else "votes" if further and "votes" in tables else ""


def _inputs(tables: Mapping[str, Any], chosen: Sequence[Run], now: Case | None) -> Case | None:
    """Return the case that the files make: a new one, or the open one with their tables."""
    a, b = (_named(run, tables.get("queries")) for run in chosen[:2] or (tables.get("a"), tables.get("b")))
    graded = tables["both"].judgments if "both" in tables else None
    given = {**tables, "a": a, "b": b, "judgments": tables.get("judgments") or graded}
    files = {role: table for role, table in given.items() if table is not None and role != "both"}
    if now is not None:
        return with_files(now, **files).knowing_lists()
    return None if a is None or b is None else Case.of(files).with_distinct_names().knowing_lists()


def _others_again(tables: Mapping[str, Any], now: Case | None) -> list[Case]:
    """Return the other candidates that are open beside ``now``, of a new file with several models that has them too."""
    others = [one for one in verdicts.cases() if now is not None and "both" in tables and one.b.name != now.b.name]
    same = ((one, by_name(tables["both"], (one.a.name, one.b.name))) for one in others)
    return [new for one, runs in same if runs and (new := _inputs(tables, runs, one)) is not None]


def _named(run: Run | None, queries: Queries | None) -> Run | None:
    """Return a run with its answers named after the queries; unchanged if their numbers differ (shown later)."""
    with suppress(ReadError):
        return run and name_queries(run, queries)
    return run


def with_files(case: Case, **tables: Any) -> Case:
    """Return a case with other tables. It keeps a name that a user gave it, but not the name of a demo."""
    return replace(case, name="" if case.name in style.DEMO_NAMES.values() else case.name).with_tables(**tables)


def show_demo(which: DemoName) -> None:
    """Open a demo. The files of the comparison before are forgotten."""
    session.keep((), also=False)
    _show(demo.case(which), policy=demo.POLICIES.get(which))


def _show(case: Case, *others: Case, **how: Any) -> None:
    """Open a comparison, and go to its verdict, or to those of several candidates; arguments as for ``open_inputs``."""
    with st.spinner(history_words.SAVING):
        actions.open_inputs(case, *others, **how)
    open_comparison.show_opened()


def open_alone(votes: Votes, files: Iterable[FileEntry] = (), *, policy: Policy) -> None:
    """Open votes that come without lists. ``files`` are those that they were read from."""
    session.keep(files, also=False)
    session.empty_boxes()
    actions.open_votes(votes, policy)
    open_comparison.show_verdict()


def compare(
    case: Case,
    files: Iterable[FileEntry] = (),
    others: Iterable[Case] = (),
    *,
    also: bool = False,
    reread: bool = False,
    policy: Policy | None = None,
) -> None:
    """Open the comparison, or show what is wrong with it and leave the open comparison unchanged.

    ``files`` are its files; ``also``: they are added to the files of the open comparison. ``others`` are A with
    further candidates; those that cannot be compared are set aside. ``policy`` None: the current one;
    ``reread``: the same files are read in another way.
    """
    every = [one.knowing_lists() for one in (case, *others)]  # as they will be opened
    with st.spinner(style.COMPARING):
        wrong = [refused(one, policy or session.now().policy) for one in every]
    good = [one for one, reasons in zip(every, wrong, strict=True) if not reasons]
    if not good or (also and wrong[0]):
        st.markdown(style.REFUSED)
        problems(wrong[0])
    else:
        session.keep(files, also)
        session.empty_boxes()
        aside = tuple(ASIDE.format(" ".join(reasons)) for reasons in wrong if reasons)
        _show(*good, replacing=also, reread=reread, policy=policy, set_aside=aside)


def _several(case: Case, further: Sequence[Run], policy: Policy) -> list[Case]:
    """Return A with each candidate, those first that can be compared, and say why others cannot. Return none where two
    have one name.
    """
    runs = [case.a, case.b, *(_named(run, case.queries) or run for run in further)]
    try:
        names = names_of_files(own_names(runs), [run.source.name for run in runs])
    except ComparisonError as error:
        problems([str(error)])
        return []
    a, *others = (run.renamed(name) for run, name in zip(runs, names, strict=True))
    judgments = case.judgments or inline_judgments(a, *others)
    pairs = [replace(case, runs=(a, other), judgments=judgments) for other in others]
    wrong = [_fatal(pair, policy) for pair in pairs]
    if any(wrong) and not all(wrong):
        problems(ASIDE.format(reason) for reasons in wrong for reason in reasons)
    return [pair for _, pair in sorted(zip(wrong, pairs, strict=True), key=lambda both: bool(both[0]))]


def _unclear(placed: Sequence[FileEntry]) -> list[FileEntry]:
    """Return the runs that may be A, where neither names nor places decide."""
    runs = [entry for entry in placed if entry.role in ("b", "candidate") and not entry.look.side]
    return runs if len(runs) > 1 and all(entry.role != "a" for entry in placed) else []


def _ask_baseline(place: str, runs: Sequence[FileEntry]) -> None:
    """Ask which of several runs is A; the answer is a wish for its file."""
    key, box = f"{place}_baseline", box_of(place)
    names = [entry.look.name for entry in runs]
    _which_a(names, key, on_change=lambda: box.wish(runs[widgets.value_of(key)].token, "a"))


def _which_a(names: Sequence[str], key: str, **how: Any) -> None:
    """Draw the list in which A is chosen."""
    st.selectbox(words.WHICH_A, range(len(names)), None, names.__getitem__, key=key, placeholder=words.CHOOSE, **how)


def compared_of(place: str, models: Models, now: Case | None) -> tuple[Run, ...]:
    """Return A and the candidates of a file with several models, or the models of the comparison that is open ``now``;
    none until A is known. Where the names do not tell, A is chosen from a list that is drawn here, and of several
    candidates some can be left out.
    """
    if now is not None and (same := by_name(models, (now.a.name, now.b.name))):
        return same
    names = [run.name for run in models.runs]
    if len(names) > 1 and not by_name(models):
        _which_a(names, f"{place}_model_a")
    several = _chosen(place, models)
    if len(several) > 2:
        others = [run.name for run in several[1:]]
        key = f"{place}_candidates_{names.index(several[0].name)}"
        kept = [several[0].name, *st.multiselect(words.CANDIDATES, others, others, key=key)]
        several = tuple(run for run in several if run.name in kept)
    return several


def by_name(models: Models, named: Sequence[str] = ()) -> tuple[Run, ...]:
    """Return A and candidates by their names; none where these do not decide."""
    with suppress(ReadError):
        return models_of(models, named)
    return ()


def _chosen(place: str, models: Models) -> tuple[Run, ...]:
    """Return A, by its name or as it was chosen, and all other models; none until it is."""
    at = widgets.value_of(f"{place}_model_a")
    return by_name(models) if at is None else by_name(models, [run.name for run in models.runs[at : at + 1]])
