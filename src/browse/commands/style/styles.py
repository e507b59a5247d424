"""Looking at an element's styles, and changing them so that it can be taken back."""

import re
from typing import Annotated, Any

from browse.browser.elements.target import find
from browse.browser.visual import styles
from browse.browser.visual.cascade import Rule
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
# What would let a value load something, or run something in old engines.
DANGEROUS = re.compile(
    r"url\(|expression\(|@import|javascript:|data:|image-set\(|\\", re.IGNORECASE
)
USAGE = "Usage: browse style <selector> <property> <value…>, or browse style --undo [N]"


@command(group=Group.STYLE, scope=Scope.READ)
async def inspect(
    ctx: Ctx,
    target: Selector | None = None,
    *,
    all: Annotated[bool, Doc("Also the browser's own rules, and what is overridden.")] = False,
    history: Annotated[bool, Doc("List the changes made with `style` instead.")] = False,
) -> PageText | Text:
    """Show the styles of an element: its boxes, the rules of the cascade, and the results.

    The strongest rule comes first. Without a target, the last inspected element is looked at again.

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
    found = await find(ctx.tab, word, anyway=True)
    looks = await styles.looks(ctx.tab, found, named=word)
    ctx.tab.last_inspected = word
    data = from_page(
        url=ctx.tab.url,
        tag=looks.tag,
        attributes=looks.attributes,
        box=looks.box,
        rules=[_facts(rule) for rule in _wanted(looks.rules, all=True)],
        computed=looks.computed,
        pseudo={kind: [_facts(rule) for rule in rules] for kind, rules in looks.pseudo.items()},
    )
    return PageText("\n".join(_report(looks, word, all=all)), ctx.tab.url, data)


@command(group=Group.STYLE, scope=Scope.ADMIN)
async def style(
    ctx: Ctx,
    *words: str,
    undo: Annotated[bool, Doc("Take back the last change, or the last N of them.")] = False,
) -> Text:
    """Change one property of an element, or take changes back.

    The value goes into the element's own style. Values that load something are refused.

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
    found = await find(ctx.tab, selector)
    done = await styles.change(ctx.tab, found, selector, name, value)
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
            f"There are {known} changes in this tab to take back, not {count}.",
            hint="browse inspect --history lists them",
        )
    undone = await styles.take_back(ctx.tab, count)
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


def _wanted(rules: list[Rule], *, all: bool) -> list[Rule]:
    """The rules from the strongest down; those of the browser only if all are wanted."""
    return [rule for rule in reversed(rules) if all or rule.origin != "user-agent"]


def _facts(rule: Rule) -> dict[str, Any]:
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


def _report(looks: styles.Looks, word: str, *, all: bool) -> list[str]:
    named = "".join(
        f' {key}="{looks.attributes[key]}"' for key in ("id", "class") if key in looks.attributes
    )
    lines = [f"Element: <{looks.tag}{named}>", f"Selector: {word}"]
    if looks.box:
        _, _, width, height = looks.box["padding"]
        lines += [f"Dimensions: {width:g} x {height:g}", "", "Box Model:"]
        lines += [
            f"  {side}: {w:g} x {h:g} at {x:g},{y:g}" for side, (x, y, w, h) in looks.box.items()
        ]
    else:
        lines.append("Dimensions: none (it has no box)")
    matched = [rule for rule in _wanted(looks.rules, all=all) if not rule.inline]
    shown = [text for rule in matched for text in _lines(rule, all=all)]
    lines += ["", f"Matched Rules ({len(matched)}):", *shown]
    if hidden := sum(not _lines(rule, all=all) for rule in matched):
        lines.append(f"  ({hidden} more are overridden: --all shows them)")
    inline = [text for rule in looks.rules if rule.inline for text in _lines(rule, all=all)]
    lines += ["", "Inline Styles:", *(inline or ["  (none)"])]
    values = [f"{name}: {looks.computed[name]}" for name in KEY if name in looks.computed]
    rows = [values[at : at + PER_LINE] for at in range(0, len(values), PER_LINE)]
    lines += ["", "Computed (key):", *("  " + " | ".join(row) for row in rows)]
    pseudo = [
        text
        for kind, rules in looks.pseudo.items()
        for rule in _wanted(rules, all=all)
        for text in [f"  ::{kind}", *_lines(rule, all=all)]
    ]
    return [*lines, *(["", "Pseudo-elements:", *pseudo] if pseudo else [])]


def _lines(rule: Rule, *, all: bool) -> list[str]:
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
