"""The objects that variants for several Torch versions share."""

import pytest

from tests.evaluation import SYSTEM, Variant, read_variants
from tests.tiny_kernel import TinyKernel

OLD, NEW = f"torch29-cxx11-cpu-{SYSTEM}", f"torch213-cxx11-cpu-{SYSTEM}"
BINDING, ANSWER = "torch-ext/torch_binding.cpp", "answer/answer.cpp"


def read_both(kernel: TinyKernel) -> tuple[Variant, Variant]:
    both = read_variants(kernel.folder, OLD, NEW)
    return both[OLD], both[NEW]


def test_a_unit_without_torch_is_compiled_once(tiny: TinyKernel) -> None:
    old, new = read_both(tiny)
    assert old.objects[ANSWER] == new.objects[ANSWER]
    assert old.objects[BINDING] != new.objects[BINDING]
    assert old.extension != new.extension


@pytest.mark.parametrize(
    ("include", "is_shared"),
    [
        ("#include <torch/torch.h>", False),
        ("#include <who_knows.h>", False),
        ("#if __has_include(<ATen/ATen.h>)\n#endif", False),
        ("#define HEADER <ATen/ATen.h>\n#include HEADER", False),
        ("#include <vector>", True),
        ("#include <omp.h>", True),
    ],
)
def test_a_unit_that_may_reach_torch_is_compiled_for_each(
    tiny: TinyKernel, include: str, is_shared: bool
) -> None:
    tiny.write("include/number.h", f"{include}\n#define NUMBER 1\n")
    old, new = read_both(tiny)
    assert (old.objects[ANSWER] == new.objects[ANSWER]) == is_shared


def test_a_component_that_does_not_depend_on_torch_never_sees_it(tiny: TinyKernel) -> None:
    build = (tiny.folder / "build.toml").read_text()
    tiny.write("build.toml", build.replace('depends = ["torch"]', "depends = []"))
    tiny.write("include/number.h", "#include <torch/torch.h>\n#define NUMBER 1\n")
    old, new = read_both(tiny)
    assert old.objects[ANSWER] == new.objects[ANSWER]
