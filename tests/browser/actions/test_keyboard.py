"""The names of keys."""

from pathlib import Path

import playwright
import pytest

from browse.browser.actions.keyboard import KEY_NAMES, parse_keys, types_text
from browse.core.errors import Usage


@pytest.mark.parametrize(
    ("typed", "keys"),
    [
        ("Enter", "Enter"),
        ("enter", "Enter"),
        ("esc", "Escape"),
        (" ", "Space"),
        ("a", "a"),
        ("A", "A"),
        ("+", "+"),
        ("ctrl+Shift+t", "Control+Shift+T"),
        ("Control++", "Control++"),
        ("controlormeta+ARROWLEFT", "ControlOrMeta+ArrowLeft"),
        ("cmd+c", "Meta+c"),
        ("f12", "F12"),
        ("KeyA", "KeyA"),
    ],
)
def test_keys_are_spelled_as_the_driver_does(typed, keys):
    assert parse_keys(typed) == keys


@pytest.mark.parametrize(
    "keys",
    ["a", "7", "+", "Shift+A", "Shift++", "KeyA", "Shift+Digit7", "Numpad3", "Minus", "Space"],
)
def test_keys_that_type_something(keys):
    assert types_text(keys)


@pytest.mark.parametrize("keys", ["Enter", "Shift+Tab", "Control+a", "Alt+Shift+7", "F5", "Shift"])
def test_keys_that_type_nothing(keys):
    assert not types_text(keys)


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("Entr", "Did you mean Enter?"),
        ("Control+Escpae", "Did you mean Escape?"),
        ("é", "there is no key 'é'"),
        ("", "there is no key ''"),
        ("Control+", "there is no key 'Control+'"),
        ("+a", "there is no key '+a'"),
        ("a+b", "a cannot be held"),
        ("Hyper+a", "there is no key 'Hyper'"),
        ("hello", "there is no key 'hello'"),
    ],
)
def test_what_is_no_key_is_refused(typed, said):
    with pytest.raises(Usage) as caught:
        parse_keys(typed)

    assert said in caught.value.message
    assert "browse type" in caught.value.hint or "Control+A" in caught.value.hint


def test_the_driver_knows_every_name():
    bundle = Path(playwright.__file__).parent / "driver" / "package" / "lib" / "coreBundle.js"
    source = bundle.read_text("utf-8")
    layout = source[source.index("USKeyboardLayout = {") :]

    unknown = [
        name
        for name in KEY_NAMES
        if f'"{name}": {{' not in layout
        and f'["{name}"]' not in layout
        and f'key === "{name}"' not in source
    ]
    assert unknown == []
