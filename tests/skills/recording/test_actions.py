import pytest

from browse.core.errors import BrowseError
from browse.flow.steps import Target
from browse.skills.recording.actions import Arguments, Deeds
from support.flows import BUTTON, COMMANDS, FIELD, URL, a_step

PIN = Target("#pin", "textbox", "Your PIN", "input", "#pin", secret=True)
GO = 'role=button[name="Go"s]'


def written(*steps):
    arguments = Arguments()
    deeds = Deeds(arguments)
    lines = [deeds.line(step, COMMANDS.find(step.command)) for step in steps]
    return lines, {given.name: given.default for given in arguments.given}


def test_what_was_typed_becomes_an_argument_named_after_its_field():
    lines, given = written(
        a_step(1, "fill", "@e1", "green", "tea", target=FIELD),
        a_step(2, "select", "#size", "big", target=Target("#size", "combobox", "", "", "#size")),
        a_step(3, "type", "@b1"),
    )

    assert lines == [
        """browse.fill('input[name="q"]', args["search_tea"])""",
        'browse.select("#size", args["size"])',
        'browse.type(args["size_2"])',
    ]
    assert given == {"search_tea": "green tea", "size": "big", "size_2": "@b1"}


def test_the_same_in_the_same_field_is_one_argument():
    step = a_step(1, "fill", "@e1", "tea", target=FIELD)

    lines, given = written(step, step, a_step(2, "fill", "@e1", target=FIELD))

    assert lines[0] == lines[1]
    assert lines[2] == """browse.fill('input[name="q"]', "")"""
    assert given == {"search_tea": "tea"}


def test_a_secret_must_be_given_each_time():
    lines, given = written(
        a_step(1, "fill", "#pin", "***", target=PIN), a_step(2, "fill", "#pin", "***", target=PIN)
    )

    assert lines == [
        'browse.fill("#pin", args["your_pin"])',
        'browse.fill("#pin", args["your_pin_2"])',
    ]
    assert given == {"your_pin": None, "your_pin_2": None}


@pytest.mark.parametrize("url", ["https://x.example/?token=***", "https://x.example/?api_key=abc"])
def test_an_address_with_a_secret_has_no_default(url):
    _, given = written(a_step(1, "goto", url))

    assert given == {"url": None}


def test_a_parameter_that_was_typed_before_follows_its_argument():
    lines, given = written(
        a_step(1, "fill", "@e1", "assam", target=FIELD), a_step(2, "goto", f"{URL}&page=2")
    )

    assert lines[1] == ('browse.goto(with_query(args["url"], {"q": args["search_tea"]}))')
    assert given["url"] == f"{URL}&page=2"


@pytest.mark.parametrize(
    ("step", "line"),
    [
        (a_step(1, "click", "@e2", "--double", "--modifiers", "Shift", target=BUTTON),
         f"browse.click('{GO}', \"--double\", \"--modifiers=Shift\")"),
        (a_step(1, "click", "--anyway", "--snapshot", "--json", "--tab-id=3", "@e2", target=BUTTON),
         f"browse.click('{GO}')"),
        (a_step(1, "press", "Enter"), 'browse.press("Enter")'),
        (a_step(1, "press", "Enter", "--on=@e2", targets={"on": BUTTON}),
         f"browse.command(\"press\", '--on={GO}', \"Enter\")"),
        (a_step(1, "drag", "#a", "#b", targets={"source": Target("#a", css="#a")}),
         'browse.command("drag", "#a", "#b")'),
        (a_step(1, "scroll", "--by", "0,600"), 'browse.scroll("--by=0,600")'),
        (a_step(1, "wait", "--text", "It's -- done", "--timeout", "3000"),
         'browse.wait("--text=It\'s -- done", "--timeout=3000")'),
        (a_step(1, "back"), 'browse.command("back")'),
    ],
)  # fmt: skip
def test_a_step_is_one_readable_call(step, line):
    assert written(step)[0] == [line]


@pytest.mark.parametrize(
    "step", [a_step(1, "click", "@e2"), a_step(1, "click", "@e2", target=Target("@e2"))]
)
def test_an_element_that_cannot_be_told_is_an_error_with_its_step(step):
    with pytest.raises(BrowseError, match=r"Step 1 of the recording \(click\) cannot be written"):
        written(step)
