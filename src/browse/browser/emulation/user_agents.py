"""What goes with a user agent string, so that a page finds no contradiction to it."""

import re
from typing import Any

# Words of a user agent: the platform in client hints, and what `navigator.platform` says there.
_PLATFORMS = (
    ("iPhone", "iOS", "iPhone", r"OS ([\d_]+)"),
    ("iPad", "iOS", "iPad", r"OS ([\d_]+)"),
    ("Android", "Android", "Linux armv81", r"Android ([\d.]+)"),
    ("Windows", "Windows", "Win32", r"Windows NT ([\d.]+)"),
    ("Macintosh", "macOS", "MacIntel", r"Mac OS X ([\d_]+)"),
    ("Linux", "Linux", "Linux x86_64", r"Linux ()"),
)
_CHROME = re.compile(r"(?:Headless)?Chrom(?:e|ium)/((\d+)[\d.]*)")
_MODEL = re.compile(r"Android [\d.]+; ([^;)]+)")


def override(agent: str, locale: str) -> dict[str, Any]:
    """Make the parameters of `Emulation.setUserAgentOverride`; "" stands for the browser's own."""
    params: dict[str, Any] = {"userAgent": agent}
    if locale:
        params["acceptLanguage"] = ",".join(dict.fromkeys((locale, locale.split("-")[0])))
    if not agent:
        return params
    for word, _, platform, _ in _PLATFORMS:
        if word in agent:
            params["platform"] = platform
            break
    # Only Chromium sends client hints: without them, no page sees any.
    if chrome := _CHROME.search(agent):
        params["userAgentMetadata"] = _hints(agent, chrome[1], chrome[2])
    return params


def _hints(agent: str, version: str, major: str) -> dict[str, Any]:
    word, platform, _, numbered = next(
        (row for row in _PLATFORMS if row[0] in agent), ("", "", "", "$^")
    )
    release = re.search(numbered, agent)
    model = _MODEL.search(agent)
    mobile = "Mobile" in agent
    names = ("Chromium", "Google Chrome") if "Headless" not in agent else ("Chromium",)
    return {
        "brands": [
            *({"brand": name, "version": major} for name in names),
            {"brand": "Not:A-Brand", "version": "8"},
        ],
        "fullVersionList": [
            *({"brand": name, "version": version} for name in names),
            {"brand": "Not:A-Brand", "version": "8.0.0.0"},
        ],
        "platform": platform,
        "platformVersion": release[1].replace("_", ".") if release else "",
        "architecture": "arm" if word in ("Android", "iPhone", "iPad") else "x86",
        "model": model[1].strip() if model and mobile else "",
        "mobile": mobile,
    }
