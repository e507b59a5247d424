"""Sort an element's CSS rules by the cascade, and mark the declarations that are overridden."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

UNLAYERED = ""


class Declaration(msgspec.Struct):
    """One declaration of a rule, the longhands it sets, and whether it is overridden."""

    name: str
    value: str
    important: bool
    sets: tuple[str, ...]
    overridden: bool = False

    def __str__(self) -> str:
        return f"{self.name}: {self.value}"


class CssRule(msgspec.Struct):
    """A rule that applies to the element; its `style` attribute counts as one."""

    selector: str
    origin: str
    declarations: list[Declaration]
    source: str = ""
    line: int = 0
    specificity: tuple[int, int, int] = (0, 0, 0)
    conditions: list[str] = msgspec.field(default_factory=list)
    layer: str = UNLAYERED
    inline: bool = False


Headers = Mapping[str, Mapping[str, Any]]


def parse_rules(matched: Mapping[str, Any], sheets: Headers) -> list[CssRule]:
    """Parse CDP's answer; the weakest rule comes first, overridden declarations are marked."""
    rules = [_parse_rule(match, sheets) for match in matched.get("matchedCSSRules", [])]
    if attributes := matched.get("attributesStyle"):
        rules.insert(
            _first_authored(rules),
            CssRule("(attributes)", "attributes", _parse_declarations(attributes)),
        )
    if inline := matched.get("inlineStyle"):
        rules.append(CssRule('style=""', "inline", _parse_declarations(inline), inline=True))
    mark_overridden(rules)
    return rules


def mark_overridden(rules: Sequence[CssRule]) -> None:
    """Mark the declarations that are overridden for every longhand that they set."""
    layers = list(dict.fromkeys(rule.layer for rule in rules if rule.layer))
    best: dict[str, tuple[tuple[int, ...], Declaration]] = {}
    for index, rule in enumerate(rules):
        for place, it in enumerate(rule.declarations):
            strength = (*_strength(rule, it, layers), index, place)
            for name in it.sets:
                if name not in best or best[name][0] < strength:
                    best[name] = (strength, it)
    winners = {id(it) for _, it in best.values()}
    for rule in rules:
        for it in rule.declarations:
            it.overridden = id(it) not in winners


def _strength(rule: CssRule, it: Declaration, layers: list[str]) -> tuple[int, ...]:
    """Rank by importance, origin, style attribute and layer; ties keep the given order.

    Important declarations reverse the order of origins and layers.
    """
    origin = 0 if rule.origin == "user-agent" else 1
    layer = layers.index(rule.layer) if rule.layer else len(layers)
    if it.important:
        return (1, -origin, int(rule.inline), -layer)
    return (0, origin, int(rule.inline), layer)


def _first_authored(rules: Sequence[CssRule]) -> int:
    return next(
        (index for index, rule in enumerate(rules) if rule.origin != "user-agent"), len(rules)
    )


def _parse_rule(match: Mapping[str, Any], sheets: Headers) -> CssRule:
    rule = match["rule"]
    selectors = rule["selectorList"]["selectors"]
    matching = [selectors[index] for index in match.get("matchingSelectors", [])] or selectors
    best = max((_specificity(it) for it in matching), default=(0, 0, 0))
    header = sheets.get(rule.get("styleSheetId", ""), {})
    start = (matching[0].get("range") or {}).get("startLine", 0) if matching else 0
    return CssRule(
        selector=" ".join([*rule.get("nestingSelectors", []), rule["selectorList"]["text"]]),
        origin=rule["origin"],
        declarations=_parse_declarations(rule["style"]),
        source=header.get("sourceURL", "") or ("(inline <style>)" if header else rule["origin"]),
        line=int(header.get("startLine", 0)) + int(start) + 1 if header else 0,
        specificity=best,
        conditions=list(_conditions(rule)),
        layer=".".join(it["text"] for it in reversed(rule.get("layers", []))),
    )


def _specificity(selector: Mapping[str, Any]) -> tuple[int, int, int]:
    counts = selector.get("specificity", {})
    return (counts.get("a", 0), counts.get("b", 0), counts.get("c", 0))


def _conditions(rule: Mapping[str, Any]) -> Iterable[str]:
    for key, word in (
        ("media", "@media"),
        ("supports", "@supports"),
        ("containerQueries", "@container"),
        ("layers", "@layer"),
        ("scopes", "@scope"),
    ):
        for it in rule.get(key, []):
            yield f"{word} {it['text']}"


def _parse_declarations(style: Mapping[str, Any]) -> list[Declaration]:
    """Parse the declarations as written, with the longhands that CDP lists for each."""
    written = [it for it in style.get("cssProperties", []) if "range" in it]
    return [
        Declaration(
            it["name"],
            it["value"],
            bool(it.get("important")),
            tuple(long["name"] for long in it.get("longhandProperties", [])) or (it["name"],),
        )
        for it in written or style.get("cssProperties", [])
        if it.get("parsedOk", True) and not it.get("disabled")
    ]
