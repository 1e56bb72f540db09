"""From a per-query table, two joined runs, or votes to a comparison."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from rankdash import arrow
from rankdash.evidence.documents import derived
from rankdash.evidence.gsb import Gsb, Rated, rated
from rankdash.evidence.paired import deltas
from rankdash.judged import EXCHANGED, SIDES
from rankdash.metrics import Measure, mean
from rankdash.notes import detail, warning
from rankdash.policy import Policy
from rankdash.records import Shown, frozen, replace
from rankdash.scoring.comparison import Comparison, Likeness, Plots, values_of
from rankdash.scoring.queries import MOST_NAMED, Facts, check_weights, facts
from rankdash.scoring.rankings import ComparisonError, Rankings
from rankdash.scoring.results import QuerySample, WeighedNumbers, counts, weigh
from rankdash.scoring.score import score_queries
from rankdash.scoring.table import PerQuery, Scope, existing
from rankdash.strings import did_you_mean, nearest
from rankdash.tables import Items, Pair, Queries, Votes, side_of

if TYPE_CHECKING:
    from rankdash.evidence.experts import Expertise

#: How each word counts, seen from B.
_SIGN = {"good": 1, "bad": -1}
#: Which model stood on the left, seen from B.
_LEFT = {"B": 1, "A": -1}
#: The columns of votes that count.
_COUNTED = ("query_id", "vote", "left", "rater", "doc_id")
#: The most raters that are left out in turn: where there are more, none carries a verdict alone.
MOST_RATERS = 50
_TURNED_WORDS = {"good": "bad", "bad": "good"}
#: The code of the note on votes that were turned around; it goes when they are turned back.
TURNED = "votes_turned"


def rated_votes(votes: Votes | None) -> Rated | None:
    """Return majority labels, agreement, and ΔGSB at a balanced side; None without votes."""
    columns = _vote_numbers(votes)
    return None if columns is None else rated(**columns)


def _vote_numbers(votes: Votes | None) -> dict[str, npt.NDArray[np.int64]] | None:
    """Return votes as the arguments of ``rated``, (r,) each; None without votes."""
    if votes is None or not len(votes.table):
        return None
    columns = {name: arrow.numbered(votes.table.column(name)) for name in _COUNTED if name in votes.table.column_names}
    result = {"query": columns["query_id"].of, "vote": _worded(columns["vote"], _SIGN)}
    if "left" in columns:
        result["left"] = _worded(columns["left"], _LEFT)
    if "rater" in columns:
        named = np.array([name != "" for name in columns["rater"].values])
        result["rater"] = np.where(named[columns["rater"].of], columns["rater"].of, -1)
    return result | ({"about": columns["doc_id"].of} if "doc_id" in columns else {})


def _worded(column: arrow.Numbered, counts: Mapping[str, int]) -> npt.NDArray[np.int64]:
    """Return the number for each word of a column, (r,); 0 for a word without one."""
    return np.array([counts.get(word, 0) for word in column.values], np.int64)[column.of]


def without_each_rater(votes: Votes | None) -> Iterator[tuple[str, Rated]]:
    """Yield each rater's name and the votes without this rater; nothing for a single rater, or without names.

    Of more than MOST_RATERS, only those who voted most are left out in turn; of equals the first by name.
    """
    columns = _vote_numbers(votes)
    if votes is None or columns is None or "rater" not in columns:
        return
    named = arrow.numbered(votes.table.column("rater"))
    names, who, rows = named.values, named.of, np.bincount(named.of)
    most = np.sort(np.argsort(-rows, kind="stable")[:MOST_RATERS]) if len(names) > 1 else ()
    for rater in most:
        rest = {name: column[who != rater] for name, column in columns.items()}
        rest["query"] = np.unique(rest["query"], return_inverse=True)[1]
        yield names[rater], rated(**rest)


def swapped_votes(votes: Votes) -> Votes:
    """Return the votes seen from A: good and bad are exchanged, and so are A and B on the left."""
    table = arrow.reworded(votes.table, "vote", _TURNED_WORDS)
    if "left" in table.column_names:
        table = arrow.reworded(table, "left", EXCHANGED)
    notes = votes.source.notes
    noted = tuple(note for note in notes if note.code != TURNED)
    if len(noted) == len(notes):
        noted = (*notes, detail(TURNED, "Seen from the other side: A and B were swapped."))
    pair = None if votes.pair is None else (votes.pair[1], votes.pair[0])
    about = None if votes.about is None else (votes.about[1], votes.about[0])
    return Votes(table, replace(votes.source, notes=noted), pair, about)


def matched_votes(votes: Votes, models: Pair) -> Votes:
    """Return votes that were read before the runs, seen from the second run: turned around, with a warning, where the
    runs are called like the votes' B and A, in this order. Votes on models of other names stay as they were read.

    ComparisonError where the names do not tell which is which.
    """
    if votes.pair is None:
        return votes
    a, b = (side_of(name, models) for name in votes.pair)
    if a != "B" and b != "A":
        return votes
    if (a, b) != ("B", "A"):
        named, runs = (" and ".join(pair) for pair in (votes.pair, models))
        what = f"{votes.source.name or 'The votes'}: the votes are on {named}, and the runs are {runs}."
        raise ComparisonError(f"{what} Read the votes with pair=(A, B), or name the runs as the votes do.")
    text = f"The votes were turned around: {models[0]} is A, {models[1]} is B."
    swapped = swapped_votes(votes)
    source = replace(votes.source, notes=(*votes.source.notes, warning("votes_matched", text)))
    return replace(swapped, source=source)


@frozen
class VotesAlone(Shown, arrow.ByContent):
    """Votes without judgments: nothing but the votes decides."""

    policy: Policy
    vote_rows: Votes
    votes: Rated
    of_users = False

    def __repr__(self) -> str:
        gsb = self.votes.gsb
        return f"VotesAlone({gsb.good} good, {gsb.same} same, {gsb.bad} bad)"

    @property
    def plot(self) -> Plots:
        """Raises ComparisonError: votes alone have no figures."""
        return Plots(self)


def compare_votes(votes: Votes, policy: Policy | None = None) -> VotesAlone:
    """Return what raters say about B against A, for a verdict without judgments.

    ComparisonError for a table without rows.
    """
    said = rated_votes(votes)
    if said is None:
        raise ComparisonError(f"{votes.source.name or 'The table of votes'} holds no vote.")
    return VotesAlone(policy or Policy(), votes, said)


Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]
#: The values of each measure, (q,).
Values = tuple[Floats, ...]


def compare_joined(
    joined: Rankings,
    policy: Policy,
    measures: str | Measure | Iterable[str | Measure] = (),
    *,
    queries: Queries | None = None,
    votes: Votes | None = None,
    experts: bool = False,
) -> Comparison:
    """Return the comparison of two joined runs under a policy: scored, then weighed.

    The measures of the policy are always computed, and they come first; ``measures`` are names of further ones. With
    weights in ``queries`` every mean is weighted; ``votes`` are seen from B. ``experts``: also permutation, bootstrap,
    Wilcoxon and sign test of every measure.

    ComparisonError where a segment of the policy is no column of the queries, or too many judged queries have no weight
    and the queries do not say what these weigh; MeasureError for a measure that does not exist, or a grade that it does
    not take.
    """
    scored = score_queries(joined, policy, measures)
    return compare_scored(scored, policy, queries=queries, votes=votes, items=joined.items, experts=experts)


def compare_scored(
    scored: PerQuery,
    policy: Policy,
    *,
    queries: Queries | None = None,
    votes: Votes | None = None,
    items: Items | None = None,
    experts: bool = False,
) -> Comparison:
    """Return the comparison of a per-query table under a policy: the means, what they prove, and what is counted.

    Nothing but the table is read; ``items`` are those that it was scored with. ComparisonError as for
    ``compare_joined``, and for a policy that asks for another convention, cutoff or measure than the table was scored
    with.
    """
    _check_answers(scored.scope, policy)
    query_facts = facts(queries, scored.query_ids, policy.segments)
    _check_segments(policy, query_facts)
    check_weights(queries, query_facts)
    inferred = policy.inference == "sample"
    clusters = query_facts.clusters if inferred else None  # clusters matter only to inference
    sample = QuerySample(_population(scored, policy), query_facts.weights, query_facts.segments, clusters, inferred)
    measures, rows_a, rows_b = _policy_first(scored, policy)
    scores_a, scores_b = np.array(rows_a), np.array(rows_b)
    difference = np.empty(scores_a.shape)
    for row, a, b in zip(difference, scores_a, scores_b, strict=True):
        deltas(a, b, out=row)
    numbers = _numbers(scored, policy, (sample, query_facts), (measures, rows_a, rows_b), rated_votes(votes))
    alike = zip(scored.scope.alike, scored.values("alike"), strict=True)
    return Comparison(
        **vars(numbers),
        scored=scored,
        policy=policy,
        convention=scored.scope.convention,
        measures=measures,
        scores_a=scores_a,
        scores_b=scores_b,
        deltas=difference,
        sample=sample,
        gsb_derived=_derived(sample.of(difference[0]), inferred),
        facts=query_facts,
        likeness=tuple(Likeness(measure.name, values, *mean(values)) for measure, values in alike),
        experts=expertise_of(difference, sample) if experts else None,
        queries=queries,
        vote_rows=votes,
        items=items,
    )


def _derived(differences: Floats, inferred: bool) -> Gsb:
    """Return the derived ΔGSB; its counts alone where nothing is inferred."""
    gsb = derived(differences)
    return gsb if inferred else Gsb(gsb.good, gsb.same, gsb.bad, gsb.delta)


def expertise_of(differences: Floats, sample: QuerySample) -> tuple[Expertise, ...]:
    """Return the numbers for experts of each measure, from its differences, (measures, q)."""
    from rankdash.evidence.experts import expertise  # seldom needed

    clusters = None if sample.clusters is None else sample.of(sample.clusters)
    return tuple(expertise(sample.of(row), clusters=clusters) for row in differences)


def _numbers(
    scored: PerQuery,
    policy: Policy,
    about: tuple[QuerySample, Facts],
    values: tuple[tuple[Measure, ...], Values, Values],
    votes: Rated | None,
) -> WeighedNumbers:
    """Return what the rules read of the values of measures, those of the policy first."""
    measures, a, b = values
    sample, facts = about
    plain = weigh(policy, measures, a, b, sample, policy.mpe)
    of_a, of_b = (values_of(scored, "condensed", side, policy) for side in SIDES)
    condensed = weigh(policy, measures[: len(policy.measures)], of_a, of_b, sample)
    all_count = np.array_equal(sample.everywhere().counted, sample.counted)
    everywhere = plain.results[0].paired if all_count else sample.everywhere().pair(a[0], b[0], policy.mpe)
    compared = sample.counted & np.isfinite(a[0]) & np.isfinite(b[0])
    counted = counts(scored, policy, sample.counted, sample.everywhere().counted, facts.repeated_texts(compared))
    return WeighedNumbers(plain, condensed, everywhere, counted, votes)


def check_settings(scored: PerQuery, policy: Policy) -> None:
    """Raise ComparisonError for a table of another policy, or with the settings beside another policy."""
    _check_answers(scored.scope, policy)
    if scored.scope.neighbours is not None:
        scopes = {neighbour.name: neighbour.asked for neighbour in scored.scope.neighbours}
        for name, other in existing(policy, scored.scope.grades).items():
            if name not in scopes:
                raise _unscored(name)
            _check_answers(scopes[name], other, f" under {name}, a setting that is tried beside it")


def numbers_under(comparison: Comparison, name: str, policy: Policy) -> WeighedNumbers:
    """Return what the rules read of a comparison under a setting beside its policy, ``name`` as in ``existing``. It is
    scored from the lists, or read from the columns that the table has for that setting.

    ComparisonError where the table was not scored for it.
    """
    scored = score_queries(comparison.joined, policy) if comparison.has_lists else comparison.scored.neighbour(name)
    if scored is None:
        raise _unscored(name)
    _check_answers(scored.scope, policy)
    sample = replace(comparison.sample, counted=_population(scored, policy))
    return _numbers(scored, policy, (sample, comparison.facts), _policy_first(scored, policy), comparison.votes)


def _unscored(name: str) -> ComparisonError:
    return ComparisonError(f"These per-query values were not scored for {name}: score the runs again.")


def _check_answers(scope: Scope, policy: Policy, where: str = "") -> None:
    """Raise ComparisonError unless a table of this scope has all that the policy asks for; ``where`` names the setting
    that the scope belongs to.
    """
    lacking = [name for name in policy.measures if name not in scope.decisive]
    if scope.convention != policy.in_force or scope.cutoff != policy.cutoff or lacking:
        what = lacking[0] if lacking else f"cutoff {policy.cutoff} and its convention"
        raise ComparisonError(
            f"These per-query values were not scored for this policy, which asks for {what}{where}: "
            "score the runs again under this policy."
        )


def _policy_first(scored: PerQuery, policy: Policy) -> tuple[tuple[Measure, ...], Values, Values]:
    """Return the measures of a table, those of the policy first and in its order, with the values of A and of B."""
    scope = scored.scope
    rows = [scope.decisive.index(name) for name in policy.measures]
    rows += [row for row in range(len(scope.measures)) if row not in rows]
    a, b = (scored.rows("plain", side, rows) for side in SIDES)
    return tuple(scope.measures[row] for row in rows), a, b


def _population(scored: PerQuery, policy: Policy) -> Bools:
    """Return which queries the policy counts, (q,): all or the affected ones.

    Where the convention skips missing queries, a query that is missing from a run has no value by any measure, and does
    not count.
    """
    population = scored["changed"] if policy.population == "affected" else np.ones(len(scored), bool)
    if scored.scope.convention.missing_query != "skip":
        return population
    a, b = scored.pair("length")
    answered: Bools = population & (a > 0) & (b > 0)
    return answered


def _check_segments(policy: Policy, facts: Facts) -> None:
    missing = [column for column in policy.segments if column not in facts.segments]
    if missing:
        there = ", ".join(facts.segments) or "none"
        meant = did_you_mean(nearest(missing[0], facts.segments))
        raise ComparisonError(
            f"The policy names the segment column {missing[0]!r}, but the queries have no such column with at most "
            f"{MOST_NAMED:,} values.{meant} Segment columns there: {there}."
        )
