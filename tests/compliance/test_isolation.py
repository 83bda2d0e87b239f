"""Builds that have much in common load in one process and share nothing."""

import json
import shutil
from pathlib import Path
from typing import Any

from tests.build.running import ask_python
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
  global_counter++;
  const bool agree = common::inline_variable == global_counter &&
                     common::inside_a_function() == global_counter;
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
    return json.loads(ask_python(PROGRAM, *map(str, variants), home=home))


def test_builds_of_one_kernel_and_of_another_keep_apart(tmp_path: Path) -> None:
    numbers = {"tiny": 42, "again": 7, "other": 5}
    builds = {
        number: make(tmp_path / folder, number, name=folder if folder == "other" else "tiny")
        for folder, number in numbers.items()
    }
    for answers in ([42, 7, 5], [5, 7, 42]):
        found = load(tmp_path, *(builds[answer] for answer in answers))
        assert found["answers"] == answers
        assert found["said"] == [f"number {answer}" for answer in answers]
        assert found["counts"] == [1, 2, 3, 1, 1, 4]
        assert found["ops"] == found["modules"] == 3
    # The same content has the same name, so the operators of a copy are the same ones.
    copy = shutil.copytree(builds[42], tmp_path / builds[42].name)
    assert load(tmp_path, builds[42], copy)["ops"] == 1
