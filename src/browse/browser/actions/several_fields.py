"""Check fields before several are filled in one call, so that none is filled in vain."""

from browse.browser.elements.element import Element
from browse.browser.page import scripts

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
    facts = await field.facts()
    if facts.tag == "select":
        raise _no_field(field, f"browse select {field.word} <option>")
    if facts.tag == "input" and facts.type in OTHERS:
        raise _no_field(field, f"{OTHERS[facts.type]} {field.word}")
    if not await scripts.STATE(field.handle, state="editable"):
        raise field.not_actionable(
            "is disabled, read-only or no field; no field was filled",
            "look at it with `browse snapshot -i`",
        )


def _no_field(field: Element, instead: str) -> Exception:
    return field.not_actionable("is not filled with text; no field was filled", instead)
