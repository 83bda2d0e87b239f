"""Several kernels in one command: one build, one table, and no error that hides a result."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from unittest.mock import ANY

import pytest

from kernel_builder.kernel.several import find_kernels, name_kernels
from kernel_builder.messages.errors import UsageError
from tests.cli.command_line import Cli
from tests.cli.fake_kernel import FAILS, FakeKernel, forget
from tests.evaluation import ROOT, run_nix
from tests.install.fake_machine import write_program
from tests.tiny_kernel import commit_all

Make = Callable[[str], FakeKernel]


@pytest.fixture
def make(tmp_path: Path, salt: str) -> Iterator[Make]:
    made: list[FakeKernel] = []

    def make(name: str) -> FakeKernel:
        (tmp_path / "kernels").mkdir(exist_ok=True)
        made.append(FakeKernel(tmp_path / "kernels" / name, salt + name))
        return made[-1]

    yield make
    for each in made:
        (each.folder / "result").unlink(missing_ok=True)
        forget(each.folder)


def test_one_table_and_a_link_for_each(cli: Cli, make: Make, tmp_path: Path) -> None:
    for name in ("add", "multiply"):
        kernel = make(name)
        kernel.add("a-cpu")
        kernel.add(f"{name}-cuda", backend="cuda")
        kernel.write()
    folders = [str(tmp_path / "kernels" / name) for name in ("add", "multiply")]
    done = cli.expect(0, "build", *folders)
    first, second = ((Path(folder) / "result").readlink() for folder in folders)
    lines = [" ".join(line.split()) for line in done.stdout.splitlines()]
    assert lines == [
        "kernel variant state size why",
        "add a-cpu built 16 bytes",
        "add add-cuda built 16 bytes",
        "multiply a-cpu built 21 bytes",
        "multiply multiply-cuda built 21 bytes",
        "",
        f"{folders[0]}/result -> {first}",
        f"{folders[1]}/result -> {second}",
    ]
    data = json.loads(cli("build", *folders, "--json", "--backend", "cuda").stdout)
    assert [each["folder"] for each in data["kernels"]] == folders
    names = [[row["variant"] for row in each["variants"]] for each in data["kernels"]]
    assert names == [["add-cuda"], ["multiply-cuda"]]
    assert data["problems"] == []


def test_errors_hide_nothing(cli: Cli, make: Make) -> None:
    good, bad, worse = make("good"), make("bad"), make("worse")
    good.add("a-cpu")
    bad.add("a-cpu")
    bad.add("b-cpu", script=FAILS)
    worse.add("a-cpu")
    folders = [str(each.write()) for each in (worse, good, bad)]
    (worse.folder / "variants.nix").write_text('throw "this one is broken"')
    done = cli.expect(1, "build", *folders, "--json")
    data = json.loads(done.stdout)
    states = [
        [(row["variant"], row["state"]) for row in each["variants"]] for each in data["kernels"]
    ]
    assert states == [
        [("", "failed")],
        [("a-cpu", "built")],
        [("a-cpu", "built"), ("b-cpu", "failed")],
    ]
    assert "this one is broken" in done.stderr
    assert "no such thing" in done.stderr
    assert len(data["problems"]) == 2
    assert [bool(each["problems"]) for each in data["kernels"]] == [True, False, True]
    assert (good.folder / "result").is_symlink()
    assert (bad.folder / "result").is_symlink()


def test_each_is_checked_and_listed(cli: Cli, make: Make) -> None:
    good, bad = make("good"), make("bad")
    good.add("a-cpu")
    bad.add("a-cpu")
    folders = [str(each.write()) for each in (bad, good)]
    (bad.folder / "variants.nix").write_text('throw "this one is broken"')
    for command, text in {
        "check-config": "1 of 1 variants can be",
        "list-variants": "a-cpu",
    }.items():
        done = cli(command, *folders)
        assert (done.status, done.stderr.count("this one is broken")) == (1, 1)
        first, second = done.stdout.split("\n\n")
        assert first.startswith("bad:\nfailed: ")
        assert second.startswith("good:\n")
        assert text in second
        data = json.loads(cli(command, *folders, "--json").stdout)
        assert [each["kernel"] for each in data["kernels"]] == ["bad", "good"]
        assert [len(each["problems"]) for each in data["kernels"]] == [1, 0]
        assert len(data["problems"]) == 1
        assert data["kernels"][0].get("valid", False) is False
        assert cli(command, folders[1], "--json").status == 0


def test_a_kernel_without_such_a_variant_is_left_out(cli: Cli, make: Make) -> None:
    one, other = make("one"), make("other")
    one.add("a-cpu")
    one.add("b-cuda", backend="cuda")
    other.add("a-cpu")
    folders = [str(each.write()) for each in (one, other)]
    done = cli.expect(0, "build", *folders, "--backend", "cuda")
    assert "left out" in done.stdout.splitlines()[2]
    assert not (other.folder / "result").exists()
    assert cli("build", *folders, "--backend", "cuda", "--require-all").status == 1
    unknown = cli.expect(2, "build", *folders, "--backend", "cudaa")
    assert 'did you mean "cuda"?' in unknown.stderr


def test_paths(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, other, none = (tmp_path / name for name in ("one", "other", "none"))
    for folder in (one, other, none):
        folder.mkdir()
    for folder in (one, other):
        (folder / "build.toml").write_text("")
    file = tmp_path / "README.md"
    file.write_text("")
    assert find_kernels([]) == [Path()]
    assert find_kernels([none]) == [none]
    assert find_kernels([one, other, one / ".", none, file]) == [one / ".", other]
    assert f"no build.toml: {none}, {file}" in capsys.readouterr().err
    with pytest.raises(UsageError, match="nothing"):
        find_kernels([one, tmp_path / "gone"])
    with pytest.raises(UsageError, match="these are not kernels"):
        find_kernels([none, file])
    assert name_kernels([one, other]) == ["one", "other"]
    assert name_kernels([one, tmp_path / "more" / "one"]) == [
        str(one),
        str(tmp_path / "more" / "one"),
    ]


def list_changed(revision: str, *folders: str) -> tuple[int, str]:
    """Return the status and the output of the script that the matrix of a CI is made with."""
    script = str(ROOT / ".ci" / "changed-kernels.py")
    words = [sys.executable, "-I", "-B", script, revision, *folders]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout or done.stderr


def test_changed_kernels_are_listed(make: Make, tmp_path: Path) -> None:
    one, other, new = make("one"), make("other"), make("new")
    one.add("a-cpu")
    other.add("a-cpu")
    folders = [str(each.write()) for each in (one, other)]
    repository = tmp_path / "kernels"
    commit_all(repository)
    other.add("b-cuda", backend="cuda")
    other.write()
    commit_all(repository)
    new.add("a-cpu")
    folders.append(str(new.write()))
    commit_all(repository)
    assert list_changed("HEAD~2", *folders) == (0, "".join(f"{each}\n" for each in folders[1:]))
    assert list_changed("HEAD", folders[0]) == (0, "")
    # A change that is not committed counts.
    one.add("c-cpu")
    one.write()
    assert list_changed("HEAD", folders[0]) == (0, f"{folders[0]}\n")


def test_a_revision_that_is_not_there(make: Make, tmp_path: Path) -> None:
    kernel = make("one")
    kernel.add("a-cpu")
    folder = str(kernel.write())
    status, said = list_changed("HEAD", folder)
    assert (status, "which is not in git" in said) == (1, True)
    commit_all(tmp_path / "kernels")
    for revision in ("gone", "--help", "HEAD:one"):
        status, said = list_changed(revision, folder)
        assert (status, f'"{revision}": no such revision' in said) == (1, True)


# Like git itself, it writes to the index of a repository for one process at a time.
GIT = """\
case " $* " in *" add "*) ;; *) exec @git@ "$@" ;; esac
mkdir @busy@ || exit 128
sleep 0.3
@git@ "$@"
status=$?
rmdir @busy@
exit $status
"""


def test_new_flakes_of_a_repository_are_locked_one_after_another(
    cli: Cli, salt: str, tmp_path: Path
) -> None:
    for name in ("input", "kernels"):
        (tmp_path / name).mkdir()
    folders = []
    for name in ("one", "two", "three"):
        kernel = FakeKernel(tmp_path / "kernels" / name, salt + name)
        kernel.add("a-cpu")
        folders.append(kernel.write())
        flake = folders[-1] / "flake.nix"
        own = f'{{ inputs.other = {{ url = "path:{tmp_path}/input"; flake = false; }};\n'
        flake.write_text(flake.read_text().replace("{", own, 1))
    commit_all(tmp_path / "kernels")
    programs = tmp_path / "bin"
    programs.mkdir()
    text = GIT.replace("@git@", shutil.which("git") or "").replace("@busy@", str(tmp_path / "busy"))
    write_program(programs / "git", text)
    path = f"{programs}:{os.environ['PATH']}"
    cli.expect(0, "build", "--dry-run", *map(str, folders), PATH=path)
    assert all((folder / "flake.lock").is_file() for folder in folders)


def test_evaluations_of_a_flake_do_not_wait_for_each_other(
    cli: Cli, make: Make, tmp_path: Path
) -> None:
    kernel = make("one")
    kernel.add("a-cpu")
    folder = kernel.write()
    home = str(tmp_path / "cache")
    run_nix("nix", "eval", f"path:{folder}#variants", XDG_CACHE_HOME=home)
    caches = [*tmp_path.glob("cache/nix/eval-cache-*/*.sqlite")]
    assert caches
    with ExitStack() as stack:
        for each in caches:
            # As Nix does while it writes.
            connection = stack.enter_context(closing(sqlite3.connect(each, isolation_level=None)))
            connection.execute("begin exclusive")
        done = cli("list-variants", str(folder), XDG_CACHE_HOME=home)
    assert (done.status, done.stdout, done.stderr) == (0, ANY, "")


def test_kernels_that_would_replace_each_other(cli: Cli, make: Make) -> None:
    """The Hub has a folder for each variant on a branch, whichever kernel it is of."""
    places = [make(name) for name in ("add", "multiply", "other")]
    for kernel, repository in zip(places, ("me/math", "me/math", "me/other")):
        kernel.repo_id = repository
        kernel.add("a-cpu")
        kernel.write()
    first, second, other = (str(kernel.folder) for kernel in places)
    done = cli("build", "--dry-run", first, second, other)
    assert 'found  repo-id = "me/math" in each, for the same branch' in done.stderr
    assert f"at     {first}/build.toml\n              {second}/build.toml\n" in done.stderr
    assert other not in done.stderr
    flake = Path(second) / "flake.nix"
    flake.write_text(flake.read_text().replace("version = 1", "version = 2"))
    assert "repo-id" not in cli("build", "--dry-run", first, second, other).stderr
    # Without a repository, the name is all there is.
    for kernel in places[:2]:
        kernel.repo_id = ""
        kernel.write()
    done = cli("build", "--dry-run", first, second, other)
    assert 'found  name = "k" in each, and no repo-id\n' in done.stderr
