"""Derivations that compile a kernel for AMD GPUs, edits of it, and the translation of its files."""

import importlib.util
import os
import sys
from pathlib import Path

import pytest

from tests.evaluation import ROOT, NixError, call, evaluate, path_of
from tests.rocm.rocm_kernel import (
    SCALE,
    SCALE_SOURCE,
    SHIFT_SOURCE,
    STABLE,
    read_rocm,
    rocm_kernel,
    with_archs,
)


def test_a_unit_has_a_derivation_for_each_architecture_and_one_for_the_host(tmp_path: Path) -> None:
    variant = read_rocm(rocm_kernel(tmp_path).folder)
    for source in (SCALE_SOURCE, SHIFT_SOURCE):
        passes = variant.passes(source)
        assert sorted(passes) == ["gfx90a", "gfx942"]
        host = variant.part(source, ".host.o")
        assert host.env["targets"] == "--offload-host-only"
        assert "gfx" not in host.env["flags"]
        # hipify translates a unit once for all of its passes. Sources in HIP are not translated.
        trees = {item.env.get("translated") for item in (host, *passes.values())}
        assert len(trees) == 1
        assert (trees == {None}) == (source == SHIFT_SOURCE)


def test_another_architecture_leaves_the_other_parts_as_they_are(tmp_path: Path) -> None:
    before = read_rocm(rocm_kernel(tmp_path / "two").folder)
    archs = with_archs("gfx942", "gfx1100", "gfx90a")
    after = read_rocm(rocm_kernel(tmp_path / "three", **archs).folder)
    for source in (SCALE_SOURCE, SHIFT_SOURCE):
        old, new = before.passes(source), after.passes(source)
        assert set(new) - set(old) == {"gfx1100"}
        assert {name: new[name].path for name in old} == {
            name: item.path for name, item in old.items()
        }
        assert before.part(source, ".host.o").path == after.part(source, ".host.o").path


def test_an_edit_translates_and_compiles_one_unit(tmp_path: Path) -> None:
    kernel = rocm_kernel(tmp_path)
    before = read_rocm(kernel.folder)
    kernel.write(SCALE_SOURCE, SCALE.replace("255", "127"))
    after = read_rocm(kernel.folder)
    parts = [(s, e) for s in (SCALE_SOURCE, SHIFT_SOURCE) for e in (".host.o", ".fatbin.o")]
    changed = {p[0] for p in parts if before.part(*p).path != after.part(*p).path}
    assert changed == {SCALE_SOURCE}


def test_flags_that_tie_the_parts_make_one_derivation(tmp_path: Path) -> None:
    kernel = rocm_kernel(tmp_path, **{"hip-flags": '["-foffload-lto"]'})
    variant = read_rocm(kernel.folder)
    assert variant.unit(SCALE_SOURCE)["device"]["whole"].endswith(": -foffload-lto")
    whole = variant.part(SCALE_SOURCE, ".o")
    assert whole.env["targets"].splitlines() == ["--offload-arch=gfx90a", "--offload-arch=gfx942"]


def test_the_example_is_instantiated_for_every_release_of_its_torch() -> None:
    examples = f"import {path_of(ROOT / 'examples')} {{ self = import {path_of(ROOT)}; "
    rope = f'({examples} system = "x86_64-linux"; }}).rope.redistributable'
    found = evaluate(f"builtins.mapAttrs (_: variant: variant.drvPath) {rope}")
    names = {name for name in found if "-rocm" in name}
    assert names == {f"torch-stable-abi210-rocm{r}-x86_64-linux" for r in ("70", "71", "72")}


def test_debians_hip_is_refused_for_another_release(tmp_path: Path) -> None:
    kernel = rocm_kernel(tmp_path)
    with pytest.raises(NixError, match=r"no HIP of ROCm 7\.1(.|\n)*found +HIP 6\.4 and 7\.2"):
        read_rocm(kernel.folder, STABLE.replace("rocm72", "rocm71"))


TRANSLATE = ROOT / "backends/rocm/pkgs/compile-unit/translate.py"
SYNC = "inline void sync() { cudaDeviceSynchronize(); }\n"


def translate(folder: Path, files: dict[str, str | bytes], source: str) -> Path:
    """Translate a unit; return the folder with its files."""
    store = folder / "store"
    store.mkdir()
    lines = []
    for number, (name, content) in enumerate(files.items()):
        place = store / str(number)
        place.write_bytes(content.encode() if isinstance(content, str) else content)
        lines.append(f"{place} {name}")
    torch = importlib.util.find_spec("torch")
    assert torch is not None
    assert torch.origin
    listed = folder / "files"
    listed.write_text("\n".join([*lines, "folder src/empty"]))
    environment = {
        **os.environ,
        "out": str(folder / "out"),
        "hipify": str(Path(torch.origin).parent / "utils"),
        "source": source,
        "filesPath": str(listed),
        "flags": "-O3\n-I.\n-Iinclude",
    }
    call(sys.executable, TRANSLATE, env=environment)
    return folder / "out" / "kernel"


def read_included(folder: Path, file: str) -> str:
    """Return the text of a file with what it includes by quotes, as a preprocessor finds it."""
    text = ""
    for line in (folder / file).read_text(errors="replace").splitlines():
        if line.startswith("#") and line.rstrip().endswith('"') and "include" in line:
            name = line.split('"')[1]
            beside = os.path.normpath(Path(file).parent / name)
            found = beside if (folder / beside).is_file() else name
            text += read_included(folder, found) if (folder / found).is_file() else f"{line}\n"
        else:
            text += f"{line}\n"
    return text


ENDINGS = ("cuh", "h", "hh", "hpp", "hxx", "inc", "inl", "ipp", "tpp", "def", "h.in")


@pytest.mark.parametrize("folder", ["src/cuda", "build"])
def test_included_files_of_any_ending_are_translated(tmp_path: Path, folder: str) -> None:
    headers = [f"part.{ending}" for ending in ENDINGS] + ["part"]
    unit = "".join(f'#  include   "{name}"\n' for name in headers)
    files: dict[str, str | bytes] = {f"{folder}/{name}": SYNC for name in headers}
    out = translate(tmp_path, {f"{folder}/unit.cu": unit, **files}, f"{folder}/unit.cu")
    source = (tmp_path / "out" / "source").read_text().strip()
    text = read_included(out, source)
    assert text.count("hipDeviceSynchronize") == len(headers)
    assert "cuda" not in text
    assert (out / "src/empty").is_dir()


def test_a_file_that_a_macro_names_is_translated_wherever_it_is(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "src/cuda/unit.cu": "#define IMPL <impl.inl>\n#include IMPL\n",
        "include/impl.inl": SYNC,
    }
    out = translate(tmp_path, files, "src/cuda/unit.cu")
    assert "hipDeviceSynchronize" in read_included(out, "include/impl.inl")


def test_other_bytes_and_files_for_hip_stay(tmp_path: Path) -> None:
    data = b"cudaFree\0\r\n"
    unit = b'// gr\xf6\xdfer\n#include "part.h"\n#ifdef USE_ROCM\n#include "hip_sync.h"\n#endif\n'
    files: dict[str, str | bytes] = {
        "src/unit.cu": unit + b"void f() { cudaFree(0); }\n",
        "src/part.h": b"// \xe4\n" + SYNC.encode(),
        "src/data.bin": data,
        "src/cuda_sync.h": SYNC,
        "src/hip_sync.h": "inline void sync() { hipDeviceSynchronize(); /* ours */ }\n",
    }
    out = translate(tmp_path, files, "src/unit.cu")
    source = (tmp_path / "out" / "source").read_text().strip()
    assert b"// gr\xf6\xdfer\n" in (out / source).read_bytes()
    assert "hipFree" in (out / source).read_text(errors="replace")
    assert b"// \xe4\n" in (out / "src/part_hip.h").read_bytes()
    assert (out / "src/data.bin").read_bytes() == data
    assert "ours" in read_included(out, "src/hip_sync.h")
