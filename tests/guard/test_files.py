"""The path policy and the atomic write, on a real file system."""

import os
import resource
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from browse.core.errors import BrowseError, Code, Usage
from browse.guard.files import (
    ReadPath,
    Roots,
    WritePath,
    check_read,
    check_write,
    write_output,
)
from browse.guard.path_errors import shown

NOBODY = 65_534

Check = Callable[[str, Path], object]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


@pytest.fixture
def shared_folder() -> Iterator[Path]:
    """A folder that any user can reach, which pytest's own are not."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder).resolve()


@contextmanager
def unprivileged() -> Iterator[None]:
    """Give up root's right to ignore permissions for a moment, where the tests run as root."""
    before = os.geteuid()
    if before == 0:
        try:
            os.seteuid(NOBODY)
        except OSError:
            pytest.skip("root here has no other user to become, and permissions do not bind root")
    try:
        yield
    finally:
        os.seteuid(before)


@contextmanager
def file_size_limit(limit_bytes: int) -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit_bytes, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def read(raw: str, project: Path) -> ReadPath:
    return check_read(raw, cwd=str(project), roots=Roots.of(str(project)))


def write(raw: str, project: Path) -> WritePath:
    return check_write(raw, cwd=str(project), roots=Roots.of(str(project)))


def test_roots_are_real_paths_without_repetition(tmp_path: Path, project: Path) -> None:
    (tmp_path / "alias").symlink_to(project)
    roots = Roots.of(str(project), str(tmp_path / "alias"), f"{project}/")

    assert roots.folders == (str(project),)


@pytest.mark.parametrize("folder", ["", ".", "project", "~"])
def test_relative_root_is_a_defect_of_the_caller(folder: str) -> None:
    with pytest.raises(ValueError, match="absolute"):
        Roots.of(folder)


@pytest.mark.parametrize(
    ("folder", "real", "held"),
    [
        ("/safe", "/safe", True),
        ("/safe", "/safe/x", True),
        ("/safe", "/safeevil", False),
        ("/safe", "/saf", False),
        ("/safe", "/", False),
        ("/", "/anything", True),
    ],
)
def test_root_holds_itself_and_what_is_below(folder: str, real: str, held: bool) -> None:
    assert Roots((folder,)).hold(real) is held


def test_no_roots_hold_nothing(project: Path) -> None:
    with pytest.raises(BrowseError) as caught:
        check_read("x", cwd=str(project), roots=Roots.of())

    assert caught.value.code is Code.PATH_REFUSED


@pytest.mark.parametrize("kind", [ReadPath, WritePath])
def test_checked_path_cannot_be_made_by_hand(kind: type[ReadPath] | type[WritePath]) -> None:
    with pytest.raises(TypeError, match="only"):
        kind("x", "/x", seal=object())


def test_read_answers_with_the_real_path(project: Path) -> None:
    (project / "page.html").write_text("hello")
    (project / "alias.html").symlink_to("page.html")

    assert read("alias.html", project).real == f"{project}/page.html"
    assert read("alias.html", project).typed == "alias.html"


def test_read_starts_at_the_callers_folder(project: Path) -> None:
    (project / "sub").mkdir()
    (project / "sub" / "page.html").write_text("hello")
    roots = Roots.of(str(project))

    assert check_read("page.html", cwd=f"{project}/sub", roots=roots).real.endswith(
        "/sub/page.html"
    )


def test_tilde_is_the_home_folder(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "page.html").write_text("hello")
    monkeypatch.setenv("HOME", str(project))

    assert read("~/page.html", project).real == f"{project}/page.html"


def test_refusal_names_the_roots_and_no_way_around_them(tmp_path: Path, project: Path) -> None:
    roots = Roots.of(str(project), str(tmp_path / "temp"))
    with pytest.raises(BrowseError) as caught:
        check_read("../my file.txt", cwd=str(project), roots=roots)

    assert caught.value.code is Code.PATH_REFUSED
    assert caught.value.message == f"Path must be within: {project}, {tmp_path}/temp"
    assert "cp " not in caught.value.hint  # that would only lead around the rule


def test_write_refusal_names_the_roots(project: Path) -> None:
    with pytest.raises(BrowseError) as caught:
        write("../out.png", project)

    assert caught.value.message == f"Path must be within: {project}"
    assert f"{project}/out" in caught.value.hint


@pytest.mark.parametrize("name", ["missing.html", "missing/page.html", "page.html/below"])
def test_missing_file_is_said_to_be_missing(name: str, project: Path) -> None:
    (project / "page.html").write_text("hello")
    with pytest.raises(BrowseError) as caught:
        read(name, project)

    assert caught.value.code is Code.FILE_UNUSABLE
    assert caught.value.message == f"File not found: {name}"


@pytest.mark.parametrize("check", [read, write])
def test_directory_is_said_to_be_one(check: Check, project: Path) -> None:
    (project / "sub").mkdir()
    with pytest.raises(BrowseError, match="Not a file: sub is a directory"):
        check("sub", project)


@pytest.mark.parametrize("check", [read, write])
def test_pipe_is_refused_without_waiting(check: Check, project: Path) -> None:
    os.mkfifo(project / "pipe")
    with pytest.raises(BrowseError, match="Not a regular file: pipe"):
        check("pipe", project)


@pytest.mark.parametrize("check", [read, write])
def test_name_too_long_is_said_so(check: Check, project: Path) -> None:
    with pytest.raises(BrowseError, match="a name in its path is too long"):
        check("x" * 300, project)


def test_unreadable_file_is_said_so(shared_folder: Path) -> None:
    (shared_folder / "page.html").write_text("hello")
    (shared_folder / "page.html").chmod(0)
    with pytest.raises(BrowseError) as caught, unprivileged():
        read("page.html", shared_folder)

    assert caught.value.code is Code.FILE_UNUSABLE
    assert caught.value.message == "Cannot read page.html: permission is denied"


@pytest.mark.parametrize("check", [check_read, check_write])
@pytest.mark.parametrize("cwd", ["", "relative", "/nul\0"])
def test_unusable_working_folder_is_a_usage_error(check: Callable[..., object], cwd: str) -> None:
    with pytest.raises(Usage):
        check("x", cwd=cwd, roots=Roots.of("/"))


def test_link_to_a_name_that_is_not_unicode_is_a_usage_error(project: Path) -> None:
    odd = os.fsencode(project) + b"/\xff.html"
    Path(os.fsdecode(odd)).write_text("hello")
    (project / "alias.html").symlink_to(os.fsdecode(b"\xff.html"))
    with pytest.raises(Usage):
        read("alias.html", project)


@pytest.mark.parametrize("check", [check_read, check_write])
@settings(deadline=None)
@given(raw=st.text())
def test_any_text_is_a_path_or_a_named_error(check: Callable[..., object], raw: str) -> None:
    error = None
    try:
        check(raw, cwd="/nowhere", roots=Roots.of("/nowhere"))
    except BrowseError as caught:
        error = caught

    assert error is None or (error.message.isprintable() and error.hint)


@settings(deadline=None)
@given(st.lists(st.sampled_from(["..", ".", "a", "", "~", "nowhere"])).map("/".join))
def test_admitted_output_is_below_a_root(raw: str) -> None:
    real = "/nowhere/refused"
    with suppress(BrowseError):
        real = check_write(raw, cwd="/nowhere", roots=Roots.of("/nowhere")).real

    assert real.startswith("/nowhere/")


@settings(deadline=None)
@given(st.text(min_size=1))
def test_shown_text_is_one_printable_line(raw: str) -> None:
    assert shown(raw).isprintable()
    assert len(shown(raw[:20])) <= 200


def test_long_text_is_cut() -> None:
    assert shown("x" * 1000) == "x" * 200 + "…"


def test_write_makes_private_folders_and_a_private_file(project: Path) -> None:
    size = write_output(write("a/b/out.bin", project), b"\0data")
    made = project / "a" / "b" / "out.bin"

    assert size == 5
    assert made.read_bytes() == b"\0data"
    assert [stat.S_IMODE(p.stat().st_mode) for p in (project / "a", made.parent, made)] == [
        0o700,
        0o700,
        0o600,
    ]


def test_write_replaces_and_leaves_nothing_else(project: Path) -> None:
    (project / "out.txt").write_text("old")
    write_output(write("out.txt", project), b"new")

    assert [p.name for p in project.iterdir()] == ["out.txt"]
    assert (project / "out.txt").read_bytes() == b"new"


def test_write_through_a_link_keeps_the_link(project: Path) -> None:
    (project / "real.txt").write_text("old")
    (project / "alias.txt").symlink_to("real.txt")
    write_output(write("alias.txt", project), b"new")

    assert (project / "alias.txt").is_symlink()
    assert (project / "real.txt").read_bytes() == b"new"


def test_write_does_not_touch_a_hard_link_of_the_old_file(tmp_path: Path, project: Path) -> None:
    (tmp_path / "outside.txt").write_text("old")
    (project / "out.txt").hardlink_to(tmp_path / "outside.txt")
    write_output(write("out.txt", project), b"new")

    assert (tmp_path / "outside.txt").read_text() == "old"


@pytest.mark.parametrize("depth", ["sub", "sub/below"])
def test_folder_swapped_for_a_link_after_the_check_stops_the_write(
    depth: str, tmp_path: Path, project: Path
) -> None:
    (project / depth).mkdir(parents=True)
    (tmp_path / "outside" / "below").mkdir(parents=True)
    checked = write(f"{depth}/out.txt", project)
    shutil.rmtree(project / "sub")
    (project / "sub").symlink_to(tmp_path / "outside")
    with pytest.raises(BrowseError, match="not a real folder"):
        write_output(checked, b"data")

    assert [p.name for p in (tmp_path / "outside").rglob("*")] == ["below"]


def test_missing_folder_made_as_a_link_after_the_check_stops_the_write(
    tmp_path: Path, project: Path
) -> None:
    (tmp_path / "outside").mkdir()
    checked = write("new/out.txt", project)
    (project / "new").symlink_to(tmp_path / "outside")
    with pytest.raises(BrowseError):
        write_output(checked, b"data")

    assert list((tmp_path / "outside").iterdir()) == []


def test_file_swapped_for_a_link_after_the_check_is_replaced_itself(
    tmp_path: Path, project: Path
) -> None:
    (tmp_path / "outside.txt").write_text("old")
    checked = write("out.txt", project)
    (project / "out.txt").symlink_to(tmp_path / "outside.txt")
    write_output(checked, b"new")

    assert (tmp_path / "outside.txt").read_text() == "old"
    assert not (project / "out.txt").is_symlink()


def test_file_turned_folder_after_the_check_is_an_honest_error(project: Path) -> None:
    checked = write("out", project)
    (project / "out").mkdir()
    with pytest.raises(BrowseError, match="Cannot write out: it is a directory"):
        write_output(checked, b"data")

    assert [p.name for p in project.iterdir()] == ["out"]


def test_parent_that_is_a_file_is_an_honest_error(project: Path) -> None:
    (project / "file").write_text("x")
    with pytest.raises(BrowseError, match=r"Cannot write file/out\.txt: something on its path"):
        write("file/out.txt", project)


def test_write_that_fails_half_way_leaves_the_old_file_and_no_draft(project: Path) -> None:
    (project / "out.bin").write_bytes(b"old")
    checked = write("out.bin", project)
    with pytest.raises(BrowseError) as caught, file_size_limit(1000):
        write_output(checked, b"x" * 100_000)

    assert caught.value.code is Code.FILE_UNUSABLE
    assert caught.value.message == "Cannot write out.bin: it is larger than the system allows"
    assert (project / "out.bin").read_bytes() == b"old"
    assert [p.name for p in project.iterdir()] == ["out.bin"]


def test_folder_without_write_permission_is_an_honest_error(shared_folder: Path) -> None:
    checked = write("out.txt", shared_folder)
    shared_folder.chmod(0o555)
    with pytest.raises(BrowseError) as caught, unprivileged():
        write_output(checked, b"data")

    assert caught.value.message == "Cannot write out.txt: permission is denied"


def test_an_open_file_is_copied_whole(project: Path):
    (project / "from").write_bytes(b"0123456789" * 300_000)

    with (project / "from").open("rb") as source:
        size = write_output(write("to", project), source)

    assert size == 3_000_000
    assert (project / "to").read_bytes() == (project / "from").read_bytes()
    assert stat.S_IMODE((project / "to").stat().st_mode) == 0o600


def test_folder_that_may_be_entered_but_not_listed_can_be_written_below(
    shared_folder: Path,
) -> None:
    (shared_folder / "open").mkdir()
    (shared_folder / "open").chmod(0o777)
    shared_folder.chmod(0o711)
    checked = write("open/out.txt", shared_folder)
    with unprivileged():
        write_output(checked, b"data")

    assert (shared_folder / "open" / "out.txt").read_bytes() == b"data"


def open_descriptors() -> int:
    return len(list(Path("/dev/fd").iterdir()))


def test_descriptors_are_all_closed(project: Path) -> None:
    checked = write("a/b/out.txt", project)
    before = open_descriptors()
    write_output(checked, b"data")

    assert open_descriptors() == before
