"""Fill in a login only where it belongs: a document of exactly its origin, fields that are seen.

The check and the filling are one run of a page script in the document that holds the fields. Keys
are not pressed: a page could move the focus to another document meanwhile.
"""

import base64
from collections.abc import Mapping, Sequence

from playwright.async_api import Frame

from browse.browser.driver_errors import translated
from browse.browser.page import scripts
from browse.browser.page.login_fields import LoginFields, Part
from browse.browser.tabs.tab import Tab
from browse.core.errors import BrowseError, Code
from browse.registry.results import inline_url

NAMES: dict[Part, str] = {"user": "user name", "password": "password", "code": "one-time code"}
NOTHING = "Nothing was typed"
# Between two fields a page may well go on by itself.
HARMLESS = ("ready", "none", "unseen")


async def find_fields(tab: Tab, origin: str) -> tuple[Frame, LoginFields]:
    """Find the document with the fields of a login of this origin; raise if there is none."""
    main = await scripts.FIND_LOGIN(tab.page.main_frame, origin=origin)
    if main.state == "ready":
        return tab.page.main_frame, main
    seen = [main]
    for frame in tab.page.frames[1:]:
        try:
            found = await scripts.FIND_LOGIN(frame, origin=origin)
        except BrowseError:
            continue  # it is gone, or does not answer: it cannot be filled
        if found.state == "ready" and main.state != "origin":
            return frame, found
        seen.append(found)
    with_fields = (it for it in seen[1:] if it.parts or it.state == "unseen")
    worst = main if main.state not in ("none", "ready") else next(with_fields, main)
    raise _refused(worst, origin, in_frame=worst is not main)


async def fill_fields(frame: Frame, origin: str, values: Mapping[Part, str]) -> list[Part]:
    """Fill the fields that are there now, after checking all of it again; return which."""
    encoded = {part: base64.b64encode(it.encode()).decode() for part, it in values.items()}
    try:
        done = await scripts.FILL_LOGIN(frame, origin=origin, values=encoded)
    except BrowseError as exc:
        # Nothing of the driver's message: it quotes what it was asked to do.
        raise BrowseError(
            exc.code,
            "The page went away or did not answer while the login was filled in.",
            hint="look at it with `browse snapshot -i`, and try again",
        ) from None
    if done.state in HARMLESS and done.parts:
        return done.parts
    so = f"Typed before that: {named(done.parts)}; nothing was sent" if done.parts else NOTHING
    raise _refused(done, origin, in_frame=False, so=so)


async def submit(tab: Tab, frame: Frame, origin: str) -> bool:
    """Press Enter in the field that was filled last; False if the page has moved on by itself."""
    try:
        now = await scripts.FIND_LOGIN(frame, origin=origin)
    except BrowseError:
        return False
    if now.state == "elsewhere":
        raise _refused(now, origin, in_frame=False, so="It is filled in, and was not sent")
    if now.state != "ready":
        return False
    with translated("pressing Enter"):
        await tab.page.keyboard.press("Enter")
    return True


def named(parts: Sequence[Part]) -> str:
    """List parts of a login in words: `user name and password`."""
    *first, last = (NAMES[part] for part in parts)
    return f"{', '.join(first)} and {last}" if first else last


def _refused(found: LoginFields, origin: str, *, in_frame: bool, so: str = NOTHING) -> BrowseError:
    here, to = inline_url(found.origin), inline_url(found.to)
    where = "in a frame " if in_frame else ""
    why, hint = {
        "origin": (
            f"it is for {origin}, and this page is {here}"
            if not in_frame
            else f"it is for {origin}, and the fields are in a frame of {here}",
            f"go to it first: browse goto {origin}; a page that only looks like it gets nothing",
        ),
        "written": (
            "the fields are in a frame that has no address of its own",
            "a person can look at the page: `browse handoff`",
        ),
        "framed": (
            f"the fields are in a frame, inside a page of another site than {origin}",
            f"open it by itself: browse goto {origin}",
        ),
        "elsewhere": (
            f"the form {where}is sent to {to}, and the login is for {origin}",
            "a person can look at the page: `browse handoff`",
        ),
        "several": (
            f"there are several fields for a password {where}".rstrip(),
            "open the page for logging in, not the one for a new account or a new password",
        ),
        "new": (
            f"the field {where}is for a new password",
            "open the page for logging in",
        ),
        "unseen": (
            f"the field for the password {where}cannot be seen, or not be typed into",
            "look with `browse snapshot -i`: the form may have to be opened first",
        ),
        "none": (
            "the page has no field for a user name, a password or a one-time code",
            "look with `browse snapshot -i`, and go to the page for logging in",
        ),
    }[found.state]
    what = "not filled in" if so == NOTHING else "broken off"
    return BrowseError(Code.LOGIN_REFUSED, f"The login was {what}: {why}. {so}.", hint=hint)
