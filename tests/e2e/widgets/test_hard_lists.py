"""Choosing in lists that are there only when typed into, without roles, or scrolled from around."""

import pytest

pytestmark = [pytest.mark.e2e, pytest.mark.issue(18)]

# As an autocomplete: nothing until something is typed, then the list is made anew, late.
TYPED = """<input id=a role=combobox aria-controls=l><div id=p></div><p id=got></p><script>
let late
a.oninput = () => { clearTimeout(late); late = setTimeout(() => {
  p.innerHTML = a.value ? '<ul id=l role=listbox></ul>' : ''
  if (a.value) for (const it of ['Ada', 'Zoe'])
    if (it.startsWith(a.value)) l.innerHTML += `<li role=option>${it}` }, 200) }
p.onclick = (event) => { a.value = got.textContent = event.target.textContent; p.innerHTML = '' }
</script>"""

# As Ant Design: a list without room for screen readers, and beside it what people see.
UNSEEN = """<input id=a role=combobox aria-controls=l readonly><p id=got></p><div id=d hidden><div>
<div id=l role=listbox style="height: 0; width: 0; overflow: hidden">
<div role=option>Row 0</div></div>
<div id=v style="height: 200px; overflow: hidden"></div></div></div><script>
let first = 0
const draw = () => { v.innerHTML = ''
  for (let at = first; at < first + 10; at += 1)
    v.innerHTML += `<div aria-selected=false style="height: 20px">Row ${at}</div>` }
v.onwheel = (event) => {
  first = Math.max(0, Math.min(90, first + Math.round(event.deltaY / 20))); draw() }
a.onclick = () => { d.hidden = false; draw() }
v.onclick = (event) => { a.value = got.textContent = event.target.textContent; d.hidden = true }
</script>"""

# As Quasar: what scrolls is around the list, which opens where the choice before was.
AROUND = """<button id=a role=combobox aria-controls=l>Row 90</button><p id=got></p>
<div id=s hidden style="height: 200px; overflow: auto"><div id=l role=listbox
style="height: 2000px; position: relative"></div></div><script>
const draw = () => { const from = Math.floor(s.scrollTop / 20); l.innerHTML = ''
  for (let at = from; at < Math.min(100, from + 10); at += 1)
    l.innerHTML += `<p role=option style="position: absolute; top: ${at * 20}px">Row ${at}` }
s.onscroll = draw
a.onclick = () => { s.hidden = false; s.scrollTop = 1800; draw() }
l.onclick = (event) => {
  a.textContent = got.textContent = event.target.textContent; s.hidden = true }
</script>"""


@pytest.fixture
def show(browser, site):
    """Serve a page and go there."""

    def go(html: str):
        browser.post("goto", site.page("/lists", html))
        return browser

    return go


@pytest.mark.parametrize(
    ("html", "name"),
    [(TYPED, "Zoe"), (UNSEEN, "Row 3"), (UNSEEN, "Row 57"), (AROUND, "Row 4"), (AROUND, "Row 60")],
)
def test_select_chooses_in_a_list(show, html, name):
    page = show(html)

    page.ok("select", "#a", name)

    assert page.ok("js", "got.textContent").page == name


def test_select_leaves_nothing_in_a_field_that_shows_no_list(show):
    page = show(TYPED.replace("if (it.startsWith", "if (!it.startsWith"))

    told = page.browse("select", "#a", "Zoe")

    assert told.code != 0
    assert page.ok("js", "a.value + got.textContent").page == ""


def test_select_does_not_call_it_a_failure_where_a_filtered_list_tells_nothing(show):
    page = show("""<main><input id=b><div id=got></div></main><aside><input id=a role=combobox
    aria-controls=l><ul id=l role=listbox aria-multiselectable=true hidden></ul></aside><script>
    const all = ['Ada', 'Zoe'], held = new Set()
    const draw = () => { l.hidden = false; l.innerHTML = ''
      for (const it of all.filter((one) => one.startsWith(a.value)))
        l.innerHTML += `<li role=option aria-selected=${held.has(it)}>${it}` }
    a.onclick = a.oninput = draw
    l.onclick = (event) => { held.add(event.target.textContent); all.splice(0, 1)
      got.textContent = [...held].join(); a.value = ''; draw() }</script>""")

    ran = page.ok("select", "#a", "Ada", "Zoe")

    assert page.ok("js", "got.textContent").page == "Ada,Zoe"
    assert ran.out.startswith("Clicked")
