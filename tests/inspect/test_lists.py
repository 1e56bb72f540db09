"""Single queries: their order, their two lists, which moves helped, and why there is nothing to label."""

import pytest

import rankdash as rd
from rankdash.conventions import STANDARD
from rankdash.inspect.labels import candidates, why_none
from rankdash.inspect.lists import exchange, query_lists
from rankdash.inspect.query_order import changes
from rankdash.style.editing import NOT_FOR_LABELS

A = {"q1": ["d1", "d2", "d3"], "q2": ["d1", "d2"], "q3": ["d1"]}
B = {"q1": ["d3", "d1", "d4"], "q2": ["d1", "d2"]}
GRADES = {"q1": {"d3": 2, "d1": 0, "d2": 1}, "q2": {"d2": 1}, "q3": {"d1": 1}}


@pytest.fixture(scope="module")
def comparison() -> rd.Comparison:
    """Three queries: a gain, a tie, and one that B does not answer."""
    return rd.compare(rd.read_run(A, name="old"), rd.read_run(B, name="new"), rd.read_judgments(GRADES))


def test_queries_come_in_the_order_of_their_deltas(comparison: rd.Comparison) -> None:
    """The largest loss stands first, the largest gain last, and every delta is that of the comparison."""
    found = changes(comparison)
    assert found.query_ids == ("q3", "q2", "q1")
    assert found.delta.tolist() == sorted(comparison.deltas[0].tolist())
    assert [places.tolist() for places in found.largest()] == [[0], [2]]


def test_both_lists_say_where_each_document_stands_in_the_other(comparison: rd.Comparison) -> None:
    """Ranks in the other list, new and dropped documents, and whether each move helped."""
    found = query_lists(comparison, "q1")
    seen = [
        (row.document.doc_id, row.document.relevance, row.other_rank, row.move, row.helps) for row in found.a.placed
    ]
    assert seen == [("d1", 0, 2, "down", True), ("d2", 1, None, "dropped", False), ("d3", 2, 1, "up", True)]
    seen = [
        (row.document.doc_id, row.document.relevance, row.other_rank, row.move, row.helps) for row in found.b.placed
    ]
    assert seen == [("d3", 2, 3, "up", True), ("d1", 0, 1, "down", True), ("d4", None, None, "new", None)]


@pytest.mark.parametrize(("primary", "helps"), [("nDCG@10", False), ("P@10", True)])
def test_a_move_is_judged_by_what_the_measure_reads(primary: str, helps: bool) -> None:
    """A grade below the relevance level that falls is a loss under graded measures, and a gain under the others."""
    level = STANDARD.with_axes({"rel": 2})
    lists, policy = ({"q": ["a", "b"]}, {"q": ["b", "a"]}), rd.Policy(primary=primary, guardrails=(), convention=level)
    found = query_lists(rd.compare(*lists, {"q": {"a": 1, "b": 0, "c": 2}}, policy=policy), "q")
    assert found.a.placed[0].helps is helps


@pytest.mark.parametrize(
    ("b", "moved"), [(["c", "a", "b"], ("a", 1, 2)), (["b", "c"], ("a", 1, None)), (["d", "a"], ("d", None, 1))]
)
def test_what_moved_names_what_counts_most(b: list[str], moved: tuple[str, int | None, int | None]) -> None:
    """It is the one whose summand changes most the way the value went, with both ranks; only grades above 0 are counted
    as higher and lower.
    """
    judged = {"q": {"a": 3, "b": 0, "d": 5, "e": 5}}
    found = exchange(query_lists(rd.compare({"q": ["a", "b", "c"]}, {"q": b}, judged), "q"), 10)
    assert (found.most[0].doc_id, *found.most[1:]) == moved
    assert (found.higher, found.lower) == (0, int(None not in moved or b[0] == "d"))
    assert found.unknown == tuple(rank for rank, document in enumerate(b, 1) if document == "c")


def test_what_moved_names_the_ranks_that_nobody_judged() -> None:
    """What B has without a grade can be the whole loss, whatever document counts most; what A has too is among it."""
    a, b = {"q": ["a", "b", "y"]}, {"q": ["x", "a", "y", "b", "z"]}
    assert exchange(query_lists(rd.compare(a, b, {"q": {"a": 3, "b": 3}}), "q", depth=4), 4).unknown == (1, 3)


def test_what_counts_most_is_sought_in_whole_lists() -> None:
    """Beyond the ranks that are shown a document still adds to AP: the one that is gone counts most."""
    a, b = {"q": ["x", "y", "z"]}, {"q": ["u", "v", "x", "w"]}
    lists = query_lists(rd.compare(a, b, {"q": {"x": 1, "y": 1}}, policy=rd.Policy(primary="AP")), "q", depth=2)
    found = exchange(lists, 2)
    assert (found.most[0].doc_id, *found.most[1:]) == ("y", 2, None)


def test_the_values_of_a_list_are_those_of_the_comparison(comparison: rd.Comparison) -> None:
    """What stands over the two lists is what stands in the table of scores."""
    for at, query_id in enumerate(comparison.query_ids):
        found = query_lists(comparison, query_id)
        assert found.a.value == pytest.approx(comparison.scores_a[0, at])
        assert found.b.value == pytest.approx(comparison.scores_b[0, at])
        assert found.delta == pytest.approx(comparison.deltas[0, at])


def test_a_query_that_a_run_does_not_answer_has_an_empty_list(comparison: rd.Comparison) -> None:
    """B's list is empty, and everything in A's was dropped."""
    found = query_lists(comparison, "q3")
    assert found.b.placed == ()
    assert [row.move for row in found.a.placed] == ["dropped"]


def test_texts_and_titles_come_from_the_runs() -> None:
    """What was asked and what a document is called are shown where a file says it: the lists, or else the items."""
    titled = rd.read_run(b"query_id,query,doc_id,title,rank\nq1,red shoes,d1,Shoe,1\n")
    bare = rd.read_run(b"query_id,doc_id,rank\nq1,d1,1\nq1,d2,2\nq1,d3,3\n")
    items = rd.read_items(b"item_id,product_name\nd3,\nd1,Boot\nd2,Sandal\n")
    comparison = rd.compare(titled, bare, rd.read_judgments({"q1": {"d1": 2, "d4": 0}}), items=items)
    assert changes(comparison).texts == ("red shoes",)
    lists = query_lists(comparison, "q1")
    assert [placed.document.title for placed in (*lists.a.placed, *lists.b.placed)] == ["Shoe", "Boot", "Sandal", ""]
    assert [one.title for one in candidates(comparison) or ()] == ["Sandal", ""]


OLD, NEW = {"q": {"d1": 2.0, "d2": 1.0}}, {"q": {"d3": 2.0, "d1": 1.0}}


@pytest.mark.parametrize(
    ("convention", "why"), [("standard", ""), ("quepid", "uncut"), ("rank_eval", "uncut"), ("textbook", "own_ideal")]
)
def test_the_reason_why_there_is_nothing_to_label_is_the_true_one(convention: str, why: str) -> None:
    """Where labels are not listed, the reason is that of the policy: under quepid, that the ideal is not cut at k."""
    comparison = rd.compare(OLD, NEW, {"q": {"d1": 1, "d2": 0}}, policy=rd.Policy(convention=convention))
    assert why_none(comparison) == why
    assert (candidates(comparison) is None) == bool(why)
    assert not why or why in NOT_FOR_LABELS


def test_judgments_of_relevant_documents_alone_are_such_a_reason() -> None:
    """Where the judgments name only relevant documents, that is why labels do not count."""
    assert why_none(rd.compare(OLD, NEW, {"q": {"d1": 1}})) == "relevant_only"
