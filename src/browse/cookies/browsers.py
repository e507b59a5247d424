"""The everyday browsers whose cookies can be read, and where each keeps its profiles and key.

A new browser is a row here. Paths are made from these rows and from listings, never from words of a
caller.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import msgspec

from browse._nearest import meant, nearest
from browse.core.errors import Usage

CONFIG = ".config/"
SUPPORT = "Library/Application Support/"
Engine = Literal["chromium", "firefox"]


class EverydayBrowser(msgspec.Struct, frozen=True):
    """A browser: its folders below the home folder, and the names of its key in keyrings.

    `product` begins the name of its entry in the keychain of macOS and in KWallet; `applications`
    are the values of that attribute in the Secret Service, one of which its entry has.
    """

    name: str
    title: str
    linux: tuple[str, ...] = ()
    darwin: tuple[str, ...] = ()
    engine: Engine = "chromium"
    product: str = ""
    applications: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()

    def folders(self, home: Path, platform: str, config: str = "") -> list[Path]:
        """List where its profiles may be; `config` replaces ~/.config if it is set."""
        places = {"linux": self.linux, "darwin": self.darwin}.get(platform, ())
        return [_place(home, place, config) for place in places]


def _place(home: Path, place: str, config: str) -> Path:
    if config and place.startswith(CONFIG):
        return Path(config) / place.removeprefix(CONFIG)
    return home / place


BROWSERS: tuple[EverydayBrowser, ...] = (
    EverydayBrowser(
        "chrome",
        "Chrome",
        linux=(
            f"{CONFIG}google-chrome",
            f"{CONFIG}google-chrome-beta",
            ".var/app/com.google.Chrome/config/google-chrome",
        ),
        darwin=(f"{SUPPORT}Google/Chrome",),
        product="Chrome",
        applications=("chrome",),
        aliases=("google-chrome", "google-chrome-stable"),
    ),
    EverydayBrowser(
        "chromium",
        "Chromium",
        linux=(
            f"{CONFIG}chromium",
            "snap/chromium/common/chromium",
            ".var/app/org.chromium.Chromium/config/chromium",
        ),
        darwin=(f"{SUPPORT}Chromium",),
        product="Chromium",
        applications=("chromium",),
    ),
    EverydayBrowser(
        "brave",
        "Brave",
        linux=(
            f"{CONFIG}BraveSoftware/Brave-Browser",
            "snap/brave/current/.config/BraveSoftware/Brave-Browser",
            ".var/app/com.brave.Browser/config/BraveSoftware/Brave-Browser",
        ),
        darwin=(f"{SUPPORT}BraveSoftware/Brave-Browser",),
        product="Brave",
        applications=("brave",),
        aliases=("brave-browser",),
    ),
    EverydayBrowser(
        "edge",
        "Edge",
        linux=(f"{CONFIG}microsoft-edge", ".var/app/com.microsoft.Edge/config/microsoft-edge"),
        darwin=(f"{SUPPORT}Microsoft Edge",),
        product="Microsoft Edge",
        applications=("microsoft-edge", "chromium"),
        aliases=("microsoft-edge",),
    ),
    EverydayBrowser(
        "arc",
        "Arc",
        darwin=(f"{SUPPORT}Arc/User Data",),
        product="Arc",
    ),
    EverydayBrowser(
        "comet",
        "Comet",
        darwin=(f"{SUPPORT}Comet",),
        product="Comet",
        aliases=("perplexity",),
    ),
    EverydayBrowser(
        "vivaldi",
        "Vivaldi",
        linux=(f"{CONFIG}vivaldi", ".var/app/com.vivaldi.Vivaldi/config/vivaldi"),
        darwin=(f"{SUPPORT}Vivaldi",),
        product="Vivaldi",
        applications=("vivaldi", "chrome"),
    ),
    EverydayBrowser(
        "opera",
        "Opera",
        linux=(f"{CONFIG}opera", "snap/opera/current/.config/opera"),
        darwin=(f"{SUPPORT}com.operasoftware.Opera",),
        product="Opera",
        applications=("opera", "chromium"),
    ),
    EverydayBrowser(
        "firefox",
        "Firefox",
        linux=(
            ".mozilla/firefox",
            f"{CONFIG}mozilla/firefox",
            "snap/firefox/common/.mozilla/firefox",
            ".var/app/org.mozilla.firefox/.mozilla/firefox",
        ),
        darwin=(f"{SUPPORT}Firefox",),
        engine="firefox",
        aliases=("firefox-esr",),
    ),
)
NAMES: Sequence[str] = tuple(browser.name for browser in BROWSERS)


def named(word: str) -> EverydayBrowser:
    """Find a browser by its name; raise if there is none."""
    for browser in BROWSERS:
        if word.lower() in (browser.name, *browser.aliases):
            return browser
    raise Usage(
        f"{word[:40]!r} is not a browser whose cookies can be read.{meant(nearest(word, NAMES))}",
        hint=f"they are: {', '.join(NAMES)}",
    )
