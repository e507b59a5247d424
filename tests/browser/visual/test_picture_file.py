"""Which word is an element, which a file, and what kind of file."""

import pytest

from browse.browser.visual.picture_file import Clip, Element, Place, Prefix, sort_out
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
    assert parser(Place)(word, here) == Element(word)


@pytest.mark.parametrize(
    "word", ["a.png", "./menu.png", "shots/a=b.JPG", "my shot.webp", "x.jpeg", "../{}/up.png"]
)
def test_what_ends_like_a_picture_is_a_file(here, word):
    found = parser(Place)(word.format(here.cwd.rpartition("/")[2]), here)

    assert isinstance(found, WritePath)


@pytest.mark.parametrize("word", ["main", "page.pdf", "shot.gif", "shots/a", "button.png.txt"])
def test_anything_else_is_refused_with_the_endings_there_are(here, word):
    with pytest.raises(Usage, match=r"\.png, \.jpg, \.jpeg, \.webp") as caught:
        parser(Place)(word, here)

    assert "--selector" in caught.value.hint


def test_a_picture_elsewhere_is_refused(here):
    with pytest.raises(BrowseError, match="Path must be within"):
        parser(Place)("/etc/shot.png", here)


def test_words_may_come_in_any_order(here):
    file = parser(Place)("a.png", here)

    assert sort_out([Element("#x"), file]) == sort_out([file, Element("#x")]) == ("#x", file)
    assert sort_out([None, None]) == (None, None)


def test_one_of_each_is_enough(here):
    file = parser(Place)("a.png", here)

    with pytest.raises(Usage, match="two elements"):
        sort_out([Element("#x"), Element("#y")])
    with pytest.raises(Usage, match="two files"):
        sort_out([file, file])


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
    files = parser(Prefix)(prefix, here)

    assert list(files) == ["mobile", "tablet", "desktop"]
    assert files["mobile"].real == f"{Roots.of(here.cwd).folders[0]}/{mobile}"
