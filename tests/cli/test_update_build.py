"""`update-build` on files as the older editions had them, from a Nix that judges them."""

import resource
from pathlib import Path

import pytest
import tomlkit

from kernel_builder.authoring import update_build
from kernel_builder.commands.group import cli as group
from kernel_builder.machine.files import write_below
from tests.cli.command_line import Cli

FILES = Path(__file__).parent / "editions"
EDITIONS = sorted(file.name.partition(".")[0] for file in FILES.glob("*.expected.toml"))


def write(folder: Path, text: str) -> Path:
    file = folder / "build.toml"
    file.write_bytes(text.encode())
    return file


def old_and_new(edition: str) -> tuple[str, str]:
    return (
        (FILES / f"{edition}.toml").read_text(),
        (FILES / f"{edition}.expected.toml").read_text(),
    )


@pytest.mark.parametrize("edition", EDITIONS)
def test_editions(cli: Cli, edition: str) -> None:
    old, new = old_and_new(edition)
    file = write(cli.folder, old)
    done = cli("update-build")
    assert file.read_text() == new, done.stderr
    assert done.status == 0
    # Nothing is left to do, and nothing else was written.
    again = cli("update-build")
    assert (again.status, again.stderr) == (0, f"{file} has nothing to update\n")
    assert sorted(path.name for path in cli.folder.iterdir()) == ["build.toml"]


def test_a_file_that_would_mean_something_else_is_not_written(cli: Cli) -> None:
    old, _ = old_and_new("three")
    file = write(cli.folder, old)
    cli.hook = (
        "import kernel_builder.authoring.update_build as u; u.rewrite = lambda text, edits: text"
    )
    done = cli.expect(1, "update-build")
    assert "edit it by hand" in done.stderr
    assert file.read_text() == old


def test_check_writes_nothing(cli: Cli) -> None:
    old, _ = old_and_new("three")
    file = write(cli.folder, old)
    assert cli("update-build", "--check").status == 1
    assert file.read_text() == old
    cli("update-build")
    assert cli("update-build", "--check").status == 0


REST = """\
[general]
name = "relu"
universal = false
licence = "MIT" # ours

[torch]
src = ["a.cpp"]

[kernel.relu]
language = "opencl"
src = ["relu.cl"]
depends = ["of-our-own"]
"""


def test_what_cannot_be_carried_over(cli: Cli) -> None:
    file = write(cli.folder, REST)
    done = cli.expect(1, "update-build")
    assert file.read_text() == REST
    for place in ("general.licence", "kernel.relu.language", "kernel.relu.backend"):
        assert f"       at     {place}\n" in done.stderr
    # Names that a kernel's flake brings are nothing to complain of here.
    assert "of-our-own" not in done.stderr


def test_other_ways_to_write_it(cli: Cli) -> None:
    file = write(
        cli.folder,
        'general = { name = "relu", cuda-minver = "12.6", backends = ["cuda"] }\r\n'
        'torch.src = ["a.cpp"]\r\n'
        "[kernel]\r\n"
        'a = { backend = "cuda", src = ["a.cu"], depends = [] }',
    )
    cli.expect(0, "update-build")
    new = file.read_bytes().decode()
    assert new.count("\n") == new.count("\r\n")
    general = tomlkit.parse(new).unwrap()["general"]
    assert general["cuda"] == {"minver": "12.6"}
    assert general["edition"] == 5


def test_a_full_disk_leaves_the_old_file(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    old, _ = old_and_new("three")
    file = write(cli.folder, old)

    def write_a_part(folder: Path, name: str, data: bytes) -> None:
        """Let writes fail that make a file larger than a few bytes."""
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (20, limits[1]))
        try:
            write_below(folder, name, data)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)

    monkeypatch.setattr(update_build, "write_below", write_a_part)
    with pytest.raises(OSError, match="File too large"):
        group.main(["update-build", str(cli.folder)], standalone_mode=False)
    assert file.read_text() == old
    assert list(cli.folder.iterdir()) == [file]
