"""The verdict as Markdown, for a pull request, a wiki or a chat. Text from files is literal there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from rankdash import style
from rankdash.inspect.query_order import Changes, Ints, changes
from rankdash.records import frozen
from rankdash.report import sections
from rankdash.report.notes import InputNotes, input_notes, notes_of
from rankdash.report.saved import decision_row
from rankdash.report.sections import Card, Reported
from rankdash.report.svg import short_name
from rankdash.scoring import SIDES, Comparison, VotesAlone
from rankdash.style import verdict as words
from rankdash.style.reading import CATALOGUE
from rankdash.wording import count, end, literal, nouns, number, short_inside

#: Queries at each end that are named.
_QUERIES = 5
#: Every character with a meaning in Markdown, or in what its hosts add to it.
_MARKUP = re.compile(r"([!#$&()*+\-.:<=>@\[\\\]^_`{|}~])")
#: Places at which hosts of Markdown recognise a person, an issue or an address once escapes are removed. An invisible
#: word joiner there prevents it. nDCG@10 is none of them, for no host looks for people within a word; nor are commits:
#: ids that are numbers look alike, and a host links only those that its repository has, which notifies nobody.
_RECOGNISED = re.compile(
    r"(?<=[#!$~%&])(?=[\w\"])|(?<=(?<![a-z0-9_])@)(?=[\w\"])|(?<=@)(?=[\w-]+\.\w)|(?<=:)(?=//)|(?<=www)(?=\.)|(?<=\bGH)(?=-\d)|(?<=:)(?=[\w+-]+:)",
    re.IGNORECASE,
)
_JOINER = "\u2060"
_TICKS = re.compile(r"`+")


def to_markdown(reported: Reported) -> str:
    """Return the verdict as blocks of Markdown; ends with a line break."""
    return "\n\n".join(block for block in _blocks(reported) if block) + "\n"


def text(written: str) -> str:
    """Return Markdown that shows a text literally, on one line, and notifies nobody.

    >>> text("**b** <img>")
    '\\\\*\\\\*b\\\\*\\\\* \\\\<img\\\\>'
    """
    parts = _RECOGNISED.split(literal(" ".join(written.split())))
    return _JOINER.join(_MARKUP.sub(r"\\\1", part) for part in parts)


def copied(written: str) -> str:
    """Return Markdown of an id that people copy, for a cell of a table: as code where ``text`` would put something
    invisible into it.

    >>> copied("1048585"), copied("#1"), copied("é@a"), copied("e@a")
    ('1048585', '` #1 `', '` é@a `', 'e\\\\@a')
    """
    line = literal(" ".join(written.split()))
    if not _RECOGNISED.search(line) or "\\" in line:
        return text(written)
    fence = "`" * (1 + max(map(len, _TICKS.findall(line)), default=0))
    cell = line.replace("|", "\\|")
    return f"{fence} {cell} {fence}"


def _blocks(reported: Reported) -> Iterator[str]:
    judged, verdict = reported.judged, reported.verdict
    yield from _opening(reported, "##")
    yield listed(
        (text(" · ".join(filter(None, (row.line, row.reason)))) for row in map(decision_row, reported.decisions)),
        words.DECISION,
    )
    yield from _grounds(reported)
    answers = (
        (style.QUESTIONS[one.question], f"{words.MARKS[one.status.value]} {one.word}", one.sentence)
        for one in sections.answers(verdict)
    )
    yield tabled(("", style.ANSWER, style.RULE_COLUMNS[-1]), (map(text, row) for row in answers))
    if judged is not None:
        yield from _numbers(judged)
    caveats = sections.further_caveats(verdict, reported.comparison)
    yield listed((text(caveat.sentence) for caveat in caveats), style.CAVEATS)
    yield "" if judged is None else text(sections.convention_words(judged))
    yield from made(reported)


def _opening(reported: Reported, marks: str) -> Iterator[str]:
    """Yield the verdict, the models, what to know before, and the sentence."""
    verdict = reported.verdict
    yield f"{marks} {text(verdict.screen)}: {text(verdict.tag)}"
    yield text(sections.models_words(reported.comparison))
    yield from (f"*{text(stamp)}*" for stamp in reported.stamps)
    yield f"**{text(verdict.sentence)}**"


def _grounds(reported: Reported) -> Iterator[str]:
    """Yield the sentences beside the verdict, the mistakes between the files, and the cards."""
    yield listed(f"*{text(label)}:* {text(sentence)}" for label, sentence in sections.beside(reported))
    yield listed(map(text, sections.wrong_sentences(reported.verdict, reported.comparison)))
    yield tabled(("", words.NUMBERS, "", ""), map(card_row, sections.cards(reported.comparison)))
    yield listed(map(text, sections.vote_notes(reported.comparison) if reported.judged is None else ()))


def card_row(card: Card) -> tuple[str, ...]:
    """Return a card as the cells of a row."""
    label = f"{text(card.label)} · {text(card.role)}" if card.role else text(card.label)
    return label, f"**{text(card.value)}**", text(card.chip), text("; ".join(card.lines))


def _numbers(comparison: Comparison) -> Iterator[str]:
    """Yield the measures, the segments and the queries at both ends."""
    yield tabled(words.MEASURE_COLUMNS, (map(text, sections.measure_cells(result)) for result in comparison.results))
    yield tabled(words.SEGMENT_COLUMNS, (map(text, row) for row in sections.segment_rows(comparison)))
    yield tabled(CATALOGUE, (map(text, row) for row in sections.catalogue_rows(comparison)))
    sorted_queries = changes(comparison)
    for kind, places in zip(style.EXTREMES, sorted_queries.largest(_QUERIES), strict=True):
        yield extreme(style.EXTREMES[kind], queries_at(sorted_queries, places))


def extreme(title: str, queries: Sequence[ListedQuery]) -> str:
    """Return some queries as a table with their differences; "" where there are none."""
    rows = ((copied(query.name), f"**{text(query.delta)}**", text(query.a), text(query.b)) for query in queries)
    return tabled((title, "Δ", "A", "B"), rows)


def made(reported: Reported) -> Iterator[str]:
    """Yield the files with their digests, the link, and which rankdash wrote this, and when."""
    files = (
        f"{text(row.title)}: {text(', '.join(f'{label.lower()} {value}' for label, value in row.facts))}"
        for row in input_rows(reported.comparison)
    )
    notes = listed(map(text, notes_of(reported.comparison)), words.NOTES)
    inside = "\n\n".join(filter(None, (listed(files), notes)))
    yield f"<details><summary>{words.FILES}</summary>\n\n{inside}\n\n</details>"
    link = f"[{reported.link_words}]({reported.link})\n\n" if reported.link else ""
    yield f"{link}<sub>{text(reported.made)}</sub>"


def listed(lines: Iterable[str], title: str = "") -> str:
    """Return a list under a title; "" where it is empty."""
    items = "\n".join(f"- {line}" for line in lines)
    return f"**{title}**\n\n{items}" if items and title else items


def tabled(heads: Sequence[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a table, whose cells are Markdown; "" where it has no rows."""
    lines = [f"| {' | '.join(cells)} |" for cells in (map(text, heads), ["---"] * len(heads), *rows)]
    return "\n".join(lines) if lines[2:] else ""


#: How many of the queries that B loses most are named.
_LOSSES = 3


def to_comment(reported: Reported) -> str:
    """Return the comment as blocks of Markdown; ends with a line break."""
    return "\n\n".join(block for block in _comment_blocks(reported) if block) + "\n"


def _comment_blocks(reported: Reported) -> Iterator[str]:
    judged = reported.judged
    yield from _opening(reported, "###")
    yield from _grounds(reported)
    if judged is not None:
        sorted_queries = changes(judged)
        losses, _ = sorted_queries.largest(_LOSSES)
        yield extreme(style.EXTREMES["losses"], queries_at(sorted_queries, losses))
    yield from made(reported)


# --- files and queries as text, for the page too ---------------------------------------------------------------------

#: How many letters of a name and of an id are shown.
_NAME, _ID = 90, 40


@frozen
class InputRow:
    """A file: its title, facts as label and value, and the notes on it."""

    title: str
    facts: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]


def input_rows(comparison: Comparison | VotesAlone) -> tuple[InputRow, ...]:
    """Return every file of a comparison with its digest and the notes on it."""
    return tuple(_input_row(comparison, noted) for noted in input_notes(comparison))


def _input_row(comparison: Comparison | VotesAlone, noted: InputNotes) -> InputRow:
    name, order, source = "", "", noted.source
    if isinstance(comparison, Comparison) and noted.input in SIDES:
        run = comparison.inputs.run(noted.input)
        name, order = run.name, style.ORDERED[run.ordered_by]
    rows = count(source.rows) if source.rows else ""
    facts = {"name": source.name, "rows": rows, "order": order, "sha256": source.sha256}
    shown_facts = tuple((words.FILE_FACTS[fact], value) for fact, value in facts.items() if value)
    notes = tuple(note.phrase("page") for note in noted.notes)
    return InputRow(nouns(comparison.of_users).say(words.INPUTS[noted.input]).format(name=name), shown_facts, notes)


@frozen
class ListedQuery:
    """A query as text: its name, its id where the name is a text, and its numbers.

    ``rows`` are the documents of both lists, rank by rank, with None where a list has ended; ``lines`` is the drawing
    between them. Without lists there are no rows.
    """

    name: str
    query_id: str
    delta: str
    colour: str
    a: str
    b: str
    rows: Sequence[tuple[Mapping[str, Any] | None, Mapping[str, Any] | None]] = ()
    lines: str = ""


def queries_at(changes: Changes, places: Ints) -> tuple[ListedQuery, ...]:
    """Return the queries at some places of the changes, without their lists."""
    return tuple(map(partial(_listed, changes), places.tolist()))


def _listed(changes: Changes, place: int) -> ListedQuery:
    delta = float(changes.delta[place])
    return ListedQuery(
        short_name(changes, place, _NAME),
        short_inside(changes.query_ids[place], _ID) if changes.texts[place] else "",
        end(delta),
        style.tone(delta),
        number(float(changes.a[place])),
        number(float(changes.b[place])),
    )
