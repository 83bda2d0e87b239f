"""A backend that exists as Python only is a file in lib/backends and a line in the list."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.evaluation import ROOT, evaluate, path_of

TPU = """\
# Tensor processors: Python code only.
_: {
  systems = [ "x86_64-linux" ];
  host = "registry";
  preference = 9;
  compute = "tpu";
  isPresent = "[ -e /dev/accel0 ]";
}
"""
BUILD_TOML = """\
[general]
name = "tiny"
edition = 5
backends = ["tpu"]
tpu.python-depends = ["einops"]
[torch-noarch]
"""


def test_a_new_backend_needs_no_file_of_another(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "lib", tmp_path / "lib")
    backends = tmp_path / "lib" / "backends"
    (backends / "tpu.nix").write_text(TPU)
    listed = (backends / "default.nix").read_text()
    (backends / "default.nix").write_text(
        listed.replace("  files = {\n", "  files = {\n    tpu = ./tpu.nix;\n")
    )
    kernel = tmp_path / "kernel"
    (kernel / "torch-ext" / "tiny").mkdir(parents=True)
    (kernel / "torch-ext" / "tiny" / "__init__.py").write_text("")
    (kernel / "build.toml").write_text(BUILD_TOML)

    row = '{ torch = "2.13.0"; backend = "tpu"; systems = [ "x86_64-linux" ]; }'
    read = (
        f"(import {path_of(tmp_path / 'lib')}).kernel.readKernel {{ root = {path_of(kernel)}; "
        f"torchVersions = _: [ {row} ]; brought = [ ]; }}"
    )
    (variant,) = evaluate(f"({read}).variants")
    assert (variant["name"], variant["hosts"]) == (
        "torch-tpu",
        ["download.pytorch.org", "registry"],
    )
    assert variant["plan"]["units"] == []
    assert "tpu) [ -e /dev/accel0 ] ;;" in evaluate(
        f"(import {path_of(tmp_path / 'lib')}).presence.script"
    )
