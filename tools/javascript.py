"""The checkers of the page scripts: TypeScript for types, Biome for lint and format.

npm puts them into tools/js/node_modules, as the lock file there pins them. That is done once for
each lock, and needs no network afterwards. Where it cannot be done, the checks are left out.
"""

import hashlib
import json
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
INSTALL_S = 300
NPM_CI = ("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")


@dataclass(frozen=True, slots=True)
class Checkers:
    """A folder with a package.json, a lock, and the configuration of the checkers."""

    folder: Path

    @property
    def modules(self) -> Path:
        return self.folder / "node_modules"

    @property
    def stamp(self) -> Path:
        return self.modules / ".browse-stamp"

    def digest(self) -> str:
        """Return the hash of what an installation is made from."""
        sources = [self.folder / name for name in ("package.json", "package-lock.json")]
        return hashlib.sha256(b"\n".join(source.read_bytes() for source in sources)).hexdigest()

    def why_not(self) -> str:
        """Install the checkers unless they are there; return why that failed, or ""."""
        if not shutil.which("npm"):
            return "there is no npm here"
        if self.stamp.is_file() and self.stamp.read_text("utf-8") == self.digest():
            return ""
        if reason := self._install():
            return f"npm could not install the checkers: {reason}"
        self.stamp.write_text(self.digest(), "utf-8")
        return ""

    def _install(self) -> str:
        try:
            done = subprocess.run(
                NPM_CI,
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=INSTALL_S,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as exc:
            return str(exc)
        said = [line.removeprefix("npm error ") for line in done.stderr.splitlines()]
        return (said or ["no reason given"])[0] if done.returncode else ""

    def command(self, program: str, *words: str) -> tuple[str, ...]:
        """Return the command that runs a checker."""
        return (str(self.modules / ".bin" / program), *words)

    def checked(self) -> list[str]:
        """List the files and folders that are checked, from the root of the checkout."""
        included: list[str] = json.loads((self.folder / "tsconfig.json").read_text())["include"]
        return [str((self.folder / path).resolve().relative_to(ROOT)) for path in included]


CHECKERS = Checkers(ROOT / "tools" / "js")
