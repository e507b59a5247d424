"""Which fields hold secrets: by what fills them in, and by what they are called.

The same expressions run in the engine of the page scripts.
"""

import re
import unicodedata

# What `autocomplete` says of them.
FILLS = "one-time-code|new-password|current-password|cc-[a-z-]+"
# What their name, label or placeholder says, as plain words: "card number" for `cardNumber`.
_CALLED = (
    "pass ?(word|wd|phrase|code|key)s?", "pass", "pwd", "passwort", "kennwort", "contrasena",
    "mot de passe", "pin", "pin ?code", "otp", "totp", "mfa", "2 ?fa", "one ?time ?(code|password)",
    "verification code", "auth(entication)? code", "cvv2?", "cvc2?", "csc", "security code",
    "card ?(number|no|num|code)", "cc ?(number|num|no|csc|cvc|exp)", "credit ?card", "secret",
    "(api|access|private|secret) ?key", "(api|access|auth|bearer|secret) ?token", "ssn",
    "social security( number)?", "seed phrase", "recovery (code|phrase|key)",
)  # fmt: skip
CALLED = f"(^| )({'|'.join(_CALLED)})( |$)"
# Those of one-time codes among them, with what only a login form means by it.
CODES = (
    "(^| )(otp|totp|mfa|2 ?fa|two factor|one ?time ?(code|password|passcode)|verification code|"
    "auth(entication|enticator)? code|security code|login code|passcode|token)( |$)"
)
# What fields for the name of a user are called.
USERS = (
    "(^| )(user|user ?(name|id)|login( ?(name|id))?|account( ?(name|id))?|e ?mail( address)?|"
    "benutzer(name)?|usuario|identifiant|identifier|sign in name|phone( number)?)( |$)"
)
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_BETWEEN = re.compile(r"[\W_]+")
_ACCENT = re.compile("[\u0300-\u036f]")
_IS_CALLED = re.compile(CALLED)


def names_a_secret_field(name: str) -> bool:
    """Check whether a field of that name holds a secret."""
    if not name.isascii():
        name = _ACCENT.sub("", unicodedata.normalize("NFD", name))
    return _IS_CALLED.search(_BETWEEN.sub(" ", _HUMP.sub(" ", name)).lower()) is not None
