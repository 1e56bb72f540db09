"""One page with every sentence of many comparisons, to be read from beginning to end."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import rankdash as rd
from benchmarks.policy.resampled import World, worlds
from rankdash.report.population import query_lines
from rankdash.report.questions import answers
from rankdash.verdict import Verdict, robustness
from rankdash.wording import signed

#: Sentences are to have at most so many words.
WORDS = 28
_NUMBERS = re.compile(r"[+−]?\d[\d,.]*%?|“[^”]*”|\([^()]*#[^()]*\)")


def page(n: int, seed: int) -> str:
    """Return Markdown: the long sentences, each form of sentence once with how often it came, then every comparison."""
    told: Counter[str] = Counter()
    examples: dict[str, str] = {}
    blocks, outcomes = [], Counter[str]()
    for number, world in enumerate(worlds(n, seed), 1):
        lines, verdict = _told(world)
        outcomes[f"{verdict.outcome} {verdict.rule}"] += 1
        for kind, text in lines:
            form = f"{kind}: {_NUMBERS.sub('#', text)}"
            told[form] += 1
            examples.setdefault(form, f"{text} ({number})")
        blocks.append("\n".join([f"### {number}. {world.title}", "", *(f"- {kind}: {text}" for kind, text in lines)]))
    long = [f"- {len(text.split())} words: {text}" for text in examples.values() if _is_long(text)]
    forms = [f"- {form.split(':')[0]} ({told[form]}): {text}" for form, text in sorted(examples.items())]
    counted = [f"- {name}: {times}" for name, times in sorted(outcomes.items())]
    parts = [
        f"# Sentences of {n} comparisons (seed {seed})",
        *("## Outcomes", *counted),
        *(f"## Longer than {WORDS} words ({len(long)})", *long),
        *(f"## Forms of sentences ({len(forms)})", *forms),
        *("## Comparisons", *blocks),
    ]
    return "\n\n".join(parts).replace("\n\n- ", "\n- ") + "\n"


def _is_long(text: str) -> bool:
    return any(len(sentence.split()) > WORDS for sentence in re.split(r"(?<=\.) (?=[A-Z])", text))


def _told(world: World) -> tuple[list[tuple[str, str]], Verdict]:
    """Return everything that is said about a world, each with its kind, and the verdict."""
    found = rd.compare(world.a, world.b, world.grades, policy=world.policy, queries=world.queries, votes=world.votes)
    verdict = rd.decide(found, looks=world.looks, candidates=world.candidates)
    alone = [] if world.votes is None else list(_votes_alone(world))
    return [*_of(verdict), *_numbers(found), *alone], verdict


def _of(verdict: Verdict) -> Iterator[tuple[str, str]]:
    yield f"{verdict.rule} headline", f"{verdict.screen}: {verdict.tag}. {verdict.sentence}"
    yield f"{verdict.rule} next step", verdict.next_step
    yield f"{verdict.rule} would change", verdict.would_change
    for answer in answers(verdict):
        yield f"answer {answer.question}", f"{answer.word}. {answer.sentence}"
    for note in verdict.notes:
        yield "note", note
    for caveat in verdict.caveats:
        turns = "" if caveat.turns_to is None else f" [{caveat.turns_to}]"
        yield f"caveat {caveat.id}", caveat.sentence + turns
    for check in verdict.checks:
        if check.status != "not_applicable" and check.sentence != verdict.sentence:
            yield f"rule {check.rule} {check.status}", check.sentence
    lost = verdict.fragility
    if lost is not None:
        yield "fragility", f"{lost.n} of {lost.searched} searched: {lost.turns_to}"


def _numbers(found: rd.Comparison) -> Iterator[tuple[str, str]]:
    for one in found.results[: len(found.policy.measures)]:
        paired = one.paired
        groups = "" if paired.clusters is None else f", groups: {paired.clusters}"
        ends = "no interval" if paired.ci95 is None else f"{signed(paired.ci95[0], 4)} to {signed(paired.ci95[1], 4)}"
        counts = f"{paired.wins} won, {paired.ties} tied, {paired.losses} lost, n {paired.n}{groups}"
        yield "numbers", f"{one.measure} {one.role} {signed(paired.delta, 4)} ({ends}); {counts}"
    for line in query_lines(found):
        yield "about queries", line
    yield "neighbours", robustness(found).sentence


def _votes_alone(world: World) -> Iterator[tuple[str, str]]:
    verdict = rd.decide(rd.compare_votes(world.votes, world.policy))
    for kind, text in _of(verdict):
        yield f"votes alone {kind}", text
