"""A kernel for Arm, built on x86_64: compiled, checked, imported, and run in the emulator."""

import subprocess
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile

from tests.derivation import named
from tests.evaluation import SYSTEM, build, evaluate, outputs_of, read_log
from tests.tiny_kernel import TinyKernel

TARGET = "aarch64-linux"
# The oldest has the smallest wheel.
NAME = f"torch29-cxx11-cpu-{TARGET}"

pytestmark = pytest.mark.skipif(
    SYSTEM != "x86_64-linux", reason=f"x86_64-linux is what builds for {TARGET}"
)


@pytest.fixture(scope="module")
def derivation(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The variant of a tiny kernel."""
    tiny = TinyKernel(tmp_path_factory.mktemp("cross") / "tiny")
    outputs = f"({outputs_of(tiny.folder)}).cross.{TARGET}"
    return str(evaluate(f"{outputs}.redistributable.{NAME}.drvPath"))


@pytest.fixture(scope="module")
def built(derivation: str) -> Path:
    return build(derivation)


def test_it_is_code_for_arm_that_loads_on_old_systems(built: Path, derivation: str) -> None:
    (file,) = built.glob("*.abi3.so")
    with file.open("rb") as stream:
        assert ELFFile(stream)["e_machine"] == "EM_AARCH64"
    said = read_log(named(derivation, "-abi-check").path)
    assert "manylinux_2_28" in said


def test_it_computes_on_arm(built: Path, derivation: str) -> None:
    check = named(derivation, "-get-kernel-check")
    python = named(derivation, "get-kernel-check-python")
    program = (
        "import platform, sys; from pathlib import Path; from kernels import get_local_kernel; "
        "kernel = get_local_kernel(Path(sys.argv[1]), backend='cpu'); "
        "print(platform.machine(), kernel.answer())"
    )
    (emulate,) = [word for word in check.args if word.endswith("/bin/emulate")]
    argv = [emulate, f"{python.outputs['out']}/bin/python3", "-c", program, str(built)]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert done.stdout == "aarch64 42\n", done.stderr
