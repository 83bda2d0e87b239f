"""Chooses what to advise for a failed step, from the words of compilers and linkers.

Nothing but the text of a message depends on them.
"""

import re
from typing import Final

OTHERWISE: Final = "correct the cause"
WITHOUT_PYTHON: Final = (
    "include <torch/all.h> instead of <torch/extension.h>, <pybind11/…> and <Python.h>, and\n"
    "register the functions with TORCH_LIBRARY_EXPAND instead of PYBIND11_MODULE: kernels load in\n"
    "every Python, so they use nothing of one (docs/guide/writing-a-kernel.md)"
)
DEFINE_IT: Final = "add the file that defines it to `src`, or correct its declaration"
# The first pattern that a message matches gives the fix.
FIXES: Final = {
    r"^killed: signal 9|Killed signal|died due to signal 9|: out of memory\b": (
        "build fewer steps at once (`--max-jobs 1`), or on a machine with more memory, see\n"
        "docs/troubleshooting/out-of-memory.md"
    ),
    r"fatal error: '?(Python\.h|pybind11/\S+|torch/extension\.h)\b|torch/csrc/python_headers\.h:\d"
    r"|pythoncapi_compat\.h\S* error\b|'PYBIND11_MODULE'": WITHOUT_PYTHON,
    r"fatal error: '?[^\s':]+'?(: No such file or directory| file not found)"
    r"|error: cannot open source file": (
        "correct its name, `git add` the file, name its folder in `include` of the component or\n"
        "its library in `depends`, or read docs/troubleshooting/compile-error.md"
    ),
    r"static[ _]assert\w*\b.*(INVALID TYPE|You tried to register a kernel)|infer_schema\.h:\d+": (
        "take and return types of operators (int64_t, double, bool, std::string, at::Tensor, and\n"
        "std::optional, std::vector, std::tuple or ArrayRef of them), and convert in the function"
    ),
    r"undefined reference to |undefined symbol: ": DEFINE_IT,
    r"multiple definition of ": "define it in one source alone, or make it `inline` or `static`",
}


def find_fix(text: str) -> str:
    """Return the advice for the messages of a step that is not a check."""
    for pattern, fix in FIXES.items():
        if re.search(pattern, text, re.MULTILINE):
            return fix
    return OTHERWISE
