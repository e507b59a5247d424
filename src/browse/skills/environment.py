"""The environment variables that a skill's script gets."""

import os
import re
from collections.abc import Mapping
from pathlib import Path

KEPT = ("LANG", "LC_ALL", "LC_CTYPE", "TERM", "TZ")
PATH = "/usr/local/bin:/usr/bin:/bin"
# The daemon's own: its token, and where it is.
OWN = ("AUTH_TOKEN", "GSTACK_TOKEN", "BROWSE_READY_FD", "BROWSE_STATE_FILE", "BROWSE_TAB")
_SECRET = re.compile(
    r"TOKEN|KEY|SECRET|PASSWORD|CREDENTIAL"
    r"|^(?:AWS|AZURE|GCP|GOOGLE_APPLICATION|ANTHROPIC|OPENAI|GITHUB|GH|SSH|GPG|PYPI)_",
    re.IGNORECASE,
)


def of_daemon() -> dict[str, str]:
    """Return the variables that the daemon was started with."""
    return dict(os.environ)


def of_script(
    around: Mapping[str, str], given: Mapping[str, str], *, scratch: Path | None
) -> dict[str, str]:
    """Return what a script gets: all but the daemon's own, or next to nothing if untrusted.

    `scratch` is the folder of an untrusted script. `given` comes last, so that nothing in the
    environment can override it.
    """
    if scratch is None:
        kept = {name: value for name, value in around.items() if name not in OWN}
        return {"PATH": PATH, **kept, **given}
    kept = {name: around[name] for name in KEPT if name in around and not _SECRET.search(name)}
    return {**kept, "PATH": PATH, "HOME": str(scratch), "TMPDIR": str(scratch), **given}
