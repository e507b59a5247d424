"""Which declaration wins: the rules of an element in the order of the CSS cascade."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

UNLAYERED = ""


@dataclass(slots=True)
class Declaration:
    """One property of a rule, what it sets in full, and whether another one wins over it."""

    name: str
    value: str
    important: bool
    sets: tuple[str, ...]
    overridden: bool = False

    def __str__(self) -> str:
        return f"{self.name}: {self.value}"


@dataclass(slots=True)
class Rule:
    """A rule that applies to the element; `style=""` is one as well."""

    selector: str
    origin: str
    declarations: list[Declaration]
    source: str = ""
    line: int = 0
    specificity: tuple[int, int, int] = (0, 0, 0)
    conditions: list[str] = field(default_factory=list)
    layer: str = UNLAYERED
    inline: bool = False


Headers = Mapping[str, Mapping[str, Any]]


def read(matched: Mapping[str, Any], sheets: Headers) -> list[Rule]:
    """Read the protocol's answer: the weakest rule first, and what loses is marked."""
    rules = [_rule(match, sheets) for match in matched.get("matchedCSSRules", [])]
    if attributes := matched.get("attributesStyle"):
        rules.insert(_authored(rules), Rule("(attributes)", "attributes", _declared(attributes)))
    if inline := matched.get("inlineStyle"):
        rules.append(Rule('style=""', "inline", _declared(inline), inline=True))
    settle(rules)
    return rules


def settle(rules: Sequence[Rule]) -> None:
    """Mark the declarations that lose for every longhand that they set."""
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


def _strength(rule: Rule, it: Declaration, layers: list[str]) -> tuple[int, ...]:
    """Rank by importance, origin, the style attribute, and layer; the rest is the given order.

    The order of origins and of layers is turned round for what is important.
    """
    origin = 0 if rule.origin == "user-agent" else 1
    layer = layers.index(rule.layer) if rule.layer else len(layers)
    if it.important:
        return (1, -origin, int(rule.inline), -layer)
    return (0, origin, int(rule.inline), layer)


def _authored(rules: Sequence[Rule]) -> int:
    return next(
        (index for index, rule in enumerate(rules) if rule.origin != "user-agent"), len(rules)
    )


def _rule(match: Mapping[str, Any], sheets: Headers) -> Rule:
    rule = match["rule"]
    selectors = rule["selectorList"]["selectors"]
    matching = [selectors[index] for index in match.get("matchingSelectors", [])] or selectors
    best = max((_specificity(it) for it in matching), default=(0, 0, 0))
    header = sheets.get(rule.get("styleSheetId", ""), {})
    start = (matching[0].get("range") or {}).get("startLine", 0) if matching else 0
    return Rule(
        selector=" ".join([*rule.get("nestingSelectors", []), rule["selectorList"]["text"]]),
        origin=rule["origin"],
        declarations=_declared(rule["style"]),
        source=header.get("sourceURL", "") or ("(inline <style>)" if header else rule["origin"]),
        line=int(header.get("startLine", 0)) + int(start) + 1 if header else 0,
        specificity=best,
        conditions=list(_conditions(rule)),
        layer=".".join(it["text"] for it in reversed(rule.get("layers", []))),
    )


def _specificity(selector: Mapping[str, Any]) -> tuple[int, int, int]:
    told = selector.get("specificity", {})
    return (told.get("a", 0), told.get("b", 0), told.get("c", 0))


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


def _declared(style: Mapping[str, Any]) -> list[Declaration]:
    """Read the declarations as they were written; their longhands are listed by the protocol."""
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
