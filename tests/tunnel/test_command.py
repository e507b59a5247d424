"""Tunnels by a program, with shell scripts in the place of ssh and the like."""

import asyncio
import re

import psutil
import pytest

from browse.core.errors import BrowseError, Code
from browse.tunnel.address import AddressFinder
from browse.tunnel.command import CommandTunnel
from support.cli import until
from support.life import see_gone
from support.programs import a_program

PORT = 4567
STAY = "exec sleep 1000"


@pytest.fixture
def tunnel(tmp_path):
    """Make a provider of a script, which finds the port as its first word."""

    def make(script: str, *more: str, finder: AddressFinder | None = None, **limits: float):
        words = (str(a_program(tmp_path / "forward", script)), "{port}", *more)
        limits = {"open_s": 20.0, "settle_s": 20.0, **limits}
        return CommandTunnel(words, finder or AddressFinder(), **limits)

    return make


async def refused(provider: CommandTunnel) -> BrowseError:
    with pytest.raises(BrowseError) as caught:
        await provider.open(PORT)
    return caught.value


async def test_the_address_that_is_printed_is_that_of_the_tunnel(tunnel, tmp_path):
    opened = await tunnel(
        f'echo $$ > "{tmp_path}/pid"; echo "at https://p$1.example"; {STAY}'
    ).open(PORT)
    process = psutil.Process(int((tmp_path / "pid").read_text()))

    assert opened.url == f"https://p{PORT}.example"
    assert process.is_running()
    await opened.close()
    see_gone([process])
    assert await opened.wait_closed() == "it was closed"


async def test_an_address_in_two_halves_is_taken_whole(tunnel):
    halves = "printf 'at https://one.exam' >&2; sleep 0.2; printf 'ple.org\\n' >&2;"

    opened = await tunnel(f"{halves} {STAY}").open(PORT)

    assert opened.url == "https://one.example.org"
    await opened.close()


async def test_a_fixed_address_needs_no_words_of_the_program(tunnel):
    script = f"echo see https://manual.example; {STAY}"

    opened = await tunnel(script, finder=AddressFinder("https://x.example"), settle_s=0.5).open(
        PORT
    )

    assert opened.url == "https://x.example"
    await opened.close()


async def test_a_port_that_is_printed_goes_into_the_address(tunnel):
    finder = AddressFinder("http://x.example:{found}", re.compile(r"Allocated port (\d+)"))

    opened = await tunnel(f"echo Allocated port 41234 for remote; {STAY}", finder=finder).open(PORT)

    assert opened.url == "http://x.example:41234"
    await opened.close()


async def test_the_end_of_the_program_is_the_end_of_the_tunnel(tunnel, tmp_path):
    fifo = tmp_path / "go"
    script = f"mkfifo '{fifo}'; echo https://x.example; read x < '{fifo}'; exit 4"
    opened = await tunnel(script).open(PORT)

    waiting = asyncio.ensure_future(opened.wait_closed())
    await asyncio.to_thread(fifo.write_text, "\n")

    assert await waiting == "forward ended with exit code 4"
    await opened.close()


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("echo 'no such host' >&2; exit 255", "forward ended with exit code 255"),
        ("kill -9 $$", "forward was ended by signal 9"),
        ("exit 0", "forward ended with exit code 0"),
        ("sleep 1000 & exit 0", "forward ended with exit code 0"),
    ],
)
@pytest.mark.parametrize("finder", [AddressFinder(), AddressFinder("https://x.example")])
async def test_a_program_that_ends_early_is_told_with_its_words(tunnel, script, said, finder):
    error = await refused(tunnel(script, finder=finder))

    assert error.code is Code.TUNNEL
    assert error.message == f"There is no tunnel: {said}."
    assert "foreground" in error.hint
    assert error.page == ("no such host" if "host" in script else "")


async def test_a_program_that_is_missing_is_told():
    error = await refused(CommandTunnel(("/no/such/thing", "{port}"), AddressFinder()))

    assert error.message == (
        "There is no tunnel: thing could not be started: No such file or directory."
    )


async def test_a_program_that_tells_no_address_is_ended(tunnel, tmp_path):
    pid = tmp_path / "pid"
    error = await refused(tunnel(f"echo $$ > '{pid}'; echo connecting; {STAY}", open_s=3.0))

    assert "forward printed no line with an address within 3 s" in error.message
    assert "BROWSE_TUNNEL_URL_PATTERN" in error.hint
    assert error.page == "connecting"
    assert not psutil.pid_exists(int(pid.read_text()))


async def test_a_match_that_is_no_address_is_told(tunnel):
    finder = AddressFinder("", re.compile("port (.*)"))

    error = await refused(tunnel(f"echo port 80; {STAY}", finder=finder))

    assert "BROWSE_TUNNEL_URL_PATTERN" in error.hint
    assert error.page == "80"


@pytest.mark.parametrize(
    "words",
    [["--token", "hunter2"], ["--auth-token=hunter2"], ["sk-hunter2"], ["--login", "sk-hunter2"]],
)
async def test_secrets_of_the_command_are_not_repeated(tunnel, words, caplog):
    with caplog.at_level("DEBUG"):
        error = await refused(tunnel('echo "bad: $*"; exit 1', *words))

    assert "bad: " in error.page
    assert "hunter2" not in error.page + error.message + error.hint + caplog.text


async def test_giving_up_leaves_nothing_behind(tunnel, tmp_path):
    fifo = tmp_path / "started"
    provider = tunnel(f"mkfifo '{fifo}'; echo $$ > '{fifo}'; {STAY}")
    opening = asyncio.ensure_future(provider.open(PORT))
    await asyncio.to_thread(until, fifo.exists, what="the program")
    process = psutil.Process(int(await asyncio.to_thread(fifo.read_text)))

    opening.cancel()
    with pytest.raises(asyncio.CancelledError):
        await opening

    see_gone([process])
