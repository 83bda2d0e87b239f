"""Kernels that are just large enough for one question: a unit with Torch, one without, a module.

The unit with Torch is the same text for all of them unless a test changes it, so that it is
compiled once for a whole run of the tests.
"""

import subprocess
from collections.abc import Mapping
from pathlib import Path

from tests.evaluation import ROOT

BUILD = """\
[general]
name = "tiny"
version = 1
edition = 5
license = "mit"
backends = ["cpu"]

[torch]
src = ["torch-ext/torch_binding.cpp"]

[kernel.answer]
backend = "cpu"
depends = ["torch"]
include = ["include"]
src = ["answer/answer.cpp"]
"""


def head_for(backend: str) -> str:
    """Return the first sections of a build.toml for another backend."""
    return BUILD.partition("[kernel.")[0].replace("cpu", backend)


# A kernel of Python alone.
NOARCH = f"{BUILD.partition('[torch]')[0]}[torch-noarch]\n"

BINDING = """\
#include <torch/library.h>

#include "../answer/answer.h"
#include "registration.h"

TORCH_LIBRARY_EXPAND(TORCH_EXTENSION_NAME, ops) { ops.def("answer() -> int", &answer); }

REGISTER_EXTENSION(TORCH_EXTENSION_NAME)
"""

HEADER = """\
#pragma once
#include <cstdint>
int64_t answer();
"""

ANSWER = """\
#include "answer.h"
#include "number.h"
int64_t answer() { return NUMBER; }
"""

NUMBER = "#define NUMBER 42\n"

MODULE = """\
from ._ops import ops


def answer() -> int:
    return ops.answer()
"""

# One for a kernel-builder that is not published: what stands at @root@.
FLAKE = """\
{
  inputs.kernel-builder.url = "@root@";
  outputs = { self, kernel-builder }: kernel-builder.lib.genKernelFlakeOutputs {
    inherit self;
    path = ./.;
    torchVersions = _: kernel-builder.lib.torchVersions.fromRegistries;
  };
}
""".replace("@root@", str(ROOT))

FILES = {
    "build.toml": BUILD,
    "torch-ext/torch_binding.cpp": BINDING,
    "torch-ext/tiny/__init__.py": MODULE,
    "answer/answer.h": HEADER,
    "answer/answer.cpp": ANSWER,
    "include/number.h": NUMBER,
}


def write_files(folder: Path, files: Mapping[str, str]) -> Path:
    """Write files by their paths below a folder, which is returned, and the folders above them."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


class TinyKernel:
    """A kernel in a folder, with files that a test may write anew."""

    def __init__(self, folder: Path, files: dict[str, str] | None = None) -> None:
        self.folder = write_files(folder, {**FILES, **(files or {})})

    def write(self, name: str, text: str) -> None:
        """Write a file, and the folders above it."""
        write_files(self.folder, {name: text})


def edit(file: Path) -> None:
    """Change a file's content, but not what it means: a comment more."""
    comment = "# edited" if file.suffix in (".py", ".toml", ".md") else "// edited"
    file.write_text(f"{file.read_text()}\n{comment}\n")


def git(folder: Path, *words: str) -> str:
    """Run git in a folder; return what it prints."""
    who = ("-c", "user.name=nobody", "-c", "user.email=nobody@example.invalid")
    argv = ["git", "-C", str(folder), *who, *words]
    return subprocess.run(argv, check=True, capture_output=True, text=True).stdout.strip()


def commit_all(folder: Path) -> str:
    """Commit all files of a folder to its repository, made if need be; return the commit."""
    for words in (["init", "-q"], ["add", "--all"], ["commit", "-q", "--allow-empty", "-m", "one"]):
        git(folder, *words)
    return git(folder, "rev-parse", "HEAD")
