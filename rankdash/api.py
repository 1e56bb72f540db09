"""What ``import rankdash`` offers: the functions of the core, for tables and for whatever a reader understands.

What a comparison does not need - drivers, a single run, worked sums, the store, the verdict - is imported in the
functions that need it, so that a comparison starts at once.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar, overload

import pyarrow as pa

from rankdash import installation, records, scoring, style
from rankdash.case import Case, compared
from rankdash.conventions import STANDARD, Convention, preset
from rankdash.intake import models_of, name_queries, without_seen
from rankdash.judged import Side, inline_judgments
from rankdash.metrics import Measure, MeasureError, parse_measures
from rankdash.mistakes import check_roles
from rankdash.policy import Policy
from rankdash.reading import (
    Data,
    ReadError,
    read_interactions,
    read_items,
    read_judgments,
    read_models,
    read_queries,
    read_run,
    read_votes,
)
from rankdash.scoring import Comparison, ComparisonError, PerQuery, VotesAlone
from rankdash.tables import Items, Judgments, Models, Queries, Run, Votes, own_names, with_distinct_names

if TYPE_CHECKING:
    import pandas as pd

    from rankdash.candidates import Candidates
    from rankdash.inspect.explain import Explanation
    from rankdash.store import Store
    from rankdash.verdict import Verdict

_Table = TypeVar("_Table", Run, Judgments, Queries, Votes, Items, Models)
Measures = str | Measure | Iterable[str | Measure]

#: How a source without a name of its own is called in the problems that reading it meets.
_NAMELESS = "the table"
#: How the readers call a run of such a source.
_UNNAMED = "run"


class Demo(NamedTuple):
    """The example that the dashboard opens with: two runs of a product search, the judgments and the queries."""

    a: Run
    b: Run
    judgments: Judgments
    queries: Queries


DemoName = Literal["search", "diversity"]
DEMO_FOLDERS: Mapping[DemoName, str] = {"search": "data/demo", "diversity": "data/demo_diversity"}


@overload
def demo(name: Literal["search"] = "search") -> Demo: ...
@overload
def demo(name: Literal["diversity"]) -> tuple[Run, Run, Judgments, Queries, Items]: ...
def demo(name: DemoName = "search") -> Demo | tuple[Run, Run, Judgments, Queries, Items]:
    """Return the example data, to try rankdash with: a product search, or judgments of subtopics and items with their
    categories, dates and users.

    >>> a, b, judgments, queries = demo()
    >>> compare(a, b, judgments, queries=queries).primary.paired.n
    296
    >>> a, b, judgments, queries, items = demo("diversity")
    """
    folder = installation.resource(DEMO_FOLDERS[name])
    models = style.DEMO_MODELS[name]
    a, b = (read_run(folder / f"run_{at}.csv", name=model) for at, model in zip("ab", models, strict=True))
    judgments, queries = read_judgments(folder / "judgments.csv"), read_queries(folder / "queries.csv")
    if name == "search":
        return Demo(a, b, judgments, queries)
    return a, b, judgments, queries, read_items(folder / "items.csv")


def compare(
    a: Run | Data,
    b: Run | Data,
    judgments: Judgments | Data | None = None,
    *,
    policy: Policy | None = None,
    convention: str | Convention | None = None,
    measures: Measures = (),
    queries: Queries | Data | None = None,
    votes: Votes | Data | None = None,
    items: Items | Data | None = None,
    at: str | None = None,
    experts: bool = False,
    missing_weight: float | None = None,
    names: tuple[str, str] | None = None,
    min_grade: float | None = None,
    seen: Judgments | Data | None = None,
) -> Comparison:
    """Compare model B with model A under a policy.

    Parameters
    ----------
    a, b                       the baseline and the candidate: a Run, or whatever ``read_run`` takes
    judgments                  Judgments, or what ``read_judgments`` takes. None: the grades written beside the
                               documents of the runs, pooled; without any, what changed is compared
    policy : Policy            None: the defaults. Its measures are always computed, and they come first
    convention                 a preset's name or a ``Convention``, in place of the policy's
    measures                   names of further measures; one alone may be a string
    queries                    Queries, or what ``read_queries`` takes: texts, weights and segments of the queries. With
                               weights every mean is weighted
    votes                      Votes, or what ``read_votes`` takes: side-by-side human judgments. Models that they name
                               are matched with the names of the runs; without names they are seen from B
    items                      Items, or what ``read_items`` takes: titles, categories, dates, vectors or users of the
                               documents
    at                         when the queries were asked that have no time of their own, as in "2026-11-01"
    experts : bool             also permutation, bootstrap, Wilcoxon and sign test of every measure
    missing_weight             the weight of a judged query without one in ``queries``: 0 ignores it, 1 counts it once.
                               None: 0 for up to 5% of the judged queries; above that, choose
    names                      the names of A and B. None: those of their files
    min_grade                  the lowest grade of a relevant document, such as 4 of 5 stars: the axis ``rel``
    seen                       a table of users and items: these items are removed from the lists of their users before
                               anything is ranked

    Returns
    -------
    Comparison                 per-query values, means, paired intervals and counts; Δ is B - A

    Raises
    ------
    ReadError                  for a source that is not what it was given for, and votes whose names leave open which
                               model is A
    ComparisonError            where a run answers no judged query, a segment of the policy is
                               no column of the queries, every judged query weighs 0, too many have no weight and
                               ``missing_weight`` is not given, or Votes that were read before name only one of the
                               runs, and it is the other one
    MeasureError               for a measure that does not exist, or a grade that it does not take
    PolicyError                for a convention that does not exist

    >>> compare({"q1": {"d1": 2, "d2": 1}}, {"q1": {"d2": 2, "d1": 1}}, {"q1": {"d2": 1}}, measures="RR@10")
    Comparison('A' -> 'B': nDCG@10 0.631 -> 1.000 over 1 query, 5 measures)
    """
    asked = _queries(queries, missing_weight)
    _check_order(judgments)
    run_a, run_b, judged = _lists(a, b, judgments, asked, _seen(seen))
    if names is not None:
        run_a, run_b = _called((run_a, run_b), names)
    beside = {"queries": asked, "votes": _votes(votes, (run_a.name, run_b.name)), "items": _items(items, at)}
    case = Case.of({"a": run_a, "b": run_b, "judgments": judged, **beside})
    return _meaningful(compared(case, _policy(policy, convention, min_grade), measures=measures, experts=experts))


def compare_many(
    a: Run | Models | Data,
    candidates: Iterable[Run | Data] | Mapping[str, Run | Data] | None = None,
    judgments: Judgments | Data | None = None,
    *,
    policy: Policy | None = None,
    convention: str | Convention | None = None,
    measures: Measures = (),
    queries: Queries | Data | None = None,
    items: Items | Data | None = None,
    at: str | None = None,
    experts: bool = False,
    missing_weight: float | None = None,
    names: Sequence[str] | None = None,
    min_grade: float | None = None,
    seen: Judgments | Data | None = None,
) -> Candidates:
    """Compare several candidates with one baseline A, each as ``compare`` does; A is put in order once.

    A launch has to be proven at the level of all candidates: more of them take more evidence. A candidate that answers
    no judged query is set aside.

    Parameters
    ----------
    a                          the baseline: a Run, or whatever ``read_run`` takes
    candidates                 up to 20 of these, or a dict of them by name. None: ``a`` holds all models, as Models or
                               whatever ``read_models`` takes; without ``judgments`` its grades count
    names                      what A and the candidates are called, A first; None: as they or their files are called.
                               Where ``a`` holds all models, those that are compared; A alone: with all others
    others                     as for ``compare``

    Returns
    -------
    Candidates                 a sequence of ``Comparison``, as the candidates were given; ``verdicts``, ``best``, and
                               ``lead``, the best compared with the next best; ``summary`` is a frame

    Raises
    ------
    as ``compare``, and ComparisonError for no candidate, more than 20, or two that have the same name and path

    >>> lists = {"b": {"q1": ["d2", "d1"]}, "c": {"q1": ["d1", "d2"]}}
    >>> found = compare_many({"q1": ["d1", "d2"]}, lists, {"q1": {"d2": 1}})
    >>> found, found.lead
    (Candidates(b, c against 'A', best 'b'), Comparison('c' -> 'b': nDCG@10 0.631 -> 1.000 over 1 query, 4 measures))
    """
    from rankdash.candidates import candidates_of, check_count, names_of_files, one_of

    _check_order(judgments)
    asked, judged, gone = _queries(queries, missing_weight), _judgments(judgments), _seen(seen)
    policy = _policy(policy, convention, min_grade)
    if candidates is None:
        models = _table(a, Models, "the models", read_models)
        if isinstance(names, str):
            raise ValueError(f"names={names!r}: give a list of names, that of the baseline first.")
        (a, *candidates), names = models_of(models, names or ()), None
        judged = judged or models.judgments
    sources = [a, *(candidates.values() if isinstance(candidates, Mapping) else candidates)]
    check_count(len(sources) - 1)
    named = (name_queries(_run(source, chr(ord("A") + at)), asked) for at, source in enumerate(sources))
    runs = [without_seen(run, gone) for run in named]
    if names is None and isinstance(candidates, Mapping):
        names = (runs[0].name, *map(str, candidates))
    files = [str(source) if isinstance(source, (str, PathLike)) else "" for source in sources]
    runs = _called(runs, names or names_of_files(own_names(runs), files))
    with _naming("read_run"):
        check_roles({run.name: run for run in runs}, judged)
    judged = judged or inline_judgments(*runs)  # of all runs, so that candidates share one ideal
    known = _items(items, at)
    rankings = scoring.join_each(runs, judged, depth=2 * policy.cutoff, items=known, queries=asked)
    further = parse_measures(measures, policy.in_force)

    def pair(one: int, other: int) -> Comparison:
        case, joined = Case((runs[one], runs[other]), judged, asked, items=known), rankings(one, other)
        found = compared(case, policy, measures=further, experts=experts, rankings=lambda *_: joined)
        return _meaningful(found if one else one_of(len(runs) - 1, found))

    return candidates_of(len(runs) - 1, pair)


def score(
    a: Run | Data,
    b: Run | Data,
    judgments: Judgments | Data | None = None,
    *,
    policy: Policy | None = None,
    convention: str | Convention | None = None,
    measures: Measures = (),
    items: Items | Data | None = None,
    at: str | None = None,
) -> PerQuery:
    """Return every number about each query that a verdict and its report read, without the lists.

    Arguments and errors as for ``compare``. ``compare_scored`` gives the verdict; ``write_scored`` keeps the table.

    >>> table = score({"q1": {"d1": 2, "d2": 1}}, {"q1": {"d2": 2, "d1": 1}}, {"q1": {"d2": 1}})
    >>> compare_scored(table)
    Comparison('A' -> 'B': nDCG@10 0.631 -> 1.000 over 1 query, 4 measures)
    """
    from rankdash.scoring.score import scored_in_memory

    policy = _policy(policy, convention)
    further = parse_measures(measures, policy.in_force)
    known = _items(items, at)
    scored = _scored_files(a, b, judgments, policy, further, known)
    if scored is None:
        scored = scored_in_memory(*_lists(a, b, judgments), policy, further, items=known)
    wrong = () if scored.inputs is None else scored.inputs.wrong
    if why := [mistake.sentence for mistake in wrong or () if mistake.fatal]:
        raise ComparisonError("\n".join(why))
    return scored


def _scored_files(
    a: Any, b: Any, judgments: Any, policy: Policy, measures: Iterable[Measure], items: Items | None
) -> PerQuery | None:
    """Return the per-query table of two large files, scored block by block; None where they are read whole."""
    from rankdash.scoring.blocks import LARGE, score_files

    paths = [os.fspath(path) for path in (a, b) if isinstance(path, (str, PathLike)) and os.path.isfile(path)]
    if judgments is None or len(paths) < 2 or sum(map(os.path.getsize, paths)) <= LARGE:
        return None
    judged = _table(judgments, Judgments, "the judgments", read_judgments)
    return score_files((paths[0], paths[1]), judged, policy, measures, items=items)


def compare_scored(
    table: PerQuery | pa.Table | str | PathLike[str],
    policy: Policy | None = None,
    *,
    queries: Queries | Data | None = None,
    votes: Votes | Data | None = None,
    experts: bool = False,
    missing_weight: float | None = None,
) -> Comparison:
    """Compare model B with model A, from scored queries.

    Parameters
    ----------
    table                      what ``score`` returned, its ``to_arrow()``, or the path of a file that
                               ``write_scored`` or ``rankdash score`` wrote
    policy : Policy            None: the policy that the queries were scored for. Another one may change limits, but not
                               measures, cutoff or convention
    queries, votes, experts, missing_weight
                               as for ``compare``

    Returns
    -------
    Comparison                 as ``compare`` returns it, without documents

    Raises
    ------
    TableError                 for anything but a whole table or file of this version
    ComparisonError            for another policy than the queries were scored for
    """
    scored = _scored_table(table)
    runs = scored.inputs
    policy = _policy(policy or (None if runs is None else runs.policy), None)
    scoring.check_settings(scored, policy)
    voted = _votes(votes, None if runs is None else (runs.a.name, runs.b.name))
    weights = _queries(queries, missing_weight)
    return _meaningful(scoring.compare_scored(scored, policy, queries=weights, votes=voted, experts=experts))


def write_scored(table: PerQuery, path: str | PathLike[str]) -> None:
    """Write scored queries as one Parquet file, whole or not at all, in place of an earlier one.

    It can be moved, and opened by ``compare_scored`` and ``rankdash compare FILE``. OSError where it cannot be
    written, or its name is taken by anything else.
    """
    from rankdash.scoring.table import save as write

    write(table, Path(path))


def _check_order(judgments: Any) -> None:
    """Raise TypeError for measures in the place of the judgments, as other libraries take them."""
    named = [judgments] if isinstance(judgments, str) else judgments
    if not isinstance(named, (list, tuple)) or not named or not all(isinstance(name, str) for name in named):
        return
    try:
        parse_measures(named)
    except MeasureError:
        return
    raise TypeError(
        "judgments: measures given where judgments are expected. Write "
        f"rd.compare_many(run_1, [run_2, run_3], qrels, measures={list(named)!r}), or rd.compare for two runs."
    )


def _called(runs: Sequence[Run], names: Sequence[str]) -> list[Run]:
    """Return runs under names. ValueError for another number of names, and for one that is there twice."""
    if isinstance(names, str) or len(names) != len(runs) or len(set(names)) < len(names):
        raise ValueError(f"names={names!r}: give {len(runs)} names that differ, that of the baseline first.")
    return [run if run.name == name else run.renamed(name) for run, name in zip(runs, names, strict=True)]


def _meaningful(made: Comparison | VotesAlone) -> Comparison:
    """Return a comparison. ComparisonError where no result would mean anything, such as no query in common."""
    from rankdash.report.notes import meaningful

    return meaningful(made)


def _scored_table(table: Any) -> PerQuery:
    """Return the per-query table that something holds."""
    if isinstance(table, PerQuery):
        return table
    if isinstance(table, pa.Table):
        return PerQuery.from_arrow(table)
    if isinstance(table, (str, PathLike)):
        from rankdash.scoring.table import load as read

        return read(Path(table))
    raise TypeError(f"compare_scored takes a PerQuery, an Arrow table or a Parquet file, not a {type(table).__name__}")


def compare_votes(votes: Votes | Data, policy: Policy | None = None) -> VotesAlone:
    """Return what raters say about B against A, for a verdict without judgments.

    ``votes`` is Votes, or what ``read_votes`` takes. ComparisonError for a table without rows; ReadError as for
    ``compare``.
    """
    made = compared(Case(votes=_table(votes, Votes, "the votes", read_votes)), _policy(policy, None))
    assert isinstance(made, VotesAlone)
    return made


def evaluate(
    run: Run | Data,
    judgments: Judgments | Data | None,
    measures: Measures,
    convention: str | Convention = STANDARD,
    *,
    side: Side | None = None,
    min_grade: float | None = None,
    seen: Judgments | Data | None = None,
    queries: Queries | Data | None = None,
    items: Items | Data | None = None,
    at: str | None = None,
) -> pd.DataFrame:
    """Return per-query values of one run: query_id, measure, value; NaN where a value is undefined.

    ``run`` and ``judgments`` are tables, or what ``read_run`` and ``read_judgments`` take. Without judgments (None)
    the grades written in the run are used. ``side``, "a" or "b": only the grades for this list count, where the
    judgments tell them apart. Other arguments and errors are those of ``compare``; ConventionError for a convention
    that does not exist.

    Each judged query has a row, unless the run lacks it and the convention skips such queries. In
    ``attrs``, ``notes`` says what reading decided, what is wrong, and what did not count; ``catalogue`` has coverage,
    gini and popularity, where there are items.

    >>> evaluate({"q1": {"d1": 2.0, "d2": 1.0}}, {"q1": {"d2": 1}}, "RR").to_dict("records")
    [{'query_id': 'q1', 'measure': 'RR', 'value': 0.5}]
    """
    from rankdash.evaluate import evaluated

    own, judged = _list(run, judgments, _seen(seen))
    if min_grade is not None:
        convention = (preset(convention) if isinstance(convention, str) else convention).with_axes({"rel": min_grade})
    known: dict[str, Any] = {"items": _items(items, at), "queries": _queries(queries, None)}
    columns, told = evaluated(own, judged, measures, convention, side=side, **known)
    frame = records.frame(columns)
    read = () if judged is None else (f"judgments: {note}" for note in judged.source.notes)
    frame.attrs["catalogue"] = None if told.catalogue is None else told.catalogue.numbers
    frame.attrs["notes"] = (*map(str, (*told.run, *told.judgments, *told.measures)), *read)
    return frame


def similarity(a: Run | Data, b: Run | Data, measures: Measures) -> pd.DataFrame:
    """Return how alike the lists of two runs are: query_id, measure, value, for every query of A and then of B alone.

    ``a`` and ``b`` are runs, or what ``read_run`` takes. NaN where a list is empty. MeasureError for a measure that
    scores one list; ReadError as for ``compare``.

    >>> similarity({"q1": ["d1", "d2"]}, {"q1": ["d2", "d3"]}, "overlap@2").to_dict("records")
    [{'query_id': 'q1', 'measure': 'overlap@2', 'value': 0.3333333333333333}]
    """
    from rankdash.evaluate import similarity as similarity_of_runs

    return records.frame(similarity_of_runs(_run(a, "A"), _run(b, "B"), measures))


def explain(
    run: Run | Data,
    judgments: Judgments | Data | None,
    measure: str | Measure,
    query_id: str,
    convention: str | Convention = STANDARD,
    *,
    side: Side | None = None,
    queries: Queries | Data | None = None,
    items: Items | Data | None = None,
    at: str | None = None,
) -> Explanation:
    """Return the worked calculation of one measure on one query of a run.

    ``run``, ``judgments`` and ``queries``, ``items``, ``at`` as for ``evaluate``. A query that the run does not
    answer has an empty list. Where the judgments say which list a grade is for, ``side`` is the list that the run
    stands for, "a" or "b" (None: all grades count). MeasureError for a measure that does not exist or compares two
    lists, and for a query without judgments.

    >>> explain({"q1": ["d1", "d2"]}, {"q1": {"d2": 1}}, "AP", "q1")
    Explanation(AP of 'q1': 0.5)
    """
    from rankdash.inspect.explain import explain as explain_run

    own, given = _list(run, judgments)
    judged = given or inline_judgments(own)
    if judged is None:
        raise MeasureError(f'There are no judgments for {own.name}, and it has no column "relevance".')
    known: dict[str, Any] = {"items": _items(items, at), "queries": _queries(queries, None)}
    return explain_run(own, judged, measure, str(query_id), convention, side=side, **known)


def save(comparison: Comparison | VotesAlone | Candidates, *, name: str = "") -> str:
    """Save a comparison where the dashboard and ``rankdash list`` find it; returns its id, of several candidates, which
    are saved together, that of the first.

    ``name`` is what it is called ("": after its two models). It is saved with its tables, names and policy, and with
    its verdict as it is now, which counts as a look. ``rankdash open ID`` opens it; further measures and tests are not
    saved. It needs the extra ``store``: ModuleNotFoundError says how to get it. rankdash.store.StoreError where it
    cannot be saved, ComparisonError for a comparison that was made of per-query values, TypeError for anything else.
    """
    from rankdash.candidates import Candidates

    if not isinstance(comparison, (Comparison, VotesAlone, Candidates)):
        raise TypeError(f"save takes what compare or compare_votes returns, not a {type(comparison).__name__}")
    store = _store()
    from rankdash.store import State, content_of, new_id, state_of

    several = isinstance(comparison, Candidates)
    aside = comparison.set_aside if isinstance(comparison, Candidates) else ()
    every = [(content_of(one), one) for one in (comparison if isinstance(comparison, Candidates) else [comparison])]
    states = (state_of(content, State(name, policy=one.policy, set_aside=aside)) for content, one in every)
    rows = [(content, state, one) for (content, one), state in zip(every, states, strict=True)]
    return store.create_seen(*rows, group=new_id() if several else "")[0].id


def load(id: str, *, missing_weight: float | None = None) -> Comparison | VotesAlone:
    """Return a saved comparison by its id, as the dashboard shows it: with its edits, under its policy, and as one of
    the candidates that were compared with its A.

    The id is what ``save`` returned; the link of the dashboard has it too. ``missing_weight`` as for ``compare``;
    None: as it was saved. Errors as for ``save`` and ``compare``; StoreError for an id that does not exist, was
    deleted, or lost a table.
    """
    store = _store()
    saved = store.load(str(id))
    if missing_weight is not None:
        queries = _queries(saved.content.queries, missing_weight)
        saved = replace(saved, content=replace(saved.content, queries=queries))
    from rankdash.candidates import one_of
    from rankdash.store import comparison_of

    found = comparison_of(saved.content, saved.state)
    return one_of(store.candidates(saved, *store.group(saved)), found) if isinstance(found, Comparison) else found


def report(
    comparison: Comparison | VotesAlone | Candidates,
    path: str | PathLike[str] | None = None,
    *,
    format: str | None = None,
    verdict: Verdict | None = None,
    name: str = "",
) -> bytes:
    """Return the verdict on a comparison as one HTML page, or in another form; it is written to ``path`` too.

    Parameters
    ----------
    comparison                 what ``compare``, ``compare_many``, ``compare_scored``, ``compare_votes`` or ``load``
                               returned
    path                       where it is written, whole or not at all; None: nowhere
    format : str               "html", "markdown", "junit", "json", "csv" or "parquet". None: the one
                               that the ending of the path stands for, without a path "html"
    verdict : Verdict          None: that of the comparison's policy, looked at once; of several candidates their own
    name : str                 what the comparison, or several, are called on the page

    Raises
    ------
    ValueError                 for a form or an ending that there is not, or that this comparison cannot have, such as
                               values per query where there are only votes
    OSError                    where the file cannot be written

    >>> import json
    >>> content = report(compare({"q1": ["d1", "d2"]}, {"q1": ["d2", "d1"]}, {"q1": {"d2": 1}}), format="json")
    >>> json.loads(content)["queries"]["compared"]
    1
    """
    from rankdash.candidates import Candidates
    from rankdash.report import ExportError, exported, format_of
    from rankdash.report.sections import Reported
    from rankdash.system import permissions, write_whole
    from rankdash.verdict.decide import decide

    try:
        form = format or ("html" if path is None else format_of(str(path)))
    except ExportError as error:
        raise ExportError(f"{error} Or name one with format=.") from None
    if isinstance(comparison, Candidates):
        if verdict is not None:
            raise ExportError("A verdict is for one comparison. Several candidates have their own.")
        from rankdash.report import candidates

        content = candidates.exported(comparison, form, name=name)
    else:
        content = exported(Reported(comparison, decide(comparison) if verdict is None else verdict, name=name), form)
    if path is not None:
        write_whole(Path(path), content, permissions(path))
    return content


def _store() -> Store:
    """Return the store that the environment names. ModuleNotFoundError, with what to do, where a package is missing
    that saved comparisons need.
    """
    store = installation.imported("rankdash.store")
    opened: Store = store.Store.open(store.Settings.from_environment())
    return opened


def _policy(policy: Policy | None, convention: str | Convention | None, min_grade: float | None = None) -> Policy:
    """Return the policy, None: the defaults, under a convention in place of its own, with the grade from which on
    documents are relevant. TypeError for anything else.
    """
    if policy is not None and not isinstance(policy, Policy):
        do = "Policy(primary=...), or Policy.from_toml(text) of a file"
        raise TypeError(f"policy: {type(policy).__name__} given where Policy is expected: {do}")
    policy = policy or Policy()
    return (policy if convention is None else policy.changed(convention=convention)).relevant_from(min_grade)


def _run(source: Any, name: str) -> Run:
    """Return the run of a source; called ``name`` where neither a file nor the reader says how."""
    if isinstance(source, Run):
        return source
    run = _table(source, Run, name if name.startswith("the ") else f"run {name}", read_run)
    is_named = run.source.name or run.name != _UNNAMED
    return run if is_named else replace(run, name=name.removeprefix("the "))


def _queries(source: Any, missing_weight: float | None) -> Queries | None:
    """Return the table of queries of a source; ``missing_weight`` replaces a weight that is absent."""
    if missing_weight is None:
        return None if source is None else _table(source, Queries, "the queries", read_queries)
    if source is None:
        raise ComparisonError(f"missing_weight is {missing_weight!r}, but there is no table of queries.")
    return _table(source, Queries, "the queries", read_queries).weighing(missing_weight)


def _items(source: Any, at: str | None) -> Items | None:
    """Return the items of a source, with the time of the queries. ComparisonError for an invalid time."""
    if source is None:
        if at is not None:
            raise ComparisonError(f"at is {at!r}, but there is no table of items with the dates of the documents.")
        return None
    items = _table(source, Items, "the items", read_items)
    try:
        return items if at is None else items.asked_at(str(at))
    except ValueError as error:
        raise ComparisonError(f"at: {error}") from None


def _lists(
    a: Any, b: Any, judgments: Any, queries: Queries | None = None, seen: Judgments | None = None
) -> tuple[Run, Run, Judgments | None]:
    """Return the runs and the judgments of a comparison, their queries by the same names. ReadError for judgments that
    were given as a run, and for answers that name no queries beside another number of queries.
    """
    paths = [str(source) if isinstance(source, (str, PathLike)) else "" for source in (a, b)]
    run_a, run_b = (name_queries(_run(source, side), queries) for side, source in (("A", a), ("B", b)))
    run_a, run_b = (without_seen(run, seen) for run in with_distinct_names(run_a, run_b, (paths[0], paths[1])))
    judged = _judgments(judgments)
    with _naming("read_run"):
        check_roles({"A": run_a, "B": run_b}, judged, [name for name, run in (("A", a), ("B", b)) if run is judgments])
    return run_a, run_b, judged


def _list(run: Any, judgments: Any, seen: Judgments | None = None) -> tuple[Run, Judgments | None]:
    """Return a single run and its judgments. ReadError as for ``_lists``."""
    own, judged = without_seen(_run(run, "the run"), seen), _judgments(judgments)
    with _naming("read_run"):
        check_roles({"the run": own}, judged, ["the run"] if run is judgments else [])
    return own, judged


def _judgments(source: Any) -> Judgments | None:
    return None if source is None else _table(source, Judgments, "the judgments", read_judgments)


def _seen(source: Any) -> Judgments | None:
    return None if source is None else _table(source, Judgments, "seen", read_interactions)


def _votes(source: Any, models: tuple[str, str] | None) -> Votes | None:
    """Return the votes on two models, seen from the second one. ReadError, or ComparisonError for Votes, where their
    names do not tell which is which.
    """
    if source is None:
        return None
    votes = _table(source, Votes, "the votes", partial(read_votes, models=models))
    return votes if models is None else scoring.matched_votes(votes, models)


def _table(source: Any, kind: type[_Table], called: str, read: Callable[[Any], _Table]) -> _Table:
    """Return the table itself, or that of a source. ReadError and TypeError say which argument is meant."""
    if isinstance(source, kind):
        return source
    if isinstance(source, (Run, Judgments, Queries, Votes, Items, Models)):
        raise TypeError(f"{called}: {type(source).__name__} given where {kind.__name__} is expected")
    try:
        with _naming(f"read_{kind.__name__.lower()}"):
            return read(source)
    except TypeError as error:
        raise TypeError(f"{called}: {error}") from error
    except ReadError as error:
        called_so = partial(replace, file=called)
        problems = [called_so(problem) if problem.file == _NAMELESS else problem for problem in error.problems]
        raise type(error)(problems, error.count, error.reader) from None


@contextmanager
def _naming(reader: str) -> Iterator[None]:
    """Have a ReadError say which reader takes the arguments that it names: what is called here does not."""
    try:
        yield
    except ReadError as error:
        raise type(error)(error.problems, error.count, reader) from None
