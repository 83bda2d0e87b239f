"""What all commands share: how much they say, what they tell Nix, what a shell completes."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import click
import pytest

from kernel_builder.commands.group import COMMANDS
from kernel_builder.commands.group import cli as group
from kernel_builder.messages.errors import KernelBuilderError
from tests.cli.command_line import PACKAGE, Cli
from tests.cli.fake_kernel import FakeKernel
from tests.cli.served import Server
from tests.cli.store import Store


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_the_options_of_the_run(name: str) -> None:
    command = group.get_command(click.Context(group), name)
    assert command is not None
    spellings = [option for each in command.params for option in each.opts]
    shared = ("--quiet", "--show-trace", "--option", "--offline", "--json", "--builder")
    for option in (*shared, "-L", "--print-build-logs", "--max-jobs", "--cores"):
        assert spellings.count(option) == 1, option


def test_options_of_the_run_may_stand_first(cli: Cli, kernel: FakeKernel) -> None:
    kernel.warnings = ["edition 4 is old"]
    kernel.add("one")
    folder = str(kernel.write())
    assert cli("-v", "list-variants", folder).stderr.startswith("+ nix ")
    assert cli("-q", "check-config", folder).stderr == ""
    # The command may say something else, and adds to settings.
    assert cli("-q", "check-config", "-v", folder).stderr.startswith("+ nix ")
    words = ["--option", "cores", "1", "list-variants", "-v", "--option", "timeout", "9", folder]
    assert "--option cores 1 --option timeout 9" in cli(*words).stderr
    assert "--offline" in cli("--offline", "list-variants", "-v", folder).stderr


@pytest.mark.parametrize("comes_first", [True, False])
def test_limits_reach_each_build_of_a_command(
    cli: Cli, kernel: FakeKernel, comes_first: bool
) -> None:
    """As the build of a card, which no command builds by name."""
    kernel.add("one")
    flake = kernel.write() / "flake.nix"
    script = "echo $NIX_BUILD_CORES; echo $NIX_BUILD_CORES > $out"
    card = f'card = sh "k-card-${{salt}}" "{script}" [ ];'
    flake.write_text(flake.read_text().replace("inherit bundleOf", f"{card} inherit bundleOf", 1))
    limits, command = ["-L", "--max-jobs", "1", "--cores", "3"], ["fill-card", "-o", "-"]
    words = [*limits, *command] if comes_first else [*command, *limits]
    done = cli(*words, str(kernel.folder))
    assert done.status == 0, done.stderr
    assert done.stdout == "3\n"
    assert "> 3\n" in done.stderr


def test_what_an_evaluation_tells_is_heard(cli: Cli, kernel: FakeKernel) -> None:
    kernel.add("one")
    flake = kernel.write() / "flake.nix"
    text = flake.read_text().replace("archVariants = ", 'archVariants = builtins.trace "look" (', 1)
    flake.write_text(text.replace("map (v: v.name) variants;", "map (v: v.name) variants);", 1))
    done = cli("list-variants", "--arch", str(kernel.folder))
    assert (done.status, done.stdout) == (0, "one\n")
    assert done.stderr == "trace: look\n"


def test_the_whole_trace(cli: Cli, kernel: FakeKernel) -> None:
    folder = kernel.write()
    (folder / "flake.nix").write_text(
        '{ outputs = _: { variants = builtins.addErrorContext "on the way" (throw "end"); }; }'
    )
    assert "on the way" not in cli("list-variants", str(folder)).stderr
    assert "on the way" in cli("list-variants", "--show-trace", str(folder)).stderr


def test_a_dry_run_builds_nothing(cli: Cli, kernel: FakeKernel, store: Store, salt: str) -> None:
    source = store.source(salt, b"", sourceKind="vendor", url="http://127.0.0.1:9/f")
    kernel.add("one", sources=f"[ {source} ]")
    kernel.add("two", backend="cuda")
    folder = kernel.write()
    done = cli("build", "--dry-run", str(folder))
    assert done.status == 0, done.stderr
    assert done.stderr == ""
    assert done.stdout.splitlines()[1:] == ["one      to build", "two      to build"]
    assert not (folder / "result").exists()


def test_results_of_other_commands_as_json(cli: Cli) -> None:
    made = json.loads(cli("init", "--name", "me/hello", "--backends", "cpu", "--json").stdout)
    assert made["version"] == 1
    assert made["backends"] == ["cpu"]
    assert "build.toml" in made["files"]
    updated = json.loads(cli("--json", "update-build", "hello", "--check").stdout)
    assert updated == {"version": 1, "is-newest": True, "written": False, "notes": []}
    (cli.folder / "hello" / "build.toml").write_text("x = = 1")
    failed = json.loads(cli("update-build", "hello", "--json").stdout)
    assert set(failed) == {"version", "message", "problems"}
    wrong = cli("--json", "build", "--no-such-option")
    assert wrong.status == 2
    assert json.loads(wrong.stdout)["message"].startswith("No such option")


def test_offline_fetches_nothing(cli: Cli, store: Store, server: Server, salt: str) -> None:
    url = server.put("f", salt.encode())
    drv = store.instantiate(store.source(salt, salt.encode(), sourceKind="vendor", url=url))
    done = cli("prefetch", "--offline", "--json", drv)
    assert done.status == 1
    (problem,) = json.loads(done.stdout)["problems"]
    assert problem["found"] == "it is not in the store, and --offline is given"
    assert not store.has(drv)
    fetched = json.loads(cli("prefetch", "--json", drv).stdout)
    assert fetched == {"version": 1, "fetched": [salt], "problems": []}


NO_TRACEBACK = {
    "init onto a file": (["init", "file", "--name", "me/hello"], "/here/file is not written to"),
    "a card to nowhere": (["fill-card", "-o", "no/such/x", "{example}"], "no/such/x: No such file"),
    "a broken record": (["clean-pyproject", "broken"], "made.json is not as it was written"),
    "a folder that is none": (["upload", "/nonexistent"], "/nonexistent is not a kernel"),
}


@pytest.mark.parametrize(("words", "said"), NO_TRACEBACK.values(), ids=NO_TRACEBACK)
def test_no_traceback(cli: Cli, words: list[str], said: str) -> None:
    (cli.folder / "file").write_text("")
    record = cli.folder / "broken" / ".kernel-builder" / "made.json"
    record.parent.mkdir(parents=True)
    record.write_text("{")
    example = PACKAGE.parents[1] / "examples" / "relu"
    done = cli(*(word.replace("{example}", str(example)) for word in words))
    assert done.status == 1
    assert "Traceback" not in done.stderr
    # What it has to build first is told before.
    assert any(line.startswith("error: ") for line in done.stderr.splitlines())
    assert said in done.stderr


def test_a_traceback_for_who_wants_it(cli: Cli) -> None:
    done = cli("init", "nowhere/x", "--name", "me/hello", KERNEL_BUILDER_DEBUG="1")
    assert done.status == 0
    (cli.folder / "file").write_text("")
    done = cli("init", "file", "--name", "me/hello", KERNEL_BUILDER_DEBUG="1")
    assert "Traceback" in done.stderr
    assert "file is not written to" in done.stderr


def test_two_builds_have_to_be_the_same(tmp_path: Path) -> None:
    from kernel_builder.variants.result import list_built_variants

    for place in ("build", "result"):
        (tmp_path / place / "torch-cpu").mkdir(parents=True)
        (tmp_path / place / "torch-cpu" / "metadata.json").write_text("{}")
    built, linked = (tmp_path / place / "torch-cpu" for place in ("build", "result"))
    assert list_built_variants([tmp_path]) == [built]
    (built / "metadata.json").write_text("{ }")
    for when in (1, 10**10):
        os.utime(tmp_path / "build", (when, when))
        with pytest.raises(KernelBuilderError, match="has two builds"):
            list_built_variants([tmp_path])
    shutil.rmtree(tmp_path / "build")
    assert list_built_variants([tmp_path]) == [linked]


@pytest.mark.parametrize(
    ("folder", "name"),
    [
        ("torch213-cxx11-cpu-x86_64-linux", "torch213-cxx11-cpu-x86_64-linux"),
        (f"{'0a' * 16}-k-1-torch-stable-abi211-cpu-x-linux", "torch-stable-abi211-cpu-x-linux"),
        (f"{'0a' * 16}-k-1-tvm-ffi01-cu130-x86_64-linux", "tvm-ffi01-cu130-x86_64-linux"),
    ],
)
def test_a_variant_has_the_name_of_its_folder_or_build(
    tmp_path: Path, folder: str, name: str
) -> None:
    from kernel_builder.variants.result import read_variant_name

    (tmp_path / folder).mkdir()
    (tmp_path / folder / "metadata.json").write_text('{"name": "k-1"}')
    (tmp_path / "result").symlink_to(tmp_path / folder)
    assert read_variant_name(tmp_path / "result") == name
