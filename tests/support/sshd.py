"""A real OpenSSH server on loopback, with keys and a configuration of its own."""

import os
import pwd
import shlex
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from tools.programs import PROGRAMS, where, why_not

from support.cli import until

CONFIG = """
Port {port}
ListenAddress 127.0.0.1
HostKey "{folder}/host_key"
AuthorizedKeysFile "{folder}/user_key.pub"
PidFile none
StrictModes no
UsePAM no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin prohibit-password
AllowTcpForwarding remote
"""


@dataclass(frozen=True)
class Sshd:
    """A server that runs, and how to call it."""

    port: int
    folder: Path
    process: subprocess.Popen[bytes]

    def command(self, *forwards: str, key: str = "user_key") -> str:
        """Write the command line of an ssh that forwards ports of this server."""
        options = {
            "IdentityFile": f'"{self.folder / key}"',  # quoted for ssh itself
            "IdentitiesOnly": "yes",
            "UserKnownHostsFile": f'"{self.folder}/known_hosts"',
            "StrictHostKeyChecking": "accept-new",
            "ExitOnForwardFailure": "yes",
            "BatchMode": "yes",
            "ConnectTimeout": "10",
        }
        words = ["ssh", "-F", "none", "-N", "-p", str(self.port)]
        words += [word for name, value in options.items() for word in ("-o", f"{name}={value}")]
        words += [word for forward in forwards for word in ("-R", forward)]
        return shlex.join([*words, f"{pwd.getpwuid(os.getuid()).pw_name}@127.0.0.1"])


@contextmanager
def running(folder: Path) -> Iterator[Sshd]:
    """Start a server; skips the test where there is none and none may be installed."""
    missing = [name for name in PROGRAMS if name.startswith("ssh") and not where(name)]
    if missing:
        reason = why_not() or "apt-get could not install it"
        pytest.skip(f"no {', '.join(missing)}: {reason}; install openssh-server and openssh-client")
    for name in ("host_key", "user_key", "stranger"):
        make = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(folder / name)]
        subprocess.run(make, check=True, timeout=150)
    port = free_port()
    (folder / "sshd_config").write_text(CONFIG.format(port=port, folder=folder))
    if os.getuid() == 0:
        Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)  # which a running service would make
    command = [str(where("sshd")), "-D", "-e", "-f", str(folder / "sshd_config")]
    with (folder / "sshd.log").open("wb") as log:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=log)
    try:
        until(lambda: answers(port) or process.poll() is not None, what="sshd")
        assert process.poll() is None, (folder / "sshd.log").read_text()
        yield Sshd(port, folder, process)
    finally:
        process.terminate()
        process.wait(150)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def answers(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), 5) as connection:
            return connection.recv(4) == b"SSH-"
    except OSError:
        return False
