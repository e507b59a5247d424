"""What becomes of a caller's JavaScript before it runs."""

import pytest

from browse.browser.reading.evaluate import runnable


@pytest.mark.parametrize(
    "script",
    [
        "document.title",
        "const x = 1; x + 1",
        "awaiting",
        "1 // await",
        "/* await */ 1",
        "'await'",
        "",
    ],
)
def test_a_script_without_await_is_left_as_it_is(script):
    assert runnable(script) == script


def test_an_awaited_expression_gives_its_value():
    assert runnable("await fetch('/x')") == "(async () => (\nawait fetch('/x')\n))()"


@pytest.mark.parametrize(
    "script", ["await f(); return 1", "const x = await f()\nreturn x", "if (await f()) g()"]
)
def test_awaiting_statements_become_the_body_of_a_function(script):
    assert runnable(script) == f"(async () => {{\n{script}\n}})()"


def test_a_semicolon_in_a_string_is_no_statement():
    assert runnable('await fetch("/a;b")').startswith("(async () => (\n")


def test_a_comment_at_the_end_does_not_swallow_the_wrapper():
    assert runnable("await f() // done").endswith("\n))()")
