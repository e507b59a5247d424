"""Which CDP methods a caller may use. Methods that are not listed are refused."""

import re

import msgspec

from browse.core.errors import BrowseError, Code
from browse.core.text import nearest


class Method(msgspec.Struct, frozen=True):
    """A method that may be used: what it affects, and who wrote its reply."""

    name: str
    whole_browser: bool = False
    from_page: bool = False


def _pages(*names: str) -> list[Method]:
    return [Method(name, from_page=True) for name in names]


def _ours(*names: str) -> list[Method]:
    return [Method(name) for name in names]


METHODS = {
    method.name: method
    for method in (
        *_pages(
            "Accessibility.getFullAXTree",
            "Accessibility.getPartialAXTree",
            "Accessibility.getRootAXNode",
            "CSS.getComputedStyleForNode",  # fonts and generated content are the page's words
            "CSS.getInlineStylesForNode",
            "CSS.getMatchedStylesForNode",
            "DOM.describeNode",
            "Page.captureScreenshot",
            "Page.printToPDF",
            "Runtime.getProperties",
        ),
        *_ours(
            "DOM.getBoxModel",
            "DOM.getNodeForLocation",
            "Emulation.clearDeviceMetricsOverride",
            "Emulation.setCPUThrottlingRate",
            "Emulation.setDeviceMetricsOverride",
            "Emulation.setEmulatedMedia",
            "Emulation.setUserAgentOverride",
            "Network.disable",
            "Network.emulateNetworkConditions",
            "Network.enable",
            "Page.getLayoutMetrics",
            "Performance.disable",
            "Performance.enable",
            "Performance.getMetrics",
        ),
        Method("Tracing.end", whole_browser=True, from_page=True),
        Method("Tracing.start", whole_browser=True),
    )
}


# A name that says nothing but which method it is, so that it may be counted.
_NAME = re.compile(r"[A-Za-z]{1,40}\.[A-Za-z]{1,60}")


def check_method(name: str) -> Method:
    """Return a method that is on the list; raise for any other."""
    if method := METHODS.get(name):
        return method
    meant = nearest(name, list(METHODS))
    raise BrowseError(
        Code.METHOD_REFUSED,
        f"DENIED: {name[:80]!r} is not on the CDP allowlist.",
        hint=f"did you mean {meant}?" if meant else "run `browse cdp` for the methods there are",
        facts={"method": name} if _NAME.fullmatch(name) else {},
    )
