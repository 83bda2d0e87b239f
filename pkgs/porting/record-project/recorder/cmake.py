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

MODULES = Path(__file__).parent / "modules"
# Macros of CMake, and of Torch for whoever links it.
OWN = re.compile(r"\w+_EXPORTS|USE_(C10D\w*|DISTRIBUTED|RPC|TENSORPIPE)")
UNUSED = ["undef_macros", "libraries", "library_dirs", "runtime_library_dirs", "extra_objects", "extra_link_args"]
HEADERS = (".h", ".hpp", ".cuh")
LIBRARIES = {"MODULE_LIBRARY", "SHARED_LIBRARY", "STATIC_LIBRARY", "OBJECT_LIBRARY"}


def install_programs() -> "tuple[Path, Path]":
    """Return cmake and ninja of their wheels, which start with the loader of the store."""
    places = []
    for name in ("cmake", "ninja"):
        program = Path("/build/programs", name, "bin", name)
        program.parent.mkdir(parents=True, exist_ok=True)
        source = next(each for each in Path(os.environ[f"{name}_wheel"]).rglob(f"bin/{name}") if each.is_file())
        shutil.copyfile(source, program)
        program.chmod(0o755)
        subprocess.run(["patchelf", "--set-interpreter", os.environ["loader"], str(program)], check=True)
        share, link = source.parents[1] / "share", program.parents[1] / "share"
        if share.is_dir() and not link.exists():
            link.symlink_to(share)
        places.append(program)
    return places[0], places[1]


def configure(project: Path, backend: str, definitions: "list[str]") -> "tuple[Path, str]":
    """Configure the project below a project of our own; return the build folder and an error."""
    cmake, ninja = install_programs()
    build = Path(f"/build/cmake-{backend}")
    query = build / ".cmake/api/v1/query/codemodel-v2"
    query.parent.mkdir(parents=True)
    query.touch()
    done = subprocess.run(
        [
            *(str(cmake), "-S", str(MODULES), "-B", str(build), "-G", "Ninja", f"-DCMAKE_MAKE_PROGRAM={ninja}"),
            *(f"-DRECORDED={project}", f"-DRECORDED_CUDA={'ON' if backend == 'cuda' else 'OFF'}"),
            *("-DCMAKE_C_COMPILER_FORCED=1", "-DCMAKE_CXX_COMPILER_FORCED=1", "-DCMAKE_BUILD_TYPE=Release"),
            *(f"-DCMAKE_PREFIX_PATH={os.environ['torch_cmake']}", f"-DRECORDED_PYTHON={sys.executable}"),
            *definitions,
        ],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    errors = done.stdout.partition("CMake Error")[2]
    return build, f"CMake Error{' '.join(errors.split())[:300]}" if done.returncode else ""


def read_targets(project: Path, build: Path) -> "list[dict[str, Any]]":
    """Return the libraries of the project as extensions."""
    found = []
    for file in sorted((build / ".cmake/api/v1/reply").glob("target-*.json")):
        target = json.loads(file.read_text(encoding="utf-8"))
        sources = [Path(each["path"]) for each in target.get("sources", []) if not each.get("isGenerated")]
        inside = [each for each in sources if str(each).startswith(f"{project}/")]
        if target["type"] not in LIBRARIES or not inside:
            continue
        groups = target.get("compileGroups", [])
        words = [
            word
            for group in groups[:1]
            for part in group.get("compileCommandFragments", [])
            for word in shlex.split(part["fragment"])
        ]
        macros = [each["define"] for group in groups[:1] for each in group.get("defines", [])]
        macros = [each for each in macros if not OWN.fullmatch(each)]
        folders = [each["path"] for group in groups[:1] for each in group.get("includes", [])]
        suffixes = {each.suffix for each in inside}
        found.append(
            {
                "kind": "CUDAExtension" if ".cu" in suffixes else "CppExtension",
                "name": target["name"],
                "place": "CMakeLists.txt:1",
                "sources": [
                    str(each.relative_to(project)) for each in inside if each.suffix not in (".h", ".hpp", ".cuh")
                ],
                "include_dirs": [os.path.relpath(each, project) for each in folders if each.startswith(str(project))],
                "define_macros": [each.split("=", 1) for each in macros],
                "flags": {"cxx": words},
                **{key: [] for key in UNUSED},
            }
        )
    return found


def record(project: Path, words: "dict[str, Any]") -> "dict[str, Any]":
    """Return what a CMake project compiles, as on a machine with one backend."""
    definitions = [each for each in words.get("arguments", []) if each.startswith("-D")]
    build, error = configure(project, words["backend"], definitions)
    return {**words, "error": error, "extensions": read_targets(project, build), "setup": {}}
