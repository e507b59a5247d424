"""The blocklist: by labels of the host, extended by a file of the user's."""

import logging
import os

import pytest

from browse.guard.blocklist import Blocklist


@pytest.mark.parametrize(
    ("host", "entry"),
    [
        ("webhook.site", "webhook.site"),
        ("WEBHOOK.site.", "webhook.site"),
        ("a.b.webhook.site", "webhook.site"),
        ("notwebhook.site", None),
        ("webhook.site.example.com", None),
        ("site", None),
        ("", None),
        ("a." * 3_000 + "webhook.site", None),  # no such host can exist
    ],
)
def test_host_is_matched_by_whole_labels(host, entry):
    assert Blocklist().hit(host) == entry


def test_addresses_in_a_text_are_found_by_their_host():
    text = (
        "see https://a.webhook.site/x?y=1, (HTTPS://Webhook.Site) and https://example.com/"
        "?next=webhook.site or webhook.site alone; again https://a.webhook.site/x?y=1,"
    )

    assert Blocklist().found_in(text) == ["https://a.webhook.site/x?y=1,", "HTTPS://Webhook.Site"]


def test_login_in_an_address_does_not_pass_for_its_host():
    found = Blocklist().found_in("https://example.com@webhook.site/ https://webhook.site@x.test/")

    assert found == ["https://example.com@webhook.site/"]


def test_another_spelling_of_a_host_is_the_same_host():
    spelled = [
        "https://webhook%2esite/x",
        "https://\uff57ebhook.site/",
        "https://webhook\u3002site/",
    ]

    assert Blocklist().found_in(" ".join(spelled)) == spelled


def test_own_list_adds_hosts_and_names_the_lines_that_are_none(tmp_path, caplog):
    path = tmp_path / "blocklist.txt"
    path.write_text("# mine\nevil.example  # with all below\n*.bad.test\nhttp://x/y\n\n")

    with caplog.at_level(logging.WARNING):
        mine = Blocklist(path)

        assert mine.hit("www.evil.example") == "evil.example"
    assert mine.hit("bad.test") == "bad.test"
    assert mine.hit("webhook.site")
    assert [record.getMessage() for record in caplog.records] == [
        f"{path} line 4 is not a host and is skipped: 'http://x/y'"
    ]


def test_own_list_is_read_again_when_it_changes(tmp_path):
    path = tmp_path / "blocklist.txt"
    mine = Blocklist(path)
    assert mine.hit("evil.example") is None

    path.write_text("evil.example\n")
    assert mine.hit("evil.example")

    path.write_text("other.example\n")
    os.utime(path, (1, 1))
    assert mine.hit("evil.example") is None
    path.unlink()
    assert mine.hit("other.example") is None
