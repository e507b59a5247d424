"""Understand what vault programs print: `op` and `bw` JSON, `pass` lines, any command either.

Nothing that they print is repeated in an error.
"""

import time
from collections.abc import Callable
from typing import Any

import msgspec

from browse.guard.secret_input import MAX_SECRET_CHARS
from browse.logins.login import Credentials, Source
from browse.logins.totp import parse_seed

USERS = ("username", "user", "login", "email", "e-mail")
SEEDS = ("otpauth", "totp", "otp")


class NotUnderstood(Exception):
    """The answer is not what such a program prints; the text says what is missing."""


def understood(source: Source, raw: bytes) -> Credentials:
    """Read the answer of a vault program; raise `NotUnderstood`."""
    try:
        text = raw.decode("utf-8").strip()
    except UnicodeDecodeError:
        raise NotUnderstood("what it printed is not text") from None
    if not text:
        raise NotUnderstood("it printed nothing")
    found = _READERS[source](text)
    if not (found.password or found.user or found.code):
        raise NotUnderstood("what it printed has no user name, no password and no one-time code")
    if max(len(found.user), len(found.password), len(found.code)) > MAX_SECRET_CHARS:
        raise NotUnderstood(f"it printed a value of more than {MAX_SECRET_CHARS:,} characters")
    return found


def code_of(seed: str) -> str:
    """Return the one-time code of now; a seed of `op` or `bw` may be a code already."""
    if not seed or (seed.isdecimal() and len(seed) <= 10):
        return seed
    try:
        return parse_seed(seed).code(time.time())
    except ValueError as exc:
        raise NotUnderstood(f"its one-time code has a seed that cannot be used: {exc}") from None


def _op(text: str) -> Credentials:
    """Read `op item get --format json`: fields with a purpose, and one of the type OTP."""
    fields = _object(text).get("fields")
    if not isinstance(fields, list):
        raise NotUnderstood("what it printed has no fields")
    found: dict[str, str] = {}
    for field in fields:
        if not isinstance(field, dict):
            continue
        if field.get("type") == "OTP":
            found.setdefault("code", _text(field.get("totp")) or code_of(_text(field.get("value"))))
        elif field.get("purpose") in ("USERNAME", "PASSWORD"):
            found.setdefault(str(field["purpose"]), _text(field.get("value")))
    return Credentials(found.get("USERNAME", ""), found.get("PASSWORD", ""), found.get("code", ""))


def _bw(text: str) -> Credentials:
    """Read `bw get item`."""
    login = _object(text).get("login")
    if not isinstance(login, dict):
        raise NotUnderstood("what it printed is not an item with a login")
    return Credentials(
        _text(login.get("username")),
        _text(login.get("password")),
        code_of(_text(login.get("totp"))),
    )


def _lines(text: str) -> Credentials:
    """Read what `pass show` prints: the password, then lines such as `user: ada`."""
    password, *rest = text.splitlines()
    user = seed = ""
    for line in rest:
        name, _, value = line.partition(":")
        if name.strip().lower() in USERS:
            user = user or value.strip()
        elif name.strip().lower() in SEEDS:
            seed = seed or (line.strip() if name.strip().lower() == "otpauth" else value.strip())
    return Credentials(user, password, code_of(seed))


def _any(text: str) -> Credentials:
    """Read what a command prints: an object as JSON, or lines as those of `pass`."""
    if not text.startswith("{"):
        return _lines(text)
    given = {str(name).lower(): _text(value) for name, value in _object(text).items()}
    user = next((given[name] for name in USERS if given.get(name)), "")
    seed = next((given[name] for name in ("code", *SEEDS) if given.get(name)), "")
    return Credentials(user, given.get("password", ""), code_of(seed))


def _object(text: str) -> dict[str, Any]:
    try:
        found = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        raise NotUnderstood("what it printed is not JSON") from None
    if not isinstance(found, dict):
        raise NotUnderstood("what it printed is not a JSON object")
    return found


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


_READERS: dict[Source, Callable[[str], Credentials]] = {
    "op": _op,
    "bw": _bw,
    "pass": _lines,
    "command": _any,
}
