"""Shells of variants whose Torch cannot be imported: they compile, and say so on entry.

Stand-ins take the place of the vendors' compilers and of Torch, whose hosts may be out of reach.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.evaluation import SYSTEM, build, evaluate, outputs_of
from tests.tiny_kernel import BUILD, TinyKernel

# A shell would read the quote.
REASON = "it's a stand-in"
STAND_INS = f"""overlays = [ (final: previous: let
  # For the Python of a variant, which its Torch decides.
  standInFor = torch: final.runStep {{
    name = "stand-in";
    outputs = [ "out" "dev" ];
    env = {{ inherit (final) busybox; inherit (torch) sitePackages; }};
    script = builtins.toFile "stand-in.sh" ''
      mkdir -p "$out/bin" "$out/$sitePackages/torch" "$dev"
      echo "raise ImportError('of another Python')" >"$out/$sitePackages/torch/__init__.py"
      for name in hipcc icpx; do
        printf '#!%s/bin/sh\\necho this is %s\\n' "$busybox" "$name" >"$out/bin/$name"
        chmod +x "$out/bin/$name"
      done
    '';
  }} // {{ depends = [ ]; }};
  standIn = standInFor final.python;
in {{
  torchWheel = build: standInFor (previous.torchWheel build);
  rocmToolkit = _: {{ hip = standIn; }};
  xpuToolkit = _: {{ sycl = standIn; }};
  importObstacle = _: "{REASON}";
}}) ];"""

# Prints what the vendor's compiler says and where CMake finds Torch, which it does not import.
LINE = """\
{compiler} && command -v g++ cmake kernel-builder &&
python -c 'import importlib.util as i; print(i.find_spec("torch").origin)' && exit 7"""


@pytest.mark.parametrize(
    ("backend", "compute", "compiler"),
    [("rocm", "torch211-cxx11-rocm71", "hipcc"), ("xpu", "torch213-cxx11-xpu20260", "icpx")],
)
def test_it_has_the_compilers(backend: str, compute: str, compiler: str, tmp_path: Path) -> None:
    tiny = TinyKernel(tmp_path)
    tiny.write("build.toml", BUILD.replace('"cpu"', json.dumps(backend)))
    outputs, variant = outputs_of(tiny.folder, STAND_INS), f"{compute}-{SYSTEM}"
    files = build(evaluate(f"({outputs}).devShells.{variant}.files.drvPath"))
    argv = [f"{files}/bin/enter", "bash", "-c", LINE.format(compiler=compiler)]
    done = subprocess.run(argv, cwd=tiny.folder, capture_output=True, text=True, check=False)
    assert done.returncode == 7, done.stderr
    said, *programs, torch = done.stdout.splitlines()
    assert said == f"this is {compiler}"
    assert len(programs) == 3
    assert torch.endswith("/torch/__init__.py")
    notice = f"this shell compiles for {variant}, but its Torch cannot be imported: {REASON}\n"
    assert done.stderr.count(notice) == 1


def test_the_tests_are_skipped_with_the_reason(tmp_path: Path) -> None:
    tiny = TinyKernel(tmp_path)
    tiny.write("build.toml", BUILD.replace('"cpu"', '"xpu"'))
    program = build(evaluate(f"({outputs_of(tiny.folder, STAND_INS)}).ci-test.drvPath"))
    argv = [f"{program}/bin/ci-test"]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert done.returncode == 69, done.stderr
    assert f"no tests for xpu: {REASON}\n" in done.stderr
