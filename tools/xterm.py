"""Get xterm.js, the display of the terminal, from npm into the extension: `python3 tools/xterm.py`.

Each package is pinned by version and by the hash of its archive. The files go into a folder that
git ignores and that the wheel takes along, with their licences. Where there is no npm or no
network, it says so and ends well: the pane then says what is missing. Standard library only, since
the set-up runs it before anything is installed.
"""

import base64
import hashlib
import io
import shutil
import subprocess
import sys
import tarfile
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "extension" / "vendor" / "xterm"
STAMP = ".stamp"
SECONDS = 120


@dataclass(frozen=True, slots=True)
class Package:
    """An archive of npm, and which of its files are wanted, under which names."""

    name: str
    version: str
    integrity: str
    files: dict[str, str]


PACKAGES = (
    Package(
        "@xterm/xterm",
        "6.0.0",
        "sha512-TQwDdQGtwwDt+2cgKDLn0IRaSxYu1tSUjgKarSDkUM0ZNiSRXFpjxEsvc/Zgc5kq5omJ+V0a8/kIM2WD3sMOYg==",
        {
            "package/lib/xterm.mjs": "xterm.mjs",
            "package/css/xterm.css": "xterm.css",
            "package/LICENSE": "LICENSE",
        },
    ),
    Package(
        "@xterm/addon-fit",
        "0.11.0",
        "sha512-jYcgT6xtVYhnhgxh3QgYDnnNMYTcf8ElbxxFzX0IZo+vabQqSPAjC3c1wJrKB5E19VwQei89QCiZZP86DCPF7g==",
        {
            "package/lib/addon-fit.mjs": "addon-fit.mjs",
            "package/LICENSE": "addon-fit.LICENSE",
        },
    ),
)


class Unavailable(Exception):
    """The files cannot be had: why."""


def stamp(packages: tuple[Package, ...] = PACKAGES) -> str:
    """Return what tells whether the files in place are those of the table."""
    return hashlib.sha256(repr(packages).encode()).hexdigest()


def is_there(folder: Path = FOLDER) -> bool:
    """Check whether the files are in place."""
    try:
        return (folder / STAMP).read_text("utf-8") == stamp()
    except FileNotFoundError:
        return False


def get(folder: Path = FOLDER) -> None:
    """Put the files into the folder, all or none; raise `Unavailable`."""
    if not shutil.which("npm"):
        raise Unavailable("there is no npm here")
    files: dict[str, bytes] = {}
    for package in PACKAGES:
        files |= wanted(package, _packed(package))
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as place:
        fresh = Path(place) / "fresh"
        fresh.mkdir()
        for name, content in files.items():
            (fresh / name).write_bytes(content)
        (fresh / STAMP).write_text(stamp(), "utf-8")
        if folder.exists():
            folder.rename(Path(place) / "old")
        fresh.rename(folder)


def wanted(package: Package, archive: bytes) -> dict[str, bytes]:
    """Return the wanted files of an archive; raise if it is not the one that is pinned."""
    digest = base64.b64encode(hashlib.sha512(archive).digest()).decode()
    if f"sha512-{digest}" != package.integrity:
        raise Unavailable(f"{package.name} {package.version} is not the archive that is pinned")
    found = {}
    with tarfile.open(fileobj=io.BytesIO(archive), mode="r:gz") as opened:
        for inside, name in package.files.items():
            file = opened.extractfile(inside)
            if file is None:
                raise Unavailable(f"{package.name} has no file {inside}")
            found[name] = file.read()
    return found


def _packed(package: Package) -> bytes:
    """Have npm fetch an archive, from the registry that it is set up for."""
    with tempfile.TemporaryDirectory() as place:
        command = ["npm", "pack", f"{package.name}@{package.version}", "--silent"]
        command += ["--pack-destination", place]
        try:
            done = subprocess.run(
                command, cwd=place, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                timeout=SECONDS, check=False,
            )  # fmt: skip
        except (OSError, subprocess.TimeoutExpired) as exc:
            raise Unavailable(f"npm failed: {exc}") from None
        archives = list(Path(place).glob("*.tgz"))
        if done.returncode or len(archives) != 1:
            said = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
            raise Unavailable(f"npm could not fetch {package.name}: {said}")
        return archives[0].read_bytes()


def main() -> int:
    if is_there():
        return 0
    try:
        get()
    except (Unavailable, OSError) as exc:
        print(f"the terminal's display (xterm.js) is not installed: {exc}", file=sys.stderr)
        print("  when npm is there: python3 tools/xterm.py", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
