"""Which files are whose."""

from browse.dispatch.outputs import MAX_FILES, Outputs


def test_a_file_is_its_writers():
    outputs = Outputs()
    outputs.add("codex", ["/tmp/a.png"])

    assert outputs.has("codex", "/tmp/a.png")
    assert not outputs.has("codex", "/tmp/b.png")
    assert not outputs.has("other", "/tmp/a.png")
    assert not outputs.has("other", "")
    outputs.forget("codex")
    assert not outputs.has("codex", "/tmp/a.png")


def test_the_oldest_is_forgotten():
    outputs = Outputs()
    outputs.add("codex", [f"/tmp/{number}" for number in range(MAX_FILES + 1)])

    assert not outputs.has("codex", "/tmp/0")
    assert outputs.has("codex", "/tmp/1")
