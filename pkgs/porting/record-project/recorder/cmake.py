"""Configures a CMake project, and reads its targets through CMake's File API. Nothing is compiled."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from running import LISTS

MODULES = Path(__file__).parent / "modules"
# Macros of CMake, and of Torch for whoever links it.
OWN = re.compile(r"\w+_EXPORTS(=.*)?|USE_(C10D\w*|DISTRIBUTED|RPC|TENSORPIPE)")
LIBRARIES = {"MODULE_LIBRARY", "SHARED_LIBRARY", "STATIC_LIBRARY", "OBJECT_LIBRARY"}


def install_cmake() -> Path:
    """Return cmake of its wheel, which starts with the loader of the store."""
    source = next(each for each in Path(os.environ["cmake_wheel"]).rglob("bin/cmake") if each.is_file())
    program = Path("/build/programs/bin/cmake")
    if not program.exists():
        program.parent.mkdir(parents=True)
        shutil.copyfile(source, program)
        program.chmod(0o755)
        subprocess.run(["patchelf", "--set-interpreter", os.environ["loader"], str(program)], check=True)
        Path("/build/programs/share").symlink_to(source.parents[1] / "share")
    return program


def configure(folder: Path, backend: str, definitions: "list[str]") -> "tuple[Path, str]":
    """Configure a folder as on a machine with one backend; return the build folder and an error."""
    cmake = install_cmake()
    build, nvcc = Path(f"/build/cmake-{backend}"), Path(os.environ["cuda_home"], "bin/nvcc")
    if backend == "cuda" and not nvcc.exists():
        # Some look for it, and run nothing.
        nvcc.parent.mkdir(parents=True, exist_ok=True)
        nvcc.touch(0o755)
    query = build / ".cmake/api/v1/query/codemodel-v2"
    query.parent.mkdir(parents=True)
    query.touch()
    done = subprocess.run(
        [
            *(str(cmake), "-S", str(folder), "-B", str(build), "-G", "Unix Makefiles", f"-DCMAKE_MAKE_PROGRAM={cmake}"),
            *(*definitions, f"-DRECORDED_CUDA={'ON' if backend == 'cuda' else 'OFF'}"),
            *(f"-DCMAKE_PROJECT_INCLUDE_BEFORE={MODULES}/recorder.cmake", "-DCMAKE_POLICY_VERSION_MINIMUM=3.5"),
            f"-DCMAKE_PROJECT_INCLUDE={MODULES}/features.cmake",
            *("-DCMAKE_C_COMPILER_FORCED=1", "-DCMAKE_CXX_COMPILER_FORCED=1", "-DCMAKE_BUILD_TYPE=Release"),
            *(f"-DCMAKE_PREFIX_PATH={os.environ['torch_cmake']}", f"-DRECORDED_PYTHON={sys.executable}"),
        ],
        env={**os.environ, "PATH": f"{nvcc.parent}:{os.environ['PATH']}"} if backend == "cuda" else None,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, errors="replace", check=False,
    )  # fmt: skip
    errors = done.stdout.partition("CMake Error")[2]
    return build, f"CMake Error {' '.join(errors.lstrip(':').split())[:300]}" if done.returncode else ""


def read_targets(project: Path, file: str, build: Path) -> "list[dict[str, Any]]":
    """Return the libraries of the project, which `file` describes, as extensions: one for each set of flags."""
    found: list[dict[str, Any]] = []
    for reply in sorted((build / ".cmake/api/v1/reply").glob("target-*.json")):
        target = json.loads(reply.read_text(encoding="utf-8"))
        places = [(project / file).parent / each["path"] for each in target.get("sources", [])]
        rows: list[dict[str, Any]] = []
        links = " ".join(each["fragment"] for each in target.get("link", {}).get("commandFragments", []))
        for group in target.get("compileGroups", []) if target["type"] in LIBRARIES else ():
            compiler = "nvcc" if group["language"] == "CUDA" else "cxx"
            row = next((each for each in rows if compiler not in each["flags"]), None)
            if row is None:
                row = {"name": target["name"], "place": f"{file}:1", **{key: [] for key in LISTS}, "flags": {}}
                row["extra_link_args"] = [each for each in links.split() if each.startswith("-l")]
                rows.append(row)
            parts = [part["fragment"] for part in group.get("compileCommandFragments", [])]
            macros = [f"-D{each['define']}" for each in group.get("defines", []) if not OWN.fullmatch(each["define"])]
            row["flags"][compiler] = [*macros, *shlex.split(" ".join(parts))]
            row["include_dirs"] += [each["path"] for each in group.get("includes", [])]
            row["sources"] += [places[each] for each in group["sourceIndexes"]]
        for row in rows:
            inside = [each for each in row["include_dirs"] if f"{each}/".startswith(f"{project}/")]
            row["include_dirs"] = [os.path.relpath(each, project) for each in dict.fromkeys(inside)]
            # Generated sources are below the build folder.
            bases = [(each, project if each.is_relative_to(project) else build) for each in row["sources"]]
            row["sources"] = [os.path.relpath(each, base) for each, base in bases]
            row["kind"] = "CUDAExtension" if "nvcc" in row["flags"] else "CppExtension"
        found += rows
    return found


def record(project: Path, words: "dict[str, Any]") -> "dict[str, Any]":
    """Return what a CMake project compiles, as on a machine with one backend."""
    definitions = [each for each in words.get("arguments", []) if each.startswith("-D")]
    build, error = configure((project / words["file"]).parent, words["backend"], definitions)
    return {**words, "error": error, "extensions": read_targets(project, words["file"], build), "setup": {}}
