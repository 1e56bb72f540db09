"""Write the second demo ``data/demo_diversity/*.csv`` out of ``authored/senses.txt``, the same bytes on every machine.

``--out DIR`` writes another folder.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

from catalogue import number
from make_demo import to_csv

HERE = Path(__file__).resolve().parent
#: Days after which B counts half of the readers of a page, and what each page of its category above leaves of them.
HALF_LIFE, AGAIN = 60, 0.75
LONGEST = 10


@dataclass(frozen=True)
class Page:
    """What a page is about, and how many read it. ``grade`` is 2 for a page that many would choose; without ``senses``
    it is about another word, and is shown for the queries of a week all the same.
    """

    doc_id: str
    title: str
    category: str
    senses: tuple[str, ...]
    grade: int
    day: date
    users: int


def pages_of(lines: list[str], day: date, first_id: int) -> list[Page]:
    """The pages that were written for a query, of which the first sense is the one that most people mean."""
    made: list[Page] = []
    for at, line in enumerate(lines):
        about, titles = line.split(": ", 1)
        sense, category = about.split("/")
        for written in titles.split(" | "):
            title, star, second = re.fullmatch(r"(.+?)(\*?)(?: \+(\w+))?", written).groups()
            grade = 0 if sense == "-" else 2 if star else 1
            users = 30 + number(f"users/{title}", 240) + (70 if at == 0 else 0) + 60 * (grade == 2)
            dated = day - timedelta(days=number(f"age/{title}", 45 if star else 60))
            senses = () if sense == "-" else (sense, second) if second else (sense,)
            made.append(Page(f"d{first_id + len(made):03}", title, category, senses, grade, dated, users))
    return made


def mixed(pages: list[Page], day: date) -> list[tuple[Page, str]]:
    """The list of B: one page after the other, fresh ones and categories that are not there yet before others."""
    left, above, ranked = list(pages), Counter[str](), []
    fresh = {page: page.users * 2 ** (-max((day - page.day).days, 0) / HALF_LIFE) for page in pages}
    while left:
        scores = {page: f"{fresh[page] * AGAIN ** above[page.category]:010.4f}" for page in left}
        best = max(left, key=lambda page: (scores[page], page.doc_id))
        left.remove(best)
        above[best.category] += 1
        ranked.append((best, scores[best].lstrip("0")))
    return ranked


def make_files() -> dict[str, bytes]:
    """File name -> its bytes."""
    queries, items, judgments, a, b = [], [], [], [], []
    others: list[Page] = []  # pages about nothing that the queries mean
    for at, block in enumerate((HERE / "authored/senses.txt").read_text("utf-8").strip().split("\n\n"), start=1):
        head, *lines = block.split("\n")
        text, written = head.removeprefix("# ").rsplit(" ", 1)
        query, day = f"q{at:02}", date.fromisoformat(written)
        time = f"{7 + number(f'hour/{text}', 15):02}:{number(f'minute/{text}', 60):02}Z"
        queries.append((query, text, f"{day}T{time}"))
        own = pages_of(lines, day, len(items) + 1)
        for page in own:
            is_dated = number(f"undated/{page.title}", 19)
            items.append((page.doc_id, page.title, page.category, page.day if is_dated else "", page.users))
        pages = own + others[-2:]
        for page in pages:
            if number(f"hole/{query}/{page.title}", 30):
                judgments += [(query, sense, page.doc_id, page.grade) for sense in page.senses or ("",)]
        others += [page for page in own if not page.senses]
        most_read = sorted(pages, key=lambda page: (-page.users, page.doc_id))[:LONGEST]
        a += [(query, rank, page.doc_id, page.users, page.title) for rank, page in enumerate(most_read, start=1)]
        ranked = enumerate(mixed(pages, day)[:LONGEST], start=1)
        b += [(query, rank, page.doc_id, score, page.title) for rank, (page, score) in ranked]
    lists = "query_id,rank,doc_id,score,title"
    return {
        "queries.csv": to_csv("query_id,text,time", queries),
        "items.csv": to_csv("doc_id,title,category,date,users", items),
        "judgments.csv": to_csv("query_id,subtopic,doc_id,relevance", judgments),
        "run_a.csv": to_csv(lists, a),
        "run_b.csv": to_csv(lists, b),
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=HERE / "demo_diversity")
    folder = parser.parse_args().out
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in make_files().items():
        (folder / name).write_bytes(content)
