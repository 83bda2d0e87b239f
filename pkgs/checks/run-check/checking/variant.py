"""A built variant: its folder, and the parts of its name."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Optional

from checking.facts import BACKENDS, SYSTEMS
from checking.framework import FRAMEWORKS, Framework

LABELS = "|".join(framework.label for framework in FRAMEWORKS)
COMPILED = re.compile(rf"({LABELS})-(?P<compute>[a-z]+\d*)-(?P<system>{'|'.join(SYSTEMS)})")
NOARCH = re.compile(r"torch-(?P<compute>[a-z]+)")

# Backends whose name in variants differs from their own: `cu` and `npu`.
RENAMED = {data[key]: name for name, data in BACKENDS.items() for key in ("compute", "noarch") if data.get(key)}


@dataclass(frozen=True)
class Variant:
    """A variant's folder and name."""

    folder: Path
    name: str
    # Whether it has compiled code, as its plan says; without a plan, the name says so.
    compiled: "Optional[bool]" = None

    @property
    def is_known(self) -> bool:
        """Whether the name has the form of a variant's name."""
        return bool(COMPILED.fullmatch(self.name) or NOARCH.fullmatch(self.name))

    @property
    def is_noarch(self) -> bool:
        """Whether the kernel has no compiled code."""
        return NOARCH.fullmatch(self.name) is not None if self.compiled is None else not self.compiled

    @property
    def system(self) -> str:
        """The system; empty if the name has none."""
        match = COMPILED.fullmatch(self.name)
        return match["system"] if match else ""

    @property
    def is_stable(self) -> bool:
        """Whether the kernel is built on Torch's stable ABI."""
        return self.name.startswith("torch-stable-abi")

    @property
    def framework(self) -> Framework:
        """The framework; the first one, Torch, if the name has none."""
        return next((each for each in FRAMEWORKS if re.match(rf"({each.label})-", self.name)), FRAMEWORKS[0])

    @property
    def compute(self) -> str:
        """The backend and its version: `cpu`, `cu130`."""
        match = COMPILED.fullmatch(self.name) or NOARCH.fullmatch(self.name)
        return match["compute"] if match else ""

    @property
    def backend(self) -> str:
        """The backend: `cpu`, `cuda`."""
        kind = self.compute.rstrip("0123456789")
        return RENAMED.get(kind, kind)

    @property
    def major(self) -> str:
        """The major version of the backend's toolkit: `13` of `cu130`; empty if it has none."""
        digits = re.sub(r"^\D+", "", self.compute)
        return digits[:-1]

    def read_metadata(self) -> "dict[str, Any]":
        """Return metadata.json, or an empty table if it cannot be read."""
        try:
            data = json.loads((self.folder / "metadata.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return data if isinstance(data, dict) else {}

    @property
    def python_name(self) -> str:
        """The name under which Python imports the kernel."""
        return str(self.read_metadata().get("name", "")).replace("-", "_")

    def find_binaries(self) -> "list[Path]":
        """Return the libraries for Linux and macOS, and files with the ending of a library."""
        found = []
        for path in sorted(self.folder.rglob("*")):
            if path.is_file() and not path.is_symlink():
                with path.open("rb") as stream:
                    is_library = stream.read(4) in (b"\x7fELF", b"\xcf\xfa\xed\xfe")
                if is_library or path.suffix in (".so", ".dylib"):
                    found.append(path)
        return found
