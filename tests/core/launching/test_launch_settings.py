from dataclasses import fields

from browse.core.launching.launch_settings import LaunchSettings
from browse.core.settings import rows


def test_flags_are_words_that_no_other_setting_has():
    flags = [about.flag.word for _, _, about in rows() if about.flag]

    assert len(flags) == len(set(flags))
    assert all(flag.startswith("--") for flag in flags)


def test_they_are_rows_of_the_table():
    assert {row.name for row in fields(LaunchSettings)} <= {name for name, _, _ in rows()}
