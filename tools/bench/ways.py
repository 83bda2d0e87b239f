"""Ways to build a kernel: kernel-builder, CMake, Torch's extension of setuptools.

All have the compilers, the Torch and the tools of the kernel's development shell, and as many jobs.
Projects and folders that a way needs are made before the measurement.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path

from bench.kernels import CPP, CUDA, HEADER, NAME, Kernel
from bench.measuring import CORES, Cost, FailedError, measure, measure_import
from tests.evaluation import ROOT

OURS = "kernel-builder"
CMAKE = "CMake + ninja"
EXTENSION = "cpp_extension"
IMPORTED = "CMake + ninja + import"
EXTENSION_IMPORTED = "cpp_extension + import"
CCACHE = "CMake + ccache"
SCCACHE = "CMake + sccache"
BY_HAND = "venv + pip + cpp_extension"

LANGUAGES = ("C", "CXX", "CUDA")

# The environment of a variant's development shell.
Shells = Callable[[str], Mapping[str, str]]
# setuptools does not see changes of files that are not in `depends`.
SETUP = """\
# For @variant@.
import os

from setuptools import setup
from torch.utils import cpp_extension

os.environ["TORCH_CUDA_ARCH_LIST"] = "@capabilities@"
flags = ["-O3", "-DNDEBUG", "-g0"]
setup(
    name="@name@",
    ext_modules=[
        cpp_extension.@extension@(
            "@name@",
            @sources@,
            include_dirs=["@registration@"],
            extra_compile_args={"cxx": flags, "nvcc": ["-O3", "-DNDEBUG"]},
            depends=[__file__, "@header@"],
        )
    ],
    cmdclass={"build_ext": cpp_extension.BuildExtension},
)
"""


def kernel_builder(*words: str) -> list[str]:
    """Return the command line of this checkout."""
    return [str(ROOT / "python/bin/kernel-builder"), *words]


class Ours:
    """`kernel-builder build`: from the command to checked variants.

    `within` is put in front of the command, for another machine than this.
    """

    def __init__(self, within: Sequence[str] = (), options: Sequence[str] = ()) -> None:
        self.within, self.options = within, options

    def build(self, folder: Path) -> Cost:
        """Build all variants of the kernel in a folder."""
        limits = ["--max-jobs", str(CORES), "--cores", "1"]
        # -v: a line for each step that starts. `measure` counts them.
        words = ["build", str(folder), "-v", "--require-all", *limits, *self.options]
        return measure([*self.within, *kernel_builder(*words)])


class Project:
    """The common part of the other ways: a folder for each variant, and the shell to build in."""

    name: str

    def __init__(self, shells: Shells) -> None:
        self.shells = shells

    def folder(self, kernel: Kernel, variant: str) -> Path:
        """Return the folder of a variant's project."""
        return kernel.folder.parent / f"{kernel.folder.name}-{type(self).__name__}-{variant}"

    def prepare(self, kernel: Kernel, variants: Sequence[str]) -> None:
        """Make the projects, or change them to what the kernel says now."""
        for variant in variants:
            folder = self.folder(kernel, variant)
            if folder not in kernel.copies:
                kernel.copies.append(folder)
            self.write(kernel, folder, variant)

    def write(self, kernel: Kernel, folder: Path, variant: str) -> None:
        """Make one project."""
        raise NotImplementedError

    def build(self, kernel: Kernel, variants: Sequence[str]) -> Cost:
        """Build one variant after the other, as each has a Torch and a folder of its own."""
        cost = Cost(0, 0, 0)
        for variant in variants:
            folder = self.folder(kernel, variant)
            environment = {**self.shells(variant), "MAX_JOBS": str(CORES)}
            for argv in self.commands(folder):
                cost += measure(argv, cwd=folder, env={**environment, **self.variables(kernel)})
            assert list(folder.rglob("*.so")), f"{self.name} made no extension in {folder}"
        return cost

    def import_made(self, kernel: Kernel, variants: Sequence[str]) -> Cost:
        """Import Torch and load the built extensions, as a build by kernel-builder does."""
        cost = Cost(0, 0, 0)
        for variant in variants:
            (extension,) = (self.folder(kernel, variant) / "made").rglob("*.so")
            load = f"import torch; torch.ops.load_library({str(extension)!r})"
            cost += measure_import(load, self.shells(variant))
        return cost

    def commands(self, folder: Path) -> list[list[str]]:
        """Return what builds the project in its present state."""
        raise NotImplementedError

    def variables(self, kernel: Kernel) -> Mapping[str, str]:
        """Return what the environment has besides the shell's."""
        del kernel
        return {}


class CMake(Project):
    """CMake and ninja, with the project that `create-pyproject` makes: a build's own flags."""

    name = CMAKE
    # The program before a compiler.
    launcher: Path | None = None

    def write(self, kernel: Kernel, folder: Path, variant: str) -> None:
        """Make one project."""
        words = (
            "create-pyproject",
            str(kernel.folder),
            str(folder),
            "--variant",
            variant,
            "--force",
        )
        measure(kernel_builder(*words))

    def commands(self, folder: Path) -> list[list[str]]:
        """Configure once; ninja knows when that has to be done again."""
        configure = ["cmake", "-B", "build-ext", "-G", "Ninja", f"-DPACKAGE={folder}/made"]
        if self.launcher:
            configure += [f"-DCMAKE_{name}_COMPILER_LAUNCHER={self.launcher}" for name in LANGUAGES]
        build = ["cmake", "--build", "build-ext", "--parallel", str(CORES)]
        return [build] if (folder / "build-ext").exists() else [configure, build]


class WithCache(CMake):
    """CMake and ninja with a cache of objects, which another machine may have, too."""

    program: str

    def __init__(self, shells: Shells, programs: Path) -> None:
        super().__init__(shells)
        self.programs, self.launcher = programs, programs / "bin" / self.program

    def prepare(self, kernel: Kernel, variants: Sequence[str]) -> None:
        """Install the programs, too, if that was not done."""
        if not self.programs.exists():
            install_caches(self.programs)
        super().prepare(kernel, variants)

    def variables(self, kernel: Kernel) -> Mapping[str, str]:
        """Name the cache, which is empty at first."""
        return {f"{self.program.upper()}_DIR": str(kernel.folder.parent / self.program)}

    def build_elsewhere(self, kernel: Kernel, variants: Sequence[str]) -> Cost:
        """Build with nothing but the cache, as another machine does that has the same paths."""
        for variant in variants:
            shutil.rmtree(self.folder(kernel, variant) / "build-ext")
        return self.build(kernel, variants)


class CCache(WithCache):
    """ccache, as it is by default."""

    name = CCACHE
    program = "ccache"


class SCCache(WithCache):
    """sccache, as it is by default. Its server, which compiles, lives as long as a command."""

    name = SCCACHE
    program = "sccache"

    def variables(self, kernel: Kernel) -> Mapping[str, str]:
        """Name the server's socket, too."""
        socket = str(kernel.folder.parent / "sccache.socket")
        return {**super().variables(kernel), "SCCACHE_SERVER_UDS": socket}

    def commands(self, folder: Path) -> list[list[str]]:
        """Run the server beside each command, so that its work is counted."""
        start = f"SCCACHE_START_SERVER=1 SCCACHE_NO_DAEMON=1 {self.launcher} & "
        ready = 'until [ -S "$SCCACHE_SERVER_UDS" ]; do sleep 0.01; done; '
        stop = f'"$@"; status=$?; {self.launcher} --stop-server; wait; exit $status'
        within = ["sh", "-c", start + ready + stop, "sh"]
        return [[*within, *argv] for argv in super().commands(folder)]


def install_caches(folder: Path) -> None:
    """Install ccache and sccache in a folder, with the machine's own pip."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    pip = ["pip", "--python", str(folder / "bin/python"), "install", "--quiet", "--require-hashes"]
    requirements = Path(__file__).parent / "requirements.txt"
    subprocess.run([*pip, "--requirement", str(requirements)], check=True)


class CppExtension(Project):
    """`torch.utils.cpp_extension` with ninja, as a setup.py uses it."""

    name = EXTENSION

    def write(self, kernel: Kernel, folder: Path, variant: str) -> None:
        """Make one project."""
        if not folder.exists():
            for name in (*kernel.all_sources, HEADER):
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_text((kernel.folder / name).read_text())
        values = {
            "variant": variant,
            "name": NAME,
            "extension": "CUDAExtension" if kernel.kind is CUDA else "CppExtension",
            "capabilities": " ".join(kernel.capabilities),
            "sources": repr(kernel.all_sources),
            "registration": str(ROOT / "pkgs/compile/link-extension"),
            "header": HEADER,
        }
        text = SETUP
        for key, value in values.items():
            text = text.replace(f"@{key}@", value)
        setup = folder / "setup.py"
        if not setup.exists() or setup.read_text() != text:
            setup.write_text(text)

    def commands(self, folder: Path) -> list[list[str]]:
        """Build in the folder that was used before."""
        into = [f"--build-temp={folder}/build", f"--build-lib={folder}/made"]
        return [["python", "setup.py", "build_ext", *into]]


def shells_in(folder: Path) -> Shells:
    """Return what gives the environments of shells; each is made once, for a kernel in `folder`."""

    @cache
    def enter(variant: str) -> Mapping[str, str]:
        kernel = Kernel(folder / variant, CPP, 1, [variant])
        kernel.write_all("")
        words = ("devshell", str(kernel.folder), "--variant", variant, "-c", "env -0")
        ran = subprocess.run(kernel_builder(*words), check=False, capture_output=True, text=True)
        if ran.returncode:
            raise FailedError(f"{' '.join(words)}\n{ran.stderr}")
        return dict(line.split("=", 1) for line in ran.stdout.split("\0") if line)

    return enter


def others_in(folder: Path) -> list[Project]:
    """Return the ways besides ours; what they share lies in a folder."""
    shells, programs = shells_in(folder / "shells"), folder / "programs"
    caching = [CCache(shells, programs), SCCache(shells, programs)]
    return [CMake(shells), CppExtension(shells), *caching]
