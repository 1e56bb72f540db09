"""The two rankers of the demo: BM25 on the title, and BM25F on title, description, brand and category."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence

from catalogue import Product

K1 = 1.2
B = 0.75
DEPTH = 20
RANKER_A = {"title": 1.0}
RANKER_B = {"title": 1.0, "description": 0.4, "brand": 0.2, "category": 0.2}

STOP = frozenset(["a", "an", "and", "for", "in", "of", "on", "or", "that", "the", "to", "with"])
WORD = re.compile(r"[a-z0-9]+|[\u3005\u3040-\u30ff\u3400-\u9fff]+")


def tokens(text: str) -> list[str]:
    """Lower-case words without a plural s, without stop words; Chinese and Japanese as overlapping pairs."""
    plain = unicodedata.normalize("NFKC", text).lower()
    plain = re.sub(r"(?<=\d),(?=\d)", "", plain).replace("'s", "").replace("'", "")
    found: list[str] = []
    for run in WORD.findall(plain):
        if run[0] > "\u3000":
            found += [run[at : at + 2] for at in range(len(run) - 1)] or [run]
        elif run not in STOP:
            found.append(run[:-1] if len(run) > 3 and run.endswith("s") and not run.endswith("ss") else run)
    return found


class Index:
    """Term counts of some fields. ``search`` scores with BM25F, which with one field of weight 1 is BM25."""

    def __init__(self, products: Sequence[Product], weights: dict[str, float]) -> None:
        self.products = products
        self.size = len(products)
        self.postings: dict[str, dict[int, float]] = {}
        for field, weight in weights.items():
            counts = [Counter(tokens(getattr(product, field))) for product in products]
            lengths = [sum(count.values()) for count in counts]
            mean = sum(lengths) / self.size
            for at, count in enumerate(counts):
                norm = 1 - B + B * lengths[at] / mean
                for term, times in count.items():
                    row = self.postings.setdefault(term, {})
                    row[at] = row.get(at, 0.0) + weight * times / norm

    def search(self, text: str) -> list[tuple[Product, int]]:
        """The best ``DEPTH`` products with their scores in millionths; equal scores by document id, descending."""
        scores: dict[int, float] = {}
        for term in dict.fromkeys(tokens(text)):
            row = self.postings.get(term, {})
            rarity = math.log(1 + (self.size - len(row) + 0.5) / (len(row) + 0.5))
            for at, frequency in row.items():
                scores[at] = scores.get(at, 0.0) + rarity * frequency * (K1 + 1) / (frequency + K1)
        # Ranked by the rounded score: what the file says is what the order follows, the last bit of a float is not.
        rounded = [(self.products[at], round(score * 1_000_000)) for at, score in scores.items()]
        rounded.sort(key=lambda row: (row[1], row[0].doc_id), reverse=True)
        return [row for row in rounded[:DEPTH] if row[1] > 0]
