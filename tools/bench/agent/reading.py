"""Tasks in which something must be found out."""

# ruff: noqa: E501 - an element of a page on a line of its own reads best
import random
from collections.abc import Sequence

from tools.bench.agent.drivers import Driver
from tools.bench.agent.scenes import WORDS, Scene, some, task

LIST = "<ul id=list></ul>"
MAX_READS = 10
SHOW = "const show = (found) => list.innerHTML = found.map((it) => '<li>' + it).join('')"


def _paragraph(luck: random.Random) -> Scene:
    names = some(luck, 4)
    words = " ".join(f"The {name} has room for {luck.randint(20, 90)}." for name in names)
    html = f"<h1>Halls</h1><p id=p>{words}</p>"
    return Scene(
        html, words.split(f"{names[2]} has room for ")[1].split(".")[0], {"name": names[2]}
    )


@task(_paragraph)
def read_a_fact(agent: Driver, want: dict[str, str]) -> str:
    return agent.text().split(f"{want['name']} has room for ")[-1].split(".")[0]


def _table(luck: random.Random) -> Scene:
    names = some(luck, 6)
    prices = {name: str(luck.randint(100, 999)) for name in names}
    rows = "".join(f"<tr><td>{name}<td>{price}" for name, price in prices.items())
    return Scene(
        f"<table><tr><th>Name<th>Price{rows}</table>", prices[names[4]], {"name": names[4]}
    )


@task(_table)
def read_a_table(agent: Driver, want: dict[str, str]) -> str:
    return _after(agent.text(), want["name"])


def _tabs(luck: random.Random) -> Scene:
    names, number = some(luck, 3), str(luck.randint(100, 999))
    heads = "".join(
        f"<button role=tab onclick=\"panel.textContent = '{name}: {number if name == names[2] else 7}'\">{name}</button>"
        for name in names
    )
    html = f"<div role=tablist>{heads}</div><div role=tabpanel id=panel>Choose</div>"
    return Scene(html, number, {"name": names[2]})


@task(_tabs)
def read_behind_a_tab(agent: Driver, want: dict[str, str]) -> str:
    said = agent.act_and_read(("click", agent.find("tab", want["name"])), selector="#panel")
    return _after(said, f"{want['name']}:")


def _details(luck: random.Random) -> Scene:
    names, number = some(luck, 4), str(luck.randint(100, 999))
    parts = "".join(
        f"<details><summary>{name}</summary><p>Code {number if name == names[1] else 5}</p></details>"
        for name in names
    )
    return Scene(f"<main>{parts}</main>", number, {"name": names[1]})


@task(_details)
def unfold_and_read(agent: Driver, want: dict[str, str]) -> str:
    target = agent.find(".*", want["name"]) or f"text={want['name']}"
    said = agent.act_and_read(("click", target), selector="main")
    return _after(said, f"{want['name']}").replace("Code", "").strip() or _after(said, "Code")


def _search(luck: random.Random) -> Scene:
    names = some(luck, 8)
    items = [f"{name} {luck.randint(100, 999)}" for name in names]
    html = (
        "<label>Search <input id=q></label><button onclick=\"fetch('/find?q=' + q.value).then((r) => "
        f'r.json()).then(show)">Go</button>{LIST}<script>{SHOW}</script>'
    )
    expected = items[5].split()[1]
    return Scene(html, expected, {"name": names[5]}, answers={"/find": items})


@task(_search)
def search_and_read(agent: Driver, want: dict[str, str]) -> str:
    fill = ("fill", agent.find("textbox", "Search"), want["name"])
    said = agent.act_and_read(fill, ("click", agent.find("button", "Go")), selector="#list")
    return _after(_until(agent, said, "#list", [want["name"]]), want["name"])


def _pager(luck: random.Random) -> Scene:
    items = some(luck, 9)
    html = (
        f"{LIST}<button id=next>Next</button><script>{SHOW}; let page = 1; const load = () => "
        "fetch('/items?page=' + page).then((r) => r.json()).then((found) => {show(found); "
        "next.disabled = page === 3}); next.onclick = () => {page++; load()}; load()</script>"
    )
    return Scene(html, " ".join(items), answers={"/items": items})


@task(_pager)
def collect_from_three_pages(agent: Driver, want: dict[str, str]) -> str:
    following = ("click", agent.find("button", "Next"))
    pages = [_until(agent, agent.text("#list"), "#list", WORDS)]
    pages += [agent.act_and_read(following, selector="#list") for _ in range(2)]
    return " ".join(word for page in pages for word in page.split() if word in WORDS)


def _more(luck: random.Random) -> Scene:
    items = [f"{name} {luck.randint(100, 999)}" for name in some(luck, 9)]
    html = (
        f"{LIST}<button id=more>Load more</button><script>let page = 0; more.onclick = () => fetch("
        "'/items?page=' + ++page).then((r) => r.json()).then((found) => found.forEach((it) => "
        "list.insertAdjacentHTML('beforeend', '<li>' + it))); more.click()</script>"
    )
    name, number = items[7].split()
    return Scene(html, number, {"name": name}, answers={"/items": items})


@task(_more)
def load_more_until_it_is_there(agent: Driver, want: dict[str, str]) -> str:
    more = ("click", agent.find("button", "Load more"))
    for _ in range(4):
        said = agent.act_and_read(more, selector="#list")
        if want["name"] in said:
            return _after(said, want["name"])
    return ""


def _sorted(luck: random.Random) -> Scene:
    names = some(luck, 5)
    rows = {name: luck.randint(100, 999) for name in names}
    cells = "".join(f"<tr><td>{name}<td>{price}" for name, price in rows.items())
    script = (
        "b.onclick = () => [...body.rows].sort((x, y) => x.cells[1].textContent - y.cells[1].textContent)"
        ".forEach((row) => body.append(row))"
    )
    html = (
        f"<table><thead><tr><th>Name<th><button id=b>Price</button></thead><tbody id=body>{cells}</tbody>"
        f"</table><script>{script}</script>"
    )
    return Scene(html, min(rows, key=lambda name: rows[name]))


@task(_sorted)
def sort_and_read_the_first(agent: Driver, want: dict[str, str]) -> str:
    said = agent.act_and_read(("click", agent.find("button", "Price")), selector="tbody")
    return next(word for word in said.split() if word in WORDS)


def _suggestions(luck: random.Random) -> Scene:
    names = some(luck, 6)
    html = (
        "<label>City <input id=q role=combobox oninput=\"fetch('/find?q=' + q.value).then((r) => r.json())"
        ".then((found) => o.innerHTML = found.map((it) => '<div role=option>' + it + '</div>').join(''))\">"
        "</label><div role=listbox id=o></div><p id=said></p><script>o.onclick = (e) => {"
        "said.textContent = 'Chosen: ' + e.target.textContent; done(e.target.textContent)}</script>"
    )
    return Scene(
        html,
        f"{names[2]} Town",
        {"name": names[2]},
        answers={"/find": [f"{n} Town" for n in names]},
    )


@task(_suggestions)
def choose_a_suggestion(agent: Driver, want: dict[str, str]) -> str:
    agent.act(("fill", agent.find("combobox|textbox", "City"), want["name"]), look=True)
    if not agent.find("option", want["name"]):
        agent.look()
    option = agent.find("option", want["name"]) or f"text={want['name']} Town"
    return agent.act_and_read(("click", option), selector="#said")


def _values(luck: random.Random) -> Scene:
    number = str(luck.randint(1000, 9999))
    html = (
        f"<label>Order <input value={number} readonly></label><label>Name <input value=x></label>"
    )
    return Scene(html, number)


@task(_values)
def read_a_field(agent: Driver, want: dict[str, str]) -> str:
    row = next(row for row in agent.rows.values() if "Order" in row.name)
    found = "".join(char for char in row.rest.rpartition(":")[2] if char.isdecimal())
    return found or _after(agent.html(), "value=").strip('"').split('"')[0]


def _toast(luck: random.Random) -> Scene:
    number = str(luck.randint(1000, 9999))
    html = (
        f"<button onclick=\"setTimeout(() => said.textContent = 'Your number is {number}', 120)\">"
        "Register</button><p role=alert id=said></p>"
    )
    return Scene(html, number)


@task(_toast)
def read_a_message_that_appears(agent: Driver, want: dict[str, str]) -> str:
    said = agent.act_and_read(("click", agent.find("button", "Register")), selector="#said")
    return _after(_until(agent, said, "#said", ["number is"]), "number is")


def _shadow(luck: random.Random) -> Scene:
    names = some(luck, 4)
    buttons = "".join(f"<button data-n={name}>{name}</button>" for name in names)
    html = (
        f"<shop-card></shop-card><p id=said></p><script>customElements.define('shop-card', class extends "
        "HTMLElement { connectedCallback() { const root = this.attachShadow({mode: 'open'}); "
        f"root.innerHTML = '{buttons}'; root.addEventListener('click', (e) => {{ said.textContent = "
        "'Done'; done(e.target.dataset.n) }) } })</script>"
    )
    return Scene(html, names[2], {"name": names[2]})


@task(_shadow)
def press_in_a_shadow_root(agent: Driver, want: dict[str, str]) -> str:
    return agent.act_and_read(("click", agent.find("button", want["name"])), selector="#said")


def _count(luck: random.Random) -> Scene:
    unread = luck.randint(2, 6)
    rows = [f"<li>{name} {'(new)' if at < unread else ''}" for at, name in enumerate(some(luck, 8))]
    luck.shuffle(rows)
    return Scene(f"<h1>Inbox</h1><ul id=list>{''.join(rows)}</ul>", str(unread))


@task(_count)
def count_what_is_new(agent: Driver, want: dict[str, str]) -> str:
    return str(agent.text("#list").count("(new)"))


def _until(agent: Driver, said: str, selector: str, words: Sequence[str]) -> str:
    """Read again until one of the words is there: on a busy machine a page may be late."""
    for _ in range(MAX_READS):
        if any(word in said for word in words):
            break
        said = agent.text(selector)
    return said


def _after(said: str, words: str) -> str:
    """Return the first number after some words, or the next word."""
    rest = said.partition(words)[2].split()
    numbers = [word.strip('.,"') for word in rest if word.strip('.,"').isdecimal()]
    return numbers[0] if numbers else (rest[0] if rest else "")
