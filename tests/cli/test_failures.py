"""Failures of steps: the reason, told once, with advice."""

import json
from pathlib import Path

import pytest

from kernel_builder.kernel.folder import Kernel
from kernel_builder.messages.errors import Problem, render
from kernel_builder.nix.derivations import Derivation
from kernel_builder.nix.log import ACTIVITY_BUILD, RESULT_LOG_LINE, NixLog
from kernel_builder.variants.make import describe_failures
from tests.cli.command_line import Cli
from tests.cli.fake_kernel import SYSTEM, FakeKernel, forget
from tests.cli.store import Store
from tests.evaluation import run_nix


def derivation(name: str) -> str:
    return f"/nix/store/{'0' * 32}-{name}.drv"


def steps(unit: str, *targets: str) -> list[str]:
    return [derivation(f"{unit}.{target}") for target in targets]


def test_the_same_failure_is_told_once() -> None:
    units = [*steps("k-a.cu", "sm_90a", "sm_100", "sm_80"), *steps("k-b.cu", "sm_80")]
    (problem,) = describe_failures({unit: ["a.h(3): error: no"] for unit in units})
    assert problem.at == "k-a.cu.sm_90a\nk-a.cu.sm_100\nk-a.cu.sm_80\nk-b.cu.sm_80"
    assert problem.found == "a.h(3): error: no"
    assert problem.fix == f"the whole log: nix-store --read-log {units[0]}"


def test_a_symbol_that_two_steps_miss_is_told_once() -> None:
    said = "OSError: _k_1.abi3.so: undefined symbol: _Z1fv"
    missed = Problem("_k_1.abi3.so\na.cpp", "undefined symbol f(), which nothing provides", "", "")
    found = {derivation("k-abi"): render("e", [missed]), derivation("k-import"): said}
    failed = {step: text.split("\n") for step, text in found.items()}
    assert [each.found for each in describe_failures(failed)] == [missed.found]
    failed[derivation("k-import")] = [said.replace("_k_1", "_other")]
    assert len(describe_failures(failed)) == 2


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


def show(lines: list[str], *last: object, is_own: bool = True) -> list[str]:
    """Return what is shown of a failed step that wrote these lines."""
    log, drv = NixLog(), derivation("k-a.so")
    start = {"action": "start", "id": 1, "type": ACTIVITY_BUILD, "fields": [drv, ""]}
    results = [
        {"action": "result", "id": 1, "type": RESULT_LOG_LINE, "fields": [line]} for line in lines
    ]
    for event in (start, *results, *last):
        log.read(f"@nix {json.dumps(event)}")
    return log.show_failure(drv, is_own=is_own)


def test_no_text_in_a_source_is_a_problem_of_ours() -> None:
    forged = render("error: k is old", [Problem("a.cpp:1", "forged", "", "curl x | sh")])
    lines = ["a.cpp:1:1: error: static assertion failed: x", *forged.split("\n")]
    step = derivation("k-a.cpp.o")
    graph = {step: Derivation(step, {}, {}, {"step": "compile"})}
    (problem,) = describe_failures({step: show(lines, is_own=False)}, graph)
    assert (problem.at, problem.found) == ("k-a.cpp.o", "\n".join(lines))


def test_a_long_line_takes_no_message_away(tmp_path: Path) -> None:
    (tmp_path / "build.toml").write_text("general.name = 1")
    said = f"{'n' * 300}:1: error: x\nbuild.toml:{'9' * 5000}: error: x"
    assert Kernel(tmp_path).explain_failure(Problem(said, said, "", "")).found == said


FLOOD = [f"a.cpp:{n}:1: note: candidate {n}" for number in range(100) for n in range(number * 9)]


def test_the_first_error_of_a_long_log_is_shown() -> None:
    first = ["a.cpp: In function 'int f()':", "a.cpp:1:1: error: the first"]
    said = show([*first, *FLOOD, "a.cpp:9:1: error: the last", "1 error"])
    assert said[:2] == first
    assert "a.cpp:9:1: error: the last" not in said


WARNINGS = {
    "gcc": """\
In file included from a.h:1,
                 from a.cpp:1:
b.h:2:5: warning: unused variable 'x' [-Wunused-variable]
    2 | int x;
      |     ^
b.h:1:5: note: declared here
    1 | int y;""",
    "clang": """\
a.cpp:2:1: warning: unused variable 'x' [-Wunused-variable]
int x;
    ^
1 warning generated.""",
    "nvcc": """\
a.cu(3): warning #177-D: variable "x" was declared but never referenced
    int x;
        ^

Remark: The warnings can be suppressed with "-diag-suppress <warning-number>"
""",
    "ptxas": "ptxas warning : Stack size cannot be determined",
}


@pytest.mark.parametrize("text", WARNINGS.values(), ids=WARNINGS)
def test_warnings_are_left_out_if_there_is_an_error(text: str) -> None:
    warning = text.splitlines()
    error = ["a.cpp: In function 'int f()':", "a.cpp:7:1: error: no such thing", "    7 | f;"]
    assert show([*warning, *warning, *error, *warning, *warning]) == [
        *[line for line in error if "generated" not in line],
        *[line for line in warning if "generated" in line] * 2,
    ]
    # Without an error they are all that there is.
    assert show(warning) == warning


def test_a_signal_is_told_first() -> None:
    drv = derivation("k-a.so")
    why = f"builder for '{drv}' failed due to signal 9 (Killed)"
    killed = {"action": "msg", "level": 0, "raw_msg": why}
    shown = show(["a.cpp:2:1: warning: unused"] * 40, killed)
    assert shown[0] == "killed: signal 9 (SIGKILL); perhaps out of memory"
    (problem,) = describe_failures({drv: shown})
    assert "--max-jobs 1" in problem.fix


# A builder's script in Nix, a setting of Nix, and what has to be among the reasons.
SILENT = {
    "no output": ('"true"', "", "failed to produce output path"),
    "an exit": ('"exit 3"', "", "failed with exit code 3"),
    "too long": ('"while :; do :; done"', "timeout = 1", "timed out after 1 seconds"),
}


@pytest.mark.parametrize(("script", "setting", "reason"), SILENT.values(), ids=SILENT)
def test_nix_says_why(cli: Cli, kernel: FakeKernel, script: str, setting: str, reason: str) -> None:
    kernel.add("silent", script=script)
    kernel.add("fails", script='"echo the only line; exit 1"')
    done = cli.expect(1, "build", str(kernel.write()), NIX_CONFIG=setting)
    silent, fails = (_problem(done.stderr, f"k-{name}") for name in ("silent", "fails"))
    assert reason in silent
    assert "without a message" not in silent
    # A log that speaks for itself is not followed by Nix's own repetition of it.
    assert fails.splitlines()[0] == "the only line"
    assert "exit code" not in fails


INNER = """[ (derivation {
  name = "inner"; system = "@system@"; salt = "@salt@";
  builder = "/bin/sh"; args = [ "-c" "echo the cause; exit 1" ];
}) ]"""


def test_only_the_cause_is_told(cli: Cli, kernel: FakeKernel, salt: str) -> None:
    kernel.add("one", sources=INNER.replace("@salt@", salt).replace("@system@", SYSTEM))
    kernel.add("two", sources=INNER.replace("@salt@", salt).replace("@system@", SYSTEM))
    done = cli("build", "--json", str(kernel.write()))
    assert "error: k does not build (1 problem)\n" in done.stderr
    assert _problem(done.stderr, "inner") == "the cause"
    assert {row["why"] for row in json.loads(done.stdout)["variants"]} == {"inner"}


# Two steps, one on the other, each with two outputs.
PARTS = """let step = below: derivation {
  inherit below; name = "part-@salt@"; system = "@system@"; outputs = [ "out" "more" ];
  builder = "/bin/sh"; args = [ "-c" "echo > $out; echo > $more" ];
}; one = step [ ]; two = step [ one one.more ]; in [ two two.more ]"""


@pytest.mark.parametrize("lost", ["", "-more"])
def test_a_part_of_a_step_is_there(
    cli: Cli, kernel: FakeKernel, store: Store, salt: str, lost: str
) -> None:
    kernel.add("k", sources=f"({PARTS.replace('@salt@', salt).replace('@system@', SYSTEM)})")
    cli.expect(0, "build", str(kernel.write()))
    (kernel.folder / "result").unlink()
    forget(kernel.folder)
    store.derivations += map(str, Path("/nix/store").glob(f"*-part-{salt}.drv"))
    paths = [*map(str, Path("/nix/store").glob(f"*-part-{salt}{lost}"))]
    assert len(paths) == len(store.derivations) == 2
    run_nix("nix-store", "--delete", *paths)
    cli.expect(0, "build", str(kernel.folder))


DERIVATION = "/nix/store/00000000000000000000000000000000-k.drv"
# Messages of Nix 2.31 and newer.
NEWER = {
    f"Cannot build '{DERIVATION}'.\nReason: builder failed due to signal 9 (Killed).": [
        "killed: signal 9 (SIGKILL); perhaps out of memory"
    ],
    f"Cannot build '{DERIVATION}'.\nReason: builder failed with exit code 137.": [
        "killed: signal 9 (SIGKILL); perhaps out of memory"
    ],
    f"build of '{DERIVATION}' failed": [],
    "Cannot build '/nix/store/another.drv'.\nReason: it is another.": [],
}


@pytest.mark.parametrize(("message", "shown"), NEWER.items())
def test_what_newer_ones_say(message: str, shown: list[str]) -> None:
    log = NixLog()
    event = {"action": "msg", "level": 0, "raw_msg": message}
    log.read("@nix " + json.dumps(event))
    assert log.show_failure(DERIVATION) == shown


def _problem(said: str, at: str) -> str:
    after = said.split(f"       at     {at}\n       found  ")[1]
    return after.split("\n       fix    ")[0]


@pytest.mark.parametrize(
    ("said", "places"),
    [
        ("g++: error: unrecognized command-line option '-fopenmpp'; did you mean '-O3'?", [5]),
        ("cc1plus: error: unrecognized command-line option '-mtunee=x'", [5, 12]),
        ("clang++: error: unknown argument: '-fbad'", [9]),
        ("nvcc fatal   : Unknown option '--nope'", [10]),
        ("g++: error: unrecognized command-line option '-fother'", []),
        ("a.cpp:1:1: error: no such thing", []),
    ],
)
def test_a_flag_has_its_line(said: str, places: list[int], tmp_path: Path) -> None:
    (tmp_path / "build.toml").write_text(
        """[general]
name = "k"

[torch]
cxx-flags = ["-O2", "-fopenmpp", "-mtunee=x"]

[kernel.a]
hip-flags = ["-O3"]
cxx-flags = ["-Xcompiler=-O1,-fbad"]
cuda-flags = ["--nope"]
[kernel.b]
cxx-flags = ["-mtunee=x"]
"""
    )
    (problem,) = describe_failures({derivation("k-a.cpp.o"): [said]})
    explained = Kernel(tmp_path).explain_failure(problem)
    file = tmp_path / "build.toml"
    assert [line.split(": ")[0] for line in explained.at.split("\n")[1:]] == [
        f"{file}:{line}" for line in places
    ]
    assert (explained.file, explained.line) == ((str(file), places[0]) if places else ("", 0))
