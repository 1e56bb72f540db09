"""The mean of the grades that several raters gave one document, and how far they differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

NOT_SYNCED = (
    "The mean is not the rating that Quepid syncs from a book into a case: of three ratings or more that is the one "
    "that they have in common, or the lowest of the top three, and it is rounded."
)


@dataclass
class Averages:
    """Means of grades in the making: the raters, how many grades name none, the documents with several grades, and how
    many of these differ.
    """

    raters: set[str] = field(default_factory=set)
    unnamed: int = 0
    several: int = 0
    differ: int = 0
    most: float = 0.0

    def of(self, grades: Mapping[str, float], unnamed: Sequence[float] = ()) -> str:
        """Return the mean of the grades by rater, and of those that name none, as text; "" where there is none."""
        values = [*grades.values(), *unnamed]
        if not values:
            return ""
        self.raters.update(grades)
        self.unnamed += len(unnamed)
        spread = max(values) - min(values)
        self.several += len(values) > 1
        self.differ += spread > 0
        self.most = max(self.most, spread)
        return repr(sum(values) / len(values))

    def notes(self) -> list[str]:
        """Return the note on how the grades were made; nothing where one rater gave them all."""
        if len(self.raters) < 2 and not self.unnamed:
            return []
        mean = f"A grade is the mean of {self._whose()}, of those who gave one"
        if not self.several:
            return [f"{mean}; no document has grades of several."]
        by = f", by {self.most:g} at most" if self.differ else ""
        documents = "1 document has" if self.several == 1 else f"{self.several:,} documents have"
        return [f"{mean}; {documents} grades of several, which differ for {self.differ:,}{by}."]

    def book_notes(self) -> list[str]:
        """Return the notes on grades from a book of Quepid, whose own rating is another one where several are given."""
        return [*self.notes(), *[NOT_SYNCED] * (self.several > 0)]

    def _whose(self) -> str:
        """Return who gave the grades: the number of raters, and the number of grades without a rater."""
        raters, unnamed = len(self.raters), self.unnamed
        named = f"{raters:,} {'rater' if raters == 1 else 'raters'}"
        others = f"{unnamed:,} {'rating' if unnamed == 1 else 'ratings'} without a name"
        return " and ".join([named] * (raters > 0) + [others] * (unnamed > 0))
