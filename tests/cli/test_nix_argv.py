"""The exact words that Nix is started with: a change here is a change of behaviour."""

from __future__ import annotations

import ast
import itertools
import json
import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from kernel_builder import nix
from kernel_builder.machine import process
from kernel_builder.machine.process import Finished
from kernel_builder.nix.errors import make_nix_error, read_message
from kernel_builder.settings import change_settings

NO_IMPORTS = [
    *("--option", "allow-import-from-derivation", "false"),
    *("--option", "warn-dirty", "false"),
]
FLAKES = ["nix", "--extra-experimental-features", "nix-command flakes"]
EVAL = [*FLAKES, "eval", "--json", *NO_IMPORTS]


class Recorder:
    """Stands in for `process`: keeps what would be started."""

    def __init__(self, *outputs: str) -> None:
        self.calls: list[list[str]] = []
        self.outputs = list(outputs)

    def run(self, argv: Sequence[str], **_: Any) -> Finished:
        self.calls.append(list(argv))
        return Finished(0, self.outputs.pop(0) if self.outputs else "", "")

    def stream(self, argv: Sequence[str], on_line: Callable[[str], bool], **_: Any) -> int:
        on_line("a line")
        self.calls.append(list(argv))
        return 0


def record(monkeypatch: pytest.MonkeyPatch, *outputs: str) -> Recorder:
    recorder = Recorder(*outputs)
    nix.release.cache_clear()
    monkeypatch.setattr(nix, "run", recorder.run)
    monkeypatch.setattr(nix, "stream", recorder.stream)
    return recorder


def test_evaluate(monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = record(monkeypatch, '{"a": 1}')
    assert nix.evaluate(["/k#bundleOf"], "f: f [ ]") == {"a": 1}
    assert recorder.calls == [[*EVAL, "/k#bundleOf", "--apply", "f: f [ ]"]]


@pytest.mark.parametrize(
    ("version", "words"),
    [
        ("nix (Nix) 2.8.0", ["show-derivation"]),
        ("nix (Nix) 2.34.1", ["derivation", "show"]),
        ("nix (Determinate Nix 3.0.0) 2.29.0", ["derivation", "show"]),
    ],
)
def test_show_derivations(monkeypatch: pytest.MonkeyPatch, version: str, words: list[str]) -> None:
    recorder = record(monkeypatch, version, "{}")
    assert nix.show_derivations(["/nix/store/x.drv"], recursive=True) == {}
    assert recorder.calls == [
        ["nix", "--version"],
        [*FLAKES, *words, "--no-write-lock-file", *NO_IMPORTS, "--recursive", "/nix/store/x.drv"],
    ]


def test_find_invalid_in_few_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = record(monkeypatch, "/nix/store/a\n", "/nix/store/b\n")
    monkeypatch.setattr(nix, "PATHS_A_CALL", 2)
    assert nix.find_invalid(["/1", "/2", "/3"]) == {"/nix/store/a", "/nix/store/b"}
    check = ["nix-store", "--check-validity", "--print-invalid"]
    assert recorder.calls == [[*check, "/1", "/2"], [*check, "/3"]]


def test_realise(monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = record(monkeypatch)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    lines: list[str] = []

    def keep(line: str) -> bool:
        lines.append(line)
        return True

    nix.realise(["/a.drv", "/b.drv"], keep, max_jobs=3, cores=2)
    nix.realise(["/a.drv"], keep)
    log = ["--log-format", "internal-json", "-v"]
    limits = ["--option", "max-jobs", "3", "--option", "cores", "2"]
    assert recorder.calls == [
        ["nix-store", "--realise", "/a.drv", "/b.drv", "--keep-going", *limits, *log],
        ["nix-store", "--realise", "/a.drv", "--keep-going", *log],
    ]
    assert lines == ["a line", "a line"]


def test_downloads_have_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = record(monkeypatch)
    nix.fetch_tree("https://h/a.tar.gz", "source", "00")
    (call,) = recorder.calls
    options = dict(itertools.pairwise(call))
    names = ("connect-timeout", "stalled-download-timeout", "download-attempts")
    assert [options[name] for name in names] == ["10", "60", "3"]


def test_root_does_not_build_without_a_sandbox_unasked(monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = record(monkeypatch)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    asked = ["--option", "sandbox-fallback", "true"]
    change_settings(nix_options=(("sandbox-fallback", "true"),))
    nix.realise(["/a.drv"], lambda _: True)
    nix.link_result("/a.drv", Path("/here/result"))
    ours = ["--option", "sandbox-fallback", "false"]
    # What is asked for by name comes last, and wins.
    assert [call[call.index(ours[0]) :][:6] for call in recorder.calls] == [[*ours, *asked]] * 2


@pytest.mark.parametrize(
    ("sandbox", "fallback", "is_on"),
    [(True, False, True), (True, True, False), ("relaxed", False, False), (False, False, False)],
)
def test_only_a_sandbox_for_every_step_is_on(
    monkeypatch: pytest.MonkeyPatch, sandbox: object, fallback: bool, is_on: bool
) -> None:
    said = {"sandbox": {"value": sandbox}, "sandbox-fallback": {"value": fallback}}
    recorder = record(monkeypatch, "nix (Nix) 2.8.0", json.dumps(said))
    assert nix.has_sandbox() is is_on
    assert "--json" in recorder.calls[-1]


@pytest.mark.parametrize("user", [0, 1000])
@pytest.mark.parametrize("caches", [[], ["https://cache"]])
def test_only_root_knows_all_caches(
    monkeypatch: pytest.MonkeyPatch, user: int, caches: list[str]
) -> None:
    record(monkeypatch, "nix (Nix) 2.8.0", json.dumps({"substituters": {"value": caches}}))
    monkeypatch.setattr(os, "geteuid", lambda: user)
    assert nix.has_caches() is bool(caches or user)


def test_substitute_builds_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = record(monkeypatch)
    # Ours come last, and win.
    change_settings(nix_options=(("builders", "ssh-ng://a"),))
    nix.substitute(["/a.drv"], lambda _: True)
    argv = ["nix-store", "--realise", "/a.drv", "--keep-going", "--fallback"]
    theirs = ["--option", "builders", "ssh-ng://a"]
    ours = ["--option", "max-jobs", "0", "--option", "builders", ""]
    log = ["--log-format", "internal-json", "-v"]
    assert recorder.calls == [[*argv, *theirs, *ours, *log]]


def test_link_result(monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = record(monkeypatch)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    nix.link_result("/a.drv", Path("/here/result"))
    assert recorder.calls == [
        ["nix-store", "--realise", "/a.drv", "--add-root", "/here/result", "--indirect"]
    ]


OLD_ERROR = """warning: Git tree '/k' is dirty
error: build.toml cannot be built (1 problem)

       at     a
       found  b
"""
NEW_ERROR = """error:
       … while calling the 'throw' builtin
         at «string»:1:1:
            1| throw "x"

       error: build.toml cannot be built (1 problem)

              at     a
              found  b
"""


HINT = "(use '--show-trace' to show detailed location information)\n"


@pytest.mark.parametrize(
    "stderr",
    [
        OLD_ERROR,
        NEW_ERROR,
        "\x1b[31;1merror:\x1b[0m" + OLD_ERROR[38:],
        f"{OLD_ERROR}\n{HINT}",
        f"error:\n       (stack trace truncated; use '--show-trace' to show the full trace)\n"
        f"\n       {OLD_ERROR}",
    ],
)
def test_message_without_trace(stderr: str) -> None:
    expected = "build.toml cannot be built (1 problem)\n\n       at     a\n       found  b"
    assert read_message(stderr) == expected


@pytest.mark.parametrize(
    ("place", "shown"),
    [
        ("/nix/store/0c0f0yq0dl4wyhb8v2g1cw9h0p9yjz4k-source/src/a.h", "src/a.h"),
        ("/tmp/root/nix/store/0c0f0yq0dl4wyhb8v2g1cw9h0p9yjz4k-source/src/a.h", "src/a.h"),
        ("/home/me/kernel/src/a.h", "/home/me/kernel/src/a.h"),
    ],
)
def test_a_file_that_nix_cannot_read(place: str, shown: str) -> None:
    error = make_nix_error(
        f"the contents of the file '{place}' cannot be represented as a Nix string"
    )
    (problem,) = error.problems
    assert (problem.at, problem.found) == (shown, "a zero byte")


def starts_processes(code: str) -> bool:
    """Whether a module's code, not a text in it, uses what starts a process."""
    return any(
        (isinstance(node, ast.Import) and any(name.name == "subprocess" for name in node.names))
        or (isinstance(node, ast.ImportFrom) and node.module == "subprocess")
        or (isinstance(node, ast.Attribute) and node.attr.startswith(("execl", "execv", "spawn")))
        for node in ast.walk(ast.parse(code))
    )


def test_only_process_starts_processes() -> None:
    sources = Path(nix.__file__).parents[1]
    starts = {
        file.relative_to(sources).as_posix()
        for file in sources.rglob("*.py")
        # Templates hold programs of the user's own.
        if sources / "templates" not in file.parents and starts_processes(file.read_text())
    }
    # The second ends what the first has started.
    assert starts == {"machine/process.py"}


def names_a_program_of_nix(code: str) -> bool:
    """Whether a list of words, as programs are started with, begins with one of Nix's."""
    return any(
        isinstance(node, (ast.List, ast.Tuple))
        and node.elts
        and isinstance(node.elts[0], ast.Constant)
        and re.fullmatch(r"nix(-[a-z]+)*", str(node.elts[0].value))
        for node in ast.walk(ast.parse(code))
    )


def test_only_nix_names_nix() -> None:
    sources = Path(nix.__file__).parents[1]
    names = {
        file.relative_to(sources).as_posix()
        for file in sources.rglob("*.py")
        if sources / "templates" not in file.parents and names_a_program_of_nix(file.read_text())
    }
    assert names == {"nix/__init__.py"}


def test_a_folder_that_is_gone_is_no_missing_program(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as raised:
        process.run(["true"], cwd=tmp_path / "gone")
    assert raised.value.filename == tmp_path / "gone"
    with pytest.raises(process.MissingProgramError):
        process.run(["no-such-program"], cwd=tmp_path)
