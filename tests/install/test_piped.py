"""install.sh alone, as `curl … | bash` has it: it gets a checkout, that of the commit asked for."""

from pathlib import Path

import pytest

from tests.evaluation import ROOT
from tests.install.fake_machine import FakeMachine, files_below, real
from tests.tiny_kernel import commit_all


class Published:
    """A git repository that has the machine's checkout in its commits."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def commit(self, text: str) -> str:
        """Commit a state that differs by this text, and return the commit."""
        (self.folder / "text").write_text(text)
        return commit_all(self.folder)


@pytest.fixture
def published(machine: FakeMachine) -> Published:
    machine.fake_environment()
    machine.bin.joinpath("git").unlink()
    machine.bin.joinpath("git").symlink_to(real("git"))
    return Published(machine.checkout)


@pytest.fixture
def source(machine: FakeMachine) -> Path:
    """Return the folder that the checkout is cloned to."""
    return machine.home / ".local/share/kernel-builder/source"


def address(published: Published) -> tuple[str, str]:
    return "--from", f"file://{published.folder}"


def test_the_newest_commit_is_got_and_named(
    machine: FakeMachine, published: Published, source: Path
) -> None:
    commit = published.commit("one")
    answer = machine.pipe(*address(published), status=0)
    assert f"kernel-builder in {source}: commit {commit} of file://" in answer.said
    command = source / "python/bin/kernel-builder"
    assert (machine.prefix / "bin/kernel-builder").readlink() == command
    assert "next: kernel-builder init" in answer.said
    newer = published.commit("two")
    assert newer in machine.pipe(*address(published)).said
    assert (source / "text").read_text() == "two"


def test_a_pin_is_what_is_got(machine: FakeMachine, published: Published, source: Path) -> None:
    commit = published.commit("one")
    published.commit("two")
    pin = ("--commit", commit)
    machine.pipe(*address(published), *pin, status=0)
    assert (source / "text").read_text() == "one"
    # It is there, so nobody is asked for it.
    again = machine.pipe("--from", "file:///nowhere", *pin, status=0)
    assert "nothing to change" in again.said


def test_a_commit_that_is_not_there_is_refused(
    machine: FakeMachine, published: Published, source: Path
) -> None:
    published.commit("one")
    answer = machine.pipe(*address(published), "--commit", "0" * 40, status=1)
    assert "error: kernel-builder cannot be got" in answer.said
    assert files_below(machine.etc) == []
    assert not (source / "install.sh").exists()


@pytest.mark.parametrize("pin", ["main", "v1", "0f0f0f0"])
def test_only_a_whole_commit_pins(machine: FakeMachine, published: Published, pin: str) -> None:
    published.commit("one")
    answer = machine.pipe(*address(published), "--commit", pin, status=1)
    assert f"found  {pin}\n" in answer.said


def test_the_same_words_go_on_to_it(machine: FakeMachine, published: Published) -> None:
    published.commit("one")
    assert machine.pipe("--check").said.startswith("missing: kernel-builder itself, in ")
    assert machine.pipe("--check").code == 1
    machine.pipe(*address(published), "--system", status=0)
    assert machine.conf.exists()
    assert not (machine.prefix / "bin/kernel-builder").is_symlink()
    assert "missing: link " in machine.pipe("--check").said


def test_uninstall_takes_the_checkout_too(machine: FakeMachine, published: Published) -> None:
    published.commit("one")
    machine.pipe(*address(published))
    machine.pipe("--uninstall", status=0)
    left = [machine.prefix, machine.home, machine.etc]
    assert [file for folder in left for file in files_below(folder)] == []
    assert "nothing to remove" in machine.pipe("--uninstall").said


def test_half_of_the_script_does_nothing(machine: FakeMachine, published: Published) -> None:
    """A download may break off anywhere."""
    published.commit("one")
    lines = (ROOT / "install.sh").read_text().splitlines(keepends=True)
    before = files_below(machine.folder)
    for count in range(1, len(lines), 20):
        machine.pipe(*address(published), text="".join(lines[:count]))
    machine.pipe(*address(published), text="".join(lines)[:-6])
    assert files_below(machine.folder) == before


def test_without_git_or_apt_git_is_named(machine: FakeMachine) -> None:
    machine.remove("git")
    answer = machine.pipe(status=1)
    assert "found  no git" in answer.said
