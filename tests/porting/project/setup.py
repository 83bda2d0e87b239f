import os

import torch
from setuptools import find_packages, setup
from torch.utils.cpp_extension import CUDA_HOME, BuildExtension, CppExtension, CUDAExtension

here = os.path.dirname(os.path.abspath(__file__))
extension = CppExtension
sources = ["csrc/bindings.cpp", "csrc/fastnorm_cpu.cpp"]
macros = []
flags = {"cxx": ["-O3", "-fopenmp"]}

if torch.cuda.is_available() and CUDA_HOME is not None:
    extension = CUDAExtension
    sources.append("csrc/fastnorm_cuda.cu")
    macros.append(("WITH_CUDA", None))
    flags["nvcc"] = ["-O3", "--use_fast_math"]
    for target in ("80", "90"):
        flags["nvcc"] += ["-gencode", f"arch=compute_{target},code=sm_{target}"]

setup(
    name="fastnorm",
    packages=find_packages(),
    ext_modules=[
        extension(
            "fastnorm._C",
            sources,
            include_dirs=[os.path.join(here, "csrc")],
            define_macros=macros,
            extra_compile_args=flags,
        )
    ],
    cmdclass={"build_ext": BuildExtension},
)
