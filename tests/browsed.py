"""Files of two models and judgments, as people upload them: fifty queries, B better on most of them."""

from pathlib import Path

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


def models_csv() -> bytes:
    """Both models and their grades in one file: the relevant document stands second in A and first in B."""
    rows = ["query_id,model,rank,doc_id,relevance"]
    for number in range(QUERIES):
        for model, first, second in (("old", 0, 1), ("new", 1, 0)):
            rows += [f"q{number},{model},{rank},d{d},{d}" for rank, d in ((1, first), (2, second))]
    return "\n".join(rows).encode()


def queries_csv(weights: bool = False) -> bytes:
    """What is known of the queries: their texts, two segments of 33 and 17 queries, and perhaps what they weigh."""
    rows = [f"query_id,text,kind{',weight' if weights else ''}"]
    for number in range(QUERIES):
        weight = f",{4 if number < 10 else 1}" if weights else ""
        rows.append(f"q{number},words of {number},{'head' if number < 33 else 'tail'}{weight}")
    return "\n".join(rows).encode()


def votes_csv(models: str = "") -> bytes:
    """Three votes on each query, B better on three of five: 30 good, 10 same, 10 bad, some of the same both bad.

    ``models`` is "model_a,model_b" for each pair, pairs separated by spaces; every pair gets the same votes.
    """
    words = ("good", "good", "same", "good", "bad")
    named = models.split() or [""]
    rows = ["query_id,rater,left,vote" + (",model_a,model_b" if models else "")]
    for number in range(QUERIES):
        word = words[number % 5]
        for at, rater in enumerate("xyz"):
            vote = "both bad" if word == "same" and number % 2 and rater == "x" else word
            rows += [
                ",".join(filter(None, (f"q{number}", rater, "AB"[(number + at) % 2], vote, pair))) for pair in named
            ]
    return "\n".join(rows).encode()


def written(folder: Path) -> dict[str, Path]:
    """Two runs and their judgments, in a folder."""
    files = {"a": folder / "old.csv", "b": folder / "new.csv", "judgments": folder / "grades.csv"}
    for path, content in zip(files.values(), (run_csv(False), run_csv(True), judgments_csv()), strict=True):
        path.write_bytes(content)
    return files


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


def _lists(*documents: str, queries: int = 40, prefix: str = "q") -> bytes:
    """A run in which every query has the same list."""
    rows = [f"{prefix}{number},{doc},{rank}" for number in range(queries) for rank, doc in enumerate(documents, 1)]
    return "\n".join(["query_id,doc_id,rank", *rows]).encode()


def _grades(queries: int = 40, **grades: int) -> bytes:
    """Judgments in which every query has the same grades."""
    rows = [f"q{number},{doc},{grade}" for number in range(queries) for doc, grade in grades.items()]
    return "\n".join(["query_id,doc_id,relevance", *rows]).encode()


#: Comparisons that cannot say much: run A, run B, judgments.
CASES = {
    "empty": (_lists("a", "b", prefix="x"), _lists("b", "a"), _grades(a=1, b=0)),
    "one": (_lists("a", "b", queries=1), _lists("b", "a", queries=1), _grades(1, a=1, b=0)),
    "tied": (_lists("a", "b", "c"), _lists("a", "c", "b"), _grades(a=2, b=1, c=1)),
    "unjudged": (_lists("a"), _lists("b"), _grades(z=1, y=0)),
}
