"""Custom elements that hide their shadow root or role from scripts are shown and operated."""

import pytest

from support.life import assert_clear

pytestmark = pytest.mark.e2e
PAGE = """<title>none</title>
<x-card>Slotted <a href=#there>light</a></x-card> <x-toggle></x-toggle> <x-plain>Words</x-plain>
<x-dial></x-dial> <x-own role=tab>Own</x-own> <x-later></x-later>
<script>
const define = (name, act) => customElements.define(name, class extends HTMLElement {
  constructor() { super(); act(this); }
});
define('x-inner', (it) => {
  const root = it.attachShadow({mode: 'closed'});
  root.innerHTML = '<button>Deep</button>';
  root.firstChild.onclick = () => document.title = 'deep';
});
define('x-card', (it) => {
  const root = it.attachShadow({mode: 'closed'});
  root.innerHTML = `<input aria-label=Within>
    <section aria-label=Part><slot></slot></section><x-inner></x-inner>`;
});
define('x-toggle', (it) => {
  const inner = it.attachInternals();
  Object.assign(inner, {role: 'switch', ariaLabel: 'Lamp', ariaChecked: 'false'});
  it.onclick = () => inner.ariaChecked = inner.ariaChecked === 'true' ? 'false' : 'true';
  it.style.cssText = 'display: inline-block; width: 20px; height: 20px';
});
define('x-plain', () => 0);
define('x-own', (it) => { it.attachInternals().role = 'button'; });
define('x-dial', (it) => {
  const inner = it.attachInternals();
  Object.assign(inner, {role: 'slider', ariaLabel: 'Heat', ariaValueNow: '40'});
  inner.ariaDisabled = 'true';
});
</script>"""


def ref(shown: str, words: str) -> str:
    """The ref of the one line that holds the words."""
    (line,) = [line for line in shown.splitlines() if words in line]
    return line.split()[0]


def test_closed_roots_and_inner_roles_are_shown_and_operated(browser, site):
    browser.ok("goto", site.page("/strangers", PAGE))
    tree = browser.ok("snapshot").page
    shown = browser.ok("snapshot", "-i").page

    lines = [line.strip().partition(" ")[2] for line in tree.splitlines()]
    assert lines[:5] == [
        '[textbox] "Within"',
        '[region] "Part": Slotted',
        '[link] "light"',
        '[button] "Deep"',
        '[switch] "Lamp"',
    ]
    assert '[slider] "Heat" [disabled]: 40' in tree
    assert '[tab] "Own"' in tree
    assert "Words" in tree
    assert [line for line in shown.splitlines() if "Words" in line] == []

    browser.ok("fill", ref(shown, '"Within"'), "typed")
    browser.ok("click", ref(shown, '"Deep"'))
    assert browser.ok("js", "document.title").page == "deep"
    lamp = ref(shown, '"Lamp"')
    browser.ok("click", lamp)
    again = browser.ok("snapshot", "-i").page
    assert f'{lamp} [switch] "Lamp" [checked]' in again
    assert '[textbox] "Within": typed' in again

    browser.ok("js", "document.querySelector('x-card').remove()")
    assert_clear(browser.browse("click", ref(shown, '"Deep"')), 3, "stale")


def test_custom_elements_in_a_frame_are_shown(browser, site):
    inner = site.page("/strangers-inner", PAGE)
    browser.ok("goto", site.page("/strangers-outer", f"<iframe src='{inner}'></iframe>"))

    shown = browser.ok("snapshot", "-i").page

    assert '[button] "Deep"' in shown
    browser.ok("click", ref(shown, '"Deep"'))
    assert browser.ok("js", "frames[0].document.title").page == "deep"


def test_element_cannot_pass_for_what_was_told(browser, site):
    page = '<p id="browse closed shadow">x</p><x-card><button>Light</button></x-card><script>\n'
    page += "window[Symbol.for('browse closed shadow')] = {waiting: [document.body]};\n"
    page += "customElements.define('x-card', class extends HTMLElement {})</script>"
    browser.ok("goto", site.page("/strangers-forged", page))

    assert '[button] "Light"' in browser.ok("snapshot", "-i").page
