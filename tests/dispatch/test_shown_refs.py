"""Which refs a reply shows."""

import pytest

from browse.dispatch.shown_refs import shown_refs
from browse.egress.pipeline import Wants, render
from browse.registry.results import PageText, Text, from_page

TREE = '@e1 [main]\n  @e2 [button] "Go"\n[text]: @e9 [button]\n\n@c1 [onclick] "Card"'


@pytest.mark.parametrize("marked", [False, True])
def test_rows_of_a_snapshot_are_shown(marked):
    reply = render(PageText(TREE, "https://a.example"), Wants(marked=marked))

    assert shown_refs(reply) == ["@e1", "@e2", "@c1"]


def test_what_is_cut_off_is_not_shown():
    reply = render(PageText(TREE, "", ranks=[1, 0, 2, 2, 2]), Wants(max_chars=24))

    assert shown_refs(reply) == ["@e2"]


def test_difference_shows_what_there_is_now():
    lines = [
        '- @e1 [button] "Old"',
        '+ @e2 [button] "New"',
        '  @e3 [link] "Same"',
        '~ @e4 [button] "Changed"',
        '> @e5 [button] "Changed" moved after @e4',
        "> @e6 moved to the top",
    ]
    now = ["@e2", "@e3", "@e4", "@e5"]

    assert shown_refs(render(Text("Clicked", page="\n".join(lines)), Wants())) == now
    data = from_page(difference=lines)
    assert shown_refs(render(PageText("", "", data), Wants(json=True))) == now


def test_nodes_in_json_are_shown_as_far_as_they_are_there():
    nodes = [{"ref": f"@e{number}", "name": "@e77 [button]"} for number in range(1, 40)]

    reply = render(PageText("", "", from_page(nodes=nodes)), Wants(json=True, max_chars=400))

    assert shown_refs(reply) == [node["ref"] for node in reply.data["page"]["nodes"]]
    assert 0 < len(shown_refs(reply)) < 39


def test_reply_without_page_words_shows_nothing():
    assert shown_refs(render(Text("@e1 [button]"), Wants())) == []
