"""Supervises a skill's script, confined if asked, and sees to it that nothing of it is left.

With `--port`, the script can read below `--read`, write below `--write` and connect to that port of
this machine, by the kernel's own means (Landlock, seccomp), which no later step can undo. With
`--filter`, the program finds the seccomp filter at that descriptor and applies it itself.
`--forks no` lets it start no other process, `--memory` limits its memory. It starts with every
script, so it imports next to nothing.
"""

import os
import struct
import sys

from browse.core.supervisor import Supervisor, libc

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

# The numbers of Landlock's calls are the same on every processor.
_CREATE, _ADD, _RESTRICT = 444, 445, 446
_VERSION_FLAG = 1
_FILES = 0b1000_0000_0000_0110  # what applies to a file: write, read; and ioctl on devices
_READ = 0b1101  # execute, read a file, list a folder
_WRITE = 0b0111_1111_1111_1110  # everything but execute and ioctl
_EXECUTE, _TRUNCATE = 1 << 0, 1 << 14
_CONNECT = 1 << 1
_PATH_RULE, _PORT_RULE = 1, 2
_SECCOMP, _SECUREBITS, _NO_NEW_PRIVS = 22, 28, 38
_FILTER_MODE = 2
_NO_ROOT = 0b1111  # root's programs get no capabilities, and cannot get them back
DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom", "/dev/random")


class Launcher(Supervisor):
    """A supervisor that confines the program and removes what it may write to."""

    def __init__(self, argv: "list[str]") -> None:
        self.port = 0
        self.filter = 0
        self.forks = True
        self.memory = 0
        self.read: list[str] = []
        self.write: list[str] = []
        super().__init__(argv)

    def set(self, name: str, value: str) -> None:
        match name:
            case "--port":
                self.port = int(value)
                self.reaps = bool(self.port)
            case "--filter":
                self.filter = int(value)
            case "--forks":
                self.forks = value == "yes"
            case "--memory":
                self.memory = int(value)
            case "--read":
                self.read.append(value)
            case "--write":
                self.write.append(value)
            case _:
                super().set(name, value)

    def confine(self) -> None:
        if self.memory:
            limit_memory(self.memory)
        if self.port:
            confine(self)
        if self.filter:
            _hand_filter(self)

    def sweep(self) -> None:
        """End what left the group, and remove the folders."""
        super().sweep()
        for folder in self.write:
            remove(folder)


def remove(folder: str) -> None:
    """Remove a folder; of one that cannot be removed, what is left stays.

    However deep it is: what lies below the folders in it is moved up first, again and again.
    """
    try:
        while inner := _folders_in(folder):
            for path in inner:
                for deeper in _folders_in(path):
                    os.rename(deeper, f"{folder}/{os.urandom(8).hex()}")
                os.rmdir(path)
        os.rmdir(folder)
    except OSError:  # the daemon tries again
        return


def _folders_in(folder: str) -> "list[str]":
    """List the folders in a folder, open to us; remove all else."""
    found = []
    for entry in os.scandir(folder):
        if entry.is_dir(follow_symlinks=False):
            os.chmod(entry.path, 0o700)
            found.append(entry.path)
        else:
            os.unlink(entry.path)
    return found


def version() -> int:
    """Tell which version of Landlock the kernel has; 0 for none."""
    if sys.platform != "linux":
        return 0
    return max(0, int(libc().syscall(_CREATE, None, 0, _VERSION_FLAG)))


def confine(options: Launcher) -> None:
    """Give up, for good, all files but those named and all of the network but one port."""
    import ctypes

    c_library, landlock = libc(), version()
    program = _filter(options)  # from here on, our own modules cannot be read

    def call(number: int, *args: object) -> int:
        result = int(c_library.syscall(number, *args))
        if result < 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        return result

    files, net, scoped = handled(landlock)
    wanted = struct.pack("QQQ", files, net, scoped)[
        : 8 if landlock < 4 else 16 if landlock < 6 else 24
    ]
    rules = call(_CREATE, wanted, len(wanted), 0)
    readable = [*options.read, *DEVICES]
    for path, access in [*((p, _READ) for p in readable), *((p, _WRITE) for p in options.write)]:
        _allow(call, rules, path, access & files)
    _allow(call, rules, os.devnull, (_READ | 1 << 1) & files)
    if net:
        call(_ADD, rules, _PORT_RULE, struct.pack("QQ", _CONNECT, options.port), 0)
    if os.geteuid() == 0:
        c_library.prctl(_SECUREBITS, _NO_ROOT, 0, 0, 0)
    if c_library.prctl(_NO_NEW_PRIVS, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "no_new_privs")
    call(_RESTRICT, rules, 0)
    if program:
        code = ctypes.create_string_buffer(program)
        program_header = struct.pack("HxxxxxxQ", len(program) // 8, ctypes.addressof(code))
        if c_library.prctl(_SECCOMP, _FILTER_MODE, program_header, 0, 0):
            raise OSError(ctypes.get_errno(), "seccomp")


def limit_memory(size: int) -> None:
    """Limit the memory that each process of a program can ask for, in bytes."""
    import resource

    try:  # noqa: SIM105 - contextlib is too slow to import here
        resource.setrlimit(resource.RLIMIT_AS, (size, size))
    except (OSError, ValueError):  # macOS knows no such limit
        pass


def _filter(options: Launcher) -> bytes:
    from browse.skills.syscall_filter import syscall_filter

    limited = bool(options.memory)
    return syscall_filter(os.uname().machine, forks=options.forks, limited=limited)


def _hand_filter(options: Launcher) -> None:
    file = os.memfd_create("filter")
    os.write(file, _filter(options))
    os.lseek(file, 0, os.SEEK_SET)
    os.dup2(file, options.filter)


def handled(landlock: int) -> "tuple[int, int, int]":
    """List what a version can forbid: on files, on the network, towards other processes."""
    files = (1 << 13) - 1
    for since, bit in ((2, 13), (3, 14), (5, 15)):
        files |= (landlock >= since) << bit
    return files, 0b11 if landlock >= 4 else 0, 0b11 if landlock >= 6 else 0


def _allow(call: "Callable[..., int]", rules: int, path: str, access: int) -> None:
    try:
        fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:  # not every system has every place
        return
    try:
        if not os.path.isdir(path):
            access &= _FILES | _EXECUTE | _TRUNCATE
        call(_ADD, rules, _PATH_RULE, struct.pack("=Qi", access, fd), 0)
    finally:
        os.close(fd)


if __name__ == "__main__":
    Launcher(sys.argv[1:]).run()
