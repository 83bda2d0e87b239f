"""The exact words that Nix is started with: a change here is a change of behaviour."""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from kernel_builder import nix
from kernel_builder.machine import process
from kernel_builder.machine.process import Finished
from kernel_builder.nix.errors import make_nix_error, read_message
from kernel_builder.settings import change_settings


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


def test_a_folder_that_is_gone_is_no_missing_program(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as raised:
        process.run(["true"], cwd=tmp_path / "gone")
    assert raised.value.filename == tmp_path / "gone"
    with pytest.raises(process.MissingProgramError):
        process.run(["no-such-program"], cwd=tmp_path)
