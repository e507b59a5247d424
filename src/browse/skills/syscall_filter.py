"""The system calls that a confined script cannot make: a seccomp filter for the kernel.

Landlock checks which files are opened, created and removed, and which TCP ports are used. What
reaches out of the sandbox in another way is refused here, even where it would be harmless: a filter
sees numbers, not paths.
"""

import struct

# How the kernel names a processor; the place of its number in the rows below.
_PROCESSORS = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}
_NONE = -1  # a processor that never had the call
_REFUSED = {
    # Files that need not be opened for it: mode, owner, attributes, times; names of files.
    "chmod": (90, _NONE), "fchmod": (91, 52), "fchmodat": (268, 53), "fchmodat2": (452, 452),
    "chown": (92, _NONE), "fchown": (93, 55), "lchown": (94, _NONE), "fchownat": (260, 54),
    "setxattr": (188, 5), "lsetxattr": (189, 6), "fsetxattr": (190, 7), "setxattrat": (463, 463),
    "removexattr": (197, 14), "lremovexattr": (198, 15), "fremovexattr": (199, 16),
    "removexattrat": (466, 466), "file_setattr": (469, 469),
    "utime": (132, _NONE), "utimes": (235, _NONE), "futimesat": (261, _NONE),
    "utimensat": (280, 88),
    "inotify_add_watch": (254, 27), "fanotify_init": (300, 262),
    "name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265),
    # A server: Landlock does not see `listen` without `bind`.
    "bind": (49, 200), "listen": (50, 201), "accept": (43, 202), "accept4": (288, 242),
    # Namespaces and the tree of files.
    "unshare": (272, 97), "setns": (308, 268), "chroot": (161, 51), "pivot_root": (155, 41),
    "mount": (165, 40), "umount2": (166, 39), "open_tree": (428, 428), "move_mount": (429, 429),
    "fsopen": (430, 430), "fsconfig": (431, 431), "fsmount": (432, 432), "fspick": (433, 433),
    "mount_setattr": (442, 442), "open_tree_attr": (467, 467),
    # System V IPC, and the message queues of POSIX.
    "shmget": (29, 194), "shmat": (30, 196), "shmctl": (31, 195), "shmdt": (67, 197),
    "semget": (64, 190), "semop": (65, 193), "semctl": (66, 191), "semtimedop": (220, 192),
    "msgget": (68, 186), "msgsnd": (69, 189), "msgrcv": (70, 188), "msgctl": (71, 187),
    "mq_open": (240, 180), "mq_unlink": (241, 181),
    # Other processes.
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
    "process_madvise": (440, 440), "process_mrelease": (448, 448), "kcmp": (312, 272),
    "pidfd_open": (434, 434), "pidfd_getfd": (438, 438), "setpriority": (141, 140),
    "ioprio_set": (251, 30), "migrate_pages": (256, 238), "move_pages": (279, 239),
    # The kernel itself: nobody needs it here, and it had many holes.
    "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219),
    "io_uring_setup": (425, 425), "bpf": (321, 280), "perf_event_open": (298, 241),
    "userfaultfd": (323, 282), "syslog": (103, 116),
}  # fmt: skip
# Allowed for the calling process itself, whose number is then written as 0.
_OF_A_PROCESS = {
    "prlimit64": (302, 261), "sched_setaffinity": (203, 122), "sched_setscheduler": (144, 119),
    "sched_setparam": (142, 118), "sched_setattr": (314, 274),
}  # fmt: skip
_SOCKET, _CLONE, _CLONE3, _IOCTL = (41, 198), (56, 220), (435, 435), (16, 29)
# With the place of their flags: TCP's fast open connects while it sends, and no port is checked.
_SENDERS = (((44, 206), 3), ((46, 211), 2), ((307, 269), 3))
_FAST_OPEN = 0x20000000
_NEW_NAMESPACES, _NEW_THREAD = 0x7E020000, 0x00010000
_FORKS = ((57, _NONE), (58, _NONE))  # fork, vfork
_FILES_IN_MEMORY = ((319, 279), (447, 447))  # memfd_create, memfd_secret
_SET_FLAGS, _SET_ATTRIBUTES = 0x40086602, 0x401C5820  # what `chattr` does, on an open file

_Step = tuple[int, int, int, int]
_LOAD, _EQUAL, _ABOVE, _BITS, _AND, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x54, 0x06
_ALLOW, _KILL = (_RETURN, 0, 0, 0x7FFF0000), (_RETURN, 0, 0, 0x80000000)
_DENY = (_RETURN, 0, 0, 0x5000D)  # EACCES
_ABSENT = (_RETURN, 0, 0, 0x50026)  # ENOSYS: the C library then uses the older call
_OTHER_CALLS = 0x40000000  # another set of calls on the same processor


def syscall_filter(machine: str, *, forks: bool = True, limited: bool = False) -> bytes:
    """Write the filter for a processor; empty for one whose numbers are not known here.

    Without `forks`, the program can start threads, and no other process. If its memory is
    `limited`, it gets none that the limit does not count.
    """
    if machine not in _PROCESSORS:
        return b""
    processor, at = _PROCESSORS[machine]
    program = [(_LOAD, 0, 0, 4), (_EQUAL, 1, 0, processor), _KILL, (_LOAD, 0, 0, 0)]
    program += [(_ABOVE, 0, 1, _OTHER_CALLS), _DENY]
    for numbers in _REFUSED.values():
        program += [(_EQUAL, 0, 1, numbers[at]), _DENY] if numbers[at] != _NONE else []
    for numbers in _FILES_IN_MEMORY if limited else ():
        program += [(_EQUAL, 0, 1, numbers[at]), _DENY]
    program += [(_EQUAL, 0, 1, _CLONE3[at]), _ABSENT]
    for numbers in _OF_A_PROCESS.values():
        program += _where(numbers[at], _argument(0), (_EQUAL, 1, 0, 0), _DENY)
    for numbers, place in _SENDERS:
        program += _where(numbers[at], _argument(place), (_BITS, 0, 1, _FAST_OPEN), _DENY)
    cloning = [(_BITS, 0, 1, _NEW_NAMESPACES), _DENY]
    if not forks:
        for numbers in _FORKS:
            program += [(_EQUAL, 0, 1, numbers[at]), _DENY] if numbers[at] != _NONE else []
        cloning += [(_BITS, 1, 0, _NEW_THREAD), _DENY]
    program += _where(_CLONE[at], _argument(0), *cloning)
    changes = [(_EQUAL, 1, 0, _SET_FLAGS), (_EQUAL, 0, 1, _SET_ATTRIBUTES)]
    program += _where(_IOCTL[at], _argument(1), *changes, _DENY)
    program += [*_where(_SOCKET[at], *_plain_tcp()), _ALLOW]
    return b"".join(struct.pack("HBBI", *step) for step in program)


def _where(number: int, *steps: _Step) -> list[_Step]:
    """Check the arguments of one call; what the steps do not refuse is allowed."""
    return [(_EQUAL, 0, len(steps) + 1, number), *steps, _ALLOW]


def _argument(place: int) -> _Step:
    return (_LOAD, 0, 0, 16 + 8 * place)


def _plain_tcp() -> list[_Step]:
    """Refuse sockets but TCP over IPv4: Landlock knows neither UDP nor sockets in files."""
    family = [_argument(0), (_EQUAL, 1, 0, 2), _DENY]  # AF_INET
    kind = [_argument(1), (_AND, 0, 0, 0xF), (_EQUAL, 1, 0, 1), _DENY]  # SOCK_STREAM
    return [*family, *kind, _argument(2), (_EQUAL, 2, 0, 0), (_EQUAL, 1, 0, 6), _DENY]
