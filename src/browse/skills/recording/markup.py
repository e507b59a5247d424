"""The markup of a page as `browse html` returns it: without the content of shadow roots."""

import re

_TEMPLATE = re.compile(r"<(/?)template\b([^<>]*)>", re.IGNORECASE)


def light(html: str) -> str:
    """Remove shadow roots, which a kept page has and a script does not see."""
    kept: list[str] = []
    done = depth = 0
    for tag in _TEMPLATE.finditer(html):
        if not depth and "shadowrootmode=" not in tag[2]:
            continue
        if not depth:
            kept.append(html[done : tag.start()])
        depth += -1 if tag[1] else 1
        done = tag.end() if not depth else len(html)
    return "".join([*kept, html[done:]])
