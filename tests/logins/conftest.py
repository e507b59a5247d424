import pytest

from browse.logins.key_store import KeyStore
from browse.logins.shelf import Shelf


@pytest.fixture
def shelf(tmp_path) -> Shelf:
    return Shelf(tmp_path / "logins", KeyStore(tmp_path / "logins", "file"))
