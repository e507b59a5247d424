"""Values of cookies, encrypted as Chromium does."""

import hashlib

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from browse.cookies.encryption import derived

HOST = ".a.example"
KEY = derived(b"peanuts", "linux")
# Columns of an old version of its database, and a moment in 2033 as it counts.
OLD = "host_key, name, value, encrypted_value, path, expires_utc, is_secure, is_httponly, samesite"
IN_2033 = (11_644_473_600 + 2_000_000_000) * 1_000_000
HASH = hashlib.sha256(HOST.encode()).digest()


def encrypted(plain: bytes, key: bytes = KEY) -> bytes:
    count = 16 - len(plain) % 16
    encryptor = Cipher(algorithms.AES128(key), modes.CBC(b" " * 16)).encryptor()
    return encryptor.update(plain + bytes([count]) * count) + encryptor.finalize()
