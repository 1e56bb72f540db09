"""What is said about the inputs and the queries of a comparison: notes, mistakes, and which queries count."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from rankdash import arrow, wording
from rankdash.arrow import Strings
from rankdash.conventions import preset_name
from rankdash.metrics import Measure, uncovered
from rankdash.mistakes import Input, Mistake, labels_alike, off_the_scale, unmet_tables
from rankdash.notes import Medium, Note, detail, phrased, warning
from rankdash.records import frozen, remembered
from rankdash.scoring import SIDES, Comparison, ComparisonError, Noticed, Side, VotesAlone
from rankdash.scoring.queries import MOST_EXPLORED, MOST_NAMED
from rankdash.scoring.results import rises
from rankdash.scoring.score import wrong_between
from rankdash.tables import Source
from rankdash.wording import count, literal, percent, signed


@frozen
class InputNotes:
    """An input, where it came from, and the notes on it; mistakes between it and others are notes ``mistake``."""

    input: Input
    source: Source
    notes: tuple[Note, ...]


def input_notes(comparison: Comparison | VotesAlone) -> tuple[InputNotes, ...]:
    """Return the notes on every input of a comparison: A, B, the judgments, and what is given beside them."""
    votes = comparison.vote_rows
    of_votes = {} if votes is None else {"votes": (votes.source, votes.source.notes)}
    if isinstance(comparison, VotesAlone):
        return tuple(InputNotes("votes", *one) for one in of_votes.values())
    noted: dict[Any, tuple[Source, tuple[Note, ...]]] = {
        **{side: (comparison.inputs.run(side).source, _run_notes(comparison, side)) for side in SIDES},
        "judgments": (comparison.inputs.judgments, _judgment_notes(comparison)),
    }
    if comparison.queries is not None:
        noted["queries"] = (comparison.queries.source, comparison.queries.source.notes)
    if comparison.items is not None:
        noted["items"] = (comparison.items.source, (*comparison.items.source.notes, *_of_items(comparison)))
    wrong = [(mistake.input, warning("mistake", mistake.sentence)) for mistake in mistakes_of(comparison)]
    return tuple(
        InputNotes(name, source, (*notes, *(note for about, note in wrong if about == name)))
        for name, (source, notes) in (noted | of_votes).items()
    )


#: The notes on an order in doubt, which a verdict on judgments says as its caveat ``order``.
_SAID_BY_CAVEAT = frozenset({"scores_rise", "level_scores"})


def _of_items(comparison: Comparison) -> tuple[Note, ...]:
    """Return how many listed documents are no items, and how many documents have no date where gains fade."""
    if comparison.catalogue is None:
        return ()
    a, b = comparison.catalogue
    fades = any(measure.fades for measure in comparison.measures)
    said = {
        "unmet": wording.unmet(a.k, a.shown + b.shown, a.unknown + b.unknown),
        "undated": wording.undated(comparison.inputs.undated, int(comparison.scored["judgments"].sum()))
        if fades
        else "",
    }
    called = wording.nouns(comparison.of_users)
    return tuple(warning(code, called.say(text)) for code, text in said.items() if text)


def notes_of(comparison: Comparison | VotesAlone, *, verbose: bool = False) -> tuple[str, ...]:
    """Return the warnings as lines for a terminal, which begin with the input and contain no character that acts there;
    with ``verbose`` the details too. Mistakes between files are not among them, nor what the caveat ``order`` says.
    """
    lines, elsewhere = list[str](), {"mistake"}
    if isinstance(comparison, Comparison) and comparison.is_judged:
        elsewhere |= _SAID_BY_CAVEAT
    if comparison.votes is not None and comparison.votes.repeated:
        elsewhere.add("votes_repeat")
    for noted in input_notes(comparison):
        called = noted.input.upper() if noted.input in SIDES else noted.input
        where = f"{called} ({noted.source.name})" if noted.source.name else called
        notes = phrased((note for note in noted.notes if note.code not in elsewhere), "shell", verbose=verbose)
        lines += [f"{where}: {note}" for note in notes]
    if isinstance(comparison, Comparison):
        lines += [f"Convention: {note}" for note in convention_notes(comparison)]
    called = wording.nouns(comparison.of_users).say("Queries")
    lines += [f"{called}: {note}" for note in phrased(query_notes(comparison), "shell", verbose=verbose)]
    return tuple(map(literal, lines))


def preset_of(comparison: Comparison) -> str | None:
    """Return the name by which the policy names the convention, or that of the preset that it equals."""
    convention = comparison.policy.convention
    return convention if isinstance(convention, str) else preset_name(comparison.convention)


def convention_notes(comparison: Comparison) -> tuple[str, ...]:
    """Return that some measures are not those of the convention’s tools, in one sentence; nothing where all are."""
    return wording.uncovered(uncovered(comparison.measures, preset_of(comparison)))


def _run_notes(comparison: Comparison, side: Side) -> tuple[Note, ...]:
    """Return what reading a run decided, and what its lists showed."""
    run = comparison.inputs.run(side)
    findings = comparison.scored.noticed.findings(side)
    noted = run.source.has("no_score")
    return (*run.source.notes, *wording.list_notes(findings, run.ordered_by, side.upper(), noted=noted))


def _judgment_notes(comparison: Comparison) -> tuple[Note, ...]:
    """Return what reading the judgments decided, and where they contradict themselves."""
    below = wording.below_zero(comparison.scored.scope.grades, comparison.convention.negative)
    beneath = [warning("below_zero", below)] if below else []
    return (*comparison.inputs.judgments.notes, *_conflicts(comparison.scored.noticed), *beneath)


#: The notes of readers that no rule or caveat knows of.
_UNCHECKED = ("own_order", "may_be_scores", "may_be_grades", "ranks_mixed", "decimals_lost", "may_be_raters")


def unchecked_problems(comparison: Comparison, medium: Medium = "api") -> tuple[str, ...]:
    """Return, for a medium, the problems that can change the verdict, and that no rule or caveat reports: mistakes
    between files, numbers that may be something else, errors in the place of grades, contradictory grades and repeated
    documents where they are at least 1% of the grades or rows, rank and score that disagree in every other list, and a
    model with a tenth of the judged documents of the other one.
    """
    noticed, called = comparison.scored.noticed, wording.nouns(comparison.of_users)
    many = 100 * noticed.conflicts >= int(comparison.scored["judgments"].sum())
    codes = {*_UNCHECKED, *(["judgments_contradict"] * many)}
    graded = codes | {"lost_grades"}
    own = codes if comparison.inputs.judgments.sha256 else graded  # grades in the runs count where no file has them
    said = [mistake.sentence for mistake in mistakes_of(comparison) if mistake.unchecked]
    for side, found in ((side, noticed.findings(side)) for side in SIDES):
        if found.duplicates and 100 * found.duplicates >= found.rows:
            more = called.say("more than once for a query. The first place counts.")
            said.append(f"{side.upper()} lists {called.documents_of(found.duplicates)} {more}")
        if found.disagreements and 2 * found.disagreements >= found.lists and not found.contradicted:
            rows, by = wording.count(found.disagreements, "row", "rows"), comparison.inputs.run(side).ordered_by
            said.append(f"In {side.upper()} rank and score disagree at {rows}. The {by} was used.")
    said += _hardly_judged(comparison)
    notes = ((f"{side.upper()}: ", note) for side in SIDES for note in _run_notes(comparison, side) if note.code in own)
    judged = (("", note) for note in _judgment_notes(comparison) if note.code in graded)
    return (*dict.fromkeys(said), *(f"{of}{note.phrase(medium)}" for of, note in (*notes, *judged)))


def _hardly_judged(comparison: Comparison) -> list[str]:
    """Return that hardly a document of one model is judged, as where its ids are those of other queries."""
    counts, called = comparison.counts, wording.nouns(comparison.of_users)
    (less, few), (more, many) = sorted(((counts.judged_a or 0.0, "A"), (counts.judged_b or 0.0, "B")))
    if not 0 < 10 * less < more:
        return []
    shares = f"Only {percent(less)} of {few}’s top {comparison.policy.cutoff} are judged, {percent(more)} of {many}’s."
    return [f"{shares} {called.say(f'Check the query and document ids of {few}.')}"]


def _conflicts(noticed: Noticed) -> list[Note]:
    notes, first = [], noticed.first
    if noticed.repeated:
        notes.append(detail("judgments_repeat", f"Judgments that repeat an earlier one: {noticed.repeated:,}."))
    if first is not None:
        kept, other = map(wording.grade_text, (first.kept, first.other))
        text = (
            f"Judgments that contradict an earlier one: {noticed.conflicts:,}. The first counts: "
            f'"{first.query_id}", "{first.doc_id}" has {kept}, not {other}. For their mean, average them first.'
        )
        notes.append(warning("judgments_contradict", text))
    return notes


#: From this grade on, gain 2^grade - 1 makes one document outweigh all others.
_LARGE_GRADE = 10


@remembered  # it looks at every row, and a page, its notes and a report each ask
def mistakes_of(comparison: Comparison) -> tuple[Mistake, ...]:
    """Return every mistake between the files of a comparison, each in one sentence."""
    wrong = comparison.inputs.wrong
    if wrong is None:  # of a table without lists that was not checked nothing is known
        wrong = wrong_between(comparison.joined, comparison.scored) if comparison.has_lists else ()
    ids = Strings(comparison.scored.query_ids)
    beside = unmet_tables(comparison.queries, comparison.vote_rows, ids, comparison.inputs.judgments)
    grades, judged = comparison.scored.scope.grades, int(comparison.scored["judgments"].sum())
    alike = labels_alike(grades, judged, comparison.inputs.judgments)
    alike = () if comparison.counts.kind == "positive_only" else alike  # which says nothing else
    return (*wrong, *beside, *alike, *off_the_scale(grades), *_large_grades(comparison))


def refusals(comparison: Comparison) -> list[str]:
    """Return why no result would mean anything, one sentence each: a run answers no judged query."""
    return [mistake.sentence for mistake in mistakes_of(comparison) if mistake.fatal]


def meaningful(comparison: Comparison | VotesAlone) -> Comparison:
    """Return a comparison of lists. ComparisonError where no result would mean anything."""
    assert isinstance(comparison, Comparison)
    if why := refusals(comparison):
        raise ComparisonError("\n".join(why))
    return comparison


def _large_grades(comparison: Comparison) -> list[Mistake]:
    """Return a warning where grades are gains already, and would be raised to a power of two."""
    largest = max(comparison.scored.scope.grades, default=0.0)
    if comparison.convention.gain != "exp2" or largest < _LARGE_GRADE:
        return []
    gain = 2**largest - 1  # exact, for measures refuse grades for which it is not
    return [
        Mistake(
            "judgments",
            f"The largest grade is {largest:g}. This convention turns it into a gain of {gain:,.0f}, which outweighs "
            "all others. If grades are gains already, use linear gain.",
        )
    ]


def query_notes(comparison: Comparison | VotesAlone) -> tuple[Note, ...]:
    """Return the notes on the queries of a comparison, in the order of FACTS: a warning where one can change a number,
    and no caveat says so.
    """
    if isinstance(comparison, VotesAlone):
        n = comparison.votes.repeated
        return (warning("repeated_votes", inflected(_SAYS["repeated_votes"], n).format(n=count(n))),) if n else ()
    notes, say = [], wording.nouns(comparison.of_users).say
    for name, n in query_numbers(comparison).items():
        parts = _PARTS[name](comparison, n) if n and name in _PARTS else {}
        sentence = inflected(say(_SAYS[name]), n).format(**_common_parts(comparison, n), **parts) if n else ""
        note = (warning if name in _WARNINGS else detail)(name, sentence)
        notes += [note] if sentence else []  # another row may say it
    return tuple(notes)


def compared_queries(comparison: Comparison) -> str:
    """Return how many queries the verdict is about, and where these are not all, of how many judged queries."""
    n, judged, called = comparison.primary.paired.n, comparison.counts.judged, wording.nouns(comparison.of_users)
    if n == judged or not comparison.is_judged:
        return called.queries_of(judged)
    return f"{n:,} of {called.queries_of(judged, 'judged ')}"


def query_numbers(comparison: Comparison) -> dict[str, int]:
    """Return the number of each row of FACTS, 0 where it does not apply."""
    return {name: number(comparison) for name, number in FACTS.items()}


#: Words by a number: [one|several].
_FORMS = re.compile(r"\[([^\[|\]]*)\|([^\[\]]*)\]")


def inflected(text: str, n: int) -> str:
    """Return a text in which [one|several] goes by a number."""
    return _FORMS.sub(r"\1" if n == 1 else r"\2", text)


def _common_parts(comparison: Comparison, n: int) -> dict[str, str]:
    """Return the parts that several sentences have."""
    named = "" if comparison.queries is None else comparison.queries.source.name
    judged, counted = comparison.counts.judged, comparison.primary.paired.n
    called, which = wording.nouns(comparison.of_users), "judged " if comparison.is_judged else ""
    return {
        "n": count(n),
        "of_judged": f"{n:,} of {called.queries_of(judged, which)}",
        "of_all": f"{n:,} of {called.queries_of(len(comparison.scored), which)}",
        "counted": called.say(count(counted, "query that counts is", "queries that count are")),
        "table": f"“{named}”" if named else called.say("the table of queries"),
    }


def _each(numbers: Mapping[str, int], text: str) -> str:
    """Return the names with their numbers, one behind the other; ``text`` says how."""
    return ", ".join(inflected(text, n).format(name=name, n=count(n)) for name, n in numbers.items())


def _instead(value: str, n: int) -> str:
    """Return what queries count that have no value: left out where ``value`` is "skip"."""
    return inflected("[It is|They are] left out" if value == "skip" else f"[It counts|They count] as {value}", n)


def _unweighted_parts(comparison: Comparison, n: int) -> dict[str, str]:
    decided = None if comparison.queries is None else comparison.queries.missing_weight
    return {"counts": inflected("[It counts|They count] as 1" if decided else "[It does|They do] not count", n)}


def _weighted(comparison: Comparison) -> int:
    """Return the number of queries that count, where some of them count more than others."""
    paired = comparison.primary.paired
    return paired.n if paired.n_eff != paired.n and paired.delta_unweighted is not None else 0


def _weighted_parts(comparison: Comparison, n: int) -> dict[str, str]:
    paired = comparison.primary.paired
    return {
        "equal": count(int(paired.n_eff or 0), "unweighted one", "unweighted ones"),
        "once": f"{comparison.primary.label} {signed(paired.delta_unweighted)}",
    }


def _unaffected(comparison: Comparison) -> int:
    """Return the number of queries that the policy leaves out: the first k of A and B are the same."""
    counts = comparison.counts
    return counts.judged - counts.affected if comparison.policy.population == "affected" else 0


def _missing_parts(comparison: Comparison, n: int) -> dict[str, str]:
    """Return what queries without results count; nothing where the row ``undefined`` says it of the primary measure."""
    skips, counts = comparison.scored.scope.convention.missing_query == "skip", comparison.counts
    if not comparison.is_judged or (not skips and comparison.measures[0].definition.empty is None):
        return {"instead": ""}
    both = comparison.policy.population == "affected" and counts.missing_a and counts.missing_b and not skips
    where = inflected(" where only one model lacks [it|them]", n) if both else ""
    return {"instead": f" {_instead('skip' if skips else '0', n)}{where}."}


def _losing(comparison: Comparison) -> dict[tuple[int, str], list[Measure]]:
    """Return the measures that some queries leave without anything to find, by the number of these queries and the
    value that they have instead.
    """
    losing: dict[tuple[int, str], list[Measure]] = {}
    weighs = comparison.sample.everywhere().counted
    for measure in comparison.measures if comparison.is_judged else ():
        row, found = measure.definition, rises(comparison.scored, measure)
        if row.lacking is None or found is None or found[weighs].all():
            continue
        skips = measure.convention.no_relevant == "skip"
        instead = measure.convention.no_relevant if skips or row.substitute else "0"
        losing.setdefault((int((~found & weighs).sum()), instead), []).append(measure)
    return losing


def _without_relevant_parts(comparison: Comparison, _: int) -> dict[str, str]:
    """Return a sentence for each number of queries: of measures with the same number these are the same queries."""
    losing, sentences, called = _losing(comparison), [], wording.nouns(comparison.of_users)
    rows = [measure.definition for measure in comparison.measures]
    concerned = sum(row.lacking is not None or (row.empty is None and "rel" in row.axes) for row in rows)
    for (n, instead), measures in losing.items():
        are_all = len(measures) == concerned
        binary = are_all or any("rel" in measure.definition.axes for measure in measures)
        what = called.say("no relevant document" if binary else "no document that gains")
        where = "" if are_all else f" in {', '.join(measure.label for measure in measures)}"
        of_judged = _common_parts(comparison, n)["of_judged"]
        sentences.append(f"{inflected(f'{of_judged} [has|have]', n)} {what}. {_instead(instead, n)}{where}.")
    return {"sentences": " ".join(sentences)}


def _undefined(comparison: Comparison) -> dict[str, int]:
    """Return measures without a value on some queries that count, with the number of these queries."""
    results = comparison.results if comparison.is_judged else ()
    return {result.label: result.paired.n_dropped for result in results if result.paired.n_dropped}


def _unknown_parts(comparison: Comparison, n: int) -> dict[str, str]:
    facts = comparison.facts
    if facts.gap is not None and not facts.texts and not facts.segments:
        return {"said": ""}  # of a table of weights alone: they have none, which another row says
    return {"said": inflected("{of_judged} [is|are] missing in {table}.", n).format(**_common_parts(comparison, n))}


def _not_compared_parts(comparison: Comparison, n: int) -> dict[str, str]:
    share = comparison.facts.unjudged_weight
    return {"weight": "" if share is None else f" {inflected('[It has|They have]', n)} {percent(share)} of the weight."}


def _voted(comparison: Comparison) -> tuple[int, int]:
    """Return how many queries have votes, and how many of these are not judged."""
    rows = comparison.vote_rows
    if rows is None or not len(rows.table):
        return 0, 0
    ids = rows.array("query_id").unique()
    return len(ids), int(np.count_nonzero(arrow.positions(ids, comparison.scored.query_ids) < 0))


#: Every fact about queries and the tables beside them, as the number of queries, columns or votes that it is about:
#: first which queries count, then what else is known of them.
FACTS: Mapping[str, Callable[[Comparison], int]] = MappingProxyType(
    {
        "unweighted": lambda compared: 0 if compared.facts.gap is None else compared.facts.gap.count,
        "weightless": lambda compared: compared.facts.weightless,
        "weighted": _weighted,
        "groups": lambda compared: compared.primary.paired.clusters or 0,
        "unaffected": _unaffected,
        "missing_a": lambda compared: compared.counts.missing_a,
        "missing_b": lambda compared: compared.counts.missing_b,
        "without_relevant": lambda compared: max((n for n, _ in _losing(compared)), default=0),
        "undefined": lambda compared: max(_undefined(compared).values(), default=0),
        "unjudged_a": lambda compared: compared.scored.noticed.findings_a.unjudged_queries,
        "unjudged_b": lambda compared: compared.scored.noticed.findings_b.unjudged_queries,
        "unknown": lambda compared: compared.facts.unknown,
        "not_compared": lambda compared: compared.facts.unjudged,
        "repeated_texts": lambda compared: compared.counts.repeated_texts or 0,
        "columns_without_segments": lambda compared: len(compared.facts.unsplit),
        "voted_alone": lambda compared: _voted(compared)[1],
        "repeated_votes": lambda compared: 0 if compared.votes is None else compared.votes.repeated,
    }
)
#: The facts that say which queries the verdict is about, because of a table beside the judgments.
DECIDING = ("unweighted", "weightless", "groups")
#: The facts that can change a number, and have no caveat.
_WARNINGS = ("unweighted", "undefined", "columns_without_segments", "repeated_votes")
_NO_RESULT = "{of_judged} [has|have] no results in %s.{instead}"
_UNJUDGED = "{n} [query|queries] of %s [has|have] no judgments and [does|do] not count."
#: What each fact says: [one|several] goes by its number.
_SAYS: Mapping[str, str] = {
    "unweighted": "{of_all} [has|have] no weight in {table}. {counts}.",
    "weightless": "{of_all} [has|have] weight 0 in {table} and [does|do] not count.",
    "weighted": "{n} weighted [query is|queries are] worth {equal}. Without weights: {once}.",
    "groups": "{counted} in {n} [group|groups]. Intervals, tests and minimum numbers count groups, because queries of "
    "a group are alike. ΔGSB does not count groups.",
    "unaffected": "{of_judged} [does|do] not count: A and B have the same first {k}. The policy counts only changed "
    "lists.",
    "missing_a": _NO_RESULT % "A",
    "missing_b": _NO_RESULT % "B",
    "without_relevant": "{sentences}",
    "undefined": "Undefined, and left out of the mean: {each}.",
    "unjudged_a": _UNJUDGED % "A",
    "unjudged_b": _UNJUDGED % "B",
    "unknown": "{said}",
    "not_compared": "{n} [query|queries] in {table} [has|have] no judgments and [does|do] not count.{weight}",
    "repeated_texts": "{n} queries that count share their text with another one.",
    "columns_without_segments": f"Not used as segments: {{each}}. A column of segments has 2 to {MOST_EXPLORED} "
    f"values, or up to {MOST_NAMED:,} if the policy names it.{{weight}}",
    "voted_alone": "{n} of {voted} with votes [has|have] no judgments. [Its|Their] votes still count in ΔGSB.",
    "repeated_votes": "{n} repeated [vote|votes]. Only a rater’s last vote on a query counts.",
}
#: What else a sentence needs.
_PARTS: Mapping[str, Callable[[Comparison, int], Mapping[str, str]]] = {
    "unweighted": _unweighted_parts,
    "weighted": _weighted_parts,
    "unaffected": lambda compared, n: {"k": str(compared.policy.cutoff)},
    "missing_a": _missing_parts,
    "missing_b": _missing_parts,
    "without_relevant": _without_relevant_parts,
    "undefined": lambda compared, n: {
        "each": _each(_undefined(compared), wording.nouns(compared.of_users).say("{name} on {n} [query|queries]"))
    },
    "unknown": _unknown_parts,
    "not_compared": _not_compared_parts,
    "columns_without_segments": lambda compared, n: {
        "each": _each(compared.facts.unsplit, "“{name}” (values: {n})"),
        "weight": " No query has a weight: if this is the weight, choose its column."
        if compared.facts.weights is None
        else "",
    },
    "voted_alone": lambda compared, n: {"voted": wording.nouns(compared.of_users).queries_of(_voted(compared)[0])},
}
