"""`inspect` and `style`: an element's styles, and changes that can be undone."""

import re
from typing import Annotated, Any

from browse.browser.visual import styles
from browse.browser.visual.cascade import CssRule
from browse.core.errors import Usage
from browse.core.scopes import Scope
from browse.dispatch.context import Ctx
from browse.registry.params import Doc, Selector
from browse.registry.results import PageText, Text, from_page
from browse.registry.spec import Group, command

KEY = (
    "display", "position", "top", "right", "bottom", "left", "float", "clear", "z-index",
    "overflow-x", "overflow-y", "visibility", "opacity", "box-sizing", "width", "height",
    "min-width", "max-width", "min-height", "max-height", "margin-top", "margin-right",
    "margin-bottom", "margin-left", "padding-top", "padding-right", "padding-bottom",
    "padding-left", "border-top-width", "border-right-width", "border-bottom-width",
    "border-left-width", "border-top-style", "border-top-color", "border-top-left-radius",
    "color", "background-color", "background-image", "font-family", "font-size",
    "font-weight", "font-style", "line-height", "letter-spacing", "text-align",
    "text-decoration-line", "text-transform", "white-space-collapse", "vertical-align",
    "flex-direction", "flex-wrap", "justify-content", "align-items", "gap",
    "grid-template-columns", "transform", "transition-duration", "cursor", "pointer-events",
)  # fmt: skip
PER_LINE = 3
# Values that load something, or run something in old engines.
DANGEROUS = re.compile(
    r"url\(|expression\(|@import|javascript:|data:|image-set\(|\\", re.IGNORECASE
)
USAGE = "Usage: browse style <selector> <property> <value…>, or browse style --undo [N]"


@command(group=Group.STYLE, scope=Scope.READ)
async def inspect(
    ctx: Ctx,
    target: Selector | None = None,
    *,
    all: Annotated[bool, Doc("Also the browser's own rules, and overridden declarations.")] = False,
    history: Annotated[bool, Doc("List the changes made with `style` instead.")] = False,
) -> PageText | Text:
    """Show the styles of an element: box model, matching CSS rules, computed values.

    The strongest rule comes first. Without a target, the last inspected element is shown again.

    Examples:
        browse inspect @e3
        browse inspect '.hero h1' --all
        browse inspect --history
    """
    if history:
        return _history(ctx)
    word = target or ctx.tab.last_inspected
    if not word:
        raise Usage(
            "inspect: <selector> is missing", hint="Usage: browse inspect <selector> [--all]"
        )
    found = await ctx.find(word, anyway=True)
    found_styles = await styles.read_styles(ctx.tab, found, named=word)
    ctx.tab.last_inspected = word
    data = from_page(
        url=ctx.tab.url,
        tag=found_styles.tag,
        attributes=found_styles.attributes,
        box=found_styles.box,
        rules=[_facts(rule) for rule in _strongest_first(found_styles.rules, all=True)],
        computed=found_styles.computed,
        pseudo={
            kind: [_facts(rule) for rule in rules] for kind, rules in found_styles.pseudo.items()
        },
    )
    return PageText("\n".join(_report(found_styles, word, all=all)), ctx.tab.url, data)


@command(group=Group.STYLE, scope=Scope.ADMIN)
async def style(
    ctx: Ctx,
    *words: str,
    undo: Annotated[bool, Doc("Undo the last change, or the last N changes.")] = False,
) -> Text:
    """Change a CSS property of an element, or undo changes.

    Sets the property in the element's style attribute. Values that load something are refused.

    Examples:
        browse style @e3 color red
        browse style '.hero h1' font-size 48px
        browse style -- :root --gap 8px
        browse style --undo
        browse style --undo 3
    """
    if undo:
        return await _undo(ctx, words)
    if len(words) < 3:
        raise Usage("style: <selector>, <property> and <value> are needed", hint=USAGE)
    selector, name, value = words[0], words[1], " ".join(words[2:]).strip().rstrip(";")
    if not re.fullmatch(r"--[\w-]+|[a-zA-Z-]+", name):
        raise Usage(f"Invalid CSS property name: {name[:40]!r}", hint="such as font-size or --gap")
    if DANGEROUS.search(value):
        raise Usage(
            "CSS value rejected: contains potentially dangerous pattern.",
            hint="url(), image-set(), data: and backslashes are not allowed",
        )
    found = await ctx.find(selector)
    done = await styles.set_style(ctx.tab, found, selector, name, value)
    return Text(
        f"Style modified: {selector} {{ {name} }} (inline)",
        {"selector": selector, "property": name} | from_page(before=done.before, after=done.after),
        page=f"{name}: {done.before or '(none)'} → {done.after or value}",
        source=ctx.tab.url,
    )


async def _undo(ctx: Ctx, words: tuple[str, ...]) -> Text:
    if len(words) > 1 or not all(re.fullmatch(r"[1-9][0-9]{0,3}", word) for word in words):
        raise Usage("--undo takes a number, at least 1", hint=USAGE)
    count = int(words[0]) if words else 1
    known = len(ctx.tab.restyled)
    if count > known:
        raise Usage(
            f"This tab has {known} changes to undo, not {count}.",
            hint="browse inspect --history lists them",
        )
    undone = await styles.undo_changes(ctx.tab, count)
    what = "last modification" if count == 1 else f"last {count} modifications"
    names = [f"{it.selector} {{ {it.name} }}" for it in undone]
    return Text(f"Reverted {what}: {', '.join(names)}", {"reverted": names})


def _history(ctx: Ctx) -> PageText | Text:
    if not ctx.tab.restyled:
        return Text("(no style modifications)", {"changes": []})
    rows = [
        {"selector": it.selector, "property": it.name, "before": it.before, "after": it.after}
        for it in ctx.tab.restyled
    ]
    lines = [
        f"[{index}] {it['selector']} {{ {it['property']}: {it['before'] or '(none)'} → "
        f"{it['after']} }} (inline)"
        for index, it in enumerate(rows)
    ]
    return PageText("\n".join(lines), ctx.tab.url, from_page(changes=rows))


def _strongest_first(rules: list[CssRule], *, all: bool) -> list[CssRule]:
    """List the rules, the strongest first; those of the browser only with `all`."""
    return [rule for rule in reversed(rules) if all or rule.origin != "user-agent"]


def _facts(rule: CssRule) -> dict[str, Any]:
    return {
        "selector": rule.selector,
        "origin": rule.origin,
        "source": rule.source,
        "line": rule.line,
        "specificity": list(rule.specificity),
        "conditions": rule.conditions,
        "declarations": [
            {
                "name": it.name,
                "value": it.value,
                "important": it.important,
                "overridden": it.overridden,
            }
            for it in rule.declarations
        ],
    }


def _report(found_styles: styles.ElementStyles, word: str, *, all: bool) -> list[str]:
    named = "".join(
        f' {key}="{found_styles.attributes[key]}"'
        for key in ("id", "class")
        if key in found_styles.attributes
    )
    lines = [f"Element: <{found_styles.tag}{named}>", f"Selector: {word}"]
    if found_styles.box:
        _, _, width, height = found_styles.box["padding"]
        lines += [f"Dimensions: {width:g} x {height:g}", "", "Box Model:"]
        lines += [
            f"  {side}: {w:g} x {h:g} at {x:g},{y:g}"
            for side, (x, y, w, h) in found_styles.box.items()
        ]
    else:
        lines.append("Dimensions: none (it has no box)")
    matched = [rule for rule in _strongest_first(found_styles.rules, all=all) if not rule.inline]
    shown = [text for rule in matched for text in _lines(rule, all=all)]
    lines += ["", f"Matched Rules ({len(matched)}):", *shown]
    if hidden := sum(not _lines(rule, all=all) for rule in matched):
        lines.append(f"  ({hidden} more are overridden: --all shows them)")
    inline = [text for rule in found_styles.rules if rule.inline for text in _lines(rule, all=all)]
    lines += ["", "Inline Styles:", *(inline or ["  (none)"])]
    values = [
        f"{name}: {found_styles.computed[name]}" for name in KEY if name in found_styles.computed
    ]
    rows = [values[at : at + PER_LINE] for at in range(0, len(values), PER_LINE)]
    lines += ["", "Computed (key):", *("  " + " | ".join(row) for row in rows)]
    pseudo = [
        text
        for kind, rules in found_styles.pseudo.items()
        for rule in _strongest_first(rules, all=all)
        for text in [f"  ::{kind}", *_lines(rule, all=all)]
    ]
    return [*lines, *(["", "Pseudo-elements:", *pseudo] if pseudo else [])]


def _lines(rule: CssRule, *, all: bool) -> list[str]:
    kept = [it for it in rule.declarations if all or not it.overridden]
    if not kept:
        return []
    words = "; ".join(f"{it} (overridden)" if it.overridden else str(it) for it in kept)
    if rule.inline:
        return [f"  {words}"]
    where = f"{rule.source}:{rule.line}" if rule.line else rule.source
    weight = "[" + ",".join(map(str, rule.specificity)) + "]"
    return [
        f"  {rule.selector} {{ {words} }}",
        "    -> " + " ".join([where, weight, *rule.conditions]),
    ]
