"""Large uploads lie on the disk: the same is opened, and their bytes are nowhere in memory."""

from __future__ import annotations

import asyncio
import gc
import hashlib
import os
import random
import tempfile
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from starlette import formparsers
from starlette.datastructures import UploadFile
from starlette.requests import ClientDisconnect, Request

from rankdash.dashboard.kit import large_uploads
from rankdash.intake import scratch
from tests.dashboard.saved_sessions import home
from tests.dashboard.test_pages import FILES, app, inputs, upload, uploader

__all__ = ["home"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of temporary files of its own, in which every upload is a large one."""
    made = tmp_path / "scratch"
    made.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(made))
    monkeypatch.setattr(scratch, "_own", {})
    monkeypatch.setattr(large_uploads, "LARGEST", 0)
    return Path(scratch.folder())


def dropped():
    """The page that says that files are gone, with three files dropped."""
    at = app()
    at.query_params["c"] = "lost"
    return upload(at.run(), "lost", FILES)


def test_files_on_the_disk_are_opened_like_others(folder: Path) -> None:
    """What is opened is what the files in memory make; the session keeps none of their bytes, and the disk none."""
    at = dropped()
    assert not at.exception
    assert len(list(folder.iterdir())) == 3
    assert [len(file.getvalue()) for file in at.session_state["lost_files"]] == [0, 0, 0]
    at.button(key="lost_compare").click().run()
    assert not at.exception
    assert at.session_state["open"] == inputs()
    assert at.metric
    assert not list(folder.iterdir())


def test_a_file_that_is_taken_out_goes_from_the_disk(folder: Path) -> None:
    """With the chip of an upload its file is gone."""
    at = dropped()
    uploader(at, "lost_files").set_value([(*FILES["a"], "text/csv")])
    at.run()
    assert not at.exception
    assert len(list(folder.iterdir())) == 1


def test_where_the_disk_is_full_files_stay_in_memory(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is told: the comparison opens as before."""

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(scratch, "put", full)
    at = dropped()
    at.button(key="lost_compare").click().run()
    assert not at.exception
    assert at.session_state["open"] == inputs()


BOUNDARY = "----WebKitFormBoundary7MA4YWxkTrZu0gW"
SMALL, AT_ONCE = 3_000, 400
#: What the thread is called in which the server takes an upload.
SERVER = "server"


@pytest.fixture
def collecting(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that collects uploads so; a large one has more than SMALL bytes, and AT_ONCE are written at once."""
    monkeypatch.setattr(formparsers, "SpooledTemporaryFile", formparsers.SpooledTemporaryFile)
    monkeypatch.setattr(large_uploads, "LARGEST", SMALL)
    monkeypatch.setattr(large_uploads, "_AT_ONCE", AT_ONCE)
    monkeypatch.setattr(large_uploads.apart, "warm", lambda _: None)
    large_uploads._collect()


def sent(content: bytes, seed: int = 0, *, breaks_off: bool = False) -> Any:
    """What Streamlit's handler reads of an upload that arrives in parts of any size."""
    chance = random.Random(seed)
    head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="f"; filename="a.trec"\r\n\r\n'.encode()
    rest = head + content + (b"" if breaks_off else f"\r\n--{BOUNDARY}--\r\n".encode())
    parts = list[bytes]()
    while rest:
        size = chance.choice((1, 7, 60, 200, 1_000, 5_000))
        parts.append(rest[:size])
        rest = rest[size:]

    async def receive() -> dict[str, Any]:
        if not parts and breaks_off:
            return {"type": "http.disconnect"}
        return {"type": "http.request", "body": parts.pop(0), "more_body": bool(parts) or breaks_off}

    async def handled() -> Any:
        kind = f"multipart/form-data; boundary={BOUNDARY}".encode()
        form = await Request({"type": "http", "headers": [(b"content-type", kind)]}, receive).form()
        (upload,) = form.values()
        assert isinstance(upload, UploadFile)
        try:
            return await upload.read()
        finally:
            upload.file.close()

    with ThreadPoolExecutor(1, SERVER) as thread:  # a browser that another test has may have left a loop in this one
        return thread.submit(asyncio.run, handled()).result()


def contents(seed: int) -> Sequence[bytes]:
    """Files around the sizes at which something changes, with beginnings of the line between parts in them."""
    chance = random.Random(seed)
    sizes = (0, 1, AT_ONCE - 1, AT_ONCE, SMALL - 1, SMALL, SMALL + 1, SMALL + AT_ONCE, 4 * SMALL + chance.randrange(99))
    words = (b"q1 Q0 d1 1 0.5 a\n", f"\r\n--{BOUNDARY[:-1]}".encode(), b"\r\n", b"\0")
    return [b"".join(chance.choices(words, k=size))[:size] for size in sizes]


@pytest.mark.usefixtures("collecting")
@pytest.mark.parametrize("seed", range(8))
def test_what_arrives_in_parts_is_the_file(folder: Path, seed: int) -> None:
    """Of a small upload its bytes; of a large one none, but a file on the disk with them and their digest. It is there
    as long as somebody has it.
    """
    for content in contents(seed):
        found = sent(content, seed)
        assert isinstance(found, large_uploads.Aside) == (len(content) > SMALL)
        if len(content) <= SMALL:
            assert (found, list(folder.iterdir())) == (content, [])
            continue
        assert found == b""
        taken = found.file.taken("a.trec")
        assert (taken.name, taken.size, taken.sha256) == ("a.trec", len(content), hashlib.sha256(content).hexdigest())
        assert Path(taken).read_bytes() == content
        del found, taken
        gc.collect()
        assert not list(folder.iterdir())


@pytest.mark.usefixtures("collecting")
def test_what_no_page_takes_goes_from_the_disk(folder: Path) -> None:
    """As Streamlit lets an upload go when its session ends, and where a browser is closed while it sends one."""
    found = sent(b"x" * 5 * SMALL)
    assert len(list(folder.iterdir())) == 1
    del found
    gc.collect()
    assert not list(folder.iterdir())
    with pytest.raises(ClientDisconnect):
        sent(b"x" * 5 * SMALL, breaks_off=True)
    large_uploads._WRITERS.submit(lambda: None).result()
    gc.collect()
    assert not list(folder.iterdir())


@pytest.mark.usefixtures("collecting")
@pytest.mark.parametrize("room", [0, 1, SMALL, SMALL + 1, 2 * SMALL, 4 * SMALL])
def test_a_disk_that_fills_while_a_file_arrives_keeps_it_in_memory(
    folder: Path, monkeypatch: pytest.MonkeyPatch, room: int
) -> None:
    """Wherever it takes no more, all bytes are there, in memory, and none of them on the disk."""
    write = scratch.Arriving.write

    def full(arriving: scratch.Arriving, part: bytes) -> None:
        if arriving._size + len(part) > room:
            os.write(arriving._file.fileno(), part[: len(part) // 2])  # some of them
            raise OSError(28, "No space left on device")
        write(arriving, part)

    monkeypatch.setattr(scratch.Arriving, "write", full)
    content = bytes(random.Random(room).randbytes(4 * SMALL + 1))
    found = sent(content, room)
    assert not isinstance(found, large_uploads.Aside)
    assert (found, list(folder.iterdir())) == (content, [])


@pytest.mark.usefixtures("collecting")
def test_a_slow_disk_holds_up_no_other_session(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While bytes are written the server goes on, and no more of them wait than are written at once and two parts."""
    write, threads, most = scratch.Arriving.write, set[str](), 0

    def slow(arriving: scratch.Arriving, part: bytes) -> None:
        nonlocal most
        threads.add(threading.current_thread().name)
        most = max(most, len(part))
        threading.Event().wait(0.002)
        write(arriving, part)

    monkeypatch.setattr(scratch.Arriving, "write", slow)
    content = bytes(random.Random(1).randbytes(40 * SMALL))
    found = sent(content)
    assert Path(found.file.taken("a.trec")).read_bytes() == content
    assert threads
    assert not any(name.startswith(SERVER) for name in threads)
    assert most <= SMALL + AT_ONCE + 2 * 5_000
