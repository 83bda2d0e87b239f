"""The kernel as a project of CMake and setuptools, as the output `project` of a variant tells it.

The flags are the plan's own. A package's folder stands in them as `@package@`; whoever writes a
file says what becomes of it.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from kernel_builder.api import render_ops
from kernel_builder.develop.files import read_text
from kernel_builder.kernel.builder import find_root
from kernel_builder.machine.files import list_files
from kernel_builder.machine.process import run
from kernel_builder.messages.errors import KernelBuilderError, Problem

TEMPLATES: Final = Path(__file__).parent / "project_files"
LANGUAGES: Final = {"gcc": "C", "g++": "CXX", "nvcc": "CUDA"}
# Packages of plans that are modules of Python: the module, its project, and what it is called.
MODULES: Final = {
    "torch": ("torch", "torch", "Torch"),
    "tvm-ffi": ("tvm_ffi", "apache-tvm-ffi", "TVM FFI"),
}
# Recognised where the kernel's Python files are gathered, which then makes its own.
MARK: Final = "# Made by kernel-builder create-pyproject; a build makes its own.\n"

_PACKAGE = re.compile(r"@([a-z][-a-z0-9_]*)@")

Project = Mapping[str, Any]


def make_project(project: Project, kernel: Path, place: Path) -> dict[str, str]:
    """Return the files of the project in `place`, by their names there."""
    files = make_files(project)
    if place != kernel:
        sources = dict.fromkeys(_list_sources(project, kernel))
        files.update({name: read_text(kernel / name) for name in sources})
    if project["units"]:
        # As the project's own program finds them.
        python = shutil.which("python3") or sys.executable
        # -c puts the current folder first among what is imported, and that may be a stranger's.
        program = files[f"{project['generatedFolder']}/find.py"]
        found = run([python, "-c", program], cwd=Path("/"))
        *folders, headers = found.stdout.strip().split(";")
        packages = list_modules(project)
        if found.status == 0 and len(folders) == len(packages):
            commands = _list_commands(project, place, dict(zip(packages, folders)), headers)
            files["compile_commands.json"] = json.dumps(commands, indent=2) + "\n"
    return files


def list_modules(project: Project) -> list[str]:
    """Return the packages that units or the link name and Python has."""
    words = [word for unit in project["units"] for word in unit["flags"]]
    named = set(_PACKAGE.findall("\n".join([*words, *project["linkArguments"]])))
    return [package for package in MODULES if package in named] if project["units"] else []


def make_files(project: Project) -> dict[str, str]:
    """Return the generated files, by their names in the kernel's folder."""
    used = {unit["compiler"] for unit in project["units"]}
    if unknown := used - set(LANGUAGES):
        found = f"units for {', '.join(sorted(unknown))}"
        fix = "choose another --variant; this backend is built with kernel-builder build"
        problem = Problem(project["variant"], found, f"units for {', '.join(LANGUAGES)}", fix)
        raise KernelBuilderError(f"no project can be made of {project['variant']}", [problem])
    extension, generated = project["extension"], project["generatedFolder"]
    packages = find_root() / "pkgs"
    package = project["pythonFolder"]
    folder = Path(package).parent
    framework = folder.name.removesuffix("-ext")
    operators = render_ops(
        extension if used else None, extension, framework=framework, file=project["file"]
    )
    render = _renderer({**project, "package": package, "folder": str(folder)})
    files = {
        "pyproject.toml": render("pyproject.toml"),
        f"{package}/_ops.py": MARK + operators,
    }
    if used:
        for name in ("registration.h", "name.c"):
            files[f"{generated}/{name}"] = read_text(packages / "compile/link-extension" / name)
        files[f"{generated}/find.py"] = render("find.py")
        files |= {name: render(name) for name in ("CMakeLists.txt", "setup.py")}
    return files


def _list_sources(project: Project, kernel: Path) -> Iterator[str]:
    """Yield the kernel's own files that a project in another folder needs."""
    for unit in project["units"]:
        yield from (unit["source"], *unit["headers"])
    endings = {f".{ending}" for ending in project["pyext"]}
    for folder, wanted in ((project["pythonFolder"], endings), ("tests", {".py"})):
        for name, path in list_files(kernel / folder).items() if (kernel / folder).is_dir() else ():
            if path.suffix in wanted and path.name != "_ops.py":
                yield f"{folder}/{name}"


def _list_commands(
    project: Project, place: Path, packages: Mapping[str, str], headers: str
) -> Iterable[Mapping[str, Any]]:
    """Return how each unit is compiled, for editors, with the packages that were found."""
    nvcc = shutil.which("nvcc")
    cuda = str(Path(nvcc).resolve().parents[1]) if nvcc else "/usr/local/cuda"
    return [
        {
            "directory": str(place),
            "file": unit["source"],
            "arguments": [
                unit["compiler"],
                *_fill_in(unit["flags"], lambda name: packages.get(name, cuda), headers),
                "-c",
                unit["source"],
            ],
        }
        for unit in project["units"]
    ]


def _fill_in(words: Iterable[str], folder_of: Callable[[str], str], python: str) -> list[str]:
    """Return words of the plan with folders in them: those of packages, and Python's headers."""
    # Python says itself where its headers are, under a folder of its version.
    known = [word.replace("@python@/include", python) for word in words]
    return [_PACKAGE.sub(lambda found: folder_of(found[1]), word) for word in known]


def _renderer(values: Project) -> Callable[[str], str]:
    """Return what fills in a template by its name."""
    import jinja2
    import tomlkit

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters.update(
        toml=lambda value: tomlkit.item(value).as_string(), cmake=_cmake, shell=_shell
    )
    # Whatever the units are, the link is C++, and the file that names the extension is C.
    used = {LANGUAGES[unit["compiler"]] for unit in values["units"]}
    languages = dict.fromkeys(["C", "CXX", *sorted(used)])
    pins = {"torch": f"torch=={values['torch']}"}
    modules = [
        {
            "variable": _variable(package),
            "name": MODULES[package][0],
            "title": MODULES[package][2],
            "project": pins.get(package, MODULES[package][1]),
        }
        for package in list_modules(values)
    ]
    return lambda name: environment.get_template(f"{name}.jinja").render(
        values, languages=languages, modules=modules
    )


def _cmake(words: Iterable[str]) -> list[str]:
    """Return words of the plan with CMake's variables for folders."""
    # Where a toolkit of the machine has its libraries, CMake knows.
    known = [word.replace("@cuda@/lib", "${CUDAToolkit_LIBRARY_DIR}") for word in words]
    return _fill_in(known, lambda name: f"${{{_variable(name)}}}", "${PYTHON}")


def _variable(package: str) -> str:
    """Return CMake's variable with the folder of a package; all of the toolkit is in one."""
    return package.upper().replace("-", "_") if package in MODULES else "CUDA"


def _shell(flags: Iterable[str]) -> str:
    """Return flags in one string, which CMake takes apart again: a list would lose repetitions."""
    lines: list[str] = []
    for flag in map(_quote, _cmake(flags)):
        if lines and lines[-1] == "-isystem":
            lines[-1] += f" {flag}"
        else:
            lines.append(flag)
    return " \\\n  ".join(lines)


def _quote(flag: str) -> str:
    """Return a flag as the shell reads it, within a string of CMake; folders become whole."""
    if flag.startswith("-I"):
        flag = f"-I${{KERNEL}}/{flag[2:]}" if flag != "-I." else "-I${KERNEL}"
    if "${" in flag:
        return f'\\"{flag}\\"'
    return shlex.quote(flag).replace("\\", "\\\\").replace('"', '\\"').replace("$", "\\$")
