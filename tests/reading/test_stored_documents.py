"""Documents that tools keep in a search engine, in each form in which it hands them out, of each version."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rankdash.reading import ReadError, read_judgments, read_models, read_queries, read_run
from tests.reading.other_tools import EVALUATED, PAIRWISE, QUERY_SET, RATED, STUDIO, stored


def got(source: dict[str, Any]) -> dict[str, Any]:
    """The answer to GET index/_doc/id."""
    return {"_index": "kept", "_id": "x", "_version": 3, "_seq_no": 1, "found": True, "_source": source}


def only(source: dict[str, Any]) -> dict[str, Any]:
    """What is stored under the only hit."""
    (hit,) = source["hits"]["hits"]
    inner: dict[str, Any] = hit["_source"]
    return inner


@pytest.mark.parametrize(
    ("read", "document"),
    [
        (read_models, only(PAIRWISE)),
        (read_models, STUDIO),
        (read_judgments, STUDIO),
        (read_run, only(EVALUATED)),
        (read_judgments, only(RATED)),
        (read_queries, QUERY_SET),
    ],
)
def test_a_document_that_is_got_by_its_id_is_read_as_one_that_is_found(read: Any, document: dict[str, Any]) -> None:
    """The answer to GET _doc, and one hit, hold what the answer to a search holds, and name what is left unread."""

    def tables(source: Any) -> list[str]:
        found = read(source)
        return [str(one.table.to_pylist()) for one in getattr(found, "runs", (found,))]

    hit = {"_index": "kept", "_id": "x", "_source": document}
    for source in (got(document), json.dumps(got(document)).encode(), hit):
        assert tables(source) == tables(stored(document))
        found = read(source)
        notes = "".join(getattr(found, "runs", (found,))[0].source.notes)
        assert '"_index"' in notes


def test_a_product_that_is_got_by_its_id_is_no_list() -> None:
    """A document of a shop has no lists, whatever it is called by."""
    for source in (got({"title": "TV", "price": 3}), got({"title": "TV", "tags": ["a"]}), {"_id": "x", "found": False}):
        for read in (read_run, read_models, read_judgments):
            with pytest.raises(ReadError):
                read(source)


def test_the_query_of_a_pairwise_experiment_has_either_name() -> None:
    """Newer versions call it query_text; an experiment that names no query is refused, and none is called None."""
    newer = json.loads(json.dumps(PAIRWISE))
    (result,) = only(newer)["results"]
    result["query_text"] = result.pop("queryText")
    result["snapshots"][0]["took"] = 3
    for run, other in zip(read_models(newer).runs, read_models(PAIRWISE).runs, strict=True):
        assert run.table.to_pylist() == other.table.to_pylist()
        assert not any("query_text" in note for note in run.source.notes)
    for name in (None, ["tv"]):
        result["query_text"] = name
        with pytest.raises(ReadError, match="a result of the experiment names no query"):
            read_models(newer)
