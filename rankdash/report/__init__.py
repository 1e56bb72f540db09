"""Comparison + Verdict -> JSON, tables and text. Nothing is computed here: every number is a field of a record.

Here are the forms in which a verdict leaves rankdash: one row each, for page, command line and Python alike.

A writer is imported when it is called, so that a comparison in a shell loads no template.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import PurePath
from types import MappingProxyType

from rankdash.records import frozen
from rankdash.report.sections import Reported
from rankdash.strings import did_you_mean, nearest
from rankdash.style import verdict as words


class ExportError(ValueError):
    """An export that does not exist, or cannot be made of this comparison. ``str()`` is a sentence that says so."""


@frozen
class Export:
    """A form of a report: its label, the ending of its files, its media type, and its writer, a module of this folder
    and a function.
    """

    label: str
    ending: str
    media_type: str
    writer: str
    per_query: bool = False  #: whether it has only values per query, which votes alone do not have

    def lacks(self, reported: Reported) -> str:
        """Return why it cannot be made of a comparison; "" where it can."""
        return words.ONLY_VOTES if self.per_query and reported.judged is None else ""


#: Every form by its name.
EXPORTS: Mapping[str, Export] = MappingProxyType(
    {
        "html": Export("Report, one HTML page", ".html", "text/html", "html.to_html"),
        "markdown": Export("Markdown, for a pull request or a wiki", ".md", "text/markdown", "markdown.to_markdown"),
        "junit": Export("JUnit XML, a test case per rule", ".xml", "application/xml", "ci.to_junit"),
        "json": Export("JSON, every number", ".json", "application/json", "json.to_json"),
        "csv": Export("Values per query, CSV", ".csv", "text/csv", "tables.per_query_csv", per_query=True),
        "parquet": Export(
            *("Values per query, Parquet", ".parquet", "application/vnd.apache.parquet", "tables.per_query_parquet"),
            per_query=True,
        ),
    }
)


def format_of(file: str) -> str:
    """Return the name of the form for the ending of a file name. ExportError for an unknown ending.

    >>> format_of("launch.html"), format_of("launch.MD")
    ('html', 'markdown')
    """
    forms = {export.ending: form for form, export in EXPORTS.items()}
    ending = PurePath(file).suffix.lower()
    if ending not in forms:
        raise ExportError(f"{file}: its ending names no form. Use {', '.join(forms)}.")
    return forms[ending]


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
    module, _, name = export.writer.partition(".")
    content: str | bytes = getattr(import_module(f"rankdash.report.{module}"), name)(reported)
    return content if isinstance(content, bytes) else content.encode()


def file_name(reported: Reported, form: str) -> str:
    """Return the name of a file in a form: that of the comparison, in letters and digits that every system takes."""
    words = "".join(letter if letter.isalnum() else " " for letter in reported.name).split()
    stem = "_".join(words)[:60] or "rankdash"
    return f"{stem}{'_edited' if reported.edits else ''}{EXPORTS[form].ending}"
