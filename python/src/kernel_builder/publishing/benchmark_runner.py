"""Time the benchmarks below the folder argv[1] on the build argv[2], with the client's runner.

From argv[3] on come the options of `benchmark`. The flake's output of that name uses this file
alone, in the kernel's test environment. Two builds of one kernel may register the same operators,
so each is measured in a process of its own.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from kernels.cli import benchmark as client
from tabulate import tabulate

# EX_UNAVAILABLE, as of a program that finds no backend of this machine.
NO_DEVICE = 69
PREFIX = "benchmark_"
# In milliseconds: the client rounds to this.
SHORTEST = 0.0001


def read_options(arguments: Sequence[str]) -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(prog="benchmark", allow_abbrev=False)
    parser.add_argument("--save", type=Path, metavar="FILE", help="write the measurement to FILE")
    parser.add_argument(
        "--compare",
        type=Path,
        metavar="FILE|DIR",
        help="compare with a saved measurement, or with another build, which is measured first",
    )
    parser.add_argument(
        "--fail-below",
        type=float,
        metavar="RATIO",
        help="fail if a speed-up, or with --compare a change of speed, is smaller",
    )
    parser.add_argument("--json", action="store_true", help="print the measurement as JSON")
    parser.add_argument("--iterations", type=int, default=100, help="runs of each: %(default)s")
    parser.add_argument("--warmup", type=int, default=10, help="runs before them: %(default)s")
    options = parser.parse_args(arguments)
    if options.compare and not options.compare.exists():
        parser.error(f"--compare {options.compare}: no such file or folder")
    if options.save and options.save.is_symlink():
        # A kernel may have brought it.
        parser.error(f"--save {options.save}: a link, which is not followed")
    return options


def measure(folder: Path, build: Path, options: argparse.Namespace) -> list[dict[str, Any]]:
    """Return the measurement of each workload, with the keys that the client's own files have."""
    results: list[dict[str, Any]] = []
    for script in client.discover_benchmark_scripts(str(folder), folder):
        classes = client.discover_benchmark_classes(script, folder)
        if not classes:
            text = "no class of kernels.benchmark.Benchmark"
            results.append({"workload": script.name, "result": "failed", "error": text})
        for each in classes:
            names = [name for name in dir(each) if name.startswith(PREFIX)]
            methods = [name for name in names if callable(getattr(each, name))]
            results += [measure_workload(each, name, methods, build, options) for name in methods]
    return results


def measure_workload(
    of: type, method: str, methods: Sequence[str], build: Path, options: argparse.Namespace
) -> dict[str, Any]:
    """Return the measurement of one workload, and of its reference in the same way.

    The client stops at the first wrong result of a class, so it gets a class with one workload.
    """
    name = method.removeprefix(PREFIX)

    def run(changed: Mapping[str, Any]) -> dict[str, Any]:
        others = dict.fromkeys({*methods} - {method})
        only = type(of.__name__, (of,), {**others, **changed})
        timings, _ = client.run_benchmark_class(
            only, options.iterations, options.warmup, str(build), is_local=True, revision="local"
        )
        return asdict(timings[name])

    entry: dict[str, Any] = {"workload": f"{of.__name__}.{name}"}
    # The code is the kernel's, and may raise anything.
    try:
        entry["timingResults"] = run({})
    except Exception as error:
        # Also the client's word for a wrong result is an exception.
        result = "wrong" if "Verification failed" in str(error) else "failed"
        return {**entry, "result": result, "error": f"{type(error).__name__}: {error}"}
    entry["result"] = "right" if entry["timingResults"]["verified"] else "not checked"
    verify = f"verify_{name}"
    if hasattr(of, verify):
        # By itself the client times the reference once.
        with suppress(Exception):
            entry["referenceResults"] = run({method: getattr(of, verify), verify: None})
            entry["speedup"] = divide(entry["referenceResults"], entry["timingResults"])
    return entry


def divide(old: Mapping[str, Any], new: Mapping[str, Any]) -> float:
    """Return the speed of new times in parts of the old ones', by the fastest runs.

    Everything else that runs on a machine changes the means.
    """
    return float(old["min_ms"] / max(new["min_ms"], SHORTEST))


def read_earlier(place: Path, options: argparse.Namespace) -> Any:
    """Return an earlier measurement, or that of another build, which is made now."""
    file = place
    if place.is_dir():
        file = Path(sys.argv[1]) / "earlier.json"
        times = ["--iterations", str(options.iterations), "--warmup", str(options.warmup)]
        argv = [sys.executable, "-P", __file__, sys.argv[1], str(place.resolve())]
        # A wrong result of that build is not a failure of this one.
        words = ["--save", str(file), *times]
        subprocess.run([*argv, *words], stdout=subprocess.DEVNULL, check=False)
    try:
        earlier = json.loads(file.read_text(encoding="utf-8"))
        return {**earlier, "before": {each["workload"]: each for each in earlier["results"]}}
    except (OSError, ValueError, LookupError, TypeError):
        sys.exit(f"benchmark: {place} is no saved measurement, and no build that can be measured")


def add_changes(found: Mapping[str, Any], earlier: Mapping[str, Any]) -> None:
    """Add to each workload its speed in parts of the earlier one."""
    for each in found["results"]:
        old = earlier["before"].get(each["workload"], {}).get("timingResults")
        new = each.get("timingResults")
        if old and new:
            each["change"] = divide(old, new)


def format_table(found: Mapping[str, Any], *, is_compared: bool) -> str:
    """Return the table that people read."""
    titles = ["workload", "time (ms)", "reference (ms)", "speed-up", "result", "change"]
    rows = []
    for each in found["results"]:
        measured = [each.get(key) for key in ("timingResults", "referenceResults")]
        times = [f"{timing['min_ms']:.4f}" if timing else "" for timing in measured]
        ratios = [f"{each[key]:.2f}x" if key in each else "" for key in ("speedup", "change")]
        rows.append([each["workload"], *times, ratios[0], each["result"], ratios[1]])
    shown = len(titles) if is_compared else len(titles) - 1
    table = [row[:shown] for row in (titles, *rows)]
    sides = ["left", *["right"] * 3, "left", "right"][:shown]
    return str(tabulate(table[1:], table[0], "plain", disable_numparse=True, colalign=sides))


def list_failures(found: Mapping[str, Any], options: argparse.Namespace) -> list[str]:
    """Return a line for each workload that is wrong, or slower than it may be."""
    results = found["results"]
    lines = [f"{each['workload']}: {each['error']}" for each in results if "error" in each]
    if options.fail_below is not None:
        key, noun = ("change", "speed") if options.compare else ("speedup", "speed-up")
        ratios = {each["workload"]: each[key] for each in results if key in each}
        limit = options.fail_below
        low = {name: ratio for name, ratio in ratios.items() if ratio < limit}
        lines += [f"{name}: a {noun} of {low[name]:.2f}x, less than {limit}" for name in low]
        if not ratios:
            lines.append(f"no workload has a {noun} that --fail-below can judge")
    return lines


def main() -> int:
    """Measure, compare, and return the exit status."""
    folder, build = map(Path, sys.argv[1:3])
    options = read_options(sys.argv[3:])
    try:
        machine = asdict(client.collect_machine_info())
    # Torch says so when it is asked for the name of the device.
    except (AssertionError, RuntimeError) as error:
        why = str(error).partition("\n")[0]
        print(f"benchmark: Torch finds no device on this machine: {why}", file=sys.stderr)
        return NO_DEVICE
    earlier = read_earlier(options.compare, options) if options.compare else None
    results = measure(folder, build, options)
    found = {"version": 1, "machineInfo": machine, "results": results}
    if options.save:
        options.save.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    if earlier:
        add_changes(found, earlier)
        if earlier.get("machineInfo") != machine:
            print("benchmark: the earlier times are of another machine or Torch", file=sys.stderr)
    table = format_table(found, is_compared=earlier is not None)
    print(json.dumps(found, indent=2) if options.json else table)
    failures = list_failures(found, options)
    for line in failures:
        print(f"benchmark: {line}", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
