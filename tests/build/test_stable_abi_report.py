"""The report on what keeps a kernel from Torch's stable ABI."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

from tests.derivation import named
from tests.evaluation import ROOT, build, call, read_variant
from tests.tiny_kernel import BINDING, TinyKernel

TOOL = ROOT / "tools" / "stable_abi_report"
BINDING_SOURCE = "torch-ext/torch_binding.cpp"
UNIT = """\
#include <ATen/core/Tensor.h>
#include <torch/csrc/stable/tensor.h>
// at::commented(tensor)
char const *text = "at::quoted";
at::Tensor first(at::Tensor const &x) {
  TORCH_CHECK(x.dim() == 1, "at::message");
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "first", [] {});
  torch::stable::Tensor const stable;
  torch::nn::Linear layer(1, 1);
  at::zeros(1);
  C10_HOST_DEVICE int count = x.options() == at::kFloat && c10::kStrided;
  use(torch::kMPS, at::kFBGEMM);
  return at::empty_like(x.contiguous());
}
"""
# Name, replacement, and the oldest Torch that has it.
EXPECTED = {
    "ATen/core/Tensor.h": ("<torch/csrc/stable/…> and <torch/headeronly/…>", None),
    "AT_DISPATCH_FLOATING_TYPES": ("THO_DISPATCH_V2", None),
    "TORCH_CHECK": ("STD_TORCH_CHECK", "2.9"),
    "TORCH_LIBRARY_EXPAND": ("STABLE_TORCH_LIBRARY_EXPAND", "2.9"),
    "at::Tensor": ("torch::stable::Tensor", "2.9"),
    "at::empty_like": ("torch::stable::empty_like", "2.9"),
    "at::kFBGEMM": (None, None),
    "c10::kStrided": ("torch::headeronly::Layout", None),
    "torch::kMPS": ("torch::headeronly::DeviceType", None),
    "at::kFloat": ("torch::headeronly::ScalarType", None),
    "at::zeros": ('torch_call_dispatcher("aten::zeros", …)', "2.10"),
    "contiguous": ("torch::stable::contiguous(tensor, …)", "2.10"),
    "options": ("torch::stable::new_empty(tensor, …)", "2.9"),
    "torch/library.h": ("<torch/csrc/stable/…> and <torch/headeronly/…>", None),
    "torch::nn::Linear": (None, None),
}


def run_report(folder: Path, *words: str) -> str:
    code = "import runpy, sys; sys.path[:0] = sys.argv[1:3]; del sys.argv[1:3]; "
    code += "runpy.run_module('stable_abi_report', run_name='__main__', alter_sys=True)"
    paths = (str(ROOT / "python/src"), str(ROOT / "tools"))
    return call(sys.executable, "-B", "-c", code, *paths, str(folder), *words).stdout


def test_each_name_has_its_replacement(tmp_path: Path) -> None:
    kernel = TinyKernel(tmp_path, {BINDING_SOURCE: BINDING + UNIT})
    report = json.loads(run_report(kernel.folder, "--json"))
    # One unit sees no Torch, so all variants for a compute platform share it already.
    assert report["variants"]["stable"] == 1
    assert report["compiles"] == {"now": report["variants"]["now"] + 1, "stable": 2}
    (unit,) = report["units"]
    found = {row["name"]: (row["replacement"], row["since"]) for row in unit["names"]}
    assert found == EXPECTED
    assert (unit["source"], unit["since"]) == (BINDING_SOURCE, "2.10")
    assert unit["withoutReplacement"] == ["at::kFBGEMM", "torch::nn::Linear"]
    (tensor,) = (row for row in unit["names"] if row["name"] == "at::Tensor")
    assert tensor["uses"] == 2
    table = run_report(kernel.folder)
    assert "| torch-ext/torch_binding.cpp | 15 | at::kFBGEMM, torch::nn::Linear | 2.10 |\n" in table
    assert "| `torch::nn::Linear` | name | none is known | any | 1 |\n" in table


def test_the_names_are_those_of_the_pinned_torch(tmp_path: Path) -> None:
    variant = read_variant(TinyKernel(tmp_path, {}).folder)
    headers = build(named(variant.drv, "headers-of-torch-2.13.0-cpu-wheel").path)
    argv = [sys.executable, str(TOOL / "stable_names.py"), f"{headers}/include", "2.13.0"]
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}/tools:{ROOT}/python/src"}
    said = subprocess.check_output(argv, text=True, env=environment)
    assert json.loads(said) == json.loads((TOOL / "tables" / "names.json").read_text())
    # Each constant of a device, a layout and a scalar type.
    constants = json.loads((TOOL / "tables" / "replacements.json").read_text())["constants"]
    include = headers / "include"
    core = (include / folder for folder in ("c10/core", "torch/headeronly/core"))
    text = "".join(file.read_text() for folder in core for file in folder.glob("*.h"))
    assert {*re.findall(r"constexpr DeviceType k(\w+)", text)} == {*constants["DeviceType"].split()}
    layouts = {*re.findall(r"constexpr auto k(\w+) = Layout::", text)}
    assert layouts == {*constants["Layout"].split()}
    text = (include / "torch/headeronly/core/ScalarType.h").read_text()
    # Lines of the macro's own parameters have no types.
    scalars = {*re.findall(r"\n  _\([\w:<>]+, ([A-Z][A-Za-z]*[a-z]\w*)\)", text)}
    assert scalars
    assert scalars <= {*constants["ScalarType"].split()}
