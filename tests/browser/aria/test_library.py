"""Facts about the accessibility library that no comparison with Chromium shows."""

from typing import Any

import pytest
from playwright.async_api import Page

from support import axtree

pytestmark = [pytest.mark.e2e, pytest.mark.asyncio(loop_scope="module")]


async def told(page: Page, markup: str, selector: str = "#it") -> dict[str, Any]:
    """What the library says about the one element that fits the selector."""
    await page.set_content(markup)
    (found,) = await axtree.ask(page, f"about {selector}")
    return dict(found)


async def name(page: Page, markup: str) -> str:
    return str((await told(page, markup))["name"])


async def states(page: Page, markup: str) -> dict[str, Any]:
    return dict((await told(page, markup))["states"])


@pytest.mark.parametrize(
    "field", ["parentNode", "getAttribute", "nodeType", "shadowRoot", "localName", "matches"]
)
async def test_fields_cannot_shadow_their_form(page: Page, field: str) -> None:
    found = await told(page, f"<form id=it aria-label=Name><input name={field}>")

    assert (found["role"], found["name"], found["hidden"]) == ("form", "Name", False)


async def test_form_cannot_shadow_the_document(page: Page) -> None:
    shadows = "<form name=querySelectorAll></form><form name=activeElement></form>"

    assert await name(page, f"{shadows}<button id=it>Still here</button>") == "Still here"


async def test_labels_in_a_circle_end(page: Page) -> None:
    markup = (
        "<a id=it href=# aria-labelledby='b it'>A</a><a id=b href=# aria-labelledby='it b'>B</a>"
    )

    assert await name(page, markup) == "B A"


async def test_field_that_labels_itself_ends(page: Page) -> None:
    markup = "<div role=combobox tabindex=0 id=it aria-labelledby='it x'>V</div><i id=x>X</i>"

    assert await name(page, markup) == "V X"


async def test_owners_in_a_circle_end(page: Page) -> None:
    await page.set_content("<p id=a aria-owns=b></p><div id=b aria-owns=a>text</div>")

    assert await axtree.ask(page, "children #a") == [["div"]]
    assert await axtree.ask(page, "children #b") == [["#text"]]


async def test_first_owner_keeps_an_element(page: Page) -> None:
    await page.set_content("<p id=a aria-owns=c></p><p id=b aria-owns=c></p><i id=c></i>")

    assert await axtree.ask(page, "children #a, #b") == [["i"], []]


@pytest.mark.parametrize(
    "tag", ["span", "i role=treeitem", "li style=display:inline", "i aria-hidden=false"]
)
async def test_deep_nesting_does_not_end_the_stack(page: Page, tag: str) -> None:
    # A parser stops at 512 levels, so a script builds them; of blocks, Chromium itself would crash.
    await page.set_content("<div role=tree><button id=it></button></div>")
    build = (
        "t => { let n = it; for (let i = 0; i < 5000; i++) { const d = document.createElement('b');"
    )
    build += " d.innerHTML = `<${t}>`; n = n.appendChild(d.firstChild) } n.textContent = 'deep' }"
    await page.evaluate(build, tag)
    about = await axtree.ask(page, "about *")

    assert next(it["name"] for it in about if it["role"] == "button") == "deep"


async def test_long_names_are_cut(page: Page) -> None:
    found = await name(page, f"<button id=it>{'word ' * 20_000}</button>")

    assert 9_990 <= len(found) <= 10_000


@pytest.mark.parametrize(
    "field",
    [
        "<input id=it type=password value=s>",
        "<input id=it autocomplete='section-a one-time-code' value=s>",
        "<input id=it autocomplete=cc-number value=s>",
        "<input id=it autocomplete=new-password value=s>",
        "<input id=it name=userPassword value=s>",
        "<input id=it name=card_number value=s>",
        "<input id=it aria-label='Security code' value=s>",
        "<label>PIN: <input id=it value=s></label>",
        "<input id=it value=s style='-webkit-text-security: disc'>",
        "<div id=it role=textbox aria-label='API key'>s</div>",
    ],
)
async def test_secrets_are_not_told(page: Page, field: str) -> None:
    found = await states(page, field)

    assert found["secret"] is True
    assert "value" not in found


@pytest.mark.parametrize("call", ["shipping", "compass", "spinner", "passenger", "opinion"])
async def test_words_like_secrets_are_told(page: Page, call: str) -> None:
    assert (await states(page, f"<input id=it name={call} value=v>"))["value"] == "v"


async def test_secret_is_no_part_of_a_name(page: Page) -> None:
    markup = "<label>Use <input type=password value=hunter2> <input type=checkbox id=it></label>"

    assert "hunter2" not in await name(page, markup + "<label for=it>Use</label>")


@pytest.mark.parametrize(
    ("markup", "wanted"),
    [
        ("<input type=checkbox id=it>", {"checked": False}),
        ("<div role=checkbox aria-checked=mixed id=it>", {"checked": "mixed"}),
        ("<button id=it aria-pressed=true>", {"pressed": True}),
        ("<button id=it aria-expanded=false>", {"expanded": False}),
        ("<details open><summary id=it>", {"expanded": True}),
        ("<fieldset disabled><button id=it>", {"disabled": True}),
        ("<div aria-disabled=true><a href=# id=it>", {"disabled": True}),
        ("<input id=it required>", {"required": True}),
        ("<input id=it readonly value=v>", {"readonly": True, "value": "v"}),
        ("<input id=it type=email value=nonsense>", {"invalid": True, "value": "nonsense"}),
        ("<h3 id=it>", {"level": 3}),
        ("<div role=tree><div role=treeitem><div role=treeitem id=it>", {"level": 2}),
        ("<select id=it><option>a<option selected>b</select>", {"value": "b"}),
        ("<input id=it type=range value=30>", {"value": "30"}),
        ("<a href=# id=it aria-current=page>", {"current": "page"}),
        ("<input id=it autofocus>", {"active": True}),
        ("<div role=dialog aria-modal=true id=it>", {"modal": True}),
        ("<div aria-busy=true id=it>", {"busy": True}),
        ("<p id=it>", {}),
    ],
)  # fmt: skip
async def test_only_states_that_apply_are_told(page: Page, markup: str, wanted: dict) -> None:
    assert await states(page, markup) == wanted


async def test_modal_dialog_in_a_shadow_root_hides_the_rest(page: Page) -> None:
    await page.set_content("<button id=out>out</button><div id=host></div>")
    markup = "<dialog><b id=in>in</b></dialog>"
    await page.evaluate("m => { host.attachShadow({mode: 'open'}).innerHTML = m }", markup)
    await page.evaluate("host.shadowRoot.firstChild.showModal()")

    assert [it["hidden"] for it in await axtree.ask(page, "about #out, #in")] == [True, False]


@pytest.mark.parametrize(
    ("markup", "wanted"),
    [
        ("<input type=submit id=it value=Send title=Now>", "Now"),
        ("<label for=it>Label</label><input type=submit id=it value=Send>", "Send"),
        ("<button id=it title=Save>Save</button>", ""),
        ("<button id=it aria-describedby=d title=t>x</button><p id=d hidden>why</p>", "why"),
        ("<button id=it aria-description=how title=t>x</button>", "how"),
        ("<table id=it aria-label=x><caption>All</caption><tr><td>a</table>", "All"),
        ("<svg id=it width=9 height=9><title>T</title><desc>More</desc></svg>", "More"),
        ("<input id=it title=t placeholder=p>", ""),
    ],
)
async def test_descriptions_add_to_names(page: Page, markup: str, wanted: str) -> None:
    assert (await told(page, markup))["description"] == wanted


async def test_removed_and_new_things_are_noticed(page: Page) -> None:
    assert await name(page, "<button id=it>Before</button>") == "Before"
    await page.evaluate("it.textContent = 'After'")

    assert (await axtree.ask(page, "about #it"))[0]["name"] == "After"


async def test_xml_documents_are_read(page: Page) -> None:
    body = "<body><button id='it'>XML</button></body>"
    html = f"<html xmlns='http://www.w3.org/1999/xhtml'>{body}</html>"
    await page.goto(f"data:application/xhtml+xml,{html}")

    assert (await axtree.ask(page, "about #it"))[0]["name"] == "XML"


async def test_svg_documents_are_read(page: Page) -> None:
    title = "<title>Icon</title>"
    svg = f"<svg xmlns='http://www.w3.org/2000/svg' id='it' class='c'>{title}</svg>"
    await page.goto(f"data:image/svg+xml,{svg}")

    assert (await axtree.ask(page, "about #it"))[0]["name"] == "Icon"
