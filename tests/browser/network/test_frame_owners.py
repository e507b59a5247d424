"""From frames to pages, by what processes say of themselves."""

from browse.browser.network.frame_owners import _ids, _page

TARGETS = {
    "P": {"targetId": "P", "type": "page"},
    "F": {"targetId": "F", "type": "iframe", "parentFrameId": "inner"},
    "G": {"targetId": "G", "type": "iframe", "parentFrameId": "in F"},
    "lost": {"targetId": "lost", "type": "iframe", "parentFrameId": "nobody's"},
    "loop": {"targetId": "loop", "type": "iframe", "parentFrameId": "loop"},
}
ROOTS = {
    "P": "P",
    "inner": "P",
    "F": "F",
    "in F": "F",
    "G": "G",
    "lost": "lost",
    "loop": "loop",
}


def test_frames_in_other_processes_lead_to_the_page():
    assert _page("inner", ROOTS, TARGETS) == "P"
    assert _page("in F", ROOTS, TARGETS) == "P"
    assert _page("G", ROOTS, TARGETS) == "P"


def test_broken_and_endless_ways_lead_nowhere():
    assert _page("lost", ROOTS, TARGETS) == ""
    assert _page("loop", ROOTS, TARGETS) == ""


def test_tree_is_listed_with_all_that_is_below():
    tree = {
        "frame": {"id": "1"},
        "childFrames": [{"frame": {"id": "2"}, "childFrames": [{"frame": {"id": "3"}}]}],
    }

    assert _ids(tree) == ["1", "2", "3"]
    assert _ids({}) == []
