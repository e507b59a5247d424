"""Tasks in which something must be pressed, filled or chosen."""

# ruff: noqa: E501 - an element of a page on a line of its own reads best
import random

from tools.bench.agent.drivers import Driver
from tools.bench.agent.scenes import WORDS, Scene, some, task

DONE = "<p role=status id=said></p><script>var tell = (v) => {said.textContent = 'Done: ' + v; done(v)}</script>"
SAID = "#said"


def _buttons(luck: random.Random) -> Scene:
    names = some(luck, 6)
    html = "".join(f"<button onclick=\"tell('{name}')\">{name}</button> " for name in names)
    return Scene(f"<h1>Pick one</h1>{html}{DONE}", names[3], {"name": names[3]})


@task(_buttons)
def press_a_button(agent: Driver, want: dict[str, str]) -> str:
    return agent.act_and_read(("click", agent.find("button", want["name"])), selector=SAID)


def _links(luck: random.Random) -> Scene:
    names = some(luck, 5)
    links = "".join(f"<li><a href=/{name.lower()}>{name}</a>" for name in names)
    there = f"<h1>{names[2]}</h1><p id=said>Welcome</p><script>done('{names[2]}')</script>"
    return Scene(f"<ul>{links}</ul>", names[2], {"name": names[2]}, {f"/{names[2].lower()}": there})


@task(_links)
def follow_a_link(agent: Driver, want: dict[str, str]) -> str:
    return agent.act_and_read(("click", agent.find("link", want["name"])), selector=SAID)


def _form(luck: random.Random, labels: list[str]) -> Scene:
    values = [f"{word} {luck.randint(10, 99)}" for word in some(luck, len(labels))]
    fields = "".join(
        f"<p><label>{label} <input name=f{at}></label>" for at, label in enumerate(labels)
    )
    html = f"<form method=post action=/send>{fields}<button>Send</button></form>"
    return Scene(html, " ".join(values), dict(zip(labels, values, strict=True)))


def _fill_and_send(agent: Driver, want: dict[str, str]) -> str:
    steps = [("fill", agent.find("textbox", label), value) for label, value in want.items()]
    return agent.act_and_read(*steps, ("click", agent.find("button", "Send")), selector="h1")


@task(lambda luck: _form(luck, ["User", "Code"]))
def log_in(agent: Driver, want: dict[str, str]) -> str:
    return _fill_and_send(agent, want)


@task(lambda luck: _form(luck, ["First name", "Last name", "Company", "City"]))
def fill_a_form(agent: Driver, want: dict[str, str]) -> str:
    return _fill_and_send(agent, want)


@task(lambda luck: _form(luck, ["Street", "Number", "Floor", "Town", "Region", "Postcode", "Note"]))
def fill_a_long_form(agent: Driver, want: dict[str, str]) -> str:
    return _fill_and_send(agent, want)


def _choices(luck: random.Random) -> Scene:
    names = some(luck, 4)
    options = "".join(f"<option>{name}" for name in names)
    html = f'<label>Colour <select id=s>{options}</select></label><button onclick="tell(s.value)">Save</button>'
    return Scene(html + DONE, names[2], {"name": names[2]})


@task(_choices)
def choose_in_a_select(agent: Driver, want: dict[str, str]) -> str:
    chosen = ("select", agent.find("combobox", "Colour"), want["name"])
    return agent.act_and_read(chosen, ("click", agent.find("button", "Save")), selector=SAID)


def _boxes(luck: random.Random) -> Scene:
    names = some(luck, 5)
    picked = sorted(luck.sample(names, 2))
    boxes = "".join(f"<label><input type=checkbox value={name}>{name}</label> " for name in names)
    script = "tell([...document.querySelectorAll(':checked')].map((b) => b.value).sort().join(' '))"
    html = f'{boxes}<button onclick="{script}">Save</button>{DONE}'
    return Scene(html, " ".join(picked), {"one": picked[0], "two": picked[1]})


@task(_boxes)
def check_boxes(agent: Driver, want: dict[str, str]) -> str:
    steps = [("check", agent.find("checkbox", name)) for name in want.values()]
    return agent.act_and_read(*steps, ("click", agent.find("button", "Save")), selector=SAID)


def _menu(luck: random.Random, row: str) -> Scene:
    names = some(luck, 5)
    rows = "".join(row.format(name=name) for name in names)
    html = (
        '<button onclick="m.hidden = false">Actions</button>'
        f"<div id=m hidden>{rows}</div>{DONE}"
        "<script>m.onclick = (e) => e.target.dataset.n && tell(e.target.dataset.n)</script>"
    )
    return Scene(html, names[3], {"name": names[3]})


def _from_menu(agent: Driver, want: dict[str, str]) -> str:
    agent.act(("click", agent.find("button", "Actions")), look=True)
    if not agent.find("menuitem|clickable", want["name"]):
        agent.look()
    item = agent.find("menuitem|clickable", want["name"])
    return agent.act_and_read(("click", item or f"text={want['name']}"), selector=SAID)


@task(lambda luck: _menu(luck, "<div role=menuitem tabindex=-1 data-n={name}>{name}</div>"))
def choose_in_a_menu(agent: Driver, want: dict[str, str]) -> str:
    return _from_menu(agent, want)


@task(lambda luck: _menu(luck, "<div style=cursor:pointer data-n={name}>{name}</div>"))
def choose_in_a_menu_without_roles(agent: Driver, want: dict[str, str]) -> str:
    return _from_menu(agent, want)


ICONS = {
    "font": '<i class="fa fa-{icon}"></i>',
    "sprite": '<svg width=16 height=16><use href="/icons.svg#icon-{icon}"></use></svg>',
    "picture": "<img src=/icons/{icon}.png width=16 height=16>",
    "class": '<span class="icon icon-{icon}" style="display:inline-block;width:16px;height:16px"></span>',
}


def _icons(luck: random.Random, form: str) -> Scene:
    icons = luck.sample(["trash", "edit", "save", "copy", "share", "print"], 5)
    buttons = "".join(
        f"<button onclick=\"tell('{icon}')\">{ICONS[form].format(icon=icon)}</button> "
        for icon in icons
    )
    return Scene(buttons + DONE, icons[2], {"icon": icons[2]})


def _press_icon(agent: Driver, want: dict[str, str]) -> str:
    target = agent.hinted(want["icon"])
    if not target:  # nothing says what the buttons are: the source does
        buttons = agent.html().split("<button")[1:]
        place = next(
            at for at, it in enumerate(buttons) if want["icon"] in it.partition("</button>")[0]
        )
        target = [row.ref for row in agent.rows.values() if row.role == "button"][place]
    return agent.act_and_read(("click", target), selector=SAID)


@task(lambda luck: _icons(luck, "font"))
def press_an_icon_of_a_font(agent: Driver, want: dict[str, str]) -> str:
    return _press_icon(agent, want)


@task(lambda luck: _icons(luck, "sprite"))
def press_an_icon_of_a_sprite(agent: Driver, want: dict[str, str]) -> str:
    return _press_icon(agent, want)


@task(lambda luck: _icons(luck, "picture"))
def press_a_picture(agent: Driver, want: dict[str, str]) -> str:
    return _press_icon(agent, want)


@task(lambda luck: _icons(luck, "class"))
def press_an_icon_by_class(agent: Driver, want: dict[str, str]) -> str:
    return _press_icon(agent, want)


def _rows(luck: random.Random) -> Scene:
    names = some(luck, 5)
    rows = "".join(
        f"<tr><td>{name}<td><button onclick=\"tell('{name}')\">Delete</button>" for name in names
    )
    return Scene(f"<table>{rows}</table>{DONE}", names[3], {"name": names[3]})


@task(_rows)
def delete_one_of_several_rows(agent: Driver, want: dict[str, str]) -> str:
    rows = [word for word in agent.text("table").split() if word in WORDS]
    buttons = [row.ref for row in agent.rows.values() if "Delete" in row.name]
    return agent.act_and_read(("click", buttons[rows.index(want["name"])]), selector=SAID)


def _dialog(luck: random.Random) -> Scene:
    name = some(luck, 1)[0]
    html = (
        f"<button onclick=d.showModal()>Remove {name}</button><dialog id=d><p>Are you sure?</p>"
        f"<button onclick=\"tell('{name}'); d.close()\">Yes, remove</button>"
        f"<button onclick=d.close()>Cancel</button></dialog>{DONE}"
    )
    return Scene(html, name)


@task(_dialog)
def confirm_in_a_dialog(agent: Driver, want: dict[str, str]) -> str:
    agent.act(("click", agent.find("button", "Remove")), look=True)
    return agent.act_and_read(("click", agent.find("button", "Yes")), selector=SAID)


def _calendar(luck: random.Random) -> Scene:
    day = luck.randint(10, 28)
    days = "".join(f'<button onclick="pick({n})">{n}</button>' for n in range(1, 31))
    html = (
        '<label>Date <input id=i readonly onclick="c.hidden = false"></label>'
        f"<div id=c hidden><button onclick=\"m++; h.textContent = 'Month ' + m\">Next month</button>"
        f"<b id=h>Month 4</b><div>{days}</div></div>{DONE}"
        "<script>let m = 4; const pick = (n) => {i.value = m + '/' + n; c.hidden = true; tell(i.value)}</script>"
    )
    return Scene(html, f"5/{day}", {"day": str(day)})


@task(_calendar)
def pick_a_date(agent: Driver, want: dict[str, str]) -> str:
    agent.act(("click", agent.find("textbox", "Date")), look=True)
    days = [row for row in agent.rows.values() if row.name == want["day"]]
    following = agent.find("button", "Next month")
    return agent.act_and_read(("click", following), ("click", days[0].ref), selector=SAID)


def _stepper(luck: random.Random) -> Scene:
    count = luck.randint(3, 6)
    html = (
        "<b id=n>0</b><button onclick=n.textContent++>More</button>"
        f'<button onclick="tell(n.textContent)">Order</button>{DONE}'
    )
    return Scene(html, str(count), {"count": str(count)})


@task(_stepper)
def order_several(agent: Driver, want: dict[str, str]) -> str:
    steps = [("click", agent.find("button", "More"))] * int(want["count"])
    return agent.act_and_read(*steps, ("click", agent.find("button", "Order")), selector=SAID)


def _wizard(luck: random.Random) -> Scene:
    names = some(luck, 2)
    pages = {
        "/two": "<h1>Step 2</h1><label>Town <input id=t value=''></label><button onclick=\"location = '/three?' + t.value\">Next</button>",
        "/three": f'<h1>Step 3</h1><button onclick="tell(location.search.slice(1))">Finish</button>{DONE}',
    }
    html = "<h1>Step 1</h1><label>Name <input></label><button onclick=\"location = '/two'\">Next</button>"
    return Scene(html, names[1], {"name": names[0], "town": names[1]}, pages)


@task(_wizard)
def go_through_three_steps(agent: Driver, want: dict[str, str]) -> str:
    fill = ("fill", agent.find("textbox", "Name"), want["name"])
    agent.act(fill, ("click", agent.find("button", "Next")), look=True)
    fill = ("fill", agent.find("textbox", "Town"), want["town"])
    agent.act(fill, ("click", agent.find("button", "Next")), look=True)
    return agent.act_and_read(("click", agent.find("button", "Finish")), selector=SAID)


def _framed(luck: random.Random) -> Scene:
    names = some(luck, 4)
    inner = "".join(f"<button onclick=\"parent.tell('{name}')\">{name}</button>" for name in names)
    return Scene(
        f"<h1>Pay</h1><iframe src=/inner></iframe>{DONE}",
        names[1],
        {"name": names[1]},
        {"/inner": inner},
    )


@task(_framed)
def press_in_a_frame(agent: Driver, want: dict[str, str]) -> str:
    return agent.act_and_read(("click", agent.find("button", want["name"])), selector=SAID)


def _switch(luck: random.Random) -> Scene:
    names = some(luck, 4)
    rows = "".join(
        f"<div><button role=switch aria-checked=false aria-label='{name}' onclick=\"this.ariaChecked = true; tell('{name}')\"></button>{name}</div>"
        for name in names
    )
    return Scene(rows + DONE, names[2], {"name": names[2]})


@task(_switch)
def turn_a_switch_on(agent: Driver, want: dict[str, str]) -> str:
    return agent.act_and_read(("click", agent.find("switch", want["name"])), selector=SAID)


def _alert(luck: random.Random) -> Scene:
    name = some(luck, 1)[0]
    html = (
        "<label>Mail <input id=e></label><button onclick=\"e.value.includes('@') ? tell(e.value) : "
        f"said.textContent = 'Please enter an address with @'\">Subscribe</button>{DONE}"
    )
    return Scene(html, f"{name}@example.com", {"wrong": name, "right": f"{name}@example.com"})


@task(_alert)
def correct_a_field(agent: Driver, want: dict[str, str]) -> str:
    field, send = agent.find("textbox", "Mail"), ("click", agent.find("button", "Subscribe"))
    said = agent.act_and_read(("fill", field, want["wrong"]), send, selector=SAID)
    if "Please enter" not in said:
        return said
    return agent.act_and_read(("fill", field, want["right"]), send, selector=SAID)
