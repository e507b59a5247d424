"""The settings table: every environment variable that browse reads, with its default and help.

Nothing else in the daemon reads the environment. Bad values are reported together, so that a
person can correct all of them at once.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal

from browse.core.errors import BrowseError, Code
from browse.core.launching.launch_settings import LaunchSettings
from browse.core.launching.setting_row import SettingInfo, setting
from browse.core.setting_parsers import (
    UNSHOWN,
    command_line,
    forwarder,
    number,
    one_of,
    pattern,
    presence,
    secret,
    switch,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings(LaunchSettings):
    """The values in force. Built once, at start, and passed to constructors."""

    state_file: str = setting(
        "",
        "BROWSE_STATE_FILE",
        "Where the daemon's state file lives; default `<git root>/.gstack/browse.json`.",
        read_by="both",
    )
    tab: str = setting(
        "", "BROWSE_TAB", "Tab that commands act on when `--tab-id` is not given.", read_by="client"
    )
    agent: str = setting(
        "",
        "BROWSE_AGENT",
        "Name of the agent that runs the commands: each has its own current tab. Default: its "
        "conversation (`CLAUDE_CODE_SESSION_ID`, `CODEX_THREAD_ID`), else the terminal.",
        read_by="client",
    )
    session: str = setting(
        "",
        "BROWSE_SESSION",
        "Session that commands use when `--session` is not given.",
        read_by="client",
    )
    snapshot: bool = setting(
        False,
        "BROWSE_SNAPSHOT",
        "1: every command that acts answers as with `--snapshot`.",
        parse=switch,
        read_by="client",
    )
    only_read: bool = setting(
        False,
        "BROWSE_ONLY_READ",
        "1: a command that may change something is refused.",
        parse=switch,
        read_by="client",
    )
    no_autostart: bool = setting(
        False,
        "BROWSE_NO_AUTOSTART",
        "1: a command fails instead of starting a daemon.",
        parse=switch,
        read_by="client",
    )
    start_timeout_ms: int = setting(
        15_000,
        "BROWSE_START_TIMEOUT",
        "How long the client waits for a new daemon, in milliseconds; 30,000 when `CI` is set.",
        parse=number(100, 600_000),
        read_by="client",
    )
    debug: bool = setting(
        False,
        "BROWSE_DEBUG",
        "1: tracebacks and debug lines in the log.",
        parse=switch,
        read_by="both",
    )
    port: int | None = setting(
        None,
        "BROWSE_PORT",
        "Port to listen on; 0, as by default: a free one from 10000 to 60000, and 34567 first if "
        "the daemon starts with a window.",
        parse=lambda raw: number(0, 65_535)(raw) or None,
    )
    idle_timeout_ms: int = setting(
        1_800_000,
        "BROWSE_IDLE_TIMEOUT",
        "Milliseconds without a command after which the daemon stops; 0 = never.",
        parse=number(0, 2_592_000_000),
    )
    auth_token: str = setting(
        "",
        "AUTH_TOKEN",
        "Root token to use instead of a random one (16 characters or more).",
        parse=secret,
    )
    max_chars: int = setting(
        50_000,
        "BROWSE_MAX_CHARS",
        "Ceiling on a reply's characters when `--max-chars` is not given; 0 = none.",
        parse=number(0, 1_000_000_000),
    )
    envelope: str = setting(
        "",
        "BROWSE_ENVELOPE",
        "Form of the lines around page words: `short` (`--- page […]`) or `long` (`--- BEGIN "
        "UNTRUSTED EXTERNAL CONTENT …`); default short for the owner, long for everybody else.",
        parse=one_of("short", "long"),
    )
    max_tabs: int = setting(
        50,
        "BROWSE_MAX_TABS",
        "How many tabs may be open: popups at most half of them, and those of an agent a fifth.",
        parse=number(1, 1_000),
    )
    navigation_timeout: int = setting(
        30_000,
        "BROWSE_NAVIGATION_TIMEOUT",
        "How long a page may take to load, in milliseconds.",
        parse=number(1_000, 300_000),
    )
    max_html_bytes: int = setting(
        52_428_800,
        "GSTACK_BROWSE_MAX_HTML_BYTES",
        "Largest document that `load-html` takes.",
        parse=number(1, 1_073_741_824),
    )
    downloads_mb: int = setting(
        500,
        "BROWSE_DOWNLOADS_MB",
        "How much disk the kept files may take that pages download; 0: none are kept.",
        parse=number(0, 1_000_000),
    )
    chromium_path: str = setting(
        "", "GSTACK_CHROMIUM_PATH", "The browser to run instead of the one that is found."
    )
    no_sandbox: bool | None = setting(
        None,
        "GSTACK_CHROMIUM_NO_SANDBOX",
        "1: run Chromium without its sandbox. 0: always with it. Default: without it as root, "
        "and in a container or CI that denies it.",
        parse=switch,
    )
    container: bool = setting(
        False,
        "CONTAINER",
        "Set by container images: Chromium runs without its sandbox if that is denied.",
        parse=presence,
    )
    ci: bool = setting(
        False,
        "CI",
        "Set by CI systems: as `CONTAINER`, and a longer start budget.",
        parse=presence,
        read_by="both",
    )
    allowed_domains: str = setting(
        "",
        "BROWSE_ALLOWED_DOMAINS",
        "Domains that the browser may connect to, separated by commas: `example.com` is one host, "
        "`*.example.com` is that host and all below it; default all.",
    )
    readonly: bool = setting(
        False,
        "BROWSE_READONLY",
        "1: pages may send only GET and HEAD requests, in any tab.",
        parse=switch,
    )
    content_filter: Literal["off", "warn", "block"] = setting(
        "warn",
        "BROWSE_CONTENT_FILTER",
        "What to do about hosts on the blocklist: `off`, `warn` or `block`.",
        parse=one_of("off", "warn", "block"),
    )
    display: str = setting("", "DISPLAY", "Set by a desktop: `browse view` opens its page there.")
    wayland_display: str = setting("", "WAYLAND_DISPLAY", "As `DISPLAY`.")
    config_home: str = setting(
        "",
        "XDG_CONFIG_HOME",
        "Set by some desktops: where `cookie-import-browser` looks for profiles.",
    )
    ssh_connection: str = setting(
        "", "SSH_CONNECTION", "Set by ssh: `browse view` prints how to reach its page from afar."
    )
    https_proxy: str = setting(
        "",
        "HTTPS_PROXY",
        "A proxy that Chromium uses (also as `https_proxy`) instead of ours, if `BROWSE_PROXY_URL` "
        "is not set. Address rules then hold for arguments only.",
    )
    all_proxy: str = setting(
        "", "ALL_PROXY", "As `HTTPS_PROXY`, for every scheme (also as `all_proxy`)."
    )
    home: str = setting(
        "", "GSTACK_HOME", "Folder of what is shared between projects; default `~/.gstack`."
    )
    journal: bool = setting(
        True,
        "BROWSE_JOURNAL",
        "off: steps are not kept, so `replay` and `skill record` have nothing to work from.",
        parse=switch,
    )
    login_key: str = setting(
        "",
        "BROWSE_LOGIN_KEY",
        "Where the key of the logins is made: `keyring`, or `file` (mode 0600); default the "
        "keyring, else the file.",
        parse=one_of("keyring", "file"),
    )
    pair_agent: str = setting(
        "",
        "GSTACK_PAIR_AGENT",
        "on: paired agents on other machines may drive the browser; anything else: they may not. "
        "Wins over `pair_agent` in `config.yaml`.",
    )
    tunnel: bool = setting(
        False,
        "BROWSE_TUNNEL",
        "1: open the tunnel for paired agents when the daemon starts, if you have agreed to that.",
        parse=switch,
    )
    headed: bool = setting(
        False,
        "BROWSE_HEADED",
        "1: the daemon starts with a window, as after `browse connect`.",
        parse=switch,
    )
    supervise: bool = setting(
        False,
        "BROWSE_SUPERVISE",
        "1: `browse connect` stays, as with `--supervise`.",
        parse=switch,
        read_by="client",
    )
    headless_skip: bool = setting(
        False,
        "BROWSE_HEADLESS_SKIP",
        "1: run the daemon without Chromium; commands that need it fail. For tests.",
        parse=switch,
    )
    tunnel_local_only: bool = setting(
        False,
        "BROWSE_TUNNEL_LOCAL_ONLY",
        "1: open the tunnel's listener when the daemon starts, on loopback only; for tests.",
        parse=switch,
    )
    tunnel_provider: str = setting(
        "",
        "BROWSE_TUNNEL_PROVIDER",
        "What makes the tunnel reachable: `command`, `ngrok`, or `none` (listen on loopback only); "
        "default `command` when there is one, else `ngrok`.",
        parse=one_of("command", "ngrok", "none"),
    )
    tunnel_command: tuple[str, ...] = setting(
        (),
        "BROWSE_TUNNEL_COMMAND",
        "Program that forwards a public address to `{port}` and stays in the foreground, such as "
        "`cloudflared tunnel --url http://127.0.0.1:{port}`. No shell runs it.",
        parse=forwarder,
    )
    tunnel_url_pattern: re.Pattern[str] | None = setting(  # noqa: RUF009 - a pattern never changes
        None,
        "BROWSE_TUNNEL_URL_PATTERN",
        "Regular expression that finds the public address (its first group, else all of it) in a "
        "line that the program prints; default the first address without a path that is not local.",
        parse=pattern,
    )
    tunnel_url: str = setting(
        "",
        "BROWSE_TUNNEL_URL",
        "The public address, for a program that prints none; `{found}` in it is what "
        "`BROWSE_TUNNEL_URL_PATTERN` found.",
    )
    ngrok_authtoken: str = setting(
        "",
        "NGROK_AUTHTOKEN",
        "Token of your ngrok account; default the one in `~/.gstack/ngrok.env` or `ngrok.yml`.",
    )
    ngrok_domain: str = setting(
        "", "NGROK_DOMAIN", "Domain of your ngrok account; default the one in `ngrok.env`, or any."
    )
    telemetry_off: bool = setting(
        False,
        "GSTACK_TELEMETRY_OFF",
        "1: no telemetry is written, whatever `config.yaml` says.",
        parse=presence,
    )
    security_off: bool = setting(
        False,
        "GSTACK_SECURITY_OFF",
        "1: page words are not classified; envelope, hidden content and blocklist stay.",
        parse=switch,
    )
    ensemble: str = setting(
        "",
        "GSTACK_SECURITY_ENSEMBLE",
        "deberta: also ask the DeBERTa model, if it is installed, about doubtful words.",
        parse=one_of("deberta"),
    )
    judge: tuple[str, ...] = setting(
        (),
        "BROWSE_JUDGE",
        "Command that votes on page words that look like an attack.",
        parse=command_line,
    )
    terminal_command: tuple[str, ...] = setting(
        (),
        "BROWSE_TERMINAL_BINARY",
        "Command that the terminal of the side panel runs; default the first of `claude`, `codex` "
        "and `gemini` that is installed, else your shell. No shell runs it.",
        parse=command_line,
    )
    pty_lease_ms: int = setting(
        1_800_000,
        "GSTACK_PTY_LEASE_TTL_MS",
        "How long a terminal is kept whose viewer is not heard of, in milliseconds.",
        parse=number(100, 604_800_000),
    )
    pty_detach_ms: int = setting(
        1_800_000,
        "GSTACK_PTY_DETACH_WINDOW_MS",
        "How long a terminal runs on without a viewer, in milliseconds.",
        parse=number(100, 604_800_000),
    )
    pty_keepalive_ms: int = setting(
        25_000,
        "GSTACK_PTY_KEEPALIVE_INTERVAL_MS",
        "How often the viewer of a terminal is asked whether it is there, in milliseconds.",
        parse=number(100, 3_600_000),
    )
    pty_scrollback_bytes: int = setting(
        1_048_576,
        "GSTACK_PTY_RING_BUFFER_BYTES",
        "How much of a terminal's output a viewer that comes back is shown.",
        parse=number(1_024, 67_108_864),
    )
    ready_fd: int | None = setting(
        None,
        "BROWSE_READY_FD",
        "Internal: the pipe on which a starting daemon tells its client that it is ready.",
        parse=number(3, 65_535),
    )


def rows() -> list[tuple[str, Any, SettingInfo]]:
    """List (field name, default, row) in table order, for the loader and the documentation."""
    return [(row.name, row.default, row.metadata["about"]) for row in fields(Settings)]


def _raw(environ: Mapping[str, str], name: str) -> str:
    """Return a variable as it is set; proxy variables are often spelled in lower case."""
    return environ.get(name, "") or (environ.get(name.lower(), "") if "PROXY" in name else "")


def load(environ: Mapping[str, str], given: Mapping[str, str] | None = None) -> Settings:
    """Read the table from an environment; an empty variable counts as not set.

    `given` are values of start options, by variable: they win.
    """
    given = given or {}
    values: dict[str, Any] = {}
    wrong: list[str] = []
    for name, _, about in rows():
        raw = given.get(about.env) or _raw(environ, about.env)
        if not raw:
            continue
        try:
            values[name] = about.parse(raw)
        except ValueError as exc:
            shown = "the value given" if about.parse in UNSHOWN else repr(raw[:40])
            spelled = about.flag.word if about.flag and about.env in given else about.env
            wrong.append(f"{spelled} must be {exc}, not {shown}")
    if wrong:
        names = [word for line in wrong if not (word := line.split()[0]).startswith("--")]
        unset = f"unset {' '.join(names)}, or " if names else ""
        raise BrowseError(
            Code.SETTING_INVALID,
            "; ".join(wrong),
            hint=f"{unset}give a value as in docs/settings.md",
        )
    return Settings(**values)
