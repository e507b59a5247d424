"""Supervises the script of a `browse run`.

Where the kernel confines the very process that asks for it (Landlock), that process goes on as the
script: starting a second Python would take longer than most scripts.
"""

import os
import sys

from browse.sdk import run_script
from browse.skills.launcher import Launcher


class ScriptLauncher(Launcher):
    """With `--port`, its program is a script and the script's words; else a whole command line."""

    def become(self) -> None:
        if not self.port:
            super().become()
        os.close(self.status)
        os.close(self.hold)
        sys.path.pop()  # our own modules, which the script cannot read
        os._exit(run_script.tell(self.program[0], self.program[1:]))
