"""Built variants load and compute on other releases of Debian, with other Pythons, as they are."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.compatibility.environment import PYTHON, TORCH
from tests.evaluation import ROOT, VARIANT, build, build_flake, evaluate, path_of
from tests.machines.debian import Debian, FailedError

# The table in docs/reference/compatibility.md.
TABLE = "table: what was run (distribution, glibc, Python, Torch, kernel, outcome)"
KERNELS = {"relu": "relu", "silu-and-mul": "silu_and_mul"}
RELEASES = {
    "bullseye": ("Debian 11", "2.31", "3.11"),
    "bookworm": ("Debian 12", "2.36", "3.11"),
    "trixie": ("Debian 13", "2.41", "3.13"),
}

# A library that is linked with the compiler's own glibc.
UNCAPPED = """
packages.runStep {
  name = "uncapped.so";
  tools = [ packages.toolchain ];
  script = builtins.toFile "link.sh" ''
    echo 'unsigned arc4random(void); unsigned luck(void) { return arc4random(); }' >luck.c
    exec gcc -shared -fPIC luck.c -o "$out"
  '';
}
"""


def give_kernel(machine: Debian, kernel: str) -> str:
    """Copy the built variant and its tests to the machine; return the variant's place."""
    place = f"/kernels/{kernel}/{VARIANT}"
    if not Path(f"{machine.root}{place}").exists():
        source = ROOT / "examples" / kernel
        machine.give(build_flake(f"{source}#redistributable.{VARIANT}"), place)
        machine.give(source / "tests", f"/kernels/{kernel}/tests")
        for program in Path(__file__).parent.glob("load_*.py"):
            machine.give(program, f"/{program.name}")
    return place


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("suite", RELEASES)
def test_it_loads_and_computes(
    suite: str,
    kernel: str,
    request: pytest.FixtureRequest,
    record_property: Callable[[str, object], None],
) -> None:
    machine: Debian = request.getfixturevalue(suite)
    place = give_kernel(machine, kernel)

    program = ("/load_and_compute.py", place, KERNELS[kernel])
    found = json.loads(machine.run(PYTHON, *program).splitlines()[-1])
    distribution, glibc, python = RELEASES[suite]
    # Make sure that this is the intended release.
    assert found["glibc"] == glibc
    assert found["python"].startswith(f"{python}.")
    assert found["torch"].startswith(TORCH)
    assert found["rows"] == 4
    assert len(found["openmp"]) == 1
    assert "/torch/" in found["openmp"][0]

    options = ("-q", "--disable-warnings", "-p", "no:cacheprovider")
    said = machine.run(
        *("env", "--chdir", "/tmp", PYTHON, "-m", "pytest", *options),
        f"/kernels/{kernel}/tests",
        variables={"PYTHONPATH": place},
    )
    outcome = re.search(r"^([1-9]\d* passed(, \d+ skipped)?)\b.* in ", said, re.MULTILINE)
    assert outcome, said
    record_property(
        TABLE, (distribution, glibc, found["python"], found["torch"], kernel, outcome[1])
    )


def test_a_library_without_the_cap_does_not_load(bullseye: Debian) -> None:
    """The glibc that kernels are loaded with is really the old one."""
    packages = f"(import {path_of(ROOT)}).packages.${{builtins.currentSystem}}"
    library = build(evaluate(f"let packages = {packages}; in ({UNCAPPED}).drvPath"))
    bullseye.give(library, "/uncapped.so")
    program = "import ctypes; ctypes.CDLL('/uncapped.so')"
    with pytest.raises(FailedError, match=r"version `GLIBC_2\.36' not found"):
        bullseye.run(PYTHON, "-c", program)


def test_python_3_9_loads_it(
    bullseye: Debian, record_property: Callable[[str, object], None]
) -> None:
    """The oldest Python that a kernel promises; the last Torch with modules for it was 2.8."""
    place = give_kernel(bullseye, "relu")
    (libraries,) = (bullseye.root / "venv/lib").glob("python3.*/site-packages/torch/lib")
    inside = f"/{libraries.relative_to(bullseye.root)}"
    said = bullseye.run("/usr/bin/python3", "/load_without_torchs_python.py", place, inside)
    found = json.loads(said)
    assert found["python"].startswith("3.9.")
    assert found["status"] == 0
    assert found["result"] == [0, 2, 0, 4]
    torch = f"{TORCH}+cpu, C++ libraries only"
    record_property(
        TABLE, ("Debian 11", found["glibc"], found["python"], torch, "relu", "1 call, right")
    )
