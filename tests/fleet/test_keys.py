"""Keys of a fleet: private, signed by its own authority, with an end."""

import ssl
import stat
from datetime import UTC, datetime, timedelta

import pytest

from browse.core.errors import BrowseError
from browse.fleet import keys


def test_all_files_are_private(tmp_path):
    keys.own(tmp_path / "fleet")
    keys.issue(tmp_path / "fleet", "m3")

    files = sorted((tmp_path / "fleet").iterdir())

    assert [it.name for it in files] == ["authority.pem", "keys-m3.pem", "keys.pem"]
    assert {stat.S_IMODE(it.stat().st_mode) for it in files} == {0o600}
    assert stat.S_IMODE((tmp_path / "fleet").stat().st_mode) == 0o700


def test_a_second_call_keeps_the_keys(tmp_path):
    first = keys.own(tmp_path).read_bytes()

    assert keys.own(tmp_path).read_bytes() == first


def test_the_key_of_the_authority_stays_on_the_head(tmp_path):
    own = keys.own(tmp_path)
    issued = keys.issue(tmp_path, "m3")
    secret = (tmp_path / keys.AUTHORITY).read_text().partition("-----END")[0]

    assert secret not in own.read_text()
    assert secret not in issued.read_text()


def test_keys_of_one_fleet_know_each_other_and_no_other(tmp_path):
    own, issued = keys.own(tmp_path / "a"), keys.issue(tmp_path / "a", "m3")
    other = keys.own(tmp_path / "b")

    assert _speak(own, issued)
    assert not _speak(own, other)


def test_new_keys_end_the_old_ones(tmp_path):
    old = (tmp_path / "old.txt", keys.issue(tmp_path, "m3").read_bytes())
    old[0].write_bytes(old[1])

    assert not _speak(keys.renew(tmp_path), old[0])


@pytest.mark.parametrize("name", ["", "../m3", "m 3", "-m", "a" * 64])
def test_a_name_that_is_no_name_is_refused(tmp_path, name):
    with pytest.raises(BrowseError, match="not a name"):
        keys.issue(tmp_path, name)


def test_keys_that_have_ended_are_refused_with_what_to_do(tmp_path):
    own = keys.own(tmp_path)

    with pytest.raises(BrowseError, match="ended on") as refused:
        keys.usable(own, now=datetime.now(UTC) + keys.VALID + timedelta(days=1))

    assert "--renew" in refused.value.hint


def test_a_clock_that_is_behind_the_keys_is_told(tmp_path):
    own = keys.own(tmp_path)
    early = datetime.now(UTC) - keys.BEFORE - timedelta(days=1)

    with pytest.raises(BrowseError, match=f"begin on .* here it is {early:%Y-%m-%d}") as refused:
        keys.usable(own, now=early)

    assert "the clock of this machine" in refused.value.hint


def test_keys_that_others_may_read_are_refused(tmp_path):
    own = keys.own(tmp_path)
    own.chmod(0o640)

    with pytest.raises(BrowseError, match="Others may read") as refused:
        keys.own(tmp_path)

    assert refused.value.hint == f"type `chmod 600 {own}`"


def test_damaged_keys_are_refused(tmp_path):
    keys.own(tmp_path).write_text("-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----\n")

    with pytest.raises(BrowseError, match="cannot be read"):
        keys.own(tmp_path)


def test_keys_that_are_not_there_are_named(tmp_path):
    with pytest.raises(BrowseError, match="There are no keys"):
        keys.usable(tmp_path / "keys.pem")


def _speak(server, client) -> bool:
    """Shake hands in memory, both sides with certificates, as Dask sets them up."""
    ends = []
    for path, purpose in ((server, ssl.Purpose.CLIENT_AUTH), (client, ssl.Purpose.SERVER_AUTH)):
        context = ssl.create_default_context(purpose, cafile=str(path))
        context.check_hostname = False
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_cert_chain(path)
        ends.append(context)
    up, down = ssl.MemoryBIO(), ssl.MemoryBIO()
    sides = [ends[0].wrap_bio(up, down, server_side=True), ends[1].wrap_bio(down, up)]
    done = [False, False]
    for _ in range(6):
        for at, side in enumerate(sides):
            try:
                side.do_handshake()
                side.write(b"x") if not done[at] else None
                done[at] = True
            except ssl.SSLWantReadError:
                pass
            except ssl.SSLError:
                return False
    return all(done)
