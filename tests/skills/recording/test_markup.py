from browse.skills.recording.markup import light


def test_shadow_roots_are_left_out_with_all_that_is_in_them():
    page = (
        '<p>a</p><my-x><template shadowrootmode="open"><b>in<template><i></i></template>'
        '<my-y><template shadowrootmode="open">deep</template></my-y></b></template>slot</my-x>'
    )

    assert light(page) == "<p>a</p><my-x>slot</my-x>"


def test_other_templates_stay():
    page = "<template id=row><td></td></template><p>a</p>"

    assert light(page) == page


def test_what_never_ends_takes_the_rest_with_it():
    assert light('<p>a</p><template shadowrootmode="open"><p>b') == "<p>a</p>"
