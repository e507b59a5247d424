"""The one module that knows where files are on disk, all of it below two roots."""

import tempfile
from dataclasses import dataclass
from pathlib import Path

from browse import _where
from browse.core.settings import Settings


@dataclass(frozen=True, slots=True)
class Paths:
    """Every location, computed from the state file and the shared home."""

    state_file: Path
    home: Path

    @classmethod
    def of(cls, settings: Settings) -> "Paths":
        home = Path(settings.home).expanduser() if settings.home else Path.home() / ".gstack"
        return cls(Path(settings.state_file or _where.state_file()), home)

    @property
    def user_home(self) -> Path:
        return Path.home()

    @property
    def state_dir(self) -> Path:
        return self.state_file.parent

    @property
    def project(self) -> Path:
        return self.state_dir.parent

    @property
    def daemon_log(self) -> Path:
        return self.state_dir / _where.DAEMON_LOG

    @property
    def console_log(self) -> Path:
        return self.state_dir / "browse-console.log"

    @property
    def network_log(self) -> Path:
        return self.state_dir / "browse-network.log"

    @property
    def dialog_log(self) -> Path:
        return self.state_dir / "browse-dialog.log"

    @property
    def audit_log(self) -> Path:
        return self.state_dir / "browse-audit.jsonl"

    @property
    def flow_journal(self) -> Path:
        return self.state_dir / "browse-journal.jsonl"

    @property
    def daemon_lock(self) -> Path:
        return self.state_dir / _where.DAEMON_LOCK

    @property
    def automation(self) -> Path:
        return self.state_dir / "browse-automation.json"

    @property
    def scratch_note(self) -> Path:
        return self.state_dir / "browse-scratch"

    @property
    def window_profile(self) -> Path:
        return self.state_dir / "chromium-profile"

    @property
    def window_note(self) -> Path:
        return self.state_dir / _where.WINDOW_NOTE

    @property
    def tls_identity(self) -> Path:
        return self.home / "tls" / "identity.pem"

    @property
    def options_note(self) -> Path:
        return self.state_dir / _where.OPTIONS_NOTE

    @property
    def tabs_file(self) -> Path:
        return self.state_dir / "tabs.json"

    @property
    def active_tab_file(self) -> Path:
        return self.state_dir / "active-tab.json"

    @property
    def inbox(self) -> Path:
        return self.project / ".context" / "sidebar-inbox"

    @property
    def saved_states(self) -> Path:
        return self.state_dir / "browse-states"

    @property
    def session_state(self) -> Path:
        return self.state_dir / "session-state.json"

    @property
    def checkpoints(self) -> Path:
        return self.state_dir / "browse-checkpoints"

    @property
    def project_skills(self) -> Path:
        return self.state_dir / "browser-skills"

    @property
    def global_skills(self) -> Path:
        return self.home / "browser-skills"

    @property
    def staging(self) -> Path:
        return self.home / ".tmp"

    def remote_note(self, agents_folder: str) -> Path:
        """Return the file in which an agent of this machine finds how to drive the browser."""
        return Path.home() / agents_folder / "browse-remote.json"

    @property
    def fleet(self) -> Path:
        return self.home / "fleet"

    def fleet_worker(self, name: str) -> Path:
        """Return the project of a worker's daemon, in which its commands may write files."""
        return Path.home() / "browse-fleet" / name

    @property
    def extension(self) -> Path:
        return self.home / "extension"

    @property
    def driver_cache(self) -> Path:
        return self.home / "cache" / "driver"

    @property
    def config_yaml(self) -> Path:
        return self.home / "config.yaml"

    @property
    def config_json(self) -> Path:
        return self.home / "config.json"

    @property
    def attempts_log(self) -> Path:
        return self.home / "security" / "attempts.jsonl"

    @property
    def device_salt(self) -> Path:
        return self.home / "security" / "device-salt"

    @property
    def egress_receipts(self) -> Path:
        return self.home / "security" / "egress.jsonl"

    @property
    def skill_decisions(self) -> Path:
        return self.home / "security" / "skills"

    @property
    def logins(self) -> Path:
        return self.home / "logins"

    @property
    def telemetry(self) -> Path:
        return self.home / "analytics" / "browse-telemetry.jsonl"

    @property
    def ngrok_env(self) -> Path:
        return self.home / "ngrok.env"

    @property
    def ngrok_configs(self) -> tuple[Path, ...]:
        """Where ngrok's own program keeps its settings: on Linux, on macOS, and in old versions."""
        places = (".config/ngrok", "Library/Application Support/ngrok", ".ngrok2")
        return tuple(Path.home() / place / "ngrok.yml" for place in places)

    @property
    def project_notes(self) -> Path:
        return self.state_dir / "domain-skills"

    @property
    def global_notes(self) -> Path:
        return self.home / "domain-skills"

    @property
    def blocklist(self) -> Path:
        return self.home / "security" / "blocklist.txt"

    @property
    def models(self) -> Path:
        return self.home / "models"

    @property
    def temp(self) -> Path:
        return temp_folder()

    def private(self) -> tuple[str, ...]:
        """List our own folders and files, as real paths: no command reads or writes them.

        A folder that holds more than ours, such as /tmp, is not closed, only our files in it.
        """

        shared = [self.temp.resolve(), self.project.resolve(), Path.home().resolve()]

        def holds_more(real: Path) -> bool:
            return any(other.is_relative_to(real) for other in shared)

        # The state file has its own place in the list, so that no hard link to it is read either.
        found = {self.state_dir.resolve() / self.state_file.name: None}
        for folder in (self.state_dir, self.home):
            real = folder.resolve()
            if not holds_more(real):
                found[real] = None
                continue
            for path in self._files():
                if folder in path.parents:
                    below = path.relative_to(folder)
                    ours = (real / below.parts[0], real / below)
                    found |= dict.fromkeys([it for it in ours if not holds_more(it)][:1])
        return tuple(map(str, found))

    def _files(self) -> list[Path]:
        """List what the properties name."""
        names = [name for name, it in vars(type(self)).items() if isinstance(it, property)]
        return [path for path in (getattr(self, name) for name in names) if isinstance(path, Path)]


# A documented safe folder of the path policy, whatever TMPDIR says.
USUAL_TEMP = Path("/tmp")  # noqa: S108 - not a scratch file


def temp_folder() -> Path:
    """Return the temporary folder of this user: TMPDIR, else the system's."""
    return Path(tempfile.gettempdir())
