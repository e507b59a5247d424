"""The state of the defences."""


async def test_the_shield_tells_which_layers_are_live(listener):
    async with listener.client() as client:
        told = (await client.get("/security")).json()

    assert told["status"] == "protected"
    assert told["filter"] == "warn"
    assert told["layers"]["words"] is True
    assert told["layers"]["transcript_classifier"] is False
