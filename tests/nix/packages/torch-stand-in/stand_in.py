"""Make the headers (`$dev`) and libraries (`$out`) of a replacement of Torch for ROCm, for compiling and linking."""

import contextlib
import io
import os
import shutil
import subprocess
import sys
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

env = os.environ
sys.path.insert(0, env["hipify"])
from hipify import hipify_python  # type: ignore[import-not-found]  # noqa: E402

SITE = "lib/python3.11/site-packages/torch/lib"
# The folders that Torch's own build translates.
FOLDERS = ("ATen/cuda", "ATen/native/cuda", "c10/cuda", "torch/csrc")
# The beginnings of C functions. HIP's part of Torch has those of CUDA's part, with the same names.
STABLE = ("aoti_torch_", "torch_")


def translate_headers() -> None:
    """Write the headers, with those of CUDA translated for HIP."""
    include = Path(env["dev"]) / "include"
    shutil.copytree(f"{env['headers']}/include", include)
    for path in [include, *include.rglob("*")]:
        path.chmod(0o755 if path.is_dir() else 0o644)
    files = [
        path for folder in FOLDERS for path in sorted((include / folder).rglob("*")) if path.suffix in (".h", ".cuh")
    ]
    with contextlib.redirect_stderr(io.StringIO()):
        hipify_python.hipify(
            project_directory=str(include),
            output_directory=str(include),
            includes=[f"{include}/{folder}/*" for folder in FOLDERS],
            extra_files=[str(path) for path in files],
            hipify_extra_files_only=True,
            hip_clang_launch=True,
            show_progress=False,
        )


def list_functions(library: Path) -> "list[str]":
    """Return the functions of a library that may be part of the stable ABI."""
    with library.open("rb") as file:
        table = ELFFile(file).get_section_by_name(".dynsym")
        assert isinstance(table, SymbolTableSection)
        return sorted(
            symbol.name
            for symbol in table.iter_symbols()
            if symbol["st_shndx"] != "SHN_UNDEF" and symbol.name.startswith(STABLE)
        )


def make_library(place: Path, functions: "list[str]") -> None:
    """Make a library of functions that do nothing."""
    text = "".join(f"int {name}(void) {{ return 1; }}\n" for name in functions)
    argv = ["gcc", "-O2", "-shared", "-fPIC", "-nostdlib", f"-Wl,-soname,{place.name}", "-Wl,--build-id=none"]
    subprocess.run([*argv, "-x", "c", "-", "-o", place], input=text, text=True, check=True)


translate_headers()
place = Path(env["out"]) / SITE
place.mkdir(parents=True)
for library in (Path(env["processor"]) / SITE).iterdir():
    (place / library.name).symlink_to(library)
make_library(place / "libtorch_hip.so", list_functions(Path(env["cuda"]) / SITE / "libtorch_cuda.so"))
make_library(place / "libc10_hip.so", [])
# Torch's wheel has this library without a number in its name.
runtime = place / "libamdhip64.so"
shutil.copyfile(f"{env['hip']}/lib/libamdhip64.so", runtime)
subprocess.run(["patchelf", "--set-soname", runtime.name, runtime], check=True)
