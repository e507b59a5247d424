"""The settings with which Chromium is started: they hold for the daemon's life.

Those that have a flag can also be given with any command that starts a daemon.
"""

from dataclasses import dataclass
from typing import Literal

from browse.core.launching.chromium_flags import chromium_flags
from browse.core.launching.proxy_address import ProxyAddress, proxy_address
from browse.core.launching.setting_row import StartFlag, setting
from browse.core.setting_parsers import (
    browser_address,
    browser_port,
    commas,
    number,
    one_of,
    paths,
    switch,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchSettings:
    """A part of `Settings`."""

    proxy: ProxyAddress | Literal["off"] | None = setting(  # noqa: RUF009 - an address never changes
        None,
        "BROWSE_PROXY_URL",
        "Proxy for all connections that leave this machine: `socks5://host:1080`, `socks5h://…`, "
        "`http://…` or `https://…`, with `user:password@` if it asks for a login; `off`: none, "
        "whatever else is set. Rules about addresses hold before it.",
        parse=proxy_address,
        flag=StartFlag(
            "--proxy",
            "url",
            "Connect through this proxy (socks5, socks5h, http, https), or `off`; holds until "
            "`browse stop`.",
        ),
        private=True,
    )
    proxy_user: str = setting("", "BROWSE_PROXY_USER", "User name for the proxy.", private=True)
    proxy_password: str = setting("", "BROWSE_PROXY_PASS", "Password for the proxy.", private=True)
    proxy_bypass: str = setting(
        "",
        "BROWSE_PROXY_BYPASS",
        "What is reached without the proxy, separated by commas: `example.com`, `*.example.com`, "
        "`10.0.0.0/8`. Loopback always is.",
        flag=StartFlag(
            "--proxy-bypass", "hosts", "Reach these hosts without the proxy.", joined=","
        ),
    )
    proxy_dns: str = setting(
        "",
        "BROWSE_PROXY_DNS",
        "Who looks up host names: `here`, so that the address that was checked is the one that "
        "the proxy connects to, or `proxy`; default `here`, and `proxy` with `socks5h://`.",
        parse=one_of("here", "proxy"),
    )
    init_scripts: tuple[str, ...] = setting(
        (),
        "BROWSE_INIT_SCRIPTS",
        "JavaScript files, separated by `:`, that run in every page and frame before its own "
        "scripts.",
        parse=paths,
        flag=StartFlag(
            "--init-script", "file", "Run this script first in every page.", ":", is_path=True
        ),
    )
    http_logins: str = setting(
        "",
        "BROWSE_HTTP_LOGINS",
        "A file that only you can read with logins for HTTP authentication, one a line: "
        "`https://user:password@host:port`. Each is sent to its own origin only.",
        flag=StartFlag(
            "--http-logins", "file", "Answer servers that ask for a login.", is_path=True
        ),
    )
    ca_cert: str = setting(
        "",
        "BROWSE_CA_CERT",
        "A file with certificates of your own CA (PEM): servers that it signed are trusted, too.",
        flag=StartFlag("--ca-cert", "file", "Trust the servers of this CA, too.", is_path=True),
    )
    ignore_tls: tuple[str, ...] = setting(
        (),
        "BROWSE_IGNORE_TLS",
        "Hosts whose TLS certificate is taken as it is, separated by commas: `example.com`, "
        "`*.example.com`. Loopback names always are, with a warning.",
        parse=commas,
        flag=StartFlag("--ignore-tls", "host", "Take this host's certificate as it is.", ","),
    )
    extensions_dir: str = setting(
        "",
        "BROWSE_EXTENSIONS_DIR",
        "Folder of an unpacked extension, or of several, for the default session; also without a "
        "window, if a Chromium is there that is more than a headless shell.",
        flag=StartFlag(
            "--extensions-dir", "folder", "Load the unpacked extensions in it.", is_path=True
        ),
    )
    chromium_flags: tuple[str, ...] = setting(
        (),
        "BROWSE_CHROMIUM_FLAGS",
        "Further flags for Chromium, of those that leave our rules as they are: "
        "`accept-lang=de mute-audio`.",
        parse=chromium_flags,
        flag=StartFlag(
            "--chromium-flag", "flag", "Give Chromium this flag: `accept-lang=de`.", " "
        ),
    )
    stealth: bool = setting(
        False,
        "BROWSE_STEALTH",
        "1: pages find no more in the browser than in one that a person started. `console` then "
        "shows objects as `[object Object]`, and without a graphics card a window has no WebGL.",
        parse=switch,
        flag=StartFlag(
            "--stealth", "on|off", "Give pages no more to find than a person's browser does."
        ),
    )
    profile: str = setting(
        "",
        "BROWSE_PROFILE",
        "Folder of the Chromium profile to use. A relative one begins at the project.",
        flag=StartFlag(
            "--profile", "dir", "Keep the browser's profile in this folder.", is_path=True
        ),
    )
    persist_state: bool = setting(
        False,
        "BROWSE_PERSIST_STATE",
        "1: logins, storage and tabs are kept in `session-state.json` for the next daemon.",
        parse=switch,
    )
    persist_interval_ms: int = setting(
        30_000,
        "BROWSE_PERSIST_INTERVAL_MS",
        "How often `BROWSE_PERSIST_STATE` saves, in milliseconds; at the end it saves as well.",
        parse=number(100, 86_400_000),
    )
    cdp_url: str = setting(
        "",
        "BROWSE_CDP_URL",
        "A running browser to attach to: a port, `http://host:port`, the `ws://` address of its "
        "DevTools, or `extension`. Wins over `BROWSE_HEADED`.",
        parse=browser_address,
        flag=StartFlag(
            "--cdp",
            "address",
            "Attach to a running browser instead: a port, http://host:port, ws://…, or "
            "`extension`.",
        ),
        private=True,
    )
    cdp_port: str = setting(
        "",
        "BROWSE_CDP_PORT",
        "The same by its port on this machine; `BROWSE_CDP_URL` wins.",
        parse=browser_port,
    )
