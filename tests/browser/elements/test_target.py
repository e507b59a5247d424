"""Words that are refused before the page is asked."""

from typing import Any

import pytest

from browse.browser.elements.target import find, waited_for
from browse.browser.tabs.refs import Numbers
from browse.core.errors import BrowseError, Code


class FakeFrame:
    """A frame that has been removed from its page."""

    page = None

    def is_detached(self) -> bool:
        return True


class FakeTab:
    """A tab whose snapshots gave out @e1 to @e3."""

    frame = page = object()

    def __init__(self) -> None:
        self.refs = Numbers()
        gone: Any = FakeFrame()
        self.refs.claim("e", gone, 4)


@pytest.mark.parametrize(
    ("word", "code", "said"),
    [
        ("@x", Code.REF_UNKNOWN, "@x is not a ref."),
        ("@e12", Code.REF_UNKNOWN, "Ref @e12 not found"),
        ("@c1", Code.REF_UNKNOWN, "Ref @c1 not found"),
        ("@e2", Code.REF_STALE, "Ref @e2 is stale"),
    ],
)
async def test_ref_that_leads_nowhere_is_refused(word, code, said):
    tab: Any = FakeTab()

    with pytest.raises(BrowseError) as found:
        await find(tab, word)
    with pytest.raises(BrowseError) as waited:
        waited_for(tab, word)

    assert (found.value.code, waited.value.code) == (code, code)
    assert found.value.message.startswith(said)
    assert "browse snapshot -i" in found.value.hint
