"""What people call model A and model B in headings."""

from __future__ import annotations

from collections.abc import Mapping

_WORDS = {
    "A": (
        "a modela systema baseline control old a模型 模型a a系统 a组 基线 基线模型 线上 旧模型 对照 对照组 旧 "
        "モデルa aモデル ベースライン 旧モデル 現行"
    ),
    "B": (
        "modelb systemb b candidate b模型 模型b b系统 b组 实验 实验模型 实验组 新 新模型 候选模型 モデルb "
        "bモデル 候補 新モデル treatment new"
    ),
}
#: The side of each word, which stands without case, width and signs.
SIDES: Mapping[str, str] = {word: side for side, words in _WORDS.items() for word in words.split()}
