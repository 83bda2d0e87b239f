"""Builds beside each other keep apart; each stage of the package set works, and a newer Python."""

import os
from pathlib import Path

import pytest

from tests.build.running import ask_python
from tests.cuda.cuda_kernel import REGISTRIES
from tests.evaluation import (
    STABLE,
    SYSTEM,
    TEST_PACKAGES,
    VARIANT,
    build,
    call,
    evaluate,
    outputs_of,
    path_of,
    read_variant,
    run_nix,
)
from tests.tiny_kernel import BINDING, BUILD, TinyKernel

LOAD_BOTH = """
import sys
from pathlib import Path
from kernels import get_local_kernel
one, two = (get_local_kernel(Path(path), backend="cpu") for path in sys.argv[1:])
print(one.answer(), two.answer(), one is two)
"""


def number(value: int) -> dict[str, str]:
    return {"include/number.h": f"#define NUMBER {value}\n"}


STABLE_BINDING = """\
#include <torch/csrc/stable/library.h>

#include "../answer/answer.h"
#include "registration.h"

STABLE_TORCH_LIBRARY_EXPAND(TORCH_EXTENSION_NAME, ops) { ops.def("answer() -> int"); }

STABLE_TORCH_LIBRARY_IMPL_EXPAND(TORCH_EXTENSION_NAME, CompositeExplicitAutograd, ops) {
  ops.impl("answer", TORCH_BOX(&answer));
}

REGISTER_EXTENSION(TORCH_EXTENSION_NAME)
"""


@pytest.mark.parametrize("abi", ["", "2.10"])
def test_a_name_known_to_the_compiler_does_the_same(abi: str, tmp_path: Path) -> None:
    binding, name = (STABLE_BINDING, STABLE) if abi else (BINDING, VARIANT)
    macro = f"{'STABLE_' if abi else ''}TORCH_LIBRARY_FRAGMENT_EXPAND"
    binding += f'\n{macro}(TORCH_EXTENSION_NAME, ops) {{ ops.def("more() -> int"); }}\n'
    files = {"torch-ext/torch_binding.cpp": binding}
    if abi:
        files["build.toml"] = BUILD.replace("[torch]", f'[torch]\nstable-abi = "{abi}"')
    # The compiler sees each name that is used in another way.
    own = {"torch-ext/torch_binding.cpp": f"{binding}\n#define NAME TORCH_EXTENSION_NAME\n"}
    early = TinyKernel(tmp_path / "early", {**number(1), **files, **own})
    late = TinyKernel(tmp_path / "late", {**number(2), **files})
    early_variant, late_variant = (
        read_variant(each.folder, name, arguments=REGISTRIES) for each in (early, late)
    )
    needs = [variant.plan["units"][0]["needsName"] for variant in (early_variant, late_variant)]
    assert needs == [True, False]
    builds = [str(build(variant.drv)) for variant in (early_variant, late_variant)]
    assert ask_python(LOAD_BOTH, *builds, home=tmp_path) == "1 2 False"


STAGES = run_nix(
    *("nix", "eval", "--raw", "--file", str(TEST_PACKAGES), f"{SYSTEM}.smoke", "--apply"),
    'set: builtins.concatStringsSep " " (builtins.attrNames set)',
).split()


@pytest.mark.parametrize("stage", STAGES)
def test_each_stage_of_the_package_set_works(stage: str) -> None:
    drv = evaluate(f"(import {path_of(TEST_PACKAGES)}).{SYSTEM}.smoke.{stage}.drvPath")
    assert build(drv).exists()


TEST = """\
import sys

import pytest
import tiny


@pytest.mark.kernels_ci
def test_answer() -> None:
    assert (tiny.answer(), sys.version_info[:2]) == (42, (3, 13))
"""


@pytest.mark.skipif(SYSTEM != "x86_64-linux", reason="its Torch is for x86_64-linux")
def test_its_tests_run(tmp_path: Path) -> None:
    kernel = TinyKernel(tmp_path / "tiny", {"tests/test_answer.py": TEST})
    overlay = f"overlays = [ (import {path_of(TEST_PACKAGES / 'torch-of-newer-python.nix')}) ];"
    # The build of the variant has imported it.
    drv = evaluate(f"{outputs_of(kernel.folder, overlay)}.ciTests.{VARIANT}.drvPath")
    program = build(drv) / "bin" / "ci-test"
    home = {**os.environ, "HOME": str(tmp_path)}
    assert "1 passed" in call(program, env=home).stdout
