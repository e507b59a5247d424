"""Type, paste and press keys; the names of keys and their aliases."""

import re
import string
from typing import Literal

import msgspec
from playwright.async_api import Page

from browse.browser.actions.effects import ActionEffects
from browse.browser.driver_errors import translated
from browse.browser.page import scripts
from browse.browser.page.shapes import FocusedSecrets
from browse.browser.tabs.tab import Tab
from browse.core.errors import BrowseError, Code, Usage
from browse.core.text import nearest
from browse.guard.credentials import TYPED

INDENTED = re.compile(r"\n[ \t]+\S")
MODIFIERS = ("Shift", "Control", "Alt", "Meta", "ControlOrMeta")
_NAMES = """
    Enter Tab Escape Backspace Delete Insert Home End PageUp PageDown
    ArrowUp ArrowDown ArrowLeft ArrowRight CapsLock NumLock ScrollLock Pause PrintScreen ContextMenu
    AltGraph ShiftLeft ShiftRight ControlLeft ControlRight AltLeft AltRight MetaLeft MetaRight
    NumpadEnter
"""
_TYPING_NAMES = """
    Space Minus Equal Backquote Backslash Quote BracketLeft BracketRight Semicolon Comma Period
    Slash NumpadAdd NumpadSubtract NumpadMultiply NumpadDivide NumpadDecimal
"""
# Keys that put a character into a field, other than those that are called by it.
TYPING_KEYS = (
    *_TYPING_NAMES.split(),
    *(f"Key{letter}" for letter in string.ascii_uppercase),
    *(f"{row}{digit}" for row in ("Digit", "Numpad") for digit in range(10)),
)
KEY_NAMES = (
    *MODIFIERS,
    *_NAMES.split(),
    *TYPING_KEYS,
    *(f"F{number}" for number in range(1, 13)),
)
KEY_ALIASES = {
    "return": "Enter",
    "esc": "Escape",
    "del": "Delete",
    "ctrl": "Control",
    "cmd": "Meta",
    "command": "Meta",
    "option": "Alt",
    "up": "ArrowUp",
    "down": "ArrowDown",
    "left": "ArrowLeft",
    "right": "ArrowRight",
    " ": "Space",
}
_KNOWN = {name.lower(): name for name in KEY_NAMES} | KEY_ALIASES


def parse_keys(typed: str) -> str:
    """Parse a key or a combination such as `Control+a` or `Shift++` into the driver's form."""
    keys = [_parse_key(word) for word in _split(typed)]
    for name in keys[:-1]:
        if name not in MODIFIERS:
            raise Usage(
                f"{name} cannot be held while another key is pressed",
                hint=f"hold {', '.join(MODIFIERS)}, as in Control+A; press other keys one by one",
            )
    if "Shift" in keys[:-1] and len(keys[-1]) == 1:
        keys[-1] = keys[-1].upper()  # the driver does not apply Shift to a letter
    return "+".join(keys)


def parse_one_key(typed: str) -> str:
    """Parse the name of a single key into the driver's form."""
    key = parse_keys(typed)
    if key in MODIFIERS and key == "ControlOrMeta":
        return "Control"
    if len(_split(key)) > 1:
        raise Usage(f"{key} is more than one key", hint="hold them one after the other")
    return key


def _split(typed: str) -> list[str]:
    # The last plus of `Control++` is the key itself.
    held, _, key = typed[:-1].rpartition("+")
    return [*held.split("+"), key + typed[-1:]] if held else [typed]


def types_text(keys: str) -> bool:
    """Check whether keys, as the driver calls them, put a character into a field."""
    *held, key = _split(keys)
    return (len(key) == 1 or key in TYPING_KEYS) and not {*held} - {"Shift"}


def _parse_key(word: str) -> str:
    if len(word) == 1 and word.isascii() and word.isprintable() and word != " ":
        return word
    if name := _KNOWN.get(word.lower()):
        return name
    guess = nearest(word.lower(), list(_KNOWN))
    meant = f" Did you mean {_KNOWN[guess]}?" if guess else ""
    raise Usage(
        f"there is no key {word[:40]!r}.{meant}",
        hint="keys are a, 7, Enter, Tab, Escape, ArrowDown, F5, Control+A; "
        "for text use `browse type`",
    )


async def press(page: Page, keys: str, seen: ActionEffects) -> bool:
    """Press and release a key or combination in the focused element; True if it is a secret."""
    seen.looked = None
    with translated("pressing the key"):
        await page.keyboard.press(keys)
    return types_text(keys) and await _remember_secrets(page, seen)


async def hold(tab: Tab, key: str) -> bool:
    """Press a key and hold it; return whether what it types is a secret."""
    with translated("pressing the key"):
        await tab.page.keyboard.down(key)
    if key not in tab.held_keys:
        tab.held_keys.append(key)
    return types_text(key) and await _remember_secrets(tab.page)


async def release(tab: Tab, key: str | None) -> list[str]:
    """Release a key, or all; return those that were held."""
    released = [held for held in tab.held_keys if key in (None, held)]
    for held in released:
        with translated("releasing the key"):
            await tab.page.keyboard.up(held)
        tab.held_keys.remove(held)
    return released


NAVIGATING = FocusedSecrets(in_frame=False, secret=True, values=[])


class TypedText(msgspec.Struct, frozen=True):
    """How text was typed: whether it is a secret, and whether it was pasted as a whole.

    `lost`: the page has taken away what it was typed into, so that a part may have gone nowhere.
    """

    secret: bool
    whole: bool = False
    lost: bool = False


async def type_text(page: Page, text: str, seen: ActionEffects) -> TypedText:
    """Type text, key by key, into the focused element.

    Indented lines go into an editor at once: it would indent each by itself, as the one before.
    """
    if INDENTED.search(text) and (pasted := await _paste(page, text, seen, lines=True)):
        return pasted
    secret = (await _focused_secrets(page, typing="begins")).secret
    if secret:
        TYPED.add(text)
    with translated("typing"):
        await page.keyboard.type(text)
    now = await _focused_secrets(page, seen, typing="ends")
    # The key Enter at the end often sends a form, and takes the field away with it.
    return TypedText(now.secret or secret, lost=now.lost and not text.endswith("\n"))


async def paste(page: Page, text: str, seen: ActionEffects) -> TypedText:
    """Paste text into the focused element, without the clipboard."""
    if done := await _paste(page, text, seen, lines=False):
        return done
    raise BrowseError(
        Code.NOT_ACTIONABLE,
        "Nothing was pasted: no field has the focus, and the page does not take a paste.",
        hint="name the field: browse paste @e5 <text>",
    )


async def _paste(page: Page, text: str, seen: ActionEffects, *, lines: bool) -> TypedText | None:
    """Paste text in the frame that has the focus; None if nothing there takes it."""
    secret = await _remember_secrets(page)
    if secret:
        TYPED.add(text)
    for frame in page.frames:
        done = await scripts.PASTE(frame, text=text, lines=lines)
        if done == "left":
            with translated("pasting"):
                await page.keyboard.insert_text(text)
            await seen.run_last(scripts.PASTED, frame)
        if done in ("left", "taken"):
            return TypedText(await _remember_secrets(page) or secret, whole=True)
        if done not in ("frame", "lost"):
            return None
    return None


async def _remember_secrets(page: Page, seen: ActionEffects | None = None) -> bool:
    """Remember the value of the focused field if it is a secret; return whether it is.

    With `seen`, this is the end of an action.
    """
    return (await _focused_secrets(page, seen)).secret


async def _focused_secrets(
    page: Page, seen: ActionEffects | None = None, *, typing: Literal["", "begins", "ends"] = ""
) -> FocusedSecrets:
    """Do the same, and return all that is known of what has the focus."""
    lost = False
    for frame in page.frames:
        try:
            secrets = scripts.FOCUSED_SECRETS
            focused = await (
                seen.run_last(secrets, frame, typing=typing)
                if seen
                else secrets(frame, typing=typing)
            )
        except BrowseError:  # the page is navigating: the field may have held a secret
            return NAVIGATING
        for value in focused.values:
            TYPED.add(value)
        lost |= focused.lost
        if focused.secret or (not focused.in_frame and frame is page.main_frame):
            return focused
    return FocusedSecrets(in_frame=True, secret=False, values=[], lost=lost)
