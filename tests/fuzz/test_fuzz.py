"""Break real build.toml files at random: each result must evaluate, or be answered as a mistake is.

An answer has a headline with the number of problems and says of each where it is, what was
found, what is allowed and how to mend it. A stack trace of Nix's, a message of its own, or no
answer at all is a failure, and the file is kept. `--mutants 10000` is a long run, `--seed` and
`--first` repeat a failure. What is not TOML, or not TOML that Nix reads, is Nix's own to answer.
"""

import re
import shutil
from pathlib import Path
from random import Random

import pytest

from tests.evaluation import ROOT, call, path_of
from tests.fuzz.mutations import mutate

HERE = Path(__file__).resolve().parent
KERNELS = ("examples/relu", "examples/silu-and-mul", "tests/golden/five")

# A file with a NUL byte is Nix's own to refuse: no function of Nix can look into it.
NUL = re.compile(
    r"error: the contents of the file '.*/build\.toml' cannot be represented as a Nix string"
)

# Nix alone decides whether a text is TOML.
NO_TOML = re.compile(r"error: while parsing (a )?TOML.*", re.DOTALL)

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
    if NUL.fullmatch(text) or NO_TOML.fullmatch(text):
        return True
    match = ANSWER.fullmatch(text)
    if not match:
        return False
    blocks = re.split(r"\n\n(?=at     )", match.group(2))
    return len(blocks) == int(match.group(1)) and all(
        re.match(BLOCK, block, re.DOTALL) for block in blocks
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    first, count = (metafunc.config.getoption(name) for name in ("--first", "--mutants"))
    if "number" in metafunc.fixturenames:
        metafunc.parametrize("number", range(first, first + count))


def test_a_broken_file_is_answered(
    number: int, pytestconfig: pytest.Config, tmp_path: Path
) -> None:
    chance = Random(f"{pytestconfig.getoption('--seed')} {number}")
    source = ROOT / chance.choice(KERNELS)
    text = mutate((source / "build.toml").read_text(), chance)
    kernel = tmp_path / "mutant"
    shutil.copytree(source, kernel, ignore=shutil.ignore_patterns("build.toml", "flake.*"))
    (kernel / "build.toml").write_bytes(text.encode())
    expression = f"import {path_of(HERE / 'evaluate.nix')} {{ root = {path_of(kernel)}; }}"
    options = ("--eval", "--strict", "--readonly-mode", "--json")
    argv = ["nix-instantiate", *options, "--expr", expression]
    done = call(*argv, status=None, timeout=60, errors="replace")
    if done.returncode != 0:
        # The file itself lies in this test's folder.
        assert is_answer(done.stderr), f"{kernel}/build.toml\n{done.stderr[-1500:]}"
