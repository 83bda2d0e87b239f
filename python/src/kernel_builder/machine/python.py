"""How a Python program starts without importing anything from the current folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

# -I leaves out the current folder and PYTHONPATH. Python 3.9 and 3.10 have no -P.
_START: Final = (
    "import runpy, sys; sys.path[:0] = sys.argv.pop(1).split(':'); "
    "runpy.run_module(sys.argv.pop(1), run_name='__main__', alter_sys=True)"
)


def module_argv(python: str, module: str, folders: Sequence[Path]) -> list[str]:
    """Return the command line that runs a module which lies in one of `folders`.

    -B: root may write to the Nix store, and bytecode next to a module there changes its package.
    """
    return [python, "-I", "-B", "-X", "utf8", "-c", _START, ":".join(map(str, folders)), module]
