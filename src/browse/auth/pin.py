"""A PIN that a person chose, stored as a salted hash that is slow to guess."""

import hashlib
import hmac
import secrets

import msgspec

MIN_CHARS = 4
MAX_CHARS = 128
# About 50 ms and 16 MiB for each guess.
COST = {"n": 2**14, "r": 8, "p": 1}


class Pin(msgspec.Struct, frozen=True):
    """The stored hash of a PIN."""

    salt: str
    hash: str

    @classmethod
    def of(cls, word: str) -> "Pin":
        """Hash a PIN. Slow on purpose: not for the event loop."""
        salt = secrets.token_hex(16)
        return cls(salt, _stretched(word, salt))

    def matches(self, word: str) -> bool:
        """Check whether this is the PIN. Slow on purpose."""
        return hmac.compare_digest(_stretched(word[:MAX_CHARS], self.salt), self.hash)


def _stretched(word: str, salt: str) -> str:
    return hashlib.scrypt(word.encode(), salt=bytes.fromhex(salt), **COST).hex()
