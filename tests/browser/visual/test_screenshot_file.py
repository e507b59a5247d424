"""Which word is an element, which a file, and what kind of file."""

import pytest

from browse.browser.visual.screenshot_file import (
    Clip,
    ElementOrFile,
    ElementWord,
    ImagePrefix,
    element_and_file,
)
from browse.browser.visual.screenshots import Area
from browse.core.errors import BrowseError, Usage
from browse.guard.files import Roots, WritePath
from browse.registry.params import Param, Surroundings


@pytest.fixture
def here(tmp_path) -> Surroundings:
    return Surroundings(str(tmp_path), Roots.of(str(tmp_path)))


def parser(kind):
    return next(item for item in kind.__metadata__ if isinstance(item, Param)).parse


@pytest.mark.parametrize(
    "word",
    ["@e3", "@c1", ".menu", "#main", "a[href]", "text=Sign in", "ul > li", ".shot.png", "#x.png"],
)
def test_what_looks_like_a_selector_is_an_element(here, word):
    assert parser(ElementOrFile)(word, here) == ElementWord(word)


@pytest.mark.parametrize(
    "word",
    ["a.png", "./menu.png", "shots/a=b.JPG", "my shot.webp", "../{}/up.png", "main", "a/b"],
)
def test_what_ends_like_a_picture_is_a_file(here, word):
    found = parser(ElementOrFile)(word.format(here.cwd.rpartition("/")[2]), here)

    assert isinstance(found, WritePath)


@pytest.mark.parametrize("word", ["page.pdf", "shot.gif", "button.png.txt"])
def test_anything_else_is_refused_with_the_endings_there_are(here, word):
    with pytest.raises(Usage, match=r"\.png, \.jpg, \.jpeg, \.webp") as caught:
        parser(ElementOrFile)(word, here)

    assert "--selector" in caught.value.hint


def test_a_picture_elsewhere_is_refused(here):
    with pytest.raises(BrowseError, match="Path must be within"):
        parser(ElementOrFile)("/etc/shot.png", here)


def test_words_may_come_in_any_order(here):
    file = parser(ElementOrFile)("a.png", here)

    assert (
        element_and_file([ElementWord("#x"), file])
        == element_and_file([file, ElementWord("#x")])
        == ("#x", file)
    )
    assert element_and_file([None, None]) == (None, None)


def test_one_of_each_is_enough(here):
    file = parser(ElementOrFile)("a.png", here)

    with pytest.raises(Usage, match="two elements"):
        element_and_file([ElementWord("#x"), ElementWord("#y")])
    with pytest.raises(Usage, match="two files"):
        element_and_file([file, file])


def test_an_area_is_read(here):
    assert parser(Clip)("1, 2.5,30,40", here) == Area(1, 2.5, 30, 40)


@pytest.mark.parametrize("word", ["", "1,2,3", "1,2,3,4,5", "a,b,c,d", "-1,0,5,5", "0,0,0,9"])
def test_other_words_are_no_area(here, word):
    with pytest.raises(Usage, match="x,y,width,height"):
        parser(Clip)(word, here)


@pytest.mark.parametrize(
    ("prefix", "mobile"), [("a/home", "a/home-mobile.png"), ("a/", "a/mobile.png")]
)
def test_a_prefix_names_a_file_for_each_size(here, prefix, mobile):
    files = parser(ImagePrefix)(prefix, here)

    assert list(files) == ["mobile", "tablet", "desktop"]
    assert files["mobile"].real == f"{Roots.of(here.cwd).folders[0]}/{mobile}"
