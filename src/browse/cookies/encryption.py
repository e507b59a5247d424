"""Decrypt values of Chromium's cookies: AES-128-CBC under a key made from a password.

`cryptography` is imported by the first value that is encrypted.
"""

import hashlib
from collections.abc import Iterable

ITERATIONS = {"linux": 1, "darwin": 1003}
# The password where there is no keyring; and one that a defect of old versions has used.
WITHOUT_KEYRING = b"peanuts"
EMPTY = b""
_SALT = b"saltysalt"
_KEY_BYTES = 16
_BLOCK_BYTES = 16
_IV = b" " * _BLOCK_BYTES
HASH_BYTES = 32


def derived(password: bytes, platform: str) -> bytes:
    """Make the key from a password, as Chromium does on a platform."""
    return hashlib.pbkdf2_hmac("sha1", password, _SALT, ITERATIONS[platform], _KEY_BYTES)


def decrypted(encrypted: bytes, host_key: str, keys: Iterable[bytes]) -> bytes | None:
    """Decrypt a value without its prefix; None if none of the keys fits.

    Since version 24 of the database, the value begins with the hash of the host. It is taken off
    only if it is that hash; a key under which it is, is the right one.
    """
    host_hash = hashlib.sha256(host_key.encode("utf-8", "surrogateescape")).digest()
    fallback = None
    for key in keys:
        plain = _unpadded(_cbc(encrypted, key))
        if plain is None:
            continue
        if plain.startswith(host_hash):
            return plain[HASH_BYTES:]
        if fallback is None and _is_text(plain):
            fallback = plain
    return fallback


def _cbc(encrypted: bytes, key: bytes) -> bytes:
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

    if not encrypted or len(encrypted) % _BLOCK_BYTES:
        return b""
    decryptor = Cipher(algorithms.AES128(key), modes.CBC(_IV)).decryptor()
    return decryptor.update(encrypted) + decryptor.finalize()


def _unpadded(plain: bytes) -> bytes | None:
    count = plain[-1] if plain else 0
    if not 1 <= count <= _BLOCK_BYTES or plain[-count:] != bytes([count]) * count:
        return None
    return plain[:-count]


def _is_text(plain: bytes) -> bool:
    """Tell a value from what a wrong key makes of it."""
    try:
        return plain.decode().isprintable()
    except UnicodeDecodeError:
        return False
