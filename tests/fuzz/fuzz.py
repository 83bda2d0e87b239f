"""Break real build.toml files at random: each result must evaluate, or be answered as a mistake is.

An answer has a headline with the number of problems and says of each where it is, what was
found, what is allowed and how to mend it. A stack trace of Nix's, a message of its own, or an
answer that takes longer than two seconds is a failure, and the file is kept.
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

from mutations import mutate

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
KERNELS = ("examples/relu", "examples/silu-and-mul", "tests/golden/five")
LIMIT = 2.0

# A file with a NUL byte is Nix's own to refuse: no function of Nix can look into it.
NUL = re.compile(
    r"error: the contents of the file '.*/build\.toml' cannot be represented as a Nix string"
)

BLOCK = r"at     .*\nfound  .*\nwant   .*\nfix    .*"
ANSWER = re.compile(r"error: [^\n]* \((\d+) problems?\)\n\n(.*)", re.DOTALL)


def is_answer(message: str) -> bool:
    """Whether a message is one of the library's own, complete."""
    lines = [re.sub(r"^ {7}", "", line.rstrip()) for line in message.splitlines()]
    lines = [
        line for line in lines if not line.startswith(("(use '--show-trace'", "warning:", "trace:"))
    ]
    start = next((i for i, line in enumerate(lines) if line.startswith("error: ")), None)
    if start is None:
        return False
    text = "\n".join(lines[start:]).strip()
    if NUL.fullmatch(text):
        return True
    match = ANSWER.fullmatch(text)
    if not match:
        return False
    blocks = re.split(r"\n\n(?=at     )", match.group(2))
    return len(blocks) == int(match.group(1)) and all(
        re.match(BLOCK, block, re.DOTALL) for block in blocks
    )


def evaluate(kernel: Path) -> "tuple[str, float]":
    """Evaluate a kernel: return what is wrong with the answer, "" if nothing, and the seconds."""
    expression = f"import {HERE}/evaluate.nix {{ root = {kernel}; }}"
    command = [
        "nix-instantiate",
        "--eval",
        "--strict",
        "--readonly-mode",
        "--json",
        "--expr",
        expression,
    ]
    started = time.monotonic()
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=60, check=False, errors="replace"
        )
    except subprocess.TimeoutExpired:
        return "no answer within a minute", 60.0
    seconds = time.monotonic() - started
    if done.returncode and not is_answer(done.stderr):
        return done.stderr, seconds
    return "", seconds


def attempt(number: int, seed: int, folder: Path) -> "tuple[int, str, float, bytes]":
    """Make and evaluate one mutant; a slow one gets a second chance: the machine may be quieter."""
    chance = Random(f"{seed} {number}")
    source = ROOT / chance.choice(KERNELS)
    text = mutate((source / "build.toml").read_text(), chance)
    kernel = folder / f"mutant-{number}"
    shutil.copytree(source, kernel, ignore=shutil.ignore_patterns("build.toml", "flake.*"))
    data = text.encode()
    (kernel / "build.toml").write_bytes(data)
    problem, seconds = evaluate(kernel)
    if not problem and seconds > LIMIT:
        problem, seconds = evaluate(kernel)
        if not problem and seconds > LIMIT:
            problem = f"took {seconds:.1f} s"
    shutil.rmtree(kernel)
    return number, problem, seconds, data


def main() -> int:
    """Run the mutants; return the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--mutants", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--first", type=int, default=0, help="the number of the first one, to repeat a failure"
    )
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    passed, failures, slowest = 0, 0, 0.0
    kept = Path(tempfile.gettempdir()) / "kernel-builder-fuzz"
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(options.jobs) as pool:
        numbers = range(options.first, options.first + options.mutants)
        for number, problem, seconds, data in pool.map(
            lambda n: attempt(n, options.seed, Path(folder)), numbers
        ):
            slowest = max(slowest, seconds)
            if not problem:
                passed += 1
                continue
            failures += 1
            kept.mkdir(exist_ok=True)
            file = kept / f"{options.seed}-{number}.toml"
            file.write_bytes(data)
            print(f"--- mutant {number} of seed {options.seed}, kept as {file}\n{problem[-1500:]}")
    print(f"slowest answer: {slowest:.2f} s")
    print(f"{passed} passed, {failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
