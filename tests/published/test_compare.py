"""The comparison of published kernels: of tables, and of builds by two kernel-builders."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from published_kernels.adopting import AdoptionError, adopt_kernel
from published_kernels.comparing import HERE, TABLE, Place, compare_kernel
from published_kernels.records import Build, Record, find_worse, read_records, write_records
from published_kernels.running import describe_tests
from tests.evaluation import ROOT, VARIANT
from tests.tiny_kernel import ANSWER, FLAKE, TinyKernel

HEAD = """\
[general]
name = "tiny"
version = 1
edition = 5
license = "mit"
backends = [@backends@]
"""
TORCH = """
[torch]
src = ["torch-ext/torch_binding.cpp"]
"""
COMPONENT = """
[kernel.@backend@]
backend = "@backend@"
depends = ["torch"]
src = ["answer/answer.cpp"]
"""
ANY_FLAKE = """\
{
  outputs = { self, kernel-builder }: kernel-builder.lib.@entry@ {
    inherit self;
    path = ./.;
    @more@
  };
}
"""
COMPILED = ("cpu", "cuda", "metal", "rocm", "xpu")
# Each as published flakes have it.
ARM_WITHOUT_CPU = """
torchVersions = let isHere = row: system: !(row ? "cpu") || system == "x86_64-linux"; in
  builtins.map (row: row // { systems = builtins.filter (isHere row) row.systems; });
"""
OTHER_PTXAS = """
torchVersions = builtins.map (row:
  if (row.cudaVersion or null) == "12.6" then row // { ptxasVersion = "12.8"; } else row);
"""
NEW_XPU = """
torchVersions = builtins.filter (row:
  !(row ? xpuVersion) || builtins.compareVersions row.torchVersion "2.13" >= 0);
"""
TVM = """
[tvm-ffi]
src = ["answer/answer.cpp"]
"""
ONE_ROW = """
torchVersions = _: [
  { torchVersion = "2.12"; cudaVersion = "12.6"; systems = [ "x86_64-linux" ]; bundleBuild = true; }
  { torchVersion = "2.12"; xpuVersion = "2025.3.2"; systems = [ "x86_64-linux" ]; }
];
"""


def write(
    folder: Path,
    *,
    backends: tuple[str, ...] = COMPILED,
    frame: str = TORCH,
    more: str = "",
    entry: str = "genKernelFlakeOutputs",
    compiled: tuple[str, ...] | None = None,
) -> Path:
    """Write a kernel: its backends, those with a component, and what its flake says besides."""
    listed = ", ".join(json.dumps(backend) for backend in backends)
    components = backends if compiled is None else compiled
    parts = [HEAD.replace("@backends@", listed), frame]
    parts += [COMPONENT.replace("@backend@", backend) for backend in components]
    flake = ANY_FLAKE.replace("@entry@", entry).replace("@more@", more)
    text = "".join(parts)
    if frame == TVM:
        text = text.replace('"torch"', "")
    init = {"tvm-ffi-ext/tiny/__init__.py": ""} if frame == TVM else {}
    files = {"build.toml": text, "flake.nix": flake, **init}
    return TinyKernel(folder, files).folder


def names(places: tuple[Place, ...]) -> list[str]:
    return [place.name for place in places]


@pytest.mark.parametrize(
    ("kernel", "one"),
    [
        ({"entry": "genFlakeOutputs"}, "torch212-metal-aarch64-darwin"),
        ({"more": ARM_WITHOUT_CPU}, "torch213-cxx11-cpu-x86_64-linux"),
        ({"more": OTHER_PTXAS}, "torch213-cxx11-cu126-x86_64-linux"),
        ({"more": NEW_XPU}, "torch213-cxx11-xpu20260-x86_64-linux"),
        ({"more": ONE_ROW}, "torch212-cxx11-xpu20253-x86_64-linux"),
        ({"frame": f'{TORCH}stable-abi = "2.11"\n'}, "torch-stable-abi211-cpu-aarch64-linux"),
        (
            {"frame": f"{TORCH}stable-abi = {{ cuda = '2.11' }}\n"},
            "torch-stable-abi211-cu132-aarch64-linux",
        ),
        (
            {"frame": f'\n[general.cuda]\nminver = "13.0"\n{TORCH}'},
            "torch212-cxx11-cu130-x86_64-linux",
        ),
        ({"compiled": ("cpu",)}, "torch-cuda"),
        ({"frame": "\n[torch-noarch]\n", "compiled": ()}, "torch-metal"),
        ({"backends": ("cpu", "tpu"), "compiled": ("cpu",)}, "torch-tpu"),
    ],
)
def test_the_variants_are_the_same(kernel: dict[str, object], one: str, tmp_path: Path) -> None:
    found = compare_kernel(write(tmp_path, **kernel))  # type: ignore[arg-type]
    assert found.is_same, found
    assert one in names(found.shared)


def test_backends_that_the_other_table_lacks_are_extras(tmp_path: Path) -> None:
    frame = "\n[general.neuron]\npython-depends = ['nki']\n[torch-noarch]\n"
    kernel = write(tmp_path, backends=("cann", "cpu", "neuron"), frame=frame, compiled=())
    found = compare_kernel(kernel)
    assert found.is_same, found
    (others,) = (found.extras or {}).values()
    assert [str(place) for place in others] == [
        "torch-npu (aarch64-linux)",
        "torch-neuron (x86_64-linux)",
        "torch-npu (x86_64-linux)",
    ]


def test_kernels_for_tvm_ffi(tmp_path: Path) -> None:
    found = compare_kernel(write(tmp_path, backends=("cuda", "xpu"), frame=TVM))
    assert found.is_same, found
    assert "tvm-ffi01-cu132-aarch64-linux" in names(found.shared)
    others = (found.extras or {})["toolkits that their table has without TVM FFI"]
    assert names(others) == ["tvm-ffi01-xpu20260-x86_64-linux"]


def table_with(folder: Path, change: dict[str, object]) -> Path:
    """Write the table with another row for CUDA 13.2 of Torch 2.13."""
    table = json.loads(TABLE.read_text())
    (row,) = [row for row in table["rows"] if (row["torch"], row["toolkit"]) == ("2.13", "13.2")]
    row.update(change)
    file = folder / "other.json"
    file.write_text(json.dumps(table))
    return file


def test_each_difference_is_found(tmp_path: Path) -> None:
    kernel = write(tmp_path, backends=("cuda",))
    other = table_with(tmp_path, {"toolkit": "13.9", "systems": ["x86_64-linux"]})
    found = compare_kernel(kernel, other)
    assert not found.is_same
    assert names(found.missing) == ["torch213-cxx11-cu139-x86_64-linux"]
    assert names(found.unexplained) == [
        "torch213-cxx11-cu132-aarch64-linux",
        "torch213-cxx11-cu132-x86_64-linux",
    ]
    assert set(found.extras or {}) == {"older Torch", "newer Torch"}


def test_a_bundle_that_has_more_is_a_difference(tmp_path: Path) -> None:
    # The table of this tool is longer.
    more = """torchVersions = rows:
      map (row: row // { bundleBuild = builtins.length rows < 40; }) rows;"""
    found = compare_kernel(write(tmp_path, backends=("metal",), more=more))
    assert names(found.not_bundled) == [
        "torch212-metal-aarch64-darwin",
        "torch213-metal-aarch64-darwin",
    ]


def test_the_program_tells_differences(tmp_path: Path) -> None:
    write(tmp_path / "same", backends=("metal",))
    write(tmp_path / "wrong", backends=("metal",), frame="\n[torch]\nscr = []\n")
    argv = [sys.executable, str(HERE / "compare"), str(tmp_path)]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    same, wrong, total = done.stdout.splitlines()
    assert same == "same: 2 as there, 3 of older Torch, 2 of newer Torch"
    assert wrong.startswith("wrong: no comparison: wrong/build.toml cannot be built (2 problems);")
    assert total == "1 of 2 kernels have the same variants"
    assert done.returncode == 1, done.stderr


# The spelling in flakes of published kernels.
PUBLISHED = FLAKE.replace(str(ROOT), "github:huggingface/kernels")


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the program on a folder of kernels, with the records beside that folder."""
    records = folder.parent / "records.json"
    argv = [sys.executable, str(HERE / "run"), str(folder), "--expected", str(records), *words]
    return subprocess.run(argv, capture_output=True, text=True, check=False)


OWN_TEST = """\
import pytest
import tiny

@pytest.mark.kernels_ci
def test_answer():
    assert tiny.__name__ == "tiny"

@pytest.mark.kernels_ci
def test_on_a_gpu():
    pytest.skip("no GPU")
"""


@pytest.fixture
def kernels(tmp_path: Path) -> Path:
    """Return a folder with a kernel that builds, and one that does not compile."""
    folder = tmp_path / "kernels"
    TinyKernel(folder / "good", {"flake.nix": PUBLISHED, "tests/test_it.py": OWN_TEST})
    broken = {"flake.nix": PUBLISHED, "answer/answer.cpp": "#error no answer\n"}
    TinyKernel(folder / "broken", broken)
    return folder


def test_kernels_are_built_and_compared(kernels: Path) -> None:
    # There are no records of these kernels, so they have to build.
    first = run(kernels, "--build", "0", "--test", "--renew", "--commit", "a" * 40)
    assert first.returncode == 0, first.stderr
    assert f"at     broken {VARIANT}\n" in first.stderr
    assert "no answer" in first.stderr
    assert f"at     good {VARIANT}" not in first.stderr
    known = read_records(kernels.parent / "records.json")
    assert known.commit == "a" * 40
    states = {name: each.builds["cpu"].state for name, each in known.kernels.items()}
    assert states == {"broken": "failed", "good": "imported"}
    tested = {name: each.builds["cpu"].tested for name, each in known.kernels.items()}
    assert tested == {"broken": None, "good": "1 passed, 1 skipped"}
    # The author's folder is as it was.
    assert not list(kernels.glob("*/flake.lock"))
    assert (kernels / "good" / "flake.nix").read_text() == PUBLISHED

    # A kernel that was broken before is not worse, and a repaired kernel is better.
    gone = replace(known, kernels={**known.kernels, "gone": Record("gone")})
    write_records(kernels.parent / "records.json", gone)
    (kernels / "broken" / "answer" / "answer.cpp").write_text(ANSWER)
    (kernels / "good" / "build.toml").write_text("[general]\n")
    second = run(kernels, "--build", "0")
    assert second.returncode == 1, second.stdout
    assert f"better: broken {VARIANT} is imported now" in second.stdout
    assert "published kernels got worse (2 problems)" in second.stderr
    assert "at     good\n" in second.stderr
    assert "at     gone\n       found  no such folder" in second.stderr


def test_a_flake_whose_kernel_builder_cannot_be_replaced(kernels: Path, tmp_path: Path) -> None:
    flake = PUBLISHED.replace("inputs.kernel-builder.url", "inputs.kernel-builder.type")
    (kernels / "good" / "flake.nix").write_text(flake)
    with pytest.raises(AdoptionError, match="no input kernel-builder with a url is found"):
        adopt_kernel(kernels / "good", tmp_path / "copy", "git+file:///nowhere")


NO_GPU = "t.py:9: AssertionError: Torch not compiled with CUDA enabled\n"


@pytest.mark.parametrize(
    ("summary", "output", "told"),
    [
        ("10 failed, 10 passed, 2 warnings", 10 * NO_GPU, "10 need a GPU, 10 passed"),
        ("3 failed, 1 passed", NO_GPU, "2 failed, 1 need a GPU, 1 passed"),
        ("3 failed, 1 passed", "t.py:9: AssertionError: 1\n", "3 failed, 1 passed"),
        ("4 passed, 1 skipped, 1 warning", "", "4 passed, 1 skipped"),
    ],
)
def test_a_test_for_a_gpu_does_not_fail(summary: str, output: str, told: str) -> None:
    assert describe_tests(summary, output) == told


BUILT = Build(VARIANT, "imported", 30.0, 1000, tested="3 passed")
KNOWN = Record("k", None, (VARIANT, "torch-cuda"), {"cpu": 2}, {"a flag": 1}, {"cpu": BUILT})


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (replace(KNOWN, error="no"), "no"),
        (replace(KNOWN, variants=("torch-cuda", "torch-new")), VARIANT),
        (replace(KNOWN, whole={"a flag": 1, "another": 1}), "1 because of a flag; 1 because"),
        (replace(KNOWN, builds={"cpu": replace(BUILT, state="built")}), "built"),
        (replace(KNOWN, builds={"cpu": replace(BUILT, state="failed", error="x")}), "failed: x"),
        (replace(KNOWN, builds={"cpu": replace(BUILT, tested="1 failed, 2 passed")}), "1 failed"),
        (replace(KNOWN, builds={"cpu": replace(BUILT, tested="1 skipped, 1 error")}), "1 error"),
    ],
)
def test_each_way_to_get_worse(found: Record, said: str) -> None:
    (problem,) = find_worse(KNOWN, found)
    assert problem.at.startswith("k")
    assert said in problem.found
    assert find_worse(KNOWN, KNOWN) == find_worse(found, found) == []
