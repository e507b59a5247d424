"""Encrypt and decrypt what is kept: AES-256-GCM, bound to the kind and the name of the file.

A file that was changed, or renamed to another login's name, is refused as a whole.
"""

import os

MAGIC = b"browse-login-1\n"
NONCE_BYTES = 12


class Unsealable(Exception):
    """The content is not what was written with this key under this name."""


def seal(key: bytes, label: str, plain: bytes) -> bytes:
    """Encrypt a content for the file that the label names."""
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # heavy; nobody else needs it

    nonce = os.urandom(NONCE_BYTES)
    return MAGIC + nonce + AESGCM(key).encrypt(nonce, plain, MAGIC + label.encode())


def unseal(key: bytes, label: str, raw: bytes) -> bytes:
    """Decrypt a file's content; raise `Unsealable` if it is not whole, or not this file's."""
    from cryptography.exceptions import InvalidTag  # heavy, as above
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    start = len(MAGIC) + NONCE_BYTES
    if not raw.startswith(MAGIC) or len(raw) < start:
        raise Unsealable
    try:
        nonce, secret = raw[len(MAGIC) : start], raw[start:]
        return AESGCM(key).decrypt(nonce, secret, MAGIC + label.encode())
    except InvalidTag:
        raise Unsealable from None
