"""The verdict with its cards in a few lines of text: for a mail, a chat, the clipboard."""

from __future__ import annotations

from rankdash.report.sections.cards import Card, cards
from rankdash.report.sections.headline import beside, models_words, stands_first
from rankdash.report.sections.reported import Reported
from rankdash.scoring import VotesAlone
from rankdash.wording import literal


def to_brief(reported: Reported) -> str:
    """Return the headline, the sentence and a line for each card; ends with a line break."""
    comparison, verdict = reported.comparison, reported.verdict
    judged = None if isinstance(comparison, VotesAlone) else comparison
    lines = [
        models_words(comparison),
        verdict.line,
        *stands_first(verdict),
        *reported.stamps,
        *map(_line, cards(comparison)),
        *(f"{label}: {text}" for label, text in beside(verdict, judged)),
        *([reported.link] if reported.link else []),
    ]
    return "".join(f"{literal(line)}\n" for line in lines)


def _line(card: Card) -> str:
    label = f"{card.label} ({card.role})" if card.role else card.label
    numbers = (card.exact or card.value, " ".join(part for part in (card.chip, card.beside) if part), *card.lines)
    return f"{label}: {', '.join(part for part in numbers if part)}"
