"""`scan`: check text for prompt injection."""

import asyncio
from collections.abc import Sequence
from typing import Annotated, Any

from browse.browser.reading import frame_text
from browse.core.errors import BrowseError, Code, Usage
from browse.core.scopes import Reach, Scope
from browse.dispatch.context import Ctx
from browse.dispatch.services import ScreeningService
from browse.guard.files import ReadPath
from browse.registry.params import Doc, InputFile
from browse.registry.results import Text, from_page
from browse.registry.spec import Group, Lane, command
from browse.security.blocks import Block
from browse.security.combine import Signal
from browse.security.scan import Span, Verdict

MAX_BYTES = 64 * 1024 * 1024


@command(
    group=Group.INSPECTION,
    scope=Scope.READ,
    lane=lambda given: Lane.TAB if given.get("page") else Lane.FREE,
    reach=Reach.TAB,
    reads_stdin=True,
)
async def scan(
    ctx: Ctx,
    file: InputFile = None,
    *,
    page: Annotated[bool, Doc("Scan the page in the current tab.")] = False,
    screening: ScreeningService,
) -> Text:
    """Check a text for prompt injection: instructions that target the model reading it.

    Reads a file, stdin (without a file, or with `-`) or the page. Prints the verdict (safe,
    log_only, warn or block), the confidence of each layer from 0 to 1, and the decisive passages.
    Nothing is stored and nothing leaves this machine, unless BROWSE_JUDGE names a command that is
    asked too.

    Examples:
        browse scan report.html
        browse scan --json report.html
        browse scan --page
    """
    if page and file:
        raise Usage("scan: a file and --page cannot be combined", hint="leave out one of them")
    hidden: list[Block] = []
    if page:
        text, hidden = await frame_text.read_text(ctx.tab.frame)
        source = ctx.tab.url
    elif file:
        text, source = await asyncio.to_thread(_read, file), f"file:{file.real}"
    elif ctx.call.stdin:
        text, source = ctx.call.stdin.decode("utf-8", "replace"), "stdin"
    else:
        raise Usage(
            "scan: no file was given and stdin is empty",
            hint="browse scan report.txt, or browse scan --page for the current tab",
        )
    verdict = await screening.judge([Block(text), *hidden], source=source)
    return _reply(verdict, source, hidden)


def _read(file: ReadPath) -> str:
    raw = file.read(MAX_BYTES + 1)
    if len(raw) > MAX_BYTES:
        raise BrowseError(
            Code.FILE_UNUSABLE,
            f"{file.real} has more than {MAX_BYTES:,} bytes, which is what scan takes",
            hint="scan a part of it, such as `head -c 1000000 file | browse scan`",
        )
    return raw.decode("utf-8", "replace")


def _reply(verdict: Verdict, source: str, hidden: Sequence[Block]) -> Text:
    combined = verdict.combined
    lines = [f"Verdict: {combined.decision}" + (f" ({combined.reason})" if combined.reason else "")]
    lines += [f"  {_told(each)}" for each in combined.signals]
    data: dict[str, Any] = {
        "verdict": combined.decision,
        "reason": combined.reason,
        "score": round(verdict.score, 6),
        "layers": {each.layer: round(each.confidence, 6) for each in combined.signals},
        "madeOf": {
            part.layer: round(part.confidence, 6) for each in combined.signals for part in each.of
        },
    }
    where = {span: _where(span, hidden) for span in verdict.spans}
    spans = [
        {"where": place, "score": round(span.score, 4), "quote": span.quote}
        for span, place in where.items()
    ]
    quoted = "\n".join(f"{place}: {span.quote}" for span, place in where.items())
    return Text(
        "\n".join(lines), data | from_page(spans=spans), page=quoted, source=source, judged=True
    )


def _told(signal: Signal) -> str:
    """Tell a layer's confidence, and those of the models that it was made of."""
    parts = ", ".join(f"{part.layer} {part.confidence:.4f}" for part in signal.of)
    return f"{signal.layer} {signal.confidence:.4f}" + (f" (of {parts})" if parts else "")


def _where(span: Span, hidden: Sequence[Block]) -> str:
    """Return where a passage was: its line in the visible text, or why it is hidden."""
    return f"line {span.line}" if span.block == 0 else f"hidden ({hidden[span.block - 1].why})"
