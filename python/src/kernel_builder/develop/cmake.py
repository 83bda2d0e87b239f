"""Writes CMakeLists.txt: one object library for each unit, with the plan's flags and no others."""

from __future__ import annotations

import shlex

from kernel_builder.develop.plan import Project, Unit

HEAD = """\
# Made by kernel-builder create-pyproject from build.toml, for @variant@.
# Change build.toml and make it anew; kernel-builder clean-pyproject takes it away.
cmake_minimum_required(VERSION 3.26)
@before@project(@kernel@ LANGUAGES @languages@)

set(KERNEL "${CMAKE_CURRENT_SOURCE_DIR}")
# Where the extension goes: beside the Python files, so that they work where they are.
set(PACKAGE "${KERNEL}/@package@" CACHE PATH "The folder that the extension is put into")

# The Python that is first on the PATH (or Python_EXECUTABLE) has the Torch to build against.
find_package(Python 3.9 REQUIRED COMPONENTS Interpreter)
execute_process(
  COMMAND "${Python_EXECUTABLE}" "${KERNEL}/@generated@/find.py"
  OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
list(GET found 0 TORCH)
list(GET found 1 PYTHON)
@after@
add_library(@extension@ MODULE)

# unit(NAME SOURCE FLAGS): a file of the kernel, compiled with exactly these flags.
function(unit name source flags)
  add_library(${name} OBJECT "${source}")
  target_compile_options(${name} PRIVATE "${flags}")
  target_sources(@extension@ PRIVATE $<TARGET_OBJECTS:${name}>)
endfunction()
"""

CUDA_BEFORE = """\
# The units say themselves what they are compiled for.
set(CMAKE_CUDA_ARCHITECTURES OFF)
"""

CUDA_AFTER = """\
find_package(CUDAToolkit REQUIRED)
list(GET CUDAToolkit_INCLUDE_DIRS 0 CUDA_INCLUDE)
cmake_path(GET CUDA_INCLUDE PARENT_PATH CUDA)
"""

NAME = """
# The name of the extension, which units do not know while they are compiled.
target_sources(@extension@ PRIVATE "@generated@/name.c")
set_source_files_properties("@generated@/name.c" PROPERTIES
  COMPILE_DEFINITIONS "Py_LIMITED_API=0x03090000;EXTENSION_NAME=@extension@@module@"
  INCLUDE_DIRECTORIES "${PYTHON}")
"""

LINK = """
set_target_properties(@extension@ PROPERTIES
  PREFIX "" SUFFIX ".abi3.so" DEFINE_SYMBOL "" LINKER_LANGUAGE CXX SKIP_BUILD_RPATH TRUE
  POSITION_INDEPENDENT_CODE TRUE CUDA_RESOLVE_DEVICE_SYMBOLS OFF
  LIBRARY_OUTPUT_DIRECTORY "${PACKAGE}")
target_link_directories(@extension@ PRIVATE "${TORCH}/lib"@folders@)
target_link_options(@extension@ PRIVATE "LINKER:--as-needed")
target_link_libraries(@extension@ PRIVATE @libraries@ gomp)
"""

# Prints what CMake asks of Python: Torch's folder, and the one that Python's headers are in.
FIND = '''\
# Made by kernel-builder create-pyproject.
"""Print the folders of Torch and of Python's headers."""

import importlib.util
import os
import sys
import sysconfig

torch = importlib.util.find_spec("torch")
if torch is None or torch.origin is None:
    want = "pip install torch==@torch@, or use kernel-builder devshell"
    sys.exit(f"{sys.executable} has no Torch: {want}")
print(os.path.dirname(torch.origin), sysconfig.get_path("include"), sep=";")
'''


def write_cmake(project: Project) -> str:
    """Return CMakeLists.txt."""
    has_cuda = "CUDA" in project.languages
    values = {
        "variant": project.variant,
        "kernel": project.python_name,
        "languages": " ".join(project.languages),
        "package": project.package,
        "generated": project.generated,
        "extension": project.extension,
        "before": CUDA_BEFORE if has_cuda else "",
        "after": CUDA_AFTER if has_cuda else "",
        "module": ";EXTENSION_MODULE" if project.has_late_module else "",
        "folders": ' "${CUDAToolkit_LIBRARY_DIR}"' if has_cuda else "",
        "libraries": " ".join(project.libraries),
    }
    parts = [HEAD]
    parts += [_write_unit(number, unit) for number, unit in enumerate(project.units)]
    if project.is_late:
        parts.append(NAME)
    parts.append(LINK)
    text = "".join(parts)
    for name, value in values.items():
        text = text.replace(f"@{name}@", value)
    return text


def write_find(project: Project) -> str:
    """Return the program by which CMake finds Torch."""
    return FIND.replace("@torch@", project.torch)


def _write_unit(number: int, unit: Unit) -> str:
    # In one string, since CMake would drop what is said twice; SHELL: takes it apart again.
    quoted = [_quote(flag) for flag in unit.expand(_folder_of, "${PYTHON}")]
    flags = " \\\n  ".join(_join_pairs(quoted))
    return f'\nunit(unit{number} "{unit.source}" "SHELL: \\\n  {flags}")\n'


def _folder_of(package: str) -> str:
    return "${TORCH}" if package == "torch" else "${CUDA}"


def _join_pairs(flags: list[str]) -> list[str]:
    """Return the flags with each `-isystem` and its folder as one."""
    joined: list[str] = []
    for flag in flags:
        if joined and joined[-1] == "-isystem":
            joined[-1] = f"-isystem {flag}"
        else:
            joined.append(flag)
    return joined


def _quote(flag: str) -> str:
    """Return a flag as the shell reads it, within a string of CMake; folders become whole."""
    if flag.startswith("-I"):
        flag = f"-I${{KERNEL}}/{flag[2:]}" if flag != "-I." else "-I${KERNEL}"
    if "${" in flag:
        return f'\\"{flag}\\"'
    return shlex.quote(flag).replace("\\", "\\\\").replace('"', '\\"').replace("$", "\\$")
