"""Text in other encodings than UTF-8: what tells them, what is guessed, and what people may say."""

from __future__ import annotations

import pytest

from rankdash.reading import ReadError, read_judgments, read_run

SIMPLIFIED = "查询,文档ID,排名,标题\n红色运动鞋,商品甲,1,轻便透气的跑步鞋\n红色运动鞋,b,2,蓝色\n"
TRADITIONAL = "查詢,文檔ID,排名,標題\n紅色運動鞋,商品甲,1,輕便透氣的跑步鞋\n紅色運動鞋,b,2,藍色\n"
JAPANESE = "検索クエリ,商品番号,順位,タイトル\n赤い靴,商品甲,1,軽くて歩きやすい運動靴\n赤い靴,b,2,青い\n"
WESTERN = "query,docno,pos,title\nMüller straße,déjà,1,café crème – 5€\nMüller straße,b,2,naïve\n"


@pytest.mark.parametrize(
    ("text", "encoding", "name"),
    [
        (SIMPLIFIED, "gb18030", "GB18030"),
        (SIMPLIFIED, "gb2312", "GB18030"),
        (TRADITIONAL, "big5", "Big5"),
        (JAPANESE, "shift_jis", "Shift_JIS"),
        (JAPANESE, "euc_jp", "EUC-JP"),
        (WESTERN, "cp1252", "Windows-1252"),
        (SIMPLIFIED, "utf-16", "UTF-16"),
        (JAPANESE, "utf-16-le", "UTF-16-LE"),
        (TRADITIONAL, "utf-16-be", "UTF-16-BE"),
        (WESTERN, "utf-32", "UTF-32"),
    ],
)
def test_other_encodings_give_the_same_table_and_are_noted(text: str, encoding: str, name: str) -> None:
    """A table in any of the usual encodings is the one in UTF-8; the encoding is a note."""
    found = read_run(text.encode(encoding))
    expected = read_run(text.encode())
    assert found.table.to_pylist() == expected.table.to_pylist()
    assert [note for note in found.source.notes if name in note]
    assert not [note for note in expected.source.notes if "read as UTF" in note]


def test_the_encoding_can_be_named() -> None:
    """encoding= decides, and is noted as asked for; GB2312 and Shift_JIS mean what tools write under these names."""
    run = read_run(SIMPLIFIED.encode("gb18030"), encoding="gb2312")
    assert run.table.column("doc_id").to_pylist() == ["商品甲", "b"]
    assert run.source.notes[0] == "The text was read as gb2312, as asked."
    assert read_run(JAPANESE.replace("青い", "①").encode("cp932"), encoding="Shift_JIS").table.num_rows == 2


@pytest.mark.parametrize("encoding", ["klingon", "zlib", "rot13", "hex"])
def test_an_unknown_encoding_is_refused_with_the_usual_ones(encoding: str) -> None:
    """A name that is no encoding of text is told, with those that are."""
    with pytest.raises(ReadError, match=f'there is no encoding "{encoding}". Use UTF-8, UTF-16, GB18030') as error:
        read_run(WESTERN.encode(), encoding=encoding)
    assert error.value.choices[0].option == "encoding"


def test_a_wrong_encoding_is_told_by_row() -> None:
    """Bytes that the named encoding does not have are told with their line and the option."""
    with pytest.raises(ReadError, match="the text cannot be read as utf-16"):
        read_run(b"query_id,doc_id\nq,a\nq,b", encoding="utf-16")
    with pytest.raises(ReadError) as error:
        read_run(b"query_id,doc_id\nq,a\nq,\xff\xff\n", encoding="big5")
    assert str(error.value) == (
        "the file, row 3: the text cannot be read as big5hkscs. Save the file as UTF-8, or name its encoding with "
        "encoding=…."
    )


def test_damaged_utf8_is_not_taken_for_another_encoding() -> None:
    """A text that is UTF-8 but for a few bytes is refused with the line of the first of them."""
    with pytest.raises(ReadError, match="row 4: the text is not UTF-8") as error:
        read_run(SIMPLIFIED.encode() + b"q,\xff,3,x\n")
    assert "GB18030" in error.value.choices[0].values


def test_another_encoding_far_below_the_top_is_found() -> None:
    """The first line that is not ASCII may stand anywhere."""
    rows = "".join(f"q1,d{i},{i},a plain title\n" for i in range(1, 20_000))
    text = f"query_id,doc_id,rank,title\n{rows}q2,甲,1,红色运动鞋推荐\n"
    run = read_run(text.encode("gb18030"))
    assert run.table.num_rows == 20_000
    assert run.table.column("doc_id").to_pylist()[-1] == "甲"


@pytest.mark.parametrize(
    "header",
    [
        "\u200bquery_id\u200b,doc\u00adid,\ufeffrelevance",
        "ｑｕｅｒｙ＿ｉｄ,ｄｏｃ＿ｉｄ,ｌａｂｅｌ",
        " Query ID , Doc-ID ,  Relevance Grade",
        "查询ID,文档ID,相关性",
        "查詢編號,文檔編號,相關度",
        "クエリID,文書ID,関連度",
        '"Query.Id","DocId","rel:"',
    ],
)
def test_headings_are_known_in_any_spelling(header: str) -> None:
    """Invisible and full-width characters, signs, and Chinese and Japanese names change nothing."""
    judgments = read_judgments(f"{header}\nq,a,2\n".encode())
    assert judgments.table.to_pylist() == [{"query_id": "q", "doc_id": "a", "relevance": 2.0}]
