"""The browser extension: its public key, which fixes its id and its origin, and its files."""

import base64
import hashlib
import shutil
from pathlib import Path

from browse.core.files import private_folder, unwritable

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
MANIFEST = "manifest.json"


def extension_folder() -> Path:
    """Return the folder that Chromium loads the extension from."""
    package = Path(__file__).resolve().parents[1]
    installed = package / "extension"
    return installed if installed.is_dir() else package.parents[1] / "extension"


def copy_extension(to: Path) -> Path:
    """Copy the extension to a folder that stays where it is when browse is updated."""
    private_folder(to.parent)
    fresh, old = to.with_name(f"{to.name}.new"), to.with_name(f"{to.name}.old")
    try:
        for left in (fresh, old):
            shutil.rmtree(left, ignore_errors=True)
        shutil.copytree(extension_folder(), fresh)
        if to.exists():
            to.rename(old)
        fresh.rename(to)
        shutil.rmtree(old, ignore_errors=True)
    except OSError as exc:
        raise unwritable(to, exc) from exc
    return to
