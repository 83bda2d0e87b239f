"""Time the benchmarks below the folder argv[1] on the build argv[2], with the public client's runner.

From argv[3] on come the options of `benchmark`. Two builds of one kernel may register the same
operators, so each is measured in a process of its own.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from kernels.cli import benchmark as client
from tabulate import tabulate

# EX_UNAVAILABLE, as of a program that finds no backend of this machine.
NO_DEVICE = 69
PREFIX = "benchmark_"


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
    parser.add_argument("--iterations", type=int, default=100, help="runs of a workload: %(default)s")
    parser.add_argument("--warmup", type=int, default=10, help="runs before them: %(default)s")
    options = parser.parse_args(arguments)
    if options.compare and not options.compare.exists():
        parser.error(f"--compare {options.compare}: no such file or folder")
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
            methods = [name for name in dir(each) if name.startswith(PREFIX) and callable(getattr(each, name))]
            results += [measure_workload(each, name, methods, build, options) for name in methods]
    return results


def measure_workload(
    of: type, method: str, methods: Sequence[str], build: Path, options: argparse.Namespace
) -> dict[str, Any]:
    """Return the measurement of one workload.

    The client stops at the first wrong result of a class, so it gets a class with one workload.
    """
    only = type(of.__name__, (of,), dict.fromkeys({*methods} - {method}))
    entry: dict[str, Any] = {"workload": f"{of.__name__}.{method.removeprefix(PREFIX)}"}
    try:
        timings, _ = client.run_benchmark_class(
            only, options.iterations, options.warmup, str(build), is_local=True, revision="local"
        )
    # The code is the kernel's, and may raise anything.
    except Exception as error:
        result = "wrong" if "Verification failed" in str(error) else "failed"
        return {**entry, "result": result, "error": f"{type(error).__name__}: {error}"}
    (timing,) = timings.values()
    # A wrong result is an exception of the client's.
    entry |= {"result": "right" if timing.verified else "not checked", "timingResults": asdict(timing)}
    if timing.ref_mean_ms and timing.mean_ms:
        entry["speedup"] = timing.ref_mean_ms / timing.mean_ms
    return entry


def read_earlier(place: Path, options: argparse.Namespace) -> Any:
    """Return an earlier measurement, or that of another build, which is made now."""
    if place.is_dir():
        times = ["--iterations", str(options.iterations), "--warmup", str(options.warmup)]
        argv = [sys.executable, "-P", __file__, sys.argv[1], str(place.resolve()), "--json", *times]
        # A wrong result of that build is not a failure of this one.
        text = subprocess.run(argv, stdout=subprocess.PIPE, text=True, check=False).stdout
    else:
        text = place.read_text(encoding="utf-8")
    try:
        earlier = json.loads(text)
        return {**earlier, "before": {each["workload"]: each for each in earlier["results"]}}
    except (ValueError, LookupError, TypeError):
        sys.exit(f"benchmark: {place} is neither a saved measurement nor a build that can be measured")


def add_changes(found: Mapping[str, Any], earlier: Mapping[str, Any]) -> None:
    """Add to each workload its speed in parts of the earlier one."""
    for each in found["results"]:
        old = earlier["before"].get(each["workload"], {}).get("timingResults")
        new = each.get("timingResults")
        if old and new and new["mean_ms"]:
            each["change"] = old["mean_ms"] / new["mean_ms"]


def format_table(found: Mapping[str, Any], *, is_compared: bool) -> str:
    """Return the table that people read."""
    titles = ["workload", "time (ms)", "reference (ms)", "speed-up", "result", "change"]
    rows = []
    for each in found["results"]:
        timing = each.get("timingResults", {})
        times = [f"{timing[key]:.4f}" if timing.get(key) else "" for key in ("mean_ms", "ref_mean_ms")]
        ratios = [f"{each[key]:.2f}x" if key in each else "" for key in ("speedup", "change")]
        rows.append([each["workload"], *times, ratios[0], each["result"], ratios[1]])
    shown = len(titles) if is_compared else len(titles) - 1
    table = [row[:shown] for row in (titles, *rows)]
    right = ["left", *["right"] * 3, "left", "right"]
    return str(tabulate(table[1:], table[0], "plain", disable_numparse=True, colalign=right[:shown]))


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
    is_compared = earlier is not None
    print(json.dumps(found, indent=2) if options.json else format_table(found, is_compared=is_compared))
    failures = list_failures(found, options)
    for line in failures:
        print(f"benchmark: {line}", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
