"""A second machine and a binary cache: all from there, or nothing that is not true."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.distributed.cache import Cache, make_key
from tests.distributed.machine import Machine
from tests.distributed.made_up import STEPS, VARIANT, MadeUp

Maker = Callable[..., Machine]
# How often Nix asks a cache that does not answer.
ONCE = {"download_attempts": "1"}


@pytest.fixture
def first(machine: Maker) -> Machine:
    return machine("first")


@pytest.fixture
def second(machine: Maker) -> Machine:
    return machine("second")


def state_of(report: dict[str, Any]) -> object:
    (row,) = report["variants"]
    return row["state"]


def test_a_second_machine_builds_nothing(
    first: Machine, second: Machine, cache: Cache, kernel: MadeUp
) -> None:
    folder = kernel.make()
    pushed, _ = first.push(folder, cache.signed)
    second.set(**cache.settings)
    report, _ = second.build(folder)
    assert state_of(report) == "fetched"
    assert report["built"] == {}
    # The variant and the bundle.
    assert report["fetched"] == {cache.url: 2}
    assert second.has(pushed["result"])


def test_what_was_edited_alone_is_built(
    first: Machine, second: Machine, cache: Cache, kernel: MadeUp
) -> None:
    fast = "compression=zstd&parallel-compression=true"
    first.push(kernel.make(), cache.signed.replace("compression=none", fast))
    second.set(**cache.settings)
    # The bundle of other objects: the tool comes from the cache, and nothing else is the same.
    edited, page = kernel.make(edit="edited"), kernel.folder.with_name("report.html")
    report, said = second.build(edited, "--report", str(page))
    assert report["fetched"] == {cache.url: 1}
    (step,) = [each for each in report["report"]["steps"] if each["state"] == "fetched"]
    assert (step["name"], step["where"]) == ("tool-1.0", cache.url)
    assert report["built"] == {"here": STEPS - 1}
    assert "warning" not in said


def test_a_dry_run_tells_what_a_cache_has(
    first: Machine, second: Machine, cache: Cache, kernel: MadeUp
) -> None:
    folder = kernel.make()
    first.push(folder, cache.signed)
    assert state_of(second.build(folder, "--dry-run")[0]) == "to build"
    # For one command.
    there = ("--option", "extra-substituters", cache.url)
    trusted = ("--option", "extra-trusted-public-keys", cache.public)
    told, _ = second.build(folder, "--dry-run", *there, *trusted)
    assert state_of(told) == "to fetch"


@pytest.mark.parametrize("key", ["missing", "wrong"])
def test_what_nobody_signed_is_not_taken(
    first: Machine, second: Machine, cache: Cache, kernel: MadeUp, tmp_path: Path, key: str
) -> None:
    folder = kernel.make()
    if key == "missing":
        first.push(folder, cache.unsigned)
    else:
        first.push(folder, cache.signed)
        _, cache.public = make_key(tmp_path, "other-1")
    second.set(**cache.settings)
    report, said = second.build(folder)
    assert state_of(report) == "built"
    assert report["fetched"] == {}
    assert cache.url in said
    assert "not signed by any of the keys in" in said


def test_a_cache_that_is_down(second: Machine, dead_url: str, kernel: MadeUp) -> None:
    second.set(substituters=dead_url, **ONCE)
    report, said = second.build(kernel.make())
    assert state_of(report) == "built"
    assert "warning: a binary cache failed, so more is built here" in said
    assert f"unable to download '{dead_url}/nix-cache-info'" in said


@pytest.mark.parametrize("lie", ["other bytes", "no bytes", "another hash"])
def test_a_cache_that_lies(
    first: Machine, second: Machine, cache: Cache, kernel: MadeUp, lie: str
) -> None:
    folder = kernel.make()
    pushed, _ = first.push(folder, cache.signed)
    info = cache.names()[f"k-{VARIANT}"]
    content = cache.content(info)
    if lie == "other bytes":
        content.write_bytes(content.read_bytes().replace(b"contents", b"CONTENTS"))
    elif lie == "no bytes":
        content.unlink()
    else:
        text = info.read_text()
        info.write_text(text.replace("NarHash: sha256:0", "NarHash: sha256:1", 1))
        if text == info.read_text():
            info.write_text(text.replace("NarHash: sha256:1", "NarHash: sha256:0", 1))
    second.set(**cache.settings)
    report, said = second.build(folder)
    assert state_of(report) == "built"
    assert "warning: a binary cache failed, so more is built here" in said
    assert cache.url in said
    out = report["variants"][0]["out"]
    assert out == pushed["variants"][0]["out"]
    hashes = [each.run("nix-store", "--query", "--hash", out) for each in (first, second)]
    assert hashes[0] == hashes[1]
