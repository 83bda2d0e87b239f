"""A build.toml that is not TOML: where and what to do is said before Nix is asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from kernel_builder.kernel.build_toml import read_build_toml
from kernel_builder.messages.errors import KernelBuilderError
from tests.cli.command_line import Cli

# What is written, where it is wrong, and what of it is shown.
WRONG = {
    "no quotes": ("[general]\nname = relu\n", "2:8", "name = relu"),
    "no equals": ('[general]\nname "relu"\n', "2:6", 'name "relu"'),
    "not a table": ("name: relu\n", "1:5", "name: relu\n"),
    "table not closed": ("[general\n", "1:9", "[general"),
    "list not closed": ("a = [1,\n  2 3]\n", "2:5", "2 3]"),
    "end of a list": ("a = [1,\n", "2:1", "Invalid value"),
    "string not closed": ('a = "x\nb = 1\n', "1:7", 'a = "x'),
    "escape": ('a = "src\\detail"\n', "1:11", "a = "),
    "key twice": ("a = 1\na = 2\n", "2:6", "a = 2"),
    "table twice": ("[a]\nb = 1\n[a]\n", "3:3", "[a]"),
    "two values": ('a = "x"y\n', "1:8", 'a = "x"y'),
    "byte order mark": ("\ufeff[general]\n", "1:1", "a byte order mark (BOM)"),
}


@pytest.mark.parametrize(("text", "at", "found"), WRONG.values(), ids=WRONG)
def test_what_is_wrong(tmp_path: Path, text: str, at: str, found: str) -> None:
    file = tmp_path / "build.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(KernelBuilderError) as raised:
        read_build_toml(tmp_path)
    (problem,) = raised.value.problems
    line, column = at.split(":")
    assert raised.value.headline == f"{tmp_path.name}/build.toml is not TOML"
    assert problem.at == f"{file}:{at}"
    assert (problem.file, problem.line, problem.column) == (str(file), int(line), int(column))
    assert found.strip() in problem.found


def test_not_utf_8(tmp_path: Path) -> None:
    (tmp_path / "build.toml").write_bytes(b'[general]\nname = "caf\xe9"\n')
    with pytest.raises(KernelBuilderError, match="is not TOML") as raised:
        read_build_toml(tmp_path)
    assert raised.value.problems[0].at.endswith("build.toml:2:1")
    assert "0xe9" in raised.value.problems[0].found


@pytest.mark.parametrize("text", ["a = " + "[" * 60000 + "]" * 60000, "a = " + "{b=" * 60000 + "1"])
def test_nested_values(tmp_path: Path, text: str) -> None:
    (tmp_path / "build.toml").write_text(text)
    with pytest.raises(KernelBuilderError) as raised:
        read_build_toml(tmp_path)
    assert "nested too deeply" in raised.value.problems[0].found


@pytest.mark.parametrize(
    "words",
    [["check-config"], ["build"], ["list-variants"], ["update-build"], ["fill-card"], ["upload"]],
    ids=" ".join,
)
def test_every_command_that_reads_it_says_so(cli: Cli, words: list[str]) -> None:
    (cli.folder / "build.toml").write_text("[general]\nname = relu\n")
    # Without Nix: nobody else is asked.
    done = cli(*words, PATH="/nowhere")
    assert (done.status, done.stdout) == (1, "")
    assert (
        done.stderr
        == f"""\
error: here/build.toml is not TOML (1 problem)

       at     {cli.folder}/build.toml:2:8
       found  name = relu
              Invalid value
       want   TOML in UTF-8: text in quotes, one `key = value` on a line, every key once
       fix    correct the line; https://toml.io has the rules
"""
    )
