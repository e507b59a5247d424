"""Where a browser that is not ours listens for programs, however that place is spelled."""

import pytest

from browse.browser.network.debugging_ports import ports_of

HOSTS = {
    "localhost": ["127.0.0.1", "::1"],
    "grid.test": ["10.0.0.7"],
    "cloud.test": ["93.184.216.34"],
    "box.test": ["192.168.1.5", "fe80::1%eth0"],
    "here.test": ["127.0.0.1"],
}


async def look_up(host: str) -> list[str]:
    return HOSTS.get(host, [host] if host[0].isdigit() or ":" in host else [])


async def is_closed(address: str, url: str, started: str = "") -> bool:
    ports = await ports_of([address], started, look_up)
    host, _, port = url.rpartition(":")
    return ports.closes(host, port, await look_up(host))


@pytest.mark.parametrize(
    "place",
    [
        "127.0.0.1:9222",
        "localhost:9222",
        "here.test:9222",
        "box.test:9222",
        "0.0.0.0:9222",
        "::1:9222",
        "::ffff:127.0.0.1:9222",
        "10.0.0.9:9222",
    ],
)
async def test_a_port_of_this_machine_is_closed_by_all_its_names(place):
    assert await is_closed("http://127.0.0.1:9222", place)
    assert await is_closed("wss://cloud.test/key", place, "chrome --remote-debugging-port=9222 -x")
    assert not await is_closed("http://127.0.0.1:9333", place)


async def test_another_machine_is_closed_by_name_and_address_and_no_other_is():
    assert await is_closed("http://grid.test:4444", "grid.test:4444")
    assert await is_closed("http://grid.test:4444", "10.0.0.7:4444")
    assert not await is_closed("http://grid.test:4444", "grid.test:80")
    assert not await is_closed("http://grid.test:4444", "box.test:4444")


async def test_a_service_is_closed_by_its_name_only_because_others_share_its_addresses():
    assert await is_closed("wss://cloud.test/?token=x", "cloud.test:443")
    assert not await is_closed("wss://cloud.test/?token=x", "93.184.216.34:443")
    assert not await is_closed("wss://cloud.test/", "here.test:80", "--remote-debugging-port=0")
