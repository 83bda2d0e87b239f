"""`init`: which files a new kernel has, what stands in them, and what is refused."""

import re
from pathlib import Path

import pytest
import tomlkit

from kernel_builder.authoring.init import BACKENDS, render_template
from kernel_builder.authoring.public_address import find_public_address
from kernel_builder.kernel.builder import VARIABLE
from kernel_builder.machine.git import find_address
from tests.cli.command_line import Cli
from tests.evaluation import ROOT
from tests.tiny_kernel import git


def render(template: str, *backends: str, source: str | None = None) -> dict[str, str]:
    names = {"myorg/mykernel": "me/fast-relu", "mykernel": "fast_relu"}
    values = {"name": "fast-relu", "source": source}
    return render_template(template, backends or BACKENDS[template], names, values)


def test_a_kernel_for_two_backends(cli: Cli) -> None:
    done = cli("init", "--name", "me/fast-relu", "--backends", "cpu", "cuda", "--license", "mit")
    assert done.status == 0, done.stderr
    folder = cli.folder / "fast-relu"
    assert done.stdout == f"me/fast-relu is in {folder}, for cpu, cuda\n"
    build = (folder / "build.toml").read_text()
    assert 'name = "fast-relu"\n' in build
    assert 'license = "mit"\n' in build
    assert 'backends = ["cpu", "cuda"]\n' in build
    assert 'repo-id = "me/fast-relu"\n' in build
    assert "[kernel.fast_relu_cpu]" in build
    assert "rocm" not in build
    assert "HIP" not in build
    assert build.count("\n\n") == 4
    sources = sorted(path.name for path in folder.glob("fast_relu_*/*"))
    assert sources == ["fast_relu.cpp", "fast_relu.cu"]


def test_nothing_keeps_the_name_of_the_template(cli: Cli) -> None:
    cli("init", "place", "--name", "me/fast-relu", "--backends", "all")
    for path in (cli.folder / "place").rglob("*"):
        if path.is_file() and ".git" not in path.parts:
            assert "mykernel" not in f"{path.name}\n{path.read_text()}", path
            assert "myorg" not in path.read_text(), path


def test_it_is_in_git_and_staged(cli: Cli) -> None:
    cli("init", "--name", "me/hello")
    listed = git(cli.folder / "hello", "status", "--porcelain").splitlines()
    assert "A  build.toml" in listed
    assert all(line.startswith("A  ") for line in listed)


@pytest.mark.parametrize("template", BACKENDS)
def test_where_its_repository_is(template: str) -> None:
    text = render(template, source="https://example.org/hello")["build.toml"]
    assert 'source = "https://example.org/hello"\n\n[general.hub]' in text
    text = render(template)["build.toml"]
    # A place that says how to state it.
    assert '# source = "https://github.com/me/fast-relu"\n\n[general.hub]' in text


def test_the_repository_is_that_of_the_remote(cli: Cli) -> None:
    git(cli.folder, "init", "--quiet")
    git(cli.folder, "remote", "add", "origin", "git@example.org:you/kernels")
    done = cli("init", "--name", "me/hello")
    text = (cli.folder / "hello" / "build.toml").read_text()
    assert tomlkit.parse(text).unwrap()["general"]["source"] == "https://example.org/you/kernels"
    assert "where its repository is" not in done.stderr
    # It joins the repository that it is in.
    assert not (cli.folder / "hello" / ".git").exists()


def test_a_repository_that_is_not_known(cli: Cli) -> None:
    done = cli("init", "my other", "--name", "me/other")
    assert "`build.toml`: state the git repository as `source`" in homework(cli, "my other")
    # What is left for later has a file; the next command is what is said.
    assert done.stderr.splitlines() == [
        f"before you publish it: {cli.folder}/my other/PUBLISHING.md",
        "next: cd 'my other' && kernel-builder build --here",
    ]


def test_a_kernel_inside_of_a_kernel_is_named(cli: Cli) -> None:
    cli("init", "--name", "me/outer")
    inside = cli("init", "outer/inner", "--name", "me/inner")
    assert f"this is a kernel inside of the kernel {cli.folder}/outer\n" in inside.stderr
    assert "inside of" not in cli("init", "--name", "me/beside").stderr


def test_it_replaces_nothing_without_being_told(cli: Cli) -> None:
    (cli.folder / "hello").mkdir()
    mine = cli.folder / "hello" / "build.toml"
    mine.write_text("mine")
    refused = cli.expect(1, "init", "--name", "me/hello", "--backends", "cpu")
    expected = f"""\
error: the kernel would replace 1 files (1 problem)

       at     {cli.folder}/hello
       found  files of the same names: build.toml
       want   a folder without them
       fix    give another PATH, or --overwrite to replace them
"""
    assert refused.stderr == expected
    assert [path.name for path in (cli.folder / "hello").iterdir()] == ["build.toml"]
    assert mine.read_text() == "mine"
    assert cli("init", "--name", "me/hello", "--backends", "cpu", "--overwrite").status == 0
    assert mine.read_text() != "mine"
    # A kernel may have hundreds of files.
    refused = cli.expect(1, "init", "--name", "me/hello", "--backends", "cpu")
    assert re.search(r"same names: (\S+, ){12}and \d more\n", refused.stderr)


NO_NAMES = "hello me/Hello me/1st me/ me/b me/torch me/py-compile me/tests"


@pytest.mark.parametrize("name", ["a b/c", *NO_NAMES.split()])
def test_names_that_are_none(cli: Cli, name: str) -> None:
    refused = cli.expect(2, "init", "--name", name)
    assert "the kernel cannot be called" in refused.stderr
    assert not list(cli.folder.iterdir())


@pytest.mark.parametrize("word", ["cudda", "gpu cpu rocm", "cpu,rcom", "cpu, cuda"])
def test_backends_that_are_none(cli: Cli, word: str) -> None:
    refused = cli("init", "--name", "me/hello", "--backends", *word.split())
    assert (refused.status != 0, 'mean "xpu"' in refused.stderr) == (True, False)
    assert "error: " in refused.stderr.lower()
    assert not (cli.folder / "hello").exists()


def test_a_template_without_such_a_backend(cli: Cli) -> None:
    words = ("--template", "stable-abi", "--backends", "cpu", "metal")
    refused = cli("init", "--name", "me/hello", *words)
    assert 'found  "metal"' in refused.stderr
    assert 'want   one of "cpu", "cuda", "all"' in refused.stderr


@pytest.mark.parametrize("template", BACKENDS)
def test_nothing_is_warned_of_in_a_new_kernel(cli: Cli, template: str) -> None:
    words = ("--name", "me/new", "--template", template, "--backends", *BACKENDS[template])
    assert cli("init", "new", *words, "--kernel-builder", f"git+file://{ROOT}").status == 0
    checked = cli("check-config", "new")
    # Nix itself tells of the lock file that it creates.
    said = checked.stderr.replace("warning: creating lock file", "")
    assert (checked.status, "warning" in said) == (0, False)
    explained = cli("list-variants", "--explain", "new")
    assert "warning" not in explained.stdout
    assert explained.stderr == ""


@pytest.mark.parametrize(
    ("address", "repository", "commit"),
    [
        (f"github:you/kernels/{'0f' * 20}", "you/kernels", "0f" * 20),
        ("github:you/kernels/v1?dir=builder", "you/kernels", "COMMIT"),
        ("git+file:///kernels", "OWNER/kernel-builder", "COMMIT"),
    ],
)
def test_the_workflow_that_it_calls(cli: Cli, address: str, repository: str, commit: str) -> None:
    """A commit runs with the token, or the user is asked to write one."""
    cli("init", "--name", "me/hello", "--kernel-builder", address)
    workflow = (cli.folder / "hello" / ".github/workflows/build.yml").read_text()
    assert f"uses: {repository}/.github/workflows/build-kernel.yml@{commit}\n" in workflow
    assert ("replace COMMIT by" in homework(cli)) == (commit == "COMMIT")


def homework(cli: Cli, name: str = "hello") -> str:
    """Return what is left to do before a new kernel is published."""
    file = cli.folder / name / "PUBLISHING.md"
    return file.read_text() if file.exists() else ""


def builder_of(cli: Cli, **variables: str) -> tuple[str, str]:
    """Return what flake.nix of a new kernel builds with, and what init says."""
    cli.expect(0, "init", "--name", "me/hello", "--overwrite", **variables)
    flake = (cli.folder / "hello" / "flake.nix").read_text()
    return flake.split('inputs.kernel-builder.url = "')[1].split('"')[0], homework(cli)


def test_no_path_of_the_store_is_an_address(cli: Cli, tmp_path: Path) -> None:
    # The command line that Nix builds has a folder with the repository, and no git in it.
    root = tmp_path / "root"
    root.mkdir()
    (root / "default.nix").touch()
    address, said = builder_of(cli, KERNEL_BUILDER_FLAKE=str(root))
    assert address == "github:OWNER/kernel-builder"
    assert "others can reach" in said
    assert builder_of(cli, KERNEL_BUILDER_FLAKE="github:me/builder")[0] == "github:me/builder"


def test_a_checkout_without_a_remote_is_an_address_of_this_machine(
    cli: Cli, tmp_path: Path
) -> None:
    root = tmp_path / "my root"
    root.mkdir()
    git(root, "init", "--quiet")
    (root / "default.nix").touch()
    address, said = builder_of(cli, KERNEL_BUILDER_FLAKE=str(root))
    assert address == f"git+file://{tmp_path}/my%20root"
    assert "others can reach" in said


def test_where_a_checkout_comes_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "remote", "add", "origin", "x")
    for remote, flake, address in [
        ("https://github.com/you/k.git", "github:you/k", "https://github.com/you/k"),
        ("git@github.com:you/kernels", "github:you/kernels", "https://github.com/you/kernels"),
        ("ssh://git@codeberg.org/you/k.git", None, "https://codeberg.org/you/k"),
        ("https://you:secret@example.org/k/", None, "https://example.org/k"),
        # Nothing that others can read over https, as far as it says.
        ("ssh://git@example.org:2222/k", None, None),
        ("git@work:k", None, None),
        ("/srv/kernels", None, None),
    ]:
        git(tmp_path, "remote", "set-url", "origin", remote)
        assert find_address(tmp_path) == address
        assert find_public_address() == (flake or f"git+file://{tmp_path}", None)


@pytest.mark.parametrize(
    "words",
    [
        ("--backends", "cpu", "cuda", "place"),
        ("--backends", "cpu,cuda", "place"),
        ("--backends=cpu", "cuda", "--license", 'a"b', "place"),
        ("--backends", "cpu", "cuda", "cuda1"),
    ],
)
def test_spellings_of_backends(cli: Cli, words: tuple[str, ...]) -> None:
    cli.expect(0, "init", "--name", "me/hello", *words)
    general = tomlkit.parse((cli.folder / words[-1] / "build.toml").read_text()).unwrap()["general"]
    assert general["backends"] == ["cpu", "cuda"]
    assert not (cli.folder / "cuda").exists()
    # A license is quoted.
    assert general["license"] == ('a"b' if "--license" in words else general["license"])
