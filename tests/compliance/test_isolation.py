"""Builds that have much in common load in one process and share nothing."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.evaluation import build, read_variant
from tests.tiny_kernel import ANSWER, BINDING, BUILD, HEADER, MODULE, TinyKernel

# Names that C++ shares over a process: there is one object for each.
SHARED = """\
#pragma once
#include <cstdint>
#include <stdexcept>
#include <string>

namespace common {

inline int64_t inline_variable = 0;

inline int64_t &inside_a_function() {
  static int64_t number = 0;
  return number;
}

template <class T>
struct Holder {
  static T value;
};
template <class T>
T Holder<T>::value{};

struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace common

int64_t count();
std::string say();
"""

COUNT = """\
#include "number.h"
#include "../answer/shared.h"

int64_t global_counter = 0;

int64_t count() {
  common::inline_variable++;
  common::inside_a_function()++;
  common::Holder<int64_t>::value++;
  thread_local int64_t of_thread = 0;
  of_thread++;
  global_counter++;
  const bool agree = common::inline_variable == global_counter &&
                     common::inside_a_function() == global_counter &&
                     common::Holder<int64_t>::value == global_counter &&
                     of_thread == global_counter;
  return agree ? global_counter : -1;
}

std::string say() {
  try {
    throw common::Failure("number " + std::to_string(NUMBER));
  } catch (const std::exception &failure) {
    return failure.what();
  }
}
"""

FILES = {
    "build.toml": BUILD.replace('"answer/answer.cpp"', '"answer/answer.cpp", "answer/count.cpp"'),
    "answer/answer.h": f'{HEADER}#include "shared.h"\n',
    "answer/answer.cpp": ANSWER,
    "answer/shared.h": SHARED,
    "answer/count.cpp": COUNT,
    "torch-ext/torch_binding.cpp": BINDING.replace(
        'ops.def("answer() -> int", &answer);',
        'ops.def("answer() -> int", &answer); ops.def("count() -> int", &count); '
        'ops.def("say() -> str", &say);',
    ),
    "torch-ext/tiny/__init__.py": f"""{MODULE}

count, say = ops.count, ops.say
""",
}

PROGRAM = """
import json, sys
from pathlib import Path
from kernels import get_local_kernel
kernels = [get_local_kernel(Path(path), backend="cpu") for path in sys.argv[1:]]
first, *others = kernels
counts = [first.count(), first.count(), first.count()]
counts += [other.count() for other in others]
counts += [first.count()]
print(json.dumps({
    "answers": [kernel.answer() for kernel in kernels],
    "said": [kernel.say() for kernel in kernels],
    "counts": counts,
    "ops": len({kernel.ops.name for kernel in kernels}),
    "modules": len({kernel.__name__ for kernel in kernels}),
}))
"""


def make(folder: Path, number: int, name: str = "tiny") -> Path:
    """Build a kernel whose answer is `number`."""
    files = {**FILES, "include/number.h": f"#define NUMBER {number}\n"}
    kernel = TinyKernel(folder, files)
    if name != "tiny":
        kernel.write("build.toml", files["build.toml"].replace('"tiny"', f'"{name}"'))
        (folder / "torch-ext" / "tiny").rename(folder / "torch-ext" / name)
    return build(read_variant(folder).drv)


def load(home: Path, *variants: Path) -> Any:
    """Load variants in one process, in this order, and return their answers."""
    environment = {**os.environ, "HOME": str(home), "HF_HOME": str(home), "HF_HUB_OFFLINE": "1"}
    argv = [sys.executable, "-B", "-c", PROGRAM, *map(str, variants)]
    done = subprocess.run(argv, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("first"), 42)


@pytest.fixture(scope="module")
def second(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("second"), 7)


def test_two_builds_of_one_kernel_keep_apart(first: Path, second: Path, tmp_path: Path) -> None:
    for variants, answers in (((first, second), [42, 7]), ((second, first), [7, 42])):
        found = load(tmp_path, *variants)
        assert found["answers"] == answers
        assert found["said"] == [f"number {answer}" for answer in answers]
        assert found["counts"] == [1, 2, 3, 1, 4]
        assert found["ops"] == found["modules"] == 2


def test_two_kernels_with_the_same_names_keep_apart(first: Path, tmp_path: Path) -> None:
    other = make(tmp_path / "other", 5, name="other")
    found = load(tmp_path, first, other)
    assert found["answers"] == [42, 5]
    assert found["said"] == ["number 42", "number 5"]
    assert found["counts"] == [1, 2, 3, 1, 4]
    assert found["ops"] == found["modules"] == 2


def test_the_same_build_in_two_places_is_one(first: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(first, tmp_path / first.name)
    found = load(tmp_path, first, copy)
    # The same content has the same name, so the operators are the same ones.
    assert found["ops"] == 1
