"""Our flags for SYCL are those of the existing tool, whose users run its kernels on GPUs."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.evaluation import ROOT, evaluate, path_of
from tests.xpu.xpu_kernel import SHIFT, xpu_kernel

TABLE = json.loads(Path(__file__).with_name("existing-tool.json").read_text())
# Only our device link is a step of its own.
OURS = {"-fPIC", "-fsycl-link"}
# Flags that other tests compare, or that no tool shares.
COMMON = ("-O", "-D", "-I", "-std=")


def join_pairs(words: list[str]) -> list[str]:
    """Join the options of other programs with their values."""
    joined: list[str] = []
    for word in words:
        if joined and joined[-1].startswith("-X") and " " not in joined[-1]:
            joined[-1] += f" {word}"
        else:
            joined.append(word)
    return joined


@pytest.fixture(scope="module")
def plans(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, bool], Any]:
    """The plans of a kernel, by toolkit and by whether it sees sycl-tla."""
    found: dict[tuple[str, bool], Any] = {}
    for tla in (False, True):
        kernel = xpu_kernel(
            tmp_path_factory.mktemp("xpu"),
            {SHIFT: "#include <cute/tensor.hpp>\n"} if tla else {},
            depends='["torch", "sycl_tla"]' if tla else '["torch"]',
            **{"sycl-flags": "[]"},
        )
        listed = evaluate(
            f"map (variant: variant.plan) ((import {path_of(ROOT / 'lib')}).plan.kernel.readKernel "
            f"{{ root = {path_of(kernel.folder)}; torchVersions = x: x; brought = [ ]; }}).variants"
        )
        found |= {(plan["toolkit"], tla): plan for plan in listed}
    return found


@pytest.mark.parametrize(
    ("toolkit", "record"),
    [(toolkit, record) for record in TABLE["flags"] for toolkit in record["toolkits"]],
)
def test_flags(toolkit: str, record: dict[str, Any], plans: dict[tuple[str, bool], Any]) -> None:
    plan = plans[toolkit, record["sycl_tla"]]
    if record["step"] == "compile":
        (unit,) = (unit for unit in plan["units"] if unit["source"] == SHIFT)
        words = unit["flags"]
        at = words.index("-isystem")
        assert all(word.startswith(("-isystem", "@")) for word in words[at:])
        found = [word for word in words[:at] if not word.startswith(COMMON)]
        # The kernel uses a file that CMake does not know as C++.
        found = [word for word in found if word not in ("-x", "c++")]
    else:
        link = plan["link"]
        ours = [word for word in link["device"]["flags"] if word not in OURS]
        found = join_pairs(ours + [word for word in link["flags"] if word != "-shared"])
    assert sorted(found) == sorted(record["flags"]), (
        f"flags as of {TABLE['repository']} {TABLE['commit']}; docs/guide/xpu.md says how to renew"
    )
