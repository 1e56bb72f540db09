"""Dialogs in which more than a name is typed, run without a browser."""

from __future__ import annotations

import pytest

from rankdash import style
from tests.dashboard.saved_sessions import home, saved_tab
from tests.dashboard.test_pages import verdict_page

__all__ = ["home"]

#: The button that opens a dialog, and what its own keys begin with.
DIALOGS = {"new_comparison": "new", "decision_record": "decision", "decision_online": "online"}


@pytest.mark.parametrize("opener", DIALOGS)
def test_what_is_typed_at_length_into_a_dialog_is_closed_by_its_buttons_alone(opener: str) -> None:
    """No key and no click beside it takes what was typed; Cancel is there, and closes it."""
    tab = saved_tab()
    at = verdict_page(tab.id)
    at.button(key=opener).click().run()
    (dialog,) = at.get("dialog")
    assert not dialog.proto.dialog.dismissible
    at.button(key=opener).click()
    cancel = at.button(key=f"{DIALOGS[opener]}_cancel")
    assert cancel.label == style.CANCEL
    cancel.click().run()
    assert f"{DIALOGS[opener]}_cancel" not in [button.key for button in at.run().button]
