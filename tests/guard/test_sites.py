"""The rules of a daemon about sites."""

import pytest

from browse.core.errors import BrowseError, Code
from browse.core.paths import Paths
from browse.core.settings import load
from browse.guard.sites import Sites


def sites(tmp_path, **environ: str) -> Sites:
    settings = load({"GSTACK_HOME": str(tmp_path), **environ})
    return Sites.of(settings, Paths.of(settings))


def test_without_settings_every_host_is_allowed_and_the_blocklist_warns(tmp_path):
    free = sites(tmp_path)

    assert free.objection("webhook.site") == ""
    assert free.warning("webhook.site").startswith("[warning] webhook.site is on the blocklist")
    assert free.warning("example.com") == free.warning("") == ""


def test_allowed_domains_keep_out_all_others(tmp_path):
    few = sites(tmp_path, BROWSE_ALLOWED_DOMAINS="example.com,*.test")

    assert few.objection("example.com") == few.objection("a.test") == ""
    assert "BROWSE_ALLOWED_DOMAINS" in few.objection("www.example.com")
    few.check("")  # a file or about:blank has no host
    with pytest.raises(BrowseError, match=r"Blocked: evil\.com is not one") as refused:
        few.check("evil.com")
    assert refused.value.code is Code.URL_REFUSED


@pytest.mark.parametrize(("filter", "kept_out"), [("block", True), ("off", False)])
def test_filter_decides_about_the_blocklist(tmp_path, filter, kept_out):
    chosen = sites(tmp_path, BROWSE_CONTENT_FILTER=filter)

    assert bool(chosen.objection("a.webhook.site")) is kept_out
    assert chosen.warning("a.webhook.site") == ""


def test_own_list_lies_in_the_shared_home(tmp_path):
    (tmp_path / "security").mkdir()
    (tmp_path / "security" / "blocklist.txt").write_text("evil.example\n")

    assert sites(tmp_path, BROWSE_CONTENT_FILTER="block").objection("evil.example")


def test_bad_domain_is_told_as_a_bad_setting(tmp_path):
    with pytest.raises(BrowseError, match="BROWSE_ALLOWED_DOMAINS: 'a b' is not a domain") as bad:
        sites(tmp_path, BROWSE_ALLOWED_DOMAINS="a b")

    assert bad.value.code is Code.SETTING_INVALID


def test_a_list_without_a_domain_does_not_mean_all(tmp_path):
    with pytest.raises(BrowseError, match="BROWSE_ALLOWED_DOMAINS: no domain is named"):
        sites(tmp_path, BROWSE_ALLOWED_DOMAINS=", ,")
