"""What people call the columns of a table, and how the headings of a source are matched to their meanings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from rankdash.notes import Note, advise, detail, warning
from rankdash.reading.grid import NUMBERS, not_read
from rankdash.reading.problems import Choice, Problem, ReadError, listed, refuse
from rankdash.reading.values import are_votes, is_number
from rankdash.strings import did_you_mean, nearest, normalized, whole_text

Kind = Literal["run", "judgments", "models", "queries", "votes", "items"]


@dataclass(frozen=True)
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


_SESSION = "session_id 会话id 會話id セッションid"
_QUERY_ID = (
    "qid topic topic_id topicno qno query_no query_number query_key user user_id uid user_idx visitor_id reviewer_id "
    "customer_id search_id request_id question_id 查询id 查询编号 查询序号 查詢id 查詢編號 问题id 问题编号 問題id "
    "問題番号 搜索id 请求id 用户id クエリid クエリー番号 クエリ番号 検索id 質問id 質問番号 ユーザーid"
)
_TEXT = (
    "query q search_query query_string search_term search_text keyword keywords question top_queries 查询 查询词 "
    "查询语句 查询文本 搜索词 搜索语句 检索词 问题 问句 关键词 关键字 查詢 查詢詞 搜尋詞 檢索詞 關鍵字 關鍵詞 クエリ "
    "クエリー 検索クエリ 検索語 検索ワード 検索キーワード キーワード 質問 質問文"
)
_MORE_TEXT = "query_text text query_content 文本 内容 テキスト"
_DOCUMENT = (
    "docno docid did corpus_id document_id item_id iid item_idx pid sku asin isbn product_id passage_id result_id "
    "article_id movie_id track_id song_id artist_id book_id news_id business_id video_id listing_id candidate_id "
    "doc_key object_id 文档id 文档编号 文件id 文件编号 文件編號 文檔id 文檔編號 商品id 商品编号 商品編號 物品id 文章id "
    "段落id 结果id 結果id 候选id 文書id 文書番号 ドキュメントid 商品番号 記事id アイテムid"
)
_THINGS = (
    "doc document item passage result 文档 文檔 文件 商品 物品 文章 结果 文書 ドキュメント アイテム 記事 | "
    "url uri link 链接 網址 网址 リンク | id"
)
_TITLE = (
    "product_title doc_title document_title item_title product_name item_name name 标题 標題 商品标题 商品名称 "
    "商品名稱 名称 文档标题 タイトル 商品名 題名 表題 名称"
)

#: In the order in which they choose: "query" is the id where no other column is, else the text.
MEANINGS = (
    Meaning("query_id", "the query id", f"{_QUERY_ID} {_SESSION} | {_TEXT} | {_MORE_TEXT}", "qid, query, topic"),
    # (in TREC's words DOCNO is the id that judgments use, and docid a number within one index)
    Meaning("doc_id", "the document id", f"{_DOCUMENT} | {_THINGS}", "docno, item, url", first="docno"),
    Meaning(
        "rank",
        "the rank",
        "position pos ranking rank_position place 排名 位置 名次 位次 排序 排序位置 顺序 順位 ランク ランキング 表示順",
        "position, pos",
    ),
    Meaning(
        "score",
        "the score",
        "sim similarity model_score predicted_score prediction pred rsv 得分 分数 分數 模型得分 模型分 相似度 预测分 "
        "预测得分 スコア 得点 点数 類似度 | est",
        "similarity",
    ),
    Meaning(
        "relevance",
        "the relevance",
        "label rel grade gain relevant is_relevant judgment judgement relevance_grade relevance_label "
        "graded_relevance esci_label relevance_score rel_grade 标注等级 标注档位 标注分 标注得分 人工标注 人工评分 "
        "相关性评分 相关性得分 相关档位 评级 档位 相关性 相关度 相关程度 相关性等级 相关等级 相关性标注 标注 标注结果 "
        "标签 等级 相關性 相關度 相關程度 標註 標籤 等級 関連度 関連性 適合度 適合性 関連度評価 ラベル グレード | "
        "rating ratings r_ui 评分 評分 打分 评价 評価 評点",
        "label, grade, rating",
    ),
    Meaning(
        "model",
        "the model",
        "system run variant ranker run_id model_name system_id model_id snapshot_name 模型 模型名 模型名称 系统 系統 "
        "算法 モデル モデル名 システム 手法 | algorithm algorithm_name algo recommender recommender_name "
        "search_config search_configuration",
        "system, run, variant",
    ),
    Meaning("title", "the title", _TITLE, shown=True),
    Meaning("query_text", "the text of the query", f"{_TEXT} text query_content 文本 テキスト", shown=True),
)

QUERY_MEANINGS = (
    # (of a query beside its own id, a session is the group that it belongs to)
    Meaning("query_id", "the query id", f"{_QUERY_ID} | id | {_SESSION} | {_TEXT} | {_MORE_TEXT}", "qid, topic, id"),
    Meaning("text", "the text of the query", f"{_TEXT} {_MORE_TEXT} title 标题 標題 タイトル", shown=True),
    Meaning(
        "weight",
        "the weight of the query",
        "traffic_share share query_weight 权重 權重 流量 流量占比 流量份额 重み ウェイト トラフィック | frequency "
        "freq count counts impressions searches volume search_volume sessions pv uv query_count 频率 频次 频数 "
        "搜索次数 搜索量 次数 頻率 頻次 搜尋次數 頻度 検索回数 検索数 回数",
        "traffic_share, frequency, count",
    ),
    Meaning("time", "when the query was asked", "query_time asked_at searched_at query_date timestamp", shown=True),
    Meaning(
        "cluster",
        "the group that a query belongs to",
        "cluster_id query_cluster 簇 聚类 聚類 クラスタ クラスター | group group_id query_group 分组 分組 群組 "
        f"グループ | session query_session {_SESSION} 会话 會話 セッション | template template_id query_template 模板 "
        "範本 テンプレート",
        "group, session, template",
        shown=True,
    ),
)

VOTE_MEANINGS = (
    Meaning("query_id", "the query id", f"{_QUERY_ID} {_SESSION} | id | {_TEXT} | {_MORE_TEXT}", "qid, id, query"),
    Meaning(
        "vote",
        "the vote",
        "verdict gsb preference preferred winner votes 投票 判定 偏好 胜者 勝者 投票结果 判定結果 優劣 优劣 | "
        "judgment judgement choice decision label rating grade result outcome score annotation 评价 評価 结果 結果 "
        "标注 標註 选择 選択 判断",
        "verdict, preference, winner",
    ),
    Meaning(
        "rater",
        "the rater",
        "annotator assessor judge labeler labeller rater_id annotator_id assessor_id judge_id worker worker_id "
        "evaluator reviewer 标注员 标注者 标注人 评估员 评估者 评委 評審 標註者 標註員 評価者 アノテーター 判定者 | "
        "user user_id",
        "annotator, judge",
        shown=True,
    ),
    Meaning(
        "left",
        "the model on the left",
        "left_model model_left left_system left_side shown_left 左 左侧 左侧模型 左边 左側 左モデル 左側モデル",
        shown=True,
    ),
    Meaning(
        "right",
        "the model on the right",
        "right_model model_right right_system right_side shown_right 右 右侧 右侧模型 右边 右側 右モデル 右側モデル",
        shown=True,
    ),
    Meaning("model_a", "model A", "system_a model1 model_1 system1 system_1 baseline 模型a モデルa", shown=True),
    Meaning("model_b", "model B", "system_b model2 model_2 system2 system_2 candidate 模型b モデルb", shown=True),
    Meaning("doc_id", "the document id", _DOCUMENT, shown=True),
    Meaning(
        "reason",
        "the reason",
        "comment comments note notes remark remarks explanation why 理由 原因 备注 備註 说明 コメント メモ",
        shown=True,
    ),
)

ITEM_MEANINGS = (
    Meaning("doc_id", "the document id", f"{_DOCUMENT} | {_THINGS}", "docno, item, sku", first="docno"),
    Meaning("category", "the category", "categories genre genres 类别 类目 分类 類別 分類 カテゴリ ジャンル"),
    Meaning(
        "date",
        "the date of the document",
        "published published_at publish_date publication_date pub_date release_date released doc_date "
        "发布日期 发布时间 公開日 発売日 | created created_at creation_date timestamp unix_time unix_time_ms epoch "
        "epoch_ms datetime time 日期 时间 時間 日付 日時 | updated updated_at modified",
        "published_at, created_at",
    ),
    Meaning("vector", "the vector", "embedding embeddings vec 向量 ベクトル", shown=True),
    Meaning("users", "how many users had it", "n_users user_count users_count num_users 用户数 ユーザー数", shown=True),
)


@dataclass(frozen=True)
class TableKind:
    """A kind of table: what a sentence calls it, its meanings, those it must have, and whether others are kept.

    ``header`` is what a header line might be.
    """

    words: str
    meanings: tuple[Meaning, ...]
    required: tuple[str, ...]
    extras: bool
    header: str


#: Typed lists share no documents, and each has grades of its own: A, B, or nothing for both.
_ONLY_FOR = Meaning("only_for", "the list that a grade is for", "", shown=True)
_ITERATION = Meaning(
    "iteration",
    "the iteration",
    "iter round judging_round judgment_round 轮次 ラウンド",
    shown=True,
)
_SUBTOPIC = Meaning(
    "subtopic",
    "the subtopic",
    "subtopic_id intent intent_id aspect aspect_id facet facet_id 子主题 子主題 意图 サブトピック",
    shown=True,
)
#: What a grade is called beside users and items, whose interactions say what was relevant.
_INTERACTIONS = "overall stars | weight | event event_type interaction interaction_type behavior behavior_type"
_QRELS = (
    *(meaning for meaning in MEANINGS if meaning.name in ("query_id", "doc_id")),
    *(
        replace(meaning, synonyms=f"{meaning.synonyms} | {_INTERACTIONS}")
        for meaning in MEANINGS
        if meaning.name == "relevance"
    ),
    *(_ITERATION, _SUBTOPIC, _ONLY_FOR),
)

KINDS: dict[Kind, TableKind] = {
    "run": TableKind("a run", MEANINGS, ("query_id", "doc_id"), True, "query_id, doc_id, and rank or score"),
    "judgments": TableKind(
        "judgments", _QRELS, ("query_id", "doc_id", "relevance"), False, "query_id, doc_id, relevance"
    ),
    "models": TableKind(
        "a combined file", MEANINGS, ("query_id", "doc_id", "model"), True, "query_id, model, rank, doc_id, relevance"
    ),
    "queries": TableKind("queries", QUERY_MEANINGS, ("query_id",), True, "query_id, text, weight"),
    "votes": TableKind("votes", VOTE_MEANINGS, ("query_id",), True, "query_id, vote, rater"),
    "items": TableKind("items", ITEM_MEANINGS, ("doc_id",), True, "doc_id, category, date"),
}
MEANING = {meaning.name: meaning for kind in reversed(KINDS.values()) for meaning in kind.meanings}

#: Columns with the votes of one rater each.
RATER = re.compile(
    r"(rater|annotator|judge|assessor|labell?er|worker|evaluator|reviewer|user|vote|verdict|"
    r"评估员|评估者|标注员|标注者|评委|評審|標註員|標註者|評価者|判定者|アノテーター)([0-9]+|[a-z])(vote|verdict)?"
)
#: Who takes something without a grade, and columns that say when.
USERS = frozenset(
    ("user userid uid useridx visitorid reviewerid customerid sessionid 用户id 用户 用戶id ユーザーid ユーザー").split()
)
TIMES = frozenset(
    (
        "timestamp timestamps timestampms time datetime date day ts unixtime unixtimestamp epoch eventtime eventdate "
        "created createdat updatedat 时间 时间戳 日期 時間 日付 日時"
    ).split()
)


# --- names that say the same -----------------------------------------------------------------------------------------

_WORD = re.compile(r"[^\W_a-z]*[^\W_A-Z]+|[^\W_a-z]+")
_BRACKETS = re.compile(r"[(\[（【][^()\[\]（）【】]*[)\]）】]\Z")
#: "id" and "no" at the end of a heading say nothing: row_id, session_id.
_SHORTEST = 2
_LONGEST = 1000


@lru_cache(4096)
def key(heading: str) -> str:
    """Return a heading without what people vary: case, width, blanks, signs between words, and what cannot be seen."""
    if not isinstance(heading, str):
        return ""  # a key of a dict
    heading = heading[:_LONGEST]
    plain = heading if heading.isascii() else normalized("NFKC", heading)
    return re.sub(r"[\W_]+", "", plain).casefold()


def _tiers(meaning: Meaning) -> tuple[frozenset[str], ...]:
    return (
        frozenset([key(meaning.name)]),
        *(frozenset(map(key, tier.split())) for tier in meaning.synonyms.split("|")),
    )


#: The keys of each meaning of each kind, tier by tier, the canonical name first.
TIERS = {kind: {meaning.name: _tiers(meaning) for meaning in table.meanings} for kind, table in KINDS.items()}
_KNOWN = {
    kind: frozenset().union(*(tier for tiers in named.values() for tier in tiers)) for kind, named in TIERS.items()
}
_KNOWN["judgments"] = _KNOWN["run"]


def is_known(heading: str, kind: Kind) -> bool:
    """Return whether a heading is the name, or a usual name, of a column with a meaning."""
    return key(heading) in _KNOWN[kind]


def means(names: Iterable[str], kind: Kind, *meanings: str) -> bool:
    """Return whether one of the names is a heading for one of the meanings."""
    tiers = [tier for meaning in meanings for tier in TIERS[kind].get(meaning, ())]
    return any(key(name) in tier for name in names for tier in tiers)


def names_queries(headings: Iterable[str]) -> bool:
    """Return whether a heading is a usual name of the id of a query, and not of its text or of a document."""
    return not frozenset(map(key, headings)).isdisjoint(frozenset().union(*TIERS["run"]["query_id"][:2]))


def _last_words(heading: str) -> list[str]:
    """Return the keys of what a heading ends with, remarks in brackets left out: "BM25 score (0-1)" gives "score"."""
    bare = _BRACKETS.sub(" ", heading[-_LONGEST:].rstrip())
    words = _WORD.findall(normalized("NFKC", bare))
    first = int(bare == heading[-_LONGEST:])
    ends = [key("".join(words[i:])) for i in range(max(first, len(words) - 20), len(words))]
    return [end for end in ends if len(end) > _SHORTEST]


# --- matching --------------------------------------------------------------------------------------------------------

#: How many tiers of names the last words of a heading may be: not "url" (image_url), "text", "rating" or a "model".
_LAST_WORDS = {"query_id": 3, "doc_id": 3, "rank": 2, "score": 2, "relevance": 2}
#: The headings of qrels that call the grade a score: of BEIR, and of ranx as Parquet.
GRADES_AS_SCORES = (frozenset(("queryid", "corpusid", "score")), frozenset(("qid", "docid", "score")))
_OTHERS: Mapping[Kind, str] = {
    "run": "Columns that are only shown",
    "models": "Columns that are only shown",
    "judgments": "Columns that were not read",
    "queries": "Columns used as segments",
    "items": "Columns that are only shown",
}


@dataclass(frozen=True)
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
    names, notes, problems = _wished(file, headings, kind, wishes or {})
    none = {name for name, heading in (wishes or {}).items() if not heading}
    if kind == "judgments" and not wishes and frozenset(map(key, headings)) in GRADES_AS_SCORES:
        names[next(i for i, heading in enumerate(headings) if key(heading) == "score")] = "relevance"
    for meaning in KINDS[kind].meanings:
        if meaning.name in names.values() or meaning.name in none:
            continue
        claims = _claims(kind, meaning.name, headings, names) or _by_last_words(kind, meaning.name, headings, names)
        if len(claims) > 1 and not meaning.shown:
            problems.append(_rivals(file, meaning, [headings[i] for i in claims]))
        if claims:
            names[claims[0]] = meaning.name
    read = {name: i for i, name in names.items()}
    missing = [name for name in KINDS[kind].required if name not in read]
    if missing == ["relevance"] and ("relevance" in none or golden or _names_pairs_alone(headings, names)):
        missing = []
    problems += missing_columns(file, missing, headings, kind)
    if problems:
        raise ReadError(problems)
    notes += [
        detail("column_read", f"Column {listed([headings[i]])} was read as {MEANING[name].words}.")
        for name, i in read.items()
        if headings[i] != name and not (wishes or {}).get(name)
    ]
    notes += _passed_over(headings, kind, names)
    called = {name: headings[i] for i, name in names.items()}
    others = [heading or f"column {i + 1}" for i, heading in enumerate(headings) if i not in names]
    notes += not_read(_OTHERS[kind], others, "further_columns") if kind in _OTHERS else ()
    if KINDS[kind].extras:
        names |= _extras(headings, names, none)
    return Matched(names, called, tuple(notes))


def _wished(
    file: str, headings: Sequence[str], kind: Kind, wishes: Mapping[str, str]
) -> tuple[dict[int, str], list[Note], list[Problem]]:
    """Return the columns that were named by hand."""
    names: dict[int, str] = {}
    notes: list[Note] = []
    problems: list[Problem] = []
    for name, heading in wishes.items():
        if name not in TIERS[kind]:
            continue
        if not heading:
            notes.append(detail("no_column", f"No column was read as {MEANING[name].words}, as asked."))
            continue
        places = [i for i, own in enumerate(headings) if own == heading and i not in names]
        places = places or [i for i, own in enumerate(headings) if key(own) == key(heading) and i not in names]
        if not places:
            what = f"there is no column {listed([heading])} to read as {MEANING[name].words}"
            allowed = f"Found: {listed(headings)}.{did_you_mean(nearest(heading, headings))}"
            problems.append(Problem("bad_option", file, what, allowed=allowed, choice=_choice(name, headings)))
            continue
        names[places[0]] = name
        text = f"Column {listed([headings[places[0]]])} was read as {MEANING[name].words}, as asked."
        notes.append(detail("column_asked", text))
    return names, notes, problems


def _claims(kind: Kind, name: str, headings: Sequence[str], taken: Mapping[int, str]) -> list[int]:
    """Return the columns that the first tier of names with any gives a meaning."""
    free = [i for i in range(len(headings)) if i not in taken]
    exact = [i for i in free if headings[i] == name]
    if exact:
        return exact
    for place, tier in enumerate(TIERS[kind].get(name, ())):
        claims = [i for i in free if key(headings[i]) in tier]
        if claims:
            before = {MEANING[name].first} - {""} if place == 0 else set()
            return [i for i in free if key(headings[i]) in before] or claims
    return []


def _by_last_words(kind: Kind, name: str, headings: Sequence[str], taken: Mapping[int, str]) -> list[int]:
    """Return the columns whose last words alone show a meaning that is needed ("bm25_score")."""
    orders = ("rank", "score") if kind in ("run", "models") else ()
    ordered = not {"rank", "score"}.isdisjoint(taken.values()) or any(
        _claims(kind, own, headings, taken) for own in orders
    )
    if name not in KINDS[kind].required and (name not in orders or ordered):
        return []
    keys = frozenset().union(*TIERS[kind][name][: _LAST_WORDS.get(name, 0)])
    return [
        i
        for i, own in enumerate(headings)
        if i not in taken and not is_known(own, kind) and not keys.isdisjoint(_last_words(own))
    ]


def _names_pairs_alone(headings: Sequence[str], names: Mapping[int, str]) -> bool:
    """Return whether there are a user, an item and nothing but times beside them: every row is a relevant pair."""
    others = [key(heading) for i, heading in enumerate(headings) if names.get(i) not in ("query_id", "doc_id")]
    users = [key(heading) for i, heading in enumerate(headings) if names.get(i) == "query_id"]
    return TIMES.issuperset(others) and USERS.issuperset(users)


def _passed_over(headings: Sequence[str], kind: Kind, names: Mapping[int, str]) -> Iterable[Note]:
    """Yield warnings on columns that could be an id or a number that another column is."""
    for name in ("doc_id", *NUMBERS):
        own = next((headings[i] for i, meaning in names.items() if meaning == name), None)
        keys = frozenset().union(*TIERS[kind].get(name, ())[: 2 if name == "doc_id" else None])
        others = [heading for i, heading in enumerate(headings) if i not in names and key(heading) in keys]
        if own is not None and others:
            facts = {"own": listed([own]), "words": MEANING[name].words, "others": listed(others)}
            yield warning("column_passed_over", advise("column_passed_over", key=name, **facts))


def _choice(name: str, headings: Sequence[str]) -> Choice:
    return Choice("columns", tuple(headings), name)


def _rivals(file: str, meaning: Meaning, headings: Sequence[str]) -> Problem:
    what = f"{len(headings)} columns could be {meaning.words}: {listed(headings)}"
    allowed = advise("choose_one_column", key=meaning.name)
    return Problem("unclear", file, what, allowed=allowed, choice=_choice(meaning.name, headings))


def missing_columns(file: str, names: Sequence[str], headings: Sequence[str], kind: Kind) -> list[Problem]:
    """Return the problems of a table without columns that it needs. What holds for all of them is said once."""
    is_run = kind == "judgments" and any(_claims("run", other, headings, {}) for other in ("rank", "score"))
    wrong: list[Problem] = []
    for name in names:
        meaning, found = MEANING[name], "" if wrong else f"Found: {listed(headings)}. "
        more = " If it is a run, give it as a run." if is_run and name == names[-1] else ""
        by_user = name == "relevance" and kind == "judgments" and not USERS.isdisjoint(map(key, headings))
        code = "grades_or_none" if by_user else "choose_column"
        allowed = advise(code, key=name, found=found, examples=meaning.examples or meaning.name, more=more)
        what = f"there is no column for {meaning.words}"
        wrong.append(Problem("missing_column", file, what, allowed=allowed, choice=_choice(name, headings)))
    return wrong


def check_meanings(columns: Mapping[str, str]) -> None:
    """Raise ReadError for a key of ``columns`` that is not the meaning of any column."""
    for name in columns:
        if name not in MEANING:
            meant = did_you_mean(nearest(str(name), MEANING))
            what = f"{listed([str(name)])} is not a meaning of a column"
            do = f"{meant} There are {', '.join(MEANING)}.".strip()
            raise ReadError((Problem("bad_option", "columns", what, allowed=do),))


def _extras(headings: Sequence[str], taken: Mapping[int, str], none: set[str]) -> dict[int, str]:
    """Return names for the columns without a meaning: their own, unique, and never a canonical name."""
    used = {*taken.values(), *none}
    extras: dict[int, str] = {}
    for i, heading in enumerate(headings):
        if i in taken:
            continue
        own = heading or f"column {i + 1}"
        name, n = own, 1
        while name in used:
            n += 1
            name = f"{own} ({n})"
        used.add(name)
        extras[i] = name
    return extras


# --- without headings ------------------------------------------------------------------------------------------------


def match_unnamed(file: str, rows: Sequence[Sequence[str]], kind: Kind) -> tuple[Matched, tuple[str, ...]]:
    """Return what the columns of a table without headings are: a query, a document, and one number or two.

    ReadError, with the question, for any other table.
    """
    width = len(rows[0])
    even = all(len(row) == width for row in rows)
    numeric = [all(j < len(row) and is_number(row[j]) for row in rows) for j in range(width)]
    again = len({row[0] for row in rows}) < len(rows)
    names: dict[int, str] = {}
    if kind == "queries" and width > 1 and not (again and any(numeric[1:])):
        names = {0: "query_id", 1: "weight" if width == 2 and numeric[1] else "text"}
        names |= {j: f"column {j + 1}" for j in range(2, width)}
    elif kind == "votes" and width == 2 and are_votes(row[1] for row in rows if len(row) > 1):
        names = {0: "query_id", 1: "vote"}
    elif kind == "judgments" and width == 3 and numeric[2] and not (numeric[1] and not _may_name(rows, 1)):
        names = {0: "query_id", 1: "doc_id", 2: "relevance"}
    elif kind == "run" and even and width == 2 and again and not any(" " in row[1].strip() for row in rows):
        names = {0: "query_id", 1: "doc_id"}
    elif kind == "run" and even and width in (3, 4) and all(numeric[2:]) and (_may_name(rows, 1) or not numeric[1]):
        names = {0: "query_id", 1: "doc_id"} | {j: f"column {j + 1}" for j in range(2, width)}
    if not names:
        headings = [f"column {j + 1}" for j in range(width)]
        missing = next(own for own in ("doc_id", "vote", "query_id") if own in KINDS[kind].required or own == "vote")
        columns = "1 column does" if width == 1 else f"{width} columns do"
        what = f"there is no header line, and {columns} not make {KINDS[kind].words}"
        choice = Choice("columns", tuple(headings), missing)
        do = f"Put the names of the columns above them: {KINDS[kind].header}."
        raise refuse("missing_column", file, what, do, choice)
    undecided = tuple(name for name in names.values() if name.startswith("column ")) if kind == "run" else ()
    read = ", ".join(MEANING[name].words for name in names.values() if name in MEANING)
    note = warning("no_header", f"There is no header line; the columns were read as {read}.")
    notes = () if undecided else (note,)
    others = [f"column {j + 1}" for j in range(width) if j not in names]
    return Matched(names, {}, (*notes, *not_read("Columns that were not read", others))), undecided


def _may_name(rows: Sequence[Sequence[str]], column: int) -> bool:
    """Return whether the cells of a column may be documents: none twice in a query, and no numbers with decimals."""
    pairs = {(row[0], row[column]) for row in rows}
    return len(pairs) == len(rows) and not any(is_number(row[column]) and not row[column].isdecimal() for row in rows)
