"""Pages with widgets of real libraries, which npm installs as `tools/widgets` pins them."""

from functools import cache

import pytest
from tools.widgets import REACT, WIDGETS, why_not

from support.site import Site

TYPES = {"js": "text/javascript", "css": "text/css"}
JQUERY = "jquery/dist/jquery.min.js"
JQUERY_UI = (
    JQUERY,
    "jquery-ui/dist/jquery-ui.min.js",
    "jquery-ui/dist/themes/base/jquery-ui.min.css",
)
__all__ = ["JQUERY", "JQUERY_UI", "REACT", "linked"]


@cache
def _why_not() -> str:
    return why_not()


def linked(site: Site, *files: str) -> str:
    """Serve files of the libraries; return the tags that load them, or skip."""
    if reason := _why_not():
        pytest.skip(f"the widgets are not here: {reason}")
    tags = ["<!doctype html>"]
    for file in files:
        kind = TYPES[file.rpartition(".")[2]]
        url = site.page(
            f"/widgets/{file}", (WIDGETS.modules / file).read_bytes(), content_type=kind
        )
        is_style = kind == "text/css"
        tags.append(
            f"<link rel=stylesheet href={url}>" if is_style else f"<script src={url}></script>"
        )
    return "\n".join(tags)
