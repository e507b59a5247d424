from dataclasses import dataclass, fields

from browse.core.launching.setting_row import SettingInfo, StartFlag, setting


def test_a_row_is_declared_with_its_field():
    flag = StartFlag("--colour", "name", "Paint it.")

    @dataclass
    class Some:
        colour: str = setting("red", "COLOUR", "What colour.", flag=flag)

    (row,) = fields(Some)
    assert Some().colour == "red"
    assert row.metadata["about"] == SettingInfo("COLOUR", "What colour.", str, "daemon", flag)
