"""The inputs of a kernel's flake: those that its flake.lock holds, and those of its flake.nix."""

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from kernel_builder import nix
from kernel_builder.machine.files import read_file
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.nix.quoting import nix_path

LOCK: Final = "flake.lock"
# Only a flake.nix with such a path can lead out of its folder. Whether one does, Nix says.
_LEADS_UP: Final = re.compile(rb'[":/]\.\.["/?]')


def read_lock(flake: Path) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """Return the nodes of a folder's flake.lock, and the nodes of the flake's inputs by name.

    Raises KernelBuilderError for a damaged lock: Nix would not name the file.
    """
    file = flake / LOCK
    content = read_file(file.resolve()) if file.is_file() else b"{}"
    try:
        data = json.loads(content)
    except (ValueError, RecursionError) as error:
        found = "conflict marks of git" if b"<<<<<<<" in content else str(error)
        fix = "git checkout HEAD -- flake.lock; or delete it, and run `nix flake lock`"
        problem = Problem(str(file), found, "the JSON that Nix wrote", fix, str(file))
        raise KernelBuilderError("flake.lock is damaged", [problem]) from None
    nodes = data.get("nodes", {})
    return nodes, nodes.get(data.get("root"), {}).get("inputs", {})


@cache
def find_inputs_outside(flake: Path) -> Mapping[str, Path]:
    """Return the folder of each input whose path in flake.nix leads out of the flake.

    An input that flake.lock holds to something else is not one of them.
    """
    if not _LEADS_UP.search(read_file((flake / "flake.nix").resolve())):
        return {}
    function = nix_path(Path(__file__).with_name("inputs.nix"))
    found = nix.evaluate(["--impure", "--expr", f"import {function} {nix_path(flake)}"])
    return {name: Path(found[name]).resolve() for name in found}
