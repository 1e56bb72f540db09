"""What is said about the inputs and the queries of a comparison: notes, mistakes, and which queries count."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from rankdash import arrow, wording
from rankdash.arrow import Strings
from rankdash.conventions import preset_name
from rankdash.evaluate import note_findings
from rankdash.metrics import uncovered
from rankdash.mistakes import Input, Mistake, labels_alike, unmet_tables
from rankdash.notes import Note, detail, phrased, warning
from rankdash.scoring import SIDES, Comparison, Noticed, Side, VotesAlone
from rankdash.scoring.queries import MOST_EXPLORED, MOST_NAMED
from rankdash.scoring.results import rises
from rankdash.scoring.score import wrong_between
from rankdash.tables import Source
from rankdash.wording import count, literal, number, percent, signed

#: How many notes on an input a terminal shows.
_MOST = 20


@dataclass(frozen=True)
class InputNotes:
    """The notes on an input, and where it came from."""

    input: Input
    source: Source
    notes: tuple[Note, ...]


def input_notes(comparison: Comparison | VotesAlone) -> tuple[InputNotes, ...]:
    """Return the notes on every input of a comparison: A, B, the judgments and, where given, queries and votes."""
    inputs: list[InputNotes] = []
    votes, queries = comparison.vote_rows, None
    if isinstance(comparison, Comparison):
        sources = {side: comparison.inputs.run(side).source for side in SIDES}
        inputs += [InputNotes(side, source, run_notes(comparison, side)) for side, source in sources.items()]
        inputs.append(InputNotes("judgments", comparison.inputs.judgments, judgment_notes(comparison)))
        queries = comparison.queries
    if queries is not None:
        inputs.append(InputNotes("queries", queries.source, queries.source.notes))
    if votes is not None:
        inputs.append(InputNotes("votes", votes.source, votes.source.notes))
    return tuple(inputs)


def notes_of(comparison: Comparison | VotesAlone, *, verbose: bool = False) -> tuple[str, ...]:
    """Return the warnings as lines for a terminal, which begin with the input and contain no character that acts there;
    with ``verbose`` the details too.

    Of many notes on an input, the first are returned, and how many more there are.
    """
    lines: list[str] = []
    for noted in input_notes(comparison):
        called = noted.input.upper() if noted.input in SIDES else noted.input
        where = f"{called} ({noted.source.name})" if noted.source.name else called
        notes = phrased(noted.notes, "shell", verbose=verbose)
        lines += [f"{where}: {note}" for note in notes[:_MOST]]
        if more := len(notes) - _MOST:
            lines += [f"{where}: and {count(more, 'more note', 'more notes')}."] if more > 0 else []
    if isinstance(comparison, Comparison):
        lines += [f"Convention: {note}" for note in convention_notes(comparison)]
        lines += [f"Measures: {note}" for note in measure_notes(comparison)]
    return tuple(map(literal, lines))


def preset_of(comparison: Comparison) -> str | None:
    """Return the name by which the policy names the convention, or that of the preset that it equals."""
    convention = comparison.policy.convention
    return convention if isinstance(convention, str) else preset_name(comparison.convention)


def convention_notes(comparison: Comparison) -> tuple[str, ...]:
    """Return that some measures are not those of the convention’s tools, in one sentence; nothing where all are."""
    return wording.uncovered(uncovered(comparison.measures, preset_of(comparison)))


def measure_notes(comparison: Comparison) -> tuple[str, ...]:
    """Return which measures only describe the lists, in one sentence; nothing where none does."""
    names = [result.label for result in comparison.results if result.describes]
    only, of_it = ("describes", "it") if len(names) == 1 else ("describe", "them")
    return (f"{', '.join(names)} only {only} the lists: no query is won or lost by {of_it}.",) if names else ()


def run_notes(comparison: Comparison, side: Side) -> tuple[Note, ...]:
    """Return what reading a run decided, and what its lists showed."""
    run = comparison.inputs.run(side)
    findings = comparison.scored.noticed.findings(side)
    return (*run.source.notes, *note_findings(findings, run.ordered_by, run.source, side.upper()))


def judgment_notes(comparison: Comparison) -> tuple[Note, ...]:
    """Return what reading the judgments decided, and where they contradict themselves."""
    below = wording.below_zero(comparison.scored.scope.grades, comparison.convention.negative)
    beneath = [warning("below_zero", below)] if below else []
    return (*comparison.inputs.judgments.notes, *_conflicts(comparison.scored.noticed), *beneath)


def _conflicts(noticed: Noticed) -> list[Note]:
    notes, first = [], noticed.first
    if noticed.repeated:
        repeated = count(noticed.repeated, "judgment repeats", "judgments repeat")
        notes.append(detail("judgments_repeat", f"{repeated} an earlier one; nothing changes."))
    if first is not None:
        text = (
            f"{count(noticed.conflicts, 'judgment contradicts', 'judgments contradict')} an earlier one, the first "
            f'was kept: query "{first.query_id}", document "{first.doc_id}" has {number(first.kept, 0)} '
            f"and {number(first.other, 0)}."
        )
        notes.append(warning("judgments_contradict", text))
    return notes


#: From this grade on, gain 2^grade - 1 makes one document outweigh all others.
_LARGE_GRADE = 10


def mistakes_of(comparison: Comparison) -> tuple[Mistake, ...]:
    """Return every mistake between the files of a comparison, each in one sentence."""
    wrong = comparison.inputs.wrong
    if wrong is None:  # of a table without lists that was not checked nothing is known
        wrong = wrong_between(comparison.joined, comparison.scored) if comparison.has_lists else ()
    between = [Mistake(mistake.input, mistake.sentence, mistake.fatal) for mistake in wrong]
    ids = Strings(comparison.scored.query_ids)
    beside = unmet_tables(comparison.queries, comparison.vote_rows, ids, comparison.inputs.judgments)
    return (*between, *beside, *all_alike(comparison), *_large_grades(comparison))


def all_alike(comparison: Comparison) -> tuple[Mistake, ...]:
    """Return the mistake of labels that are all the same, of which no rule of the verdict knows."""
    scored = comparison.scored
    return labels_alike(scored.scope.grades, int(scored["judgments"].sum()))


def refusals(comparison: Comparison) -> list[str]:
    """Return why no result would mean anything, one sentence each: a run answers no judged query."""
    return [mistake.sentence for mistake in mistakes_of(comparison) if mistake.fatal]


def notes_about(mistakes: tuple[Mistake, ...], name: Input) -> tuple[Note, ...]:
    """Return the mistakes about an input as warnings."""
    return tuple(warning("mistake", mistake.sentence) for mistake in mistakes if mistake.input == name)


def _large_grades(comparison: Comparison) -> list[Mistake]:
    """Return a warning where grades are gains already, and would be raised to a power of two."""
    largest = max(comparison.scored.scope.grades, default=0.0)
    if comparison.convention.gain != "exp2" or largest < _LARGE_GRADE:
        return []
    gain = 2**largest - 1  # exact, for measures refuse grades for which it is not
    return [
        Mistake(
            "judgments",
            f"The largest grade is {number(largest, 0)}, and this convention makes 2^{number(largest, 0)} − 1 = "
            f"{gain:,.0f} of it: one document outweighs all others. Such grades are gains already; use linear gain.",
        )
    ]


@dataclass(frozen=True)
class Fact:
    """A fact about the queries: the ``number`` of queries that it is about, and the sentence about them; "" where
    another row has it.

    ``decides``: because of a table beside the judgments, it says which queries the verdict is about.
    """

    number: Callable[[Comparison], int]
    says: Callable[[Comparison, int], str]
    decides: bool = False


@dataclass(frozen=True)
class QueryNote:
    """What a row of FACTS says about a comparison; ``number`` is never 0."""

    name: str
    number: int
    sentence: str
    decides: bool


def query_notes(comparison: Comparison | VotesAlone) -> tuple[QueryNote, ...]:
    """Return the notes on the queries of a comparison, in the order of FACTS."""
    if isinstance(comparison, VotesAlone):
        repeated = comparison.votes.repeated
        return (QueryNote("repeated_votes", repeated, _repeated(repeated), False),) if repeated else ()
    numbers = query_numbers(comparison)
    notes = (
        QueryNote(name, numbers[name], fact.says(comparison, numbers[name]), fact.decides)
        for name, fact in FACTS.items()
        if numbers[name]
    )
    return tuple(note for note in notes if note.sentence)


def compared_queries(comparison: Comparison) -> str:
    """Return how many queries the verdict is about, and where these are not all, of how many judged queries."""
    n, judged = comparison.primary.paired.n, comparison.counts.judged
    if n == judged:
        return count(n, "query", "queries")
    return f"{n:,} of {count(judged, 'judged query', 'judged queries')}"


def query_lines(comparison: Comparison | VotesAlone) -> list[str]:
    """Return the notes on the queries as lines for a terminal."""
    return [f"Queries: {literal(note.sentence)}" for note in query_notes(comparison)]


def query_numbers(comparison: Comparison) -> dict[str, int]:
    """Return the number of each row of FACTS, 0 where it does not apply."""
    return {name: fact.number(comparison) for name, fact in FACTS.items()}


# --- what weighs, and counts -----------------------------------------------------------------------------------------


def _table(comparison: Comparison) -> str:
    name = "" if comparison.queries is None else comparison.queries.source.name
    return f"“{name}”" if name else "the table of queries"


def _judged(comparison: Comparison, n: int, singular: str, plural: str, of: int | None = None) -> str:
    """Return "3 of 100 judged queries have", with the verb in the number of ``n``."""
    judged = count(comparison.counts.judged if of is None else of, "judged query", "judged queries")
    return f"{n:,} of {judged} {singular if n == 1 else plural}"


def _unweighted(comparison: Comparison, n: int) -> str:
    decided = None if comparison.queries is None else comparison.queries.missing_weight
    what = "weighs 1" if n == 1 else "weigh 1 each"
    if not decided:
        what = "does not count" if n == 1 else "do not count"
    why = "" if decided is None else ", as was decided"
    lacking = _judged(comparison, n, "has", "have", of=len(comparison.scored))
    return f"{lacking} no weight in {_table(comparison)}, and {what}{why}."


def _weightless(comparison: Comparison, n: int) -> str:
    does = "does" if n == 1 else "do"
    weighing = _judged(comparison, n, "weighs", "weigh", of=len(comparison.scored))
    return f"{weighing} 0 in {_table(comparison)}, and {does} not count."


def _weighted(comparison: Comparison) -> int:
    """Return the number of queries that count, where some of them count more than others."""
    paired = comparison.primary.paired
    return paired.n if paired.is_weighted and paired.delta_unweighted is not None else 0


def _weighted_says(comparison: Comparison, n: int) -> str:
    paired = comparison.primary.paired
    votes = "" if comparison.votes is None else " Votes count each query once."
    return (
        f"{count(n, 'query counts', 'queries count')} by weight, as much as {count(int(paired.n_eff))} equal ones; "
        f"counting each once, Δ{comparison.primary.label} is {signed(paired.delta_unweighted)}.{votes}"
    )


def _groups(comparison: Comparison, n: int) -> str:
    queries = count(comparison.primary.paired.n, "query that counts is", "queries that count are")
    of_votes = "" if comparison.votes is None else "; those of ΔGSB count queries"
    return (
        f"{queries} in {count(n, 'group', 'groups')}; queries of a group are alike, so intervals, tests and limits of "
        f"measures count groups{of_votes}."
    )


def _unaffected(comparison: Comparison) -> int:
    """Return the number of queries that the policy leaves out: the first k of A and B are the same."""
    counts = comparison.counts
    return counts.judged - counts.affected if comparison.policy.population == "affected" else 0


def _unaffected_says(comparison: Comparison, n: int) -> str:
    does = "does" if n == 1 else "do"
    top = f"the first {comparison.policy.cutoff} of A and B are the same"
    return f"{_judged(comparison, n, does, does)} not count: {top}, and the policy counts those that differ in list."


def _missing(name: str) -> Callable[[Comparison, int], str]:
    def says(comparison: Comparison, n: int) -> str:
        left_out = comparison.scored.scope.convention.missing_query == "skip"
        what = _left_out_or(left_out, "0", n)
        return f"{_judged(comparison, n, 'has', 'have')} no result in {name}; {what}."

    return says


def _losing(comparison: Comparison) -> dict[tuple[int, str, str], list[str]]:
    """Return the names of the measures that some queries leave without anything to find: by the number of these
    queries, what they lack, and the value that they have instead.
    """
    losing: dict[tuple[int, str, str], list[str]] = {}
    weighs = comparison.sample.everywhere().counted
    for measure in comparison.measures:
        row, found = measure.definition, rises(comparison.scored, measure)
        if row.lacking is None or found is None or found[weighs].all():
            continue
        what = "no relevant document" if "rel" in row.axes else "no document that gains"
        skip = measure.convention.no_relevant == "skip"
        instead = "skip" if skip else measure.convention.no_relevant if row.substitute else "0"
        losing.setdefault((int((~found & weighs).sum()), what, instead), []).append(measure.label)
    return losing


def _without_relevant(comparison: Comparison, n: int) -> str:
    losing = _losing(comparison)
    losers = sum(map(len, losing.values()))
    concerned = sum(measure.definition.lacking is not None for measure in comparison.measures)
    if losers == concerned and len({(number, instead) for number, _, instead in losing}) == 1:
        instead = next(iter(losing))[2]  # whatever a measure asks for, no ranking can be good on these queries
        return f"{_judged(comparison, n, 'has', 'have')} no relevant document; {_counts(instead, n)}."
    return " ".join(
        f"{_judged(comparison, number, 'has', 'have')} {what}; {_counts(instead, number)} in {', '.join(names)}."
        for (number, what, instead), names in losing.items()
    )


def _counts(instead: str, n: int) -> str:
    return _left_out_or(instead == "skip", instead, n)


def _left_out_or(left_out: bool, value: str, n: int) -> str:
    if left_out:
        return "it is left out" if n == 1 else "they are left out"
    return f"it counts {value}" if n == 1 else f"they count {value}"


def _undefined(comparison: Comparison) -> dict[str, int]:
    """Return measures without a value on some queries that count, with the number of these queries."""
    return {result.label: result.paired.n_dropped for result in comparison.results if result.paired.n_dropped}


def _undefined_says(comparison: Comparison, n: int) -> str:
    undefined = _undefined(comparison)
    if len(undefined) == len(comparison.results) and len(set(undefined.values())) == 1:
        return f"No measure has a value on {count(n, 'query', 'queries')} that would count."
    each = (f"{name} on {count(n, 'query', 'queries')}" for name, n in undefined.items())
    return f"Without a value, and left out of their means: {', '.join(each)}."


def _unjudged(side: str) -> Callable[[Comparison, int], str]:
    def says(comparison: Comparison, n: int) -> str:
        what = "has no judgments, and does" if n == 1 else "have no judgments, and do"
        return f"{count(n, 'query', 'queries')} of {side} {what} not count."

    return says


# --- what the table of queries and the votes hold --------------------------------------------------------------------


def _unknown(comparison: Comparison, n: int) -> str:
    facts = comparison.facts
    if facts.gap is not None and not facts.texts and not facts.segments:
        return ""  # of a table of weights alone: they have none
    whom = "it" if n == 1 else "them"
    return f"{_judged(comparison, n, 'is', 'are')} not in {_table(comparison)}: nothing is known of {whom}."


def _not_compared(comparison: Comparison, n: int) -> str:
    what = "has no judgments, and does" if n == 1 else "have no judgments, and do"
    share = comparison.facts.unjudged_weight
    weight = f"; {'its' if n == 1 else 'their'} weight is {percent(share)} of all" if share is not None else ""
    return f"{count(n, 'query', 'queries')} of {_table(comparison)} {what} not count{weight}."


def _textless(comparison: Comparison) -> int:
    facts = comparison.facts
    return facts.texts.count("") - facts.unknown if facts.texts else 0


def _repeated_texts(comparison: Comparison, n: int) -> str:
    queries = count(comparison.primary.paired.n, "query that counts", "queries that count")
    return f"{count(n)} of {queries} share their text with another one."


def _unsegmented(comparison: Comparison) -> dict[str, int]:
    """Return columns that make segments, with the number of judged queries in the table that are in none."""
    facts = comparison.facts
    blank = {name: int(np.count_nonzero(values == "")) - facts.unknown for name, values in facts.segments.items()}
    return {name: n for name, n in blank.items() if n}


def _unsegmented_says(comparison: Comparison, n: int) -> str:
    each = (f"{count(n, 'query', 'queries')} in “{name}”" for name, n in _unsegmented(comparison).items())
    return f"In no segment, for the cell is blank: {', '.join(each)}."


def _unsplit(comparison: Comparison, n: int) -> str:
    each = (f"“{name}” ({count(n, 'value', 'values')})" for name, n in comparison.facts.unsplit.items())
    return (
        f"No segments are made of {', '.join(each)}: a column has 2 to {MOST_EXPLORED} values for that, and up to "
        f"{MOST_NAMED:,} where the policy names it."
    )


def _voted(comparison: Comparison) -> tuple[int, npt.NDArray[np.int64]]:
    """Return how many queries have votes, and the places of those that are judged."""
    rows = comparison.vote_rows
    if rows is None or not len(rows.table):
        return 0, np.zeros(0, np.int64)
    ids = arrow.one_chunk(rows.table.column("query_id")).unique()
    at = arrow.positions(ids, comparison.scored.query_ids)
    return len(ids), at[at >= 0]


def _voted_only(comparison: Comparison) -> int:
    voted, at = _voted(comparison)
    return voted - len(at)


def _voted_beside(comparison: Comparison) -> int:
    """Return the number of judged queries with votes that do not count."""
    return int(np.count_nonzero(~comparison.counted[_voted(comparison)[1]]))


def _voted_beside_says(comparison: Comparison, n: int) -> str:
    what = "does not count; its votes" if n == 1 else "do not count; their votes"
    return f"{count(n, 'judged query with votes', 'judged queries with votes')} {what} count in ΔGSB all the same."


def _without_votes(comparison: Comparison) -> int:
    voted, at = _voted(comparison)
    return len(comparison.scored) - len(at) if voted else 0


def _voted_alone(comparison: Comparison, n: int) -> str:
    what = "has no judgments; its votes" if n == 1 else "have no judgments; their votes"
    voted = count(_voted(comparison)[0], "query with votes", "queries with votes")
    return f"{n:,} of {voted} {what} count in ΔGSB all the same."


def _repeated(n: int) -> str:
    return f"{count(n, 'repeated vote', 'repeated votes')}: only a rater’s last vote on a query counts."


#: Every fact about queries and the tables beside them: first which queries count, then what else is known of them.
FACTS: Mapping[str, Fact] = MappingProxyType(
    {
        "unweighted": Fact(
            lambda compared: 0 if compared.facts.gap is None else compared.facts.gap.count, _unweighted, decides=True
        ),
        "weightless": Fact(lambda compared: compared.facts.weightless, _weightless, decides=True),
        "weighted": Fact(_weighted, _weighted_says, decides=True),
        "groups": Fact(lambda compared: compared.primary.paired.clusters or 0, _groups, decides=True),
        "unaffected": Fact(_unaffected, _unaffected_says),
        "missing_a": Fact(lambda compared: compared.counts.missing_a, _missing("A")),
        "missing_b": Fact(lambda compared: compared.counts.missing_b, _missing("B")),
        "without_relevant": Fact(
            lambda compared: max((number for number, _, _ in _losing(compared)), default=0), _without_relevant
        ),
        "undefined": Fact(lambda compared: max(_undefined(compared).values(), default=0), _undefined_says),
        "unjudged_a": Fact(lambda compared: compared.scored.noticed.findings_a.unjudged_queries, _unjudged("A")),
        "unjudged_b": Fact(lambda compared: compared.scored.noticed.findings_b.unjudged_queries, _unjudged("B")),
        "unknown": Fact(lambda compared: compared.facts.unknown, _unknown),
        "not_compared": Fact(lambda compared: compared.facts.unjudged, _not_compared),
        "without_text": Fact(
            _textless, lambda compared, n: f"{_judged(compared, n, 'has', 'have')} no text in {_table(compared)}."
        ),
        "repeated_texts": Fact(lambda compared: compared.counts.repeated_texts or 0, _repeated_texts),
        "without_segment": Fact(lambda compared: max(_unsegmented(compared).values(), default=0), _unsegmented_says),
        "columns_without_segments": Fact(lambda compared: len(compared.facts.unsplit), _unsplit),
        "voted_alone": Fact(_voted_only, _voted_alone),
        "voted_beside": Fact(_voted_beside, _voted_beside_says),
        "without_votes": Fact(_without_votes, lambda compared, n: f"{_judged(compared, n, 'has', 'have')} no votes."),
        "repeated_votes": Fact(
            lambda compared: 0 if compared.votes is None else compared.votes.repeated, lambda compared, n: _repeated(n)
        ),
    }
)
