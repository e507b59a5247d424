"""The extensions that a window is opened with: our side panel, and the window's companion."""

from collections.abc import Sequence
from pathlib import Path

from browse.browser.process.own_extensions import extension_flags
from browse.core.extension_id import MANIFEST, extension_folder

COMPANION = Path(__file__).with_name("companion")


def flags(panel: Path | None = None, more: Sequence[Path] = ()) -> list[str]:
    """Return the flags that load our extensions and those of the owner, and no others.

    `panel` is the folder of the side panel's; without its manifest, only the companion is loaded.
    """
    panel = panel or extension_folder()
    both = (COMPANION, panel) if (panel / MANIFEST).is_file() else (COMPANION,)
    return extension_flags([*both, *more])
