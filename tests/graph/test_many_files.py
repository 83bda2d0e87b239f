"""A kernel may have any number of units and headers: no builder gets a list in one variable."""

from pathlib import Path

import pytest

from tests.derivation import closure_of
from tests.evaluation import SYSTEM, evaluate, outputs_of
from tests.tiny_kernel import BUILD, TinyKernel

# Bytes that Linux allows for one variable or argument of a process (MAX_ARG_STRLEN).
LIMIT = 131_072
# With names this long, each list of files is longer than that.
LONG = "name_of_a_file_" * 7
UNITS = 600
HEADERS = 600

BACKENDS = {
    "cpu": (f"torch213-cxx11-cpu-{SYSTEM}", "cpp"),
    "cuda": (f"torch213-cxx11-cu130-{SYSTEM}", "cu"),
    "rocm": (f"torch213-cxx11-rocm72-{SYSTEM}", "cu"),
    "xpu": (f"torch213-cxx11-xpu20260-{SYSTEM}", "cpp"),
}


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Many units for the CPU, and a unit for each backend that includes many headers."""
    headers = [f"include/{LONG}{number}.h" for number in range(HEADERS)]
    units = [f"answer/{LONG}{number}.c" for number in range(UNITS)]
    text = BUILD.replace('["cpu"]', str([*BACKENDS]).replace("'", '"')).partition("[kernel")[0]
    tiny = TinyKernel(tmp_path_factory.mktemp("many") / "tiny")
    includes = "".join(f'#include "{Path(header).name}"\n' for header in headers)
    for name in [*headers, *units]:
        tiny.write(name, "\n")
    for backend, (_, ending) in BACKENDS.items():
        source = f"answer/all_{backend}.{ending}"
        tiny.write(source, includes)
        sources = [source, *(units if backend == "cpu" else [])]
        listed = ",\n  ".join(f'"{each}"' for each in sources)
        text += f'[kernel.{backend}]\nbackend = "{backend}"\ndepends = []\n'
        text += f'include = ["include"]\nsrc = [\n  {listed}\n]\n'
    tiny.write("build.toml", text)
    return tiny.folder


@pytest.mark.parametrize("backend", BACKENDS)
def test_no_variable_is_longer_than_linux_allows(kernel: Path, backend: str) -> None:
    drv = evaluate(f"{outputs_of(kernel)}.redistributable.{BACKENDS[backend][0]}.drvPath")
    steps = [step for step in closure_of(drv) if step.name.startswith("tiny-")]
    assert len(steps) > (UNITS if backend == "cpu" else 5)
    longest = [
        (len(text.encode()), step.name, name)
        for step in steps
        for name, text in [*step.env.items(), *enumerate(step.args)]
        if name not in step.env.get("passAsFile", "").split()
    ]
    assert [each for each in longest if each[0] >= LIMIT] == []
    # The lists are there, in files.
    assert any(len(text) >= LIMIT for step in steps for text in step.env.values())
