"""One list of documents while it is edited, kept in blocks: a change to a long list takes hardly longer than one to a
short list, so that a file of edits cannot take hours.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

#: Documents of a block, which is split when it has twice as many.
_BLOCK = 512


class OrderedList:
    """Documents in order, each once."""

    def __init__(self, doc_ids: Iterable[str]) -> None:
        every = list(doc_ids)
        self._blocks = [every[at : at + _BLOCK] for at in range(0, len(every), _BLOCK)] or [[]]
        self._block_of = {doc_id: block for block in self._blocks for doc_id in block}

    def __contains__(self, doc_id: str) -> bool:
        return doc_id in self._block_of

    def __iter__(self) -> Iterator[str]:
        for block in self._blocks:
            yield from block

    def __bool__(self) -> bool:
        return bool(self._block_of)

    def place(self, doc_id: str) -> int | None:
        """Return the place of a document, from 1; None where the list lacks it."""
        own, before = self._block_of.get(doc_id), 0
        for block in self._blocks:
            if block is own:
                return before + block.index(doc_id) + 1
            before += len(block)
        return None

    def remove(self, doc_id: str) -> None:
        """Take a document out. KeyError where the list lacks it."""
        self._block_of.pop(doc_id).remove(doc_id)

    def insert(self, place: int, doc_id: str) -> None:
        """Put a document that the list lacks at a place, from 1; at the end where the list is shorter."""
        at, left = 0, max(place, 1) - 1
        while left > len(self._blocks[at]) and at < len(self._blocks) - 1:
            left -= len(self._blocks[at])
            at += 1
        block = self._blocks[at]
        block.insert(min(left, len(block)), doc_id)
        self._block_of[doc_id] = block
        if len(block) >= 2 * _BLOCK:
            half = block[_BLOCK:]
            del block[_BLOCK:]
            self._blocks.insert(at + 1, half)
            self._block_of.update(dict.fromkeys(half, half))

    def edit(self, doc_id: str, place: float | None, *, adds: bool) -> None:
        """Move a document to a place, from 1, or take it out (None); one that the list lacks only where ``adds``."""
        if doc_id in self:
            self.remove(doc_id)
        elif not adds:
            return
        if place is not None:
            self.insert(int(place), doc_id)
