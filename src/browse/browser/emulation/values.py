"""Parse the values of `emulate` and `viewport`."""

import re
from collections.abc import Callable, Sequence
from typing import Any
from zoneinfo import available_timezones

from browse.browser.emulation.emulation import ScreenMetrics, Throttle
from browse.core.errors import Usage
from browse.core.text import nearest

MAX_SIDE = 16_384
SCALES = (1.0, 3.0)
ACCURACY_M = 10.0
OFF = "off"
# Bytes per second down and up, and milliseconds, as in Chromium's developer tools.
NETWORKS = {
    "slow-3g": Throttle(50_000, 50_000, 2_000),
    "fast-3g": Throttle(180_000, 84_375, 562.5),
    "4g": Throttle(1_012_500, 168_750, 165),
}
PERMISSIONS = (
    "geolocation", "midi", "notifications", "camera", "microphone", "background-sync",
    "ambient-light-sensor", "accelerometer", "gyroscope", "magnetometer", "clipboard-read",
    "clipboard-write", "payment-handler", "midi-sysex", "storage-access", "local-fonts",
    "local-network-access", "screen-wake-lock",
)  # fmt: skip
ValueReader = Callable[[Sequence[str]], dict[str, Any]]


def parse_number(word: str, low: float, high: float, what: str) -> float:
    """Parse a decimal number within bounds."""
    if not re.fullmatch(r"-?[0-9]{1,9}(\.[0-9]{1,9})?", word.strip()) or not (
        low <= float(word) <= high
    ):
        raise Usage(
            f"{word[:40]!r} is not {what} from {low:g} to {high:g}", hint="give such a number"
        )
    return float(word)


def parse_size(word: str) -> tuple[int, int]:
    """Parse a size: 1280x720."""
    found = re.fullmatch(r"([0-9]{1,6})[xX]([0-9]{1,6})", word.strip())
    sides = (int(found[1]), int(found[2])) if found else (0, 0)
    if not all(1 <= side <= MAX_SIDE for side in sides):
        raise Usage(
            f"{word[:40]!r} is not a size with sides from 1 to {MAX_SIDE}",
            hint="write width x height in CSS pixels: 1280x720",
        )
    return sides


def find_device(
    words: Sequence[str], known: dict[str, Any]
) -> tuple[ScreenMetrics, dict[str, Any]]:
    """Find a device by its name, in any case."""
    name = " ".join(words)
    names = {other.lower(): other for other in known}
    exact = names.get(name.lower())
    if exact is None:
        guess = names.get(nearest(name.lower(), list(names)), "")
        meant = f" Did you mean {guess!r}?" if guess else ""
        raise Usage(
            f"emulate device: there is no {name[:60]!r}.{meant}",
            hint="list them with `browse emulate devices [part of the name]`",
        )
    row = known[exact]
    view = row["viewport"]
    screen = ScreenMetrics(
        view["width"], view["height"], row["device_scale_factor"], row["is_mobile"]
    )
    return screen, {"device": exact, "useragent": row["user_agent"], "touch": row["has_touch"]}


def geo(words: Sequence[str]) -> dict[str, Any]:
    parts = _split(words)
    if len(parts) not in (2, 3):
        raise Usage(
            f"{' '.join(words)[:60]!r} is not a position",
            hint="write latitude,longitude[,accuracy in metres]: 48.8584,2.2945",
        )
    latitude = parse_number(parts[0], -90, 90, "a latitude")
    longitude = parse_number(parts[1], -180, 180, "a longitude")
    accuracy = parse_number(parts[2], 0, 1e6, "an accuracy in metres") if parts[2:] else ACCURACY_M
    return {"geo": (latitude, longitude, accuracy)}


def locale(words: Sequence[str]) -> dict[str, Any]:
    word = _single_word(words)
    if not re.fullmatch(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}", word):
        raise Usage(f"{word[:40]!r} is not a language tag", hint="write de-DE, pt-BR or ja")
    return {"locale": word}


def timezone(words: Sequence[str]) -> dict[str, Any]:
    word, known = _single_word(words), {zone.lower(): zone for zone in available_timezones()}
    if known and word.lower() not in known:
        guess = known.get(nearest(word.lower(), list(known)), "")
        meant = f" Did you mean {guess}?" if guess else ""
        raise Usage(
            f"{word[:60]!r} is not a time zone.{meant}", hint="write Europe/Berlin, Asia/Tokyo, UTC"
        )
    return {"timezone": known.get(word.lower(), word)}


def permissions(words: Sequence[str]) -> dict[str, Any]:
    for word in words:
        if word not in PERMISSIONS:
            guess = nearest(word, list(PERMISSIONS))
            meant = f" Did you mean {guess}?" if guess else ""
            raise Usage(
                f"{word[:40]!r} is not a permission.{meant}",
                hint=f"choose from: {', '.join(PERMISSIONS)}",
            )
    return {"permissions": tuple(dict.fromkeys(words))}


def throttle(words: Sequence[str]) -> dict[str, Any]:
    word = " ".join(words).lower()
    if word in NETWORKS:
        return {"throttle": NETWORKS[word]}
    parts = _split(words)
    if len(parts) != 3:
        raise Usage(
            f"{word[:40]!r} is not a network",
            hint=f"choose {', '.join(NETWORKS)}, none, or down,up,latency in kbit/s and ms",
        )
    down, up = (parse_number(part, 1, 1e6, "a speed in kbit/s") * 125 for part in parts[:2])
    return {"throttle": Throttle(down, up, parse_number(parts[2], 0, 60_000, "a latency in ms"))}


def cpu(words: Sequence[str]) -> dict[str, Any]:
    return {"cpu": parse_number(_single_word(words), 1, 100, "a slowdown")}


def one_of(field: str, *choices: str) -> ValueReader:
    """Return a reader that accepts one of these words."""

    def read(words: Sequence[str]) -> dict[str, Any]:
        word = _single_word(words).lower()
        if word not in choices:
            raise Usage(
                f"{word[:40]!r} is not one of: {', '.join(choices)}", hint="choose one of them"
            )
        return {field: word}

    return read


def offline(words: Sequence[str]) -> dict[str, Any]:
    return {"offline": one_of("offline", "on")(words)["offline"] == "on"}


READERS: dict[str, ValueReader] = {
    "geo": geo,
    "locale": locale,
    "timezone": timezone,
    "color-scheme": one_of("color_scheme", "dark", "light", "no-preference"),
    "reduced-motion": one_of("reduced_motion", "reduce", "no-preference"),
    "media": one_of("media", "print", "screen"),
    "permissions": permissions,
    "offline": offline,
    "throttle": throttle,
    "cpu": cpu,
}


def _split(words: Sequence[str]) -> list[str]:
    return re.split(r"[,\s]+", " ".join(words).strip())


def _single_word(words: Sequence[str]) -> str:
    if len(words) != 1:
        raise Usage(f"{' '.join(words)[:60]!r} is more than one word", hint="give one word")
    return words[0]
