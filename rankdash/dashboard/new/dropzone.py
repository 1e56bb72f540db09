"""The files of a drop zone, the decisions about them, and the results of reading. Each file is read once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import PurePath
from threading import Event
from typing import Any

import streamlit as st

from rankdash.dashboard.host.digests import digest
from rankdash.dashboard.kit.literal import plain
from rankdash.dashboard.session.file_cache import box_of
from rankdash.dashboard.session.session import Box, DroppedFile, FileEntry
from rankdash.intake import OF_KIND, Decisions, FileLook, FileReading, Role
from rankdash.intake import place as place_files
from rankdash.reading import Choice
from rankdash.sandbox.apart import MOST, Meanwhile, look, read
from rankdash.style import reading as words
from rankdash.tables import Judgments, Models, Queries, Run, Votes

#: Seconds between two signs of life while files are read, and names that are shown meanwhile.
_OFTEN, _NAMED = 0.1, 3


#: From the tables of a drop zone to the names of the runs A and B; None where these are unknown.
Names = Callable[["Tables"], "tuple[str, str] | None"]


def present(place: str, files: Sequence[Any]) -> list[Any]:
    """Return the files of an uploader without those that were removed.

    From the uploader itself only its own chips remove a file.
    """
    return [file for file in files if file.file_id not in box_of(place).removed]


def remove_button(place: str, id: str, token: str, name: str) -> None:
    """Draw the button that removes a file from a drop zone. The style sheet shows its icon; its name names the file."""
    st.button(
        words.REMOVE.format(name=plain(name)),
        key=f"{place}_remove_{token}",
        type="tertiary",
        icon=":material/close:",
        on_click=box_of(place).removed.add,
        args=(id,),
    )


def _drops(box: Box, files: Sequence[DroppedFile]) -> list[int]:
    """Return the drop with which each file came: those that were not there a moment ago came with the latest."""
    latest = max(box.dropped.values(), default=-1) + 1
    box.dropped = {file.id: box.dropped.get(file.id, latest) for file in files}
    return [box.dropped[file.id] for file in files]


def entries(
    place: str, files: Sequence[DroppedFile], alone: Role = "a", names: Names = lambda _: None
) -> tuple[FileEntry, ...]:
    """Return every file with its part and what was read; what is read already is not read again. ``names`` are those of
    the runs A and B, given the tables that were read.
    """
    box = box_of(place)
    _open_new(box, files)
    first = [_looked(box, file, Decisions()) for file in files]
    tokens = _tokens(first)
    decided = [box.decisions.get(token, Decisions()) for token in tokens]
    looks = [_looked(box, file, own) for file, own in zip(files, decided, strict=True)]
    wished = {i: box.wishes[token] for i, token in enumerate(tokens) if token in box.wishes}
    parts = place_files(looks, wished, alone=alone, dropped=_drops(box, files))
    bare = [
        FileEntry(file, token, seen, part, own)
        for file, token, seen, part, own in zip(files, tokens, looks, parts, decided, strict=True)
    ]
    result = tuple(_read(box, entry, bare) for entry in bare)
    models = names(Tables.of(result))
    result = tuple(_read(box, entry, bare, models) if entry.role == "votes" else entry for entry in result)
    for entry in result:
        _remember(box.choices.setdefault(entry.token, {}), (*entry.choices, *_pairs(entry)))
    _forget(box, files)
    return result


def _open_new(box: Box, files: Sequence[DroppedFile]) -> None:
    """Look at the files that are new, and read each as what it holds, two side by side: where nobody decides otherwise,
    these readings are needed next.
    """
    new = [file for file in files if (file.id, Decisions()) not in box.looks]
    if not new:
        return
    waiting = {file.id: 0 for file in new}  # how many files are before each
    stopped = Event()

    def opened(file: DroppedFile) -> tuple[FileLook, FileReading | None]:
        def meanwhile(before: int) -> None:
            waiting[file.id] = before
            if stopped.is_set():
                raise _StoppedError

        looked = look(file.given, Decisions(), meanwhile=meanwhile)
        if looked.error is not None or looked.is_letor or looked.kind not in OF_KIND:
            return looked, None
        reading = read(file.given, looked.kind, Decisions(), form=looked.form, meanwhile=meanwhile)
        digest(reading.table)  # needed next, and remembered
        return looked, reading

    names = ", ".join(plain(file.given.name) for file in new[:_NAMED])
    with st.spinner(words.READING_FILE.format(name=names)), ThreadPoolExecutor(MOST, "rankdash-upload") as several:
        said, begun = st.empty(), {file.id: several.submit(opened, file) for file in new}
        try:
            while wait(begun.values(), _OFTEN).not_done:
                # Whatever is written ends the run of a session that is gone, and with it the reading.
                if all(waiting.values()):
                    said.caption(words.WAITS)
                else:
                    said.empty()
        finally:
            stopped.set()
    for id, future in begun.items():
        looked, reading = future.result()
        box.looks[id, Decisions()] = looked
        if reading is not None:
            box.readings[id, id, looked.kind, Decisions(), None] = reading


class _StoppedError(Exception):
    """The page that a file was read for is gone."""


def _remember(kept: dict[tuple[str, str], Choice], choices: Sequence[Choice]) -> None:
    """Keep a question on the card after it was answered; words that have a grade stay among the others."""
    for choice in choices:
        key = (choice.option, choice.key)
        before = kept[key].values if key in kept and choice.option == "grades" else ()
        kept[key] = Choice(choice.option, tuple(dict.fromkeys((*before, *choice.values))), choice.key)


def _pairs(entry: FileEntry) -> tuple[Choice, ...]:
    """Return the pairs of models that votes may be about, which stay a choice after a pair was chosen."""
    return tuple(choice for choice in entry.look.choices if choice.option == "pair" and entry.kind == "votes")


def _tokens(looks: Sequence[FileLook]) -> list[str]:
    """Return eight digits of each file's digest, "asked" where a question comes first; a copy gets a number."""
    result: list[str] = []
    for seen in looks:
        start = seen.digest[:8] or "asked"
        copies = sum(token.split("_")[0] == start for token in result)
        result.append(f"{start}_{copies + 1}" if copies else start)
    return result


def _looked(box: Box, file: DroppedFile, decisions: Decisions) -> FileLook:
    key = (file.id, decisions)
    result: FileLook = _once(box.looks, key, file, lambda meanwhile: look(file.given, decisions, meanwhile=meanwhile))
    return result


def _read(
    box: Box, entry: FileEntry, all_of_them: Sequence[FileEntry], models: tuple[str, str] | None = None
) -> FileEntry:
    """Return the entry with what was read of it; scores are read with the LETOR file that they belong to, votes with
    the names of the ``models``.
    """
    if entry.role in ("groups", "none"):
        return entry
    letor = next((other for other in all_of_them if other.look.is_letor and other.role != "none"), None)
    groups = next((other.file for other in all_of_them if other.role == "groups"), None)
    of_scores = entry.role in ("scores_a", "scores_b")
    source = letor if of_scores and letor is not None else entry
    scores = entry.file if of_scores else None
    kind = "run" if of_scores else entry.kind
    groups = groups if source.look.is_letor else None
    key = (entry.file.id, source.file.id, kind, source.decisions, groups and groups.id, *(models or ()))
    reading = _once(
        box.readings,
        key,
        entry.file,
        lambda meanwhile: read(
            source.file.given,
            kind,
            source.decisions,
            name=PurePath(entry.look.name).stem if scores is not None else None,
            scores=None if scores is None else scores.given,
            groups=None if groups is None else groups.given,
            form=source.look.form,
            models=models,
            meanwhile=meanwhile,
        ),
    )
    return FileEntry(entry.file, entry.token, entry.look, entry.placed, entry.decisions, reading)


def read_once(place: str, file: DroppedFile, kind: str) -> FileReading:
    """Return the file of a place, read as a kind; once, however often the page runs with it."""
    box = box_of(place)
    _forget(box, [file])
    key = (file.id, file.id, kind)
    result: FileReading = _once(box.readings, key, file, lambda meanwhile: read(file.given, kind, meanwhile=meanwhile))
    return result


def _once(results: dict[Any, Any], key: Any, file: DroppedFile, make: Callable[[Meanwhile], Any]) -> Any:
    if key not in results:
        with st.spinner(words.READING_FILE.format(name=plain(file.given.name))):
            said = st.empty()

            def meanwhile(before: int) -> None:
                # Whatever is written ends the run of a session that is gone, and with it the reading.
                if before:
                    said.caption(words.WAITS)
                else:
                    said.empty()

            results[key] = make(meanwhile)
    return results[key]


def _forget(box: Box, files: Sequence[DroppedFile]) -> None:
    """Let go of the tables of files that are not in the drop zone any more."""
    here = {file.id for file in files}
    box.looks = {key: result for key, result in box.looks.items() if key[0] in here}
    box.readings = {key: result for key, result in box.readings.items() if key[0] in here and key[1] in here}


@dataclass(frozen=True)
class Tables:
    """The tables that a drop zone gives to a comparison; None where no file has the part."""

    a: Run | None = None
    b: Run | None = None
    models: Models | None = None
    judgments: Judgments | None = None
    queries: Queries | None = None
    votes: Votes | None = None

    @classmethod
    def of(cls, entries: Sequence[FileEntry]) -> Tables:
        """Return the tables of the entries, by part."""
        by_role = {entry.role: entry.table for entry in entries if entry.table is not None}
        return cls(
            by_role.get("a") or by_role.get("scores_a"),
            by_role.get("b") or by_role.get("scores_b"),
            by_role.get("both"),
            by_role.get("judgments"),
            by_role.get("queries"),
            by_role.get("votes"),
        )

    @property
    def any(self) -> bool:
        """Whether there is any table at all."""
        return any((self.a, self.b, self.models, self.judgments, self.queries, self.votes))

    @property
    def only_votes(self) -> bool:
        """Whether there are votes and nothing else."""
        return self.votes is not None and not any((self.a, self.b, self.models, self.judgments, self.queries))
