"""The output `contents`, which keeps and sends what was compiled, and the limit of a size."""

from pathlib import Path

from tests.cuda.cuda_kernel import VARIANT as CUDA
from tests.cuda.cuda_kernel import cuda_kernel
from tests.derivation import base_of, closure_of, read_derivation
from tests.evaluation import VARIANT, build, outputs_of, read_variant, run_nix
from tests.tiny_kernel import TinyKernel


def instantiate(expression: str) -> str:
    return run_nix("nix-instantiate", "--expr", expression).strip()


def test_contents_refer_to_what_was_compiled_and_to_its_tools(tmp_path: Path) -> None:
    folder = TinyKernel(tmp_path / "tiny").folder
    variant = read_variant(folder)
    derivation = instantiate(f'({outputs_of(folder)}).contentsOf [ "{VARIANT}" ]')
    path = build(derivation)
    said = run_nix("nix-store", "--query", "--references", str(path)).split()
    names = [base_of(each) for each in said]
    assert {str(build(each)) for each in variant.objects.values()} <= set(said)
    assert {str(variant.out), str(build(variant.link.path))} <= set(said)
    assert {"tiny", f"tiny-{VARIANT}-abi-check"} <= set(names)
    for used in ("-toolchain-gcc-", "torch-2.13.0", "python-3.11", "check-python"):
        assert any(used in f"-{name}" for name in names), used
    # Sources stay on the machine that compiles.
    assert not [name for name in names if name.endswith((".cpp", ".h", ".py", ".drv"))]


def test_the_contents_of_a_kernel_are_those_of_its_bundle(tmp_path: Path) -> None:
    folder = TinyKernel(tmp_path / "tiny").folder
    outputs = outputs_of(folder)
    bundle = instantiate(f"({outputs}).bundle")
    contents = closure_of(instantiate(f"({outputs}).contents"))
    assert bundle in {each.path for each in contents}


def test_contents_have_the_code_of_each_target(tmp_path: Path) -> None:
    outputs = outputs_of(cuda_kernel(tmp_path / "numbers").folder)
    contents = read_derivation(instantiate(f'({outputs}).contentsOf [ "{CUDA}" ]'))
    used = [read_derivation(path).name for path in contents.inputs]
    assert any(name.endswith(".sm_90") for name in used)
    assert "cuda-13.0" in used
