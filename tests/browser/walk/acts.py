"""What can be done on a walk. Each act does it on the page and in the model."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import rankdash as rd
from rankdash import style
from rankdash.style import editing, method, queries
from tests.browsed import votes_csv
from tests.browser.pages import cancel_new, cards, keyed
from tests.browser.serving import restarted
from tests.browser.waiting import settled
from tests.browser.walk import edits, files, model
from tests.browser.walk.walker import Walker

PAGES = (style.VERDICT, queries.QUERIES, editing.EDIT, style.DATA, method.METHOD)
_POLICIES: tuple[dict[str, object], ...] = (
    {"mpe": 0.001}, {"mpe": 0.2}, {"primary": "AP", "guardrails": (("RR", 0.01),)},
    {"primary": "nDCG@3", "cutoff": 3, "convention": "trec_eval-9"}, {"cutoff": 5},
)  # fmt: skip


def go(walk: Walker) -> None:
    """To another page, by the navigation."""
    walk.go(walk.chance.choice(PAGES))


def back(walk: Walker) -> None:
    """One page back, where there is one of ours."""
    walk.page.go_back()
    if not walk.page.url.startswith(walk.server.url):
        walk.page.goto(walk.server.url)
        walk.open = model.demo()


def forward(walk: Walker) -> None:
    """One page forward, where there is one."""
    walk.page.go_forward()


def reload(walk: Walker) -> None:
    """F5: the demo stays, uploads are gone."""
    walk.page.reload()
    walk.forget()


def restart(walk: Walker) -> None:
    """The server goes down and comes back; then the tab is used again, as after F5."""
    restarted(walk.server, walk.page)
    walk.was_down = True
    walk.forget()
    walk.page.get_by_role("link", name=style.DATA, exact=True).click()


def open_demo(walk: Walker) -> None:
    """The demo, from the dialog or from the page that says that nothing is open."""
    walk.begin()
    keyed(walk.page, "open_demo").get_by_role("button").click()
    walk.page.get_by_text(style.DEMO_BADGE).first.wait_for()
    walk.open = model.demo()


def upload(walk: Walker) -> None:
    """Files of two models through the button, or through the form where nothing is open."""
    wanted = walk.chance.choice(walk.uploads)
    place = walk.begin()
    walk.drop(place, *walk.chance.sample(wanted.files, len(wanted.files)))
    walk.press(f"{place}_compare")
    walk.open = replace(wanted.opens, policy=rd.Policy())


def upload_votes(walk: Walker) -> None:
    """Votes without lists."""
    path = walk.folder / "votes.csv"
    path.write_bytes(votes_csv())
    place = walk.begin()
    walk.drop(place, path)
    walk.press(f"{place}_compare")
    walk.open = model.VotesOnly(rd.read_votes(path))


def upload_rubbish(walk: Walker) -> None:
    """A file that is none: it is refused, and what is open stays."""
    path = walk.folder / "broken.csv"
    path.write_text("query_id,doc_id,rank\nq1,d1,1\nq1,d2,great\n")
    place = walk.begin()
    walk.drop(place, path)
    assert keyed(walk.page, f"{place}_compare").get_by_role("button").is_disabled()
    if place == "new":
        cancel_new(walk.page)
    else:
        cards(walk.page, place).get_by_role("button", name=re.compile("broken")).first.click()
        cards(walk.page, place).first.wait_for(state="detached")


def replace_b(walk: Walker) -> None:
    """Another B for what is open: the same documents in another order."""
    path = walk.folder / f"candidate{walk.chance.randrange(1000)}.csv"
    lists: dict[str, list[str]] = {}
    for query, doc in zip(*(walk.lists.b.table[name].to_pylist() for name in ("query_id", "doc_id")), strict=True):
        lists.setdefault(query, []).append(doc)
    rows = [
        f"{query},{doc},{rank}"
        for query, docs in lists.items()
        for rank, doc in enumerate(walk.chance.sample(docs, len(docs)), start=1)
    ]
    path.write_text("\n".join(["query_id,doc_id,rank", *rows]))
    walk.go(style.DATA)
    walk.drop("replace", path)
    walk.press("replace_compare")
    walk.open = walk.lists.with_b(path)


def swap(walk: Walker) -> None:
    """A and B exchanged."""
    walk.press("swap")
    walk.open = walk.lists.swapped()


def rename(walk: Walker) -> None:
    """Another name for A, for B or for the comparison."""
    which, name = walk.chance.choice(("name", "a", "b")), f"N{walk.chance.randrange(1000)} **x**"
    walk.press("rename")
    box = keyed(walk.page, f"rename_{which}").locator("input")
    box.fill(name)
    box.press("Tab")
    settled(walk.page)
    walk.press("rename_apply")
    keyed(walk.page, "rename_apply").wait_for(state="detached")
    now = walk.lists
    named = {"name": name} if which == "name" else {which: (now.a if which == "a" else now.b).renamed(name)}
    walk.open = replace(now, **named)  # type: ignore[arg-type]


def change_policy(walk: Walker) -> None:
    """Another policy, from a file."""
    assert walk.open is not None
    policy = rd.Policy().changed(**walk.chance.choice(_POLICIES))
    path = walk.folder / "policy.toml"
    path.write_text(policy.to_toml())
    walk.press("open_policy")
    keyed(walk.page, "policy_from_file").locator("summary").click()
    keyed(walk.page, "policy_file").locator("input[type=file]").set_input_files(path)
    settled(walk.page)
    walk.press("policy_file_apply")
    keyed(walk.page, "policy_file_apply").wait_for(state="detached")
    walk.open = replace(walk.open, policy=policy)


@dataclass(frozen=True)
class Act:
    """Something to do, how often beside the others, and on what: anything or nothing, a comparison, lists."""

    do: Callable[[Walker], None]
    weight: int
    needs: str = "lists"

    def is_possible(self, walk: Walker) -> bool:
        """Whether it can be done on what is open."""
        if self.needs == "lists":
            return isinstance(walk.open, model.Lists)
        return self.needs == "nothing" or walk.open is not None


#: Every act by its name.
ACTS: Mapping[str, Act] = {
    "go": Act(go, 6, "nothing"),
    "back": Act(back, 2, "anything"),
    "forward": Act(forward, 1, "anything"),
    "reload": Act(reload, 1, "anything"),
    "restart": Act(restart, 1, "anything"),
    "upload": Act(upload, 3, "nothing"),
    "upload votes": Act(upload_votes, 1, "nothing"),
    "upload rubbish": Act(upload_rubbish, 1, "nothing"),
    "open demo": Act(open_demo, 1, "nothing"),
    "replace B": Act(replace_b, 2),
    "swap": Act(swap, 3),
    "rename": Act(rename, 2),
    "change policy": Act(change_policy, 2, "anything"),
    "filter": Act(files.filtered, 2),
    "download": Act(files.download, 2, "anything"),
    "save": Act(files.save, 2),
    "drop edits": Act(files.drop_edits, 1),
    "edit": Act(edits.edit, 6),
    "label": Act(edits.label, 1),
    "undo": Act(edits.undo, 2),
    "redo": Act(edits.redo, 1),
    "reset": Act(edits.reset, 1),
}
