"""Further flags for Chromium: those that are known to leave our guarantees as they are.

Everything else is refused, with the reason where one is known, and with what to use instead.
"""

import shlex

# How it looks, sounds and draws, and what it writes about itself.
ALLOWED = frozenset(
    {
        "accept-lang",
        "autoplay-policy",
        "default-background-color",
        "disable-accelerated-2d-canvas",
        "disable-accelerated-video-decode",
        "disable-dev-shm-usage",
        "disable-font-subpixel-positioning",
        "disable-gpu",
        "disable-lcd-text",
        "disable-notifications",
        "disable-partial-raster",
        "disable-smooth-scrolling",
        "disable-software-rasterizer",
        "disk-cache-size",
        "enable-gpu-rasterization",
        "enable-logging",
        "enable-webgl",
        "font-render-hinting",
        "force-color-profile",
        "force-dark-mode",
        "force-device-scale-factor",
        "force-prefers-no-reduced-motion",
        "force-prefers-reduced-motion",
        "gpu-rasterization-msaa-sample-count",
        "hide-scrollbars",
        "high-dpi-support",
        "ignore-gpu-blocklist",
        "kiosk",
        "lang",
        "log-level",
        "media-cache-size",
        "mute-audio",
        "num-raster-threads",
        "ozone-platform",
        "ozone-platform-hint",
        "renderer-process-limit",
        "start-fullscreen",
        "start-maximized",
        "touch-events",
        "use-angle",
        "use-fake-device-for-media-stream",
        "use-gl",
        "use-vulkan",
        "window-position",
        "window-size",
    }
)
_PAST_OURS = "connections would go past our own proxy and its rules"
_REPLACES = "of two flags with this name Chromium takes the last, which would undo ours"
_WEAKENS = "pages could read what is not theirs"
# What people ask for, why it is refused, and what there is instead.
REFUSED = {
    "proxy-server": (_PAST_OURS, "--proxy <url>"),
    "proxy-bypass-list": (_PAST_OURS, "--proxy-bypass <hosts>"),
    "proxy-pac-url": (_PAST_OURS, "--proxy <url>"),
    "proxy-auto-detect": (_PAST_OURS, "--proxy <url>"),
    "no-proxy-server": (_PAST_OURS, "--proxy off"),
    "host-resolver-rules": (_PAST_OURS, ""),
    "host-rules": (_PAST_OURS, ""),
    "dns-over-https-templates": (_PAST_OURS, ""),
    "enable-quic": (_PAST_OURS, ""),
    "remote-debugging-port": ("every program on this machine could drive the browser", ""),
    "remote-debugging-pipe": ("that pipe is the daemon's", ""),
    "remote-debugging-address": ("other machines could drive the browser", ""),
    "remote-allow-origins": ("pages could drive the browser", ""),
    "ignore-certificate-errors": ("it holds for every host", ""),
    "ignore-certificate-errors-spki-list": ("it holds for every host", ""),
    "allow-insecure-localhost": ("it holds for every host of this machine", ""),
    "disable-web-security": (_WEAKENS, ""),
    "allow-file-access-from-files": (_WEAKENS, ""),
    "allow-file-access": (_WEAKENS, ""),
    "allow-running-insecure-content": (_WEAKENS, ""),
    "disable-site-isolation-trials": (_WEAKENS, ""),
    "single-process": (_WEAKENS, ""),
    "no-sandbox": ("pages could leave their sandbox", "GSTACK_CHROMIUM_NO_SANDBOX=1"),
    "disable-setuid-sandbox": ("pages could leave theirs", "GSTACK_CHROMIUM_NO_SANDBOX=1"),
    "blink-settings": (_WEAKENS, ""),
    "enable-features": (_REPLACES, ""),
    "disable-features": (_REPLACES, ""),
    "enable-blink-features": (_REPLACES, ""),
    "disable-blink-features": (_REPLACES, ""),
    "js-flags": (_REPLACES, ""),
    "load-extension": (_REPLACES, ""),
    "disable-extensions-except": (_REPLACES, ""),
    "user-data-dir": ("the profile is the daemon's", ""),
    "user-agent": ("headers, hints and scripts would say different things", "browse useragent"),
    "headless": ("the daemon decides that", "browse connect"),
    "use-fake-ui-for-media-stream": ("pages could use camera and microphone unasked", ""),
    "enable-automation": ("pages would see that a program drives the browser", ""),
}
MAX_FLAGS = 50


def chromium_flags(raw: str) -> tuple[str, ...]:
    """Read flags as a command line has them, with or without `--`."""
    try:
        words = shlex.split(raw)
    except ValueError as exc:
        raise ValueError(f"flags of Chromium ({exc})".lower()) from None
    if len(words) > MAX_FLAGS:
        raise ValueError(f"up to {MAX_FLAGS} flags of Chromium")
    return tuple(_checked(word) for word in words)


def _checked(word: str) -> str:
    name, equals, value = word.lstrip("-").partition("=")
    name = name.lower()
    if name in ALLOWED and word.isprintable():
        return f"--{name}{equals}{value}"
    why, instead = REFUSED.get(name, ("it is not known to leave our rules as they are", ""))
    use = f"; use `{instead}`" if instead else ""
    shown = name[:40] if name.isascii() and name.isprintable() else "?"
    raise ValueError(f"flags from the list in docs/launch.md: --{shown} is refused: {why}{use}")
