"""When two pictures are the same."""

from browse.browser.visual.same_picture import SavedPicture


def test_the_same_images_of_the_same_are_the_same():
    one = SavedPicture.of("page", [b"a", b"b"], "/one.png")

    assert one.shows(SavedPicture.of("page", [b"a", b"b"], "/two.png"))
    assert not one.shows(SavedPicture.of("page", [b"ab"]))
    assert not one.shows(SavedPicture.of("element", [b"a", b"b"]))
    assert not one.shows(None)
