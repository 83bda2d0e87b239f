"""Writes what pip reads: pyproject.toml, and setup.py, which calls CMake."""

from __future__ import annotations

import json

from kernel_builder.develop.plan import Project

PYPROJECT = """\
# Made by kernel-builder create-pyproject from build.toml, for @variant@.
# To work on the kernel: pip install --no-build-isolation -e .
[build-system]
requires = [@requires@]
build-backend = "setuptools.build_meta"

[project]
name = @name@
version = "@version@"
@license@requires-python = ">=3.9"
dependencies = [@depends@]

[tool.setuptools]
package-dir = { "" = "torch-ext" }

[tool.setuptools.packages.find]
where = ["torch-ext"]
include = ["@python_name@", "@python_name@.*"]

[tool.setuptools.package-data]
"*" = [@data@]

[tool.pytest.ini_options]
testpaths = ["tests"]
markers = ["kernels_ci: the fast tests, which `nix run .#ci-test` runs on the built kernel"]
"""

SETUP = '''\
# Made by kernel-builder create-pyproject.
"""Builds the extension with CMake; all else is in pyproject.toml."""

import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext


class CMakeBuild(build_ext):
    """Has CMake put the extension where setuptools looks for it."""

    def build_extension(self, ext):
        root = Path(__file__).resolve().parent
        package = Path(self.get_ext_fullpath(ext.name)).resolve().parent
        # Each Python has a Torch of its own.
        build = root / "build-ext" / f"pip-{sys.implementation.cache_tag}"
        options = [f"-DPython_EXECUTABLE={sys.executable}", f"-DPACKAGE={package}"]
        subprocess.run(["cmake", "-S", root, "-B", build, "-G", "Ninja", *options], check=True)
        subprocess.run(["cmake", "--build", build], check=True)


setup(
    ext_modules=[Extension("@python_name@.@extension@", sources=[], py_limited_api=True)],
    cmdclass={"build_ext": CMakeBuild},
)
'''


def write_pyproject(project: Project) -> str:
    """Return pyproject.toml."""
    requires = ["setuptools>=61"]
    if project.units:
        requires += ["cmake>=3.26", "ninja", f"torch=={project.torch}"]
    data = [f"*.{ending}" for ending in project.pyext if ending != "py"]
    license_line = f"license = {{ text = {json.dumps(project.license)} }}\n"
    values = {
        "variant": project.variant,
        "name": json.dumps(project.kernel),
        "version": str(project.version),
        "license": license_line if project.license else "",
        "requires": _list(requires),
        "depends": _list(["torch", *project.depends]),
        "python_name": project.python_name,
        "data": _list([*data, "*.so"]),
    }
    return _fill(PYPROJECT, values)


def write_setup(project: Project) -> str:
    """Return setup.py."""
    return _fill(SETUP, {"python_name": project.python_name, "extension": project.extension})


def _list(words: list[str]) -> str:
    return ", ".join(json.dumps(word) for word in words)


def _fill(text: str, values: dict[str, str]) -> str:
    for name, value in values.items():
        text = text.replace(f"@{name}@", value)
    return text
