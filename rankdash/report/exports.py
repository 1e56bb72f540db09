"""The forms in which a verdict leaves rankdash: one row each, for page, command line and Python alike.

A writer is imported when it is called, so that a comparison in a shell loads no template.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import PurePath
from types import MappingProxyType
from typing import TYPE_CHECKING

from rankdash.report.sections import Reported
from rankdash.strings import did_you_mean, nearest
from rankdash.style import verdict as words

if TYPE_CHECKING:
    from rankdash.scoring import Comparison


class ExportError(ValueError):
    """An export that does not exist, or cannot be made of this comparison. ``str()`` is a sentence that says so."""


def _anything(reported: Reported) -> str:
    """Return "": the export can be made of every comparison."""
    return ""


@dataclass(frozen=True)
class Export:
    """A form of a report: its label, the ending of its files, its media type, and its writer.

    ``lacks`` returns why it cannot be made of a comparison, "" where it can.
    """

    label: str
    ending: str
    media_type: str
    write: Callable[[Reported], bytes]
    lacks: Callable[[Reported], str] = _anything


def _html(reported: Reported) -> bytes:
    from rankdash.report.html import to_html

    return to_html(reported).encode()


def _markdown(reported: Reported) -> bytes:
    from rankdash.report.markdown import to_markdown

    return to_markdown(reported).encode()


def _comment(reported: Reported) -> bytes:
    from rankdash.report.markdown import to_comment

    return to_comment(reported).encode()


def _junit(reported: Reported) -> bytes:
    from rankdash.report.junit import to_junit

    return to_junit(reported)


def _json(reported: Reported) -> bytes:
    from rankdash.report.json import to_json

    return to_json(reported.comparison, reported.verdict, reported.edits).encode()


def _csv(reported: Reported) -> bytes:
    from rankdash.report.tables import per_query_csv

    return per_query_csv(_with_queries(reported), reported.edited)


def _parquet(reported: Reported) -> bytes:
    from rankdash.report.tables import per_query_parquet

    return per_query_parquet(_with_queries(reported), reported.edited)


def _with_queries(reported: Reported) -> Comparison:
    from rankdash.scoring import VotesAlone

    assert not isinstance(reported.comparison, VotesAlone)
    return reported.comparison


def _lacks_queries(reported: Reported) -> str:
    from rankdash.scoring import VotesAlone

    return words.ONLY_VOTES if isinstance(reported.comparison, VotesAlone) else ""


#: Every form by its name. Where several endings fit a file, the longest decides; of equal endings, the first.
EXPORTS: Mapping[str, Export] = MappingProxyType(
    {
        "html": Export("Report, one HTML page", ".html", "text/html", _html),
        "markdown": Export("Markdown, for a pull request or a wiki", ".md", "text/markdown", _markdown),
        "comment": Export("Markdown, short, for a comment", ".comment.md", "text/markdown", _comment),
        "junit": Export("JUnit XML, a test case per rule", ".xml", "application/xml", _junit),
        "json": Export("JSON, every number", ".json", "application/json", _json),
        "csv": Export("Values per query, CSV", ".csv", "text/csv", _csv, _lacks_queries),
        "parquet": Export(
            "Values per query, Parquet", ".parquet", "application/vnd.apache.parquet", _parquet, _lacks_queries
        ),
    }
)
#: Other endings that mean the same.
_ENDINGS = {".htm": ".html", ".markdown": ".md", ".pq": ".parquet"}


def format_of(file: str) -> str:
    """Return the name of the form that the ending of a file stands for. ExportError where it stands for none.

    >>> format_of("launch.html"), format_of("launch.comment.md"), format_of("q.PQ")
    ('html', 'comment', 'parquet')
    """
    name = PurePath(file).name.lower()
    meant = next((other for ending, other in _ENDINGS.items() if name.endswith(ending)), "")
    longest = max(
        (export.ending for export in EXPORTS.values() if name.endswith(export.ending)), key=len, default=meant
    )
    form = next((name for name, export in EXPORTS.items() if export.ending == longest), None)
    if form is None:
        endings = ", ".join(dict.fromkeys(export.ending for export in EXPORTS.values()))
        raise ExportError(f"{file}: its ending stands for no form. Use {endings}.")
    return form


def exported(reported: Reported, form: str) -> bytes:
    """Return a comparison in a form, by its name. ExportError where there is no such form, or it cannot be made."""
    export = EXPORTS.get(form)
    if export is None:
        meant = nearest(form, EXPORTS)
        hint = did_you_mean(meant) if meant else f" There are {', '.join(EXPORTS)}."
        raise ExportError(f"{form!r} is no form of a report.{hint}")
    why = export.lacks(reported)
    if why:
        raise ExportError(f"{export.label}: {why}")
    return export.write(reported)


def file_name(reported: Reported, form: str) -> str:
    """Return the name of a file in a form: that of the comparison, in letters and digits that every system takes."""
    words = "".join(letter if letter.isalnum() else " " for letter in reported.name).split()
    stem = "_".join(words)[:60] or "rankdash"
    return f"{stem}{'_edited' if reported.edits else ''}{EXPORTS[form].ending}"
