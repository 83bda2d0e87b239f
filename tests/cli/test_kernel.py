"""Folders that are kernels, whatever their name, git and system are, and folders that are not."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kernel_builder.kernel.flakes import find_inputs_outside
from kernel_builder.kernel.folder import Kernel
from kernel_builder.messages.errors import Problem
from tests.cli.command_line import Cli
from tests.cli.fake_kernel import BUILD, FakeKernel, forget, init_git
from tests.evaluation import ROOT, SYSTEM
from tests.tiny_kernel import TinyKernel, commit_all, git


@pytest.fixture
def kernel(kernel: FakeKernel) -> FakeKernel:
    kernel.add("a-cpu")
    return kernel


@pytest.mark.parametrize("words", ["check-config", "list-variants", "build --dry-run"])
def test_example_in_git_gets_no_lock(tmp_path: Path, kernel: FakeKernel, words: str) -> None:
    root = tmp_path / "root"
    example = root / "examples" / "k"
    shutil.copytree(kernel.write(), example)
    (root / "flake.nix").write_text("{ outputs = _: { it = 1; }; }")
    (root / "default.nix").write_text("{ }")
    flake = example / "flake.nix"
    above = 'inputs.kernel-builder.url = "path:../.."; outputs = inputs:'
    flake.write_text(flake.read_text().replace("outputs = _:", f"{above} assert inputs ? self;", 1))
    commit_all(root)
    cli = Cli(tmp_path)
    cli.expect(0, *words.split(), str(example))
    # Nix would add a lock to git's index, whatever .gitignore says.
    assert not (example / "flake.lock").exists()
    assert git(root, "status", "--short") == ""


# Text of a flake.nix in root/examples/k, what its lock holds, and the inputs that lead out of it.
OUTSIDE = {
    "a path": ('inputs.a.url = "path:../..";', "", {"a": "."}),
    "a path to a neighbour": ('inputs.a.url = "path:../../other/";', "", {"a": "other"}),
    "a path in a set": ('inputs.a = { type = "path"; path = "../.."; };', "", {"a": "."}),
    "a path that begins inside": ('inputs.a.url = "path:./b/../../..";', "", {"a": "."}),
    "a path without a dot": ('inputs.a.url = "path:b/../../..";', "", {"a": "."}),
    "of two": (
        'inputs.a.url = "path:../.."; inputs.kernel-builder.url = "github:b/c";',
        "",
        {"a": "."},
    ),
    "locked as a path": ('inputs.a.url = "path:../..";', '"path": "../.."', {"a": "."}),
    "locked elsewhere": ('inputs.a.url = "path:../..";', '"type": "github"', {}),
    "locked to a folder": ('inputs.a.url = "path:../..";', '"path": "/nix/store/a"', {}),
    "a comment": ('inputs.a.url = "github:b/c"; # it was "path:../.." once', "", {}),
    "a description": ("description = ''from \"path:../..\"'';", "", {}),
    "an address with dots": ('inputs.a.url = "https://host.invalid/b/../c.tar.gz";', "", {}),
    "a folder inside": ('inputs.a.url = "path:./b/../c";', "", {}),
}


@pytest.mark.parametrize("kind", OUTSIDE)
def test_nix_says_which_inputs_lead_out(tmp_path: Path, kind: str) -> None:
    text, locked, found = OUTSIDE[kind]
    folder = tmp_path / "examples" / "k"
    folder.mkdir(parents=True)
    (folder / "flake.nix").write_text(f"{{ {text}\noutputs = _: {{ }}; }}")
    nodes = f'{{"root": {{"inputs": {{"a": "x"}}}}, "x": {{"locked": {{{locked}}}}}}}'
    if locked:
        (folder / "flake.lock").write_text(f'{{"root": "root", "nodes": {nodes}}}')
    expected = {name: (tmp_path / place).resolve() for name, place in found.items()}
    assert find_inputs_outside(folder) == expected


@pytest.mark.parametrize("has_comment", [False, True])
def test_a_comment_does_not_exchange_the_builder(
    cli: Cli, kernel: FakeKernel, tmp_path: Path, has_comment: bool
) -> None:
    folder, builder = kernel.write(), tmp_path / "builder"
    builder.mkdir()
    (folder / "flake.nix").rename(builder / "flake.nix")
    (folder / "variants.nix").rename(builder / "variants.nix")
    comment = ' # it was "path:../.." once' if has_comment else ""
    flake = f'inputs.kernel-builder.url = "path:{builder}";{comment}\noutputs = its: '
    (folder / "flake.nix").write_text(f"{{ {flake}its.kernel-builder.outputs or its; }}")
    done = cli("list-variants", "--arch", str(folder))
    assert (done.stdout, done.stderr) == ("a-cpu\n", "")
    assert str(builder) in (folder / "flake.lock").read_text()


def test_a_folder_below_a_kernel(cli: Cli, kernel: FakeKernel) -> None:
    folder = kernel.write()
    (folder / "a" / "b").mkdir(parents=True)
    done = cli("list-variants", "--arch", str(folder / "a" / "b"))
    assert (done.stdout, done.stderr) == ("a-cpu\n", f"the kernel's folder is {folder}\n")
    # A repository of its own is no part of the kernel around it.
    init_git(folder / "a")
    done = cli.expect(1, "list-variants", str(folder / "a" / "b"))
    assert f"at     {folder}/a/b\n       found  no build.toml\n" in done.stderr
    done = cli.expect(1, "list-variants", str(folder.parent))
    assert f"fix    give the folder of a kernel, such as {folder}\n" in done.stderr


@pytest.mark.parametrize(
    ("tracked", "hidden"),
    [
        (["variants.nix"], "build.toml flake.nix"),
        (["flake.nix", "variants.nix", "a"], "build.toml variants.nix"),
        (["flake.nix", "build.toml"], "variants.nix"),
    ],
)
def test_untracked(cli: Cli, kernel: FakeKernel, tracked: list[str], hidden: str) -> None:
    folder = kernel.write()
    (folder / "a").write_text("")
    init_git(folder, *(set(tracked) - set(hidden.split())))
    done = cli.expect(1, "list-variants", str(folder))
    names = hidden.split()
    assert done.stderr.endswith(f"""\

       at     {folder}
       found  files that git does not track yet: {", ".join(names)}
       want   tracked files, since Nix reads a folder in git through git
       fix    git -C {folder} add -N -- {hidden}
""")


def test_untracked_files_are_named_before_a_build(
    cli: Cli, kernel: FakeKernel, tmp_path: Path
) -> None:
    # The name alone makes no store of it.
    kernel.folder = tmp_path / "nix/store/k"
    kernel.folder.parent.mkdir(parents=True)
    folder = kernel.write()
    (folder / "new.py").touch()

    def warnings() -> list[str]:
        said = cli("build", "--dry-run", str(folder)).stderr.splitlines()
        return [line for line in said if line.startswith("warning: git does not track")]

    # Without git, Nix reads all files.
    assert warnings() == []
    init_git(folder, "flake.nix", "build.toml", "variants.nix")
    # An earlier build has made this link.
    (folder / "result").symlink_to(f"/nix/store/{32 * 'a'}-result")
    (line,) = warnings()
    assert line.endswith(f"1 file, so the build lacks them: git -C {folder} add -N -- new.py")
    for number in range(6):
        (folder / f"{number}.py").touch()
    (line,) = warnings()
    assert line.endswith(f"7 files, so the build lacks them: git -C {folder} add -N -- .")
    # A kernel of others is read without git.
    others = cli("build", "--dry-run", "--untrusted", "--allow-vulnerable-nix", str(folder))
    assert "does not track" not in others.stderr
    (folder / ".gitignore").write_text("*.py\n.gitignore\n")
    assert warnings() == []


def test_without_flake(cli: Cli, kernel: FakeKernel, tmp_path: Path) -> None:
    root = tmp_path / 'a "root"'
    root.mkdir()
    (root / "default.nix").write_text(
        "{ lib.${builtins.currentSystem}.kernelOutputs = path: { archVariants = ["
        ' (builtins.readFile (path + "/build.toml")) ]; }; }'
    )
    folder = kernel.write()
    (folder / "flake.nix").unlink()
    done = cli("list-variants", "--arch", "--json", str(folder), KERNEL_BUILDER_FLAKE=str(root))
    assert done.status == 0, done.stderr
    assert json.loads(done.stdout)["variants"] == [BUILD]


def test_no_nix(cli: Cli, kernel: FakeKernel, programs: Any) -> None:
    done = cli.expect(1, "build", str(kernel.write()), PATH=programs(["git"]))
    assert "found  no program called nix\n" in done.stderr
    assert "fix    run ./install.sh of kernel-builder" in done.stderr


WORDS = 'café a#b a?dir=b a$${b} a"b a\\b a%20b a:b a@b -a'
NAMES = ("two words", *WORDS.split())
EXAMPLE = ROOT / "examples" / "relu"
KERNEL = ("flake.nix", "variants.nix", "build.toml")


each_name = pytest.mark.parametrize("name", NAMES)


@pytest.fixture
def flake(tmp_path: Path, name: str, salt: str) -> Iterator[FakeKernel]:
    kernel = FakeKernel(tmp_path / "parent" / name, salt)
    kernel.folder.mkdir(parents=True)
    kernel.add("one", script='"echo x > $out"')
    kernel.write()
    yield kernel
    (kernel.folder / "result").unlink(missing_ok=True)
    forget(kernel.folder.rename(tmp_path / "plain"))


@each_name
def test_a_flake(cli: Cli, flake: FakeKernel) -> None:
    done = cli.expect(0, "build", "--json", "--", str(flake.folder))
    assert [row["state"] for row in json.loads(done.stdout)["variants"]] == ["built"]


@each_name
def test_a_flake_below_the_root_of_git(cli: Cli, flake: FakeKernel, name: str) -> None:
    init_git(flake.folder.parent, *(f"{name}/{file}" for file in KERNEL))
    done = cli.expect(0, "list-variants", "--json", "--", str(flake.folder))
    assert json.loads(done.stdout)["variants"][0] == "one"


@each_name
def test_a_folder_without_a_flake(cli: Cli, tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    shutil.copytree(EXAMPLE, folder, ignore=shutil.ignore_patterns("flake.*", "build", "result"))
    done = cli.expect(0, "list-variants", "--json", "--", str(folder))
    assert any("-cpu-" in variant for variant in json.loads(done.stdout)["variants"])


TARGET = "aarch64-linux"


@pytest.fixture(params=["flake", "folder"])
def of_system(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A kernel of this repository, and one that is no flake."""
    if request.param == "flake":
        return str(ROOT / "examples" / "silu-and-mul")
    return str(TinyKernel(tmp_path_factory.mktemp("tiny") / "tiny").folder)


@pytest.mark.skipif(SYSTEM != "x86_64-linux", reason=f"x86_64-linux is what builds for {TARGET}")
def test_variants_of_that_system_are_built(cli: Cli, of_system: str) -> None:
    words = ("--dry-run", "--variant", f"torch29-cxx11-cpu-{TARGET}")
    done = cli.expect(0, "build", of_system, "--system", TARGET, *words)
    (row,) = [line for line in done.stdout.splitlines() if line.startswith("torch")]
    assert row.startswith(f"torch29-cxx11-cpu-{TARGET}  ")
    assert "left out" not in row


def test_a_system_that_is_none_is_answered_with_those_that_are(cli: Cli) -> None:
    done = cli.expect(2, "build", "--system", "arm64")
    assert "'aarch64-linux', 'x86_64-linux'" in done.stderr


def test_a_port_shows_all_findings_at_once(cli: Cli, tmp_path: Path) -> None:
    """Its files are those of tests/unit/plan/findings.nix, which has each finding."""
    folder = shutil.copytree(ROOT / "tests" / "unit" / "ported", tmp_path / "ported")
    (folder / "tests").mkdir()
    (folder / "tests" / "test_ported.py").write_text("# pytest.mark.kernels_ci\n")
    shown = cli("check-config", str(folder))
    assert "warning: look at this before you build ported (2" in shown.stderr
    warnings = json.loads(cli("check-config", str(folder), "--json").stdout)["warnings"]
    for each in warnings:
        assert f"found  {each['found']}\n" in shown.stderr
        assert Path(each["file"]).is_file()
        assert each["line"] > 0
    places = {each["at"]: each["found"] for each in warnings}
    assert places[f"{folder}/root.cpp:1"] == "#include <torch/csrc/utils/pybind.h>"
    init = folder / "torch-ext" / "ported"
    assert places[f"{init}/__init__.py:34"] == "torch.ops.ported."


@pytest.mark.parametrize(
    ("name", "place", "mistake"),
    [
        ("flake.nix", "no git", "{ outputs = 1 +; }"),
        ("flake.nix", "git", "{ outputs = _: { } // nothing; }"),
        ("flake.nix", "below", "!"),
        ("variants.nix", "no git", "[ nothing ]"),
        ("variants.nix", "below", "[ 1 +; ]"),
    ],
)
def test_a_mistake_in_nix_is_in_the_users_file(
    cli: Cli, kernel: FakeKernel, name: str, place: str, mistake: str
) -> None:
    kernel.add("a-cpu")
    folder = kernel.write()
    (folder / name).write_text(mistake)
    root = {"no git": None, "git": folder, "below": folder.parent}[place]
    if root:
        commit_all(root)
    done = cli("check-config", str(folder))
    assert f"{folder / name}:1:" in done.stderr
    assert f"-source/{name}" not in done.stderr


@pytest.mark.parametrize(
    ("found", "line", "column"),
    [
        ("src/a.cpp: In function 'f':\nsrc/a.cpp:11:3: error: expected ';'", 11, 3),
        ("/nix/store/x/b.h:1:1: error: no\nsrc/a.cpp:7:10: fatal error: b.h: No such file", 7, 10),
        ("src/a.cpp(4): error: identifier", 4, 0),
        ("gone.cpp:3:1: error: no\nsrc/a.cpp:2:1: warning: unused", 0, 0),
    ],
)
def test_a_failed_compile_has_its_place_as_data(
    tmp_path: Path, found: str, line: int, column: int
) -> None:
    folder = TinyKernel(tmp_path / "k", {"src/a.cpp": ""}).folder
    told = Kernel(folder).explain_failure(Problem("k-a.cpp.o", found, "", "the log"))
    assert (told.line, told.column) == (line, column)
    assert told.file == (str(folder / "src/a.cpp") if line else "")
    check = Problem("k-check\nsrc/a.cpp:26", "an operator", "", "")
    assert Kernel(folder).explain_failure(check).as_data()["line"] == 26
