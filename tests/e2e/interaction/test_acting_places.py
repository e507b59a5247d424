"""Every action works on the page, in an open shadow root and in a frame of a frame of others."""

import json

import pytest

pytestmark = pytest.mark.e2e

PANEL = """<select aria-label=Colour><option>Red<option>Blue</select>
<label><input type=checkbox aria-label=Agree> Agree</label>
<input aria-label=Name><input type=file aria-label=File>
<div role=button aria-label=Card draggable=true>Card</div>
<div role=button aria-label=Pile>Pile</div>
<div role=listbox aria-label=List tabindex=0 style="height:30px;overflow:auto">
<div style="height:300px">long</div></div>"""
WIRE = """const wire = (root) => {
  const told = {
    change: (it) => it.type === 'checkbox' ? it.checked : it.files ? it.files[0].name : it.value,
    input: (it) => it.value, keydown: (it, event) => event.key, drop: () => '', mouseover: () => '',
    scroll: (it) => it.scrollTop,
  };
  for (const [kind, tell] of Object.entries(told))
    root.addEventListener(kind, (event) => {
      const it = event.composedPath()[0];
      top.postMessage(`${kind} ${it.ariaLabel} ${tell(it, event)}`.trim(), '*');
    }, true);
  root.addEventListener('dragover', (event) => event.preventDefault(), true);
};"""
HEARS = "<script>window.log = []; onmessage = ({ data }) => log.push(data)</script>"
DONE = {
    "change Colour Blue",
    "change Agree true",
    "input Name hi",
    "keydown Name Enter",
    "change File note.txt",
    "drop Pile",
    "mouseover Card",
    "scroll List 270",
}


def nested(site) -> str:
    """A page of one origin in a page of another in a page of the first."""
    inner = site.page("/panel", f"{PANEL}<script>{WIRE} wire(document)</script>")
    middle = site.page("/middle", f"<p>Middle</p><iframe src={inner} height=300></iframe>")
    other = middle.replace("127.0.0.1", "localhost")
    return site.page("/outer", f"{HEARS}<iframe src={other} height=400></iframe>")


def shadowed(site) -> str:
    return site.page(
        "/shadowed",
        f"""{HEARS}<div id=host></div><template id=panel>{PANEL}</template><script>{WIRE}
        const root = host.attachShadow({{mode: 'open'}});
        root.append(panel.content); wire(root);</script>""",
    )


@pytest.mark.parametrize("make", [nested, shadowed], ids=["nested frames", "shadow root"])
def test_actions_reach_into(browser, site, make):
    (browser.root / "note.txt").write_text("hello")
    browser.post("goto", make(site))
    browser.post("wait", "--load")
    lines = browser.ok("snapshot").page.splitlines()

    def ref(name: str) -> str:
        (line,) = [line for line in lines if f'"{name}"' in line and "[generic]" not in line]
        return line.split()[0]

    for words in (
        ["select", ref("Colour"), "Blue"],
        ["check", ref("Agree")],
        ["focus", ref("Name")],
        ["type", "hi"],
        ["press", "Enter", "--on", ref("Name")],
        ["upload", ref("File"), "note.txt"],
        ["drag", ref("Card"), ref("Pile")],
        ["hover", ref("Card")],
        ["scroll", ref("List"), "--to", "bottom"],
    ):
        browser.ok(*words)
    browser.ok("wait", "--js", "log.some(it => it.startsWith('scroll'))")

    assert set(json.loads(browser.ok("js", "log").page)) >= DONE
