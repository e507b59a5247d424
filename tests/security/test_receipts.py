"""Receipts: none, no egress; and nobody can change one unnoticed."""

import hashlib
import json
import stat
import subprocess
import sys
from contextlib import ExitStack

import pytest

from browse.core.errors import BrowseError, Code
from browse.core.growing import alone
from browse.security.receipts import Receipts
from support.running import running

# Writes receipts until the limit on the size of files, which is what a full disk looks like.
FILLING = """
import asyncio, resource, signal, sys
from pathlib import Path
from browse.core.errors import BrowseError
from browse.security.receipts import Receipts
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
async def main():
    for _ in range(50):
        await Receipts(Path(sys.argv[1])).write(host="h", payload_class="p", consent="c")
try:
    asyncio.run(main())
except BrowseError as exc:
    print(exc.message)
"""
MANY = """
import asyncio, sys
from pathlib import Path
from browse.security.receipts import Receipts
async def main():
    for _ in range(20):
        await Receipts(Path(sys.argv[1])).write(host="h", payload_class="p", consent="c")
asyncio.run(main())
"""


@pytest.fixture
def path(tmp_path):
    return tmp_path / "security" / "egress.jsonl"


@pytest.fixture
def receipts(path):
    return Receipts(path)


async def write(receipts: Receipts, host: str = "x.example") -> None:
    await receipts.write(host=host, payload_class="paired-agent", consent="config.yaml")


async def test_a_receipt_says_what_goes_where_and_why(receipts, path):
    await write(receipts)

    line = json.loads(path.read_text())
    assert line.pop("ts").endswith("Z")
    assert line == {
        "type": "egress",
        "sink": "browse-tunnel",
        "host": "x.example",
        "payload_class": "paired-agent",
        "bytes": 0,
        "sha256": None,
        "consent": "config.yaml",
        "prev": "",
    }
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


async def test_each_holds_the_hash_of_the_one_before(receipts, path):
    for host in ("a", "b", "c"):
        await write(receipts, host)

    raw = path.read_bytes().splitlines()
    assert [json.loads(line)["prev"] for line in raw[1:]] == [
        hashlib.sha256(line).hexdigest() for line in raw[:-1]
    ]
    assert receipts.verify().whole
    assert receipts.verify().lines == 3


def test_no_file_is_a_whole_chain(receipts):
    assert receipts.verify().whole


@pytest.mark.parametrize(
    ("change", "at"),
    [
        (lambda lines: [lines[0].replace(b'"a"', b'"z"'), *lines[1:]], 2),
        (lambda lines: [lines[0], *lines[2:]], 2),
        (lambda lines: lines[1:], 1),
        (lambda lines: [*lines[:2], b"{}", *lines[2:]], 3),
        (lambda lines: [*lines[:2], b"\xff", *lines[2:]], 3),
        (lambda lines: [lines[1], lines[0], lines[2]], 1),
    ],
    ids=["changed", "removed", "first removed", "put there", "no JSON", "swapped"],
)
async def test_a_broken_chain_is_found(receipts, path, change, at):
    for host in ("a", "b", "c"):
        await write(receipts, host)
    path.write_bytes(b"\n".join(change(path.read_bytes().splitlines())) + b"\n")

    verdict = receipts.verify()

    assert (verdict.whole, verdict.broken_at) == (False, at)
    assert verdict.why


@pytest.mark.parametrize("end", [b'{"ts": "x', b"nonsense\n", b"\n", b"[]\n"])
async def test_a_damaged_end_takes_no_more(receipts, path, end):
    await write(receipts)
    with path.open("ab") as file:
        file.write(end)
    before = path.read_bytes()

    with pytest.raises(BrowseError) as caught:
        await write(receipts)

    assert caught.value.code is Code.STATE_UNUSABLE
    assert f"mv {path}" in caught.value.hint
    assert path.read_bytes() == before
    assert receipts.verify().broken_at == 2


async def test_where_none_can_be_written_it_fails(receipts, path):
    path.parent.write_text("in the way")

    with pytest.raises(BrowseError, match="so nothing was sent: "):
        await write(receipts)


async def test_a_holder_that_does_not_let_go_makes_it_fail(path):
    path.parent.mkdir()
    with alone(path), pytest.raises(BrowseError, match="Another process holds it"):
        await write(Receipts(path, wait_s=0.05))


def test_a_full_disk_makes_it_fail_and_leaves_the_chain_whole(receipts, path):
    done = subprocess.run(
        [sys.executable, "-c", FILLING, str(path)], capture_output=True, text=True, check=True
    )

    assert "so nothing was sent: File too large." in done.stdout
    assert receipts.verify().whole
    assert 0 < path.stat().st_size <= 1000


def test_processes_make_one_chain(receipts, path):
    with ExitStack() as stack:
        argv = [sys.executable, "-c", MANY, str(path)]
        writers = [stack.enter_context(running(argv)) for _ in range(3)]

        assert [writer.wait(150) for writer in writers] == [0, 0, 0]
    assert receipts.verify().lines == 60
    assert receipts.verify().whole


async def test_endless_fields_are_cut(receipts, path):
    await write(receipts, "x" * 100_000 + "\ud800")
    await write(receipts)

    assert path.stat().st_size < 2000
    assert receipts.verify().whole
