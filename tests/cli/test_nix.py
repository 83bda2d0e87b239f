"""Nix as it is started and read: its settings, its log, its derivations, its messages."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from kernel_builder import nix
from kernel_builder.machine.process import Finished
from kernel_builder.nix.advisories import Release
from kernel_builder.nix.derivations import Derivation, parse_graph
from kernel_builder.nix.errors import read_message
from kernel_builder.nix.log import (
    ACTIVITY_BUILD,
    ACTIVITY_BUILDS,
    ACTIVITY_SUBSTITUTE,
    NixLog,
    Span,
)
from kernel_builder.variants.missing import list_complaints


@pytest.mark.parametrize(
    ("sandbox", "fallback", "is_on"),
    [(True, False, True), (True, True, False), ("relaxed", False, False), (False, False, False)],
)
def test_only_a_sandbox_for_every_step_is_on(
    monkeypatch: pytest.MonkeyPatch, sandbox: object, fallback: bool, is_on: bool
) -> None:
    said = {"sandbox": {"value": sandbox}, "sandbox-fallback": {"value": fallback}}
    monkeypatch.setattr(nix, "release", lambda: Release("Nix", (2, 8, 0)))
    monkeypatch.setattr(nix, "run", lambda *_, **__: Finished(0, json.dumps(said), ""))
    assert nix.has_sandbox() is is_on


# Nix's names of the limits of a download, and the most seconds, or attempts, that a user waits.
LIMITS = {"connect-timeout": 30, "stalled-download-timeout": 120, "download-attempts": 5}


@pytest.mark.parametrize("name", LIMITS)
def test_a_silent_host_does_not_hold_a_download(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    started: list[str] = []

    def run(argv: list[str], **_: object) -> Finished:
        started[:] = argv
        return Finished(0, "", "")

    monkeypatch.setattr(nix, "run", run)
    nix.fetch_tree("https://host.invalid/a", "a", "0")
    position = started.index(name)
    assert started[position - 1] == "--option"
    assert 0 < int(started[position + 1]) <= LIMITS[name]


# What Nix says about locks, and what of it a user sees.
LOCKS = {
    "a new lock": ("warning: creating lock file '/k/flake.lock'", ""),
    "its inputs": (
        "warning: creating lock file '/k/flake.lock':\n• Added input 'a':\n    'github:b/c/1'",
        "",
    ),
    "an example": (
        "warning: not writing modified lock file of flake 'path:/k':\n• Added input 'a':\n"
        "    'path:../..'\n• Added input 'a/b':\n    follows 'b'",
        "",
    ),
    "another builder": (
        text := "warning: not writing modified lock file of flake 'path:/k':\n"
        "• Updated input 'a':\n    'github:b/c/1'\n  → 'path:/mine'",
        text,
    ),
    "one of several": (
        text := "warning: not writing modified lock file of flake 'path:/k':\n"
        "• Added input 'b':\n    'path:/b'\n• Updated input 'a':\n    'x'\n  → 'y'",
        text,
    ),
    "a changed lock": (text := "warning: updating lock file '/k/flake.lock':", text),
    "a busy database": ("warning: SQLite database '/x.sqlite' is busy", ""),
    "a trace": (text := "trace: the lock file of a kernel", text),
}


@pytest.mark.parametrize("kind", LOCKS)
def test_an_input_that_is_locked_anew_is_told(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], kind: str
) -> None:
    said, shown = LOCKS[kind]
    monkeypatch.setattr(nix, "run", lambda *_, **__: Finished(0, "1", said + "\n"))
    assert nix.evaluate(["--expr", "1"]) == 1
    assert capfd.readouterr().err.strip() == shown


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
    assert read_message("fatal: no x\nerror: program 'git' failed with code 128").endswith("no x")


A = "/nix/store/rqaxsfimqrrggf5yxlgik5ql6kkxvd1z-rec-a.cpp.o.drv"
ALL = "/nix/store/lcyfndpj39jl9p1lmy5anhrnyakqm9gp-rec-all.drv"

BUILDS = f"""\
@nix {{"action":"start","id":1,"level":0,"text":"","type":102}}
@nix {{"action":"start","id":2,"level":0,"text":"","type":104}}
@nix {{"action":"start","fields":["{A}","",1,1],"id":3,"level":3,"text":"","type":105}}
@nix {{"action":"result","fields":[0,2,1,0],"id":2,"type":105}}
@nix {{"action":"result","fields":["lean headers: 1.50 s, 300 MB"],"id":3,"type":104}}
@nix {{"action":"result","fields":["a.cpp: a warning"],"id":3,"type":101}}
@nix {{"action":"result","fields":["compiler: 3.25 s, 812 MB"],"id":3,"type":104}}
@nix {{"action":"stop","id":3}}
@nix {{"action":"start","fields":["{ALL}","",1,1],"id":4,"level":3,"text":"","type":105}}
@nix {{"action":"result","fields":["unpackPhase"],"id":4,"type":104}}
"""


def read_spans(text: str) -> dict[str, Span]:
    """Return the spans; the clock goes on by a second each time that it is read."""

    def ticks() -> Iterator[float]:
        yield from range(1000)

    clock = ticks()
    log = NixLog(clock=lambda: float(next(clock)))
    for line in text.splitlines():
        log.read(line)
    return log.spans


def test_builds() -> None:
    parts = [("lean headers", 1.5, 300), ("compiler", 3.25, 812)]
    # It ended with its last program, not when Nix told; the second has not ended; a phase of
    # somebody else's is none of ours.
    assert read_spans(BUILDS) == {A: Span(0, 2, "", parts), ALL: Span(3)}


ONE = f"/nix/store/{'0' * 32}-one.drv"
PATH = f"/nix/store/{'2' * 32}-three"
BIG = "ssh-ng://big"
CACHE = "https://cache.example"


def start(number: int, kind: int, *fields: Any, parent: int = 0) -> str:
    return event(action="start", id=number, type=kind, fields=list(fields), parent=parent)


def event(**fields: Any) -> str:
    return f"@nix {json.dumps(fields)}"


def read(*lines: str) -> NixLog:
    log = NixLog()
    for line in lines:
        log.read(line)
    return log


def test_a_builder_repeats_what_is_known() -> None:
    log = read(
        start(1, ACTIVITY_BUILDS),
        start(2, ACTIVITY_BUILD, ONE, BIG, 1, 1),
        event(action="result", id=1, type=105, fields=[5, 7, 1, 1]),
        # From here on the builder speaks.
        start(3, ACTIVITY_BUILDS, parent=2),
        start(4, ACTIVITY_BUILD, ONE, "", 1, 1, parent=2),
        event(action="result", id=3, type=105, fields=[0, 1, 1, 0]),
        event(action="result", id=4, type=101, fields=["a line of the compiler"]),
    )
    assert log.started == [ONE]
    assert log.spans[ONE].where == BIG
    assert (log.done, log.ended) == (5, 6)
    assert log.show_failure(ONE) == ["a line of the compiler"]


def test_no_password_is_kept() -> None:
    log = read(start(1, ACTIVITY_SUBSTITUTE, PATH, "https://team:opensesame@cache.example"))
    assert log.spans[PATH].where == CACHE


@pytest.mark.parametrize(
    "unsigned",
    [
        f"the substitute for '/nix/store/x' from '{CACHE}' is not signed by any of the keys in",
        f"ignoring substitute for '/nix/store/x' from '{CACHE}', as it's not signed by any of",
    ],
)
def test_complaints_about_caches(unsigned: str) -> None:
    gone = f"unable to download '{CACHE}/nix-cache-info': Couldn't connect to server (7)"
    noise = [
        f"{gone}; retrying in 300 ms",
        "unable to start any build; either increase '--max-jobs' or enable remote builds.\n"
        "https://nixos.org/manual",
        "you did not specify '--add-root'; the result might be removed",
    ]
    assert list_complaints(noise) == []
    assert list_complaints([unsigned, gone, *noise, gone]) == [unsigned, gone]


SOURCE = {"env": {"name": "s", "out": "/nix/store/c-s", "sourceKind": "vendor"}}
TOP = {"out": {"path": "b-top"}}
USED = {"d-s.drv": {"dynamicOutputs": {}, "outputs": ["out"]}}
FIXED = {"method": "flat", "hash": "sha256-AA="}
FORMATS = {
    "2.8": {
        "/nix/store/a-top.drv": {
            "outputs": {"out": {"path": "/nix/store/b-top"}},
            "inputDrvs": {"/nix/store/d-s.drv": ["out"]},
            "env": {},
        },
        "/nix/store/d-s.drv": {
            "outputs": {"out": {"path": "/nix/store/c-s", "hashAlgo": "sha256", "hash": "00"}},
            "inputDrvs": {},
            **SOURCE,
        },
    },
    "2.32": {
        "a-top.drv": {"outputs": TOP, "inputDrvs": USED, "env": {}},
        "d-s.drv": {"outputs": {"out": {"path": None, **FIXED}}, "inputDrvs": {}, **SOURCE},
    },
    "2.34": {
        "version": 4,
        "derivations": {
            "a-top.drv": {"outputs": TOP, "inputs": {"drvs": USED, "srcs": []}, "env": {}},
            "d-s.drv": {"outputs": {"out": FIXED}, "inputs": {"drvs": {}, "srcs": []}, **SOURCE},
        },
    },
}


@pytest.mark.parametrize("version", FORMATS)
def test_formats(version: str) -> None:
    assert parse_graph(FORMATS[version]) == {
        "/nix/store/a-top.drv": Derivation(
            "/nix/store/a-top.drv",
            {"out": "/nix/store/b-top"},
            {"/nix/store/d-s.drv": ("out",)},
            {},
        ),
        "/nix/store/d-s.drv": Derivation(
            "/nix/store/d-s.drv", {"out": "/nix/store/c-s"}, {}, SOURCE["env"], is_fixed=True
        ),
    }


@pytest.mark.parametrize(
    "event",
    [
        {"action": "result", "type": 104, "id": 1, "fields": ["a: 1.2.3 s, 5 MB"]},
        {"action": "result", "type": 104, "id": 1, "fields": [f"a: 1 s, {'5' * 5000} MB"]},
        {"action": "result", "type": 104, "id": 1, "fields": []},
        {"action": "result", "type": 105, "id": 2, "fields": ["a", {}]},
        {"action": "result", "type": 105, "id": 2, "fields": [1]},
        {"action": "result", "type": 101, "id": 1, "fields": [5]},
        {"action": "start", "type": 105, "id": [], "fields": None},
        {"action": "msg", "level": [], "msg": None},
        [],
    ],
)
def test_a_line_that_only_looks_like_one_of_nix(event: object) -> None:
    log = NixLog()
    start = {"action": "start", "type": 105, "id": 1, "fields": ["/nix/store/a.drv", ""]}
    for each in (start, {"action": "start", "type": 101, "id": 2, "fields": []}, event):
        log.read(f"@nix {json.dumps(each)}")
    assert log.transfers == {2: (0, 0)}
    assert log.spans["/nix/store/a.drv"].parts == []


@pytest.mark.parametrize(
    ("name", "environment", "words"),
    [
        ("k-torch213-cpu-a.cpp.o", {"step": "compile", "source": "csrc/a.cpp"}, "a.cpp"),
        ("k-a.cu.sm_90", {"step": "device", "source": "a.cu", "arch": "90"}, "a.cu, cuda 9.0"),
        ("k-a.sm_120a", {"step": "device", "source": "a", "arch": "120a"}, "a, cuda 12.0a"),
        ("k-a.hip.o", {"step": "device", "source": "a.hip", "arch": "gfx942"}, "a.hip, gfx942"),
        ("k-a.cu.host.o", {"step": "host", "source": "a.cu", "arch": "90"}, "a.cu, host"),
        ("k-a.cu.fatbin.o", {"step": "gather", "source": "a.cu"}, "a.cu, all targets"),
        ("k-torch213-cxx11-cu130-x86_64-linux-extension", {}, "link k-torch213-cu130"),
        ("k-torch213-cxx11-cpu-aarch64-linux", {}, "k-torch213-cpu"),
        ("k", {}, "k"),
        ("python-click-8.5", {"source": f"/nix/store/{'1' * 32}-click.whl"}, "python-click-8.5"),
    ],
)
def test_words_of_a_step(name: str, environment: dict[str, str], words: str) -> None:
    path = f"/nix/store/{'0' * 32}-{name}.drv"
    assert Derivation(path, {}, {}, environment).words == words
