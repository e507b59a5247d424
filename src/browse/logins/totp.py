"""One-time codes that change with the time (RFC 6238), and how their seeds are written."""

import base64
import binascii
import hmac
import re
from typing import Literal
from urllib.parse import parse_qs, urlsplit

import msgspec

Hash = Literal["SHA1", "SHA256", "SHA512"]
_HASHES: dict[str, Hash] = {"SHA1": "SHA1", "SHA256": "SHA256", "SHA512": "SHA512"}
_BETWEEN = re.compile(r"[\s-]+")
MAX_DIGITS = 10


class Seed(msgspec.Struct, frozen=True):
    """What codes are made from."""

    key: bytes
    digits: int = 6
    period_s: int = 30
    hash: Hash = "SHA1"

    def code(self, now_s: float) -> str:
        """Return the code of a moment, in seconds since 1970."""
        count = int(now_s // self.period_s).to_bytes(8, "big")
        made = hmac.digest(self.key, count, self.hash.lower())
        start = made[-1] & 15
        number = int.from_bytes(made[start : start + 4], "big") & 0x7FFF_FFFF
        return str(number % 10**self.digits).zfill(self.digits)


def parse_seed(raw: str) -> Seed:
    """Parse a seed: base32, as sites show it, or an `otpauth://` address; raise ValueError.

    No message repeats the seed.
    """
    raw = raw.strip()
    if not raw.lower().startswith("otpauth://"):
        return Seed(_key(raw))
    parts = urlsplit(raw)
    if parts.netloc.lower() != "totp":
        raise ValueError("only codes that change with the time (totp) are known")
    given = {name: values[-1] for name, values in parse_qs(parts.query).items()}
    digits, period = given.get("digits", "6"), given.get("period", "30")
    chosen = _HASHES.get(given.get("algorithm", "SHA1").upper())
    if chosen is None or not digits.isdecimal() or not period.isdecimal():
        raise ValueError("its algorithm, digits or period are not known")
    if not 4 <= int(digits) <= MAX_DIGITS or not 1 <= int(period) <= 3600:
        raise ValueError("its digits or period are out of range")
    return Seed(_key(given.get("secret", "")), int(digits), int(period), chosen)


def _key(text: str) -> bytes:
    letters = _BETWEEN.sub("", text).rstrip("=").upper()
    try:
        key = base64.b32decode(letters + "=" * (-len(letters) % 8))
    except (binascii.Error, ValueError):
        key = b""
    if not key:
        raise ValueError("it is not base32, the letters A to Z and digits 2 to 7")
    return key
