"""Platform and client hints that match a user agent string."""

import re
from typing import Any

# Word in the user agent, platform in client hints, `navigator.platform`, pattern of the version.
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


def user_agent_override(agent: str, locale: str) -> dict[str, Any]:
    """Build the parameters of `Emulation.setUserAgentOverride`; "" means the browser's own."""
    params: dict[str, Any] = {"userAgent": agent}
    if locale:
        params["acceptLanguage"] = ",".join(dict.fromkeys((locale, locale.split("-")[0])))
    if not agent:
        return params
    for word, _, platform, _ in _PLATFORMS:
        if word in agent:
            params["platform"] = platform
            break
    # Only Chromium sends client hints; other user agents get none.
    if chrome := _CHROME.search(agent):
        params["userAgentMetadata"] = _client_hints(agent, chrome[1], chrome[2])
    return params


def _client_hints(agent: str, version: str, major: str) -> dict[str, Any]:
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
