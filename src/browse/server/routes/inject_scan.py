"""POST /pty-inject-scan: whether a text may be put into the terminal for the person."""

import msgspec
from starlette.requests import Request

from browse.auth.caller import Caller
from browse.core.controls import visible
from browse.core.errors import Usage
from browse.core.text import well_formed
from browse.dispatch.screening import why
from browse.security.attempts import Outcome
from browse.security.blocks import Block
from browse.security.characters import invisible
from browse.security.combine import Decision
from browse.server import body, reply
from browse.server.access import Endpoint, EndpointAccess
from browse.server.services import Services
from browse.server.sources import Sources

MARK = "<untrusted-page-content>"
NO_CLASSIFIER = "l4-unavailable"
VERDICTS = {Decision.BLOCK: "BLOCK", Decision.WARN: "WARN"}
OUTCOMES = {
    Decision.BLOCK: Outcome.REFUSED,
    Decision.WARN: Outcome.WARNED,
    Decision.LOG_ONLY: Outcome.NOTED,
}


class TextToInject(msgspec.Struct, forbid_unknown_fields=True):
    """A text for the terminal, and the address of the page that it comes from."""

    text: str
    origin: str = ""


def endpoint(services: Services) -> Endpoint:
    """Build the endpoint that scans a text before it is put into the terminal."""

    async def scan(request: Request, _: Caller) -> reply.Reply:
        """Scan a text for the terminal: `{text, origin?}`, up to 64 KiB, returns a verdict.

        `verdict` is `PASS`, `WARN` (ask the person) or `BLOCK` (drop it); `reasons` says why.
        `text` is the text without control characters and without those that nobody sees: put in
        this one and no other. `l4.available` is false where the classifier is off, which is a
        warning.
        """
        screening = services.running.runner.parts.screening
        sent = body.decode(await body.read(request, body.SMALL), TextToInject)
        if not sent.text.strip():
            raise Usage("the text is empty", hint="send {text, origin}")
        text = well_formed(sent.text)
        blocks = [Block(text), *invisible.blocks(text)]
        found = (await screening.judge(blocks, source=sent.origin)).combined
        classifies = bool(screening.status()["layers"]["words"])
        if outcome := OUTCOMES.get(found.decision):
            screening.note(found, sent.origin, outcome)
        verdict = VERDICTS.get(found.decision, "PASS" if classifies else "WARN")
        reasons = [found.reason, why(found)] if found.decision in VERDICTS else []
        return reply.facts(
            {
                "verdict": verdict,
                "reasons": [*reasons, *([] if classifies else [NO_CLASSIFIER])],
                "text": visible(invisible.visible(text)) if verdict != "BLOCK" else "",
                "l4": {"available": classifies, "verdict": found.decision.value},
                "datamark": MARK,
            }
        )

    pages = Sources.EXTENSION | Sources.OWN_PAGES
    return Endpoint("POST", "/pty-inject-scan", EndpointAccess.TERMINAL, scan, pages)
