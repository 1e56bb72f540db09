"""Words that people grade documents with, scale by scale."""

from __future__ import annotations

#: From the best grade down to 0; alternatives between bars. The first scale that has every word is taken.
SCALES = (
    "exact|e  substitute|s  complement|c  irrelevant|i",
    "relevant|rel|r  not relevant|irrelevant|nonrelevant|non relevant|notrelevant|nr|n",
    (
        "true|t|yes|y|o|是|对|はい|○|◯|✓|✔|correct|positive|pos  false|f|no|n|否|错|いいえ|×|✗|✘|x|incorrect|wrong|"
        "negative|neg"
    ),
    "相关|相關|関連あり|関連|関連する|適合  不相关|不相關|无关|無關|关联无|関連なし|関連しない|無関係|不適合",
    (
        "relevant|fully relevant|completely relevant  partially relevant|partly relevant|partial|somewhat relevant|"
        "marginally relevant|slightly relevant|related  not relevant|irrelevant|nonrelevant|non relevant|unrelated"
    ),
    "highly relevant|very relevant|most relevant  relevant  not relevant|irrelevant|nonrelevant|non relevant",
    (
        "perfectly relevant|highly relevant|very relevant  relevant|mostly relevant  partially relevant|"
        "partly relevant|somewhat relevant|marginally relevant|slightly relevant|related  not relevant|irrelevant|"
        "nonrelevant|non relevant|unrelated"
    ),
    "perfect|p|vital|ideal  excellent|e  good|g  fair|f|ok|okay  bad|b|poor",
    "excellent  good  fair|ok|okay|acceptable  bad|poor",
    "high|h  medium|mid|m|moderate  low|l  none|no relevance",
    "相关|相關|完全相关  部分相关|部分相關|一般相关|弱相关|有点相关|略相关  不相关|不相關|无关|無關|完全不相关",
    (
        "非常相关|非常相關|高度相关|高度相關|强相关|很相关|完全相关|完全相關  相关|相關|比较相关  不相关|不相關|无关|"
        "無關|完全不相关"
    ),
    (
        "非常相关|非常相關|高度相关|高度相關|强相关|很相关|完全相关|完全相關  相关|相關|比较相关|较相关  部分相关|"
        "部分相關|一般相关|一般|弱相关|有点相关|略相关|稍微相关  不相关|不相關|无关|無關|完全不相关"
    ),
    "完美  优秀|優秀|优  良好|良  一般|中  差",
    "优|優  良  中  差",
    "高  中  低  无|無",
    "完全一致|完全匹配  替代|替代品  互补|互补品|补充  无关|不相关",
    "関連あり|関連|適合  部分的に関連|やや関連|部分適合|少し関連  関連なし|関連しない|無関係|不適合",
    (
        "非常に関連|高適合|とても関連|強く関連|非常に関連あり  関連あり|関連|適合  部分的に関連|やや関連|部分適合|"
        "少し関連  関連なし|関連しない|無関係|不適合"
    ),
    "s  a  b  c",
    "a  b  c",
    "a  b  c  d",
    "a  b  c  d  e",
    "a  b  c  d  e  f",
)
