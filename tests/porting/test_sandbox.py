"""`init --from` with its sandbox: build descriptions are run, and may do what they like."""

from __future__ import annotations

import difflib
import re
import shutil
from pathlib import Path

import pytest

from tests.cli.command_line import Cli
from tests.evaluation import ROOT

HERE = Path(__file__).parent


def init(cli: Cli, project: Path, *words: str) -> dict[str, str]:
    """Draft a kernel from a project; return the texts of its files."""
    done = cli(
        "init", "kernel", "--from", str(project), "--name", "me/pq", *words, "--builder", str(ROOT)
    )
    assert done.status == 0, done.stderr
    kernel = cli.folder / "kernel"
    return {
        path.relative_to(kernel).as_posix(): path.read_text()
        for path in kernel.rglob("*")
        if path.is_file() and ".git" not in path.parts
    }


def test_the_guide_shows_what_is_drafted(cli: Cli) -> None:
    project = cli.folder / "fastnorm"
    shutil.copytree(HERE / "project", project)
    drafted = init(cli, project)
    assert 'license = "mit"' in drafted["build.toml"]
    assert "porting.json" not in drafted
    page = (ROOT / "docs/guide/porting.md").read_text()
    config, *diffs = re.findall("```(?:toml|diff)\n(.*?)```", page, re.DOTALL)
    assert drafted["build.toml"].endswith(config.replace("kernel.fastnorm", "kernel.pq"))
    pairs = ("csrc/bindings.cpp",) * 2, ("fastnorm/__init__.py", "torch-ext/pq/__init__.py")
    for shown, (old, new) in zip(diffs, pairs, strict=True):
        lines = (project / old).read_text().splitlines(), drafted[new].splitlines()
        # The guide leaves lines out.
        diff = iter(difflib.unified_diff(*lines, lineterm="", n=0))
        assert [line for line in shown.splitlines() if line not in diff] == []
    done = cli("check-config", "kernel", "--builder", str(ROOT))
    assert "build.toml is right" in done.stdout, done.stderr
    words = ["--from", "fastnorm", "--name", "me/pq", "--builder", str(ROOT)]
    assert "itself is not changed" in cli("init", "fastnorm/kernel", *words).stderr


def test_descriptions_are_run(cli: Cli) -> None:
    """tests/porting/recorded lists sources in the ways that only running it can tell."""
    drafted = init(cli, HERE / "recorded", "--from-env", "MORE=1", "--from-option=--word")
    assert 'backends = ["cpu", "cuda"]' in drafted["build.toml"]
    cpu, cuda = drafted["build.toml"].split("[kernel.pq_cuda]")
    for name in "abcdefghjl":
        assert f'"csrc/{name}.cpp"' in cpu
    assert '"-DWORD=1", "-DMADE=1"' in cpu
    assert '"-DWORD=1", "-Dunix=1"' in cpu
    assert 'include = ["csrc"]' in cpu
    assert '"csrc/k.cu"' in cuda
    page = drafted["PORTING.md"]
    assert "the module strange_builder is not in the sandbox: a stand-in answered" in page
    assert "extra (csrc/h.cpp)" not in page, "it was given"
    assert "it reads MORE: give it by" in page
    assert "is no folder of the project" not in page
    assert "kept (csrc/i.cpp) is for those who set a variable: KEEP=TRUE, LEVEL=1 (--" in page
    assert "lens is drafted: it is there with --word, --lens: `setup.py" in page
    assert 'license = "mpl-2.0"' in drafted["build.toml"]


JIT = """import os, plain
from torch.utils.cpp_extension import load
here = os.path.dirname(os.path.abspath(__file__))
grid = load(name="grid", sources=[os.path.join(here, "grid.cpp")], extra_cflags=["-DX=2 -DY"])
"""
PLUGINS = """import os, shutil, torch.utils.cpp_extension
def get_plugin(name, sources):
    folder = torch.utils.cpp_extension._get_build_directory(name, verbose=False)
    copies = [shutil.copy(each, folder) for each in sources]
    torch.utils.cpp_extension.load(name=name, sources=copies, extra_cflags=["-DX=3"])
    return __import__(name)
"""
USES_PLUGINS = """import functools, os
from . import plugins
@functools.cache
def start():
    plugins.get_plugin("grid", [os.path.join(os.path.dirname(__file__), "grid.cpp")])
"""
CMAKE = """cmake_minimum_required(VERSION 3.18)
project(march LANGUAGES CXX)
set(TARGET march_module)
include(CheckLanguage)
check_language(CUDA)
if(CMAKE_CUDA_COMPILER)
  enable_language(CUDA)
  add_definitions(-DWITH_CUDA)
endif()
find_package(pybind11 CONFIG REQUIRED)
find_package(OpenMP)
find_package(Threads REQUIRED)
find_package(Torch CONFIG REQUIRED)
add_subdirectory(cxx)
"""
BELOW = """pybind11_add_module(${TARGET} a.cpp)
if(CMAKE_CUDA_COMPILER)
  target_sources(${TARGET} PRIVATE k.cu)
endif()
target_link_libraries(${TARGET} PRIVATE OpenMP::OpenMP_CXX ${TORCH_LIBRARIES} blas)
target_compile_definitions(${TARGET} PRIVATE STEPS=${STEPS})
target_compile_features(${TARGET} PRIVATE cxx_std_17)
target_compile_options(${TARGET} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:--use_fast_math>)
"""
CALLS_CMAKE = """import re
import subprocess
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
class Build(build_ext):
    def build_extension(self, extension):
        re.search("[0-9]", subprocess.check_output(["cmake", "--version"], text=True)).group()
        subprocess.check_call(["cmake", "../native", "-DSTEPS=4"], cwd="cxx")
setup(ext_modules=[Extension("m", []), Extension("n", ["cxx/x.c"])], cmdclass={"build_ext": Build})
"""
HOSTILE = """import glob, os, sys, socket, setuptools, time, torch
if not os.fork():
    os.setsid()
    time.sleep(1.5)
    while True:
        [open(file, "w").write("[]") for file in glob.glob("/build/run-*.json")]
print("@nix {}" * 1000)
open("written", "w").close()
if torch.version.cuda:
    os._exit(0)
if torch.version.hip:
    os.fork()
    os.kill(os.getpid(), 9)
if torch.xpu.is_available():
    " " * 2**40
if sys.platform == "darwin":
    open(os.environ["out"], "w").write("{}")
text = ""
try:
    socket.create_connection(("127.0.0.1", 80), 1)
except OSError:
    text = "no network"
assert not os.path.exists("/root") and not os.path.exists("/home"), "the machine's files"
p_C = setuptools.Extension("p_C", ["a.cpp"], define_macros=[("N", text)])
setuptools.setup(name="p", ext_modules=[p_C])
"""


def test_modules_that_compile_when_they_are_imported(cli: Cli) -> None:
    folder = cli.folder / "project" / "lib"
    folder.mkdir(parents=True)
    (folder / "grid.py").write_text(JIT)
    # The folder has no __init__.py.
    (folder / "rays.py").write_text("from . import grid\n" + JIT.replace("grid.cpp", "rays.cpp"))
    for name in ("grid.cpp", "rays.cpp", "plain.py"):
        (folder / name).write_text("")
    drafted = init(cli, folder.parent)
    flags = 'cxx-flags = ["-DX=2", "-DY"]\nsrc = ["lib/grid.cpp", "lib/rays.cpp"]'
    assert flags in drafted["build.toml"]
    assert "from ._ops import ops as grid" in drafted["torch-ext/pq/grid.py"]
    assert "from . import plain as plain" in drafted["torch-ext/pq/grid.py"]


def test_modules_that_compile_through_a_function_of_others(cli: Cli) -> None:
    """The function compiles copies of the sources, and needs arguments."""
    folder = cli.folder / "project" / "lib"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    (folder / "plugins.py").write_text(PLUGINS)
    (folder / "user.py").write_text(USES_PLUGINS)
    (folder / "grid.cpp").write_text("// the one\n")
    drafted = init(cli, folder.parent)
    assert 'cxx-flags = ["-DX=3"]\nsrc = ["lib/grid.cpp"]' in drafted["build.toml"]


def test_a_description_of_another_name(cli: Cli) -> None:
    """The first one compiles nothing."""
    folder = cli.folder / "project" / "lens" / "kernels"
    folder.mkdir(parents=True)
    text = "from setuptools import Extension, setup\nsetup(name='q', ext_modules=[{}])\n"
    (folder.parent.parent / "setup.py").write_text(text.format(""))
    (folder / "setup_cpu.py").write_text(text.format("Extension('q', ['a.cpp'])"))
    (folder / "a.cpp").write_text("")
    (folder / "setup_data.py").write_text("raise SystemExit('no description')\n")
    (folder / "setup_more.py").write_text(text.format(""))
    drafted = init(cli, folder.parent.parent)
    assert 'src = ["lens/kernels/a.cpp"]' in drafted["build.toml"]
    assert "setup_data" not in drafted["PORTING.md"].partition("## Not in")[0]
    assert "it was not run: draft what" in drafted["PORTING.md"]


@pytest.mark.parametrize("place", ["native/", ""])
def test_cmake_says_what_its_targets_are(place: str, cli: Cli) -> None:
    """setup.py may call it for another folder."""
    files = {
        f"{place}CMakeLists.txt": CMAKE,
        f"{place}cxx/CMakeLists.txt": BELOW,
        f"{place}cxx/a.cpp": "",
        f"{place}cxx/k.cu": "",
        **({"cxx/x.c": "", "setup.py": CALLS_CMAKE} if place else {}),
    }
    for name, text in files.items():
        path = cli.folder / "project" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text if place else text.replace("${STEPS}", "4"))
    drafted = init(cli, cli.folder / "project")
    cpu, _, cuda = drafted["build.toml"].partition("[kernel.pq_cuda]")
    assert "-lblas of march_module has no place" in drafted["porting.json"]
    assert ('"cxx/x.c"' in cpu) == bool(place)
    source = f"{place}cxx/a.cpp"
    assert f'cxx-flags = ["-DSTEPS=4", "-fopenmp"]\nsrc = ["{source}"]' in cpu
    assert f'src = ["{source}", "{place}cxx/k.cu"]' in cuda
    assert 'cxx-flags = ["-DSTEPS=4", "-DWITH_CUDA", "-fopenmp"]' in cuda
    assert 'cuda-flags = ["-DSTEPS=4", "-DWITH_CUDA", "--use_fast_math"]' in cuda


def test_hostile_descriptions(cli: Cli) -> None:
    folder = cli.folder / "project"
    folder.mkdir()
    (folder / "setup.py").write_text(HOSTILE)
    (folder / "a.cpp").write_text("")
    drafted = init(cli, folder)
    assert '"-DN=no network"' in drafted["build.toml"]
    assert not (folder / "written").exists()
