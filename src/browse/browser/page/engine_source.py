"""The JavaScript of the selector engine, made from the files of the page scripts."""

import json
import re
from collections.abc import Iterable
from importlib import resources

from browse.guard import secret_fields
from browse.security.addressed import EXPRESSION
from browse.security.characters.ignorable import ANY_IN_JS

EXPORT = re.compile(r"^export default ", re.MULTILINE)
# Lines that are only a comment.
COMMENT = re.compile(r"^[ \t]*(?://.*|/\*\*[^*]*(?:\*(?!/)[^*]*)*\*/[ \t]*)\n", re.MULTILINE)
BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")
_JS = resources.files("browse.browser").joinpath("page", "js")
# Expressions that are declared in Python, each with its flags in JavaScript: on `lib.patterns`.
PATTERNS = {
    "addressed": (EXPRESSION, "i"),
    "invisible": (ANY_IN_JS, "gu"),
    # To JavaScript U+FEFF is white space; nobody sees a gap there.
    "blanks": (r"[^\S\ufeff]+", "g"),
    "secretFills": (f"^({secret_fields.FILLS})$", ""),
    "secretNames": (secret_fields.CALLED, ""),
    "codeNames": (secret_fields.CODES, ""),
    "userNames": (secret_fields.USERS, ""),
}
# What the scripts share, in the order in which one builds on another: files in js/lib. On `lib`
# each has the name of its file, in camel case.
LIBRARY = (
    "dom",
    "cache",
    "closed_shadow",
    "tree",
    "web_storage",
    "style_rules",
    "accessibility/role_tables",
    "accessibility/roles",
    "accessibility/pseudo_elements",
    "accessibility/rendered_text",
    "accessibility/names",
    "accessibility/icon_hints",
    "accessibility/states",
    "accessibility/options",
    "visibility/clipping",
    "visibility/colours",
    "visibility/style_hiding",
    "visibility/clip_boxes",
    "visibility/text_colour",
    "visibility/placement",
    "visibility/reveal_heuristics",
    "visibility/addressing",
    "visibility/hidden_text",
    "visibility/visibility",
    "visibility/nonvisible_text",
    "visibility/evidence",
    "accessibility/contexts",
    "widgets/chosen",
    "widgets/calendar",
    "widgets/sliders",
    "widgets/trees",
    "elements/selectors",
    "elements/paths",
    "elements/clickable",
    "elements/refs",
    "elements/cut_snapshots",
    "elements/page_tools",
    "elements/identity",
    "elements/noted",
    "elements/document_changes",
    "elements/field_use",
    "elements/press_guard",
    "elements/text_guard",
    "elements/editors",
    "elements/preferred",
    "elements/dragging",
    "elements/first_step",
    "elements/silent_changes",
    "elements/live_regions",
    "elements/action_watch",
    "content/visible_content",
    "elements/login_fields",
    "content/shown_values",
    "content/page_text",
    "content/table_cells",
    "content/table_parts",
    "content/table_scroller",
    "content/table_rows",
    "content/repeated_items",
    "editing/style_edits",
    "editing/style_changes",
    "editing/covered_words",
    "editing/scroll_positions",
    "editing/typed_fields",
    "editing/clutter_selectors",
)


def source(path: str) -> str:
    """Read a page script's source; `path` leads to it from the folder js."""
    return _JS.joinpath(f"{path}.js").read_text("utf-8")


def engine_source(names: Iterable[str]) -> str:
    """Write the JavaScript of the engine, with the scripts of these names."""
    scripts = ",\n".join(f'"{name}": {expression(f"entry/{name}")}' for name in names)
    return f"""({expression("engine")})({{
share: {library_source()},
scripts: {{
{scripts}
}},
}})"""


def library_source() -> str:
    """Write a JavaScript function that puts all shared parts on `lib`, in their order."""
    # Not in a loop over names: V8 would turn `lib` into a dictionary, which is slower to read.
    parts = [f"lib.{on_lib(path)} = ({expression(f'lib/{path}')})(lib);" for path in LIBRARY]
    return "\n".join(["(lib) => {", f"lib.patterns = {{{_patterns()}}};", *parts, "}"])


def _patterns() -> str:
    rows = ((name, json.dumps(it), json.dumps(flags)) for name, (it, flags) in PATTERNS.items())
    return ", ".join(f"{name}: new RegExp({it}, {flags})" for name, it, flags in rows)


def on_lib(path: str) -> str:
    """Name a shared part as scripts know it: `editing/style_edits` is `lib.styleEdits`."""
    first, *rest = path.rpartition("/")[2].split("_")
    return first + "".join(word.capitalize() for word in rest)


def expression(path: str) -> str:
    """Return a page script as an expression: a function that can be called or passed on.

    In its file it is the default export, which editors and type checkers understand. Characters
    beyond ASCII are escaped: one of them would make Chromium carry the whole engine, and the
    driver's own scripts with it, in two bytes a character, to every new document. Comments stay
    at home for the same reason.
    """
    bare = COMMENT.sub("", source(path))
    escaped = BEYOND_ASCII.sub(lambda found: json.dumps(found[0])[1:-1], bare)
    return EXPORT.sub("", escaped, count=1).strip().rstrip(";")
