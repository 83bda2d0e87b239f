"""The examples, built through their flakes and used as their users would."""

import json
import os
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.build.running import run_python
from tests.evaluation import ROOT, STABLE, VARIANT, build_flake

# Each with its module and its variant for this machine.
EXAMPLES = {
    "relu": ("relu", VARIANT),
    "rmsnorm": ("rmsnorm", STABLE),
    "silu-and-mul": ("silu_and_mul", VARIANT),
}
# One is a copy of the other: all of their names in C++ and in Torch are the same.
COPIES = ("rope", "rope-interleaved")


@dataclass(frozen=True)
class Example:
    """An example and its variant for this machine."""

    module: str
    source: Path
    name: str
    variant: Path


@pytest.fixture(scope="module", params=EXAMPLES)
def example(request: pytest.FixtureRequest) -> Example:
    source = ROOT / "examples" / request.param
    module, name = EXAMPLES[request.param]
    return Example(module, source, name, build_flake(f"{source}#redistributable.{name}"))


# One process: its tests, its example, and a call through the public client.
PROGRAM = """
import runpy, sys
from pathlib import Path
import pytest, torch
from kernels import get_local_kernel
source, variant, module = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
assert pytest.main(["-q", "-p", "no:cacheprovider", str(source / "tests")]) == 0
runpy.run_path(str(source / "example.py"), run_name="__main__")
kernel = get_local_kernel(variant, backend="cpu")
operands = [torch.ones(8)] if module == "rmsnorm" else []
print(getattr(kernel, module)(torch.randn(4, 8), *operands).shape[0], kernel.__name__)
"""


def test_its_users_can_use_it(example: Example, tmp_path: Path) -> None:
    # In a folder without our pytest.ini: a kernel's tests know nothing of it.
    arguments = (str(example.source), str(example.variant), example.module)
    argv = ("-c", PROGRAM, *arguments)
    said = run_python(*argv, home=tmp_path, path=example.variant, cwd=tmp_path)
    assert re.search(r"^[1-9]\d* passed", said, re.MULTILINE)
    assert "tensor(" in said
    rows, name = said.split()[-2:]
    assert rows == "4"
    assert name.startswith(f"_{example.module}_cpu_")


def test_the_public_client_runs_the_benchmark_of_its_bundle(
    example: Example, tmp_path: Path
) -> None:
    bundle = build_flake(f"{example.source}#backendBundle.cpu")
    metadata = (bundle / example.name / "metadata.json").read_bytes()
    assert metadata == (example.variant / "metadata.json").read_bytes()
    client = ("-c", "from kernels.cli import main; main()", "benchmark", str(bundle))
    results = tmp_path / "results.json"
    few = ("--iterations", "2", "--warmup", "1", "--output", str(results))
    run_python(*client, *few, home=tmp_path, cwd=tmp_path)
    timed = json.loads(results.read_text())["results"]
    assert len(timed) == 2
    assert all(workload["verified"] for workload in timed)


@pytest.fixture(scope="module")
def copies() -> list[Path]:
    """Both, built on Torch's stable ABI."""
    return [build_flake(f"{ROOT}/examples/{copy}#redistributable.{STABLE}") for copy in COPIES]


def test_tests_of_copies_pass_in_one_process(copies: list[Path], tmp_path: Path) -> None:
    # Each has a package `tests`.
    pytest_here = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "--import-mode=importlib")
    fast = ("-m", "kernels_ci")
    tests = [str(ROOT / "examples" / copy / "tests") for copy in COPIES]
    both = os.pathsep.join(map(str, copies))
    said = run_python(*pytest_here, *fast, *tests, home=tmp_path, path=both, cwd=tmp_path)
    assert re.search(r"^[1-9]\d* passed", said, re.MULTILINE)
