"""Which declaration wins."""

import pytest

from browse.browser.visual.cascade import Declaration, Rule, read, settle


def declared(text: str) -> list[Declaration]:
    found = []
    for part in text.split(";"):
        name, value = (word.strip() for word in part.split(":"))
        sets = tuple(f"{name}-{side}" for side in ("top", "left")) if name == "margin" else (name,)
        found.append(Declaration(name, value, "!important" in value, sets))
    return found


def rule(text: str, **more) -> Rule:
    return Rule(more.pop("selector", "p"), more.pop("origin", "regular"), declared(text), **more)


def winners(*rules: Rule) -> list[str]:
    settle(rules)
    return [str(it) for rule in rules for it in rule.declarations if not it.overridden]


UA = {"origin": "user-agent"}


@pytest.mark.parametrize(
    ("rules", "won"),
    [
        ([rule("color: a"), rule("color: b")], ["color: b"]),
        ([rule("color: a; color: b")], ["color: b"]),
        ([rule("color: a !important"), rule("color: b")], ["color: a !important"]),
        ([rule("color: a"), rule("color: b", inline=True)], ["color: b"]),
        ([rule("color: a !important"), rule("color: b", inline=True)], ["color: a !important"]),
        ([rule("color: a", layer="one"), rule("color: b", layer="two")], ["color: b"]),
        ([rule("color: a", layer="one"), rule("color: b")], ["color: b"]),
        (
            [rule("color: a !important", layer="one"), rule("color: b !important", layer="two")],
            ["color: a !important"],
        ),
        (
            [rule("color: a !important", layer="one"), rule("color: b !important")],
            ["color: a !important"],
        ),
        (
            [rule("color: a !important", layer="x"), rule("color: b !important", inline=True)],
            ["color: b !important"],
        ),
        ([rule("color: a", **UA), rule("color: b")], ["color: b"]),
        ([rule("color: a !important", **UA), rule("color: b !important")], ["color: a !important"]),
        ([rule("margin: 1px"), rule("margin-top: 2px")], ["margin: 1px", "margin-top: 2px"]),
        ([rule("margin-top: 1px"), rule("margin: 2px")], ["margin: 2px"]),
    ],
)
def test_the_cascade(rules, won):
    assert winners(*rules) == won


def test_the_protocols_answer_is_read():
    ranged = {"range": {"startLine": 4}}
    matched = {
        "matchedCSSRules": [
            {
                "matchingSelectors": [1],
                "rule": {
                    "selectorList": {
                        "text": "b, & .x",
                        "selectors": [
                            {"text": "b", "specificity": {"a": 1, "b": 0, "c": 0}},
                            {"text": "& .x", "specificity": {"a": 0, "b": 2, "c": 0}, **ranged},
                        ],
                    },
                    "nestingSelectors": [".o"],
                    "origin": "regular",
                    "styleSheetId": "s1",
                    "media": [{"text": "print"}],
                    "layers": [{"text": "inner"}, {"text": "outer"}],
                    "style": {
                        "cssProperties": [
                            {"name": "color", "value": "red", **ranged},
                            {"name": "nonsense", "value": "1", "parsedOk": False, **ranged},
                            {"name": "top", "value": "1px", "disabled": True, **ranged},
                            {"name": "color", "value": "red"},
                        ]
                    },
                },
            }
        ],
        "inlineStyle": {"cssProperties": []},
    }

    found, inline = read(matched, {"s1": {"sourceURL": "https://a.example/x.css", "startLine": 2}})

    assert found.selector == ".o b, & .x"
    assert found.specificity == (0, 2, 0)
    assert (found.source, found.line) == ("https://a.example/x.css", 7)
    assert found.conditions == ["@media print", "@layer inner", "@layer outer"]
    assert found.layer == "outer.inner"
    assert [str(it) for it in found.declarations] == ["color: red"]
    assert inline.inline
