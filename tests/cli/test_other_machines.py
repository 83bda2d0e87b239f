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
from kernel_builder.variants.caches import list_complaints

ONE = f"/nix/store/{'0' * 32}-one.drv"
PATH = f"/nix/store/{'2' * 32}-three"
BIG = "ssh-ng://big"
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


def test_what_a_builder_says_of_its_failure_is_shown() -> None:
    told = f"build of '{ONE}' on '{BIG}' failed: error: a 'x' is required, but I am a 'y'"
    log = read(start(1, ACTIVITY_BUILD, ONE, BIG, 1, 1), message(told), message(FAILED))
    assert told in log.show_failure(ONE)


def test_copies_are_known() -> None:
    assert read(start(1, ACTIVITY_COPY, PATH, CACHE, "local")).copied == {PATH}


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
