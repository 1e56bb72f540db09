"""Records as a notebook shows them: a line, sentences and a small table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rankdash import style
from rankdash.candidates import Candidates
from rankdash.inspect.explain import Explanation
from rankdash.policy import FIELDS, Policy
from rankdash.records import as_html
from rankdash.report import candidates
from rankdash.report.html import part, policy_rows
from rankdash.report.sections import answers, measure_cells, models_words, turnover_cards, vote_rows
from rankdash.report.text import warnings
from rankdash.report.worked import calculation_text
from rankdash.scoring import Comparison, VotesAlone
from rankdash.style import verdict as words
from rankdash.tables import TableRecord
from rankdash.verdict import Verdict, decide
from rankdash.wording import count, short

#: The most rows, columns and columns of letters in a cell of a table from a file.
_ROWS, _COLUMNS, _LETTERS = 5, 8, 60


def _shown(
    line: str, said: Sequence[str], heads: Sequence[str] = (), rows: Iterable[Sequence[Any]] = (), printed: str = ""
) -> str:
    """Return a line in bold, sentences below it, and a table, or what a terminal prints; every text is literal."""
    context = {"line": line, "sentences": said, "heads": heads, "rows": rows, "printed": printed.splitlines()}
    return str(part("notebook.html.j2", context))


@as_html.register
def _table(record: TableRecord) -> str:
    """Return the size and the first rows."""
    table = record.table.slice(0, _ROWS).select(record.table.column_names[:_COLUMNS])
    heads = [short(name, _LETTERS) for name in table.column_names]
    return _shown(repr(record), (), heads, zip(*(map(_value, column.to_pylist()) for column in table), strict=True))


def _value(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else short(str(value), _LETTERS)


@as_html.register
def _policy(policy: Policy) -> str:
    """Return the fields that most policies name, and those that are not at their default."""
    usual = {about.label for about in FIELDS.values() if about.topic.common}
    pairs = [*zip(policy_rows(policy), policy_rows(Policy()), strict=True)]
    rows = [own for own, default in pairs if own[0] in usual or own[1] != default[1]]
    others = words.POLICY_OTHERS.format(n=count(len(pairs) - len(rows), "field", "fields"))
    return _shown(words.POLICY_TITLE, [others], words.POLICY_COLUMNS, rows)


@as_html.register(Comparison)
@as_html.register(VotesAlone)
def _compared(comparison: Comparison | VotesAlone) -> str:
    """Return the verdict, what can change it, and a row per measure, or what there is in their place."""
    verdict = decide(comparison)
    line, said = _line(verdict), [models_words(comparison), verdict.sentence, *warnings(comparison, verdict)]
    if isinstance(comparison, VotesAlone):
        return _shown(line, said, words.GSB_TABLE, vote_rows(comparison))
    if not comparison.is_judged:
        return _shown(line, [*said, *(f"{card.label}: {card.value}" for card in turnover_cards(comparison))])
    return _shown(line, said, words.MEASURE_COLUMNS, map(measure_cells, comparison.results))


def _line(verdict: Verdict) -> str:
    return f"{verdict.screen}: {verdict.tag}"


@as_html.register
def _verdict(verdict: Verdict) -> str:
    """Return the outcome, its sentence, and the answers to the four questions."""
    rows = ((style.QUESTIONS[one.question], one.word, one.sentence) for one in answers(verdict))
    return _shown(_line(verdict), [verdict.sentence, verdict.next_step], ("", style.ANSWER, style.WHY), rows)


@as_html.register
def _candidates(found: Candidates) -> str:
    """Return the headline of all candidates, and a row for each, the best first."""
    said = candidates.headline(found)
    sentences = [said.models, *said.sentences, *candidates.wrong(found)]
    return _shown(f"{said.screen}: {said.tag}", sentences, candidates.columns(found), candidates.rows(found))


@as_html.register
def _explanation(explained: Explanation) -> str:
    """Return the calculation rank by rank."""
    return _shown(repr(explained), (), printed=calculation_text(explained, "the run"))
