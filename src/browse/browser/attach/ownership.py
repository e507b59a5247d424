"""What is ours in somebody else's browser, and which commands concern only that.

Ours are the pages that we opened, with the windows that they open; those that we took; and the
browser contexts that we made. Everything else in the browser is the person's.
"""

from browse.browser.attach.messages import CdpMessage, Params
from browse.browser.driver_messages import NOT_OURS

# What one may ask the whole browser for.
_HARMLESS = {
    "Browser.getVersion",
    "Storage.getCookies",
    "Storage.setCookies",
    "SystemInfo.getProcessInfo",
    "Target.attachToBrowserTarget",
    "Target.createBrowserContext",
    "Target.createTarget",
    "Target.detachFromTarget",
    "Target.getTargets",
    "Target.sendMessageToTarget",
    "Target.setAutoAttach",
    "Target.setDiscoverTargets",
}
# What one may do to a page or a browser context that is ours.
_TO_A_TARGET = {
    "Target.activateTarget",
    "Target.attachToTarget",
    "Target.closeTarget",
    "Target.getTargetInfo",
}
_TO_A_CONTEXT = {
    "Browser.grantPermissions",
    "Browser.resetPermissions",
    "Browser.setDownloadBehavior",
    "Browser.setPermission",
    "Storage.clearCookies",
    "Target.disposeBrowserContext",
}
# What concerns the whole browser, whoever is asked.
_NEVER = {
    "Browser.close",
    "Browser.crash",
    "Browser.crashGpuProcess",
    "Page.setDownloadBehavior",
}
# What concerns the whole browser context of the page that is asked.
_IN_OUR_CONTEXTS = {"Network.clearBrowserCache", "Network.clearBrowserCookies"}


class Ownership:
    """The targets and browser contexts that are ours."""

    def __init__(self) -> None:
        self.contexts: set[str] = set()
        self.targets: set[str] = set()
        self.opened: set[str] = set()  # pages that we opened ourselves, in the person's context
        self._apart: set[str] = set()  # sessions in pages of browser contexts that we made

    def takes(self, info: Params) -> bool:
        """Check whether a target is ours, or becomes ours because one of ours opened it."""
        known = info["targetId"] in self.targets
        opener = info.get("openerId", "")
        if opener in self.opened and not known:
            self.opened.add(info["targetId"])
        if known or opener in self.targets or info.get("browserContextId", "") in self.contexts:
            self.targets.add(info["targetId"])
            return True
        return False

    def attached(self, session: str, info: Params) -> None:
        """Note a session in a page of ours."""
        if info.get("browserContextId", "") in self.contexts:
            self._apart.add(session)

    def detached(self, session: str) -> None:
        """Forget a session that has ended."""
        self._apart.discard(session)

    def opens(self, target: str) -> None:
        """Note a page that we opened."""
        self.targets.add(target)
        self.opened.add(target)

    def forget(self, target: str) -> None:
        """Forget a target that is gone, or no longer ours."""
        self.targets.discard(target)
        self.opened.discard(target)

    def objection(self, message: CdpMessage, *, to_browser: bool) -> str:
        """Return why a command of the driver is not passed on; "" if it is."""
        theirs = message.method in _IN_OUR_CONTEXTS and message.session not in self._apart
        if message.method in _NEVER or theirs:
            return f"{NOT_OURS}: {message.method}"
        if not to_browser or message.method in _HARMLESS:
            return ""
        params = message.read_params()
        if message.method in _TO_A_TARGET:
            target = params.get("targetId")
            return "" if target is None or target in self.targets else f"{NOT_OURS}: that page"
        if message.method in _TO_A_CONTEXT and params.get("browserContextId", "") in self.contexts:
            return ""
        return f"{NOT_OURS}: {message.method}"
