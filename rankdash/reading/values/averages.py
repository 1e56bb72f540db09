"""The mean of the grades that several raters gave one document, and how far they differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass
class Averages:
    """Means of grades in the making: the raters, the documents with several grades, and how many of these differ."""

    raters: set[str] = field(default_factory=set)
    several: int = 0
    differ: int = 0
    most: float = 0.0

    def of(self, grades: Mapping[str, float]) -> str:
        """Return the mean of the grades by rater as text; "" where there is none."""
        if not grades:
            return ""
        self.raters.update(grades)
        spread = max(grades.values()) - min(grades.values())
        self.several += len(grades) > 1
        self.differ += spread > 0
        self.most = max(self.most, spread)
        return repr(sum(grades.values()) / len(grades))

    def notes(self) -> list[str]:
        """Return the note on how the grades were made; nothing where one rater gave them all."""
        if len(self.raters) < 2:
            return []
        told = f"A grade is the mean of {len(self.raters):,} raters, of those who gave one"
        if not self.several:
            return [f"{told}; no document has grades of several."]
        by = f", by {self.most:g} at most" if self.differ else ""
        documents = "1 document has" if self.several == 1 else f"{self.several:,} documents have"
        return [f"{told}; {documents} grades of several, which differ for {self.differ:,}{by}."]
