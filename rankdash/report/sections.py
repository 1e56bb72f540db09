"""What each part of the Verdict page says, in plain words and formatted numbers.

The page, the report and every other form take their text from here, so that all of them say the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from rankdash import arrow, style, wording
from rankdash.conventions import Convention
from rankdash.evidence.gsb import Gsb, Rated, possible
from rankdash.installation import __version__
from rankdash.metrics import Measure
from rankdash.records import field, frozen
from rankdash.report.notes import DECIDING, compared_queries, mistakes_of, preset_of, query_notes, unchecked_problems
from rankdash.scoring import DERIVED_TOLERANCE, Comparison, Result, VotesAlone
from rankdash.strings import is_local
from rankdash.style import verdict as words
from rankdash.verdict import RULE_OF, Caveat, Check, Outcome, Status, Verdict, answer, robustness
from rankdash.verdict.caveats import MISSING, ORDER
from rankdash.verdict.records import Question, votes_of
from rankdash.verdict.rule import NOT_ASKED, needs, unusable_sentence
from rankdash.wording import GSB, NOT_DEFINED, Nouns, count, limit, nouns, number, points, points_between, signed

if TYPE_CHECKING:
    from rankdash.edits import Edit
    from rankdash.store import Decision, Observation


@frozen
class Reported:
    """What is exported: a comparison with its verdict, and what else is known of it.

    ``edits`` are in the tables of the comparison. ``name`` is the name of the comparison, ``link`` where it can be
    opened, "" where this is not known. ``policy_changed``: after results had been seen. Decisions and online results
    are those of a saved comparison, the latest first.
    """

    comparison: Comparison | VotesAlone
    verdict: Verdict
    edits: Sequence[Edit] = ()
    name: str = ""
    link: str = ""
    decisions: Sequence[Decision] = ()
    observations: Sequence[Observation] = ()
    policy_changed: bool = False
    at: datetime = field(default_factory=lambda: datetime.now(UTC))

    @property
    def judged(self) -> Comparison | None:
        """The comparison of lists; None where there are only votes."""
        return None if isinstance(self.comparison, VotesAlone) else self.comparison

    @property
    def stamps(self) -> tuple[str, ...]:
        """What to know before reading the verdict: that the policy was changed late, that lists were edited."""
        changed = f"{words.POLICY_STAMP}." if self.policy_changed else ""
        edits = words.EDITED.format(n=count(len(self.edits), words.EDIT, words.EDITS)) if self.edits else ""
        return tuple(filter(None, (changed, edits)))

    @property
    def link_words(self) -> str:
        """What the link is called."""
        return words.LINK[is_local(self.link)]

    @property
    def made(self) -> str:
        """Which rankdash made this with which policy, and when."""
        at = f"{self.at:%Y-%m-%d %H:%M} UTC"
        return words.MADE.format(version=__version__, policy=self.verdict.version, at=at)


def beside(reported: Reported) -> list[tuple[str, str]]:
    """Return the small text beside the big word, as label and text: the next step, unless what was decided goes against
    the verdict, and notes.
    """
    verdict = reported.verdict
    noted = [(style.NOTED, note) for note in notes(verdict, reported.judged)]
    overruled = any(one.opposes(verdict.outcome.value) for one in reported.decisions[:1])
    return noted if overruled else [(style.NEXT_STEP, next_step(verdict, reported.comparison)), *noted]


def next_step(verdict: Verdict, comparison: Comparison | VotesAlone) -> str:
    """Return the next step. Where warnings stand beside the verdict, these come first: they may be about the files."""
    warned = any(
        (first_caveats(verdict, comparison), isinstance(comparison, Comparison) and unchecked_problems(comparison))
    )
    return f"{style.CHECK_FIRST} {verdict.next_step}" if warned else verdict.next_step


def notes(verdict: Verdict, comparison: Comparison | None) -> list[str]:
    """Return what a reader must know beside the answers: proven losses that are allowed, and what a table beside the
    judgments decides about which queries count, and how much.
    """
    queries = () if comparison is None else query_notes(comparison)
    return [*verdict.notes, *(str(note) for note in queries if note.code in DECIDING)]


def neighbours_words(comparison: Comparison | None, verdict: Verdict) -> list[str]:
    """Return the sentence on neighbouring settings, where not all of them agree with the verdict."""
    if comparison is None or verdict.outcome is Outcome.NOT_COMPARABLE:
        return []
    holds = robustness(comparison, verdict.candidates)
    return [holds.sentence] if holds.not_with else []


def first_caveats(verdict: Verdict, comparison: Comparison | VotesAlone) -> list[Caveat]:
    """Return the caveats that stand beside the sentence of the verdict, and that no short form leaves out: that lists
    may be reversed, and that at least a tenth of the judged queries has no results in either model.
    """
    counts = None if isinstance(comparison, VotesAlone) else comparison.counts
    few = counts is None or 10 * min(counts.missing_a, counts.missing_b) < counts.judged
    return [caveat for caveat in verdict.caveats if caveat.id == ORDER or (caveat.id == MISSING and not few)]


def further_caveats(verdict: Verdict, comparison: Comparison | VotesAlone) -> list[Caveat]:
    """Return the other caveats."""
    return [caveat for caveat in verdict.caveats if caveat not in first_caveats(verdict, comparison)]


def models_words(comparison: Comparison | VotesAlone) -> str:
    """Return what is compared, in a line: both models and the number of queries, or that there are only votes."""
    if isinstance(comparison, VotesAlone):
        return words.VOTES_ONLY
    models = " → ".join(map(model_words, "AB", (comparison.inputs.a.name, comparison.inputs.b.name)))
    return f"{models}: {compared_queries(comparison)}"


def model_words(side: str, name: str) -> str:
    """Return a model as its side and its name, once where that is the side."""
    return side if name == side else f"{side} {name}"


#: In the order in which people ask.
_QUESTIONS: tuple[Question, ...] = ("comparable", "better", "harmed", "enough")
_WORST_FIRST = (Status.FAILED, Status.NOT_PROVEN, Status.PASSED, Status.NOT_APPLICABLE)


@frozen
class Answer:
    """The answer to a question in a word or two, the worst status of its rules, what the rules that settle it say, and
    all its rules.
    """

    question: Question
    word: str
    status: Status
    sentence: str
    checks: tuple[Check, ...]


def answers(verdict: Verdict) -> tuple[Answer, ...]:
    """Return the answers in the order in which people ask."""
    return tuple(_answer(question, verdict) for question in _QUESTIONS)


def _answer(question: Question, verdict: Verdict) -> Answer:
    checks = tuple(check for check in verdict.checks if check.question == question)
    if verdict.outcome is Outcome.NOT_COMPARABLE and question in ("better", "harmed"):
        return Answer(question, NOT_ASKED, Status.NOT_APPLICABLE, words.NOT_COMPARED, checks)
    word = answer(question, verdict.checks)
    status = next((status for status in _WORST_FIRST if any(check.status is status for check in checks)), None)
    if status is None:
        return Answer(question, word, Status.NOT_APPLICABLE, "", checks)
    settles = [check for check in checks if check.status is status]
    if status in (Status.FAILED, Status.NOT_PROVEN):
        # Whoever mends one harm has to know of the others.
        named = settles if status is Status.FAILED and question == "harmed" else settles[:1]
        return Answer(question, word, status, " ".join(dict.fromkeys(map(_in_short, named))), checks)
    most = max(RULE_OF[check.rule].tells for check in settles)
    telling = [check.sentence for check in settles[::-1] if RULE_OF[check.rule].tells == most]  # guardrails first
    return Answer(question, word, status, " ".join(dict.fromkeys(telling)), checks)


def _in_short(check: Check) -> str:
    """Return what a rule that stops a launch says, in few words."""
    short = words.IN_SHORT.get(check.rule, (check.sentence, check.sentence))
    return short[check.status is Status.NOT_PROVEN].replace("{needs}", "; or ".join(map(needs, check.deciding)))


def rule_rows(answer: Answer) -> list[tuple[str, ...]]:
    """Return the rules behind the answer to a question, in order: id, name, the condition that decides ("" where it has
    none), status and sentence.
    """
    return [
        (
            *(check.rule, RULE_OF[check.rule].name, "; or ".join(map(needs, check.deciding))),
            *(check.status.value, check.sentence),
        )
        for check in answer.checks
    ]


def wrong_sentences(verdict: Verdict, comparison: Comparison | VotesAlone, *, on_page: bool = False) -> list[str]:
    """Return the first caveats, what no rule or caveat reports, and if nothing can be compared every mistake between
    files.
    """
    said = [caveat.on_page if on_page else caveat.sentence for caveat in first_caveats(verdict, comparison)]
    if isinstance(comparison, VotesAlone):
        return said
    if verdict.outcome is Outcome.NOT_COMPARABLE:
        said += [mistake.sentence for mistake in mistakes_of(comparison)]
    return [*dict.fromkeys((*said, *unchecked_problems(comparison, "page" if on_page else "api")))]


#: The axes that change numbers between the presets.
_SHOWN_AXES = "gain discount ideal unjudged missing_query no_relevant ties".split()


def axis_words(convention: Convention, axis: str) -> str:
    """Return the value of an axis in words."""
    value = getattr(convention, axis)
    if isinstance(value, (int, float)):
        return f"{value:g}"
    return style.AXIS_WORDS[axis].values.get(str(value)) or style.OWN_GAINS.format(table=value)


def convention_words(comparison: Comparison) -> str:
    """Return the convention in force, by the axes that change numbers between the presets."""
    axes = [f"{style.AXIS_WORDS[axis].name}: {axis_words(comparison.convention, axis)}." for axis in _SHOWN_AXES]
    population, k = style.POPULATION[comparison.policy.population], comparison.policy.cutoff
    said = style.CONVENTION.format(name=preset_of(comparison) or style.CUSTOM, axes=" ".join(axes))
    return nouns(comparison.of_users).say(f"{said} {population.format(k=k)}".rstrip())


_AP = re.compile(r"AP\b")


@frozen
class Card:
    """The text of a card: label, what the number is for, headline number, chip beside it, lines below it, and the
    paragraphs of the card's help.
    """

    label: str
    role: str
    value: str
    chip: str
    colour: str
    lines: tuple[str, ...]
    explained: tuple[str, ...] = ()


def cards(comparison: Comparison | VotesAlone, outcome: Outcome | None = None) -> tuple[Card, ...]:
    """Return the cards of a comparison, in the order in which they stand: the primary measure, AP or another one that
    the policy names, and ΔGSB; for votes alone, their card. They are grey where nothing can be compared.
    """
    if isinstance(comparison, VotesAlone):
        return (voted_card(comparison.votes),)
    if not comparison.is_judged:
        return turnover_cards(comparison)
    primary, *others = (result for result in comparison.results if not result.describes and result.paired.good > 0)
    second = sorted(others, key=lambda result: (not _AP.match(result.measure), [*style.ROLES].index(result.role)))[:1]
    called = nouns(comparison.of_users)
    means = _meanings(comparison)
    drawn = (*(measure_card(one, called, means[one.measure]) for one in (primary, *second)), gsb_card(comparison))
    return tuple(replace(one, colour=style.SAME) for one in drawn) if outcome is Outcome.NOT_COMPARABLE else drawn


def explained(comparison: Comparison | VotesAlone) -> tuple[str, ...]:
    """Return what the cards, the policy's measures and their roles mean, for paper, each paragraph once."""
    said = [text for card in cards(comparison) for text in card.explained]
    if isinstance(comparison, Comparison) and comparison.is_judged:
        means, roles = _meanings(comparison), {result.role for result in comparison.results}
        said += [means[result.measure] for result in comparison.results if result.role != "information"]
        said += [text for role, text in style.ROLES_HELP.items() if role in roles and comparison.sample.inferred]
    return tuple(dict.fromkeys(said))


def _meanings(comparison: Comparison) -> dict[str, str]:
    """Return what each measure means, by its name, with the grade from which on it counts a document as relevant."""
    return {one.name: _meaning(one, nouns(comparison.of_users)) for one in comparison.measures}


def _meaning(measure: Measure, called: Nouns) -> str:
    row = measure.definition
    said = style.MEANINGS.get(row.name) or style.FORMULA.format(name=row.name, formula=row.formula)
    relevant = style.RELEVANT_FROM.format(rel=wording.grade_text(measure.convention.rel)) if "rel" in row.axes else ""
    return called.say(said) + relevant


def turnover_cards(comparison: Comparison) -> tuple[Card, ...]:
    """Return the cards of two lists without judgments: what changed in the first k."""
    changed, k, called = comparison.turnover, comparison.policy.cutoff, nouns(comparison.of_users)
    share = changed.changed / changed.queries if changed.queries else None
    queries = style.CHANGED_QUERIES.format(n=count(changed.changed), all=called.queries_of(changed.queries))
    moves = style.CHANGED_DOCUMENTS.format(left=count(changed.left), moved=count(changed.moved))
    alike, order = called.say(style.CHANGED_SHARED), style.CHANGED_HELP.format(rbo=number(changed.rbo))
    return (
        Card(called.say(style.CHANGED).format(k=k), "", wording.percent(share, 0), "", style.SAME, (queries,)),
        Card(f"overlap@{k}", "", number(changed.overlap), "", style.SAME, (alike,), (order,)),
        Card(called.say(style.CHANGED_NEW).format(k=k), "", count(changed.entered), "", style.SAME, (moves,)),
    )


def measure_card(result: Result, called: Nouns, meaning: str) -> Card:
    """Return the card of a measure: its mean in B, the difference, where it came from, and its interval, or the loss
    allowed; its help says what the measure and its role mean.
    """
    paired, role = result.paired, result.role
    came = style.FROM.format(mean=number(paired.mean_a))
    explained = style.ROLES_HELP.get(role) if paired.inferred else ""
    if result.margin is not None:
        came = f"{came}, {style.MAY_LOSE[paired.inferred].format(margin=limit(result.margin))}"
    elif paired.ci95 is not None:
        came = f"{came}, {style.INTERVAL.format(ends=ends_cell(paired.ci95))}"
    return Card(
        label=style.MAP.format(measure=result.label) if _AP.match(result.measure) else result.label,
        role=style.ROLES[role],
        value=number(paired.mean_b),
        chip=signed(paired.delta),
        colour=style.proven_tone(paired.ci95),
        lines=(
            came,
            *([] if paired.ci95 else [called.say(style.NOT_DEFINED_WHY.get(paired.status, style.NO_INTERVAL))]),
        ),
        explained=tuple(filter(None, (meaning, explained))),
    )


def gsb_card(comparison: Comparison) -> Card:
    """Return the card of ΔGSB: of the votes where the rules use them, otherwise derived from the judgments."""
    said, why = comparison.votes, why_unused(comparison)
    if said is not None and not why:
        return voted_card(said)
    told = {"measure": comparison.primary.label, "tolerance": limit(DERIVED_TOLERANCE)}
    role = (style.GSB_DERIVED if said is None else style.GSB_UNUSED).format(**told)
    line = f"{style.GSB_FORMULA}; {style.GSB_TIED.format(**told)}"
    explained = nouns(comparison.of_users).say(style.GSB_HELP).format(**told)
    return _gsb_card(role, comparison.gsb_derived, (line, *([why] if why else [])), explained)


def voted_card(said: Rated) -> Card:
    """Return the card of the votes: ΔGSB, good / same / bad, its interval, who voted and how far they agree."""
    formula = words.BY_MAJORITY if votes_of(said).averaged else style.GSB_FORMULA
    ends = said.gsb.ci95
    interval = style.NO_INTERVAL if ends is None else style.INTERVAL.format(ends=points_between(*ends))
    return _gsb_card(words.VOTED, said.gsb, (f"{formula}, {interval}", raters_words(said)), words.VOTED_HELP)


def _gsb_card(role: str, gsb: Gsb, lines: tuple[str, ...], explained: str) -> Card:
    chip = style.GSB_COUNTS.format(good=count(gsb.good), same=count(gsb.same), bad=count(gsb.bad))
    return Card(GSB, role, points(gsb.delta), chip, style.proven_tone(gsb.ci95), lines, (explained,))


#: A space at which a line does not break.
_JOINED = "\u00a0"


def why_unused(comparison: Comparison) -> str:
    """Return why votes are not used; "" where they are used, or there are none."""
    said, called = comparison.votes, nouns(comparison.of_users)
    return "" if said is None else unusable_sentence(votes_of(said), comparison.policy, called)


def raters_words(said: Rated) -> str:
    """Return who voted, and how far they agree."""
    voters = words.NO_RATER if said.people is None else count(said.people, words.RATER, words.RATER_MANY)
    return voters if said.alpha is None else f"{voters}, {words.ALPHA.format(alpha=number(said.alpha, 2))}"


def vote_rows(comparison: Comparison | VotesAlone) -> list[tuple[str, ...]]:
    """Return the numbers of each bar as text, in the columns of ``GSB_TABLE``; of votes by query, and by rater where
    there are enough raters.
    """
    rows, said = list[tuple[str, ...]](), comparison.votes
    if said is not None:
        rows.append(_vote_row(words.GSB_VOTES, said.gsb))
        if said.rater_lower95 is not None and said.rater_upper95 is not None and said.people is not None:
            ends = possible(said.rater_lower95, said.rater_upper95)
            rows.append((words.GSB_RATERS, points(said.gsb.delta), _shown(ends), "", count(said.people)))
    if isinstance(comparison, Comparison):
        rows.append(_vote_row(words.GSB_DERIVED, comparison.gsb_derived))
    return rows


def vote_notes(comparison: Comparison | VotesAlone) -> list[str]:
    """Return the notes under the rows: for votes alone the queries that raters call bad and good; else why votes are
    not used, and how the derived counts are made.
    """
    if isinstance(comparison, VotesAlone):
        return [*_called(comparison)]
    told = {"measure": comparison.primary.label, "tolerance": limit(DERIVED_TOLERANCE)}
    return [*filter(None, [why_unused(comparison)]), words.GSB_DERIVED_NOTE.format(**told)]


def _called(comparison: VotesAlone) -> Iterator[str]:
    """Yield on which queries raters prefer A, and on which B, a sentence each; the first five are named, those on
    which most raters agree first.
    """
    said, ids = comparison.votes, arrow.numbered(comparison.vote_rows.table.column("query_id")).values
    for label, model in words.VOTED_AS.items():
        order = (-label * said.mean).argsort(kind="stable")
        every = said.query[order[said.labels[order] == label]]
        if names := ", ".join(wording.short_inside(ids[query], 40) for query in every[:5]):
            yield words.CALLED.format(queries=nouns(False).queries_of(len(every)), model=model, names=names)


def _vote_row(name: str, gsb: Gsb) -> tuple[str, ...]:
    counts = f"{count(gsb.good)} / {count(gsb.same)} / {count(gsb.bad)}".replace(" ", _JOINED)
    return name, points(gsb.delta), _shown(gsb.ci95), counts, count(gsb.n)


def _shown(ends: tuple[float, float] | None) -> str:
    return NOT_DEFINED if ends is None else points_between(*ends).replace(" ", _JOINED)


def measure_cells(result: Result, decimals: int = 3) -> tuple[str, ...]:
    """Return a measure in the columns of ``style.verdict.MEASURE_COLUMNS``."""
    paired = result.paired
    return (
        result.label,
        style.ROLES[result.role],
        number(paired.mean_a, decimals),
        number(paired.mean_b, decimals),
        signed(paired.delta, decimals),
        ends_cell(paired.ci95, decimals),
        NOT_DEFINED if result.describes else " / ".join(map(count, (paired.wins, paired.ties, paired.losses))),
        wording.p_value(paired.t_p),
        count(paired.n),
    )


def ends_cell(ends: tuple[float, float] | None, decimals: int = 3) -> str:
    """Return an interval of differences as a cell, its ends on their side of 0.

    >>> ends_cell((0.0004, 0.03), 3)
    '+0.0004 to +0.030'
    """
    return NOT_DEFINED if ends is None else " to ".join(wording.near(end, 0.0, decimals=decimals) for end in ends)


def catalogue_rows(comparison: Comparison, decimals: int = 3) -> list[tuple[str, str, str]]:
    """Return each number of all lists together, of A and of B; none without items."""
    if comparison.catalogue is None:
        return []
    a, b = (found.numbers for found in comparison.catalogue)
    label = words.NO_USERS if any(found.shown for found in comparison.catalogue) else "{}"
    values = ((name, a[name], b[name]) for name in a)
    return [
        (label.format(name) if x is y is None else name, number(x, decimals), number(y, decimals))
        for name, x, y in values
    ]


def segment_rows(comparison: Comparison, decimals: int = 3) -> list[tuple[str, ...]]:
    """Return the segments in the columns of ``style.verdict.SEGMENT_COLUMNS``, in the order of the comparison."""
    return [
        (
            f"{segment.column}: {segment.value}",
            words.SEGMENT_ROLES["judged" if segment.judged else "small" if segment.named else "explored"],
            signed(segment.paired.delta, decimals),
            ends_cell(segment.paired.ci95, decimals),
            count(segment.paired.n),
            wording.p_value(segment.adjusted_p),
        )
        for segment in comparison.plain.segments
    ]


def segment_note(comparison: Comparison) -> str:
    """Return what the p-values of the segments are worth; "" where there are no segments."""
    found = {segment.named for segment in comparison.plain.segments}
    return " ".join(words.SEGMENT_NOTES[named, comparison.sample.inferred] for named in sorted(found, reverse=True))
