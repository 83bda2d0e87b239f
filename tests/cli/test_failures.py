"""Failures of several steps: what is the same in them is told once."""

from __future__ import annotations

import json

from kernel_builder.messages.errors import Problem
from kernel_builder.nix.log import ACTIVITY_BUILD, RESULT_LOG_LINE, NixLog
from kernel_builder.variants.make import describe_failures
from tests.cli.command_line import Cli
from tests.cli.fake_kernel import FakeKernel


def derivation(name: str) -> str:
    return f"/nix/store/{'0' * 32}-{name}.drv"


def steps(unit: str, *targets: str) -> list[str]:
    return [derivation(f"{unit}.{target}") for target in targets]


def test_the_same_failure_is_told_once() -> None:
    units = [*steps("k-a.cu", "sm_90a", "sm_100", "sm_80"), *steps("k-b.cu", "sm_80")]
    (problem,) = describe_failures({unit: ["a.h(3): error: no"] for unit in units})
    assert problem.at == "k-a.cu.sm_90a\nk-a.cu.sm_100\nk-a.cu.sm_80\nk-b.cu.sm_80"
    assert problem.found == "a.h(3): error: no"
    assert problem.fix.endswith(f"{units[0]})")


def test_what_is_one_targets_own_makes_no_other_failure() -> None:
    def said(target: str, line: int) -> list[str]:
        path = derivation(f"k-a.cu.{target}")
        return [
            f"a.cu, {target}: does not compile with lean headers; compiled with Torch's own",
            f"ptxas ./a.ptx, line {line}; error   : Not for {target}: 'x'",
            f"builder for '{path}' failed",
        ]

    first, second = steps("k-a.cu", "sm_80", "sm_90a")
    failed = {first: said("sm_80", 31), second: said("sm_90a", 4)}
    (problem,) = describe_failures(failed)
    # In the words of the first, which the log that is named has.
    assert problem.found.splitlines() == said("sm_80", 31)


def test_other_failures_stay_apart() -> None:
    first, second = steps("k-a.cu", "sm_80", "sm_90")
    failed = {first: ["a.cu(3): error: no"], second: ["a.cu(4): error: no"]}
    assert [problem.at for problem in describe_failures(failed)] == [
        "k-a.cu.sm_80",
        "k-a.cu.sm_90",
    ]
    silent = describe_failures({derivation("b"): [], derivation("c"): []})
    assert [(problem.at, problem.found) for problem in silent] == [
        ("b", "a failure without a message"),
        ("c", "a failure without a message"),
    ]


def test_the_problems_of_a_check_are_told_once() -> None:
    inner = Problem("k.so", "undefined symbol: f", "symbols of Torch\nor libc", "define it")
    lines = [
        "checking",
        *f"error: k.so cannot be loaded (1 problem)\n\n{inner.render()}".split("\n"),
    ]
    failed = derivation("k-check")
    (problem,) = describe_failures({failed: lines})
    assert problem.at == "k-check\nk.so"
    assert (problem.found, problem.want) == (inner.found, inner.want)
    assert problem.fix == f"define it\n(the whole log: nix-store --read-log {failed})"


def test_many_units_are_counted() -> None:
    units = [f"k-{number}.o" for number in range(7)]
    (problem,) = describe_failures({derivation(unit): ["no"] for unit in units})
    assert problem.at.splitlines() == [*units[:4], "and 3 more"]


def test_a_build_tells_the_failure_of_a_unit_once(cli: Cli, kernel: FakeKernel) -> None:
    for target in ("sm_80", "sm_90"):
        script = f'"echo a.cu, {target}: tried; echo a.cu:3: error: no >&2; exit 1"'
        kernel.add(f"a.cu.{target}", backend="cuda", script=script)
    done = cli("build", str(kernel.write()))
    assert done.stderr.count("error: no") == 1
    assert "k does not build (1 problem)\n" in done.stderr
    # In the order of their store paths.
    assert {"k-a.cu.sm_80", "k-a.cu.sm_90"} <= set(done.stderr.split())


def show(lines: list[str]) -> list[str]:
    """Return what is shown of a failed step that wrote these lines."""
    log, drv = NixLog(), derivation("k-a.so")
    start = {"action": "start", "id": 1, "type": ACTIVITY_BUILD, "fields": [drv, ""]}
    results = [
        {"action": "result", "id": 1, "type": RESULT_LOG_LINE, "fields": [line]} for line in lines
    ]
    for event in (start, *results):
        log.read(f"@nix {json.dumps(event)}")
    return log.show_failure(drv)


def test_the_linkers_own_words_stay() -> None:
    lines = [f"warning {number}" for number in range(30)]
    undefined = ["a.o: undefined reference to `f'", "a.o: undefined reference to `g'"]
    lines += [*undefined, "collect2: error: ld returned 1 exit status"]
    assert show(lines)[-3:-1] == undefined
    # The first error of a compiler is shown, however much comes after it.
    said = show(["a.cpp:1:1: error: no", *lines, *lines])
    assert said[0] == "a.cpp:1:1: error: no"


def test_what_an_exception_says_is_not_hidden_by_its_trace() -> None:
    message = ["terminate called", "  what():  expected schema of operator to be"]
    frames = [f"frame #{number}: f + 0x1 (0x2 in lib.so)" for number in range(40)]
    assert show([*message, *frames, "signal 11"]) == [*message, "signal 11"]
