"""Tables of kernel-builder's library, and systems by Nix's names for them."""

import json
import platform
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final


def read_table(name: str) -> Any:
    """Return a table of the library by its name below lib/."""
    # The build of a wheel copies the tables (python/setup.py). In a checkout, this is python/src.
    copied = Path(__file__).with_name(Path(name).name)
    path = copied if copied.is_file() else Path(__file__).resolve().parents[4] / "lib" / name
    return json.loads(path.read_text(encoding="utf-8"))


# docs/data.md describes the fields.
TABLE: Final[Mapping[str, Mapping[str, Any]]] = read_table("platforms/systems.json")
SYSTEMS: Final = tuple(sorted(TABLE))


def find_system() -> str:
    """Return the system of this machine."""
    machine = platform.machine(), platform.system().lower()
    known = (name for name, each in TABLE.items() if (each["machine"], each["os"]) == machine)
    return next(known, "-".join(machine))


def is_for_system(name: str, system: str) -> bool:
    """Return whether a variant is for a system; without code, such as `torch-cuda`, for all."""
    return name.endswith(f"-{system}") or name.count("-") < 2
