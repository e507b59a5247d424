"""Handing out files."""

from pathlib import Path

import pytest

from browse.auth.caller import ROOT, Caller
from browse.auth.terms import Terms
from browse.auth.tokens import TokenKind
from browse.core.scopes import Scope, Surface
from browse.dispatch import file_access
from browse.server.routes import file


@pytest.fixture
def temp(tmp_path, monkeypatch):
    monkeypatch.setattr(file_access, "temp_folder", lambda: tmp_path / "temp")
    monkeypatch.setattr(file_access, "USUAL_TEMP", tmp_path / "temp")
    (tmp_path / "temp").mkdir()
    (tmp_path / "outside.png").write_bytes(b"outside")
    return tmp_path / "temp"


def agent(listener) -> dict[str, str]:
    token = listener.services.access.tokens.issue(TokenKind.SESSION, Terms("codex", rate=0)).token
    return {"Authorization": f"Bearer {token}"}


async def get(listener, path, **headers):
    async with listener.client(**headers) as client:
        return await client.get("/file", params={"path": str(path)})


async def test_the_owner_gets_what_is_below_the_temporary_folder(listener, temp):
    (temp / "a.png").write_bytes(b"\x89PNG")

    answer = await get(listener, temp / "a.png")

    assert (answer.status_code, answer.content) == (200, b"\x89PNG")
    assert answer.headers["content-type"] == "image/png"
    assert "sandbox" in answer.headers["content-security-policy"]


async def test_an_agent_gets_its_own_files_only(listener, temp):
    headers, files = agent(listener), listener.services.running.runner.parts.files
    mine = Path(files.own(Caller("codex", Scope.READ, Surface.TUNNEL))) / "mine.png"
    owners = Path(files.own(ROOT)) / "other.png"
    mine.parent.mkdir()
    for path in (mine, owners):
        path.write_bytes(path.name.encode())
    (mine.parent / "link.png").symlink_to(owners)

    assert (await get(listener, mine, **headers)).content == b"mine.png"
    assert (await get(listener, owners, **headers)).status_code == 403
    assert (await get(listener, mine.parent / "link.png", **headers)).status_code == 403
    assert (await get(listener, mine.parent / "none.png", **headers)).status_code == 403
    assert (await get(listener, owners)).content == b"other.png"


@pytest.mark.parametrize(
    "path", ["", "nowhere", "../outside.png", ".", "link.png", "a\0b", "x" * 5000], ids=ascii
)
async def test_anything_else_is_refused_alike(listener, temp, path):
    (temp / "link.png").symlink_to(temp.parent / "outside.png")

    answer = await get(listener, temp / path if path else "")

    assert answer.status_code == 403
    assert answer.json()["error"] == "There is no such file for you."


async def test_a_file_that_is_too_large_is_refused(listener, temp):
    with (temp / "big").open("wb") as big:
        big.truncate(file.MAX_BYTES + 1)

    assert (await get(listener, temp / "big")).status_code == 413
