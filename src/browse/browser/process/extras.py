"""What the owner adds to every Chromium: scripts for every page, and logins for servers."""

from dataclasses import dataclass, field
from pathlib import Path

from browse.browser.network.http_logins import Logins, read_logins
from browse.core.errors import BrowseError, Code
from browse.core.launching.launch_settings import LaunchSettings

MAX_SCRIPT_BYTES = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Extras:
    """Read once, when the daemon starts."""

    init_scripts: tuple[str, ...] = ()
    logins: Logins = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, settings: LaunchSettings) -> "Extras":
        """Read what the settings name; raise if a file cannot be used."""
        scripts = tuple(_script(Path(name).expanduser()) for name in settings.init_scripts)
        return cls(scripts, read_logins(settings.http_logins) if settings.http_logins else {})


def _script(path: Path) -> str:
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_SCRIPT_BYTES + 1)
        if len(raw) > MAX_SCRIPT_BYTES:
            raise _unusable(path, f"it is larger than {MAX_SCRIPT_BYTES >> 20} MiB")
        return raw.decode("utf-8-sig")
    except OSError as exc:
        raise _unusable(path, exc.strerror or "it cannot be read") from None
    except UnicodeDecodeError:
        raise _unusable(path, "it is not UTF-8") from None


def _unusable(path: Path, why: str) -> BrowseError:
    return BrowseError(
        Code.SETTING_INVALID,
        f"The script {path} of --init-script cannot be used: {why}.",
        hint="correct it; what came as a flag is forgotten with `browse stop`",
    )
