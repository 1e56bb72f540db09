"""What people call the columns of a table and the members of a JSON text, and the kinds of tables with such columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["run", "judgments", "models", "queries", "votes"]


@dataclass(frozen=True)
class Meaning:
    """A column with a meaning: its canonical name, how it is called in a sentence, and other usual names.

    ``synonyms`` is a list of tiers: a name of a later tier is considered only where no earlier one is present. Of
    two columns with names in the same tier none is chosen, unless the column is only ``shown``. ``examples`` are
    the synonyms that messages mention; ``first`` a synonym that wins over other spellings of the name.
    """

    name: str
    words: str
    synonyms: tuple[str, ...]
    examples: str = ""
    shown: bool = False
    first: str = ""


_SESSION = "session_id 会话id 會話id セッションid"
_QUERY_ID = (
    "qid topic topic_id topicno qno query_no query_number query_key user user_id uid search_id "
    "request_id question_id 查询id 查询编号 查询序号 查詢id 查詢編號 问题id 问题编号 問題id 問題番号 搜索id "
    "请求id 用户id クエリid クエリー番号 クエリ番号 検索id 質問id 質問番号 ユーザーid"
)
_TEXT = (
    "query q search_query query_string search_term search_text keyword keywords question top_queries 查询 查询词 "
    "查询语句 查询文本 搜索词 搜索语句 检索词 问题 问句 关键词 关键字 查詢 查詢詞 搜尋詞 檢索詞 關鍵字 關鍵詞 クエリ "
    "クエリー 検索クエリ 検索語 検索ワード 検索キーワード キーワード 質問 質問文"
)
_MORE_TEXT = "query_text text query_content 文本 内容 テキスト"
_DOCUMENT = (
    "docno docid did corpus_id document_id item_id pid sku asin product_id passage_id result_id article_id movie_id "
    "video_id listing_id candidate_id doc_key object_id 文档id 文档编号 文件id 文件编号 文件編號 文檔id 文檔編號 "
    "商品id 商品编号 商品編號 物品id 文章id 段落id 结果id 結果id 候选id "
    "文書id 文書番号 ドキュメントid 商品番号 記事id アイテムid"
)
_THINGS = (
    "doc document item passage result 文档 文檔 文件 商品 物品 文章 结果 文書 ドキュメント アイテム 記事",
    "url uri link 链接 網址 网址 リンク",
    "id",
)
_TITLE = (
    "product_title doc_title document_title item_title product_name item_name name 标题 標題 商品标题 商品名称 "
    "商品名稱 名称 文档标题 タイトル 商品名 題名 表題 名称"
)

#: In the order in which they choose: "query" is the id where no other column is, else the text.
MEANINGS = (
    Meaning("query_id", "the query id", (f"{_QUERY_ID} {_SESSION}", _TEXT, _MORE_TEXT), "qid, query, topic"),
    # (in TREC's words DOCNO is the id that judgments use, and docid a number within one index)
    Meaning("doc_id", "the document id", (_DOCUMENT, *_THINGS), "docno, item, url", first="docno"),
    Meaning(
        "rank",
        "the rank",
        (
            (
                "position pos ranking rank_position place 排名 位置 名次 位次 排序 排序位置 顺序 順位 ランク "
                "ランキング 表示順"
            ),
        ),
        "position, pos",
    ),
    Meaning(
        "score",
        "the score",
        (
            (
                "sim similarity model_score predicted_score prediction pred rsv 得分 分数 分數 模型得分 模型分 "
                "相似度 预测分 预测得分 スコア 得点 点数 類似度"
            ),
        ),
        "similarity",
    ),
    Meaning(
        "relevance",
        "the relevance",
        (
            (
                "label rel grade gain relevant is_relevant judgment judgement "
                "relevance_grade relevance_label graded_relevance esci_label "
                "relevance_score rel_grade 标注等级 标注档位 标注分 标注得分 人工标注 人工评分 "
                "相关性评分 相关性得分 相关档位 评级 档位 相关性 相关度 相关程度 相关性等级 "
                "相关等级 相关性标注 标注 标注结果 标签 "
                "等级 相關性 相關度 相關程度 標註 標籤 等級 関連度 関連性 適合度 適合性 関連度評価 ラベル グレード"
            ),
            "rating ratings 评分 評分 打分 评价 評価 評点",
        ),
        "label, grade, rating",
    ),
    Meaning(
        "model",
        "the model",
        (
            (
                "system run variant ranker run_id model_name system_id model_id snapshot_name 模型 模型名 模型名称 "
                "系统 系統 算法 モデル モデル名 システム 手法"
            ),
            "algorithm algorithm_name algo recommender recommender_name search_config search_configuration",
        ),
        "system, run, variant",
    ),
    Meaning("title", "the title", (_TITLE,), shown=True),
    Meaning("query_text", "the text of the query", (f"{_TEXT} text query_content 文本 テキスト",), shown=True),
)

QUERY_MEANINGS = (
    # (of a query beside its own id, a session is the group that it belongs to)
    Meaning("query_id", "the query id", (_QUERY_ID, "id", _SESSION, _TEXT, _MORE_TEXT), "qid, topic, id"),
    Meaning("text", "the text of the query", (f"{_TEXT} {_MORE_TEXT} title 标题 標題 タイトル",), shown=True),
    Meaning(
        "weight",
        "the weight of the query",
        (
            "traffic_share share query_weight 权重 權重 流量 流量占比 流量份额 重み ウェイト トラフィック",
            (
                "frequency freq count counts impressions searches volume search_volume sessions pv uv query_count "
                "频率 频次 频数 搜索次数 搜索量 次数 頻率 頻次 搜尋次數 頻度 検索回数 検索数 回数"
            ),
        ),
        "traffic_share, frequency, count",
    ),
    Meaning(
        "cluster",
        "the group that a query belongs to",
        (
            "cluster_id query_cluster 簇 聚类 聚類 クラスタ クラスター",
            "group group_id query_group 分组 分組 群組 グループ",
            f"session query_session {_SESSION} 会话 會話 セッション",
            "template template_id query_template 模板 範本 テンプレート",
        ),
        "group, session, template",
        shown=True,
    ),
)

VOTE_MEANINGS = (
    Meaning("query_id", "the query id", (f"{_QUERY_ID} {_SESSION}", "id", _TEXT, _MORE_TEXT), "qid, id, query"),
    Meaning(
        "vote",
        "the vote",
        (
            "verdict gsb preference preferred winner votes 投票 判定 偏好 胜者 勝者 投票结果 判定結果 優劣 优劣",
            (
                "judgment judgement choice decision label rating grade result outcome score annotation 评价 評価 "
                "结果 結果 标注 標註 选择 選択 判断"
            ),
        ),
        "verdict, preference, winner",
    ),
    Meaning(
        "rater",
        "the rater",
        (
            (
                "annotator assessor judge labeler labeller rater_id annotator_id assessor_id judge_id worker "
                "worker_id evaluator reviewer 标注员 标注者 标注人 评估员 评估者 评委 評審 標註者 標註員 評価者 "
                "アノテーター 判定者"
            ),
            "user user_id",
        ),
        "annotator, judge",
        shown=True,
    ),
    Meaning(
        "left",
        "the model on the left",
        ("left_model model_left left_system left_side shown_left 左 左侧 左侧模型 左边 左側 左モデル 左側モデル",),
        shown=True,
    ),
    Meaning(
        "right",
        "the model on the right",
        (
            (
                "right_model model_right right_system right_side shown_right 右 右侧 右侧模型 右边 右側 右モデル "
                "右側モデル"
            ),
        ),
        shown=True,
    ),
    Meaning("model_a", "model A", ("system_a model1 model_1 system1 system_1 baseline 模型a モデルa",), shown=True),
    Meaning("model_b", "model B", ("system_b model2 model_2 system2 system_2 candidate 模型b モデルb",), shown=True),
    Meaning("doc_id", "the document id", (_DOCUMENT,), shown=True),
    Meaning(
        "reason",
        "the reason",
        ("comment comments note notes remark remarks explanation why 理由 原因 备注 備註 说明 コメント メモ",),
        shown=True,
    ),
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
_ONLY_FOR = Meaning("only_for", "the list that a grade is for", (), shown=True)
_ITERATION = Meaning(
    "iteration",
    "the iteration",
    ("iter round judging_round judgment_round subtopic subtopic_id intent intent_id aspect 轮次 子主题 ラウンド",),
    shown=True,
)
_QRELS = (
    *(meaning for meaning in MEANINGS if meaning.name in ("query_id", "doc_id", "relevance")),
    *(_ITERATION, _ONLY_FOR),
)

KINDS: dict[Kind, TableKind] = {
    "run": TableKind("a run", MEANINGS, ("query_id", "doc_id"), True, "query_id, doc_id, and rank or score"),
    "judgments": TableKind(
        "judgments", _QRELS, ("query_id", "doc_id", "relevance"), False, "query_id, doc_id, relevance"
    ),
    "models": TableKind(
        "a combined file",
        MEANINGS,
        ("query_id", "doc_id", "model"),
        True,
        "query_id, model, rank, doc_id, relevance",
    ),
    "queries": TableKind("queries", QUERY_MEANINGS, ("query_id",), True, "query_id, text, weight"),
    "votes": TableKind("votes", VOTE_MEANINGS, ("query_id",), True, "query_id, vote, rater"),
}
MEANING = {meaning.name: meaning for meaning in (*VOTE_MEANINGS, *QUERY_MEANINGS, *MEANINGS, *_QRELS)}

#: What lists of documents are called, and lists of numbers beside them.
LISTS = frozenset(
    "docs docids documents documentids results items itemids rankedlist ranking rankings list lists topdocs topresults "
    "ranked retrieved retrieveddocs predictions recommendations hits candidates passages ratings "
    "结果列表 文档列表 商品列表 排序结果 検索結果 結果一覧 文書リスト ランキング".split()
)
NUMBER_LISTS = {"scores": "score", "relevances": "relevance", "labels": "relevance", "grades": "relevance"}
#: Columns for one rank each: the first word, and what follows the number.
RANKED = (
    r"(rank|pos|position|top|doc|docid|docno|document|result|item|url|hit|asin|sku|排名|位置|第|順位|文档|商品|結果|结果)?"
    r"(\d{1,4})(st|nd|rd|th|位|名|docid|doc|id)?"
)
#: Names under which services put the rows, whatever they hold.
WRAPPERS = frozenset("data rows records response payload values queries runs run requests".split())
#: Names of members in which data sets have the relevant documents of each query.
RELEVANT = frozenset(("relevantdocs",))
#: Names under which search engines put numbers of documents beside their hits.
COUNTED = frozenset("aggregations aggs facets facetdistribution facetstats facetcounts facetresults".split())
#: Names of grades: of lists in which the place of a document says nothing.
GRADES = frozenset("ratings rating qrels judgments judgements judgmentratings grades".split())
QUERIES, VOTES = frozenset(("queries", "topics")), frozenset(("votes",))
#: Columns with the votes of one rater each, and what is short for a rater.
RATER = (
    r"(rater|annotator|judge|assessor|labell?er|worker|evaluator|reviewer|user|vote|verdict|"
    r"评估员|评估者|标注员|标注者|评委|評審|標註員|標註者|評価者|判定者|アノテーター)([0-9]+|[a-z])(vote|verdict)?"
)
SHORT_RATER = r"(r|a|e|j|v|p|ann|annot|eval|expert|person|participant|subject)[0-9]+"
#: Columns with numbers of votes, by what they count.
COUNTS = {
    "good": "good g better wins win bwins bbetter 胜 勝 好 更好 b胜 b更好 勝ち",
    "same": "same s ties tie draws draw equal 平 一样 一樣 平局 分 引き分け",
    "bad": "bad b worse losses loss lose awins abetter 负 負 差 坏 a胜 a更好 負け",
}
#: The first headings of a book of Quepid; a column for each rater follows.
BOOK = ("query", "docid")
#: Words of headings that measure or describe a document, a query or a row, and are no rater's name.
MEASURES = (
    "age amount ap atc average avg basket bid bm bm25 boost brand bucket cart categories category click clicked "
    "clicks clickthrough color colour confidence conversion conversions converted cos cosine cost count counts cpc "
    "ctr cvr date day depth discount distance dwell embedding eur event fold freq frequency gain height hits hour idf "
    "impression impressions index inventory iteration key kind language len length level like likes locale loss map "
    "margin mean measure median metric month mrr ndcg num number ord order orders page pages playcount popularity pos "
    "position prec precision price prob proba probability purchase purchased purchases qty quantity rank ranking "
    "recall revenue rnd round sale sales sample score scores season seed session sessions shard share sim similarity "
    "size skip source split stars std step stock sum tag tags target test text tf tfidf time timestamp total traffic "
    "train type uplift usd value var variant version view views visit visits volume votes weight weights width year "
    "ad ads f1 feat feature features flag has is pct percent rate ratio sponsored "
    "点击 点击率 点击量 点击数 价格 库存 销量 曝光 曝光量 转化率 权重 位置 分数 得分 日期 时间 类别 标签 数量 长度 "
    "點擊 點擊率 價格 庫存 銷量 權重 標籤 數量 長度 クリック クリック数 価格 在庫 閲覧数 重み 日付 時間 カテゴリ 数量"
)
#: By what the queries of Quepid are known, and all that it keeps of each beside its text, which tells no segment.
QUEPID_ORDER = frozenset(("arranged_at", "arranged_next"))
QUEPID_KEEPS = QUEPID_ORDER | {"options", "notes", "information_need", "modified_at", "ratings"}
#: What queries are called where they are people, who were shown or took what stands beside them.
USERS = "user user_id uid 用户id ユーザーid"
#: What the column is called that says when a user took something.
TIMES = (
    "timestamp timestamps time_stamp timestamp_ms time datetime date_time date day ts unix_time unix_timestamp unix_ts "
    "epoch event_time event_date event_timestamp event_ts interaction_time utc_time created created_at creation_time "
    "create_time updated_at occurred_at click_time click_date clicked_at purchase_time purchase_date purchased_at "
    "order_date order_time viewed_at rated_at review_date review_time "
    "时间 时间戳 日期 时刻 時間 時刻 日付 日時 タイムスタンプ"
)
#: Headings of Quepid's judgments, which include the position at which a rater saw the document.
EXPORT = ("Team Name", "Case Name", "Case ID", "Rating")
