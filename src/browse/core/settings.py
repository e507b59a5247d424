"""The settings table: every environment variable that browse reads, with its default and help.

Nothing else in the daemon reads the environment. Bad values are reported together, so that a
person can correct all of them at once.
"""

import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal

from browse.core.errors import BrowseError, Code

Reader = Literal["client", "daemon", "both"]


@dataclass(frozen=True, slots=True)
class SettingInfo:
    """One row of the table: which variable the value comes from and what it means."""

    env: str
    help: str
    parse: Callable[[str], Any]
    read_by: Reader


def _number(low: int, high: int) -> Callable[[str], int]:
    def parse(raw: str) -> int:
        digits = raw.strip()
        if not digits.isdecimal() or len(digits) > 15 or not low <= int(digits) <= high:
            raise ValueError(f"a whole number from {low:,} to {high:,}")
        return int(digits)

    return parse


def _switch(raw: str) -> bool:
    word = raw.strip().lower()
    if word in ("1", "true", "yes", "on"):
        return True
    if word in ("0", "false", "no", "off", ""):
        return False
    raise ValueError("1 or 0")


def _presence(raw: str) -> bool:
    """Parse variables that other programs set in many spellings (`CI=true`, `CI=woodpecker`)."""
    return raw.strip().lower() not in ("", "0", "false")


def _secret(raw: str) -> str:
    """Strip white space and zero-width characters; raise for a secret that is too short."""
    kept = "".join(char for char in raw if not char.isspace() and char.isprintable())
    if len(kept) < 16 or not kept.isascii():  # an HTTP header carries nothing else
        raise ValueError("at least 16 ASCII characters")
    return kept


def _one_of(*words: str) -> Callable[[str], str]:
    def parse(raw: str) -> str:
        word = raw.strip().lower()
        if word not in words:
            raise ValueError(" or ".join(words))
        return word

    return parse


def _command(raw: str) -> tuple[str, ...]:
    """Split a command line as a shell does; no shell ever runs it."""
    try:
        return tuple(shlex.split(raw))
    except ValueError as exc:
        raise ValueError(f"a command line ({exc})".lower()) from None


def _forwarder(raw: str) -> tuple[str, ...]:
    words = _command(raw)
    if not any("{port}" in word for word in words):
        raise ValueError("a command line with {port} in it")
    return words


def _pattern(raw: str) -> re.Pattern[str]:
    try:
        return re.compile(raw)
    except re.error as exc:
        raise ValueError(f"a regular expression ({exc})") from None


# What these parse may be or contain a secret.
_UNSHOWN = (_secret, _command, _forwarder)


def setting(
    default: Any,
    env: str,
    help: str,
    *,
    parse: Callable[[str], Any] = str,
    read_by: Reader = "daemon",
) -> Any:
    """Declare a row of the table."""
    return field(default=default, metadata={"about": SettingInfo(env, help, parse, read_by)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
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
        "Name of the agent that runs the commands: each has its own current tab. Default: the "
        "terminal, if there is one.",
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
        parse=_switch,
        read_by="client",
    )
    no_autostart: bool = setting(
        False,
        "BROWSE_NO_AUTOSTART",
        "1: a command fails instead of starting a daemon.",
        parse=_switch,
        read_by="client",
    )
    start_timeout_ms: int = setting(
        15_000,
        "BROWSE_START_TIMEOUT",
        "How long the client waits for a new daemon, in milliseconds; 30,000 when `CI` is set.",
        parse=_number(100, 600_000),
        read_by="client",
    )
    debug: bool = setting(
        False,
        "BROWSE_DEBUG",
        "1: tracebacks and debug lines in the log.",
        parse=_switch,
        read_by="both",
    )
    port: int | None = setting(
        None,
        "BROWSE_PORT",
        "Port to listen on; 0, as by default: a free one from 10000 to 60000.",
        parse=lambda raw: _number(0, 65_535)(raw) or None,
    )
    idle_timeout_ms: int = setting(
        1_800_000,
        "BROWSE_IDLE_TIMEOUT",
        "Milliseconds without a command after which the daemon stops; 0 = never.",
        parse=_number(0, 2_592_000_000),
    )
    auth_token: str = setting(
        "",
        "AUTH_TOKEN",
        "Root token to use instead of a random one (16 characters or more).",
        parse=_secret,
    )
    max_chars: int = setting(
        50_000,
        "BROWSE_MAX_CHARS",
        "Ceiling on a reply's characters when `--max-chars` is not given; 0 = none.",
        parse=_number(0, 1_000_000_000),
    )
    envelope: str = setting(
        "",
        "BROWSE_ENVELOPE",
        "Form of the lines around page words: `short` (`--- page […]`) or `long` (`--- BEGIN "
        "UNTRUSTED EXTERNAL CONTENT …`); default short for the owner, long for everybody else.",
        parse=_one_of("short", "long"),
    )
    max_tabs: int = setting(
        50,
        "BROWSE_MAX_TABS",
        "How many tabs may be open: popups at most half of them, and those of an agent a fifth.",
        parse=_number(1, 1_000),
    )
    navigation_timeout: int = setting(
        30_000,
        "BROWSE_NAVIGATION_TIMEOUT",
        "How long a page may take to load, in milliseconds.",
        parse=_number(1_000, 300_000),
    )
    max_html_bytes: int = setting(
        52_428_800,
        "GSTACK_BROWSE_MAX_HTML_BYTES",
        "Largest document that `load-html` takes.",
        parse=_number(1, 1_073_741_824),
    )
    chromium_path: str = setting(
        "", "GSTACK_CHROMIUM_PATH", "The browser to run instead of the one that is found."
    )
    no_sandbox: bool | None = setting(
        None,
        "GSTACK_CHROMIUM_NO_SANDBOX",
        "1: run Chromium without its sandbox. 0: always with it. Default: without it as root, "
        "and in a container or CI that denies it.",
        parse=_switch,
    )
    container: bool = setting(
        False,
        "CONTAINER",
        "Set by container images: Chromium runs without its sandbox if that is denied.",
        parse=_presence,
    )
    ci: bool = setting(
        False,
        "CI",
        "Set by CI systems: as `CONTAINER`, and a longer start budget.",
        parse=_presence,
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
        parse=_switch,
    )
    content_filter: Literal["off", "warn", "block"] = setting(
        "warn",
        "BROWSE_CONTENT_FILTER",
        "What to do about hosts on the blocklist: `off`, `warn` or `block`.",
        parse=_one_of("off", "warn", "block"),
    )
    display: str = setting("", "DISPLAY", "Set by a desktop: `browse view` opens its page there.")
    wayland_display: str = setting("", "WAYLAND_DISPLAY", "As `DISPLAY`.")
    ssh_connection: str = setting(
        "", "SSH_CONNECTION", "Set by ssh: `browse view` prints how to reach its page from afar."
    )
    https_proxy: str = setting(
        "",
        "HTTPS_PROXY",
        "A proxy that Chromium uses (also as `https_proxy`) instead of ours. Address rules then "
        "hold for arguments only.",
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
        parse=_switch,
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
        parse=_switch,
    )
    headless_skip: bool = setting(
        False,
        "BROWSE_HEADLESS_SKIP",
        "1: run the daemon without Chromium; commands that need it fail. For tests.",
        parse=_switch,
    )
    tunnel_local_only: bool = setting(
        False,
        "BROWSE_TUNNEL_LOCAL_ONLY",
        "1: open the tunnel's listener when the daemon starts, on loopback only; for tests.",
        parse=_switch,
    )
    tunnel_provider: str = setting(
        "",
        "BROWSE_TUNNEL_PROVIDER",
        "What makes the tunnel reachable: `command`, `ngrok`, or `none` (listen on loopback only); "
        "default `command` when there is one, else `ngrok`.",
        parse=_one_of("command", "ngrok", "none"),
    )
    tunnel_command: tuple[str, ...] = setting(
        (),
        "BROWSE_TUNNEL_COMMAND",
        "Program that forwards a public address to `{port}` and stays in the foreground, such as "
        "`cloudflared tunnel --url http://127.0.0.1:{port}`. No shell runs it.",
        parse=_forwarder,
    )
    tunnel_url_pattern: re.Pattern[str] | None = setting(  # noqa: RUF009 - a pattern never changes
        None,
        "BROWSE_TUNNEL_URL_PATTERN",
        "Regular expression that finds the public address (its first group, else all of it) in a "
        "line that the program prints; default the first address without a path that is not local.",
        parse=_pattern,
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
        parse=_presence,
    )
    security_off: bool = setting(
        False,
        "GSTACK_SECURITY_OFF",
        "1: page words are not classified; envelope, hidden content and blocklist stay.",
        parse=_switch,
    )
    ensemble: str = setting(
        "",
        "GSTACK_SECURITY_ENSEMBLE",
        "deberta: also ask the DeBERTa model, if it is installed, about doubtful words.",
        parse=_one_of("deberta"),
    )
    judge: tuple[str, ...] = setting(
        (),
        "BROWSE_JUDGE",
        "Command that votes on page words that look like an attack.",
        parse=_command,
    )
    ready_fd: int | None = setting(
        None,
        "BROWSE_READY_FD",
        "Internal: the pipe on which a starting daemon tells its client that it is ready.",
        parse=_number(3, 65_535),
    )


def rows() -> list[tuple[str, Any, SettingInfo]]:
    """List (field name, default, row) in table order, for the loader and the documentation."""
    return [(row.name, row.default, row.metadata["about"]) for row in fields(Settings)]


def _raw(environ: Mapping[str, str], name: str) -> str:
    """Return a variable as it is set; proxy variables are often spelled in lower case."""
    return environ.get(name, "") or (environ.get(name.lower(), "") if "PROXY" in name else "")


def load(environ: Mapping[str, str]) -> Settings:
    """Read the table from an environment; an empty variable counts as not set."""
    values: dict[str, Any] = {}
    wrong: list[str] = []
    for name, _, about in rows():
        raw = _raw(environ, about.env)
        if not raw:
            continue
        try:
            values[name] = about.parse(raw)
        except ValueError as exc:
            shown = "the value given" if about.parse in _UNSHOWN else repr(raw[:40])
            wrong.append(f"{about.env} must be {exc}, not {shown}")
    if wrong:
        names = " ".join(line.split()[0] for line in wrong)
        raise BrowseError(
            Code.SETTING_INVALID,
            "; ".join(wrong),
            hint=f"unset {names}, or give a value as in docs/settings.md",
        )
    return Settings(**values)
