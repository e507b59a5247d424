import pytest

from browse.flow.steps import Target
from browse.sdk.browse_client import Node, parse
from browse.skills.recording import pieces, places
from support.flows import PAGE

NAMES = {"Node": Node, "down": pieces.down}


def test_what_an_author_named_goes_first():
    assert places.selector(Target("text=Go", "button", "Go", "button", "#go")) == "#go"
    named = 'input[name="q"]'
    assert places.selector(Target("@e1", "searchbox", "Search", "input", named)) == named


def test_then_what_was_typed_then_role_and_name():
    assert places.selector(Target(".go", "button", "Go", "button", "button")) == ".go"
    lonely = Target("@e1", "button", 'Say "hi"', "button", "button")
    assert places.selector(lonely) == 'role=button[name="Say \\"hi\\""s]'


def test_of_several_alike_the_path_tells_which():
    css = "#list > li:nth-of-type(2) > button"

    assert places.selector(Target("@e1", "button", "Buy", "button", css)) == css


def test_frames_are_entered_on_the_way():
    inner = Target("@e1", "button", "Pay", "button", "#pay", ("iframe.a", "iframe"))

    assert places.selector(inner) == "iframe.a >>> iframe >>> #pay"


@pytest.mark.parametrize(
    "target", [Target("@e1"), Target("@e1", "button", "x" * 999), Target("@e1", "button", "a\0b")]
)
def test_an_element_of_which_nothing_is_known_has_no_selector(target):
    assert places.selector(target) == ""


@pytest.mark.parametrize(
    ("css", "tag"),
    [
        ("#prices", "table"),
        ("table", "table"),
        ("h1.top", "h1"),
        ('input[name="q"]', "input"),
        ('input[name="q"][type="search"]', "input"),
        ("#list > li:nth-of-type(2) > a", "a"),
        ("html > body > ul > li:nth-of-type(2)", "li"),
        ("#list a", "a"),
    ],
)
def test_the_code_finds_what_the_selector_means(css, tag):
    page, parts = parse(PAGE), places.path(css)
    found = places.find(page, parts)

    assert found is not None
    assert found.tag == tag
    assert eval(places.code(parts), {**NAMES, "page": page}) is found


def test_what_is_not_there_is_not_found_and_no_failure():
    parts = places.path("#none > li a")

    assert places.find(parse(PAGE), parts) is None
    assert eval(places.code(parts), {**NAMES, "page": parse(PAGE)}) is None


@pytest.mark.parametrize(
    "css",
    ["", "text=Go", "li:hover", "a, b", "li >", "#a\\:b", "role=button", "li:nth-of-type(2)"],
)
def test_what_a_script_cannot_look_for_is_left_to_the_browser(css):
    assert places.path(css) == ()


def test_attributes_that_are_no_words_of_python_are_spelled_out():
    parts = places.path('[data-testid="a\\"b"]')

    assert places.code(parts) == """page.first(**{"data-testid": 'a"b'})"""
