"""Where a project keeps its daemon state, and how the client reads it.

The one leaf that the client and the daemon share. It imports only what a bare interpreter has
loaded anyway, because the client pays for every import on every call.
"""

import errno
import os
import stat

STATE_DIR = ".gstack"
STATE_NAME = "browse.json"
DAEMON_LOCK = "browse-daemon.lock"
DAEMON_LOG = "browse-daemon.log"
WINDOW_NOTE = "browse-window"
OPTIONS_NOTE = "browse-start-options"
# How a window was when its daemon ended, if it did not close it itself.
OPEN, CLOSED = "open", "closed"
MAX_STATE_BYTES = 65_536
# Variables with which agents tell their commands what conversation they belong to, and how the name
# of such an agent begins.
CONVERSATIONS = {"CLAUDE_CODE_SESSION_ID": "claude:", "CODEX_THREAD_ID": "codex:"}
# What turns a switch off, of those that the client passes on as they are set.
OFF = ("", "0", "false", "no", "off")
# The phases of a daemon's life, as it writes them into its lock.
STARTING, SERVING, ENDING = "starting", "serving", "ending"


class UnusableState(Exception):
    """The state file exists but must not be trusted; the message says why."""


class Folder(UnusableState):
    """There is a folder in place of the state file."""


class Damaged(UnusableState):
    """The state file is ours, but it is cut short or not a state: it may be replaced."""


def git_root(start: str) -> str:
    """Return the nearest folder upwards that holds `.git`; "" where there is none."""
    folder = start
    while folder:
        if os.path.exists(git := os.path.join(folder, ".git")) and not is_planted(git, folder):
            return folder
        parent = os.path.dirname(folder)
        folder = parent if parent != folder else ""
    return ""


def is_planted(path: str, folder: str) -> bool:
    """Check whether another user put something into a folder that all share, such as /tmp."""
    try:
        shared, owner = os.stat(folder).st_mode, os.lstat(path).st_uid
    except OSError:  # it went away meanwhile
        return False
    everyones = stat.S_ISVTX | stat.S_IWOTH
    return shared & everyones == everyones and owner not in (0, os.getuid())


def project_root(start: str) -> str:
    """Return the root of the project that a folder is in; without git, the folder itself."""
    return git_root(start) or start


def state_file() -> str:
    """Return the state file of this call: `BROWSE_STATE_FILE`, else the project's."""
    chosen = os.environ.get("BROWSE_STATE_FILE", "")
    if chosen:
        return os.path.abspath(chosen)
    return os.path.join(project_root(os.getcwd()), STATE_DIR, STATE_NAME)


def beside(state_path: str, name: str) -> str:
    """Return the path of a file in the folder of the state file."""
    return os.path.join(os.path.dirname(state_path), name)


def start_lock(state_path: str) -> str:
    """Return the lock that a client holds while it starts a daemon."""
    return state_path + ".lock"


def read_state(path: str) -> dict[str, str] | None:
    """Read the state file's top-level keys as text; None when there is none.

    The daemon writes one key a line, so no JSON parser is needed. A link, a foreign owner or a
    cut-off file raises `UnusableState`: a token is only taken from a file that is ours and whole.
    """
    # O_NONBLOCK: a FIFO at this path would otherwise block the call for ever.
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
    try:
        fd = os.open(path, flags)
    except OSError as exc:
        if exc.errno in (errno.ENOENT, errno.ENOTDIR):
            return None
        if exc.errno == errno.ELOOP:
            raise UnusableState("it is a symbolic link") from exc
        raise UnusableState(os.strerror(exc.errno or 0)) from exc
    try:
        _check_ours(os.fstat(fd))
        raw = os.read(fd, MAX_STATE_BYTES)
    finally:
        os.close(fd)
    return parse_state(raw.decode("utf-8", "replace"))


def _check_ours(facts: os.stat_result) -> None:
    if stat.S_ISDIR(facts.st_mode):
        raise Folder("it is a folder")
    if not stat.S_ISREG(facts.st_mode):
        raise UnusableState("it is not a regular file")
    if facts.st_uid != os.getuid():
        raise UnusableState("it belongs to another user")


def window_note(path: str) -> str:
    """Return what is noted about the window of the daemon before; "" if nothing is."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return ""
    try:
        return os.read(fd, 200).decode("ascii", "replace").strip()
    except OSError:  # a folder
        return ""
    finally:
        os.close(fd)


def parse_state(text: str) -> dict[str, str]:
    """Split the one-key-a-line form into a flat dictionary of unquoted values."""
    lines = text.strip().split("\n")
    if lines[0].strip() != "{" or lines[-1].strip() != "}":
        raise Damaged("it is damaged (cut short or not written by browse)")
    found: dict[str, str] = {}
    for line in lines[1:-1]:
        key, colon, value = line.strip().removesuffix(",").partition(": ")
        if colon:
            found[key.strip('"')] = value.strip('"') if "\\" not in value else _unescape(value)
    if not (_within(found.get("pid", ""), 2**31 - 1) and _within(found.get("port", ""), 65_535)):
        raise Damaged("it is damaged (no pid and port in it)")
    token = found.get("token", "")
    if not token or not token.isprintable():
        raise Damaged("it is damaged (no token in it)")
    return found


def _within(word: str, largest: int) -> bool:
    # Zero is refused too: to signal pid 0 is to signal one's own process group.
    return word.isdecimal() and len(word) < 12 and 0 < int(word) <= largest


def _unescape(value: str) -> str:
    import json  # a JSON escape is rare here (a backslash in a path), and json costs milliseconds

    try:
        return str(json.loads(value))
    except ValueError as exc:
        raise Damaged("it is damaged (a value in it is not JSON)") from exc


def pid_start(pid: int) -> str:
    """Return when a process started, as an opaque word; "" if it is gone or not known.

    A pid alone is not an identity: it is reused. A zombie counts as gone.
    """
    try:
        fd = os.open(f"/proc/{pid}/stat", os.O_RDONLY)
    except OSError:
        return ""
    try:
        fields = os.read(fd, 4096).rpartition(b")")[2].split()
    except ProcessLookupError:  # it ended between the open and the read
        return ""
    finally:
        os.close(fd)
    return "" if fields[0] in (b"Z", b"X") else fields[19].decode()


def installed() -> str:
    """Return when this browse was installed, as an opaque word; a reinstallation changes it."""
    about = os.stat(os.path.join(os.path.dirname(__file__), "__init__.py"))
    return f"{about.st_ino}-{about.st_mtime_ns}"


def daemon_lives(state: dict[str, str]) -> bool:
    """Check whether the pid still belongs to the process that wrote this state."""
    pid = int(state["pid"])
    started = pid_start(pid)
    if started or os.path.isdir("/proc/self"):
        return started != "" and started == state.get("pidStart")
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
