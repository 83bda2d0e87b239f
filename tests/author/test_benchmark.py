"""`benchmark`: the public client's runner on the local build, compared with files and builds."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.author.authoring import Author
from tests.evaluation import VARIANT
from tests.hub.client import TOKEN
from tests.hub.server import serve

FEW = ("--iterations", "2", "--warmup", "1")
WRONG = """
import torch
from kernels.benchmark import Benchmark


class Wrong(Benchmark):
    def setup(self):
        self.x = torch.zeros(4, device=self.device)
        self.out = torch.empty_like(self.x)

    def benchmark_a(self):
        self.kernel.hello(self.x, out=self.out)

    def verify_a(self):
        return self.x + 2

    benchmark_b = benchmark_a

    def benchmark_c(self):
        raise LookupError("no such table")
"""


@pytest.fixture
def wrong(author: Author, hello: Path) -> Iterator[None]:
    """Let one of the kernel's benchmarks be wrong, one be not checked, and one fail."""
    file = hello / "benchmarks" / "benchmark_wrong.py"
    file.write_text(WRONG)
    author.run("git", "add", str(file), cwd=hello)
    yield
    author.run("git", "rm", "-qf", str(file), cwd=hello)


def rows(said: str) -> dict[str, list[str]]:
    """Return the columns of each workload in a table."""
    lines = [re.split(r" {2,}", line.strip()) for line in said.splitlines()]
    return {name: columns for name, *columns in lines}


def test_it_is_timed_and_compared(author: Author, hello: Path, tmp_path: Path) -> None:
    file = tmp_path / "before.json"
    said = author.nix("run", ".#benchmark", "--", *FEW, "--save", str(file), cwd=hello)
    table = rows(said.stdout)
    assert [*table] == ["workload", "AddOne.large", "AddOne.small"]
    assert table["workload"] == ["time (ms)", "reference (ms)", "speed-up", "result"]
    assert re.fullmatch(r"\d+\.\d\dx", table["AddOne.large"][2])
    assert {columns[3] for columns in [*table.values()][1:]} == {"right"}

    # As an earlier measurement that no machine reaches, of another machine.
    saved = json.loads(file.read_text())
    for each in saved["results"]:
        each["timingResults"]["min_ms"] = 1e-9
    saved["machineInfo"]["cpu"] = "another"
    file.write_text(json.dumps(saved))
    words = ("benchmark", "--variant", VARIANT, "--compare", str(file))
    said = author.kernel_builder(*words, "--fail-below", "0.9", cwd=hello, fails=True)
    assert said.status == 1
    assert rows(said.stdout)["workload"][-1] == "change"
    assert re.search(
        r"^benchmark: AddOne.large: a speed of 0.00x, less than 0.9$", said.stderr, re.M
    )
    assert "the earlier times are of another machine or Torch" in said.stderr


@pytest.mark.usefixtures("wrong")
def test_a_wrong_result_hides_no_other_workload(author: Author, hello: Path) -> None:
    words = ("run", f".#benchmarks.{VARIANT}", "--", *FEW)
    said = author.nix(*words, cwd=hello, fails=True)
    results = {name: columns[-1] for name, columns in rows(said.stdout).items()}
    assert results["AddOne.large"] == "right"
    found = [results[f"Wrong.{name}"] for name in "abc"]
    assert found == ["wrong", "not checked", "failed"]
    assert "benchmark: Wrong.a: RuntimeError: Verification failed for a" in said.stderr
    assert "benchmark: Wrong.c: LookupError: no such table" in said.stderr


def test_it_is_compared_with_what_is_published(
    author: Author, hello: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same build is published, so two of one kernel are loaded: in two processes."""
    with serve(tmp_path / "server") as hub:
        hub.tokens[TOKEN] = {"me"}
        hub.owners.add("me")
        variables = {"HF_ENDPOINT": hub.url, "HF_HOME": str(tmp_path / "hf"), "HF_TOKEN": TOKEN}
        variables |= {"HF_HUB_DISABLE_XET": "1", "NO_PROXY": "127.0.0.1"}
        for name, text in variables.items():
            monkeypatch.setenv(name, text)
        words = ("benchmark", "--variant", VARIANT, "--compare", "published", "--json")
        missing = author.kernel_builder(*words, cwd=hello, fails=True)
        assert "error: me/hello@v1 is not on the Hub, or not for you" in missing.stderr
        given = ("--partial", "--allow-dirty", "--allow-unsandboxed")
        author.kernel_builder("upload", *given, cwd=hello)
        found: Any = json.loads(author.kernel_builder(*words, cwd=hello).stdout)
        path, entry = f"build/{VARIANT}/x", {"blob": "0" * 40, "sha256": "0" * 64, "size": 2**50}
        hub.repositories.get("me/hello").commit(
            "v1", None, "-", [("lfs", path, entry)], create_pr=False
        )
        large = author.kernel_builder(*words, cwd=hello, fails=True)
        assert "error: me/hello is not fetched" in large.stderr
    assert {each["workload"] for each in found["results"]} == {"AddOne.large", "AddOne.small"}
    assert all(each["change"] > 0 for each in found["results"])


def test_a_machine_without_the_device_says_so(author: Author, hello: Path, tmp_path: Path) -> None:
    """`nix run .#benchmark` and `kernel-builder benchmark` say the same, after one evaluation."""
    author.nix("build", "--out-link", str(tmp_path / "program"), ".#benchmark", cwd=hello)
    program = (sys.executable, "-m", "kernel_builder")
    ways = ((str(tmp_path / "program/bin/benchmark"),), (*program, "benchmark", "-v"))
    for words in ways:
        said = author.run("env", "KERNEL_BUILDER_BACKEND=rocm", *words, cwd=hello, fails=True)
        assert said.status == 69
        assert "error: hello has no benchmarks that can run here (1 problem)" in said.stderr
        assert "\n       fix    run the benchmarks elsewhere" in said.stderr
    evaluated = [line for line in said.stderr.splitlines() if " eval " in line and "#" in line]
    assert len(evaluated) == 1
