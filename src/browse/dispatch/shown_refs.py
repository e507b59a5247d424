"""Which refs a reply shows: a snapshot may be cut, filtered, or print only what has changed."""

import re
from collections.abc import Iterable

from browse.egress.pipeline import Outgoing

# A row begins with its ref; before it are only its indentation and the sign of a difference.
_ROW = re.compile(r"(?:[+~>] )? *(@[ec][0-9]+) \[")


def shown_refs(reply: Outgoing) -> list[str]:
    """List the refs of the rows in a reply."""
    if not reply.is_json:
        return _at_start(reply.page.split("\n"))
    page = reply.data.get("page", {})
    return [node["ref"] for node in page.get("nodes", ())] + _at_start(page.get("difference", ()))


def _at_start(rows: Iterable[str]) -> list[str]:
    return [found[1] for row in rows if (found := _ROW.match(row))]
