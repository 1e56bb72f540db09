"""A session without a browser: what a page sends to the server and gets from it, by the server's own protocol."""

from __future__ import annotations

import json
import time
import urllib.request
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Common_pb2 import FileURLs
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.sync.client import ClientConnection, connect

_WAIT = 120  # seconds that an answer may take
_LARGEST = 1 << 30


@dataclass
class _Widget:
    """A widget as it was drawn, the fragment that it is in ("" for none), and the run that drew it last."""

    element: Any
    fragment: str
    run: int


class Client:
    """One session. It knows the widgets on its page by their keys, and tells the server the state of all of them.

    As a browser does, it forgets what is not on the page any more, and asks for a fragment where that is enough.
    """

    def __init__(self, line: ClientConnection, url: str, query: str, token: str, page: str = "") -> None:
        self._line, self._url, self._query, self._token = line, url, query, token
        self._session, self._page, self._name = "", "", page
        #: What went wrong on the pages so far.
        self.errors: list[str] = []
        self._states: dict[str, WidgetState] = {}
        self._widgets: dict[str, _Widget] = {}
        self._runs = 0

    def run(self, changed: str = "") -> float:
        """Seconds until the page was run with the widgets as they are; ``changed`` is the key of the new one."""
        started = time.perf_counter()
        asked = BackMsg()
        asked.rerun_script.query_string, asked.rerun_script.page_script_hash = self._query, self._page
        asked.rerun_script.page_name = "" if self._page else self._name
        asked.rerun_script.fragment_id = self._widgets[changed].fragment if changed else ""
        asked.rerun_script.widget_states.widgets.extend(self._states.values())
        self._line.send(asked.SerializeToString())
        while True:
            self._runs += 1
            ended = self._until(lambda told: told.WhichOneof("type") == "script_finished").script_finished
            if ended != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                break
        self._forget(whole=ended != ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY)
        return time.perf_counter() - started

    def _forget(self, *, whole: bool) -> None:
        """Forgets the widgets that the last run has not drawn again: of the page, or of the fragments that it drew."""
        fragments = {one.fragment for one in self._widgets.values() if one.run == self._runs}
        for name, one in list(self._widgets.items()):
            if one.run != self._runs and (whole or one.fragment in fragments):
                del self._widgets[name]
                self._states.pop(one.element.id, None)

    def choose(self, key: str, place: int) -> float:
        """Seconds until an option of a list was chosen, and the page has run."""
        name, widget = self._widget(key)
        self._states[widget.id] = WidgetState(id=widget.id, string_value=widget.options[place])
        return self.run(name)

    def type_text(self, key: str, text: str) -> float:
        """Seconds until a text was typed, and the page has run."""
        name, widget = self._widget(key)
        self._states[widget.id] = WidgetState(id=widget.id, string_value=text)
        return self.run(name)

    def type_cell(self, key: str, row: int, column: str, value: float) -> float:
        """Seconds until a cell of an editor was typed, beside those that were typed into it, and the page has run."""
        name, widget = self._widget(key)
        before = self._states.get(widget.id)
        typed = json.loads(before.string_value) if before else {"edited_rows": {}, "added_rows": [], "deleted_rows": []}
        typed["edited_rows"].setdefault(str(row), {})[column] = value
        self._states[widget.id] = WidgetState(id=widget.id, string_value=json.dumps(typed))
        return self.run(name)

    def press(self, key: str) -> float:
        """Seconds until a button was pressed, and the page has run."""
        name, widget = self._widget(key)
        self._states[widget.id] = WidgetState(id=widget.id, trigger_value=True)
        took = self.run(name)
        self._states.pop(widget.id, None)
        return took

    def upload(self, key: str, files: Sequence[tuple[str, bytes]]) -> float:
        """Seconds until files were sent, and the page has run with them."""
        started = time.perf_counter()
        asked = BackMsg()
        request = asked.file_urls_request
        request.request_id, request.session_id = uuid.uuid4().hex, self._session
        request.file_names.extend(name for name, _ in files)
        self._line.send(asked.SerializeToString())
        answer = self._until(lambda told: told.WhichOneof("type") == "file_urls_response").file_urls_response
        name, widget = self._widget(key)
        state = WidgetState(id=widget.id)
        for (file, content), urls in zip(files, answer.file_urls, strict=True):
            self._put(urls, file, content)
            state.file_uploader_state_value.uploaded_file_info.add(
                name=file, size=len(content), file_id=urls.file_id, file_urls=urls
            )
        self._states[state.id] = state
        self.run(name)
        return time.perf_counter() - started

    def knows(self, key: str) -> bool:
        """Whether a widget with a key is on the page."""
        return any(name.startswith(key) for name in self._widgets)

    def _widget(self, key: str) -> tuple[str, Any]:
        """The whole key of a widget, and the widget; the one that was drawn last where several begin so."""
        name = next(name for name in reversed(self._widgets) if name.startswith(key))
        return name, self._widgets[name].element

    def _put(self, urls: FileURLs, name: str, content: bytes) -> None:
        edge = uuid.uuid4().hex
        head = f'--{edge}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
        body = head.encode() + content + f"\r\n--{edge}--\r\n".encode()
        headers = {
            "Content-Type": f"multipart/form-data; boundary={edge}",
            "X-Xsrftoken": self._token,
            "Cookie": f"_streamlit_xsrf={self._token}",
        }
        with urllib.request.urlopen(
            urllib.request.Request(self._url + urls.upload_url, body, headers, method="PUT"), timeout=_WAIT
        ) as answer:
            answer.read()

    def _until(self, is_last: Callable[[ForwardMsg], bool]) -> ForwardMsg:
        while True:
            told = ForwardMsg.FromString(bytes(self._line.recv(_WAIT)))
            if told.HasField("new_session"):
                self._session = told.new_session.initialize.session_id
            if told.HasField("navigation"):
                self._page = told.navigation.page_script_hash
            if told.HasField("delta") and told.delta.HasField("new_element"):
                self._seen(told.delta.new_element, told.delta.fragment_id)
            if is_last(told):
                return told

    def _seen(self, element: Any, fragment: str) -> None:
        widget = getattr(element, element.WhichOneof("type") or "empty")
        if element.HasField("exception"):
            self.errors.append(f"{widget.type}: {widget.message}")
        if hasattr(widget, "id"):
            name = widget.id.rpartition("-")[2]
            self._widgets.pop(name, None)
            self._widgets[name] = _Widget(widget, fragment, self._runs)


@contextmanager
def session(url: str, query: str = "", page: str = "") -> Iterator[Client]:
    """A session at an address, whose page has run once; ``page`` is its name in the address, "" the first one."""
    with urllib.request.urlopen(f"{url}/_stcore/health", timeout=_WAIT) as answer:
        cookies = answer.headers.get_all("Set-Cookie") or [""]
    token = next((one.split("=", 1)[1].split(";")[0] for one in cookies if one.startswith("_streamlit_xsrf=")), "")
    address = f"{url.replace('http', 'ws', 1)}/_stcore/stream"
    with connect(address, subprotocols=["streamlit"], origin=url, max_size=_LARGEST, open_timeout=_WAIT) as line:
        client = Client(line, url, query, token, page)
        client.run()
        yield client
