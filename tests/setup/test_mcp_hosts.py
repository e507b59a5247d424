"""`install --mcp`: what it writes, what it keeps, and that it undoes it."""

import json
import os
import tomllib
from pathlib import Path

import pytest

from browse.core.errors import BrowseError
from browse.setup import mcp_hosts
from browse.setup.mcp_hosts import HOSTS, settle


def do(host: str, home: Path, *, remove: bool = False, force: bool = False) -> str:
    return settle(host, home, project=False, remove=remove, force=force).state


@pytest.mark.parametrize("host", HOSTS)
def test_an_entry_is_written_once_and_undone(host, tmp_path):
    states = [do(host, tmp_path), do(host, tmp_path)]
    text = (tmp_path / HOSTS[host].home).read_text()
    states += [do(host, tmp_path, remove=True), do(host, tmp_path, remove=True)]

    assert states == ["installed", "current", "removed", "absent"]
    read = tomllib.loads if HOSTS[host].is_toml else json.loads
    entry = read(text)[HOSTS[host].key]["browse"]
    command = entry["command"]
    assert (command if host == "opencode" else [command, *entry["args"]])[1:] == ["mcp"]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("indent", [2, 4, "\t"])
def test_json_keeps_the_rest_byte_for_byte(indent, tmp_path):
    path = tmp_path / ".claude.json"
    before = json.dumps(
        {"é": [1], "mcpServers": {"x": {"command": "y"}}}, indent=indent, ensure_ascii=False
    )
    path.write_text(before)
    path.chmod(0o640)

    do("claude", tmp_path)
    between = json.loads(path.read_text())
    do("claude", tmp_path, remove=True)

    assert list(between["mcpServers"]) == ["x", "browse"]
    assert path.read_text() == before
    assert path.stat().st_mode & 0o777 == 0o640


def test_toml_keeps_the_rest_with_its_comments(tmp_path):
    path = tmp_path / ".codex/config.toml"
    path.parent.mkdir()
    before = '# mine\nmodel = "x"\n\n[mcp_servers.a]\ncommand = "b"\n\n[tools]\nweb = true\n'
    path.write_text(before)

    do("codex", tmp_path)
    assert set(tomllib.loads(path.read_text())["mcp_servers"]) == {"a", "browse"}
    do("codex", tmp_path, remove=True)

    assert path.read_text() == before


def test_an_older_entry_of_ours_is_updated_and_anothers_is_left_alone(tmp_path):
    path = tmp_path / ".cursor/mcp.json"
    path.parent.mkdir()
    path.write_text('{"mcpServers": {"browse": {"command": "/old/bin/browse", "args": ["mcp"]}}}')
    assert do("cursor", tmp_path) == "updated"

    theirs = '{"mcpServers": {"browse": {"command": "npx", "args": ["browse", "mcp"]}}}'
    path.write_text(theirs)
    states = [do("cursor", tmp_path), do("cursor", tmp_path, remove=True)]

    assert states == ["changed", "changed"]
    assert path.read_text() == theirs
    assert do("cursor", tmp_path, force=True) == "updated"


@pytest.mark.parametrize(
    "text",
    [
        "{// comment\n}", "[]", '{"mcpServers": 7}', "\ud800", "\ufeff{}",
        '{"a": 1, "a": 2}', '{"a": 1e400}', '{"a": 0.12345678901234567890}',
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_read_is_left_as_it_is(text, tmp_path):
    path = tmp_path / ".claude.json"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))

    with pytest.raises(BrowseError, match="left as it is") as caught:
        do("claude", tmp_path)

    assert '"browse"' in caught.value.hint
    assert path.read_bytes() == text.encode("utf-8", "surrogatepass")


@pytest.mark.parametrize(
    "text",
    [
        "mcp_servers = 3\n",
        'mcp_servers = { a = { command = "q" } }\n',
        'x = """\n[mcp_servers.browse]\nwords\n"""\n',
        '[mcp_servers."browse"]\ncommand = "browse"\nargs = ["mcp"]\n',
    ],
)
def test_toml_that_a_table_does_not_fit_into_is_left_as_it_is(text, tmp_path):
    path = tmp_path / ".codex/config.toml"
    path.parent.mkdir()
    path.write_text(text)

    with pytest.raises(BrowseError, match="left as it is") as caught:
        do("codex", tmp_path)

    assert path.read_text() == text
    assert "browse" in tomllib.loads(caught.value.hint.partition(": ")[2])["mcp_servers"]


def test_a_file_that_cannot_be_read_is_no_trouble_where_we_are_not_in_it(tmp_path):
    path = tmp_path / ".claude.json"
    path.write_text("{// mine\n}")
    assert do("claude", tmp_path, remove=True) == "absent"

    path.write_text('{"mcpServers": {"browse": {}, }}')
    with pytest.raises(BrowseError) as caught:
        do("claude", tmp_path, remove=True)

    assert caught.value.hint == "take browse out of its mcpServers yourself"


def test_a_file_that_is_read_only_is_left_as_it_is(tmp_path):
    path = tmp_path / ".claude.json"
    path.write_text("{}")
    path.chmod(0o444)

    with pytest.raises(BrowseError, match="it is read-only"):
        do("claude", tmp_path)

    assert path.read_text() == "{}"


def test_the_comment_above_the_next_table_stays(tmp_path):
    path = tmp_path / ".codex/config.toml"
    path.parent.mkdir()
    rest = "# about tools\n[tools]\nweb = true\n"
    path.write_text(f'[mcp_servers.browse]\ncommand = "browse"\nargs = ["mcp"]\n\n{rest}')

    assert do("codex", tmp_path, remove=True) == "removed"

    assert path.read_text() == rest


def test_ends_of_lines_stay(tmp_path):
    path = tmp_path / ".claude.json"
    path.write_bytes(b'{\r\n  "a": 1.5\r\n}\r\n')

    do("claude", tmp_path)
    do("claude", tmp_path, remove=True)

    assert path.read_bytes() == b'{\r\n  "a": 1.5\r\n}\r\n'


@pytest.mark.parametrize("entry", ['{"command": "browse", "args": 5}', '{"command": {}}', "[]"])
def test_an_odd_entry_is_anothers(entry, tmp_path):
    (tmp_path / ".claude.json").write_text(f'{{"mcpServers": {{"browse": {entry}}}}}')

    assert do("claude", tmp_path) == "changed"


def test_what_is_no_file_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / ".claude.json")

    with pytest.raises(BrowseError, match="no file"):
        do("claude", tmp_path)


def test_a_folder_with_something_else_in_it_stays(tmp_path):
    other = tmp_path / ".cursor" / "rules"
    other.parent.mkdir()
    other.write_text("mine")

    do("cursor", tmp_path)
    do("cursor", tmp_path, remove=True)

    assert [*other.parent.iterdir()] == [other]


def test_a_link_stays_a_link(tmp_path):
    real = tmp_path / "dotfiles.json"
    real.write_text("{}\n")
    (tmp_path / ".claude.json").symlink_to(real)

    do("claude", tmp_path)

    assert (tmp_path / ".claude.json").is_symlink()
    assert "browse" in json.loads(real.read_text())["mcpServers"]


def test_hosts_are_those_named_or_used_here_or_the_usual_one(tmp_path):
    assert mcp_hosts.chosen((), tmp_path) == ["claude"]
    (tmp_path / ".gemini").mkdir()
    assert mcp_hosts.chosen((), tmp_path) == ["gemini"]
    assert mcp_hosts.chosen(("vscode", "vscode"), tmp_path) == ["vscode"]
    assert mcp_hosts.chosen(("all",), tmp_path) == list(HOSTS)
