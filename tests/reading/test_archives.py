"""Archives, and files that are no table."""

from __future__ import annotations

import gzip
import pickle
from pathlib import Path

import pytest

from rankdash.reading import LIMITS, Options, ReadError, form_of, read_run
from rankdash.reading.source import Limits
from tests.reading.made_files import archive, workbook

CSV = "query_id,doc_id,rank\nq,a,1\n"


def test_the_one_file_of_an_archive_is_read() -> None:
    """A zip archive with one file is that file, whatever its name; folders and what Macs add do not count."""
    content = archive({"../../etc/run.csv": CSV, "__MACOSX/._run.csv": "x", "folder/": "", ".DS_Store": "x"})
    run = read_run(content)
    assert run.table.num_rows == 1
    assert any("was read." in note and "run.csv" in note for note in run.source.notes)
    assert read_run(archive({"book.xlsx": workbook({"S": [["query_id", "doc_id"], ["q", "a"]]})})).table.num_rows == 1


def test_several_files_ask_for_one() -> None:
    """Several files are named with the option; member= chooses one, with or without its folder."""
    content = archive({"x/a.csv": CSV, "x/b.csv": CSV.replace("a,1", "b,1")})
    with pytest.raises(ReadError) as error:
        read_run(content)
    assert str(error.value) == (
        'the file: there are 2 files in the archive: "x/a.csv", "x/b.csv". Choose one with member=….'
    )
    assert error.value.choices[0].option == "member"
    for name in ("b.csv", "x/b.csv"):
        assert read_run(content, member=name).table.column("doc_id").to_pylist() == ["b"]
    with pytest.raises(ReadError, match=r'there is no file "c\.csv" in the archive'):
        read_run(content, member="c.csv")


def test_the_names_of_files_are_told_whatever_they_are() -> None:
    """A look at an archive lists its files, one with a name of a control character too."""
    names = ("\x1f", "run.csv")
    assert form_of(archive(dict.fromkeys(names, CSV)), LIMITS, Options()).members == names


def test_archives_are_known_by_content_and_write_nothing(tmp_path: Path) -> None:
    """A zip archive under the name of a CSV file is read, and nothing is written anywhere."""
    path = tmp_path / "run.csv"
    path.write_bytes(archive({"../outside.csv": CSV}))
    assert read_run(path).table.num_rows == 1
    assert [found.name for found in tmp_path.iterdir()] == ["run.csv"]
    assert not (tmp_path.parent / "outside.csv").exists()


def test_what_unpacks_to_too_much_is_refused() -> None:
    """An archive that unpacks to more than the limits allow is refused before it is read."""
    bomb = archive({"a.csv": "query_id,doc_id\n" + "q,a\n" * 3_000_000})
    with pytest.raises(ReadError, match="the archive unpacks to more than"):
        read_run(bomb)
    with pytest.raises(ReadError, match=r"the archive unpacks to more than 0\.01 MB"):
        read_run(archive({"a.csv": CSV * 1000}), limits=Limits(unpacked=10_000))


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (archive({}), "the archive holds no file"),
        (archive({"a.csv": ""}), 'the file "a.csv" in the archive is empty'),
        (archive({"a.csv": CSV})[:-30], "the zip archive is damaged"),
        (archive({"a.csv.gz": gzip.compress(CSV.encode())}), "the file is packed twice"),
        (archive({"a.zip": archive({"a.csv": CSV})}), "the file is packed twice"),
    ],
)
def test_damaged_and_empty_archives_are_refused(content: bytes, what: str) -> None:
    """An archive that is empty, cut, changed or packed twice is refused in a sentence."""
    with pytest.raises(ReadError, match=what):
        read_run(content)


def test_an_archive_with_a_password_is_refused() -> None:
    """An encrypted file is told, not tried."""
    content = bytearray(archive({"a.csv": CSV}))
    content[6] |= 1
    at = content.find(b"PK\x01\x02")
    content[at + 8] |= 1
    with pytest.raises(ReadError, match="the archive needs a password"):
        read_run(bytes(content))


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (pickle.dumps({"q": {"a": 1}}), "this is a pickled Python object, which is never loaded"),
        (pickle.dumps([1, 2], 0), "this is a pickled Python object, which is never loaded"),
        (pickle.dumps({"q": 1}, 2), "this is a pickled Python object, which is never loaded"),
        (b"\x89PNG\r\n\x1a\n" + bytes(50), r"this is a picture \(PNG\), not a table"),
        (b"\xff\xd8\xff\xe0\x00\x10JFIF", r"this is a picture \(JPEG\), not a table"),
        (b"%PDF-1.7\n", "this is a PDF document"),
        (
            b"\n<!DOCTYPE html>\n<html><body>Please sign in</body></html>",
            r"a web page \(HTML\), perhaps the page of a login",
        ),
        (b"<html><body>404</body></html>", r"this is a web page \(HTML\), not a table"),
        (b"<?xml version='1.0'?><a/>", "this is XML, not a table"),
        (b"SQLite format 3\0" + bytes(9), "this is an SQLite database"),
        (gzip.compress(gzip.compress(CSV.encode())), "the file is packed twice"),
    ],
)
def test_files_that_are_no_table_are_named(content: bytes, what: str) -> None:
    """A pickle, a picture, a login page and the like are refused with what they are."""
    with pytest.raises(ReadError, match=what):
        read_run(content)
