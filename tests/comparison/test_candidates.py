"""Several candidates against one baseline: as each pair alone, in any order and under any name."""

import math
import random
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

import rankdash as rd
from rankdash import style
from rankdash.arrow import same_tables
from rankdash.charts import candidates_chart
from rankdash.report.candidates import columns, headline, rows, to_html, to_markdown, verdicts, wrong
from rankdash.report.json import to_dict
from rankdash.report.svg import candidates_drawing
from rankdash.scoring.blocks import rank_files
from rankdash.store import Settings, Store
from tests.long import every

Lists = dict[str, dict[str, float]]


def world(seed: int) -> tuple[Lists, dict[str, Lists], dict[str, dict[str, int]], rd.Policy]:
    """A baseline, two to five candidates, some alike, judgments, and a policy."""
    dice = random.Random(seed)
    queries = [f"q{i}" for i in range(dice.choice((3, 12, 40)))]

    def lists(share: float) -> Lists:
        answered = [query for query in queries if dice.random() < share] or queries[:1]
        return {
            q: {doc: float(dice.randint(1, 6)) for doc in dice.sample("abcdefgh", dice.randint(1, 8))} for q in answered
        }

    base = lists(0.95)
    candidates = {name: {**base, **lists(dice.choice((0.1, 0.9)))} for name in "bcdef"[: dice.randint(2, 5)]}
    grades = {query: {doc: dice.randint(0, 3) for doc in dice.sample("abcdefgh", 5)} for query in queries}
    intent, convention = dice.choice(("improve", "improve", "do_no_harm")), ("standard", "trec_eval-9", "quepid")
    population = dice.choice(("all", "affected"))
    policy = rd.Policy(intent=intent, convention=dice.choice(convention), population=population)
    return base, candidates, grades, policy


def facts(comparison: rd.Comparison, verdict: rd.Verdict) -> object:
    """Everything that JSON says but where it came from."""
    found = to_dict(comparison, verdict)
    return {key: value for key, value in found.items() if key != "inputs"}


@pytest.mark.parametrize("seed", every(2, range(12)))
def test_each_candidate_is_as_the_pair_compared_alone(seed: int) -> None:
    """Numbers, verdict and lead are those of ``compare`` and ``decide(candidates=K)``, to the bit; the best is the best
    over all queries, also where the policy counts those that changed, which are others for each.
    """
    base, lists, grades, policy = world(seed)
    found = rd.compare_many(base, lists, grades, policy=policy, measures="RR@3")
    assert found.names == tuple(lists)
    for name, verdict in zip(lists, found.verdicts, strict=True):
        alone = rd.compare(base, lists[name], grades, policy=policy, measures="RR@3", names=("A", name))
        assert facts(found[name], verdict) == facts(alone, rd.decide(alone, candidates=len(lists)))
        assert rd.decide(found[name]) == verdict
    best, next_ = (found[at] for at in found.best_first[:2])
    lead = rd.compare(lists[next_.b.name], lists[best.b.name], grades, policy=policy, measures="RR@3")
    assert facts(found.lead, rd.decide(found.lead)) == facts(lead, rd.decide(lead))
    launched = {one.b.name for one, verdict in zip(found, found.verdicts, strict=True) if verdict.launch}
    tried = {one.b.name: one.primary_everywhere.delta for one in found if not launched or one.b.name in launched}
    assert tried[found.best.b.name] == max(gain for gain in tried.values() if gain is not None)


def test_the_order_of_candidates_orders_rows_alone() -> None:
    """Permuted candidates are permuted rows; other names are names alone."""
    base, lists, grades, policy = world(5)
    lists |= {f"same as {name}": own for name, own in lists.items()}  # equal ones too
    found = rd.compare_many(base, lists, grades, policy=policy)
    turned = rd.compare_many(base, dict(reversed(lists.items())), grades, policy=policy)
    renamed = rd.compare_many(
        base, [*lists.values()], grades, policy=policy, names=["old", *(f"new {n}" for n in lists)]
    )
    values = found.summary.drop(columns="candidate")
    assert renamed.summary.drop(columns="candidate").equals(values)
    assert set(renamed.summary["candidate"]) == {f"new {name}" for name in lists}
    for name in lists:
        rows = [one.summary[one.summary["candidate"] == name].reset_index(drop=True) for one in (found, turned)]
        assert rows[0].equals(rows[1])
    assert found.best.b.name == turned.best.b.name


def test_files_are_put_in_order_once_to_the_same_table(tmp_path: Path) -> None:
    """Three files read piece by piece give the tables of each pair, and of the candidates among themselves."""
    base, lists, grades, policy = world(7)
    runs = [base, *lists.values()]
    for at, run in enumerate(runs):
        rows = (f"{q} Q0 {doc} 0 {score} {at}" for q, docs in run.items() for doc, score in docs.items())
        (tmp_path / f"{at}.trec").write_text("\n".join(rows) + "\n")
    paths = [str(tmp_path / f"{at}.trec") for at in range(len(runs))]
    judgments = rd.read_judgments(grades)
    files = rank_files(paths, judgments, policy, how=[{"order": "score"}] * len(runs), size=200)
    for a, b in ((0, 1), (0, 2), (2, 1)):
        scored = files.scored(a, b)
        alone = rd.score(paths[a], paths[b], judgments, policy=policy)
        assert same_tables(scored.to_arrow(), alone.to_arrow())


@pytest.mark.parametrize("form", ["html", "markdown", "json", "csv", "parquet"])
def test_python_writes_what_the_command_line_writes(form: str, tmp_path: Path) -> None:
    """``rd.report`` of several candidates names all of them, in each form that they have; there is no JUnit of them."""
    base, lists, grades, policy = world(3)
    found = rd.compare_many(base, lists, grades, policy=policy)
    content = rd.report(found, tmp_path / "all", format=form)
    assert content == (tmp_path / "all").read_bytes()
    assert all(name.encode() in content for name in lists)
    if form in ("html", "markdown"):
        assert all(verdict.tag.encode() in content for verdict in found.verdicts)
        assert form != "html" or f"<h2>{found.best.primary.label}" in content.decode()
    with pytest.raises(ValueError, match="html"):
        rd.report(found, format="junit")
    assert form != "html" or b"<strong>July &lt;3</strong>" in rd.report(found, format=form, name="July <3")
    with pytest.raises(ValueError, match="one comparison"):
        rd.report(found, format=form, verdict=found.verdict)


def test_without_judgments_candidates_show_what_changed() -> None:
    """Every form is made, with the columns of what changed; the verdict is that nothing can be compared yet."""
    base, lists, _, _ = world(3)
    found = rd.compare_many(base, lists)
    assert {len(columns(found)), *map(len, rows(found))} == {5}
    assert found.verdict.exit_code == 6
    assert all(rd.report(found, format=form) for form in ("html", "markdown", "json"))


def test_grades_beside_the_documents_of_any_run_count_for_all() -> None:
    """Candidates have one ideal, and a row each, also where not every file has grades."""
    graded = [{"query_id": "q", "doc_id": name, "rank": at, "relevance": 3 - at} for at, name in enumerate("xyz", 1)]
    found = rd.compare_many({"q": ["a", "x"]}, {"b": {"q": ["x", "a"]}, "c": graded})
    of_x, of_y = 2, 1
    value = of_x / math.log2(3) / (of_x + of_y / math.log2(3))
    assert [one.primary.paired.mean_a for one in found] == pytest.approx([value, value])
    assert {len(columns(found)), *map(len, rows(found))} == {len(columns(found))}


def test_a_gain_is_green_only_if_it_launches() -> None:
    """The points of the page's chart and of the report's have the colour of the verdict beside them, also where one
    candidate alone would launch and one of twenty does not.
    """
    base = {f"q{i}": {"x": 1.0, "y": 2.0} for i in range(60)}
    best = {query: {"x": 2.0, "y": 1.0} if i < 24 else lists for i, (query, lists) in enumerate(base.items())}
    found = rd.compare_many(base, {"best": best, "same": base}, {q: {"x": 1, "y": 0} for q in base})
    assert found.best.primary.paired.ci95[0] > 0
    for tried, colour in ((1, style.WIN), (10**9, style.SAME)):
        told = replace(found, verdicts=tuple(rd.decide(one, candidates=tried) for one in found))
        colours = [shown for _, shown in verdicts(told)]
        assert colours == [colour, style.SAME]
        compared = [told[at] for at in told.best_first]
        drawn = candidates_drawing(compared, verdicts(told), "")
        assert [point.get("fill") for point in drawn.iter("circle")] == colours
        assert [*candidates_chart(compared, colours, 0).data[-1].marker.color] == colours


def test_what_cannot_be_compared_is_set_aside_or_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A candidate without a judged query is set aside by name; none, too many, and names twice are refused."""
    base, lists, grades, _ = world(2)
    found = rd.compare_many(base, {**lists, "strange": {"other": {"a": 1.0}}}, grades)
    assert found.names == tuple(lists)
    assert ["strange" in sentence for sentence in found.set_aside] == [True]
    monkeypatch.setenv("RANKDASH_STORE", "on")
    saved = Store.open(Settings.from_environment()).load(rd.save(found))
    assert saved.state.set_aside == found.set_aside
    assert {verdict.candidates for verdict in found.verdicts} == {len(lists)}
    one = next(iter(lists.values()))
    for several in ([], [one] * 21, [{"other": {"a": 1.0}}]):
        with pytest.raises(rd.ComparisonError):
            rd.compare_many(base, several, grades)
    with pytest.raises(rd.ComparisonError, match="bm25"):
        rd.compare_many(base, [SimpleNamespace(run=one, name="bm25")] * 2, grades)
    for names in (["a", "b"], ["a", "b", "b"], "abc"):
        with pytest.raises(ValueError, match="names="):
            rd.compare_many(base, [one, one], grades, names=names)
    with pytest.raises(TypeError, match="compare_many"):
        rd.compare(grades, [one, one], ["map"])


def test_what_is_wrong_with_files_stands_beside_the_best_candidate() -> None:
    """A grade off the scale is said once, which queries lack lists under the name of each candidate."""
    base = {f"q{i}": {"a": 2.0, "b": 1.0} for i in range(40)}
    grades = {
        query: {"a": 9 * (query == "q1"), "b": 1 + int(query[1:]) % 4}
        for query in [*base, *(f"q{i}" for i in range(90, 95))]
    }
    better = {query: {"b": 2.0, "a": 1.0} for query in base}
    half = {query: better[query] for query in list(better)[:35]}
    found = rd.compare_many(base, {"new": better, "half": half}, grades)
    scale, *others = wrong(found)
    assert "9" in scale
    assert [text.partition(":")[0] for text in others] == ["new", "half"]
    for form in (to_markdown(found), to_html(found), found._repr_html_()):
        assert scale.partition(".")[0] in form


def test_several_models_of_one_file_are_as_runs_of_their_own() -> None:
    """A by its name, or by the one that is named, with all others or those named behind it; else refused."""
    base, lists, grades, policy = world(5)
    one = {"A": base, **lists}
    alone = rd.compare_many(base, lists, grades, policy=policy).summary
    for models, names in ((one, None), (rd.read_models(one), ["A"]), (one, ["A", *lists])):
        assert rd.compare_many(models, judgments=grades, policy=policy, names=names).summary.equals(alone)
    assert rd.compare_many(one, judgments=grades, names=["c", "b"]).names == ("b",)
    for few, error in ((None, rd.ReadError), (["x"], rd.ReadError), (["b", "b"], rd.ReadError), ("cb", ValueError)):
        with pytest.raises(error):
            rd.compare_many({"old": base, **lists}, judgments=grades, names=few)


#: On each query b is better than A, and c better than b on those from the 21st on, or on all.
LEVELS = {name: {f"q{i}": [*shown] for i in range(40)} for name, shown in {"a": "xyz", "b": "pxy", "c": "pqx"}.items()}
PARTLY = {query: LEVELS["b" if i < 20 else "c"][query] for i, query in enumerate(LEVELS["b"])}
RELEVANT = {query: {"p": 1, "q": 1, "x": 0, "y": 0} for query in LEVELS["a"]}


@pytest.mark.parametrize(("b", "population"), [(LEVELS["b"], "all"), (PARTLY, "affected"), (PARTLY, "all")])
def test_the_lead_is_that_of_the_gains_that_are_shown(b: dict[str, list[str]], population: str) -> None:
    """It is the difference of the two gains over all queries, whichever the policy counts; the same lead on each query
    is no chance.
    """
    policy = rd.Policy(primary="P@2", guardrails=(), watch=(), population=population)
    found = rd.compare_many(LEVELS["a"], {"b": b, "c": LEVELS["c"]}, RELEVANT, policy=policy)
    gains = [one.primary_everywhere.delta for one in found]
    (said,) = [sentence for sentence in headline(found).sentences if "ahead of" in sentence]
    assert f" {gains[1] - gains[0]:.3f} ahead of b, more than chance" in said


def test_where_the_best_has_no_value_only_the_verdict_is_said() -> None:
    """A measure without a value is neither left where it is, nor is one candidate level with another by it."""
    lists = {name: dict(list(one.items())[:9]) for name, one in LEVELS.items()}
    policy = rd.Policy(primary="AUC", guardrails=(), watch=())
    relevant = {query: {"p": 1} for query in lists["a"]}
    found = rd.compare_many(lists["a"], {"b": lists["b"], "c": lists["c"]}, relevant, policy=policy)
    assert headline(found).sentences == (found.verdict.sentence,)
