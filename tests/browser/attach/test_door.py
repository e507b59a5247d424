"""Only the driver gets in: with the token, once, and from no web page."""

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin

from browse.browser.attach.door import Door


async def test_only_who_has_the_token_gets_in_and_only_once():
    heard = []

    async def hear(message, _):
        heard.append(message.method)
        await door.tell(b'{"id":1}')

    door = Door(hear, lambda: heard.append("left"))
    address = await door.open()
    try:
        for wrong, origin in ((address[:-1], None), (address, Origin("http://page.example"))):
            with pytest.raises(InvalidStatus, match="403"):
                await connect(wrong, origin=origin)
        async with connect(address) as driver:
            await driver.send('{"id":1,"method":"Browser.getVersion"}')
            assert await driver.recv() == '{"id":1}'
            with pytest.raises(InvalidStatus, match="403"):
                await connect(address)
    finally:
        await door.close()

    assert heard[:1] == ["Browser.getVersion"]
