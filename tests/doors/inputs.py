"""What is given at each door, of at most 1 MB, by what is worst in it; none is anything that anybody has."""

import json
from collections.abc import Callable
from typing import Any

from rankdash.reading.typed import MOST_LETTERS
from tests.reading.attacks import MEGABYTE, filled, lines_up_to, marked, numbered

Make = Callable[[], bytes]
#: What a row of the database held, and what it holds now, as text.
MakeStored = Callable[[dict[str, Any]], str]

DIGITS = "9" * 100_000
RUN, LABELS = "query_id,doc_id,score\n", "query_id,doc_id,relevance\n"
VOTES = "query_id,rater,vote\n"
_SOME = 100_000
#: Beyond what is looked at of a policy, and just within it.
_TOML = 65_000


def _lines(line: str, begin: str = "", size: int = MEGABYTE) -> Make:
    """Lines with a number in each, until a size is reached."""
    return lambda: lines_up_to(numbered(line), begin, size)


def _all(part: str, begin: str = "", end: str = "", size: int = MEGABYTE) -> Make:
    return lambda: filled(part, begin, end, size)


UPLOADS: dict[str, Make] = {
    "one query, 100,000 documents": _lines("q,{i},1", RUN),
    "long numbers": _lines("q,d{i},0." + "1" * 10_000, RUN),
    "names that fold to one": _lines("Q{i} ,Ｄ{i},1", RUN),
    "deep JSON": _all('{"q":'),
}
VOTE_FILES: dict[str, Make] = {
    "60,000 raters on one query": _lines("q,r{i},good", VOTES),
    "as many words as votes": _lines("q{i},r,word {i}", VOTES),
    "two models on each row": _lines("q,m{i},n{i},good", "query_id,model_a,model_b,vote\n"),
}
LABEL_FILES: dict[str, Make] = {
    "one document again and again": _all("q,d,1\n", LABELS),
    "as many words as labels": _lines("q,d{i},word {i}", LABELS),
    "a number of 100,000 digits": lambda: f"{LABELS}q,d,{DIGITS}\n".encode(),
}
#: Texts that are as long as what is read, in the first field.
TYPED: dict[str, Make] = {
    "one list": _all("3 2 1 0 ", size=MOST_LETTERS),
    "named documents": _lines("d{i}:3", size=MOST_LETTERS),
    "a megabyte of lines": _all("3\n"),
}
PASTED: dict[str, Make] = {
    "a million counted": lambda: b"400000 200000 400000",
    "raters on one query": _lines("q,r{i},good", VOTES, MOST_LETTERS - 100),
    "marks on a letter": lambda: marked(MOST_LETTERS).encode(),
}
TOML: dict[str, Make] = {
    "the deepest cutoff": lambda: b'primary = "nDCG@999999999"\ncutoff = 999999999\n',
    "brackets within what is read": _all("[", "a=", size=_TOML),
    "a measure of 60,000 brackets": _all("(", 'primary = "', '"\n', size=_TOML),
    "bytes that are no text": lambda: b"\xff" * 60_000,
}


def _deep(begin: str, end: str = "") -> MakeStored:
    """Brackets in brackets, in the place of a member."""
    return lambda own: json.dumps(own)[:-1] + f', "more": {begin * _SOME}1{end * _SOME}}}'


_ANYWHERE: dict[str, MakeStored] = {
    "deep lists": _deep("[", "]"),
    "a number of 100,000 digits": lambda own: json.dumps(own)[:-1] + f', "more": {DIGITS}}}',
    "no JSON": lambda own: "[" * MEGABYTE,
    "an empty object": lambda own: "{}",
    "a list": lambda own: json.dumps([*range(_SOME)]),
    "null": lambda own: "null",
}
#: The rows of a saved comparison that hold JSON, as table and column, and what stands there.
STORED: dict[tuple[str, str], dict[str, MakeStored]] = {
    ("revision", "state"): {
        **_ANYWHERE,
        "near fields of a policy": lambda own: json.dumps(
            {**own, "policy": {**own["policy"], **{f"guardrail{i}": i for i in range(40_000)}}}
        ),
        "a policy of a text": lambda own: json.dumps({**own, "policy": "x"}),
        "names of a list": lambda own: json.dumps({**own, "names": [1]}),
    },
    ("step", "body"): {
        **_ANYWHERE,
        "one document up and down": lambda own: json.dumps(
            {**own, "edits": [("q", "a1", "rank", "a", 1 + 2 * (i % 2), 3 - 2 * (i % 2)) for i in range(20_000)]}
        ),
        "edits of other values": lambda own: json.dumps({**own, "edits": [([], {}, "grade", None, "x", [])]}),
    },
    ("input", "description"): {**_ANYWHERE, "a source of a text": lambda own: json.dumps({**own, "source": "x"})},
    ("result", "json"): _ANYWHERE,
    ("decision", "verdict"): _ANYWHERE,
}
