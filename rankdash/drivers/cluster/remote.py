"""A session of Spark Connect, the files that are read there, and what goes wrong, in words."""

from __future__ import annotations

import os
import re
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from rankdash import arrow, installation
from rankdash.comparison import ComparisonError
from rankdash.drivers.cluster.lines import JUDGMENTS, RUN, cut
from rankdash.judged import are_apart
from rankdash.reading.readers import stem
from rankdash.strings.addresses import showable, without_secrets
from rankdash.tables import Judgments

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

#: The column of a source that numbers its rows in their order.
ROW = "row_number"
#: Seconds to wait for a connection to a remote.
_PATIENCE = 5.0
#: Seconds to wait for an answer of a remote that is connected.
_ANSWER = 20.0
#: What Python puts before an error that a server passes on.
_PASSED_ON = re.compile(r"^((RuntimeError|External error|Arrow error): )+")


class SparkError(ComparisonError):
    """Spark cannot be reached, or a source cannot be read there: what happened, in one sentence."""


@contextmanager
def session(remote: str | None = None) -> Iterator[SparkSession]:
    """Yield a Spark session: of a remote, sc://HOST:PORT, or of a Sail server that is started in this process.

    ModuleNotFoundError where a package is missing; SparkError where the remote does not answer.
    """
    lacking = installation.missing(installation.SPARK if remote is None else {"pyspark": installation.SPARK["pyspark"]})
    if lacking:
        raise ModuleNotFoundError(installation.sentence(lacking), name="pyspark")
    if remote is not None:
        _check_reachable(remote)
    with warnings.catch_warnings(), refusals(), _main_with_file():
        warnings.simplefilter("ignore")  # pyspark knows pandas 2; what is used here needs no pandas
        from pyspark.sql import SparkSession

        if remote is not None:
            if not _speaks_spark(remote):
                raise SparkError(f"{showable(remote)} does not answer as Spark Connect does: is it another program's?")
            yield from _closing(SparkSession.builder.remote(remote).getOrCreate())
            return
        os.environ.setdefault("RUST_LOG", "error")
        from pysail.spark import SparkConnectServer

        server = SparkConnectServer("127.0.0.1", 0)
        server.start(background=True)
        try:
            host, port = server.listening_address
            yield from _closing(SparkSession.builder.remote(f"sc://{host}:{port}").create())
        finally:
            server.stop()


@contextmanager
def _main_with_file() -> Iterator[None]:
    """Let the main program have a file while pyspark is imported.

    pyspark takes a main program without a file, such as that of ``python -c``, for its own doctests, and ends the
    process.
    """
    main = sys.modules["__main__"]
    if hasattr(main, "__file__"):
        yield
        return
    main.__file__ = "-c"
    try:
        yield
    finally:
        del main.__file__


def _closing(spark: SparkSession) -> Iterator[SparkSession]:
    try:
        yield spark
    finally:
        spark.stop()


def _check_reachable(remote: str) -> None:
    """Raise SparkError where nothing listens at a remote: Spark's client would try again for minutes."""
    import socket
    from urllib.parse import urlsplit

    try:
        parts = urlsplit(remote)
        host, port = parts.hostname, parts.port or 15002
    except ValueError:
        host, port = None, 0
    if not remote.startswith("sc://") or not host:
        raise SparkError("The remote is no address of Spark Connect: write it like sc://HOST:15002.")
    try:
        socket.create_connection((host, port), _PATIENCE).close()
    except OSError as error:
        why = error.strerror or str(error) or type(error).__name__
        raise SparkError(f"{showable(remote)} cannot be reached ({why}): is Spark Connect running there?") from None


def _speaks_spark(remote: str) -> bool:
    """Return whether what listens at a remote answers a small question in time, whatever the answer is."""
    import uuid

    import grpc  # type: ignore[import-untyped]
    from pyspark.sql.connect.client import DefaultChannelBuilder
    from pyspark.sql.connect.proto import ReleaseSessionRequest
    from pyspark.sql.connect.proto.base_pb2_grpc import SparkConnectServiceStub

    builder = DefaultChannelBuilder(remote)
    channel = builder.toChannel()
    try:
        grpc.channel_ready_future(channel).result(timeout=_PATIENCE)
        nobodys = ReleaseSessionRequest(session_id=str(uuid.uuid4()))
        SparkConnectServiceStub(channel).ReleaseSession(nobodys, timeout=_ANSWER, metadata=builder.metadata())
    except grpc.FutureTimeoutError:
        return False
    except grpc.RpcError as error:
        return error.code() not in (grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.UNAVAILABLE)
    finally:
        channel.close()
    return True


@contextmanager
def refusals() -> Iterator[None]:
    """Raise SparkError for what Spark raises, in one sentence."""
    from pyspark.errors import PySparkException

    try:
        yield
    except PySparkException as error:
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        reason = lines[-1] if "Traceback (most recent call last):" in str(error) else lines[0] if lines else "no reason"
        if "No module named 'rankdash'" in str(error):
            reason = "rankdash is not installed on the workers; install the version that runs here"
        said = without_secrets(_PASSED_ON.sub("", reason))[:400].rstrip(".")
        # What Spark raised repeats whole addresses, with their passwords.
        raise SparkError(f"Spark failed: {said}.") from (None if "://" in str(error) else error)


def read(spark: SparkSession, path: str, *, judgments: bool = False, here: bool = True) -> DataFrame:
    """Return the rows of a file or URL: Parquet, CSV or TSV with a header, or TREC, told apart by the ending.

    ``here``: Spark runs on this machine; elsewhere its paths name files that only it can see. SparkError for a file
    that does not exist.
    """

    local = _local(path) if here else None
    if local is not None and not os.path.exists(local):
        raise SparkError(f"{without_secrets(path)}: there is no such file.")
    with refusals():
        ending = _ending(path)
        if ending == "parquet":
            return spark.read.parquet(path)
        if ending in ("csv", "tsv"):
            tab = {"sep": "\t"} if ending == "tsv" else {}
            return spark.read.csv(path, header=True, inferSchema=False, escape='"', multiLine=False, **tab)
        return _trec(spark.read.text(path), judgments=judgments)


def _trec(lines: DataFrame, *, judgments: bool) -> DataFrame:
    """Return the words of lines as columns of text."""
    words = JUDGMENTS if judgments else RUN

    def of_batches(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return cut(batches, words)

    return lines.mapInArrow(of_batches, ", ".join(f"{name} string" for name in words.columns))


def order_of(path: str, order: str) -> str:
    """Return what orders the lists of a file: in TREC files the score, where nobody says otherwise."""
    return "score" if order == "auto" and _ending(path) == "trec" else order


def _local(path: str) -> str | None:
    """Return a path on this machine; None for a URL of another filesystem."""
    return path if "://" not in path else path[7:] if path.startswith("file://") else None


def _ending(path: str) -> str:
    """Return the format that the name of a file tells, or the names of the files of a folder."""
    names, local = [path], _local(path)
    if local is not None and os.path.isdir(local):
        names = sorted(name for name in os.listdir(local) if not name.startswith(("_", ".")))
    for name in names:
        bare = name.rstrip("/").lower().removesuffix(".gz")
        for ending in ("parquet", "csv", "tsv"):
            if bare.endswith((f".{ending}", *([".pq"] if ending == "parquet" else []))):
                return ending
    return "trec"


def names_of(a: str, b: str) -> tuple[str, str]:
    """Return the names of the runs of two files or URLs: those of the files, without the ending."""
    first, second = (stem(os.path.basename(path.rstrip("/"))) or path for path in (a, b))
    return first, second


def sent(spark: SparkSession, judgments: Judgments) -> DataFrame:
    """Return judgments that were read here as a frame, its rows numbered. SparkError for lists without document ids."""
    table = judgments.table
    if are_apart(judgments):
        raise SparkError("Judgments that say which list a grade is for are scored in memory, and not by Spark.")
    columns = {name: table.column(name) for name in ("doc_id", "relevance")}
    ids = arrow.one_chunk(table.column("query_id")).dictionary_decode().cast(pa.string())
    numbered = {ROW: arrow.from_numpy(np.arange(len(table)))}
    with refusals():
        return spark.createDataFrame(pa.table({"query_id": ids} | columns | numbered))
