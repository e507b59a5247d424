"""What is no browser is said, with the host and the port of the address and no more."""

import socket
import threading

import pytest

from browse.browser.attach.endpoint import shown
from browse.browser.attach.relay import Relay
from browse.core.errors import BrowseError, Code


@pytest.fixture
def hangs_up():
    """A server that closes every connection at once; gives its host and port."""
    server = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        while True:
            try:
                server.accept()[0].close()
            except OSError:
                return

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    yield f"127.0.0.1:{server.getsockname()[1]}"
    server.shutdown(socket.SHUT_RDWR)
    server.close()
    thread.join()


async def refused(address: str) -> str:
    with pytest.raises(BrowseError) as caught:
        await Relay.to(address)
    assert caught.value.code is Code.BROWSER_START
    assert "--remote-debugging-port" in caught.value.hint
    return caught.value.message


async def test_a_web_site_is_no_browser(site):
    assert "no browser (/json/version has status 404)" in await refused(site.url)


async def test_an_inspector_of_another_program_is_no_browser(site):
    site.page("/node/json/version", '{"Browser": "node.js/v24", "Protocol-Version": "1.1"}')

    assert "no browser but 'node.js/v24'" in await refused(f"{site.url}/node")


async def test_what_leads_to_no_websocket_is_no_browser(site):
    site.page("/fake/json/version", f'{{"webSocketDebuggerUrl": "ws{site.url[4:]}/none"}}')

    assert "it opens no WebSocket" in await refused(f"{site.url}/fake")


async def test_a_server_that_hangs_up_is_said_without_the_key_in_the_address(hangs_up):
    assert "it does not answer" in await refused(f"http://{hangs_up}")
    said = await refused(f"ws://user:hunter2@{hangs_up}/devtools?token=hunter2")
    assert (
        said
        == f"browse cannot attach to {hangs_up}: it opens no WebSocket for us (InvalidMessage)."
    )


async def test_nothing_at_all_is_said():
    assert "nothing listens there" in await refused("http://127.0.0.1:1")


def test_what_is_shown_of_an_address():
    assert shown("wss://me:key@grid.example:8443/x?token=key") == "grid.example:8443"
