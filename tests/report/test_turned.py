"""Lists that may be reversed: said first beside the verdict on every face, with what settles it."""

import json
from pathlib import Path

import pytest

import rankdash as rd
from rankdash.__main__ import main
from rankdash.report import exported
from rankdash.report.candidates import wrong
from rankdash.report.markdown import to_comment
from rankdash.report.sections import Reported, wrong_sentences
from rankdash.verdict.decide import may_be_reversed

QUERIES, DEPTH = 12, 6
RANKS = "".join(f"q{q} Q0 d{k} {k} {k}.0 x\n" for q in range(QUERIES) for k in range(1, DEPTH))
SCORES = "".join(f"q{q} Q0 d{k} {k} {9 - k}.5 x\n" for q in range(QUERIES) for k in range(1, DEPTH))
ROWS = "query_id,doc_id,score\n" + "".join(f"q{q},d{k},{k}.5\n" for q in range(QUERIES) for k in range(1, DEPTH))
QRELS = "".join(f"q{q} 0 d{1 + q % 3} 1\nq{q} 0 d5 0\n" for q in range(QUERIES))
SAID = "The lists of A may be reversed: the ranks contradict the scores in 100.0% of the rows"


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ranks as scores, a run, the same without ranks, and judgments."""
    monkeypatch.chdir(tmp_path)
    for name, text in {"ranks.run": RANKS, "b.run": SCORES, "rows.csv": ROWS, "q.txt": QRELS}.items():
        Path(name).write_text(text, "utf-8")


@pytest.mark.parametrize("form", "html markdown json comment".split())
def test_every_form_says_that_lists_may_stand_on_their_heads(form: str) -> None:
    """Each form of the verdict has the sentence, and the option that settles it."""
    comparison = rd.compare("ranks.run", "b.run", "q.txt")
    reported = Reported(comparison, rd.decide(comparison))
    said = to_comment(reported) if form == "comment" else exported(reported, form).decode()
    plain = said.replace("\\", "")
    assert "may be reversed" in plain
    assert "order rank" in plain.replace("\u2060", "")


@pytest.mark.parametrize("beside", [(), ("--json", "v.json")])
def test_no_quiet_silences_it(beside: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    """The terminal says it with --quiet too, and beside a file."""
    assert main(["compare", "ranks.run", "b.run", "-q", "q.txt", "--quiet", *beside]) == 0
    assert SAID in capsys.readouterr().err
    assert main(["compare", "ranks.run", "b.run", "-q", "q.txt", "--quiet", "--order", "rank"]) == 0
    assert "may be reversed" not in capsys.readouterr().err


def test_it_stands_before_every_other_caveat() -> None:
    """It comes first, for both models where both are meant, and JSON has it as a caveat of its own."""
    comparison = rd.compare("ranks.run", "rows.csv", "q.txt")
    first = rd.decide(comparison).caveats[0]
    assert first.id == "order"
    assert SAID in first.sentence
    assert "--order position" in first.sentence
    made = json.loads(exported(Reported(comparison, rd.decide(comparison)), "json"))
    assert made["verdict"]["caveats"][0]["caveat"] == "order"


def test_a_page_names_what_a_page_has() -> None:
    """On the page the way to settle it is there, and no option of another medium."""
    comparison = rd.compare("ranks.run", "b.run", "q.txt")
    several = rd.compare_many("ranks.run", ["b.run", "rows.csv"], "q.txt")
    beside = [*wrong_sentences(rd.decide(comparison), comparison, on_page=True), *wrong(several, on_page=True)]
    assert len(beside) == 3
    for said in beside:
        assert "may be reversed" in said
        assert said.endswith("choose the order on the page Data, under Correct or after dropping the file there again.")


def test_lists_that_agree_with_their_ranks_are_not_suspected() -> None:
    """Neither scores that fall along the ranks, nor an order that somebody chose, are doubted."""
    for order in ("auto", "score"):
        a = rd.read_run("b.run" if order == "auto" else "ranks.run", order=order)
        assert all(one.id != "order" for one in rd.decide(rd.compare(a, "b.run", "q.txt")).caveats)


@pytest.mark.parametrize(("a", "said"), [([3, 2, 1], True), ([1, 2, 3], False)])
def test_scores_that_contradict_the_ranks_of_one_model_are_said(a: list[int], said: bool) -> None:
    """Lists by rank may be reversed where the scores of one model run the other way; of both these are distances."""

    def rows(scores: list[int]) -> list[dict[str, object]]:
        lists = [(f"q{q}", at, score) for q in range(QUERIES) for at, score in enumerate(scores, start=1)]
        return [{"query_id": q, "doc_id": f"d{at}", "rank": at, "score": score} for q, at, score in lists]

    comparison = rd.compare(rd.read_run(rows(a)), rd.read_run(rows([1, 2, 3])), "q.txt")
    first = [caveat.sentence for caveat in rd.decide(comparison).caveats if caveat.id == "order"]
    assert [sentence[:31] for sentence in first] == ["The lists of B may be reversed:"] * said
    assert not may_be_reversed(comparison)  # its scores may be distances, so this B is a candidate
    asked = rd.compare(rd.read_run(rows(a)), rd.read_run(rows([1, 2, 3]), order="rank"), "q.txt")
    assert "order" not in [caveat.id for caveat in rd.decide(asked).caveats]
