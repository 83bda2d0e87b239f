"""The translation of units to HIP, with hipify of the tests' own Torch: no file stays behind."""

import importlib.util
import os
import sys
from pathlib import Path

import pytest

from tests.evaluation import ROOT, call

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
