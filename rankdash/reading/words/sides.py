"""What people call model A and model B in headings."""

from __future__ import annotations

from collections.abc import Mapping

_WORDS = {
    "A": "a modela systema a模型 模型a a系统 a组 モデルa aモデル",
    "B": "b modelb systemb b模型 模型b b系统 b组 モデルb bモデル",
}
#: The side of each word, which stands without case, width and signs.
SIDES: Mapping[str, str] = {word: side for side, words in _WORDS.items() for word in words.split()}
