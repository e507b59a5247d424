"""Words that are refused before the page is asked."""

from typing import Any

import pytest

from browse.browser.elements.target import find, locator_for
from browse.browser.page.shapes import Next, RoleAndName
from browse.browser.tabs.refs import RefNumbers
from browse.core.errors import BrowseError, Code


class FakeFrame:
    """A frame that has been removed from its page."""

    page = None

    def is_detached(self) -> bool:
        return True


class FakeTab:
    """A tab whose snapshots numbered @e1 to @e3 and showed @e2."""

    frame = page = object()

    def __init__(self) -> None:
        self.refs = RefNumbers()
        gone: Any = FakeFrame()
        self.refs.claim(gone, Next(self.refs.doc, 4, 1))
        self.refs.show({"@e2": RoleAndName("button", "Go")})


@pytest.mark.parametrize(
    ("word", "code", "said"),
    [
        ("@x", Code.REF_UNKNOWN, "@x is not a ref."),
        ("@e12", Code.REF_UNKNOWN, "Ref @e12 not found"),
        ("@c1", Code.REF_UNKNOWN, "Ref @c1 not found"),
        ("@e1", Code.REF_UNKNOWN, "Ref @e1 not found"),
        ("@e2", Code.REF_STALE, "Ref @e2 is stale"),
    ],
)
async def test_ref_that_leads_nowhere_is_refused(word, code, said):
    tab: Any = FakeTab()

    with pytest.raises(BrowseError) as found:
        await find(tab, word)
    with pytest.raises(BrowseError) as waited:
        locator_for(tab, word)

    assert (found.value.code, waited.value.code) == (code, code)
    assert found.value.message.startswith(said)
    assert "browse snapshot -i" in found.value.hint
