import pytest

from browse.core.errors import BrowseError, Code
from browse.guard.protocol import METHODS, check_method


def test_listed_methods_are_admitted():
    assert check_method("Performance.getMetrics").from_page is False
    assert check_method("Accessibility.getFullAXTree").from_page is True
    assert check_method("Tracing.start").whole_browser is True
    assert check_method("Page.getLayoutMetrics").from_page is False


@pytest.mark.parametrize(
    "name",
    [
        "Runtime.evaluate",
        "Runtime.callFunctionOn",
        "Runtime.compileScript",
        "Page.navigate",
        "Page.addScriptToEvaluateOnNewDocument",
        "Network.getResponseBody",
        "Network.getCookies",
        "Network.replayXHR",
        "Network.loadNetworkResource",
        "Target.createTarget",
        "Browser.close",
        "Fetch.enable",
        "IO.read",
        "Storage.getCookies",
        "performance.getMetrics",
        "",
    ],
)
def test_everything_else_is_refused(name):
    with pytest.raises(BrowseError) as refused:
        check_method(name)

    assert refused.value.code is Code.METHOD_REFUSED


def test_a_slip_is_pointed_out():
    with pytest.raises(BrowseError) as refused:
        check_method("Page.captureScreenshott")

    assert "did you mean Page.captureScreenshot?" in refused.value.hint


@pytest.mark.parametrize(
    ("name", "facts"),
    [
        ("Runtime.evaluate", {"method": "Runtime.evaluate"}),
        ("Runtime.evaluate ls", {}),
        ("sk-live.51H8", {}),
        ("Runtime", {}),
    ],
)
def test_a_refusal_names_the_method_only_if_it_is_a_plain_name(name, facts):
    with pytest.raises(BrowseError) as refused:
        check_method(name)

    assert refused.value.facts == facts


def test_the_list_is_short():
    assert len(METHODS) == 26
