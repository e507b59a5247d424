"""What is no field for text, and the check of several fields before the first is filled."""

import shlex

from browse.browser.elements.element import Element
from browse.browser.page import scripts
from browse.core.errors import BrowseError

# Inputs that no text is filled into, and the command for each.
OTHERS = {
    "checkbox": "browse check",
    "radio": "browse check",
    "file": "browse upload",
    "button": "browse click",
    "submit": "browse click",
    "reset": "browse click",
    "image": "browse click",
}


async def require_fillable(field: Element) -> None:
    """Raise if an element is no field that can be filled now."""
    if other := await other_command(field):
        raise no_text(field, other, "; no field was filled")
    if not await scripts.STATE(field.handle, state="editable"):
        raise field.not_actionable(
            "is disabled, read-only or no field; no field was filled",
            "look at it with `browse snapshot -i`",
        )


async def other_command(field: Element) -> str:
    """Return the command for what is no field for text, such as a select; "" for all others."""
    facts = await field.facts()
    word = shlex.quote(field.word)
    if facts.tag == "select":
        return f"browse select {word} <option>"
    other = OTHERS.get(facts.type, "") if facts.tag == "input" else ""
    return other and f"{other} {word}"


def no_text(field: Element, instead: str, more: str = "") -> BrowseError:
    """Build the error that names the command to type instead."""
    return field.not_actionable(f"is not filled with text{more}", instead)
