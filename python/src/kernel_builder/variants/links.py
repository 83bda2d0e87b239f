"""Links to what was built. They keep it in the store."""

import os
from pathlib import Path

from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.nix.derivations import DEFAULT_STORE


def choose_link(folder: Path, name: str = "result", alone: bool = True) -> Path:
    """Return where the result is linked: in `folder`, or here if `folder` is read-only.

    Results of several kernels that are linked here have the names of their folders as well. Raises
    before anything is built if both are, or if something else is there.
    """
    here = name if alone else f"{name}-{folder.name}"
    link = folder / name if os.access(folder, os.W_OK) else Path.cwd() / here
    is_result = link.is_symlink() and str(link.readlink()).startswith(f"{DEFAULT_STORE}/")
    if not os.access(link.parent, os.W_OK):
        problem = Problem(
            at=str(link.parent),
            found="a folder that cannot be written to",
            want="the kernel's folder or the current one to be writable",
            fix="run it in a folder of yours: cd && kernel-builder build FOLDER",
        )
    elif os.path.lexists(link) and not is_result:
        found, want = "something else", "nothing, or the link of an earlier build"
        problem = Problem(str(link), found, want, "move it away")
    else:
        return link
    raise KernelBuilderError("the result cannot be linked", [problem])
