"""The words of reports and of other exports, beside those of the pages."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

EXPORT = "Export"
EXPORT_HELP = "Take this verdict along: a report, or its numbers in another form"
EXPORT_WHY = "Every form has the numbers of this page. What queries say in it stands there literally."
EXPORT_FORM = "Form"
EXPORT_SAVE = "Save"
EXPORT_TEXT = "In a few lines, to copy:"

#: Why an export cannot be written.
ONLY_VOTES = "There are only votes, so there is nothing per query."
NO_BARS = "No query has a value for the primary measure."

TITLE = "{name}: {screen}"
OF_VOTES = "Votes on B against A"
MODELS = "A {a} → B {b}"
#: What a score of a document says where nobody judged it, on paper and to a screen reader.
UNJUDGED = "unjudged"
QUESTIONS = "Four questions"
BEHIND = "The rules behind it"
NUMBERS, CARDS = "Numbers", "The numbers in short"
MEASURE_COLUMNS = ("Measure", "Counts as", "A", "B", "Δ", "95% interval", "won / tied / lost", "t-test p", "n")
WHY_HINT = "Document by document, averaged over the queries that count."
EXTREMES = {"losses": "The largest losses", "gains": "The largest gains"}
EXTREMES_HINT = {
    "losses": "{n} of {all} queries that B loses, the worst first.",
    "gains": "{n} of {all} queries that B wins, the best first.",
}
LISTS_HINT = (
    "The first {k} documents of both lists: rank, grade (? is unjudged), document, and where it stands in the other "
    "list. Lines join a document’s two places: solid, the move helps B; dashed, it hurts; thin, no known effect."
)
LISTS_ELSEWHERE = (
    "The lists are not in this report, for it was made of scored queries: rankdash report A B -q Q, of the files "
    "themselves, shows them."
)
LISTS_LABEL = "The lists of A and of B for {query}: rank, grade, document, and where it stands in the other list"
METHOD = "Method"
CONVENTION, CONVENTION_COLUMNS = "Convention", ("Axis", "In force", "What it decides")
POLICY, POLICY_COLUMNS = "Policy", ("Field", "Set to", "What it is")
POLICY_DEFAULT = "As it comes with rankdash."
POLICY_OWN = "Differs from the defaults in: {fields}."
#: What an empty list of a policy's field reads like.
NONE = "none"
FILES = "Files"
FILE_FACTS = {"name": "File", "rows": "Rows", "sha256": "SHA-256", "order": "Ordered by"}
NOTES = "Notes"
INPUTS: Mapping[str, str] = MappingProxyType(
    {
        "a": "A, the baseline: {name}",
        "b": "B, the candidate: {name}",
        "judgments": "Judgments",
        "queries": "Queries",
        "votes": "Votes",
    }
)
EDITED = "{n} made on top of the files; the numbers are those after them."
EDIT, EDITS = "edit was", "edits were"
ABOUT_QUERIES = "Queries"
MADE = "Written by rankdash {version}, policy version {policy}, on {at}."
LINK = "This comparison in rankdash"
RESOLVES = "Resolution"
RESOLVED = "With 80% power this set of queries shows a difference of ±{mde80}; smaller ones may stay unseen."
DECISION = "Decision"
IN_FORCE = "{choice}, {by}, {at}"
DETAILS = "Details"
MOVES = "{sign}{move}"
#: Marks of the status of a rule, read aloud as its word.
MARKS: Mapping[str, str] = MappingProxyType({"passed": "✓", "failed": "✕", "not_proven": "?", "not_applicable": "–"})
LINES = "Lines between the two places of each document"
OBSERVED = "Online, {models}{metric} {delta}{since}, {by}"
WON = "{won} won, {tied} tied, {lost} lost."
