"""What people call the columns of a table, and how the headings of a source are matched to their meanings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, count
from typing import Literal

from rankdash.arrow import decoded
from rankdash.notes import Note, advise, detail, listed, warning, whole_text
from rankdash.reading.grid import NUMBERS, Grid, is_number, not_read
from rankdash.reading.problems import Choice, Problem, ReadError, refuse
from rankdash.reading.values import UNNAMED, Lists, are_votes, count_up, floats
from rankdash.records import frozen, replace
from rankdash.strings import did_you_mean, nearest, normalized

Kind = Literal["run", "judgments", "models", "queries", "votes", "items"]


@frozen
class Meaning:
    """A column with a meaning: its canonical name, how it is called in a sentence, and other usual names.

    ``synonyms`` are tiers between bars: a name of a later tier is considered only where no earlier one is present. Of
    two columns with names in the same tier none is chosen, unless the column is only ``shown``. ``examples`` are
    the synonyms that messages mention; ``first`` a synonym that wins over other spellings of the name.
    """

    name: str
    words: str
    synonyms: str
    examples: str = ""
    shown: bool = False
    first: str = ""


_SESSION = "session_id 会话id セッションid"
_QUERY_ID = (
    "qid topic topic_id query_no query_number user user_id uid user_idx visitor_id reviewer_id customer_id search_id "
    "request_id question_id 查询id 查询编号 查詢id 问题id 用户id クエリid ユーザーid"
)
_TEXT = (
    "query q search_query query_string search_term search_text keyword keywords question top_queries 查询 查询词 "
    "查询语句 搜索词 问题 关键词 查詢 クエリ 検索クエリ 検索語 キーワード 質問 suchanfrage suchbegriff"
)
_MORE_TEXT = "query_content | search search_phrase term"
#: The text of a query, except in a table with document ids: there a column "text" is the text of the document.
_ANY_TEXT = "query_text text 文本 テキスト"
_QUERIES = f"{_TEXT} | {_ANY_TEXT} {_MORE_TEXT}"
#: What is ranked, beside documents and products.
_GOODS = (
    "item article movie track song artist book news business video listing candidate passage hotel job recipe offer "
    "paper answer episode course restaurant place venue poi"
).split()
_DOCUMENT = (
    "docno docid did corpus_id document_id iid item_idx pid sku asin isbn product_id object_id 文档id 文档编号 商品id "
    f"商品编号 物品id 文檔id 文書id 商品番号 アイテムid call_number signatur {' '.join(f'{own}_id' for own in _GOODS)}"
)
_URLS = "url uri link article_url document_url doc_url page_url item_url product_url result_url 链接 网址"
_NAMES = "doc document item passage result article hotel job recipe 文档 商品 物品 文章 文檔 文書 アイテム"
_TITLES = (
    "product_title doc_title document_title product_name 商品标题 商品名称 "
    f"{' '.join(f'{own}_title {own}_name' for own in _GOODS)}"
)
_NUMBERED = " ".join(f"{own}_no {own}_number" for own in "item article product record doc document offer job".split())
_GERMAN = "artikelnummer artikel_nr artikel_id dokument_id produkt_id"
_THINGS = f"{_NUMBERED} ean gtin {_GERMAN} | {_NAMES} | {_URLS}|id|product|{_TITLES}"
_TITLE = f"{_TITLES} headline name 标题 名称 標題 タイトル 商品名 titel | _source.title _source.name"

#: In the order in which they choose: "query" is the id where no other column is, else the text.
MEANINGS = (
    Meaning("query_id", "the query id", f"{_QUERY_ID} {_SESSION} | {_QUERIES}", "qid, query, topic"),
    # (in TREC's words DOCNO is the id that judgments use, and docid a number within one index)
    Meaning("doc_id", "the document id", f"{_DOCUMENT} | {_THINGS}", "docno, item, url", first="docno"),
    Meaning(
        "rank",
        "the rank",
        "position pos ranking rank_position doc_position place rang 排名 位置 名次 位次 順位 ランク",
        "position, pos",
    ),
    Meaning(
        "score",
        "the score",
        "sim similarity model_score predicted_score prediction pred rsv 得分 分数 模型得分 相似度 スコア 得点 | est | "
        "bm25 bm25_score cosine cosine_similarity similarity_score ranking_score retrieval_score rerank_score "
        "reranker_score final_score total_score search_score rrf_score relevance_score",
        "similarity",
    ),
    Meaning(
        "relevance",
        "the relevance",
        "label rel grade gain relevant is_relevant judgment judgement relevance_grade relevance_label "
        "graded_relevance esci_label 标注等级 档位 相关性 相关度 相关性等级 标注 标签 等级 関連度 "
        "適合度 ラベル relevanz | bewertung rating ratings r_ui 评分 打分 评价 評価 評点",
        "label, grade, rating",
    ),
    Meaning(
        "model",
        "the model",
        "system run variant ranker run_id model_name system_id model_id snapshot_name 模型 模型名称 系统 モデル | "
        "algorithm algorithm_name recommender recommender_name search_config search_configuration",
        "system, run, variant",
    ),
    Meaning("title", "the title", _TITLE, shown=True),
    Meaning("query_text", "the text of the query", f"{_TEXT} {_MORE_TEXT}", shown=True),
)

QUERY_MEANINGS = (
    # (of a query beside its own id, a session is the group that it belongs to)
    Meaning("query_id", "the query id", f"{_QUERY_ID} | id | {_SESSION} | {_QUERIES}", "qid, topic, id"),
    Meaning("text", "the text of the query", f"{_TEXT} {_ANY_TEXT} {_MORE_TEXT} title 标题 タイトル", shown=True),
    Meaning(
        "weight",
        "the weight of the query",
        "traffic_share share query_weight 权重 流量占比 重み | frequency freq count counts impressions searches volume "
        "search_volume sessions pv uv query_count monthly_searches avg_monthly_searches searches_per_month "
        "monthly_search_volume monthly_traffic traffic_per_month 频率 频次 搜索次数 搜索量 頻度 検索回数",
        "traffic_share, frequency, count",
    ),
    Meaning("time", "when the query was asked", "query_time asked_at searched_at query_date timestamp", shown=True),
    Meaning(
        "cluster",
        "the group that a query belongs to",
        "cluster_id query_cluster 簇 クラスタ | group group_id query_group 分组 グループ | session query_session "
        f"{_SESSION} 会话 | template template_id query_template 模板",
        "group, session, template",
        shown=True,
    ),
)

VOTE_MEANINGS = (
    Meaning("query_id", "the query id", f"{_QUERY_ID} {_SESSION} | id | {_QUERIES}", "qid, id, query"),
    Meaning(
        "vote",
        "the vote",
        "verdict gsb preference preferred better winner votes stimme urteil 投票 判定 偏好 | judgment judgement "
        "choice decision label rating grade result outcome score annotation 评价 評価 结果 标注 选择",
        "verdict, preference, winner",
    ),
    Meaning(
        "rater",
        "the rater",
        "annotator assessor judge labeler labeller rater_id annotator_id assessor_id judge_id worker worker_id "
        "evaluator reviewer colleague voter 标注员 评估员 評価者 | user user_id",
        "annotator, judge",
        shown=True,
    ),
    Meaning(
        "left", "the model on the left", "left_model model_left left_system left_side 左 左侧 左侧模型 左側", shown=True
    ),
    Meaning(
        "right",
        "the model on the right",
        "right_model model_right right_system right_side 右 右侧 右侧模型 右側",
        shown=True,
    ),
    Meaning("model_a", "model A", "system_a model1 model_1 system1 system_1 baseline 模型a", shown=True),
    Meaning("model_b", "model B", "system_b model2 model_2 system2 system_2 candidate 模型b", shown=True),
    Meaning("doc_id", "the document id", _DOCUMENT, shown=True),
    Meaning(
        "reason",
        "the reason",
        "comment comments note notes remark remarks explanation why 理由 原因 备注 コメント",
        shown=True,
    ),
)

ITEM_MEANINGS = (
    Meaning("doc_id", "the document id", f"{_DOCUMENT} | {_THINGS}", "docno, item, sku", first="docno"),
    Meaning("category", "the category", "categories genre genres 类别 类目 分类 カテゴリ ジャンル"),
    Meaning(
        "date",
        "the date of the document",
        "published published_at published_date date_published publish_date publication_date pub_date release_date "
        "released doc_date 发布日期 发布时间 公開日 | created created_at creation_date timestamp unix_time "
        "unix_time_ms epoch epoch_ms datetime time 日期 时间 日付 | updated updated_at modified",
        "published_at, created_at",
    ),
    Meaning("title", "the title", _TITLE, shown=True),
    Meaning("vector", "the vector", "embedding embeddings vec 向量 ベクトル", shown=True),
    Meaning("users", "users", "number_of_users n_users user_count users_count num_users 用户数 ユーザー数", shown=True),
)


@frozen
class TableKind:
    """A kind of table: what a sentence calls it, its meanings, those it must have, and what its other columns are; ""
    where that is not said.

    ``header`` is what a header line might be.
    """

    words: str
    meanings: tuple[Meaning, ...]
    required: tuple[str, ...]
    others: str
    header: str


#: Typed lists share no documents, and each has grades of its own: A, B, or nothing for both.
_ONLY_FOR = Meaning("only_for", "the list that a grade is for", "", shown=True)
_ITERATION = Meaning("iteration", "the iteration", "iter round judging_round judgment_round 轮次", shown=True)
_ASPECTS = "subtopic_id intent intent_id aspect aspect_id facet facet_id 子主题 意图"
#: What else a grade is called where nothing is ranked: beside users and items, interactions say what was relevant.
_INTERACTIONS = (
    "overall stars relevance_score | weight | event event_type interaction interaction_type behavior behavior_type"
)
*_PAIR, _GRADE = (own for own in MEANINGS if own.name in ("query_id", "doc_id", "relevance"))
_QRELS = (
    *_PAIR,
    replace(_GRADE, synonyms=f"{_GRADE.synonyms} | {_INTERACTIONS}"),
    _ITERATION,
    Meaning("subtopic", "the subtopic", _ASPECTS, shown=True),
    _ONLY_FOR,
)

_SHOWN, _UNREAD = "Columns that are only shown", "Columns that were not read"
KINDS: dict[Kind, TableKind] = {
    "run": TableKind("a run", MEANINGS, ("query_id", "doc_id"), _SHOWN, "query_id, doc_id, and rank or score"),
    "judgments": TableKind(
        "judgments",
        _QRELS,
        ("query_id", "doc_id", "relevance"),
        _UNREAD,
        "query_id, doc_id, relevance",
    ),
    "models": TableKind(
        "a combined file", MEANINGS, ("query_id", "doc_id", "model"), _SHOWN, "query_id, model, rank, doc_id, relevance"
    ),
    "queries": TableKind(
        "queries", QUERY_MEANINGS, ("query_id",), "Columns used as segments", "query_id, text, weight"
    ),
    "votes": TableKind("votes", VOTE_MEANINGS, ("query_id",), "", "query_id, vote, rater"),
    "items": TableKind("items", ITEM_MEANINGS, ("doc_id",), _UNREAD, "doc_id, category, date"),
}
MEANING = {meaning.name: meaning for kind in reversed(KINDS.values()) for meaning in kind.meanings}

#: Columns with the votes of one rater each.
RATER = re.compile(r"(rater|annotator|assessor|judge|标注员|评估员|評価者)([0-9]+|[a-z])")
#: Who takes something without a grade, and columns that say when.
_PEOPLE = frozenset("user userid uid useridx visitorid reviewerid customerid 用户id ユーザーid".split())
USERS = _PEOPLE | {"sessionid"}
TIMES = frozenset("timestamp timestampms time datetime date day ts unixtime epoch eventtime created createdat".split())


# --- names that say the same -----------------------------------------------------------------------------------------

_LONGEST = 1000


@lru_cache(4096)
def key(heading: str) -> str:
    """Return a heading in a form to compare: without case, width, blanks, signs between words, invisible characters,
    and a scale at its end, as in "Relevance (0-3)".
    """
    if not isinstance(heading, str):
        return ""  # a key of a dict
    heading = heading[:_LONGEST]
    plain = heading if heading.isascii() else normalized("NFKC", heading)
    return re.sub(r"\s*\(\d\W+\d+\)\s*$|[\W_]+", "", plain).casefold()


#: The keys of each meaning of each kind, tier by tier, the canonical name first.
TIERS = {
    kind: {
        own.name: tuple(frozenset(map(key, tier.split())) for tier in (own.name, *own.synonyms.split("|")))
        for own in table.meanings
    }
    for kind, table in KINDS.items()
}
_KNOWN = {
    kind: frozenset().union(*(tier for tiers in named.values() for tier in tiers)) for kind, named in TIERS.items()
}
_KNOWN["judgments"] = _KNOWN["run"]
#: What people who judge are called.
_RATERS = frozenset().union(*TIERS["votes"]["rater"][:2])
_QUERY = frozenset("query querytext searchquery searchterm suchanfrage suchbegriff 查询 查询词 搜索词 クエリ".split())


def is_known(heading: str, kind: Kind) -> bool:
    """Return whether a heading is the name, or a usual name, of a column with a meaning."""
    return key(heading) in _KNOWN[kind]


def means(names: Iterable[str], kind: Kind, *meanings: str) -> bool:
    """Return whether one of the names is a heading for one of the meanings."""
    tiers = [tier for meaning in meanings for tier in TIERS[kind].get(meaning, ())]
    return any(key(name) in tier for name in names for tier in tiers)


def names_rater(heading: str) -> bool:
    """Return whether a heading, as ``key`` returns it, is a usual name of somebody who judges."""
    return heading in _RATERS or RATER.fullmatch(heading) is not None


def names_queries(headings: Iterable[str]) -> bool:
    """Return whether a heading is a usual name of the id of a query, or "query", and not of a document or its words."""
    return not frozenset(map(key, headings)).isdisjoint(_QUERY.union(*TIERS["run"]["query_id"][:2]))


# --- names of measures -----------------------------------------------------------------------------------------------

#: What evaluation tools call their measures.
_MEASURE = (
    r"(?:\w+_)?(?:num_\w+|(?:gm_)?map(?:_cut)?|r?ndcg(?:_cut|_rel|_burges)?|mrr|recip_rank|rr|b?pref|r-?prec|ap|err|rbp|"
    r"p|precision|recall|success|hits|hit_rate|f1|set_\w+|infap|iprec_at_recall|11pt_avg|accuracy|judged|runid)"
    r"(?:\([^\t]*\))?(?:[@_.-](?:at_)?k?l?[\d.]*)?"
)
MEASURE = re.compile(_MEASURE, re.IGNORECASE)


def are_measures(names: Iterable[str]) -> bool:
    """Return whether every name is a measure, and one has three letters or more: documents may be "p" or "R"."""
    some = [*names]
    return all(map(MEASURE.fullmatch, some)) and any(len(name) > 2 for name in some)


# --- matching --------------------------------------------------------------------------------------------------------

#: The headings of qrels that call the grade a score: of BEIR, and of ranx as Parquet.
GRADES_AS_SCORES = (frozenset(("queryid", "corpusid", "score")), frozenset(("qid", "docid", "score")))


@frozen
class Matched:
    """Which column of a source is read as what.

    ``names`` maps the number of a column (from 0) to the name it gets: a canonical name, or its own heading;
    ``called`` maps canonical names to the headings in the file.
    """

    names: dict[int, str]
    called: dict[str, str]
    notes: tuple[Note, ...] = ()


def match(
    file: str, headings: Sequence[str], kind: Kind, wishes: Mapping[str, str] | None = None, *, golden: bool = False
) -> Matched:
    """Return what each heading means; ``wishes`` maps meanings to headings and wins, "" meaning that no column has it.

    ``golden``: documents without a grade are relevant.
    ReadError when a required column is missing, two columns claim one meaning, or a wish names what is not there.
    """
    if halved := [heading for heading in headings if whole_text(heading) != heading]:
        what = f"a column name contains an incomplete character: {listed(halved)}"
        raise refuse("bad_encoding", file, what, "Write the names in whole characters.")
    names, problems = _wished(file, headings, kind, wishes or {})
    none = {name for name, heading in (wishes or {}).items() if not heading}
    if kind == "judgments" and not wishes and frozenset(map(key, headings)) in GRADES_AS_SCORES:
        names[next(i for i, heading in enumerate(headings) if key(heading) == "score")] = "relevance"
    for meaning in KINDS[kind].meanings:
        if meaning.name in names.values() or meaning.name in none:
            continue
        claims = _columns_of(kind, meaning.name, headings, names)
        if len(claims) > 1 and not meaning.shown:
            problems.append(_rivals(file, meaning, [headings[i] for i in claims]))
        if claims:
            names[claims[0]] = meaning.name
    called = {name: headings[i] for i, name in names.items()}
    missing = [name for name in KINDS[kind].required if name not in called]
    if missing == ["relevance"] and ("relevance" in none or golden or names_pairs_alone(headings, called)):
        missing = []
    problems += missing_columns(file, missing, headings, kind)
    if problems:
        raise ReadError(problems)
    notes = tuple(_notes(headings, kind, names, called))
    return Matched(names if kind == "judgments" else names | _extras(headings, names, none), called, notes)


def _notes(headings: Sequence[str], kind: Kind, names: Mapping[int, str], called: Mapping[str, str]) -> Iterator[Note]:
    """Yield the notes on what columns were read as, and on those without a meaning."""
    for name, heading in called.items():
        if heading != name:
            yield detail("column_read", f"Column {listed([heading])} was read as {MEANING[name].words}.")
    yield from _passed_over(headings, kind, names)
    if key(called.get("query_id", "")) in _PEOPLE and not key(called.get("doc_id", "document")).startswith("doc"):
        yield detail("of_users", "Each query is a user, and each document an item.")
    others = [heading or f"column {i + 1}" for i, heading in enumerate(headings) if i not in names]
    if KINDS[kind].others:
        yield from not_read(KINDS[kind].others, others, "further_columns")


def _wished(
    file: str, headings: Sequence[str], kind: Kind, wishes: Mapping[str, str]
) -> tuple[dict[int, str], list[Problem]]:
    """Return the columns that were named by hand."""
    names: dict[int, str] = {}
    problems: list[Problem] = []
    for name, heading in wishes.items():
        if name not in TIERS[kind] or not heading:
            continue
        free = [i for i in range(len(headings)) if i not in names and key(headings[i]) == key(heading)]
        if free:
            names[next((i for i in free if headings[i] == heading), free[0])] = name
        else:
            what = f"there is no column {listed([heading])} to read as {MEANING[name].words}"
            allowed = f"Found: {listed(headings)}.{did_you_mean(nearest(heading, headings))}"
            problems.append(Problem("bad_option", file, what, allowed=allowed, choice=_choice(name, headings)))
    return names, problems


def _claims(kind: Kind, name: str, headings: Sequence[str], taken: Mapping[int, str]) -> list[int]:
    """Return the columns that the first tier of names with any gives a meaning."""
    free = [i for i in range(len(headings)) if i not in taken]
    if exact := [i for i in free if headings[i] == name]:
        return exact
    for place, tier in enumerate(TIERS[kind].get(name, ())):
        if claims := [i for i in free if key(headings[i]) in tier]:
            before = {MEANING[name].first} - {""} if place == 0 else set()
            return [i for i in free if key(headings[i]) in before] or claims
    return []


def _columns_of(kind: Kind, name: str, headings: Sequence[str], taken: Mapping[int, str]) -> list[int]:
    """Return the columns that may have a meaning. People beside queries are no queries: they are raters, or asked."""
    claims = _claims(kind, name, headings, taken)
    are_people = name == "query_id" and kind != "queries" and _PEOPLE.issuperset(key(headings[i]) for i in claims)
    queries = [i for i, heading in enumerate(headings) if i not in taken and key(heading) in _QUERY]
    return (are_people and queries[:1]) or claims


def names_pairs_alone(headings: Sequence[str], called: Mapping[str, str]) -> bool:
    """Return whether there are a user, an item and nothing but times beside them: every row is a relevant pair."""
    user, item = called.get("query_id", ""), called.get("doc_id", "")
    return key(user) in USERS and TIMES.issuperset(key(other) for other in headings if other not in (user, item))


def _passed_over(headings: Sequence[str], kind: Kind, names: Mapping[int, str]) -> Iterable[Note]:
    """Yield warnings on columns that could be an id or a number that another column is."""
    for name in ("doc_id", *NUMBERS):
        own = next((headings[i] for i, meaning in names.items() if meaning == name), None)
        keys = frozenset().union(*TIERS[kind].get(name, ())[: 2 if name == "doc_id" else None])
        others = [heading for i, heading in enumerate(headings) if i not in names and key(heading) in keys]
        if own is not None and others:
            facts = {"own": listed([own]), "words": MEANING[name].words, "others": listed(others)}
            yield warning("column_passed_over", advise("column_passed_over", key=name, **facts))


def _choice(name: str, headings: Sequence[str], *, none: bool = False) -> Choice:
    return Choice("columns", (*filter(None, headings), *([""] if none else ())), name)


def _rivals(file: str, meaning: Meaning, headings: Sequence[str]) -> Problem:
    what = f"{len(headings)} columns could be {meaning.words}: {listed(headings)}"
    allowed = advise("choose_one_column", key=meaning.name)
    return Problem("unclear", file, what, allowed=allowed, choice=_choice(meaning.name, headings))


#: What to do with a table that has a column for each model, or for each person who grades.
_SEVERAL = {
    "doc_id": " If each model has a column, make a file for each. If each rank has one, write a row for each document.",
    "relevance": " If each rater has a column, add one with a single grade, such as the median.",
}


def missing_columns(file: str, names: Sequence[str], headings: Sequence[str], kind: Kind) -> list[Problem]:
    """Return the problems of a table without columns that it needs. What holds for all of them is said once.

    >>> for last in ("timestamp", "", "ben"):  # a time and a number of the row are no raters
    ...     "rater" in str(missing_columns("", ["relevance"], ("user", "item", "watched", last), "judgments")[0])
    False
    False
    True
    >>> "each rank" in str(missing_columns("", ["doc_id"], ("query", "no.", "title", "rank"), "run")[0])
    False
    """
    is_run = kind == "judgments" and any(_claims("run", other, headings, {}) for other in ("rank", "score"))
    wide = len({*map(key, headings)} - TIMES - {""}) > 3 and "query_id" not in names
    wide = wide and not ("doc_id" in names and means(headings, "run", "title", "relevance"))  # a row is a document
    wrong: list[Problem] = []
    for name in names:
        meaning, found = MEANING[name], "" if wrong or not headings else f"Found: {listed(headings)}. "
        more = _SEVERAL.get(name, "") if wide else ""
        more += " If it is a run, give it as a run." if is_run and name == names[-1] else ""
        by_user = name == "relevance" and kind == "judgments" and not USERS.isdisjoint(map(key, headings))
        code = "grades_or_none" if by_user else "choose_column"
        allowed = advise(code, key=name, found=found, examples=meaning.examples or meaning.name, more=more)
        what = f"there is no column for {meaning.words}"
        choice = _choice(name, headings, none=by_user)
        wrong.append(Problem("missing_column", file, what, allowed=allowed, choice=choice))
    return wrong


def check_document_ids(grid: Grid) -> None:
    """Raise ReadError where a column "id" numbers the rows, ten or more, of several queries, and another column may
    name the documents.
    """
    named = [heading for heading in grid.headings if means([heading], "run", "doc_id")]
    if key(grid.called.get("doc_id", "")) != "id" or len(named) < 2 or "query_id" not in grid.columns or grid.rows < 10:
        return
    ids, queries = (decoded(grid.ids(name).array) for name in ("doc_id", "query_id"))
    first = int(ids[0].as_py() == "1")
    if all(one.as_py() == str(at) for at, one in enumerate(ids, first)) and len(queries.unique()) > 1:
        what = f'the column "{grid.title("doc_id")}" numbers the rows, so it does not say which documents these are'
        raise ReadError((replace(missing_columns(grid.name, ["doc_id"], grid.headings, "run")[0], what=what),))


def check_meanings(columns: Mapping[str, str]) -> None:
    """Raise ReadError for a key of ``columns`` that is not the meaning of any column."""
    for name in columns:
        if name not in MEANING:
            meant = did_you_mean(nearest(str(name), MEANING))
            what = f"{listed([str(name)])} is not a meaning of a column"
            raise refuse("bad_option", "columns", what, f"{meant} There are {', '.join(MEANING)}.".strip())


def _extras(headings: Sequence[str], taken: Mapping[int, str], none: set[str]) -> dict[int, str]:
    """Return names for the columns without a meaning: their own, unique, and never a canonical name."""
    used = {*taken.values(), *none}
    extras: dict[int, str] = {}
    for i, heading in enumerate(headings):
        if i not in taken:
            own = heading or f"column {i + 1}"
            names = chain([own], (f"{own} ({n})" for n in count(2)))
            extras[i] = next(name for name in names if name not in used)
            used.add(extras[i])
    return extras


# --- without headings ------------------------------------------------------------------------------------------------


def match_unnamed(file: str, rows: Sequence[Sequence[str]], kind: Kind) -> Matched:
    """Return what the columns of a table without headings are: a query, a document, and a number.

    ReadError, with the question, for any other table.
    """
    width = len(rows[0])
    numeric = [all(j < len(row) and is_number(row[j]) for row in rows) for j in range(width)]
    again = len({row[0] for row in rows}) < len(rows)
    names: dict[int, str] = {}
    if kind == "queries" and width == 2 and not (again and numeric[1]):
        names = {0: "query_id", 1: "weight" if numeric[1] else "text"}
    elif kind == "queries" and width == 1 and not (again or numeric[0]):
        names = {0: "query_id"}
    elif kind == "votes" and width == 2 and are_votes(row[1] for row in rows if len(row) > 1):
        names = {0: "query_id", 1: "vote"}
    elif kind in ("judgments", "run") and width == 3 and numeric[2] and (_may_name(rows, 1) or not numeric[1]):
        names = {0: "query_id", 1: "doc_id", 2: "relevance" if kind == "judgments" else UNNAMED}
    if not names:
        missing = next(own for own in ("doc_id", "vote", "query_id") if own in KINDS[kind].required or own == "vote")
        columns = "1 column does" if width == 1 else f"{width} columns do"
        what = f"there is no header line, and {columns} not make {KINDS[kind].words}"
        lists = Lists.of_words(row[0] for row in rows)
        ranked = any(count_up(lists, floats(rows, j)) for j in range(1, width) if numeric[j])
        # Ranks make lists and nothing else.
        choice = None if ranked and kind != "run" else _choice(missing, [f"column {j + 1}" for j in range(width)])
        do = f"Put the names of the columns above them: {KINDS[kind].header}."
        raise refuse("missing_column", file, what, do, choice)
    read = ", ".join(MEANING[name].words for name in names.values() if name in MEANING)
    note = warning("no_header", f"There is no header line; the columns were read as {read}.")
    return Matched(names, {}, () if kind == "run" else (note,))


def _may_name(rows: Sequence[Sequence[str]], column: int) -> bool:
    """Return whether the cells of a column may be documents: none twice in a query, and no numbers with decimals."""
    pairs = {(row[0], row[column]) for row in rows}
    return len(pairs) == len(rows) and not any(is_number(row[column]) and not row[column].isdecimal() for row in rows)
