import pytest

from browse.browser.network.refusals import Refusals
from browse.browser.network.socks_proxy import SocksProxy
from browse.browser.process.launch import connection_flags, environ_proxy
from browse.core.errors import BrowseError
from browse.core.settings import load
from browse.guard.sites import Sites

ENVIRON = {"HTTPS_PROXY": "http://proxy.test:3128"}


async def no_objection(*_: str) -> str:
    return ""


async def flags(**environ: str) -> list[str]:
    proxy = SocksProxy(Sites(), Refusals(), objection=no_objection, on_refused=lambda *_: None)
    await proxy.open()
    try:
        return connection_flags(load({**ENVIRON, **environ}), proxy)
    finally:
        await proxy.close()


@pytest.mark.parametrize("ours", ["off", "socks5://127.0.0.1:1"])
async def test_a_proxy_of_ours_wins_over_that_of_the_environment(ours):
    assert await flags() == []
    assert any(flag.startswith("--proxy-server=") for flag in await flags(BROWSE_PROXY_URL=ours))
    assert environ_proxy(load(ENVIRON)) == "http://proxy.test:3128"


@pytest.mark.parametrize("name", ["BROWSE_CA_CERT", "BROWSE_IGNORE_TLS"])
async def test_certificates_cannot_be_excepted_past_our_proxy(name):
    with pytest.raises(BrowseError, match="need our own proxy"):
        await flags(**{name: "x.test"})
