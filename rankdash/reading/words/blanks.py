"""Texts that stand where nothing is."""

from __future__ import annotations

#: Texts that mean a missing number in a numeric column.
BLANKS = (
    *("", "NA", "N/A", "n/a", "na", "#N/A", "<NA>"),
    *("NaN", "nan", "NAN", "null", "NULL", "Null", "None", "none", "NONE", "nil"),
    *("-", "--", "—", "–", "?", "#N/A N/A", "unjudged", "Unjudged", "unlabeled", "unlabelled", "missing"),
    *("n.a.", "N.A.", "\\N", "(null)", "(blank)", "#NULL!", ".", "not rated", "Not rated", "not judged", "Not judged"),
    *("unrated", "Unrated", "skip", "Skip", "skipped", "Missing", "Unlabeled", "Unlabelled", "TBD", "tbd"),
    *("未标注", "未標註", "未标记", "未評価", "未判定", "无标注", "未评", "未知"),
    *("未评分", "未评估", "未評分", "待标注", "空"),
)
#: Texts that mean a missing vote, in lower case.
NO_VOTES = frozenset(
    (
        *("", "na", "n/a", "n.a.", "nan", "none", "null", "\\n", "(null)", "(blank)", "-", "--", "—", "?", ".", "skip"),
        *("skipped", "missing", "not rated", "unrated", "未标注", "未標註", "未评估", "未評価", "待标注", "無", "无"),
    )
)
