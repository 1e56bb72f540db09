"""What there is to tell about the queries of a comparison, on every face: terminal, JSON, notebook and pages."""

from __future__ import annotations

import html
import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import rankdash as rd
from rankdash import style
from rankdash.case import Case
from rankdash.report.json import to_dict
from rankdash.report.population import FACTS, query_notes, query_numbers
from rankdash.report.text import to_text
from rankdash.wording import count
from tests.browsed import HOSTILE
from tests.dashboard.records import put
from tests.dashboard.test_naming import opened
from tests.dashboard.test_pages import DATA_PAGE, texts
from tests.long import every
from tests.made import judgments, run
from tests.truth.scale import scaled
from tests.truth.small import small_world
from tests.truth.test_policies_pairwise import compared
from tests.truth.test_policies_pairwise import votes as some_votes

#: Numbers of JSON that are no row of FACTS, and how each face calls them.
HEADS = {"compared", "judged", "changed", "affected", "identical", "same_file", "notes"}
#: Rows that the data page has in a table of counts.
IN_THE_TABLE = {"missing_a", "missing_b", "without_relevant"}


def crowded(name: str = "weights.csv") -> Case:
    """A comparison of which every fact is true, each of another number of queries; ``name`` is that of the table."""
    ids = [f"q{at:02}" for at in range(60)]
    judged = {query: {"good": 0 if 40 <= at < 47 else 1, "x": 0} for at, query in enumerate(ids)}
    lists_a = {query: ["x", "good"] for query in ids[1:]} | {f"a{at}": ["x"] for at in range(2)}
    lists_b = {query: ["good", "x"] if at % 2 else ["x", "good"] for at, query in enumerate(ids) if at > 2}
    lists_b |= {f"b{at}": ["x"] for at in range(4)}
    rows: list[dict[str, Any]] = [
        {
            "query_id": query,
            "text": "" if at < 5 else f"words {at if at < 36 else 36}",
            "weight": "" if at < 15 else 0 if at < 21 else 1 + at % 3,
            "kind": "" if at < 8 else "head" if at % 2 else "tail",
            "label": f"label {at}",
            "language": "en",
            "session": f"s{at // 5}",
        }
        for at, query in enumerate(ids[:50])
    ]
    rows += [{"query_id": f"other{at}", "text": "other", "weight": 1, "kind": "head"} for at in range(9)]
    voted = [*ids[:40], *(f"v{at}" for at in range(11))]
    lines = ["query_id,vote,rater", *(f"{query},{'good' if at % 3 else 'bad'},ann" for at, query in enumerate(voted))]
    lines += [f"{query},good,ann" for query in voted[:12]]
    table = rd.read_queries(rows).weighing(0)
    return Case(
        (run(lists_a, "old"), run(lists_b, "new")),
        judgments(judged),
        replace(table, source=replace(table.source, name=name)),
        rd.read_votes("\n".join(lines).encode()),
        name="crowded",
    )


POLICY = rd.Policy(convention=rd.Convention(no_relevant="skip"), population="affected")


def comparison_of(inputs: Case) -> rd.Comparison:
    """The comparison of the tables of a session."""
    return rd.compare(inputs.a, inputs.b, inputs.judgments, policy=POLICY, queries=inputs.queries, votes=inputs.votes)


def test_the_comparison_of_these_tests_has_every_fact() -> None:
    """Each row of FACTS is about some queries there, and says so: a new row is given some too."""
    found = comparison_of(crowded())
    assert [name for name, n in query_numbers(found).items() if not n] == []
    assert [note.name for note in query_notes(found)] == list(FACTS)


def test_each_fact_is_counted_as_it_was_made() -> None:
    """The numbers of the comparison above, which was made with them, and what follows for the queries that count."""
    assert query_numbers(comparison_of(crowded())) == {
        "unweighted": 25, "weightless": 6, "weighted": 12, "groups": 5, "unaffected": 29, "missing_a": 1,
        "missing_b": 3, "without_relevant": 7, "undefined": 3, "unjudged_a": 2, "unjudged_b": 4, "unknown": 10,
        "not_compared": 9, "without_text": 5, "repeated_texts": 4, "without_segment": 8, "columns_without_segments": 2,
        "voted_alone": 11, "voted_beside": 30, "without_votes": 20, "repeated_votes": 12,
    }  # fmt: skip


def test_nothing_about_queries_is_told_in_json_alone() -> None:
    """Every number of JSON has its sentence there, and every sentence stands on the terminal, in a notebook and on the
    data page; what a table decides about the queries on the verdict page too.
    """
    inputs = crowded()
    found = comparison_of(inputs)
    verdict = rd.decide(found)
    told = json.loads(json.dumps(to_dict(found, verdict)))["queries"]
    notes = query_notes(found)
    assert set(told) == HEADS | set(FACTS)
    assert told["notes"] == [note.sentence for note in notes]
    terminal, notebook = to_text(found, verdict), html.unescape(found._repr_html_())
    at = opened(inputs)
    put(at, policy=POLICY)
    first = texts(at.run())
    data = texts(at.switch_page(DATA_PAGE).run())
    assert not at.exception
    for note in notes:
        assert f"\nQueries: {note.sentence}\n" in terminal
        assert f"<p>{note.sentence}</p>" in notebook
        assert note.name in IN_THE_TABLE or note.sentence in data
        assert not note.decides or note.sentence in first


def test_the_numbers_of_every_comparison_are_on_every_face() -> None:
    """How many queries are compared, judged, changed and affected: in title and rows, and among the counts."""
    inputs = crowded()
    found = comparison_of(inputs)
    told = to_dict(found, rd.decide(found))["queries"]
    at = opened(inputs)
    put(at, policy=POLICY)
    at.switch_page(DATA_PAGE).run()
    cells = [list(map(str, row)) for one in at.table for row in one.value.to_numpy().tolist()]
    for label, name in ((style.COUNTS["judged"], "judged"), (style.COUNTS["affected"].format(k=10), "affected")):
        assert [label, count(told[name])] in [row[:2] for row in cells]
    assert any(row[1] == "1 / 3" for row in cells)
    assert any(row[:2] == [style.COUNTS["without_relevant"], "7"] for row in cells)
    compared_queries = count(told["compared"], "query", "queries")
    assert compared_queries in texts(at)
    assert compared_queries in to_text(found, rd.decide(found))
    assert told["changed"] == found.primary.paired.wins + found.primary.paired.losses


def test_names_in_these_sentences_are_shown_letter_for_letter() -> None:
    """A table whose name is an attack is named, and nothing else happens, on every face."""
    inputs = crowded(HOSTILE)
    found = comparison_of(inputs)
    assert "\x1b" not in to_text(found, rd.decide(found))
    assert "<script" not in found._repr_html_()
    at = opened(inputs).switch_page(DATA_PAGE).run()
    assert not at.exception


def test_a_clean_comparison_says_nothing() -> None:
    """Where every query has all that it can have there is no line about queries."""
    lists = {f"q{at}": ["a", "b"] for at in range(3)}
    found = rd.compare(run(lists), run(lists), judgments({query: {"a": 1} for query in lists}))
    assert query_notes(found) == ()
    assert "Queries:" not in to_text(found, rd.decide(found))


def test_votes_alone_tell_what_is_repeated() -> None:
    """Without lists there is one fact: votes that a later one of the same rater replaces."""
    found = rd.compare_votes(b"query_id,vote,rater\nq1,good,ann\nq1,bad,ann\nq2,good,ann\n")
    sentence = "1 repeated vote: only a rater’s last vote on a query counts."
    assert [note.sentence for note in query_notes(found)] == [sentence]
    assert to_text(found, rd.decide(found)).startswith(f"Queries: {sentence}\n")
    assert sentence in html.unescape(found._repr_html_())


@pytest.mark.parametrize("seed", every(3, range(scaled(30))))
def test_no_judged_query_is_left_out_without_a_word(seed: int) -> None:
    """Random comparisons: wherever fewer queries are compared than are judged, the facts that say why are told."""
    rng = np.random.default_rng([25, seed])
    world = small_world(rng, queries=int(rng.integers(2, 12)), documents=6, longest=6)
    policy = rd.Policy(
        population=str(rng.choice(["all", "affected"])),
        missing=str(rng.choice(["unknown", "empty", "skip"])),
        convention=rd.Convention(no_relevant=str(rng.choice(["0", "skip"]))),
    )
    found = compared(world, ("a", "b"), policy, [], votes=some_votes(world, rng))
    told = {note.name for note in query_notes(found)}
    left_out = found.counts.judged - found.primary.paired.n
    causes = {"unweighted", "weightless", "unaffected", "missing_a", "missing_b", "undefined"}
    assert not left_out or told & causes, (seed, left_out)


def test_a_measure_without_a_value_on_some_queries_says_so() -> None:
    """Which measure, and on how many queries; where it is so of every measure, that."""
    grades = judgments({"q1": {"a": 1}, "q2": {"a": 1}, "q3": {"b": 0}})
    lists = run({"q1": ["a"], "q3": ["a"]})
    one = rd.compare(lists, lists, grades, measures=["Judged@10"])
    assert "Without a value, and left out of their means: Judged@10 on 1 query." in told(one)
    policy = rd.Policy(convention=rd.Convention(no_relevant="skip"))
    assert "No measure has a value on 1 query that would count." in told(
        rd.compare(lists, lists, grades, policy=policy)
    )


def told(found: rd.Comparison) -> list[str]:
    """The sentences about the queries of a comparison."""
    return [note.sentence for note in query_notes(found)]
