"""The verdict as a comment on a pull request: what reviewers ask first, and where the rest is."""

from __future__ import annotations

from collections.abc import Iterator

from rankdash.inspect.lists import changes
from rankdash.report.forms.markdown import card_row, extreme, listed, made, tabled, text
from rankdash.report.sections.cards import cards
from rankdash.report.sections.headline import beside, models_words, stands_first
from rankdash.report.sections.queries import queries_at
from rankdash.report.sections.reported import Reported
from rankdash.report.sections.rules import wrong_sentences
from rankdash.scoring import Comparison, VotesAlone
from rankdash.style import report as words
from rankdash.wording import number

#: How many of the queries that B loses most are named.
_LOSSES = 3


def to_comment(reported: Reported) -> str:
    """Return the comment as blocks of Markdown; ends with a line break."""
    return "\n\n".join(block for block in _blocks(reported) if block) + "\n"


def _blocks(reported: Reported) -> Iterator[str]:
    comparison, verdict = reported.comparison, reported.verdict
    judged = None if isinstance(comparison, VotesAlone) else comparison
    yield f"### {text(verdict.screen)}: {text(verdict.tag)}"
    yield text(models_words(comparison))
    yield from (f"*{text(stamp)}*" for stamp in reported.stamps)
    yield f"**{text(verdict.sentence)}**"
    yield listed(map(text, stands_first(verdict)))
    said = [(label, sentence) for label, sentence in beside(verdict, judged)]
    yield listed(f"*{text(label)}:* {text(sentence)}" for label, sentence in [*said, *_resolves(judged)])
    yield listed(map(text, wrong_sentences(verdict, comparison)))
    yield tabled(("", words.NUMBERS, "", ""), map(card_row, cards(comparison)))
    if judged is not None:
        sorted_queries = changes(judged)
        losses, _ = sorted_queries.largest(_LOSSES)
        yield extreme(words.EXTREMES["losses"], queries_at(sorted_queries, losses))
    yield from made(reported)


def _resolves(comparison: Comparison | None) -> list[tuple[str, str]]:
    """Return the difference that these queries can resolve, as label and text; nothing where nothing is inferred."""
    mde80 = None if comparison is None else comparison.primary.paired.mde80
    return [] if mde80 is None else [(words.RESOLVES, words.RESOLVED.format(mde80=number(mde80)))]
