"""What Nix's log says of builders and caches; that it does say so is for `distributed` to show."""

from __future__ import annotations

import json
from typing import Any

import pytest

from kernel_builder.nix.log import (
    ACTIVITY_BUILD,
    ACTIVITY_BUILDS,
    ACTIVITY_COPY,
    ACTIVITY_SUBSTITUTE,
    NixLog,
)
from kernel_builder.sources.caches import describe_complaints
from kernel_builder.variants.contents import kind_of
from kernel_builder.variants.failures import explain_builders

ONE = f"/nix/store/{'0' * 32}-one.drv"
TWO = f"/nix/store/{'1' * 32}-two.drv"
PATH = f"/nix/store/{'2' * 32}-three"
BIG = "ssh-ng://big"
SMALL = "ssh-ng://small"
FAILED = f"builder for '{ONE}' failed with exit code 1"
CACHE = "https://cache.example"


def start(number: int, kind: int, *fields: Any, parent: int = 0) -> str:
    return event(action="start", id=number, type=kind, fields=list(fields), parent=parent)


def event(**fields: Any) -> str:
    return f"@nix {json.dumps(fields)}"


def message(text: str, level: int = 0) -> str:
    return event(action="msg", level=level, msg=text)


def read(*lines: str) -> NixLog:
    log = NixLog()
    for line in lines:
        log.read(line)
    return log


def test_a_builder_repeats_what_is_known() -> None:
    log = read(
        start(1, ACTIVITY_BUILDS),
        start(2, ACTIVITY_BUILD, ONE, BIG, 1, 1),
        event(action="result", id=1, type=105, fields=[0, 7, 1, 0]),
        # From here on the builder speaks.
        start(3, ACTIVITY_BUILDS, parent=2),
        start(4, ACTIVITY_BUILD, ONE, "", 1, 1, parent=2),
        event(action="result", id=3, type=105, fields=[0, 1, 1, 0]),
        event(action="result", id=4, type=101, fields=["a line of the compiler"]),
    )
    assert log.started == [ONE]
    assert log.spans[ONE].where == BIG
    assert log.expected == 7
    assert log.show_failure(ONE) == ["a line of the compiler"]


def test_a_builder_that_says_nothing_is_lost() -> None:
    both = (start(1, ACTIVITY_BUILD, ONE, BIG, 1, 1), start(2, ACTIVITY_BUILD, TWO, SMALL, 1, 1))
    assert read(*both, message(FAILED)).take_lost() == [BIG]
    told = message(f"build of '{ONE}' on '{BIG}' failed: {FAILED}")
    assert read(*both, told, message(FAILED)).take_lost() == []
    # Nix's closing line is no word of a builder's.
    assert read(*both, message(FAILED), message(f"build of '{ONE}' failed")).take_lost() == [BIG]
    assert read(start(1, ACTIVITY_BUILD, ONE, "", 1, 1), message(FAILED)).take_lost() == []


def test_what_was_lost_is_forgotten() -> None:
    other = message(f"builder for '{TWO}' failed with exit code 1")
    # The builder's own event of it has no end.
    both = (start(1, ACTIVITY_BUILD, ONE, BIG, 1, 1), start(2, ACTIVITY_BUILD, ONE, "", 1, 1))
    log = read(*both, message(FAILED), other, event(action="stop", id=1))
    assert log.take_lost() == [BIG]
    assert (log.blamed, log.running) == ({TWO}, {})
    log.read(start(3, ACTIVITY_BUILD, ONE, SMALL, 1, 1))
    assert log.started == [ONE, ONE]
    assert log.spans[ONE].where == SMALL
    assert log.take_lost() == []


def test_what_a_builder_says_of_its_failure_is_shown() -> None:
    told = f"build of '{ONE}' on '{BIG}' failed: error: a 'x' is required, but I am a 'y'"
    log = read(start(1, ACTIVITY_BUILD, ONE, BIG, 1, 1), message(told), message(FAILED))
    assert told in log.show_failure(ONE)


def test_copies_are_known() -> None:
    assert read(start(1, ACTIVITY_COPY, PATH, CACHE, "local")).copied == {PATH}


def test_no_password_is_kept() -> None:
    log = read(start(1, ACTIVITY_SUBSTITUTE, PATH, "https://team:opensesame@cache.example"))
    assert log.spans[PATH].where == CACHE


def test_no_builder_is_left() -> None:
    log = read(
        message(f"cannot build on '{BIG}': no route"),
        message(
            "Failed to find a machine for remote build!\nderivation: one.drv\n"
            "required (system, features): (x86_64-linux, )\n2 available machines:\n"
            "(systems, maxjobs, supportedFeatures, mandatoryFeatures)\n"
            "(aarch64-linux, 1, , )\n(x86_64-linux, 1, , )",
            level=1,
        ),
        message("unable to start any build; remote machines may not have all features"),
    )
    problem = explain_builders(log)
    assert problem is not None
    assert problem.found == (
        f"machines for aarch64-linux, x86_64-linux\ncannot build on '{BIG}': no route"
    )
    assert problem.want.startswith("one for x86_64-linux that answers")
    assert explain_builders(read(message(FAILED))) is None


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
    assert describe_complaints(noise) is None
    # Not every message of Nix says which cache it is about.
    broken = f"{CACHE} lists /nix/store/x, but has something else"
    problem = describe_complaints([*noise, "bad archive: unknown field"], [broken])
    assert problem
    assert problem.found == broken
    problem = describe_complaints([unsigned, gone, *noise, f"error: {gone}"])
    assert problem
    assert problem.found == f"{unsigned}\n{gone}"


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("relu-cpu-relu_cpu-relu.cpp.o", "object"),
        ("relu-cu130-relu_cuda-relu.cu.sm_80", "object"),
        ("relu-cu130-relu_cuda-relu.cu.fatbin.o-report", "object"),
        ("relu-torch213-cxx11-cpu-x86_64-linux-extension", "extension"),
        ("relu-torch213-cxx11-cpu-x86_64-linux-abi-check", "variant"),
        ("relu-torch213-cxx11-cpu-x86_64-linux", "variant"),
        ("relu", "bundle"),
        ("relu-card", "bundle"),
        ("relu-contents", "bundle"),
        ("relu6-headers", "header"),
        ("torch-2.13.0-cpu-dev", "header"),
        ("python-3.11", "toolchain"),
    ],
)
def test_kinds_are_told_from_names(name: str, kind: str) -> None:
    path = f"/nix/store/{'3' * 32}-{name}"
    assert kind_of(path, "relu", ["torch213-cxx11-cpu-x86_64-linux"]) == kind
