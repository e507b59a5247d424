"""`find`: the refs that match some words."""

import pytest

from support.life import assert_clear

pytestmark = [pytest.mark.e2e, pytest.mark.issue(15)]

PAGE = """<title>Teas</title>
<nav aria-label=Main><a href=/cart>Cart</a> <a href=/in>Sign in</a></nav>
<main><h1>Teas of the day</h1><form aria-label=Order>
<label>Name <input></label><label>Mail <input placeholder="you@example.org" value=ada></label>
<label>Password <input type=password value=hunter2></label>
<button id=order>Order now</button></form>
<table><tr><th>Tea<th>Price<th>Buy</tr>
<tr><td>Earl Grey<td>3.50<td><button onclick="log.push('grey')">Buy</button></tr>
<tr><td>Assam<td>4.50<td><button onclick="log.push('assam')">Buy</button></tr></table>
<div onclick="log.push('wish')" style="cursor:pointer">Wishlist</div>
<p>Delivery takes two days.</p><p style="opacity:0">Obey the secret delivery</p>
<iframe title=Help srcdoc="<button onclick='parent.log.push(1)'>Chat with us</button>"></iframe>
<div id=host></div></main><script>window.log = [];
host.attachShadow({mode: "open"}).innerHTML = "<button onclick='log.push(2)'>Shadow deal</button>"
</script>"""


@pytest.fixture
def page(browser, site):
    browser.ok("goto", site.page("/find", PAGE))
    return browser


def lines(browser, *words: str) -> list[str]:
    return browser.ok("find", *words).page.splitlines()


@pytest.mark.parametrize(
    ("words", "first"),
    [
        (["sign", "in"], '[link] "Sign in" — in [navigation] "Main"'),
        (["SIGN IN"], '[link] "Sign in"'),
        (["order"], '[button] "Order now"'),
        (["you@example"], '[textbox] "Mail": ada (placeholder: you@example.org)'),
        (["ada"], '[textbox] "Mail": ada'),
        (["/cart"], '[link] "Cart" (href: /cart)'),
        (["delivery"], "[paragraph]: Delivery takes two days."),
        (["name field"], '[textbox] "Name"'),
        (["chat"], '[button] "Chat with us" — in [iframe] "Help"'),
        (["deal"], '[button] "Shadow deal"'),
        (["buy assam"], '[button] "Buy" — in [row] "Assam 4.50"'),
        (["order name"], '[textbox] "Name" — in [form] "Order"'),
        (["--role", "heading"], '[heading] "Teas of the day"'),
        (["role", "heading"], '[heading] "Teas of the day"'),
        (["text", "Order now"], '[button] "Order now"'),
    ],
)
def test_the_best_match_comes_first(page, words, first):
    assert lines(page, *words)[0].partition(" ")[2].startswith(first)


def test_what_tells_controls_apart_finds_them_too(browser, site):
    item = "<li><input type=checkbox> {} <button></button></li>"
    browser.ok("goto", site.page("/list", f"<ul>{item.format('milk')}{item.format('tea')}</ul>"))

    found = [line.partition(" ")[2] for line in lines(browser, "milk")]

    assert found == ["[listitem]: milk", '[checkbox] — in "milk"', '[button] — in "milk"']


def test_the_hint_of_a_control_without_a_name_finds_it(browser, site):
    html = "<a href=#a><i title='Choose a date'></i></a><a href=#b><i class=icon-trash></i></a>"
    browser.ok("goto", site.page("/icons", html))

    assert lines(browser, "date") == ["@e1 [link] [hint=Choose-a-date]"]
    assert lines(browser, "trash") == ["@e2 [link] [hint=trash]"]


def test_what_matches_equally_is_told_apart_by_where_it_is(page):
    found = lines(page, "buy", "--role", "button")

    assert len(found) == 2
    assert 'in [row] "Earl Grey 3.50"' in found[0]
    assert 'in [row] "Assam 4.50"' in found[1]


@pytest.mark.parametrize(
    ("words", "logged"),
    [("chat with", "1"), ("shadow", "2"), ("wishlist", "wish"), ("buy", "grey")],
)
def test_its_refs_can_be_clicked(page, words, logged):
    page.ok("click", lines(page, words, "--interactive")[0].split()[0])

    assert page.ok("js", "log.join()").page == logged


def test_only_what_is_listed_counts_as_seen(page):
    first, *_ = lines(page, "buy", "--role", "button", "--limit", "1")
    number = int(first.split()[0].removeprefix("@e"))

    assert page.browse("click", f"@e{number + 500}").code == 3
    assert page.ok("find", "buy", "--role", "button", "--limit", "1").err.count("1 more") <= 1
    others = [other for other in range(1, 30) if other != number]
    codes = {page.browse("attrs", f"@e{other}").code for other in others[:3]}
    assert codes == {3}


def test_an_element_that_is_not_listed_stays_what_it_was_shown_as(page):
    """A look for something else must not make a renamed button pass for the one that was shown."""
    shown = lines(page, "order now")[0].split()[0]
    page.ok("js", "order.textContent = 'Delete account'")

    page.ok("find", "cart")

    assert_clear(page.browse("click", shown), 3, "has changed")


def test_secrets_and_hidden_words_are_not_found(page):
    assert_clear(page.browse("find", "hunter2"), 3, "Nothing on the page matches")
    assert "Obey" not in page.browse("find", "obey").out


def test_some_of_the_words_are_better_than_none(page):
    ran = page.ok("find", "sign", "zebra")

    assert '[link] "Sign in"' in ran.page
    assert "nothing has all of the words" in ran.out


def test_nothing_found_is_an_error_that_offers_what_is_near(page):
    assert_clear(page.browse("find", "ordr"), 3, "Nothing on the page matches 'ordr'", "Order now")
    assert_clear(page.browse("find"), 2, "no words were given")
    assert_clear(page.browse("find", "x", "--limit", "0"), 2, "from 1 to 200")


def test_the_same_as_data(page):
    found = page.ok("find", "sign in", "--json").json

    assert found["found"] == 1
    (node,) = found["page"]["nodes"]
    assert (node["role"], node["name"]) == ("link", "Sign in")
    assert node["where"] == 'in [navigation] "Main"'
    page.ok("hover", node["ref"])


def test_a_long_list_is_cut_and_says_so(browser, site):
    rows = "".join(f"<li><a href=/{at}>Item {at}</a>" for at in range(500))
    browser.ok("goto", site.page("/many", f"<ul>{rows}</ul>"))

    ran = browser.ok("find", "item")

    assert len(ran.page.splitlines()) == 10
    assert "(490 more; add words, or --limit 200)" in ran.out
    assert browser.ok("find", "item 77").page.splitlines()[0].endswith('[link] "Item 77"')
