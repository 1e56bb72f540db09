"""Several candidates as a terminal, Markdown, JSON and one HTML page show them, the best first."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from collections.abc import Callable, Mapping, Sequence

import pyarrow as pa

from rankdash import style
from rankdash.arrow import from_strings
from rankdash.candidates import Candidates
from rankdash.installation import __version__
from rankdash.records import frozen
from rankdash.report import ExportError
from rankdash.report.json import SCHEMA, to_dict
from rankdash.report.notes import compared_queries
from rankdash.report.sections import Reported, cards, measure_cells, model_words, wrong_sentences
from rankdash.report.tables import rows_csv, rows_parquet
from rankdash.report.text import aligned
from rankdash.scoring import Comparison, summary_row
from rankdash.strings import is_local
from rankdash.style import candidates as words
from rankdash.style.history import SAID
from rankdash.style.verdict import LINK
from rankdash.verdict import Verdict
from rankdash.wording import count, family_level, literal, signed, size_near, unlike

#: The roles of the measures beside the primary one that can stop a launch.
_BESIDE = ("guardrail", "watch")


@frozen
class Headline:
    """The headline of all candidates: the models, big words, a few words beside them, and sentences."""

    models: str
    screen: str
    tag: str
    sentences: tuple[str, ...]

    @property
    def line(self) -> str:
        """The headline in one line."""
        return f"{self.screen}: {self.tag}. {self.sentences[0]}"


def headline(found: Candidates) -> Headline:
    """Return which candidate is the best, what it changes, and whether its lead is more than chance."""
    best, verdict = found.best, found.verdict
    several, name = count(len(found), words.CANDIDATE, words.CANDIDATES), best.inputs.b.name
    models = words.MODELS.format(a=model_words("A", best.inputs.a.name), n=several)
    paired = best.primary.paired
    if not best.is_judged or paired.delta is None:
        return Headline(models, verdict.screen, verdict.tag, (verdict.sentence,))
    changes = (words.GAIN if paired.delta else words.EVEN).format(
        name=name,
        measure=best.primary.label,
        moves=words.MOVES[paired.delta > 0],
        size=size_near(abs(paired.delta), 0.0),
        **dict(zip("ab", unlike(paired.mean_a, paired.mean_b), strict=True)),
        queries=compared_queries(best),
        interval=words.INTERVAL.format(ends=measure_cells(best.primary)[5]) if paired.ci95 else "",
    )
    level, policy, tried = "", best.policy, verdict.candidates
    if tried > 1 and policy.inference == "sample":
        all_tried = count(tried, words.CANDIDATE, words.CANDIDATES)
        apart = words.APART.format(n=count(tried - len(found))) if tried > len(found) else ""
        about = {"n": all_tried, "apart": apart, "measure": best.primary.label, "level": family_level(tried)}
        level = words.LEVELS[policy.intent].format(**about)
    return Headline(
        models,
        words.LAUNCH.format(screen=verdict.screen, name=name) if verdict.launch else verdict.screen,
        (words.BEST if verdict.launch else words.NONE).format(n=several),
        tuple(filter(None, (changes, "" if verdict.launch else f"{name}: {verdict.sentence}", _lead(found), level))),
    )


def _lead(found: Candidates) -> str:
    """Return how far the best is ahead of the next best over all queries, by which candidates are put in order; "" for
    one candidate, and where there is no difference to speak of.
    """
    if found.lead is None or found.lead.primary_everywhere.delta is None:
        return ""
    paired, other = found.lead.primary_everywhere, found.lead.inputs.a.name
    if not paired.delta:
        return words.EQUAL.format(name=found.best.inputs.b.name, other=other)
    ends, chance = paired.ci95, words.CHANCE if paired.inferred else ""  # a fixed set stands for no other queries
    constant = paired.status in ("zero_variance", "groups_alike")  # as every bound of it, where enough queries changed
    is_decided = constant and paired.changed >= found.lead.policy.harm_changed_min
    if is_decided or (ends is not None and ends[0] * ends[1] > 0):
        chance = words.NO_CHANCE
    says = words.LEADS if paired.delta > 0 else words.BEHIND
    return says.format(
        name=found.best.inputs.b.name, other=other, size=size_near(abs(paired.delta), 0.0), chance=chance
    )


def of_each(found: Candidates, say: Callable[[Comparison, Verdict], Sequence[str]]) -> list[str]:
    """Return why a run is no candidate, and what is said of each: what is the same for all once, the rest behind the
    name of its candidate, the best first.
    """
    each = {found.names[at]: say(found[at], found.verdicts[at]) for at in found.best_first}
    common = [line for line in next(iter(each.values())) if all(line in lines for lines in each.values())]
    own = (f"{name}: {line}" for name, lines in each.items() for line in lines if line not in common)
    return [*found.set_aside, *common, *own]


def wrong(found: Candidates, *, on_page: bool = False) -> list[str]:
    """Return what is wrong with the files of candidates, as it stands beside the verdict on each."""
    return of_each(found, lambda one, verdict: wrong_sentences(verdict, one, on_page=on_page))


def columns(found: Candidates) -> tuple[str, ...]:
    """Return the heads of the table; without judgments those of what changed in the lists."""
    heads = words.COLUMNS
    if not found[0].is_judged:
        return (heads[0], *(card.label for card in cards(found[0])), heads[-1])
    guards = (words.GUARDRAIL.format(measure=one.label) for one in found[0].results if one.role in _BESIDE)
    return (heads[0], heads[1].format(measure=found[0].primary.label), *heads[2:4], *guards, *heads[4:])


def rows(found: Candidates, decimals: int = 3) -> list[tuple[str, ...]]:
    """Return one row per candidate, the best first."""
    return [_row(found[at], found.verdicts[at], decimals) for at in found.best_first]


def verdicts(found: Candidates) -> list[tuple[str, str]]:
    """Return the big words and the colour of each verdict, the best first: a gain is green only if it launches."""
    best_first = (found.verdicts[at] for at in found.best_first)
    return [(one.screen, style.outcome_tone(one.outcome.value)) for one in best_first]


def alt(compared: Sequence[Comparison], at: int = 0) -> str:
    """Return the differences of several candidates in one of their measures, in one sentence."""
    each = (f"{one.inputs.b.name} {measure_cells(one.results[at])[4]}" for one in compared)
    return words.PICTURE_ALT.format(measure=compared[0].results[at].label, rows="; ".join(each))


def _row(one: Comparison, verdict: Verdict, decimals: int) -> tuple[str, ...]:
    said = SAID.format(screen=verdict.screen, tag=verdict.tag)
    if not one.is_judged:
        return (one.inputs.b.name, *(card.value for card in cards(one)), said)
    _, _, _, value, delta, interval, won, *_ = measure_cells(one.primary, decimals)
    guards = (signed(result.paired.delta, decimals) for result in one.results if result.role in _BESIDE)
    return (one.inputs.b.name, value, delta, interval, *guards, won, said)


def to_text(found: Candidates) -> str:
    """Return the table and the headline as text; the last line is the verdict."""
    said = headline(found)
    lines = (said.models, "", *aligned([columns(found), *rows(found, 4)], 1), "", *said.sentences[1:], said.line)
    return "".join(f"{literal(line)}\n" for line in lines)


def to_markdown(found: Candidates, link: str = "") -> str:
    """Return the same as Markdown, with the link to what was saved."""
    from rankdash.report.markdown import listed, tabled, text

    said = headline(found)
    table = tabled(columns(found), ([*map(text, row)] for row in rows(found)))
    notes = listed(map(text, (*said.sentences[1:], *wrong(found))))
    parts = (f"## {text(said.screen)}: {text(said.tag)}", text(said.sentences[0]), table, notes)
    return "\n\n".join((*parts, *([f"[{LINK[is_local(link)]}]({link})"] if link else []))) + "\n"


def to_json(found: Candidates) -> str:
    """Return the table, and everything about each comparison, in the order in which the candidates were given."""
    lead = None if found.lead is None else {"over": found.lead.inputs.a.name, **summary_row(found.lead.primary)}
    pairs = [*zip(found, found.verdicts, strict=True)]
    whole = {
        "schema": SCHEMA,
        "rankdash": __version__,
        "baseline": found[0].inputs.a.name,
        "best": found.best.inputs.b.name,
        "best_first": [found.names[at] for at in found.best_first],
        "lead": lead,
        "set_aside": [*found.set_aside],
        "table": [
            {"candidate": one.inputs.b.name, "outcome": verdict.outcome.value, **summary_row(result)}
            for one, verdict in pairs
            for result in one.results
        ],
        "comparisons": [to_dict(one, verdict) for one, verdict in pairs],
    }
    return json.dumps(whole, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def to_html(found: Candidates, link: str = "", name: str = "") -> str:
    """Return one page, called ``name``: the table, a picture, and the report on each candidate, with the link to what
    was saved.
    """
    from markupsafe import Markup

    from rankdash.report.html import TONES, context_of, page, part
    from rankdash.report.svg import candidates_drawing

    said, compared = headline(found), [found[at] for at in found.best_first]
    picture = candidates_drawing(compared, verdicts(found), alt(compared)) if found.best.is_judged else None
    reports = [
        (
            one.inputs.b.name,
            verdict.screen,
            part("report.html.j2", context_of(Reported(one, verdict, link=link)) | {"alone": False}),
        )
        for one, verdict in ((found[at], found.verdicts[at]) for at in found.best_first)
    ]
    context = {
        "words": words,
        "headline": said,
        "name": name,
        "tone": TONES.get(style.OUTCOME_COLOUR.get(found.verdict.outcome.value, ""), ""),
        "columns": columns(found),
        "rows": rows(found),
        "wrong": wrong(found),
        "picture_title": words.PICTURE.format(measure=found.best.primary.label),
        "picture": "" if picture is None else Markup(ET.tostring(picture, encoding="unicode")),
        "reports": reports,
    }
    return page(words.SECTION.format(name=name or said.models, screen=said.screen), "candidates.html.j2", context)


def per_query(found: Candidates) -> pa.Table:
    """Return the values of each query as for a single candidate, behind a column with the name of the candidate."""
    tables = [one.per_query_table for one in found]
    names = [from_strings([name] * len(table)) for name, table in zip(found.names, tables, strict=True)]
    return pa.concat_tables(table.add_column(0, "candidate", name) for table, name in zip(tables, names, strict=True))


#: The forms of several candidates, by the names in ``EXPORTS``, each with the link to what was saved and a
#: name, or "".
WRITERS: Mapping[str, Callable[[Candidates, str, str], str | bytes]] = {
    "html": to_html,
    "markdown": lambda found, link, _: to_markdown(found, link),
    "json": lambda found, *_: to_json(found),
    "csv": lambda found, *_: rows_csv(per_query(found)),
    "parquet": lambda found, *_: rows_parquet(per_query(found)),
}


def exported(found: Candidates, form: str, link: str = "", name: str = "") -> bytes:
    """Return several candidates in a form, by its name. ExportError where they have no such form."""
    if form not in WRITERS:
        raise ExportError(f"Several candidates are written as {', '.join(WRITERS)}.")
    content = WRITERS[form](found, link, name)
    return content if isinstance(content, bytes) else content.encode()
