"""The browser extension's public key, which fixes its id, and the origin that follows from it."""

import base64
import hashlib

# Chrome takes the id from the key in the manifest. Nobody has the private half: it would only sign
# packages for a store.
KEY = (
    "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA0ShVKLX1qhJGXJGQanIzvDMJi4FrmEqEdevQmAzDQAoL"
    "XbRAAUvyctbESflDqRReLgTZelwb/Wr0iV2WxuNbhlHpdIwYDu6IQcLBYIeeN4VrFDbupRb+Mg0DVC1T/us8hFua"
    "qtlbm6rlwlbmn2uGviJ3CqtdKI3qzW+wOO82jJAY4NnHpKKOGE1Sb0EJZp+L1NmnFpKP8p/aty1FZD0ooDk5q59U"
    "zewlLJ1o6yPycefVeqnXePR7TALIeQLvBFFhyLkunP8RrBdGHxx13u7zBqLtLZvJC5/x+jyL5BoHYhiL/TX0gAxt"
    "LPhVxCMP6VmCW3PNSAzR62jOiGZKGZZl0QIDAQAB"
)


def id_of(key: str) -> str:
    """Return the id that Chrome gives an extension with this key."""
    digest = hashlib.sha256(base64.b64decode(key)).hexdigest()
    return "".join(chr(ord("a") + int(digit, 16)) for digit in digest[:32])


ID = "jhipcdggoflhkgibhlceflmalghpojel"
ORIGIN = f"chrome-extension://{ID}"
