import os
import subprocess
import sys
from glob import iglob
from pathlib import Path

import strange_builder
import torch
from setuptools import Extension, setup
from torch.utils.cpp_extension import CUDA_HOME, BuildExtension, CppExtension, CUDAExtension, include_paths

here = os.path.dirname(os.path.abspath(__file__))
assert "release" in subprocess.check_output(["nvcc", "--version"], text=True)
assert "--word" in sys.argv
subprocess.check_call(["cmake", here])
assert not CUDA_HOME or Path(CUDA_HOME, "include", "cuda_runtime.h").is_file()


class Settings:
    sources = ["csrc/d.cpp"]


def walked(folder):
    return [
        os.path.join(where, name)
        for where, _, names in os.walk(folder)
        for name in names
        if name == "e.cpp"
    ]


def make(name, sources, **more):
    more.setdefault("extra_compile_args", {})["cxx"] = ["-DMADE=1"]
    return CppExtension(name, sources, **more)


extensions = [
    CppExtension(
        "a", [os.path.join(here, path) for path in iglob(os.path.join(here, "csrc", "a*.cpp"))]
    ),
    CppExtension("b", list(map(str, Path("csrc").rglob("b.cpp")))),
    CppExtension("c", Path("lists/c.txt").read_text().split()),
    CppExtension("d", Settings.sources),
    CppExtension("e", walked("csrc")),
    make("f", ["csrc/f.cpp"]),
]
if "--lens" in sys.argv[1:]:
    extensions.append(Extension("lens", ["csrc/g.cpp"]))
if os.environ.get("MORE", "0") == "1":
    extensions.append(CppExtension("extra", ["csrc/h.cpp"]))
kept = os.getenv("KEEP", "FALSE").upper() == "TRUE", os.environ.get("LEVEL", "off") != "off"
if all(kept):
    extensions.append(CppExtension("kept", ["csrc/i.cpp"]))
assert torch.has_cuda == torch.cuda.is_available()
if torch.cuda.is_available() and CUDA_HOME:
    extensions.append(CUDAExtension("k", ["csrc/k.cu"]))

os.environ["CPPFLAGS"] = "-DWORD=1"


class Build(BuildExtension):
    def build_extensions(self):
        self.extensions[0].extra_compile_args += [f"-D{self.compiler.compiler_type}=1"]
        self.extensions.append(CppExtension("l", ["csrc/l.cpp"]))


setup(ext_modules=[CppExtension("j", ["csrc/j.cpp"])])
setup(
    ext_modules=extensions,
    packages=[],
    include_dirs=[os.path.join(here, "csrc"), *include_paths()],
    cmdclass={"build_ext": strange_builder.wrap(Build)},
)
