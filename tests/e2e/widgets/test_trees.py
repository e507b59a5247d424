"""Expanding trees to a path."""

import pytest

from support.widgets import JQUERY, linked

pytestmark = [pytest.mark.e2e, pytest.mark.issue(18)]

# Children come when their parent is opened: at once, or after 300 ms.
ARIA = """<ul id=t role=tree></ul><script>
const data = {{ src: {{ browse: {{ page: {{}}, core: {{}} }}, 'a/b': {{}} }}, docs: {{}} }}
const item = (name, inside) => {{
  const it = document.createElement('li')
  const more = Object.keys(inside).length
  it.role = 'treeitem'; it.tabIndex = -1; it.innerHTML = `<span>${{name}}</span>`
  if (more) it.ariaExpanded = 'false'
  const open = () => {{
    if (!more || it.ariaExpanded === 'true') return
    it.ariaExpanded = 'true'
    const group = document.createElement('ul'); group.role = 'group'; it.append(group)
    setTimeout(() => {{ for (const one in inside) group.append(item(one, inside[one])) }}, {ms})
  }}
  it.{event} = (event) => {{ event.stopPropagation(); {when} open() }}
  return it
}}
for (const one in data) t.append(item(one, data[one]))</script>"""
BY_KEY = {"event": "onkeydown", "when": "if (event.key === 'ArrowRight')"}
BY_CLICK = {"event": "onclick", "when": ""}
FOLDED = """<details><summary>src</summary><details><summary>browse</summary>
<a href=#page>page</a><details><summary>core</summary>x</details></details>
<details><summary>a/b</summary>x</details></details><details><summary>docs</summary>x</details>"""
JS_DATA = "{text: 'src', children: [{text: 'browse', children: ['page', 'core']}, 'a/b']}, 'docs'"
JSTREE = (
    [JQUERY, "jstree/dist/jstree.min.js", "jstree/dist/themes/default/style.min.css"],
    f"<div id=t></div><script>$('#t').jstree({{core: {{data: [{JS_DATA}]}}}})</script>",
)
LAZY_JSTREE = (
    JSTREE[0],
    """<div id=t></div><script>const lazy = { '#': [{ id: 's', text: 'src', children: true },
    'docs'], s: [{ id: 'b', text: 'browse', children: true }, 'a/b'], b: ['page', 'core'] }
    $('#t').jstree({ core: { data: (node, done) => setTimeout(() => done(lazy[node.id]), 300) } })
    </script>""",
)
FANCYTREE = (
    [
        JQUERY,
        "jquery.fancytree/dist/jquery.fancytree-all-deps.min.js",
        "jquery.fancytree/dist/skin-win8/ui.fancytree.min.css",
    ],
    """<div id=t></div><script>
    const later = (...all) => new Promise((done) => setTimeout(() => done(all), 300))
    $('#t').fancytree({ source: [{ title: 'src', lazy: true }, { title: 'docs' }],
      lazyLoad: (_, at) => { at.result = at.node.title === 'src'
        ? later({ title: 'browse', lazy: true }, { title: 'a/b' })
        : later({ title: 'page' }, { title: 'core' }) } })</script>""",
)
TREES = {
    "key": ((), ARIA.format(ms=0, **BY_KEY)),
    "key, late": ((), ARIA.format(ms=300, **BY_KEY)),
    "click, late": ((), ARIA.format(ms=300, **BY_CLICK)),
    "details": ((), FOLDED),
    "jsTree": JSTREE,
    "jsTree, late": LAZY_JSTREE,
    "Fancytree, late": FANCYTREE,
}


@pytest.fixture
def show_html(browser, site):
    """Serve a page and go there."""

    def go(html: str):
        browser.post("goto", site.page("/tree", html))
        return browser

    return go


@pytest.fixture
def show(browser, site):
    """Serve a page with a tree and go there."""

    def go(files, html: str):
        browser.post("goto", site.page("/tree", (linked(site, *files) if files else "") + html))
        return browser

    return go


@pytest.mark.parametrize("name", TREES)
def test_expand_opens_a_tree_to_a_path(show, name):
    page = show(*TREES[name])
    page.ok("wait", "text=docs")

    ran = page.ok("expand", "src/browse/page", "--json").json
    again = page.ok("expand", "src > browse", "--json").json
    ref = page.ok("attrs", ran["ref"])

    assert (ran["expanded"], again["expanded"]) == (2, 0)
    assert again["page"]["names"] == ["page", "core"]
    assert "page" in page.ok("text", ran["ref"]).page
    assert ref.code == 0


@pytest.mark.parametrize("name", TREES)
def test_expand_says_which_part_of_the_path_is_missing(show, name):
    page = show(*TREES[name])
    page.ok("wait", "text=docs")

    told = page.browse("expand", "src/brows/page", "--json").json
    top = page.browse("expand", "lib", "--json").json

    assert told["error"].startswith("'brows' is not below 'src'; there are 2.")
    assert told["page"]["detail"] == "browse\na/b"
    assert top["error"].startswith("'lib' is not at the top; there are 2.")
    assert top["page"]["detail"] == "src\ndocs"


def test_expand_takes_names_with_a_slash(show):
    page = show((), FOLDED)

    ran = page.ok("expand", "SRC > a/b")

    assert ran.out.startswith("Expanded to SRC > a/b: @e")


def test_expand_wants_to_know_which_of_several_is_meant(show):
    page = show((), f"<div id=one>{FOLDED}</div><div id=two>{FOLDED}</div>")

    told = page.browse("expand", "src/browse", "--json").json
    page.ok("expand", "src/browse", "#two")

    assert told["error"].startswith("2 items are called 'src' at the top")
    assert page.ok("js", "document.querySelectorAll('#two [open]').length").page == "2"


@pytest.mark.parametrize(
    ("html", "words", "said"),
    [
        ("<p>no tree", ["a/b"], "There is no tree on the page"),
        ("<p>no tree", ["a//b"], "a path is names with a slash between them"),
        ("<ul role=tree><li role=treeitem aria-expanded=false>a</ul>", ["a"], "has not expanded"),
        ("<ul role=tree><li role=treeitem>a</ul>", ["a/b"], "'b' is not below 'a'; there are 0"),
    ],
)
def test_expand_says_why_it_cannot(show, html, words, said):
    assert said in show((), html).browse("expand", *words).err


def test_expand_takes_what_a_person_reads_of_an_item_with_an_icon(show_html):
    page = show_html("""<div role=tree><div role=treeitem aria-expanded=false
    onclick="this.ariaExpanded = true"><i role=img aria-label=caret-down></i> Asia</div></div>""")

    page.ok("expand", "Asia")

    assert page.ok("js", "document.querySelector('[role=treeitem]').ariaExpanded").page == "true"
