"""Fields that are in custom elements, or that a page replaces while they are filled."""

import pytest

pytestmark = [pytest.mark.e2e, pytest.mark.issue(18)]


@pytest.fixture
def show(browser, site):
    """Serve markup and go there."""

    def go(html: str):
        browser.post("goto", site.page("/field", html))
        return browser

    return go


SHADOW = """<x-editor></x-editor><script>
customElements.define("x-editor", class extends HTMLElement {
  constructor() { super(); this.attachShadow({mode: "open"}).innerHTML =
    "<div><div contenteditable role=textbox>old</div></div>" }
  get text() { return this.shadowRoot.querySelector("[role]").innerText } })</script>"""


@pytest.mark.parametrize("words", [["fill"], ["type", "--on"]])
def test_an_editor_in_a_shadow_root_is_found_by_its_host(show, words):
    page = show(SHADOW)
    page.ok("fill", "x-editor >> nth=0", "")

    page.ok(*words, "x-editor >> nth=0", "new")

    assert page.ok("js", "document.querySelector('x-editor').text.trim()").page == "new"
    assert page.ok("value", "x-editor >> nth=0").page == "new"


def test_fill_of_what_holds_several_fields_says_how_to_find_them(show):
    page = show("<div id=form><p contenteditable>one</p><p contenteditable>two</p></div>")

    ran = page.browse("fill", "#form", "new", "--json")

    assert (ran.code, ran.json["code"]) == (1, "not-actionable")
    assert "browse snapshot -i -s '#form'" in ran.json["hint"]


REPLACED = """<input id=a value=old><script>
const again = (event) => { const it = document.createElement("input")
  it.id = "a"; it.value = event.target.value.slice(0, 1); it.oninput = again
  event.target.replaceWith(it); if (window.keeps) it.focus() }
a.oninput = again</script>"""


def test_typing_into_a_field_that_the_page_replaces_says_that_keys_were_lost(show):
    page = show(REPLACED)

    lost = page.ok("type", "--on", "#a", "tea", "--json").json
    page.ok("js", "keeps = 1")
    kept = page.ok("type", "--on", "#a", "tea", "--json").json

    assert (lost["lost"], kept["lost"]) == (True, False)


def test_fill_says_that_the_page_took_the_field_away(show):
    page = show(REPLACED)

    ran = page.ok("fill", "#a", "tea")

    assert "replaced or removed that field" in ran.out
    assert page.ok("js", "a.value").page == "t"
