"""Texts of strangers on the terminal, and in the commands that messages propose."""

from __future__ import annotations

import subprocess

import pytest

from kernel_builder.messages import names
from kernel_builder.messages.terminal import clean
from tests.cli.conftest import *  # noqa: F403  (fixtures)


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


@pytest.mark.parametrize("words", [["a b"], ["it's"], ["$(x)", "`y`"], ["-x", "a\nb"], [""]])
def test_quoting(words: list[str]) -> None:
    argv = ["bash", "-c", names.join(["printf", "%s\\0", *words])]
    done = subprocess.run(argv, capture_output=True, text=True, check=True)
    assert done.stdout.split("\0")[:-1] == words
