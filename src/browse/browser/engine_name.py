"""The name of our selector engine, which runs page scripts.

Each daemon draws its own: a caller's selector could otherwise name the engine and run any script in
the page, with arguments of the caller's choice. So it is also kept out of messages.
"""

from secrets import token_hex

ENGINE = f"browse{token_hex(8)}"


def without_name(message: str) -> str:
    """Return a message of the driver without the name."""
    return message.replace(ENGINE, "browse")
