"""A step is written down and read back as it was."""

import msgspec

from browse.flow.steps import HIDDEN, Mark, Shape, Step, Target


def test_step_comes_back_from_json_as_it_was():
    step = Step(
        3,
        "2026-01-31T10:00:00.000Z",
        1,
        "fill",
        words=("@e3", "Ada"),
        targets={"target": Target("@e3", "textbox", "Name", "input", "#name", ("#inner",))},
        before=Mark("http://a.test/", "A", "0f" * 8),
        shape=Shape("rows", count=2, fields=("name", "price")),
        error="no-match",
    )

    assert msgspec.json.decode(msgspec.json.encode(step), type=Step) == step
    assert not step.succeeded


def test_step_knows_whether_a_word_of_it_is_hidden():
    step = Step(1, "", 1, "goto", words=("http://a.test/?token=****",))

    assert step.hides
    assert Step(1, "", 1, "fill", words=("#pw", HIDDEN)).hides
    assert not Step(1, "", 1, "fill", words=("#pw", "Ada")).hides
