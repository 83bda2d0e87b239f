"""The import check: the stand-in for a GPU, for kernels of Python and Triton."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.derivation import named
from tests.evaluation import ROOT, NixError, build, read_log, read_variant
from tests.tiny_kernel import NOARCH, TinyKernel

TUNED = """\
import torch
import triton
import triton.language as tl


@triton.autotune([triton.Config({"SIZE": size}) for size in (64, 128)], key=["count"])
@triton.jit
def add_one(out, x, count, SIZE: tl.constexpr):
    at = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    tl.store(out + at, tl.load(x + at, at < count) + 1, at < count)
"""

# Questions that kernels ask at the top of a module, with the answers.
ASKED = {
    "cuda": [
        "torch.cuda.get_device_capability() == torch.cuda.get_device_capability(0) == (9, 0)",
        "torch.cuda.get_device_properties('cuda').multi_processor_count > 100",
        "'H100' in torch.cuda.get_device_name(0)",
        "torch.cuda.current_device() == 0",
        "not torch.cuda.is_available() and torch.cuda.device_count() == 0",
        "triton.runtime.driver.active.get_current_target().backend == 'cuda'",
        "triton.runtime.driver.active.get_active_torch_device() == torch.device('cuda', 0)",
        "triton.runtime.driver.active.utils.get_device_properties(0)['multiprocessor_count']",
    ],
    "rocm": [
        "torch.cuda.get_device_properties(0).gcnArchName.split(':')[0] == 'gfx942'",
        "triton.runtime.driver.active.get_current_target().arch == 'gfx942'",
    ],
    "xpu": [
        "torch.xpu.get_device_capability(0)['has_fp64']",
        "'Intel' in torch.xpu.get_device_name()",
    ],
}
# Calls that need a GPU fail.
REFUSED = [
    "torch.empty(1, device='cuda')",
    "torch.cuda.current_stream()",
    "triton.runtime.driver.active.get_current_stream(0)",
    "triton.testing.do_bench(lambda: None)",
]

TRY = """\
import json, sys, torch, triton
from kernel_builder.import_check import stand_ins
if sys.argv[1]:
    stand_ins.install(json.loads(sys.argv[1]))
for asked in sys.argv[2:]:
    try:
        print(bool(eval(asked)))
    except Exception as error:
        print(f"no GPU: {error}"[:6])
"""


@pytest.fixture(scope="module")
def triton(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Build and check a kernel that Triton tunes; return its variant's derivation."""
    tiny = TinyKernel(tmp_path_factory.mktemp("triton"))
    tiny.write("build.toml", NOARCH)
    tiny.write("torch-ext/tiny/__init__.py", TUNED)
    drv = read_variant(tiny.folder, "torch-cpu").drv
    build(drv)
    return drv


def ask(triton: str, backend: str, asked: list[str]) -> list[str]:
    """Return the check's Python's answer to each question."""
    checks = json.loads((ROOT / "backends" / backend / "checks.json").read_text())
    device = checks.get("device")
    python = build(named(triton, "get-kernel-check-python").path) / "bin" / "python3"
    done = subprocess.run(
        [python, "-B", "-c", TRY, json.dumps(device) if device else "", *asked],
        env={**os.environ, "PYTHONPATH": str(ROOT / "python/src")},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


@pytest.mark.parametrize("backend", ASKED)
def test_who_asks_what_the_gpu_is_gets_an_answer(triton: str, backend: str) -> None:
    asked = ASKED[backend]
    assert dict(zip(asked, ask(triton, backend, asked))) == dict.fromkeys(asked, "True")


def test_who_computes_on_it_does_not(triton: str) -> None:
    assert ask(triton, "cuda", REFUSED) == ["no GPU"] * len(REFUSED)


def test_a_kernel_for_the_processor_has_no_gpu_at_all(triton: str) -> None:
    asked = [question for question in ASKED["cuda"] if "available" not in question]
    assert ask(triton, "cpu", asked) == ["no GPU"] * len(asked)


# nanobind, a part of Triton, reports leaked objects at exit.
FAILS = """\
import atexit, sys
atexit.register(print, "leaked 64 types!", file=sys.stderr)
add_two
"""


def test_what_cannot_be_imported_is_told_why_and_nothing_else(tmp_path: Path) -> None:
    tiny = TinyKernel(tmp_path)
    tiny.write("build.toml", NOARCH)
    tiny.write("torch-ext/tiny/__init__.py", FAILS)
    drv = read_variant(tiny.folder, "torch-cpu").drv
    with pytest.raises(NixError):
        build(drv)
    said = read_log(named(drv, "-get-kernel-check").path)
    assert "found  NameError: name 'add_two' is not defined" in said
    assert said.rstrip().endswith("builds without this check")


def test_it_is_made_once_for_all_kernels(triton: str, tmp_path: Path) -> None:
    tiny = TinyKernel(tmp_path)
    text = NOARCH.replace('"tiny"', '"other"')
    tiny.write("build.toml", text)
    tiny.write("torch-ext/other/__init__.py", TUNED)
    other = read_variant(tmp_path, "torch-cpu").drv
    paths = {named(drv, "get-kernel-check-python-bytecode").path for drv in (triton, other)}
    assert len(paths) == 1
