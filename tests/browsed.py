"""Files of two models and judgments, as people upload them: fifty queries, B better on most of them."""

from __future__ import annotations

QUERIES = 50
HOSTILE = (
    "**bold** :red[red] $x$ <b>b</b> `code` :material/home: :material_home: "
    "https://evil.example/a www.evil.example a@b.example"
)


def run_csv(better: bool, titles: bool = True, prefix: str = "q") -> bytes:
    """A run as CSV. The relevant document stands third in A; in B it stands first on four queries of five."""
    rows = ["query_id,query,doc_id,title,rank"]
    for number in range(QUERIES):
        documents = [f"d{number}-{i}" for i in range(5)]
        if better and number % 5 and number % 7:
            documents.insert(0, documents.pop(2))
        elif better and number % 5 == 0:
            documents.append(documents.pop(2))
        for rank, doc_id in enumerate(documents, start=1):
            title = f"Title of {doc_id}" if titles else ""
            rows.append(f"{prefix}{number},words of {number},{doc_id},{title},{rank}")
    return "\n".join(rows).encode()


def judgments_csv() -> bytes:
    """Judgments as CSV: of five documents the third is relevant, the last unjudged."""
    rows = ["query_id,doc_id,relevance"]
    rows += [f"q{number},d{number}-{i},{2 if i == 2 else 0}" for number in range(QUERIES) for i in range(4)]
    return "\n".join(rows).encode()


def hostile_run_csv(second_first: bool) -> bytes:
    """Two queries whose texts, titles and ids are full of what Markdown and HTML would interpret."""
    quoted = '"' + HOSTILE.replace('"', '""') + '"'
    rows = ["query_id,query,doc_id,title,rank"]
    for number in range(2):
        documents = [f"{HOSTILE} {number} {i}" for i in range(2)]
        for rank, doc_id in enumerate(documents[::-1] if second_first else documents, start=1):
            rows.append(f'"{number} {HOSTILE}",{quoted},"{doc_id}",{quoted},{rank}')
    return "\n".join(rows).encode()


def hostile_judgments_csv() -> bytes:
    """The second document of each is the relevant one."""
    rows = ["query_id,doc_id,relevance"]
    rows += [f'"{n} {HOSTILE}","{HOSTILE} {n} {i}",{i}' for n in range(2) for i in range(2)]
    return "\n".join(rows).encode()
