"""The keys of the shared configuration."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from browse.core import config_file
from browse.core.config_file import Unreadable, last_value
from support.hostile import fuzz


@pytest.fixture
def path(tmp_path):
    return tmp_path / "config.yaml"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("telemetry: off", "off"),
        ("telemetry:   community  ", "community"),
        ("telemetry:\tcommunity", "community"),
        ("telemetry: community\r\nother: x\r\n", "community"),
        ("\ufefftelemetry: community", "community"),
        ("telemetry : community", "community"),
        ("telemetry: community # since May", "community"),
        ("telemetry: com#munity", "com#munity"),
        ("telemetry: 'community' # since May", "community"),
        ('telemetry: "community"', "community"),
        ('telemetry: "a # b"', "a # b"),
        ("telemetry: 'open", "'open"),
        ("telemetry:", ""),
        ("telemetry: # nothing", ""),
        ("telemetry: off\nother: x\ntelemetry: community\n", "community"),
        ("---\ntelemetry: community\n...\n", "community"),
        ("", None),
        ("# telemetry: community", None),
        ("  telemetry: community", None),
        ("- telemetry: community", None),
        ("note: |\n  telemetry: community", None),
        ("my_telemetry: community", None),
        ("telemetry:community", None),
        ("note: x\u2028telemetry: community", None),
        ("note: x\x0btelemetry: community", None),
        ("{telemetry: community}", None),
    ],
)
def test_a_value_is_found_where_a_person_wrote_it(path, text, value):
    path.write_text(text, "utf-8", newline="")

    assert last_value(path, "telemetry") == value


def test_no_file_holds_no_key(path):
    assert last_value(path, "telemetry") is None


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"telemetry: community\n\xff", "not UTF-8"),
        (b"telemetry: community\n" + b"x" * config_file.MAX_BYTES, "larger than 256 KiB"),
    ],
)
def test_a_file_that_is_not_read_whole_is_not_read(path, raw, said):
    path.write_bytes(raw)

    with pytest.raises(Unreadable, match=said):
        last_value(path, "telemetry")


def test_a_folder_in_its_place_is_unreadable(path):
    path.mkdir()

    with pytest.raises(Unreadable, match="Is a directory"):
        last_value(path, "telemetry")


@fuzz
@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(tmp_path_factory, raw):
    path = tmp_path_factory.mktemp("config") / "config.yaml"
    path.write_bytes(raw)

    try:
        value = last_value(path, "a")
    except Unreadable:
        return
    assert value is None or "\n" not in value
