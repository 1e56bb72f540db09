"""What is wrong between tables that could each be read, and ids that almost match."""

import json
import unicodedata
from collections.abc import Callable
from dataclasses import replace
from html import unescape
from pathlib import Path

import numpy as np
import pytest

import rankdash as rd
from rankdash.__main__ import main
from rankdash.mistakes import mistakes, mistakes_of_run, near
from rankdash.report.html import to_html
from rankdash.report.notes import mistakes_of, unchecked_problems
from rankdash.report.sections import Reported, first_caveats, further_caveats, next_step, wrong_sentences
from rankdash.scoring import join
from tests.browsed import judgments_csv, models_csv, run_csv
from tests.made import named_file

# --- ids that almost match -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ours", "theirs", "how"),
    [
        (["001", "002", "003"], ["1", "2", "3"], "zeros"),
        (["1.0", "2.0", "3.0"], ["1", "2", "3"], "zeros"),
        (["Q1", "Q2", "Q10"], ["1", "2", "10"], '"Q" at the start here'),
        (["1", "2", "10"], ["topic-1", "topic-2", "topic-10"], '"topic-" at the start there'),
        (["a_x", "b_x"], ["a", "b"], '"_x" at the end here'),
        (["Red", "Blue"], ["red", "blue"], "case"),
        (["q 1", "q 2"], ["q1", "q2"], "white space"),
        (["x-007", "x-012"], ["x-7", "x-12"], "in leading zeros"),
        (["60080", "4512"], ["HW-060080", "HW-004512"], '"HW-" at the start there and in leading zeros'),
        (["wei\xc3\u0178", "wei√ü", "\xc3\x81r"], ["weiß", "weiß", "Ár"], "encoding"),
    ],
)
def test_ids_that_almost_match_are_told_apart_by_how(ours: list[str], theirs: list[str], how: str) -> None:
    """Zeros, an affix, both, case, white space and a wrong encoding are found, with three examples at most."""
    found = near(ours, theirs)
    assert how in found.how
    assert (found.count, found.of) == (len(ours), len(ours))
    assert found.examples == tuple(zip(ours, theirs, strict=True))[:3]


def test_ids_of_different_things_are_not_near() -> None:
    """Ids that have nothing in common, few by chance, or that all match, are no mistake of writing."""
    assert near(["a", "b"], ["x", "y"]) is None
    assert near(["a", "b"], ["a", "b"]) is None
    assert near(["12"], ["2"]) is None
    assert near([*map(str, range(200))], [f"u{at}" for at in range(100_000, 107_400, 37)]) is None


def _rows(first: int, last: int, heading: str = "rank") -> bytes:
    """Lists of twelve queries with the documents of these ranks, and a column with the rank."""
    ranks = [(q, rank) for q in range(12) for rank in range(first, last + 1)]
    return "".join((f"query_id,doc_id,{heading}\n", *(f"q{q},d{rank:03},{rank}\n" for q, rank in ranks))).encode()


TITLES = _rows(1, 6, "title").replace(b"d001", b"d011").replace(b",5\n", b",b\n").replace(b",6\n", b",C\n")


@pytest.mark.parametrize(
    ("b", "says"),
    [
        (_rows(1, 10), ""),
        (_rows(1, 6), ""),
        (_rows(1, 5), "The lists of B have about 5 documents, those of A about 10."),
        (_rows(11, 20), "The ranks of B begin at 11."),
        (_rows(1, 10, "price"), "B has neither rank nor score, and its rows are in the order of their ids."),
        (_rows(1, 10, "price").replace(b"d001,1", b"d011,1"), ""),
        (TITLES, "B has neither rank nor score, and its rows are in the order of their titles."),
        (TITLES.replace(b",1\n", b",9\n"), ""),
        (_rows(1, 10).replace(b",d002,2", b",d001,2"), "B lists 12 documents more than once"),
        (_rows(1, 10) + _rows(11, 20)[21:].replace(b",d01", b",d00"), "B lists 108 documents more than once"),
        (_rows(1, 10).replace(b",d0", b",x0").replace(b"q3,x005", b"q3,d005"), "Only 0.8% of B’s top 10 are judged"),
        (_rows(1, 10).replace(b",6\n", b",1\n"), "pages are mixed. If the rows are in order, say so"),
    ],
)
def test_what_an_export_got_wrong_is_said_beside_the_verdict(b: bytes, says: str) -> None:
    """Lists that were cut, a second page, rows in the order of a database, and documents listed twice can turn a
    verdict, and no rule and no caveat knows of them; lists that are a little shorter, and rows in any other order, are
    none.
    """
    grades = rd.read_judgments({f"q{q}": {"d001": 2, "d012": 1, "d005": 0} for q in range(12)})
    comparison = rd.compare(rd.read_run(_rows(1, 10)), rd.read_run(b), grades)
    verdict = rd.decide(comparison)
    said = wrong_sentences(verdict, comparison)
    assert len(said) == bool(says) == next_step(verdict, comparison).startswith("Look at the warnings first.")
    assert says in " ".join(said)
    banner = to_html(Reported(comparison, verdict)).split('<section class="banner">')[1].split("</section>")[0]
    assert banner.count("not_proven") == bool(says)
    assert says in unescape(banner)


@pytest.mark.parametrize(
    ("scores", "grades", "says"),
    [
        ([0.9, 0.5, 0.7, 0.2], [2, 0, 1, 0], ""),
        ([1, 2, 3, 4], [2, 0, 1, 0], "The lists of B may be reversed"),
        ([2, 0, 1, 2], [2, 0, 1, 0], "B: The scores look like grades"),
        ([0.9, 0.5, 0.7, 0.2], [0.31, 0.52, 0.13, 0.74], "Most grades are not whole numbers"),
        ([0.9, 0.5, 0.7, 0.2], ["2", "0", "#N/A", "0"], '4 rows have "#N/A" in place of a grade (column'),
    ],
)
def test_numbers_that_may_be_something_else_are_said_beside_the_verdict(
    scores: list[float], grades: list[float | str], says: str
) -> None:
    """Ranks or grades in the place of scores, and scores or errors in the place of grades, can turn a verdict."""
    b, judgments = ({f"q{q}": dict(zip("wxyz", own, strict=True)) for q in range(4)} for own in (scores, grades))
    comparison = rd.compare({q: ["w", "x", "y"] for q in b}, b, judgments)
    said = wrong_sentences(rd.decide(comparison), comparison)
    assert [sentence.startswith(says) for sentence in said] == [True] * bool(says)


@pytest.mark.parametrize(
    ("whole", "told"),
    [(lambda n: 20_345 + n, 1), (lambda n: -2_034 - n, 1), (lambda n: n, 0), (lambda n: 1e6 - n % 8, 0)],
)
def test_scores_without_their_decimal_point_are_said_beside_the_verdict(
    whole: Callable[[int], float], told: int
) -> None:
    """Whole numbers far above those with decimals in their list; pins of documents, which come again, are none."""
    b = {f"q{q}": {f"d{d}": d / 2 if d % 2 else whole(9 * q + d) for d in range(9)} for q in range(9)}
    comparison = rd.compare({q: ["d1", "d5"] for q in b}, b, {q: {"d1": 2, "d5": 0} for q in b})
    said = wrong_sentences(rd.decide(comparison), comparison)
    assert sum("45 scores are whole numbers" in one for one in said) == told


@pytest.mark.parametrize(
    ("column", "more", "first"),
    [("score,{at}", 0, ["order"]), ("score,7", 0, ["order"]), ("rank,{at}", 2, ["missing"]), ("rank,{at}", 1, [])],
)
def test_order_and_queries_of_neither_model_are_said_beside_the_verdict(
    column: str, more: int, first: list[str]
) -> None:
    """Scores that rise with a tie here and there, lists of one score, and judgments of many other queries turn verdicts
    at once: their caveats stand beside the sentence of the verdict, and nowhere else.
    """
    name, value = column.split(",")
    ties = {(4, 4): 3}
    rows = [f"q{q},d{at},{value.format(at=ties.get((q, at), at))}" for q in range(12) for at in range(1, 11)]
    judgments = {f"q{q}": {"d1": 2, "d5": 0} for q in range(12 + more)}
    lists = {q: ["d1", "d5"] for q in list(judgments)[:12]}
    comparison = rd.compare(lists, rd.read_run("\n".join([f"query_id,doc_id,{name}", *rows]).encode()), judgments)
    verdict = rd.decide(comparison)
    assert [caveat.id for caveat in first_caveats(verdict, comparison)] == first
    said, others = wrong_sentences(verdict, comparison), further_caveats(verdict, comparison)
    assert not {*said} & {caveat.sentence for caveat in others}
    assert {*said} | {caveat.sentence for caveat in others} >= {caveat.sentence for caveat in verdict.caveats}


@pytest.mark.parametrize(("reranked", "said"), [(12, 1), (6, 1), (5, 0), (0, 0)])
def test_scores_of_two_stages_are_said_beside_the_verdict(reranked: int, said: int) -> None:
    """Where the first documents were ranked anew with other scores, the rank and the score of a list disagree at one
    step only. In every other list this is no accident.
    """
    places = [(q, at, at < 3 and q < reranked) for q in range(12) for at in range(20)]
    rows = [f"q{q} Q0 d{at} {at + 1} {(1 if first else 30) - at / 20} tag\n" for q, at, first in places]
    judgments = {f"q{q}": {"d0": 2, "d5": 1, "d9": 0} for q in range(12)}
    run = rd.read_run("".join(rows).encode())
    comparison = rd.compare(run, {q: ["d5", "d9"] for q in judgments}, judgments)
    told = [sentence for sentence in wrong_sentences(rd.decide(comparison), comparison) if "disagree" in sentence]
    assert told == [f"In A rank and score disagree at {reranked} rows. The score was used."] * said


@pytest.mark.parametrize(("others", "said"), [(1, 1), (200, 0)])
def test_grades_that_contradict_are_said_beside_the_verdict_unless_they_are_few(others: int, said: int) -> None:
    """Which of two grades counts is the order of rows: one of a hundred is enough to say so, of whatever verdict."""
    rows = [{"query_id": "q", "doc_id": f"d{at}", "relevance": at % 3} for at in (1, *range(2, others + 2))]
    grades = rd.read_judgments([*rows, {**rows[0], "relevance": 2}])
    for b in (["d2", "d1"], ["unjudged"]):
        comparison = rd.compare({"q": ["d1", "d2"]}, {"q": b}, grades)
        assert sum("contradict" in one for one in wrong_sentences(rd.decide(comparison), comparison)) == said


@pytest.mark.parametrize(("grades", "says"), [((1, 1), "grade 1"), ((0, 0), "nothing is relevant"), ((0, 1), "")])
def test_labels_that_are_all_alike_are_a_mistake(grades: tuple[float, float], says: str) -> None:
    """One grade for every document is told, of judgments and of grades in the lists; a single document is not."""
    lines = "".join(
        f"q,{name},{rank},{grade}\n" for rank, (name, grade) in enumerate(zip("ab", grades, strict=True), 1)
    )
    listed = rd.read_run(f"query_id,doc_id,rank,relevance\n{lines}".encode())
    judged = rd.read_judgments({"q": dict(zip("ab", grades, strict=True))})
    for judgments in (judged, None):
        comparison = rd.compare(listed, listed, judgments)
        told = [mistake.sentence for mistake in mistakes_of(comparison) if "has grade" in mistake.sentence]
        assert [says in sentence for sentence in told] == [True] * bool(says)
    pairs = rd.read_judgments(b"user_id,item_id\nq,a\nq,b\n")  # a note says that there are no grades
    for judgments in ({"q": {"a": 1}}, pairs):
        assert "has grade" not in str(mistakes_of(rd.compare(listed, listed, judgments)))
    assert {mistake.input for mistake in mistakes_of_run(listed, pairs, judged_share=1)} == {"run"}


# --- what is wrong between files -------------------------------------------------------------------------------------


def tables(prefix: str = "q") -> tuple[rd.Run, rd.Run, rd.Judgments]:
    """Two runs whose queries begin with a prefix, and judgments whose queries begin with q."""
    a, b = (rd.read_run(run_csv(is_b, prefix=prefix)) for is_b in (False, True))
    return a, b, rd.read_judgments(judgments_csv())


def test_no_query_in_common_is_fatal_and_says_how_the_ids_differ() -> None:
    """Ids with a prefix on one side: one sentence per run, with both sides' ids, the prefix and what to do."""
    found = mistakes(*tables("Q-q"))
    assert [(one.input, one.fatal) for one in found] == [("a", True), ("b", True)]
    assert '"Q-" at the start here: "Q-q0" is "q0" there' in found[0].sentence
    assert not found[0].as_numbers


def test_some_ids_that_almost_match_are_a_warning() -> None:
    """A few queries, or documents, in capitals or with zeros are counted beside the verdict; nothing is refused."""
    a, _, judgments = tables()
    written = run_csv(True).replace(b"\nq1,", b"\nQ1,").replace(b"\nq2,", b"\nQ2,")
    odd = (written, run_csv(True).replace(b",d", b",D"), run_csv(True).replace(b"-", b"-0"))
    found, *of_documents = (mistakes(a, rd.read_run(one), judgments) for one in odd)
    assert [(one.input, one.fatal, one.unchecked) for one in sum(of_documents, found)] == 3 * [("b", False, True)]
    assert "then 2 of these 2 match" in found[0].sentence
    assert 'in upper and lower case: "Q1" is "q1" there, "Q2" is "q2" there.' in found[0].sentence


def test_the_same_file_twice_is_named() -> None:
    """A given again as B, and a run given as judgments, are told by the file's name."""
    a, _, judgments = tables()
    assert "A and B are the same file" in mistakes(a, a, judgments)[0].sentence
    graded = b"query_id,doc_id,rank,relevance\nq,a,1,1\nq,b,2,0\n"
    found = mistakes(rd.read_run(graded), rd.read_run({"q": ["b", "a"]}), rd.read_judgments(graded))
    assert [(one.input, one.fatal) for one in found] == [("judgments", False)]
    assert "The judgments are the file of A" in found[0].sentence


GRADES = b"query_id,doc_id,relevance\n" + b"".join(
    b"q%d,d%d-%d,%d\n" % (q, q, d, (d + q) % 3) for q in range(50) for d in range(3)
)


@pytest.mark.parametrize("order", [1, -1, 7])
@pytest.mark.parametrize("form", ["csv", "json", "dict", "frame"])
def test_judgments_given_as_a_run_are_refused(form: str, order: int) -> None:
    """Grades with neither rank nor score, in any order and form, are asked about; said to be a run, they are one."""
    import pandas as pd

    _, b, judgments = tables()
    header, *lines = GRADES.splitlines(keepends=True)
    lines = sorted(lines, key=lambda line: hash(line) % 7) if order == 7 else lines[::order]
    rows = [line.decode().strip().split(",") for line in lines]
    records = [{"query_id": q, "doc_id": d, "relevance": int(g)} for q, d, g in rows]
    source = {
        "csv": lambda: named_file("grades.csv", header + b"".join(lines)),
        "json": lambda: named_file("grades.json", json.dumps(records).encode()),
        "dict": lambda: records,
        "frame": lambda: pd.DataFrame(records),
    }[form]
    run = rd.read_run(source())
    (found,) = mistakes(run, b, judgments)
    assert (found.input, found.fatal) == ("a", True)
    assert "looks like judgments" in found.sentence
    assert "--order position" in found.sentence
    assert "--order" not in found.problem.phrase("page")
    for call in (rd.compare, rd.score):
        with pytest.raises(rd.ReadError, match="looks like judgments"):
            call(source(), b, judgments)
    with pytest.raises(rd.ReadError, match="the run has grades but neither rank nor score"):
        rd.evaluate(source(), judgments, "RR")
    said = rd.read_run(source(), order="position")
    (unused,) = mistakes(said, b, judgments)
    assert (unused.input, unused.fatal) == ("a", False)
    assert "grades in A are not used" in unused.sentence
    assert rd.compare(said, b, judgments).summary is not None
    assert mistakes(run, b, None) == ()  # its grades are all there is


@pytest.mark.parametrize("heading", ["item_id", "item_id,timestamp"])
def test_pairs_alone_beside_lists_with_scores_are_asked_about(heading: str) -> None:
    """Nobody judges: what users did is no further candidate. In this order it is, where somebody says so, and so it is
    with judgments, and beside other lists in the order of their rows.
    """
    more = ",1" if "," in heading else ""
    pairs = named_file("held.csv", f"user_id,{heading}\nu1,i1{more}\nu2,i2{more}\n".encode())
    runs = {"a": rd.read_run({"u1": {"i1": 2.0, "i3": 1.0}}), "held": rd.read_run(pairs)}
    for call in (lambda: rd.compare(*runs.values()), lambda: rd.compare_many(runs["a"], [runs["held"]])):
        with pytest.raises(rd.ReadError, match="looks like judgments"):
            call()
    assert rd.compare(*runs.values(), {"u1": {"i1": 1}}).summary is not None
    for a, b in ((runs["a"], rd.read_run(pairs, order="position")), (runs["held"], runs["held"])):
        assert rd.compare(a, b).summary is not None


def test_grades_for_scores_are_refused_as_judgments() -> None:
    """{query: {document: grade}} as B, of a file or in memory, each judged document with its grade, is judgments unless
    said to be scores: then it is an ideal list, which no verdict is made of.
    """
    grades = {f"q{q}": {f"d{d}": (q + d) % 3 for d in range(4)} for q in range(40)}
    baseline = {query: {doc: float(n) / 7 for n, doc in enumerate(docs)} for query, docs in grades.items()}
    of_a_file = json.dumps(grades).encode()
    with pytest.raises(rd.ReadError, match="B has the judged grades"):
        rd.compare(baseline, of_a_file, grades)
    with pytest.raises(rd.ReadError, match='order="score"'):
        rd.compare(baseline, of_a_file, {**grades, "other": {"x": 1}})
    assert rd.compare(baseline, rd.read_run(of_a_file, order="score"), grades).summary is not None
    for call in (rd.compare, rd.score):
        with pytest.raises(rd.ReadError, match="B has the judged grades"):
            call(baseline, {**grades}, grades)
    with pytest.raises(rd.ReadError, match="the run has the judged grades"):
        rd.evaluate({**grades}, grades, "AP")
    assert rd.decide(rd.compare(baseline, rd.read_run(grades, order="score"), grades)).rule == "C7"
    for changed in ({**grades, "q0": {**grades["q0"], "d3": 9}}, {"q0": grades["q0"]}):
        assert rd.compare(baseline, changed, grades).summary is not None


def test_a_run_and_judgments_that_are_exchanged_are_refused() -> None:
    """rd.evaluate(qrels, run) with dicts is refused, in whatever order the documents stand, unless somebody says that
    the small numbers are scores; scores that fall down their lists, and continuous grades beside real scores, are
    read.
    """
    grades = {f"q{q}": {f"d{d}": (q + d * 2) % 3 for d in range(6)} for q in range(5)}
    scores = {query: {doc: ((n * 5) % 7) * 1.37 for n, doc in enumerate(docs)} for query, docs in grades.items()}
    counted = {query: {doc: 9 - n for n, doc in enumerate(docs)} for query, docs in grades.items()}
    with pytest.raises(rd.ReadError, match="may be swapped"):
        rd.evaluate(grades, scores, "AP")
    assert len(rd.evaluate(rd.read_run(grades, order="score"), scores, "AP")) == 5
    assert len(rd.evaluate(scores, grades, "AP")) == 5
    falling = {query: {doc: 5 - n for n, doc in enumerate(docs)} for query, docs in grades.items()}
    assert len(rd.evaluate(falling, scores, "AP")) == len(rd.evaluate(counted, scores, "AP")) == 5


def test_a_run_that_is_given_as_the_judgments_too_is_refused() -> None:
    """One object, or its copy, as a run and as the judgments; of an object that is given twice few rows tell enough."""
    a, b = ({f"q{q}": {f"d{d}": n / (d * 5 % 6 + q + 2) for d in range(6)} for q in range(9)} for n in (1.5, -2.5))
    for twice in (a, {query: {**documents} for query, documents in a.items()}):
        with pytest.raises(rd.ReadError, match="A has the judged grades"):
            rd.compare(a, b, twice)
        with pytest.raises(rd.ReadError, match="the run has the judged grades"):
            rd.evaluate(a, twice, "AP")
    few = {"q": {"x": 2.5, "y": 1.5}}
    with pytest.raises(rd.ReadError, match="B has the judged grades"):
        rd.compare({"q": ["y", "x"]}, few, few)
    assert rd.compare({"q": ["y", "x"]}, {**few}, few).summary is not None


def test_grades_that_nobody_reads_are_said() -> None:
    """Grades beside the documents of a run are not used where there are judgments, and that is told; those that the
    judgments are made of are.
    """
    a, b, judgments = tables()
    places = [(q, at, b"%d" % (q % 2) if q else b"") for q in range(50) for at in range(5)]
    rows = [b"q%d,d%d-%d,%d,%s\n" % (q, q, at, at + 1, grade) for q, at, grade in places]
    run = rd.read_run(b"query_id,doc_id,rank,relevance\n" + b"".join(rows))
    assert ["grades" in one.sentence for one in mistakes(run, b, judgments)] == [True]
    assert mistakes(run, b, join(run, b, None).judgments) == mistakes(a, b, judgments) == ()


@pytest.mark.parametrize("of_queries", [0, 1])
def test_grades_that_are_of_documents_whatever_the_query_are_told(of_queries: int) -> None:
    """The stars of products beside lists are a warning that names their column, where they count as the grades."""
    rows = [(m, q, (7 * q + 3 * at + len(m)) % 20, at) for m in ("a", "bb") for q in range(30) for at in range(8)]
    lines = [f"{m},q{q},p{doc},{at},{doc % 5 + 0.5 + of_queries * (q * doc % 3)}" for m, q, doc, at in rows]
    both = rd.read_models("\n".join(["model,query,product,rank,rating", *lines]).encode())
    own = rd.read_judgments(b"query,doc,relevance\nq1,p1,1\nq1,p2,0\n")
    for judgments, told in ((None, not of_queries), (both.judgments, not of_queries), (own, False)):
        comparison = rd.compare(*both.runs, judgments)
        assert sum('"rating"' in mistake.sentence for mistake in mistakes_of(comparison)) == told
        assert sum('"rating"' in said for said in wrong_sentences(rd.decide(comparison), comparison)) == told
    a, b = both.runs
    bare = replace(a, table=a.table.drop_columns(["relevance"]), source=replace(a.source, notes=()))
    wrong = mistakes_of(rd.compare(bare, b))  # of B alone, too
    assert sum('"rating"' in mistake.sentence for mistake in wrong) == (not of_queries)


def test_models_of_one_file_are_not_the_same_file_twice() -> None:
    """Both runs and the judgments of a combined file come from the same bytes, and that is no mistake."""
    models = rd.read_models(models_csv())
    assert mistakes(*models.runs, models.judgments) == ()


def test_queries_and_votes_about_something_else_are_warned_about() -> None:
    """A table of queries or votes without a judged query is told, and refuses nothing."""
    found = mistakes(*tables(), rd.read_queries(b"query_id,text\nx,y\n"), rd.read_votes(b"query_id,vote\nx,good\n"))
    assert [(one.input, one.fatal) for one in found] == [("queries", False), ("votes", False)]


@pytest.mark.parametrize(
    "written", [lambda doc: doc.upper() if doc[-1] in "13579" else doc, lambda doc: doc.replace("x0", "x")]
)
def test_documents_that_are_judged_in_part_under_other_ids_are_told(written: Callable[[str], str]) -> None:
    """Where some ids match and most others would, in another case or without zeros, it is a warning; and none else."""
    grades = {"q": {f"{n:03}": n % 3 for n in range(95, 105)} | {f"x{n}": 1 for n in range(10)}}
    docs = {f"{int(doc)}" if doc.isdecimal() else written(doc): float(n) for n, doc in enumerate(grades["q"])}
    run, judgments = rd.read_run({"q": docs}, name="A"), rd.read_judgments(grades)
    told = [one.sentence for one in mistakes(run, run, judgments) if one.input == "a"]
    assert any("The ids differ" in one for one in told)
    other = rd.read_run({"q": {f"y{n}": 1.0 for n in range(9)} | {"100": 2.0}}, name="A")
    assert not any("almost" in one.sentence for one in mistakes(other, other, judgments))


@pytest.mark.parametrize(
    ("odd", "judged", "listed", "says"),
    [(int, 10, 2, '"1000" is "ocm01000" there'), (hash, 10, 10, "Check the"), (hash, 10, 2, ""), (int, 9, 9, "")],
)
def test_queries_with_nothing_listed_are_told(odd: Callable[[str], int], judged: int, listed: int, says: str) -> None:
    """Three of 20, each with ten judged documents, whose ids almost match, or beside queries with most of theirs."""
    ids = {q: [f"0{q}{at:02}" for at in range(judged)] for q in range(10, 30)}
    run = {f"q{q}": {f"ocm{doc}": -at for at, doc in enumerate(own)} for q, own in ids.items()}
    grades = {f"q{q}": {f"{odd(doc)}": int(doc) % 2 for doc in own} for q, own in ids.items() if q < 13}
    for query, own in list(run.items())[3:]:
        grades[query] = {doc if at < listed else f"no{doc}": at % 2 for at, doc in enumerate(own)}
    said = " ".join(one for one in unchecked_problems(rd.compare(run, run, grades)) if "Neither list" in one)
    assert ('3 of 20 queries: "q10", "q11", "q12". ' in said, bool(said)) == (bool(says), says in said and bool(says))


@pytest.mark.parametrize("shuffled", [False, True])
@pytest.mark.parametrize("share", [0.9, 0.3])
def test_ids_under_another_writing_are_looked_for_in_all_of_a_large_table(share: float, shuffled: bool) -> None:
    """Where they begin far below the first rows, or the judgments stand in another order, they are told as well; where
    they are few of the unjudged, as everywhere, they are not.
    """
    rng, number = np.random.default_rng(4), 3_000
    rows = [(f"q{n}", f"Doc{n}x{d}") for n in range(number) for d in range(8)]
    odd = [n > 6_000 and rng.random() < share for n in range(len(rows))]
    run = {}
    for n, (query, doc) in enumerate(rows):
        run.setdefault(query, []).append(doc if n < 6_000 or odd[n] else f"other{n}")
    judged = [(query, doc.lower() if odd[n] else doc, 1 + n % 2) for n, (query, doc) in enumerate(rows)]
    rng.shuffle(judged) if shuffled else None
    a, judgments = rd.read_run(run, name="A"), rd.read_judgments(judged)
    told = [one.sentence for one in mistakes(a, a, judgments) if "upper and lower case" in one.sentence]
    assert len(told) == (2 if share > 0.5 else 0)


def test_ids_in_two_unicode_forms_are_told() -> None:
    """Documents and queries that look the same in NFC and NFD are a warning with their code points; equal ones none."""
    rows = {"q1": {"caf\u00e9": 2, "b": 1}, "q2": {"r\u00e9sum\u00e9": 1}}
    split = {q: {unicodedata.normalize("NFD", doc): x for doc, x in docs.items()} for q, docs in rows.items()}
    a, b = rd.read_run(rows, name="A"), rd.read_run(split, name="B")
    (one,) = mistakes(a, b, rd.read_judgments(rows))
    assert one.input == "b"
    assert "differ in Unicode form" in one.sentence
    assert "'cafe\\u0301' is 'caf\\xe9' there" in one.sentence
    queries = rd.read_run({"caf\u00e9": {"a": 1}}, name="Q"), rd.read_judgments({"cafe\u0301": {"a": 1}})
    told = mistakes(queries[0], queries[0], queries[1])
    assert any("The ids differ in Unicode form" in one.sentence for one in told)


@pytest.mark.parametrize("command", [["compare", "a.json", "a.json"], ["evaluate", "a.json"]])
@pytest.mark.parametrize(
    ("high", "following", "told"), [(33, 3, 1), (10.5, 4, 1), (10, 3, 0), (15, 7, 0), (9, 4, 1), (9, 5, 0)]
)
def test_a_grade_off_the_scale_is_told_with_the_next_one(
    command: list[str], high: float, following: float, told: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exactly where it is above 10 and 1 + twice the next one, or is 9 (a code) and above twice that; each command."""
    (tmp_path / "a.json").write_text('{"q1": {"d1": 2, "d2": 1}}')
    (tmp_path / "q.json").write_text(f'{{"q1": {{"d1": {following}, "d2": {high}, "d3": 0}}}}')
    main([*(arg.replace("a.json", str(tmp_path / "a.json")) for arg in command), "-q", str(tmp_path / "q.json")])
    assert (f"grade is {high:g}, the next one {following:g}" in "".join(capsys.readouterr())) == told
