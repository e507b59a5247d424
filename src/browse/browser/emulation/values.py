"""The words that `emulate` and `viewport` take, and what they stand for."""

import re
from collections.abc import Callable, Sequence
from typing import Any
from zoneinfo import available_timezones

from browse.browser.emulation.emulation import Screen, Throttle
from browse.core.errors import Usage
from browse.core.text import nearest

MAX_SIDE = 16_384
SCALES = (1.0, 3.0)
ACCURACY_M = 10.0
OFF = "off"
# Bytes a second down and up, and milliseconds, as Chromium's developer tools have them.
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
Read = Callable[[Sequence[str]], dict[str, Any]]


def number(word: str, low: float, high: float, what: str) -> float:
    """Read a decimal number within bounds."""
    if not re.fullmatch(r"-?[0-9]{1,9}(\.[0-9]{1,9})?", word.strip()) or not (
        low <= float(word) <= high
    ):
        raise Usage(
            f"{word[:40]!r} is not {what} from {low:g} to {high:g}", hint="give such a number"
        )
    return float(word)


def size(word: str) -> tuple[int, int]:
    """Read a size: 1280x720."""
    found = re.fullmatch(r"([0-9]{1,6})[xX]([0-9]{1,6})", word.strip())
    sides = (int(found[1]), int(found[2])) if found else (0, 0)
    if not all(1 <= side <= MAX_SIDE for side in sides):
        raise Usage(
            f"{word[:40]!r} is not a size with sides from 1 to {MAX_SIDE}",
            hint="write width x height in CSS pixels: 1280x720",
        )
    return sides


def device(words: Sequence[str], known: dict[str, Any]) -> tuple[Screen, dict[str, Any]]:
    """Find a device by its name, however its letters are written."""
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
    screen = Screen(view["width"], view["height"], row["device_scale_factor"], row["is_mobile"])
    return screen, {"device": exact, "useragent": row["user_agent"], "touch": row["has_touch"]}


def geo(words: Sequence[str]) -> dict[str, Any]:
    parts = _listed(words)
    if len(parts) not in (2, 3):
        raise Usage(
            f"{' '.join(words)[:60]!r} is not a position",
            hint="write latitude,longitude[,accuracy in metres]: 48.8584,2.2945",
        )
    latitude = number(parts[0], -90, 90, "a latitude")
    longitude = number(parts[1], -180, 180, "a longitude")
    accuracy = number(parts[2], 0, 1e6, "an accuracy in metres") if parts[2:] else ACCURACY_M
    return {"geo": (latitude, longitude, accuracy)}


def locale(words: Sequence[str]) -> dict[str, Any]:
    word = _one(words)
    if not re.fullmatch(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}", word):
        raise Usage(f"{word[:40]!r} is not a language tag", hint="write de-DE, pt-BR or ja")
    return {"locale": word}


def timezone(words: Sequence[str]) -> dict[str, Any]:
    word, known = _one(words), {zone.lower(): zone for zone in available_timezones()}
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
    parts = _listed(words)
    if len(parts) != 3:
        raise Usage(
            f"{word[:40]!r} is not a network",
            hint=f"choose {', '.join(NETWORKS)}, none, or down,up,latency in kbit/s and ms",
        )
    down, up = (number(part, 1, 1e6, "a speed in kbit/s") * 125 for part in parts[:2])
    return {"throttle": Throttle(down, up, number(parts[2], 0, 60_000, "a latency in ms"))}


def cpu(words: Sequence[str]) -> dict[str, Any]:
    return {"cpu": number(_one(words), 1, 100, "a slowdown")}


def chosen(field: str, *choices: str) -> Read:
    """Make a reader for one of a few words."""

    def read(words: Sequence[str]) -> dict[str, Any]:
        word = _one(words).lower()
        if word not in choices:
            raise Usage(
                f"{word[:40]!r} is not one of: {', '.join(choices)}", hint="choose one of them"
            )
        return {field: word}

    return read


def offline(words: Sequence[str]) -> dict[str, Any]:
    return {"offline": chosen("offline", "on")(words)["offline"] == "on"}


READERS: dict[str, Read] = {
    "geo": geo,
    "locale": locale,
    "timezone": timezone,
    "color-scheme": chosen("color_scheme", "dark", "light", "no-preference"),
    "reduced-motion": chosen("reduced_motion", "reduce", "no-preference"),
    "media": chosen("media", "print", "screen"),
    "permissions": permissions,
    "offline": offline,
    "throttle": throttle,
    "cpu": cpu,
}


def _listed(words: Sequence[str]) -> list[str]:
    return re.split(r"[,\s]+", " ".join(words).strip())


def _one(words: Sequence[str]) -> str:
    if len(words) != 1:
        raise Usage(f"{' '.join(words)[:60]!r} is more than one word", hint="give one word")
    return words[0]
