"""The name of our selector engine."""

import subprocess
import sys

from browse.browser.engine_name import ENGINE, without_name

TELL = "from browse.browser.engine_name import ENGINE; print(ENGINE)"


def test_each_process_has_another_name():
    told = subprocess.run(
        [sys.executable, "-c", TELL], check=True, capture_output=True, text=True
    ).stdout.strip()

    assert told.isalnum()
    assert len(told) >= 16
    assert told != ENGINE


def test_a_message_loses_it():
    assert without_name(f"locator('{ENGINE}=note 1')") == "locator('browse=note 1')"
