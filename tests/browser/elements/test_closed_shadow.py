"""What Chromium says about a custom element, in our terms."""

import pytest

from browse.browser.elements.closed_shadow import facts


def said(role: str, *sources: dict, properties: tuple = (), **more: object) -> dict:
    return {
        "role": {"type": "role", "value": role},
        "name": {"sources": list(sources)},
        "properties": [{"name": name, "value": {"value": value}} for name, value in properties],
        **more,
    }


def told(node: dict) -> dict:
    found = facts(node)
    assert found
    return found


def source(kind: str, words: str, **more: object) -> dict:
    return {"type": kind, "value": {"value": words}, **more}


@pytest.mark.parametrize(
    "node", [said("generic"), said("none"), said("button", ignored=True), {"ignored": True}]
)
def test_nothing_is_said_of_what_has_no_role(node):
    assert facts(node) is None


@pytest.mark.parametrize(
    ("sources", "name"),
    [
        ([source("attribute", "Own")], "Own"),
        ([{"type": "relatedElement"}, source("attribute", "Own")], "Own"),
        ([source("relatedElement", "Other's"), source("attribute", "Own")], "Other's"),
        ([source("attribute", "Old", superseded=True), source("contents", "Text")], ""),
        ([source("contents", "Text")], ""),
        ([], ""),
    ],
)
def test_only_a_name_that_the_element_set_is_taken(sources, name):
    assert told(said("button", *sources))["name"] == name


def test_states_are_told_in_our_terms():
    properties = (
        ("focusable", True),
        ("checked", "mixed"),
        ("expanded", False),
        ("pressed", "true"),
        ("disabled", True),
        ("required", False),
        ("invalid", "false"),
        ("level", 3),
    )

    assert told(said("treeitem", properties=properties))["states"] == {
        "checked": "mixed",
        "expanded": False,
        "pressed": True,
        "disabled": True,
        "level": 3,
    }


def test_value_is_told_as_a_word():
    assert told(said("slider", value={"value": 40.0}))["value"] == "40"
    assert told(said("slider", value={"value": "warm"}))["value"] == "warm"
