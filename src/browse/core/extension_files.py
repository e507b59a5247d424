"""Where the files of the browser extension are: beside the package, or in the checkout."""

import shutil
from pathlib import Path

from browse.core.files import private_folder, unwritable

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
