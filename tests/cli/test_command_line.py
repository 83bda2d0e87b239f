"""Common parts of all commands: help, options, messages, and the launcher of the source tree."""

import json
import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from kernel_builder.commands.group import COMMANDS, PROGRAM, cli
from kernel_builder.messages.errors import KernelBuilderError
from kernel_builder.variants.result import choose_link, list_built_variants, read_variant_name
from tests.cli.command_line import PACKAGE, Cli, wait_for
from tests.cli.fake_kernel import FakeKernel
from tests.cli.served import Server
from tests.cli.store import Store
from tests.evaluation import VARIANT, call
from tests.tiny_kernel import TinyKernel


def test_start_loads_no_network_code() -> None:
    code = (
        "import sys; import kernel_builder.commands.group;"
        "print(*(m for m in ('urllib.request', 'ssl', 'huggingface_hub') if m in sys.modules))"
    )
    done = call(sys.executable, "-c", code, env={**os.environ, "PYTHONPATH": str(PACKAGE)})
    assert done.stdout == "\n"


# An example starts a line, or stands in backquotes; a comment or another command may follow.
EXAMPLE = re.compile(rf"^\s+(?:\$ )?({PROGRAM} [^#&\n]+)|[`(]({PROGRAM} [^`)]+)[`)]", re.MULTILINE)


def command_of(name: str) -> click.Command:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    return command


def examples() -> Iterator[tuple[str, str]]:
    """Yield each command line of a help text, with the command whose text it is."""
    for name in ("", *COMMANDS):
        text = (command_of(name) if name else cli).help or ""
        for found in EXAMPLE.finditer(text):
            yield name, (found[1] or found[2]).strip()


@pytest.mark.parametrize(("name", "line"), list(examples()))
def test_examples_can_be_typed(name: str, line: str) -> None:
    del name
    _, command, *words = shlex.split(line)
    # Options and arguments are checked; nothing is run.
    command_of(command).make_context(command, words)


@pytest.mark.parametrize("name", COMMANDS)
def test_everything_is_explained(name: str) -> None:
    command = command_of(name)
    options = [each for each in command.params if isinstance(each, click.Option)]
    assert [each.name for each in options if not each.help] == []
    text = (command.help or "").replace("\b", "")
    first = text.split("\n\n", maxsplit=1)[0]
    assert first.endswith("."), "a sentence that stands alone in the list of commands"


def test_the_list_of_commands_has_whole_sentences(cli: Cli) -> None:
    listed = cli("--help").stdout.split("Commands:\n")[1].splitlines()
    helps = {line.split(maxsplit=1)[0]: line.split(maxsplit=1)[1] for line in listed}
    assert set(helps) == set(COMMANDS)
    assert [name for name, said in helps.items() if not said.endswith(".") or "..." in said] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_the_options_of_the_run(name: str) -> None:
    spellings = [option for each in command_of(name).params for option in each.opts]
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
    """No command builds a card by name, and yet limits reach its build."""
    kernel.add("one")
    limits, command = ["-L", "--max-jobs", "1", "--cores", "3"], ["fill-card"]
    words = [*limits, *command] if comes_first else [*command, *limits]
    done = cli(*words, str(kernel.write()), "-")
    assert (done.status, done.stdout) == (0, "3 cores\n"), done.stderr
    assert "> 3\n" in done.stderr


def test_the_whole_trace(cli: Cli, kernel: FakeKernel) -> None:
    folder = kernel.write()
    (folder / "flake.nix").write_text(
        '{ outputs = _: { variants = builtins.addErrorContext "on the way" (throw "end"); }; }'
    )
    assert "on the way" not in cli("list-variants", str(folder)).stderr
    assert "on the way" in cli("list-variants", "--show-trace", str(folder)).stderr


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
    wrong = cli.expect(2, "build", "--no-such-option", "--json")
    assert json.loads(wrong.stdout)["message"].startswith("No such option")


def test_offline_fetches_nothing(cli: Cli, store: Store, server: Server, salt: str) -> None:
    url = server.put("f", salt.encode())
    drv = store.instantiate(store.source(salt, salt.encode(), sourceKind="vendor", url=url))
    done = cli.expect(1, "prefetch", "--offline", "--json", drv)
    (problem,) = json.loads(done.stdout)["problems"]
    assert problem["found"] == "it is not in the store, and --offline is given"
    assert not store.has(drv)
    fetched = json.loads(cli("prefetch", "--json", drv).stdout)
    assert fetched == {"version": 1, "fetched": [salt], "problems": []}


NO_TRACEBACK = {
    "init onto a file": (["init", "file", "--name", "me/hello"], "/here/file is not written to"),
    "a card to nowhere": (["fill-card", "{example}", "no/such/x"], "no/such: No such file"),
    "a folder that is none": (["upload", "/nonexistent"], "/nonexistent is not a kernel"),
}


@pytest.mark.parametrize(("words", "said"), NO_TRACEBACK.values(), ids=NO_TRACEBACK)
def test_no_traceback(cli: Cli, words: list[str], said: str) -> None:
    (cli.folder / "file").write_text("")
    example = PACKAGE.parents[1] / "examples" / "relu"
    done = cli(*(word.replace("{example}", str(example)) for word in words))
    assert done.status == 1
    assert "Traceback" not in done.stderr
    # Lines about builds come before the error.
    assert any(line.startswith("error: ") for line in done.stderr.splitlines())
    assert said in done.stderr


def test_a_traceback_for_who_wants_it(cli: Cli) -> None:
    done = cli.expect(0, "init", "nowhere/x", "--name", "me/hello", KERNEL_BUILDER_DEBUG="1")
    (cli.folder / "file").write_text("")
    done = cli("init", "file", "--name", "me/hello", KERNEL_BUILDER_DEBUG="1")
    assert "Traceback" in done.stderr
    assert "file is not written to" in done.stderr


def test_result_of_a_folder_that_cannot_be_written_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    assert choose_link(tmp_path) == tmp_path / "result"
    monkeypatch.setattr(os, "access", lambda path, _: path != tmp_path)
    assert choose_link(tmp_path) == tmp_path / "here" / "result"
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(KernelBuilderError, match="the result cannot be linked"):
        choose_link(tmp_path)


def test_two_builds_have_to_be_the_same(tmp_path: Path) -> None:
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
    (tmp_path / folder).mkdir()
    (tmp_path / folder / "metadata.json").write_text('{"name": "k-1"}')
    (tmp_path / "result").symlink_to(tmp_path / folder)
    assert read_variant_name(tmp_path / "result") == name


# Completes $line, whose last word is not finished, and prints what that may become.
COMPLETE = """
source "$script"
function=$(complete -p kernel-builder | sed 's/.*-F \\([^ ]*\\) .*/\\1/')
COMP_WORDS=($line)
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
"$function" kernel-builder
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("kernel-builder build-and", {"build-and-copy", "build-and-upload"}),
        ("kernel-builder build --max", {"--max-jobs"}),
        ("kernel-builder completions f", {"fish"}),
        ("kernel-builder build tiny --backend c", {"cpu"}),
        ("kernel-builder init --backends cpu,c", {"cpu,cuda"}),
        ("kernel-builder status --fail-on missing,s", {"missing,stale"}),
        (f"kernel-builder build tiny --variant {VARIANT[:18]}", {VARIANT}),
        (f"kernel-builder devshell tiny --variant {VARIANT[:18]}", {VARIANT}),
    ],
)
def test_completions(cli: Cli, tmp_path: Path, line: str, found: set[str]) -> None:
    """A TAB evaluates nothing of a kernel; names of variants are there at the next one."""
    TinyKernel(tmp_path / "tiny", {"flake.nix": "{ outputs = _: throw 1; }"})
    program, script = tmp_path / "kernel-builder", tmp_path / "completions"
    words = f"PYTHONPATH={PACKAGE} exec {sys.executable} -m kernel_builder"
    program.write_text(f'#!/bin/sh\n{words} "$@"\n')
    program.chmod(0o755)
    script.write_text(cli("completions", "bash").stdout)
    path = f"{tmp_path}:{os.environ['PATH']}"
    environment = {"HOME": str(tmp_path), "PATH": path, "line": line, "script": str(script)}
    argv = ["bash", "-c", COMPLETE]

    def complete() -> set[str]:
        said = call(*argv, status=None, env=environment, cwd=tmp_path)
        return {*said.stdout.split()}

    if "--variant" in line:
        wait_for(complete)
    assert complete() == found


def test_shells(cli: Cli) -> None:
    for shell in ("bash", "zsh", "fish"):
        assert "kernel-builder" in cli("completions", shell).stdout
    assert cli("completions", "csh").status == 2


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("biuld --backend cpu", 'No such command "biuld". Did you mean "build"?'),
        ("help biuld", 'No such command "biuld". Did you mean "build"?'),
        ("build --varient x", "No such option '--varient'. Did you mean '--variant'?"),
        ("build --backends x", "No such option '--backends'. Did you mean '--backend'?"),
        ("build --requireall x", "No such option '--requireall'. Did you mean '--require-all'?"),
    ],
)
def test_a_misspelt_word_has_the_nearest_alone(cli: Cli, words: str, found: str) -> None:
    done = cli(*words.split())
    assert (done.status, found in done.stderr) == (2, True), done.stderr
