"""The extensions that a window is opened with: our side panel, and the window's companion."""

from pathlib import Path

import browse

COMPANION = Path(__file__).with_name("companion")
_PACKAGE = Path(browse.__file__).parent
# In an installation, and in a checkout.
PANELS = (_PACKAGE / "extension", _PACKAGE.parents[1] / "extension")


def panel() -> Path | None:
    """Return the folder of the side panel's extension; None if this installation has none."""
    return next((folder for folder in PANELS if (folder / "manifest.json").is_file()), None)


def flags() -> list[str]:
    """Return the flags that load our extensions, and no others."""
    folders = ",".join(str(folder) for folder in (COMPANION, panel()) if folder)
    return [f"--disable-extensions-except={folders}", f"--load-extension={folders}"]
