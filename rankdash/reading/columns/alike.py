"""Ids that look alike and are not the same: they count as different ones, which is told."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from rankdash.arrow import Text
from rankdash.reading.source.problems import listed
from rankdash.strings.normalforms import normalized

#: Of more queries nobody looks for ids that are alike.
_MOST_QUERIES = 50_000
#: So many documents with such signs are looked at.
_MOST_DOCUMENTS = 200_000
#: Bytes of visible ASCII stand between these two.
_BLANK, _DELETE = 32, 127
#: Signs that a normal form (NFC) may write otherwise: marks, parts of Korean letters, and doubles of other signs.
_CHANGING = (
    r"[\p{M}\x{1100}-\x{11ff}\x{340}\x{341}\x{374}\x{37e}\x{387}\x{1f71}-\x{1fff}\x{2000}\x{2001}\x{2126}-\x{212b}"
    r"\x{2329}\x{232a}\x{f900}-\x{fad9}\x{2f800}-\x{2fa1d}]"
)


def queries_alike(queries: pa.DictionaryArray) -> list[str]:
    """A note on queries whose ids differ only in what people do not see as a difference."""
    names = queries.dictionary
    if len(names) > _MOST_QUERIES or _differ_in_any_case(names):
        return []
    groups: dict[str, list[str]] = {}
    for value in names.to_pylist():
        groups.setdefault(" ".join(normalized("NFKC", value).casefold().split()), []).append(value)
    found = [values for values in groups.values() if len(values) > 1]
    if not found:
        return []
    told = f"{listed(found[0][:2])}: they count as different queries"
    what = "query has" if len(found) == 1 else "queries have"
    return [f"{len(found):,} {what} ids that differ only in case, width or blanks, like {told}."]


def documents_alike(documents: pa.Array) -> list[str]:
    """A note on documents whose ids are the same but for their Unicode form."""
    data, offsets = Text.of(documents).data, Text.of(documents).offsets
    if not bool((data[offsets[0] : offsets[-1]] > _DELETE).any()):
        return []
    some = documents.filter(pc.match_substring_regex(documents, _CHANGING)).slice(0, _MOST_DOCUMENTS)
    forms: dict[str, list[str]] = {}
    for value in dict.fromkeys(some.to_pylist()):
        forms.setdefault(normalized("NFC", value), []).append(value)
    composed = pa.array([form for form, values in forms.items() if form not in values], documents.type)
    for form in documents.filter(pc.is_in(documents, value_set=composed)).unique().to_pylist():
        forms[form].append(form)
    pairs = [values for values in forms.values() if len(values) > 1]
    if not pairs:
        return []
    what = "document has ids" if len(pairs) == 1 else "documents have ids"
    told = f"like {' and '.join(f'{value!a}' for value in sorted(pairs[0])[:2])}"
    return [f"{len(pairs):,} {what} that differ only in Unicode form, {told}: they count as different documents."]


def _differ_in_any_case(names: pa.Array) -> bool:
    """Whether ids, each there once, are visible ASCII and differ in lower case, too. False where that is not known."""
    text = Text.of(names)
    data = text.data[text.offsets[0] : text.offsets[-1]]
    if bool(((data <= _BLANK) | (data >= _DELETE)).any()):
        return False
    return len(pc.ascii_lower(names).dictionary_encode().dictionary) == len(names)
