"""Words that people vote with, and those that say how much."""

from __future__ import annotations

from collections.abc import Mapping

GOOD, SAME, BAD, BOTH_GOOD, BOTH_BAD = "good", "same", "bad", "both_good", "both_bad"
#: Votes that name a side; whose side it is, the column of sides tells.
LEFT, RIGHT = "left", "right"

HOW_MUCH = (
    r"\b(a bit|a little|a lot|much|slightly|somewhat|far|clearly|strongly|significantly|marginally|moderately|"
    r"considerably|definitely|way|very|is|are|was|the|about|model|system|assistant|response|result|results|list|side)\b"
)
HOW_MUCH_CJK = r"明显|明顯|稍微|略微|稍|略|大幅|远|遠|很|非常|やや|少し|かなり|はるかに|とても|模型|モデル"

#: After case, width, signs and words of degree are taken away.
WORDS: Mapping[str, str] = {
    word: vote
    for vote, words in {
        GOOD: (
            "good,win,wins,won,w,better,b better,b wins,b win,b won,better b,prefer b,b preferred,winner b,b good,好,"
            "更好,较好,胜,勝,赢,优,優,良い,勝ち,b好,b更好,b较好,b胜,b優,bが良い,bの勝ち,a<b,b>a,a<<b,b>>a"
        ),
        SAME: (
            "same,tie,tied,ties,tievote,tie vote,equal,draw,neutral,no difference,no preference,no change,"
            "equivalent,similar,comparable,on par,no winner,neither better,can't tell,can’t tell,cant tell,cannot tell,"
            "can not tell,unsure,not sure,undecided,don't know,don’t know,both same,无法判断,無法判断,判断できない,"
            "一样,一样好,一樣,一樣好,相同,同等,相当,打平,持平,平,平局,差不多,同じ,引き分け,引分け,引分,分,和,互角,"
            "a=b,b=a,a==b"
        ),
        BAD: (
            "bad,loss,lose,loses,lost,worse,b worse,a better,a wins,a win,a won,better a,prefer a,a preferred,"
            "winner a,b bad,a good,坏,壞,差,更差,较差,负,負,输,劣,悪い,負け,a好,a更好,a较好,a胜,a優,aが良い,aの勝ち,"
            "a>b,b<a,a>>b,b<<a"
        ),
        BOTH_GOOD: (
            "both good,bothgood,bothgood vote,tie both good,tie bothgood,good both,both fine,equally good,"
            "both equally good,都好,都很好,两者都好,両方良い,どちらも良い"
        ),
        BOTH_BAD: (
            "both bad,bothbad,bothbad vote,tie both bad,tie bothbad,bad both,neither,neither good,both poor,"
            "equally bad,both equally bad,都差,都不好,两者都差,両方悪い,どちらも悪い"
        ),
        LEFT: (
            "left,leftvote,left vote,left better,left wins,prefer left,"
            "左,左边,左侧,左好,左更好,左边好,左边更好,左胜,左が良い"
        ),
        RIGHT: (
            "right,rightvote,right vote,right better,right wins,prefer right,"
            "右,右边,右侧,右好,右更好,右边好,右边更好,右胜,右が良い"
        ),
    }.items()
    for word in words.split(",")
}
#: Letters that are ambiguous alone: the other letters that occur tell the meaning of "b" and "l".
LETTERS = {
    "gsb": {"g": GOOD, "s": SAME, "b": BAD},
    "ab": {"a": BAD, "b": GOOD, "t": SAME, "c": SAME, "s": SAME},
    "wtl": {"w": GOOD, "t": SAME, "d": SAME, "l": BAD},
    "lr": {"l": LEFT, "r": RIGHT, "t": SAME, "s": SAME},
}
TELLING = {"gsb": "g", "ab": "a", "wtl": "w", "lr": "r"}
#: Votes that are typed as a sign, or beside typed lists as a letter.
SIGNS = {"+": GOOD, "=": SAME, "-": BAD, "−": BAD, "＋": GOOD, "＝": SAME, "－": BAD}
SHORT = {"g": GOOD, "s": SAME, "b": BAD, "+": GOOD, "=": SAME, "-": BAD, "better": GOOD}
