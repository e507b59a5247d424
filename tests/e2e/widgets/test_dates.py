"""Filling date fields: those of browsers, and those of libraries with a calendar."""

import pytest

from support.widgets import JQUERY_UI, REACT, linked

pytestmark = [pytest.mark.e2e, pytest.mark.issue(18)]

FLATPICKR = ("flatpickr/dist/flatpickr.min.js", "flatpickr/dist/flatpickr.min.css")


@pytest.fixture
def show(browser, site):
    """Serve a page with libraries and go there."""

    def go(html: str, *files: str):
        browser.post("goto", site.page("/dates", (linked(site, *files) if files else "") + html))
        return browser

    return go


@pytest.mark.parametrize(
    ("kind", "typed", "held"),
    [
        ("date", "2026-12-24", "2026-12-24"),
        ("time", "18:30", "18:30"),
        ("time", "18:30:00", "18:30:00"),
        ("datetime-local", "2026-12-24T18:30", "2026-12-24T18:30"),
        ("datetime-local", "2026-12-24 18:30", "2026-12-24T18:30"),
        ("month", "2026-12", "2026-12"),
        ("week", "2026-W52", "2026-W52"),
        ("color", "#FF8800", "#ff8800"),
        ("range", "73", "73"),
    ],
)
def test_fill_sets_a_field_of_the_browser(show, kind, typed, held):
    page = show(f"<input id=a type={kind} onchange='told = 1'>")

    page.ok("fill", "#a", typed)

    assert page.ok("js", "a.value + told").page == f"{held}1"


@pytest.mark.parametrize(
    ("html", "typed", "said"),
    [
        ("type=date value=2026-01-02", "tomorrow", "takes a day, 2026-12-24, not 'tomorrow'; "
         "it holds 2026-01-02 now"),
        ("type=date", "24.12.2026", "takes a day, 2026-12-24, not '24.12.2026'; it holds nothing"),
        ("type=date", "2026-02-30", "takes a day, 2026-12-24"),
        ("type=time", "6:30 pm", "takes a time, 18:30"),
        ("type=datetime-local", "2026-12-24", "takes a day and a time, 2026-12-24T18:30"),
        ("type=month", "December", "takes a month, 2026-12"),
        ("type=week", "52", "takes a week, 2026-W52"),
        ("type=color", "orange", "takes a colour, #ff8800"),
        ("type=range min=10 max=20 step=5", "33", "a number, one from 10 to 20"),
        ("type=range min=10 max=20 step=5 value=10", "13", "it holds 15 now"),
        ("readonly", "2026-12-24", "shows no calendar that can be read"),
        ("readonly", "words", "it cannot be edited"),
    ],
)  # fmt: skip
def test_fill_says_what_a_field_takes(show, html, typed, said):
    told = show(f"<input id=a {html}>").browse("fill", "#a", typed, "--json").json

    assert told["code"] == "not-actionable"
    assert said in told["error"]


@pytest.mark.parametrize("day", ["2026-12-24", "2025-02-01", "2027-08-31"])
@pytest.mark.parametrize(
    ("files", "html", "shown"),
    [
        (FLATPICKR, "<input id=a><script>flatpickr('#a', { defaultDate: '2026-11-18' })</script>",
         "{0}-{1:02}-{2:02}"),
        (JQUERY_UI, "<input id=a readonly value=11/18/2026><script>$('#a').datepicker()</script>",
         "{1:02}/{2:02}/{0}"),
        (JQUERY_UI, "<input id=a readonly value=11/18/2026><script>"
         "$('#a').datepicker({ numberOfMonths: 2, changeMonth: true, showOtherMonths: true })"
         "</script>", "{1:02}/{2:02}/{0}"),
    ],
)  # fmt: skip
def test_fill_operates_the_calendar_of_a_field_that_takes_no_text(show, files, html, shown, day):
    page = show(html, *files)

    ran = page.ok("fill", "#a", day)

    value = shown.format(*map(int, day.split("-")))
    assert page.ok("js", "a.value").page == value
    assert value == day or ran.page.splitlines()[0] == f"value: {value}"


# A calendar whose months come 300 ms after its buttons are pressed, in another language.
HAND_MADE = """<html lang=de><input id=a readonly onclick="box.hidden = false; draw()">
<div id=box role=dialog hidden><button aria-label=Zurück class=prev onclick="turn(-1)">&lt;</button>
<b id=head></b><button aria-label=Vor class=next onclick="turn(1)">&gt;</button>
<table role=grid><tbody id=body></table></div><script>
let at = new Date(2026, 10, 1)
const draw = () => {
  head.textContent = at.toLocaleDateString('de', { month: 'long', year: 'numeric' })
  const first = new Date(at.getFullYear(), at.getMonth(), 1 - (at.getDay() + 6) % 7)
  body.replaceChildren(...Array.from({ length: 6 }, (_, week) => {
    const row = document.createElement('tr')
    for (let day = 0; day < 7; day += 1) {
      const it = new Date(first.getFullYear(), first.getMonth(), first.getDate() + week * 7 + day)
      const cell = row.insertCell()
      cell.textContent = it.getDate()
      cell.onclick = () => { a.value = it.toLocaleDateString('de'); box.hidden = true }
    }
    return row }))
}
const turn = (by) => setTimeout(() => { at.setMonth(at.getMonth() + by); draw() }, 300)
</script>"""


@pytest.mark.parametrize("in_frame", [False, True])
@pytest.mark.parametrize(
    ("day", "value"), [("2027-01-01", "1.1.2027"), ("2026-11-30", "30.11.2026")]
)
def test_fill_operates_a_calendar_that_says_little_and_is_late(show, site, in_frame, day, value):
    page = show(f"<iframe src={site.page('/inner', HAND_MADE)} width=500 height=400></iframe>"
                if in_frame else HAND_MADE)  # fmt: skip

    ran = page.ok("fill", "iframe >>> #a" if in_frame else "#a", day)

    assert ran.page == f"value: {value}"


def test_fill_says_that_a_calendar_does_not_offer_the_day(show):
    page = show("<input id=a readonly value=11/18/2026><script>"
                "$('#a').datepicker({ maxDate: new Date(2026, 10, 20) })</script>",
                *JQUERY_UI)  # fmt: skip

    later = page.browse("fill", "#a", "2026-12-24", "--json").json
    disabled = page.browse("fill", "#a", "2026-11-24", "--json").json

    assert "does not turn to that month; it shows 2026-11 now" in later["error"]
    assert "that day cannot be chosen" in disabled["error"]
    assert page.ok("js", "a.value").page == "11/18/2026"


def test_fill_types_into_a_date_picker_that_takes_text(show):
    page = show("<div id=root></div><script>widgets.show(widgets.ReactDate, { id: 'a' })</script>",
                REACT)  # fmt: skip

    page.ok("fill", "#a", "12/24/2026")
    page.ok("press", "Enter")

    assert page.ok("js", "document.querySelector('#a').value").page == "12/24/2026"


def test_fill_sets_the_parts_of_a_date(show):
    page = show("<div id=root></div><script>widgets.show(widgets.MuiDate, { label: 'Due' })"
                "</script>", REACT)  # fmt: skip
    parts = ["Month", "Day", "Year"]
    refs = {it: f'role=spinbutton[name="{it}"]' for it in parts}

    for part, value in zip(parts, ["12", "24", "2026"], strict=True):
        page.ok("fill", refs[part], value)
    told = page.browse("fill", refs["Day"], "77", "--json").json

    assert told["code"] == "unmet"
    assert page.ok("js", "document.querySelector('input').value").page == "12/07/2026"  # not 0007


def test_fill_reads_back_what_a_mask_makes_of_a_value(show):
    page = show("<input id=a><script>IMask(a, { mask: '00/00/0000' })</script>",
                "imask/dist/imask.min.js")  # fmt: skip

    ran = page.ok("fill", "#a", "12242026")

    assert ran.page == "value: 12/24/2026"


def test_fill_leaves_the_open_calendar_of_another_field_alone(show):
    days = "".join(f"<td>{day}" for day in range(1, 32))
    page = show(f"""<input id=a readonly><input id=b readonly><div id=c></div><script>
    const open = (field) => setTimeout(() => {{
      const one = document.createElement('table')
      one.innerHTML = '<caption>December 2026</caption><tr>{days}'
      one.onclick = (event) => {{ field.value = `2026-12-${{event.target.textContent}}` }}
      c.append(one) }}, 50)
    for (const field of [a, b]) field.onclick = () => open(field)</script>""")
    page.ok("click", "#a", "--expect", "table")

    page.ok("fill", "#b", "2026-12-24")

    assert page.ok("js", "`${a.value} ${b.value}`").page == " 2026-12-24"
