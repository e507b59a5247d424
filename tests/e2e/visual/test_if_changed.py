"""`screenshot --if-changed`: no second picture of the same."""

from pathlib import Path

import pytest

pytestmark = [pytest.mark.e2e, pytest.mark.issue(15)]


@pytest.fixture
def page(browser, site):
    browser.ok("goto", site.page("/picture", "<h1 id=a>Tea</h1><p id=b>Milk"))
    return browser


@pytest.mark.parametrize("flags", [[], ["--viewport"], ["--clip", "0,0,50,50"], ["#a"]])
def test_the_same_picture_is_not_saved_again(page, flags):
    first = page.ok("screenshot", *flags, "one.png", "--json").json["path"]
    second = Path(first).with_name("never.png")

    ran = page.ok("screenshot", *flags, "never.png", "--if-changed")

    assert ran.out == f"Not changed: the last picture is the same: {first}\n"
    assert not second.exists()


def test_a_changed_picture_is_saved_and_the_next_is_compared_with_it(page):
    page.ok("screenshot", "one.png")
    page.ok("js", "a.textContent = 'Coffee'")

    second = page.ok("screenshot", "two.png", "--if-changed", "--json").json["path"]
    third = page.ok("screenshot", "three.png", "--if-changed", "--json").json

    assert Path(second).exists()
    assert third == {"path": second, "changed": False}


def test_a_picture_of_something_else_is_saved(page):
    page.ok("screenshot", "#a", "one.png")

    assert "Screenshot saved" in page.ok("screenshot", "#b", "two.png", "--if-changed").out
    assert "Screenshot saved" in page.ok("screenshot", "three.png", "--if-changed").out


def test_a_printed_picture_is_compared_too(page):
    page.ok("screenshot", "--viewport", "--base64")

    ran = page.ok("screenshot", "--viewport", "--base64", "--if-changed")

    assert ran.out == "Not changed: the last picture is the same\n"
