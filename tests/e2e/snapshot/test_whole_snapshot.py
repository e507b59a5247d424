"""What a full snapshot must not leave out, and must not say twice."""

import pytest

pytestmark = pytest.mark.e2e


@pytest.fixture
def show(browser, site):
    """Serve markup and go there."""

    def go(html: str):
        browser.post("goto", site.page("/whole", html))
        return browser

    return go


@pytest.mark.issue(15)
@pytest.mark.parametrize("command", ["snapshot", "accessibility"])
def test_modal_dialog_is_shown_and_what_it_blocks_is_not(show, command):
    page = (
        show(
            "<h1>Behind</h1><main><dialog id=d><h2>Delete it?</h2><p>It is gone then.</p>"
            "<button>Delete</button></dialog></main><script>d.showModal()</script>"
        )
        .ok(command)
        .page
    )

    assert "Delete it?" in page
    assert "It is gone then." in page
    assert '[button] "Delete"' in page
    assert "Behind" not in page


@pytest.mark.issue(15)
def test_modal_dialog_in_a_shadow_root_is_shown(show):
    page = (
        show(
            "<h1>Behind</h1><x-box></x-box><script>"
            "const root = document.querySelector('x-box').attachShadow({mode: 'open'});"
            "root.innerHTML = '<p>Also behind</p><dialog><p>On top</p></dialog>';"
            "root.querySelector('dialog').showModal()</script>"
        )
        .ok("snapshot")
        .page
    )

    assert "On top" in page
    assert "behind" not in page.lower()


@pytest.mark.issue(15)
@pytest.mark.parametrize(
    "field",
    [
        "<textarea aria-label=Note>milk and bread</textarea>",
        "<div role=textbox aria-label=Note contenteditable>milk and bread</div>",
        "<div role=combobox aria-label=Note tabindex=0>milk and bread</div>",
    ],
)
def test_what_a_field_holds_is_shown_once(show, field):
    page = show(field).ok("snapshot").page

    assert page.count("milk and bread") == 1


@pytest.mark.issue(15)
@pytest.mark.parametrize(
    "field",
    [
        "<textarea aria-label='Recovery code' autocomplete=one-time-code>445566</textarea>",
        "<div role=textbox aria-label=Password contenteditable>hunter2-secret</div>",
    ],
)
def test_what_a_secret_field_holds_is_not_its_text_either(show, field):
    page = show(field).ok("snapshot").page

    assert "[secret]" in page
    assert "445566" not in page
    assert "hunter2" not in page
